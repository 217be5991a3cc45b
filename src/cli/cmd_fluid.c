/* pepa fluid: measures of large populations, by differential equations. */
#include <stdlib.h>
#include <string.h>

#include "cli.h"

typedef struct {
    Session *s;
    double *time, *value; /* value[j * measures + i] */
    size_t count;         /* of times; 1 if steady */
    int32_t measures;
    PepaFluidInfo info;
} Table;

static double value_of(const Table *t, size_t point, int32_t measure)
{
    return t->value[point * (size_t)t->measures + (size_t)measure];
}

static bool is_steady(const Table *t)
{
    return t->s->options->steady;
}

static void json_values(const Table *t, const char *key, int32_t measure,
                        double (*of)(const Table *, size_t, int32_t))
{
    (void)printf(", \"%s\": [", key);
    for (size_t j = 0; j < t->count; j++) {
        (void)printf("%s", j ? ", " : "");
        json_number(of(t, j, measure));
    }
    (void)printf("]");
}

/* There is no chain, so that states and transitions are null. */
static int report_json_table(const Table *t)
{
    (void)printf("{ \"model\": ");
    json_string(stdout, model_name(t->s->options));
    (void)printf(",\n  \"states\": null, \"transitions\": null");
    if (!is_steady(t)) {
        (void)printf(",\n  \"time\": [");
        for (size_t j = 0; j < t->count; j++)
            (void)printf("%s" FULL, j ? ", " : "", t->time[j]);
        (void)printf("]");
    }
    (void)printf(",\n  \"measures\": [");
    for (int32_t i = 0; i < t->measures; i++) {
        (void)printf("%s\n    { \"name\": ", i ? "," : "");
        json_string(stdout, pepa_measures_name(t->s->measures, i));
        json_values(t, "value", i, value_of);
        (void)printf(" }");
    }
    (void)printf("\n  ],\n  \"variables\": %d, \"equations\": %d, \"steps\": %lld, \"turns\": %lld",
                 t->info.variables, t->info.equations, (long long)t->info.steps,
                 (long long)t->info.turns);
    if (is_steady(t))
        (void)printf(", \"residual\": " FULL, t->info.residual);
    json_end(t->s, "fluid", t->info.seconds);
    return finish_output();
}

/* ---- tables: a row for each time, or for each measure in the long run -------------------------- */

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
    if (!is_steady(t)) {
        grid_csv(&grid);
        return finish_output();
    }
    (void)printf("measure,value\n");
    for (int32_t i = 0; i < t->measures; i++) {
        csv_string(stdout, pepa_measures_name(t->s->measures, i));
        (void)printf("," FULL "\n", value_of(t, 0, i));
    }
    return finish_output();
}

static void text_steady(const Table *t)
{
    size_t width = 0, length;
    for (int32_t i = 0; i < t->measures; i++)
        if ((length = strlen(pepa_measures_name(t->s->measures, i))) > width)
            width = length;
    (void)printf("\n");
    for (int32_t i = 0; i < t->measures; i++)
        (void)printf("  %-*s  %.8g\n", (int)width, pepa_measures_name(t->s->measures, i),
                     value_of(t, 0, i));
}

static int report_text_table(const Table *t)
{
    const Grid grid = grid_of(t);
    char steps[NUMBER_SIZE];
    (void)printf("%s: the fluid limit, %d equation%s\n", model_name(t->s->options),
                 t->info.equations, t->info.equations == 1 ? "" : "s");
    if (is_steady(t))
        text_steady(t);
    else
        grid_text(&grid);
    (void)printf("\n%s by integration, %s steps", is_steady(t) ? "Settled" : "Solved",
                 number_grouped(t->info.steps, steps));
    if (is_steady(t))
        (void)printf(" to time %.3g, and Newton's method, residual %.1e", t->info.settled,
                     t->info.residual);
    (void)printf(", %.3g s in all.\n", t->s->parse_seconds + t->info.seconds);
    return finish_output();
}

/* ---- the command ------------------------------------------------------------------------------- */

static int run(Table *t)
{
    static const Axes axes = {.x = "time (in the model's unit)", .y = "value"};
    Session *s = t->s;
    PepaError err = {0};
    const PepaSettings set = session_settings(s);
    const PepaFluid at = {.time = t->time, .count = t->count, .steady = is_steady(t)};
    t->measures = pepa_measures_count(s->measures);
    t->value = calloc(t->count * (size_t)t->measures + 1, sizeof *t->value);
    if (!t->value)
        return out_of_memory();
    PepaStatus status =
        pepa_fluid_measures(s->model, s->measures, &at, &set, t->value, &t->info, &err);
    progress_clear(&s->progress_shown);
    if (status != PEPA_OK)
        return complain_at(s, status, &err, "");
    const Grid grid = grid_of(t);
    const int drawn = s->options->plot ? plot(s, &grid, &axes) : EXIT_SOLVED;
    if (drawn != EXIT_SOLVED)
        return drawn;
    return s->options->json  ? report_json_table(t)
           : s->options->csv ? report_csv_table(t)
                             : report_text_table(t);
}

/* Times, or the long run: one of them. */
static int read_times(Table *t)
{
    const Options *o = t->s->options;
    int status = session_times(t->s, &t->time, &t->count);
    if (status != EXIT_SOLVED)
        return status;
    if (o->steady && t->count)
        return fail(EXIT_USAGE, "%s: give times or --steady, not both", o->command->called);
    if (o->steady && o->plot)
        return fail(EXIT_USAGE, "%s: --plot draws values in time; give --until T",
                    o->command->called);
    if (!o->steady && !t->count)
        return fail(EXIT_USAGE, "%s: give --at T,T,..., --until T or --steady", o->command->called);
    t->count += o->steady;
    return EXIT_SOLVED;
}

int cmd_fluid(Options *options)
{
    Session s = {.options = options};
    Table t = {.s = &s};
    int status = plot_check(options);
    if (status == EXIT_SOLVED)
        status = read_times(&t);
    if (status == EXIT_SOLVED)
        status = session_read(&s, options);
    if (status == EXIT_SOLVED)
        status = session_model_measures(&s);
    if (status == EXIT_SOLVED)
        status = run(&t);
    free(t.time);
    free(t.value);
    session_free(&s);
    return status;
}
