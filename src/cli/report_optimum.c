/* What pepa optimise has found, as text, JSON and CSV. */
#include <math.h>
#include <string.h>

#include "analyses.h"
#include "report.h"

static const char *const how_ended[] = {[PEPA_OPTIMUM_STATIONARY] = "stationary",
                                        [PEPA_OPTIMUM_SEARCHED] = "searched",
                                        [PEPA_OPTIMUM_ENUMERATED] = "enumerated",
                                        [PEPA_OPTIMUM_NEIGHBOURS] = "neighbours"};

static const char *name_of(const Optimised *x, int32_t measure)
{
    return pepa_measures_name(x->session->measures, measure);
}

static const char *constraint_name(const Optimised *x, size_t c)
{
    return name_of(x, x->subject[c].measure);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void json_pair(const char *name, double value)
{
    (void)printf("{ \"name\": ");
    json_string(stdout, name);
    (void)printf(", \"value\": ");
    json_number(value);
}

/* "mu <= 10" for a rate at its upper end, or the text of a constraint. */
static void json_binding(const Optimised *x)
{
    const Options *o = x->session->options;
    const char *comma = "";
    (void)printf(",\n  \"binding\": [");
    for (size_t i = 0; i < o->within_count + o->subject_count; i++) {
        Text text = {0};
        if (x->binding[i] == PEPA_BINDS_NOT)
            continue;
        if (i < o->within_count)
            text_add(&text, "%s %s %.10g", x->within[i].rate,
                     x->binding[i] == PEPA_BINDS_LOW ? ">=" : "<=", x->rate[i]);
        (void)printf("%s", comma);
        json_string(stdout, i >= o->within_count ? constraint_name(x, i - o->within_count)
                            : text.failed        ? ""
                                                 : text.text);
        comma = ", ";
        text_free(&text);
    }
    (void)printf("]");
}

static void json_others(const Optimised *x)
{
    const Options *o = x->session->options;
    if (o->subject_count) {
        (void)printf(",\n  \"constraints\": [");
        for (size_t c = 0; c < o->subject_count; c++) {
            (void)printf("%s\n    ", c ? "," : "");
            json_pair(constraint_name(x, c), x->value[x->subject[c].measure]);
            (void)printf(", \"bound\": " FULL " }", x->value[x->subject[c].bound]);
        }
        (void)printf("\n  ]");
    }
    if (x->objective == 0)
        return;
    (void)printf(",\n  \"measures\": [");
    for (int32_t i = 0; i < x->objective; i++) {
        (void)printf("%s\n    ", i ? "," : "");
        json_pair(name_of(x, i), x->value[i]);
        (void)printf(" }");
    }
    (void)printf("\n  ]");
}

static int optimum_json(const Optimised *x)
{
    const PepaOptimum *f = &x->found;
    json_begin(x->session);
    (void)printf(",\n  \"objective\": ");
    json_pair(name_of(x, x->objective), f->objective);
    (void)printf(" },\n  \"rates\": {");
    for (size_t i = 0; i < x->session->options->within_count; i++) {
        (void)printf("%s ", i ? "," : "");
        json_string(stdout, x->within[i].rate);
        (void)printf(": " FULL, x->rate[i]);
    }
    (void)printf(" },\n  \"evaluations\": %lld", (long long)f->evaluations);
    json_binding(x);
    json_others(x);
    (void)printf(",\n  \"ended\": \"%s\", \"global\": %s,\n  \"residual\": ", how_ended[f->ended],
                 f->global ? "true" : "false");
    json_number(f->residual);
    (void)printf(", \"violation\": " FULL ", \"tolerance\": " FULL ",\n"
                 "  \"searches\": %lld, \"skipped\": %lld, \"derived\": %lld,\n"
                 "  \"solver\": { \"residual\": " FULL " }",
                 f->violation, f->tolerance, (long long)f->searches, (long long)f->skipped,
                 (long long)f->derived, f->solver_residual);
    json_end(x->session, "optimise", f->seconds - f->derive_seconds);
    return finish_output();
}

/* ---- CSV ------------------------------------------------------------------------------------- */

static void csv_row(const char *kind, const char *name, double value, const char *binds)
{
    (void)printf("%s,", kind);
    csv_string(stdout, name);
    (void)printf(",");
    if (!isnan(value))
        (void)printf(FULL, value);
    (void)printf(",%s\n", binds);
}

static const char *const binds_word[] =
    {[PEPA_BINDS_NOT] = "", [PEPA_BINDS_LOW] = "low", [PEPA_BINDS_HIGH] = "high"};

static int optimum_csv(const Optimised *x)
{
    const Options *o = x->session->options;
    (void)printf("kind,name,value,binds\n");
    csv_row("objective", name_of(x, x->objective), x->found.objective, "");
    for (size_t i = 0; i < o->within_count; i++)
        csv_row("rate", x->within[i].rate, x->rate[i], binds_word[x->binding[i]]);
    for (size_t c = 0; c < o->subject_count; c++)
        csv_row("constraint", constraint_name(x, c), x->value[x->subject[c].measure],
                binds_word[x->binding[o->within_count + c]]);
    for (int32_t i = 0; i < x->objective; i++)
        csv_row("measure", name_of(x, i), x->value[i], "");
    return finish_output();
}

/* ---- text ------------------------------------------------------------------------------------ */

static int widest(const Optimised *x)
{
    const Options *o = x->session->options;
    size_t width = strlen("constraint");
    for (size_t i = 0; i < o->within_count; i++)
        width = strlen(x->within[i].rate) > width ? strlen(x->within[i].rate) : width;
    for (size_t c = 0; c < o->subject_count; c++)
        width = strlen(constraint_name(x, c)) > width ? strlen(constraint_name(x, c)) : width;
    for (int32_t i = 0; i < x->objective; i++)
        width = strlen(name_of(x, i)) > width ? strlen(name_of(x, i)) : width;
    return width > 40 ? 40 : (int)width;
}

/* Where the objective may jump each digit counts. */
static void write_rate(const Optimised *x, double value, char digits[NUMBER_SIZE])
{
    if (x->found.ended == PEPA_OPTIMUM_SEARCHED)
        number_write(value, digits);
    else
        (void)snprintf(digits, NUMBER_SIZE, "%.8g", value);
}

/* No rate changes the objective, nor is one kept by its range. */
static bool is_flat(const Optimised *x)
{
    bool flat = x->found.residual == 0;
    for (size_t i = 0; i < x->session->options->within_count; i++)
        flat = flat && x->binding[i] == PEPA_BINDS_NOT;
    return flat;
}

static void text_rates(const Optimised *x, int width)
{
    static const char *const end[] = {[PEPA_BINDS_NOT] = "",
                                      [PEPA_BINDS_LOW] = "  its lowest",
                                      [PEPA_BINDS_HIGH] = "  its highest"};
    (void)printf("\n  %-*s  %14s  %s\n", width, "rate", "value", "range");
    for (size_t i = 0; i < x->session->options->within_count; i++) {
        char digits[NUMBER_SIZE];
        write_rate(x, x->rate[i], digits);
        (void)printf("  %-*s  %14s  %.10g to %.10g%s\n", width, x->within[i].rate, digits,
                     x->within[i].low, x->within[i].high, end[x->binding[i]]);
    }
}

static void text_constraints(const Optimised *x, int width)
{
    const Options *o = x->session->options;
    if (o->subject_count)
        (void)printf("\n  %-*s  %14s  %14s\n", width, "constraint", "value", "bound");
    for (size_t c = 0; c < o->subject_count; c++)
        (void)printf("  %-*s  %14.8g  %14.8g%s\n", width, constraint_name(x, c),
                     x->value[x->subject[c].measure], x->value[x->subject[c].bound],
                     x->binding[o->within_count + c] ? "  binds" : "");
}

static void text_others(const Optimised *x, int width)
{
    if (x->objective)
        (void)printf("\n  %-*s  %14s\n", width, "measure", "value");
    for (int32_t i = 0; i < x->objective; i++) {
        (void)printf("  %-*s  ", width, name_of(x, i));
        if (isnan(x->value[i]))
            (void)printf("%14s\n", "no value");
        else
            (void)printf("%14.8g\n", x->value[i]);
    }
}

/* How the search ended, and what that says about other points. */
static void text_end(const Optimised *x)
{
    const PepaOptimum *f = &x->found;
    char searches[NUMBER_SIZE], skipped[NUMBER_SIZE];
    (void)printf("\n");
    switch (f->ended) {
    case PEPA_OPTIMUM_STATIONARY:
        if (is_flat(x)) {
            (void)printf(
                "The objective does not change with the rates here: other values do as well.\n");
            break;
        }
        (void)printf("A stationary point, residual %.1e: the best of %s local searches.  It is a "
                     "local optimum.\n",
                     f->residual, number_grouped(f->searches, searches));
        break;
    case PEPA_OPTIMUM_SEARCHED:
        if (f->searches == 0) {
            (void)printf("Each rate has one value: there was nothing to search.\n");
            break;
        }
        (void)printf(
            "Searched nearby at the end, as derivatives jump or there are none: nothing better "
            "was found, in the\nbest of %s local searches.  It is a local optimum.\n",
            number_grouped(f->searches, searches));
        break;
    case PEPA_OPTIMUM_ENUMERATED:
        (void)printf("A global optimum: each combination of whole numbers was looked at");
        if (f->skipped)
            (void)printf(", or ruled out (%s) by\nwhat rates alone decide",
                         number_grouped(f->skipped, skipped));
        (void)printf(".\n");
        break;
    case PEPA_OPTIMUM_NEIGHBOURS:
        (void)printf("No neighbouring combination of whole numbers is better.  It is a local "
                     "optimum.\n");
    }
}

static int optimum_text(const Optimised *x)
{
    const PepaOptimum *f = &x->found;
    const Session *s = x->session;
    const int width = widest(x);
    char points[NUMBER_SIZE], chains[NUMBER_SIZE];
    text_begin(s);
    (void)printf("\n%s %s = %.10g\n", s->options->maximise ? "largest" : "least",
                 name_of(x, x->objective), f->objective);
    text_rates(x, width);
    text_constraints(x, width);
    text_others(x, width);
    text_end(x);
    if (s->options->subject_count)
        (void)printf("Constraints hold to %.0e of their bounds.\n", f->tolerance);
    (void)printf("Solved at %s point%s on %s chain%s, %.3g s in all; largest residual %.1e.\n",
                 number_grouped(f->evaluations, points), f->evaluations == 1 ? "" : "s",
                 number_grouped(f->derived, chains), f->derived == 1 ? "" : "s",
                 s->parse_seconds + f->seconds, f->solver_residual);
    return finish_output();
}

int report_optimum(const Optimised *x)
{
    const Options *o = x->session->options;
    return o->json ? optimum_json(x) : o->csv ? optimum_csv(x) : optimum_text(x);
}
