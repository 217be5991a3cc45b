/* How long a traced program takes on a machine: four answers, superstep by superstep. */
#ifndef GRID_BSP_PREDICT_PREDICT_H
#define GRID_BSP_PREDICT_PREDICT_H

#include "grid/bsp/predict/model.h"

/* Of a superstep or of all, seconds. */
typedef struct {
    double equal;   /* the formula of equal processors */
    double unequal; /* the formula of these processors: all durations are constant */
    double model;   /* the PEPA model: durations of k exponential stages */
    /* Constant durations, but each process goes on as soon as it can (timeline.h). */
    double timeline;
} Prediction;

typedef struct {
    const Trace *trace;
    const Placement *where;
    int32_t stages;           /* k, 1 .. MOST_STAGES */
    double most_states;       /* models with more are not solved, but by two integrals */
    const PepaSettings *set;  /* of the engine */
    Prediction *each;         /* steps; or NULL */
    int64_t solved, integral; /* out: different supersteps, by way */
} Predicting;

/* Equal supersteps are solved once.  Errors: as model_solve and model_mean. */
PepaStatus predict_trace(Predicting *p, Prediction *sum, PepaError *err);
/* The unequal formula alone: O(different supersteps x (processes + their sends)). */
double predict_formula(const Trace *trace, const Placement *where, Superstep *scratch);

#endif
