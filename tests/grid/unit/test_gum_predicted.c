/* The policy `predicted`: chances, whom it asks, how many it gives. */
#include <criterion/criterion.h>
#include <math.h>

#include "grid/gum/policy/policy.h"
#include "grid/gum/policy/predicted.h"

enum { SIZE = 6 };

/* Process 0 of {0, 1, 2} near, {3, 4, 5} far; 3 is the main one; tasks of 10 ms. */
static void make(Tables *t)
{
    cr_assert_eq(tables_new(t, SIZE, 0), 0);
    t->task = 0.01;
    t->main = 3;
    t->clusters = 2;
    for (int32_t p = 0; p < SIZE; p++) {
        t->fixed[p].cluster = p / 3;
        t->communication[p].latency = p < 3 ? 0.0002 : 0.03;
    }
    t->dynamic[0].stamp = 1;
}

static void hear(Tables *t, int32_t process, double stamp, int32_t sparks, int32_t threads)
{
    t->dynamic[process] = (PeDynamic){stamp, sparks, threads};
}

static int32_t asked(const Tables *t, int32_t origin)
{
    uint64_t chance = 1;
    return predicted_target(t, origin, &chance);
}

Test(gum_predicted, the_main_process_begins_with_sparks)
{
    Tables t;
    make(&t);
    cr_expect_eq(predicted_chance(&t, 3), 1);
    cr_expect_eq(predicted_chance(&t, 4), 0.5);
    tables_free(&t);
}

Test(gum_predicted, news_grows_old)
{
    Tables t;
    make(&t);
    hear(&t, 1, 1, 4, 1);
    hear(&t, 2, 1, 0, 1);
    double some = 1, none = 0;
    for (double now = 1; now < 10; now *= 1.3) {
        t.dynamic[0].stamp = now;
        const double a = predicted_chance(&t, 1), b = predicted_chance(&t, 2);
        cr_expect(a <= some && b >= none && a >= b);
        some = a;
        none = b;
    }
    cr_expect(fabs(some - 0.5) < 1e-3 && fabs(none - 0.5) < 1e-3); /* the share of those heard of */
    tables_free(&t);
}

Test(gum_predicted, asks_near_ones_with_sparks_and_not_those_that_have_just_run_out)
{
    Tables t;
    make(&t);
    hear(&t, 1, 0.999, 5, 1);
    hear(&t, 2, 0.999, 0, 1);
    cr_expect_eq(asked(&t, 0), 1);
    hear(&t, 1, 0.99999, 0, 0);
    hear(&t, 2, 0.99999, 0, 0);
    cr_expect_eq(asked(&t, 0), 3);  /* far, but it surely has some */
    cr_expect_neq(asked(&t, 3), 3); /* never back to the origin */
    tables_free(&t);
}

Test(gum_predicted, draws_among_equals)
{
    Tables t;
    make(&t);
    int seen[SIZE] = {0};
    uint64_t chance = 7;
    hear(&t, 1, 1, 5, 1);
    hear(&t, 2, 1, 5, 1);
    for (int i = 0; i < 200; i++)
        seen[predicted_target(&t, 0, &chance)]++;
    cr_expect(seen[1] > 60 && seen[2] > 60 && seen[1] + seen[2] == 200);
    tables_free(&t);
    cr_assert_eq(tables_new(&t, 1, 0), 0);
    cr_expect_eq(predicted_target(&t, 0, &chance), -1);
    tables_free(&t);
}

/* The lot b that makes 2 L due / b + b task / 2 least, found by trying all. */
Test(gum_predicted, gives_the_lot_that_costs_least)
{
    Tables t;
    make(&t);
    for (int32_t sparks = 1; sparks < 100000; sparks *= 7)
        for (double task = 1e-4; task < 1; task *= 5) {
            t.task = task;
            t.dynamic[0].sparks = sparks;
            for (int32_t origin = 1; origin < SIZE; origin += 3) {
                const double due = sparks / 6.0, far = 2 * t.communication[origin].latency;
                const int32_t given = predicted_sparks(&t, origin);
                const int32_t most = (int32_t)fmax(1, floor(due / 2));
                double least = INFINITY, cost = far * due / given + given * task / 2;
                for (int32_t b = 1; b <= most; b++)
                    least = fmin(least, far * due / b + b * task / 2);
                cr_expect(given >= 1 && given <= most);
                /* Rounded down: at most what the next one to the best costs. */
                cr_expect(cost <= 1.25 * least + 1e-12, "%d sparks of %g: %d cost %g, best %g",
                          (int)sparks, task, (int)given, cost, least);
            }
        }
    tables_free(&t);
}
