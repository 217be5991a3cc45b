/* pepa experiment: measures while rates vary. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyses.h"
#include "report.h"

typedef struct {
    Session *s;
    Points points;
    double *value;    /* value[row * measures + i] */
    int32_t measures; /* of the session */
    int32_t *shown;   /* of these, those in the table */
    int32_t columns;  /* how many */
    PepaExperimentInfo info;
} Table;

/* ---- the table ------------------------------------------------------------------------------- */

static double value_of(const Table *t, size_t row, int32_t measure)
{
    return t->value[row * (size_t)t->measures + (size_t)measure];
}

static const char *column_name(const void *user, int32_t column)
{
    const Table *t = user;
    return column < t->points.axes
               ? t->points.varied[column].rate
               : pepa_measures_name(t->s->measures, t->shown[column - t->points.axes]);
}

static double column_value(const void *user, size_t row, int32_t column)
{
    const Table *t = user;
    return column < t->points.axes ? points_value(&t->points, column, row)
                                   : value_of(t, row, t->shown[column - t->points.axes]);
}

static Grid grid_of(const Table *t)
{
    return (Grid){t->points.axes,  t->points.axes + t->columns,
                  t->points.count, column_name,
                  column_value,    t};
}

static void json_rows(const Table *t)
{
    (void)printf(",\n  \"measures\": [");
    for (int32_t i = 0; i < t->columns; i++) {
        (void)printf("%s", i ? ", " : "");
        json_string(stdout, column_name(t, t->points.axes + i));
    }
    (void)printf("],\n  \"rows\": [");
    for (size_t row = 0; row < t->points.count; row++) {
        (void)printf("%s\n    [", row ? "," : "");
        for (int32_t c = 0; c < t->points.axes + t->columns; c++) {
            (void)printf("%s", c ? ", " : "");
            json_number(column_value(t, row, c));
        }
        (void)printf("]");
    }
    (void)printf("\n  ]");
    points_json_failed(&t->points);
}

static int report_json_table(const Table *t)
{
    json_begin(t->s);
    json_processes(t->s);
    points_json(&t->points);
    json_rows(t);
    (void)
        printf(",\n  \"derived\": %lld,\n  \"solver\": { \"iterations\": %lld, \"residual\": " FULL
               " }",
               (long long)t->info.derived + 1, (long long)t->info.iterations, t->info.residual);
    json_end(t->s, "experiment", t->info.seconds);
    return finish_output();
}

static int report_csv_table(const Table *t)
{
    const Grid grid = grid_of(t);
    grid_csv(&grid);
    return finish_output();
}

static int report_text_table(const Table *t)
{
    char points[NUMBER_SIZE], chains[NUMBER_SIZE];
    const Grid grid = grid_of(t);
    text_begin(t->s);
    if (t->info.derived)
        (void)printf("at the first point%s; %s chains were derived\n",
                     t->points.first ? " with a meaning" : "",
                     number_grouped(t->info.derived + 1, chains));
    grid_text(&grid);
    (void)printf("\nSolved at %s point%s, %.3g s in all; largest residual %.1e.\n",
                 number_grouped(t->info.points, points), t->info.points == 1 ? "" : "s",
                 t->s->parse_seconds + t->s->derive_seconds + t->info.seconds, t->info.residual);
    return finish_output();
}

/* ---- the command ----------------------------------------------------------------------------- */

static void warn_of_no_value(Table *t)
{
    for (int32_t i = 0; i < t->measures; i++) {
        size_t without = 0;
        for (size_t row = 0; row < t->points.count; row++)
            without += t->points.status[row] == PEPA_OK && isnan(value_of(t, row, i));
        if (without > 0)
            session_warn_no_value(t->s, i, without, "point", false);
    }
}

/* Whether the action occurs at the first point: the rows of the table are those of pepa solve. */
static bool occurs(const Session *s, const char *action)
{
    int32_t a = 0;
    while (a < s->info.actions && strcmp(pepa_chain_action_name(s->chain, a), action) != 0)
        a++;
    return a < s->info.actions;
}

/* How many of the default measures are throughputs: they come first, of the last actions of the model. */
static int32_t throughputs(const Session *s)
{
    static const char throughput[] = "throughput:";
    int32_t n = 0;
    while (n < pepa_measures_count(s->measures) &&
           strncmp(pepa_measures_name(s->measures, n), throughput, sizeof throughput - 1) == 0)
        n++;
    return n;
}

/* All measures that were asked for; else all but the throughputs of actions that occur at no point. */
static void choose_columns(Table *t, bool asked)
{
    const int32_t count = throughputs(t->s), first = pepa_model_action_count(t->s->model) - count;
    for (int32_t i = 0; i < t->measures; i++) {
        bool shown =
            asked || i >= count || occurs(t->s, pepa_model_action_name(t->s->model, first + i));
        for (size_t row = 0; row < t->points.count && !shown; row++)
            shown = t->points.status[row] == PEPA_OK && value_of(t, row, i) != 0;
        if (shown)
            t->shown[t->columns++] = i;
    }
}

/* Room for the values, within the limit on memory. */
static int reserve(Table *t)
{
    const int64_t limit = t->s->options->set.memory;
    const double bytes = (double)t->points.count * t->measures * (double)sizeof *t->value;
    char rows[NUMBER_SIZE];
    if (limit && bytes > (double)limit)
        return fail(EXIT_LIMIT,
                    "%s: %s points of %d measures take more memory than there may be (--memory "
                    "sets the limit)",
                    t->s->options->command->called, number_grouped((int64_t)t->points.count, rows),
                    t->measures);
    t->value = calloc(t->points.count * (size_t)t->measures + 1, sizeof *t->value);
    t->shown = calloc((size_t)t->measures + 1, sizeof *t->shown);
    return t->value && t->shown ? EXIT_SOLVED : out_of_memory();
}

static int run(Table *t)
{
    static const Axes axes = {.y = "value"};
    Session *s = t->s;
    PepaError err = {0};
    PepaVary vary[MOST_VARIED];
    const PepaSettings set = session_settings(s);
    const bool asked = s->measures != NULL;
    int status = session_model_measures(s);
    if (status != EXIT_SOLVED)
        return status;
    t->measures = pepa_measures_count(s->measures);
    status = reserve(t);
    if (status != EXIT_SOLVED)
        return status;
    points_vary(&t->points, vary);
    const Together *together = s->options->together;
    const PepaExperiment what = {.vary = vary,
                                 .count = (size_t)t->points.axes,
                                 .status = t->points.status,
                                 .processes = shared_count(s) > 1 ? together->processes : NULL};
    t->info.failed = -1;
    PepaStatus solved =
        pepa_experiment_measures(s->chain, s->measures, &what, &set, t->value, &t->info, &err);
    progress_clear(&s->progress_shown);
    const int ended = points_complain(s, &t->points, solved, t->info.failed, &err);
    if (!points_solved(&t->points, solved))
        return ended;
    choose_columns(t, asked);
    warn_of_no_value(t);
    if (what.processes && what.processes->rank > 0)
        return EXIT_SOLVED; /* the first one reports: a failure here would end it */
    const Grid grid = grid_of(t);
    const int drawn = s->options->plot ? plot(s, &grid, &axes) : EXIT_SOLVED;
    const int reported = s->options->json  ? report_json_table(t)
                         : s->options->csv ? report_csv_table(t)
                                           : report_text_table(t);
    return ended != EXIT_SOLVED ? ended : plot_status(drawn, reported);
}

/* The model of the first point, and its chain, unless points are simulated.  Of what is wrong there
 * the place is told. */
static int read_first(Table *t)
{
    int status = session_load(t->s);
    if (status == EXIT_SOLVED && !t->s->options->simulate)
        status = session_explore(t->s);
    if (status == EXIT_MODEL || status == EXIT_LIMIT) {
        Text where = {0};
        points_name(&t->points, t->points.first, &where);
        if (!where.failed)
            (void)fail(status, "pepa: %s: this is at the first point%s, %s",
                       model_name(t->s->options), t->points.first ? " with a meaning" : "",
                       where.text);
        text_free(&where);
    }
    return status;
}

static int check(const Options *o)
{
    if (!o->simulate && (o->at || o->until > 0 || o->points || o->steady || o->runs ||
                         o->relative_width > 0 || o->confidence > 0 || o->max_events || o->seed))
        return fail(
            EXIT_USAGE,
            "%s: --at, --until, --points, --steady, --runs, --relative-width, --confidence, "
            "--max-events and --seed go with --simulate",
            o->command->called);
    return plot_check(o);
}

int cmd_experiment(Options *options)
{
    Session s = {.options = options};
    Table t = {.s = &s};
    int status = check(options);
    if (status == EXIT_SOLVED)
        status = session_begin(&s, options);
    if (status == EXIT_SOLVED)
        status = points_read(&s, &t.points);
    if (status == EXIT_SOLVED)
        status = points_check_plot(options, t.points.axes);
    if (status == EXIT_SOLVED)
        status = read_first(&t);
    if (status == EXIT_SOLVED)
        status = options->simulate ? experiment_simulate(&s, &t.points) : run(&t);
    points_free(&t.points);
    free(t.value);
    free(t.shown);
    session_free(&s);
    return status;
}
