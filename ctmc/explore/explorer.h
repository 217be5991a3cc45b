/* Explicit exploration, state by state: what its files share. */
#ifndef PEPA_CTMC_EXPLORE_EXPLORER_H
#define PEPA_CTMC_EXPLORE_EXPLORER_H

#include <stdatomic.h>

#include "ctmc/chain.h"
#include "ctmc/explore/tuning.h"
#include "ctmc/semantics/vanish.h"
#include "base/workers.h"
#include "ctmc/explore/concurrent_table.h"

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
    uint8_t *reported;   /* per action: bits of FaultKind already reported */
    int32_t faulty;      /* the first state with a fault, or -1 */
    int32_t next;        /* the first state that is not expanded */
    int32_t many;        /* with so many states that wait, several threads explore */
    double start, shown; /* on the clock, and seconds at the last progress call */
    double aside;        /* bytes of the buffers of several threads */
} Explorer;

/* An explorer of a chain that has its system only; it is to be closed in every case. */
PepaStatus explore_open(Explorer *x, Chain *chain, const PepaSettings *set, DiagList *diags,
                        PepaError *err);
void explore_close(Explorer *x);
/* What the kinds of the chain are, with actions renumbered to those that occur. */
PepaStatus explore_kinds(Explorer *x);

/* Expand the next states into the block; the first that takes more than that is left out, and ends
 * it. */
PepaStatus explore_fill(Explorer *x, Block *b, int32_t end);
/* The end of the states to be expanded now: at most x->next + most; after a fault, a few more. */
int32_t explore_end(const Explorer *x, int32_t most);
/* Space for the rows of states 0 .. states - 1 and for so many transitions. */
bool explore_reserve(Explorer *x, int32_t states, int64_t transitions);
/* Use 32 bits for kinds if there are too many for 16. */
bool explore_widen(Explorer *x);
/* Number the targets of a block in order, and give its states their rows; states that were left out
 * are expanded first. */
PepaStatus explore_number(Explorer *x, Block *block);
/* Check the number and the sum of a state's transitions, whose targets are numbered. */
PepaStatus explore_check(Explorer *x, const Block *block, int32_t index);
/* Store the transitions of a numbered block; an id -1 - g in it stands for number[g].  False when
 * memory is out. */
bool explore_store(const Explorer *x, const Block *block, const int32_t *number, Steps *steps);
PepaStatus explore_tick(Explorer *x);
/* Memory is out, or what set->memory allows was taken by terms: the error that says so. */
PepaStatus explore_no_memory(const Explorer *x);
/* PEPA_ELIMIT if what has been found, and the next growth of the table if there are so many states
 * to come, take more than set->memory. */
PepaStatus explore_memory(const Explorer *x, size_t more);

/* Expand states by set->threads threads while many are waiting.  Numbers are as with one thread. */
typedef struct Parallel Parallel;
PepaStatus parallel_new(Parallel **out, Explorer *x);
void parallel_free(Parallel *parallel);
PepaStatus parallel_explore(Parallel *parallel);

/* Put the states into the table in which the chain begins. */
PepaStatus explore_begin(Explorer *x);

/* Faults of the state that was expanded last; a rate that is not finite and > 0, in that state or
 * in none (NULL); and rates that are not finite together. */
PepaStatus report_faults(Explorer *x, const uint64_t *packed);
/* Faults of states that immediate activities lead to from the initial one. */
PepaStatus report_start(Explorer *x, const uint64_t *packed);
/* A cycle of immediate activities, from a state of a timeless trap. */
PepaStatus report_trap(Explorer *x, const uint64_t *packed);
PepaStatus report_rate(Explorer *x, const uint64_t *packed);
PepaStatus report_exit(Explorer *x, const uint64_t *packed, double exit);

/* What is wrong with a state, which has some fault: all of it goes to x->diags. */
PepaStatus explore_blame(Explorer *x, const uint64_t *packed);

/* ---- in parallel ---------------------------------------------------------------------------- */

/* A thread, and the tasks of a run that it does first. */
typedef struct {
    Expander expander;
    RateTable rates;  /* a view of the chain's */
    uint64_t *packed; /* its scratch */
    Steps steps;
    SlotRange slots;
    char padding[CACHE_LINE];
    atomic_int next; /* the first task that no thread has taken, ... */
    int32_t end;     /* ... and the end */
    char end_padding[CACHE_LINE];
} Worker;

/* A block of a batch. */
typedef struct {
    Block block;
    size_t firsts_cap;
    int32_t longest, deadlocks; /* the most moves of a state; states without any */
    int32_t first_id;           /* that of the first new state */
    int64_t first_row;          /* the number of the first transition */
    bool missing;               /* states were left out */
    bool unfinished;            /* not all targets are looked up */
} BatchBlock;

/* False: memory is out. */
typedef bool ParallelTask(Parallel *parallel, int32_t index, Worker *worker);

struct Parallel {
    Explorer *x;
    Workers *team;
    Worker *workers;
    int32_t threads;
    int32_t few;         /* states that wait: with fewer, one thread goes on alone */
    int32_t most;        /* blocks of a batch */
    int32_t least, each; /* states of a block: at least, in this batch */
    BatchBlock *blocks;
    Lookups *lookups;
    ConcurrentTable table;
    Block spare;
    int32_t stores;          /* blocks to be stored */
    int32_t expands, states; /* blocks to be expanded, and their states */
    int32_t added;           /* new states of the last batch */
    int32_t slices;          /* tasks by which a table grows */
    ParallelTask *task;      /* of a run */
    atomic_bool no_memory;   /* for some task of it */
};

#endif
