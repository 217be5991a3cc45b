/* Supersteps with work that takes as long as the host's speed says: how long they take, and their
 * trace, for smpi/predict.sh and bench/lab.sh.
 *   supersteps CASE: one of the names at the end of this file */
#include <bsp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "supersteps.h"

enum { AREA = 4 << 20, STEPS = 12 };

typedef struct {
    char *from, *to;
    int p, pid;
} Program;

/* Pseudo-random, the same on all hosts. */
static unsigned draw(unsigned a, unsigned b)
{
    unsigned x = a * 2654435761u + b * 40503u + 12345u;
    x ^= x >> 15;
    x *= 2246822519u;
    return x ^ x >> 13;
}

static void put(const Program *m, int to, int bytes)
{
    if (to != m->pid)
        bsp_put(to, m->from, m->to, 0, bytes);
}

static void ring(const Program *m, unsigned step)
{
    work(4e6 + (double)(draw(step, (unsigned)m->pid) % 8) * 1e6);
    put(m, (m->pid + 1) % m->p, 200000);
}

static void exchange(const Program *m, unsigned step)
{
    work(1e7);
    for (int q = 0; q < m->p; q++)
        put(m, q, 10000 + (int)(step % 3) * 20000);
}

static void gather(const Program *m, unsigned step)
{
    work(m->pid == 0 ? 1e6 : 2e7);
    put(m, 0, 30000 + (int)(draw(step, (unsigned)m->pid) % 4) * 10000);
}

static void mixed(const Program *m, unsigned step)
{
    static void (*const kinds[])(const Program *, unsigned) = {ring, exchange, gather};
    kinds[step % 3](m, step);
}

static void alone(const Program *m, unsigned step)
{
    if (m->pid == (int)step % m->p)
        work(3e7);
}

static void large(const Program *m, unsigned step)
{
    work(4e6 + (double)(draw(step, (unsigned)m->pid) % 8) * 1e6);
    put(m, (m->pid + 1) % m->p, 1000000);
}

/* So long that connections are idle. */
static void rare(const Program *m, unsigned step)
{
    work(4e8 + (double)(draw(step, (unsigned)m->pid) % 8) * 1e6);
    put(m, (m->pid + 1) % m->p, 500000);
}

/* One to all, which works longest. */
static void scatter(const Program *m, unsigned step)
{
    (void)step;
    work(m->pid == 0 ? 5e6 : 2e6);
    for (int q = 1; q < m->p && m->pid == 0; q++)
        put(m, q, 60000);
}

static void get(const Program *m, unsigned step)
{
    (void)step;
    work(3e6);
    bsp_get((m->pid + 1) % m->p, m->to, 0, m->from, 200000);
}

static void get_word(const Program *m, unsigned step)
{
    (void)step;
    work(3e6);
    bsp_get((m->pid + 1) % m->p, m->to, 0, m->from, 8);
}

/* A broadcast along a tree, then a superstep of work. */
static void tree(const Program *m, unsigned step)
{
    const int width = 1 << step % 3;
    work(1e6);
    if (m->pid < width && m->pid + width < m->p)
        put(m, m->pid + width, 300000);
}

/* Many messages, and unequal work. */
static void send(const Program *m, unsigned step)
{
    (void)step;
    work(2e6 * (1 + m->pid));
    for (int i = 0; i < 50; i++)
        bsp_send((m->pid + 2) % m->p, NULL, m->from, 2000);
}

/* To some, as chance has it. */
static void some(const Program *m, unsigned step)
{
    work((double)(draw(step, (unsigned)m->pid) % 10) * 2e6);
    for (int q = 0; q < m->p; q++)
        if (draw(step * 100 + (unsigned)m->pid, (unsigned)q) % 2)
            put(m, q, (int)(draw(step + (unsigned)m->pid * 31, (unsigned)q) % 150000));
}

static void words(const Program *m, unsigned step)
{
    work(4e6);
    for (unsigned i = 0; i < 2000; i++)
        bsp_put((int)(draw(i, step) % (unsigned)m->p), m->from, m->to,
                (int)(draw(i, (unsigned)m->pid) % 100000) * 8, 8);
}

/* One after the other is late. */
static void skew(const Program *m, unsigned step)
{
    work(m->pid == (int)step % m->p ? 5e7 : 1e6);
    put(m, (m->pid + 1) % m->p, 1000);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*step)(const Program *, unsigned);
    } cases[] = {{"mixed", mixed},       {"ring", ring},       {"exchange", exchange},
                 {"gather", gather},     {"alone", alone},     {"large", large},
                 {"rare", rare},         {"scatter", scatter}, {"get", get},
                 {"get_word", get_word}, {"tree", tree},       {"send", send},
                 {"some", some},         {"words", words},     {"skew", skew}};
    bsp_begin(bsp_nprocs());
    Program m = {malloc(AREA), malloc(AREA), bsp_nprocs(), bsp_pid()};
    if (!m.from || !m.to)
        bsp_abort("out of memory");
    memset(m.from, 1, AREA);
    bsp_push_reg(m.to, AREA);
    bsp_sync();
    const double start = bsp_time();
    for (unsigned step = 0; step < STEPS; step++) {
        for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
            if (argc > 1 && strcmp(argv[1], cases[k].name) == 0)
                cases[k].step(&m, step);
        bsp_sync();
    }
    if (m.pid == 0)
        (void)printf("%.9g\n", bsp_time() - start);
    free(m.from);
    bsp_end();
    free(m.to);
    return 0;
}
