/* Mixtures of Erlang distributions: their chains, their shapes, and fits of what was drawn from one. */
#include "fit/erlangs.h"

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "base/random.h"
#include "fit/phases.h"

enum { VALUES = 3000 };

static Phases mixture(uint64_t *random)
{
    Phases p = {.family = PEPA_FIT_HYPER_ERLANG};
    double left = 1;
    p.branches = 2 + (int32_t)(3 * random_next(random));
    for (int32_t i = 0; i < p.branches; i++) {
        p.shape[i] = 1 + (int32_t)(5 * random_next(random));
        p.rate[i] = exp(4 * random_next(random) - 2);
        p.share[i] = i + 1 < p.branches ? left * random_next(random) : left;
        left -= p.share[i];
        p.phases += p.shape[i];
    }
    return p;
}

/* The chain has the distribution, with chances alone, and rates that ascend. */
Test(erlangs, are_chains)
{
    uint64_t random = 3;
    for (int k = 0; k < 200; k++) {
        const Phases p = mixture(&random);
        const double time[] = {0.01, 0.3, 1, 4, 20};
        double own[5], dense[5], survival[5], density[5], sum = 0, mean = 0;
        Phases chain;
        erlangs_chain(&p, &chain);
        cr_assert_eq(chain.phases, p.phases);
        for (int32_t i = 0; i < chain.phases; i++) {
            cr_expect(chain.share[i] >= 0 && (i == 0 || chain.rate[i] >= chain.rate[i - 1]));
            sum += chain.share[i];
        }
        cr_expect_float_eq(sum, 1, 1e-12);
        phases_at(&p, time, 5, own, dense);
        phases_at(&chain, time, 5, survival, density);
        for (int i = 0; i < 5; i++) {
            cr_expect_float_eq(own[i], survival[i], 1e-10, "%g, not %g", survival[i], own[i]);
            cr_expect_float_eq(dense[i], density[i], 1e-10 * (1 + dense[i]));
            cr_expect_float_eq(erlangs_log_density(&p, time[i]), log(dense[i]), 1e-9);
        }
        for (int32_t i = 0; i < p.branches; i++)
            mean += p.share[i] * p.shape[i] / p.rate[i];
        cr_expect_float_eq(phases_moments(&p).mean, mean, 1e-10 * mean);
    }
}

/* Sums of 2 to 4 parts, without those of ones alone. */
Test(erlangs, every_division_once)
{
    static const struct {
        int32_t phases, ways;
    } known[] = {{2, 0}, {3, 1}, {4, 3}, {5, 5}, {10, 22}, {20, 107}};
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        int32_t shape[MOST + 1], before[MOST + 1] = {0}, branches = 0, ways = 0;
        for (; erlangs_next(known[k].phases, shape, &branches); ways++) {
            int32_t sum = 0;
            cr_expect(branches >= 2 && branches <= ERLANGS_BRANCHES);
            for (int32_t i = 0; i < branches; i++) {
                sum += shape[i];
                cr_expect(i == 0 || shape[i] <= shape[i - 1]);
            }
            cr_expect_eq(sum, known[k].phases);
            cr_expect(ways == 0 || memcmp(shape, before, (size_t)branches * sizeof *shape) != 0);
            memcpy(before, shape, sizeof shape);
        }
        cr_expect_eq(ways, known[k].ways, "%d phases: %d", known[k].phases, ways);
    }
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Two peaks far apart: Erlang distributions with 3 and 6 phases, of the means 0.5 and 5. */
static const Phases peaks = {.family = PEPA_FIT_HYPER_ERLANG,
                             .phases = 9,
                             .branches = 2,
                             .shape = {3, 6},
                             .rate = {6, 1.2},
                             .share = {0.6, 0.4}};

static void draw(double *value)
{
    uint64_t random = 11;
    for (int i = 0; i < VALUES; i++)
        value[i] = phases_draw(&peaks, &random);
}

Test(erlangs, a_step_is_never_worse)
{
    double value[VALUES], weight[VALUES], before = -INFINITY;
    draw(value);
    qsort(value, VALUES, sizeof *value, ascending);
    for (int i = 0; i < VALUES; i++)
        weight[i] = 1;
    const Sample s = {VALUES, value, weight, VALUES};
    Phases p;
    erlangs_by_parts(&s, (int32_t[]){2, 4}, 2, &p);
    cr_assert_eq(p.phases, 6);
    for (int k = 0; k < 50; k++) {
        const double likelihood = phases_likelihood(&p, &s), said = erlangs_step(&s, &p);
        cr_expect_float_eq(said, likelihood, 1e-8 * fabs(likelihood));
        cr_expect_geq(said, before - 1e-7);
        before = said;
    }
}

/* The family is chosen, with the shapes that were drawn, and the definition is read. */
Test(erlangs, two_peaks_are_found)
{
    double value[VALUES];
    PepaFit *fit;
    PepaModel *model;
    PepaError err = {0};
    char *text, whole[4000];
    draw(value);
    cr_assert_eq(pepa_fit_new(&fit, value, VALUES, NULL, NULL, &err), PEPA_OK, "%s", err.message);
    const PepaFitInfo info = pepa_fit_info(fit);
    cr_expect_str_eq(pepa_fit_family_name(info.family), "hyper-erlang");
    cr_expect(info.phases >= 8 && info.phases <= 10, "%d", info.phases);
    cr_expect_eq(pepa_fit_candidate(fit, info.chosen).parameters, 5);
    cr_expect_float_eq(info.fitted.mean, info.empirical.mean, 1e-5 * info.empirical.mean);
    cr_expect_float_eq(pepa_fit_rate(fit, 0), 6, 0.5);
    cr_expect_float_eq(pepa_fit_rate(fit, info.phases - 1), 1.2, 0.25);
    cr_assert_eq(pepa_fit_text(fit, "work", 0, &text, &err), PEPA_OK);
    cr_expect_eq(strncmp(text, "(work, cox(", 11), 0, "%s", text);
    (void)snprintf(whole, sizeof whole, "A = %s.B; B = (b, 1).A; A", text);
    cr_assert_eq(pepa_model_parse(&model, "m", whole, strlen(whole), NULL, &err), PEPA_OK, "%s",
                 err.message);
    pepa_model_free(model);
    pepa_text_free(text);
    PepaFitTest test;
    cr_assert_eq(pepa_fit_test(fit, 19, 1, NULL, &test, &err), PEPA_OK);
    cr_expect_gt(test.kolmogorov, 0.05);
    pepa_fit_free(fit);
}

Test(erlangs, phases_that_make_no_mixture)
{
    const double value[] = {1, 2, 3};
    PepaFit *fit;
    PepaError err = {0};
    cr_expect_eq(pepa_fit_new(&fit, value, 3,
                              &(PepaFitSettings){.family = PEPA_FIT_HYPER_ERLANG, .phases = 2},
                              NULL, &err),
                 PEPA_EARG);
    cr_assert_eq(pepa_fit_new(&fit, value, 3,
                              &(PepaFitSettings){.family = PEPA_FIT_HYPER_ERLANG, .phases = 3},
                              NULL, &err),
                 PEPA_OK, "%s", err.message);
    cr_expect_eq(pepa_fit_info(fit).candidates, 1);
    pepa_fit_free(fit);
}
