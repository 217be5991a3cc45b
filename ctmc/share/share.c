/* What one process has of a diagram, and what it exchanges with others. */
#include "ctmc/share/share.h"

#include <stdlib.h>
#include <string.h>

#include "ctmc/share/plan.h"

/* An own upper state that flows into states of another process; or one of others, which is copied. */
typedef struct {
    int32_t upper, process;
} Link;

typedef struct {
    Link *link; /* ascending by upper states */
    size_t count, cap;
} Links;

typedef struct {
    DiagramShare *share;
    const Diagram *d;
    SharePlan plan;
    int32_t process, count;
    int32_t *last; /* scratch, per process */
    Links out, in;
    /* Own chunks by turn; per chunk: after how many of them it is received; its step. */
    int32_t *own, own_count, *after, *step;
} Sharing;

static int32_t owner_of(const Sharing *s, int32_t upper)
{
    return s->plan.process[share_chunk_of(&s->plan.graph, upper)];
}

/* ---- links ----------------------------------------------------------------------------------- */

static bool add_link(Links *links, int32_t upper, int32_t process)
{
    if (!mem_grow(links->link, links->cap, links->count + 1))
        return false;
    links->link[links->count++] = (Link){upper, process};
    return true;
}

/* The processes into whose states an upper state flows. */
static bool link_targets(Sharing *s, int32_t upper, int32_t owner)
{
    const Diagram *d = s->d;
    bool ok = true;
    for (int64_t e = d->edge_row[upper]; e < d->edge_row[upper + 1] && ok; e++) {
        const int32_t to = owner_of(s, d->edges[e].to);
        if (to == owner || s->last[to] == upper)
            continue;
        s->last[to] = upper;
        if (owner == s->process)
            ok = add_link(&s->out, upper, to);
        else if (to == s->process)
            ok = add_link(&s->in, upper, owner);
    }
    return ok;
}

static bool find_links(Sharing *s)
{
    bool ok = true;
    for (int32_t k = 0; k < s->count; k++)
        s->last[k] = -1;
    for (int32_t u = 0; u < s->d->upper_count && ok; u++)
        ok = link_targets(s, u, owner_of(s, u));
    return ok;
}

/* The first of links whose upper state is `upper` or later. */
static size_t first_link(const Links *links, int32_t upper)
{
    size_t low = 0, high = links->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (links->link[middle].upper < upper)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* ---- places ---------------------------------------------------------------------------------- */

/* Own upper states, then copies, both ascending. */
static bool place_all(Sharing *s)
{
    DiagramShare *share = s->share;
    Diagram *part = &share->part;
    const Diagram *d = s->d;
    int32_t own = 0;
    if (!mem_new(part->own, d->upper_count) || !mem_new(share->copy, s->in.count))
        return false;
    for (int32_t u = 0; u < d->upper_count; u++) {
        part->place[u] = -1;
        if (owner_of(s, u) != s->process)
            continue;
        part->own[own++] = u;
        part->place[u] = share->own;
        share->own += d->set_size[d->set[u]];
    }
    part->own_count = own;
    share->all = share->own;
    for (size_t i = 0; i < s->in.count; i++) {
        const int32_t u = share->copy[i] = s->in.link[i].upper;
        part->place[u] = share->all;
        share->all += d->set_size[d->set[u]];
    }
    share->copies = (int32_t)s->in.count;
    return true;
}

/* ---- exchanges ------------------------------------------------------------------------------- */

/* The states of an upper state are sent, or received; consecutive ones become one piece. */
static bool add_piece(const Sharing *s, int32_t upper, PepaPiece **piece, int32_t *count)
{
    const PepaPiece now = {s->share->part.place[upper], s->d->set_size[s->d->set[upper]]};
    PepaPiece *last = *count > 0 ? *piece + *count - 1 : NULL;
    size_t cap = (size_t)*count; /* it doubles where this is a power of 2 */
    if (last && last->first + last->count == now.first) {
        last->count += now.count;
        return true;
    }
    if ((cap & (cap - 1)) == 0 && !mem_reserve(piece, &cap, cap + 1, sizeof **piece))
        return false;
    (*piece)[(*count)++] = now;
    return true;
}

static PepaPartner *partner_of(PepaExchange *e, int32_t process)
{
    size_t cap = (size_t)e->partner_count;
    for (int32_t i = 0; i < e->partner_count; i++)
        if (e->partner[i].process == process)
            return &e->partner[i];
    if ((cap & (cap - 1)) == 0 && !mem_reserve(&e->partner, &cap, cap + 1, sizeof *e->partner))
        return NULL;
    e->partner[e->partner_count] = (PepaPartner){.process = process};
    return &e->partner[e->partner_count++];
}

static int by_process(const void *a, const void *b)
{
    const PepaPartner *x = a, *y = b;
    return (x->process > y->process) - (x->process < y->process);
}

/* What there is of upper states from `first` to before `end`, with whom there are links. */
static bool list_exchange(const Sharing *s, int32_t first, int32_t end, PepaExchange *out)
{
    bool ok = true;
    for (size_t i = first_link(&s->out, first); i < first_link(&s->out, end) && ok; i++) {
        PepaPartner *p = partner_of(out, s->out.link[i].process);
        ok = p && add_piece(s, s->out.link[i].upper, &p->sent, &p->sent_count);
    }
    for (size_t i = first_link(&s->in, first); i < first_link(&s->in, end) && ok; i++) {
        PepaPartner *p = partner_of(out, s->in.link[i].process);
        ok = p && add_piece(s, s->in.link[i].upper, &p->received, &p->received_count);
    }
    if (out->partner_count > 1)
        qsort(out->partner, (size_t)out->partner_count, sizeof *out->partner, by_process);
    return ok;
}

/* ---- steps ----------------------------------------------------------------------------------- */

static bool is_own(const Sharing *s, int32_t chunk)
{
    return s->plan.process[chunk] == s->process;
}

static void sort_own(Sharing *s)
{
    const ShareGraph *g = &s->plan.graph;
    const int32_t *turn = s->plan.turn;
    for (int32_t c = 0; c < g->count; c++) { /* turns are all different */
        if (!is_own(s, c))
            continue;
        int32_t at = s->own_count++;
        for (; at > 0 && turn[s->own[at - 1]] > turn[c]; at--)
            s->own[at] = s->own[at - 1];
        s->own[at] = c;
    }
}

/* A chunk of another is received when all that reads its copy of the sweep before has done so. */
static void find_after(Sharing *s)
{
    const ShareGraph *g = &s->plan.graph;
    for (int32_t c = 0; c < g->count; c++)
        s->after[c] = -1;
    for (int32_t i = 0; i < s->own_count; i++) {
        const int32_t c = s->own[i];
        for (int32_t k = g->row[c]; k < g->row[c + 1]; k++) {
            const int32_t other = g->link[k].chunk;
            const int32_t least = other > c ? i + 1 : 0;
            if (g->link[k].from && !is_own(s, other) && s->after[other] < least)
                s->after[other] = least;
        }
    }
}

static bool fill_step(Sharing *s, int32_t chunk)
{
    const ShareGraph *g = &s->plan.graph;
    ShareStep *step = &s->share->step[s->step[chunk]];
    step->exchange.number = chunk + 1;
    bool ok = list_exchange(s, share_first(g, chunk), share_end(g, chunk), &step->exchange);
    if (!is_own(s, chunk) || !ok)
        return ok;
    const int32_t *own = s->share->part.own;
    int32_t low = 0, high = s->share->part.own_count;
    while (low < high) {
        const int32_t middle = low + (high - low) / 2;
        if (own[middle] < share_first(g, chunk))
            low = middle + 1;
        else
            high = middle;
    }
    step->first = low;
    step->count = share_end(g, chunk) - share_first(g, chunk);
    if (!mem_new(step->need, g->row[chunk + 1] - g->row[chunk]))
        return false;
    for (int32_t k = g->row[chunk]; k < g->row[chunk + 1]; k++)
        if (g->link[k].from && !is_own(s, g->link[k].chunk))
            step->need[step->need_count++] = s->step[g->link[k].chunk];
    return true;
}

static bool list_steps(Sharing *s)
{
    const ShareGraph *g = &s->plan.graph;
    DiagramShare *share = s->share;
    int32_t steps = 0;
    sort_own(s);
    find_after(s);
    for (int32_t i = 0; i <= s->own_count; i++) {
        for (int32_t c = 0; c < g->count; c++)
            if (s->after[c] == i)
                s->step[c] = steps++;
        if (i < s->own_count)
            s->step[s->own[i]] = steps++;
    }
    bool ok = mem_new_zeroed(share->step, steps) &&
              list_exchange(s, 0, s->d->upper_count, &share->states);
    share->steps = share->step ? steps : 0;
    for (int32_t c = 0; c < g->count && ok; c++)
        ok = (!is_own(s, c) && s->after[c] < 0) || fill_step(s, c);
    return ok;
}

bool diagram_share_new(DiagramShare *out, const Diagram *d, int32_t process, ShareParts parts,
                       const ShareCosts *costs)
{
    const int32_t count = parts.count;
    Sharing s = {.share = out, .d = d, .process = process, .count = count};
    *out = (DiagramShare){.part = *d};
    out->part.place = NULL;
    out->part.own = NULL;
    bool ok = share_plan_new(&s.plan, d, parts, costs);
    const int32_t chunks = s.plan.graph.count;
    ok = ok && mem_new(out->part.place, d->upper_count) && mem_new(s.last, count) &&
         mem_new(s.own, chunks) && mem_new(s.after, chunks) && mem_new(s.step, chunks) &&
         find_links(&s) && place_all(&s) && list_steps(&s);
    share_plan_free(&s.plan);
    mem_free_all(s.last, s.out.link, s.in.link, s.own, s.after, s.step);
    return ok;
}

static void exchange_free(PepaExchange *exchange)
{
    for (int32_t i = 0; i < exchange->partner_count; i++)
        mem_free_all(exchange->partner[i].sent, exchange->partner[i].received);
    mem_free(exchange->partner);
}

void diagram_share_free(DiagramShare *share)
{
    for (int32_t i = 0; i < share->steps; i++) {
        mem_free(share->step[i].need);
        exchange_free(&share->step[i].exchange);
    }
    exchange_free(&share->states);
    mem_free_all(share->step, share->copy, share->part.place, share->part.own);
    *share = (DiagramShare){0};
}
