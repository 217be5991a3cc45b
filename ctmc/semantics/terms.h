/* The algebra of rate terms, for traverse.h: rates that can be given new values later (rates.h).
 * Included behind moves.h, like traverse.h itself. */
#ifndef PEPA_CTMC_SEMANTICS_TERMS_H
#define PEPA_CTMC_SEMANTICS_TERMS_H

typedef int32_t RateValue; /* a term, TERM_NONE or TERM_MIXED */
typedef int32_t Count;
typedef Moves MoveList;

static inline RateValue rate_none(void)
{
    return TERM_NONE;
}
static inline RateValue rate_mixed(void)
{
    return TERM_MIXED;
}
static inline bool rate_exists(RateValue r)
{
    return r >= 0;
}
static inline bool rate_is_mixed(RateValue r)
{
    return r == TERM_MIXED;
}
static inline bool rate_same(RateValue a, RateValue b)
{
    return a == b;
}
static inline bool rate_alike(const Moves *m, RateValue a, RateValue b)
{
    return rates_alike(m->rates, a, b);
}
static inline RateLevel rate_level(const Moves *m, RateValue r)
{
    return (RateLevel)m->rates->level[r];
}
static inline bool rate_is_off(const Moves *m, RateValue r)
{
    return m->rates->value[r] == 0;
}
static inline RateValue rate_of_term(const Moves *m, int32_t term)
{
    (void)m;
    return term;
}
static inline RateValue rate_functional(Moves *m, int32_t expr)
{
    return rates_functional(m->rates, expr, m->counts);
}
static inline RateValue rate_sum(Moves *m, RateValue a, RateValue b)
{
    return rates_sum(m->rates, a, b);
}
static inline RateValue rate_scale(Moves *m, RateValue r, Count copies)
{
    return rates_scale(m->rates, r, copies);
}
static inline RateValue rate_min(Moves *m, RateValue a, RateValue b)
{
    return rates_min(m->rates, a, b);
}
static inline RateValue rate_prior(Moves *m, RateValue low, RateValue high)
{
    return rates_prior(m->rates, low, high);
}
static inline RateValue rate_share(Moves *m, RateValue r, RateValue activity, RateValue apparent)
{
    return rates_share(m->rates, r, activity, apparent);
}

#endif
