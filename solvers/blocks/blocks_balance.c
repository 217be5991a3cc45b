/* Whether groups of states are in balance: as solvers/multilevel/balance.c, of a matrix that is not written out by rows. */
#include "solvers/blocks/blocks.h"

#include <math.h>

#include "base/budget.h"
#include "base/mem.h"
#include "solvers/blocks/tuning.h"
#include "solvers/filling.h"
#include "solvers/tuning.h"

typedef struct {
    const Blocks *blocks;
    const double *x;
    double common;    /* states are one group that more than this flows between */
    int64_t first;    /* state of the block at hand */
    double *most;     /* per state of it: the largest flow from one with more probability, ... */
    int32_t *uphill;  /* ... and that state; -1: there is none */
    int32_t *group;   /* per state: another one of its group, or itself; later its number */
    double *in, *out; /* per group: what flows in from others, and out */
    Filling *filling;
} Hills;

/* Flows of so many states, one after the other, into as many: rate times value[k], or times 1 where it is NULL. */
typedef void RunTask(Hills *h, int64_t to, int64_t from, int32_t length, double rate,
                     const double *value);

static void each_run(Hills *h, int32_t block, RunTask *task)
{
    const Blocks *b = h->blocks;
    const Diagonal *diagonal = &b->diagonals[b->diagonal[block]];
    const int64_t first = h->first = b->offset[block];
    for (int64_t e = b->in_row[block]; e < b->in_row[block + 1]; e++) {
        const BlockEdge *edge = &b->in[e];
        const OffDiagonal *off = &b->off_diagonals[edge->off];
        const double *value = off->value < 0 ? NULL : b->value + off->value;
        for (const BlockRun *run = b->runs + off->first, *end = run + off->count; run < end;
             run++) {
            task(h, first + run->to, b->offset[edge->from] + run->from, run->length, edge->rate,
                 value);
            value = value ? value + run->length : NULL;
        }
    }
    for (int32_t r = 0; r < diagonal->run_row[diagonal->leaves]; r++) {
        const RatedRun *rated = &diagonal->runs[r];
        task(h, first + rated->run.to, first + rated->run.from, rated->run.length, rated->rate,
             NULL);
    }
    for (int32_t i = 0; i < diagonal->rows; i++)
        for (int32_t k = diagonal->row[i]; k < diagonal->row[i + 1]; k++)
            task(h, first + i, first + diagonal->col[k], 1, diagonal->val[k], NULL);
}

static int32_t top(int32_t *group, int32_t i)
{
    while (group[i] != i)
        i = group[i] = group[group[i]];
    return i;
}

/* The first state of a group stands for it. */
static void join(int32_t *group, int32_t i, int32_t j)
{
    i = top(group, i);
    j = top(group, j);
    group[i > j ? i : j] = i > j ? j : i;
}

static void climb(Hills *h, int64_t to, int64_t from, int32_t length, double rate,
                  const double *value)
{
    for (int32_t k = 0; k < length; k++) {
        const int32_t i = (int32_t)(to + k), j = (int32_t)(from + k);
        const double flow = rate * (value ? value[k] : 1) * h->x[j];
        const bool higher = h->x[j] > h->x[i] || (h->x[j] >= h->x[i] && j < i);
        if (flow >= h->common) {
            if (h->group[i] != h->group[j])
                join(h->group, i, j);
        } else if (higher && flow > h->most[i - h->first]) {
            h->most[i - h->first] = flow;
            h->uphill[i - h->first] = j;
        }
    }
}

static void cross(Hills *h, int64_t to, int64_t from, int32_t length, double rate,
                  const double *value)
{
    for (int32_t k = 0; k < length; k++) {
        const int32_t g = h->group[to + k], other = h->group[from + k];
        const double flow = rate * (value ? value[k] : 1) * h->x[from + k];
        if (g != other) {
            h->in[g] += flow;
            h->out[other] += flow;
        }
    }
}

/* group: n, out.  Returns how many there are. */
static int32_t find_groups(Hills *h, int32_t n)
{
    const Blocks *b = h->blocks;
    int32_t count = 0;
    for (int32_t i = 0; i < n; i++)
        h->group[i] = i;
    for (int32_t block = 0; block < b->blocks; block++) {
        const int32_t rows = (int32_t)(b->offset[block + 1] - b->offset[block]);
        for (int32_t i = 0; i < rows; i++) {
            h->most[i] = 0;
            h->uphill[i] = -1;
        }
        each_run(h, block, climb);
        for (int32_t i = 0; i < rows; i++)
            if (h->uphill[i] >= 0)
                join(h->group, (int32_t)h->first + i, h->uphill[i]);
    }
    for (int32_t i = 0; i < n; i++) /* the first of a group comes before the others */
        h->group[i] = h->group[i] == i ? count++ : h->group[h->group[i]];
    return count;
}

/* How far the groups are from what they would hold if what flows out of each came into balance with what flows in. */
static Drift off_balance(const Hills *h, int32_t n, int32_t groups, double *held, uint8_t *grown)
{
    double whole = 0, sum = 0;
    Drift off = {0};
    for (int32_t i = 0; i < n; i++)
        held[h->group[i]] += h->x[i];
    for (int32_t g = 0; g < groups; g++) {
        whole += held[g];
        h->in[g] = held[g] > 0 ? held[g] * (h->in[g] / h->out[g]) : 0;
        sum += h->in[g];
    }
    for (int32_t g = 0; g < groups; g++) {
        h->in[g] /= sum;
        held[g] /= whole;
        off.time += fabs(h->in[g] - held[g]);
    }
    for (int32_t i = 0; grown && i < n; i++)
        grown[i] = grown[i] || h->in[h->group[i]] > (1 + RARE_SWEPT) * held[h->group[i]];
    off.rare = flow_rare_change(NULL, groups, h->in, held);
    off.growth = flow_growth(groups, h->in, held);
    if (!isfinite(off.time))
        off.time = HUGE_VAL;
    return off;
}

Drift blocks_imbalance(const Blocks *blocks, const double *x, double residual, uint8_t *grown)
{
    const int64_t n = blocks->offset[blocks->blocks];
    Hills h = {.blocks = blocks, .x = x};
    double *held = NULL, flow = 0;
    Drift off = {0};
    int32_t groups = 0;
    if (n > INT32_MAX || blocks->share)
        return off;
    for (int32_t k = 0; k < blocks->blocks; k++)
        for (int64_t i = blocks->offset[k]; i < blocks->offset[k + 1]; i++)
            flow +=
                x[i] * (blocks->base[k] + blocks->parts[blocks->part[k]][i - blocks->offset[k]]);
    h.common = COMMON_FLOW * fmax(residual, LEAST_RESIDUAL) * flow;
    if (mem_new(h.most, blocks->largest) && mem_new(h.uphill, blocks->largest) &&
        mem_new(h.group, n))
        groups = find_groups(&h, (int32_t)n);
    if (groups > 1 && mem_new_zeroed(h.in, groups) && mem_new_zeroed(h.out, groups) &&
        mem_new_zeroed(held, groups)) {
        for (int32_t block = 0; block < blocks->blocks; block++)
            each_run(&h, block, cross);
        off = off_balance(&h, (int32_t)n, groups, held, grown);
    }
    mem_free_all(h.most, h.uphill, h.group, h.in, h.out, held);
    return off;
}

/* ---- what holds next to nothing ---- */

/* As climb: the mean after a jump, times the rate at which the state is left. */
static void lead(Hills *h, int64_t to, int64_t from, int32_t length, double rate,
                 const double *value)
{
    Filling *f = h->filling;
    for (int32_t k = 0; k < length; k++)
        f->next[from + k] += (float)(rate * (value ? value[k] : 1)) * f->mean[to + k];
}

static void divide_by_exits(Hills *h)
{
    const Blocks *b = h->blocks;
    for (int32_t block = 0; block < b->blocks; block++)
        for (int64_t i = b->offset[block]; i < b->offset[block + 1]; i++)
            h->filling->next[i] /=
                (float)(b->base[block] + b->parts[b->part[block]][i - b->offset[block]]);
}

bool blocks_may_fill(const Blocks *blocks, const double *x, double growth, const uint8_t *grown,
                     int64_t memory)
{
    const int64_t n = blocks->offset[blocks->blocks];
    Filling filling;
    Hills h = {.blocks = blocks, .x = x, .filling = &filling};
    FillingFound found = FILLING_OPEN;
    if (!(growth > RARE_SWEPT) || n > INT32_MAX || blocks->share ||
        !budget_allows(memory, filling_bytes(n)) || !filling_new(&filling, (int32_t)n))
        return false;
    filling_begin(&filling, x);
    filling.grown = grown;
    while (found == FILLING_OPEN) {
        for (int32_t block = 0; block < blocks->blocks; block++)
            each_run(&h, block, lead);
        divide_by_exits(&h);
        found = filling_look(&filling);
    }
    filling_free(&filling);
    return found == FILLING_LIKELY;
}

double blocks_imbalance_bytes(const Blocks *blocks)
{
    const double state = sizeof(int32_t) + sizeof(double); /* groups are much fewer than states */
    return state * (double)blocks->offset[blocks->blocks];
}
