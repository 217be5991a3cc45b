/* Explicit exploration, state by state: what its files share. */
#ifndef PEPA_CTMC_EXPLORE_EXPLORER_H
#define PEPA_CTMC_EXPLORE_EXPLORER_H

#include "ctmc/chain.h"
#include "ctmc/semantics/expand.h"

/* A transition of the state being stored, to be sorted by action, then target. */
typedef struct {
    uint64_t action_target;
    int32_t kind;
} Step;

/* Workspace for the transitions of one state. */
typedef struct {
    Step *items;
    size_t cap;
} Steps;

typedef struct {
    Chain *chain;
    const PepaSettings *set;
    DiagList *diags;
    PepaError *err;
    Plans plans;
    Table kinds;
    Expander expander;
    Block block;
    Steps steps;
    size_t row_cap, transition_cap;
    uint8_t *reported;   /* per action: bits of MovesFault already reported */
    int32_t faulty;      /* the first state with a fault, or -1 */
    int32_t next;        /* the first state that is not expanded */
    int32_t many;        /* with so many states that wait, several threads explore */
    double start, shown; /* on the clock, and seconds at the last progress call */
    double aside;        /* bytes of the buffers of several threads */
} Explorer;

/* How many states are expanded at a time: few enough for their moves to stay in the cache. */
enum { BLOCK_STATES = 256 };

/* The end of the states to be expanded now: at most x->next + most; after a fault, only some more. */
int32_t explore_end(const Explorer *x, int32_t most);
/* Space for the rows of states 0 .. states - 1 and for so many transitions. */
bool explore_reserve(Explorer *x, int32_t states, int64_t transitions);
/* Use 32 bits for kinds if there are too many for 16. */
bool explore_widen(Explorer *x);
/* Number the targets of a block in order, and give its states their rows; states that were left out
 * are expanded first. */
PepaStatus explore_number(Explorer *x, Block *block);
/* Check the transitions of a state together, whose targets are numbered: their number, their sum. */
PepaStatus explore_check(Explorer *x, const Block *block, int32_t index);
/* Store the transitions of a numbered block; an id -1 - g in it stands for number[g].  False when
 * memory is out. */
bool explore_store(const Explorer *x, const Block *block, const int32_t *number, Steps *steps);
PepaStatus explore_tick(Explorer *x);
/* PEPA_ELIMIT if what has been found, and the next growth of the table if there are so many states
 * to come, take more than set->memory. */
PepaStatus explore_memory(const Explorer *x, size_t more);

/* Expand states with set->threads threads, as long as many are waiting.  Numbers come out as with
 * one. */
typedef struct Parallel Parallel;
PepaStatus parallel_new(Parallel **out, Explorer *x);
void parallel_free(Parallel *parallel);
PepaStatus parallel_explore(Parallel *parallel);

/* Faults of the state that was expanded last; a rate that is not finite and > 0, in that state or
 * in none (-1); and rates that are not finite together. */
PepaStatus report_faults(Explorer *x, int32_t state);
PepaStatus report_rate(Explorer *x, int32_t state);
PepaStatus report_exit(Explorer *x, int32_t state, double exit);

#endif
