/* pepa simulate: estimates of measures, by simulation. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

typedef struct {
    Session *s;
    PepaSimulation how;
    double *time;
    size_t points;          /* times; 1 in the long run */
    PepaEstimate *estimate; /* estimate[j * measures + i] */
    int32_t measures;
    PepaRareLevels *levels; /* of --rare: per measure */
    PepaSimulationInfo info;
} Table;

typedef enum { VALUE, LOW, HIGH } Part;
static const char *const part_name[] = {[VALUE] = "value", [LOW] = "low", [HIGH] = "high"};

static const char *measure_name(const Table *t, int32_t measure)
{
    return pepa_measures_name(t->s->measures, measure);
}

static double part_of(const Table *t, size_t point, int32_t measure, Part part)
{
    const PepaEstimate *x = &t->estimate[point * (size_t)t->measures + (size_t)measure];
    return part == VALUE ? x->value : part == LOW ? x->low : x->high;
}

/* ---- JSON ------------------------------------------------------------------------------------- */

static void json_part(const Table *t, int32_t measure, Part part)
{
    (void)printf(", \"%s\": [", part_name[part]);
    for (size_t j = 0; j < t->points; j++) {
        (void)printf("%s", j ? ", " : "");
        json_number(part_of(t, j, measure, part));
    }
    (void)printf("]");
}

static void json_levels(const PepaRareLevels *levels)
{
    (void)printf(", \"levels\": [");
    for (int32_t i = 0; i < levels->count; i++)
        (void)printf("%s{ \"distance\": " FULL ", \"split\": %d }", i ? ", " : "",
                     levels->distance[i], (int)levels->split[i]);
    (void)printf("]");
}

/* There is no chain, so that states and transitions are null. */
static int report_json_table(const Table *t)
{
    (void)printf("{ \"model\": ");
    json_string(stdout, model_name(t->s->options));
    (void)printf(",\n  \"states\": null, \"transitions\": null");
    if (!t->how.steady) {
        (void)printf(",\n  \"time\": [");
        for (size_t j = 0; j < t->points; j++)
            (void)printf("%s" FULL, j ? ", " : "", t->time[j]);
        (void)printf("]");
    }
    (void)printf(",\n  \"measures\": [");
    for (int32_t i = 0; i < t->measures; i++) {
        (void)printf("%s\n    { \"name\": ", i ? "," : "");
        json_string(stdout, measure_name(t, i));
        for (Part part = VALUE; part <= HIGH; part++)
            json_part(t, i, part);
        if (t->s->options->rare)
            json_levels(&t->levels[i]);
        (void)printf(" }");
    }
    (void)
        printf("\n  ],\n  \"events\": %lld, \"runs\": %lld, \"seed\": %lld, \"confidence\": " FULL,
               (long long)t->info.events, (long long)t->info.runs, (long long)t->how.seed,
               t->how.confidence);
    if (t->how.steady)
        (void)printf(", \"length\": " FULL ", \"warm_up\": " FULL, t->info.length, t->info.warm_up);
    json_end(t->s, "simulate", t->info.seconds);
    return finish_output();
}

/* ---- tables ----------------------------------------------------------------------------------- */

/* Of pictures: all values, then all lower ends, then all upper ones. */
static const char *plot_name(const void *user, int32_t column)
{
    const Table *t = user;
    return column == 0 ? "time" : measure_name(t, (column - 1) % t->measures);
}

static double plot_value(const void *user, size_t row, int32_t column)
{
    const Table *t = user;
    return column == 0
               ? t->time[row]
               : part_of(t, row, (column - 1) % t->measures, (Part)((column - 1) / t->measures));
}

/* A line for each measure, and time. */
static int report_csv_table(const Table *t)
{
    (void)printf("%smeasure,value,low,high\n", t->how.steady ? "" : "time,");
    for (size_t j = 0; j < t->points; j++)
        for (int32_t i = 0; i < t->measures; i++) {
            if (!t->how.steady)
                (void)printf(FULL ",", t->time[j]);
            csv_string(stdout, measure_name(t, i));
            for (Part part = VALUE; part <= HIGH; part++) {
                const double x = part_of(t, j, i, part);
                (void)printf(",");
                if (x == x)
                    (void)printf(FULL, x);
            }
            (void)printf("\n");
        }
    return finish_output();
}

static void text_steady(const Table *t)
{
    size_t width = 0, length;
    for (int32_t i = 0; i < t->measures; i++)
        if ((length = strlen(measure_name(t, i))) > width)
            width = length;
    (void)printf("\n  %-*s  %14s  %14s  %14s\n", (int)width, "", "value", "from", "to");
    for (int32_t i = 0; i < t->measures; i++) {
        (void)printf("  %-*s", (int)width, measure_name(t, i));
        for (Part part = VALUE; part <= HIGH; part++) {
            const double x = part_of(t, 0, i, part);
            if (x == x)
                (void)printf("  %14.8g", x);
            else
                (void)printf("  %14s", "no value");
        }
        (void)printf("\n");
    }
}

/* Of text: how wide the column of a measure is, with blanks before it; "value +- half". */
enum { LINE = 100, TIME = 14, COLUMN = 30 };

static int column_width(const Table *t, int32_t measure)
{
    const size_t width = strlen(measure_name(t, measure)) + 2;
    return width < COLUMN ? COLUMN : (int)width;
}

static void text_value(const Table *t, size_t point, int32_t measure)
{
    const PepaEstimate *x = &t->estimate[point * (size_t)t->measures + (size_t)measure];
    char text[2 * NUMBER_SIZE] = "no value";
    if (x->value == x->value)
        (void)snprintf(text, sizeof text, "%.6g +- %.2g", x->value, (x->high - x->low) / 2);
    (void)printf("%*s", column_width(t, measure), text);
}

/* The measures from `first` on that fit on a line; returns the first that does not. */
static int32_t text_part(const Table *t, int32_t first)
{
    int width = TIME;
    int32_t end = first;
    do
        width += column_width(t, end++);
    while (end < t->measures && width + column_width(t, end) <= LINE);
    (void)printf("\n  %-*s", TIME - 2, "time");
    for (int32_t i = first; i < end; i++)
        (void)printf("%*s", column_width(t, i), measure_name(t, i));
    (void)printf("\n");
    for (size_t j = 0; j < t->points; j++) {
        (void)printf("  %-*.8g", TIME - 2, t->time[j]);
        for (int32_t i = first; i < end; i++)
            text_value(t, j, i);
        (void)printf("\n");
    }
    return end;
}

static void text_times(const Table *t)
{
    for (int32_t first = 0; first < t->measures;)
        first = text_part(t, first);
}

/* Where trajectories were split: "15 x 2", 15 away into 2. */
static void text_levels(const Table *t)
{
    enum { ON_LINE = 80 };
    for (int32_t i = 0; i < t->measures; i++) {
        int width = printf("\n%s: %s", measure_name(t, i),
                           t->levels[i].count ? "split (distance x trials) at" : "no splitting");
        for (int32_t k = 0; k < t->levels[i].count; k++) {
            if (width > ON_LINE)
                width = printf("\n ");
            width += printf(" %.6g x %d", t->levels[i].distance[k], (int)t->levels[i].split[k]);
        }
    }
    (void)printf("\n");
}

static int report_text_table(const Table *t)
{
    char runs[NUMBER_SIZE], events[NUMBER_SIZE];
    (void)printf("%s: simulated, %s %s, %s events\n", model_name(t->s->options),
                 number_grouped(t->info.runs, runs),
                 !t->how.steady || t->s->options->rare ? "runs"
                 : t->info.runs == 1                   ? "long run"
                                                       : "long runs",
                 number_grouped(t->info.events, events));
    if (t->how.steady)
        text_steady(t);
    else
        text_times(t);
    if (t->s->options->rare)
        text_levels(t);
    (void)printf("\nIntervals of confidence %g each, seed %lld", t->how.confidence,
                 (long long)t->how.seed);
    if (t->how.steady)
        (void)printf(", until time %.4g without the first %.4g", t->info.length, t->info.warm_up);
    (void)printf(", %.3g s in all.\n", t->s->parse_seconds + t->info.seconds);
    return finish_output();
}

/* ---- the command ------------------------------------------------------------------------------ */

static int report(const Table *t)
{
    static const Axes axes = {.x = "time (in the model's unit)", .y = "value", .bands = true};
    const Grid grid = {1, 3 * t->measures + 1, t->points, plot_name, plot_value, t};
    const int drawn = t->s->options->plot ? plot(t->s, &grid, &axes) : EXIT_SOLVED;
    if (drawn != EXIT_SOLVED)
        return drawn;
    return t->s->options->json  ? report_json_table(t)
           : t->s->options->csv ? report_csv_table(t)
                                : report_text_table(t);
}

static int run(Table *t)
{
    Session *s = t->s;
    PepaError err = {0};
    const PepaSettings set = session_settings(s);
    t->measures = pepa_measures_count(s->measures);
    t->estimate = calloc(t->points * (size_t)t->measures + 1, sizeof *t->estimate);
    t->levels = calloc((size_t)t->measures + 1, sizeof *t->levels);
    if (!t->estimate || !t->levels)
        return out_of_memory();
    const PepaStatus status = s->options->rare
                                  ? pepa_simulate_rare(s->model, s->measures, &t->how, &set,
                                                       t->estimate, t->levels, &t->info, &err)
                                  : pepa_simulate_measures(s->model, s->measures, &t->how, &set,
                                                           t->estimate, &t->info, &err);
    progress_clear(&s->progress_shown);
    return status == PEPA_OK ? report(t) : complain(s, status, &err);
}

/* Times, or the long run: one of them. */
static int read_options(Table *t)
{
    const Options *o = t->s->options;
    const double confidence = 0.95;
    int status = session_times(t->s, &t->time, &t->points);
    if (status != EXIT_SOLVED)
        return status;
    if (o->steady && t->points)
        return fail(EXIT_USAGE, "%s: give times or --steady, not both", o->command->called);
    if (o->steady && o->plot)
        return fail(EXIT_USAGE, "%s: --plot draws values in time; give --until T",
                    o->command->called);
    if (o->rare && !o->asked_count)
        return fail(EXIT_USAGE, "%s: --rare needs --measure 'probability:{PREDICATE}'",
                    o->command->called);
    if (!o->steady && !t->points)
        return fail(EXIT_USAGE, "%s: give --at T,T,..., --until T or --steady", o->command->called);
    t->how = (PepaSimulation){.time = t->time,
                              .count = t->points,
                              .steady = o->steady,
                              .runs = o->runs,
                              .relative_width = o->relative_width,
                              .confidence = o->confidence > 0 ? o->confidence : confidence,
                              .seed = (uint64_t)(o->seed ? o->seed : 1),
                              .events = o->max_events};
    t->points += o->steady;
    return EXIT_SOLVED;
}

int cmd_simulate(Options *options)
{
    Session s = {.options = options};
    Table t = {.s = &s};
    int status = plot_check(options);
    if (status == EXIT_SOLVED)
        status = read_options(&t);
    if (status == EXIT_SOLVED)
        status = session_read(&s, options);
    if (status == EXIT_SOLVED)
        status = session_model_measures(&s);
    if (status == EXIT_SOLVED)
        status = run(&t);
    free(t.time);
    free(t.estimate);
    if (t.levels)
        pepa_rare_levels_free(t.levels, t.measures);
    free(t.levels);
    session_free(&s);
    return status;
}
