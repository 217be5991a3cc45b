/* Linear programs of packing: the largest sum c_j x_j with sum_j a_ij x_j <= b_i and x >= 0, where a and b
 * are whole numbers, none negative.
 *
 * Nothing packed is a solution to begin with, so that the simplex method needs no first phase.  The bound
 * that it returns is worked out anew from its multipliers: as Lagrange multipliers any do, so that rounding
 * within the method cannot make it wrong.
 * Source: Chvatal, Linear programming, chapter 7 (revised simplex method); Geoffrion, Lagrangean relaxation for
 * integer programming. */
#ifndef TAAG_SCHEDULE_PACK_LP_H
#define TAAG_SCHEDULE_PACK_LP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    int32_t row, times; /* times: a, > 0 */
} PackEntry;

typedef struct {
    double worth; /* c */
    size_t first; /* entry; they end where those of the next column begin */
    bool open;    /* may be used */
} PackColumn;

typedef struct {
    int32_t rows, columns;
    int32_t *right;     /* b; the caller's to set */
    PackColumn *column; /* columns + 1 */
    PackEntry *entry;
    size_t entries, entry_cap, column_cap, x_cap, used_cap;
    double *x;    /* columns: the solution */
    int64_t work; /* so far, in entries looked at */

    int32_t *basis;      /* of each row a column, or -1 - a row */
    bool *used;          /* columns: in the basis */
    double *inverse;     /* of the basis: rows^2 */
    double *value, *way; /* rows: of the basis; of a column in terms of it */
    double *multiplier;  /* rows */
} PackLp;

/* No columns yet.  False: out of memory, and nothing is held. */
bool pack_lp_make(PackLp *out, int32_t rows);
void pack_lp_free(PackLp *lp);
/* Append a column, open, with an entry for each row at most.  False: out of memory. */
bool pack_lp_add(PackLp *lp, double worth, const PackEntry *entry, int32_t entries);
/* How often a column can be used alone. */
int32_t pack_lp_most(const PackLp *lp, int32_t column);
/* Returns what no solution in whole numbers is above.  x: the best solution, or a good one if the method
 * took too many steps.  Steps x (rows^2 + entries). */
double pack_lp_solve(PackLp *lp);
/* The same, from the last solution on: since then columns were appended, or opened. */
double pack_lp_go_on(PackLp *lp);

#endif
