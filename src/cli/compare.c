/* --compare: measures by several analyses, side by side. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"

#include <pepa_fluid.h>
#include <pepa_simulate.h>
#include <pepa_transient.h>

/* Of a value: lower and upper end of its interval, or itself less and plus its deviation; the value
 * itself where it is exact. */
typedef struct {
    double value, low, high;
} Compared;

typedef struct {
    const char *name, *in_text;
    PepaStatus (*find)(Session *s, const double *time, size_t points, Compared *out,
                       PepaError *err);
    const char *extra[2]; /* of JSON: names of low and high, or of the deviation alone */
} Analysis;

typedef struct {
    Session *s;
    double *time; /* NULL: the long run, one point */
    size_t points;
    int32_t measures;
    const Analysis *analysis[3];
    Compared *found[3]; /* found[analysis][point x measures + measure]; NULL: it has none */
    double seconds[3];
    int32_t count;
} Comparison;

/* ---- the analyses ------------------------------------------------------------------------------ */

static PepaStatus no_memory(PepaError *err)
{
    *err = (PepaError){0};
    (void)snprintf(err->message, sizeof err->message, "%s", pepa_status_text(PEPA_ENOMEM));
    return PEPA_ENOMEM;
}

static PepaStatus limit_alone(Session *s, const PepaFluid *at, const PepaSettings *set,
                              PepaMoment *moment, PepaError *err)
{
    const size_t all = (at->steady ? 1 : at->count) * (size_t)pepa_measures_count(s->measures);
    double *value = calloc(all + 1, sizeof *value);
    if (!value)
        return no_memory(err);
    const PepaStatus status = pepa_fluid_measures(s->model, s->measures, at, set, value, NULL, err);
    for (size_t i = 0; i < all; i++)
        moment[i] = (PepaMoment){value[i], NAN, value[i]};
    free(value);
    return status;
}

static PepaStatus find_fluid(Session *s, const double *time, size_t points, Compared *out,
                             PepaError *err)
{
    const PepaSettings set = session_settings(s);
    const size_t all = points * (size_t)pepa_measures_count(s->measures);
    const PepaFluid at = {.time = time, .count = points, .steady = !time};
    PepaMoment *moment = calloc(all + 1, sizeof *moment);
    if (!moment)
        return no_memory(err);
    PepaStatus status = pepa_fluid_moments(s->model, s->measures, &at, &set, moment, NULL, err);
    if (status == PEPA_ENOCONV) /* without fluctuations, then */
        status = limit_alone(s, &at, &set, moment, err);
    for (size_t i = 0; i < all && status == PEPA_OK; i++)
        out[i] = (Compared){moment[i].mean, moment[i].mean - moment[i].deviation,
                            moment[i].mean + moment[i].deviation};
    free(moment);
    return status;
}

static PepaStatus find_simulated(Session *s, const double *time, size_t points, Compared *out,
                                 PepaError *err)
{
    const PepaSettings set = session_settings(s);
    const size_t all = points * (size_t)pepa_measures_count(s->measures);
    const PepaSimulation how = {.time = time,
                                .count = time ? points : 0,
                                .steady = !time,
                                .seed = 1};
    PepaEstimate *estimate = calloc(all + 1, sizeof *estimate);
    if (!estimate)
        return no_memory(err);
    const PepaStatus status =
        pepa_simulate_measures(s->model, s->measures, &how, &set, estimate, NULL, err);
    for (size_t i = 0; i < all && status == PEPA_OK; i++)
        out[i] = (Compared){estimate[i].value, estimate[i].low, estimate[i].high};
    free(estimate);
    return status;
}

/* In the long run. */
static PepaStatus solve(Session *s, double *value, PepaError *err)
{
    const PepaSettings set = session_settings(s);
    s->pi = malloc((size_t)s->info.states * sizeof *s->pi);
    if (!s->pi)
        return no_memory(err);
    const PepaStatus status = pepa_solve_steady(s->chain, &set, s->pi, &s->solved, err);
    return status == PEPA_OK ? pepa_measures_values(s->measures, s->chain, s->pi, value, err)
                             : status;
}

static PepaStatus find_exact(Session *s, const double *time, size_t points, Compared *out,
                             PepaError *err)
{
    const PepaSettings set = session_settings(s);
    const size_t all = points * (size_t)pepa_measures_count(s->measures);
    double *value = calloc(all + 1, sizeof *value);
    if (!value)
        return no_memory(err);
    PepaStatus status = pepa_chain_derive(&s->chain, s->model, &set, err);
    if (status == PEPA_OK)
        s->info = pepa_chain_info(s->chain);
    if (status == PEPA_OK)
        status = time ? pepa_transient_measures(s->chain, s->measures,
                                                &(PepaTransient){.time = time, .count = points},
                                                &set, value, NULL, err)
                      : solve(s, value, err);
    for (size_t i = 0; i < all && status == PEPA_OK; i++)
        out[i] = (Compared){value[i], value[i], value[i]};
    free(value);
    return status;
}

static const Analysis analyses[] = {
    {"exact", "exact", find_exact, {NULL, NULL}},
    {"simulate", "simulated, 95%", find_simulated, {"low", "high"}},
    {"fluid", "fluid, deviation", find_fluid, {"deviation", NULL}},
};
enum { ANALYSES = sizeof analyses / sizeof *analyses };

/* ---- reports ----------------------------------------------------------------------------------- */

static const Compared *compared(const Comparison *c, int32_t analysis, size_t point,
                                int32_t measure)
{
    return c->found[analysis] ? &c->found[analysis][point * (size_t)c->measures + (size_t)measure]
                              : NULL;
}

/* Which of the three numbers, by a name of JSON. */
static double number_of(const Compared *x, const char *name)
{
    return strcmp(name, "value") == 0  ? x->value
           : strcmp(name, "low") == 0  ? x->low
           : strcmp(name, "high") == 0 ? x->high
                                       : (x->high - x->low) / 2;
}

static void json_numbers(const Comparison *c, int32_t analysis, int32_t measure, const char *name)
{
    (void)printf("\"%s\": [", name);
    for (size_t j = 0; j < c->points; j++) {
        (void)printf("%s", j ? ", " : "");
        json_number(number_of(compared(c, analysis, j, measure), name));
    }
    (void)printf("]");
}

static void json_analysis(const Comparison *c, int32_t analysis, int32_t measure)
{
    const Analysis *a = c->analysis[analysis];
    (void)printf(",\n      \"%s\": ", a->name);
    if (!c->found[analysis]) {
        (void)printf("null");
        return;
    }
    (void)printf("{ ");
    json_numbers(c, analysis, measure, "value");
    for (int k = 0; k < 2 && a->extra[k]; k++) {
        (void)printf(", ");
        json_numbers(c, analysis, measure, a->extra[k]);
    }
    (void)printf(" }");
}

static int report_json_comparison(const Comparison *c)
{
    double seconds = 0;
    (void)printf("{ \"model\": ");
    json_string(stdout, model_name(c->s->options));
    if (c->time) {
        (void)printf(",\n  \"time\": [");
        for (size_t j = 0; j < c->points; j++)
            (void)printf("%s" FULL, j ? ", " : "", c->time[j]);
        (void)printf("]");
    }
    (void)printf(",\n  \"measures\": [");
    for (int32_t i = 0; i < c->measures; i++) {
        (void)printf("%s\n    { \"name\": ", i ? "," : "");
        json_string(stdout, pepa_measures_name(c->s->measures, i));
        for (int32_t k = 0; k < c->count; k++)
            json_analysis(c, k, i);
        (void)printf(" }");
    }
    (void)printf("\n  ]");
    for (int32_t k = 0; k < c->count; k++)
        seconds += c->seconds[k];
    json_end(c->s, "compare", seconds);
    return finish_output();
}

static int report_csv_comparison(const Comparison *c)
{
    (void)printf("%smeasure,analysis,value,low,high\n", c->time ? "time," : "");
    for (size_t j = 0; j < c->points; j++)
        for (int32_t i = 0; i < c->measures; i++)
            for (int32_t k = 0; k < c->count; k++) {
                const Compared *x = compared(c, k, j, i);
                if (!x || x->value != x->value)
                    continue;
                if (c->time)
                    (void)printf(FULL ",", c->time[j]);
                csv_string(stdout, pepa_measures_name(c->s->measures, i));
                (void)printf(",%s," FULL, c->analysis[k]->name, x->value);
                if (x->high >= x->low)
                    (void)printf("," FULL "," FULL "\n", x->low, x->high);
                else
                    (void)printf(",,\n");
            }
    return finish_output();
}

enum { COLUMN = 26 };

static void text_cell(const Comparison *c, int32_t analysis, size_t point, int32_t measure)
{
    const Compared *x = compared(c, analysis, point, measure);
    char text[2 * NUMBER_SIZE] = "-";
    if (x && x->value != x->value)
        (void)snprintf(text, sizeof text, "no value");
    else if (x && c->analysis[analysis]->extra[0] && x->high >= x->low)
        (void)snprintf(text, sizeof text, "%.6g +- %.2g", x->value, (x->high - x->low) / 2);
    else if (x)
        (void)snprintf(text, sizeof text, "%.8g", x->value);
    (void)printf("  %*s", COLUMN - 2, text);
}

static void text_head(const Comparison *c, int width, const char *first)
{
    (void)printf("\n  %-*s", width, first);
    for (int32_t k = 0; k < c->count; k++)
        (void)printf("  %*s", COLUMN - 2, c->analysis[k]->in_text);
    (void)printf("\n");
}

/* A row for each measure in the long run; else a table for each, with a row for each time. */
static int report_text_comparison(const Comparison *c)
{
    size_t width = 0, length;
    for (int32_t i = 0; i < c->measures; i++)
        if ((length = strlen(pepa_measures_name(c->s->measures, i))) > width)
            width = length;
    if (!c->time)
        text_head(c, (int)width, "");
    for (int32_t i = 0; i < c->measures; i++) {
        const char *name = pepa_measures_name(c->s->measures, i);
        if (c->time) {
            (void)printf("\n%s", name);
            text_head(c, 12, "time");
        }
        for (size_t j = 0; j < c->points; j++) {
            if (c->time)
                (void)printf("  %-12.8g", c->time[j]);
            else
                (void)printf("  %-*s", (int)width, name);
            for (int32_t k = 0; k < c->count; k++)
                text_cell(c, k, j, i);
            (void)printf("\n");
        }
    }
    (void)printf("\n");
    for (int32_t k = 0; k < c->count; k++)
        (void)printf("%s%s: %.3g s", k ? ", " : "", c->analysis[k]->name, c->seconds[k]);
    (void)printf(".\n");
    return finish_output();
}

/* ---- the option -------------------------------------------------------------------------------- */

/* The analyses of the list, in its order. */
static int read_analyses(Comparison *c)
{
    const char *list = c->s->options->compare;
    while (*list) {
        const size_t length = strcspn(list, ",");
        int32_t k = 0;
        while (k < ANALYSES &&
               (strlen(analyses[k].name) != length || strncmp(analyses[k].name, list, length) != 0))
            k++;
        for (int32_t i = 0; i < c->count && k < ANALYSES; i++)
            k = c->analysis[i] == &analyses[k] ? ANALYSES : k;
        if (k == ANALYSES)
            return fail(
                EXIT_USAGE,
                "%s: --compare takes some of exact, simulate and fluid, each once, not '%s'",
                c->s->options->command->called, c->s->options->compare);
        c->analysis[c->count++] = &analyses[k];
        list += length + (list[length] == ',');
    }
    return c->count ? EXIT_SOLVED
                    : fail(EXIT_USAGE, "%s: --compare takes some of exact, simulate and fluid",
                           c->s->options->command->called);
}

/* One that fails says why; all of them: so does the command. */
static int find_all(Comparison *c)
{
    int status = EXIT_SOLVED, found = 0;
    c->measures = pepa_measures_count(c->s->measures);
    for (int32_t k = 0; k < c->count; k++) {
        PepaError err = {0};
        const double start = clock_seconds();
        c->found[k] = calloc(c->points * (size_t)c->measures + 1, sizeof *c->found[k]);
        if (!c->found[k])
            return out_of_memory();
        const PepaStatus one = c->analysis[k]->find(c->s, c->time, c->points, c->found[k], &err);
        c->seconds[k] = clock_seconds() - start;
        progress_clear(&c->s->progress_shown);
        found += one == PEPA_OK;
        if (one == PEPA_OK)
            continue;
        status = complain(c->s, one, &err);
        free(c->found[k]);
        c->found[k] = NULL;
    }
    return found ? EXIT_SOLVED : status;
}

int session_compare(Session *s, double *time, size_t points)
{
    Comparison c = {.s = s, .time = time, .points = points};
    int status = read_analyses(&c);
    if (status == EXIT_SOLVED)
        status = session_read(s, s->options);
    if (status == EXIT_SOLVED)
        status = session_model_measures(s);
    if (status == EXIT_SOLVED)
        status = find_all(&c);
    if (status == EXIT_SOLVED)
        status = s->options->json  ? report_json_comparison(&c)
                 : s->options->csv ? report_csv_comparison(&c)
                                   : report_text_comparison(&c);
    for (int32_t k = 0; k < c.count; k++)
        free(c.found[k]);
    return status;
}
