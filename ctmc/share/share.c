/* What one process has of a diagram, and what it exchanges with others. */
#include "ctmc/share/share.h"

#include <string.h>

#include "ctmc/share/exchange.h"
#include "ctmc/share/plan.h"
#include "ctmc/share/room.h"
#include "ctmc/share/tuning.h"

/* An own upper state that flows into states of another process; or one of others, which is copied.
 * Its copy is kept, or it passes. */
typedef struct {
    int32_t upper, process;
    bool kept;
} Link;

typedef struct {
    Link *link; /* ascending by upper states */
    size_t count, cap;
} Links;

/* How own chunks, by their turns, read the copies of a chunk. */
typedef struct {
    int32_t first, last; /* of those that read this sweep's; last < 0: none */
    int32_t after;       /* it is received after so many of them; -1: it is not read */
} Reading;

typedef struct {
    DiagramShare *share;
    const Diagram *d;
    SharePlan plan;
    const ShareCosts *costs;
    int32_t process, count;
    int32_t *last; /* scratch, per process */
    Links out, in;
    int32_t *copy_of;        /* per link in: which copy */
    int32_t *own, own_count; /* own chunks by turn */
    Reading *reading;        /* per chunk of others */
    int32_t *step;           /* per chunk */
    Room room;               /* of copies that pass, after those that are kept */
} Sharing;

static int32_t owner_of(const Sharing *s, int32_t upper)
{
    return s->plan.process[share_chunk_of(&s->plan.graph, upper)];
}

/* ---- links ----------------------------------------------------------------------------------- */

/* Does something of a process read the copy of a chunk that is of the sweep before? */
static bool keeps(const Sharing *s, int32_t chunk, int32_t process)
{
    const ShareGraph *g = &s->plan.graph;
    for (int32_t k = g->row[chunk]; k < g->row[chunk + 1] && g->link[k].chunk < chunk; k++)
        if (g->link[k].to && s->plan.process[g->link[k].chunk] == process)
            return true;
    return false;
}

static bool something_passes(const Sharing *s)
{
    const ShareGraph *g = &s->plan.graph;
    for (int32_t c = 0; c < g->count; c++)
        for (int32_t k = g->row[c]; k < g->row[c + 1]; k++) {
            const int32_t to = s->plan.process[g->link[k].chunk];
            if (g->link[k].to && to != s->plan.process[c] && !keeps(s, c, to))
                return true;
        }
    return false;
}

/* A copy of an upper state that a process has. */
static bool add_link(const Sharing *s, Links *links, int32_t upper, int32_t process, int32_t reader)
{
    const bool kept = keeps(s, share_chunk_of(&s->plan.graph, upper), reader);
    if (!mem_grow(links->link, links->cap, links->count + 1))
        return false;
    links->link[links->count++] = (Link){upper, process, kept};
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
            ok = add_link(s, &s->out, upper, to, to);
        else if (to == s->process)
            ok = add_link(s, &s->in, upper, owner, to);
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

static int32_t size_of(const Sharing *s, int32_t upper)
{
    return s->d->set_size[s->d->set[upper]];
}

/* Those copies that are kept, or those that pass. */
static void place_copies(Sharing *s, bool kept)
{
    DiagramShare *share = s->share;
    for (size_t i = 0; i < s->in.count; i++) {
        if (s->in.link[i].kept != kept)
            continue;
        const int32_t u = s->in.link[i].upper;
        s->copy_of[i] = share->copies;
        share->copy[share->copies++] = u;
        share->part.place[u] = share->all;
        share->all += size_of(s, u);
    }
}

/* Own upper states, copies that are kept, copies that pass, all ascending. */
static bool place_all(Sharing *s)
{
    DiagramShare *share = s->share;
    Diagram *part = &share->part;
    const Diagram *d = s->d;
    int32_t own = 0;
    if (!mem_new(part->own, d->upper_count) || !mem_new(share->copy, s->in.count) ||
        !mem_new(s->copy_of, s->in.count))
        return false;
    for (int32_t u = 0; u < d->upper_count; u++) {
        part->place[u] = -1;
        if (owner_of(s, u) != s->process)
            continue;
        part->own[own++] = u;
        part->place[u] = share->own;
        share->own += size_of(s, u);
    }
    part->own_count = own;
    share->all = share->own;
    place_copies(s, true);
    share->kept = share->copies;
    share->swept = share->all;
    place_copies(s, false);
    if (!mem_new(share->at, own + share->copies))
        return false;
    for (int32_t k = 0; k < own; k++)
        share->at[k] = part->place[part->own[k]];
    for (int32_t k = 0; k < share->copies; k++)
        share->at[own + k] = part->place[share->copy[k]];
    return true;
}

/* Places that a chunk of another has in sweeps, from before its first reader to its last. */
static bool give_room(Sharing *s, int32_t chunk)
{
    const ShareGraph *g = &s->plan.graph;
    const Reading *reading = &s->reading[chunk];
    const size_t first = first_link(&s->in, share_first(g, chunk)),
                 end = first_link(&s->in, share_end(g, chunk));
    int64_t states = 0, at;
    if (s->in.link[first].kept)
        return true;
    for (size_t i = first; i < end; i++)
        states += size_of(s, s->in.link[i].upper);
    room_clear(&s->room, reading->after);
    if ((at = room_take(&s->room, states, reading->last)) < 0)
        return false;
    at += s->share->swept;
    for (size_t i = first; i < end; i++) {
        s->share->at[s->share->part.own_count + s->copy_of[i]] = at;
        at += size_of(s, s->in.link[i].upper);
    }
    return true;
}

/* ---- exchanges ------------------------------------------------------------------------------- */

/* What is exchanged: all that is copied, what is kept, or what goes to its place in sweeps. */
typedef enum { ALL, KEPT, SWEPT } What;

static bool add_link_to(Sharing *s, const Links *links, size_t i, What what, PepaExchange *out)
{
    const Link *link = &links->link[i];
    const bool received = links == &s->in;
    PepaPiece piece = {s->share->part.place[link->upper], size_of(s, link->upper)};
    if (what == KEPT && !link->kept)
        return true;
    if (what == SWEPT && received)
        piece.first = s->share->at[s->share->part.own_count + s->copy_of[i]];
    return exchange_add(out, link->process, received, piece);
}

/* What there is of upper states from `first` to before `end`, with whom there are links. */
static bool list_exchange(Sharing *s, int32_t first, int32_t end, What what, PepaExchange *out)
{
    const Links *const both[] = {&s->out, &s->in};
    bool ok = true;
    for (int32_t k = 0; k < 2; k++)
        for (size_t i = first_link(both[k], first); i < first_link(both[k], end) && ok; i++)
            ok = add_link_to(s, both[k], i, what, out);
    exchange_sort(out);
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

/* After how many own chunks a copy begins to be received that passes and is first read
 * by own chunk `first`: what is to be done until then takes longer than some messages. */
static int32_t lead(const Sharing *s, int32_t first)
{
    const double wanted = SHARE_LEAD * (s->costs->message + s->costs->latency);
    double left = 0;
    for (; first > 0 && left < wanted; first--)
        left += s->plan.graph.work[s->own[first - 1]];
    return first;
}

/* A chunk of another is received when all that reads its copy of the sweep before has done so; if
 * nothing does, in time before the first that reads it. */
static void find_readings(Sharing *s)
{
    const ShareGraph *g = &s->plan.graph;
    for (int32_t c = 0; c < g->count; c++)
        s->reading[c] = (Reading){-1, -1, -1};
    for (int32_t i = 0; i < s->own_count; i++) {
        const int32_t c = s->own[i];
        for (int32_t k = g->row[c]; k < g->row[c + 1]; k++) {
            const int32_t other = g->link[k].chunk;
            Reading *reading = &s->reading[other];
            if (!g->link[k].from || is_own(s, other))
                continue;
            if (other > c) {
                reading->after = i + 1;
                continue;
            }
            reading->first = reading->last < 0 ? i : reading->first;
            reading->last = i;
        }
    }
    for (int32_t c = 0; c < g->count; c++)
        if (s->reading[c].after < 0 && s->reading[c].last >= 0)
            s->reading[c].after = lead(s, s->reading[c].first);
}

static bool fill_step(Sharing *s, int32_t chunk)
{
    const ShareGraph *g = &s->plan.graph;
    ShareStep *step = &s->share->step[s->step[chunk]];
    step->exchange.number = chunk + 1;
    bool ok = list_exchange(s, share_first(g, chunk), share_end(g, chunk), SWEPT, &step->exchange);
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
    bool ok = true;
    sort_own(s);
    find_readings(s);
    for (int32_t i = 0; i <= s->own_count && ok; i++) {
        for (int32_t c = 0; c < g->count && ok; c++)
            if (s->reading[c].after == i) {
                s->step[c] = steps++;
                ok = give_room(s, c);
            }
        if (i < s->own_count)
            s->step[s->own[i]] = steps++;
    }
    share->swept += s->room.most;
    ok = ok && mem_new_zeroed(share->step, steps) &&
         list_exchange(s, 0, s->d->upper_count, ALL, &share->states) &&
         list_exchange(s, 0, s->d->upper_count, KEPT, &share->kept_states);
    share->steps = share->step ? steps : 0;
    for (int32_t c = 0; c < g->count && ok; c++)
        ok = (!is_own(s, c) && s->reading[c].after < 0) || fill_step(s, c);
    share->passes = something_passes(s);
    return ok;
}

bool diagram_share_new(DiagramShare *out, const Diagram *d, int32_t process, ShareParts parts,
                       const ShareCosts *costs)
{
    const int32_t count = parts.count;
    Sharing s = {.share = out, .d = d, .costs = costs, .process = process, .count = count};
    *out = (DiagramShare){.part = *d};
    out->part.place = NULL;
    out->part.own = NULL;
    bool ok = share_plan_new(&s.plan, d, parts, costs);
    const int32_t chunks = s.plan.graph.count;
    ok = ok && mem_new(out->part.place, d->upper_count) && mem_new(s.last, count) &&
         mem_new(s.own, chunks) && mem_new(s.reading, chunks) && mem_new(s.step, chunks) &&
         find_links(&s) && place_all(&s) && list_steps(&s);
    share_plan_free(&s.plan);
    room_free(&s.room);
    mem_free_all(s.last, s.out.link, s.in.link, s.copy_of, s.own, s.reading, s.step);
    return ok;
}

void diagram_share_free(DiagramShare *share)
{
    for (int32_t i = 0; i < share->steps; i++) {
        mem_free(share->step[i].need);
        exchange_free(&share->step[i].exchange);
    }
    exchange_free(&share->states);
    exchange_free(&share->kept_states);
    mem_free_all(share->step, share->copy, share->at, share->part.place, share->part.own);
    *share = (DiagramShare){0};
}
