/* The loops over blocks: compiled for speed, see the Makefile. */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "solvers/schedule/blocks_plan.h"
#include "solvers/blocks/wide.h"

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

/* Tiles of whole blocks, or of their parts. */
typedef struct {
    const OffDiagonal *off_diagonals;
    const BlockRun *runs;
    const double *value;
    int32_t parts;
} View;

static View whole_view(const Blocks *b)
{
    return (View){b->off_diagonals, b->runs, b->value, 1};
}

/* What flows from other blocks into rows first .. end - 1 of a block, its part-th part. */
static INLINE void gather(const Blocks *b, const View *v, const double *restrict x, int32_t block,
                          int32_t part, int32_t first, int32_t end, double *restrict sum)
{
    memset(sum + first, 0, (size_t)(end - first) * sizeof *sum);
    for (int64_t e = b->in_row[block]; e < b->in_row[block + 1]; e++) {
        const BlockEdge *edge = &b->in[e];
        const OffDiagonal *off =
            &v->off_diagonals[(size_t)edge->off * (size_t)v->parts + (size_t)part];
        const double *from = x + b->offset[edge->from];
        const BlockRun *run = v->runs + off->first, *last = run + off->count;
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
typedef void Visit(const Sweep *sweep, const Piece *piece, int32_t worker);

struct Sweep {
    Visit *visit;
    const Blocks *b;
    const BlocksWorkspace *room;
    View view;
    double *x, omega;
    bool tally;
};

/* The parts of a block come one after the other: each goes on with the tally of the one before. */
static INLINE void visit(const Sweep *s, const Piece *piece, int32_t worker)
{
    const Blocks *b = s->b;
    double *scratch = s->room->scratch + 2 * (size_t)worker * (size_t)b->largest;
    if (s->tally) {
        double *found = s->room->found + (size_t)FOUND * (size_t)piece->block;
        Tally tally = {found[0], found[1]};
        sweep_piece(b, &s->view, s->x, s->omega, b->up, piece, scratch, &tally);
        found[0] = tally.change;
        found[1] = tally.flow;
    } else if (s->omega == 1 && b->up) {
        sweep_piece(b, &s->view, s->x, 1, true, piece, scratch, NULL);
    } else if (s->omega == 1) {
        sweep_piece(b, &s->view, s->x, 1, false, piece, scratch, NULL);
    } else {
        sweep_piece(b, &s->view, s->x, s->omega, b->up, piece, scratch, NULL);
    }
}

static void visit_narrow(const Sweep *s, const Piece *piece, int32_t worker)
{
    visit(s, piece, worker);
}

WIDE static void visit_wide(const Sweep *s, const Piece *piece, int32_t worker)
{
    visit(s, piece, worker);
}

static void visit_whole(const Sweep *s, int32_t block, int32_t worker)
{
    s->visit(s, &(Piece){block, 0, 0, s->b->diagonals[s->b->diagonal[block]].leaves}, worker);
}

static void sweep_alone(const Sweep *s)
{
    const Blocks *b = s->b;
    for (int32_t k = 0; k < b->blocks; k++)
        visit_whole(s, b->up ? k : b->blocks - 1 - k, 0);
}

/* ---- several threads ------------------------------------------------------------------------ */

/* Chunks are taken in order, so all up to `need` have been: until nobody is at work on one. */
static void wait_for_all(const Sweep *s, int32_t need, int32_t worker)
{
    BlocksPlace *place = s->room->pace->place;
    for (int32_t w = 0; w < s->room->threads; w++)
        for (int32_t waits = 0; w != worker && atomic_load(&place[w].at) <= need; waits++)
            workers_wait(waits);
}

static void take_chunks(void *user, int32_t index, int32_t worker)
{
    const Sweep *s = user;
    const BlocksShared *shared = &s->room->plan->shared;
    atomic_int *next = &s->room->pace->next, *at = &s->room->pace->place[worker].at;
    (void)index;
    atomic_store(at, atomic_load(next)); /* no more than what is taken now */
    for (;;) {
        int32_t c = atomic_fetch_add(next, 1);
        if (c >= shared->chunks)
            break;
        atomic_store(at, c);
        if (shared->need[c] >= 0)
            wait_for_all(s, shared->need[c], worker);
        for (int32_t k = shared->chunk[c]; k < shared->chunk[c + 1]; k++)
            visit_whole(s, shared->order[k], worker);
        atomic_store(at, c + 1);
    }
    atomic_store(at, INT_MAX);
}

/* seen: how far the other threads had come when they were last looked at. */
static void wait_for_each(const Sweep *s, const int32_t *turn, int32_t *seen)
{
    for (int32_t w = 0; w < s->room->plan->threads; w++)
        for (int32_t waits = 0; seen[w] < turn[w]; waits++) {
            seen[w] = atomic_load(&s->room->pace->place[w].at);
            if (seen[w] < turn[w])
                workers_wait(waits);
        }
}

/* Some parts of a block, those of one thread, in order. */
static void go_through(const Sweep *s, int32_t block, int32_t thread, int32_t worker, int32_t *seen)
{
    const Blocks *b = s->b;
    const BlocksPlan *plan = s->room->plan;
    const BlocksParted *p = &plan->parted;
    const int32_t *leaf = p->leaf + (size_t)b->diagonal[block] * ((size_t)p->parts + 1);
    for (int32_t i = 0; i < p->parts; i++) {
        int32_t part = b->up ? i : p->parts - 1 - i;
        if (parts_owner(plan, part) != thread)
            continue;
        size_t at = (size_t)block * (size_t)p->parts + (size_t)part;
        wait_for_each(s, p->wait + at * (size_t)plan->threads, seen);
        s->visit(s, &(Piece){block, part, leaf[part], leaf[part + 1]}, worker);
        atomic_store(&s->room->pace->place[thread].at, parts_turn(b, p->parts, block, part));
    }
}

static void take_parts(void *user, int32_t thread, int32_t worker)
{
    const Sweep *s = user;
    int32_t seen[MOST_WORKERS] = {0};
    for (int32_t k = 0; k < s->b->blocks; k++)
        go_through(s, s->b->up ? k : s->b->blocks - 1 - k, thread, worker, seen);
}

static void sweep_together(Sweep *s)
{
    const BlocksPlan *plan = s->room->plan;
    BlocksPace *pace = s->room->pace;
    const BlocksParted *p = &plan->parted;
    bool parted = p->parts > 0;
    atomic_store(&pace->next, 0);
    for (int32_t w = 0; w < s->room->threads; w++)
        atomic_store(&pace->place[w].at, parted ? 0 : INT_MAX);
    if (parted)
        s->view = (View){p->off_diagonals, p->runs, p->value, p->parts};
    workers_run(s->room->workers, plan->threads, parted ? take_parts : take_chunks, s);
}

/* One sweep, in the way that was quicker when both were tried last; now and then in the other. */
static void sweep_timed(Sweep *s)
{
    enum { OFTEN = 4, SELDOM = 64 };
    BlocksPace *pace = s->room->pace;
    bool better = pace->alone == 0 || pace->together <= pace->alone;
    bool trial = pace->rest > 0 && ++pace->sweeps >= pace->rest, together = better != trial;
    double start = clock_seconds();
    if (together)
        sweep_together(s);
    else
        sweep_alone(s);
    *(together ? &pace->together : &pace->alone) = clock_seconds() - start;
    if (!trial && pace->rest > 0)
        return;
    bool as_before = better == (pace->alone == 0 || pace->together <= pace->alone);
    pace->rest = trial && as_before ? pace->rest < SELDOM ? 4 * pace->rest : SELDOM : OFTEN;
    pace->sweeps = 0;
}

double blocks_sweep(const Blocks *b, double *x, double omega, const BlocksWorkspace *room,
                    double *flow)
{
    Sweep s = {.visit = wide_vectors() ? visit_wide : visit_narrow,
               .b = b,
               .room = room,
               .view = whole_view(b),
               .x = x,
               .omega = omega,
               .tally = flow != NULL};
    double change = 0;
    if (flow)
        memset(room->found, 0, (size_t)b->blocks * FOUND * sizeof *room->found);
    if (!room->plan)
        sweep_alone(&s);
    else
        sweep_timed(&s);
    if (!flow)
        return 0;
    *flow = 0;
    for (int32_t k = 0; k < b->blocks; k++) {
        change += room->found[FOUND * (size_t)k];
        *flow += room->found[FOUND * (size_t)k + 1];
    }
    return change;
}

/* ---- residuals ------------------------------------------------------------------------------ */

/* How far a block is out of balance, see blocks_residual. */
typedef struct {
    double off, flow, time_off, time;
} Balance;

typedef struct {
    const Blocks *b;
    const BlocksWorkspace *room;
    const double *x;
} Balancing;

static INLINE void balance_block(const Balancing *s, int32_t block, int32_t worker)
{
    const Blocks *b = s->b;
    const Diagonal *diagonal = &b->diagonals[b->diagonal[block]];
    const double *part = b->parts[b->part[block]], base = b->base[block];
    const double *here = s->x + b->offset[block];
    double *restrict scratch = s->room->scratch + 2 * (size_t)worker * (size_t)b->largest;
    double *found = s->room->found + (size_t)FOUND * (size_t)block;
    const View view = whole_view(b);
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

double blocks_residual(const Blocks *b, const double *x, const BlocksWorkspace *room,
                       double *by_time)
{
    Balancing s = {b, room, x};
    Balance sum = {0}, found;
    blocks_each(room, b, wide_vectors() ? balance_wide : balance_narrow, &s);
    for (int32_t block = 0; block < b->blocks; block++) {
        memcpy(&found, room->found + FOUND * (size_t)block, sizeof found);
        sum.off += found.off;
        sum.flow += found.flow;
        sum.time_off += found.time_off;
        sum.time += found.time;
    }
    *by_time = isfinite(sum.time_off / sum.time) ? sum.time_off / sum.time : HUGE_VAL;
    return isfinite(sum.off / sum.flow) ? sum.off / sum.flow : HUGE_VAL;
}
