/* pepa fluid: measures of large populations, by differential equations. */
#include <stdlib.h>

#include "report.h"

#include <pepa_fluid.h>

typedef struct {
    Session *s;
    double *time, *value; /* value[point * measures + measure], or moments */
    PepaMoment *moment;
    size_t points; /* times; 1 in the long run */
    int32_t measures;
    PepaFluidInfo info;
} Table;

enum { VALUE, DEVIATION, PARTS };
static const char *const part_name[PARTS] = {[VALUE] = "value", [DEVIATION] = "deviation"};
static const char *const part_title[PARTS] = {[VALUE] = "mean", [DEVIATION] = "std deviation"};

static const char *const closure_name[] = {[PEPA_CLOSURE_NORMAL] = "normal",
                                           [PEPA_CLOSURE_LINEAR_NOISE] = "linear noise",
                                           [PEPA_CLOSURE_BOUNDS] = "bounds"};

static double value_of(const void *user, size_t point, int32_t measure, int32_t part)
{
    const Table *t = user;
    const size_t at = point * (size_t)t->measures + (size_t)measure;
    if (!t->moment)
        return t->value[at];
    return part == VALUE ? t->moment[at].mean : t->moment[at].deviation;
}

static Measured measured(const Table *t)
{
    const Options *o = t->s->options;
    return (Measured){.s = t->s,
                      .time = o->steady ? NULL : t->time,
                      .points = t->points,
                      .measures = t->measures,
                      .parts = o->moments ? PARTS : 1,
                      .part = part_name,
                      .title = part_title,
                      .value = value_of,
                      .user = t};
}

static int report_json_table(const Measured *m)
{
    const Table *t = m->user;
    json_begin_alone(t->s);
    measured_json(m);
    if (t->moment)
        (void)printf(",\n  \"closure\": \"%s\"", closure_name[t->info.closure]);
    (void)printf(",\n  \"variables\": %d, \"equations\": %d, \"steps\": %lld, \"turns\": %lld",
                 t->info.variables, t->info.equations, (long long)t->info.steps,
                 (long long)t->info.turns);
    if (!m->time)
        (void)printf(", \"residual\": " FULL, t->info.residual);
    json_end(t->s, "fluid", t->info.seconds);
    return finish_output();
}

static int report_text_table(const Measured *m)
{
    const Table *t = m->user;
    char steps[NUMBER_SIZE];
    (void)printf("%s: the fluid limit, %d equation%s%s\n", model_name(t->s->options),
                 t->info.equations, t->info.equations == 1 ? "" : "s",
                 t->moment ? ", means +- standard deviations" : "");
    measured_text(m);
    (void)printf("\n%s by integration, %s steps", m->time ? "Solved" : "Settled",
                 number_grouped(t->info.steps, steps));
    if (!m->time)
        (void)printf(" to time %.3g, and Newton's method, residual %.1e", t->info.settled,
                     t->info.residual);
    if (t->moment)
        (void)printf("; moments: %s steps", number_grouped(t->info.moment_steps, steps));
    (void)printf(", %.3g s in all.\n", t->s->parse_seconds + t->info.seconds);
    return finish_output();
}

static PepaStatus find(Table *t, PepaError *err)
{
    Session *s = t->s;
    const PepaSettings set = session_settings(s);
    const PepaFluid at = {.time = t->time, .count = t->points, .steady = s->options->steady};
    return t->moment
               ? pepa_fluid_moments(s->model, s->measures, &at, &set, t->moment, &t->info, err)
               : pepa_fluid_measures(s->model, s->measures, &at, &set, t->value, &t->info, err);
}

static int run(Table *t)
{
    Session *s = t->s;
    PepaError err = {0};
    t->measures = pepa_measures_count(s->measures);
    const size_t all = t->points * (size_t)t->measures + 1;
    if (s->options->moments)
        t->moment = calloc(all, sizeof *t->moment);
    else
        t->value = calloc(all, sizeof *t->value);
    if (!t->moment && !t->value)
        return out_of_memory();
    const PepaStatus status = find(t, &err);
    progress_clear(&s->progress_shown);
    if (status != PEPA_OK)
        return complain(s, status, &err);
    const Measured m = measured(t);
    return measured_report(&m, report_json_table, report_text_table);
}

int cmd_fluid(Options *options)
{
    Session s = {.options = options};
    Table t = {.s = &s};
    int status = plot_check(options);
    if (status == EXIT_SOLVED)
        status = read_when(&s, &t.time, &t.points);
    if (status == EXIT_SOLVED)
        status = session_read(&s, options);
    if (status == EXIT_SOLVED)
        status = session_model_measures(&s);
    if (status == EXIT_SOLVED)
        status = run(&t);
    free(t.time);
    free(t.value);
    free(t.moment);
    session_free(&s);
    return status;
}
