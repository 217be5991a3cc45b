/* A probe changes no throughput: on all small models that there are, and where weights of passive
 * activities could be disturbed. */
#include <glob.h>
#include <stdio.h>

#include "probing.h"

enum { MOST_STATES = 3000 };

/* NULL: it is too large. */
static PepaChain *solve(const PepaModel *model, double *pi, const char *what)
{
    const PepaSettings set = {.derive.max_states = MOST_STATES, .solve.tolerance = 1e-13};
    PepaChain *chain = NULL;
    PepaError err = {0};
    PepaStatus status = pepa_chain_derive(&chain, model, &set, &err);
    if (status == PEPA_ELIMIT)
        return NULL;
    succeed(status, &err, what);
    succeed(pepa_solve_steady(chain, &set, pi, NULL, &err), &err, what);
    return chain;
}

/* The throughput of an action by name. */
static double throughput(const PepaModel *model, const PepaChain *chain, const double *pi,
                         const char *action)
{
    char text[256];
    double value;
    PepaMeasures *measures = NULL;
    PepaError err = {0};
    int length = snprintf(text, sizeof text, "throughput:\"%s\"", action);
    succeed(pepa_measures_new(&measures, model, &err), &err, action);
    succeed(pepa_measures_add(measures, "test", text, (size_t)length, NULL, NULL, &err), &err,
            text);
    succeed(pepa_measures_values(measures, chain, pi, &value, &err), &err, text);
    pepa_measures_free(measures);
    return value;
}

/* Whether the probe can be attached, and both chains are small enough to be compared. */
static bool compare(const PepaModel *plain, const char *probe, const char *what)
{
    PepaModel *model = NULL;
    PepaProbe info;
    PepaError err = {0};
    PepaStatus status =
        pepa_model_probe(&model, plain, "probe", probe, strlen(probe), 0, NULL, NULL, &info, &err);
    if (status == PEPA_EARG)
        return false;
    succeed(status, &err, what);
    double *pi = malloc(MOST_STATES * sizeof *pi), *with = malloc(MOST_STATES * sizeof *with);
    PepaChain *chain = solve(plain, pi, what), *probed = solve(model, with, what);
    for (int32_t a = 0; chain && probed && a < pepa_chain_info(chain).actions; a++) {
        const char *action = pepa_chain_action_name(chain, a);
        const double wanted = throughput(plain, chain, pi, action);
        const double found = throughput(model, probed, with, action);
        cr_expect_float_eq(found, wanted, 1e-10 * (1 + wanted), "%s, %s: %s %.15g, not %.15g", what,
                           probe, action, found, wanted);
    }
    const bool both = chain && probed;
    pepa_chain_free(chain);
    pepa_chain_free(probed);
    pepa_text_free(info.running);
    pepa_text_free(info.stopped);
    pepa_model_free(model);
    free(pi);
    free(with);
    return both;
}

/* Probes over pairs of actions, of which some are hidden. */
static int compare_pairs(const PepaModel *model, const char *what)
{
    const int32_t count = pepa_model_action_count(model);
    int compared = 0;
    for (int32_t a = 0; a + 1 < count && compared < 3; a++) {
        char probe[512];
        const char *one = pepa_model_action_name(model, a),
                   *two = pepa_model_action_name(model, a + 1);
        (void)snprintf(probe, sizeof probe, "\"%s\":start, \"%s\"?, \"%s\", \"%s\":stop", one, one,
                       two, two);
        compared += compare(model, probe, what);
    }
    return compared;
}

Test(probe_throughputs, all_models)
{
    glob_t found;
    int models = 0;
    cr_assert_eq(glob("models/*.pepa", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        PepaModel *model = NULL;
        PepaError err = {0};
        succeed(pepa_model_load(&model, found.gl_pathv[i], NULL, &err), &err, found.gl_pathv[i]);
        models += compare_pairs(model, found.gl_pathv[i]) > 0;
        pepa_model_free(model);
    }
    globfree(&found);
    cr_expect_geq(models, 15, "%d models", models);
}

/* Attached to one component of several that are passive, with weights, or that go together. */
Test(probe_throughputs, weights)
{
    static const char *const models[] = {
        /* shares of an active partner */
        "P = (a, 2*T).P1; P1 = (b, 3).P; R = (a, 5*T).R1; R1 = (c, 1).R; S = (a, 4).S;\n"
        "(P || R || R) <a> S",
        "P = (a, 2*T).P1; P1 = (b, 3).P; R = (a, 5*T).R1; R1 = (c, 1).R; S = (a, 4).S;\n"
        "(P[3] || R) <a> S",
        /* of two passive ones the smaller weight counts */
        "P = (a, 2*T).P1; P1 = (b, 3).P; V = (a, 0.5*T).V; R = (a, 5*T).R1; R1 = (c, 1).R;\n"
        "S = (a, 4).S; ((P <a> V) || R) <a> S",
        "P = (a, 1e9*T).P1; P1 = (b, 3).P; R = (a, 1e-9*T).R1; R1 = (c, 1).R; S = (a, 4).S;\n"
        "(P || R) <a> S",
        /* several activities of one type, copies that go together, a hidden one */
        "P = (a, 2*T).P1 + (a, T).P; P1 = (b, 3).P; R = (a, T).R1; R1 = (c, 1).R; S = (a, 4).S;\n"
        "(P || R) <a> S",
        "P = (a, 2*T).P1; P1 = (b, 3).P; S = (a, 4).S1; S1 = (d, 2).S; P[3]{a} <a> S[2]",
        "P = (a, 2).P1 + (a, 1).P; P1 = (b, 3).P; S = (a, 4).S1; S1 = (d, 2).S;\n"
        "(P <a> S) / {a} || P",
        /* weights by a name, and by the numbers of components */
        "w = 3*T; P = (a, w).P1; P1 = (b, 3).P; R = (a, T).R1; R1 = (c, 1).R; S = (a, 4).S;\n"
        "(P[2] || R) <a> S",
        "P = (a, (1 + P1)*T).P1; P1 = (b, 3).P; R = (a, T).R1; R1 = (c, 1).R; S = (a, 4).S;\n"
        "(P[2] || R) <a> S",
    };
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        PepaModel *model = parse(models[i]);
        cr_expect(compare(model, "P:(a:start, b:stop)", models[i]), "%s", models[i]);
        cr_expect(compare(model, "P:(b, a:start, a{2}, b:stop)", models[i]), "%s", models[i]);
        pepa_model_free(model);
    }
}
