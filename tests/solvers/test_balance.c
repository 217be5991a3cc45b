/* Chains that stay long in either of two wells, between which little flows although no jump is rare: no residual shows
 * how wrong the shares of the wells are. */
#include "solvers/problems.h"

#include "solvers/internal.h"
#include "solvers/multilevel/mixing.h"

/* A grid of three dimensions: jumps to neighbours, at rates that are in balance with the probabilities pi.
 *   steep  the quicker the steeper the way down, else at most 1 */
static void finish_grid(Problem *p, int32_t side, const long double *pi, bool steep)
{
    for (int32_t s = 0; s < p->n; s++)
        for (int32_t step = 1; step < p->n; step *= side)
            if (s / step % side + 1 < side) {
                const double up = steep ? (double)sqrtl(pi[s + step] / pi[s])
                                        : (double)(pi[s + step] / (pi[s] + pi[s + step]));
                problem_add(p, s, s + step, up);
                problem_add(p, s + step, s, steep ? 1 / up : 1 - up);
            }
    problem_finish(p);
    problem_exact(p, pi);
}

/* Two wells along the first of three axes, a hundred-fold heavier on the right, apart by states whose probability is about
 * e^-height; along the others one. */
static Problem wells(int32_t side, double height)
{
    Problem p = {.n = side * side * side};
    long double *pi = must(malloc((size_t)p.n * sizeof *pi));
    for (int32_t s = 0; s < p.n; s++) {
        const double middle = (side - 1) / 2.0, u = (s % side - middle) / middle,
                     v = (s / side % side - middle) / middle,
                     w = (s / side / side - middle) / middle;
        pi[s] =
            expl(-height * pow(cos(acos(0) * u), 2) + log(10) * u - height / 4 * (v * v + w * w));
    }
    finish_grid(&p, side, pi, false);
    free(pi);
    return p;
}

/* The share of time that is spent left of the middle. */
static double share_left(const Problem *p, int32_t side, const double *y)
{
    double left = 0, all = 0;
    for (int32_t s = 0; s < p->n; s++) {
        all += y[s] / p->flow.exit[s];
        left += s % side < side / 2 ? y[s] / p->flow.exit[s] : 0;
    }
    return left / all;
}

/* Where the shares are wrong the residual is small, the imbalance tells about how wrong; where all is right it is none. */
Test(balance, wrong_shares_show)
{
    const int32_t side = 16;
    Problem p = wells(side, 30);
    double *y = guess(p.n), moved = 0, residual;
    cr_expect(flow_imbalance(&p.flow, p.exact).time < 1e-10);
    cr_expect(flow_balanced(flow_imbalance(&p.flow, p.exact), 1e-10));
    for (double wrong = 1e-6; wrong < 1; wrong *= 100) {
        for (int32_t s = 0; s < p.n; s++)
            y[s] = s % side < side / 2 ? p.exact[s] * (1 + wrong) : p.exact[s];
        cr_assert(flow_normalise(&p.flow, y));
        moved = fabs(share_left(&p, side, y) - share_left(&p, side, p.exact));
        (void)flow_criterion(&p.flow, y, &residual);
        const Drift off = flow_imbalance(&p.flow, y);
        cr_expect(residual < 1e-6 * moved, "residual %g", residual);
        cr_expect(off.time > moved && off.time < 10 * moved, "%g where %g is wrong", off.time,
                  moved);
        cr_expect(off.rare > wrong / 10, "%g where %g is wrong", off.rare, wrong);
    }
    free(y);
    problem_free(&p);
}

/* Four wells on a line, the outer ones linked with their neighbours more than these with each other: what is wrong between two
 * that are linked shows, though both together are in balance. */
Test(balance, groups_within_groups)
{
    enum { APART = 20, STATES = 3 * APART + 1 };
    Problem p = {.n = STATES};
    long double pi[STATES];
    double y[STATES];
    for (int32_t i = 0; i < STATES; i++)
        pi[i] = expl(-(i / APART == 1 ? 26 : 13) * pow(sin(2 * acos(0) * i / APART), 2));
    for (int32_t i = 0; i + 1 < STATES; i++) {
        problem_add(&p, i, i + 1, (double)(pi[i + 1] / (pi[i] + pi[i + 1])));
        problem_add(&p, i + 1, i, (double)(pi[i] / (pi[i] + pi[i + 1])));
    }
    problem_finish(&p);
    problem_exact(&p, pi);
    for (int32_t i = 0; i < STATES; i++)
        y[i] = p.exact[i] * (i <= APART / 2 ? 1.01 : 1);
    cr_assert(flow_normalise(&p.flow, y));
    cr_expect(flow_imbalance(&p.flow, p.exact).time < 1e-9);
    cr_expect(flow_imbalance(&p.flow, y).time > 1e-3, "%g", flow_imbalance(&p.flow, y).time);
    problem_free(&p);
}

/* One hill: nothing to compare. */
Test(balance, one_hill)
{
    Problem p = birth_death(100, 0.9, 0, 0);
    cr_expect_float_eq(flow_imbalance(&p.flow, p.exact).time, 0, 0);
    cr_expect(flow_balanced(flow_imbalance(&p.flow, p.exact), 0));
    problem_free(&p);
}

/* Between the wells flow 3e-9 to 4e-18 of all; from equal shares no method but elimination finds how much is where. */
Test(balance, auto_finds_the_shares)
{
    static const double height[] = {15, 20, 25, 36};
    const int32_t side = 24;
    for (size_t k = 0; k < sizeof height / sizeof *height; k++) {
        const Control control = {.tolerance = 1e-10};
        Problem p = wells(side, height[k]);
        double *y = guess(p.n), *scratch = guess(p.n);
        Outcome out;
        cr_assert_eq(solve_flow(PEPA_AUTO, &p.flow, &control, y, &out, NULL), PEPA_OK);
        cr_expect_str_neq(out.method, "gth");
        cr_expect(distance(p.n, y, p.exact) < 1e-9, "%s: off by %g", out.method,
                  distance(p.n, y, p.exact));
        cr_expect_str_empty(flow_caution(&p.flow, y, &out, control.tolerance, scratch));
        free(scratch);
        free(y);
        problem_free(&p);
    }
}

/* The guess is right in the left well, and nothing is in the right one. */
Test(balance, auto_leaves_a_well)
{
    const int32_t side = 24;
    const Control control = {.tolerance = 1e-10};
    Problem p = wells(side, 30);
    double *y = guess(p.n);
    Outcome out;
    for (int32_t s = 0; s < p.n; s++)
        y[s] = s % side < side / 2 ? p.exact[s] : 0;
    cr_assert_eq(solve_flow(PEPA_AUTO, &p.flow, &control, y, &out, NULL), PEPA_OK);
    cr_expect_str_neq(out.method, "gth");
    cr_expect(distance(p.n, y, p.exact) < 1e-9, "%s: off by %g", out.method,
              distance(p.n, y, p.exact));
    free(y);
    problem_free(&p);
}

/* Refining finds to a well that is empty at first, at each height: its answer is taken, and not the guess, whose residual is less
 * than that of all else; and where much has moved it ends only in balance. */
Test(balance, refining_fills_a_well)
{
    static const struct {
        int32_t side;
        double height, off;
    } cases[] = {{16, 15, 1e-10}, {16, 24, 1e-10}, {16, 28, 1e-10}, {24, 30, 1e-7}, {24, 36, 1e-7}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const int32_t side = cases[k].side;
        const Control control = {.tolerance = 1e-10};
        Problem p = wells(side, cases[k].height);
        double *y = guess(p.n);
        Outcome out;
        for (int32_t s = 0; s < p.n; s++)
            y[s] = s % side < side / 2 ? p.exact[s] : 0;
        cr_assert_eq(attempt_run(&method_refinement, &p.flow, &control, y, &out, NULL), PEPA_OK);
        const Drift off = flow_imbalance(&p.flow, y);
        cr_expect(off.time < cases[k].off, "height %g: %g", cases[k].height, off.time);
        cr_expect(distance(p.n, y, p.exact) < 4 * cases[k].off, "height %g: off by %g",
                  cases[k].height, distance(p.n, y, p.exact));
        cr_expect_eq(out.left, 0);
        free(y);
        problem_free(&p);
    }
}

/* A well that is entered once in 1e25 steps or less holds next to nothing after some sweeps, which none of what they change shows.
 * Long queues that are next to empty hold as little, and rightly so. */
Test(balance, what_holds_next_to_nothing)
{
    const int32_t side = 16;
    Problem p = wells(side, 80), tail = birth_death(2000, 0.7, 0, 0);
    double *y = guess(p.n), *scratch = guess(p.n), *z = guess(tail.n);
    for (int32_t s = 0; s < p.n; s++)
        y[s] = s % side < side / 2 ? p.exact[s] : 0;
    cr_assert(flow_normalise(&p.flow, y));
    for (int k = 0; k < 20; k++)
        (void)flow_sweep(&p.flow, y);
    const Drift change = flow_drift(&p.flow, y, scratch);
    cr_expect(change.time < 1e-10 && change.rare < 1e-4 && change.growth > 1e-4, "%g %g %g",
              change.time, change.rare, change.growth);
    cr_expect(flow_may_fill(&p.flow, y, change.growth, 0));
    cr_expect_not(flow_may_fill(&p.flow, y, 0, 0));
    cr_expect_not(flow_may_fill(&p.flow, y, change.growth, 1000)); /* no memory for it */
    for (int32_t i = 0; i < tail.n; i++)
        z[i] = tail.exact[i] * exp(-1e-4 * i);
    cr_expect_not(flow_may_fill(&tail.flow, z, 1, 0));
    free(z);
    free(scratch);
    free(y);
    problem_free(&tail);
    problem_free(&p);
}

/* Eight wells, two along each of three axes. */
static Problem corners(int32_t side, double height)
{
    Problem p = {.n = side * side * side};
    long double *pi = must(malloc((size_t)p.n * sizeof *pi));
    for (int32_t s = 0; s < p.n; s++) {
        pi[s] = 1;
        for (int32_t axis = 0, rest = s; axis < 3; axis++, rest /= side) {
            const double u = 2.0 * (rest % side) / (side - 1) - 1;
            pi[s] *= expl(-height * (1 + axis / 10.0) * pow(cos(acos(0) * u), 2) + u);
        }
    }
    finish_grid(&p, side, pi, true);
    free(pi);
    return p;
}

/* Refining begins anew where cycles do not find to what sweeps have left next to empty, soon enough to take half as many. */
Test(balance, refining_begins_anew)
{
    static const double height[] = {50, 70};
    const int32_t side = 24;
    for (size_t k = 0; k < sizeof height / sizeof *height; k++) {
        const Control control = {.tolerance = 1e-10};
        Problem p = corners(side, height[k]);
        double *y = guess(p.n);
        Outcome out;
        for (int32_t s = 0; s < p.n; s++)
            y[s] = s == 0;
        for (int sweep = 0; sweep < 30; sweep++)
            (void)flow_sweep(&p.flow, y);
        cr_assert_eq(attempt_run(&method_refinement, &p.flow, &control, y, &out, NULL), PEPA_OK);
        cr_expect_eq(out.left, 0);
        cr_expect(out.iterations < 60, "height %g: %d cycles", height[k], (int)out.iterations);
        cr_expect(distance(p.n, y, p.exact) < 1e-6, "height %g: off by %g", height[k],
                  distance(p.n, y, p.exact));
        free(y);
        problem_free(&p);
    }
}

/* Growth is that of flows too small to count: by class, what the growing ones gain less what the others lose. */
Test(balance, growth)
{
    const double old[] = {1, 1e-10, 1e-30, 1e-40, 1e-40},
                 y[] = {0.5, 2e-10, 2e-30, 1.5e-40, 0.75e-40};
    cr_expect_float_eq(flow_growth(5, y, old), 0.5, 1e-12);
    cr_expect_float_eq(flow_growth(2, y, old), 0, 0);
    cr_expect_float_eq(flow_growth(2, y + 3, old + 3), 0.25 / 2.25, 1e-12);
}

/* Wells between which 1e-20 of all flows, or much less, by auto, begun in the left one. */
Test(balance, auto_fills_what_holds_next_to_nothing)
{
    static const double height[] = {50, 60, 80, 120};
    const int32_t side = 24;
    for (size_t k = 0; k < sizeof height / sizeof *height; k++) {
        const Control control = {.tolerance = 1e-10};
        Problem p = wells(side, height[k]);
        double *y = guess(p.n);
        Outcome out;
        for (int32_t s = 0; s < p.n; s++)
            y[s] = s % side < side / 2 ? p.exact[s] : 0;
        cr_assert_eq(solve_flow(PEPA_AUTO, &p.flow, &control, y, &out, NULL), PEPA_OK);
        cr_expect(distance(p.n, y, p.exact) < 1e-7, "height %g, %s: off by %g", height[k],
                  out.method, distance(p.n, y, p.exact));
        free(y);
        problem_free(&p);
    }
}

/* A method that the user asked for is left alone, and cautioned against. */
Test(balance, requested_methods_are_cautioned)
{
    const int32_t side = 24;
    const Control control = {.tolerance = 1e-10};
    Problem p = wells(side, 30);
    double *y = guess(p.n), *scratch = guess(p.n);
    Outcome out;
    cr_assert_eq(solve_flow(PEPA_BICGSTAB, &p.flow, &control, y, &out, NULL), PEPA_OK);
    cr_expect_gt(distance(p.n, y, p.exact), 1e-3);
    cr_expect(
        strstr(flow_caution(&p.flow, y, &out, control.tolerance, scratch), "not what flows out"));
    free(scratch);
    free(y);
    problem_free(&p);
}

/* Where memory is too little for refining, so is an answer that auto leaves as it is. */
Test(balance, what_is_not_refined_is_cautioned)
{
    const int32_t side = 24;
    const Control control = {.tolerance = 1e-10, .memory = 4000000};
    Problem p = wells(side, 15);
    double *y = guess(p.n), *scratch = guess(p.n);
    Outcome out;
    cr_assert_eq(solve_flow(PEPA_AUTO, &p.flow, &control, y, &out, NULL), PEPA_OK);
    cr_expect_gt(distance(p.n, y, p.exact), 1e-7);
    cr_expect(
        strstr(flow_caution(&p.flow, y, &out, control.tolerance, scratch), "not what flows out"));
    free(scratch);
    free(y);
    problem_free(&p);
}

/* A cycle that leaves of each logarithm's error a share of its own, 0.99 of the worst: no more than as many cycles as there
 * are different shares are needed, and a few for what rounding leaves. */
Test(balance, mixing_ends_slow_cycles)
{
    enum { STATES = 60, SHARES = 5, CYCLES = 12 };
    static const double leaves[SHARES] = {0, 0.5, 0.9, 0.97, 0.99};
    const Flow flow = {.n = STATES};
    double right[STATES], y[STATES], old[STATES], vectors[STATES * MIXING_VECTORS], plain = 1;
    Mixing mixing = mixing_start(&flow, vectors);
    for (int i = 0; i < STATES; i++) {
        right[i] = pow(10, -(i % 7));
        y[i] = right[i] * (1 + 0.1 * (i % 3));
    }
    for (int k = 0; k < CYCLES; k++) {
        memcpy(old, y, sizeof old);
        for (int i = 0; i < STATES; i++)
            y[i] = right[i] * pow(old[i] / right[i], leaves[i % SHARES]);
        cr_expect(mixing_step(&mixing, old, y) >= 0);
        plain *= leaves[SHARES - 1];
    }
    cr_expect_gt(plain, 0.8);
    for (int i = 0; i < STATES; i++)
        cr_expect(fabs(y[i] / right[i] - 1) < 1e-9, "%d: off by %g", i, y[i] / right[i] - 1);
}
