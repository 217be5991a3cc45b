/* Which pieces, and in which order they are taken. */
#include "solvers/schedule/rows.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "solvers/schedule/rows_pieces.h"

void rows_plan_free(RowsPlan *plan)
{
    if (!plan)
        return;
    mem_free(plan->first);
    mem_free(plan->order);
    mem_free(plan->before);
    mem_free(plan->after);
    mem_free(plan->owner);
    mem_free(plan->turn);
    mem_free(plan->told_before);
    mem_free(plan->told_after);
    mem_free(plan->slot);
    mem_free(plan->cut_block);
    mem_free(plan->found);
    mem_free(plan->change);
    mem_free(plan);
}

/* As much as has been seen, at most. */
double rows_plan_bytes(const Flow *flow)
{
    return 16.0 * flow->n;
}

/* ---- order ---------------------------------------------------------------------------------- */

/* A sweep by so many threads, as it might be. */
typedef struct {
    const Flow *flow;
    const RowsPieces *pieces;
    int32_t *waits, *begin,
        *later;           /* per piece: for how many; those that wait for it, with links */
    int32_t *heap, ready; /* that need not wait any more, the first in the matrix on top */
    int32_t *order;       /* as they begin */
    uint8_t *owner;       /* of those that have begun */
    double *done;         /* when they are */
} Draft;

static void draft_free(Draft *d)
{
    mem_free(d->waits);
    mem_free(d->begin);
    mem_free(d->later);
    mem_free(d->heap);
    mem_free(d->order);
    mem_free(d->owner);
    mem_free(d->done);
}

/* Links by their earlier pieces. */
static bool draft_new(Draft *d, const Flow *flow, const RowsPieces *p)
{
    const size_t n = (size_t)p->pieces;
    *d = (Draft){.flow = flow, .pieces = p};
    d->waits = mem_alloc(n, sizeof *d->waits);
    d->begin = mem_calloc(n + 2, sizeof *d->begin);
    d->later = mem_alloc(p->count, sizeof *d->later);
    d->heap = mem_alloc(n, sizeof *d->heap);
    d->order = mem_alloc(n, sizeof *d->order);
    d->owner = mem_alloc(n, sizeof *d->owner);
    d->done = mem_alloc(n, sizeof *d->done);
    if (!d->waits || !d->begin || !d->later || !d->heap || !d->order || !d->owner || !d->done)
        return false;
    for (size_t e = 0; e < p->count; e++)
        d->begin[p->link[e].early + 2]++;
    for (size_t k = 0; k < n; k++)
        d->begin[k + 2] += d->begin[k + 1];
    for (int32_t late = 0; late < p->pieces; late++)
        for (size_t e = p->begin[late]; e < p->begin[late + 1]; e++)
            d->later[d->begin[p->link[e].early + 1]++] = late;
    return true;
}

static void make_ready(Draft *d, int32_t piece)
{
    int32_t at = d->ready++;
    for (; at > 0 && d->heap[(at - 1) / 2] > piece; at = (at - 1) / 2)
        d->heap[at] = d->heap[(at - 1) / 2];
    d->heap[at] = piece;
}

static int32_t take_first(Draft *d)
{
    int32_t top = d->heap[0], moved = d->heap[--d->ready], at = 0;
    for (int32_t child = 1; child < d->ready; child = 2 * at + 1) {
        if (child + 1 < d->ready && d->heap[child + 1] < d->heap[child])
            child++;
        if (d->heap[child] >= moved)
            break;
        d->heap[at] = d->heap[child];
        at = child;
    }
    d->heap[at] = moved;
    return top;
}

static double cost_of(const Draft *d, int32_t piece)
{
    int32_t first = d->pieces->first[piece], end = d->pieces->first[piece + 1];
    return COST_ROW * (end - first) + (double)(d->flow->row[end] - d->flow->row[first]);
}

/* What a thread that begins with a piece now has to fetch, from the others and from elsewhere. */
static double fetches(const Draft *d, int32_t piece, int32_t thread, double now)
{
    const RowsPieces *p = d->pieces;
    double ties = 0, links = (double)(p->begin[piece + 1] - p->begin[piece]);
    for (size_t e = p->begin[piece]; e < p->begin[piece + 1]; e++) {
        int32_t early = p->link[e].early;
        if (d->owner[early] != thread && now - d->done[early] < COST_RECENT)
            ties += p->link[e].ties;
    }
    return COST_LINK * links + COST_FETCH * ties;
}

/* Returns what one thread takes. */
static double begin_draft(Draft *d)
{
    double alone = 0;
    for (int32_t p = 0; p < d->pieces->pieces; p++) {
        d->waits[p] = (int32_t)(d->pieces->begin[p + 1] - d->pieces->begin[p]);
        alone += cost_of(d, p);
        if (d->waits[p] == 0)
            make_ready(d, p);
    }
    return alone;
}

/* Who is free takes the first piece that need not wait, so that all stay near each other in the
 * vectors.  Returns how many times as fast as one thread that is. */
static double share_out(Draft *d, int32_t threads)
{
    int32_t job[MOST_WORKERS], begun = 0;
    double now = 0, alone = begin_draft(d);
    for (int32_t t = 0; t < threads; t++)
        job[t] = -1;
    for (int32_t left = d->pieces->pieces; left > 0; left--) {
        int32_t next = -1;
        for (int32_t t = 0; t < threads; t++) {
            if (job[t] < 0 && d->ready > 0) {
                int32_t piece = job[t] = d->order[begun++] = take_first(d);
                d->owner[piece] = (uint8_t)t;
                d->done[piece] = now + COST_PIECE + cost_of(d, piece) + fetches(d, piece, t, now);
            }
            if (job[t] >= 0 && (next < 0 || d->done[job[t]] < d->done[job[next]]))
                next = t;
        }
        int32_t piece = job[next];
        now = d->done[piece];
        job[next] = -1;
        for (int32_t e = d->begin[piece]; e < d->begin[piece + 1]; e++)
            if (--d->waits[d->later[e]] == 0)
                make_ready(d, d->later[e]);
    }
    return alone / (COST_BEGIN + now);
}

/* ---- the choice ----------------------------------------------------------------------------- */

typedef struct {
    const Flow *flow;
    RowsPieces best;
    int32_t *order; /* of the best */
    int32_t threads;
    double gain;
} Choice;

static void choice_note(Choice *c, Draft *d, int32_t threads, double gain)
{
    int32_t *swap = c->order;
    c->order = d->order;
    d->order = swap;
    c->threads = threads;
    c->gain = gain;
}

/* Fewer threads, if they are as good.  *chosen: these pieces are better than those before.
 * False: memory is out. */
static bool consider(Choice *c, const RowsPieces *p, int32_t threads, bool *chosen)
{
    const double better = 1.05;
    Draft d;
    *chosen = false;
    bool ok = draft_new(&d, c->flow, p);
    for (int32_t t = threads; t > 1 && ok; t /= 2) {
        double gain = share_out(&d, t);
        if (gain * (*chosen ? better : 1) <= c->gain)
            break;
        choice_note(c, &d, t, gain);
        *chosen = true;
        mem_free(d.order);
        d.order = mem_alloc((size_t)p->pieces, sizeof *d.order);
        ok = d.order != NULL;
    }
    draft_free(&d);
    return ok;
}

/* Ever larger pieces, until these are so few that one thread waits for the other. */
static bool choose(Choice *c, int32_t threads, int32_t grain)
{
    const int32_t few = 4;
    RowsPieces p = {0};
    Workers *workers = c->flow->team ? c->flow->team->workers : NULL;
    bool ok = rows_pieces_new(&p, c->flow, grain, workers), last = false;
    while (ok && !last) {
        RowsPieces next = {0};
        bool chosen = false;
        grain *= 2;
        ok = consider(c, &p, threads, &chosen);
        last = p.pieces < 2 * few * threads;
        if (ok && !last)
            ok = rows_pieces_join(&next, &p, grain);
        if (chosen) {
            rows_pieces_free(&c->best);
            c->best = p;
        } else {
            rows_pieces_free(&p);
        }
        p = next;
    }
    rows_pieces_free(&p);
    return ok;
}

/* ---- what is needed of it ------------------------------------------------------------------- */

/* From links to distances in the order. */
static void note_waits(RowsPlan *plan, const RowsPieces *p, int32_t *place)
{
    for (int32_t c = 0; c < plan->pieces; c++)
        place[plan->order[c]] = c;
    for (int32_t piece = 0; piece < plan->pieces; piece++)
        for (size_t e = p->begin[piece]; e < p->begin[piece + 1]; e++) {
            int32_t early = place[p->link[e].early], late = place[piece];
            if (late - early <= WINDOW) {
                plan->before[late] |= (uint64_t)1 << (late - early - 1);
                plan->after[early] |= (uint64_t)1 << (late - early - 1);
            }
        }
}

bool rows_plan_sums(RowsPlan *plan, int32_t n)
{
    size_t blocks = ((size_t)n + SUM_ROWS - 1) / SUM_ROWS, cuts = (size_t)plan->pieces + 1;
    plan->slot = mem_alloc(cuts, sizeof *plan->slot);
    plan->cut_block = mem_alloc(cuts, sizeof *plan->cut_block);
    plan->found = mem_alloc(blocks, sizeof *plan->found);
    if (!plan->slot || !plan->cut_block || !plan->found)
        return false;
    for (int32_t p = 0; p <= plan->pieces; p++) {
        int32_t block = plan->first[p] / SUM_ROWS;
        plan->slot[p] = -1;
        if (plan->first[p] % SUM_ROWS == 0 || p == plan->pieces)
            continue;
        if (plan->slots == 0 || plan->cut_block[plan->slots - 1] != block)
            plan->cut_block[plan->slots++] = block;
        plan->slot[p] = plan->slots - 1;
    }
    plan->change = mem_alloc((size_t)plan->slots, SUM_ROWS * sizeof *plan->change);
    return plan->change != NULL;
}

/* The choice gives away what it has. */
static bool make(RowsPlan **out, Choice *c)
{
    const size_t pieces = (size_t)c->best.pieces;
    RowsPlan *plan = *out = mem_calloc(1, sizeof *plan);
    int32_t *place = mem_alloc(pieces, sizeof *place);
    bool ok = plan && place;
    if (ok) {
        *plan = (RowsPlan){.threads = c->threads, .gain = c->gain, .pieces = c->best.pieces};
        plan->first = c->best.first;
        plan->order = c->order;
        c->best.first = c->order = NULL;
        plan->before = mem_calloc(pieces, sizeof *plan->before);
        plan->after = mem_calloc(pieces, sizeof *plan->after);
        ok = plan->before && plan->after && rows_plan_sums(plan, c->flow->n);
    }
    if (ok)
        note_waits(plan, &c->best, place);
    mem_free(place);
    return ok;
}

bool rows_plan_by(RowsPlan **out, const Flow *flow, int32_t threads, int32_t grain, double worth)
{
    Choice c = {.flow = flow};
    *out = NULL;
    bool ok = choose(&c, threads, grain);
    if (ok && c.gain >= worth && !make(out, &c)) {
        rows_plan_free(*out);
        *out = NULL;
        ok = false;
    }
    rows_pieces_free(&c.best);
    mem_free(c.order);
    return ok;
}

/* Keep the better one. */
static void prefer(RowsPlan **best, RowsPlan *other)
{
    bool better = other && (!*best || other->gain > (*best)->gain);
    rows_plan_free(better ? *best : other);
    *best = better ? other : *best;
}

/* Smaller pieces than these take too long to begin with; of few rows, there must be some for each.
 */
bool rows_plan_new(RowsPlan **out, const Flow *flow, int32_t threads)
{
    const int32_t largest = 512, least = 64, few = 32;
    const double worth = 1.15, good = 0.8, worth_lines = 1.4;
    int32_t grain = flow->n / (few * threads);
    RowsPlan *other = NULL;
    grain = grain < least ? least : grain < largest ? grain : largest;
    bool ok = rows_plan_by(out, flow, threads, grain, worth);
    if (!ok || (*out && (*out)->gain >= good * threads))
        return ok;
    ok = rows_plan_lines(&other, flow, threads, grain / 4, worth_lines);
    prefer(out, other);
    return ok;
}
