/* Durations that are not exponential: what `(a, det(d)).P` and the like say. */
#ifndef PEPA_CTMC_SYSTEM_DURATIONS_H
#define PEPA_CTMC_SYSTEM_DURATIONS_H

#include "base/error.h"
#include "parser/model.h"

typedef struct {
    ExprOp kind;        /* EXPR_DET .. EXPR_TRACE */
    double a, b;        /* its numbers; see the syntax tree */
    const Trace *trace; /* borrowed from the model */
} Duration;

/* Of an expression for which model_is_duration, at these values of the model's rates. */
Duration duration_of(const Model *model, int32_t expr, const Value *values);
/* Of what has been read, if it is of a trace. */
double duration_mean(const Duration *duration);
/* The standard deviation as a share of the mean. */
double duration_variation(const Duration *duration);

/* For what needs a chain, in which no activity has a duration: PEPA_EMODEL if some has, with an error
 * for each that says which phase type to take instead.  Else PEPA_OK. */
PepaStatus durations_refuse(const Model *model, DiagList *diags, PepaError *err);

#endif
