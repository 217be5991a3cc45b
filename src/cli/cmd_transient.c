/* pepa transient: measures at given times. */
#include <math.h>
#include <stdlib.h>

#include "cli.h"

typedef struct {
    Session *s;
    double *time, *value; /* value[j * measures + i] */
    size_t count;
    int32_t measures;
    PepaTransientInfo info;
} Table;

static double value_of(const Table *t, size_t point, int32_t measure)
{
    return t->value[point * (size_t)t->measures + (size_t)measure];
}

static int report_json_table(const Table *t)
{
    json_begin(t->s);
    (void)printf(",\n  \"time\": [");
    for (size_t j = 0; j < t->count; j++)
        (void)printf("%s" FULL, j ? ", " : "", t->time[j]);
    (void)printf("],\n  \"measures\": [");
    for (int32_t i = 0; i < t->measures; i++) {
        (void)printf("%s\n    { \"name\": ", i ? "," : "");
        json_string(stdout, pepa_measures_name(t->s->measures, i));
        (void)printf(", \"value\": [");
        for (size_t j = 0; j < t->count; j++) {
            (void)printf("%s", j ? ", " : "");
            json_number(value_of(t, j, i));
        }
        (void)printf("] }");
    }
    (void)printf("\n  ],\n  \"accumulated\": %s, \"error_bound\": " FULL ", \"steps\": %lld, "
                 "\"stationary\": ",
                 t->s->options->accumulated ? "true" : "false", t->info.error_bound,
                 (long long)t->info.steps);
    if (t->info.stationary < 0)
        (void)printf("null");
    else
        (void)printf("%lld", (long long)t->info.stationary);
    (void)printf(", \"rate\": " FULL ", \"solves\": %lld", t->info.rate, (long long)t->info.solves);
    json_end(t->s, "transient", t->info.seconds);
    return finish_output();
}

static const char *column_name(const void *user, int32_t column)
{
    const Table *t = user;
    return column ? pepa_measures_name(t->s->measures, column - 1) : "time";
}

static double column_value(const void *user, size_t row, int32_t column)
{
    const Table *t = user;
    return column ? value_of(t, row, column - 1) : t->time[row];
}

static Grid grid_of(const Table *t)
{
    return (Grid){1, t->measures + 1, t->count, column_name, column_value, t};
}

static int report_csv_table(const Table *t)
{
    const Grid grid = grid_of(t);
    grid_csv(&grid);
    return finish_output();
}

static int report_text_table(const Table *t)
{
    const Grid grid = grid_of(t);
    text_begin(t->s);
    grid_text(&grid);
    (void)printf("\n%s ", t->s->options->accumulated ? "Accumulated from time 0" : "Solved");
    text_steps(t->info.steps, t->info.solves);
    (void)printf(", %.3g s in all.\n",
                 t->s->parse_seconds + t->s->derive_seconds + t->info.seconds);
    (void)printf("Error of every %s: at most %.1e.\n",
                 t->s->options->accumulated ? "time spent in states" : "probability",
                 t->info.error_bound);
    return finish_output();
}

static int run(Table *t)
{
    static const Axes axes = {.x = "time (in the model's unit)", .y = "value"};
    Session *s = t->s;
    PepaError err = {0};
    const PepaSettings set = session_settings(s);
    t->measures = pepa_measures_count(s->measures);
    t->value = calloc(t->count * (size_t)t->measures + 1, sizeof *t->value);
    if (!t->value)
        return out_of_memory();
    PepaStatus status =
        pepa_transient_measures(s->chain, s->measures,
                                &(PepaTransient){.time = t->time,
                                                 .count = t->count,
                                                 .accumulated = s->options->accumulated},
                                &set, t->value, &t->info, &err);
    progress_clear(&s->progress_shown);
    if (status != PEPA_OK)
        return complain(s, status, &err);
    const Grid grid = grid_of(t);
    const int drawn = s->options->plot ? plot(s, &grid, &axes) : EXIT_SOLVED;
    if (drawn != EXIT_SOLVED)
        return drawn;
    return s->options->json  ? report_json_table(t)
           : s->options->csv ? report_csv_table(t)
                             : report_text_table(t);
}

int cmd_transient(Options *options)
{
    Session s = {.options = options};
    Table t = {.s = &s};
    int status = plot_check(options);
    if (status == EXIT_SOLVED)
        status = session_times(&s, &t.time, &t.count);
    if (status == EXIT_SOLVED && t.count == 0)
        status = fail(EXIT_USAGE, "%s: give --at T,T,... or --until T", options->command->called);
    if (status == EXIT_SOLVED)
        status = session_derive(&s, options);
    if (status == EXIT_SOLVED)
        status = session_default_measures(&s);
    if (status == EXIT_SOLVED)
        status = run(&t);
    free(t.time);
    free(t.value);
    session_free(&s);
    return status;
}
