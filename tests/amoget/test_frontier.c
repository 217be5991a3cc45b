#include <criterion/criterion.h>
#include <math.h>

#include "amoget/search/frontier.h"
#include "amoget/search/solution_table.h"

/* Pseudo-random, the same every time. */
static double noise(int i)
{
    return fmod(i * 0.6180339887498949, 1);
}

Test(frontier, gives_the_least_first)
{
    Frontier f;
    frontier_init(&f, 3, 1 << 20);
    for (int i = 0; i < 5000; i++) {
        int32_t mapping[] = {i % 7, i % 5, i % 3};
        cr_assert(frontier_push(&f, noise(i), mapping, i % 4));
    }
    double last = -1, bound;
    int32_t mapping[3], depth;
    for (int i = 0; i < 5000; i++) {
        double least = frontier_least(&f), next = frontier_next(&f);
        cr_assert(frontier_pop(&f, &bound, mapping, &depth));
        cr_assert(bound >= last && bound == least && bound == next);
        cr_assert(depth >= 0 && depth < 4);
        last = bound;
    }
    cr_assert_not(frontier_pop(&f, &bound, mapping, &depth));
    cr_assert(isinf(frontier_least(&f)) && isinf(frontier_next(&f)));
    frontier_free(&f);
}

/* Full, it goes into depth: the last in is the first out, and the least bound is still known. */
Test(frontier, keeps_to_its_room)
{
    Frontier f;
    frontier_init(&f, 2, 10 * 24); /* bound, depth, two places */
    int32_t mapping[2] = {0, 0}, depth;
    double bound;
    for (int i = 0; i < 10; i++)
        cr_assert(frontier_push(&f, 1 + i, mapping, 1));
    for (int i = 0; i < 3; i++) {
        mapping[0] = 100 + i;
        cr_assert(frontier_push(&f, 0.3 - 0.1 * i, mapping, 1));
    }
    cr_expect(fabs(frontier_least(&f) - 0.1) < 1e-12);
    cr_assert(frontier_push(&f, 0.9, mapping, 1)); /* the least is not the last */
    cr_expect(fabs(frontier_least(&f) - 0.1) < 1e-12);
    cr_assert(frontier_pop(&f, &bound, mapping, &depth));
    for (int i = 2; i >= 0; i--) {
        cr_assert(frontier_pop(&f, &bound, mapping, &depth));
        cr_expect_eq(mapping[0], 100 + i);
    }
    for (int i = 0; i < 10; i++) {
        cr_assert(frontier_pop(&f, &bound, mapping, &depth));
        cr_expect_eq(bound, 1 + i);
    }
    frontier_free(&f);
}

Test(solved, finds_what_was_put_there)
{
    SolutionTable s;
    solution_table_init(&s, 3);
    for (int i = 0; i < 5000; i++) {
        int32_t mapping[] = {i / 400, i / 20 % 20, i % 20};
        cr_assert_eq(solution_table_find(&s, mapping), -1);
        cr_assert_eq(solution_table_put(&s, mapping, noise(i), (PepaChainInfo){.states = i}), i);
    }
    for (int i = 0; i < 5000; i++) {
        int32_t mapping[] = {i / 400, i / 20 % 20, i % 20};
        int32_t at = solution_table_find(&s, mapping);
        cr_assert_eq(at, i);
        cr_assert(s.time[at] == noise(i));
    }
    solution_table_free(&s);
}
