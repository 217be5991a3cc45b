/* pepa experiment --simulate: measures while rates vary, by simulation, each with half of its
 * interval. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyses.h"
#include "report.h"

typedef struct {
    Session *s;
    const Points *points;
    int32_t axes, keys; /* axes: rates; keys: these, and time */
    size_t times;
    PepaSimulation how;
    double *time;
    PepaEstimate *estimate; /* estimate[row * measures + i], row: point * times + time */
    int32_t measures;
    char **half; /* per measure: the name of its second column */
    PepaExperimentInfo info;
} Sweep;

/* ---- the table ------------------------------------------------------------------------------- */

static double key_of(const Sweep *t, size_t row, int32_t column)
{
    return column < t->axes ? points_value(t->points, column, row / t->times)
                            : t->time[row % t->times];
}

static const char *key_name(const Sweep *t, int32_t column)
{
    return column < t->axes ? t->points->varied[column].rate : "time";
}

static const PepaEstimate *estimate_at(const Sweep *t, size_t row, int32_t measure)
{
    return &t->estimate[row * (size_t)t->measures + (size_t)measure];
}

static const char *column_name(const void *user, int32_t column)
{
    const Sweep *t = user;
    const int32_t c = column - t->keys;
    if (c < 0)
        return key_name(t, column);
    return c % 2 ? t->half[c / 2] : pepa_measures_name(t->s->measures, c / 2);
}

static const char *column_title(const void *user, int32_t column)
{
    const Sweep *t = user;
    return column >= t->keys && (column - t->keys) % 2 ? "+-" : column_name(user, column);
}

static double column_value(const void *user, size_t row, int32_t column)
{
    const Sweep *t = user;
    const int32_t c = column - t->keys;
    if (c < 0)
        return key_of(t, row, column);
    const PepaEstimate *x = estimate_at(t, row, c / 2);
    return c % 2 ? (x->high - x->low) / 2 : x->value;
}

static Grid grid_of(const Sweep *t, bool text)
{
    return (Grid){t->keys,
                  t->keys + 2 * t->measures,
                  t->points->count * t->times,
                  text ? column_title : column_name,
                  column_value,
                  t};
}

/* For a picture: all values, all lower ends, all upper ends. */
static const char *band_name(const void *user, int32_t column)
{
    const Sweep *t = user;
    return column < t->keys ? key_name(t, column)
                            : pepa_measures_name(t->s->measures, (column - t->keys) % t->measures);
}

static double band_value(const void *user, size_t row, int32_t column)
{
    const Sweep *t = user;
    const int32_t c = column - t->keys;
    if (c < 0)
        return key_of(t, row, column);
    const PepaEstimate *x = estimate_at(t, row, c % t->measures);
    return c < t->measures ? x->value : c < 2 * t->measures ? x->low : x->high;
}

/* Bands are drawn over one key only. */
static int picture(const Sweep *t)
{
    const bool bands = t->keys == 1;
    const Axes axes = {.y = "value", .bands = bands};
    const Grid grid = {t->keys,
                       t->keys + (bands ? 3 : 1) * t->measures,
                       t->points->count * t->times,
                       band_name,
                       band_value,
                       t};
    return t->s->options->plot ? plot(t->s, &grid, &axes) : EXIT_SOLVED;
}

/* ---- reports --------------------------------------------------------------------------------- */

static int json_table(const Sweep *t)
{
    const Grid grid = grid_of(t, false);
    json_begin_alone(t->s);
    json_processes(t->s);
    points_json(t->points);
    (void)printf(",\n  \"columns\": [");
    for (int32_t c = 0; c < grid.columns; c++) {
        (void)printf("%s", c ? ", " : "");
        json_string(stdout, column_name(t, c));
    }
    (void)printf("],\n  \"rows\": [");
    for (size_t row = 0; row < grid.rows; row++) {
        (void)printf("%s\n    [", row ? "," : "");
        for (int32_t c = 0; c < grid.columns; c++) {
            (void)printf("%s", c ? ", " : "");
            json_number(column_value(t, row, c));
        }
        (void)printf("]");
    }
    (void)printf("\n  ]");
    points_json_failed(t->points);
    (void)printf(",\n  \"events\": %lld, \"runs\": %lld, \"seed\": %lld, \"confidence\": " FULL,
                 (long long)t->info.events, (long long)t->info.runs, (long long)t->how.seed,
                 t->how.confidence);
    if (t->how.steady)
        (void)printf(", \"length\": " FULL, t->info.length);
    json_end(t->s, "experiment", t->info.seconds);
    return finish_output();
}

static int text_table(const Sweep *t)
{
    char runs[NUMBER_SIZE], events[NUMBER_SIZE], points[NUMBER_SIZE];
    const Grid grid = grid_of(t, true);
    (void)printf("%s: simulated at %s point%s, %s %s each, %s events\n", model_name(t->s->options),
                 number_grouped(t->info.points, points), t->info.points == 1 ? "" : "s",
                 number_grouped(t->info.runs, runs), t->how.steady ? "long runs" : "runs",
                 number_grouped(t->info.events, events));
    grid_text(&grid);
    (void)printf("\nIntervals of confidence %g each, seed %lld", t->how.confidence,
                 (long long)t->how.seed);
    if (t->how.steady)
        (void)printf(", until time %.4g", t->info.length);
    (void)printf("; random numbers in common, %.3g s in all.\n",
                 t->s->parse_seconds + t->info.seconds);
    return finish_output();
}

static int report(const Sweep *t)
{
    const Options *o = t->s->options;
    const Grid grid = grid_of(t, false);
    const int drawn = picture(t);
    if (o->json)
        return plot_status(drawn, json_table(t));
    if (!o->csv)
        return plot_status(drawn, text_table(t));
    grid_csv(&grid);
    return plot_status(drawn, finish_output());
}

/* ---- the command ----------------------------------------------------------------------------- */

/* The names of the columns of half widths. */
static bool name_halves(Sweep *t)
{
    for (int32_t i = 0; i < t->measures; i++) {
        Text half = {0};
        text_add(&half, "%s +-", pepa_measures_name(t->s->measures, i));
        if (half.failed)
            return false;
        t->half[i] = half.text;
    }
    return true;
}

static void warn_of_no_value(Sweep *t)
{
    for (int32_t i = 0; i < t->measures; i++) {
        size_t without = 0;
        for (size_t row = 0; row < t->points->count * t->times; row++)
            without += t->points->status[row / t->times] == PEPA_OK &&
                       isnan(estimate_at(t, row, i)->value);
        if (without > 0)
            session_warn_no_value(t->s, i, without, "row", true);
    }
}

/* Times, or the long run; room for the estimates, within the limit on memory. */
static int prepare(Sweep *t)
{
    const Options *o = t->s->options;
    const int64_t limit = o->set.memory;
    int status = session_times(t->s, &t->time, &t->times);
    if (status == EXIT_SOLVED && o->steady && t->times)
        status = fail(EXIT_USAGE, "%s: give times or --steady, not both", o->command->called);
    if (status != EXIT_SOLVED)
        return status;
    t->keys = t->axes + (t->times > 0);
    status = points_check_plot(o, t->keys);
    if (status != EXIT_SOLVED)
        return status;
    t->how = simulation_asked(o, t->time, t->times);
    t->how.steady = t->times == 0;
    t->times += t->times == 0;
    t->measures = pepa_measures_count(t->s->measures);
    const double bytes =
        (double)t->points->count * (double)t->times * t->measures * sizeof *t->estimate;
    if (limit && bytes > (double)limit)
        return fail(EXIT_LIMIT,
                    "%s: so many points and measures take more memory than there may be (--memory "
                    "sets the limit)",
                    o->command->called);
    t->estimate =
        calloc(t->points->count * t->times * (size_t)t->measures + 1, sizeof *t->estimate);
    t->half = calloc((size_t)t->measures + 1, sizeof *t->half);
    return t->estimate && t->half ? EXIT_SOLVED : out_of_memory();
}

static int run(Sweep *t)
{
    Session *s = t->s;
    PepaError err = {0};
    PepaVary vary[MOST_VARIED];
    const PepaSettings set = session_settings(s);
    points_vary(t->points, vary);
    const PepaExperiment what = {.vary = vary,
                                 .count = (size_t)t->axes,
                                 .status = t->points->status,
                                 .processes =
                                     shared_count(s) > 1 ? s->options->together->processes : NULL};
    t->info.failed = -1;
    const PepaStatus status = pepa_experiment_simulate(s->model, s->measures, &what, &t->how, &set,
                                                       t->estimate, &t->info, &err);
    progress_clear(&s->progress_shown);
    const int ended = points_complain(s, t->points, status, t->info.failed, &err);
    if (!points_solved(t->points, status))
        return ended;
    if (!name_halves(t))
        return out_of_memory();
    warn_of_no_value(t);
    if (what.processes && what.processes->rank > 0)
        return EXIT_SOLVED; /* the first one reports: a failure here would end it */
    const int reported = report(t);
    return ended != EXIT_SOLVED ? ended : reported;
}

int experiment_simulate(Session *s, const Points *points)
{
    Sweep t = {.s = s, .points = points, .axes = points->axes};
    int status = session_model_measures(s);
    if (status == EXIT_SOLVED)
        status = prepare(&t);
    if (status == EXIT_SOLVED)
        status = run(&t);
    for (int32_t i = 0; t.half && i < t.measures; i++)
        free(t.half[i]);
    free(t.half);
    free(t.time);
    free(t.estimate);
    return status;
}
