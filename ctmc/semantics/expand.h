/* Finds the transitions out of states, a block at a time: most of the work of exploration. */
#ifndef PEPA_CTMC_SEMANTICS_EXPAND_H
#define PEPA_CTMC_SEMANTICS_EXPAND_H

#include "ctmc/semantics/plan.h"
#include "ctmc/semantics/vanish.h"

/* Moves of consecutive states, those of one state side by side and no two of them alike in
 * action and
 * target.  A kind is the id of hash_pair(action, term) in a table. */
typedef struct {
    int32_t first, count; /* states first .. first + count - 1 */
    int32_t numbered;     /* of how many the targets are numbered and the rows known */
    size_t *begin;        /* where each one's moves begin ... */
    int32_t *length;      /* ... and how many there are; -1: it was left out */
    size_t state_cap;     /* of these two */
    size_t moves;
    size_t cap; /* of the next four arrays */
    uint64_t *target;
    int32_t *kind, *id; /* id: the target's number, once known */
    uint32_t *hash;
} Block;

void block_free(Block *block);
/* Empty the block, for up to `count` states from `first` on. */
bool block_begin(Block *block, int32_t first, int32_t count);
bool block_reserve(Block *block, size_t more, size_t words); /* moves */
double block_bytes(const Block *block, size_t words);
/* The next state has the moves from `begin` on; or is left out. */
static inline void block_add(Block *block, size_t begin, bool expanded)
{
    block->begin[block->count] = begin;
    block->length[block->count++] = expanded ? (int32_t)(block->moves - begin) : -1;
}
/* Put the moves in the order of states, none of which is left out; spare: a block to exchange it
 * for.  False when memory is out. */
bool block_sort(Block *block, Block *spare, size_t words);
/* Fill in the hashes of the targets of moves `from` and later ones. */
void block_hash(Block *block, const Table *states, size_t from);

static inline int32_t kind_action(const Table *kinds, int32_t kind)
{
    return (int32_t)(kinds->state[kind] >> 32);
}
static inline int32_t kind_term(const Table *kinds, int32_t kind)
{
    return (int32_t)(uint32_t)kinds->state[kind];
}

typedef enum {
    EXPANDED,
    EXPAND_MISSING, /* it needs rates, kinds or entries that are not there yet */
    EXPAND_FAULTY,  /* an event is at fault: expand_interpreted says which */
    EXPAND_MEMORY
} Expansion;

/* What is wrong with an event in a state. */
typedef enum { FAULT_PASSIVE, FAULT_MIXED, FAULT_KINDS } FaultKind;
typedef struct {
    int32_t event;
    FaultKind kind;
} EventFault;

typedef struct {
    Moves moves;
    Plans *plans;
    Table *kinds;
    bool frozen;       /* plans, kinds and rates are read only: other threads read them */
    bool interpreting; /* without plans, and in spite of faults */
    bool missing, faulty, no_memory;
    EventFault *faults; /* of the state, when it was interpreted */
    size_t fault_count, fault_cap;
    bool may_repeat;            /* moves found for the state may lead to the same state */
    int32_t sharing, tau_loops; /* events found that share slots; tau events with self-loops */
    int32_t turn, *tried;       /* tried: per event, the last turn it was looked at */
    bool vanishing;             /* the state that was expanded last has immediate activities */
    const uint64_t
        *culprit;      /* the vanishing state with the faults, if it is not the state itself; */
    bool trapped;      /* its fault: it is part of a timeless trap */
    Vanished vanished; /* if some activities are immediate or have priorities */
    int32_t last_label, last_term, last_kind; /* the kind asked for last */
    struct Ordered *ordered;                  /* scratch for merging */
    size_t ordered_cap;
} Expander;

PepaStatus expander_init(Expander *expander, const System *system, RateTable *rates, Plans *plans,
                         Table *kinds, PepaError *err);
void expander_free(Expander *expander);

/* Append the moves of a tangible state to the block, those into vanishing states as moves to the
 * tangible ones in which they end (vanish.c), whose caller notes where they begin and end; if it is
 * not expanded nothing is appended. */
Expansion expand_state(Expander *expander, const uint64_t *packed, Block *block);
/* The same without plans, also if an event is at fault: expander->faults has these. */
Expansion expand_interpreted(Expander *expander, const uint64_t *packed, Block *block);

/* Append the tangible states in which the process begins, given its initial state; the kind of each
 * is the term of its probability. */
Expansion expand_start(Expander *expander, const uint64_t *packed, Block *block);

/* ---- for the files that expand states ------------------------------------------------------- */

/* The moves of a program in the state of e->moves.cells, composed from tables into e->moves. */
MovesSummary expand_compose(Expander *e, int32_t prog);
/* The moves of a state as they are, vanishing or not. */
Expansion expand_one(Expander *e, const uint64_t *packed, Block *block);
/* What expand_state does if some states may vanish. */
Expansion expand_tangible(Expander *e, const uint64_t *packed, Block *block);
/* The kind of transitions that an action and a rate make; 0, with e->missing or e->no_memory set, if
 * there is none. */
int32_t expand_kind(Expander *e, int32_t label, int32_t term);
/* Among the moves of the block from `begin` on, merge those alike in action and target: they are
 * one transition.  The others keep their order. */
void expand_merge(Expander *e, Block *block, size_t begin);

#endif
