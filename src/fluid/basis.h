/* Which populations can move freely: a basis of what the moves of a model can change.
 *
 * Populations are base + basis z, where z are r of the n variables, r being the rank of the moves'
 * changes.  The basis is in reduced echelon form by columns: the variable of a coordinate has 1 in its
 * own column and 0 in all others.  Where components move by themselves, a column has two entries: the
 * coordinate, and the local state that stands for the rest of its slot. */
#ifndef PEPA_FLUID_BASIS_H
#define PEPA_FLUID_BASIS_H

#include "ctmc/semantics/population_form.h"
#include "fluid/sparse.h"

/* out: n x r; *free: r, the variable that a coordinate is, for the caller to free, as out is, in any
 * case.  False: out of memory.
 * Elimination on sparse vectors, each of which is reduced again only when it is used: its cost is about
 * that of the entries that come to be. */
bool basis_new(const Population *population, Sparse *out, int32_t **free, int32_t *r);

#endif
