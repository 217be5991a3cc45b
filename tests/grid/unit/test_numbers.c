/* A description's numbers, told from its durations, against what it holds. */
#include "grid/numbers.h"
#include "streams.h"

static void expect_same(const AmogetDescription *a, const AmogetDescription *b)
{
    for (int32_t j = 0; j < a->processors; j++) {
        cr_expect_eq(a->time[j], b->time[j]);
        cr_expect_eq(a->availability[j], b->availability[j]);
        cr_expect_eq(a->cores[j] < a->stages ? a->cores[j] : a->stages,
                     b->cores[j] < b->stages ? b->cores[j] : b->stages);
        for (int32_t k = 0; k < a->processors; k++) {
            expect_near(latency_between(a, j, k), latency_between(b, j, k), 1e-15);
            cr_expect(bandwidth_between(a, j, k) == bandwidth_between(b, j, k) ||
                      bandwidth_between(a, j, k) > 1e29);
        }
    }
    cr_expect_eq(a->sharing, b->sharing);
    for (int32_t i = 0; i < a->stages; i++) {
        cr_expect_eq(a->work[i], b->work[i]);
        cr_expect_eq(a->output[i], b->output[i]);
    }
}

/* Numbers as people write them. */
static double written(Noise *noise)
{
    char text[40];
    (void)snprintf(text, sizeof text, "%.3g", exp(10 * (uniform(noise) - 0.5)));
    return strtod(text, NULL);
}

static AmogetDescription *random_description(Noise *noise)
{
    int32_t n = 1 + (int32_t)(6 * uniform(noise)), p = 1 + (int32_t)(5 * uniform(noise));
    AmogetDescription *desc = make_description(n, p);
    for (int32_t i = 0; i < n; i++) {
        desc->work[i] = written(noise);
        desc->output[i] = uniform(noise) < 0.3 ? 0 : 1e6 * written(noise);
    }
    for (int32_t j = 0; j < p; j++) {
        desc->time[j] = written(noise);
        desc->availability[j] = fmin(1, written(noise));
        desc->cores[j] = 1 + (int32_t)(7 * uniform(noise));
        for (int32_t k = 0; k <= j; k++) {
            (void)amoget_set_latency(desc, j, k, written(noise), NULL);
            if (uniform(noise) < 0.8)
                (void)amoget_set_bandwidth(desc, j, k, 1e6 * written(noise), NULL);
        }
    }
    (void)amoget_set_sharing(desc, uniform(noise) < 0.5 ? AMOGET_STATIC : AMOGET_SERIAL, NULL);
    (void)amoget_set_transfer(desc, uniform(noise) < 0.5 ? AMOGET_RENDEZVOUS : AMOGET_BUFFERED,
                              NULL);
    if (uniform(noise) < 0.5)
        (void)amoget_set_ends(desc, (int32_t)(p * uniform(noise)), (int32_t)(p * uniform(noise)),
                              NULL);
    return desc;
}

Test(numbers, processes_are_read_and_left_alone)
{
    Noise noise = {.state = 11};
    for (int run = 0; run < 300; run++) {
        AmogetDescription *desc = random_description(&noise), *copy = description_copy(desc);
        for (int32_t j = 0; j < desc->processors; j++) {
            double time, share, works[MOST_STAGES];
            cr_assert_eq(numbers_of_process(desc, j, &time, &share, works, NULL), PEPA_OK);
            cr_expect_eq(time, copy->time[j]);
            cr_expect_eq(share, copy->availability[j]);
            for (int32_t i = 0; i < desc->stages; i++)
                cr_expect_eq(works[i], copy->work[i]);
        }
        expect_same(desc, copy);
        amoget_free(desc);
        amoget_free(copy);
    }
}

Test(numbers, pairs_are_read_and_left_alone)
{
    Noise noise = {.state = 12};
    int read = 0;
    for (int run = 0; run < 300; run++) {
        AmogetDescription *desc = random_description(&noise), *copy = description_copy(desc);
        for (int32_t a = 0; a < desc->processors && desc->stages > 1; a++)
            for (int32_t b = a; b < desc->processors; b++) {
                double latency, bandwidth;
                PepaStatus status = numbers_of_pair(desc, a, b, &latency, &bandwidth, NULL);
                cr_assert_eq(status, PEPA_OK);
                expect_near(latency, latency_between(copy, a, b), 1e-15);
                if (isfinite(bandwidth))
                    expect_near(bandwidth, bandwidth_between(copy, a, b), 1e-9);
                read++;
            }
        /* Durations decide what is left alone: a bandwidth that no size uses need not be. */
        int32_t mapping[MOST_STAGES];
        double now[MOST_ACTIVITIES], then[MOST_ACTIVITIES];
        for (int32_t i = 0; i < desc->stages; i++)
            mapping[i] = (int32_t)(desc->processors * uniform(&noise));
        cr_assert_eq(amoget_durations(desc, mapping, now, NULL), PEPA_OK);
        cr_assert_eq(amoget_durations(copy, mapping, then, NULL), PEPA_OK);
        for (int32_t k = 0; k < amoget_activity_count(desc); k++)
            expect_near(now[k], then[k], 1e-9);
        amoget_free(desc);
        amoget_free(copy);
    }
    cr_expect_gt(read, 1000);
}

Test(numbers, one_stage_moves_to_the_ends_only)
{
    AmogetDescription *desc = make_description(1, 3);
    (void)amoget_set_ends(desc, 0, 1, NULL);
    (void)amoget_set_latency(desc, 0, 2, 0.25, NULL);
    (void)amoget_set_latency(desc, 1, 2, 0.5, NULL);
    double latency, bandwidth;
    cr_assert_eq(numbers_of_pair(desc, 0, 2, &latency, &bandwidth, NULL), PEPA_OK);
    expect_near(latency, 0.25, 1e-15);
    cr_assert_eq(numbers_of_pair(desc, 1, 2, &latency, &bandwidth, NULL), PEPA_OK);
    expect_near(latency, 0.5, 1e-15);
    expect_near(bandwidth, 1e8, 1e-9);
    amoget_free(desc);
}

Test(numbers, what_is_missing_is_an_error)
{
    AmogetDescription *desc = NULL;
    cr_assert_eq(amoget_new(&desc, NULL), PEPA_OK);
    double time, share, works[MOST_STAGES], latency, bandwidth;
    PepaError err = {0};
    cr_assert_eq(amoget_add_processor(desc, "p", 1, NULL), PEPA_OK);
    cr_expect_eq(numbers_of_process(desc, 0, &time, &share, works, &err), PEPA_EARG);
    cr_assert_eq(amoget_add_stage(desc, "s", NULL), PEPA_OK);
    cr_expect_eq(numbers_of_process(desc, 0, &time, &share, works, &err), PEPA_EMODEL);
    cr_expect_eq(numbers_of_pair(desc, 0, 0, &latency, &bandwidth, &err), PEPA_EMODEL);
    cr_expect_eq(desc->time[0], 1);
    cr_expect_eq(err.code, PEPA_EMODEL);
    amoget_free(desc);
}
