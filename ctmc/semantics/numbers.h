/* The algebra of numbers, for traverse.h: rates that are looked at once, as simulation does.
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
    return number_kind(r) >= NUMBER_ACTIVE && number_kind(r) <= NUMBER_PASSIVE;
}
static inline bool rate_is_mixed(RateValue r)
{
    return number_kind(r) == NUMBER_MIXED;
}
static inline bool rate_same(RateValue a, RateValue b)
{
    return a.sort == b.sort && a.value == b.value;
}
static inline bool rate_alike(const MoveList *m, RateValue a, RateValue b)
{
    (void)m;
    return a.sort == b.sort;
}
static inline RateLevel rate_level(const MoveList *m, RateValue r)
{
    (void)m;
    return (RateLevel)((int)number_kind(r) - NUMBER_ACTIVE);
}
static inline RateValue rate_prior(const MoveList *m, RateValue low, RateValue high)
{
    (void)m;
    if (number_priority(low) < number_priority(high))
        low.sort += NUMBER_KINDS * (number_priority(high) - number_priority(low));
    return low;
}
static inline bool rate_is_off(const MoveList *m, RateValue r)
{
    (void)m;
    return r.value == 0;
}
static inline RateValue rate_of_term(const MoveList *m, int32_t term)
{
    return number_of(m->rates->value[term], (RateLevel)m->rates->level[term],
                     m->rates->priority[term]);
}
static inline RateValue rate_functional(const MoveList *m, int32_t expr)
{
    const Value v = model_eval(m->system->model, expr, m->rates->values, m->counts);
    return number_of(v.value, v.level, v.priority);
}
static inline RateValue rate_sum(const MoveList *m, RateValue a, RateValue b)
{
    (void)m;
    a.value += b.value;
    return a;
}
static inline RateValue rate_scale(const MoveList *m, RateValue r, Count copies)
{
    (void)m;
    r.value *= (double)copies;
    return r;
}
static inline RateValue rate_min(const MoveList *m, RateValue a, RateValue b)
{
    const RateValue least = a.value < b.value ? a : b;
    return rate_prior(m, least, a.value < b.value ? b : a);
}
static inline RateValue rate_share(const MoveList *m, RateValue r, RateValue activity,
                                   RateValue apparent)
{
    (void)m;
    if (activity.value == apparent.value)
        return r;
    r.value *= activity.value / apparent.value;
    return r;
}

#endif
