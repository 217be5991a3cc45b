/* Simulation in the long run of components that may end in several ways. */
#include "pepa_simulate.h"

#include "api/parsing.h"

/* A component of which runs may not show all ends. */
Test(simulate_ends, ends_that_runs_may_not_show)
{
    static const char *const cases[][2] =
        {{"P = (l, 1).L + (r, 3).R; L = (x, 1).L; R = (z, 5).R; P", "P"},
         {"Q = (a, 1).Q; P = (l, 1).L + (r, 3).R; L = (x, 1).L; R = (z, 5).R; Q || (P <l> Q)[2]",
          "P"},
         {"P = (a, 1).M; M = (l, 1).L + (r, 3).R; L = (x, 1).L; R = (z, 5).R; P || R", "P"},
         {"P = (a, 1).M; M = (l, 1).L + (r, 3).R; L = (x, 1).L; R = (z, 5).R; L || R", ""},
         {"P = (l, 1).L + (r, 3).R; L = (x, 1).E; R = (z, 5).E; E = (e, 1).F; F = (f, 1).E; P", ""},
         {"P = (l, 1).L + (s, 3).Stop; L = (x, 1).L; P", "P"},
         {"P = (a, 1).P1; P1 = (b, 1).P + (c, 1).P; P", ""}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        PepaModel *model = parse(cases[i][0]);
        PepaMeasures *measures = NULL;
        PepaSimulationInfo info;
        PepaEstimate x;
        PepaError err = {0};
        const PepaSimulation how = {.steady = 1, .runs = 2, .relative_width = 100};
        cr_assert_eq(pepa_measures_new(&measures, model, NULL), PEPA_OK);
        cr_assert_eq(pepa_measures_add(measures, "m", "1 + probability:{deadlock}", 26, NULL, NULL,
                                       NULL),
                     PEPA_OK);
        cr_assert_eq(pepa_simulate_measures(model, measures, &how, NULL, &x, &info, &err), PEPA_OK,
                     "%s: %s", cases[i][0], err.message);
        cr_expect_str_eq(info.ends ? info.ends : "", cases[i][1], "%s", cases[i][0]);
        pepa_measures_free(measures);
        pepa_model_free(model);
    }
}
