/* Potentials: against closed forms and dense elimination. */
#include "solvers/problems.h"

static const Control control = {.tolerance = 1e-10};

/* The jumps of a problem by rows of P, with a reward and the steady state. */
typedef struct {
    Problem chain;
    Poisson poisson;
    double *h;
} Earner;

static int by_source(const void *a, const void *b)
{
    const Edge *x = a, *y = b;
    return x->from != y->from ? (x->from > y->from) - (x->from < y->from)
                              : (x->to > y->to) - (x->to < y->to);
}

/* Takes the problem over.  Reward: the rate of jumps to a lower state. */
static Earner earner(Problem p)
{
    size_t n = (size_t)p.n;
    int64_t *row = must(calloc(n + 1, sizeof *row));
    int32_t *col = must(malloc(p.count * sizeof *col));
    double *val = must(malloc(p.count * sizeof *val)), *pi = must(malloc(n * sizeof *pi));
    double *reward = must(calloc(n, sizeof *reward)), sum = 0;
    qsort(p.edge, p.count, sizeof *p.edge, by_source);
    for (size_t k = 0; k < p.count; k++) {
        row[p.edge[k].from + 1]++;
        col[k] = p.edge[k].to;
        val[k] = p.edge[k].rate / p.flow.exit[p.edge[k].from];
        reward[p.edge[k].from] += p.edge[k].to < p.edge[k].from ? p.edge[k].rate : 0;
    }
    for (size_t i = 0; i < n; i++) {
        row[i + 1] += row[i];
        pi[i] = p.exact[i] / p.flow.exit[i];
        sum += pi[i];
    }
    for (size_t i = 0; i < n; i++)
        pi[i] /= sum;
    double *h = must(calloc(n, sizeof *h));
    return (Earner){p,
                    {flow_of(p.n, row, col, val, p.flow.exit, NULL), pi, reward, false, NULL, NULL},
                    h};
}

static void earner_free(Earner *e)
{
    free((void *)e->poisson.jumps.row);
    free((void *)e->poisson.jumps.col);
    free((void *)e->poisson.jumps.val);
    free((void *)e->poisson.pi);
    free((void *)e->poisson.reward);
    free(e->h);
    problem_free(&e->chain);
}

/* pi |w - (pi w) 1| / pi w with w = r + Q h, from the transitions, in long double; sum pi may be
 * off. */
static double unevenness(const Earner *e, const double *h)
{
    size_t n = (size_t)e->chain.n;
    long double *w = must(calloc(n, sizeof *w)), mean = 0, off = 0, sum = 0;
    for (size_t i = 0; i < n; i++)
        w[i] = e->poisson.reward[i];
    for (size_t k = 0; k < e->chain.count; k++) {
        Edge edge = e->chain.edge[k];
        w[edge.from] += edge.rate * ((long double)h[edge.to] - h[edge.from]);
    }
    for (size_t i = 0; i < n; i++)
        sum += e->poisson.pi[i];
    for (size_t i = 0; i < n; i++)
        mean += e->poisson.pi[i] * w[i] / sum;
    for (size_t i = 0; i < n; i++)
        off += e->poisson.pi[i] * fabsl(w[i] - mean);
    free(w);
    return (double)(off / mean / sum);
}

/* Q h = X 1 - r and pi h = 0 by Gaussian elimination with pivoting. */
static void dense_potential(const Earner *e, double *h)
{
    size_t n = (size_t)e->chain.n, wide = n + 1;
    long double *a = must(calloc(n * wide, sizeof *a)), mean = 0;
    for (size_t i = 0; i < n; i++)
        mean += (long double)e->poisson.pi[i] * e->poisson.reward[i];
    for (size_t k = 0; k < e->chain.count; k++) {
        Edge edge = e->chain.edge[k];
        a[(size_t)edge.from * wide + (size_t)edge.to] += edge.rate;
        a[(size_t)edge.from * wide + (size_t)edge.from] -= edge.rate;
    }
    for (size_t i = 0; i < n; i++)
        a[i * wide + n] = mean - e->poisson.reward[i];
    for (size_t j = 0; j < wide; j++) /* one equation follows from the others */
        a[j] = j < n ? (long double)e->poisson.pi[j] : 0;
    for (size_t k = 0; k < n; k++) {
        size_t best = k;
        for (size_t i = k + 1; i < n; i++)
            best = fabsl(a[i * wide + k]) > fabsl(a[best * wide + k]) ? i : best;
        for (size_t j = 0; j < wide; j++) {
            long double moved = a[k * wide + j];
            a[k * wide + j] = a[best * wide + j];
            a[best * wide + j] = moved;
        }
        for (size_t i = 0; i < n; i++) {
            long double times = i == k ? 0 : a[i * wide + k] / a[k * wide + k];
            for (size_t j = k; j < wide; j++)
                a[i * wide + j] -= times * a[k * wide + j];
        }
    }
    for (size_t i = 0; i < n; i++)
        h[i] = (double)(a[i * wide + n] / a[i * wide + i]);
    free(a);
}

static PepaStatus solve(Earner *e, PepaMethod method, const Control *how, Outcome *out)
{
    PepaError err = {0};
    PepaStatus status = solve_potential(&e->poisson, method, how, e->h, out, &err);
    cr_assert(status == PEPA_OK || status == err.code);
    if (status == PEPA_OK)
        cr_expect(unevenness(e, e->h) <= how->tolerance * 1.001 + 1e-14, "%s: %g", out->method,
                  unevenness(e, e->h));
    return status;
}

static const PepaMethod methods[] = {PEPA_AUTO, PEPA_GAUSS_SEIDEL, PEPA_DIRECT, PEPA_BICGSTAB};

/* Along a line, pi_i up_i (h_{i+1} - h_i) is what the states up to i earn less than X. */
Test(potential, birth_and_death)
{
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        Earner e = earner(birth_death(30, 0.8, 0, 1));
        Outcome out;
        const double *pi = e.poisson.pi, *r = e.poisson.reward;
        long double mean = 0, less = 0;
        cr_assert_eq(solve(&e, methods[m], &control, &out), PEPA_OK);
        for (int32_t i = 0; i < 30; i++)
            mean += (long double)pi[i] * r[i];
        for (int32_t i = 0; i < 29; i++) {
            less += pi[i] * (mean - r[i]);
            double want = (double)(less / (pi[i] * 0.8L));
            /* Weighted with pi, states that are hardly ever met may be off. */
            cr_expect_float_eq(pi[i] * (e.h[i + 1] - e.h[i]), pi[i] * want, 1e-9, "%s at %d: %g %g",
                               out.method, i, e.h[i + 1] - e.h[i], want);
        }
        earner_free(&e);
    }
}

Test(potential, agrees_with_dense_elimination)
{
    for (uint64_t seed = 1; seed <= 20; seed++) {
        for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
            Earner e = earner(reversible(1, 40, 1, seed));
            Outcome out;
            double *want = guess(e.chain.n);
            dense_potential(&e, want);
            cr_assert_eq(solve(&e, methods[m], &control, &out), PEPA_OK);
            for (int32_t i = 0; i < e.chain.n; i++)
                cr_expect_float_eq(e.h[i], want[i], 1e-7 * (1 + fabs(want[i])),
                                   "%s, seed %d, %d: %.12g, not %.12g", out.method, (int)seed, i,
                                   e.h[i], want[i]);
            free(want);
            earner_free(&e);
        }
    }
}

/* Worth comes back along the transitions: against the cycle's direction one sweep does. */
Test(potential, one_sweep_against_a_cycle)
{
    Earner e = earner(cycle(1000, 999));
    Outcome out;
    cr_assert_eq(solve(&e, PEPA_GAUSS_SEIDEL, &control, &out), PEPA_OK);
    cr_expect_leq(out.iterations, 4);
    earner_free(&e);
}

/* Along it iterates go round for ever: auto notices and turns to another method. */
Test(potential, stalls_along_a_cycle)
{
    Earner e = earner(cycle(500, 1));
    Outcome out;
    PepaError err = {0};
    cr_expect_eq(solve_potential(&e.poisson, PEPA_GAUSS_SEIDEL, &control, e.h, &out, &err),
                 PEPA_ENOCONV);
    cr_expect(strstr(err.message, "gauss-seidel stalled at residual "), "%s", err.message);
    memset(e.h, 0, 500 * sizeof *e.h);
    cr_expect_eq(solve(&e, PEPA_AUTO, &control, &out), PEPA_OK);
    cr_expect_str_eq(out.method, "bicgstab");
    cr_expect(strstr(out.trail, "gauss-seidel stalled at residual "), "%s", out.trail);
    earner_free(&e);
}

/* Groups between which the chain hardly moves: h goes up to the reciprocal of that, and its digits
 * go with it; the chances are 1e-5 here. */
Test(potential, groups_joined_by_rare_jumps)
{
    Earner e = earner(reversible(4, 50, 1e-4, 3));
    Outcome out;
    cr_expect_eq(solve(&e, PEPA_AUTO, &control, &out), PEPA_OK, "%g", out.residual);
    earner_free(&e);
}

/* The same along lines whose rates span 16 powers of ten: differences are set apart where h, which is up to 1e60 of what is
 * earned in a unit of time, has not the digits. */
Test(potential, differences_however_rare_jumps_are)
{
    int set_apart = 0;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        const int32_t n = 5 + (int32_t)(seed * 7 % 300);
        Earner e = earner(birth_death(n, 0, 16, seed));
        long double *apart = NULL, mean = 0, less = 0;
        Outcome out;
        const double *pi = e.poisson.pi, *r = e.poisson.reward;
        e.poisson.apart = &apart;
        cr_assert_eq(solve_potential(&e.poisson, PEPA_AUTO, &control, e.h, &out, NULL), PEPA_OK,
                     "seed %d: %g %s %s", (int)seed, out.residual, out.method, out.trail);
        cr_expect(out.residual <= 1e-10);
        set_apart += apart != NULL;
        for (int32_t i = 0; i < n; i++)
            mean += (long double)pi[i] * r[i];
        for (int32_t i = 0; i < n - 1; i++) {
            double up = 0;
            for (size_t k = 0; k < e.chain.count; k++)
                if (e.chain.edge[k].from == i && e.chain.edge[k].to == i + 1)
                    up = e.chain.edge[k].rate;
            less += pi[i] * (mean - r[i]);
            const long double got = apart ? apart[i * n + i + 1] : e.h[i + 1] - e.h[i];
            cr_expect(fabsl(pi[i] * up * got - less) <= 1e-9 * mean,
                      "seed %d at %d of %d: %Lg, not %Lg; %s %d mean %Lg res %g r %g", (int)seed, i,
                      n, pi[i] * up * got, less, out.method, apart != NULL, mean, out.residual,
                      r[i]);
        }
        free(apart);
        earner_free(&e);
    }
    cr_expect_gt(set_apart, 20);
}

/* What no differences can meet sets none apart, however often they are tried. */
Test(potential, differences_that_are_not_good_enough)
{
    const Control exact = {.tolerance = 1e-30};
    Earner e = earner(birth_death(30, 0, 16, 8));
    long double *apart = NULL;
    Outcome out;
    e.poisson.apart = &apart;
    cr_expect_eq(solve_potential(&e.poisson, PEPA_AUTO, &exact, e.h, &out, NULL), PEPA_ENOCONV);
    cr_expect_null(apart);
    earner_free(&e);
}

/* The mean that pi gives is corrected: h is as exact as asked for when pi is not.  BiCGSTAB, which
 * gains less than a digit for each correction, is not put to that. */
Test(potential, a_rough_pi_does_no_harm)
{
    for (size_t m = 0; methods[m] != PEPA_BICGSTAB; m++) {
        Earner e = earner(reversible(1, 60, 1, 5));
        Outcome out;
        double *want = guess(e.chain.n), *pi = (double *)e.poisson.pi;
        dense_potential(&e, want);
        for (int32_t i = 0; i < e.chain.n; i++)
            pi[i] *= 1 + 1e-4 * (i % 3 - 1);
        cr_assert_eq(solve(&e, methods[m], &control, &out), PEPA_OK, "%s %g", out.method,
                     out.residual);
        for (int32_t i = 1; i < e.chain.n; i++)
            cr_expect_float_eq(e.h[i] - e.h[0], want[i] - want[0], 1e-7 * (1 + fabs(want[i])));
        earner_free(&e);
        free(want);
    }
}

/* Sweeps find the mean however far pi is off.  From i the chain goes to i - 1 and earns 1; from 0
 * it goes to 4 and earns nothing: X = 4 / (1 + 1/2 + .. + 1/5).  A state is worth more than the
 * next one by what it earns beyond X in its time. */
Test(potential, the_mean_reward_is_corrected)
{
    const double mean = 4 / (1 + 1.0 / 2 + 1.0 / 3 + 1.0 / 4 + 1.0 / 5);
    for (size_t m = 0; methods[m] != PEPA_DIRECT; m++) {
        Earner e = earner(cycle(5, 4));
        Outcome out;
        double *pi = (double *)e.poisson.pi;
        for (int32_t i = 0; i < 5; i++)
            pi[i] = i == 0 ? 0.8 : 0.05;
        PepaStatus status = solve(&e, methods[m], &control, &out);
        cr_assert_eq(status, PEPA_OK, "%s at %g", out.method, out.residual);
        for (int32_t i = 0; i < 5; i++) {
            double stay = 1 / (1.0 + i), want = (i > 0) - mean * stay;
            cr_expect_float_eq(e.h[i] - e.h[(i + 4) % 5], want, 1e-8, "%s at %d", out.method, i);
        }
        earner_free(&e);
    }
}

/* Beside a rough pi, half of whose digits are good, BiCGSTAB loses nothing. */
Test(potential, steps_correct_the_mean)
{
    Earner e = earner(reversible(1, 60, 1, 5));
    Outcome out;
    double *pi = (double *)e.poisson.pi;
    for (int32_t i = 0; i < e.chain.n; i++)
        pi[i] *= 1 + 1e-8 * (i % 3 - 1);
    cr_expect_eq(solve(&e, PEPA_BICGSTAB, &control, &out), PEPA_OK, "%g", out.residual);
    earner_free(&e);
}

/* Where a walk takes long, sweeps are left for steps, and incomplete factors that would fill up for
 * those that do not. */
Test(potential, steps_end_what_sweeps_do_not)
{
    static const int64_t affordable[] = {0, 3000000};
    for (size_t k = 0; k < sizeof affordable / sizeof *affordable; k++) {
        Earner e = earner(birth_death(3000, 1, 0, 1));
        Control how = {.tolerance = 1e-9, .memory = affordable[k]};
        Outcome out;
        cr_expect_eq(solve(&e, PEPA_AUTO, &how, &out), PEPA_OK, "%g", out.residual);
        cr_expect_str_eq(out.method, "bicgstab");
        earner_free(&e);
    }
}

/* A round that makes h worse is taken back. */
Test(potential, steps_never_make_it_worse)
{
    for (uint64_t seed = 1; seed <= 5; seed++) {
        for (int64_t most = 1; most <= 12; most++) {
            Earner e = earner(reversible(4, 50, 1e-4, seed));
            const Control few = {.tolerance = 1e-12, .max_iter = most};
            Outcome out;
            const double start = unevenness(&e, e.h);
            (void)solve(&e, PEPA_BICGSTAB, &few, &out);
            cr_expect_leq(unevenness(&e, e.h), 1.001 * start, "%d steps: %g", (int)most,
                          out.residual);
            earner_free(&e);
        }
    }
}

Test(potential, guesses)
{
    static const double bad[] = {NAN, INFINITY, -1e300, 1e305};
    Earner e = earner(reversible(1, 200, 1, 9));
    Outcome out;
    cr_assert_eq(solve(&e, PEPA_AUTO, &control, &out), PEPA_OK);
    int64_t cold = out.iterations;
    cr_assert_eq(solve(&e, PEPA_AUTO, &control, &out), PEPA_OK);
    cr_expect_eq(out.iterations, 0, "the answer is a perfect guess");
    for (int32_t i = 0; i < e.chain.n; i++)
        e.h[i] *= 1 + 1e-6 * (i % 2);
    cr_assert_eq(solve(&e, PEPA_AUTO, &control, &out), PEPA_OK);
    cr_expect_lt(out.iterations, cold);
    for (size_t b = 0; b < sizeof bad / sizeof *bad; b++) {
        for (int32_t i = 0; i < e.chain.n; i++)
            e.h[i] = i % 3 ? 0 : bad[b];
        cr_expect_eq(solve(&e, PEPA_AUTO, &control, &out), PEPA_OK, "guess %g", bad[b]);
        cr_expect_leq(out.iterations, cold + 1);
    }
    earner_free(&e);
}

Test(potential, no_reward_no_potential)
{
    Earner e = earner(cycle(7, 1));
    Outcome out;
    memset((void *)e.poisson.reward, 0, 7 * sizeof(double));
    e.h[3] = 5;
    cr_expect_eq(solve_potential(&e.poisson, PEPA_AUTO, &control, e.h, &out, NULL), PEPA_OK);
    for (int32_t i = 0; i < 7; i++)
        cr_expect_eq(e.h[i], 0);
    cr_expect_str_eq(out.method, "none");
    earner_free(&e);
}

static int stop(void *user, const PepaProgress *now)
{
    int *left = user;
    cr_assert_str_eq(now->phase, "solve");
    return (*left)-- == 0;
}

Test(potential, can_be_cancelled)
{
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        int left = 0;
        Control how = {.tolerance = 1e-10, .progress = stop, .user = &left};
        Earner e = earner(reversible(1, 100, 1, 4));
        Outcome out;
        PepaError err;
        cr_expect_eq(solve_potential(&e.poisson, methods[m], &how, e.h, &out, &err), PEPA_ECANCEL);
        earner_free(&e);
    }
}

Test(potential, what_is_not_reached_is_an_error)
{
    Earner e = earner(birth_death(50, 1, 0, 1));
    Control few = {.tolerance = 1e-10, .max_iter = 5}, minute = {.tolerance = 1e-30};
    Outcome out;
    PepaError err;
    cr_expect_eq(solve_potential(&e.poisson, PEPA_GAUSS_SEIDEL, &few, e.h, &out, &err),
                 PEPA_ENOCONV);
    cr_expect(strstr(err.message, "ran out of iterations at residual ") && out.residual > 1e-10,
              "%s", err.message);
    cr_expect_eq(out.iterations, 5);
    cr_expect_eq(solve_potential(&e.poisson, PEPA_DIRECT, &minute, e.h, &out, &err), PEPA_ENOCONV);
    cr_expect_lt(out.residual, 1e-12);
    ((double *)e.poisson.reward)[0] = INFINITY;
    cr_expect_eq(solve_potential(&e.poisson, PEPA_AUTO, &control, e.h, &out, &err), PEPA_ENOCONV);
    cr_expect(strstr(err.message, "not finite"), "%s", err.message);
    earner_free(&e);
}
