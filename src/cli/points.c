/* The points of an experiment: combinations of the values of rates, and those that failed. */
#include <stdlib.h>

#include "analyses.h"

#include <pepa_experiment.h>

enum {
    MOST_NAMED = 5,   /* of the points that failed */
    MOST_TRIED = 100, /* for the first at which the model has a meaning */
    MOST_KEYS = 2     /* of a picture */
};

static int define(Session *s, const Points *p, size_t point)
{
    int status = EXIT_SOLVED;
    for (int32_t a = 0; a < p->axes && status == EXIT_SOLVED; a++)
        status = session_define(s, p->varied[a].rate, points_value(p, a, point));
    return status;
}

/* The model is to be read at the first of the first points at which it has a meaning; if it has none
 * at any of them, at the first, where the reader says why. */
static int begin_at_first(Session *s, Points *p)
{
    int status = define(s, p, 0);
    for (p->first = 0; status == EXIT_SOLVED && !session_has_meaning(s);) {
        if (++p->first == p->count || p->first == MOST_TRIED) {
            p->first = 0;
            return define(s, p, 0);
        }
        status = define(s, p, p->first);
    }
    return status;
}

int points_read(Session *s, Points *p)
{
    const Options *o = s->options;
    int status = EXIT_SOLVED;
    if (o->vary_count == 0)
        return fail(EXIT_USAGE, "%s: give --vary rate=from:to:step", o->command->called);
    if (o->vary_count > MOST_VARIED)
        return fail(EXIT_USAGE, "%s: at most %d rates vary at a time", o->command->called,
                    MOST_VARIED);
    p->count = 1;
    for (size_t i = 0; i < o->vary_count && status == EXIT_SOLVED; i++) {
        Varied *varied = &p->varied[p->axes++];
        status = vary_read(s, &o->vary[i], varied);
        if (status == EXIT_SOLVED && varied->count > PEPA_MOST_POINTS / p->count)
            status = too_many_points(o);
        p->count *= varied->count;
    }
    if (status == EXIT_SOLVED)
        status = begin_at_first(s, p);
    if (status == EXIT_SOLVED)
        p->status = calloc(p->count, sizeof *p->status);
    return status == EXIT_SOLVED && !p->status ? out_of_memory() : status;
}

void points_free(Points *p)
{
    for (int32_t a = 0; a < p->axes; a++)
        free(p->varied[a].value);
    free(p->status);
}

int points_check_plot(const Options *o, int32_t keys)
{
    return o->plot && keys > MOST_KEYS
               ? fail(EXIT_USAGE, "%s: --plot draws at most %d of rates and time",
                      o->command->called, MOST_KEYS)
               : EXIT_SOLVED;
}

void points_vary(const Points *p, PepaVary vary[MOST_VARIED])
{
    for (int32_t a = 0; a < p->axes; a++)
        vary[a] = (PepaVary){p->varied[a].rate, p->varied[a].value, p->varied[a].count};
}

double points_value(const Points *p, int32_t axis, size_t point)
{
    size_t stride = 1;
    for (int32_t a = axis + 1; a < p->axes; a++)
        stride *= p->varied[a].count;
    return p->varied[axis].value[point / stride % p->varied[axis].count];
}

void points_name(const Points *p, size_t point, Text *out)
{
    for (int32_t a = 0; a < p->axes; a++)
        text_add(out, "%s%s = %.10g", a ? ", " : "", p->varied[a].rate, points_value(p, a, point));
}

void points_json(const Points *p)
{
    (void)printf(",\n  \"vary\": [");
    for (int32_t a = 0; a < p->axes; a++) {
        (void)printf("%s\n    { \"rate\": ", a ? "," : "");
        json_string(stdout, p->varied[a].rate);
        (void)printf(", \"values\": [");
        for (size_t i = 0; i < p->varied[a].count; i++)
            (void)printf("%s" FULL, i ? ", " : "", p->varied[a].value[i]);
        (void)printf("] }");
    }
    (void)printf("\n  ]");
}

/* ---- points that failed ---------------------------------------------------------------------- */

static size_t count_failed(const Points *p)
{
    size_t failed = 0;
    for (size_t i = 0; i < p->count; i++)
        failed += p->status[i] != PEPA_OK;
    return failed;
}

bool points_solved(const Points *p, PepaStatus ended)
{
    if (ended != PEPA_EMODEL && ended != PEPA_ELIMIT && ended != PEPA_ENOCONV)
        return ended == PEPA_OK;
    return count_failed(p) < p->count;
}

void points_json_failed(const Points *p)
{
    size_t named = 0;
    if (count_failed(p) == 0)
        return;
    (void)printf(",\n  \"failed\": [");
    for (size_t i = 0; i < p->count; i++)
        if (p->status[i] != PEPA_OK)
            (void)printf("%s%zu", named++ ? ", " : "", i);
    (void)printf("]");
}

/* Which points have no values, if they are more than the one that was told. */
static void tell_failed(const Session *s, const Points *p)
{
    const size_t failed = count_failed(p);
    char some[NUMBER_SIZE], all[NUMBER_SIZE];
    Text text = {0};
    size_t named = 0;
    if (failed < 2)
        return;
    for (size_t i = 0; i < p->count && named < MOST_NAMED; i++)
        if (p->status[i] != PEPA_OK) {
            text_add(&text, "%s", named++ ? "; " : "");
            points_name(p, i, &text);
        }
    if (!text.failed)
        (void)fail(EXIT_SOLVED, "pepa: %s: %s of %s points have no values: %s%s",
                   model_name(s->options), number_grouped((int64_t)failed, some),
                   number_grouped((int64_t)p->count, all), text.text,
                   failed > MOST_NAMED ? "; ..." : "");
    text_free(&text);
}

int points_complain(Session *s, const Points *p, PepaStatus ended, int64_t failed,
                    const PepaError *err)
{
    Text where = {0};
    if (ended == PEPA_OK)
        return EXIT_SOLVED;
    if (failed >= 0) {
        text_add(&where, "at ");
        points_name(p, (size_t)failed, &where);
        text_add(&where, ": ");
    }
    const int said = complain_at(s, ended, err, where.text && !where.failed ? where.text : "");
    text_free(&where);
    if (points_solved(p, ended))
        tell_failed(s, p);
    return said;
}
