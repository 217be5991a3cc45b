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
    (void)printf(", %.3g s in all.\n",
                 t->s->parse_seconds + t->s->derive_seconds + t->info.seconds);
    (void)printf("Error of every %s: at most %.1e.\n",
                 t->s->options->accumulated ? "time spent in states" : "probability",
                 t->info.error_bound);
    return finish_output();
}

static int run(Table *t)
{
    static const char *const part[] = {"value"};
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
    const Measured m = {s, t->time, t->count, t->measures, 1, part, part, value_of, NULL, t};
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
    if (status == EXIT_SOLVED && options->compare) {
        status = session_compare(&s, t.time, t.count);
        free(t.time);
        session_free(&s);
        return status;
    }
    if (status == EXIT_SOLVED)
        status = session_derive(&s, options);
    if (too_large(&s))
        advise(&s);
    if (status == EXIT_SOLVED)
        status = session_default_measures(&s);
    if (status == EXIT_SOLVED)
        status = run(&t);
    free(t.time);
    free(t.value);
    session_free(&s);
    return status;
}
