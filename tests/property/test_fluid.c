/* Fluid limits of random models against the referee, which reads the same text by itself. */
#include "pepa_fluid.h"

#include <criterion/criterion.h>
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "property/engine_run.h"
#include "property/oracle_fluid.h"
#include "property/room.h"
#include "property/seeds.h"

enum { MODELS = 1000, TIMES = 3, STATES = 60 };

static const double times[TIMES] = {0.1, 1, 4}, AGREE = 1e-5;

typedef struct {
    PepaStatus status;
    PepaError err;
    double *mean; /* row by row, of local states that are asked for, at time k */
} Engine;

static bool is_name(const char *name)
{
    return isalpha((unsigned char)*name) && name[strspn(name, "_abcdefghijklmnopqrstuvwxyz"
                                                              "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                                              "0123456789")] == '\0';
}

/* Does a measure stand for this local state: has it a name, which no earlier one has? */
static bool is_asked(const OracleFluid *f, size_t i)
{
    bool first = is_name(f->local[i].name);
    for (size_t k = 0; k < i && first; k++)
        first = strcmp(f->local[k].name, f->local[i].name) != 0;
    return first;
}

static Text ask_for(const OracleFluid *f)
{
    Text text = {0};
    for (size_t i = 0; i < f->locals; i++)
        if (is_asked(f, i))
            text_add(&text, "population:%s\n", f->local[i].name);
    return text;
}

static Engine ask_engine(const char *text, const Text *asked, size_t locals)
{
    Engine e = {.mean = room(TIMES * locals + 1, sizeof *e.mean)};
    PepaModel *model = NULL;
    PepaMeasures *measures = NULL;
    const PepaSettings set = {.solve.tolerance = 1e-9};
    e.status = pepa_model_parse(&model, "random", text, strlen(text), NULL, &e.err);
    if (e.status == PEPA_OK)
        e.status = pepa_measures_new(&measures, model, &e.err);
    if (e.status == PEPA_OK)
        e.status = pepa_measures_add(measures, "m", asked->text, asked->length, NULL, NULL, &e.err);
    if (e.status == PEPA_OK)
        e.status = pepa_fluid_measures(model, measures, &(PepaFluid){.time = times, .count = TIMES},
                                       &set, e.mean, NULL, &e.err);
    pepa_measures_free(measures);
    pepa_model_free(model);
    return e;
}

/* The referee's mean of a local state, over all places that have it. */
static double mean_of(const OracleFluid *f, int k, const char *name)
{
    long double sum = 0;
    for (size_t i = 0; i < f->locals; i++)
        if (strcmp(f->local[i].name, name) == 0)
            sum += f->mean[(size_t)k * f->locals + i];
    return (double)sum;
}

/* In shares of counts above 1. */
static double largest_difference(const OracleFluid *f, const double *mean)
{
    double most = 0;
    for (int k = 0; k < TIMES; k++)
        for (size_t i = 0; i < f->locals; i++)
            if (is_asked(f, i)) {
                const double want = mean_of(f, k, f->local[i].name);
                most = fmax(most, fabs(*mean++ - want) / (1 + fabs(want)));
            }
    return most;
}

/* Where something passive comes to be possible, the rate of what drives it jumps for the referee, and
 * rises here until there is 10^-5 of a population: so it is asked about a slope as well. */
static double difference(const OracleFluid *f, const RefModel *ref, const double *mean)
{
    const double jump = largest_difference(f, mean);
    if (jump <= AGREE)
        return jump;
    const OracleFluidQuestion slope = {.times = times, .time_count = TIMES, .edge = 1e-5};
    OracleFluid g = oracle_fluid_model(ref, &slope);
    const double other = g.failure ? jump : largest_difference(&g, mean);
    oracle_fluid_free(&g);
    return other;
}

/* Where there is a fluid limit there are moments, whatever they are made of. */
static void ask_moments(const char *text, const Text *asked, const PepaFluid *at, size_t locals,
                        Text *why)
{
    const size_t count = TIMES * locals;
    PepaModel *model = NULL;
    PepaMeasures *measures = NULL;
    PepaError err;
    double *mean = room(count + 1, sizeof *mean);
    PepaMoment *moment = room(count + 1, sizeof *moment);
    cr_assert_eq(pepa_model_parse(&model, "random", text, strlen(text), NULL, &err), PEPA_OK);
    cr_assert_eq(pepa_measures_new(&measures, model, &err), PEPA_OK);
    cr_assert_eq(pepa_measures_add(measures, "m", asked->text, asked->length, NULL, NULL, &err),
                 PEPA_OK);
    const size_t rows = at->steady ? 1 : TIMES, all = rows * (size_t)pepa_measures_count(measures);
    if (pepa_fluid_measures(model, measures, at, NULL, mean, NULL, &err) == PEPA_OK) {
        const PepaStatus status = pepa_fluid_moments(model, measures, at, NULL, moment, NULL, &err);
        if (status != PEPA_OK)
            (void)engine_differs(why, "no moments, status %d: %s", status, err.message);
        for (size_t i = 0; i < all && status == PEPA_OK; i++)
            if (!isfinite(moment[i].deviation) || !isfinite(moment[i].mean))
                (void)engine_differs(why, "moments are %g +- %g", moment[i].mean,
                                     moment[i].deviation);
    }
    pepa_measures_free(measures);
    pepa_model_free(model);
    mem_free_all(mean, moment);
}

static void compare(Seeds *all, uint64_t seed, const RefModel *ref, const char *text,
                    const OracleFluid *f, int *compared)
{
    Text asked = ask_for(f), why = {0};
    if (asked.length == 0)
        return;
    const Engine e = ask_engine(text, &asked, f->locals);
    /* It also refuses passive activities that nothing would drive in a state of no mass. */
    const bool refused =
        e.status == PEPA_ELIMIT || (e.status == PEPA_EMODEL && strstr(e.err.message, "is passive"));
    if (e.status == PEPA_OK) {
        const double apart = difference(f, ref, e.mean);
        ++*compared;
        if (!(apart <= AGREE))
            (void)engine_differs(&why, "a population differs by %g", apart);
        if (seed % 4 == 0) {
            ask_moments(text, &asked, &(PepaFluid){.time = times, .count = TIMES}, f->locals, &why);
            ask_moments(text, &asked, &(PepaFluid){.steady = 1}, f->locals, &why);
        }
    } else if (!refused) {
        (void)engine_differs(&why, "status %d: %s", e.status, e.err.message);
    }
    if (why.length)
        seeds_fail(all, seed, why.text, text);
    text_free(&asked);
    text_free(&why);
    mem_free(e.mean);
}

/* Conditions are linear between whole counts here, and steps for the referee; models without a
 * fluid limit and stiff ones are left out. */
SHARDED_TEST(fluid, is_that_of_the_referee)
{
    Seeds all = seeds(*shard, MODELS);
    int compared = 0;
    for (uint64_t seed; seeds_next(&all, &seed);) {
        RefModel ref = seeds_model(seed, STATES);
        Text text = ref_model_print(&ref, (RefPrinting){0});
        const OracleFluidQuestion question = {.times = times, .time_count = TIMES};
        if (!strstr(text.text, "if ")) {
            OracleFluid f = oracle_fluid_model(&ref, &question);
            if (!f.failure)
                compare(&all, seed, &ref, text.text, &f, &compared);
            oracle_fluid_free(&f);
        }
        text_free(&text);
        ref_model_free(&ref);
    }
    cr_assert_eq(all.failures, 0);
    cr_assert(compared > 0);
}
