/* Policies and tables of GUM, against numbers worked out by hand. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "grid/gum/policy/draw.h"
#include "grid/gum/policy/policy.h"
#include "grid/gum/policy/tuning.h"

enum { MOST = 16 };

/* Processes with these speeds, loads (all sparks) and clusters; latency 0.2 ms within a cluster and 36
 * ms between clusters.  `self` looks. */
static void make(Tables *tables, int32_t size, int32_t self, const double *speed,
                 const int32_t *load, const int32_t *cluster)
{
    cr_assert(tables_new(tables, size, self) == 0);
    for (int32_t p = 0; p < size; p++) {
        tables->fixed[p] = (PeStatic){speed[p], cluster[p]};
        tables->dynamic[p] = (PeDynamic){1, load[p], 0, -1};
        tables->communication[p].latency = cluster[p] == cluster[self] ? 0.2e-3 : 36e-3;
        if (cluster[p] >= tables->clusters)
            tables->clusters = cluster[p] + 1;
    }
}

static Policy policy(PolicyName name)
{
    return (Policy){.name = name, .age_limit = 5};
}

/* An idle process in Munich sees an idle one there and two in Edinburgh, one with 8 sparks.  It asks that
 * one, which gives 2 sparks: Munich offers 1529 / 97.1 = 15 times as much, but has 2 processes. */
Test(gum_policy, worked_example)
{
    const double speed[] = {1529, 1529, 534, 534};
    const int32_t load[] = {0, 0, 8, 1}, cluster[] = {0, 0, 1, 1};
    Policy it = policy(POLICY_NEAREST_LOADED);
    uint64_t chance = 1;
    Tables thief, victim;
    make(&thief, 4, 0, speed, load, cluster);
    thief.main = 3;
    cr_assert(fabs(tables_ratio(&thief, 2) - 534.0 / 9) < 1e-9); /* 59.3 */
    cr_assert(policy_target(&it, &thief, 0, REACH_ALL, &chance) == 2);
    make(&victim, 4, 2, speed, load, cluster);
    cr_assert(fabs(tables_cluster_ratio(&victim, 1) - 1068.0 / 11) < 1e-9); /* 97.1 */
    cr_assert(tables_cluster_ratio(&victim, 0) == 1529);
    cr_assert(floor(tables_cluster_ratio(&victim, 0) / tables_cluster_ratio(&victim, 1)) == 15);
    FishAnswer answer = policy_answer(&it, &victim, &(Fish){0, 0, 0, REACH_ALL}, &chance);
    cr_assert(answer.action == FISH_SERVE && answer.sparks == 2);
    tables_free(&thief);
    tables_free(&victim);
}

/* 2007, figure 4: the nearest that offers less, not the one that offers least. */
Test(gum_policy, nearest_before_busiest)
{
    const double speed[] = {500, 500, 500, 500};
    const int32_t load[] = {0, 1, 0, 50}, cluster[] = {0, 0, 0, 1};
    uint64_t chance = 1;
    Tables tables;
    make(&tables, 4, 0, speed, load, cluster);
    Policy nearest = policy(POLICY_NEAREST_LOADED), most = policy(POLICY_BUSIEST);
    cr_assert(policy_target(&nearest, &tables, 0, REACH_ALL, &chance) == 1);
    cr_assert(policy_target(&most, &tables, 0, REACH_ALL, &chance) == 3);
    tables_free(&tables);
}

/* Nobody is known to have work: the main process is asked; which itself asks anybody. */
Test(gum_policy, nothing_known)
{
    const double speed[] = {500, 500, 500};
    const int32_t load[] = {0, 0, 0}, cluster[] = {0, 0, 0};
    uint64_t chance = 1;
    Tables tables;
    make(&tables, 3, 0, speed, load, cluster);
    for (int name = POLICY_NEAREST_LOADED; name < POLICIES; name++) {
        Policy it = policy((PolicyName)name);
        tables.main = 2;
        cr_assert(policy_target(&it, &tables, 0, REACH_ALL, &chance) == 2);
        tables.main = 0;
        int32_t to = policy_target(&it, &tables, 0, REACH_ALL, &chance);
        cr_assert(to == 1 || to == 2);
    }
    tables_free(&tables);
}

/* Who is alone asks nobody; of two each asks the other. */
Test(gum_policy, one_and_two)
{
    const double speed[] = {500, 500};
    const int32_t load[] = {0, 0}, cluster[] = {0, 0};
    for (int name = 0; name < POLICIES; name++)
        for (int32_t size = 1; size <= 2; size++) {
            uint64_t chance = 3;
            Policy it = policy((PolicyName)name);
            Tables tables;
            make(&tables, size, 0, speed, load, cluster);
            cr_assert(policy_target(&it, &tables, 0, REACH_ALL, &chance) == (size == 1 ? -1 : 1));
            /* an empty pool: nobody is left to pass a FISH of the other on to */
            if (size == 2)
                cr_assert(
                    policy_answer(&it, &tables, &(Fish){1, 0, 0, REACH_ALL}, &chance).action ==
                    FISH_NULL);
            tables_free(&tables);
        }
}

/* GUM1: each other process as often, with an empty pool passed on to any but origin and self. */
Test(gum_policy, random_is_uniform)
{
    enum { DRAWS = 40000 };
    const double speed[] = {1, 2, 3, 4, 5};
    const int32_t load[] = {0, 0, 9, 0, 0}, cluster[] = {0, 0, 0, 1, 1};
    int count[5] = {0}, passed[5] = {0};
    uint64_t chance = 7;
    Policy it = policy(POLICY_RANDOM);
    Tables tables;
    make(&tables, 5, 1, speed, load, cluster);
    for (int i = 0; i < DRAWS; i++) {
        count[policy_target(&it, &tables, 0, REACH_ALL, &chance)]++;
        FishAnswer answer = policy_answer(&it, &tables, &(Fish){3, 0, 0, REACH_ALL}, &chance);
        cr_assert(answer.action == FISH_FORWARD);
        passed[answer.to]++;
    }
    cr_assert(count[1] == 0 && passed[1] == 0 && passed[3] == 0);
    /* five standard deviations of a binomial count */
    for (int p = 0; p < 5; p++) {
        if (p != 1)
            cr_assert(fabs(count[p] - DRAWS / 4.0) < 5 * sqrt(DRAWS * 0.25 * 0.75));
        if (p != 1 && p != 3)
            cr_assert(fabs(passed[p] - DRAWS / 3.0) < 5 * sqrt(DRAWS * 2.0 / 9));
    }
    tables.dynamic[1].sparks = 1;
    FishAnswer answer = policy_answer(&it, &tables, &(Fish){3, 0, 0, REACH_ALL}, &chance);
    cr_assert(answer.action == FISH_SERVE && answer.sparks == 1);
    tables_free(&tables);
}

/* 2007, figure 6: a FISH of one that offers no more than this process is passed on, until it is old. */
Test(gum_policy, weaker_origin_is_passed_on)
{
    const double speed[] = {500, 1500, 500};
    const int32_t load[] = {0, 1, 3}, cluster[] = {0, 0, 0};
    uint64_t chance = 1;
    Policy it = policy(POLICY_NEAREST_LOADED);
    Tables tables;
    make(&tables, 3, 1, speed, load, cluster);
    FishAnswer answer = policy_answer(&it, &tables, &(Fish){0, 0, 0, REACH_ALL}, &chance);
    cr_assert(answer.action == FISH_FORWARD && answer.to == 2);
    answer = policy_answer(&it, &tables, &(Fish){0, it.age_limit, 0, REACH_ALL}, &chance);
    cr_assert(answer.action == FISH_NULL);
    answer = policy_answer(&it, &tables, &(Fish){0, it.age_limit - 1, 0, REACH_ALL}, &chance);
    cr_assert(answer.action == FISH_FORWARD);
    /* with more load this one offers less: 1500 / 4 < 500 */
    tables.dynamic[1].sparks = 3;
    answer = policy_answer(&it, &tables, &(Fish){0, it.age_limit, 0, REACH_ALL}, &chance);
    cr_assert(answer.action == FISH_SERVE && answer.sparks == 1);
    /* 2005 serves it in any case */
    tables.dynamic[1].sparks = 1;
    it.name = POLICY_BUSIEST;
    cr_assert(policy_answer(&it, &tables, &(Fish){0, 0, 0, REACH_ALL}, &chance).action ==
              FISH_SERVE);
    tables_free(&tables);
}

/* A FISH from a weaker cluster gets one spark, or with the option of figure 6 is passed on. */
Test(gum_policy, weak_cluster)
{
    const double speed[] = {534, 1529, 1529};
    const int32_t load[] = {0, 0, 6}, cluster[] = {0, 1, 1};
    uint64_t chance = 1;
    Policy it = policy(POLICY_NEAREST_LOADED);
    Tables tables;
    make(&tables, 3, 2, speed, load, cluster);
    /* the origin offers 534 > 1529 / 7; its cluster 534 > 3058 / 8: not weak yet */
    cr_assert(tables_cluster_ratio(&tables, 1) == 3058.0 / 8);
    tables.dynamic[1].sparks = 0;
    tables.fixed[1].speed = 9000; /* now 10529 / 8 > 534 */
    FishAnswer answer = policy_answer(&it, &tables, &(Fish){0, 0, 0, REACH_ALL}, &chance);
    cr_assert(answer.action == FISH_SERVE && answer.sparks == 1);
    it.weak_cluster_waits = 1;
    answer = policy_answer(&it, &tables, &(Fish){0, 0, 0, REACH_ALL}, &chance);
    cr_assert(answer.action == FISH_FORWARD && answer.to == 1);
    tables_free(&tables);
}

/* Sparks in bulk: the whole part of the quotient of the clusters' ratios, at most half of the pool. */
Test(gum_policy, bulk)
{
    const double speed[] = {1000, 1000, 1000, 1000, 100};
    const int32_t load[] = {0, 0, 0, 0, 9}, cluster[] = {0, 0, 0, 0, 1};
    Tables tables;
    make(&tables, 5, 4, speed, load, cluster);
    /* 1000 against 100 / 10: 100 times; 9 / 2 = 4 sparks, 4 processes */
    cr_assert(policy_bulk(&tables, 0) == 4);
    tables.dynamic[4].sparks = 5; /* half of the pool: 2 */
    cr_assert(policy_bulk(&tables, 0) == 2);
    tables.dynamic[4].sparks = 1;
    cr_assert(policy_bulk(&tables, 0) == 1);
    tables.dynamic[4].sparks = 9;
    for (int32_t p = 0; p < 4; p++)
        tables.fixed[p].speed = 29; /* 29 / 10 = 2.9: 2 sparks */
    cr_assert(policy_bulk(&tables, 0) == 2);
    for (int32_t p = 0; p < 4; p++)
        tables.fixed[p].speed = 9; /* weaker */
    cr_assert(policy_bulk(&tables, 0) == 1);
    tables_free(&tables);
}

/* A FISH comes to an end whatever the loads are: it is never given to its origin or to who holds it, and
 * is passed on at most age_limit times. */
Test(gum_policy, every_fish_ends)
{
    enum { GRIDS = 3000 };
    uint64_t chance = 11;
    for (int i = 0; i < GRIDS; i++) {
        int32_t size = 2 + policy_draw(&chance, MOST - 2), load[MOST], cluster[MOST];
        double speed[MOST];
        for (int32_t p = 0; p < size; p++) {
            speed[p] = 100 + policy_draw(&chance, 2000);
            load[p] = policy_draw(&chance, 4) ? 0 : policy_draw(&chance, 20);
            cluster[p] = policy_draw(&chance, 3);
        }
        Policy it = {(PolicyName)policy_draw(&chance, POLICIES), policy_draw(&chance, 6),
                     policy_draw(&chance, 2)};
        int32_t origin = policy_draw(&chance, size), at;
        Tables tables;
        make(&tables, size, origin, speed, load, cluster);
        tables.main = policy_draw(&chance, size);
        at = policy_target(&it, &tables, 0, REACH_ALL, &chance);
        for (Fish fish = {origin, 0, 0, REACH_ALL};; fish.age++) {
            cr_assert(at >= 0 && at < size && at != origin && fish.age <= it.age_limit);
            tables.self = at;
            FishAnswer answer = policy_answer(&it, &tables, &fish, &chance);
            if (answer.action == FISH_SERVE)
                cr_assert(answer.sparks >= 1 && answer.sparks <= load[at]);
            if (answer.action != FISH_FORWARD)
                break;
            cr_assert(answer.to != at);
            at = answer.to;
        }
        tables_free(&tables);
    }
}

Test(gum_policy, names)
{
    for (int i = 0; i < POLICIES; i++)
        cr_assert(policy_find(policy_text((PolicyName)i)) == (PolicyName)i);
    cr_assert(policy_find("") == POLICY_UNKNOWN && policy_find("randomly") == POLICY_UNKNOWN);
    cr_assert(policy_text(POLICY_UNKNOWN) == NULL && policy_text(POLICIES) == NULL);
}

/* Pauses double up to a limit; watermarks are in proportion to speed. */
Test(gum_policy, pauses_and_watermarks)
{
    const double speed[] = {300, 100, 200};
    const int32_t load[] = {0, 0, 0}, cluster[] = {0, 0, 0};
    Tables tables;
    cr_assert(policy_pause(1) == FIRST_PAUSE && policy_pause(2) == 2 * FIRST_PAUSE);
    cr_assert(policy_pause(100) == LONGEST_PAUSE);
    make(&tables, 3, 0, speed, load, cluster);
    cr_assert(policy_watermark(&tables, 4) == 6); /* the mean is 200 */
    tables.self = 1;
    cr_assert(policy_watermark(&tables, 4) == 2);
    tables.self = 2;
    cr_assert(policy_watermark(&tables, 4) == 4 && policy_watermark(&tables, 0) == 0);
    tables_free(&tables);
}

/* ---- tables --------------------------------------------------------------------------------------- */

/* Of each process the newest entry counts, of this one its own. */
Test(gum_tables, newest_entry)
{
    Tables tables;
    cr_assert(tables_new(&tables, 3, 1) == 0);
    tables_hear(&tables, 0, &(PeDynamic){2, 5, 1, -1});
    tables_hear(&tables, 0, &(PeDynamic){1, 9, 9, -1});
    cr_assert(tables.dynamic[0].sparks == 5 && tables_load(&tables, 0) == 6);
    tables_hear(&tables, 0, &(PeDynamic){3, 0, 1, -1});
    cr_assert(tables_load(&tables, 0) == 1);
    tables_hear(&tables, 1, &(PeDynamic){9, 9, 9, -1});
    cr_assert(tables.dynamic[1].stamp < 0);
    tables_free(&tables);
}

/* Short messages show the latency at once; long ones, which waited, raise it little. */
Test(gum_tables, latency)
{
    Tables tables;
    cr_assert(tables_new(&tables, 2, 0) == 0);
    tables.communication[1].latency = 0.010;
    tables_measure(&tables, 1, 0.004, 1);
    cr_assert(tables.communication[1].latency == 0.004 && tables.communication[1].stamp == 1);
    tables_measure(&tables, 1, 0.104, 2);
    cr_assert(fabs(tables.communication[1].latency - 0.006) < 1e-12);
    cr_assert(tables.communication[1].least == 0.004);
    tables_measure(&tables, 1, -1, 3); /* clocks that differ */
    cr_assert(tables.communication[1].latency == 0);
    tables_free(&tables);
}

/* Clusters are what short latencies join, by way of others as well; the main process is the fastest of
 * the strongest cluster. */
Test(gum_tables, clusters)
{
    enum { N = 6 };
    /* 0 - 4 - 2 is a chain of short links, 1 - 5 another, 3 alone */
    double latency[N * N];
    const double speed[N] = {500, 900, 500, 1300, 500, 700};
    Tables tables;
    for (int i = 0; i < N * N; i++)
        latency[i] = 0.03;
    const int near[][2] = {{0, 4}, {2, 4}, {1, 5}};
    for (int k = 0; k < 3; k++)
        latency[near[k][0] * N + near[k][1]] = latency[near[k][1] * N + near[k][0]] = 0.0002;
    cr_assert(tables_new(&tables, N, 0) == 0);
    for (int p = 0; p < N; p++)
        tables.fixed[p].speed = speed[p];
    tables_divide(&tables, latency, 1e-3);
    const int32_t want[N] = {0, 1, 0, 2, 0, 1};
    for (int p = 0; p < N; p++)
        cr_assert(tables.fixed[p].cluster == want[p]);
    cr_assert(tables.clusters == 3 && tables_cluster_size(&tables, 0) == 3);
    cr_assert(tables.main == 1); /* 1600 of cluster 1, against 1500 and 1300 */
    tables_divide(&tables, latency, 1);
    cr_assert(tables.clusters == 1 && tables.main == 3);
    tables_free(&tables);
}
