/* Finds the transitions out of states, a block at a time: most of the work of exploration. */
#ifndef PEPA_CTMC_SEMANTICS_EXPAND_H
#define PEPA_CTMC_SEMANTICS_EXPAND_H

#include "ctmc/semantics/block.h"
#include "ctmc/semantics/plan.h"
#include "ctmc/semantics/vanished.h"

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
    bool preempting;    /* some of its activities may preempt others, or be immediate; ... */
    int32_t precedence; /* ... if not, all of them have this precedence; 0: there are none */
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

/* The moves of a program in the state of e->moves.cells, composed from tables into e->moves. */
MovesSummary expand_compose(Expander *e, int32_t prog);
/* The moves of a state as they are, vanishing or not. */
Expansion expand_one(Expander *e, const uint64_t *packed, Block *block);
/* The same without events that are always timed: all moves of a vanishing state. */
Expansion expand_urgent(Expander *e, const uint64_t *packed, Block *block);
/* The kind of transitions that an action and a rate make; 0, with e->missing or e->no_memory set, if
 * there is none. */
int32_t expand_kind(Expander *e, int32_t label, int32_t term);
/* Among the moves of the block from `begin` on, merge those alike in action and target: they are
 * one transition.  The others keep their order. */
void expand_merge(Expander *e, Block *block, size_t begin);

#endif
