/* How often the intervals of simulation contain the exact value: 95 of 100 times, as they say. */
#include <criterion/criterion.h>
#include <gsl/gsl_cdf.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "pepa_simulate.h"
#include "pepa_transient.h"
#include "property/room.h"
#include "property/seeds.h"

enum { REPEATS = 40, RUNS = 400, MOST_MEASURES = 8 };

/* Measures whose distributions are not far from normal with so many runs: what happens in a few of
 * hundred runs only takes more of them. */
static const struct {
    const char *model, *measures;
    double time;
} cases[] = {
    {"client_server",
     "population:ClientThinks\nthroughput:compute\nresponse:ClientWaits\n"
     "utilisation:Server\nprobability:{ClientWaits >= 2}",
     2},
    {"machine_repair", NULL, 3},
    {"mm1k", NULL, 2},
    {"readers_writers", NULL, 1},
    {"file_server", NULL, 1},
    {"central_server", NULL, 1},
    {"job_shop", NULL, 5},
    {"alternating_bit", NULL, 5},
    {"erlang_loss", NULL, 1},
    {"bulk_synchronous", NULL, 2},
    {"polling4", NULL, 1},
    {"active_badge", NULL, 2},
};
enum { CASES = sizeof cases / sizeof *cases };

typedef struct {
    PepaModel *model;
    PepaChain *chain;
    PepaMeasures *measures;
    int32_t count;
    double exact[2 * MOST_MEASURES]; /* at the time; in the long run */
    int64_t inside[2 * MOST_MEASURES];
    double square[2 * MOST_MEASURES]; /* sum of ((value - exact) / half of the width)^2 */
} Case;

/* The populations that are neither certain nor rare, up to MOST_MEASURES. */
static void choose_measures(Case *c, const double *pi)
{
    const PepaChainInfo info = pepa_chain_info(c->chain);
    double *mean = room((size_t)info.local_states, sizeof *mean);
    Text text = {0};
    int chosen = 0;
    cr_assert_eq(pepa_populations(c->chain, pi, mean, NULL), PEPA_OK);
    for (int32_t l = 0; l < info.local_states && chosen < MOST_MEASURES; l++) {
        if (mean[l] < 0.1 || fabs(mean[l] - round(mean[l])) < 1e-3)
            continue;
        text_add(&text, "population:%s\n", pepa_chain_local_name(c->chain, l));
        chosen++;
    }
    cr_assert_gt(chosen, 0);
    cr_assert_eq(pepa_measures_add(c->measures, "m", text.text, text.length, NULL, NULL, NULL),
                 PEPA_OK);
    text_free(&text);
    mem_free(mean);
}

static void case_open(Case *c, int number)
{
    char path[100];
    double *pi;
    *c = (Case){0};
    (void)snprintf(path, sizeof path, "models/%s.pepa", cases[number].model);
    cr_assert_eq(pepa_model_load(&c->model, path, NULL, NULL), PEPA_OK, "%s", path);
    cr_assert_eq(pepa_chain_derive(&c->chain, c->model, NULL, NULL), PEPA_OK);
    pi = room((size_t)pepa_chain_info(c->chain).states, sizeof *pi);
    cr_assert_eq(pepa_solve_steady(c->chain, NULL, pi, NULL, NULL), PEPA_OK);
    cr_assert_eq(pepa_measures_new(&c->measures, c->model, NULL), PEPA_OK);
    if (cases[number].measures)
        cr_assert_eq(pepa_measures_add(c->measures, "m", cases[number].measures,
                                       strlen(cases[number].measures), NULL, NULL, NULL),
                     PEPA_OK);
    else
        choose_measures(c, pi);
    c->count = pepa_measures_count(c->measures);
    cr_assert_leq(c->count, MOST_MEASURES);
    cr_assert_eq(pepa_transient_measures(c->chain, c->measures,
                                         &(PepaTransient){.time = &cases[number].time, .count = 1},
                                         NULL, c->exact, NULL, NULL),
                 PEPA_OK);
    cr_assert_eq(pepa_measures_values(c->measures, c->chain, pi, c->exact + c->count, NULL),
                 PEPA_OK);
    mem_free(pi);
}

static void case_close(Case *c)
{
    pepa_measures_free(c->measures);
    pepa_chain_free(c->chain);
    pepa_model_free(c->model);
}

static void repeat(Case *c, int number, uint64_t seed)
{
    PepaEstimate got[2 * MOST_MEASURES];
    PepaSimulation how = {.time = &cases[number].time, .count = 1, .runs = RUNS, .seed = seed};
    PepaError err = {0};
    cr_assert_eq(pepa_simulate_measures(c->model, c->measures, &how, NULL, got, NULL, &err),
                 PEPA_OK, "%s", err.message);
    how = (PepaSimulation){.steady = 1, .seed = seed, .events = 1000000};
    cr_assert_eq(pepa_simulate_measures(c->model, c->measures, &how, NULL, got + c->count, NULL,
                                        &err),
                 PEPA_OK, "%s", err.message);
    for (int32_t i = 0; i < 2 * c->count; i++) {
        const double off = (got[i].value - c->exact[i]) / ((got[i].high - got[i].low) / 2);
        c->inside[i] += got[i].low <= c->exact[i] && c->exact[i] <= got[i].high;
        c->square[i] += off * off;
    }
}

/* Counts that come up by chance with a probability of 1e-10 or less are too few or too many.  Errors
 * have the size that the intervals say: the mean of the squares is chi-squared, over t^2. */
static void judge(const Case *c, int number, int64_t repeats)
{
    for (int32_t i = 0; i < 2 * c->count; i++) {
        const char *name = pepa_measures_name(c->measures, i % c->count);
        const char *when = i < c->count ? "at a time" : "in the long run";
        const double fewer = gsl_cdf_binomial_P((unsigned)c->inside[i], 0.94, (unsigned)repeats);
        const double more = gsl_cdf_binomial_Q((unsigned)c->inside[i] - 1, 0.97, (unsigned)repeats);
        const double t = gsl_cdf_tdist_Pinv(0.975, i < c->count ? RUNS - 1 : 31),
                     n = (double)repeats;
        const double square = c->square[i] * t * t;
        if (getenv("PEPA_TEST_SCALE"))
            (void)fprintf(stderr, "coverage: %s %s %s: %lld of %lld\n", cases[number].model, name,
                          when, (long long)c->inside[i], (long long)repeats);
        cr_expect(fewer > 1e-10 && more > 1e-10, "%s: %s %s: %lld of %lld", cases[number].model,
                  name, when, (long long)c->inside[i], (long long)repeats);
        cr_expect(square > 0.9 * gsl_cdf_chisq_Pinv(1e-10, n) &&
                      square < 1.25 * gsl_cdf_chisq_Qinv(1e-10, n),
                  "%s: %s %s: %g", cases[number].model, name, when, square / n);
    }
}

/* Machines fail seldom beside jobs that come and go: a run sees two of them down a few times, or never,
 * and then the spread of runs says little.  Intervals are wider then: 93% to 100% of them hold. */
Test(coverage, of_what_a_run_sees_seldom)
{
    enum { TIMES = 60 };
    static const char text[] =
        "A = (hit, 0.002).B; B = (c, 0.02).A + (hit, 0.004).C; C = (fix, 0.01).A;\n"
        "J = (job, 1).K; K = (end, 1).J; A[2] || J[4]";
    static const char asked[] = "probability:{C >= 2}\nprobability:{C >= 1}\nprobability:{C == 0}\n"
                                "population:B\nprobability:{C <= 2}";
    enum { MEASURES = 5 };
    PepaError err = {0};
    Case c = {0};
    int inside[MEASURES] = {0}, answers = 0;
    cr_assert_eq(pepa_model_parse(&c.model, "m", text, sizeof text - 1, NULL, &err), PEPA_OK);
    cr_assert_eq(pepa_chain_derive(&c.chain, c.model, NULL, &err), PEPA_OK);
    double *pi = room((size_t)pepa_chain_info(c.chain).states, sizeof *pi);
    cr_assert_eq(pepa_solve_steady(c.chain, NULL, pi, NULL, &err), PEPA_OK);
    cr_assert_eq(pepa_measures_new(&c.measures, c.model, &err), PEPA_OK);
    cr_assert_eq(pepa_measures_add(c.measures, "m", asked, sizeof asked - 1, NULL, NULL, &err),
                 PEPA_OK);
    cr_assert_eq(pepa_measures_values(c.measures, c.chain, pi, c.exact, &err), PEPA_OK);
    for (uint64_t seed = 1; seed <= TIMES; seed++) {
        PepaEstimate got[MEASURES];
        const PepaSimulation how = {.steady = 1, .seed = seed, .events = 1000000};
        const PepaStatus status =
            pepa_simulate_measures(c.model, c.measures, &how, NULL, got, NULL, &err);
        if (status == PEPA_ELIMIT) /* what comes late looks like a beginning that is not over */
            continue;
        cr_assert_eq(status, PEPA_OK, "%s", err.message);
        answers++;
        /* What is certain, as far as 32 runs can tell. */
        cr_expect_float_eq(got[4].high, 1, 1e-9);
        cr_expect_float_eq(got[4].low, pow(0.025, 1.0 / 32), 1e-9);
        for (int i = 0; i < MEASURES - 1; i++) {
            inside[i] += got[i].low <= c.exact[i] && c.exact[i] <= got[i].high;
            cr_expect(0 <= got[i].low && (i == 3 || got[i].high <= 1));
        }
    }
    for (int i = 0; i < MEASURES - 1; i++)
        cr_expect_gt(gsl_cdf_binomial_P((unsigned)inside[i], 0.93, (unsigned)answers), 1e-6,
                     "%s: %d of %d", pepa_measures_name(c.measures, i), inside[i], answers);
    cr_expect_gt(answers, TIMES / 2);
    mem_free(pi);
    case_close(&c);
}

SHARDED_TEST(coverage, intervals_contain_the_exact_value)
{
    const char *scale = getenv("PEPA_TEST_SCALE");
    const double wanted = REPEATS * (scale && *scale ? strtod(scale, NULL) : 1);
    const int64_t repeats = wanted >= 1 ? (int64_t)wanted : 1;
    for (int i = *shard; i < CASES; i += SHARDS) {
        Case c;
        case_open(&c, i);
        for (int64_t k = 0; k < repeats; k++)
            repeat(&c, i, (uint64_t)k + 1);
        judge(&c, i, repeats);
        case_close(&c);
    }
}
