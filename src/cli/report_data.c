/* The report for programs: JSON and CSV. */
#include <math.h>

#include "memory.h"
#include "report.h"

/* An object of names and values, with blanks or line ends before each member and at the end. */
static void json_named(const Named *items, int32_t count, const char *before, const char *end)
{
    (void)printf("{");
    for (int32_t i = 0; i < count; i++) {
        (void)printf("%s%s", i ? "," : "", before);
        json_string(stdout, items[i].name);
        (void)printf(": " FULL, items[i].value);
    }
    (void)printf("%s}", count ? end : "");
}

void json_number(double value)
{
    if (!isfinite(value))
        (void)printf("null");
    else
        (void)printf(FULL, value);
}

/* null: there is none. */
static void json_bound(double x)
{
    json_number(isfinite(x) ? x : NAN);
}

void json_measures(const Session *s)
{
    const int32_t count = pepa_measures_count(s->measures);
    (void)printf(",\n  \"measures\": [");
    for (int32_t i = 0; i < count; i++) {
        (void)printf("%s\n    { \"name\": ", i ? "," : "");
        json_string(stdout, pepa_measures_name(s->measures, i));
        (void)printf(", \"value\": ");
        json_number(s->measured[i]);
        if (s->certified) {
            (void)printf(", \"low\": ");
            json_bound(s->certified[s->info.actions + i].low);
            (void)printf(", \"high\": ");
            json_bound(s->certified[s->info.actions + i].high);
        }
        (void)printf(" }");
    }
    (void)printf("%s]", count ? "\n  " : "");
}

/* Of the throughputs. */
static void json_certified(const Session *s)
{
    (void)printf(",\n  \"certified\": { \"throughput\": {");
    for (int32_t a = 0; a < s->info.actions; a++) {
        (void)printf("%s\n    ", a ? "," : "");
        json_string(stdout, pepa_chain_action_name(s->chain, a));
        (void)printf(": [");
        json_bound(s->certified[a].low);
        (void)printf(", ");
        json_bound(s->certified[a].high);
        (void)printf("]");
    }
    (void)printf("%s} }", s->info.actions ? "\n  " : "");
}

static void json_utilisation(const Session *s, const Named *share)
{
    (void)printf("[");
    for (int32_t p = 0, at = 0; p < s->info.positions; p++) {
        PepaPosition position = pepa_chain_position(s->chain, p);
        (void)printf("%s\n    { \"component\": ", p ? "," : "");
        json_string(stdout, position.component);
        (void)printf(", \"position\": %d, \"copies\": %d, \"local\": ", p + 1, position.copies);
        json_named(share + at, position.local_count, " ", " ");
        (void)printf(" }");
        at += position.local_count;
    }
    (void)printf("%s]", s->info.positions ? "\n  " : "");
}

static void json_bottom_components(const Session *s, const Bottom *bottom)
{
    (void)printf(",\n  \"ends_in\": [");
    for (int32_t i = 0; i < s->info.bottom_components; i++) {
        char *text = bottom_text(s, &bottom[i]);
        (void)printf("%s\n    { \"probability\": " FULL ", \"states\": %lld, \"state\": ",
                     i ? "," : "", bottom[i].probability, (long long)bottom[i].states);
        json_string(stdout, text ? text : "");
        (void)printf(" }");
        pepa_text_free(text);
    }
    (void)printf("\n  ]");
}

static void json_explain(const Text lines[EXPLAINED])
{
    (void)printf(",\n  \"explain\": [");
    for (int i = 0; i < EXPLAINED; i++) {
        (void)printf("%s\n    ", i ? "," : "");
        json_string(stdout, lines[i].text);
    }
    (void)printf("\n  ]");
}

static void json_model(const Session *s)
{
    (void)printf("{ \"model\": ");
    json_string(stdout, model_name(s->options));
}

void json_begin_alone(const Session *s)
{
    json_model(s);
    (void)printf(",\n  \"states\": null, \"transitions\": null");
}

void json_begin(const Session *s)
{
    json_model(s);
    (void)printf(",\n  \"states\": %lld, \"transitions\": %lld", (long long)s->info.states,
                 (long long)s->info.transitions);
}

/* Of several processes, the largest counts. */
void json_memory(const Session *s)
{
    double peak = (double)peak_bytes();
    for (int32_t i = 0; s->peaks && i < shared_count(s); i++)
        peak = s->peaks[i] > peak ? s->peaks[i] : peak;
    (void)printf(",\n  \"memory\": { \"peak_bytes\": %.0f, \"limit_bytes\": ", peak);
    if (s->options->set.memory)
        (void)printf("%lld", (long long)s->options->set.memory);
    else
        (void)printf("null");
    for (int32_t i = 0; s->peaks && i < shared_count(s); i++)
        (void)printf("%s%.0f", i ? ", " : ", \"process_peak_bytes\": [", s->peaks[i]);
    (void)printf("%s },\n  \"warnings\": ", s->peaks ? "]" : "");
    json_findings(stdout, &s->findings);
}

void json_end(const Session *s, const char *what, double seconds)
{
    (void)printf(",\n  \"seconds\": { \"parse\": %.9f, \"derive\": %.9f, \"%s\": %.9f }",
                 s->parse_seconds, s->derive_seconds, what, seconds);
    json_memory(s);
    (void)printf(" }\n");
}

void json_solver(const Session *s)
{
    (void)printf(",\n  \"explore\": \"%s\",\n  \"solver\": { \"method\": \"%s\", "
                 "\"matrix\": \"%s\", \"precondition\": \"%s\", "
                 "\"iterations\": %lld, \"residual\": " FULL ", \"tolerance\": " FULL
                 ", \"trail\": ",
                 s->info.symbolic ? "symbolic" : "explicit", s->solved.method, s->solved.matrix,
                 s->solved.precondition, (long long)s->solved.iterations, s->solved.residual,
                 s->solved.tolerance);
    json_string(stdout, s->solved.trail);
    (void)printf(", \"caution\": ");
    json_string(stdout, s->solved.caution);
    (void)printf(" }");
}

void json_processes(const Session *s)
{
    if (shared_count(s) > 1)
        (void)printf(", \"processes\": %d, \"shared\": %s", shared_count(s),
                     s->alone ? "false" : "true");
}

int report_json(const Session *s)
{
    Measures m;
    Text lines[EXPLAINED] = {{0}};
    if (!measures_new(&m, s))
        return EXIT_LIMIT;
    if (s->options->explain && !explain_lines(s, true, lines))
        return out_of_memory();
    json_begin(s);
    json_processes(s);
    (void)printf(", \"aggregated\": %s,\n"
                 "  \"deadlocks\": %d, \"bottom_components\": %d,\n  \"throughput\": ",
                 s->info.aggregated ? "true" : "false", s->info.deadlocks,
                 s->info.bottom_components);
    json_named(m.throughput, s->info.actions, "\n    ", "\n  ");
    (void)printf(",\n  \"utilisation\": ");
    json_utilisation(s, m.share);
    (void)printf(",\n  \"population\": ");
    json_named(m.population, s->info.local_states, "\n    ", "\n  ");
    if (s->measures)
        json_measures(s);
    if (s->certified)
        json_certified(s);
    if (s->info.bottom_components > 1)
        json_bottom_components(s, m.bottom);
    json_solver(s);
    (void)printf(",\n  \"seconds\": { \"parse\": %.9f, \"derive\": %.9f, \"solve\": %.9f, "
                 "\"matrix\": %.9f }",
                 s->parse_seconds, s->derive_seconds, s->solved.seconds, s->solved.matrix_seconds);
    json_memory(s);
    if (s->options->explain)
        json_explain(lines);
    (void)printf(" }\n");
    for (int i = 0; i < EXPLAINED; i++)
        text_free(&lines[i]);
    measures_free(&m);
    return finish_output();
}

static void csv_bounds(const Bounds *within)
{
    (void)printf(",");
    if (within && isfinite(within->low))
        (void)printf(FULL, within->low);
    (void)printf(",");
    if (within && isfinite(within->high))
        (void)printf(FULL, within->high);
}

/* bounds: there are columns for them. */
static void csv_row(const Named *row, bool bounds)
{
    (void)printf("%s,", row->measure);
    csv_string(stdout, row->component);
    if (row->position)
        (void)printf(",%d,", row->position);
    else
        (void)printf(",,");
    csv_string(stdout, row->name);
    if (isnan(row->value))
        (void)printf(",");
    else
        (void)printf("," FULL, row->value);
    if (bounds)
        csv_bounds(row->within);
    (void)printf("\n");
}

void csv_measures(const Session *s)
{
    const bool bounds = s->certified != NULL;
    for (int32_t i = 0; i < pepa_measures_count(s->measures); i++)
        csv_row(&(Named){.measure = "measure",
                         .component = "",
                         .name = pepa_measures_name(s->measures, i),
                         .value = s->measured[i],
                         .within = bounds ? &s->certified[s->info.actions + i] : NULL},
                bounds);
}

int report_csv(const Session *s)
{
    Measures m;
    if (!measures_new(&m, s))
        return EXIT_LIMIT;
    const bool bounds = s->certified != NULL;
    const char *none = bounds ? ",," : "";
    (void)printf("measure,component,position,name,value%s\n", bounds ? ",low,high" : "");
    (void)printf("states,,,," FULL "%s\ntransitions,,,," FULL "%s\nresidual,,,%s," FULL "%s\n",
                 (double)s->info.states, none, (double)s->info.transitions, none, s->solved.method,
                 s->solved.residual, none);
    for (int32_t i = 0; i < m.rows; i++)
        csv_row(&m.row[i], bounds);
    if (s->measures)
        csv_measures(s);
    measures_free(&m);
    return finish_output();
}
