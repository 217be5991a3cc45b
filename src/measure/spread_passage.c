/* The equations of a passage time, by processes that have explored a chain by rows together.  Each has a run of
 * states; from those where a passage has ended, or from where it cannot end, all jumps are taken out, so that
 * the equations have how often they are entered. */
#include <math.h>

#include "base/budget.h"
#include "base/processes.h"
#include "measure/passage_equations.h"
#include "measure/spread_search.h"
#include "measure/spread_until.h"

typedef struct {
    Equations *q;
    SpreadOrder *order;
    const PepaProcesses *processes;
    uint8_t *can;     /* per place: it can end from there, and has not */
    double *out;      /* per place: it cannot, or has */
    double *entered;  /* per place: chance of an end by an action; then scratch */
    double *by_state; /* per own state: scratch, as is */
    uint8_t *may;     /* per own state: it may be there */
} Together;

static bool has_ended(const Together *t, int32_t place)
{
    const uint8_t *ended = uniform_ended(t->q->p->uniform);
    return ended && ended[place];
}

/* ---- where it can end ------------------------------------------------------------------------ */

static PepaStatus find_ways(const Together *t, PepaError *err)
{
    const double *ends = uniform_ends(t->q->p->uniform);
    const int32_t n = t->order->n;
    int64_t count;
    for (int32_t i = 0; i < n; i++)
        t->can[i] = ends[i] > 0 && !has_ended(t, i);
    const PepaStatus status = spread_search_back(&t->q->spread, 0, t->can, NULL, &count, err);
    for (int32_t i = 0; i < n && status == PEPA_OK; i++) {
        t->can[i] = t->can[i] && !has_ended(t, i);
        t->out[i] = !t->can[i];
    }
    return status;
}

/* May it come to where it cannot end? */
static PepaStatus find_lost(const Together *t, PepaError *err)
{
    const Passage *p = t->q->p;
    const int64_t own = p->chain->state_count;
    PepaStatus status = spread_order_return(t->order, p->start, t->by_state, err);
    for (int64_t s = 0; s < own && status == PEPA_OK; s++)
        t->may[s] = t->by_state[s] > 0;
    if (status == PEPA_OK)
        status = spread_until_search(p->chain, &p->end, t->may, err);
    for (int64_t s = 0; s < own && status == PEPA_OK; s++)
        t->by_state[s] = t->may[s];
    if (status == PEPA_OK)
        status = spread_order_bring(t->order, t->by_state, 1, t->entered, err);
    bool lost = false;
    for (int32_t i = 0; i < t->order->n && status == PEPA_OK; i++)
        lost = lost || (t->entered[i] != 0 && !t->can[i] && !has_ended(t, i));
    if (status == PEPA_OK)
        t->q->lost = processes_count(t->processes, lost) > 0;
    return status;
}

/* ---- what chances sum to --------------------------------------------------------------------- */

/* Of the jumps from a state to those of another process. */
typedef struct {
    int32_t place, none;
    Twofold chance;
} Away;

static void add_away(void *user, int32_t process, const void *items, int32_t count)
{
    const Equations *q = user;
    const Away *away = items;
    (void)process;
    for (int32_t i = 0; i < count; i++)
        twofold_add(&q->whole[away[i].place], away[i].chance);
}

/* Chances to end by an action are what flows out by it, with one in each state. */
static PepaStatus find_actions(const Together *t, PepaError *err)
{
    const Passage *p = t->q->p;
    const Chain *c = p->chain;
    for (int32_t s = 0; s < c->state_count; s++) {
        t->by_state[s] = 0;
        for (int64_t k = c->row[s]; k < c->row[s + 1] && p->end.action; k++)
            if (p->end.action[c->actions[chain_action(c, k)]])
                t->by_state[s] += chain_rate(c, p->at->term, k);
    }
    return spread_order_bring(t->order, t->by_state, 1, t->entered, err);
}

static PepaStatus find_whole(const Together *t, PepaError *err)
{
    Equations *q = t->q;
    const SpreadFlow *f = &q->spread;
    const FlowShare *s = &f->share;
    Twofold *others = NULL;
    Post post = {0};
    const bool ok = mem_new_zeroed(others, f->copies) &&
                    post_open(&post, t->processes, sizeof(Away), post_items_for(t->processes));
    PepaStatus status = processes_agree(t->processes, ok ? PEPA_OK : error_memory(err), err);
    if (status == PEPA_OK)
        status = find_actions(t, err);
    for (int32_t i = 0; i < q->n && status == PEPA_OK; i++)
        q->whole[i] = (Twofold){t->can[i] ? t->entered[i] / t->order->exit[i] : 1, 0};
    for (int64_t k = 0; status == PEPA_OK && k < f->row[q->n]; k++)
        twofold_add(&q->whole[f->col[k]], (Twofold){f->val[k], 0});
    for (int64_t k = 0; status == PEPA_OK && k < s->row[s->rows]; k++)
        twofold_add(&others[s->col[k]], (Twofold){s->val[k], 0});
    for (int32_t c = 0; c < f->copies && status == PEPA_OK; c++) {
        const Berth at = f->copy[c];
        if (post_is_full(&post, at.process))
            (void)post_deliver(&post, true, add_away, q);
        *(Away *)post_add(&post, at.process) = (Away){at.place, 0, others[c]};
    }
    while (status == PEPA_OK && post_deliver(&post, false, add_away, q))
        ;
    post_free(&post);
    mem_free(others);
    return status;
}

/* ---- all of it ------------------------------------------------------------------------------- */

static bool reserve(Together *t)
{
    Equations *q = t->q;
    const int32_t n = t->order->n;
    const int64_t own = q->p->chain->state_count;
    return mem_new(q->exit, n) && mem_new(q->ends, n) && mem_new(q->start, n) &&
           mem_new(q->whole, n) && mem_new(t->can, n) && mem_new(t->out, n) &&
           mem_new(t->entered, n) && mem_new(t->by_state, own) && mem_new(t->may, own);
}

static void list_rows(const Together *t)
{
    Equations *q = t->q;
    const double *ends = uniform_ends(q->p->uniform);
    for (int32_t i = 0; i < q->n; i++) {
        q->exit[i] = t->can[i] ? t->order->exit[i] : HUGE_VAL;
        q->ends[i] = t->can[i] ? ends[i] : 0;
        q->start[i] = t->can[i] ? q->p->start[i] : 0;
    }
}

PepaStatus equations_together(Equations *q, PepaError *err)
{
    Passage *p = q->p;
    const double each = 20 * sizeof(double); /* bytes of a state, with what solving keeps */
    Together t = {.q = q,
                  .order = uniform_order(p->uniform),
                  .processes = p->chain->spread->processes};
    const double taken = chain_bytes(p->chain) + each * (double)t.order->n;
    q->n = t.order->n;
    q->job = (SteadyJob){.chain = p->chain, .value = p->at->term, .set = p->set, .err = err};
    PepaStatus status = spread_flow_until(&q->spread, t.order, p->at->term, p->end.action,
                                          PEPA_MATRIX_EXPLICIT,
                                          budget_left(p->set->memory, taken), err);
    if (status == PEPA_OK)
        status = processes_agree(t.processes, reserve(&t) ? PEPA_OK : error_memory(err), err);
    if (status == PEPA_OK)
        status = find_ways(&t, err);
    if (status == PEPA_OK)
        status = find_lost(&t, err);
    if (status == PEPA_OK) {
        list_rows(&t);
        spread_flow_drop(&q->spread, t.out);
        q->spread.flow.exit = NULL; /* some are 0; what is solved for does not need them */
        status = find_whole(&t, err);
    }
    if (status == PEPA_OK)
        status = spread_solve_open(&q->solve, &q->job, t.order, &q->spread);
    q->solve.control.keeper = NULL;
    mem_free_all(t.can, t.out, t.entered, t.by_state, t.may);
    return status;
}
