/* Parallel exploration: what its files share. */
#ifndef PEPA_CTMC_EXPLORE_PARALLEL_H
#define PEPA_CTMC_EXPLORE_PARALLEL_H

#include <stdatomic.h>

#include "base/workers.h"
#include "ctmc/explore/explorer.h"
#include "ctmc/explore/concurrent_table.h"

enum { CACHE_LINE = 64 }; /* bytes */

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
    bool no_memory;
} BatchBlock;

typedef void ParallelTask(Parallel *parallel, int32_t index, Worker *worker);

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
};

/* Tasks 0 .. count - 1, by all threads. */
void parallel_run(Parallel *parallel, ParallelTask *task, int32_t count);
/* PEPA_ENOMEM if memory was out for one of the first `count` blocks. */
PepaStatus parallel_memory(const Parallel *parallel, int32_t count);

/* Store the blocks that are numbered, expand the next ones, and look up their targets. */
PepaStatus parallel_expand(Parallel *parallel);
/* Expand the states that were left out; *all: nothing is wrong with them. */
PepaStatus parallel_expand_rest(Parallel *parallel, bool *all);
/* Task: look up the targets of a block that have not been looked up. */
void parallel_look_up(Parallel *parallel, int32_t index, Worker *worker);

/* Free slots for the new states of the next batch. */
PepaStatus parallel_open(Parallel *parallel);
/* Number the states that the batch has found; singly: state by state, and report what is wrong. */
PepaStatus parallel_number(Parallel *parallel);
PepaStatus parallel_number_singly(Parallel *parallel);

#endif
