/* Experiments by simulation, with each allocation failing. */
#include "fault/memory.h"
#include "fault/world.h"
#include "pepa_experiment.h"

enum { POINTS = 2 };

static PepaStatus call(World *w, PepaError *err)
{
    static const char text[] = "r = 1; P = (a, r).Q; Q = (s, immediate).P + (t, 3 : immediate).R; "
                               "R = (u, uniform(0, 1)).P;\n"
                               "P[2]";
    static const char asked[] = "population:R";
    const double time = 0.5, r[POINTS] = {1, 2};
    const PepaVary vary = {"r", r, POINTS};
    const PepaSimulation how = {.time = &time, .count = 1, .runs = 2, .seed = 1, .events = 9000};
    PepaModel *model = NULL;
    PepaMeasures *measures = NULL;
    PepaEstimate x[POINTS];
    PepaStatus status = pepa_model_parse(&model, "m", text, sizeof text - 1, NULL, err);
    if (status == PEPA_OK)
        status = pepa_measures_new(&measures, model, err);
    if (status == PEPA_OK)
        status = pepa_measures_add(measures, "m", asked, sizeof asked - 1, NULL, NULL, err);
    if (status == PEPA_OK)
        status =
            pepa_experiment_simulate(model, measures, &(PepaExperiment){.vary = &vary, .count = 1},
                                     &how, NULL, x, NULL, err);
    if (status == PEPA_OK)
        say_numbers(w, (double[]){x[0].value, x[1].value, x[1].high}, 3);
    pepa_measures_free(measures);
    pepa_model_free(model);
    return status;
}

Test(fault_experiment_simulate, points)
{
    replay("pepa_experiment_simulate", call);
}
