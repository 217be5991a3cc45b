/* Explains what limits each mapping shown, and why the runner-up is slower. */
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

#include "amoget_cli.h"

/* Seconds that the time limit leaves; +inf without one, none after an interrupt. */
static double left(const Session *s)
{
    double limit = s->options->set.time_limit;
    if (s->interrupted)
        return 0;
    return limit > 0 ? limit - s->derive_seconds - s->solve_seconds : INFINITY;
}

static void show(Session *s, int64_t done, double seconds)
{
    char so_far[NUMBER_SIZE], all[NUMBER_SIZE];
    if (s->options->quiet || (!s->options->progress && (seconds < 1 || !isatty(2))))
        return;
    progress_show(&s->progress_shown, "looking for bottlenecks: %s of %s mappings, %.0f s",
                  number_grouped(done, so_far), number_grouped(s->shown, all), seconds);
}

/* The explanation of one mapping in the time that is left.  Where a search for the best has used it
 * up, *out stays NULL: its answer is worth more than no answer. */
static int explain_one(Session *s, const int32_t *mapping, bool doubled, AmogetExplanation **out)
{
    PepaError err = {0};
    AmogetSettings set = s->options->set;
    double rest = left(s), start = clock_seconds();
    bool may_stop = s->ranking->search == AMOGET_BEST;
    PepaStatus status = PEPA_ELIMIT;
    (void)snprintf(err.message, sizeof err.message,
                   "the time was up while looking for the bottlenecks of the mappings; --top N "
                   "looks at fewer");
    set.single = !doubled;
    set.time_limit = isfinite(rest) ? rest : 0;
    if (rest > 0)
        status = amoget_explain(s->ranker, mapping, &set, out, &err);
    s->solve_seconds += clock_seconds() - start;
    if (status != PEPA_OK)
        progress_clear(&s->progress_shown);
    if (status == PEPA_ELIMIT && may_stop && isfinite(rest))
        return EXIT_SOLVED;
    return status == PEPA_OK ? EXIT_SOLVED : description_complain(&s->file, status, &err);
}

static int explain_shown(Session *s)
{
    double start = clock_seconds();
    int status = EXIT_SOLVED;
    s->why = calloc((size_t)s->shown + 1, sizeof *s->why);
    if (!s->why)
        return out_of_memory();
    for (int64_t i = 0; i < s->shown && status == EXIT_SOLVED; i++) {
        const int32_t *mapping = s->ranking->entries[i].mapping;
        status = explain_one(s, mapping, s->options->explain && i == 0, &s->why[i]);
        if (status == EXIT_SOLVED)
            show(s, i + 1, clock_seconds() - start);
    }
    progress_clear(&s->progress_shown);
    return status;
}

/* ---- the best that loses -------------------------------------------------------------------- */

static const AmogetEntry *first_loser(const AmogetRanking *ranking)
{
    for (int64_t i = 0; i < ranking->count; i++)
        if (ranking->entries[i].rank > 1)
            return &ranking->entries[i];
    return NULL;
}

/* Rank again for more entries until one of them loses: versus.loser, or NULL where all are tied,
 * more than MOST_TIED are, or the time is up. */
static int find_loser(Session *s)
{
    enum { MOST_TIED = 1024 };
    PepaError err = {0};
    const AmogetRanking *last = s->ranking;
    bool best = last->search == AMOGET_BEST, more = true;
    s->versus.loser = first_loser(last);
    while (!s->versus.loser && more && last->count < MOST_TIED && left(s) > 0) {
        AmogetRanking *wider;
        AmogetSettings set = s->options->set;
        set.top = best ? 2 * last->count : 0;
        set.time_limit = isfinite(left(s)) ? left(s) : 0;
        double start = clock_seconds();
        PepaStatus status = amoget_rank(s->ranker, &set, &wider, &err);
        s->solve_seconds += clock_seconds() - start;
        if (status == PEPA_ELIMIT)
            return EXIT_SOLVED; /* time: the ranking itself is there */
        if (status != PEPA_OK)
            return description_complain(&s->file, status, &err);
        more = best && wider->count > last->count;
        amoget_ranking_free(s->wider);
        last = s->wider = wider;
        s->versus.loser = first_loser(wider);
    }
    return EXIT_SOLVED;
}

/* A slope of the time per item: an item goes through each activity once, so that a second more
 * there adds a second at most. */
static double slope(const AmogetExplanation *why, int32_t k)
{
    double g = why->share[k] / (why->throughput * why->seconds[k]);
    return g > 1 ? 1 : g > 0 ? g : 0;
}

const char turns_text[] = "taking turns";

/* Do several stages of a mapping take turns on one processor? */
static bool takes_turns(const Session *s, const int32_t *mapping)
{
    const int32_t stages = amoget_stage_count(s->desc);
    bool found = false;
    for (int32_t i = 0; i < stages && amoget_sharing(s->desc) == AMOGET_SERIAL; i++)
        for (int32_t j = 0; j < i; j++)
            found = found || mapping[i] == mapping[j];
    return found;
}

/* What each activity adds to the time per item C(s) from the winner's durations s1 to the loser's
 * s2: the integral of its slope g along the way, by the trapezoid rule, d_k = (s2_k - s1_k) (g1_k +
 * g2_k) / 2, which lies between 0 and s2_k - s1_k.  The sum misses C(s2) - C(s1) by a little; that
 * is spread over what room each has between the two, so that none adds more than it became slower.
 * Where stages take turns, durations say only a part of why C differs: the rest is theirs. */
static void attribute(Session *s)
{
    Comparison *c = &s->versus;
    const AmogetExplanation *winner = s->why[0], *loser = c->why;
    const bool turns =
        takes_turns(s, s->ranking->entries[0].mapping) || takes_turns(s, c->loser->mapping);
    double sum = 0, room = 0, difference = 1 / loser->throughput - 1 / winner->throughput;
    for (int32_t k = 0; k < winner->parts; k++) {
        double change = loser->seconds[k] - winner->seconds[k];
        c->more[k] = change * (slope(winner, k) + slope(loser, k)) / 2;
        sum += c->more[k];
    }
    bool up = difference > sum;
    for (int32_t k = 0; k < winner->parts; k++) {
        double change = loser->seconds[k] - winner->seconds[k];
        double limit = up == (change > 0) ? change : 0;
        room += fabs(limit - c->more[k]);
    }
    double part = room > 0 && !turns ? fmin(1, fabs(difference - sum) / room) : 0;
    c->turns = turns ? difference - sum : 0;
    for (int32_t k = 0; k < winner->parts; k++) {
        double change = loser->seconds[k] - winner->seconds[k];
        double limit = up == (change > 0) ? change : 0;
        c->more[k] += part * (limit - c->more[k]);
        if (c->more[k] > c->more[c->largest])
            c->largest = k;
    }
    if (c->turns > c->more[c->largest])
        c->largest = ADDS_TURNS;
}

static int compare(Session *s)
{
    Comparison *c = &s->versus;
    int status = find_loser(s);
    if (status != EXIT_SOLVED || !c->loser)
        return status;
    status = explain_one(s, c->loser->mapping, true, &c->why);
    if (status != EXIT_SOLVED || !c->why) {
        c->loser = NULL;
        return status;
    }
    c->more = calloc((size_t)c->why->parts, sizeof *c->more);
    if (!c->more)
        return out_of_memory();
    attribute(s);
    return EXIT_SOLVED;
}

int session_explain(Session *s)
{
    int status = explain_shown(s);
    return status == EXIT_SOLVED && s->options->explain && s->why[0] ? compare(s) : status;
}
