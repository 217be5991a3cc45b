/* pepa sensitivity: which rates a measure depends on, and how much. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"

typedef struct {
    const char *name;
    double value, derivative, elasticity; /* elasticity: NaN if the measure is 0 */
    int32_t place;
} Row;

typedef struct {
    Session *s;
    double value;
    Row *row;
    int32_t rows; /* of rates that have a derivative */
    PepaInfo info;
} Table;

/* Largest elasticity first, either sign; then by derivative, then in the model's order. */
static int larger(const void *a, const void *b)
{
    const Row *x = a, *y = b;
    double p = isnan(x->elasticity) ? fabs(x->derivative) : fabs(x->elasticity);
    double q = isnan(y->elasticity) ? fabs(y->derivative) : fabs(y->elasticity);
    if (p != q)
        return p > q ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

static int differentiate(Table *t)
{
    Session *s = t->s;
    const PepaSettings set = session_settings(s);
    const int32_t rates = pepa_model_rate_count(s->model);
    PepaError err = {0};
    PepaSteady *steady = NULL;
    double *derivative = calloc((size_t)rates + 1, sizeof *derivative);
    t->row = calloc((size_t)rates + 1, sizeof *t->row);
    PepaStatus status =
        derivative && t->row ? pepa_steady_new(&steady, s->chain, &err) : PEPA_ENOMEM;
    if (status == PEPA_OK)
        status = pepa_measure_sensitivities(steady, &set, s->pi, s->measures, 0, &t->value,
                                            derivative, &t->info, &err);
    progress_clear(&s->progress_shown);
    if (status == PEPA_OK && t->info.caution[0])
        session_warn(s, t->info.caution);
    for (int32_t r = 0; r < rates && status == PEPA_OK; r++) {
        double value = pepa_model_rate_value(s->model, r);
        if (isnan(derivative[r]))
            continue;
        t->row[t->rows] = (Row){pepa_model_rate_name(s->model, r), value, derivative[r],
                                t->value != 0 ? derivative[r] * value / t->value : NAN, t->rows};
        t->rows++;
    }
    qsort(t->row, (size_t)t->rows, sizeof *t->row, larger);
    pepa_steady_free(steady);
    free(derivative);
    return status == PEPA_OK ? EXIT_SOLVED : complain(s, status, &err);
}

static int sensitivity_json(const Table *t)
{
    json_begin(t->s);
    (void)printf(",\n  \"measure\": { \"name\": ");
    json_string(stdout, pepa_measures_name(t->s->measures, 0));
    (void)printf(", \"value\": " FULL " },\n  \"rates\": [", t->value);
    for (int32_t i = 0; i < t->rows; i++) {
        (void)printf("%s\n    { \"rate\": ", i ? "," : "");
        json_string(stdout, t->row[i].name);
        (void)printf(", \"value\": " FULL ", \"derivative\": " FULL ", \"elasticity\": ",
                     t->row[i].value, t->row[i].derivative);
        json_number(t->row[i].elasticity);
        (void)printf(" }");
    }
    (void)printf("%s],\n  \"solver\": { \"method\": \"%s\", \"iterations\": %lld, "
                 "\"residual\": " FULL " }",
                 t->rows ? "\n  " : "", t->info.method, (long long)t->info.iterations,
                 t->info.residual);
    json_end(t->s, "sensitivity", t->s->solved.seconds + t->info.seconds);
    return finish_output();
}

static int sensitivity_csv(const Table *t)
{
    (void)printf("rate,value,derivative,elasticity\n");
    for (int32_t i = 0; i < t->rows; i++) {
        csv_string(stdout, t->row[i].name);
        (void)printf("," FULL "," FULL ",", t->row[i].value, t->row[i].derivative);
        if (!isnan(t->row[i].elasticity))
            (void)printf(FULL, t->row[i].elasticity);
        (void)printf("\n");
    }
    return finish_output();
}

static int sensitivity_text(const Table *t)
{
    int width = 4;
    for (int32_t i = 0; i < t->rows; i++)
        width = (int)strlen(t->row[i].name) > width ? (int)strlen(t->row[i].name) : width;
    width = width > 40 ? 40 : width;
    (void)printf("%s\n\n%s = %.10g\n\n  %-*s  %14s  %16s  %12s\n", model_name(t->s->options),
                 pepa_measures_name(t->s->measures, 0), t->value, width, "rate", "value",
                 "derivative", "elasticity");
    for (int32_t i = 0; i < t->rows; i++) {
        const Row *row = &t->row[i];
        (void)printf("  %-*s  %14.8g  %16.8g", width, row->name, row->value, row->derivative);
        if (isnan(row->elasticity))
            (void)printf("  %12s\n", "no value");
        else
            (void)printf("  %12.6g\n", row->elasticity);
    }
    if (t->rows == 0)
        (void)printf("  no rate of the model can be changed\n");
    const double seconds =
        t->s->parse_seconds + t->s->derive_seconds + t->s->solved.seconds + t->info.seconds;
    (void)printf("\nElasticity: per cent of change for one per cent more of the rate.\n");
    if (t->s->info.bottom_components > 1)
        (void)printf("Linear solutions for %d bottom components and the states before them",
                     t->s->info.bottom_components);
    else
        (void)printf("Solved by %s", t->info.method);
    (void)printf(", residual %.1e, %.3g s in all.\n", t->info.residual, seconds);
    return finish_output();
}

int cmd_sensitivity(Options *options)
{
    Session s = {.options = options};
    Table t = {.s = &s};
    int status = EXIT_SOLVED;
    if (!options->of)
        return fail(EXIT_USAGE, "%s: give the measure: --of EXPR", options->command->called);
    status = session_derive(&s, options);
    if (status == EXIT_SOLVED && pepa_measures_count(s.measures) != 1)
        status = fail(EXIT_USAGE, "%s: --of takes one measure", options->command->called);
    if (status == EXIT_SOLVED)
        status = session_solve(&s);
    if (status == EXIT_SOLVED)
        status = differentiate(&t);
    if (status == EXIT_SOLVED)
        status = options->json  ? sensitivity_json(&t)
                 : options->csv ? sensitivity_csv(&t)
                                : sensitivity_text(&t);
    free(t.row);
    session_free(&s);
    return status;
}
