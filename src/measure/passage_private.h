/* What the files of passage times share. */
#ifndef PEPA_MEASURE_PASSAGE_PRIVATE_H
#define PEPA_MEASURE_PASSAGE_PRIVATE_H

#include "measure/passage.h"
#include "measure/series.h"
#include "measure/step_clock.h"

/* A step of the series, from the time `from` on: with s = (t - from) / gamma,
 * P(T > t) = sum left[k] L_k(s), density(t) = sum ended[k] L_k(s). */
typedef struct {
    double from, gamma, end;
    double error; /* bound, of both as passage_at has it, at any time of the step */
    int32_t terms;
    double left[LAGUERRE_TERMS], ended[LAGUERRE_TERMS];
} PassagePiece;

typedef struct {
    enum { SERIES_UNTRIED, SERIES_REFUSED, SERIES_READY, SERIES_OPEN } state;
    Series of;
    double start;   /* when it begins */
    bool off;       /* it is not to be used: what it leaves is too little for its error */
    double *x;      /* at the end of the last piece */
    double allowed; /* truncation of all steps */
    int64_t solves;
    PassagePiece *piece;
    size_t count, cap;
} PassageSeries;

struct Passage {
    const Chain *chain;
    const RateValues *at;
    PassageEnd end;
    const PepaSettings *set;
    Uniform *uniform;
    double *start;    /* per state; 0 where the passage ends */
    double *x, *next; /* after the last step */
    double *left;     /* after each step: the probability that the passage has not ended */
    double *ended;    /* that it ends with the step after it; of the last step it is not known */
    size_t count, cap;
    double at_once; /* the probability that it ends where it starts */
    /* Later states are the last one, shrunk by 1 - drop at each step: |x - (1 - drop) x before|_1 of the last step,
     * and a bound of that without rounding. */
    double drop, change, stray;
    double ratio;  /* the share of the state before the last that ended with the step from it */
    bool noisy;    /* no more of it can be told, as the rounding of steps is as large */
    double little; /* that may be left out of account */
    StepClock clock;
    PassageSeries series;
};

/* At a time: the probabilities that the passage has not ended, and that it has, each with a bound of its error, and
 * the density. */
typedef struct {
    double left, left_error, over, over_error, pdf;
} PassageReading;
/* With weights that miss so much; right to as many digits as the sequence is.  Errors: as passage_at, but for that of an
 * error which is too large. */
PepaStatus passage_weigh(Passage *p, double t, double missing, PassageReading *r, PepaError *err);

/* Whether the series covers t, after as many steps as that takes.  Errors: PEPA_ENOMEM,
 * PEPA_ECANCEL. */
PepaStatus passage_series_reach(Passage *p, double t, bool *covers, PepaError *err);
/* At a time that it covers. */
void passage_series_read(const Passage *p, double t, double *left, double *pdf, double *error);
void passage_series_free(PassageSeries *s);

#endif
