/* Long solutions that are kept in memory. */
#ifndef TESTS_API_KEEPING_H
#define TESTS_API_KEEPING_H

#include "api/ways.h"

enum { MOST = 20000 };

typedef struct {
    double pi[MOST];
    int64_t states, pieces, kept; /* states in the pieces of one keeping, by all processes */
    int64_t count;                /* of iterations, as the last one said; and its residual */
    double measure;
    int64_t until;    /* such a count, what comes is not kept; 0: all is */
    int begun, fails; /* keepings; 1: begin fails, 2: piece, 3: load */
    bool ok;          /* as the last end was told */
} Shelf;

static inline int always(void *user, double seconds)
{
    (void)user;
    return seconds >= 0;
}

static inline int at_first(void *user, double seconds)
{
    Shelf *s = user;
    if (s->until > 0 && s->count >= s->until)
        s->until = -1;
    return seconds >= 0 && s->until >= 0;
}

static inline int begin(void *user, const PepaProgress *now)
{
    Shelf *s = user;
    cr_assert_str_eq(now->phase, "solve");
    cr_assert_gt(now->measure, 0);
    s->begun++;
    s->kept = 0;
    s->count = now->count;
    s->measure = now->measure;
    return s->fails == 1;
}

static inline int piece(void *user, int64_t first, int64_t count, const double *pi)
{
    Shelf *s = user;
    cr_assert_gt(count, 0);
    cr_assert(first >= 0 && first + count <= s->states);
    memcpy(s->pi + first, pi, (size_t)count * sizeof *pi);
    s->kept += count;
    s->pieces++;
    return s->fails == 2;
}

static inline int end(void *user, int ok)
{
    Shelf *s = user;
    s->ok = ok != 0;
    return 0;
}

static inline int load(void *user, int64_t first, int64_t count, double *pi)
{
    const Shelf *s = user;
    cr_assert(first >= 0 && first + count <= s->states);
    memcpy(pi, s->pi + first, (size_t)count * sizeof *pi);
    return s->fails == 3;
}

static inline PepaKeeping keeping_on(Shelf *shelf)
{
    return (PepaKeeping){.user = shelf, .due = always, .begin = begin, .piece = piece, .end = end};
}

static inline PepaChain *chain_of(PepaModel **model, const char *text, PepaExplore explore)
{
    const PepaSettings set = settings(explore, 1);
    PepaChain *chain = NULL;
    *model = parse(text);
    cr_assert_eq(pepa_chain_derive(&chain, *model, &set, NULL), PEPA_OK);
    cr_assert_leq(pepa_chain_info(chain).states, MOST);
    return chain;
}

static inline double apart(const double *a, const double *b, int64_t n)
{
    double sum = 0;
    for (int64_t i = 0; i < n; i++)
        sum += fabs(a[i] - b[i]);
    return sum;
}

#endif
