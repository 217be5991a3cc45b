/* What a description tells is what it was told, by setters, text, definitions and measurements. */
#include <math.h>

#include "describing.h"

enum { STAGES = 4, PROCESSORS = 9 };

/* SplitMix64: Steele, Lea, Flood, OOPSLA 2014. */
static double uniform(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15U;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static int32_t below(uint64_t *state, int32_t count)
{
    return (int32_t)(count * uniform(state));
}

/* Any number that can be set. */
static double any_number(uint64_t *state)
{
    return pow(10, 59 * (uniform(state) - 0.5));
}

static void expect_ends(const AmogetDescription *desc, int32_t input, int32_t output)
{
    int32_t in = -7, out = -7;
    amoget_ends(desc, &in, &out);
    cr_expect(in == input && out == output, "%d and %d, not %d and %d", in, out, input, output);
}

Test(tell, of_a_new_description)
{
    AmogetDescription *desc = build(2, 2, 1);
    for (int32_t i = 0; i < 2; i++) {
        cr_expect_eq(amoget_work(desc, i), 1);
        cr_expect_eq(amoget_phases(desc, i), 1);
        cr_expect_eq(amoget_output(desc, i), 0);
        cr_expect_eq(amoget_time(amoget_machine(desc), i), i + 1);
        cr_expect_eq(amoget_availability(amoget_machine(desc), i), 1);
        cr_expect_eq(amoget_cores(amoget_machine(desc), i), 1);
        cr_expect(isnan(amoget_latency(amoget_machine(desc), 0, i)));
        cr_expect_eq(amoget_bandwidth(amoget_machine(desc), 0, i), INFINITY);
    }
    cr_expect_eq(amoget_output(desc, -1), 0);
    cr_expect_eq(amoget_sharing(desc), AMOGET_STATIC);
    cr_expect_eq(amoget_transfer(desc), AMOGET_RENDEZVOUS);
    for (int32_t all = AMOGET_LOCAL; all <= AMOGET_DEFAULT; all++) {
        cr_expect(isnan(amoget_latency(amoget_machine(desc), all, all)));
        cr_expect_eq(amoget_bandwidth(amoget_machine(desc), all, all), INFINITY);
    }
    expect_ends(desc, AMOGET_NOWHERE, AMOGET_NOWHERE);
    amoget_free(desc);
}

/* ---- setters ------------------------------------------------------------------------------ */

typedef struct {
    double work[STAGES], output[STAGES + 1], time[PROCESSORS], availability[PROCESSORS];
    double latency[PROCESSORS][PROCESSORS], bandwidth[PROCESSORS][PROCESSORS];
    int32_t phases[STAGES], cores[PROCESSORS];
} Told;

/* One number, whichever, here and there. */
static void set_something(AmogetDescription *desc, Told *told, uint64_t *state)
{
    int32_t i = below(state, STAGES), j = below(state, PROCESSORS), k = below(state, PROCESSORS);
    double x = any_number(state);
    PepaStatus status = PEPA_EARG;
    switch (below(state, 8)) {
    case 0:
        status = amoget_set_work(desc, i, told->work[i] = x, NULL);
        break;
    case 1:
        i = below(state, STAGES + 1);
        status = amoget_set_output(desc, i - 1, told->output[i] = x < 1e-10 ? 0 : x, NULL);
        break;
    case 2:
        status = amoget_set_phases(desc, i, told->phases[i] = 1 + below(state, 100), NULL);
        break;
    case 3:
        status = amoget_set_time(amoget_machine(desc), j, told->time[j] = x, NULL);
        break;
    case 4:
        status = amoget_set_availability(amoget_machine(desc), j,
                                         told->availability[j] = fmin(x, 1), NULL);
        break;
    case 5:
        status = amoget_set_cores(amoget_machine(desc), j, told->cores[j] = 1 + below(state, 1000),
                                  NULL);
        break;
    case 6:
        status = amoget_set_latency(amoget_machine(desc), j, k,
                                    told->latency[j][k] = told->latency[k][j] = x, NULL);
        break;
    default:
        status = amoget_set_bandwidth(amoget_machine(desc), j, k,
                                      told->bandwidth[j][k] = told->bandwidth[k][j] = x, NULL);
    }
    cr_assert_eq(status, PEPA_OK);
}

static void expect_told(const AmogetDescription *desc, const Told *told)
{
    for (int32_t i = 0; i < STAGES; i++) {
        cr_expect_eq(amoget_work(desc, i), told->work[i]);
        cr_expect_eq(amoget_phases(desc, i), told->phases[i]);
    }
    for (int32_t i = -1; i < STAGES; i++)
        cr_expect_eq(amoget_output(desc, i), told->output[i + 1]);
    for (int32_t j = 0; j < PROCESSORS; j++) {
        cr_expect_eq(amoget_time(amoget_machine(desc), j), told->time[j]);
        cr_expect_eq(amoget_availability(amoget_machine(desc), j), told->availability[j]);
        cr_expect_eq(amoget_cores(amoget_machine(desc), j), told->cores[j]);
        for (int32_t k = 0; k < PROCESSORS; k++) {
            double latency = amoget_latency(amoget_machine(desc), j, k),
                   wanted = told->latency[j][k];
            cr_expect(latency == wanted || (isnan(latency) && isnan(wanted)));
            cr_expect_eq(amoget_bandwidth(amoget_machine(desc), j, k), told->bandwidth[j][k]);
        }
    }
}

Test(tell, what_was_set_and_nothing_else)
{
    uint64_t state = 20250117;
    AmogetDescription *desc = build(STAGES, PROCESSORS, 1);
    Told told = {0};
    for (int32_t i = 0; i < STAGES; i++)
        told.work[i] = told.phases[i] = 1;
    for (int32_t j = 0; j < PROCESSORS; j++) {
        told.time[j] = j + 1;
        told.availability[j] = told.cores[j] = 1;
        for (int32_t k = 0; k < PROCESSORS; k++) {
            told.latency[j][k] = NAN;
            told.bandwidth[j][k] = INFINITY;
        }
    }
    for (int round = 0; round < 1000; round++) {
        set_something(desc, &told, &state);
        expect_told(desc, &told);
    }
    cr_assert_eq(amoget_add_processor(amoget_machine(desc), "late", 1, NULL), PEPA_OK);
    expect_told(desc, &told);
    amoget_free(desc);
}

Test(tell, ends)
{
    AmogetDescription *desc = build(1, 3, 1);
    for (int32_t in = AMOGET_NOWHERE; in < 3; in++)
        for (int32_t out = AMOGET_NOWHERE; out < 3; out++) {
            cr_assert_eq(amoget_set_ends(desc, in, out, NULL), PEPA_OK);
            expect_ends(desc, in, out);
        }
    cr_assert_eq(amoget_set_ends(desc, 3, 0, NULL), PEPA_EARG);
    expect_ends(desc, 2, 2);
    amoget_free(desc);
}

Test(tell, of_pairs_what_stands)
{
    AmogetDescription *desc = build(1, 3, 1);
    (void)amoget_set_latency(amoget_machine(desc), 0, 1, 5, NULL);
    (void)amoget_set_latency(amoget_machine(desc), AMOGET_DEFAULT, AMOGET_DEFAULT, 2, NULL);
    cr_expect_eq(amoget_latency(amoget_machine(desc), AMOGET_LOCAL, AMOGET_LOCAL), 2,
                 "the default serves within");
    (void)amoget_set_latency(amoget_machine(desc), AMOGET_LOCAL, AMOGET_LOCAL, 1, NULL);
    (void)amoget_set_bandwidth(amoget_machine(desc), AMOGET_LOCAL, AMOGET_LOCAL, 8, NULL);
    cr_expect_eq(amoget_latency(amoget_machine(desc), AMOGET_LOCAL, AMOGET_LOCAL), 1);
    cr_expect_eq(amoget_latency(amoget_machine(desc), AMOGET_DEFAULT, AMOGET_DEFAULT), 2);
    cr_expect_eq(amoget_bandwidth(amoget_machine(desc), AMOGET_LOCAL, AMOGET_LOCAL), 8);
    cr_expect_eq(amoget_bandwidth(amoget_machine(desc), AMOGET_DEFAULT, AMOGET_DEFAULT), INFINITY);
    cr_assert_eq(amoget_add_processor(amoget_machine(desc), "late", 1, NULL), PEPA_OK);
    cr_expect_eq(amoget_latency(amoget_machine(desc), 1, 0), 5);
    for (int32_t j = 0; j < 4; j++) {
        cr_expect_eq(amoget_latency(amoget_machine(desc), j, j), 1);
        cr_expect_eq(amoget_bandwidth(amoget_machine(desc), j, j), 8);
        if (j == 2)
            continue;
        cr_expect_eq(amoget_latency(amoget_machine(desc), 2, j), 2);
        cr_expect_eq(amoget_bandwidth(amoget_machine(desc), j, 2), INFINITY);
    }
    amoget_free(desc);
}

/* ---- texts -------------------------------------------------------------------------------- */

static const char text[] =
    "pipeline { stage read work 2 output 10 MB; stage think output 3kB phases 4; stage write; }\n"
    "processors { a time 10ms cluster near; b time 20ms cluster near cores 4; c time 1; }\n"
    "network { latency default 1s; latency local 1ms; latency near near 5ms; latency near c 50ms;\n"
    "  bandwidth default 1MB/s; bandwidth near c 1GB/s; }\n"
    "sharing serial; transfer buffered; input c size 7 B; output a;\n"
    "include \"seen.csv\";\n";

static AmogetDescription *read_text(void)
{
    static const AmogetDefine defines[] = {{"time.c", "2 s"},
                                           {"output.read", "5MB"},
                                           {"latency.local", "2ms"},
                                           {"bandwidth.a.b", "8kbit/s"}};
    Hearing hearing = {.defines = defines,
                       .define_count = 4,
                       .csv = "9,availability,b,,0.25\n8,latency,c,b,0.75\n7,latency,b,c,0.5\n"};
    PepaStatus status;
    PepaError err = {0};
    AmogetDescription *desc = read_with(text, &hearing, &status, &err);
    cr_assert_eq(status, PEPA_OK, "%s", hearing.found.text);
    text_free(&hearing.found);
    return desc;
}

Test(tell, what_a_text_says)
{
    AmogetDescription *desc = read_text();
    static const double output[] = {7, 5e6, 3e3, 0}, times[] = {0.01, 0.02, 2},
                        share[] = {1, 0.25, 1},
                        latency[3][3] = {{0.002, 0.005, 0.05},
                                         {0.005, 0.002, 0.75},
                                         {0.05, 0.75, 0.002}},
                        bandwidth[3][3] = {{1e6, 1e3, 1e9}, {1e3, 1e6, 1e9}, {1e9, 1e9, 1e6}};
    for (int32_t i = 0; i < 3; i++) {
        cr_expect_eq(amoget_work(desc, i), i == 0 ? 2 : 1);
        cr_expect_eq(amoget_phases(desc, i), i == 1 ? 4 : 1);
        cr_expect_eq(amoget_output(desc, i), output[i + 1]);
        cr_expect_float_eq(amoget_time(amoget_machine(desc), i), times[i], 1e-15);
        cr_expect_eq(amoget_availability(amoget_machine(desc), i), share[i]);
        cr_expect_eq(amoget_cores(amoget_machine(desc), i), i == 1 ? 4 : 1);
        for (int32_t k = 0; k < 3; k++) {
            cr_expect_float_eq(amoget_latency(amoget_machine(desc), i, k), latency[i][k], 1e-15,
                               "%d %d", i, k);
            cr_expect_eq(amoget_bandwidth(amoget_machine(desc), i, k), bandwidth[i][k], "%d %d", i,
                         k);
        }
    }
    cr_expect_eq(amoget_output(desc, -1), 7);
    cr_expect_eq(amoget_latency(amoget_machine(desc), AMOGET_DEFAULT, AMOGET_DEFAULT), 1);
    cr_expect_float_eq(amoget_latency(amoget_machine(desc), AMOGET_LOCAL, AMOGET_LOCAL), 0.002,
                       1e-15);
    cr_expect_eq(amoget_sharing(desc), AMOGET_SERIAL);
    cr_expect_eq(amoget_transfer(desc), AMOGET_BUFFERED);
    expect_ends(desc, 2, 0);

    static const char seen[] = "9,latency,a,b,0.125\n9,bandwidth,a,c,16\n9,availability,c,,0.5\n";
    cr_assert_eq(amoget_measure(amoget_machine(desc), "m", seen, strlen(seen), NULL, NULL),
                 PEPA_OK);
    cr_expect_eq(amoget_latency(amoget_machine(desc), 1, 0), 0.125);
    cr_expect_eq(amoget_bandwidth(amoget_machine(desc), 2, 0), 16);
    cr_expect_eq(amoget_availability(amoget_machine(desc), 2), 0.5);
    amoget_free(desc);
}

/* Told by the one to the other, two descriptions have the same durations. */
Test(tell, all_that_durations_depend_on)
{
    AmogetDescription *from = read_text(), *to = build(3, 3, 1);
    int32_t input, output;
    for (int32_t i = -1; i < 3; i++)
        (void)amoget_set_output(to, i, amoget_output(from, i), NULL);
    for (int32_t i = 0; i < 3; i++) {
        (void)amoget_set_work(to, i, amoget_work(from, i), NULL);
        (void)amoget_set_phases(to, i, amoget_phases(from, i), NULL);
        (void)amoget_set_time(amoget_machine(to), i, amoget_time(amoget_machine(from), i), NULL);
        (void)amoget_set_availability(amoget_machine(to), i,
                                      amoget_availability(amoget_machine(from), i), NULL);
        (void)amoget_set_cores(amoget_machine(to), i, amoget_cores(amoget_machine(from), i), NULL);
        for (int32_t k = 0; k <= i; k++) {
            (void)amoget_set_latency(amoget_machine(to), i, k,
                                     amoget_latency(amoget_machine(from), i, k), NULL);
            (void)amoget_set_bandwidth(amoget_machine(to), i, k,
                                       amoget_bandwidth(amoget_machine(from), i, k), NULL);
        }
    }
    amoget_ends(from, &input, &output);
    (void)amoget_set_ends(to, input, output, NULL);
    (void)amoget_set_sharing(to, amoget_sharing(from), NULL);
    (void)amoget_set_transfer(to, amoget_transfer(from), NULL);
    for (int32_t m = 0; m < 27; m++) {
        double one[MOST_ACTIVITIES], other[MOST_ACTIVITIES];
        const int32_t mapping[] = {m / 9, m / 3 % 3, m % 3};
        cr_assert_eq(amoget_durations(from, mapping, one, NULL), PEPA_OK);
        cr_assert_eq(amoget_durations(to, mapping, other, NULL), PEPA_OK);
        for (int32_t k = 0; k < amoget_activity_count(from); k++)
            cr_expect_eq(one[k], other[k], "mapping %d, activity %d", m, k);
    }
    amoget_free(from);
    amoget_free(to);
}
