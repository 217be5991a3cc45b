/* The placement with the shortest round found so far. */
#ifndef TAAG_PREDICT_FASTEST_H
#define TAAG_PREDICT_FASTEST_H

#include "grid/taag/predict/means.h"

/* Rounds that differ by less are equal: rounding, and the quadrature. */
#define FASTEST_EQUAL 1e-9

typedef struct {
    const Costs *costs;
    Means means;
    double seconds;    /* of its round; +inf: none yet */
    int32_t parts;     /* of its shape */
    int32_t *sizes;    /* parts */
    int32_t *host_of;  /* by rank */
    Round round;       /* scratch */
    int64_t work;      /* processes looked at */
    double deadline;   /* on the clock; 0: none */
    int64_t look;      /* at the clock, when work is that */
    bool late;         /* the deadline was met */
    PepaStatus status; /* PEPA_OK, or what went wrong: nothing is offered then */
    PepaError *err;
} Fastest;

bool fastest_make(Fastest *fastest, const Costs *costs, const AmogetProgram *program,
                  PepaError *err);
void fastest_free(Fastest *fastest);
/* Has the deadline been met?  The clock is looked at when some work was done. */
bool fastest_late(Fastest *fastest);
/* Is a round that takes at least so long no better? */
bool fastest_beats(const Fastest *fastest, double seconds);
/* Keep a placement if its round is shorter, or equal and of fewer groups: whether it was. */
bool fastest_offer(Fastest *fastest, const Shape *shape, const int32_t *host_of);

#endif
