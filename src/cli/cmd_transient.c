/* pepa transient: measures at given times. */
#include <math.h>
#include <stdlib.h>

#include "report.h"

#include <pepa_shared.h>
#include <pepa_transient.h>

typedef struct {
    Session *s;
    double *time, *value; /* value[j * measures + i] */
    size_t count;
    int32_t measures;
    PepaTransientInfo info;
} Table;

static double value_of(const void *user, size_t point, int32_t measure, int32_t part)
{
    const Table *t = user;
    (void)part;
    return t->value[point * (size_t)t->measures + (size_t)measure];
}

static int report_json_table(const Measured *m)
{
    const Table *t = m->user;
    json_begin(t->s);
    json_processes(t->s);
    measured_json(m);
    (void)printf(",\n  \"accumulated\": %s, \"error_bound\": " FULL ", \"steps\": %lld, "
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

static int report_text_table(const Measured *m)
{
    const Table *t = m->user;
    text_begin(t->s);
    measured_text(m);
    (void)printf("\n%s ", t->s->options->accumulated ? "Accumulated from time 0" : "Solved");
    text_steps(t->info.steps, t->info.solves);
    if (t->s->shares && !t->s->alone)
        (void)printf(" by %d processes", shared_count(t->s));
    (void)printf(", %.3g s in all.\n",
                 t->s->parse_seconds + t->s->derive_seconds + t->info.seconds);
    (void)printf("Error of every %s: at most %.1e.\n",
                 t->s->options->accumulated ? "time spent in states" : "probability",
                 t->info.error_bound);
    return finish_output();
}

static PepaStatus solve_together(Table *t, const PepaTransient *at, PepaError *err)
{
    Session *s = t->s;
    const PepaProcesses *p = s->options->together->processes;
    const PepaSettings set = session_settings(s);
    s->peaks = calloc((size_t)p->count, sizeof *s->peaks);
    return pepa_shared_transient(s->chain, p, s->measures, at, &set, t->value, &t->info, err);
}

static int solve(Table *t)
{
    Session *s = t->s;
    PepaError err = {0};
    const PepaTransient at = {.time = t->time,
                              .count = t->count,
                              .accumulated = s->options->accumulated};
    PepaStatus status = PEPA_OK;
    t->measures = pepa_measures_count(s->measures);
    t->value = calloc(t->count * (size_t)t->measures + 1, sizeof *t->value);
    if (!t->value)
        return out_of_memory();
    if (s->shares) {
        status = solve_together(t, &at, &err);
        (void)session_alone(s, &status, &err);
    }
    if (status == PEPA_OK && (!s->shares || s->alone)) {
        const PepaSettings set = session_settings(s);
        status =
            pepa_transient_measures(s->chain, s->measures, &at, &set, t->value, &t->info, &err);
    }
    progress_clear(&s->progress_shown);
    session_peaks(s);
    s->limit = err.limit;
    return status == PEPA_OK ? EXIT_SOLVED : complain(s, status, &err);
}

static int report(Table *t)
{
    static const char *const part[] = {"value"};
    Session *s = t->s;
    const Measured m = {s, t->time, t->count, t->measures, 1, part, part, value_of, NULL, t};
    if (s->shares && s->options->together->processes->rank > 0)
        return EXIT_SOLVED; /* the first one reports */
    return measured_report(&m, report_json_table, report_text_table);
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
    if (status == EXIT_SOLVED && options->compare && (options->accumulated || options->plot))
        status = fail(EXIT_USAGE, "%s: --compare goes with neither --accumulated nor --plot",
                      options->command->called);
    if (status == EXIT_SOLVED && options->compare && shared_count(&s) > 1)
        status = fail(EXIT_USAGE, "%s: processes do not share --compare; start it without mpirun",
                      options->command->called);
    if (status == EXIT_SOLVED && options->compare) {
        status = session_compare(&s, t.time, t.count);
        free(t.time);
        session_free(&s);
        return status;
    }
    if (status == EXIT_SOLVED)
        status = session_read(&s, options);
    s.shares = shared_count(&s) > 1;
    if (status == EXIT_SOLVED)
        status = session_explore(&s);
    if (too_large(&s))
        advise(&s);
    if (status == EXIT_SOLVED)
        status = session_default_measures(&s);
    if (status == EXIT_SOLVED) {
        status = solve(&t);
        if (too_large(&s))
            advise(&s);
    }
    if (status == EXIT_SOLVED)
        status = report(&t);
    free(t.time);
    free(t.value);
    session_free(&s);
    return status;
}
