/* Aggregation: blocks as single states. */
#include "solvers/blocks/blocks.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "solvers/lanes.h"
#include "solvers/blocks/tuning.h"

static double sum_of(const double *x, int64_t n)
{
    double sum[LANES] = {0};
    int64_t i = 0;
    for (; i + LANES <= n; i += LANES)
        for (int32_t l = 0; l < LANES; l++)
            sum[l] += x[i + l];
    for (; i < n; i++)
        sum[0] += x[i];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* sum over the entries of an off-diagonal block, of its value times x at its source. */
static double off_flow(const Blocks *b, const OffDiagonal *off, const double *x)
{
    const double *value = off->value < 0 ? NULL : b->value + off->value;
    double sum = 0;
    for (const BlockRun *run = b->runs + off->first, *end = run + off->count; run < end; run++) {
        sum += value ? 0 : sum_of(x + run->from, run->length);
        for (int32_t k = 0; value && k < run->length; k++)
            sum += *value++ * x[run->from + k];
    }
    return sum;
}

/* ---- the chain of blocks ---------------------------------------------------------------------- */

/* The number of a block or copy among those of all processes. */
static int32_t number_of(const Blocks *b, int32_t block)
{
    const BlocksShare *s = b->share;
    return !s ? block : block < b->blocks ? s->own[block] : s->copy[block - b->blocks];
}

void blocks_coarse_free(BlocksCoarse *c)
{
    mem_free_all(c->row, c->from, c->mass, c->before, c->exit);
    *c = (BlocksCoarse){0};
}

/* How many edges lead into each block: *row. */
static bool find_rows(BlocksCoarse *c, const Blocks *b)
{
    double *count = NULL;
    bool ok = mem_new_zeroed(count, c->blocks) && mem_new(c->row, (size_t)c->blocks + 1) &&
              mem_new(c->before, c->blocks) && mem_new(c->exit, c->blocks);
    ok = blocks_agree(b, ok);
    for (int32_t k = 0; ok && k < b->blocks; k++)
        count[number_of(b, k)] = (double)(b->in_row[k + 1] - b->in_row[k]);
    if (ok)
        blocks_sum(b, count, c->blocks);
    for (int32_t k = 0; ok && k <= c->blocks; k++)
        c->row[k] = k == 0 ? 0 : c->row[k - 1] + (int64_t)count[k - 1];
    mem_free(count);
    return ok;
}

/* What this process sees of block k begins here among the edges of all. */
static int64_t edge_shift(const BlocksCoarse *c, const Blocks *b, int32_t k)
{
    return c->row[number_of(b, k)] - b->in_row[k];
}

bool blocks_coarse_new(BlocksCoarse *c, const Blocks *b)
{
    *c = (BlocksCoarse){.blocks = b->share ? b->share->blocks : b->blocks};
    bool ok = find_rows(c, b);
    const int64_t edges = ok ? c->row[c->blocks] : 0, all = c->blocks + edges;
    ok = ok && (!b->share || all <= INT32_MAX);
    ok = blocks_agree(b, ok && mem_new_zeroed(c->mass, all) && mem_new(c->from, edges));
    if (!ok) {
        blocks_coarse_free(c);
        return false;
    }
    c->rate = c->mass + c->blocks;
    for (int32_t k = 0; k < b->blocks; k++)
        for (int64_t e = b->in_row[k]; e < b->in_row[k + 1]; e++)
            c->rate[edge_shift(c, b, k) + e] = number_of(b, b->in[e].from);
    blocks_sum(b, c->rate, (int32_t)edges);
    for (int64_t e = 0; e < edges; e++)
        c->from[e] = (int32_t)c->rate[e];
    return true;
}

/* ---- aggregation ------------------------------------------------------------------------------ */

typedef struct {
    const BlocksCoarse *c;
    const Blocks *b;
    const int64_t *at; /* per block, then copy: where x has it */
    const double *x;
} Filling;

/* The mass of a block, and the flows into it. */
static void fill_block(void *user, int32_t k, int32_t worker)
{
    const Filling *f = user;
    const Blocks *b = f->b;
    double *rate = f->c->rate + edge_shift(f->c, b, k);
    (void)worker;
    f->c->mass[number_of(b, k)] = sum_of(f->x + b->offset[k], b->offset[k + 1] - b->offset[k]);
    for (int64_t e = b->in_row[k]; e < b->in_row[k + 1]; e++) {
        const BlockEdge *edge = &b->in[e];
        rate[e] = edge->rate * off_flow(b, &b->off_diagonals[edge->off], f->x + f->at[edge->from]);
    }
}

/* Rates between blocks, given how probability is divided within each.  Copies that pass come one after
 * the other, as in sweeps, or all at once, which is quicker and takes memory for all. */
static void fill(const BlocksCoarse *c, const Blocks *b, double *x)
{
    const int64_t edges = c->row[c->blocks];
    Filling f = {c, b, b->offset, x};
    const bool passes = b->share && b->share->passes;
    memset(c->mass, 0, (size_t)(c->blocks + edges) * sizeof *c->mass);
    if (passes && !c->lasts) {
        f.at = b->share->at;
        blocks_walk(b, x, fill_block, &f);
        blocks_finish(b);
    } else {
        if (passes)
            blocks_renew_all(b, x);
        for (int32_t k = 0; k < b->blocks; k++)
            fill_block(&f, k, 0);
    }
    blocks_sum(b, c->mass, (int32_t)(c->blocks + edges));
    memcpy(c->before, c->mass, (size_t)c->blocks * sizeof *c->before);
    memset(c->exit, 0, (size_t)c->blocks * sizeof *c->exit);
    for (int64_t e = 0; e < edges; e++) {
        const double mass = c->before[c->from[e]];
        c->rate[e] = mass > 0 ? c->rate[e] / mass : 0;
        c->exit[c->from[e]] += c->rate[e];
    }
}

/* Gauss-Seidel on the aggregated chain, to and fro. */
static void solve(const BlocksCoarse *c)
{
    double change = 1;
    for (int32_t k = 0; k < COARSE_SWEEPS && change > 1e-14; k++) {
        double sum = 0;
        change = 0;
        for (int32_t i = 0; i < c->blocks; i++) {
            int32_t block = k % 2 ? c->blocks - 1 - i : i;
            double now = 0;
            for (int64_t e = c->row[block]; e < c->row[block + 1]; e++)
                now += c->rate[e] * c->mass[c->from[e]];
            now = c->exit[block] > 0 ? now / c->exit[block] : c->mass[block];
            change += fabs(now - c->mass[block]);
            sum += c->mass[block] = now;
        }
        if (!(sum > 0) || !isfinite(sum))
            return;
        for (int32_t i = 0; i < c->blocks; i++)
            c->mass[i] /= sum;
    }
}

void blocks_aggregate(const Blocks *b, double *x, const BlocksCoarse *c)
{
    blocks_finish(b);
    fill(c, b, x);
    solve(c);
    const int32_t kept = b->share ? b->share->copies_kept : 0;
    for (int32_t k = 0; k < b->blocks + kept; k++) {
        const int32_t number = number_of(b, k);
        const double scale = c->before[number] > 0 ? c->mass[number] / c->before[number] : 1;
        for (int64_t i = b->offset[k]; isfinite(scale) && i < b->offset[k + 1]; i++)
            x[i] *= scale;
    }
}
