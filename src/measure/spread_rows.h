/* The rows of a SpreadFlow, and what they are made from. */
#ifndef PEPA_MEASURE_SPREAD_ROWS_H
#define PEPA_MEASURE_SPREAD_ROWS_H

#include "base/processes.h"
#include "measure/flow_build.h"
#include "measure/spread_order.h"
#include "solvers/internal.h"

typedef struct {
    Flow flow; /* borrows what follows */
    FlowShare share;
    int64_t *row;
    int32_t *col;
    double *val;    /* or */
    uint16_t *code; /* of */
    Chances chances;
    int32_t copies;        /* states of others that flow into own ones */
    Berth *copy;           /* which, ascending by process, then place */
    const double *read;    /* of share */
    PepaExchange exchange; /* of their flows, which is open */
    PepaPiece *piece;      /* of it */
} SpreadFlow;              /* starts as {0} */

/* A jump, on its way: to the process that has the target among its states, and from there to the one that
 * solves for it. */
typedef struct {
    int32_t to; /* index among its states; then place */
    Berth from; /* where the source is solved for */
    int32_t none;
    double chance;
} Jump;

/* What has arrived: an entry of a row. */
typedef struct {
    int32_t row, col; /* col: of a copy, once they are numbered */
    double chance;
} Entry;

typedef struct {
    SpreadFlow *out;
    const SpreadOrder *order;
    const PepaProcesses *processes;
    const double *value;
    const uint8_t *without; /* per action of the model, or NULL */
    PepaError *err;
    Post post;
    int32_t state; /* own ones until here, and ... */
    int64_t at;    /* ... transitions are sent */
    Jump *passing; /* those that go on to where they are solved for */
    size_t passings, passed, passing_cap;
    Entry *inner, *outer;
    Berth *source; /* per entry of outer */
    size_t inners, inner_cap, outers, outer_cap, source_cap;
    bool full; /* memory is out */
} SpreadBuilding;

/* Is it so in all processes?  Else memory is out. */
PepaStatus spread_agree(const SpreadBuilding *building, bool ok);
/* Entries, which are freed, into rows with each column once, ascending.
 *   row  rows + 1 entries;  col, val: out, the caller's in any case
 * False: memory is out. */
bool spread_make_rows(Entry *entry, size_t count, int32_t rows, int64_t *row, int32_t **col,
                      double **val);

#endif
