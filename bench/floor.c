/* bench_floor STAGES [TOLERANCE]: the pipeline of `families.awk pipeline STAGES`, solved by a
 * program that can do nothing else: what a general engine is to be measured against.
 *
 * Stage i waits for an item (0), works (1), or waits to hand it on (2).  A state is the number
 * sum d_i 3^(i-1), so that there is nothing to parse, to look up or to store but the distribution.
 * It is solved by Gauss-Seidel in place, in the order of these numbers, which carries items
 * forward: work of stage i      s <- s - 3^(i-1)           where d_i = 2 move into stage 1    s <-
 * s - 1                 where d_1 = 1 move from i to i+1   s <- s - 3^(i-1)           where d_i = 0
 * and d_(i+1) = 1 move out of stage n  s <- s + 2 * 3^(n-1)       where d_n = 0 The lowest four
 * stages make a block of 81 states; what flows into a block from others comes from whole blocks, or
 * whole thirds, and is added as vectors.
 *
 * Ends when |pi Q|_1 <= TOLERANCE * sum pi_i q_i [1e-10].  Only moves out of stage n lead
 * backwards, so that after a sweep the states that they lead to are out of balance by what their
 * origins have changed, and no others are: |pi Q|_1 comes with the sweep.  It is computed afresh in
 * the end. Prints one line: states, sweeps, residual, throughput. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

enum { LOW = 5, BLOCK = 243, THIRD = 81, MOST = 18 };

typedef struct {
    int stages;
    size_t states;
    double move[MOST + 2], work[MOST + 1]; /* rates, from 1 */
    size_t place[MOST + 1];                /* 3^(i-1) */
    double exit[BLOCK];                    /* rate out of a state by what stages 1..5 do alone */
} Pipeline;

/* What flows into a block from others, and out of it by what stages 6..n do. */
typedef struct {
    int count;
    ptrdiff_t from[2 * MOST];
    double rate[2 * MOST];
    double into_low;  /* into the first third, from 81 states before; or 0 */
    double exit;      /* out of every state */
    double out_high;  /* out of the last third; or 0 */
    double backwards; /* out of every state, backwards; or 0 */
} Block;

static int digit(size_t s, const Pipeline *p, int stage)
{
    return (int)(s / p->place[stage] % 3);
}

static void fill(Pipeline *p, int stages)
{
    p->stages = stages;
    p->states = 1;
    for (int i = 1; i <= stages; i++) {
        p->place[i] = p->states;
        p->work[i] = 1 + 0.1 * i;
        p->states *= 3;
    }
    for (int i = 1; i <= stages + 1; i++)
        p->move[i] = 5 + i % 3;
    for (size_t s = 0; s < BLOCK; s++) {
        p->exit[s] = digit(s, p, 1) == 0 ? p->move[1] : 0;
        for (int i = 1; i <= LOW; i++)
            p->exit[s] += digit(s, p, i) == 1 ? p->work[i] : 0;
        for (int i = 1; i < LOW; i++)
            p->exit[s] += digit(s, p, i) == 2 && digit(s, p, i + 1) == 0 ? p->move[i + 1] : 0;
    }
}

static void flow_from(Block *b, ptrdiff_t from, double rate)
{
    b->from[b->count] = from;
    b->rate[b->count++] = rate;
}

/* number: of the block, sum d_i 3^(i-6) over the stages from 6. */
static Block block_at(const Pipeline *p, size_t number)
{
    Block b = {0};
    int n = p->stages, here = (int)(number % 3);
    b.into_low = here == 1 ? p->move[LOW + 1] : 0;
    b.out_high = here == 0 ? p->move[LOW + 1] : 0;
    for (int i = LOW + 1; i <= n; i++) {
        number /= 3;
        int next = i < n ? (int)(number % 3) : -1;
        if (here == 2)
            flow_from(&b, -(ptrdiff_t)p->place[i], p->work[i]);
        if (here == 0 && next == 1)
            flow_from(&b, -(ptrdiff_t)p->place[i], p->move[i + 1]);
        if (here == 1)
            b.exit += p->work[i];
        if (here == 2 && next == 0)
            b.exit += p->move[i + 1];
        if (i == n && here == 0)
            flow_from(&b, 2 * (ptrdiff_t)p->place[n], p->move[n + 1]);
        if (i == n && here == 2)
            b.backwards = p->move[n + 1];
        here = next;
    }
    b.exit += b.backwards;
    return b;
}

static inline void add(double *restrict sum, const double *restrict from, double rate, int count)
{
    for (int k = 0; k < count; k++)
        sum[k] += rate * from[k];
}

/* in: what flows into the block at pi from other blocks; out: rates out of its states. */
static void outside(const Pipeline *p, const Block *b, const double *pi, double *restrict in,
                    double *restrict out)
{
    for (int k = 0; k < BLOCK; k++) {
        in[k] = 0;
        out[k] = p->exit[k] + b->exit;
    }
    for (int i = 0; i < b->count; i++)
        add(in, pi + b->from[i], b->rate[i], BLOCK);
    if (b->into_low > 0)
        add(in, pi - THIRD, b->into_low, THIRD);
    if (b->out_high > 0)
        for (int k = BLOCK - THIRD; k < BLOCK; k++)
            out[k] += b->out_high;
}

/* The nine states of stages 1 and 2, one after another; stay: mean times in them. */
static inline void nine(const Pipeline *p, const double *in, const double *stay, double *x)
{
    double arrive = p->move[1], pass = p->move[2], first = p->work[1], second = p->work[2];
    double x0 = in[0] * stay[0];
    double x1 = in[1] * stay[1] + arrive * stay[1] * x0;
    double x2 = in[2] * stay[2] + first * stay[2] * x1;
    double x3 = in[3] * stay[3] + pass * stay[3] * x2;
    double x4 = in[4] * stay[4] + arrive * stay[4] * x3;
    double x5 = in[5] * stay[5] + first * stay[5] * x4;
    double x6 = in[6] * stay[6] + second * stay[6] * x3;
    double x7 = in[7] * stay[7] + second * stay[7] * x4 + arrive * stay[7] * x6;
    double x8 = in[8] * stay[8] + second * stay[8] * x5 + first * stay[8] * x7;
    x[0] = x0, x[1] = x1, x[2] = x2, x[3] = x3, x[4] = x4;
    x[5] = x5, x[6] = x6, x[7] = x7, x[8] = x8;
}

/* Gauss-Seidel on a block, given what flows in from others. */
static void relax(const Pipeline *p, double *restrict in, const double *restrict out,
                  double *restrict x)
{
    double inverse[BLOCK], *stay = inverse;
    for (int k = 0; k < BLOCK; k++)
        stay[k] = 1 / out[k];
    for (int i = 0; i < 27; i++, in += 9, stay += 9, x += 9) {
        int three = i % 3, four = i / 3 % 3, five = i / 9;
        if (five == 2 && i % 9 == 0)
            add(in, x - 81, p->work[5], 81);
        if (five == 1 && i % 9 == 0)
            add(in, x - 27, p->move[5], 27);
        if (four == 2 && three == 0)
            add(in, x - 27, p->work[4], 27);
        if (four == 1 && three == 0)
            add(in, x - 9, p->move[4], 9);
        if (three == 2)
            add(in, x - 9, p->work[3], 9);
        if (three == 1)
            add(in, x - 3, p->move[3], 3);
        nine(p, in, stay, x);
    }
}

/* One sweep; |pi Q|_1 after it. */
static double sweep(const Pipeline *p, double *pi)
{
    double changed = 0, in[BLOCK], out[BLOCK], old[BLOCK];
    for (size_t s = 0; s < p->states; s += BLOCK) {
        Block b = block_at(p, s / BLOCK);
        outside(p, &b, pi + s, in, out);
        for (int k = 0; k < BLOCK && b.backwards > 0; k++)
            old[k] = pi[s + (size_t)k];
        relax(p, in, out, pi + s);
        for (int k = 0; k < BLOCK && b.backwards > 0; k++)
            changed += b.backwards * fabs(pi[s + (size_t)k] - old[k]);
    }
    return changed;
}

/* |pi Q|_1, from the definition within blocks; *flow: sum pi_i q_i. */
static double imbalance(const Pipeline *p, const double *pi, double *flow)
{
    double sum = 0, in[BLOCK], out[BLOCK];
    *flow = 0;
    for (size_t s = 0; s < p->states; s += BLOCK) {
        Block b = block_at(p, s / BLOCK);
        const double *x = pi + s;
        outside(p, &b, x, in, out);
        for (size_t k = 0; k < BLOCK; k++) {
            in[k] += digit(k, p, 1) == 1 ? p->move[1] * x[k - 1] : 0;
            for (int i = 1; i <= LOW; i++) {
                const double *from = x + k - p->place[i];
                if (digit(k, p, i) == 2)
                    in[k] += p->work[i] * *from;
                if (i < LOW && digit(k, p, i) == 0 && digit(k, p, i + 1) == 1)
                    in[k] += p->move[i + 1] * *from;
            }
            sum += fabs(in[k] - out[k] * x[k]);
            *flow += out[k] * x[k];
        }
    }
    return sum;
}

static double throughput(const Pipeline *p, const double *pi)
{
    double all = 0, ready = 0;
    for (size_t s = 0; s < p->states; s += 3) {
        all += pi[s] + pi[s + 1] + pi[s + 2];
        ready += pi[s];
    }
    return p->move[1] * ready / all;
}

int main(int argc, char **argv)
{
    int stages = argc > 1 ? atoi(argv[1]) : 0, sweeps = 0;
    double tolerance = argc > 2 ? strtod(argv[2], NULL) : 1e-10;
    double flow = 0, off = 1; /* flow hardly changes after some sweeps */
    if (stages <= LOW || stages > MOST || !(tolerance > 0)) {
        (void)fprintf(stderr, "usage: bench_floor STAGES [TOLERANCE], %d to %d stages\n", LOW + 1,
                      MOST);
        return 2;
    }
    Pipeline p;
    fill(&p, stages);
    double *pi = malloc(p.states * sizeof *pi);
    if (!pi) {
        (void)fputs("bench_floor: out of memory\n", stderr);
        return 4;
    }
    for (size_t s = 0; s < p.states; s++)
        pi[s] = 1 / (double)p.states;
    do {
        double after = sweep(&p, pi);
        if (++sweeps == 10 || after <= tolerance * flow)
            off = imbalance(&p, pi, &flow);
    } while (!(off <= tolerance * flow) && sweeps < 100000);
    (void)printf("%zu %d %.3g %.12g\n", p.states, sweeps, off / flow, throughput(&p, pi));
    free(pi);
    return off <= tolerance * flow ? 0 : 3;
}
