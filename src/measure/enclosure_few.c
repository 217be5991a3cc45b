/* By elimination without subtractions, with the bound of its rounding: a mean is a sum of products of rates over another one, and
 * off by 2 n d if these are by d each, relative to themselves (O'Cinneide, Numer. Math. 65, 1993).  Rewards below 0 count
 * apart. */
#include "measure/enclosure_few.h"

#include <float.h>
#include <math.h>

#include "base/budget.h"
#include "measure/steady.h"

enum { ABOVE, BELOW, SIDES };

typedef struct {
    const FewStates *few;
    int32_t b, n;
    int32_t *place; /* per state of the chain, or -1 */
    long double *rate, *x;
    double roundings;                  /* most of any value */
    int64_t met, first, longest, from; /* transitions of one state */
} Filling;

static int32_t states_of(const Chain *chain, int32_t b, int32_t *place)
{
    int32_t n = 0;
    for (int64_t s = 0; s < chain->state_count; s++) {
        const int32_t own = chain_component(chain, s);
        const bool within = b < 0 ? own >= 0 : own == b;
        if (place)
            place[s] = within ? n : -1;
        n += within;
    }
    return n;
}

bool enclose_few_may(const Chain *chain, int64_t memory)
{
    const double n = states_of(chain, -1, NULL);
    return n <= CENSOR_FIRST &&
           budget_allows(memory, n * (n + 2 * SIDES + 2) * sizeof(long double));
}

static void add_reward(const Filling *f, int32_t row, long double earned)
{
    f->x[(size_t)row * SIDES + (earned > 0 ? ABOVE : BELOW)] += fabsl(earned);
}

static void add_transition(void *user, const Transition *t)
{
    Filling *f = user;
    const int32_t row = f->place[t->from];
    if (row < 0)
        return;
    if (t->from != f->from) {
        f->from = t->from;
        f->first = f->met;
    }
    f->met++;
    f->longest = f->met - f->first > f->longest ? f->met - f->first : f->longest;
    const long double rate = f->few->value[t->term];
    f->roundings = fmax(f->roundings, f->few->value_roundings[t->term]);
    if (t->to != t->from)
        f->rate[(size_t)row * (size_t)f->n + (size_t)f->place[t->to]] += rate;
    if (f->few->reward.by_action)
        add_reward(f, row, f->few->reward.by_action[t->action] * rate);
}

static PepaStatus fill(Filling *f, PepaError *err)
{
    const Chain *chain = f->few->chain;
    if (!mem_new(f->place, chain->state_count))
        return error_memory(err);
    f->n = states_of(chain, f->b, f->place);
    const size_t n = (size_t)f->n;
    if (!(mem_new_zeroed(f->rate, n * n) && mem_new_zeroed(f->x, n * SIDES)))
        return error_memory(err);
    for (int64_t s = 0; s < chain->state_count && f->few->reward.by_state; s++)
        if (f->place[s] >= 0)
            add_reward(f, f->place[s], f->few->reward.by_state[s]);
    return chain_each_transition(chain, add_transition, f, err);
}

/* The mean is off by its parts' error. */
static void narrow(const Filling *f, const long double *mean, double off, Interval *x)
{
    const double fine = (double)LDBL_EPSILON / 2 * (f->roundings + (double)f->longest + 4),
                 coarse = DBL_EPSILON / 2 * f->few->reward_roundings,
                 all = expm1((off + 2 * (f->n + 1) * fine + 2 * coarse) * (1 + 16 * DBL_EPSILON));
    const long double middle = mean[ABOVE] - mean[BELOW], size = mean[ABOVE] + mean[BELOW];
    const long double error = size * (all + (double)LDBL_EPSILON) * (1 + 8 * DBL_EPSILON);
    const Interval found = interval_outwards((double)(middle - error), (double)(middle + error));
    if (isfinite(found.low) && isfinite(found.high))
        *x = (Interval){fmax(x->low, found.low), fmin(x->high, found.high)};
}

PepaStatus enclose_few(const FewStates *few, int32_t b, const PepaSettings *set, Interval *x,
                       PepaError *err)
{
    const Control control = settings_control(set, set->memory);
    Filling f = {.few = few, .b = b, .from = -1};
    long double mean[SIDES];
    double off;
    PepaStatus status = fill(&f, err);
    if (status == PEPA_OK)
        status = means_gth(f.n, SIDES, f.rate, f.x, &control, mean, &off, err);
    if (status == PEPA_OK)
        narrow(&f, mean, off, x);
    mem_free_all(f.place, f.rate, f.x);
    return status == PEPA_ENOCONV ? PEPA_OK : status;
}
