#include "ctmc/order.h"
#include "support.h"

/* Whatever it prefers, an order is a permutation of the members. */
static void expect_permutation(const char *text)
{
    Derived d = derive(text, 1);
    int32_t n = d.chain->states.count, member[2000], order[2000];
    bool seen[2000] = {false};
    cr_assert_leq(n, 2000);
    for (int32_t i = 0; i < n; i++)
        member[i] = i;
    cr_assert_eq(chain_order(d.chain, member, n, order, NULL), PEPA_OK);
    for (int32_t i = 0; i < n; i++) {
        cr_assert(order[i] >= 0 && order[i] < n && !seen[order[i]]);
        seen[order[i]] = true;
    }
    derived_free(&d);
}

Test(order, is_a_permutation)
{
    expect_permutation("P = (a, 1).P; P");
    expect_permutation("P = (a, 1).Q; Q = (b, 1).P; P || P || P || P || P");
    expect_permutation("P = (a, 1).Q; Q = (b, 1).P; P[40]");
    expect_permutation("P = (a, 1).Q; Q = (b, 1).R; R = (c, 1).P; P || P || P || P || P || P");
}

/* Jobs move from the first queue to the second and out: swept in the direction of the flow, only
 * departures from the second queue and arrivals at the first lead back. */
Test(order, sweeps_with_the_flow)
{
    Derived d = derive("P = (a, 1).Q; Q = (b, 1).R; R = (c, 1).S; S = (d, 1).P; P", 1);
    int32_t member[] = {0, 1, 2, 3}, order[4];
    cr_assert_eq(chain_order(d.chain, member, 4, order, NULL), PEPA_OK);
    for (int32_t i = 0; i < 4; i++)
        cr_assert_eq(order[i], i, "a cycle is swept along");
    derived_free(&d);
}

Test(order, subsets)
{
    Derived d = derive("P = (a, 1).Q; Q = (b, 1).R; R = (c, 1).S; S = (d, 1).Q; P", 1);
    int32_t member[] = {1, 2, 3}, order[3], sum = 0;
    cr_assert_eq(chain_order(d.chain, member, 3, order, NULL), PEPA_OK);
    for (int32_t i = 0; i < 3; i++)
        sum += order[i];
    cr_assert_eq(sum, 6);
    derived_free(&d);
}
