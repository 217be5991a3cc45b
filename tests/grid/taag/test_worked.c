/* The worked examples of Bosa and Schreiner, and the divisions of programs. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>

#include "grid/taag/schedule/clusters.h"
#include "grid/taag/schedule/schedule.h"
#include "grid/taag/schedule/shape.h"

/* Figure 5: hosts 1-4, 5-8 and 9-10. */
static AmogetMachine *figure_5(void)
{
    static const int32_t cores[10] = {4, 2, 2, 2, 2, 2, 2, 2, 4, 4};
    static const double inside[3] = {0.11e-3, 0.13e-3, 0.13e-3};
    AmogetMachine *m = NULL;
    char name[16];
    cr_assert_eq(amoget_machine_new(&m, NULL), PEPA_OK);
    for (int32_t i = 0; i < 10; i++) {
        (void)snprintf(name, sizeof name, "h%d", i + 1);
        amoget_add_processor(m, name, 1, NULL);
        amoget_set_cores(m, i, cores[i], NULL);
        for (int32_t j = 0; j < i; j++) {
            int32_t a = i / 4, b = j / 4;
            amoget_set_latency(m, i, j, a == b ? inside[a] : a == 1 ? 1.9e-3 : 11.2e-3, NULL);
        }
    }
    return m;
}

Test(worked, clusters_of_figure_5)
{
    AmogetMachine *m = figure_5();
    Hosts hosts;
    LatencyTree tree;
    Clusters c;
    cr_assert_eq(hosts_make(&hosts, m, 1, NULL), PEPA_OK);
    cr_assert_eq(linkage_make(&tree, &hosts, 26, NULL), PEPA_OK);
    cr_assert_eq(clusters_find(&c, &hosts, &tree, INFINITY, NULL), PEPA_OK);
    cr_assert_eq(c.count, 15);
    static const int64_t capacity[5] = {10, 8, 8, 18, 26};
    static const int32_t level[5] = {1, 1, 1, 2, 3};
    for (int i = 0; i < 5; i++) {
        cr_expect_eq(c.each[10 + i].capacity, capacity[i]);
        cr_expect_eq(c.each[10 + i].level, level[i]);
    }
    clusters_free(&c);
    linkage_free(&tree);
    hosts_free(&hosts);
    amoget_machine_free(m);
}

/* Hosts 1-2 and 2-3 are near, 1-3 are not: two clusters overlap. */
Test(worked, clusters_that_overlap)
{
    AmogetMachine *m = NULL;
    Hosts hosts;
    LatencyTree tree;
    Clusters c;
    cr_assert_eq(amoget_machine_new(&m, NULL), PEPA_OK);
    amoget_add_processor(m, "a", 1, NULL);
    amoget_add_processor(m, "b", 1, NULL);
    amoget_add_processor(m, "c", 1, NULL);
    amoget_set_latency(m, AMOGET_DEFAULT, AMOGET_DEFAULT, 0.2e-3, NULL);
    amoget_set_latency(m, 0, 2, 2e-3, NULL);
    cr_assert_eq(hosts_make(&hosts, m, 3, NULL), PEPA_OK);
    cr_assert_eq(linkage_make(&tree, &hosts, 9, NULL), PEPA_OK);
    cr_assert_eq(clusters_find(&c, &hosts, &tree, INFINITY, NULL), PEPA_OK);
    cr_assert_eq(c.count, 6);
    cr_expect(c.each[3].count == 2 && c.each[3].hosts[0] == 0 && c.each[3].hosts[1] == 1);
    cr_expect(c.each[4].count == 2 && c.each[4].hosts[0] == 1 && c.each[4].hosts[1] == 2);
    cr_expect(c.each[5].count == 3 && c.each[5].level == 2 && c.each[5].capacity == 9);
    clusters_free(&c);
    linkage_free(&tree);
    hosts_free(&hosts);
    amoget_machine_free(m);
}

Test(worked, groups_16_4)
{
    AmogetMachine *m = figure_5();
    AmogetProgram p = {.kind = AMOGET_GROUPS, .processes = 16, .least = 4, .divisor = 1};
    ScheduleSettings set = {.coefficient = 1, .paper = true};
    Schedule s;
    cr_assert_eq(schedule_find(&s, m, &p, &set, NULL), PEPA_OK);
    cr_expect_eq(s.partitions, 11);
    cr_expect_eq(s.mapping->group_count, 2);
    cr_expect_eq(s.mapping->groups[0].size, 10);
    cr_expect_eq(s.cost.level, 1);
    cr_expect_float_eq(s.cost.most, 1.9, 1e-12);
    cr_expect_float_eq(s.cost.mean, 1.9, 1e-12);
    for (int32_t rank = 10; rank < 16; rank++) /* six on hosts 5 to 7 */
        cr_expect_eq(s.mapping->host_of[rank], 4 + (rank - 10) / 2);
    schedule_free(&s);
    amoget_machine_free(m);
}

Test(worked, divisions)
{
    AmogetProgram p = {.kind = AMOGET_GROUPS, .processes = 12, .least = 4, .divisor = 1};
    cr_expect_eq(division_count(&p), 5);
    p.divisor = 2;
    cr_expect_eq(division_count(&p), 3); /* 8+4, 7+5, 6+6 */
    AmogetProgram tree = {.kind = AMOGET_TREE, .processes = 19, .levels = 3, .least = 5};
    cr_expect_eq(division_count(&tree), 6);
    static const int32_t leaves[6][3] = {{17}, {11, 5}, {10, 6}, {9, 7}, {8, 8}, {5, 5, 5}};
    int32_t at = 0;
    for (int32_t parts = 1; parts <= 3; parts++) {
        Shape shape;
        bool no_memory = false;
        cr_assert(division_make(&shape, &tree, parts, &no_memory));
        do
            for (int32_t i = 0; i < parts; i++)
                cr_expect_eq(shape.size[shape.fixed + i], leaves[at][i]);
        while (at++, division_next(&shape));
        division_free(&shape);
    }
    cr_expect_eq(at, 6);
    AmogetProgram hundred = {.kind = AMOGET_GROUPS, .processes = 100, .least = 1, .divisor = 1};
    cr_expect_eq(division_count(&hundred), 190569292); /* the partitions of 100 */
}

/* Two groups have one connection, not one each way; three have three. */
Test(worked, small_rings)
{
    AmogetProgram p = {.kind = AMOGET_RING, .processes = 6, .least = 2, .divisor = 1};
    for (int32_t parts = 1; parts <= 3; parts++) {
        Shape shape;
        bool no_memory = false;
        cr_assert(division_make(&shape, &p, parts, &no_memory));
        cr_expect_eq(shape.edge_count, parts == 1 ? 0 : parts == 2 ? 1 : 3);
        division_free(&shape);
    }
}

/* The claim that an optimum always has a group that fits a cluster does not hold. */
Test(worked, the_filter_loses)
{
    AmogetMachine *m = NULL;
    AmogetProgram p = {.kind = AMOGET_GROUPS, .processes = 6, .least = 3, .divisor = 1};
    cr_assert_eq(amoget_machine_new(&m, NULL), PEPA_OK);
    amoget_add_processor(m, "a", 1, NULL);
    amoget_add_processor(m, "b", 1, NULL);
    amoget_set_cores(m, 0, 4, NULL);
    amoget_set_cores(m, 1, 4, NULL);
    amoget_set_latency(m, 0, 1, 10e-3, NULL);
    for (int way = 0; way < 3; way++) {
        ScheduleSettings set = {.coefficient = 1, .paper = way < 2, .any_partition = way == 1};
        Schedule s;
        cr_assert_eq(schedule_find(&s, m, &p, &set, NULL), PEPA_OK);
        cr_expect_eq(s.cost.level, way == 0 ? 1 : 0);
        cr_expect_float_eq(s.cost.mean, way == 0 ? 0 : 10, 1e-12);
        schedule_free(&s);
    }
    amoget_machine_free(m);
}

/* 32 groups on 100 hosts of three clusters, proved. */
Test(worked, many_groups)
{
    AmogetMachine *m = NULL;
    AmogetProgram p = {.kind = AMOGET_GROUPS, .processes = 256, .least = 8, .divisor = 32};
    ScheduleSettings set = {.coefficient = 1};
    Schedule s;
    char name[16];
    cr_assert_eq(amoget_machine_new(&m, NULL), PEPA_OK);
    for (int32_t i = 0; i < 100; i++) {
        (void)snprintf(name, sizeof name, "h%d", i);
        amoget_add_processor(m, name, 1, NULL);
        amoget_set_cores(m, i, 4, NULL);
        for (int32_t j = 0; j < i; j++)
            amoget_set_latency(m, i, j, i % 3 == j % 3 ? 0.13e-3 : 1.9e-3, NULL);
    }
    cr_assert_eq(schedule_find(&s, m, &p, &set, NULL), PEPA_OK);
    cr_expect(s.optimal);
    cr_expect_eq(s.mapping->group_count, 32);
    /* a cluster of 34 hosts holds 17 groups, one of 33 hosts the 15 others */
    double near = 0.5 * 17 * 16 + 0.5 * 15 * 14;
    cr_expect_float_eq(s.cost.mean, (near * 0.13 + (496 - near) * 1.9) / 496, 1e-9);
    schedule_free(&s);
    amoget_machine_free(m);
}

/* Figure 6: three galaxies on two sites, which "machines" files fill in their order. */
Test(worked, figure_6_in_order)
{
    static const int32_t places[2][2] = {{6, 12}, {12, 6}}; /* MPI1: altix1 first; MPI2: alex */
    int32_t sizes[3] = {3, 6, 9};
    const AmogetProgram p = {.kind = AMOGET_GRAPH,
                             .processes = 18,
                             .group_count = 3,
                             .sizes = sizes,
                             .divisor = 1};
    for (int which = 0; which < 2; which++) {
        AmogetMachine *m = NULL;
        ScheduleSettings set = {.coefficient = 1, .in_order = true};
        Schedule s;
        cr_assert_eq(amoget_machine_new(&m, NULL), PEPA_OK);
        amoget_add_processor(m, "first", 1, NULL);
        amoget_add_processor(m, "second", 1, NULL);
        amoget_set_cores(m, 0, places[which][0], NULL);
        amoget_set_cores(m, 1, places[which][1], NULL);
        amoget_set_latency(m, 0, 1, 5e-3, NULL);
        cr_assert_eq(schedule_find(&s, m, &p, &set, NULL), PEPA_OK);
        for (int32_t rank = 0; rank < 18; rank++) {
            cr_expect_eq(s.mapping->host_of[rank], rank >= places[which][0]);
            cr_expect_eq(s.mapping->group_of[rank], rank < 3 ? 0 : rank < 9 ? 1 : 2);
        }
        /* MPI1 divides the second galaxy, MPI2 the third: two or three pairs of galaxies have a
         * process on either side. */
        cr_expect(s.whole && !s.optimal && s.cost.level == 1);
        cr_expect_float_eq(s.cost.mean, which == 0 ? 5 : 10.0 / 3, 1e-12);
        schedule_free(&s);
        amoget_machine_free(m);
    }
}

/* Of the partitions of a program without given sizes, that whose groups the order happens to suit. */
Test(worked, sizes_in_order)
{
    AmogetMachine *m = figure_5();
    AmogetProgram p = {.kind = AMOGET_GROUPS, .processes = 16, .least = 4, .divisor = 1};
    ScheduleSettings set = {.coefficient = 1, .in_order = true};
    Schedule s;
    cr_assert_eq(schedule_find(&s, m, &p, &set, NULL), PEPA_OK);
    cr_expect_eq(s.mapping->group_count, 2);
    cr_expect_eq(s.mapping->groups[0].size, 10);
    cr_expect_eq(s.cost.level, 1);
    schedule_free(&s);
    p.kind = AMOGET_SINGLETON;
    p.processes = 26;
    cr_assert_eq(schedule_find(&s, m, &p, &set, NULL), PEPA_OK);
    cr_expect_eq(s.cost.level, 3);
    cr_expect_eq(s.mapping->host_of[25], 9);
    schedule_free(&s);
    amoget_machine_free(m);
}

/* 147,273 partitions of 48 are all tried, the 4e12 of 200 are not, and the schedule says so. */
Test(worked, many_partitions_in_order)
{
    AmogetMachine *m = NULL;
    AmogetProgram p = {.kind = AMOGET_GROUPS, .processes = 48, .least = 1, .divisor = 1};
    ScheduleSettings set = {.coefficient = 48, .in_order = true};
    Schedule s;
    cr_assert_eq(amoget_machine_new(&m, NULL), PEPA_OK);
    amoget_add_processor(m, "a", 1, NULL);
    amoget_add_processor(m, "b", 1, NULL);
    amoget_set_latency(m, 0, 1, 5e-3, NULL);
    cr_assert_eq(schedule_find(&s, m, &p, &set, NULL), PEPA_OK);
    cr_expect(s.whole && s.partitions > 147000 && s.mapping->group_count == 1);
    schedule_free(&s);
    p.processes = 200;
    set.coefficient = 200;
    cr_assert_eq(schedule_find(&s, m, &p, &set, NULL), PEPA_OK);
    cr_expect(!s.whole && s.partitions > 3e12);
    schedule_free(&s);
    amoget_machine_free(m);
}
