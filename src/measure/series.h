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
    double now, end; /* the step at hand, if it is as long as it can be; where all have ended */
    double allowed;  /* truncation of all steps to come */
    double noise;    /* of a step, in any case */
    double off;      /* bound of the error of x at `now`, as the kind has it */
} Series;

/* What is made of steps. */
typedef struct {
    LaguerreTerm *term; /* a coefficient of the step at hand, whose length may be halved */
    /* The step is made: x is at series->end.  PEPA_ELIMIT: there need be no others. */
    PepaStatus (*close)(void *user, const LaguerreFound *step, PepaError *err);
    void *user;
} SeriesUse;

/* *start: when a series may begin; +inf: there is none, since the factors would be too large.
 *   rates, kind, leak  as laguerre_new has them; rates are borrowed
 *   rate               of uniformisation
 *   memory             bytes that the factors and their vectors may take; 0: no limit
 * Errors: PEPA_ENOMEM. */
PepaStatus series_open(Series *s, const Flow *rates, LaguerreKind kind, const double *leak,
                       double rate, const PepaSettings *set, int64_t memory, double *start,
                       PepaError *err);
/* That of distributions; +inf as well where there are no rows.  Borrows uniform and chain. */
PepaStatus series_open_chain(Series *s, Uniform *uniform, const Chain *chain,
                             const PepaSettings *set, double *start, PepaError *err);
void series_close(Series *s);

/* Whether times up to `last` are worth a series that may begin at `start`. */
bool series_pays(double start, double last);
/* Begin with steps that suit what has been followed until `now`, with an error of `off`. */
void series_begin(Series *s, double now, double off, double allowed);
/* Work of the k-th coefficient. */
double series_work(const Series *s, int32_t k);
/* Steps until s->now is `until`, or as long as they pay and factors serve: what is left is for
 * uniformisation.  x (n) moves with s->now.
 *   last     no step goes beyond it; +inf: the last one may pass `until`
 * Errors: PEPA_ENOMEM, PEPA_ECANCEL, those of use->close but PEPA_ELIMIT. */
PepaStatus series_advance(Series *s, double until, double last, double *x, const SeriesUse *use,
                          PepaError *err);
/* What a step adds to the error of integrals, of a vector whose norm is at most `size`. */
double series_integral_off(const Series *s, const LaguerreFound *step, double size);

#endif
