/* Rare events and passages by simulation, with each allocation failing. */
#include "fault/memory.h"
#include "fault/world.h"
#include "pepa_simulate.h"

enum { TIMES = 2 };

/* So few events are allowed that the answer is an error: with more it would take minutes. */
static const char ends_soon[] =
    "P = (arrive, 1).J; J = (serve, 3).K; K = (never, 1).K; N = (no, 1).N; P[3] <never, no> N";
static const char queue[] = "P = (arrive, 1).J; J = (serve, T).P; S = (serve, 3).S; P[3] <serve> S";

static PepaStatus call_rare(World *w, PepaError *err)
{
    static const char asked[] = "probability:{J >= 3}";
    const double time[TIMES] = {0.2, 0.5};
    const PepaSimulation how = {.time = time, .count = TIMES, .runs = 2, .seed = 1, .events = 2000};
    PepaModel *model = NULL;
    PepaMeasures *measures = NULL;
    PepaEstimate x[TIMES];
    PepaRareLevels levels = {0};
    PepaStatus status = pepa_model_parse(&model, "m", ends_soon, strlen(ends_soon), NULL, err);
    if (status == PEPA_OK)
        status = pepa_measures_new(&measures, model, err);
    if (status == PEPA_OK)
        status = pepa_measures_add(measures, "m", asked, sizeof asked - 1, NULL, NULL, err);
    if (status == PEPA_OK)
        status = pepa_simulate_rare(model, measures, &how, NULL, x, &levels, NULL, err);
    cr_assert(status == PEPA_ELIMIT || status == PEPA_ENOMEM);
    if (status == PEPA_ELIMIT)
        pepa_rare_levels_free(&levels, 1); /* there are none */
    pepa_measures_free(measures);
    pepa_model_free(model);
    (void)w;
    return status == PEPA_ELIMIT ? PEPA_OK : status;
}

static PepaStatus call_passage(World *w, PepaError *err)
{
    static const char *const to[] = {"serve"};
    const double time[TIMES] = {0.2, 0.5}, share = 0.9;
    const PepaPassageEnds ends = {.from_start = 1, .to_action = to, .to_actions = 1};
    const PepaPassageSampling how =
        {.time = time, .count = TIMES, .share = &share, .shares = 1, .runs = 40, .seed = 1};
    PepaEstimate cdf[TIMES], pdf[TIMES], quantile;
    PepaModel *model = NULL;
    PepaPassageSample sample;
    PepaStatus status = pepa_model_parse(&model, "m", queue, strlen(queue), NULL, err);
    if (status == PEPA_OK)
        status = pepa_simulate_passage(model, &ends, &how, NULL, cdf, pdf, &quantile, &sample, err);
    if (status == PEPA_OK)
        say_numbers(w, (double[]){cdf[0].value, pdf[1].value, quantile.value, sample.mean.value},
                    4);
    pepa_model_free(model);
    return status;
}

/* Thousands of allocations, of which some are tried: pilot runs come before each. */
Test(fault_rare_api, rare_events)
{
    World w = {0};
    for (int64_t k = 1; k <= 2000; k += 1 + k / 4) {
        PepaError err = {0};
        mem_fail_at(k, true);
        const PepaStatus status = call_rare(&w, &err);
        mem_fail_at(0, false);
        cr_expect(status == PEPA_ENOMEM || status == PEPA_OK, "allocation %d: %s", (int)k,
                  err.message);
    }
}

Test(fault_rare_api, passages)
{
    replay("pepa_simulate_passage", call_passage);
}
