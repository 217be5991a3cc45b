/* Blocks that do not depend on each other, for whoever is free. */
#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "solvers/schedule/blocks_plan.h"

enum { GRAIN = 8000 }; /* entries of a chunk, if there are blocks enough */

typedef struct {
    const Blocks *b;
    BlocksShared *out;
    int32_t threads;
    int32_t *level, *place; /* per block */
    int32_t *need;          /* per block: the last place that it waits for, or -1 */
    int64_t *cost;
    double *done; /* per chunk: when it is done, and all before it are */
    double alone;
} Draft;

static int32_t most(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

/* ---- order --------------------------------------------------------------------------------- */

/* For every two blocks one of which reads the other: the earlier one in the order of one thread,
 * and the later one; in that order of the later ones, and of the earlier ones after that. */
typedef void Meet(Draft *d, int32_t early, int32_t late);

static void meet_all(Draft *d, Meet *meet)
{
    const Blocks *b = d->b;
    for (int32_t k = 0; k < b->blocks; k++) {
        int32_t block = b->up ? k : b->blocks - 1 - k;
        for (int pass = 0; pass < 2; pass++)
            for (int64_t e = b->in_row[block]; e < b->in_row[block + 1]; e++) {
                int32_t from = b->in[e].from;
                bool earlier = b->up ? from < block : from > block;
                if (pass == 0 && earlier)
                    meet(d, from, block);
                if (pass == 1 && !earlier)
                    meet(d, block, from);
            }
    }
}

/* A block's level is above those of all blocks before it that it reads or that read it.  Levels are
 * final when a block's turn comes: what reads it and comes later is pushed up then. */
static void push_up(Draft *d, int32_t early, int32_t late)
{
    d->level[late] = most(d->level[late], d->level[early] + 1);
}

static void require(Draft *d, int32_t early, int32_t late)
{
    d->need[late] = most(d->need[late], d->place[early]);
}

/* By levels, and within a level in the order of one thread. */
static bool put_in_order(Draft *d)
{
    const Blocks *b = d->b;
    int32_t levels = 0;
    memset(d->level, 0, (size_t)b->blocks * sizeof *d->level);
    meet_all(d, push_up);
    for (int32_t k = 0; k < b->blocks; k++)
        levels = most(levels, d->level[k] + 1);
    int32_t *first = mem_calloc((size_t)levels + 1, sizeof *first);
    if (!first)
        return false;
    for (int32_t k = 0; k < b->blocks; k++)
        first[d->level[k] + 1]++;
    for (int32_t l = 0; l < levels; l++)
        first[l + 1] += first[l];
    for (int32_t k = 0; k < b->blocks; k++) {
        int32_t block = b->up ? k : b->blocks - 1 - k;
        d->place[block] = first[d->level[block]]++;
        d->out->order[d->place[block]] = block;
        d->need[block] = -1;
    }
    mem_free(first);
    meet_all(d, require);
    return true;
}

/* ---- chunks -------------------------------------------------------------------------------- */

static int64_t off_entries(const Blocks *b, const OffDiagonal *off)
{
    int64_t entries = 0;
    for (int32_t r = 0; r < off->count; r++)
        entries += b->runs[off->first + r].length;
    return entries;
}

static bool weigh(Draft *d)
{
    const Blocks *b = d->b;
    int32_t off_diagonals = 0;
    for (int64_t e = 0; e < b->in_row[b->blocks]; e++)
        off_diagonals = most(off_diagonals, b->in[e].off + 1);
    int64_t *entries = mem_alloc((size_t)off_diagonals, sizeof *entries); /* -1: not counted yet */
    if (!entries)
        return false;
    for (int32_t t = 0; t < off_diagonals; t++)
        entries[t] = -1;
    for (int32_t k = 0; k < b->blocks; k++) {
        const Diagonal *diagonal = &b->diagonals[b->diagonal[k]];
        d->cost[k] = (int64_t)COST_ROW * diagonal->rows + diagonal->row[diagonal->rows];
        for (int32_t r = 0; r < diagonal->run_row[diagonal->leaves]; r++)
            d->cost[k] += diagonal->runs[r].run.length;
        for (int64_t e = b->in_row[k]; e < b->in_row[k + 1]; e++) {
            int32_t off = b->in[e].off;
            if (entries[off] < 0)
                entries[off] = off_entries(b, &b->off_diagonals[off]);
            d->cost[k] += COST_EDGE + entries[off];
        }
        d->alone += (double)d->cost[k];
    }
    mem_free(entries);
    return true;
}

/* Some blocks of a level at once, as long as that leaves enough for everybody. */
static void make_chunks(Draft *d)
{
    BlocksShared *s = d->out;
    int32_t n = d->b->blocks;
    for (int32_t k = 0, end; k < n; k = end) {
        int64_t all = 0, filled = 0;
        for (end = k; end < n && d->level[s->order[end]] == d->level[s->order[k]]; end++)
            all += d->cost[s->order[end]];
        int64_t each = all / (4 * d->threads) < GRAIN ? all / (4 * d->threads) : GRAIN;
        for (int32_t i = k; i < end; i++) {
            if (i == k || filled >= each) {
                s->chunk[s->chunks++] = i;
                filled = 0;
            }
            filled += d->cost[s->order[i]];
        }
    }
    s->chunk[s->chunks] = n;
}

/* From blocks to chunks: what must be done before a chunk begins. */
static void find_needs(Draft *d)
{
    BlocksShared *s = d->out;
    int32_t *of = d->level; /* per place, since levels have been used: its chunk */
    for (int32_t c = 0; c < s->chunks; c++) {
        s->need[c] = -1;
        for (int32_t k = s->chunk[c]; k < s->chunk[c + 1]; k++) {
            int32_t before = d->need[s->order[k]];
            if (before >= 0)
                s->need[c] = most(s->need[c], of[before]);
            of[k] = c;
        }
    }
}

/* Who is free first takes the next chunk, and waits for those that it needs. */
static double simulate(Draft *d)
{
    const BlocksShared *s = d->out;
    double free_at[MOST_WORKERS] = {0}, last = 0;
    for (int32_t c = 0; c < s->chunks; c++) {
        int32_t who = 0;
        for (int32_t w = 1; w < d->threads; w++)
            who = free_at[w] < free_at[who] ? w : who;
        double at = s->need[c] < 0 ? 0 : d->done[s->need[c]];
        at = COST_HANDING + fmax(at, free_at[who]);
        for (int32_t k = s->chunk[c]; k < s->chunk[c + 1]; k++)
            at += (double)d->cost[s->order[k]];
        free_at[who] = at;
        d->done[c] = last = fmax(last, at);
    }
    return COST_BEGINNING + last;
}

bool blocks_share(BlocksPlan **out, const Blocks *b, int32_t threads)
{
    size_t n = (size_t)b->blocks;
    BlocksPlan *plan = *out = mem_calloc(1, sizeof *plan);
    if (!plan)
        return false;
    BlocksShared *s = &plan->shared;
    Draft d = {.b = b, .out = s, .threads = threads};
    s->order = mem_alloc(n, sizeof *s->order);
    s->chunk = mem_alloc(n + 1, sizeof *s->chunk);
    s->need = mem_alloc(n, sizeof *s->need);
    d.level = mem_alloc(n, sizeof *d.level);
    d.place = mem_alloc(n, sizeof *d.place);
    d.need = mem_alloc(n, sizeof *d.need);
    d.cost = mem_alloc(n, sizeof *d.cost);
    d.done = mem_alloc(n, sizeof *d.done);
    bool ok = s->order && s->chunk && s->need && d.level && d.place && d.need && d.cost && d.done &&
              put_in_order(&d) && weigh(&d);
    if (ok) {
        make_chunks(&d);
        find_needs(&d);
        plan->threads = threads;
        plan->gain = d.alone / simulate(&d);
    }
    mem_free(d.level);
    mem_free(d.place);
    mem_free(d.need);
    mem_free(d.cost);
    mem_free(d.done);
    return ok;
}
