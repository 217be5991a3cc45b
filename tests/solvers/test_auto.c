/* The choice among the methods. */
#include "solvers/problems.h"

#include "solvers/internal.h"
#include "solvers/tuning.h"

static PepaStatus run(const Problem *p, double tolerance, double *y, Outcome *out)
{
    PepaError err = {0};
    const Control control = {.tolerance = tolerance};
    PepaStatus status = solve_flow(PEPA_AUTO, &p->flow, &control, y, out, &err);
    cr_expect(status == PEPA_OK || err.message[0]);
    return status;
}

/* The method is the first that is tried.  Frees the problem. */
static void expect_solved_by(const char *method, Problem p, double tolerance)
{
    double *y = guess(p.n);
    Outcome out;
    cr_expect(run(&p, tolerance, y, &out) == PEPA_OK);
    cr_expect_str_eq(out.method, method);
    cr_expect_str_eq(out.trail, "");
    cr_expect(recomputed_residual(&p.flow, y) <= 1e-10);
    free(y);
    problem_free(&p);
}

Test(auto, few_states_are_solved_exactly)
{
    uint64_t seed = 77;
    expect_solved_by("gth", random_chain(150, 2, 12, &seed), 1e-10);
}

/* From i to its neighbours, to i + 2 and back to 0: little fill, more than three entries a row. */
static Problem with_resets(int32_t n)
{
    Problem p = {.n = n};
    for (int32_t i = 0; i < n; i++) {
        problem_add(&p, i, (i + 1) % n, 1);
        problem_add(&p, i, (i + 2) % n, 1);
        if (i > 0)
            problem_add(&p, i, i - 1, 1);
        if (i > 1)
            problem_add(&p, i, 0, 1);
    }
    problem_finish(&p);
    return p;
}

Test(auto, few_states_are_so_many)
{
    expect_solved_by("gth", with_resets(FEW_STATES), 1e-10);
    uint64_t seed = 78;
    expect_solved_by("gauss-seidel", random_chain(FEW_STATES + 1, 5, 1, &seed), 1e-10);
}

/* However many states they have, and however slowly sweeps would converge. */
Test(auto, lines_are_eliminated)
{
    expect_solved_by("gth", birth_death(2 * FEW_STATES, 1, 0, 1), 1e-10);
}

/* A well-mixed chain: sweeps will do. */
Test(auto, sweeps_while_they_promise_an_end)
{
    uint64_t seed = 5;
    expect_solved_by("gauss-seidel", random_chain(5000, 10, 0, &seed), 1e-10);
}

/* Nothing is asked that rounding puts out of reach: a hundredth of this tolerance would be. */
Test(auto, no_stricter_than_rounding_allows)
{
    uint64_t seed = 5;
    expect_solved_by("gauss-seidel", random_chain(5000, 10, 0, &seed), 1e-15);
}

/* What meets the tolerance, but not the stricter one that slow convergence calls for, is an answer
 * with a caution. */
Test(auto, the_tolerance_will_do_with_a_caution)
{
    static const double up[] = {1, 1, 1}, down[] = {1, 1.001, 1.002};
    Problem p = walk(3, 40, up, down);
    double *y = guess(p.n);
    Outcome out;
    PepaError err = {0};
    const Control few = {.tolerance = 1e-4, .max_iter = 3};
    cr_expect_eq(solve_flow(PEPA_AUTO, &p.flow, &few, y, &out, &err), PEPA_OK, "%s", err.message);
    double found = recomputed_residual(&p.flow, y);
    cr_expect(found > 1e-6 && found <= 1e-4, "%g", found);
    cr_expect(strstr(outcome_caution(&out), "convergence was slow"));
    free(y);
    problem_free(&p);
}

/* Sweeps go on as long as few are left. */
Test(auto, goes_on_with_sweeps)
{
    Problem p = reversible(1, 5000, 0, 4);
    double *y = guess(p.n);
    Outcome out;
    cr_expect(run(&p, 1e-10, y, &out) == PEPA_OK);
    cr_expect_str_eq(out.method, "gauss-seidel");
    cr_expect(out.iterations > 25 && out.iterations < 110, "%lld", (long long)out.iterations);
    cr_expect(distance(p.n, y, p.exact) < 1e-9);
    free(y);
    problem_free(&p);
}

/* Factors that fill up would take much work there. */
Test(auto, tries_factors_without_fill_in)
{
    static const double up[] = {1, 1, 1}, down[] = {1, 1.001, 1.002};
    Problem p = walk(3, 32, up, down);
    double *y = guess(p.n);
    Outcome out;
    y[0] = 0.5;
    cr_expect(run(&p, 1e-10, y, &out) == PEPA_OK);
    cr_expect_str_eq(out.method, "bicgstab");
    cr_expect_str_eq(out.precondition, "ilu0");
    cr_expect(distance(p.n, y, p.exact) < 1e-7);
    free(y);
    problem_free(&p);
}

/* Two wells of nearly the same probability, far apart, no jump between which is rare; in the other direction a walk. */
static Problem wells(int32_t wide, int32_t side)
{
    Problem p = {.n = wide * side};
    long double *pi = must(malloc((size_t)p.n * sizeof *pi)),
                *share = must(malloc((size_t)wide * sizeof *share));
    for (int32_t i = 0; i < wide; i++) {
        const long double x = 2.0L * i / (wide - 1) - 1;
        share[i] = expl(-30 * (x * x - 1) * (x * x - 1) + 0.5L * x);
    }
    for (int32_t s = 0; s < p.n; s++) {
        const int32_t i = s % wide;
        pi[s] = share[i];
        if (i + 1 < wide) {
            const double up = (double)(share[i + 1] / share[i]);
            problem_add(&p, s, s + 1, fmin(1, up));
            problem_add(&p, s + 1, s, fmin(1, 1 / up));
        }
        if (s + wide < p.n) {
            problem_add(&p, s, s + wide, 1);
            problem_add(&p, s + wide, s, 1);
        }
    }
    problem_finish(&p);
    problem_exact(&p, pi);
    free(share);
    free(pi);
    return p;
}

Test(auto, wells_that_no_rare_jump_joins)
{
    Problem p = wells(61, 50);
    double *y = guess(p.n);
    Outcome out;
    cr_expect(run(&p, 1e-10, y, &out) == PEPA_OK);
    cr_expect_str_eq(out.method, "gth");
    cr_expect(distance(p.n, y, p.exact) < 1e-12, "%g", distance(p.n, y, p.exact));
    free(y);
    problem_free(&p);
}

/* Of two dimensions: few states part it, and elimination fills up little. */
Test(auto, then_moves_on_and_says_why)
{
    static const double even[] = {1, 1};
    Problem p = walk(2, 300, even, even);
    double *y = guess(p.n);
    Outcome out;
    y[0] = 0.5;
    cr_expect(run(&p, 1e-10, y, &out) == PEPA_OK);
    cr_expect_str_eq(out.method, "gth");
    cr_expect(strstr(out.trail, "gauss-seidel stalled at residual ") &&
                  strstr(out.trail, " sweeps; bicgstab stalled at residual "),
              "%s", out.trail);
    cr_expect(distance(p.n, y, p.exact) < 1e-12);
    free(y);
    problem_free(&p);
}

/* Groups of 5000 states that hardly meet, too many entries to eliminate: the shares of the groups
 * must be right all the same, though the residual does not show them. */
Test(auto, shares_of_loosely_coupled_groups)
{
    static const double bonds[] = {1e-5, 1e-7};
    for (int k = 0; k < 2; k++) {
        Problem p = reversible(5, 5000, bonds[k], 4);
        double *y = guess(p.n);
        Outcome out;
        cr_expect(run(&p, 1e-10, y, &out) == PEPA_OK);
        cr_expect(out.coupled, "%s (%s)", out.method, out.trail);
        for (int g = 0; g < 5; g++) {
            double sum = 0, exact = 0;
            for (int i = 5000 * g; i < 5000 * (g + 1); i++) {
                sum += y[i];
                exact += p.exact[i];
            }
            cr_expect(fabs(sum / exact - 1) < 1e-3, "group %d: %g, not %g, by %s (%s)", g, sum,
                      exact, out.method, out.trail);
        }
        free(y);
        problem_free(&p);
    }
}

Test(auto, all_fail)
{
    Problem p = closed_tandem(25, 1, 1.1, 0.9);
    double *y = guess(p.n);
    Outcome out;
    PepaError err = {0};
    const Control control = {.tolerance = 1e-40, .max_iter = 500};
    cr_expect(solve_flow(PEPA_AUTO, &p.flow, &control, y, &out, &err) == PEPA_ENOCONV);
    cr_expect(strstr(err.message, "smallest residual"), "%s", err.message);
    cr_expect(distance(p.n, y, p.exact) < 1e-9, "the best iterate is kept");
    cr_expect(out.method && out.residual < 1e-14 && strlen(out.trail) < sizeof out.trail);
    free(y);
    problem_free(&p);
}

typedef struct {
    double seconds;
    int64_t count;
    bool orderly;
} Seen;

static int look(void *user, const PepaProgress *now)
{
    Seen *seen = user;
    if (now->seconds < seen->seconds || now->count < seen->count)
        seen->orderly = false;
    seen->seconds = now->seconds;
    seen->count = now->count;
    return 0;
}

/* Time and iterations of all methods tried add up. */
Test(auto, progress_does_not_start_anew)
{
    static const double up[] = {1, 1, 1}, down[] = {1, 1.001, 1.002};
    Problem p = walk(3, 50, up, down);
    double *y = guess(p.n);
    Outcome out;
    Seen seen = {.orderly = true};
    const Control control = {.tolerance = 1e-12, .progress = look, .user = &seen};
    y[0] = 0.5;
    cr_expect(solve_flow(PEPA_AUTO, &p.flow, &control, y, &out, NULL) == PEPA_OK);
    cr_expect(seen.orderly && seen.count > 0);
    free(y);
    problem_free(&p);
}

/* Where incomplete factors are nearly complete, a few steps will do. */
Test(auto, factors_what_fills_up_little)
{
    static const double up[] = {1, 2}, down[] = {1.01, 100};
    Problem p = walk(2, 235, up, down);
    double *y = guess(p.n);
    Outcome out;
    cr_expect(run(&p, 1e-10, y, &out) == PEPA_OK);
    cr_expect_str_eq(out.method, "bicgstab");
    cr_expect(out.precondition && strcmp(out.precondition, "ilut") == 0);
    cr_expect(out.iterations < 80, "%lld", (long long)out.iterations);
    cr_expect(distance(p.n, y, p.exact) < 1e-7);
    free(y);
    problem_free(&p);
}

Test(auto, methods_by_name)
{
    static const char *const names[PEPA_METHOD_COUNT] =
        {[PEPA_AUTO] = "gth",    [PEPA_DIRECT] = "direct",
         [PEPA_GTH] = "gth",     [PEPA_GAUSS_SEIDEL] = "gauss-seidel",
         [PEPA_SOR] = "sor",     [PEPA_JACOBI] = "jacobi",
         [PEPA_POWER] = "power", [PEPA_BICGSTAB] = "bicgstab",
         [PEPA_GMRES] = "gmres", [PEPA_MULTILEVEL] = "multilevel",
         [PEPA_IDR] = "idr"};
    const Control strict = {.tolerance = 1e-10};
    Problem p = birth_death(20, 0.5, 2, 1);
    for (int m = 0; m < PEPA_METHOD_COUNT; m++) {
        double y[20] = {NAN}; /* no guess */
        Outcome out;
        PepaError err = {0};
        cr_expect_eq(solve_flow((PepaMethod)m, &p.flow, &strict, y, &out, &err), PEPA_OK, "%s",
                     err.message);
        cr_expect_str_eq(out.method, names[m]);
    }
    problem_free(&p);
}
