/* Control variates of events that hardly ever happen, or never: what is expected of such an event is a
 * multiple of a population, and does not tell how large that is. */
#include <math.h>
#include <stdio.h>

#include "api/parsing.h"
#include "pepa_simulate.h"

/* In balance A = (2 + f) B and C = B / 10,000; C's share may never be seen. */
static void with_failures(double rate, const char *first, int64_t runs)
{
    char text[300];
    PepaMeasures *measures;
    PepaEstimate x[3];
    PepaError err = {0};
    (void)snprintf(text, sizeof text,
                   "%s = (work, 1).B; B = (rest, 2).%s + (fail, %g).C; C = (repair, %g).%s; "
                   "%s[3]",
                   first, first, rate, 1e4 * rate, first, first);
    PepaModel *model = parse(text);
    const PepaSimulation how = {.steady = 1,
                                .runs = runs,
                                .confidence = 0.99999,
                                .events = 2000000};
    cr_assert_eq(pepa_measures_new(&measures, model, &err), PEPA_OK);
    (void)snprintf(text, sizeof text, "population:%s\nthroughput:rest\nthroughput:fail", first);
    cr_assert_eq(pepa_measures_add(measures, "m", text, strlen(text), NULL, NULL, &err), PEPA_OK);
    cr_assert_eq(pepa_simulate_measures(model, measures, &how, NULL, x, NULL, &err), PEPA_OK, "%s",
                 err.message);
    const double b = 3 / (3 + rate + 1e-4), exact[] = {(2 + rate) * b, 2 * b, rate * b};
    for (int i = 0; i < 3; i++)
        cr_expect(x[i].low < exact[i] * (1 + 4e-5) && x[i].high > exact[i] * (1 - 4e-5) &&
                      x[i].high - x[i].low < 0.01 * exact[i],
                  "%d: rate %g, %lld runs: %g is not in %g, %g", i, rate, (long long)runs, exact[i],
                  x[i].low, x[i].high);
    pepa_measures_free(measures);
    pepa_model_free(model);
}

Test(simulate_controls, of_what_never_happens)
{
    for (double rate = 1e-12; rate < 1; rate *= 100)
        for (int64_t runs = 32; runs; runs /= 32)
            with_failures(rate, "A", runs);
}
