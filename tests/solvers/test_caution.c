/* What is said of answers whose error may be much larger than their residual. */
#include "solvers/problems.h"

#include "solvers/tuning.h"

enum { MOST = 8 }; /* states of a random chain */

/* 0 and 1 in turn, and 2 and 3 in turn, but for chances `there` from 1 to 2, `back` from 2 to 1. */
static Problem two_pairs(double there, double back)
{
    Problem p = {.n = 4};
    problem_add(&p, 0, 1, 1);
    problem_add(&p, 1, 0, 1 - there);
    problem_add(&p, 1, 2, there);
    problem_add(&p, 2, 1, back);
    problem_add(&p, 2, 3, 1 - back);
    problem_add(&p, 3, 2, 1);
    problem_finish(&p);
    return p;
}

/* Groups are apart if no common jump leads out of at least two of them. */
Test(caution, groups_joined_by_rare_jumps)
{
    static const struct {
        double there, back;
        bool apart;
    } pairs[] = {{0.99e-4, 0.99e-4, true}, {1e-9, 0.9e-4, true},  {1.01e-4, 1.01e-4, false},
                 {9e-4, 9e-4, false},      {0.9e-4, 0.5, false},  {0.5, 1e-9, false},
                 {1.01e-4, 1e-9, false},   {1e-9, 1.01e-4, false}};
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
        Problem p = two_pairs(pairs[k].there, pairs[k].back);
        cr_expect_eq(flow_nearly_decomposable(&p.flow), pairs[k].apart, "%g, %g", pairs[k].there,
                     pairs[k].back);
        problem_free(&p);
    }
}

/* Whether common jumps lead from all states to some state, by the transitive closure. */
static bool some_state_collects(const Problem *p)
{
    const Flow *flow = &p->flow;
    bool leads[MOST][MOST] = {{false}};
    for (int32_t i = 0; i < flow->n; i++)
        leads[i][i] = true;
    for (int32_t i = 0; i < flow->n; i++)
        for (int64_t k = flow->row[i]; k < flow->row[i + 1]; k++)
            leads[flow->col[k]][i] |= flow->val[k] >= RARE_JUMP;
    for (int32_t via = 0; via < flow->n; via++)
        for (int32_t i = 0; i < flow->n; i++)
            for (int32_t j = 0; j < flow->n; j++)
                leads[i][j] |= leads[i][via] && leads[via][j];
    for (int32_t j = 0; j < flow->n; j++) {
        bool all = true;
        for (int32_t i = 0; i < flow->n; i++)
            all = all && leads[i][j];
        if (all)
            return true;
    }
    return false;
}

/* A ring of rare jumps, and some common ones. */
Test(caution, groups_of_random_chains)
{
    uint64_t seed = 20240607;
    int found[2] = {0};
    for (int k = 0; k < 2000; k++) {
        Problem p = {.n = 2 + random_below(&seed, MOST - 1)};
        for (int32_t i = 0; i < p.n; i++) {
            problem_add(&p, i, (i + 1) % p.n, 1e-6);
            for (int32_t common = random_below(&seed, 8) ? 1 : 2; common > 0; common--) {
                int32_t to = random_below(&seed, p.n - 1);
                problem_add(&p, i, to + (to >= i), 1);
            }
        }
        problem_finish(&p);
        bool apart = !some_state_collects(&p);
        cr_assert_eq(flow_nearly_decomposable(&p.flow), apart, "chain %d", k);
        found[apart]++;
        problem_free(&p);
    }
    cr_expect(found[0] > 50 && found[1] > 50, "%d, %d", found[0], found[1]);
}

/* Rows of P' by hand, so that the chance is the very number. */
Test(caution, chances_of_the_limit_itself_are_common)
{
    const int64_t row[] = {0, 1, 3, 5, 6};
    const int32_t col[] = {1, 0, 2, 1, 3, 2};
    const double rare = RARE_JUMP, below = nextafter(RARE_JUMP, 0);
    const double at[] = {1 - rare, 1, rare, rare, 1, 1 - rare};
    const double under[] = {1 - below, 1, below, below, 1, 1 - below};
    const Flow common = flow_of(4, row, col, at, NULL, NULL);
    const Flow apart = flow_of(4, row, col, under, NULL, NULL);
    cr_expect(!flow_nearly_decomposable(&common));
    cr_expect(flow_nearly_decomposable(&apart));
}

Test(caution, slow_convergence)
{
    Outcome out = {.method = "power", .iterations = SLOW_ITERATIONS};
    cr_expect_str_empty(outcome_caution(&out));
    out.iterations++;
    cr_expect(strstr(outcome_caution(&out), "convergence was slow"));
    out = (Outcome){.method = "power", .iterations = 1, .shaky = true};
    cr_expect(strstr(outcome_caution(&out), "convergence was slow"));
}

/* A cycle of two states in which the second has too much by `off` of the whole: a sweep makes both
 * flows equal to that of the first to be taken, so that off is what it moves. */
Test(caution, drift)
{
    Problem p = {.n = 2};
    problem_add(&p, 0, 1, 1);
    problem_add(&p, 1, 0, 1);
    problem_finish(&p);
    const Outcome quick = {.method = "gauss-seidel", .iterations = 3};
    const double tolerance = 1e-6;
    double scratch[2];
    for (int k = 0; k < 2; k++) {
        double off = (k ? 1.01 : 0.99) * LARGE_DRIFT * tolerance;
        const double y[] = {0.5 - off / 2, 0.5 + off / 2};
        cr_assert_float_eq(flow_drift(&p.flow, y, scratch).time, off, 1e-12);
        const char *caution = flow_caution(&p.flow, y, &quick, tolerance, scratch);
        cr_expect_eq(strstr(caution, "one more sweep") != NULL, k == 1, "%s", caution);
        cr_expect_str_empty(flow_caution(&p.flow, NULL, &quick, tolerance, NULL));
    }
    problem_free(&p);
}

/* Elimination needs no caution for groups that are apart; methods that iterate do. */
Test(caution, elimination_is_exact)
{
    Problem p = two_pairs(1e-9, 1e-9);
    const Outcome exact = {.method = "gth"}, swept = {.method = "gauss-seidel"};
    cr_expect_str_empty(flow_caution(&p.flow, NULL, &exact, 1e-10, NULL));
    cr_expect_str_eq(flow_caution(&p.flow, NULL, &swept, 1e-10, NULL), decomposable_caution);
    problem_free(&p);
}
