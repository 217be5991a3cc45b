/* The equations of a passage time, from the transitions of a chain that one process has. */
#include <string.h>

#include "base/budget.h"
#include "measure/passage_equations.h"

/* Links, of which there are as many as entries, entries, and what goes with states. */
#define BYTES_PER_TRANSITION 16.0
#define BYTES_PER_STATE      148.0

typedef struct {
    Equations *q;
    const Passage *p;
    double *exit, *ends; /* per state */
    int32_t *place;      /* per state: its row; -1: the passage cannot end from there, or has */
    int64_t *from;       /* per row: the last source that was met */
    int64_t *fill;       /* per row: where its next entry goes */
    bool fills;
} Alone;

static bool ends_by(const Alone *a, const Transition *t)
{
    return a->p->end.action && a->p->end.action[t->action];
}

static bool ends_in(const Alone *a, int64_t state)
{
    return a->p->end.state && a->p->end.state[state];
}

/* ---- where it can end ------------------------------------------------------------------------ */

static void add_rates(void *user, const Transition *t)
{
    Alone *a = user;
    const double rate = a->p->at->term[t->term];
    const bool away = ends_by(a, t);
    if (away || t->to != t->from)
        a->exit[t->from] += rate;
    if (away || ends_in(a, t->to))
        a->ends[t->from] += rate;
}

/* Transitions that do not end it, by target, or by source. */
typedef struct {
    const Alone *a;
    bool forward, fills;
    int64_t *row;
    int32_t *next;
} Links;

static void add_link(void *user, const Transition *t)
{
    Links *l = user;
    if (ends_by(l->a, t) || t->to == t->from || ends_in(l->a, t->from) || ends_in(l->a, t->to))
        return;
    const int64_t at = l->forward ? t->from : t->to;
    if (l->fills) /* from the end of its links to their beginning */
        l->next[--l->row[at + 1]] = (int32_t)(l->forward ? t->to : t->from);
    else
        l->row[at + 1]++;
}

/* Mark all that can be reached from what is marked, against the transitions or with them. */
static PepaStatus spread(const Alone *a, bool forward, uint8_t *mark, PepaError *err)
{
    const int64_t n = a->p->chain->state_count;
    Links l = {.a = a, .forward = forward};
    int32_t *stack = NULL;
    int64_t count = 0;
    bool ok = mem_new_zeroed(l.row, n + 2) && mem_new(stack, n);
    PepaStatus status =
        ok ? chain_each_transition(a->p->chain, add_link, &l, err) : error_memory(err);
    for (int64_t i = 0; status == PEPA_OK && i <= n; i++)
        l.row[i + 1] += l.row[i];
    if (status == PEPA_OK && !mem_new(l.next, l.row[n + 1]))
        status = error_memory(err);
    l.fills = true;
    if (status == PEPA_OK)
        status = chain_each_transition(a->p->chain, add_link, &l, err);
    for (int64_t i = 0; i < n && status == PEPA_OK; i++)
        if (mark[i])
            stack[count++] = (int32_t)i;
    while (count > 0) {
        const int32_t i = stack[--count];
        for (int64_t k = l.row[i + 1]; k < l.row[i + 2]; k++)
            if (!mark[l.next[k]]) {
                mark[l.next[k]] = 1;
                stack[count++] = l.next[k];
            }
    }
    mem_free_all(l.row, l.next, stack);
    return status;
}

/* place: 0 where the passage may be and from where it can end, else -1; *lost: it may be elsewhere.
 */
static PepaStatus find_reach(Alone *a, PepaError *err)
{
    const int64_t n = a->p->chain->state_count;
    uint8_t *can = NULL, *may = NULL;
    bool ok = mem_new_zeroed(can, n) && mem_new_zeroed(may, n);
    for (int64_t i = 0; ok && i < n; i++) {
        can[i] = a->ends[i] > 0 && !ends_in(a, i);
        may[i] = a->p->start[i] > 0;
    }
    PepaStatus status = ok ? spread(a, false, can, err) : error_memory(err);
    if (status == PEPA_OK)
        status = spread(a, true, may, err);
    for (int64_t i = 0; i < n && status == PEPA_OK; i++) {
        a->place[i] = can[i] && may[i] ? 0 : -1;
        a->q->lost = a->q->lost || (may[i] && !can[i]);
    }
    mem_free_all(can, may);
    return status;
}

/* ---- the equations --------------------------------------------------------------------------- */

static void add_leave(const Alone *a, int32_t row, double chance)
{
    a->q->leave[row] += chance;
    twofold_add(&a->q->whole[row], (Twofold){chance, 0});
}

/* Sources ascend: a second transition between two states finds the entry of the first last. */
static void add_entry(void *user, const Transition *t)
{
    Alone *a = user;
    const int32_t from = a->place[t->from], to = a->place[t->to];
    if (from < 0 || t->to == t->from || ends_by(a, t) || ends_in(a, t->to))
        return;
    const double chance = a->p->at->term[t->term] / a->exit[t->from];
    if (to < 0) { /* to where it cannot end */
        if (a->fills)
            add_leave(a, from, chance);
        return;
    }
    const bool again = a->from[to] == t->from;
    a->from[to] = t->from;
    FlowOwner *f = &a->q->flow;
    if (!a->fills) {
        f->row[to + 1] += !again;
        return;
    }
    int64_t at = again ? a->fill[to] - 1 : a->fill[to]++;
    f->col[at] = from;
    f->val[at] = (again ? f->val[at] : 0) + chance;
}

static PepaStatus build(Alone *a, PepaError *err)
{
    const Chain *c = a->p->chain;
    Equations *q = a->q;
    FlowOwner *f = &q->flow;
    int32_t n = 0;
    for (int64_t i = 0; i < c->state_count; i++)
        a->place[i] = a->place[i] < 0 ? -1 : n++;
    f->n = q->n = n;
    bool ok = mem_new_zeroed(f->row, (size_t)n + 1) && mem_new(a->from, n) && mem_new(a->fill, n) &&
              mem_new(f->exit, n) && mem_new_zeroed(q->whole, n) && mem_new_zeroed(q->leave, n) &&
              mem_new(q->ends, n) && mem_new(q->start, n);
    PepaStatus status = ok ? PEPA_OK : error_memory(err);
    for (int pass = 0; pass < 2 && status == PEPA_OK; pass++) {
        memset(a->from, -1, (size_t)n * sizeof *a->from);
        a->fills = pass == 1;
        status = chain_each_transition(c, add_entry, a, err);
        if (pass == 1 || status != PEPA_OK)
            break;
        for (int32_t i = 0; i < n; i++)
            f->row[i + 1] += f->row[i];
        memcpy(a->fill, f->row, (size_t)n * sizeof *a->fill);
        if (!mem_new(f->col, f->row[n]) || !mem_new(f->val, f->row[n]))
            status = error_memory(err);
    }
    for (int64_t i = 0; i < c->state_count && status == PEPA_OK; i++) {
        const int32_t row = a->place[i];
        if (row < 0)
            continue;
        f->exit[row] = a->exit[i];
        q->ends[row] = a->ends[i];
        q->start[row] = a->p->start[i];
        add_leave(a, row, a->ends[i] / a->exit[i]);
    }
    for (int64_t k = 0; status == PEPA_OK && k < f->row[n]; k++)
        twofold_add(&q->whole[f->col[k]], (Twofold){f->val[k], 0});
    q->exit = f->exit;
    return status;
}

PepaStatus equations_alone(Equations *q, PepaError *err)
{
    const Passage *p = q->p;
    const int64_t n = p->chain->state_count;
    const double bytes = chain_bytes(p->chain) + BYTES_PER_STATE * (double)n +
                         BYTES_PER_TRANSITION * (double)p->chain->transitions;
    Alone a = {.q = q, .p = p};
    PepaStatus status = error_by_rows(err, n, "the mean of a passage time");
    if (status != PEPA_OK)
        return status;
    if (!budget_allows(p->set->memory, bytes))
        return budget_exceeded(err, bytes, p->set->memory, "the mean of a passage time");
    q->memory = budget_left(p->set->memory, bytes);
    const bool ok = mem_new_zeroed(a.exit, n) && mem_new_zeroed(a.ends, n) && mem_new(a.place, n);
    status = ok ? chain_each_transition(p->chain, add_rates, &a, err) : error_memory(err);
    if (status == PEPA_OK)
        status = find_reach(&a, err);
    if (status == PEPA_OK)
        status = build(&a, err);
    mem_free_all(a.exit, a.ends, a.place, a.from, a.fill);
    return status;
}

void equations_free(Equations *q)
{
    if (q->exit != q->flow.exit)
        mem_free(q->exit);
    flow_free(&q->flow);
    spread_flow_free(&q->spread);
    mem_free_all(q->ends, q->start, q->whole, q->leave);
}
