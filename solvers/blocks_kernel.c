/* The loops over blocks: compiled for speed, see the Makefile. */
#include <math.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

#include "base/workers.h"
#include "solvers/blocks.h"

/* All of a visit to a block is one function, compiled for any processor and, where that may be had,
 * for wider vectors.  Both compute the same bits: no sum is reordered, no product fused. */
#define INLINE inline __attribute__((always_inline))
#if defined(__x86_64__)
#define WIDE __attribute__((target("avx2")))
#else
#define WIDE
#endif

static INLINE void add_run(double *restrict to, const double *restrict from, double rate,
                           int32_t length)
{
    for (int32_t k = 0; k < length; k++)
        to[k] += rate * from[k];
}

static INLINE void add_values(double *restrict to, const double *restrict from,
                              const double *restrict value, double rate, int32_t length)
{
    for (int32_t k = 0; k < length; k++)
        to[k] += rate * value[k] * from[k];
}

/* What flows into a block from others. */
static INLINE void gather(const Blocks *b, const double *restrict x, int32_t block,
                          double *restrict sum)
{
    memset(sum, 0, (size_t)(b->offset[block + 1] - b->offset[block]) * sizeof *sum);
    for (int64_t e = b->in_row[block]; e < b->in_row[block + 1]; e++) {
        const BlockEdge *edge = &b->in[e];
        const BlockTile *tile = &b->tiles[edge->tile];
        const double *from = x + b->offset[edge->from];
        const BlockRun *run = b->runs + tile->first, *end = run + tile->count;
        if (tile->value < 0) {
            for (; run < end; run++)
                add_run(sum + run->to, from + run->from, edge->rate, run->length);
        } else {
            const double *value = b->value + tile->value;
            for (; run < end; value += run++->length)
                add_values(sum + run->to, from + run->from, value, edge->rate, run->length);
        }
    }
}

static INLINE void gather_leaf(const BlockCore *core, const double *restrict x, int32_t leaf,
                               double *restrict sum)
{
    for (int32_t r = core->run_row[leaf]; r < core->run_row[leaf + 1]; r++) {
        const BlockRun *run = &core->runs[r].run;
        add_run(sum + run->to, x + run->from, core->runs[r].rate, run->length);
    }
}

static INLINE double row_sum(const BlockCore *core, const double *x, int32_t i, double sum)
{
    for (int32_t k = core->row[i]; k < core->row[i + 1]; k++)
        sum += core->val[k] * x[core->col[k]];
    return sum;
}

typedef struct {
    double change, flow;
} Tally;

/* stay: 1 / d_i.  Of the variants that the flags make, those without a tally do no more than they
 * must: x_i = sum / d_i. */
static INLINE void relax(const BlockCore *core, double *restrict x, const double *restrict sum,
                         const double *restrict stay, double omega, int32_t i, Tally *tally)
{
    double now = row_sum(core, x, i, sum[i]) * stay[i];
    if (omega != 1 || tally) {
        double was = x[i];
        now = omega == 1 ? now : was + omega * (now - was);
        if (tally) {
            tally->change += fabs(now - was) / stay[i];
            tally->flow += now / stay[i];
        }
    }
    x[i] = now;
}

static INLINE void relax_leaf(const BlockCore *core, double *x, const double *sum,
                              const double *stay, double omega, bool up, int32_t leaf, Tally *tally)
{
    if (up)
        for (int32_t i = core->leaf[leaf]; i < core->leaf[leaf + 1]; i++)
            relax(core, x, sum, stay, omega, i, tally);
    else
        for (int32_t i = core->leaf[leaf + 1]; i-- > core->leaf[leaf];)
            relax(core, x, sum, stay, omega, i, tally);
}

static INLINE void sweep_block(const Blocks *b, double *x, double omega, bool up, int32_t block,
                               double *scratch, Tally *tally)
{
    const BlockCore *core = &b->cores[b->core[block]];
    const double *part = b->parts[b->part[block]], base = b->base[block];
    double *here = x + b->offset[block], *stay = scratch + b->largest;
    gather(b, x, block, scratch);
    for (int32_t i = 0; i < core->rows; i++)
        stay[i] = 1 / (base + part[i]);
    for (int32_t l = 0; l < core->leaves; l++) {
        int32_t leaf = up ? l : core->leaves - 1 - l;
        gather_leaf(core, here, leaf, scratch);
        relax_leaf(core, here, scratch, stay, omega, up, leaf, tally);
    }
}

typedef struct Sweep Sweep;
typedef void Visit(Sweep *sweep, int32_t block, int32_t worker);

struct Sweep {
    Visit *visit;
    const Blocks *b;
    const BlocksRoom *room;
    double *x, omega;
    bool tally;
    atomic_int next, done; /* places in room->order */
};

static INLINE void visit(Sweep *s, int32_t block, int32_t worker)
{
    const Blocks *b = s->b;
    double *scratch = s->room->scratch + 2 * (size_t)worker * (size_t)b->largest;
    if (s->tally) {
        Tally tally = {0, 0};
        sweep_block(b, s->x, s->omega, b->up, block, scratch, &tally);
        s->room->change[block] = tally.change;
        s->room->flow[block] = tally.flow;
    } else if (s->omega == 1 && b->up) {
        sweep_block(b, s->x, 1, true, block, scratch, NULL);
    } else if (s->omega == 1) {
        sweep_block(b, s->x, 1, false, block, scratch, NULL);
    } else {
        sweep_block(b, s->x, s->omega, b->up, block, scratch, NULL);
    }
}

static void visit_narrow(Sweep *s, int32_t block, int32_t worker)
{
    visit(s, block, worker);
}

WIDE static void visit_wide(Sweep *s, int32_t block, int32_t worker)
{
    visit(s, block, worker);
}

static bool wide_vectors(void)
{
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx2");
#else
    return true; /* both are the same */
#endif
}

/* Take blocks in order of levels; the wait is short, for levels are worked on side by side. */
static void take_blocks(void *user, int32_t index, int32_t worker)
{
    enum { SPINS = 2000 };
    Sweep *s = user;
    (void)index;
    for (;;) {
        int32_t k = atomic_fetch_add(&s->next, 1);
        if (k >= s->b->blocks)
            return;
        for (int32_t spins = 0; atomic_load(&s->done) < s->room->before[k]; spins++)
            if (spins > SPINS)
                (void)sched_yield();
        s->visit(s, s->room->order[k], worker);
        atomic_fetch_add(&s->done, 1);
    }
}

double blocks_sweep(const Blocks *b, double *x, double omega, const BlocksRoom *room, double *flow)
{
    Sweep s = {.visit = wide_vectors() ? visit_wide : visit_narrow,
               .b = b,
               .room = room,
               .x = x,
               .omega = omega,
               .tally = flow != NULL};
    double change = 0;
    if (room->threads > 1) {
        atomic_init(&s.next, 0);
        atomic_init(&s.done, 0);
        workers_run(room->threads, room->threads, take_blocks, &s);
    }
    for (int32_t k = 0; room->threads == 1 && k < b->blocks; k++)
        s.visit(&s, b->up ? k : b->blocks - 1 - k, 0);
    if (!flow)
        return 0;
    *flow = 0;
    for (int32_t k = 0; k < b->blocks; k++) {
        change += room->change[k];
        *flow += room->flow[k];
    }
    return change;
}

/* How far a block is out of balance, see blocks_residual. */
typedef struct {
    double off, flow, time_off, time;
} Balance;

static INLINE void balance_block(const Blocks *b, const double *x, int32_t block,
                                 double *restrict scratch, Balance *sum)
{
    const BlockCore *core = &b->cores[b->core[block]];
    const double *part = b->parts[b->part[block]], base = b->base[block];
    const double *here = x + b->offset[block];
    gather(b, x, block, scratch);
    for (int32_t leaf = 0; leaf < core->leaves; leaf++) {
        gather_leaf(core, here, leaf, scratch);
        for (int32_t i = core->leaf[leaf]; i < core->leaf[leaf + 1]; i++) {
            double exit = base + part[i];
            double defect = fabs(row_sum(core, here, i, scratch[i]) - here[i] * exit);
            sum->off += defect;
            sum->flow += fabs(here[i]) * exit;
            sum->time_off += defect / exit;
            sum->time += fabs(here[i]);
        }
    }
}

static void balance_narrow(const Blocks *b, const double *x, int32_t block, double *scratch,
                           Balance *sum)
{
    balance_block(b, x, block, scratch, sum);
}

WIDE static void balance_wide(const Blocks *b, const double *x, int32_t block, double *scratch,
                              Balance *sum)
{
    balance_block(b, x, block, scratch, sum);
}

double blocks_residual(const Blocks *b, const double *x, const BlocksRoom *room, double *by_time)
{
    bool wide = wide_vectors();
    Balance sum = {0};
    for (int32_t block = 0; block < b->blocks; block++)
        (wide ? balance_wide : balance_narrow)(b, x, block, room->scratch, &sum);
    *by_time = isfinite(sum.time_off / sum.time) ? sum.time_off / sum.time : HUGE_VAL;
    return isfinite(sum.off / sum.flow) ? sum.off / sum.flow : HUGE_VAL;
}
