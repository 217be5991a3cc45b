/* What a model does up to given times, from its initial state.
 *
 *   double time[] = {1, 2, 5}, value[3];  PepaTransient at = {.time = time, .count = 3};
 *   if (pepa_transient_measures(chain, measures, &at, NULL, value, NULL, &err) == PEPA_OK)
 *       printf("%g after 5\n", value[2]);
 *
 * Uniformisation; on stiff chains, where that takes very many steps, then Laguerre series.  With a
 * bound of the error that is proved. */
#ifndef PEPA_TRANSIENT_H
#define PEPA_TRANSIENT_H

#include "pepa_measure.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const double *time; /* count of them, at least one, ascending, finite, >= 0 */
    size_t count;
    int accumulated; /* non-zero: throughputs count completions until then, without immediate ones of
                      * the very start, and populations and probabilities are integrals over time;
                      * measures are made of these */
    uint64_t reserved[8];
} PepaTransient;

typedef struct {
    double error_bound; /* of every probability, proved: truncation, and a bound of rounding.
                         * Accumulated: of the time spent in any set of states */
    int64_t steps;      /* products of a vector with the uniformised chain */
    int64_t stationary; /* the step from which on nothing can change by more than the tolerance, as
                         * is proved; -1: there was none */
    double rate;        /* of uniformisation */
    double seconds;
    int64_t solves; /* systems solved by LU factors, for Laguerre series; 0: uniformisation alone */
    uint64_t reserved[7];
} PepaTransientInfo;

/* value[j x measures + i]: measure i at time[j]; NaN where it has none.  set->solve.tolerance is
 * the most that truncation may add to the error of a probability; the method does not
 * depend on set->solve.method.  About `rate` x time products, fewer once nothing changes; far fewer on
 * stiff chains whose factors fit into memory, or which have come to their long run.
 * Errors: PEPA_EARG, PEPA_ELIMIT, PEPA_ENOMEM, PEPA_ECANCEL (progress: phase "transient", `measure`
 * the steps that there are at most, and those of pepa_solve_steady).  info may be NULL. */
PEPA_API PepaStatus pepa_transient_measures(const PepaChain *chain, const PepaMeasures *measures,
                                            const PepaTransient *at, const PepaSettings *set,
                                            double *value, PepaTransientInfo *info, PepaError *err);
/* The distribution at one time: p has an entry per state, out. */
PEPA_API PepaStatus pepa_transient_distribution(const PepaChain *chain, double time,
                                                const PepaSettings *set, double *p,
                                                PepaTransientInfo *info, PepaError *err);

#ifdef __cplusplus
}
#endif
#endif
