/* The differential equations of a model's populations, in coordinates without redundancy.
 *
 *     dx/dt = sum over moves m of rate_m(x) change_m
 * leaves invariants: each slot keeps its components, and components that move in step more than
 * that.  So x = base + basis z, where z are r of the n variables, r being the rank of the changes.
 * In z invariants hold by construction, Newton's method meets no singular matrix because of them,
 * and covariances are as small as they can be.
 *
 * Where min(a, b) turns from a to b the derivative jumps.  Within a step of an integrator each kink
 * has a side, which is kept: the right-hand side is smooth then, and the step ends where sides
 * change. */
#ifndef PEPA_FLUID_FIELD_H
#define PEPA_FLUID_FIELD_H

#include "ctmc/semantics/population.h"
#include "fluid/jacobian.h"
#include "fluid/resolvent.h"
#include "fluid/scarce.h"

typedef struct {
    int32_t move;
    double by;
} FluidChange;

typedef struct FluidField {
    const Population *p;
    int32_t n, r;
    int32_t *free; /* r: the variable that a coordinate is */
    Sparse basis;  /* n x r */
    double *base;  /* n */
    double *scale; /* r: the components of the coordinate's slot */
    int32_t *row;  /* r + 1: coordinate i is changed by change[row[i] .. row[i + 1]) */
    FluidChange *change;
    int32_t *used_by; /* per kink: a move whose rate has it */
    Scarce scarce;
    FluidJacobian jacobian;
    Resolvent *resolvent; /* of it, in shares; NULL if r is 0 */
    int32_t *varies;      /* flows that are no numbers, of which `moving` are in moves */
    size_t varying, moving;
    double *value; /* per flow; of numbers always */
    double *x;     /* per variable: scratch */
} FluidField;

/* population: borrowed.  What a coordinate depends on is found once: about as much work as the Jacobian
 * has entries, and what orders these.  Errors: PEPA_ENOMEM. */
PepaStatus field_new(FluidField *out, const Population *population, PepaError *err);
void field_free(FluidField *field);

/* z of the initial populations. */
void field_start(const FluidField *field, double *z);
/* x of z: per variable.  Entries of the basis. */
void field_expand(const FluidField *field, const double *z, double *x);

/* The values of all flows, in field->value.
 *   side  per kink of the moves: which side to take, whatever the values are, and without flows that
 *         are in no move; NULL: that of the values */
void field_evaluate(FluidField *field, const double *z, const uint8_t *side);

/* The same at populations x, per variable, which need not keep what is invariant. */
void field_evaluate_at(FluidField *field, const double *x);

/* What follows refers to the last evaluation, and has the same `side`. */

/* dz/dt: r.  flow: the sum of what goes in and out, r, or NULL. */
void field_change(const FluidField *field, double *change, double *flow);
/* d(dz/dt) / dz, in field->jacobian.m: for field->resolvent.  Each row costs the flows that it
 * depends on. */
void field_jacobian(FluidField *field, const uint8_t *side);
/* The move of the smallest rate, if that is below 0 by more than rounding; else -1.  Rates that count
 * local states can be that between whole numbers, or in states that a chain would refuse. */
int32_t field_negative(const FluidField *field);
/* A scarce population that divides in a way that is not known (scarce.h). */
ScarceChoice field_choice(const FluidField *field);
/* A population of field->x below 0 by more than this share of its slot's components; else -1. */
int32_t field_missing(const FluidField *field, double slack);
/* The move that takes most components from a local state, or by a rate below 0 brings them back there. */
int32_t field_taking(const FluidField *field, int32_t variable);
/* The slot of a variable, and the local state that it counts. */
int32_t field_slot(const Population *population, int32_t variable);
const char *field_name(const Population *population, int32_t variable);
/* first - second of a kink, and the sum of their sizes. */
double field_gap(const FluidField *field, int32_t kink, double *size);

#endif
