/* Aggregation: blocks as single states. */
#include "solvers/blocks/blocks.h"

#include <math.h>

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

/* Rates between blocks, given how probability is divided within each. */
static void fill(const BlocksCoarse *c, const Blocks *b, const double *x)
{
    for (int32_t k = 0; k < b->blocks; k++) {
        c->mass[k] = c->before[k] = sum_of(x + b->offset[k], b->offset[k + 1] - b->offset[k]);
        c->exit[k] = 0;
    }
    for (int32_t k = 0; k < b->blocks; k++)
        for (int64_t e = b->in_row[k]; e < b->in_row[k + 1]; e++) {
            const BlockEdge *edge = &b->in[e];
            double flow =
                edge->rate * off_flow(b, &b->off_diagonals[edge->off], x + b->offset[edge->from]);
            c->rate[e] = c->before[edge->from] > 0 ? flow / c->before[edge->from] : 0;
            c->exit[edge->from] += c->rate[e];
        }
}

/* Gauss-Seidel on the aggregated chain, to and fro. */
static void solve(const BlocksCoarse *c, const Blocks *b)
{
    double change = 1;
    for (int32_t k = 0; k < COARSE_SWEEPS && change > 1e-14; k++) {
        double sum = 0;
        change = 0;
        for (int32_t i = 0; i < b->blocks; i++) {
            int32_t block = k % 2 ? b->blocks - 1 - i : i;
            double now = 0;
            for (int64_t e = b->in_row[block]; e < b->in_row[block + 1]; e++)
                now += c->rate[e] * c->mass[b->in[e].from];
            now = c->exit[block] > 0 ? now / c->exit[block] : c->mass[block];
            change += fabs(now - c->mass[block]);
            sum += c->mass[block] = now;
        }
        if (!(sum > 0) || !isfinite(sum))
            return;
        for (int32_t i = 0; i < b->blocks; i++)
            c->mass[i] /= sum;
    }
}

void blocks_aggregate(const Blocks *b, double *x, const BlocksWorkspace *work)
{
    const BlocksCoarse *c = &work->coarse;
    fill(c, b, x);
    solve(c, b);
    for (int32_t k = 0; k < b->blocks; k++) {
        double scale = c->before[k] > 0 ? c->mass[k] / c->before[k] : 1;
        for (int64_t i = b->offset[k]; isfinite(scale) && i < b->offset[k + 1]; i++)
            x[i] *= scale;
    }
}
