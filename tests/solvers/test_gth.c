/* Elimination without subtractions: every entry to almost full relative accuracy. */
#include "solvers/problems.h"

#include <time.h>

#include "solvers/internal.h"

static const Control control = {.tolerance = 1e-13};

/* Textbook GTH, dense, in long double. */
static void reference(const Flow *flow, double *y)
{
    size_t n = (size_t)flow->n;
    long double *a = must(calloc(n * n, sizeof *a)), *x = must(calloc(n, sizeof *x)), sum = 0;
    for (size_t i = 0; i < n; i++)
        for (int64_t k = flow->row[i]; k < flow->row[i + 1]; k++)
            a[(size_t)flow->col[k] * n + i] = flow->val[k];
    for (size_t k = n - 1; k > 0; k--) {
        long double out = 0;
        for (size_t j = 0; j < k; j++)
            out += a[k * n + j];
        for (size_t i = 0; i < k; i++) {
            long double visits = a[i * n + k] /= out;
            for (size_t j = 0; j < k; j++)
                a[i * n + j] += visits * a[k * n + j];
        }
    }
    x[0] = 1;
    for (size_t k = 0; k < n; k++) {
        for (size_t i = 0; i < k; i++)
            x[k] += x[i] * a[i * n + k];
        sum += x[k];
    }
    for (size_t i = 0; i < n; i++)
        y[i] = (double)(x[i] / sum);
    free(x);
    free(a);
}

static void expect_accurate(const char *what, Problem *p, const double *exact)
{
    double *y = guess(p->n);
    Outcome out;
    PepaError err = {0};
    PepaStatus status = solve_flow(PEPA_GTH, &p->flow, &control, y, &out, &err);
    cr_expect(status == PEPA_OK, "%s: %d %s", what, status, err.message);
    /* O'Cinneide's bound grows with n^2; in practice errors stay within some units per step. */
    double off = deviation(p->n, y, exact);
    cr_expect(off < 1e-12, "%s: entries are off by %g", what, off);
    free(y);
}

/* 201 and more states go through the sparse elimination. */
Test(gth, stiff_birth_and_death)
{
    static const int32_t sizes[] = {2, 10, 60, 200, 201, 300, 1000};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        for (int spread = 4; spread <= 16; spread += 6) {
            Problem p = birth_death(sizes[k], 0, spread, 17 + k);
            bool in_range = true;
            for (int32_t i = 0; i < p.n; i++)
                if (!(p.exact[i] > 1e-290))
                    in_range = false;
            if (in_range)
                expect_accurate("stiff birth and death", &p, p.exact);
            cr_expect(in_range || sizes[k] >= 300);
            problem_free(&p);
        }
}

Test(gth, stiff_random_chains)
{
    uint64_t seed = 4711;
    for (int k = 0; k < scaled(12); k++) {
        static const int32_t sizes[] = {20, 100, 220, 350};
        char what[64];
        snprintf(what, sizeof what, "seed %llu", (unsigned long long)seed);
        Problem p = random_chain(sizes[k % 4], 1 + k % 3, 16, &seed);
        double *exact = guess(p.n);
        reference(&p.flow, exact);
        expect_accurate(what, &p, exact);
        free(exact);
        problem_free(&p);
    }
}

Test(gth, groups_that_hardly_meet)
{
    Problem few = reversible(4, 40, 1e-14, 9), many = reversible(8, 200, 1e-14, 9);
    expect_accurate("4 groups", &few, few.exact);
    expect_accurate("8 groups", &many, many.exact);
    problem_free(&few);
    problem_free(&many);
}

/* 10^(-600) of the flow passes through the last state: entries below the range of doubles are 0. */
Test(gth, beyond_the_range_of_doubles)
{
    static const double up[] = {0.1, 10};
    for (int32_t n = 150; n <= 600; n += 450)
        for (int k = 0; k < 2; k++) {
            Problem p = birth_death(n, up[k], 0, 1);
            double *y = guess(n);
            Outcome out;
            cr_expect(solve_flow(PEPA_GTH, &p.flow, &control, y, &out, NULL) == PEPA_OK);
            cr_expect(distance(n, y, p.exact) < 1e-13);
            free(y);
            problem_free(&p);
        }
}

/* Two wells of a line, apart by states whose probability no double can hold: each has its share, in any order of the states. */
Test(gth, wells_beyond_the_range_of_doubles)
{
    enum { STATES = 901 };
    long double pi[STATES];
    Problem p = {.n = STATES};
    double *y = guess(STATES);
    Outcome out;
    for (int32_t i = 0; i < STATES; i++)
        pi[i] = powl(10, -(i < STATES / 2 ? i : STATES - 1 - i)) * (i < STATES / 2 ? 1 : 3);
    /* Places of states: by a step that shares no factor with their number. */
    for (int32_t i = 0; i + 1 < STATES; i++) {
        const int32_t at = i * 7 % STATES, next = (i + 1) * 7 % STATES;
        problem_add(&p, at, next, (double)(pi[i + 1] / (pi[i] + pi[i + 1])));
        problem_add(&p, next, at, (double)(pi[i] / (pi[i] + pi[i + 1])));
    }
    problem_finish(&p);
    cr_assert_eq(solve_flow(PEPA_GTH, &p.flow, &control, y, &out, NULL), PEPA_OK);
    double left = 0, right = 0;
    for (int32_t i = 0; i < STATES; i++)
        *(i < STATES / 2 ? &left : &right) += y[i * 7 % STATES] / p.flow.exit[i * 7 % STATES];
    cr_expect(fabs(right / left / 3 - 1) < 1e-10, "%g", right / left);
    free(y);
    problem_free(&p);
}

/* Powers of two all along, so that 1 - (1 - 2^-40) is exact. */
Test(gth, visits_before_a_rare_end)
{
    const double stay = 1 - ldexp(1, -40);
    const int64_t row[] = {0, 1, 2};
    const int32_t col[] = {1, 0};
    const double val[] = {stay, 1}, b[] = {1, 0}, exit[] = {1, 1};
    const Flow flow = flow_of(2, row, col, val, exit, b);
    double y[] = {1, 1};
    Outcome out;
    cr_expect(solve_flow(PEPA_GTH, &flow, &control, y, &out, NULL) == PEPA_OK);
    cr_expect(y[0] == ldexp(1, 40) && y[1] == ldexp(1, 40), "%.17g %.17g", y[0], y[1]);
}

Test(gth, visits_of_the_symmetric_walk)
{
    static const int32_t sizes[] = {2, 30, 250, 1000};
    for (size_t k = 0; k < 4; k++) {
        Problem p = ruin_visits(sizes[k], sizes[k] / 3);
        double *y = guess(p.n);
        Outcome out;
        const Control loose = {.tolerance = 1e-9}; /* absolute, for up to 2e5 visits */
        cr_expect(solve_flow(PEPA_GTH, &p.flow, &loose, y, &out, NULL) == PEPA_OK);
        cr_expect(deviation(p.n, y, p.exact) < 1e-12);
        free(y);
        problem_free(&p);
    }
}

Test(gth, no_way_back)
{
    Problem p = {.n = 3};
    problem_add(&p, 0, 1, 1);
    problem_add(&p, 1, 2, 1);
    problem_add(&p, 2, 1, 1);
    problem_finish(&p);
    const Flow flow = p.flow;
    double y[] = {1, 1, 1};
    Outcome out;
    PepaStatus status = solve_flow(PEPA_GTH, &flow, &control, y, &out, NULL);
    /* Reducible chains are outside the contract, but must not give a wrong answer. */
    cr_expect(status == PEPA_ENOCONV || (status == PEPA_OK && y[0] == 0));
    cr_expect(is_iterate(3, y));
    problem_free(&p);
}

/* A random graph of 30000 states fills up completely. */
Test(gth, limit)
{
    uint64_t seed = 99;
    Problem p = random_chain(30000, 3, 1, &seed);
    double *y = guess(p.n);
    Outcome out;
    PepaError err = {0};
    cr_expect(solve_flow(PEPA_GTH, &p.flow, &control, y, &out, &err) == PEPA_ELIMIT);
    cr_expect(is_iterate(p.n, y) && err.message[0]);
    cr_expect(solve_flow(PEPA_DIRECT, &p.flow, &control, y, &out, &err) == PEPA_ELIMIT);
    cr_expect(is_iterate(p.n, y) && err.message[0]);
    free(y);
    problem_free(&p);
}

/* Calls are a tenth of a second apart: so long each takes itself. */
static int third_call(void *user, const PepaProgress *now)
{
    const struct timespec tenth = {.tv_nsec = 110000000};
    (void)now;
    (void)nanosleep(&tenth, NULL);
    return ++*(int *)user == 3;
}

/* Elimination, sparse and dense, cancelled after 0.3 s, however fast the machine is. */
Test(gth, cancel_on_the_way)
{
    uint64_t seed = 5;
    Problem dense = random_chain(2900, 4, 1, &seed), sparse = random_chain(4500, 2, 1, &seed);
    Problem *const both[] = {&dense, &sparse};
    for (int k = 0; k < 2; k++) {
        int calls = 0;
        double *y = guess(both[k]->n);
        Outcome out;
        const Control stopping = {.tolerance = 1e-10, .progress = third_call, .user = &calls};
        cr_expect(solve_flow(PEPA_GTH, &both[k]->flow, &stopping, y, &out, NULL) == PEPA_ECANCEL);
        cr_expect(calls == 3 && is_iterate(both[k]->n, y));
        free(y);
        problem_free(both[k]);
    }
}

/* Flows whose ratios no doubles hold: what is beyond their range is 0, and the rest is right. */
Test(gth, flows_beyond_the_range_of_doubles)
{
    static const double up[] = {1e3, 1e-3};
    for (int k = 0; k < 2; k++) {
        Problem p = birth_death(150, up[k], 0, 1);
        double *y = guess(p.n);
        Outcome out;
        cr_assert_eq(solve_flow(PEPA_GTH, &p.flow, &control, y, &out, NULL), PEPA_OK);
        for (int32_t i = 0; i < p.n; i++)
            cr_expect(fabs(y[i] - p.exact[i]) <= 1e-13 * p.exact[i] + 1e-290, "%d: %g, not %g", i,
                      y[i], p.exact[i]);
        free(y);
        problem_free(&p);
    }
}

/* 0 goes to 1, 2 and 3 with chances 2^-54, 1/2 and 1/2 - 2^-53, and these back.  It ends with the
 * rest, 2^-54 exactly, which doubles that are subtracted one by one do not give. */
Test(gth, chances_to_end_are_exact)
{
    const double some = ldexp(1, -54);
    const int64_t row[] = {0, 3, 4, 5, 6};
    const int32_t col[] = {1, 2, 3, 0, 0, 0};
    const double val[] = {1, 1, 1, some, 0.5, 0.5 - 2 * some}, b[] = {1, 0, 0, 0};
    const Flow flow = flow_of(4, row, col, val, NULL, b);
    double y[] = {1, 1, 1, 1};
    Outcome out;
    cr_assert_eq(solve_flow(PEPA_GTH, &flow, &control, y, &out, NULL), PEPA_OK);
    cr_expect_float_eq(y[0] * some, 1, 1e-15);
    cr_expect_float_eq(y[1], 1, 1e-15);
}
