/* Simulation with each allocation failing. */
#include "fault/memory.h"
#include "fault/world.h"
#include "pepa_simulate.h"

enum { TIMES = 3, MEASURES = 5 };

/* Copies that move together, copies of composites, a functional rate: what needs lists of moves. */
static const char text[] = "P = (a, 1).Q + (s, 2).R; Q = (b, 2).P + (s, 1).P; R = (s, 3).P;\n"
                           "M = (c, M).N; N = (b, 1).M; (P[2]{s} <b> N) || (M <b> N)[2]";
static const char asked[] = "throughput:{a, c}\nresponse:Q\nprobability:{N > 1 && enabled(a)}\n"
                            "population:P / throughput:s\nutilisation:M";

static PepaStatus simulate(World *w, const char *model_text, const PepaSimulation *how,
                           PepaError *err)
{
    PepaModel *model = NULL;
    PepaMeasures *measures = NULL;
    PepaEstimate x[TIMES * MEASURES];
    const size_t rows = how->steady ? 1 : how->count;
    PepaStatus status = pepa_model_parse(&model, "m", model_text, strlen(model_text), NULL, err);
    if (status == PEPA_OK)
        status = pepa_measures_new(&measures, model, err);
    if (status == PEPA_OK)
        status = pepa_measures_add(measures, "m", asked, sizeof asked - 1, NULL, NULL, err);
    if (status == PEPA_OK)
        status = pepa_simulate_measures(model, measures, how, NULL, x, NULL, err);
    for (size_t i = 0; i < rows * MEASURES && status == PEPA_OK; i++)
        say_numbers(w, (double[]){x[i].value, x[i].low, x[i].high}, 3);
    pepa_measures_free(measures);
    pepa_model_free(model);
    return status;
}

static PepaStatus call_times(World *w, PepaError *err)
{
    const double time[TIMES] = {0, 1, 4};
    return simulate(w, text, &(PepaSimulation){.time = time, .count = TIMES, .runs = 10}, err);
}

static PepaStatus call_steady(World *w, PepaError *err)
{
    return simulate(w, text, &(PepaSimulation){.steady = 1, .runs = 2, .events = 4000}, err);
}

/* Immediate activities and durations, with what has no rate. */
static const char timed[] =
    "P = (a, det(1)).Q + (c, 2).Q; Q = (b, T).P + x.P; M = (b, uniform(0, 1)).N;\n"
    "N = y.M + (z, 1).N; R = (y, T).S; S = (s, erlang(2, 3)).R + (u, lognormal(0, 1)).R;\n"
    "(P[3] <b> M) <y, x> R";

static PepaStatus call_durations(World *w, PepaError *err)
{
    const double time[TIMES] = {0, 1, 4};
    return simulate(w, timed, &(PepaSimulation){.time = time, .count = TIMES, .runs = 2}, err);
}

static PepaStatus call_immediate(World *w, PepaError *err)
{
    static const char quick[] = "P = (a, 1).Q; Q = (s, 1).P + (b, immediate).N; N = (c, M).P;\n"
                                "M = (tau, 2).M + (tau, 1 : immediate).R; R = (s, 2).M; P[2] || M";
    const double time[TIMES] = {0, 1, 2};
    return simulate(w, quick, &(PepaSimulation){.time = time, .count = TIMES, .runs = 2}, err);
}

/* A state that is found to be wrong is looked at again. */
static PepaStatus call_wrong(World *w, PepaError *err)
{
    static const char wrong[] =
        "P = (a, 1).Q; Q = (b, T).P + (s, 1).P + (c, 1).P; M = (c, 1).N; N = (b, 1).M; P || M";
    const double time[] = {100};
    PepaStatus status =
        simulate(w, wrong, &(PepaSimulation){.time = time, .count = 1, .runs = 2}, err);
    cr_assert(status == PEPA_EMODEL || status == PEPA_ENOMEM);
    return status == PEPA_EMODEL ? PEPA_OK : status;
}

Test(fault_simulate_api, simulate)
{
    replay("pepa_simulate_measures, at times", call_times);
    replay("pepa_simulate_measures, in the long run", call_steady);
    replay("pepa_simulate_measures, of a wrong model", call_wrong);
    replay("pepa_simulate_measures, with immediate activities", call_immediate);
    replay("pepa_simulate_measures, with durations", call_durations);
}
