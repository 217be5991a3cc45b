/* Rates and flows by own transitions; what concerns the states of others is asked for or posted. */
#include "measure/spread_until.h"

#include <string.h>

#include "base/mem.h"
#include "base/processes.h"
#include "ctmc/targets.h"

static const PepaProcesses *processes_of(const Chain *c)
{
    return c->spread->processes;
}

/* ---- rates ----------------------------------------------------------------------------------- */

typedef struct {
    const Chain *chain;
    const double *value;
    const PassageEnd *end;
    double *ends, *loops; /* per own state */
} Rates;

static void add_rate(void *user, const Transition *t, double there)
{
    const Rates *r = user;
    const bool away = r->end->action && r->end->action[t->action];
    if (away || there != 0)
        r->ends[t->from] += r->value[t->term];
    if (away && t->to == chain_number(r->chain, t->from))
        r->loops[t->from] += r->value[t->term];
}

PepaStatus spread_until_rates(SpreadOrder *order, const double *value, const PassageEnd *end,
                              double *ends, uint8_t *ended, PepaError *err)
{
    const Chain *c = order->chain;
    const int64_t own = c->state_count;
    Rates r = {c, value, end, NULL, NULL};
    double *there = NULL, *place = NULL;
    const bool ok = mem_new_zeroed(r.ends, own) && mem_new_zeroed(r.loops, own) &&
                    mem_new(there, own) && mem_new(place, order->n);
    PepaStatus status = processes_agree(processes_of(c), ok ? PEPA_OK : error_memory(err), err);
    for (int64_t s = 0; s < own && status == PEPA_OK; s++)
        there[s] = end->state && end->state[s];
    if (status == PEPA_OK)
        status = spread_each_target(c, there, add_rate, &r, err);
    if (status == PEPA_OK)
        status = spread_order_bring(order, r.ends, 1, ends, err);
    if (status == PEPA_OK)
        status = spread_order_bring(order, r.loops, 1, place, err);
    for (int32_t i = 0; i < order->n && status == PEPA_OK; i++)
        order->exit[i] += place[i];
    if (status == PEPA_OK && end->state)
        status = spread_order_bring(order, there, 1, place, err);
    for (int32_t i = 0; i < order->n && end->state && status == PEPA_OK; i++)
        ended[i] = place[i] != 0;
    mem_free_all(r.ends, r.loops, there, place);
    return status;
}

/* ---- starts ---------------------------------------------------------------------------------- */

/* What comes into a state. */
typedef struct {
    int32_t state, none;
    double flow;
} Arrival;

typedef struct {
    const PassageEnd *from;
    double *start, sum;
} Start;

static void begin_there(void *user, int32_t process, const void *items, int32_t count)
{
    Start *s = user;
    const Arrival *arrival = items;
    (void)process;
    for (int32_t i = 0; i < count; i++) {
        if (s->from->state && !s->from->state[arrival[i].state])
            continue;
        s->start[arrival[i].state] += arrival[i].flow;
        s->sum += arrival[i].flow;
    }
}

PepaStatus spread_until_start(const Chain *c, const double *value, const double *pi,
                              const PassageEnd *from, double *start, double *sum, PepaError *err)
{
    const PepaProcesses *p = processes_of(c);
    Start s = {from, start, 0};
    Post post = {0};
    const bool ok = post_open(&post, p, sizeof(Arrival), post_items_for(p));
    PepaStatus status = processes_agree(p, ok ? PEPA_OK : error_memory(err), err);
    memset(start, 0, (size_t)c->state_count * sizeof *start);
    for (int32_t i = 0; i < c->state_count && status == PEPA_OK; i++)
        for (int64_t k = c->row[i]; k < c->row[i + 1]; k++) {
            const Transition t = chain_transition(c, i, k);
            const int32_t owner = (int32_t)(t.to % p->count);
            if (from->action ? !from->action[t.action] : from->state[i])
                continue;
            if (post_is_full(&post, owner))
                (void)post_deliver(&post, true, begin_there, &s);
            *(Arrival *)post_add(&post, owner) =
                (Arrival){(int32_t)(t.to / p->count), 0, pi[i] * value[t.term]};
        }
    while (status == PEPA_OK && post_deliver(&post, false, begin_there, &s))
        ;
    post_free(&post);
    if (status == PEPA_OK)
        p->sum(p->user, &s.sum, 1);
    *sum = s.sum;
    return status;
}

void spread_until_begin(const Chain *c, const double *value, double *start)
{
    memset(start, 0, (size_t)c->state_count * sizeof *start);
    for (int32_t i = 0; i < c->spread->starts; i++)
        start[c->spread->start + i] = c->start_term ? value[c->start_term[i]] : 1;
}

/* ---- where it may come to -------------------------------------------------------------------- */

typedef struct {
    const PassageEnd *end;
    uint8_t *marked;
    int32_t *queue, waiting;
} Search;

static void wait_for(Search *s, int32_t state)
{
    if (!s->end->state || !s->end->state[state])
        s->queue[s->waiting++] = state;
}

static void come(void *user, int32_t process, const void *items, int32_t count)
{
    Search *s = user;
    (void)process;
    for (int32_t i = 0; i < count; i++) {
        int32_t state;
        memcpy(&state, (const char *)items + (size_t)i * sizeof state, sizeof state);
        if (s->marked[state])
            continue;
        s->marked[state] = 1;
        wait_for(s, state);
    }
}

/* From the states that wait to those that they lead to. */
static void go_on(const Chain *c, Search *s, Post *post)
{
    const PepaProcesses *p = processes_of(c);
    while (s->waiting > 0) {
        const int32_t i = s->queue[--s->waiting];
        for (int64_t k = c->row[i]; k < c->row[i + 1]; k++) {
            const Transition t = chain_transition(c, i, k);
            const int32_t owner = (int32_t)(t.to % p->count), state = (int32_t)(t.to / p->count);
            if (s->end->action && s->end->action[t.action])
                continue;
            if (owner == p->rank) {
                come(s, owner, &state, 1);
                continue;
            }
            if (post_is_full(post, owner))
                (void)post_deliver(post, true, come, s);
            memcpy(post_add(post, owner), &state, sizeof state);
        }
    }
}

PepaStatus spread_until_search(const Chain *c, const PassageEnd *end, uint8_t *marked,
                               PepaError *err)
{
    const PepaProcesses *p = processes_of(c);
    Search s = {.end = end, .marked = marked};
    Post post = {0};
    const bool ok =
        mem_new(s.queue, c->state_count) && post_open(&post, p, sizeof(int32_t), post_items_for(p));
    const PepaStatus status = processes_agree(p, ok ? PEPA_OK : error_memory(err), err);
    for (int32_t i = 0; i < c->state_count && status == PEPA_OK; i++)
        if (marked[i])
            wait_for(&s, i);
    if (status == PEPA_OK)
        do
            go_on(c, &s, &post);
        while (post_deliver(&post, false, come, &s) || processes_count(p, s.waiting > 0) > 0);
    post_free(&post);
    mem_free(s.queue);
    return status;
}
