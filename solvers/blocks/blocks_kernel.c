/* The loops over blocks: compiled for speed, see the Makefile. */
#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "solvers/blocks/blocks_plan.h"
#include "solvers/blocks/tuning.h"
#include "solvers/wide.h"

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

/* Off-diagonal blocks as a whole, or cut by the parts that they lead into; and where vectors have
 * blocks and copies. */
typedef struct {
    const OffDiagonal *off;
    const BlockRun *runs;
    const double *value;
    const int64_t *at;
    int32_t parts;
} View;

static View whole_view(const Blocks *b, const int64_t *at)
{
    return (View){b->off_diagonals, b->runs, b->value, at, 1};
}

/* What the part-th part of an edge reads, before it does: runs are too short for the processor to
 * foresee the next. */
static INLINE void fetch(const View *v, const BlockEdge *edge, const double *x, int32_t part)
{
    const OffDiagonal *off = &v->off[(size_t)edge->off * (size_t)v->parts + (size_t)part];
    const double *from = x + v->at[edge->from];
    const BlockRun *run = v->runs + off->first;
    const BlockRun *last = run + (off->count < FETCHED_RUNS ? off->count : FETCHED_RUNS);
    for (; run < last; run++)
        for (int32_t k = 0; k < run->length; k += CACHE_LINE / (int32_t)sizeof *from)
            __builtin_prefetch(from + run->from + k);
}

/* What flows from other blocks into rows first .. end - 1 of a block, its part-th part. */
static INLINE void gather(const Blocks *b, const View *v, const double *restrict x, int32_t block,
                          int32_t part, int32_t first, int32_t end, double *restrict sum)
{
    memset(sum + first, 0, (size_t)(end - first) * sizeof *sum);
    for (int64_t e = b->in_row[block]; e < b->in_row[block + 1]; e++) {
        const BlockEdge *edge = &b->in[e];
        const OffDiagonal *off = &v->off[(size_t)edge->off * (size_t)v->parts + (size_t)part];
        const double *from = x + v->at[edge->from];
        const BlockRun *run = v->runs + off->first, *last = run + off->count;
        if (e + 1 < b->in_row[block + 1])
            fetch(v, edge + 1, x, part);
        if (off->value < 0) {
            for (; run < last; run++)
                add_run(sum + run->to, from + run->from, edge->rate, run->length);
        } else {
            const double *value = v->value + off->value;
            for (; run < last; value += run++->length)
                add_values(sum + run->to, from + run->from, value, edge->rate, run->length);
        }
    }
}

static INLINE void gather_leaf(const Diagonal *diagonal, const double *restrict x, int32_t leaf,
                               double *restrict sum)
{
    for (int32_t r = diagonal->run_row[leaf]; r < diagonal->run_row[leaf + 1]; r++) {
        const BlockRun *run = &diagonal->runs[r].run;
        add_run(sum + run->to, x + run->from, diagonal->runs[r].rate, run->length);
    }
}

static INLINE double row_sum(const Diagonal *diagonal, const double *x, int32_t i, double sum)
{
    for (int32_t k = diagonal->row[i]; k < diagonal->row[i + 1]; k++)
        sum += diagonal->val[k] * x[diagonal->col[k]];
    return sum;
}

typedef struct {
    double change, flow;
} Tally;

/* stay: 1 / d_i.  Of the variants that the flags make, those without a tally do no more than they
 * must: x_i = sum / d_i. */
static INLINE void relax(const Diagonal *diagonal, double *restrict x, const double *restrict sum,
                         const double *restrict stay, double omega, int32_t i, Tally *tally)
{
    double now = row_sum(diagonal, x, i, sum[i]) * stay[i];
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

static INLINE void relax_leaf(const Diagonal *diagonal, double *x, const double *sum,
                              const double *stay, double omega, bool up, int32_t leaf, Tally *tally)
{
    if (up)
        for (int32_t i = diagonal->leaf[leaf]; i < diagonal->leaf[leaf + 1]; i++)
            relax(diagonal, x, sum, stay, omega, i, tally);
    else
        for (int32_t i = diagonal->leaf[leaf + 1]; i-- > diagonal->leaf[leaf];)
            relax(diagonal, x, sum, stay, omega, i, tally);
}

/* Leaves first .. end - 1 of a block, its part-th part. */
typedef struct {
    int32_t block, part, first, end;
} Piece;

static INLINE void sweep_piece(const Blocks *b, const View *v, double *x, double omega, bool up,
                               const Piece *piece, double *scratch, Tally *tally)
{
    int32_t block = piece->block;
    const Diagonal *diagonal = &b->diagonals[b->diagonal[block]];
    const double *part = b->parts[b->part[block]], base = b->base[block];
    double *here = x + b->offset[block], *stay = scratch + b->largest;
    int32_t first = diagonal->leaf[piece->first], end = diagonal->leaf[piece->end];
    gather(b, v, x, block, piece->part, first, end, scratch);
    for (int32_t i = first; i < end; i++)
        stay[i] = 1 / (base + part[i]);
    for (int32_t l = piece->first; l < piece->end; l++) {
        int32_t leaf = up ? l : piece->first + piece->end - 1 - l;
        gather_leaf(diagonal, here, leaf, scratch);
        relax_leaf(diagonal, here, scratch, stay, omega, up, leaf, tally);
    }
}

typedef struct Sweep Sweep;
typedef void Visit(const Sweep *sweep, const View *view, const Piece *piece, int32_t worker);

struct Sweep {
    Visit *visit;
    const Blocks *b;
    const BlocksWorkspace *work;
    View whole;
    double *x, omega;
    const Iterate *was;
    bool tally;
};

/* What is about to be swept is read then anyway. */
static INLINE void keep_piece(const Sweep *s, const Piece *piece)
{
    const Diagonal *diagonal = &s->b->diagonals[s->b->diagonal[piece->block]];
    const int32_t first = diagonal->leaf[piece->first], end = diagonal->leaf[piece->end];
    const int64_t from = s->b->offset[piece->block] + first;
    iterate_keep(s->was, s->x, from, from + end - first);
}

/* The parts of a block are done one after the other; each continues the tally of the last. */
static INLINE void visit(const Sweep *s, const View *v, const Piece *piece, int32_t worker)
{
    const Blocks *b = s->b;
    double *scratch = s->work->scratch + 2 * (size_t)worker * (size_t)b->largest;
    if (s->was)
        keep_piece(s, piece);
    if (s->tally) {
        double *found = s->work->found + (size_t)FOUND * (size_t)piece->block;
        Tally tally = {found[0], found[1]};
        sweep_piece(b, v, s->x, s->omega, b->up, piece, scratch, &tally);
        found[0] = tally.change;
        found[1] = tally.flow;
    } else if (s->omega == 1 && b->up) {
        sweep_piece(b, v, s->x, 1, true, piece, scratch, NULL);
    } else if (s->omega == 1) {
        sweep_piece(b, v, s->x, 1, false, piece, scratch, NULL);
    } else {
        sweep_piece(b, v, s->x, s->omega, b->up, piece, scratch, NULL);
    }
}

static void visit_narrow(const Sweep *s, const View *v, const Piece *piece, int32_t worker)
{
    visit(s, v, piece, worker);
}

WIDE static void visit_wide(const Sweep *s, const View *v, const Piece *piece, int32_t worker)
{
    visit(s, v, piece, worker);
}

static void visit_whole(const Sweep *s, int32_t block, int32_t worker)
{
    int32_t leaves = s->b->diagonals[s->b->diagonal[block]].leaves;
    s->visit(s, &s->whole, &(Piece){block, 0, 0, leaves}, worker);
}

static void sweep_alone(void *user)
{
    const Sweep *s = user;
    for (int32_t k = 0; k < s->b->blocks; k++)
        visit_whole(s, block_place(s->b, k), 0);
}

static void sweep_part(const Sweep *s, const BlocksParts *p, int32_t task, int32_t worker)
{
    const Blocks *b = s->b;
    const View view = {p->off, p->runs, p->value, b->offset, p->count};
    int32_t block = block_place(b, task / p->count), place = task % p->count;
    int32_t part = b->up ? place : p->count - 1 - place;
    const int32_t *leaf = p->leaf + (size_t)b->diagonal[block] * ((size_t)p->count + 1) + part;
    s->visit(s, &view, &(Piece){block, part, leaf[0], leaf[1]}, worker);
}

static void sweep_task(void *user, int32_t task, int32_t worker)
{
    const Sweep *s = user;
    const BlocksPlan *plan = s->work->plan;
    if (plan->parts.count > 0) {
        sweep_part(s, &plan->parts, task, worker);
        return;
    }
    for (int32_t k = plan->plan->first[task]; k < plan->plan->first[task + 1]; k++)
        visit_whole(s, block_place(s->b, k), worker);
}

static void finish(const BlocksShare *share, int32_t step)
{
    if (share->step[step].exchange)
        share->processes->finish(share->processes->user, share->step[step].exchange);
}

/* Before blocks are visited, those that they read have come, and they have gone where they were sent
 * before.  Long messages move only while both sides look at them: each does now and then. */
void blocks_walk(const Blocks *b, double *x, WorkTask *task, void *user)
{
    const BlocksShare *share = b->share;
    int64_t visited = 0; /* states since */
    for (int32_t i = 0; i < share->steps; i++) {
        const BlocksStep *step = &share->step[i];
        for (int32_t k = 0; k < step->need_count; k++)
            finish(share, step->need[k]);
        finish(share, i);
        for (int32_t k = 0; k < step->count; k++) {
            const int32_t block = step->first + (b->up ? k : step->count - 1 - k);
            task(user, block, 0);
            visited += b->offset[block + 1] - b->offset[block];
            if (visited >= POLLED_STATES) {
                share->processes->poll(share->processes->user);
                visited = 0;
            }
        }
        if (step->exchange)
            share->processes->start(share->processes->user, step->exchange, x);
    }
}

static void sweep_block(void *user, int32_t block, int32_t worker)
{
    visit_whole(user, block, worker);
}

void blocks_finish(const Blocks *b)
{
    for (int32_t i = 0; b->share && i < b->share->steps; i++)
        finish(b->share, i);
}

void blocks_sweep(const Blocks *b, double *x, double omega, const BlocksWorkspace *work,
                  const Iterate *was, BlocksTally *tally)
{
    Sweep s = {.visit = wide_vectors() ? visit_wide : visit_narrow,
               .b = b,
               .work = work,
               .whole = whole_view(b, b->share ? b->share->at : b->offset),
               .x = x,
               .was = was,
               .omega = omega,
               .tally = tally != NULL};
    if (tally)
        memset(work->found, 0, (size_t)b->blocks * FOUND * sizeof *work->found);
    if (b->share)
        blocks_walk(b, x, sweep_block, &s);
    else if (work->runner)
        (void)runner_sweep(work->runner, 0, false, &(Sweeping){sweep_task, sweep_alone, NULL, &s});
    else
        sweep_alone(&s);
    if (!tally)
        return;
    *tally = (BlocksTally){0};
    for (int32_t k = 0; k < b->blocks; k++) {
        tally->change += work->found[FOUND * (size_t)k];
        tally->flow += work->found[FOUND * (size_t)k + 1];
    }
}

/* ---- residuals ------------------------------------------------------------------------------ */

/* How far a block is out of balance, see blocks_residual. */
typedef struct {
    double off, flow, time_off, time;
} Balance;

typedef struct {
    const Blocks *b;
    const BlocksWorkspace *work;
    const double *x;
} Balancing;

static INLINE void balance_block(const Balancing *s, int32_t block, int32_t worker)
{
    const Blocks *b = s->b;
    const Diagonal *diagonal = &b->diagonals[b->diagonal[block]];
    const double *part = b->parts[b->part[block]], base = b->base[block];
    const double *here = s->x + b->offset[block];
    double *restrict scratch = s->work->scratch + 2 * (size_t)worker * (size_t)b->largest;
    double *found = s->work->found + (size_t)FOUND * (size_t)block;
    const View view = whole_view(b, b->offset);
    Balance sum = {0};
    gather(b, &view, s->x, block, 0, 0, diagonal->rows, scratch);
    for (int32_t leaf = 0; leaf < diagonal->leaves; leaf++) {
        gather_leaf(diagonal, here, leaf, scratch);
        for (int32_t i = diagonal->leaf[leaf]; i < diagonal->leaf[leaf + 1]; i++) {
            double exit = base + part[i];
            double defect = fabs(row_sum(diagonal, here, i, scratch[i]) - here[i] * exit);
            sum.off += defect;
            sum.flow += fabs(here[i]) * exit;
            sum.time_off += defect / exit;
            sum.time += fabs(here[i]);
        }
    }
    memcpy(found, &sum, sizeof sum);
}

static void balance_narrow(void *user, int32_t block, int32_t worker)
{
    balance_block(user, block, worker);
}

WIDE static void balance_wide(void *user, int32_t block, int32_t worker)
{
    balance_block(user, block, worker);
}

double blocks_residual(const Blocks *b, const double *x, const BlocksWorkspace *work,
                       double *by_time)
{
    Balancing s = {b, work, x};
    Balance sum = {0}, found;
    blocks_each(work, b, wide_vectors() ? balance_wide : balance_narrow, &s);
    for (int32_t block = 0; block < b->blocks; block++) {
        memcpy(&found, work->found + FOUND * (size_t)block, sizeof found);
        sum.off += found.off;
        sum.flow += found.flow;
        sum.time_off += found.time_off;
        sum.time += found.time;
    }
    double all[] = {sum.off, sum.flow, sum.time_off, sum.time};
    blocks_sum(b, all, 4);
    sum = (Balance){all[0], all[1], all[2], all[3]};
    *by_time = isfinite(sum.time_off / sum.time) ? sum.time_off / sum.time : HUGE_VAL;
    return isfinite(sum.off / sum.flow) ? sum.off / sum.flow : HUGE_VAL;
}
