/* Order and sparse elimination. */
#include "solvers/problems.h"

#include "solvers/direct/tuning.h"
#include "solvers/internal.h"

static bool is_permutation(const int32_t *place, int32_t n)
{
    bool *seen = must(calloc((size_t)n, sizeof *seen)), all = true;
    for (int32_t i = 0; i < n; i++) {
        if (place[i] < 0 || place[i] >= n || seen[place[i]])
            all = false;
        else
            seen[place[i]] = true;
    }
    free(seen);
    return all;
}

Test(gth_sparse, order)
{
    static const double up[] = {1, 1}, down[] = {1, 2};
    Problem p = walk(2, 30, up, down);
    int32_t *place = must(malloc((size_t)p.n * sizeof *place));
    double work;
    for (int32_t last = -1; last < p.n; last += 100) {
        cr_assert(gth_order(&p.flow, last, GTH_ENTRIES, place, &work) == PEPA_OK);
        cr_expect(is_permutation(place, p.n));
        cr_expect(last < 0 || place[last] == p.n - 1);
        /* Nested dissection of a 30 x 30 grid takes about 10 n^1.5; a banded order n^2 = 8.1e5. */
        cr_expect(work > 1e4 && work < 6e5, "%g", work);
    }
    free(place);
    problem_free(&p);
}

/* Sources and targets change places; chances and classes go where they belong. */
Test(gth_sparse, ways)
{
    Problem p = {.n = 2};
    problem_add(&p, 0, 1, 1);
    problem_add(&p, 1, 0, 1);
    problem_finish(&p);
    const int32_t place[] = {1, 0};
    const double leave[] = {0, 0.25, 0.5, 0}, enter[] = {0.75, 0};
    Jumps ways;
    cr_assert(jumps_new(&ways, &p.flow, place, 2, leave, NULL) == PEPA_OK);
    cr_assert(ways.rows == 2 && ways.columns == 4 && ways.row[1] == 2 && ways.row[2] == 4);
    double a[3][4] = {{0}};
    for (int i = 0; i < 2; i++)
        for (int64_t k = ways.row[i]; k < ways.row[i + 1]; k++)
            a[i][ways.col[k]] = ways.val[k];
    cr_expect(a[0][1] == 1 && a[0][2] == 0.5 && a[1][0] == 1 && a[1][3] == 0.25);
    jumps_free(&ways);
    cr_assert(jumps_new(&ways, &p.flow, place, 1, leave, enter) == PEPA_OK);
    cr_assert(ways.rows == 3 && ways.columns == 3);
    cr_expect(ways.row[3] - ways.row[2] == 1 && ways.col[ways.row[2]] == 1 &&
              ways.val[ways.row[2]] == 0.75);
    jumps_free(&ways);
    problem_free(&p);
}

/* Any order of elimination gives the same flows. */
Test(gth_sparse, order_does_not_matter)
{
    uint64_t seed = 31;
    Problem p = random_chain(150, 2, 6, &seed);
    int32_t *place = must(malloc((size_t)p.n * sizeof *place));
    double *exact = guess(p.n), *x = guess(p.n), *y = guess(p.n);
    const Control control = {.tolerance = 1e-13};
    Outcome out;
    cr_assert(solve_flow(PEPA_GTH, &p.flow, &control, exact, &out, NULL) == PEPA_OK);
    for (int32_t i = 0; i < p.n; i++)
        place[i] = i;
    for (int round = 0; round < 10; round++) {
        Jumps ways;
        cr_assert(jumps_new(&ways, &p.flow, place, 0, NULL, NULL) == PEPA_OK);
        cr_assert(gth_sparse(&ways, NULL, x, NULL) == PEPA_OK);
        for (int32_t i = 0; i < p.n; i++)
            y[i] = x[place[i]];
        cr_assert(flow_normalise(&p.flow, y));
        cr_expect(deviation(p.n, y, exact) < 1e-12, "round %d: %g", round,
                  deviation(p.n, y, exact));
        jumps_free(&ways);
        for (int32_t i = p.n - 1; i > 0; i--) {
            int32_t j = random_below(&seed, i + 1), swap = place[i];
            place[i] = place[j];
            place[j] = swap;
        }
    }
    free(place);
    free(exact);
    free(x);
    free(y);
    problem_free(&p);
}

/* From state 2 the chain comes to state 1, and from there to the second class with chance 0.75; state
 * 0 is not on its way, and has a tree of its own, which begins later and ends earlier. */
Test(gth_sparse, trees_apart)
{
    Problem p = {.n = 3};
    problem_add(&p, 1, 2, 1);
    problem_add(&p, 2, 1, 1);
    problem_finish(&p);
    const int32_t place[] = {1, 0, 2};
    const double leave[] = {0.5, 0.5, 0.25, 0.75, 0, 0};
    double weight[2];
    Jumps ways;
    cr_assert(jumps_new(&ways, &p.flow, place, 2, leave, NULL) == PEPA_OK);
    cr_assert(gth_sparse(&ways, NULL, NULL, weight) == PEPA_OK);
    cr_expect(weight[0] > 0 && weight[1] == 3 * weight[0], "%g, %g", weight[0], weight[1]);
    jumps_free(&ways);
    problem_free(&p);
}

/* Of a closed chain only the last state need lead nowhere. */
Test(gth_sparse, a_state_that_is_never_left)
{
    int64_t row[] = {0, 0, 1, 2, 2};
    int32_t col[] = {2, 1};
    double val[] = {1, 1}, x[3];
    Jumps jumps = {.rows = 3, .columns = 3, .row = row, .col = col, .val = val};
    cr_expect_eq(gth_sparse(&jumps, NULL, x, NULL), PEPA_ENOCONV);
}
