/* From a chain to the solvers' flow form, for a subset of its states in a given order. */
#ifndef PEPA_MEASURE_FLOW_BUILD_H
#define PEPA_MEASURE_FLOW_BUILD_H

#include <stdbool.h>
#include <stdint.h>

#include "ctmc/chain.h"
#include "solvers/internal.h"

enum { MOST_CHANCES = 1 << 16 };
#define MANY_ENTRIES 1e6 /* from which on compact rows save time as well as memory */

typedef struct {
    double *value; /* count, in the order of their first occurrence; room for MOST_CHANCES */
    int32_t *slot; /* places of values by hash, counted from 1; 0: free.  NULL once closed */
    int32_t count, last;
} Chances; /* starts as {0} */

bool chances_init(Chances *c); /* false: memory is out */
/* The place of x among the values; -1: there are MOST_CHANCES others.  O(1). */
int32_t chances_find(Chances *c, double x);
/* No more to be found: gives back what is not needed to read the values. */
void chances_close(Chances *c);
void chances_free(Chances *c);
/* The error that there are more: PEPA_ELIMIT. */
PepaStatus chances_too_many(PepaError *err);

/* Owns what a Flow borrows.  Entries are in val, or in code and chances.  Starts as {0}. */
typedef struct {
    int32_t n;
    int64_t *row;
    int32_t *col;
    double *val, *exit;
    uint16_t *code;
    Chances chances;
} FlowOwner;

/* The jump chain transposed, restricted to the states order[0 .. n): state order[i] is row i.
 *   place  per state of the chain: its i, or -1 outside
 * order and place NULL: all states, by their numbers, for flow_fill_rates.
 * This allocates the rows; flow_fill puts entries in, again whenever rates change.  exit[i] is the
 * exit rate of the state, transitions out of the subset included, self-loops excluded.
 * Both O(transitions of the subset). */
PepaStatus flow_build(FlowOwner *out, const Chain *chain, const int32_t *order, int32_t n,
                      const int32_t *place, PepaError *err);

/* Columns and values.
 *   value   per term: its rate
 *   form    PEPA_MATRIX_EXPLICIT, PEPA_MATRIX_COMPACT, or PEPA_MATRIX_AUTO: compact if there are
 *           many entries and few different ones
 *   control memory: bytes that they may take; and progress
 * Errors: PEPA_ELIMIT: the memory budget is too small, or PEPA_MATRIX_COMPACT is requested and
 * there are more than MOST_CHANCES distinct values; PEPA_ENOMEM, PEPA_ECANCEL. */
PepaStatus flow_fill(FlowOwner *flow, PepaMatrixForm form, const Control *control,
                     const Chain *chain, const double *value, const int32_t *order,
                     const int32_t *place, PepaError *err);
/* The same with the rates q_ij of all states, by their numbers, in place of chances of jumps.
 *   without  per action of the model: the entries of its transitions are 0, though exit rates count
 *            them, self-loops too, since they lead away; NULL: none is */
PepaStatus flow_fill_rates(FlowOwner *flow, const Control *control, const Chain *chain,
                           const double *value, const uint8_t *without, PepaError *err);
Flow flow_view(const FlowOwner *flow, const double *b);
void flow_free(FlowOwner *flow);

/* ---- for code that fills entries ------------------------------------------------------------ */

/* PEPA_OK; PEPA_ELIMIT: flow_set was false; PEPA_ECANCEL: the monitor cancels; or PEPA_ENOMEM. */
typedef PepaStatus FlowFiller(FlowOwner *flow, Monitor *monitor, void *user);
/* Call `filler` to fill in row[n] entries in the requested form; for PEPA_MATRIX_AUTO call it again
 * with explicit entries if there are too many distinct values.  Contract of flow_fill. */
PepaStatus flow_entries(FlowOwner *flow, PepaMatrixForm form, const Control *control,
                        FlowFiller *filler, void *user, PepaError *err);
/* Entry k; set: false if there are too many different values. */
double flow_get(const FlowOwner *flow, int64_t k);
bool flow_set(FlowOwner *flow, int64_t k, double value);
/* Bytes of rows without their entries. */
double flow_row_bytes(double states);
/* Bytes of columns and values of so many entries in that form. */
double flow_entry_bytes(PepaMatrixForm form, double entries);

#endif
