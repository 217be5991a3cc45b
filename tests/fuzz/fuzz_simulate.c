/* Any bytes, from text to simulation: estimates within what is possible, or a reason. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pepa_simulate.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { TIMES = 2, MEASURES = 2 };

static void check(const PepaEstimate *x, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (x[i].value < x[i].low || x[i].value > x[i].high ||
            (i % MEASURES == 0 && !(x[i].value > -1e-9 && x[i].value < 1 + 1e-9)))
            abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char asked[] = "probability:{deadlock}\nthroughput:tau";
    const double time[TIMES] = {0.1, 2};
    const PepaSimulation times = {.time = time, .count = TIMES, .runs = 3, .events = 2000},
                         steady = {.steady = 1, .runs = 2, .events = 20000};
    PepaModel *model = NULL;
    PepaMeasures *measures = NULL;
    PepaEstimate x[TIMES * MEASURES];
    PepaSettings set = {.threads = 1};
    PepaError err;
    if (pepa_model_parse(&model, "fuzz", (const char *)data, size, NULL, &err) == PEPA_OK &&
        pepa_measures_new(&measures, model, &err) == PEPA_OK &&
        pepa_measures_add(measures, "m", asked, strlen(asked), NULL, NULL, &err) == PEPA_OK) {
        if (pepa_simulate_measures(model, measures, &times, &set, x, NULL, &err) == PEPA_OK)
            check(x, (size_t)TIMES * MEASURES);
        if (pepa_simulate_measures(model, measures, &steady, &set, x, NULL, &err) == PEPA_OK)
            check(x, MEASURES);
    }
    pepa_measures_free(measures);
    pepa_model_free(model);
    return 0;
}
