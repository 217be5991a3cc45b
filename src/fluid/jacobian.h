/* The Jacobian of a model's differential equations: which entries there are, and how they come about.
 *
 * A row is swept backwards over the flows that it depends on, which are found once.  A flow of many
 * counts that many rows need, such as an apparent rate, would make all of these rows long: it is an
 * intermediate quantity instead, with a row of its own (resolvent.h), and so is the count of a local
 * state that stands for the rest of a large slot. */
#ifndef PEPA_FLUID_JACOBIAN_H
#define PEPA_FLUID_JACOBIAN_H

#include "fluid/sparse.h"
#include "base/error.h"

struct FluidField;

typedef struct {
    int32_t variables; /* coordinates; rows of intermediate flows follow, operands after results */
    Sparse m;          /* in shares: of the scale of coordinates, and of `size` */
    double *size;      /* per row; of an intermediate flow: of the evaluation */
    int32_t *unknown;  /* per flow: its row, or -1 */
    int32_t *first, *flow; /* rows + 1: the sweep of row i visits flow[first[i] .. first[i + 1]),
                              results before operands */
    /* Scratch. */
    double *sum;   /* per row; 0 outside of sweeps */
    double *slope; /* per flow; 0 outside of sweeps, but for those of numbers */
    bool *counts;  /* per row: some row above depends on it */
} FluidJacobian;   /* starts as {0} */

/* The pattern of a field whose coordinates and changes are known.  jacobian_free in any case.
 * False: out of memory. */
bool jacobian_new(FluidJacobian *out, const struct FluidField *field);
void jacobian_free(FluidJacobian *jacobian);
/* sum: per row, out: at least the sum of |J_ij| over coordinates j, in shares. */
void jacobian_sums(const FluidJacobian *jacobian, double *sum);

#endif
