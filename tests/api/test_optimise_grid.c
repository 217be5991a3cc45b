/* pepa_optimise.h against every point of a grid. */
#include <math.h>
#include <stdio.h>

#include "experiments.h"
#include "pepa_optimise.h"

static double uniform(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 9007199254740992.0;
}

/* No point of a grid is better, and the optimum is what the model has there. */
static void against_grid(uint64_t seed)
{
    enum { SIDE = 12 };
    char text[200];
    double value[SIDE * SIDE * 2], x[SIDE], y[SIDE];
    const double a = 0.2 + 3 * uniform(&seed), b = 0.2 + 3 * uniform(&seed);
    for (int i = 0; i < SIDE; i++) {
        x[i] = 0.3 * pow(20, i / (SIDE - 1.0));
        y[i] = 0.2 + 4 * i / (SIDE - 1.0);
    }
    (void)snprintf(text, sizeof text,
                   "throughput:out - %.3g * rate:r\npopulation:B1 / throughput:out",
                   0.02 + 0.2 * uniform(&seed));
    const PepaDefine defines[] = {{"fast", a}, {"s", b}};
    const PepaVary vary[] = {{"r", x, SIDE}, {"s", y, SIDE}};
    const PepaExperiment grid = {.vary = vary, .count = 2};
    Asked m = ask(line, text, PEPA_EXPLICIT, defines, 1);
    PepaError err = {0};
    cr_assert_eq(pepa_experiment_measures(m.chain, m.measures, &grid, NULL, value, NULL, &err),
                 PEPA_OK, "%s", err.message);
    const double bound =
        value[2 * (SIDE * (SIDE / 2) + SIDE / 2) + 1]; /* some point satisfies it */
    double best = -INFINITY;
    for (int k = 0; k < SIDE * SIDE; k++)
        if (value[2 * k + 1] <= bound)
            best = fmax(best, value[2 * k]);
    const PepaWithin within[] = {{"r", x[0], x[SIDE - 1]}, {"s", y[0], y[SIDE - 1]}};
    PepaConstraint subject;
    double rate[2], at[4];
    PepaOptimum found;
    (void)snprintf(text, sizeof text, "population:B1 / throughput:out <= %.17g", bound);
    cr_assert_eq(pepa_measures_add_constraint(m.measures, "c", text, strlen(text), NULL, NULL,
                                              &subject, &err),
                 PEPA_OK, "%s", err.message);
    const PepaOptimise what = {.maximise = 1,
                               .within = within,
                               .within_count = 2,
                               .subject = &subject,
                               .subject_count = 1};
    cr_assert_eq(pepa_optimise(m.model, m.measures, &what, NULL, rate, at, NULL, &found, &err),
                 PEPA_OK, "%s", err.message);
    cr_expect_geq(found.objective, best - 1e-7 * fabs(best), "%.9g, but %.9g is on the grid",
                  found.objective, best);
    cr_expect_leq(at[1], bound * (1 + found.tolerance));
    const PepaVary there[] = {{"r", &rate[0], 1}, {"s", &rate[1], 1}};
    cr_assert_eq(pepa_experiment_measures(m.chain, m.measures,
                                          &(PepaExperiment){.vary = there, .count = 2}, NULL, value,
                                          NULL, &err),
                 PEPA_OK);
    cr_expect_float_eq(value[0], found.objective, 1e-9 * fabs(found.objective));
    asked_free(&m);
}

Test(optimise_api, grids)
{
    for (uint64_t seed = 1; seed <= 12; seed++)
        against_grid(seed);
}
