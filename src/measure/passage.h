/* Passage times: how long from a start distribution until a passage ends.
 *
 * With x_n the distribution after n steps of the uniformised chain, of those passages that have not
 * ended, left_n = |x_n|_1 and N Poisson of mean rate x t,
 *
 *     P(T > t) = E left_N,   density(t) = E (rate at which x_N ends),
 *     E T = sum of left_n / rate
 *
 * so that one sequence of steps serves all times.  Mean and variance also come from linear
 * equations: with v the mean time in each state, E T = sum v, and E T^2 = 2 sum w, w the same from
 * start v.  Source: Harrison, Knottenbelt, Passage time distributions in large Markov chains,
 * SIGMETRICS 2002; Kemeny, Snell, Finite Markov Chains, 1960, ch. 3. */
#ifndef PEPA_MEASURE_PASSAGE_H
#define PEPA_MEASURE_PASSAGE_H

#include "measure/uniform.h"

typedef struct Passage Passage;

/* Borrows chain, at, end and set.  Of a view of a chain that processes have by rows (chain->share) all of them
 * call what follows, and agree; there are no series then, and end->state and start are of own states.
 *   start  per state: its probability at the start; in states where the passage ends it ends at
 *          once.  Copied
 *   set    complete; set->solve.tolerance: most that truncation adds to a probability
 * Errors: PEPA_ELIMIT, PEPA_ENOMEM, PEPA_ECANCEL. */
PepaStatus passage_new(Passage **out, const Chain *chain, const RateValues *at,
                       const PassageEnd *end, const double *start, const PepaSettings *set,
                       PepaError *err);
void passage_free(Passage *passage);

/* cdf: P(T <= t); pdf: its derivative.  error: bound of the error of cdf, rounding included; that
 * of pdf is `rate` times as large.  As many steps as no time before has taken.
 * Errors: PEPA_ENOCONV (error is more than 1e-6 and the tolerance), PEPA_ELIMIT, PEPA_ENOMEM,
 * PEPA_ECANCEL. */
PepaStatus passage_at(Passage *passage, double t, double *cdf, double *pdf, double *error,
                      PepaError *err);
double passage_rate(const Passage *passage);
int64_t passage_steps(const Passage *passage);
int64_t passage_solves(const Passage *passage); /* coefficients of series */

typedef struct {
    double ends;           /* probability that the passage ever ends */
    double mean, variance; /* +inf if that is less than 1 */
    double deviation;      /* the variance's root, also where that is beyond the range of doubles */
} PassageMoments;
/* By linear equations, solved to the tolerance of `set` and corrected; a mean that is less than the
 * part of it which the steps until now tell is an error.
 * Errors: PEPA_ENOCONV, PEPA_ELIMIT, PEPA_ENOMEM, PEPA_ECANCEL. */
PepaStatus passage_moments(Passage *passage, PassageMoments *out, PepaError *err);

/* The least t with P(T <= t) >= share, to 1e-10 of itself; +inf if no more passages than that
 * ever end, to 1e-12 of them.  moments: as passage_moments has them.  Errors: as passage_at. */
PepaStatus passage_quantile(Passage *passage, double share, const PassageMoments *moments,
                            double *t, PepaError *err);

/* The start of passages in the long run, from a steady state pi: the states that actions lead to,
 * or that satisfy `state` and are entered from one that does not, by how often.
 *   start  per state, out: sum 1
 * Errors: PEPA_EARG (that never happens), PEPA_ENOMEM. */
PepaStatus passage_start(const Chain *chain, const double *value, const double *pi,
                         const PassageEnd *from, double *start, PepaError *err);

#endif
