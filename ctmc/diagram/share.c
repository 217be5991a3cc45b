/* What one process has of a diagram, and what it exchanges with others. */
#include "ctmc/diagram/share.h"

#include <string.h>

#include "ctmc/diagram/share_plan.h"

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
} Sharing;

static bool is_own(const Sharing *s, int32_t upper)
{
    return s->plan.process[share_plan_chunk(&s->plan, upper)] == s->process;
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
        const int32_t to = s->plan.process[share_plan_chunk(&s->plan, d->edges[e].to)];
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
    for (int32_t c = 0; c < s->plan.chunks; c++)
        for (int32_t u = s->plan.bound[c]; u < s->plan.bound[c + 1] && ok; u++)
            ok = link_targets(s, u, s->plan.process[c]);
    return ok;
}

/* Of links, those whose upper states are in a chunk; all, if chunk < 0. */
static void find_range(const Sharing *s, const Links *links, int32_t chunk, size_t range[2])
{
    for (int k = 0; k < 2; k++) {
        size_t low = 0, high = links->count;
        while (chunk >= 0 && low < high) {
            const size_t middle = low + (high - low) / 2;
            if (links->link[middle].upper < s->plan.bound[chunk + k])
                low = middle + 1;
            else
                high = middle;
        }
        range[k] = chunk >= 0 ? low : k ? links->count : 0;
    }
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
        if (!is_own(s, u))
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

static PepaPiece states_of(const Sharing *s, int32_t upper)
{
    return (PepaPiece){s->share->part.place[upper], s->d->set_size[s->d->set[upper]]};
}

/* The states of links with one process, of a chunk or of all; consecutive ones become one piece. */
static bool list_pieces(const Sharing *s, const Links *links, int32_t chunk, int32_t process,
                        PepaPiece **out, int32_t *count)
{
    size_t range[2], cap = 0;
    find_range(s, links, chunk, range);
    for (size_t i = range[0]; i < range[1]; i++) {
        const PepaPiece piece = states_of(s, links->link[i].upper);
        PepaPiece *last = *count ? *out + *count - 1 : NULL;
        if (links->link[i].process != process)
            continue;
        if (last && last->first + last->count == piece.first) {
            last->count += piece.count;
            continue;
        }
        if (!mem_reserve(out, &cap, (size_t)*count + 1, sizeof **out))
            return false;
        (*out)[(*count)++] = piece;
    }
    return true;
}

static bool list_exchange(const Sharing *s, int32_t chunk, PepaExchange *out)
{
    bool ok = mem_new_zeroed(out->partner, s->count);
    for (int32_t k = 0; k < s->count && ok; k++) {
        PepaPartner *p = &out->partner[out->partner_count];
        p->process = k;
        ok = list_pieces(s, &s->out, chunk, k, &p->sent, &p->sent_count) &&
             list_pieces(s, &s->in, chunk, k, &p->received, &p->received_count);
        if (p->sent_count > 0 || p->received_count > 0 || !ok)
            out->partner_count++;
    }
    return ok;
}

/* The chunks of others that a chunk reads. */
static bool list_needs(const Sharing *s, int32_t chunk, ShareChunk *out)
{
    const SharePlan *p = &s->plan;
    const uint8_t *reads = p->reads + (size_t)chunk * (size_t)p->chunks;
    if (!mem_new(out->need, p->chunks))
        return false;
    for (int32_t b = 0; b < p->chunks; b++)
        if (reads[b] && p->process[b] != s->process)
            out->need[out->need_count++] = p->up ? b : p->chunks - 1 - b;
    return true;
}

static bool list_chunks(Sharing *s)
{
    DiagramShare *share = s->share;
    const SharePlan *p = &s->plan;
    bool ok = mem_new_zeroed(share->chunk, p->chunks) && list_exchange(s, -1, &share->states);
    share->chunks = ok ? p->chunks : 0;
    for (int32_t c = 0, own = 0; c < p->chunks && ok; c++) {
        ShareChunk *chunk = &share->chunk[p->up ? c : p->chunks - 1 - c];
        if (p->process[c] == s->process) {
            chunk->first = own;
            chunk->count = p->bound[c + 1] - p->bound[c];
            own += chunk->count;
            ok = list_needs(s, c, chunk);
        }
        ok = ok && list_exchange(s, c, &chunk->exchange);
    }
    return ok;
}

bool diagram_share_new(DiagramShare *out, const Diagram *d, int32_t process, int32_t count)
{
    Sharing s = {.share = out, .d = d, .process = process, .count = count};
    *out = (DiagramShare){.part = *d};
    out->part.place = NULL;
    out->part.own = NULL;
    const bool ok = share_plan_new(&s.plan, d, count) && mem_new(out->part.place, d->upper_count) &&
                    mem_new(s.last, count) && find_links(&s) && place_all(&s) && list_chunks(&s);
    share_plan_free(&s.plan);
    mem_free_all(s.last, s.out.link, s.in.link);
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
    for (int32_t c = 0; c < share->chunks; c++) {
        mem_free(share->chunk[c].need);
        exchange_free(&share->chunk[c].exchange);
    }
    exchange_free(&share->states);
    mem_free_all(share->chunk, share->copy, share->part.place, share->part.own);
    *share = (DiagramShare){0};
}
