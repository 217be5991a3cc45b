/* Factors by fronts, against the inverse by dense elimination in long double. */
#include "solvers/problems.h"

#include "solvers/direct/factors.h"

enum { MOST = 70 };

/* A matrix of rates by rows of targets, or of sources, and what leaves each state. */
typedef struct {
    int32_t n;
    int64_t row[MOST + 1];
    int32_t col[MOST * MOST];
    double val[MOST * MOST], exit[MOST], leave[MOST];
    double rate[MOST][MOST]; /* from, to */
} Case;

/* A ring, so that every state is left, and other jumps, over so many powers of two; `rare` states have a way out. */
static void fill(Case *c, int32_t n, int32_t powers, FactorRows rows, double rare, uint64_t *seed)
{
    *c = (Case){.n = n};
    for (int32_t i = 0; i < n; i++) {
        c->leave[i] = i % 5 == 0 || n < 3 ? rare * (1 + random_below(seed, 7)) : 0;
        for (int32_t j = 0; j < n; j++)
            if (j != i && (j == (i + 1) % n || random_below(seed, n) < 3))
                c->rate[i][j] = ldexp(1 + random_below(seed, 100), -random_below(seed, powers));
    }
    for (int32_t i = 0; i < n; i++) {
        c->row[i + 1] = c->row[i];
        for (int32_t j = 0; j < n; j++) {
            const double rate = rows == ROWS_OF_TARGETS ? c->rate[i][j] : c->rate[j][i];
            if (rate == 0)
                continue;
            c->col[c->row[i + 1]] = j;
            c->val[c->row[i + 1]++] = rate;
        }
    }
}

static Flow view(const Case *c)
{
    return flow_of(c->n, c->row, c->col, c->val, c->exit, NULL);
}

/* inverse of D - A, without state `fixed`: m x m for the m others in order. */
static void invert(const Case *c, int32_t fixed, long double *inverse)
{
    static long double rate[MOST * MOST], leave[MOST];
    const Control control = {.tolerance = 1e-12};
    PepaError err = {0};
    double off;
    int32_t m = 0, state[MOST];
    for (int32_t i = 0; i < c->n; i++)
        if (i != fixed)
            state[m++] = i;
    for (int32_t i = 0; i < m; i++) {
        leave[i] = fixed >= 0 ? c->rate[state[i]][fixed] : c->leave[state[i]];
        for (int32_t j = 0; j < m; j++) {
            rate[i * m + j] = c->rate[state[i]][state[j]];
            inverse[i * m + j] = i == j;
        }
    }
    cr_assert_eq(absorb_values(m, m, rate, leave, inverse, &control, &off, &err), PEPA_OK, "%s",
                 err.message);
}

/* Solutions with right sides >= 0 have every digit; others as many as their parts. */
static void expect_solution(const Case *c, Factors *f, int32_t fixed, bool signs, uint64_t *seed)
{
    static long double inverse[MOST * MOST];
    double r[MOST], x[MOST];
    int32_t m = 0, state[MOST];
    invert(c, fixed, inverse);
    for (int32_t i = 0; i < c->n; i++) {
        r[i] = random_below(seed, 3) ? 1 + random_below(seed, 9) : 0;
        if (signs && random_below(seed, 2))
            r[i] = -r[i];
        x[i] = 1;
        if (i != fixed)
            state[m++] = i;
    }
    factors_correct(f, r, x);
    for (int32_t i = 0; i < m; i++) {
        long double sum = 1, all = 1;
        for (int32_t j = 0; j < m; j++) {
            const long double entry =
                f->rows == ROWS_OF_TARGETS ? inverse[i * m + j] : inverse[j * m + i];
            sum += entry * r[state[j]];
            all += entry * fabs(r[state[j]]);
        }
        cr_assert_float_eq(x[state[i]], (double)sum, 1e-13 * c->n * (double)all,
                           "%d of %d, rows %d, fixed %d: %.17g, not %.17Lg", i, c->n, (int)f->rows,
                           fixed, x[state[i]], sum);
    }
    if (fixed >= 0)
        cr_assert_eq(x[fixed], 1);
}

/* Chains of all sizes, rates far apart, states left often and seldom, by either kind of rows. */
static void expect_solutions(int32_t powers, double rare)
{
    static Case c;
    const Control control = {.tolerance = 1e-12};
    uint64_t seed = 3 + (uint64_t)powers;
    for (int32_t n = 1; n <= MOST; n += n < 12 ? 1 : 7)
        for (int round = 0; round < 8; round++) {
            const FactorRows rows = round % 2 ? ROWS_OF_SOURCES : ROWS_OF_TARGETS;
            const int32_t fixed = n > 1 && round / 2 % 2 ? random_below(&seed, n) : -1;
            Factors f = {0};
            fill(&c, n, powers, rows, rare, &seed);
            const Flow flow = view(&c);
            cr_assert_eq(factors_analyse(&f, &flow, rows, fixed, &control), PEPA_OK);
            cr_assert_eq(factors_make(&f, fixed < 0 ? c.leave : NULL, NULL), PEPA_OK);
            expect_solution(&c, &f, fixed, round / 4, &seed);
            for (int32_t i = 0; i < n && fixed < 0; i++)
                c.leave[i] += 0.25;
            if (fixed < 0) {
                cr_assert_eq(factors_make(&f, c.leave, &control), PEPA_OK);
                expect_solution(&c, &f, fixed, false, &seed);
            }
            factors_free(&f);
        }
}

Test(factors, solve_with_either_kind_of_rows)
{
    expect_solutions(1, 1);
}

Test(factors, have_every_digit_where_rates_are_far_apart)
{
    expect_solutions(60, 1e-9);
}

Test(factors, have_every_digit_where_states_are_rarely_left)
{
    expect_solutions(8, 1e-200);
}

Test(factors, report_states_that_are_never_left)
{
    static Case c;
    const Control control = {.tolerance = 1e-12};
    uint64_t seed = 9;
    Factors f = {0};
    fill(&c, 20, 4, ROWS_OF_TARGETS, 0, &seed);
    const Flow flow = view(&c);
    cr_assert_eq(factors_analyse(&f, &flow, ROWS_OF_TARGETS, -1, &control), PEPA_OK);
    cr_assert_eq(factors_make(&f, c.leave, NULL), PEPA_ENOCONV);
    c.leave[3] = 1;
    cr_assert_eq(factors_make(&f, c.leave, NULL), PEPA_OK);
    expect_solution(&c, &f, -1, false, &seed);
    factors_free(&f);
}

/* The work of all fronts is that of elimination one state after the other: of a full matrix n^3 / 3 or so. */
Test(factors, tell_their_work)
{
    static Case c;
    const Control control = {.tolerance = 1e-12};
    const int32_t n = 60;
    uint64_t seed = 1;
    Factors f = {0};
    fill(&c, n, 1, ROWS_OF_TARGETS, 1, &seed);
    c.row[0] = 0;
    for (int32_t i = 0; i < n; i++) {
        c.row[i + 1] = c.row[i];
        for (int32_t j = 0; j < n; j++)
            if (j != i) {
                c.col[c.row[i + 1]] = j;
                c.val[c.row[i + 1]++] = 1;
            }
    }
    const Flow flow = view(&c);
    cr_assert_eq(factors_analyse(&f, &flow, ROWS_OF_TARGETS, -1, &control), PEPA_OK);
    cr_assert_eq(f.entries, n * (n + 1));
    double work = 0;
    for (int32_t k = 0; k < n; k++)
        work += (double)(n - 1 - k) * (n - k);
    cr_assert_eq(f.work, work);
    factors_free(&f);
}

static int never(void *user, const PepaProgress *now)
{
    (void)user;
    (void)now;
    return 1;
}

Test(factors, keep_to_limits)
{
    static Case c;
    uint64_t seed = 2;
    fill(&c, MOST, 2, ROWS_OF_SOURCES, 1, &seed);
    const Flow flow = view(&c);
    const Control limits[] = {{.tolerance = 1, .memory = 1000},
                              {.tolerance = 1, .memory = 30000},
                              {.tolerance = 1, .work = 100}};
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        Factors f = {0};
        cr_assert_eq(factors_analyse(&f, &flow, ROWS_OF_SOURCES, -1, &limits[i]), PEPA_ELIMIT,
                     "limit %zu", i);
        factors_free(&f);
    }
    const Control cancelled = {.tolerance = 1, .progress = never};
    Factors f = {0};
    cr_assert_eq(factors_analyse(&f, &flow, ROWS_OF_SOURCES, -1, &cancelled), PEPA_OK);
    cr_assert_eq(factors_make(&f, c.leave, &cancelled), PEPA_ECANCEL);
    factors_free(&f);
}
