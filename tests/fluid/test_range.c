/* Ranges of expressions over counts, by hand.  That no rate of a random model leaves its range at whole
 * numbers: tests/property/test_population.c. */
#include "fluid/range.h"

#include <math.h>

#include "fluids.h"

static FlowRange *ranges_of(const Fluid *f)
{
    FlowRange *range;
    cr_assert(mem_new(range, f->p->rates.count));
    flow_ranges(&f->field, range);
    return range;
}

/* The range of the rate of the only move of an action. */
static void expect(const char *text, const char *action, double least, double most)
{
    Fluid f = fluid_of(text);
    FlowRange *range = ranges_of(&f);
    int32_t found = 0;
    for (size_t m = 0; m < f.p->move_count; m++)
        if (strcmp(f.c.model->actions[f.p->moves[m].action], action) == 0) {
            const FlowRange x = range[f.p->moves[m].rate];
            cr_expect_eq(x.least, least, "%s: %g", text, x.least);
            cr_expect_eq(x.most, most, "%s: %g", text, x.most);
            found++;
        }
    cr_expect_eq(found, 1, "%s: %d", text, found);
    mem_free(range);
    fluid_free(&f);
}

Test(range, rates_of_activities)
{
    expect("A = (a, 2).B; B = (b, 1).A; A[10]", "a", 0, 20);
    expect("A = (a, 2).B; B = (b, 1).A; S = (a, 3).S; A[10] <a> S[2]", "a", 0, 6);
    expect("A = (a, T).B; B = (b, 1).A; S = (a, 3).S; A[10] <a> S[2]", "a", 0, 6);
    expect("A = (a, (B + 1) * 2).B; B = (b, 1).A; A[10]", "a", 0, 220);
    expect("A = (a, 4 / (B + 2)).B; B = (b, 1).A; A[10]", "a", 0, 20);
    expect("A = (a, 1 / B).B; B = (b, 1).A; A[10]", "a", -INFINITY, INFINITY);
    expect("A = (a, if B > 2 then 3 else 5).B; B = (b, 1).A; A[10]", "a", 0, 50);
    expect("A = (a, sqrt(B + 4)).B; B = (b, 1).A; A[12]", "a", 0, 48);
    expect("A = (a, max(B, 3)).B; B = (b, 1).A; A[12]", "a", 0, 144);
}

/* Two that can do `a` share what the server has: each at most its own rate, and that. */
Test(range, shares)
{
    const char *text = "A = (a, 1).B; B = (b, 1).A; C = (a, 8).D; D = (d, 1).C; S = (a, 3).S;\n"
                       "(A[2] || C[1]) <a> S[4]";
    Fluid f = fluid_of(text);
    FlowRange *range = ranges_of(&f);
    double most[2];
    int found = 0;
    for (size_t m = 0; m < f.p->move_count && found < 2; m++)
        if (strcmp(f.c.model->actions[f.p->moves[m].action], "a") == 0) {
            cr_expect_eq(range[f.p->moves[m].rate].least, 0);
            most[found++] = range[f.p->moves[m].rate].most;
        }
    cr_assert_eq(found, 2);
    cr_expect_eq(fmin(most[0], most[1]), 2);
    cr_expect_eq(fmax(most[0], most[1]), 8);
    mem_free(range);
    fluid_free(&f);
}

Test(range, the_largest_deviation)
{
    cr_expect_eq(range_deviation((FlowRange){0, 1}, 0.5), 0.5); /* either end half the time */
    cr_expect_eq(range_deviation((FlowRange){-1, 4}, 0), 2);
    cr_expect_eq(range_deviation((FlowRange){0, 1}, -0.5), 0);
    cr_expect_eq(range_deviation((FlowRange){0, 1}, 1.5), 0);
    cr_expect_eq(range_deviation((FlowRange){0, INFINITY}, 1), INFINITY);
}
