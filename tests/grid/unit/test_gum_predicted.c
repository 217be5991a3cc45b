/* The policy `predicted`: chances, whom it asks, how many it gives. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "grid/gum/policy/draw.h"
#include "grid/gum/policy/policy.h"
#include "grid/gum/policy/predicted.h"
#include "grid/gum/policy/tuning.h"

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
    t->dynamic[process] = (PeDynamic){stamp, sparks, threads, -1};
}

enum { DRAWS = 4000 };

/* How often each process is asked in DRAWS. */
static void ask(const Tables *t, int32_t origin, int early, int seen[SIZE])
{
    uint64_t chance = 7;
    memset(seen, 0, SIZE * sizeof *seen);
    for (int i = 0; i < DRAWS; i++) {
        const int32_t to = predicted_target(t, origin, early, REACH_ALL, &chance);
        cr_assert(to >= 0 && to < SIZE && to != t->self && to != origin);
        seen[to]++;
    }
}

/* Who is asked most. */
static int32_t asked(const Tables *t, int32_t origin)
{
    int seen[SIZE];
    int32_t most = 0;
    ask(t, origin, 0, seen);
    for (int32_t p = 1; p < SIZE; p++)
        most = seen[p] > seen[most] ? p : most;
    return most;
}

/* What each should be asked in proportion to. */
static double worth(const Tables *t, int32_t p, double sparks)
{
    return sparks * predicted_chance(t, p) / (2 * t->communication[p].latency + HANDLING);
}

/* Within four standard deviations of what chance gives? */
static int is_share(int seen, double share)
{
    return fabs(seen - DRAWS * share) <= 4 * sqrt(DRAWS * share * (1 - share)) + 1e-9;
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
    hear(&t, 3, 0.999, 5, 1);
    hear(&t, 1, 0.999, 5, 1);
    hear(&t, 2, 0.999, 0, 1);
    cr_expect_eq(asked(&t, 0), 1);
    hear(&t, 3, 0.999, 900, 1);
    hear(&t, 1, 0.99999, 0, 0);
    hear(&t, 2, 0.99999, 0, 0);
    cr_expect_eq(asked(&t, 0), 3);  /* far, but it surely has some */
    cr_expect_neq(asked(&t, 3), 3); /* never back to the origin */
    tables_free(&t);
}

/* Before anything is heard of it. */
Test(gum_predicted, asks_the_main_process_first)
{
    Tables t;
    int seen[SIZE];
    make(&t);
    ask(&t, 0, 0, seen);
    cr_expect_eq(seen[3], DRAWS);
    tables_free(&t);
}

Test(gum_predicted, asks_each_in_proportion_to_its_sparks_for_each_second)
{
    static const int32_t sparks[SIZE] = {0, 4, 1, 300, 0, 40};
    for (int early = 0; early < 2; early++) {
        Tables t;
        double its[SIZE] = {0}, all = 0;
        int seen[SIZE];
        make(&t);
        t.fixed[0].speed = 2;
        for (int32_t p = 1; p < SIZE; p++) {
            hear(&t, p, 0.99, sparks[p], 1);
            its[p] = worth(&t, p, early ? fmax(sparks[p] - 1, 0) : fmax(sparks[p], 1));
            all += its[p];
        }
        ask(&t, 0, early, seen);
        for (int32_t p = 0; p < SIZE; p++)
            cr_expect(is_share(seen[p], its[p] / all), "early %d: %d asked %d of %d, %g expected",
                      early, (int)p, seen[p], DRAWS, DRAWS * its[p] / all);
        tables_free(&t);
    }
}

/* A request stays in the cluster of its origin, or outside of it, also where it is passed on. */
Test(gum_predicted, requests_keep_to_their_reach)
{
    Tables t;
    uint64_t chance = 3;
    make(&t);
    for (int32_t p = 1; p < SIZE; p++)
        hear(&t, p, 0.999, 3, 1);
    for (int i = 0; i < 200; i++) {
        const int32_t near = predicted_target(&t, 0, 0, REACH_NEAR, &chance);
        const int32_t far = predicted_target(&t, 0, 0, REACH_FAR, &chance);
        cr_expect(near == 1 || near == 2, "%d", (int)near);
        cr_expect(far >= 3, "%d", (int)far);
        /* Of a far origin: 4 is near to it. */
        cr_expect_geq(predicted_target(&t, 4, 0, REACH_NEAR, &chance), 3);
        cr_expect_leq(predicted_target(&t, 4, 0, REACH_FAR, &chance), 2);
    }
    /* The main process, of which nothing was heard, is asked first by those that may. */
    t.dynamic[3].stamp = -1;
    cr_expect_eq(predicted_target(&t, 0, 0, REACH_FAR, &chance), 3);
    cr_expect_leq(predicted_target(&t, 0, 0, REACH_NEAR, &chance), 2);
    /* A task that runs elsewhere is begun again once. */
    t.repeats = 1;
    t.fixed[0].speed = 9;
    tables_add_length(&t, 100);
    for (int32_t p = 1; p < SIZE; p++)
        hear(&t, p, 0.999, 0, 1);
    t.dynamic[4].began = 0;
    cr_expect_eq(predicted_target(&t, 0, 0, REACH_FAR, &chance), 4);
    cr_expect_leq(predicted_target(&t, 0, 0, REACH_NEAR, &chance), 2);
    tables_free(&t);
}

/* Two requests at a time: of processes that have near ones and far ones, under this policy. */
Test(gum_predicted, two_requests_where_some_are_near_and_some_far)
{
    static const double apart = 1e-3;
    static const struct {
        double here, away; /* latencies within {0, 1} and to 2 */
        int both[3];
    } known[] = {{1e-4, 1e-2, {1, 1, 0}}, {1e-4, 1e-4, {0, 0, 0}}, {1e-2, 1e-2, {0, 0, 0}}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        for (int32_t self = 0; self < 3; self++) {
            const double h = known[i].here, a = known[i].away;
            const double latency[] = {0, h, a, h, 0, a, a, a, 0};
            Tables t;
            cr_assert_eq(tables_new(&t, 3, self), 0);
            cr_expect_eq(t.near, 2);
            tables_divide(&t, latency, apart);
            cr_expect_eq(policy_both(&(Policy){POLICY_PREDICTED, 3, 0}, &t), known[i].both[self]);
            cr_expect_eq(policy_both(&(Policy){POLICY_BUSIEST, 3, 0}, &t), 0);
            tables_free(&t);
        }
}

/* Who still runs something gets none that is the last one, and asks nobody who has no more. */
Test(gum_predicted, leaves_the_last_spark_to_idle_processes)
{
    const Policy it = {POLICY_PREDICTED, SIZE, 0};
    Tables t;
    uint64_t chance = 3;
    make(&t);
    t.fixed[0].speed = 2;
    for (int32_t p = 1; p < SIZE; p++)
        hear(&t, p, 0.999, 1, 1);
    cr_expect_eq(policy_target(&it, &t, 1, REACH_ALL, &chance), -1);
    cr_expect_geq(policy_target(&it, &t, 0, REACH_ALL, &chance), 1);
    hear(&t, 4, 0.999, 2, 1);
    cr_expect_eq(policy_target(&it, &t, 1, REACH_ALL, &chance), 4);
    t.dynamic[0].sparks = 1;
    cr_expect_eq(policy_answer(&it, &t, &(Fish){1, 0, 0, REACH_ALL}, &chance).action, FISH_SERVE);
    const FishAnswer on = policy_answer(&it, &t, &(Fish){1, 0, 1, REACH_ALL}, &chance);
    cr_expect(on.action == FISH_FORWARD && on.to == 4);
    cr_expect_eq(policy_answer(&it, &t, &(Fish){4, 0, 1, REACH_ALL}, &chance).action, FISH_NULL);
    t.dynamic[0].sparks = 2;
    cr_expect_eq(policy_answer(&it, &t, &(Fish){1, 0, 1, REACH_ALL}, &chance).action, FISH_SERVE);
    tables_free(&t);
}

/* Of processes that run something the slow ones wait, unless asking takes long against a task. */
Test(gum_predicted, slow_processes_ask_early_where_tasks_are_short)
{
    const double longest = EARLY_TASKS * (2 * 0.0002 + HANDLING);
    Tables t;
    uint64_t chance = 3;
    make(&t);
    for (int32_t p = 1; p < SIZE; p++)
        hear(&t, p, 0.999, p == 1 ? 9 : 0, 1);
    for (int slow = 0; slow < 2; slow++) {
        t.fixed[0].speed = slow ? 0.9 : 1.1;
        t.task = 1.01 * longest;
        cr_expect_eq(predicted_target(&t, 0, 1, REACH_ALL, &chance), slow ? -1 : 1);
        t.task = 0.99 * longest;
        cr_expect_eq(predicted_target(&t, 0, 1, REACH_ALL, &chance), 1);
        t.task = 10 * longest;
        cr_expect_eq(predicted_target(&t, 0, 0, REACH_ALL, &chance), 1); /* idle */
        cr_expect_eq(predicted_target(&t, 5, 1, REACH_ALL, &chance),
                     1); /* passed on: it has decided */
    }
    tables_free(&t);
}

/* Who is spoken to does not seem far because messages wait: it goes on being asked. */
Test(gum_predicted, asks_who_has_sparks_although_its_messages_had_to_wait)
{
    Tables t;
    make(&t);
    hear(&t, 1, 1, 500, 1);
    hear(&t, 2, 0, 0, 1);
    hear(&t, 3, 0, 0, 1);
    t.communication[2].latency = t.communication[1].latency = 0.0002;
    for (int i = 0; i < 1000; i++)
        tables_measure(&t, 1, i % 2 ? 0.03 : 0.01, 1);
    cr_expect(fabs(t.late - 0.02) < 0.002, "%g", t.late);
    cr_expect_eq(asked(&t, 0), 1);
    cr_expect_gt(t.communication[1].latency, 0.01);
    tables_free(&t);
}

Test(gum_predicted, asks_nobody_where_it_is_alone)
{
    Tables t;
    uint64_t chance = 7;
    cr_assert_eq(tables_new(&t, 1, 0), 0);
    cr_expect_eq(predicted_target(&t, 0, 0, REACH_ALL, &chance), -1);
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

/* ---- tasks that run twice --------------------------------------------------------------------- */

/* Until all are heard of and none has sparks, nothing is copied. */
Test(gum_predicted, is_dry_when_all_have_said_so)
{
    Tables t;
    make(&t);
    cr_expect_not(predicted_dry(&t));
    for (int32_t p = 1; p < SIZE; p++) {
        cr_expect_not(predicted_dry(&t));
        hear(&t, p, 0.5, 0, 1);
    }
    cr_expect(predicted_dry(&t));
    hear(&t, 4, 0.6, 1, 1);
    cr_expect_not(predicted_dry(&t));
    tables_free(&t);
}

/* Before any task has ended: here the rest of a task of 10 ms, whose process it shares with others; there the whole
 * task and the way, there and back. */
Test(gum_predicted, gains_what_ends_earlier_elsewhere)
{
    Tables t;
    make(&t);
    t.fixed[1].speed = 4;
    t.fixed[3].speed = 4;
    cr_expect_float_eq(predicted_gain(&t, 1, 0, 1), 0.01 - 0.01 / 4 - 0.0004, 1e-12);
    cr_expect_float_eq(predicted_gain(&t, 1, 0.002, 3), 3 * 0.008 - 0.01 / 4 - 0.0004, 1e-12);
    cr_expect_eq(predicted_gain(&t, 3, 0, 1), 0); /* too far */
    /* After 40 ms as much again is expected. */
    cr_expect_float_eq(predicted_gain(&t, 1, 0.04, 1), 0.04 - 0.08 / 4 - 0.0004, 1e-12);
    for (double ran = 0; ran < 1; ran += 0.003) {
        cr_expect_eq(predicted_gain(&t, 2, ran, 1), 0); /* as fast as this one */
        t.fixed[2].speed = 2;
        if (ran > 0.005)
            cr_expect_eq(predicted_gain(&t, 2, ran, 1),
                         0); /* half is done: twice the speed is too little */
        t.fixed[2].speed = 1;
    }
    tables_free(&t);
}

/* The unit of speeds does not matter, nor which process measured the lengths. */
Test(gum_predicted, gains_the_same_in_any_unit_of_speeds)
{
    double gain[2];
    for (int k = 0; k < 2; k++) {
        const double unit = k == 0 ? 1 : 1.7e6;
        uint64_t chance = 5;
        Tables t;
        make(&t);
        for (int32_t p = 0; p < SIZE; p++)
            t.fixed[p].speed = (p + 1) * unit;
        for (int i = 0; i < 1000; i++)
            tables_add_length(&t, unit * 1e-3 * (1 + policy_draw(&chance, 100)));
        gain[k] = predicted_gain(&t, 5, 0.004, 1);
        tables_free(&t);
    }
    cr_expect(gain[0] > 0 && fabs(gain[0] - gain[1]) < 1e-9 * gain[0], "%g, %g", gain[0], gain[1]);
}

/* Nobody has sparks: random speeds, latencies and tasks. */
static void draw_dry(Tables *t, uint64_t *chance)
{
    make(t);
    t->repeats = 1;
    t->dynamic[0].stamp = 1;
    for (int i = policy_draw(chance, 50); i > 0; i--)
        tables_add_length(t, 0.01 * exp(0.1 * policy_draw(chance, 40)));
    for (int32_t p = 0; p < SIZE; p++) {
        t->fixed[p].speed = 1 + policy_draw(chance, 5);
        t->communication[p].latency = 1e-4 * (1 + policy_draw(chance, 50));
        if (p != 0)
            hear(t, p, 0.9, 0, 1 + policy_draw(chance, 2));
        t->dynamic[p].began =
            policy_draw(chance, 4) > 0 ? 0.9 - 0.01 * policy_draw(chance, 20) : -1;
    }
}

/* The slower process whose task, which may run twice, gains most if it is begun here as well. */
static int32_t gains_most(const Tables *t)
{
    const double main = t->fixed[t->main].speed;
    int32_t found = -1;
    double most = 0;
    for (int32_t p = 1; p < SIZE; p++) {
        const PeDynamic *it = &t->dynamic[p];
        const double slow = main / t->fixed[p].speed, fast = main / t->fixed[0].speed;
        const double done = (1 - it->began) / slow, mean = t->task / fast;
        const double gain = lengths_gain(&t->lengths, done, fmax(mean - done, done),
                                         it->threads * slow, fast, 2 * t->communication[p].latency);
        if (it->began >= 0 && slow > fast && gain > most) {
            most = gain;
            found = p;
        }
    }
    return found;
}

Test(gum_predicted, asks_the_slower_process_whose_task_gains_most_when_nobody_has_sparks)
{
    uint64_t chance = 11;
    int asks = 0, none = 0;
    for (int i = 0; i < 2000; i++) {
        Tables t;
        draw_dry(&t, &chance);
        const int32_t wanted = gains_most(&t);
        if (wanted >= 0)
            cr_expect_eq(asked(&t, 0), wanted);
        asks += wanted >= 0;
        none += wanted < 0;
        if (wanted < 0 || i % 2) {
            if (wanted >= 0) /* somebody has sparks */
                hear(&t, 1 + i % 5, 1, 3, 1);
            const int32_t usual = asked(&t, 0);
            t.repeats = 0;
            cr_expect_eq(asked(&t, 0), usual);
        }
        tables_free(&t);
    }
    cr_expect(asks > 200 && none > 200);
}

/* The last sparks go to an idle process that ends them sooner than who asks. */
Test(gum_predicted, keeps_the_last_sparks_for_faster_processes)
{
    Tables t;
    make(&t);
    t.fixed[2].speed = t.fixed[3].speed = 4;
    t.dynamic[0].sparks = 1;
    for (int32_t p = 1; p < SIZE; p++)
        hear(&t, p, 0.999, 0, p == 3);
    cr_expect_eq(predicted_instead(&t, 1), 2);  /* 3 is busy */
    cr_expect_eq(predicted_instead(&t, 2), -1); /* nobody is faster */
    t.dynamic[3].threads = 0;
    t.dynamic[2].threads = 1;
    cr_expect_eq(predicted_instead(&t, 1), -1); /* 3 is too far for 10 ms */
    t.task = 1;
    cr_expect_eq(predicted_instead(&t, 1), 3);
    t.dynamic[0].sparks = 2;
    cr_expect_eq(predicted_instead(&t, 1), -1); /* one for each */
    t.dynamic[0].sparks = 1;
    t.dynamic[0].stamp = 2;
    cr_expect_eq(predicted_instead(&t, 1), -1); /* by now it runs something */
    tables_free(&t);
}

/* Whose tasks are not known gives one: many would be begun at once where one takes long. */
Test(gum_predicted, gives_one_before_a_task_is_known)
{
    Tables t;
    make(&t);
    t.dynamic[0].sparks = 10000;
    t.task = 0;
    cr_expect_eq(predicted_sparks(&t, 3), 1);
    t.task = 1e-4;
    cr_expect_gt(predicted_sparks(&t, 3), 100);
    tables_free(&t);
}
