/* Chains whose stationary flows are known by other means than solving, for tests of the solvers. */
#ifndef PEPA_TESTS_SOLVERS_PROBLEMS_H
#define PEPA_TESTS_SOLVERS_PROBLEMS_H

#include <criterion/criterion.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "solvers/solver.h"
#include "scale.h"

typedef struct {
    int32_t from, to;
    double rate;
} Edge;

/* A growing list of transitions, then the flow made of it; `exact` is y up to rounding, sum 1. */
typedef struct {
    int32_t n;
    size_t count, cap;
    Edge *edge;
    Flow flow;
    double *exact;
} Problem;

static inline void *must(void *p)
{
    cr_assert(p != NULL, "out of memory");
    return p;
}

static inline Flow flow_of(int32_t n, const int64_t *row, const int32_t *col, const double *val,
                           const double *exit, const double *b)
{
    return (Flow){.n = n, .row = row, .col = col, .val = val, .exit = exit, .b = b};
}

static inline void problem_add(Problem *p, int32_t from, int32_t to, double rate)
{
    if (p->count == p->cap) {
        p->cap = p->cap ? 2 * p->cap : 64;
        p->edge = must(realloc(p->edge, p->cap * sizeof *p->edge));
    }
    p->edge[p->count++] = (Edge){from, to, rate};
}

static inline int edge_order(const void *a, const void *b)
{
    const Edge *x = a, *y = b;
    if (x->to != y->to)
        return x->to < y->to ? -1 : 1;
    return x->from < y->from ? -1 : x->from > y->from;
}

/* Exit rates and jump probabilities from the transitions; equal ones add up. */
static inline void problem_finish(Problem *p)
{
    size_t n = (size_t)p->n, kept = 0;
    double *exit = must(calloc(n, sizeof *exit)), *val = must(malloc((p->count + 1) * sizeof *val));
    int64_t *row = must(calloc(n + 1, sizeof *row));
    int32_t *col = must(malloc((p->count + 1) * sizeof *col));
    qsort(p->edge, p->count, sizeof *p->edge, edge_order);
    for (size_t k = 0; k < p->count; k++) {
        if (kept > 0 && edge_order(&p->edge[kept - 1], &p->edge[k]) == 0)
            p->edge[kept - 1].rate += p->edge[k].rate;
        else
            p->edge[kept++] = p->edge[k];
    }
    p->count = kept;
    for (size_t k = 0; k < kept; k++)
        exit[p->edge[k].from] += p->edge[k].rate;
    for (size_t k = 0; k < kept; k++) {
        row[p->edge[k].to + 1]++;
        col[k] = p->edge[k].from;
        val[k] = p->edge[k].rate / exit[p->edge[k].from];
    }
    for (size_t i = 0; i < n; i++)
        row[i + 1] += row[i];
    p->flow = flow_of(p->n, row, col, val, exit, NULL);
}

/* Take y_i proportional to pi_i d_i for the distribution pi (up to a factor). */
static inline void problem_exact(Problem *p, const long double *pi)
{
    long double sum = 0;
    for (int32_t i = 0; i < p->n; i++)
        sum += pi[i] * p->flow.exit[i];
    p->exact = must(malloc((size_t)p->n * sizeof *p->exact));
    for (int32_t i = 0; i < p->n; i++)
        p->exact[i] = (double)(pi[i] * p->flow.exit[i] / sum);
}

static inline void problem_free(Problem *p)
{
    free(p->edge);
    free((void *)p->flow.row);
    free((void *)p->flow.col);
    free((void *)p->flow.val);
    free((void *)p->flow.exit);
    free((void *)p->flow.b);
    free(p->exact);
    *p = (Problem){0};
}

static inline int value_order(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* The same flow with compact rows, to be freed by compact_free; false: too many values. */
static inline bool compact_new(const Flow *flow, Flow *out)
{
    size_t entries = (size_t)flow->row[flow->n], count = 0;
    double *value = must(malloc((entries + 1) * sizeof *value));
    uint16_t *code = must(malloc((entries + 1) * sizeof *code));
    memcpy(value, flow->val, entries * sizeof *value);
    qsort(value, entries, sizeof *value, value_order);
    for (size_t k = 0; k < entries; k++)
        if (count == 0 || value[k] != value[count - 1])
            value[count++] = value[k];
    *out = *flow;
    out->val = NULL;
    out->code = code;
    out->chance = value;
    for (size_t k = 0; k < entries && count <= 65536; k++)
        code[k] =
            (uint16_t)((double *)bsearch(&flow->val[k], value, count, sizeof *value, value_order) -
                       value);
    return count <= 65536;
}

static inline void compact_free(Flow *flow)
{
    free((void *)flow->code);
    free((void *)flow->chance);
}

/* ---- pseudo-random numbers: xorshift64*, Marsaglia 2003, Vigna 2016 ---------------------- */

static inline double random_unit(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (double)((*state * 2685821657736338717u) >> 11) / 9007199254740992.0;
}

static inline int32_t random_below(uint64_t *state, int32_t n)
{
    return (int32_t)(random_unit(state) * n);
}

/* ---- closed forms ------------------------------------------------------------------------ */

/* Birth and death: pi_{i+1} / pi_i = up_i / down_{i+1}.  Rates 10^(e_i), e_i random within
 * +-spread/2, if spread > 0; else `up` and 1. */
static inline Problem birth_death(int32_t n, double up, double spread, uint64_t seed)
{
    Problem p = {.n = n};
    long double *pi = must(malloc((size_t)n * sizeof *pi));
    pi[0] = 1;
    for (int32_t i = 0; i + 1 < n; i++) {
        double a = spread > 0 ? pow(10, spread * (random_unit(&seed) - 0.5)) : up;
        double b = spread > 0 ? pow(10, spread * (random_unit(&seed) - 0.5)) : 1;
        problem_add(&p, i, i + 1, a);
        problem_add(&p, i + 1, i, b);
        pi[i + 1] = pi[i] * (long double)a / (long double)b;
    }
    problem_finish(&p);
    problem_exact(&p, pi);
    free(pi);
    return p;
}

/* A cycle in the order of the states (step 1) or against it (step n - 1): every flow is 1/n. */
static inline Problem cycle(int32_t n, int32_t step)
{
    Problem p = {.n = n};
    long double *pi = must(malloc((size_t)n * sizeof *pi));
    for (int32_t i = 0; i < n; i++) {
        double rate = 1 + i % 5;
        problem_add(&p, i, (i + step) % n, rate);
        pi[i] = 1 / (long double)rate;
    }
    problem_finish(&p);
    problem_exact(&p, pi);
    free(pi);
    return p;
}

/* `groups` random reversible chains of `size` states with symmetric weights in 0.1 .. 1.1, coupled
 * in a row by weights `bond`: y_i is proportional to the sum of i's weights.  Exit rates vary. */
static inline Problem reversible(int32_t groups, int32_t size, double bond, uint64_t seed)
{
    Problem p = {.n = groups * size};
    long double *pi = must(calloc((size_t)p.n, sizeof *pi));
    for (int32_t i = 0; i < p.n; i++)
        pi[i] = 0.1L + (long double)random_unit(&seed);
    for (int32_t i = 0; i < p.n; i++)
        for (int32_t k = 0; k < 3; k++) {
            int32_t j = i / size * size + random_below(&seed, size);
            double w = 0.1 + random_unit(&seed);
            if (k == 0)
                j = i % size + 1 < size ? i + 1 : i;
            if (j == i)
                continue;
            problem_add(&p, i, j, (double)(w / pi[i]));
            problem_add(&p, j, i, (double)(w / pi[j]));
        }
    for (int32_t g = 0; g + 1 < groups; g++) {
        int32_t i = g * size + random_below(&seed, size), j = (g + 1) * size;
        problem_add(&p, i, j, (double)(bond / pi[i]));
        problem_add(&p, j, i, (double)(bond / pi[j]));
    }
    problem_finish(&p);
    problem_exact(&p, pi);
    free(pi);
    return p;
}

/* Independent birth-death walks on `dims` axes of `side` places: product form. */
static inline Problem walk(int dims, int32_t side, const double *up, const double *down)
{
    Problem p = {.n = 1};
    for (int d = 0; d < dims; d++)
        p.n *= side;
    long double *pi = must(malloc((size_t)p.n * sizeof *pi));
    for (int32_t s = 0; s < p.n; s++) {
        pi[s] = 1;
        for (int32_t d = 0, step = 1; d < dims; d++, step *= side) {
            int32_t at = s / step % side;
            pi[s] *= powl((long double)up[d] / (long double)down[d], at);
            if (at + 1 < side)
                problem_add(&p, s, s + step, up[d]);
            if (at > 0)
                problem_add(&p, s, s - step, down[d]);
        }
    }
    problem_finish(&p);
    problem_exact(&p, pi);
    free(pi);
    return p;
}

/* Three queues in a ring with `jobs` jobs: pi(a, b, c) = const / (mu1^a mu2^b mu3^c).
 * Source: Gordon, Newell, Operations Research 15 (1967). */
static inline Problem closed_tandem(int32_t jobs, double mu1, double mu2, double mu3)
{
    Problem p = {.n = (jobs + 1) * (jobs + 2) / 2};
    int32_t width = jobs + 1, *id = must(malloc((size_t)(width * width) * sizeof *id)), next = 0;
    long double *pi = must(malloc((size_t)p.n * sizeof *pi));
    for (int32_t a = jobs; a >= 0; a--)
        for (int32_t b = 0; a + b <= jobs; b++) {
            pi[next] = powl(mu1, -a) * powl(mu2, -b) * powl(mu3, -(jobs - a - b));
            id[a * width + b] = next++;
        }
    for (int32_t a = 0; a <= jobs; a++)
        for (int32_t b = 0; a + b <= jobs; b++) {
            int32_t s = id[a * width + b];
            if (a > 0)
                problem_add(&p, s, id[(a - 1) * width + b + 1], mu1);
            if (b > 0)
                problem_add(&p, s, id[a * width + b - 1], mu2);
            if (a + b < jobs)
                problem_add(&p, s, id[(a + 1) * width + b], mu3);
        }
    problem_finish(&p);
    problem_exact(&p, pi);
    free(id);
    free(pi);
    return p;
}

/* Strongly connected: a random cycle through all states and `extra` more transitions from each;
 * rates 10^(+-spread/2).  No closed form. */
static inline Problem random_chain(int32_t n, int32_t extra, double spread, uint64_t *seed)
{
    Problem p = {.n = n};
    int32_t *order = must(malloc((size_t)n * sizeof *order));
    for (int32_t i = 0; i < n; i++) {
        int32_t j = random_below(seed, i + 1);
        order[i] = order[j];
        order[j] = i;
    }
    for (int32_t i = 0; i < n; i++) {
        problem_add(&p, order[i], order[(i + 1) % n], pow(10, spread * (random_unit(seed) - 0.5)));
        for (int32_t k = 0; k < extra; k++) {
            int32_t j = random_below(seed, n);
            if (j != i)
                problem_add(&p, i, j, pow(10, spread * (random_unit(seed) - 0.5)));
        }
    }
    free(order);
    problem_finish(&p);
    return p;
}

/* The symmetric walk on 1 .. n that ends beyond either end, from `start` (0-based here): expected
 * visits 2 min(s, j) (n + 1 - max(s, j)) / (n + 1), 1-based.  All numbers of P are exact.
 * Source: Feller, An Introduction to Probability Theory, vol. 1, ch. XIV. */
static inline Problem ruin_visits(int32_t n, int32_t start)
{
    Problem p = {.n = n};
    size_t entries = 2 * (size_t)n - 2, at = 0;
    int64_t *row = must(malloc(((size_t)n + 1) * sizeof *row));
    int32_t *col = must(malloc((entries + 1) * sizeof *col));
    double *val = must(malloc((entries + 1) * sizeof *val));
    double *exit = must(malloc((size_t)n * sizeof *exit)), *b = must(calloc((size_t)n, sizeof *b));
    p.exact = must(malloc((size_t)n * sizeof *p.exact));
    for (int32_t i = 0; i < n; i++) {
        row[i] = (int64_t)at;
        for (int32_t j = i - 1; j <= i + 1; j += 2) {
            if (j < 0 || j >= n)
                continue;
            col[at] = j;
            val[at++] = 0.5;
        }
        int32_t less = i < start ? i : start, more = i < start ? start : i;
        p.exact[i] = 2.0 * (less + 1) * (n - more) / (n + 1);
        exit[i] = 1 + i % 3;
    }
    row[n] = (int64_t)at;
    b[start] = 1;
    p.flow = flow_of(n, row, col, val, exit, b);
    return p;
}

/* ---- judging ----------------------------------------------------------------------------- */

static inline double distance(int32_t n, const double *a, const double *b)
{
    double sum = 0;
    for (int32_t i = 0; i < n; i++)
        sum += fabs(a[i] - b[i]);
    return sum;
}

/* Largest relative deviation of any entry. */
static inline double deviation(int32_t n, const double *a, const double *b)
{
    double most = 0;
    for (int32_t i = 0; i < n; i++) {
        double off = fabs(a[i] - b[i]) / fabs(b[i]);
        if (!(off <= most))
            most = off;
    }
    return most;
}

static inline double *guess(int32_t n)
{
    double *y = must(malloc((size_t)n * sizeof *y));
    for (int32_t i = 0; i < n; i++)
        y[i] = 1 / (double)n;
    return y;
}

/* Finite, >= 0, not all 0. */
static inline bool is_iterate(int32_t n, const double *y)
{
    double sum = 0;
    for (int32_t i = 0; i < n; i++) {
        if (!(y[i] >= 0) || !isfinite(y[i]))
            return false;
        sum += y[i];
    }
    return sum > 0;
}

/* |y - P'y - b|_1 / |y|_1 in long double, written independently of the library. */
static inline double recomputed_residual(const Flow *flow, const double *y)
{
    long double off = 0, sum = 0;
    for (int32_t i = 0; i < flow->n; i++) {
        long double r = (long double)y[i] - (flow->b ? flow->b[i] : 0);
        for (int64_t k = flow->row[i]; k < flow->row[i + 1]; k++)
            r -= (long double)flow->val[k] * y[flow->col[k]];
        off += fabsl(r);
        sum += fabsl((long double)y[i]);
    }
    return (double)(off / sum);
}

#endif
