/* Plans: what events do, in tables by the few cells that decide it.
 *
 * The moves of a program depend on the local states of its slots only as far as these offer its
 * action, and on the numbers of copies that do.  A program that looks at a few slots has a table of
 * its moves by these digits, which moves.c fills entry by entry as they are first needed; a larger
 * one is composed from the tables of its operands (compose.c).  What a move adds to the packed
 * state is the same in every state: fields do not overflow. */
#ifndef PEPA_CTMC_SEMANTICS_PLAN_H
#define PEPA_CTMC_SEMANTICS_PLAN_H

#include "ctmc/semantics/moves.h"

/* The table of a program, or of the components of a counted slot that are in one local state. */
typedef struct {
    int32_t prog;
    int32_t local;            /* of a counted slot; -1: all of the program */
    bool wanted;              /* its apparent rate is */
    int32_t digit, digit_end; /* what its entries are found by */
    size_t entry;             /* its first entry */
} PlanTable;

/* Adds weight[by_value + cells[cell]] to the number of the entry. */
typedef struct {
    int32_t cell;
    size_t by_value;
} Digit;

/* Moves first .. first + count - 1 of the plans. */
typedef struct {
    int32_t apparent; /* see MovesSummary; in an event's own table TERM_MIXED if it is at fault */
    int32_t count;
    uint32_t first;
    bool known; /* else it has not been computed */
    bool duplicates, self_loops;
} Entry;

/* How the moves of an event are found: in a table of its own, composed from those of its operands,
 * or by moves.c in every state. */
typedef enum { PLAN_TABLE, PLAN_COMPOSED, PLAN_INTERPRETED } PlanKind;

typedef struct {
    PlanKind kind;
    int32_t label;
    int32_t table;         /* PLAN_TABLE: its own */
    bool several_triggers; /* several slots trigger it */
    bool shares_slots;     /* another event of its label has moves of the same slot */
} EventPlan;

typedef struct {
    const System *system;
    bool self_loops;   /* some moves may leave the state as it is */
    EventPlan *events; /* by event */
    PlanTable *tables;
    int32_t *operand; /* operand[2 prog + wanted]: the table of a program that events are composed
                       * from, or the first of those of its local states; -1: there is none */
    Digit *digits;
    int32_t *weight;
    Entry *entries;
    size_t table_count, digit_count, weight_count, entry_count;
    size_t table_cap, digit_cap, weight_cap;
    /* Moves: a term, in events' own tables a kind, and what is added to the packed words. */
    int32_t *term;
    uint64_t *delta;
    size_t count, cap;
} Plans;

PepaStatus plans_new(Plans *plans, const System *system, PepaError *err);
void plans_free(Plans *plans);
double plans_bytes(const Plans *plans);

static inline Entry *plans_entry(const Plans *plans, const PlanTable *table, const int32_t *cells)
{
    size_t at = table->entry;
    for (int32_t d = table->digit; d < table->digit_end; d++) {
        const Digit *digit = &plans->digits[d];
        at += (size_t)plans->weight[digit->by_value + (size_t)cells[digit->cell]];
    }
    return &plans->entries[at];
}

/* Remember the moves begin .. m->count - 1 of m as those of an entry, and drop them from m.  False
 * when memory is out. */
bool plans_keep(Plans *plans, Entry *entry, MovesSummary all, Moves *m, size_t begin);

#endif
