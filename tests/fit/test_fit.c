/* Fits of durations: functions against closed forms and an independent matrix exponential, EM against
 * its invariant, and known distributions found again from their samples. */
#include <criterion/criterion.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "fit/chain.h"
#include "fit/goodness.h"
#include "fit/mixture.h"

#define close_to(a, b, share)                                                                      \
    cr_assert(fabs((a) - (b)) <= (share)*fabs(b), "%.17g is not %.17g", (double)(a), (double)(b))

typedef double Matrix[MOST][MOST];

static void multiply(int n, Matrix a, Matrix b, double divisor, Matrix out)
{
    Matrix product = {{0}};
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                product[i][j] += a[i][k] * b[k][j] / divisor;
    memcpy(out, product, sizeof product);
}

/* alpha exp(Q t) by the series of exp(Q t 2^-k), squared k times. */
static void by_squaring(const Phases *p, double t, double *survival, double *density)
{
    enum { TERMS = 24, HALVINGS = 14 };
    const int n = p->phases;
    Matrix m = {{0}}, sum = {{0}}, term = {{0}};
    for (int i = 0; i < n; i++) {
        m[i][i] = -p->rate[i] * ldexp(t, -HALVINGS);
        if (i + 1 < n)
            m[i][i + 1] = -m[i][i];
        sum[i][i] = term[i][i] = 1;
    }
    for (int s = 1; s < TERMS; s++) {
        multiply(n, term, m, s, term);
        for (int i = 0; i < n * MOST; i++)
            sum[i / MOST][i % MOST] += term[i / MOST][i % MOST];
    }
    for (int s = 0; s < HALVINGS; s++)
        multiply(n, sum, sum, 1, sum);
    *survival = *density = 0;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            *survival += p->share[i] * sum[i][j];
        *density += p->share[i] * sum[i][n - 1] * p->rate[n - 1];
    }
}

static Phases random_chain(uint64_t *random)
{
    Phases p = {.family = PEPA_FIT_COX, .phases = 2 + (int32_t)(6 * random_next(random))};
    double sum = 0;
    for (int32_t i = 0; i < p.phases; i++) {
        p.rate[i] = exp(4 * random_next(random) - 2);
        sum += p.share[i] = 0.05 + random_next(random);
    }
    for (int32_t i = 0; i < p.phases; i++)
        p.share[i] /= sum;
    return p;
}

static double *draw(const Phases *p, size_t count, uint64_t seed)
{
    double *value = calloc(count, sizeof *value);
    for (size_t i = 0; i < count; i++)
        value[i] = phases_draw(p, &seed);
    qsort(value, count, sizeof *value, goodness_ascending);
    return value;
}

Test(fit, chains_are_those_of_a_matrix_exponential)
{
    uint64_t random = 3;
    for (int k = 0; k < 50; k++) {
        const Phases p = random_chain(&random);
        const double t[] = {0, 0.01, 0.7, 3, 9};
        double survival[5], density[5], s, d;
        phases_at(&p, t, 5, survival, density);
        for (int i = 0; i < 5; i++) {
            by_squaring(&p, t[i], &s, &d);
            close_to(survival[i], s, 1e-9);
            close_to(density[i], d, 1e-9);
        }
    }
}

Test(fit, an_erlang_chain_has_the_closed_form)
{
    const double t[] = {1e-6, 0.5, 2, 40, 300};
    double chain[5], chain_density[5], erlang[5], density[5];
    Phases p = {.family = PEPA_FIT_COX, .phases = 3, .rate = {2, 2, 2}, .share = {1}};
    phases_at(&p, t, 5, chain, chain_density);
    p.family = PEPA_FIT_ERLANG;
    phases_at(&p, t, 5, erlang, density);
    for (int i = 0; i < 5; i++) {
        const double x = 2 * t[i];
        close_to(erlang[i], exp(-x) * (1 + x + x * x / 2), 1e-11);
        close_to(density[i], 2 * exp(-x) * x * x / 2, 1e-11);
        close_to(chain[i], erlang[i], 1e-11);
        close_to(chain_density[i], density[i], 1e-10);
    }
}

/* The first phases of a path decide: the leading term of the density at t is r (r t)^7 / 7!, 1e-39. */
Test(fit, short_times_have_their_small_density)
{
    const double t = 1e-6;
    double survival, density;
    Phases p = {.family = PEPA_FIT_COX, .phases = 8, .share = {1}};
    for (int i = 0; i < 8; i++)
        p.rate[i] = 2;
    phases_at(&p, &t, 1, &survival, &density);
    close_to(density, 2 * pow(2 * t, 7) / 5040 * exp(-2 * t), 1e-11);
}

/* By integrals of survival: E X^k is the integral of k t^(k-1) (1 - F). */
Test(fit, moments_are_integrals)
{
    uint64_t random = 8;
    for (int k = 0; k < 10; k++) {
        const Phases p = random_chain(&random);
        const PepaFitMoments m = phases_moments(&p);
        enum { STEPS = 40000 };
        const double most = 60 * m.mean + 60 * sqrt(m.variance), h = most / STEPS;
        static double t[STEPS + 1], left[STEPS + 1];
        double raw[4] = {0};
        for (int i = 0; i <= STEPS; i++)
            t[i] = h * i;
        phases_at(&p, t, STEPS + 1, left, NULL);
        for (int i = 0; i <= STEPS; i++)
            for (int j = 1; j <= 3; j++)
                raw[j] += (i == 0 || i == STEPS ? 1
                           : i % 2              ? 4
                                                : 2) *
                          h / 3 * j * pow(t[i], j - 1) * left[i];
        const double variance = raw[2] - raw[1] * raw[1];
        close_to(m.mean, raw[1], 1e-6);
        close_to(m.variance, variance, 1e-5);
        close_to(m.skewness, (raw[3] - 3 * raw[1] * variance - pow(raw[1], 3)) / pow(variance, 1.5),
                 1e-4);
    }
}

/* Each step of EM has the likelihood of the distribution before it, and none lowers it; each step
 * keeps the mean of the samples, as the maximum likelihood does. */
Test(fit, no_step_lowers_the_likelihood)
{
    uint64_t random = 11;
    for (int k = 0; k < 20; k++) {
        const Phases from = random_chain(&random);
        Phases p = random_chain(&random);
        double *value = draw(&from, 200, random), before = -INFINITY, mean = 0;
        Sample s = {0};
        ChainEm em;
        for (int i = 0; i < 200; i++)
            mean += value[i] / 200;
        cr_assert(sample_new(&s, value, 200, 200) && chain_em_new(&em, &s, 1e4));
        for (int step = 0; step < 40; step++) {
            const double expected = phases_likelihood(&p, &s), now = chain_em_step(&em, &p);
            close_to(now, expected, 1e-9);
            cr_assert(now >= before - 1e-9 * fabs(now), "%d: %.17g after %.17g", step, now, before);
            close_to(phases_moments(&p).mean, mean, 1e-8);
            before = now;
        }
        chain_em_free(&em);
        sample_free(&s);
        free(value);
    }
}

Test(fit, no_step_of_a_mixture_lowers_the_likelihood)
{
    const Phases from = {.family = PEPA_FIT_HYPER,
                         .phases = 2,
                         .rate = {5, 0.3},
                         .share = {0.8, 0.2}};
    double *value = draw(&from, 500, 4), before = -INFINITY;
    Sample s = {0};
    Phases p;
    cr_assert(sample_new(&s, value, 500, 500));
    mixture_by_shares(&s, 3, &p);
    for (int step = 0; step < 100; step++) {
        const double expected = phases_likelihood(&p, &s), now = mixture_step(&s, &p);
        close_to(now, expected, 1e-11);
        cr_assert(now >= before - 1e-10 * fabs(now));
        before = now;
    }
    sample_free(&s);
    free(value);
}

Test(fit, balanced_means_match_two_moments)
{
    for (double variation = 1.5; variation < 1e3; variation *= 3) {
        Phases p;
        mixture_by_moments(variation, &p);
        close_to(phases_moments(&p).mean, 1.0, 1e-12);
        close_to(phases_moments(&p).variance, variation, 1e-11);
    }
}

/* A Cox form whose phases end with 1 - c_i has the mean sum of c_1 .. c_(i-1) / r_i. */
Test(fit, the_cox_form_is_the_same_distribution)
{
    uint64_t random = 21;
    for (int k = 0; k < 50; k++) {
        const Phases p = random_chain(&random);
        double mean = 0, reached = 1;
        for (int32_t i = 0; i < p.phases; i++) {
            mean += reached / p.rate[p.phases - 1 - i];
            reached *= phases_goes_on(&p, i);
        }
        close_to(mean, phases_moments(&p).mean, 1e-12);
        cr_assert_eq(reached, 0);
    }
}

/* ---- the whole way ---------------------------------------------------------------------------- */

static PepaFit *fit_of(const double *value, size_t count, const PepaFitSettings *set)
{
    PepaFit *fit = NULL;
    PepaError err = {0};
    cr_assert_eq(pepa_fit_new(&fit, value, count, set, NULL, &err), PEPA_OK, "%s", err.message);
    return fit;
}

/* The rate of n samples of an Erlang distribution of k phases has the relative standard error
 * 1/sqrt(n k): five of them. */
Test(fit, an_erlang_distribution_is_found_again)
{
    const Phases p = {.family = PEPA_FIT_ERLANG, .phases = 4, .rate = {3}};
    double *value = draw(&p, 2000, 9);
    PepaFit *fit = fit_of(value, 2000, NULL);
    cr_assert_eq(pepa_fit_info(fit).family, PEPA_FIT_ERLANG);
    cr_assert_eq(pepa_fit_info(fit).phases, 4);
    close_to(pepa_fit_rate(fit, 0), 3.0, 5 / sqrt(2000 * 4));
    pepa_fit_free(fit);
    free(value);
}

/* The share of the slow phase has the standard error sqrt(p (1 - p) / n) were the phases seen, and
 * little more where rates are 100 times apart: six of them. */
Test(fit, a_mixture_is_found_again)
{
    const Phases p = {.family = PEPA_FIT_HYPER,
                      .phases = 2,
                      .rate = {20, 0.2},
                      .share = {0.7, 0.3}};
    double *value = draw(&p, 2000, 9);
    PepaFit *fit = fit_of(value, 2000, &(PepaFitSettings){.family = PEPA_FIT_HYPER, .phases = 2});
    close_to(pepa_fit_probability(fit, 1), 0.3, 6 * sqrt(0.3 * 0.7 / 2000) / 0.3);
    close_to(pepa_fit_rate(fit, 0), 20.0, 6 / sqrt(1400));
    close_to(pepa_fit_rate(fit, 1), 0.2, 6 / sqrt(600));
    pepa_fit_free(fit);
    free(value);
}

/* A sample of one phase has its best two phases where EM hardly moves any more: it would gain next to nothing. */
Test(fit, nothing_is_left_for_more_steps)
{
    enum { VALUES = 400, STEPS = 100000 };
    const Phases one = {.family = PEPA_FIT_HYPER, .phases = 1, .rate = {1}, .share = {1}};
    for (uint64_t seed = 1; seed <= 6; seed++) {
        double *value = draw(&one, VALUES, seed), last = 0;
        Sample s;
        PepaFit *fit =
            fit_of(value, VALUES, &(PepaFitSettings){.family = PEPA_FIT_HYPER, .phases = 2});
        Phases p = {.family = PEPA_FIT_HYPER, .phases = 2};
        for (int32_t i = 0; i < 2; i++) {
            p.rate[i] = pepa_fit_rate(fit, i);
            p.share[i] = pepa_fit_probability(fit, i);
        }
        cr_assert(sample_new(&s, value, VALUES, VALUES));
        const double first = mixture_step(&s, &p);
        for (int i = 0; i < STEPS; i++)
            last = mixture_step(&s, &p);
        cr_expect(last - first < 5e-8 * VALUES, "seed %d: %g, then %g", (int)seed, first, last);
        sample_free(&s);
        pepa_fit_free(fit);
        free(value);
    }
}

/* However many steps EM makes, more of them have no smaller likelihood. */
Test(fit, climbing_never_goes_down)
{
    enum { VALUES = 200, MOST_STEPS = 90 };
    const PepaSettings set = {.progress = NULL};
    uint64_t random = 5;
    for (int family = 0; family < 2; family++) {
        const Phases from = random_chain(&random);
        double *value = draw(&from, VALUES, 3), before = -INFINITY;
        Sample s;
        cr_assert(sample_new(&s, value, VALUES, VALUES));
        for (int steps = 3; steps <= MOST_STEPS; steps += 3) {
            Watch watch = watch_begin(&set, "", 0);
            Phases p = {.family = family ? PEPA_FIT_COX : PEPA_FIT_HYPER,
                        .phases = 3,
                        .rate = {5, 1, 0.3},
                        .share = {0.3, 0.3, 0.4}};
            PepaFitCandidate found;
            cr_assert(climb(&s, &(Effort){steps, 1e-15, &watch}, &p, &found));
            cr_expect_geq(found.log_likelihood, before - 1e-12 * fabs(before),
                          "family %d, %d steps: %.17g, %.17g", family, steps, found.log_likelihood,
                          before);
            before = found.log_likelihood;
        }
        sample_free(&s);
        free(value);
    }
}

Test(fit, units_change_rates_only)
{
    uint64_t random = 2;
    const Phases p = random_chain(&random);
    double *value = draw(&p, 300, 1), *other = calloc(300, sizeof *other);
    PepaFit *fit = fit_of(value, 300, NULL);
    for (int power = -9; power <= 9; power += 9) {
        const double unit = pow(2, 3 * power);
        for (int i = 0; i < 300; i++)
            other[i] = value[299 - i] * unit;
        PepaFit *again = fit_of(other, 300, NULL);
        const PepaFitInfo a = pepa_fit_info(fit), b = pepa_fit_info(again);
        cr_assert(a.family == b.family && a.phases == b.phases);
        for (int32_t i = 0; i < a.phases; i++)
            close_to(pepa_fit_rate(again, i) * unit, pepa_fit_rate(fit, i), 1e-6);
        close_to(pepa_fit_candidate(again, b.chosen).log_likelihood + 300 * log(unit),
                 pepa_fit_candidate(fit, a.chosen).log_likelihood, 1e-6);
        pepa_fit_free(again);
    }
    pepa_fit_free(fit);
    free(value);
    free(other);
}

/* Samples of the fitted family are not rejected; others are. */
Test(fit, p_values_tell_a_good_fit_from_a_poor_one)
{
    const Phases p = {.family = PEPA_FIT_ERLANG, .phases = 2, .rate = {1}};
    double *value = draw(&p, 400, 17);
    PepaFitTest good, poor;
    PepaFit *fit = fit_of(value, 400, &(PepaFitSettings){.family = PEPA_FIT_ERLANG, .phases = 2});
    cr_assert_eq(pepa_fit_test(fit, 99, 1, NULL, &good, NULL), PEPA_OK);
    pepa_fit_free(fit);
    fit = fit_of(value, 400, &(PepaFitSettings){.family = PEPA_FIT_ERLANG, .phases = 6});
    cr_assert_eq(pepa_fit_test(fit, 99, 1, NULL, &poor, NULL), PEPA_OK);
    cr_assert(good.cramer > 0.05 && good.kolmogorov > 0.05);
    cr_assert(poor.cramer == 0.01 && poor.kolmogorov == 0.01);
    pepa_fit_free(fit);
    free(value);
}

/* Stops at the second call. */
static int at_second(void *user, const PepaProgress *now)
{
    PepaProgress *seen = user;
    const int again = seen->phase != NULL;
    *seen = *now;
    return again;
}

Test(fit, what_takes_long_can_be_stopped)
{
    const Phases p = {.family = PEPA_FIT_ERLANG, .phases = 2, .rate = {1}};
    double *value = draw(&p, 2000, 3);
    PepaProgress seen = {NULL};
    const PepaSettings set = {.progress = at_second, .user = &seen};
    const PepaFitSettings endless = {.family = PEPA_FIT_COX,
                                     .phases = 5,
                                     .max_iter = INT64_MAX,
                                     .tolerance = DBL_MIN};
    PepaFit *fit = NULL;
    PepaFitTest test = {.runs = -7};
    PepaError err = {0};
    cr_assert_eq(pepa_fit_new(&fit, value, 2000, &endless, &set, &err), PEPA_ECANCEL);
    cr_assert(!fit && strcmp(seen.phase, "fit") == 0 && seen.seconds >= 0.2 && seen.left < 0);
    seen.phase = NULL;
    fit = fit_of(value, 2000, &(PepaFitSettings){.family = PEPA_FIT_ERLANG});
    cr_assert_eq(pepa_fit_test(fit, 1000000, 1, &set, &test, &err), PEPA_ECANCEL);
    cr_assert_str_eq(seen.phase, "bootstrap");
    cr_assert(seen.count > 0 && seen.measure == 1e6 && test.runs == -7);
    close_to(seen.left, seen.seconds * (1e6 / (double)seen.count - 1), 1e-12);
    cr_assert_eq(pepa_fit_new(&fit, value, 2000, NULL, &(PepaSettings){.threads = -1}, &err),
                 PEPA_EARG);
    cr_assert_eq(pepa_fit_test(fit, 1, 1, &(PepaSettings){.threads = -1}, &test, &err), PEPA_EARG);
    pepa_fit_free(fit);
    free(value);
}

/* The fastest phase is as fast as its samples allow; those drawn from the fit are longer, and allow less. */
Test(fit, p_values_where_one_phase_is_as_fast_as_can_be)
{
    static const double least[] = {1e-4, 8e-5, 1e-6, 1e-9};
    for (size_t k = 0; k < sizeof least / sizeof *least; k++) {
        const double value[] = {1, least[k]};
        PepaFit *fit = fit_of(value, 2, &(PepaFitSettings){.family = PEPA_FIT_COX, .phases = 2});
        PepaFitTest test;
        cr_assert_eq(pepa_fit_test(fit, 39, 1, NULL, &test, NULL), PEPA_OK);
        cr_expect(test.kolmogorov > 0.05);
        pepa_fit_free(fit);
    }
}

/* By hand: one sample, 1; an exponential of rate 1. */
Test(fit, distances_are_those_by_hand)
{
    const double one = 1, cdf = 1 - exp(-1);
    PepaFit *fit = fit_of(&one, 1, &(PepaFitSettings){.phases = 1});
    close_to(pepa_fit_info(fit).kolmogorov, cdf, 1e-12);
    close_to(pepa_fit_info(fit).cramer, 1.0 / 12 + (cdf - 0.5) * (cdf - 0.5), 1e-12);
    close_to(pepa_fit_candidate(fit, 0).log_likelihood, -1.0, 1e-12);
    pepa_fit_free(fit);
}

Test(fit, misuse_is_an_error)
{
    const double wrong[][2] = {{1, 0}, {1, -1}, {1, NAN}, {1, INFINITY}, {1, 1e-20}};
    PepaFit *fit = NULL;
    PepaError err;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        cr_assert_eq(pepa_fit_new(&fit, wrong[i], 2, NULL, NULL, &err), PEPA_EARG);
    cr_assert_eq(pepa_fit_new(&fit, wrong[0], 0, NULL, NULL, &err), PEPA_EARG);
    cr_assert_eq(pepa_fit_new(NULL, wrong[0], 1, NULL, NULL, &err), PEPA_EARG);
    cr_assert_eq(pepa_fit_new(&fit, wrong[0], 1, &(PepaFitSettings){.reserved = {1}}, NULL, &err),
                 PEPA_EARG);
    cr_assert_eq(pepa_fit_new(&fit, wrong[0], 1,
                              &(PepaFitSettings){.family = PEPA_FIT_COX, .phases = 1}, NULL, &err),
                 PEPA_EARG);
    cr_assert_eq(pepa_fit_new(&fit, wrong[0], 1, &(PepaFitSettings){.phases = 1001}, NULL, &err),
                 PEPA_EARG);
    cr_assert_eq(pepa_fit_new(&fit, wrong[0], 1, &(PepaFitSettings){.max_iter = -1}, NULL, &err),
                 PEPA_EARG);
    cr_expect_str_eq(err.message, "the most iterations of a fit are 1 or more, not -1");
    const double tolerances[] = {NAN, -3, INFINITY};
    for (size_t i = 0; i < sizeof tolerances / sizeof *tolerances; i++)
        cr_assert_eq(pepa_fit_new(&fit, wrong[0], 1, &(PepaFitSettings){.tolerance = tolerances[i]},
                                  NULL, &err),
                     PEPA_EARG);
    cr_assert_null(fit);
    fit = fit_of(wrong[0], 1, NULL);
    PepaFitTest test;
    char *text = NULL;
    cr_assert_eq(pepa_fit_test(fit, 0, 1, NULL, &test, &err), PEPA_EARG);
    cr_assert_eq(pepa_fit_at(fit, NAN, NULL, NULL, &err), PEPA_EARG);
    static const char *const names[] = {"2big", "",    "a b",      "\"",
                                        "\"\"", "\"a", "\"a\"b\"", "\"a\nb\""};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        cr_expect_eq(pepa_fit_text(fit, names[i], 0, &text, &err), PEPA_EARG, "%s", names[i]);
        cr_assert_null(text);
    }
    static const char *const right[] = {"Big", "b_1", "\"a b\""};
    for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
        cr_assert_eq(pepa_fit_text(fit, right[i], 0, &text, &err), PEPA_OK);
        cr_expect_eq(strncmp(text + 1, right[i], strlen(right[i])), 0, "%s", text);
        pepa_text_free(text);
        text = NULL;
    }
    pepa_fit_free(fit);
    pepa_fit_free(NULL);
    pepa_samples_free(NULL);
}
