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
    double *val;                    /* or */
    uint16_t *code;                 /* of */
    Chances chances, outer_chances; /* of own entries, and of what others send */
    int32_t copies;                 /* states of others that flow into own ones */
    Berth *copy;                    /* which, ascending by process, then place */
    const double *read;             /* of share */
    PepaExchange exchange;          /* of their flows, which is open */
    PepaPiece *piece;               /* of it */
} SpreadFlow;                       /* starts as {0} */

/* A jump, on its way: to the process that has the target among its states, and from there to the one that
 * solves for it. */
typedef struct {
    int32_t to; /* index among its states; then place */
    Berth from; /* where the source is solved for */
    int32_t none;
    double chance;
} Jump;

/* Entries of rows, in the order in which they arrive; then rows, of which `col` and values are left.
 * Values are in `code` and `chances` as long as there are at most MOST_CHANCES different ones, if they are
 * few to begin with; else in `val`. */
typedef struct {
    int32_t *row, *col;
    double *val;
    uint16_t *code;
    Chances chances;
    bool few;
    size_t count, cap;
} Entries; /* starts as {0} */

typedef struct {
    SpreadFlow *out;
    const SpreadOrder *order;
    const PepaProcesses *processes;
    const double *value;
    const uint8_t *without; /* per action of the model, or NULL */
    bool onward;            /* rows of P itself, in place of those of P' */
    PepaError *err;
    Post post;
    int32_t state; /* own ones until here, and ... */
    int64_t at;    /* ... transitions are sent */
    Jump *passing; /* those that go on to where they are solved for */
    size_t passings, passed, passing_cap;
    Entries inner, outer;
    Table sources; /* of outer: what `col` counts, in the order of their first arrival */
    bool full;     /* memory is out */
} SpreadBuilding;

/* A source as a state of a table, and back. */
static inline uint64_t spread_source_key(Berth source)
{
    return (uint64_t)(uint32_t)source.process << 32 | (uint32_t)source.place;
}
static inline Berth spread_source(uint64_t key)
{
    return (Berth){(int32_t)(key >> 32), (int32_t)(uint32_t)key};
}

/* Is it so in all processes?  Else memory is out. */
PepaStatus spread_agree(const SpreadBuilding *building, bool ok);

/* few: see Entries.  False: memory is out; to be freed in both cases. */
bool entries_init(Entries *entries, bool few);
void entries_free(Entries *entries);
bool entries_add(Entries *entries, int32_t row, int32_t col, double value);
/* From codes to values, if they are in codes.  False: memory is out. */
bool entries_widen(Entries *entries);
/* Into rows with each column once, ascending, in place.  O(entries log row), and 8 bytes for each row.
 *   row  out: rows + 1 places
 * False: memory is out. */
bool entries_line_up(Entries *entries, int32_t rows, int64_t *row);
/* The same where they are in rows already, in order of columns if `sorted`. */
bool entries_tidy(Entries *entries, int32_t rows, int64_t *row, bool sorted);
/* So many entries, without rows, each of which is to be set.  False: memory is out. */
bool entries_make(Entries *entries, size_t count);
bool entries_set(Entries *entries, int64_t k, int32_t col, double value);

#endif
