/* Descriptions that are built step by step, and the durations that follow from them. */
#include <math.h>

#include "describing.h"

#include "amoget/syntax/quantity.h"

Test(description, starts_empty)
{
    AmogetDescription *desc = build(0, 0, 0);
    double seconds[1];
    cr_expect_eq(amoget_stage_count(desc), 0);
    cr_expect_eq(amoget_processor_count(amoget_machine(desc)), 0);
    cr_expect_eq(amoget_mapping_count(desc), 0);
    cr_expect_eq(amoget_find_stage(desc, "a"), -1);
    cr_expect_eq(amoget_find_processor(amoget_machine(desc), "a"), -1);
    cr_expect_eq(amoget_durations(desc, (int32_t[]){0}, seconds, NULL), PEPA_EARG);
    cr_expect_eq(description_complete(desc, NULL, NULL), PEPA_EMODEL);
    amoget_free(desc);
    amoget_free(NULL);
}

Test(description, names)
{
    AmogetDescription *desc = build(0, 0, 0);
    PepaError err;
    cr_expect_eq(amoget_add_stage(desc, "a", NULL), PEPA_OK);
    cr_expect_eq(amoget_add_stage(desc, "12", NULL), PEPA_OK);
    cr_expect_eq(amoget_add_processor(amoget_machine(desc), "a", 1, NULL), PEPA_OK);
    cr_expect_eq(amoget_add_stage(desc, "a", &err), PEPA_EARG);
    cr_expect_str_eq(err.message, "there is a stage `a` already");
    cr_expect_eq(amoget_add_processor(amoget_machine(desc), "a", 1, &err), PEPA_EARG);
    cr_expect_str_eq(err.message, "there is a processor `a` already");
    static const char *const wrong[] = {"", "1a", "a b", "a-b", "a.b", "(", "\xc3\xa9"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        cr_expect_eq(amoget_add_stage(desc, wrong[i], NULL), PEPA_EARG, "%s", wrong[i]);
        cr_expect_eq(amoget_add_processor(amoget_machine(desc), wrong[i], 1, NULL), PEPA_EARG, "%s",
                     wrong[i]);
    }
    cr_expect_eq(amoget_stage_count(desc), 2);
    cr_expect_eq(amoget_processor_count(amoget_machine(desc)), 1);
    cr_expect_str_eq(amoget_stage_name(desc, 1), "12");
    cr_expect_str_eq(amoget_processor_name(amoget_machine(desc), 0), "a");
    cr_expect_eq(amoget_find_stage(desc, "12"), 1);
    amoget_free(desc);
}

Test(description, arguments_that_cannot_be)
{
    AmogetDescription *desc = build(2, 2, 0);
    static const double wrong[] = {0, -1, NAN, INFINITY, -INFINITY, 1e31, 1e-31};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        double x = wrong[i];
        cr_expect_eq(amoget_add_processor(amoget_machine(desc), "new", x, NULL), PEPA_EARG, "%g",
                     x);
        cr_expect_eq(amoget_set_work(desc, 0, x, NULL), PEPA_EARG, "%g", x);
        cr_expect_eq(amoget_set_time(amoget_machine(desc), 0, x, NULL), PEPA_EARG, "%g", x);
        cr_expect_eq(amoget_set_availability(amoget_machine(desc), 0, x, NULL), PEPA_EARG, "%g", x);
        cr_expect_eq(amoget_set_latency(amoget_machine(desc), 0, 1, x, NULL), PEPA_EARG, "%g", x);
        cr_expect_eq(amoget_set_bandwidth(amoget_machine(desc), 0, 1, x, NULL), PEPA_EARG, "%g", x);
        bool size = x >= 0 && x <= 1e30;
        cr_expect_eq(amoget_set_output(desc, 0, x, NULL), size ? PEPA_OK : PEPA_EARG, "%g", x);
    }
    cr_expect_eq(amoget_set_availability(amoget_machine(desc), 0, 1.01, NULL), PEPA_EARG);
    cr_expect_eq(amoget_set_cores(amoget_machine(desc), 0, 0, NULL), PEPA_EARG);
    cr_expect_eq(amoget_set_work(desc, 2, 1, NULL), PEPA_EARG);
    cr_expect_eq(amoget_set_work(desc, -1, 1, NULL), PEPA_EARG);
    cr_expect_eq(amoget_set_output(desc, -2, 1, NULL), PEPA_EARG);
    cr_expect_eq(amoget_set_time(amoget_machine(desc), 2, 1, NULL), PEPA_EARG);
    cr_expect_eq(amoget_set_latency(amoget_machine(desc), 0, AMOGET_DEFAULT, 1, NULL), PEPA_EARG);
    cr_expect_eq(amoget_set_latency(amoget_machine(desc), AMOGET_LOCAL, AMOGET_DEFAULT, 1, NULL),
                 PEPA_EARG);
    cr_expect_eq(amoget_set_ends(desc, 2, 0, NULL), PEPA_EARG);
    cr_expect_eq(amoget_set_ends(desc, 0, AMOGET_DEFAULT, NULL), PEPA_EARG);
    cr_expect_eq(amoget_add_mapping(desc, (int32_t[]){0, 2}, NULL), PEPA_EARG);
    cr_expect_eq(amoget_add_mapping(desc, (int32_t[]){-1, 0}, NULL), PEPA_EARG);
    cr_expect_eq(desc->work[0], 1);
    cr_expect_eq(desc->machine->time[0], 1);
    cr_expect_eq(desc->machine->availability[0], 1);
    cr_expect_eq(desc->machine->cores[0], 1);
    cr_expect_eq(amoget_processor_count(amoget_machine(desc)), 2);
    cr_expect_eq(amoget_mapping_count(desc), 0);
    amoget_free(desc);
}

Test(description, limits)
{
    AmogetDescription *desc = build(MOST_STAGES, MOST_PROCESSORS, 0);
    cr_expect_eq(amoget_add_stage(desc, "one_more", NULL), PEPA_ELIMIT);
    cr_expect_eq(amoget_add_processor(amoget_machine(desc), "one_more", 1, NULL), PEPA_ELIMIT);
    cr_expect_eq(amoget_stage_count(desc), 40);
    cr_expect_eq(amoget_processor_count(amoget_machine(desc)), 1024);
    cr_expect_str_eq(amoget_processor_name(amoget_machine(desc), 1023), "p1023");
    amoget_free(desc);
}

Test(description, mappings)
{
    AmogetDescription *desc = build(2, 3, 0);
    for (int32_t j = 0; j < 9; j++)
        cr_assert_eq(amoget_add_mapping(desc, (int32_t[]){j / 3, j % 3}, NULL), PEPA_OK);
    cr_assert_eq(amoget_mapping_count(desc), 9);
    for (int32_t j = 0; j < 9; j++) {
        cr_expect_eq(amoget_mapping(desc, j)[0], j / 3);
        cr_expect_eq(amoget_mapping(desc, j)[1], j % 3);
    }
    cr_expect_eq(amoget_add_stage(desc, "late", NULL), PEPA_EARG);
    cr_expect_eq(amoget_add_processor(amoget_machine(desc), "late", 1, NULL), PEPA_OK);
    amoget_free(desc);
}

/* ---- pairs -------------------------------------------------------------------------------- */

Test(description, the_more_specific_latency_stands)
{
    AmogetDescription *desc = build(2, 3, 0);
    cr_expect(isnan(latency_of(desc, "p0", "p1")) && isnan(latency_of(desc, "p1", "p1")));
    amoget_set_latency(amoget_machine(desc), 0, 1, 5, NULL);
    amoget_set_latency(amoget_machine(desc), AMOGET_DEFAULT, AMOGET_DEFAULT, 2, NULL);
    cr_expect_eq(latency_of(desc, "p0", "p1"), 5);
    cr_expect_eq(latency_of(desc, "p0", "p2"), 2);
    cr_expect_eq(latency_of(desc, "p1", "p1"), 2, "the default serves within as well");
    amoget_set_latency(amoget_machine(desc), AMOGET_LOCAL, AMOGET_LOCAL, 1, NULL);
    amoget_set_latency(amoget_machine(desc), 2, 2, 7, NULL);
    amoget_set_latency(amoget_machine(desc), AMOGET_DEFAULT, AMOGET_DEFAULT, 3, NULL);
    amoget_set_latency(amoget_machine(desc), AMOGET_LOCAL, AMOGET_LOCAL, 0.5, NULL);
    cr_expect_eq(latency_of(desc, "p1", "p1"), 0.5);
    cr_expect_eq(latency_of(desc, "p2", "p2"), 7);
    cr_expect_eq(latency_of(desc, "p0", "p2"), 3);
    cr_expect_eq(latency_of(desc, "p0", "p1"), 5);
    amoget_set_latency(amoget_machine(desc), 1, 0, 6, NULL);
    cr_expect_eq(latency_of(desc, "p0", "p1"), 6, "the last of equals");
    cr_assert_eq(amoget_add_processor(amoget_machine(desc), "late", 1, NULL), PEPA_OK);
    cr_expect_eq(latency_of(desc, "late", "p0"), 3);
    cr_expect_eq(latency_of(desc, "late", "late"), 0.5);
    amoget_free(desc);
}

/* Adding processors moves the tables. */
Test(description, pairs_survive_growth)
{
    AmogetDescription *desc = build(1, 3, 0);
    char name[16];
    for (int32_t a = 0; a < 3; a++)
        for (int32_t b = a; b < 3; b++) {
            amoget_set_latency(amoget_machine(desc), a, b, 10 * a + b + 1, NULL);
            amoget_set_bandwidth(amoget_machine(desc), a, b, 100 * a + b + 1, NULL);
        }
    for (int32_t j = 0; j < 100; j++) {
        (void)snprintf(name, sizeof name, "q%d", j);
        cr_assert_eq(amoget_add_processor(amoget_machine(desc), name, 1, NULL), PEPA_OK);
    }
    cr_expect_eq(latency_of(desc, "p1", "p2"), 13);
    cr_expect_eq(latency_of(desc, "p2", "p2"), 23);
    cr_expect_eq(bandwidth_of(desc, "p0", "p2"), 3);
    cr_expect(isnan(latency_of(desc, "p0", "q7")));
    cr_expect(isinf(bandwidth_of(desc, "q3", "q99")));
    amoget_free(desc);
}

/* ---- durations ---------------------------------------------------------------------------- */

static void expect_durations(const AmogetDescription *desc, const int32_t *mapping,
                             const double *wanted)
{
    double seconds[2 * MOST_STAGES + 1];
    PepaError err = {0};
    cr_assert_eq(amoget_durations(desc, mapping, seconds, &err), PEPA_OK, "%s", err.message);
    for (int32_t i = 0; i <= 2 * amoget_stage_count(desc); i++)
        cr_expect_float_eq(seconds[i], wanted[i], 1e-12 * wanted[i], "%d: %.17g, not %.17g", i,
                           seconds[i], wanted[i]);
}

Test(description, durations)
{
    AmogetDescription *desc = build(3, 2, 0);
    amoget_set_latency(amoget_machine(desc), AMOGET_DEFAULT, AMOGET_DEFAULT, 0.5, NULL);
    amoget_set_latency(amoget_machine(desc), AMOGET_LOCAL, AMOGET_LOCAL, 0.001, NULL);
    expect_durations(desc, (int32_t[]){0, 0, 1}, (double[]){0.001, 2, 0.001, 2, 0.5, 1, 0.001});

    amoget_set_work(desc, 1, 3, NULL);
    amoget_set_time(amoget_machine(desc), 0, 0.25, NULL);
    amoget_set_availability(amoget_machine(desc), 0, 0.5, NULL);
    /* 0.25 s x work / 0.5, two stages on one core */
    expect_durations(desc, (int32_t[]){0, 0, 1}, (double[]){0.001, 1, 0.001, 3, 0.5, 1, 0.001});
    amoget_set_cores(amoget_machine(desc), 0, 2, NULL);
    expect_durations(desc, (int32_t[]){0, 0, 0},
                     (double[]){0.001, 0.75, 0.001, 2.25, 0.001, 0.75, 0.001});
    amoget_set_cores(amoget_machine(desc), 0, 16,
                     NULL); /* more cores than stages: no faster than one alone */
    expect_durations(desc, (int32_t[]){0, 0, 0},
                     (double[]){0.001, 0.5, 0.001, 1.5, 0.001, 0.5, 0.001});

    amoget_set_output(desc, AMOGET_NOWHERE, 100, NULL);
    amoget_set_output(desc, 0, 200, NULL);
    amoget_set_output(desc, 2, 300, NULL);
    amoget_set_ends(desc, 1, 1, NULL);
    expect_durations(desc, (int32_t[]){0, 0, 0}, (double[]){0.5, 0.5, 0.001, 1.5, 0.001, 0.5, 0.5});
    amoget_set_bandwidth(amoget_machine(desc), AMOGET_DEFAULT, AMOGET_DEFAULT, 1000, NULL);
    amoget_set_bandwidth(amoget_machine(desc), AMOGET_LOCAL, AMOGET_LOCAL, 1e5, NULL);
    expect_durations(desc, (int32_t[]){0, 0, 0}, (double[]){0.6, 0.5, 0.003, 1.5, 0.001, 0.5, 0.8});
    amoget_set_ends(desc, AMOGET_NOWHERE, 0, NULL);
    expect_durations(desc, (int32_t[]){1, 0, 0}, (double[]){0.002, 1, 0.7, 1.5, 0.001, 0.5, 0.004});
    amoget_free(desc);
}

Test(description, missing_latencies)
{
    AmogetDescription *desc = build(2, 3, 0);
    double seconds[5] = {-1};
    PepaError err;
    amoget_set_latency(amoget_machine(desc), AMOGET_LOCAL, AMOGET_LOCAL, 1, NULL);
    amoget_set_latency(amoget_machine(desc), 0, 1, 1, NULL);
    amoget_set_latency(amoget_machine(desc), 0, 2, 1, NULL);
    cr_expect_eq(amoget_durations(desc, (int32_t[]){1, 2}, seconds, &err), PEPA_EMODEL);
    cr_expect_str_eq(err.message, "no latency between processors `p1` and `p2`");
    cr_expect_eq(seconds[0], -1, "written in spite of the error");
    cr_expect_eq(amoget_durations(desc, (int32_t[]){1, 0}, seconds, &err), PEPA_OK);
    cr_expect_eq(amoget_durations(desc, (int32_t[]){1, 3}, seconds, &err), PEPA_EARG);
    cr_expect_eq(description_complete(desc, NULL, NULL), PEPA_EMODEL);
    amoget_set_ends(desc, 2, AMOGET_NOWHERE, NULL);
    cr_expect_eq(amoget_durations(desc, (int32_t[]){1, 0}, seconds, &err), PEPA_EMODEL);
    amoget_set_latency(amoget_machine(desc), 1, 2, 1, NULL);
    cr_expect_eq(description_complete(desc, NULL, NULL), PEPA_OK);
    amoget_free(desc);
}

/* With one stage, processors that are not ends need no latency to each other. */
Test(description, one_stage_needs_few_latencies)
{
    AmogetDescription *desc = build(1, 3, 0);
    amoget_set_ends(desc, 0, 1, NULL);
    amoget_set_latency(amoget_machine(desc), 0, 0, 1, NULL);
    amoget_set_latency(amoget_machine(desc), 0, 1, 1, NULL);
    amoget_set_latency(amoget_machine(desc), 0, 2, 1, NULL);
    amoget_set_latency(amoget_machine(desc), 1, 1, 1, NULL);
    cr_expect_eq(description_complete(desc, NULL, NULL), PEPA_EMODEL);
    amoget_set_latency(amoget_machine(desc), 1, 2, 1, NULL);
    cr_expect_eq(description_complete(desc, NULL, NULL), PEPA_OK);
    amoget_free(desc);
}

/* Numbers at the ends of their range give durations that are still numbers. */
Test(description, extremes)
{
    static const double ends[] = {LEAST_NUMBER, MOST_NUMBER};
    AmogetDescription *desc = build(40, 1, 0);
    int32_t mapping[40] = {0};
    double seconds[81];
    for (int k = 0; k < 8; k++) {
        amoget_set_time(amoget_machine(desc), 0, ends[k & 1], NULL);
        amoget_set_availability(amoget_machine(desc), 0, k & 1 ? LEAST_NUMBER : 1, NULL);
        for (int32_t i = 0; i < 40; i++) {
            amoget_set_work(desc, i, ends[k & 1], NULL);
            amoget_set_output(desc, i, ends[k >> 1 & 1], NULL);
        }
        amoget_set_latency(amoget_machine(desc), 0, 0, ends[k >> 2 & 1], NULL);
        amoget_set_bandwidth(amoget_machine(desc), 0, 0, ends[!(k >> 1 & 1)], NULL);
        cr_assert_eq(amoget_durations(desc, mapping, seconds, NULL), PEPA_OK);
        for (int i = 0; i < 81; i++)
            cr_expect(isfinite(seconds[i]) && seconds[i] > 0 && isfinite(1 / seconds[i]));
    }
    amoget_free(desc);
}

/* ---- arguments ----------------------------------------------------------------------------- */

Test(description, null_arguments)
{
    AmogetDescription *desc = build(1, 1, 0);
    cr_expect_eq(amoget_new(NULL, NULL), PEPA_EARG);
    cr_expect_eq(amoget_add_stage(NULL, "a", NULL), PEPA_EARG);
    cr_expect_eq(amoget_add_stage(desc, NULL, NULL), PEPA_EARG);
    cr_expect_eq(amoget_add_processor(amoget_machine(desc), NULL, 1, NULL), PEPA_EARG);
    cr_expect_eq(amoget_add_mapping(desc, NULL, NULL), PEPA_EARG);
    cr_expect_eq(amoget_set_work(NULL, 0, 1, NULL), PEPA_EARG);
    cr_expect_eq(amoget_set_ends(NULL, 0, 0, NULL), PEPA_EARG);
    cr_expect_eq(amoget_durations(desc, NULL, NULL, NULL), PEPA_EARG);
    cr_expect_eq(amoget_parse(NULL, "a", "", 0, NULL, NULL), PEPA_EARG);
    cr_expect_eq(amoget_parse(&desc, NULL, "", 0, NULL, NULL), PEPA_EARG);
    cr_expect_eq(amoget_parse(&desc, "a", NULL, 1, NULL, NULL), PEPA_EARG);
    cr_expect_eq(amoget_measure(NULL, "a", "", 0, NULL, NULL), PEPA_EARG);
    AmogetReading how = {.define_count = 1};
    cr_expect_eq(amoget_parse(&desc, "a", "", 0, &how, NULL), PEPA_EARG);
    amoget_free(desc);
}
