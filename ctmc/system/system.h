/* The system equation compiled for exploration: integers only.
 *
 * A slot holds one sequential component, or n copies of one in counted form.  A cell is an integer
 * of the state: the local state of a single component, or the number of copies in one local state.
 * A packed state keeps every cell in as few bits as its range needs.
 *
 * An event is an action type as it is seen at the root, or at the hiding node that turns it into
 * tau: a program over the slots that can take part, of the sums (either side moves) and
 * synchronisations (all sides move) of the cooperation tree.  Hillston 1996, ch. 3. */
#ifndef PEPA_CTMC_SYSTEM_SYSTEM_H
#define PEPA_CTMC_SYSTEM_SYSTEM_H

#include "ctmc/system/rates.h"

/* A local activity to local state `target` (index within the component).  term < 0: functional,
 * its rate expression is ~term. */
typedef struct {
    int32_t target, term;
} LocalMove;

enum { TERM_NONE = -1, TERM_MIXED = -2, TERM_BY_STATE = -3 };

/* What a local state can do for one action: moves[first .. end), of apparent rate `apparent`, which
 * is TERM_MIXED if passive and active ones meet, TERM_BY_STATE if some are functional. */
typedef struct {
    int32_t action; /* index in the component's alphabet */
    int32_t first, end, apparent;
} LocalOffer;

/* An activity whose duration is not exponential.  It is no move: chains have none. */
typedef struct {
    int32_t action; /* index in the component's alphabet */
    int32_t target, expr;
    Span span;
} LocalClock;

/* A kind of sequential component: what its initial local state can become. */
typedef struct {
    int32_t local_count;
    int32_t *local; /* model ids; local[0] is the initial one */
    int32_t action_count;
    int32_t *action; /* model ids, ascending */
    int32_t *row;    /* local state s has offers[row[s]] .. offers[row[s+1]-1], by action */
    LocalOffer *offers;
    LocalMove *moves;
    /* The local states that can do action k: able[able_row[k]] .. able[able_row[k+1]-1]. */
    int32_t *able_row, *able;
    /* Local state s has clocks[clock_row[s]] .. clocks[clock_row[s+1]-1], in the order of the text. */
    int32_t *clock_row;
    LocalClock *clocks;
} Component;

/* What local state s can do for the component's action k; NULL: nothing. */
static inline const LocalOffer *component_offer(const Component *c, int32_t s, int32_t k)
{
    int32_t low = c->row[s], high = c->row[s + 1];
    while (high - low > 4) {
        int32_t middle = low + (high - low) / 2;
        if (c->offers[middle].action <= k)
            low = middle;
        else
            high = middle;
    }
    for (; low < high; low++)
        if (c->offers[low].action == k)
            return &c->offers[low];
    return NULL;
}

typedef struct {
    uint32_t word, shift;
    uint64_t mask; /* 0: the cell has one value only */
} Field;

typedef struct {
    int32_t component, position;
    int64_t copies; /* 0: a single component; else counted, one cell per local state */
    int32_t cell;   /* its first cell; of a constant one see slot_is_constant */
} Slot;

enum { CELL_LATER = -1 }; /* while compiling, of a constant slot: it gets its cell last */

/* Copies of a composite component that may be permuted: copy k has cells
 * cell + k * width .. cell + (k+1) * width - 1.  Copies that never change are no group. */
typedef struct {
    int32_t cell, width, copies;
} Group;

typedef enum { PROG_SLOT, PROG_SUM, PROG_COPIES, PROG_SYNC } ProgKind;
/* Of a slot whose copies move together: most moves of a copy in one local state. */
enum { MOST_CHOICES = 8 };
/* Programs are numbered in preorder: prog + 1 .. end - 1 are those below `prog`, so that a loop
 * over them visits them from the left to the right.  A loop over all programs from the last to the
 * first visits operands before programs that use them.  Every program has at most one parent. */
typedef struct {
    ProgKind kind;
    int32_t slot, action; /* PROG_SLOT: which, and the action's index in its component */
    bool together;        /* PROG_SLOT of a counted slot: all copies move, else any one of them */
    int32_t first;        /* otherwise: its operands, linked by next; at least two */
    int32_t next;         /* the next operand of the same parent; -1: none */
    int32_t end;          /* the first program after those below this one */
    /* PROG_COPIES: the sum over the sorted copies of a group, operand k having the cells from
     * cell + k * width on; of equal ones the first moves for all.  Width 0: they never change. */
    int32_t cell, width;
    int32_t last, depth; /* while compiling: the last operand; levels below, 0 for PROG_SLOT */
} Prog;

typedef struct {
    /* Model action id; ACTION_TAU for hidden ones; LABEL_NONE: see add_suspects, layout.c. */
    int32_t label;
    int32_t action; /* its name below the hiding node */
    int32_t prog;
    bool several_triggers; /* several cells may trigger it in one state */
    uint8_t levels;        /* 1 << RateLevel of each level that its activities may have */
    bool steady;           /* all of them have one level and one priority, in all states: ... */
    int32_t priority;      /* ... this one */
} Event;
enum { LABEL_NONE = -1 };

/* A cell that may trigger events: those of trigger_first[at + its value], or, of a counted slot,
 * those of trigger_first[at] unless it is 0. */
typedef struct {
    int32_t cell, at;
    bool counted;
} Starter;

typedef struct {
    Arena arena; /* holds the components' arrays */
    const Model *model;
    Component *components;
    Slot *slots;
    Field *fields; /* one per cell; counted slots keep their last cell implicit (mask 0) */
    Group *groups; /* inner ones first */
    Prog *progs;
    Event *events;
    /* In local state s of a slot the events trigger_event[trigger_first[x] .. trigger_first[x+1])
     * may be possible, x = slot_trigger[slot] + s.  Wherever an event is possible, some slot
     * triggers it. */
    int32_t *slot_trigger, *trigger_first, *trigger_event;
    Starter *starters; /* in the order of slots and local states */
    int32_t starter_count;
    int32_t *position_component;
    int64_t *position_copies; /* over all slots of the position */
    int32_t component_count, slot_count, cell_count, group_count, prog_count, event_count;
    int32_t position_count;
    int32_t first_counted; /* of the slots; slot_count if none is counted */
    size_t words;
    bool aggregated, functional;
    bool large;    /* more components in all than 32 bits count: there is no chain */
    bool preempts; /* some activities are immediate, or have a priority */
} System;

/* A component of one local state never changes.  Its slot has no bits in packed states, and its cell
 * is behind those of the others: slots of single components share one. */
static inline bool slot_is_constant(const System *system, int32_t slot)
{
    return system->components[system->slots[slot].component].local_count == 1;
}

/* Compile a model; its leaf rates go into `rates`.  PEPA_ELIMIT: too many components when all
 * copies are written out. */
PepaStatus system_new(System **out, const Model *model, RateTable *rates, bool aggregate,
                      PepaError *err);
void system_free(System *system);
/* PEPA_ELIMIT (PEPA_LIMIT_COMPONENTS): it is too large for a chain. */
PepaStatus system_countable(const System *system, PepaError *err);
/* The last part of system_new: lay out cells and programs, and choose which slots trigger which
 * events.  Events without a label are added, for rates that might meet. */
PepaStatus system_finish(System *system, const RateTable *rates, size_t *event_cap, PepaError *err);

/* How many bits tell so many values apart. */
static inline uint32_t bits_for(int64_t values)
{
    uint32_t bits = 0;
    while ((INT64_C(1) << bits) < values)
        bits++;
    return bits;
}

/* 1 << RateLevel of each level that activities of an action of the whole may have, tau among them; passive
 * ones apart. */
uint8_t system_levels(const System *system, int32_t label);

/* Cells of a packed state, and back.  cells: cell_count. */
void system_unpack(const System *system, const uint64_t *packed, int32_t *cells);
void system_pack(const System *system, const int32_t *cells, uint64_t *packed);
/* The state in which every component is in its initial local state. */
void system_initial(const System *system, int32_t *cells);
/* Sort the copies within each group: the canonical representative. */
void system_canonical(const System *system, int32_t *cells);
/* How many components are in each local state of the model, whatever their phase: counts has
 * model->local_count. */
void system_counts(const System *system, const int32_t *cells, int64_t *counts);

/* A sequential component compiled on its own: its local states and activities as integers. */

/* Local states reachable from `initial` (a model id), breadth first, and their activities; equal
 * ones are added up.  Arrays go into the arena.
 *   index  scratch of model->local_count entries, all -1 before and after
 * False: memory is out. */
bool component_compile(Component *out, Arena *arena, const Model *model, RateTable *rates,
                       int32_t initial, int32_t *index);

/* The local states of a component in depth-first order (reverse postorder) from the initial one, in
 * which most moves lead onwards.  order: local_count.  False: memory is out. */
bool component_flow_order(const Component *component, int32_t *order);

#endif
