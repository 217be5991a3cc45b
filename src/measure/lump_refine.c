/* Refines a partition until it is lumpable.
 *
 * A splitter is a block; what counts is the rate q(s, C) into it from each state s, by one pass
 * over the transitions into it.  For a state within C it is minus the rate of leaving C, so that
 * the rates of a state into all blocks sum to 0.  When a block has been a splitter and falls apart,
 * all parts but the largest become splitters: the rates into the largest are what is missing to
 * those into the whole.  So a transition is looked at when its target's block has at most half the
 * states that it had the last time: O(log n) times.
 *
 * What is missing is known to within rounding of the whole only.  Where rates are many orders of
 * magnitude apart, that says nothing of the small ones.  So in the end every block is a splitter
 * once more, for the states outside it, until a pass over all blocks splits none. */
#include "base/bucket.h"
#include "base/clock.h"
#include "measure/lump_private.h"
#include "solvers/internal.h"

/* A state leaves its block at a rate that is no difference of sums any more, but rounding of them:
 * taken as 0 here, and seen in the pass over all blocks. */
#define LEAST_LEAVING 1e-15

typedef struct {
    Partition *p;
    const double *value;
    const PepaSettings *set;
    int64_t *row; /* transitions by target, with their sources; no self-loops */
    int32_t *from;
    double *rate;
    Sum *exit, *into; /* per state; into: the splitter at hand, else 0 */
    uint8_t *seen;    /* per state: it is listed in touched */
    uint8_t *waits;   /* per block: it is in queue */
    int32_t *touched, *queue;
    Weighted *item;
    int32_t touches, waiting;
    double began, last; /* seconds, for the callback */
    int64_t wait;
} Refinement;

/* ---- transitions by target ------------------------------------------------------------------- */

static void count_into(void *user, const Transition *t)
{
    Refinement *r = user;
    if (t->from == t->to)
        return;
    bucket_count(r->row, (int32_t)t->to);
    sum_add(&r->exit[t->from], r->value[t->term]);
}

static void put_into(void *user, const Transition *t)
{
    Refinement *r = user;
    if (t->from == t->to)
        return;
    const int64_t k = bucket_place(r->row, (int32_t)t->to);
    r->from[k] = (int32_t)t->from;
    r->rate[k] = r->value[t->term];
}

static PepaStatus list_transitions(Refinement *r, const Chain *chain, PepaError *err)
{
    PepaStatus status = chain_each_transition(chain, count_into, r, err);
    if (status != PEPA_OK)
        return status;
    bucket_starts(r->row, r->p->n);
    const int64_t entries = r->row[(int64_t)r->p->n + 1];
    if (!mem_new(r->from, entries) || !mem_new(r->rate, entries))
        return error_memory(err);
    return chain_each_transition(chain, put_into, r, err);
}

/* ---- splitters ------------------------------------------------------------------------------- */

static void touch(Refinement *r, int32_t state)
{
    if (!r->seen[state])
        r->touched[r->touches++] = state;
    r->seen[state] = 1;
}

/* into: the rates into block c; states within it are left out, or have minus the rate out of it. */
static void find_rates(Refinement *r, int32_t c, bool within)
{
    const Partition *p = r->p;
    for (int32_t i = p->first[c]; i < p->end[c]; i++) {
        const int32_t s = p->state[i];
        r->wait -= r->row[s + 1] - r->row[s] + 1;
        for (int64_t k = r->row[s]; k < r->row[s + 1]; k++) {
            const int32_t from = r->from[k];
            if (!within && p->block[from] == c)
                continue;
            touch(r, from);
            sum_add(&r->into[from], r->rate[k]);
        }
    }
    for (int32_t i = p->first[c]; within && i < p->end[c]; i++) {
        const int32_t s = p->state[i];
        Sum *into = &r->into[s];
        touch(r, s);
        sum_add(into, -r->exit[s].sum);
        sum_add(into, -r->exit[s].less);
        if (fabs(sum_value(into)) <= LEAST_LEAVING * r->exit[s].sum)
            *into = (Sum){0};
    }
}

static void enqueue(Refinement *r, int32_t block)
{
    if (!r->waits[block])
        r->queue[r->waiting++] = block;
    r->waits[block] = 1;
}

/* Split all blocks by the rates into block c. */
static void split_by(Refinement *r, int32_t c, bool within)
{
    Partition *p = r->p;
    r->touches = 0;
    find_rates(r, c, within);
    for (int32_t i = 0; i < r->touches; i++)
        (void)partition_mark(p, r->touched[i]);
    for (int32_t i = 0; i < r->touches; i++) {
        const int32_t b = p->block[r->touched[i]], count = p->marked[b], before = p->count;
        if (count == 0) /* it has been split */
            continue;
        p->marked[b] = 0;
        for (int32_t k = 0; k < count; k++) {
            const int32_t s = p->state[p->first[b] + k];
            r->item[k] = (Weighted){sum_value(&r->into[s]), s};
        }
        partition_split(p, b, r->item, count);
        for (int32_t k = before; k < p->count; k++)
            enqueue(r, k); /* all but the largest; that one too if b waits anyway */
    }
    for (int32_t i = 0; i < r->touches; i++) {
        r->into[r->touched[i]] = (Sum){0};
        r->seen[r->touched[i]] = 0;
    }
}

/* Tell the callback about every 0.1 s; true: it wants to stop. */
static bool stops(Refinement *r)
{
    const PepaSettings *set = r->set;
    if (!set->progress || r->wait > 0)
        return false;
    r->wait = BETWEEN_READINGS;
    const double now = clock_seconds();
    if (now - r->last < 0.1)
        return false;
    r->last = now;
    return set->progress(set->user, &(PepaProgress){.phase = "lump",
                                                    .count = r->p->count,
                                                    .seconds = now - r->began,
                                                    .left = -1}) != 0;
}

static PepaStatus refine(Refinement *r, PepaError *err)
{
    const Partition *p = r->p;
    bool stop = stops(r);
    for (int32_t b = 0; b < p->count; b++)
        enqueue(r, b);
    while (r->waiting && !stop) {
        while (r->waiting && !stop) {
            const int32_t c = r->queue[--r->waiting];
            r->waits[c] = 0;
            split_by(r, c, true);
            stop = stops(r);
        }
        for (int32_t c = 0; c < p->count && !stop; c++) {
            split_by(r, c, false);
            stop = stops(r);
        }
    }
    return stop ? error_set(err, PEPA_ECANCEL, "lumping: cancelled") : PEPA_OK;
}

PepaStatus lump_refine(Partition *p, const Chain *chain, const RateValues *at,
                       const PepaSettings *set, PepaError *err)
{
    const size_t n = (size_t)p->n;
    Refinement r = {.p = p, .value = at->term, .set = set};
    r.began = r.last = set->progress ? clock_seconds() : 0;
    bool ok = mem_new_zeroed(r.row, n + 2) && mem_new_zeroed(r.exit, n) &&
              mem_new_zeroed(r.into, n) && mem_new_zeroed(r.seen, n) &&
              mem_new_zeroed(r.waits, n) && mem_new(r.touched, n) && mem_new(r.queue, n) &&
              mem_new(r.item, n);
    PepaStatus status = ok ? list_transitions(&r, chain, err) : error_memory(err);
    if (status == PEPA_OK)
        status = refine(&r, err);
    mem_free_all(r.row, r.from, r.rate, r.exit, r.into, r.seen, r.waits, r.touched, r.queue,
                 r.item);
    return status;
}
