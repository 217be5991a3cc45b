/* Between the files that explore by several threads. */
#ifndef PEPA_CTMC_EXPLORE_PARALLEL_H
#define PEPA_CTMC_EXPLORE_PARALLEL_H

#include <stdatomic.h>

#include "base/workers.h"
#include "ctmc/explore/explorer.h"
#include "ctmc/explore/concurrent_table.h"

enum { APART = 64 }; /* bytes of a cache line */

typedef struct {
    Expander expander;
    RateTable rates;  /* a view */
    uint64_t *packed; /* of that */
    Steps steps;
    Seats seats;
    char apart[APART];
    atomic_int next; /* of its share of a round: the first task that nobody has taken, ... */
    int32_t end;     /* ... and the end */
    char end_apart[APART];
} Worker;

/* A block of a batch. */
typedef struct {
    Block block;
    size_t met_cap;
    int32_t longest, deadlocks; /* the most moves of a state; states without any */
    int32_t first_id;           /* that of the first new state */
    int64_t first_row;          /* the number of the first transition */
    bool missing, waits;        /* states were left out; not all targets are looked up */
    bool no_memory;
} Portion;

typedef void CrowdTask(Crowd *crowd, int32_t index, Worker *worker);

struct Crowd {
    Explorer *x;
    Workers *team;
    Worker *workers;
    int32_t threads, few;      /* few: states that wait, too few to go on */
    int32_t most, least, each; /* blocks of a batch; states of one: at least, now */
    Portion *portions;
    Visit *visits;
    Guests guests;
    Block spare;
    int32_t count;         /* blocks to be stored */
    int32_t fills, states; /* blocks to be filled, with how many states */
    int32_t came;          /* guests of the last batch */
    int32_t slices;        /* of what has to be done for a table that grows */
    CrowdTask *task;       /* of a round */
};

/* A round: tasks 0 .. count - 1, by all threads. */
void crowd_do(Crowd *crowd, CrowdTask *task, int32_t count);
/* PEPA_ENOMEM if memory was out for one of the first `count` blocks. */
PepaStatus crowd_memory(const Crowd *crowd, int32_t count);

/* Store the blocks that are numbered, expand those to be filled, and look up their targets. */
PepaStatus crowd_fill(Crowd *crowd);
/* Expand what was left out; *all: nothing is wrong with it. */
PepaStatus crowd_learn(Crowd *crowd, bool *all);
/* Look up what has not been. */
void crowd_look_up(Crowd *crowd, int32_t index, Worker *worker);

/* No guests, and room for those of the next batch. */
PepaStatus crowd_open(Crowd *crowd);
/* Number what the batch has found; singly: state by state, with whatever there is to say. */
PepaStatus crowd_number(Crowd *crowd);
PepaStatus crowd_number_singly(Crowd *crowd);

#endif
