/* Measures g and l between each two hosts, by groups of their processes. */
#include <bsp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bspbench.h"

enum { POINTS = 3, LARGEST = 32768, PAIR_ROUNDS = 11, LINES = 2 * PAIR_ROUNDS };
static const int doubles[POINTS] = {0, LARGEST / 2, LARGEST};

typedef struct {
    int p, pid;
    int *host;         /* by process */
    double *from, *to; /* LARGEST; LARGEST x p, registered: a part for each sender */
    double told;       /* registered */
    double *seconds;   /* registered: at process 0 LINES of each process */
} Pairing;

/* The hosts of all processes, numbered as they come first; all processes get the same numbers. */
static int number_hosts(const Pairing *m, char (*all)[BENCH_HOST])
{
    int hosts = 0;
    for (int p = 0; p < m->p; p++) {
        int h = 0;
        while (h < hosts && strcmp(all[h], all[p]) != 0)
            h++;
        if (h == hosts)
            memmove(all[hosts++], all[p], BENCH_HOST);
        m->host[p] = h;
    }
    return hosts;
}

/* One after another; `all` (p names) becomes the names of hosts.  The number of hosts. */
static int find_hosts(const Pairing *m, char (*all)[BENCH_HOST])
{
    char mine[BENCH_HOST] = "";
    if (gethostname(mine, sizeof mine - 1) != 0)
        strcpy(mine, "unknown");
    bsp_push_reg(all, m->p * BENCH_HOST);
    bsp_sync();
    for (int p = 0; p < m->p; p++)
        bsp_put(p, mine, all, m->pid * BENCH_HOST, BENCH_HOST);
    bsp_sync();
    bsp_pop_reg(all);
    bsp_sync();
    return number_hosts(m, all);
}

/* ---- one pair -------------------------------------------------------------------------------- */

static bool faces(const Pairing *m, int a, int b, int p)
{
    const int here = m->host[m->pid], there = m->host[p];
    return p != m->pid && ((here == a && there == b) || (here == b && there == a));
}

/* Equal blocks to all processes of the other host. */
static void send(const Pairing *m, int a, int b, int h)
{
    int others = 0;
    for (int p = 0; p < m->p; p++)
        others += faces(m, a, b, p);
    for (int p = 0; p < m->p && others > 0 && h >= others; p++)
        if (faces(m, a, b, p))
            bsp_put(p, m->from, m->to, m->pid * LARGEST * (int)sizeof(double),
                    h / others * (int)sizeof(double));
}

static double group_time(const Pairing *m, int a, int b, int h, int repeats)
{
    bsp_sync_group();
    const double start = bsp_time();
    for (int r = 0; r < repeats; r++) {
        send(m, a, b, h);
        bsp_sync_group();
    }
    return (bsp_time() - start) / repeats;
}

static bool is_of(const Pairing *m, int a, int b, int p)
{
    return m->host[p] == a || m->host[p] == b;
}

/* How often, as the first process of the group finds out: the same for all of it, and an even number. */
static int find_repeats(Pairing *m, int a, int b, int h)
{
    int first = 0;
    while (m->host[first] != a)
        first++;
    for (int repeats = 2;; repeats *= 2) {
        const double seconds = repeats * group_time(m, a, b, h, repeats);
        for (int p = 0; p < m->p && m->pid == first; p++)
            if (is_of(m, a, b, p))
                bsp_put(p, &seconds, &m->told, 0, sizeof seconds);
        bsp_sync_group();
        if (m->told >= BENCH_LONG_ENOUGH)
            return repeats;
    }
}

/* Within the group of the pair: lines of all rounds. */
static void measure(Pairing *m, int a, int b, double *g, double *l)
{
    int repeats[POINTS];
    double h[POINTS], seconds[POINTS];
    for (int i = 0; i < POINTS; i++) {
        h[i] = doubles[i];
        repeats[i] = find_repeats(m, a, b, doubles[i]);
    }
    for (int round = 0; round < PAIR_ROUNDS; round++) {
        for (int i = 0; i < POINTS; i++)
            seconds[i] = group_time(m, a, b, doubles[i], repeats[i]);
        l[round] = seconds[0];
        g[round] = estimate_line(h, seconds, POINTS).b;
    }
}

/* Of the processes of the group, on process 0 (bspbench_measure.c says why). */
static void mean_of_group(const Pairing *m, int a, int b, double *mean)
{
    int count = 0;
    for (int p = 0; p < m->p; p++)
        count += is_of(m, a, b, p);
    for (int i = 0; i < LINES; i++) {
        mean[i] = 0;
        for (int p = 0; p < m->p; p++)
            if (is_of(m, a, b, p))
                mean[i] += m->seconds[(size_t)p * LINES + (size_t)i] / count;
    }
}

/* One pair, while the other processes do nothing; *pair on process 0. */
static void measure_pair(Pairing *m, int a, int b, BenchPair *pair)
{
    double lines[LINES];
    const bool in = is_of(m, a, b, m->pid);
    bsp_push_group(in ? 0 : 1);
    if (in)
        measure(m, a, b, lines, lines + PAIR_ROUNDS);
    bsp_pop_group();
    if (in)
        bsp_put(0, lines, m->seconds, m->pid * (int)sizeof lines, sizeof lines);
    bsp_sync();
    if (m->pid != 0)
        return;
    mean_of_group(m, a, b, lines);
    *pair = (BenchPair){a, b, estimate_median(lines, PAIR_ROUNDS),
                        estimate_median(lines + PAIR_ROUNDS, PAIR_ROUNDS)};
}

/* ---- all pairs ------------------------------------------------------------------------------- */

static int processes_on(const Pairing *m, int host)
{
    int count = 0;
    for (int p = 0; p < m->p; p++)
        count += m->host[p] == host;
    return count;
}

static void measure_all(Pairing *m, BenchPairs *pairs)
{
    const int size = (m->pid == 0 ? m->p : 1) * LINES * (int)sizeof(double);
    bsp_push_reg(m->to, LARGEST * m->p * (int)sizeof(double));
    bsp_push_reg(&m->told, sizeof m->told);
    bsp_push_reg(m->seconds, size);
    bsp_sync();
    for (int a = 0; a < pairs->hosts; a++)
        for (int b = a; b < pairs->hosts; b++)
            if (a != b || processes_on(m, a) > 1)
                measure_pair(m, a, b, &pairs->pair[pairs->pairs++]);
    bsp_pop_reg(m->seconds);
    bsp_pop_reg(&m->told);
    bsp_pop_reg(m->to);
    bsp_sync();
}

bool bench_pairs(BenchPairs *pairs)
{
    Pairing m = {.p = bsp_nprocs(), .pid = bsp_pid()};
    const size_t p = (size_t)m.p;
    *pairs = (BenchPairs){.name = calloc(p, BENCH_HOST),
                          .pair = calloc(p * (p + 1) / 2, sizeof *pairs->pair)};
    m.host = calloc(p, sizeof *m.host);
    m.from = calloc(LARGEST, sizeof *m.from);
    m.to = calloc(LARGEST * p, sizeof *m.to);
    m.seconds = calloc(LINES * (m.pid == 0 ? p : 1), sizeof *m.seconds);
    const bool ready =
        bench_all(pairs->name && pairs->pair && m.host && m.from && m.to && m.seconds);
    if (ready) {
        pairs->hosts = find_hosts(&m, pairs->name);
        measure_all(&m, pairs);
    }
    free(m.host);
    free(m.from);
    free(m.to);
    free(m.seconds);
    return ready;
}

void bench_pairs_free(BenchPairs *pairs)
{
    free(pairs->name);
    free(pairs->pair);
}
