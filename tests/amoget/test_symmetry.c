#include <string.h>

#include "amoget/search/symmetry.h"
#include "lattice.h"

/* Processors 1 and 3 are alike, and so are 0 and 2. */
static AmogetDescription *two_pairs(void)
{
    PepaError err;
    AmogetDescription *desc = lattice(3, 4);
    for (int j = 0; j < 4; j++)
        cr_assert_eq(amoget_set_time(amoget_machine(desc), j, j % 2 ? 0.1 : 0.2, &err), PEPA_OK);
    for (int a = 0; a < 4; a++)
        for (int b = 0; b < a; b++)
            cr_assert_eq(amoget_set_latency(amoget_machine(desc), a, b, (a + b) % 2 ? 0.01 : 0.02,
                                            &err),
                         PEPA_OK);
    return desc;
}

Test(symmetry, processors_that_may_be_exchanged_are_found)
{
    AmogetDescription *desc = two_pairs();
    Symmetry symmetry;
    cr_assert_eq(symmetry_new(&symmetry, desc, NULL), PEPA_OK);
    const int32_t first[] = {0, 1, 0, 1}, next[] = {2, 3, -1, -1};
    cr_assert_arr_eq(symmetry.first, first, sizeof first);
    cr_assert_arr_eq(symmetry.next, next, sizeof next);
    for (int j = 0; j < 4; j++)
        cr_assert_eq(symmetry.size[j], 2);
    symmetry_free(&symmetry);
    amoget_free(desc);
}

Test(symmetry, any_number_that_differs_keeps_them_apart)
{
    for (int change = 0; change < 7; change++) {
        AmogetDescription *desc = two_pairs();
        Symmetry symmetry;
        PepaError err;
        PepaStatus status =
            change == 0   ? amoget_set_time(amoget_machine(desc), 3, 0.3, &err)
            : change == 1 ? amoget_set_availability(amoget_machine(desc), 3, 0.5, &err)
            : change == 2 ? amoget_set_cores(amoget_machine(desc), 3, 2, &err)
            : change == 3 ? amoget_set_latency(amoget_machine(desc), 3, 0, 0.5, &err)
            : change == 4 ? amoget_set_bandwidth(amoget_machine(desc), 3, 3, 1e6, &err)
            : change == 5 ? amoget_set_ends(desc, 3, AMOGET_NOWHERE, &err)
                          : amoget_set_ends(desc, AMOGET_NOWHERE, 3, &err);
        cr_assert_eq(status, PEPA_OK);
        cr_assert_eq(symmetry_new(&symmetry, desc, NULL), PEPA_OK);
        cr_expect_eq(symmetry.first[3], 3, "change %d", change);
        symmetry_free(&symmetry);
        amoget_free(desc);
    }
}

/* Every mapping is stood for by one that is not larger, and the counts add up. */
Test(symmetry, standards_stand_for_all_mappings)
{
    AmogetDescription *desc = two_pairs();
    Symmetry symmetry;
    double all = 0;
    cr_assert_eq(symmetry_new(&symmetry, desc, NULL), PEPA_OK);
    for (int k = 0; k < 64; k++) {
        int32_t mapping[3], standard[3], again[3];
        double seconds[7], same[7];
        nth_mapping(3, 4, k, mapping);
        symmetry_representative(&symmetry, mapping, 3, standard);
        symmetry_representative(&symmetry, standard, 3, again);
        cr_expect_arr_eq(standard, again, sizeof standard);
        double stands = symmetry_class_size(&symmetry, mapping, 3);
        cr_expect_eq(stands > 0, memcmp(mapping, standard, sizeof mapping) == 0);
        all += stands;
        cr_assert_eq(amoget_durations(desc, mapping, seconds, NULL), PEPA_OK);
        cr_assert_eq(amoget_durations(desc, standard, same, NULL), PEPA_OK);
        cr_expect_arr_eq(seconds, same, sizeof seconds);
    }
    cr_expect_eq(all, 64);
    symmetry_free(&symmetry);
    amoget_free(desc);
}

Test(symmetry, processors_in_use_are_counted)
{
    const int32_t mapping[] = {3, 1, 3, 0, 1};
    cr_expect_eq(mapping_processors(mapping, 5), 3);
    cr_expect_eq(mapping_processors(mapping, 1), 1);
}

/* What is not known is like nothing that is: listed mappings may leave latencies out. */
Test(symmetry, a_latency_that_is_missing_is_not_like_one_that_is_there)
{
    AmogetDescription *desc = NULL;
    Symmetry symmetry;
    cr_assert_eq(amoget_new(&desc, NULL), PEPA_OK);
    cr_assert_eq(amoget_add_stage(desc, "s", NULL), PEPA_OK);
    for (int j = 0; j < 3; j++) {
        char name[2] = {(char)('a' + j), 0};
        cr_assert_eq(amoget_add_processor(amoget_machine(desc), name, 1, NULL), PEPA_OK);
    }
    cr_assert_eq(amoget_set_latency(amoget_machine(desc), AMOGET_LOCAL, AMOGET_LOCAL, 1, NULL),
                 PEPA_OK);
    cr_assert_eq(amoget_set_latency(amoget_machine(desc), 1, 2, 7, NULL), PEPA_OK);
    cr_assert_eq(symmetry_new(&symmetry, desc, NULL), PEPA_OK);
    const int32_t first[] = {0, 1, 1};
    cr_expect_arr_eq(symmetry.first, first, sizeof first);
    symmetry_free(&symmetry);
    amoget_free(desc);
}
