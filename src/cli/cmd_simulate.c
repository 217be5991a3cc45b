/* pepa simulate: estimates of measures, by simulation. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analyses.h"
#include "report.h"

typedef struct {
    Session *s;
    PepaSimulation how;
    double *time;
    size_t points;          /* times; 1 in the long run */
    PepaEstimate *estimate; /* estimate[j * measures + i] */
    PepaRareLevels *levels; /* of --rare: per measure */
    int32_t measures;
    PepaSimulationInfo info;
} Table;

enum { VALUE, LOW, HIGH };
static const char *const part_name[MEASURED_INTERVAL] = {"value", "low", "high"};
static const char *const part_title[MEASURED_INTERVAL] = {"value", "from", "to"};

static double part_of(const void *user, size_t point, int32_t measure, int32_t part)
{
    const Table *t = user;
    const PepaEstimate *x = &t->estimate[point * (size_t)t->measures + (size_t)measure];
    return part == VALUE ? x->value : part == LOW ? x->low : x->high;
}

/* Of --rare: where trajectories were split. */
static void json_levels(const void *user, int32_t measure)
{
    const Table *t = user;
    const PepaRareLevels *levels = &t->levels[measure];
    (void)printf(", \"levels\": [");
    for (int32_t i = 0; i < levels->count; i++)
        (void)printf("%s{ \"distance\": " FULL ", \"split\": %d }", i ? ", " : "",
                     levels->distance[i], (int)levels->split[i]);
    (void)printf("]");
}

/* The same in text: "15 x 2", 15 away into 2. */
static void text_levels(const Table *t)
{
    enum { ON_LINE = 80 };
    for (int32_t i = 0; i < t->measures; i++) {
        int width = printf("\n%s: %s", pepa_measures_name(t->s->measures, i),
                           t->levels[i].count ? "split (distance x trials) at" : "no splitting");
        for (int32_t k = 0; k < t->levels[i].count; k++) {
            if (width > ON_LINE)
                width = printf("\n ");
            width += printf(" %.6g x %d", t->levels[i].distance[k], (int)t->levels[i].split[k]);
        }
    }
    (void)printf("\n");
}

static int report_json_table(const Measured *m)
{
    const Table *t = m->user;
    json_begin_alone(t->s);
    measured_json(m);
    (void)printf(",\n  \"events\": %lld, \"runs\": %lld, \"seed\": %lld, \"confidence\": " FULL,
                 (long long)t->info.events, (long long)t->info.runs, (long long)t->how.seed,
                 t->how.confidence);
    if (t->how.steady)
        (void)printf(", \"length\": " FULL ", \"warm_up\": " FULL, t->info.length, t->info.warm_up);
    json_end(t->s, "simulate", t->info.seconds);
    return finish_output();
}

static int report_text_table(const Measured *m)
{
    const Table *t = m->user;
    char runs[NUMBER_SIZE], events[NUMBER_SIZE];
    (void)printf("%s: simulated, %s %s, %s events\n", model_name(t->s->options),
                 number_grouped(t->info.runs, runs),
                 !t->how.steady || t->s->options->rare ? "runs"
                 : t->info.runs == 1                   ? "long run"
                                                       : "long runs",
                 number_grouped(t->info.events, events));
    measured_text(m);
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
    const Measured m = {.s = t->s,
                        .time = t->how.steady ? NULL : t->time,
                        .points = t->points,
                        .measures = t->measures,
                        .parts = MEASURED_INTERVAL,
                        .part = part_name,
                        .title = part_title,
                        .value = part_of,
                        .json = t->s->options->rare ? json_levels : NULL,
                        .user = t};
    return measured_report(&m, report_json_table, report_text_table);
}

/* Of few runs the index says little. */
static void warn_of_tail(Table *t)
{
    const int64_t enough = 64;
    const double heavy = 4;
    Text message = {0};
    if (t->info.runs < enough || !(t->info.tail > 0 && t->info.tail < heavy))
        return;
    text_add(
        &message,
        "a few runs make much of the value (tail index %.2g, below %g): larger ones may be "
        "missing, "
        "and intervals contain the exact value somewhat less often than they say; ask for more "
        "--runs, or for an event whose predicate tells better how near it is",
        t->info.tail, heavy);
    session_warn(t->s, message.failed ? "" : message.text);
    text_free(&message);
}

static void warn_of_seldom(Table *t)
{
    const double confidence = 0.95;
    Text message = {0};
    const char *name = t->info.seldom < 0 ? "" : pepa_measures_name(t->s->measures, t->info.seldom);
    if (t->info.seldom < 0)
        return;
    if (t->info.visits == 0)
        text_add(&message, "`%.100s` depends on what no run has seen", name);
    else
        text_add(&message, "`%.100s` depends on what was seen %d time%s only", name, t->info.visits,
                 t->info.visits == 1 ? "" : "s");
    if (t->how.steady)
        text_add(&message,
                 ": its interval is as wide as that makes it, and runs may be too short to settle; "
                 "--max-events allows more, and --rare needs fewer for a probability");
    else
        text_add(&message,
                 " at some time: its interval is a point there, without what happens in less than "
                 "%.2g%% of runs; more --runs show more, and a probability has an interval",
                 100 * (1 - pow(1 - confidence, 1 / (double)t->info.runs)));
    session_warn(t->s, message.failed ? "" : message.text);
    text_free(&message);
}

static void warn_of_ends(Table *t)
{
    const double confidence = 0.95;
    const double missed = 1 - pow(1 - confidence, 1 / (double)t->info.runs);
    Text message = {0};
    if (!t->info.ends)
        return;
    text_add(&message,
             "`%.100s` may end in one or another of several sets of local states: for what differs "
             "between these, %lld run%s as many observations, and one in which less than %.2g%% of "
             "the runs end may be missing; more --runs show more, `pepa solve` shows all",
             t->info.ends, (long long)t->info.runs, t->info.runs == 1 ? " is" : "s are",
             100 * missed);
    session_warn(t->s, message.failed ? "" : message.text);
    text_free(&message);
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
    if (status == PEPA_OK && s->options->rare)
        warn_of_tail(t);
    if (status == PEPA_OK && !s->options->rare) {
        warn_of_seldom(t);
        warn_of_ends(t);
    }
    return status == PEPA_OK ? report(t) : complain(s, status, &err);
}

PepaSimulation simulation_asked(const Options *o, const double *time, size_t points)
{
    const double confidence = 0.95;
    return (PepaSimulation){.time = time,
                            .count = o->steady ? 0 : points,
                            .steady = o->steady,
                            .runs = o->runs,
                            .relative_width = o->relative_width,
                            .confidence = o->confidence > 0 ? o->confidence : confidence,
                            .seed = (uint64_t)(o->seed ? o->seed : 1),
                            .events = o->max_events};
}

static int read_options(Table *t)
{
    const Options *o = t->s->options;
    const int status = read_when(t->s, &t->time, &t->points);
    if (status != EXIT_SOLVED)
        return status;
    if (o->rare && !o->asked_count)
        return fail(EXIT_USAGE, "%s: --rare needs --measure 'probability:{PREDICATE}'",
                    o->command->called);
    t->how = simulation_asked(o, t->time, t->points);
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
