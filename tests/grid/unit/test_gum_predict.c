/* Predictions for GUM programs: parts against closed forms, the whole against bounds and symmetries. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "grid/gum/predict/advise.h"
#include "grid/gum/predict/search.h"
#include "grid/gum/predict/shape.h"

/* ---- shapes ---------------------------------------------------------------------------------- */

static void set_level(Profile *p, int32_t d, int64_t tasks, double mean)
{
    p->level[d] = (ProfileLevel){.tasks = tasks, .work = (double)tasks * mean, .longest = mean};
    p->levels = d + 1;
}

static Profile list_of(int64_t tasks, double mean)
{
    Profile p = {.program = "list", .makespan = 1};
    set_level(&p, 0, 1, 0);
    set_level(&p, 1, tasks, mean);
    return p;
}

Test(gum_predict, a_list_is_taken_from_the_main_process_alone)
{
    const Profile p = list_of(1000, 0.25);
    const WorkShape s = work_shape(&p, 8);
    cr_expect(s.work == 250 && s.main == 250 && s.spread == 0 && s.piece == 0);
    cr_expect(s.sparks == 1000 && fabs(s.granule - 0.25) < 1e-12 && fabs(s.leaf - 0.25) < 1e-12);
}

Test(gum_predict, a_tree_moves_again_on_each_level)
{
    Profile p = {.makespan = 1};
    for (int32_t d = 0; d <= 12; d++)
        set_level(&p, d, INT64_C(1) << d, 1);
    const WorkShape s = work_shape(&p, 8);
    cr_expect(fabs(s.work - 8191) < 1e-9 && fabs(s.main + s.spread - s.work) < 1e-9);
    cr_expect(fabs(s.branches - 2) < 1e-12);
    /* About P moves a level: work for each process, and little else. */
    const double moves = s.spread / s.piece;
    cr_expect(moves > 8 * 6 && moves < 8 * 12, "%g", moves);
}

/* Tasks that are taken may run twice: all of a list; of a tree the share that moves. */
Test(gum_predict, what_may_run_twice_is_what_is_taken)
{
    Profile list = list_of(1000, 1), tree = {.makespan = 1};
    list.level[1].pure = 750;
    cr_expect(fabs(work_shape(&list, 8).pure - 0.75) < 1e-12);
    for (int32_t d = 0; d <= 12; d++)
        set_level(&tree, d, INT64_C(1) << d, 1);
    cr_expect_eq(work_shape(&tree, 8).pure, 0);
    tree.level[12].pure = tree.level[12].tasks;
    const WorkShape s = work_shape(&tree, 8);
    cr_expect(fabs(s.pure - s.spread / s.piece / s.leaves) < 1e-12 && s.pure > 0 && s.pure < 0.1);
}

/* ---- platforms and searches ------------------------------------------------------------------- */

static const char grid_text[] =
    "processors { a time 1 cores 4; b time 1 cores 2; far time 0.5 cores 4; }\n"
    "network { latency default 0.2 ms; latency local 0.2 ms; latency a far 30 ms; latency b far 30 "
    "ms; }\n";

static void platform_from(Platform *out, const char *text, int32_t processes)
{
    AmogetMachine *machine = NULL;
    PepaError err = {0};
    cr_assert_eq(amoget_machine_parse(&machine, "g", text, strlen(text), NULL, &err), PEPA_OK, "%s",
                 err.message);
    cr_assert_eq(platform_new(out, machine, processes, &err), PEPA_OK, "%s", err.message);
    amoget_machine_free(machine);
}

Test(gum_predict, finds_clusters_groups_and_the_main_process)
{
    Platform p;
    platform_from(&p, grid_text, 0);
    cr_expect(p.size == 10 && p.tables.clusters == 2 && fabs(p.speed - 14) < 1e-12);
    cr_expect_eq(p.tables.fixed[p.tables.main].cluster, 1); /* 8 units a second against 6 */
    cr_assert_eq(p.groups, 2);
    cr_expect(p.group[0].copies == 6 && p.group[0].latency == 0.03 && p.group[0].time == 1);
    cr_expect(p.group[1].copies == 3 && p.group[1].latency == 0.0002);
    Platform more;
    PepaError err;
    cr_assert_eq(platform_grow(&more, &p, 0, &err), PEPA_OK);
    cr_expect(more.size == 11 && more.group[0].copies == 7 && fabs(more.speed - 15) < 1e-12);
    platform_free(&more);
    platform_free(&p);
}

/* As the run-time has them: whatever their latency, which the model keeps. */
Test(gum_predict, cores_of_a_processor_are_one_cluster)
{
    Platform p;
    platform_from(&p, "processors { a time 1 cores 65; } network { latency local 1 ms; }", 0);
    cr_expect(p.tables.clusters == 1 && p.groups == 1);
    cr_expect(p.group[0].copies == 64 && p.group[0].latency == 1e-3);
    platform_free(&p);
    platform_from(&p,
                  "processors { a time 1 cores 3; b time 1 cores 2; }\n"
                  "network { latency default 1 ms; latency local 5 ms; }",
                  0);
    cr_expect_eq(p.tables.clusters, 2);
    for (int32_t i = 0; i < 5; i++)
        cr_expect_eq(p.tables.fixed[i].cluster, i < 3 ? 0 : 1);
    platform_free(&p);
}

Test(gum_predict, asks_for_cores_that_there_are)
{
    AmogetMachine *machine = NULL;
    PepaError err = {0};
    Platform p;
    cr_assert_eq(amoget_machine_parse(&machine, "g", grid_text, strlen(grid_text), NULL, &err),
                 PEPA_OK);
    cr_expect_eq(platform_new(&p, machine, 11, &err), PEPA_EARG);
    platform_free(&p);
    cr_expect_eq(platform_new(&p, machine, 1, &err), PEPA_OK);
    cr_expect(p.size == 1 && p.groups == 0);
    platform_free(&p);
    amoget_machine_free(machine);
}

/* Without handling, `random` on one cluster: a geometric number of moves, all of the same latency. */
Test(gum_predict, a_blind_search_is_geometric)
{
    Platform p;
    platform_from(&p,
                  "processors { a time 1 cores 12; } network { latency default 1 ms; "
                  "latency local 0.5 ms; }",
                  0);
    const Profile profile = list_of(1000, 1);
    const Policy policy = {.name = POLICY_RANDOM, .age_limit = 100000};
    const Sparks sparks = {.pool = 500, .task = 1};
    const Search s = search_of(&p, &profile, &policy, &sparks, &p.group[0]);
    cr_expect(fabs(s.seconds - (10 + 1) * 0.0005) < 1e-9, "%g", s.seconds);
    cr_expect(fabs(s.messages - 11) < 1e-6);
    cr_expect_eq(s.bulk, 1);
    platform_free(&p);
}

/* ---- the whole ------------------------------------------------------------------------------- */

static const Predicting plain = {.age_limit = -1, .stages = 1, .most_states = 1000};

static void predicted(const Platform *p, const Profile *profile, Prediction each[POLICIES])
{
    PepaError err = {0};
    cr_assert_eq(predict_all(p, profile, &plain, each, &err), PEPA_OK, "%s", err.message);
}

/* Half of such a pool is more sparks than 32 bits count. */
Test(gum_predict, as_many_tasks_as_nobody_has)
{
    Platform p;
    Prediction each[POLICIES];
    platform_from(&p, grid_text, 0);
    const Profile profile = list_of(INT64_C(1000000000000), 1e-10);
    predicted(&p, &profile, each);
    for (int k = 0; k < POLICIES; k++)
        cr_expect(each[k].makespan > 100 / p.speed && each[k].makespan < 100, "%g",
                  each[k].makespan);
    platform_free(&p);
}

Test(gum_predict, is_bounded_by_capacity_and_by_one_process)
{
    Platform p;
    Prediction each[POLICIES];
    platform_from(&p, grid_text, 0);
    for (double mean = 1e-3; mean < 20; mean *= 10) {
        const Profile profile = list_of(5000, mean);
        predicted(&p, &profile, each);
        for (int k = 0; k < POLICIES; k++) {
            cr_expect(each[k].efficiency > 0 && each[k].efficiency < 1, "%s at %g: %g",
                      policy_text((PolicyName)k), mean, each[k].efficiency);
            cr_expect(each[k].makespan < 1.01 * 5000 * mean * 0.5 + 1);
        }
        cr_expect(each[POLICY_RANDOM].makespan >= each[POLICY_BUSIEST].makespan);
    }
    platform_free(&p);
}

/* Two lists of 300 tasks of 1 ms, which it takes 72 ms to look for: each process has one of them to itself, and
 * the main process alone would take 0.81 s. */
Test(gum_predict, tasks_far_shorter_than_searches)
{
    Platform p;
    Prediction each[POLICIES];
    Profile lists = {.program = "lists", .makespan = 1};
    set_level(&lists, 0, 1, 0.01);
    set_level(&lists, 1, 2, 0.1);
    set_level(&lists, 2, 600, 1e-3);
    platform_from(&p,
                  "processors { a time 1; b time 1; }\n"
                  "network { latency default 35.8 ms; latency local 1 us; }\n",
                  0);
    predicted(&p, &lists, each);
    for (int k = 0; k < POLICIES; k++)
        cr_expect(each[k].makespan > 0.405 && each[k].makespan < 0.7, "%s: %g",
                  policy_text((PolicyName)k), each[k].makespan);
    platform_free(&p);
}

Test(gum_predict, scales_with_the_unit_of_time)
{
    Platform p, q;
    Prediction a[POLICIES], b[POLICIES];
    platform_from(&p, grid_text, 0);
    platform_from(&q,
                  "processors { a time 10 cores 4; b time 10 cores 2; far time 5 cores 4; }\n"
                  "network { latency default 2 ms; latency local 2 ms; latency a far 300 ms; "
                  "latency b far 300 ms; }\n",
                  0);
    /* Clusters are apart from a latency on: those of the first platform. */
    for (int32_t i = 0; i < q.size; i++)
        q.tables.fixed[i].cluster = p.tables.fixed[i].cluster;
    q.tables.main = p.tables.main;
    q.tables.clusters = p.tables.clusters;
    PepaError err;
    cr_assert_eq(platform_regroup(&q, &err), PEPA_OK);
    const Profile profile = list_of(3000, 0.05);
    predicted(&p, &profile, a);
    predicted(&q, &profile, b);
    for (int k = POLICY_BUSIEST; k < POLICIES; k++) /* without pauses, which are seconds */
        cr_expect(fabs(b[k].makespan / a[k].makespan - 10) < 1e-6, "%s: %.9g",
                  policy_text((PolicyName)k), b[k].makespan / a[k].makespan);
    platform_free(&p);
    platform_free(&q);
}

Test(gum_predict, of_one_process_is_all_work)
{
    Platform p;
    Prediction each[POLICIES];
    platform_from(&p, grid_text, 1);
    const Profile profile = list_of(100, 0.5);
    predicted(&p, &profile, each);
    for (int k = 0; k < POLICIES; k++)
        cr_expect(fabs(each[k].makespan - 50) < 1e-9 && fabs(each[k].efficiency - 1) < 1e-9);
    platform_free(&p);
}

/* Elasticities of speeds of all and of latencies: the makespan is homogeneous of degree 1 in times, but
 * for what is fixed in seconds. */
Test(gum_predict, elasticities_add_up)
{
    Platform p;
    Worth worth[2];
    PepaError err = {0};
    platform_from(&p, grid_text, 0);
    const Profile profile = list_of(3000, 0.05);
    const double before = p.time[0];
    cr_assert_eq(cluster_worth(&p, &profile, POLICY_BUSIEST, &plain, worth, &err), PEPA_OK);
    const double sum = worth[0].speed + worth[1].speed - worth[0].latency - worth[1].latency;
    /* A link between both counts in both. */
    cr_expect(sum < -0.9 && sum > -1.2, "%g", sum);
    cr_expect(worth[0].processes < 0 && worth[1].processes < 0);
    cr_expect(fabs(p.time[0] - before) < 1e-12);
    Crossover crossing[MOST_CROSSOVERS];
    int32_t count;
    cr_assert_eq(latency_crossovers(&p, &profile, &plain, crossing, &count, &err), PEPA_OK);
    for (int32_t i = 0; i < count; i++)
        cr_expect(crossing[i].above != crossing[i].below && crossing[i].factor > 0);
    platform_free(&p);
}

/* Two clusters that can change places are worth the same, and so is each when nothing says that they are alike. */
Test(gum_predict, clusters_that_are_alike)
{
    static const char text[] =
        "processors { a time 0.2; b time 0.5 cores 2; c time 0.5 cores 2; }\n"
        "network { latency default 30 ms; latency local 0.1 ms; }\n";
    Platform p;
    Worth once[3], each[3];
    PepaError err = {0};
    int32_t moved[5];
    const Profile profile = list_of(300, 0.5);
    platform_from(&p, text, 0);
    cr_assert(p.tables.clusters == 3 && platform_alike(&p, 1, 2, moved));
    cr_expect(!platform_alike(&p, 0, 1, moved) && platform_alike(&p, 0, 0, moved));
    cr_assert_eq(cluster_worth(&p, &profile, POLICY_PREDICTED, &plain, once, &err), PEPA_OK);
    cr_expect(once[1].speed == once[2].speed && once[1].one_more == once[2].one_more);
    p.latency[0 * p.size + 1] *= 1 + 1e-9;
    cr_expect(!platform_alike(&p, 1, 2, moved));
    p.latency[0 * p.size + 1] = p.latency[0 * p.size + 2];
    p.time[4] *= 1 + 1e-9;
    cr_assert(!platform_alike(&p, 1, 2, moved));
    cr_assert_eq(cluster_worth(&p, &profile, POLICY_PREDICTED, &plain, each, &err), PEPA_OK);
    for (int32_t c = 0; c < 3; c++)
        cr_expect(fabs(once[c].speed - each[c].speed) < 1e-5 &&
                      fabs(once[c].latency - each[c].latency) < 1e-5 &&
                      fabs(once[c].processes - each[c].processes) < 1e-5 &&
                      fabs(once[c].one_more / each[c].one_more - 1) < 1e-6,
                  "cluster %d: %g %g, %g %g", (int)c, once[c].speed, each[c].speed,
                  once[c].one_more, each[c].one_more);
    platform_free(&p);
}

Test(gum_predict, needs_sparks_for_a_model)
{
    Platform p;
    PepaError err = {0};
    char *text = NULL;
    Profile profile = {.program = "alone", .makespan = 1};
    set_level(&profile, 0, 1, 5);
    platform_from(&p, grid_text, 0);
    cr_expect_eq(predict_text(&p, &profile, POLICY_RANDOM, &plain, &text, &err), PEPA_EMODEL);
    platform_free(&p);
}
