/* Transient measures, passage times, sensitivities and bounds with each allocation failing. */
#include "fault/memory.h"
#include "fault/world.h"
#include "pepa_experiment.h"
#include "pepa_lump.h"
#include "pepa_passage.h"
#include "pepa_transient.h"

enum { TIMES = 40, MEASURES = 8 };

/* Few times far apart go from one to the next, many near each other share one sequence. */
static PepaStatus transient(World *w, const PepaMeasures *measures, const PepaChain *chain,
                            bool many, bool accumulated, PepaError *err)
{
    double time[TIMES], value[TIMES * MEASURES] = {-7};
    PepaTransientInfo info;
    size_t count = many ? TIMES : 2;
    for (size_t j = 0; j < count; j++)
        time[j] = many ? 0.01 * (double)j : 20.0 * (double)j;
    const PepaTransient at = {.time = time, .count = count, .accumulated = accumulated};
    PepaStatus status = pepa_transient_measures(chain, measures, &at, NULL, value, &info, err);
    if (status == PEPA_OK)
        say_numbers(w, value, (int32_t)count * pepa_measures_count(measures));
    return status;
}

static PepaStatus call_few(World *w, PepaError *err)
{
    return transient(w, w->measures, w->chain, false, true, err);
}

static PepaStatus call_many(World *w, PepaError *err)
{
    return transient(w, w->measures, w->chain, true, false, err);
}

/* By Laguerre series if times are far. */
static const char stiff[] = "Up = (fail, 4e4).Down; Down = (repair, 6e4).Up;\n"
                            "New = (wear, 0.1).Old; Old = (age, 0.3).Gone; Gone = (rest, 1).Gone;\n"
                            "Up || New";

static PepaStatus call_stiff(World *w, PepaError *err)
{
    static const char asked[] = "population:Old\nthroughput:fail";
    const double time[] = {0.01, 1, 8};
    const PepaTransient at = {.time = time, .count = 3};
    PepaModel *model = NULL;
    PepaChain *chain = NULL;
    PepaMeasures *measures = NULL;
    PepaTransientInfo info;
    double value[6] = {-7};
    PepaStatus status = pepa_model_parse(&model, "m", stiff, sizeof stiff - 1, NULL, err);
    if (status == PEPA_OK)
        status = pepa_chain_derive(&chain, model, NULL, err);
    if (status == PEPA_OK)
        status = pepa_measures_new(&measures, model, err);
    if (status == PEPA_OK)
        status = pepa_measures_add(measures, "m", asked, sizeof asked - 1, NULL, NULL, err);
    if (status == PEPA_OK)
        status = pepa_transient_measures(chain, measures, &at, NULL, value, &info, err);
    if (status == PEPA_OK) {
        cr_expect_gt(info.solves, 0);
        say_numbers(w, value, 6);
    }
    pepa_measures_free(measures);
    pepa_chain_free(chain);
    pepa_model_free(model);
    return status;
}

static PepaStatus call_distribution(World *w, PepaError *err)
{
    double p[STATES];
    PepaStatus status = pepa_transient_distribution(w->chain, 0.7, NULL, p, NULL, err);
    if (status == PEPA_OK)
        say_numbers(w, p, (int32_t)pepa_chain_info(w->chain).states);
    return status;
}

static PepaStatus passage(World *w, const PepaChain *chain, const PepaPassageEnds *ends,
                          const double *pi, PepaError *err)
{
    double found[6] = {0};
    PepaPassage *p = NULL;
    PepaPassageMoments m = {0};
    PepaStatus status = pepa_passage_new(&p, chain, pi, ends, NULL, err);
    cr_assert_eq(status == PEPA_OK, p != NULL);
    if (status == PEPA_OK)
        status = pepa_passage_at(p, 1.5, &found[0], &found[1], &found[2], err);
    if (status == PEPA_OK)
        status = pepa_passage_moments(p, &m, err);
    if (status == PEPA_OK)
        status = pepa_passage_quantile(p, 0.3, &found[3], err);
    if (status == PEPA_OK)
        cr_assert(pepa_passage_steps(p) > 0 && pepa_passage_solves(p) >= 0);
    found[4] = m.mean;
    found[5] = m.variance;
    if (status == PEPA_OK)
        say_numbers(w, found, 6);
    pepa_passage_free(p);
    return status;
}

static PepaStatus call_stiff_passage(World *w, PepaError *err)
{
    const char *to[] = {"age"};
    PepaModel *model = NULL;
    PepaChain *chain = NULL;
    PepaStatus status = pepa_model_parse(&model, "m", stiff, sizeof stiff - 1, NULL, err);
    if (status == PEPA_OK)
        status = pepa_chain_derive(&chain, model, NULL, err);
    if (status == PEPA_OK)
        status =
            passage(w, chain, &(PepaPassageEnds){.from_start = 1, .to_action = to, .to_actions = 1},
                    NULL, err);
    pepa_chain_free(chain);
    pepa_model_free(model);
    return status;
}

static PepaStatus call_from_start(World *w, PepaError *err)
{
    const char *to[] = {"g"};
    return passage(w, w->chain,
                   &(PepaPassageEnds){.from_start = 1, .to_action = to, .to_actions = 1}, NULL,
                   err);
}

static PepaStatus call_between(World *w, PepaError *err)
{
    const char *from[] = {"d"};
    return passage(w, w->chain,
                   &(PepaPassageEnds){.from_action = from, .from_actions = 1, .to = w->predicate},
                   w->pi, err);
}

/* A probe of a component that is found in a named cooperation and among copies. */
static PepaStatus probe(World *w, const char *text, bool once, PepaError *err)
{
    static const char model[] = "n = 3; P = (a, 2*T).Q; Q = (b, 2).P; R = (a, 1).R;\n"
                                "C = P[n] <a> R; C || C";
    PepaModel *plain = NULL, *probed = NULL;
    PepaProbe info = {0};
    char *printed = NULL;
    PepaStatus status = pepa_model_parse(&plain, "m", model, sizeof model - 1, NULL, err);
    if (status == PEPA_OK)
        status =
            pepa_model_probe(&probed, plain, "p", text, strlen(text), once, NULL, NULL, &info, err);
    cr_assert_eq(status == PEPA_OK, probed != NULL);
    if (status == PEPA_OK)
        status = pepa_model_print(probed, &printed, err);
    if (status == PEPA_OK)
        text_add(&w->said, "%s%s%s", printed, info.running, info.stopped);
    pepa_text_free(printed);
    pepa_text_free(info.running);
    pepa_text_free(info.stopped);
    pepa_model_free(probed);
    pepa_model_free(plain);
    return status;
}

static PepaStatus call_probe(World *w, PepaError *err)
{
    return probe(w, "P:(a:start, (b, a{1,2} | a), \"b\"+, a:stop)", false, err);
}

static PepaStatus call_probe_once(World *w, PepaError *err)
{
    return probe(w, "a, b{2}, b:stop", true, err);
}

static PepaStatus call_wrong_probe(World *w, PepaError *err)
{
    PepaStatus status = probe(w, "P:(a:start, (b | c), ?a:stop)", false, err);
    cr_assert(status == PEPA_EARG || status == PEPA_ENOMEM);
    return status == PEPA_EARG ? PEPA_OK : status;
}

static PepaStatus call_sensitivities(World *w, PepaError *err)
{
    double value, derivative[16];
    PepaSteady *steady = NULL;
    PepaStatus status = pepa_steady_new(&steady, w->chain, err);
    if (status == PEPA_OK)
        status = pepa_measure_sensitivities(steady, NULL, w->pi, w->measures, 1, &value, derivative,
                                            NULL, err);
    if (status == PEPA_OK)
        say_numbers(w, &value, 1);
    pepa_steady_free(steady);
    return status;
}

static PepaStatus call_bounds(World *w, PepaError *err)
{
    double found[2 + 2 * MEASURES] = {0};
    const int32_t count = pepa_measures_count(w->measures);
    PepaSteady *steady = NULL;
    cr_assert_leq(count, MEASURES);
    PepaStatus status = pepa_steady_new(&steady, w->chain, err);
    if (status == PEPA_OK)
        status = pepa_throughput_bounds(steady, NULL, w->pi, pepa_chain_action_name(w->chain, 0),
                                        &found[0], &found[1], NULL, err);
    if (status == PEPA_OK)
        status = pepa_measure_bounds(steady, NULL, w->pi, w->measures, &found[2],
                                     &found[2 + MEASURES], NULL, err);
    if (status == PEPA_OK)
        say_numbers(w, found, 2 + 2 * MEASURES);
    pepa_steady_free(steady);
    return status;
}

/* Derivatives and bounds where the chain begins in several states and has two ends, one of them of several
 * states, and transient states between which jumps are common, so that numbers are refined. */
static PepaStatus call_ends(World *w, PepaError *err)
{
    static const char text[] = "r = 1e-7; s = 0.4;\n"
                               "A = (a, 3).B + (out, s).Won; B = (b, 2).A + (out, r).Lost;\n"
                               "Won = (c, 1).Won2; Won2 = (d, 0.7).Won3; Won3 = (e, 0.3).Won;\n"
                               "Lost = (f, 1).Lost;\n"
                               "S = (i, 2 : immediate).A + (j, 1 : immediate).Won; S";
    static const char asked[] = "throughput:f / throughput:d";
    PepaModel *model = NULL;
    PepaChain *chain = NULL;
    PepaSteady *steady = NULL;
    PepaMeasures *measures = NULL;
    double value, derivative[16], pi[6], found[4];
    PepaStatus status = pepa_model_parse(&model, "m", text, sizeof text - 1, NULL, err);
    if (status == PEPA_OK)
        status = pepa_chain_derive(&chain, model, NULL, err);
    if (status == PEPA_OK)
        status = pepa_steady_new(&steady, chain, err);
    if (status == PEPA_OK)
        status = pepa_measures_new(&measures, model, err);
    if (status == PEPA_OK)
        status = pepa_measures_add(measures, "m", asked, sizeof asked - 1, NULL, NULL, err);
    if (status == PEPA_OK)
        status = pepa_steady_solve(steady, NULL, pi, NULL, err);
    if (status == PEPA_OK)
        status = pepa_measure_sensitivities(steady, NULL, pi, measures, 0, &value, derivative, NULL,
                                            err);
    if (status == PEPA_OK)
        status = pepa_measure_bounds(steady, NULL, pi, measures, &found[0], &found[1], NULL, err);
    if (status == PEPA_OK)
        status = pepa_throughput_bounds(steady, NULL, pi, "f", &found[2], &found[3], NULL, err);
    if (status == PEPA_OK) {
        say_numbers(w, &value, 1);
        say_numbers(w, derivative, 2);
        say_numbers(w, found, 4);
    }
    pepa_measures_free(measures);
    pepa_steady_free(steady);
    pepa_chain_free(chain);
    pepa_model_free(model);
    return status;
}

/* Two points with a guess and one without; a functional rate that is switched off. */
static PepaStatus call_experiment(World *w, PepaError *err)
{
    const double r[] = {2, 2.1, 0.5}, s[] = {4};
    double value[3 * MEASURES] = {-7};
    const PepaVary vary[] = {{"r", r, 3}, {"s", s, 1}};
    PepaStatus status =
        pepa_experiment_measures(w->chain, w->measures, &(PepaExperiment){.vary = vary, .count = 2},
                                 NULL, value, NULL, err);
    if (status == PEPA_OK)
        say_numbers(w, value, 3 * pepa_measures_count(w->measures));
    return status;
}

static PepaStatus lump(World *w, const PepaMeasures *asked, const PepaChain *of, PepaError *err)
{
    double value[MEASURES] = {-7};
    PepaLumping *lumping = NULL;
    PepaStatus status = pepa_lumping_new(&lumping, of, asked, NULL, err);
    cr_assert_eq(status == PEPA_OK, lumping != NULL);
    if (status == PEPA_OK)
        status = pepa_lumping_solve(lumping, NULL, NULL, value, NULL, err);
    if (status == PEPA_OK) {
        const PepaLumpingInfo found = pepa_lumping_info(lumping);
        const double blocks[] = {(double)found.states, (double)found.blocks,
                                 (double)pepa_lumping_block(lumping, found.states - 1)};
        say_numbers(w, blocks, 3);
        say_numbers(w, value, pepa_measures_count(asked));
    }
    pepa_lumping_free(lumping);
    return status;
}

static PepaStatus call_lumping(World *w, PepaError *err)
{
    return lump(w, w->measures, w->chain, err);
}

/* A chain as sets, which has a model of its own. */
static PepaMeasures *measures;
static PepaChain *chain;

static PepaStatus call_sets(World *w, PepaError *err)
{
    return transient(w, measures, chain, false, false, err);
}

static PepaStatus call_lumping_of_sets(World *w, PepaError *err)
{
    return lump(w, measures, chain, err);
}

/* Chains are derived anew for other numbers of copies. */
static PepaStatus call_experiment_of_sets(World *w, PepaError *err)
{
    const double n[] = {3, 1}, a[] = {1, 2};
    double value[4 * MEASURES] = {-7};
    const PepaSettings set = {.derive.explore = PEPA_SYMBOLIC};
    const PepaVary vary[] = {{"n", n, 2}, {"a", a, 2}};
    PepaStatus status =
        pepa_experiment_measures(chain, measures, &(PepaExperiment){.vary = vary, .count = 2}, &set,
                                 value, NULL, err);
    if (status == PEPA_OK)
        say_numbers(w, value, 4 * pepa_measures_count(measures));
    return status;
}

static PepaStatus call_unknown_rate(World *w, PepaError *err)
{
    const double value[] = {1};
    double out[MEASURES];
    const PepaVary vary = {"rr", value, 1};
    PepaStatus status = pepa_experiment_measures(w->chain, w->measures,
                                                 &(PepaExperiment){.vary = &vary, .count = 1}, NULL,
                                                 out, NULL, err);
    cr_assert(status == PEPA_EARG || status == PEPA_ENOMEM);
    return status == PEPA_EARG ? PEPA_OK : status;
}

static PepaStatus call_passage_of_sets(World *w, PepaError *err)
{
    const char *to[] = {"c"};
    return passage(w, chain, &(PepaPassageEnds){.from_start = 1, .to_action = to, .to_actions = 1},
                   NULL, err);
}

Test(fault_analysis_api, transient)
{
    replay("pepa_transient_measures, few times", call_few);
    replay("pepa_transient_measures, many times", call_many);
    replay("pepa_transient_distribution", call_distribution);
}

Test(fault_analysis_api, stiff, .init = mem_fail_in_klu)
{
    replay("pepa_transient_measures, stiff", call_stiff);
    replay("pepa_passage, stiff", call_stiff_passage);
}

Test(fault_analysis_api, passage)
{
    replay("pepa_passage, from the start", call_from_start);
    replay("pepa_passage, in the long run", call_between);
}

Test(fault_analysis_api, probes)
{
    replay("pepa_model_probe", call_probe);
    replay("pepa_model_probe, once", call_probe_once);
    replay("pepa_model_probe, an error", call_wrong_probe);
}

Test(fault_analysis_api, sensitivities)
{
    replay("pepa_measure_sensitivities", call_sensitivities);
}

Test(fault_analysis_api, bounds)
{
    replay("pepa_throughput_bounds and pepa_measure_bounds", call_bounds);
}

Test(fault_analysis_api, several_bottom_components)
{
    replay("sensitivities and bounds of a chain that ends in two ways", call_ends);
}

Test(fault_analysis_api, experiments)
{
    replay("pepa_experiment_measures", call_experiment);
    replay("pepa_experiment_measures, an unknown rate", call_unknown_rate);
}

Test(fault_analysis_api, lumping)
{
    replay("pepa_lumping", call_lumping);
}

Test(fault_analysis_api, sets)
{
    static const char text[] = "n = 3; a = 1;\n"
                               "P = (a, a).Q; Q = (b, 2).P; R = (a, T).S; S = (c, 3).R;\n"
                               "P[n] <a> R[2]";
    static const char asked[] = "response:Q\nprobability:{Q > S}\nthroughput:a\npopulation:S";
    PepaSettings set = {.derive.explore = PEPA_SYMBOLIC};
    PepaModel *model = NULL;
    PepaError err = {0};
    mem_fail_at(0, false);
    cr_assert_eq(pepa_model_parse(&model, "m", text, sizeof text - 1, NULL, &err) ||
                     pepa_chain_derive(&chain, model, &set, &err) ||
                     pepa_measures_new(&measures, model, &err) ||
                     pepa_measures_add(measures, "m", asked, sizeof asked - 1, NULL, NULL, &err),
                 PEPA_OK, "%s", err.message);
    replay("pepa_transient_measures, as sets", call_sets);
    replay("pepa_passage, as sets", call_passage_of_sets);
    replay("pepa_lumping, as sets", call_lumping_of_sets);
    replay("pepa_experiment_measures, as sets", call_experiment_of_sets);
    mem_fail_at(0, false);
    pepa_measures_free(measures);
    pepa_chain_free(chain);
    pepa_model_free(model);
}
