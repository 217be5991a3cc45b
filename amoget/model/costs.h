/* What each choice of a mapping costs in seconds: the numbers of a description, laid out for
 * search. */
#ifndef AMOGET_COSTS_H
#define AMOGET_COSTS_H

#include "amoget/model/shape.h"

typedef struct {
    const AmogetDescription *desc; /* borrowed */
    int32_t stages, processors;
    double *unit; /* stages x processors: seconds of stage i alone on processor j */
    /* (stages + 1) x processors x processors: seconds of move i from a to b.  The first move does
     * not depend on a, the last one not on b. */
    double *move;
    /* Processors: seconds to fetch an item from its place; NULL: there are no places. */
    double *take;
    double *pace;   /* processors: seconds per unit of work on a processor of one's own */
    double *work;   /* stages: units; unit is the product of the two */
    double *least;  /* stages + 1: seconds of move i where it is quickest */
    int32_t *cores; /* processors; only static sharing slows stages down */
    bool serial;
} Costs; /* starts as {0} */

/* The description is complete.  Errors: PEPA_ENOMEM. */
PepaStatus costs_new(Costs *costs, const AmogetDescription *desc, PepaError *err);
void costs_free(Costs *costs);

static inline double costs_unit(const Costs *p, int32_t stage, int32_t j)
{
    return p->unit[(size_t)stage * (size_t)p->processors + (size_t)j];
}

static inline double costs_move(const Costs *p, int32_t move, int32_t a, int32_t b)
{
    size_t n = (size_t)p->processors;
    return p->move[((size_t)move * n + (size_t)a) * n + (size_t)b];
}

/* By how much `there` stages on processor j stretch each other. */
static inline double costs_stretch(const Costs *p, int32_t j, int32_t there)
{
    return there > p->cores[j] && !p->serial ? (double)there / p->cores[j] : 1;
}

/* The durations of a mapping, as amoget_durations: the very same numbers. */
void costs_durations(const Costs *costs, const int32_t *mapping, double *seconds);

#endif
