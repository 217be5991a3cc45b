/* A description with numbers that differ from each other, for tests of what is behind a ranking. */
#ifndef TESTS_AMOGET_LATTICE_H
#define TESTS_AMOGET_LATTICE_H

#include <criterion/criterion.h>
#include <stdio.h>

#include "amoget/description/description.h"

static inline double spread_out(int a, int b)
{
    return ((a * 7 + b * 13) % 17 + 1) / 17.0;
}

/* Processors take 0.1 .. 0.4 s, links 0.005 .. 0.05 s, local moves 1e-4 s. */
static inline AmogetDescription *lattice(int stages, int processors)
{
    PepaError err = {0};
    AmogetDescription *desc = NULL;
    char name[16];
    cr_assert_eq(amoget_new(&desc, &err), PEPA_OK);
    for (int i = 0; i < stages; i++) {
        (void)snprintf(name, sizeof name, "s%d", i);
        cr_assert_eq(amoget_add_stage(desc, name, &err), PEPA_OK);
        cr_assert_eq(amoget_set_work(desc, i, 0.5 + spread_out(i, 3), &err), PEPA_OK);
    }
    for (int j = 0; j < processors; j++) {
        (void)snprintf(name, sizeof name, "p%d", j);
        cr_assert_eq(amoget_add_processor(amoget_machine(desc), name, 0.1 + 0.3 * spread_out(j, j),
                                          &err),
                     PEPA_OK);
    }
    cr_assert_eq(amoget_set_latency(amoget_machine(desc), AMOGET_LOCAL, AMOGET_LOCAL, 1e-4, &err),
                 PEPA_OK);
    for (int a = 0; a < processors; a++)
        for (int b = 0; b < a; b++)
            cr_assert_eq(amoget_set_latency(amoget_machine(desc), a, b,
                                            0.005 + 0.045 * spread_out(a, b), &err),
                         PEPA_OK);
    return desc;
}

/* A clock for rankers: seconds that pass when it is looked at, `tick` a time.  For one thread. */
static double tick = 1, ticked;

static inline double ticking(void)
{
    return ticked += tick;
}

/* Mapping number `k` of processors^stages, the last stage changing fastest. */
static inline void nth_mapping(int stages, int processors, int k, int32_t *mapping)
{
    for (int i = stages - 1; i >= 0; i--, k /= processors)
        mapping[i] = k % processors;
}

#endif
