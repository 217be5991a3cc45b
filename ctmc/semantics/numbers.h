/* The algebra of numbers, for traverse.h: rates that are looked at once, as simulation does.  It is
 * for models without immediate activities and priorities.
 * Included where MoveList and Count are known, like traverse.h itself; the list has as well
 *     rates   the values of its rates and of the system's own terms are read
 *     counts  model->local_count, if there are functional rates */
#ifndef PEPA_CTMC_SEMANTICS_NUMBERS_H
#define PEPA_CTMC_SEMANTICS_NUMBERS_H

#include "ctmc/semantics/number.h"

typedef Number RateValue;

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
    (void)m; /* there are no priorities */
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
    const Value v = model_eval(m->system->model, expr, m->rates->values, m->counts);
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
    return (Number){r.value * (double)copies, r.kind};
}
static inline RateValue rate_min(const MoveList *m, RateValue a, RateValue b)
{
    (void)m;
    return (Number){a.value < b.value ? a.value : b.value, a.kind};
}
static inline RateValue rate_share(const MoveList *m, RateValue r, RateValue activity,
                                   RateValue apparent)
{
    (void)m;
    if (activity.value == apparent.value)
        return r;
    return (Number){r.value * (activity.value / apparent.value), r.kind};
}

#endif
