/* Poisson's equation of few states: by elimination without subtractions.
 *
 * The most visited state stays to the last, since it is soon met again.  In long double, as what is earned and the mean reward
 * for that time nearly cancel in h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/budget.h"
#include "base/mem.h"
#include "solvers/direct/dense.h"
#include "solvers/potential/potential_private.h"

typedef struct {
    double visits;
    int32_t state;
} Visited;

enum { EARNED, TIME, SIDES };

typedef struct {
    Visited *by_visits; /* n: the most visited first */
    int32_t *place;     /* n: of each state, there; in that order are: */
    DenseChain chain;
    long double *net;        /* n: earned beyond the mean until the chain comes to a state before */
    long double *difference; /* n x n */
} Censored;

static int more_visited(const void *a, const void *b)
{
    const Visited *x = a, *y = b;
    if (x->visits != y->visits)
        return x->visits > y->visits ? -1 : 1;
    return (x->state > y->state) - (x->state < y->state);
}

static void order_by_visits(Censored *c, const Search *s)
{
    const int32_t n = s->flow.n;
    for (int32_t i = 0; i < n; i++)
        c->by_visits[i] = (Visited){s->problem->pi[i] * s->flow.exit[i], i};
    qsort(c->by_visits, (size_t)n, sizeof *c->by_visits, more_visited);
    for (int32_t k = 0; k < n; k++)
        c->place[c->by_visits[k].state] = k;
}

static bool censored_new(Censored *c, const Search *s)
{
    const size_t n = (size_t)s->flow.n;
    DenseChain *d = &c->chain;
    *d = (DenseChain){.n = s->flow.n, .sides = SIDES};
    if (!(mem_new(c->by_visits, n) && mem_new(c->place, n) && mem_new_zeroed(d->rate, n * n) &&
          mem_new(d->x, n * SIDES) && mem_new_zeroed(c->net, n) &&
          mem_new_zeroed(c->difference, n * n)))
        return false;
    order_by_visits(c, s);
    for (int32_t i = 0; i < s->flow.n; i++) {
        const size_t k = (size_t)c->place[i];
        for (int64_t e = s->flow.row[i]; e < s->flow.row[i + 1]; e++)
            d->rate[k * n + (size_t)c->place[s->flow.col[e]]] +=
                (long double)flow_val(&s->flow, e) * s->flow.exit[i];
        d->x[k * SIDES + EARNED] = s->problem->reward[i];
        d->x[k * SIDES + TIME] = 1;
    }
    return true;
}

static void censored_free(Censored *c)
{
    mem_free_all(c->by_visits, c->place, c->chain.rate, c->chain.x, c->net, c->difference);
}

/* *mean: the mean reward. */
static PepaStatus eliminate(Censored *c, const Control *control, long double *mean)
{
    const DenseChain *d = &c->chain;
    const PepaStatus status = dense_censor_all(d, 1, control, NULL);
    if (status != PEPA_OK)
        return status;
    *mean = d->x[EARNED] / d->x[TIME];
    for (int32_t k = 1; k < d->n; k++) {
        const long double *x = d->x + (size_t)k * SIDES;
        c->net[k] = (x[EARNED] - *mean * x[TIME]) / dense_way_out(d, k);
    }
    dense_differences(d, 1, c->net, c->difference);
    return PEPA_OK;
}

/* How flat w is, from differences; NULL: those of h.  A judgement from P h - h would not see what h has lost. */
static double unevenness(const Search *s, const long double *apart)
{
    const Flow *f = &s->flow;
    const double *pi = s->problem->pi;
    long double weight = 0, mean = 0, off = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int32_t i = 0; i < f->n; i++) {
            long double w = s->problem->reward[i];
            for (int64_t e = f->row[i]; e < f->row[i + 1]; e++) {
                const int32_t j = f->col[e];
                const long double more =
                    apart ? apart[(int64_t)i * f->n + j] : (long double)s->h[j] - s->h[i];
                w += f->exit[i] * flow_val(f, e) * more;
            }
            weight += pass == 0 ? pi[i] : 0;
            mean += pass == 0 ? pi[i] * w : 0;
            off += pass == 1 ? pi[i] * fabsl(w - mean / weight) : 0;
        }
    return mean > 0 ? (double)(off / mean) : HUGE_VAL;
}

/* The differences by states, into *apart, if they are good enough.  False: memory is out. */
static bool set_apart(Search *s, const Censored *c)
{
    const size_t n = (size_t)s->flow.n;
    long double *by_state;
    if (!mem_new(by_state, n * n))
        return false;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            by_state[i * n + j] = c->difference[(size_t)c->place[i] * n + (size_t)c->place[j]];
    const double off = unevenness(s, by_state);
    if (!(off <= s->try.goal)) {
        mem_free(by_state);
        return true;
    }
    s->try.criterion = s->try.residual = off;
    *s->problem->apart = by_state;
    return true;
}

/* h by states, and how good it is. */
static void set_potential(Search *s, const Censored *c, double mean)
{
    s->try.method = "gth";
    for (int32_t k = 0; k < s->flow.n; k++)
        s->h[c->by_visits[k].state] = (double)c->difference[k];
    potential_mean(s, mean);
    potential_judge(s);
    if (!s->problem->everywhere)
        s->try.criterion = s->try.residual = unevenness(s, NULL);
}

bool potential_censor(Search *s)
{
    const double n = s->flow.n, matrices = 3;
    Censored c = {0};
    long double mean = 0;
    bool done =
        budget_allows(s->try.control->memory, matrices * sizeof(long double) * n * (n + 3)) &&
        censored_new(&c, s);
    const PepaStatus status = done ? eliminate(&c, s->try.control, &mean) : PEPA_OK;
    done = done && status == PEPA_OK;
    if (status == PEPA_ECANCEL)
        s->try.status = status;
    if (done)
        set_potential(s, &c, (double)mean);
    if (done && s->problem->apart && !attempt_met(&s->try))
        done = set_apart(s, &c);
    censored_free(&c);
    return done;
}
