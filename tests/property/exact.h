/* The exact long-run distribution of a chain explored one by one, and how far from it an answer may
 * be that any method found on any form of the chain. */
#ifndef PEPA_TESTS_EXACT_H
#define PEPA_TESTS_EXACT_H

#include "property/engine_run.h"

typedef struct {
    const EngineRun *run; /* explored one by one; borrowed */
    size_t n;
    char **text;       /* n: the states in words */
    int32_t *by_text;  /* n: states, sorted by these */
    int32_t *count;    /* n x counts: components by position and local state */
    long double *rate; /* n x n */
    long double *pi;   /* n, by elimination in long double */
    /* |x - pi|_1 <= condition * |x Q|_1 for distributions x that divide the probability among the
     * bottom components as pi does. */
    long double condition;
    bool apart; /* a bottom component has several groups of states that are hardly ever left */
    long double *throughput, *most; /* per action: exact, and the largest rate in any state */
    long double *share;             /* per count */
} Exact;

/* n (n + edges) + n^3 for the condition. */
void exact_new(Exact *exact, const EngineRun *run);
void exact_free(Exact *exact);

/* Which state of the exact chain each state of another is: same words, same counts, each once.
 * False: why says what differs.  place: n entries. */
bool exact_match(const Exact *exact, const EngineRun *other, int32_t *place, Text *why);

/* How good an answer turned out to be. */
typedef struct {
    long double residual; /* |x Q|_1, as a share of the flow */
    long double by_time;  /* sum |(x Q)_i| / exit rate i */
    long double distance; /* |x - pi|_1 */
} Miss;

/* An answer keeps its word: a distribution; residuals, told and true, within the tolerance; as near
 * to the exact one as the residual allows; measures as near as the distribution.
 *   place  of the answer's states, as from exact_match; NULL: as they are */
bool exact_answer(const Exact *exact, const EngineRun *answer, const int32_t *place, Miss *miss,
                  Text *why);

#endif
