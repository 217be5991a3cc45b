#include "measure/flow_build.h"
#include "support.h"

/* The jump chain transposed: parallel transitions add up, self-loops are left out. */
Test(flow_build, transposes)
{
    Derived d = derive("P = (a, 1).Q + (b, 2).Q + (c, 1).R + (e, 9).P; Q = (a, 5).R;\n"
                       "R = (b, 1).P + (c, 3).Q; P",
                       1);
    int32_t order[] = {2, 0, 1}, place[] = {1, 2, 0}; /* R, P, Q */
    FlowOwner f = {0};
    int64_t end[3];
    cr_assert_eq(flow_build(&f, d.chain, order, 3, place, NULL), PEPA_OK);
    flow_fill(&f, d.chain, order, place, end);
    static const int64_t row[] = {0, 2, 3, 5};
    static const int32_t col[] = {1, 2, 0, 0, 1};
    static const double val[] = {0.25, 1, 0.25, 0.75, 0.75}, exit[] = {4, 4, 5};
    for (int i = 0; i < 4; i++)
        cr_assert_eq(f.row[i], row[i]);
    for (int k = 0; k < 5; k++) {
        cr_assert_eq(f.col[k], col[k]);
        cr_assert_float_eq(f.val[k], val[k], 1e-16);
    }
    for (int i = 0; i < 3; i++)
        cr_assert_eq(f.exit[i], exit[i]);
    flow_free(&f);
    derived_free(&d);
}

/* Ways out of the subset count as exits, but have no entry. */
Test(flow_build, subset)
{
    Derived d = derive("P = (a, 1).Q + (b, 3).Stop; Q = (a, 5).P; P", 1);
    int32_t order[] = {0, 1}, place[] = {0, 1, -1};
    FlowOwner f = {0};
    if (d.chain->row[1] == d.chain->row[2]) { /* Stop was found before Q */
        order[1] = 2;
        place[1] = -1;
        place[2] = 1;
    }
    int64_t end[2];
    cr_assert_eq(flow_build(&f, d.chain, order, 2, place, NULL), PEPA_OK);
    flow_fill(&f, d.chain, order, place, end);
    cr_assert_eq(f.row[2], 2);
    cr_assert_eq(f.exit[0], 4);
    cr_assert_eq(f.val[f.row[1]], 0.25);
    cr_assert_eq(f.val[f.row[0]], 1);
    flow_free(&f);
    derived_free(&d);
}
