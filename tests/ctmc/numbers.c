/* Computes the activities of a state, with numbers for rates. */
#include "ctmc/numbers.h"

#include <math.h>

typedef Number RateValue;
typedef int32_t Count;
typedef NumberMoves MoveList;
typedef NumberMoves Traversal;

/* ---- the algebra of numbers ---------------------------------------------------------------- */

static inline RateValue rate_none(void)
{
    return (Number){0, NUMBER_NONE};
}
static inline RateValue rate_mixed(void)
{
    return (Number){0, NUMBER_MIXED};
}
static inline bool rate_exists(RateValue r)
{
    return r.kind == NUMBER_ACTIVE || r.kind == NUMBER_PASSIVE;
}
static inline bool rate_is_mixed(RateValue r)
{
    return r.kind == NUMBER_MIXED;
}
static inline bool rate_same(RateValue a, RateValue b)
{
    return a.kind == b.kind && a.value == b.value;
}
static inline bool rate_alike(const MoveList *m, RateValue a, RateValue b)
{
    (void)m;
    return a.kind == b.kind;
}
static inline RateLevel rate_level(const MoveList *m, RateValue r)
{
    (void)m;
    return r.kind == NUMBER_PASSIVE ? LEVEL_PASSIVE : LEVEL_TIMED;
}
static inline RateValue rate_prior(const MoveList *m, RateValue low, RateValue high)
{
    (void)m;
    (void)high;
    return low;
}
static inline bool rate_is_off(const MoveList *m, RateValue r)
{
    (void)m;
    return r.value == 0;
}
static inline RateValue rate_of_term(const MoveList *m, int32_t term)
{
    return (Number){m->rates->value[term],
                    m->rates->level[term] == LEVEL_PASSIVE ? NUMBER_PASSIVE : NUMBER_ACTIVE};
}
static inline RateValue rate_functional(const MoveList *m, int32_t expr)
{
    Value v = model_eval(m->system->model, expr, m->rates->values, m->counts);
    return (Number){v.value, v.level == LEVEL_PASSIVE ? NUMBER_PASSIVE : NUMBER_ACTIVE};
}
static inline RateValue rate_sum(const MoveList *m, RateValue a, RateValue b)
{
    (void)m;
    return (Number){a.value + b.value, a.kind};
}
static inline RateValue rate_scale(const MoveList *m, RateValue r, Count copies)
{
    (void)m;
    return (Number){r.value * copies, r.kind};
}
static inline RateValue rate_min(const MoveList *m, RateValue a, RateValue b)
{
    (void)m;
    return (Number){fmin(a.value, b.value), a.kind};
}
static inline RateValue rate_share(const MoveList *m, RateValue r, RateValue activity,
                                   RateValue apparent)
{
    (void)m;
    if (activity.value == apparent.value)
        return r;
    return (Number){r.value * (activity.value / apparent.value), r.kind};
}

#include "ctmc/semantics/traverse.h"

/* ---- hooks of the traversal: nothing is known before --------------------------------------- */

static inline MoveList *list_of(Traversal *m)
{
    return m;
}

static inline bool known(Traversal *m, int32_t prog, int32_t able, bool wanted, Found *found)
{
    (void)m, (void)prog, (void)able, (void)wanted, (void)found;
    return false;
}

static inline bool known_ready(Traversal *m, int32_t prog, bool *is_ready)
{
    (void)m, (void)prog, (void)is_ready;
    return false;
}

static inline void kept_moves(const Traversal *m, const RateValue **rate, const uint64_t **delta)
{
    (void)m;
    *rate = NULL;
    *delta = NULL;
}

/* ---- life, and programs -------------------------------------------------------------------- */

void number_moves_init(NumberMoves *m, const System *system, const RateTable *rates, int32_t *cells,
                       int32_t *counts)
{
    *m = (NumberMoves){.system = system,
                       .rates = rates,
                       .cells = cells,
                       .counts = counts,
                       .words = system->words};
}

void number_moves_free(NumberMoves *m)
{
    mem_free_all(m->rate, m->delta);
    *m = (NumberMoves){0};
}

Number number_moves_run(NumberMoves *m, int32_t prog, bool wanted)
{
    Found found;
    run(m, prog, wanted, &found);
    return found.apparent;
}
