/* Laguerre series on the matrix of a chain: what they cost, when they may begin, and how their steps
 * grow.
 *
 * A polynomial in time cannot follow what is fast compared with its step.  So the first steps are
 * those of uniformisation, and a step of the series is as long as a few times the time that has
 * passed: what could disturb it has died away.  From then on the number of steps grows with the
 * logarithm of the time, where uniformisation takes steps in proportion to it.
 *
 * Everything is decided by counted work: an entry of the matrix in a step of uniformisation is 1. */
#ifndef PEPA_MEASURE_SERIES_H
#define PEPA_MEASURE_SERIES_H

#include "measure/uniform.h"
#include "solvers/transient/laguerre.h"

/* Uniformisation alone if it takes fewer steps, or settles within the first ones. */
#define SERIES_LEAST 20000.0
#define SERIES_FIRST 3000.0

typedef struct {
    Laguerre *laguerre;
    Flow rates;
    double rate;            /* of uniformisation */
    double factors, solve;  /* work: of factors; of a solution */
    double product;         /* of a step of uniformisation */
    double gamma, factored; /* for the next step; that of the factors, 0: none */
} Series;

/* *start: when a series may begin; +inf: there is none, since the factors would be too large.
 *   rates, kind, leak  as laguerre_new has them; rates are borrowed
 *   rate               of uniformisation
 *   memory             bytes that the factors and their vectors may take; 0: no limit
 * Errors: PEPA_ENOMEM. */
PepaStatus series_open(Series *s, const Flow *rates, LaguerreKind kind, const double *leak,
                       double rate, const PepaSettings *set, int64_t memory, double *start,
                       PepaError *err);
/* That of distributions; +inf as well if the chain is stored as sets.  Borrows uniform and chain. */
PepaStatus series_open_chain(Series *s, const Uniform *uniform, const Chain *chain,
                             const PepaSettings *set, double *start, PepaError *err);
void series_close(Series *s);

/* Whether times up to `last` are worth a series that may begin at `start`. */
bool series_pays(double start, double last);
/* Whether a step of this length is worth the fewest solutions that any step takes. */
bool series_step_pays(const Series *s, double length);
/* Begin with steps that suit what has been followed until `now`. */
void series_begin(Series *s, double now);
/* The gamma for a step with `left` still to go: that of the factors if that is enough, and no more than
 * is needed. */
double series_gamma(const Series *s, double left);
/* The next gamma, after a step with `left` still to go.  Longer steps need other factors, which the
 * solutions that they save must be worth. */
void series_adapt(Series *s, const LaguerreFound *step, double left);

#endif
