/* Poisson's equation by elimination. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/budget.h"
#include "base/mem.h"
#include "solvers/potential/potential_private.h"

/* The equation left out takes what inconsistency the others leave, divided by its share of the
 * visits. */
static int32_t most_visited(const Search *s)
{
    int32_t most = 0;
    for (int32_t i = 1; i < s->flow.n; i++)
        if (s->problem->pi[i] * s->flow.exit[i] > s->problem->pi[most] * s->flow.exit[most])
            most = i;
    return most;
}

/* Correct h until that no longer helps.  The first round finds h.  The second corrects the mean,
 * which pi gives only to pi's own accuracy. */
static void refine(Search *s, Factors *f)
{
    const int32_t most = 10;
    for (int32_t round = 0; round < most && !attempt_met(&s->try); round++) {
        double last = s->try.criterion;
        if (!factors_correct(f, s->defect, s->h))
            return;
        potential_judge(s);
        if (round > 1 && !(s->try.criterion < 0.5 * last))
            return;
    }
}

/* Whole factors, beside incomplete ones. */
static PepaStatus make(Search *s)
{
    PotentialFactors *f = s->factors;
    Control control = *s->try.control;
    if (f->has_whole)
        return PEPA_OK;
    if (f->has_incomplete)
        control.memory =
            budget_left(control.memory, precondition_bytes(f->incomplete.kind, &f->jumps));
    PepaStatus status = factors_make(&f->whole, &f->jumps, most_visited(s), 0, &control);
    f->has_whole = status == PEPA_OK;
    if (!f->has_whole)
        factors_free(&f->whole);
    return status;
}

void potential_factorise(Search *s)
{
    Attempt *try = &s->try;
    try->method = "direct";
    PepaStatus status = make(s);
    try->why = status == PEPA_OK       ? NULL
               : status == PEPA_ELIMIT ? "would fill up too much: stopped"
                                       : "found a zero pivot";
    if (status == PEPA_OK)
        refine(s, &s->factors->whole);
    else if (status == PEPA_ENOMEM)
        try->status = status;
    if (status != PEPA_ENOMEM && monitor_cancels(&try->monitor, INT32_MAX, 0, try->criterion))
        try->status = PEPA_ECANCEL;
}

void potential_factors_free(PotentialFactors *f)
{
    if (!f)
        return;
    if (f->has_incomplete)
        precondition_free(&f->incomplete);
    if (f->has_whole)
        factors_free(&f->whole);
    mem_free(f);
}

/* ---- few states ------------------------------------------------------------------------------ */

/* The chain watched in fewer and fewer states; the most visited one stays to the last, since it is
 * soon met again.  Of each state: chance of the next one watched, what is earned until then, and the
 * time that takes.  All numbers are
 * added, none subtracted, so that each is right to a few n roundings, however rare some jumps are; in
 * long double, as what is earned and the mean reward for that time nearly cancel in h.
 * Source: Grassmann, Taksar and Heyman, Operations Research 33 (1985). */
typedef struct {
    double visits;
    int32_t state;
} Visited;

typedef struct {
    int32_t n;
    Visited *by_visits;                /* n: the most visited first */
    int32_t *place;                    /* n: of each state, there; in that order are: */
    long double *chance;               /* n x n */
    long double *earned, *time, *away; /* n; away: the chance that the next one is another one */
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
    for (int32_t i = 0; i < c->n; i++)
        c->by_visits[i] = (Visited){s->problem->pi[i] * s->flow.exit[i], i};
    qsort(c->by_visits, (size_t)c->n, sizeof *c->by_visits, more_visited);
    for (int32_t k = 0; k < c->n; k++)
        c->place[c->by_visits[k].state] = k;
}

static bool censored_new(Censored *c, const Search *s)
{
    const size_t n = (size_t)s->flow.n;
    *c = (Censored){.n = s->flow.n};
    if (!(mem_new(c->by_visits, n) && mem_new(c->place, n) && mem_new_zeroed(c->chance, n * n) &&
          mem_new(c->earned, n) && mem_new(c->time, n) && mem_new(c->away, n)))
        return false;
    order_by_visits(c, s);
    for (int32_t i = 0; i < s->flow.n; i++) {
        const size_t k = (size_t)c->place[i];
        for (int64_t e = s->flow.row[i]; e < s->flow.row[i + 1]; e++)
            c->chance[k * n + (size_t)c->place[s->flow.col[e]]] += flow_val(&s->flow, e);
        c->time[k] = 1 / (long double)s->flow.exit[i];
        c->earned[k] = s->problem->reward[i] * c->time[k];
    }
    return true;
}

static void censored_free(Censored *c)
{
    mem_free_all(c->by_visits, c->place, c->chance, c->earned, c->time, c->away);
}

static void leave_out(Censored *c, int32_t k)
{
    const long double *gone = c->chance + (size_t)k * (size_t)c->n;
    c->away[k] = 0;
    for (int32_t j = 0; j < k; j++)
        c->away[k] += gone[j];
    for (int32_t i = 0; i < k; i++) {
        long double *row = c->chance + (size_t)i * (size_t)c->n;
        const long double visits = row[k] / c->away[k];
        if (visits == 0)
            continue;
        for (int32_t j = 0; j < k; j++)
            row[j] += visits * gone[j];
        c->earned[i] += visits * c->earned[k];
        c->time[i] += visits * c->time[k];
    }
}

/* What a state is worth beyond the one at place 0; into earned[k]. */
static void come_back(Censored *c, int32_t k, long double mean)
{
    const long double *chance = c->chance + (size_t)k * (size_t)c->n;
    long double h = c->earned[k] - mean * c->time[k];
    for (int32_t j = 1; j < k; j++)
        h += chance[j] * c->earned[j];
    c->earned[k] = h / c->away[k];
}

bool potential_censor(Search *s)
{
    const double n = s->flow.n;
    Censored c = {0};
    const bool done =
        budget_allows(s->try.control->memory, sizeof(long double) * (n * n + 3 * n)) &&
        censored_new(&c, s);
    if (done) {
        s->try.method = "gth";
        for (int32_t k = s->flow.n - 1; k > 0; k--)
            leave_out(&c, k);
        const long double mean = c.earned[0] / c.time[0];
        for (int32_t k = 1; k < s->flow.n; k++)
            come_back(&c, k, mean);
        for (int32_t k = 0; k < s->flow.n; k++)
            s->h[c.by_visits[k].state] = k > 0 ? (double)c.earned[k] : 0;
        potential_mean(s, (double)mean);
        potential_judge(s);
    }
    censored_free(&c);
    return done;
}
