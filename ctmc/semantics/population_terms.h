/* The algebra of expressions over counts, for traverse.h: its rates, counts and lists of moves. */
#ifndef PEPA_CTMC_SEMANTICS_POPULATION_TERMS_H
#define PEPA_CTMC_SEMANTICS_POPULATION_TERMS_H

#include <string.h>

#include "ctmc/semantics/condition.h"
#include "ctmc/semantics/flow_end.h"
#include "ctmc/semantics/flow_rate.h"

typedef int32_t RateValue; /* an expression, RATE_NONE or RATE_MIXED */
typedef int32_t Count;     /* from COUNT_FIRST on a variable */
enum { RATE_NONE = -1, RATE_MIXED = -2 };
/* Below it: how many copies of a composite component one stands for. */
enum { COUNT_FIRST = 1 << 30 };

/* The moves of a program.  Words are fields, one per slot, of the number of a local move: from x
 * local states + to + 1, or 0. */
typedef struct {
    const System *system; /* a copy, in which all slots are counted and cells are variables */
    const RateTable *table;
    Flows *flows;
    const int32_t *by_local; /* per local state of the model: how many of all, an expression or -1;
                              * of phases: with the state of which they are */
    Count *cells;
    Field *field;          /* per slot */
    int32_t *first_slot;   /* per word; words + 1 */
    const double *typical; /* per variable, for conditions */
    int32_t variables;
    bool apart; /* copies of composites are not taken together */
    RateValue *rate;
    uint64_t *delta;
    size_t words, count, cap;
    bool no_memory;
} MoveList;
typedef MoveList Traversal;

/* ---- the algebra of expressions -------------------------------------------------------------- */

static inline RateValue rate_none(void)
{
    return RATE_NONE;
}
static inline RateValue rate_mixed(void)
{
    return RATE_MIXED;
}
static inline bool rate_exists(RateValue r)
{
    return r >= 0;
}
static inline bool rate_is_mixed(RateValue r)
{
    return r == RATE_MIXED;
}
static inline bool rate_same(RateValue a, RateValue b)
{
    return a == b;
}
/* The kind of a rate goes with the expression, and sums of active and passive ones are found when all is
 * built. */
static inline bool rate_alike(const MoveList *m, RateValue a, RateValue b)
{
    (void)m, (void)a, (void)b;
    return true;
}
static inline RateLevel rate_level(const MoveList *m, RateValue r)
{
    (void)m, (void)r;
    return LEVEL_TIMED;
}
static inline RateValue rate_prior(const MoveList *m, RateValue low, RateValue high)
{
    (void)m, (void)high; /* there are no priorities */
    return low;
}
static inline bool rate_is_off(const MoveList *m, RateValue r)
{
    (void)m, (void)r;
    return false;
}
static RateValue number_of(const MoveList *m, double value, bool passive)
{
    return flow_number(m->flows, value, passive ? FLOW_PASSIVE : FLOW_ACTIVE);
}
static inline RateValue rate_of_term(const MoveList *m, int32_t term)
{
    return number_of(m, m->table->value[term], m->table->level[term] != LEVEL_TIMED);
}

/* Depth is bounded when a model is read: CHECK_MAX_DEPTH. */
static RateValue rate_functional(const MoveList *m, int32_t expr)
{
    const Model *model = m->system->model;
    const Expr *e = &model->exprs[expr];
    switch (e->op) {
    case EXPR_NUMBER:
        return flow_number(m->flows, e->number, FLOW_ACTIVE);
    case EXPR_PASSIVE:
    case EXPR_IMMEDIATE:
        return flow_number(m->flows, 1, FLOW_PASSIVE);
    case EXPR_COUNT:
        return m->by_local[e->a] < 0 ? flow_number(m->flows, 0, FLOW_ACTIVE) : m->by_local[e->a];
    case EXPR_RATE:
        return e->functional ? rate_functional(m, model->rates[e->a].expr)
                             : number_of(m, m->table->values[e->a].value,
                                         m->table->values[e->a].level != LEVEL_TIMED);
    case EXPR_IF: {
        const RateValue condition = rate_functional(m, e->a);
        const RateValue then = rate_functional(m, model->exprs[e->b].a);
        return flow_if(m->flows, condition, then, rate_functional(m, model->exprs[e->b].b));
    }
    default:
        break;
    }
    const RateValue a = rate_functional(m, e->a), b = e->b < 0 ? -1 : rate_functional(m, e->b);
    return e->op >= EXPR_LESS && e->op <= EXPR_UNEQUAL
               ? condition_compare(m->flows, e->op, a, b, m->typical, m->variables)
               : flow_operate(m->flows, e->op, a, b);
}
static inline RateValue rate_sum(const MoveList *m, RateValue a, RateValue b)
{
    return flow_sum(m->flows, a, b);
}
/* A number of copies of composites: the variables of the first one count all; unless they are apart,
 * and equal since they never change. */
static inline RateValue rate_scale(const MoveList *m, RateValue r, Count copies)
{
    if (copies < COUNT_FIRST)
        return m->apart ? flow_times(m->flows, r, copies) : r;
    const int32_t count = flow_count(m->flows, copies - COUNT_FIRST);
    return flow_until_end(m->flows, flow_scale(m->flows, r, count), count, m->typical,
                          m->variables);
}
static inline RateValue rate_min(const MoveList *m, RateValue a, RateValue b)
{
    return flow_least(m->flows, a, b);
}
static inline RateValue rate_share(const MoveList *m, RateValue r, RateValue activity,
                                   RateValue apparent)
{
    return flow_share(m->flows, r, activity, apparent);
}

/* ---- cells and steps ------------------------------------------------------------------------- */

#define TRAVERSE_CELLS
static inline bool slot_is_counted(const Slot *slot)
{
    (void)slot;
    return true;
}
static inline bool copies_are_equal(const Count *a, const Count *b, int32_t width)
{
    return memcmp(a, b, (size_t)width * sizeof *a) == 0;
}

static const Field *field_of(const MoveList *m, const Slot *slot)
{
    return &m->field[slot - m->system->slots];
}
#define step_add(s, delta, slot, from, to) put_step(m, delta, slot, from, to)
static inline void put_step(const MoveList *m, uint64_t *delta, const Slot *slot, int32_t from,
                            int32_t to)
{
    const Field *f = field_of(m, slot);
    const int32_t locals = m->system->components[slot->component].local_count;
    delta[f->word] |= ((uint64_t)from * (uint64_t)locals + (uint64_t)to + 1) << f->shift;
}

#endif
