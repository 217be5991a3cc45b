/* Fluid limits and their moments with each allocation failing. */
#include "fault/memory.h"
#include "fault/world.h"
#include "pepa_fluid.h"

enum { TIMES = 3, MEASURES = 5 };

/* Copies of composites, passive and functional rates, conditions, local states that take no time. */
static const char text[] = "A = (t, 1).B; B = (s, T).A + (s, 2 * T).C; C = (u, 3).D;\n"
                           "D = (x, 4 : immediate).A + (y, immediate).E; E = z.D + w.B;\n"
                           "S = (s, 2).R; R = (v, if B > 30 then 2 else B / 20).S;\n"
                           "M = (c, 4).N; N = (b, 1).M; (A[100] <s> S[20]) || (M <b> N)[10]";
static const char asked[] = "throughput:{s, c}\nresponse:C\nreward:{B * B}\n"
                            "population:B / throughput:s\nutilisation:M";

/* A component with many local states behind one: an intermediate flow of the Jacobian. */
static const char star[] =
    "I = (a, 1).W0 + (a, 1).W1 + (a, 1).W2 + (a, 1).W3 + (a, 1).W4 + (a, 1).W5 + (a, 1).W6\n"
    "  + (a, 1).W7 + (a, 1).W8 + (a, 1).W9;\n"
    "W0 = (b, 1).I; W1 = (b, 1).I; W2 = (b, 2).I; W3 = (b, 2).I; W4 = (b, 3).I; W5 = (b, 3).I;\n"
    "W6 = (b, 4).I; W7 = (b, 4).I; W8 = (b, 5).I; W9 = (b, 5).I; I[100]";

static PepaStatus call_star(World *w, PepaError *err)
{
    PepaModel *model = NULL;
    PepaMeasures *measures = NULL;
    const PepaFluid at = {.steady = 1};
    double x[2] = {0};
    PepaStatus status = pepa_model_parse(&model, "m", star, strlen(star), NULL, err);
    if (status == PEPA_OK)
        status = pepa_measures_new(&measures, model, err);
    if (status == PEPA_OK)
        status =
            pepa_measures_add(measures, "m", "population:I\nthroughput:b", 25, NULL, NULL, err);
    if (status == PEPA_OK)
        status = pepa_fluid_measures(model, measures, &at, NULL, x, NULL, err);
    if (status == PEPA_OK)
        say_numbers(w, x, 2);
    pepa_measures_free(measures);
    pepa_model_free(model);
    return status;
}

static PepaStatus follow(World *w, const PepaFluid *at, bool moments, PepaError *err)
{
    PepaModel *model = NULL;
    PepaMeasures *measures = NULL;
    double x[TIMES * MEASURES];
    PepaMoment moment[TIMES * MEASURES];
    const size_t count = (at->steady ? 1 : at->count) * MEASURES;
    PepaStatus status = pepa_model_parse(&model, "m", text, strlen(text), NULL, err);
    if (status == PEPA_OK)
        status = pepa_measures_new(&measures, model, err);
    if (status == PEPA_OK)
        status = pepa_measures_add(measures, "m", asked, sizeof asked - 1, NULL, NULL, err);
    if (status == PEPA_OK)
        status = moments ? pepa_fluid_moments(model, measures, at, NULL, moment, NULL, err)
                         : pepa_fluid_measures(model, measures, at, NULL, x, NULL, err);
    for (size_t i = 0; i < count && status == PEPA_OK; i++)
        say_numbers(w,
                    moments ? (double[]){moment[i].mean, moment[i].deviation} : (double[]){x[i], 0},
                    2);
    pepa_measures_free(measures);
    pepa_model_free(model);
    return status;
}

static PepaStatus call_times(World *w, PepaError *err)
{
    const double time[TIMES] = {0, 1, 4};
    return follow(w, &(PepaFluid){.time = time, .count = TIMES}, false, err);
}

static PepaStatus call_steady(World *w, PepaError *err)
{
    return follow(w, &(PepaFluid){.steady = 1}, false, err);
}

static PepaStatus call_moments(World *w, PepaError *err)
{
    const double time[TIMES] = {0, 0.1, 0.5};
    return follow(w, &(PepaFluid){.time = time, .count = TIMES}, true, err);
}

static PepaStatus call_steady_moments(World *w, PepaError *err)
{
    return follow(w, &(PepaFluid){.steady = 1}, true, err);
}

static PepaStatus call_individual(World *w, PepaError *err)
{
    PepaModel *model = NULL, *one = NULL;
    PepaStatus status = pepa_model_parse(&model, "m", text, strlen(text), NULL, err);
    (void)w;
    if (status == PEPA_OK)
        status = pepa_fluid_individual(&one, model, "A", NULL, err);
    pepa_model_free(one);
    pepa_model_free(model);
    return status;
}

Test(fault_fluid_api, individual, .init = mem_fail_in_klu)
{
    replay("pepa_fluid_individual", call_individual);
}

Test(fault_fluid_api, measures, .init = mem_fail_in_klu)
{
    replay("pepa_fluid_measures, at times", call_times);
    replay("pepa_fluid_measures, in the long run", call_steady);
    replay("pepa_fluid_measures, of a star", call_star);
}

Test(fault_fluid_api, moments, .init = mem_fail_in_klu)
{
    replay("pepa_fluid_moments, at times", call_moments);
    replay("pepa_fluid_moments, in the long run", call_steady_moments);
}
