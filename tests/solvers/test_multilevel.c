/* Groups of states: the pieces of the multilevel method, and what it promises. */
#include "solvers/multilevel/levels.h"
#include "solvers/problems.h"

static double sum(int32_t n, const double *x)
{
    double total = 0;
    for (int32_t i = 0; i < n; i++)
        total += x[i];
    return total;
}

Test(multilevel, groups_are_small_and_neighbours)
{
    static const double up[] = {1, 0.9}, down[] = {1.3, 1};
    Problem p = walk(2, 30, up, down);
    int32_t *group = must(malloc((size_t)p.n * sizeof *group));
    int32_t *size = must(calloc((size_t)p.n, sizeof *size));
    int32_t *first = must(calloc((size_t)p.n, sizeof *first));
    int32_t groups = group_states(&p.flow, p.exact, group), met = 0;
    cr_assert(groups > 0 && groups <= 3 * p.n / 4);
    for (int32_t i = 0; i < p.n; i++) {
        cr_assert(group[i] >= 0 && group[i] < groups);
        if (size[group[i]]++ == 0)
            first[group[i]] = i;
        else
            cr_expect(abs(i - first[group[i]]) == 1 || abs(i - first[group[i]]) == 30);
    }
    for (int32_t g = 0; g < groups; g++) {
        cr_expect(size[g] >= 1 && size[g] <= 2);
        met += size[g];
    }
    cr_expect_eq(met, p.n);
    free(group);
    free(size);
    free(first);
    problem_free(&p);
}

/* A hub with many leaves: leaves have no partner but the hub, and join it. */
Test(multilevel, a_star_shrinks)
{
    enum { LEAVES = 500 };
    Problem p = {.n = LEAVES + 1};
    int32_t group[LEAVES + 1];
    double y[LEAVES + 1];
    for (int32_t i = 1; i <= LEAVES; i++) {
        problem_add(&p, 0, i, 1);
        problem_add(&p, i, 0, 2);
        y[i] = 1.0 / LEAVES;
    }
    y[0] = 1;
    problem_finish(&p);
    cr_expect(group_states(&p.flow, y, group) <= 3 * p.n / 4);
    problem_free(&p);
}

/* With the exact flows, the chain of the groups is stochastic, and its flows are in balance. */
Test(multilevel, groups_inherit_the_solution)
{
    Problem p = reversible(1, 400, 0, 3);
    int32_t *group = must(malloc((size_t)p.n * sizeof *group));
    int32_t groups = group_states(&p.flow, p.exact, group);
    Coarse c;
    cr_assert_eq(coarse_new(&c, &p.flow, p.exact, group, groups, NULL), PEPA_OK);
    cr_assert_eq(c.flow.n, groups);
    double *out = must(calloc((size_t)groups, sizeof *out));
    for (int64_t k = 0; k < c.flow.row[groups]; k++)
        out[c.flow.col[k]] += c.flow.val[k];
    for (int32_t g = 0; g < groups; g++) {
        cr_expect(fabs(out[g] - 1) < 1e-13);
        cr_expect(fabs(flow_into(&c.flow, c.y, g) / c.y[g] - 1) < 1e-12);
    }
    coarse_free(&c);
    free(group);
    free(out);
    problem_free(&p);
}

/* Added up afresh for other flows, the chain of the same groups is the one made for these. */
Test(multilevel, chains_of_kept_groups)
{
    Problem p = reversible(1, 400, 0, 3);
    int32_t *group = must(malloc((size_t)p.n * sizeof *group));
    int32_t *slot = must(malloc((size_t)p.flow.row[p.n] * sizeof *slot));
    double *other = must(malloc((size_t)p.n * sizeof *other));
    int32_t groups = group_states(&p.flow, p.exact, group);
    Coarse kept, made;
    for (int32_t i = 0; i < p.n; i++)
        other[i] = p.exact[i] * (1 + i % 7);
    cr_assert_eq(coarse_new(&kept, &p.flow, p.exact, group, groups, slot), PEPA_OK);
    cr_assert_eq(coarse_new(&made, &p.flow, other, group, groups, NULL), PEPA_OK);
    coarse_renew(&kept, &p.flow, other, slot);
    cr_assert_eq(kept.flow.row[groups], made.flow.row[groups]);
    for (int64_t k = 0; k < made.flow.row[groups]; k++) {
        cr_expect_eq(kept.flow.col[k], made.flow.col[k]);
        cr_expect(fabs(kept.flow.val[k] / made.flow.val[k] - 1) < 1e-13);
    }
    for (int32_t g = 0; g < groups; g++)
        cr_expect(fabs(kept.y[g] / made.y[g] - 1) < 1e-13);
    coarse_free(&kept);
    coarse_free(&made);
    free(group);
    free(slot);
    free(other);
    problem_free(&p);
}

/* Cycles with kept groups are cycles: they end at the solution, and stay there. */
Test(multilevel, kept_cycles_converge)
{
    Problem p = reversible(1, 3000, 0, 3);
    double *y = guess(p.n);
    Kept kept = {0};
    for (int32_t i = 0; i < p.n; i++)
        y[i] = p.exact[i] * (1 + 0.01 * (i % 3));
    for (int32_t k = 0; k < 20; k++)
        cr_assert_eq(kept_cycle(&kept, &p.flow, y), PEPA_OK);
    cr_expect(kept.count > 1);
    cr_expect(flow_normalise(&p.flow, y));
    cr_expect(deviation(p.n, y, p.exact) < 1e-9, "off by %g", deviation(p.n, y, p.exact));
    kept_free(&kept);
    free(y);
    problem_free(&p);
}

Test(multilevel, few_states_are_eliminated)
{
    Problem p = birth_death(60, 0, 12, 7);
    Dense d;
    double b[60], x[60];
    cr_assert_eq(dense_new(&d, &p.flow), PEPA_OK);
    cr_expect(deviation(p.n, d.y, p.exact) < 1e-12, "%g", deviation(p.n, d.y, p.exact));
    dense_free(&d);
    problem_free(&p);

    p = reversible(1, 60, 0, 9);
    cr_assert_eq(dense_new(&d, &p.flow), PEPA_OK);
    for (int32_t i = 0; i < p.n; i++)
        b[i] = i % 2 == 0 ? 1 : -1;
    dense_solve(&d, b, x);
    cr_expect(fabs(sum(p.n, x)) < 1e-10);
    for (int32_t i = 0; i < p.n; i++)
        cr_expect(fabs(x[i] - flow_into(&p.flow, x, i) - b[i]) < 1e-11);
    dense_free(&d);
    problem_free(&p);
}

static int64_t cycles(Problem *p, double most_off)
{
    const Control control = {.tolerance = 1e-11};
    double *y = guess(p->n);
    Outcome out;
    PepaError err = {0};
    cr_expect(solve_flow(PEPA_MULTILEVEL, &p->flow, &control, y, &out, &err) == PEPA_OK, "%s",
              err.message);
    cr_expect(distance(p->n, y, p->exact) <= most_off, "off by %g at residual %g",
              distance(p->n, y, p->exact), out.residual);
    free(y);
    problem_free(p);
    return out.iterations;
}

/* The point of it: Gauss-Seidel takes some thousand sweeps for the smallest of these, and sixteen
 * times as many for the largest.  As slowly as sweeps converge, errors exceed the residual: by
 * hundreds at least. */
Test(multilevel, cycles_hardly_grow_with_the_model)
{
    static const double up[] = {1, 0.999, 1}, down[] = {1, 1, 1.001};
    for (int32_t side = 50; side <= 200; side *= 2) {
        Problem p = walk(2, side, up, down);
        int64_t count = cycles(&p, 1e-8);
        cr_expect(count <= 60, "%lld cycles for %d x %d states", (long long)count, side, side);
    }
    for (int32_t side = 10; side <= 40; side *= 2) {
        Problem p = walk(3, side, up, down);
        int64_t count = cycles(&p, 1e-8);
        cr_expect(count <= 60, "%lld cycles for a cube of %d", (long long)count, side);
    }
}

/* Clients who think, ask and wait for one server: flows by product form, from the middle to the
 * corners smaller by more than the range of a double.  With V-cycles alone, 1,000 clients take
 * 50 cycles. */
static Problem closed_network(int32_t clients, double think, double ask, double serve)
{
    Problem p = {.n = (clients + 1) * (clients + 2) / 2};
    long double *log_pi = must(malloc((size_t)p.n * sizeof *log_pi)), largest = -HUGE_VALL;
    for (int32_t away = 0, i = 0; away <= clients; away++)
        for (int32_t waiting = 0; waiting <= away; waiting++, i++) {
            const int32_t thinking = clients - away, asking = away - waiting;
            log_pi[i] = -thinking * logl(think) - lgammal(thinking + 1.0L) - asking * logl(ask) -
                        lgammal(asking + 1.0L) - waiting * logl(serve);
            largest = fmaxl(largest, log_pi[i]);
            if (thinking > 0)
                problem_add(&p, i, i + away + 1, thinking * think);
            if (asking > 0)
                problem_add(&p, i, i + 1, asking * ask);
            if (waiting > 0)
                problem_add(&p, i, i - away - 1, serve);
        }
    for (int32_t i = 0; i < p.n; i++)
        log_pi[i] = expl(log_pi[i] - largest);
    problem_finish(&p);
    problem_exact(&p, log_pi);
    free(log_pi);
    return p;
}

Test(multilevel, cycles_carry_far)
{
    for (int32_t clients = 250; clients <= 1000; clients *= 2) {
        Problem p = closed_network(clients, 0.2, 5, clients / 5.0);
        int64_t count = cycles(&p, 1e-7);
        cr_expect(count <= 45, "%lld cycles for %d clients", (long long)count, clients);
    }
}

/* Flows between 1 and 1e-70. */
Test(multilevel, rare_states)
{
    static const double up[] = {0.1, 1}, down[] = {1, 2};
    Problem p = walk(2, 70, up, down);
    (void)cycles(&p, 1e-9);
}

/* Rates over twelve orders of magnitude, and groups that hardly meet: against GTH, state by state.
 * The residual promises nothing here; auto does. */
Test(multilevel, stiff_and_loosely_coupled_chains)
{
    static const PepaMethod methods[] = {PEPA_AUTO, PEPA_MULTILEVEL};
    uint64_t seed = 77;
    for (int k = 0; k < scaled(12); k++) {
        Problem p = k % 2 ? reversible(4, 600, pow(10, -3 - k % 4), seed + (uint64_t)k)
                          : random_chain(2500, 3, k % 3 == 0 ? 12 : 4, &seed);
        double *exact = guess(p.n);
        Outcome out;
        const Control strict = {.tolerance = 1e-13};
        cr_assert_eq(solve_flow(PEPA_GTH, &p.flow, &strict, exact, &out, NULL), PEPA_OK);
        for (size_t m = 0; m < 2; m++) {
            double *y = guess(p.n);
            PepaStatus status = solve_flow(methods[m], &p.flow, &strict, y, &out, NULL);
            cr_expect(status == PEPA_OK || methods[m] != PEPA_AUTO);
            if (status == PEPA_OK)
                cr_expect(distance(p.n, y, exact) < 1e-9, "%d, %s: off by %g", k, out.method,
                          distance(p.n, y, exact));
            free(y);
        }
        free(exact);
        problem_free(&p);
    }
}

/* As `reversible`, three groups, but with all weights of the second multiplied by `scale`: what goes
 * from the first to the third goes through a group that is hardly ever visited. */
static Problem bridged(int32_t size, double scale, double bond, uint64_t seed)
{
    Problem p = {.n = 3 * size};
    long double *pi = must(calloc((size_t)p.n, sizeof *pi));
    for (int32_t i = 0; i < p.n; i++)
        pi[i] = (i / size == 1 ? scale : 1) * (0.1L + (long double)random_unit(&seed));
    for (int32_t i = 0; i < p.n; i++)
        for (int32_t k = 0; k < 3; k++) {
            const int32_t group = i / size;
            int32_t j = group * size + (k == 0 ? (i % size + 1) % size : random_below(&seed, size));
            double w = (group == 1 ? scale : 1) * (0.1 + random_unit(&seed));
            if (j == i)
                continue;
            problem_add(&p, i, j, (double)(w / pi[i]));
            problem_add(&p, j, i, (double)(w / pi[j]));
        }
    for (int32_t g = 0; g < 2; g++) {
        int32_t i = (g + 1) * size - 1, j = i + 1;
        problem_add(&p, i, j, (double)(scale * bond / pi[i]));
        problem_add(&p, j, i, (double)(scale * bond / pi[j]));
    }
    problem_finish(&p);
    problem_exact(&p, pi);
    free(pi);
    return p;
}

/* Every state is right, relative to itself, however rare the jumps that join the groups, and
 * however small the group between: no caution. */
Test(multilevel, shares_of_groups_that_rare_jumps_join)
{
    const double scales[] = {1, 1e-3, 1e-6};
    const Control control = {.tolerance = 1e-10};
    for (int s = 0; s < 3; s++)
        for (int e = 5; e <= 9; e += 2) {
            Problem p = bridged(900, scales[s], pow(10, -e), (uint64_t)(10 * s + e));
            double *y = guess(p.n);
            Outcome out;
            PepaError err = {0};
            cr_assert_eq(solve_flow(PEPA_MULTILEVEL, &p.flow, &control, y, &out, &err), PEPA_OK,
                         "%s", err.message);
            cr_expect(flow_nearly_decomposable(&p.flow));
            cr_expect(out.coupled, "scale %g, bond 1e-%d", scales[s], e);
            cr_expect(deviation(p.n, y, p.exact) < 1e-7, "scale %g, bond 1e-%d: off by %g",
                      scales[s], e, deviation(p.n, y, p.exact));
            cr_expect_str_empty(flow_caution(&p.flow, NULL, &out, control.tolerance, NULL));
            free(y);
            problem_free(&p);
        }
}

/* Rounds are iterations: without any left, shares are not settled, which the outcome says. */
Test(multilevel, shares_that_have_not_settled)
{
    const Control plenty = {.tolerance = 1e-10};
    Problem p = bridged(900, 1e-6, 1e-7, 4);
    double *y = guess(p.n);
    Outcome all, out;
    cr_assert_eq(solve_flow(PEPA_MULTILEVEL, &p.flow, &plenty, y, &all, NULL), PEPA_OK);
    free(y);
    y = guess(p.n);
    const Control scarce = {.tolerance = 1e-10, .max_iter = all.iterations - 1};
    PepaStatus status = solve_flow(PEPA_MULTILEVEL, &p.flow, &scarce, y, &out, NULL);
    cr_expect(all.coupled && status == PEPA_OK && !out.coupled);
    cr_expect_str_eq(flow_caution(&p.flow, NULL, &out, 1e-10, NULL), decomposable_caution);
    free(y);
    problem_free(&p);
}

/* Groups have shares in the long run only. */
Test(multilevel, visits_are_left_to_auto)
{
    Problem p = ruin_visits(300, 3);
    double *y = guess(p.n);
    Outcome out;
    PepaError err = {0};
    const Control control = {.tolerance = 1e-10};
    cr_expect_eq(solve_flow(PEPA_MULTILEVEL, &p.flow, &control, y, &out, &err), PEPA_OK);
    cr_expect_str_neq(out.method, "multilevel");
    cr_expect(deviation(p.n, y, p.exact) < 1e-8);
    free(y);
    problem_free(&p);
}

/* The same input gives the same bytes. */
Test(multilevel, repeats_itself)
{
    Problem p = reversible(2, 900, 0.01, 5);
    double *one = guess(p.n), *two = guess(p.n);
    Outcome out;
    const Control control = {.tolerance = 1e-10};
    cr_assert_eq(solve_flow(PEPA_MULTILEVEL, &p.flow, &control, one, &out, NULL), PEPA_OK);
    cr_assert_eq(solve_flow(PEPA_MULTILEVEL, &p.flow, &control, two, &out, NULL), PEPA_OK);
    cr_expect_eq(memcmp(one, two, (size_t)p.n * sizeof *one), 0);
    free(one);
    free(two);
    problem_free(&p);
}

/* Four groups that hardly meet: the shares of the groups have many more digits than the tolerance
 * asks for, since flows between groups are summed without a subtraction at the end. */
Test(multilevel, shares_of_groups_that_hardly_meet)
{
    enum { GROUPS = 4, SIZE = 100 };
    Problem p = reversible(GROUPS, SIZE, 1e-5, 3);
    const Control control = {.tolerance = 1e-8};
    double *y = guess(p.n);
    Outcome out;
    cr_assert_eq(solve_flow(PEPA_MULTILEVEL, &p.flow, &control, y, &out, NULL), PEPA_OK);
    for (int32_t g = 0; g < GROUPS; g++)
        cr_expect_float_eq(sum(SIZE, y + g * SIZE) / sum(SIZE, p.exact + g * SIZE), 1, 1e-10);
    free(y);
    problem_free(&p);
}
