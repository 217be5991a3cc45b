/* Measures a machine by a bulk-synchronous program: computation, h-relations, empty supersteps.
 *
 * An h-relation is repeated as often as takes some milliseconds.  g is the slope of the line of least
 * squares through the times of several h; there are two patterns, since a library may be much slower
 * for many small messages than for a large one.
 * Source: R. Bisseling, Parallel Scientific Computation, 2004, sec. 1.5-1.7. */
#include <bsp.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bspbench.h"

enum { MEMORY_LENGTH = 4 << 20, MOST_REPEATS = 1 << 20 };

/* The h of the lines. */
static const int words[] = {0, 32, 64, 128, 192, 256},
                 blocks[] = {0, 4096, 8192, 16384, 24576, 32768};
enum { POINTS = sizeof words / sizeof *words, LARGEST = 32768 };

/* Of a process; then the means of all. */
typedef struct {
    double flop[BENCH_ROUNDS], memory[BENCH_ROUNDS], block[BENCH_ROUNDS], word[BENCH_ROUNDS],
        sync[BENCH_ROUNDS];
} Samples;

typedef struct {
    int p, pid;
    double *from, *to; /* LARGEST + p doubles; `to` is registered */
    double *x, *y;     /* MEMORY_LENGTH */
    double shared;     /* registered: what process 0 tells all, or is told */
    Samples *all;      /* registered: those of each process, on process 0 */
    int repeats[2][POINTS];
} Measuring;

/* ---- computation ----------------------------------------------------------------------------- */

/* Seconds per flop of y += a x, on this process. */
static double flop_time(const Measuring *m, int length, int repeats)
{
    double *restrict y = m->y;
    const double *restrict x = m->x;
    const double start = bsp_time();
    for (int r = 0; r < repeats; r++) {
        const double a = r % 2 ? 1e-3 : -1e-3; /* y stays as large as it is */
        for (int i = 0; i < length; i++)
            y[i] += a * x[i];
    }
    const double seconds = bsp_time() - start;
    return seconds / (2.0 * length * repeats);
}

/* ---- h-relations ----------------------------------------------------------------------------- */

/* Each double by itself, to the other processes in turn. */
static void send_words(const Measuring *m, int h)
{
    for (int i = 0; i < h; i++) {
        const int to = m->p == 1 ? 0 : (m->pid + 1 + i % (m->p - 1)) % m->p;
        bsp_put(to, m->from + i, m->to, (m->pid + m->p * (i / m->p)) * (int)sizeof(double),
                sizeof(double));
    }
}

/* Equal blocks for all other processes. */
static void send_blocks(const Measuring *m, int h)
{
    const int others = m->p > 1 ? m->p - 1 : 1, length = h / others;
    for (int k = 0; k < others && length > 0; k++) {
        const int to = m->p == 1 ? 0 : (m->pid + 1 + k) % m->p;
        const int place = m->p == 1 ? 0 : (m->pid - to - 1 + m->p) % m->p; /* among its senders */
        bsp_put(to, m->from + k * length, m->to, place * length * (int)sizeof(double),
                length * (int)sizeof(double));
    }
}

/* What a process sends, as doubles. */
static int sent(const Measuring *m, bool in_blocks, int h)
{
    const int others = m->p > 1 ? m->p - 1 : 1;
    return in_blocks ? h / others * others : h;
}

static double relation_time(const Measuring *m, bool in_blocks, int h, int repeats)
{
    bsp_sync();
    const double start = bsp_time();
    for (int r = 0; r < repeats; r++) {
        if (in_blocks)
            send_blocks(m, h);
        else
            send_words(m, h);
        bsp_sync();
    }
    return (bsp_time() - start) / repeats;
}

/* How often, as process 0 finds out: the same for all, and an even number. */
static int find_repeats(Measuring *m, bool in_blocks, int h)
{
    for (int repeats = 2;; repeats *= 2) {
        const double seconds = repeats * relation_time(m, in_blocks, h, repeats);
        if (m->pid == 0)
            for (int p = 0; p < m->p; p++)
                bsp_put(p, &seconds, &m->shared, 0, sizeof seconds);
        bsp_sync();
        if (m->shared >= BENCH_LONG_ENOUGH || repeats >= MOST_REPEATS)
            return repeats;
    }
}

/* ---- all of it ------------------------------------------------------------------------------- */

static double slope(Measuring *m, bool in_blocks, double *empty)
{
    double h[POINTS], seconds[POINTS];
    for (int i = 0; i < POINTS; i++) {
        const int of = in_blocks ? blocks[i] : words[i];
        h[i] = sent(m, in_blocks, of);
        seconds[i] = relation_time(m, in_blocks, of, m->repeats[in_blocks][i]);
    }
    *empty = seconds[0];
    return estimate_line(h, seconds, POINTS).b;
}

static void measure_round(Measuring *m, Samples *s, int round)
{
    double sync[2];
    const int repeats = (int)ceil(BENCH_LONG_ENOUGH / (2.0 * BENCH_LENGTH * 5e-10));
    s->flop[round] = flop_time(m, BENCH_LENGTH, repeats);
    s->memory[round] = flop_time(m, MEMORY_LENGTH, 1);
    s->word[round] = slope(m, false, &sync[0]);
    s->block[round] = slope(m, true, &sync[1]);
    s->sync[round] = (sync[0] + sync[1]) / 2;
}

/* On process 0.  Of two processes far from each other the one that begins a superstep later by what a message
 * takes ends it at once, and the next one after twice that: what all take together does not depend on it. */
static void mean_of_all(const Measuring *m, Samples *s)
{
    double *mean = (double *)s;
    const size_t count = sizeof *s / sizeof *mean;
    bsp_put(0, s, m->all, m->pid * (int)sizeof *s, sizeof *s);
    bsp_sync();
    for (size_t i = 0; i < count && m->pid == 0; i++) {
        mean[i] = 0;
        for (int p = 0; p < m->p; p++)
            mean[i] += ((const double *)&m->all[p])[i] / m->p;
    }
}

static void measure(Measuring *m, Bench *bench)
{
    Samples s;
    for (int i = 0; i < POINTS; i++) {
        m->repeats[0][i] = find_repeats(m, false, words[i]);
        m->repeats[1][i] = find_repeats(m, true, blocks[i]);
    }
    for (int round = 0; round < BENCH_ROUNDS; round++)
        measure_round(m, &s, round);
    mean_of_all(m, &s);
    *bench = (Bench){m->p,
                     estimate_median(s.flop, BENCH_ROUNDS),
                     estimate_median(s.memory, BENCH_ROUNDS),
                     estimate_median(s.block, BENCH_ROUNDS),
                     estimate_median(s.word, BENCH_ROUNDS),
                     estimate_median(s.sync, BENCH_ROUNDS)};
}

bool bench_all(bool mine)
{
    const int p = bsp_nprocs(), no = 1;
    int other = 0; /* some process says no */
    bsp_push_reg(&other, sizeof other);
    bsp_sync();
    for (int q = 0; q < p && !mine; q++)
        bsp_put(q, &no, &other, 0, sizeof no);
    bsp_sync();
    bsp_pop_reg(&other);
    bsp_sync();
    return !other;
}

bool bench_measure(Bench *bench)
{
    Measuring m = {.p = bsp_nprocs(), .pid = bsp_pid()};
    const size_t room = (size_t)LARGEST + (size_t)m.p * 2, samples = m.pid == 0 ? (size_t)m.p : 1;
    m.from = calloc(room, sizeof(double));
    m.to = calloc(room, sizeof(double));
    m.all = calloc(samples, sizeof *m.all);
    m.x = malloc(MEMORY_LENGTH * sizeof(double));
    m.y = malloc(MEMORY_LENGTH * sizeof(double));
    const bool ready = bench_all(m.from && m.to && m.all && m.x && m.y);
    if (ready) {
        for (int i = 0; i < MEMORY_LENGTH; i++)
            m.x[i] = m.y[i] = 1;
        bsp_push_reg(&m.shared, sizeof m.shared);
        bsp_push_reg(m.to, (int)(room * sizeof(double)));
        bsp_push_reg(m.all, (int)(samples * sizeof *m.all));
        bsp_sync();
        measure(&m, bench);
        bsp_pop_reg(m.all);
        bsp_pop_reg(m.to);
        bsp_pop_reg(&m.shared);
        bsp_sync();
    }
    free(m.from);
    free(m.to);
    free(m.all);
    free(m.x);
    free(m.y);
    return ready;
}
