/* Simulation of immediate activities and priorities: against chains, which eliminate vanishing states. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api/parsing.h"
#include "base/diag.h"
#include "pepa_simulate.h"
#include "pepa_transient.h"

typedef struct {
    PepaStatus status;
    PepaError err;
    PepaEstimate x[4];
} Asked;

static Asked ask(const char *text, const char *measures, const PepaSimulation *how)
{
    Asked a = {0};
    PepaModel *model = parse(text);
    PepaMeasures *m = NULL;
    cr_assert_eq(pepa_measures_new(&m, model, &a.err), PEPA_OK);
    cr_assert_eq(pepa_measures_add(m, "m", measures, strlen(measures), NULL, NULL, &a.err), PEPA_OK,
                 "%s", a.err.message);
    a.status = pepa_simulate_measures(model, m, how, NULL, a.x, NULL, &a.err);
    pepa_measures_free(m);
    pepa_model_free(model);
    return a;
}

/* All measures of a model as text, one a line. */
static void add_each(Text *text, const PepaChain *chain)
{
    const PepaChainInfo info = pepa_chain_info(chain);
    for (int32_t a = 0; a < info.actions; a++)
        text_add(text, "throughput:%s\n", pepa_chain_action_name(chain, a));
    for (int32_t l = 0; l < info.local_states; l++)
        text_add(text, "population:%s\n", pepa_chain_local_name(chain, l));
}

/* Intervals of so much confidence contain the exact values: one fails with a probability of 1e-9. */
static void expect_inside(const char *source, const PepaMeasures *measures, const PepaEstimate *x,
                          const double *exact)
{
    for (int32_t i = 0; i < pepa_measures_count(measures); i++)
        cr_expect(x[i].low - 1e-9 <= exact[i] && exact[i] <= x[i].high + 1e-9,
                  "%s: %s is %g, not in %g .. %g", source, pepa_measures_name(measures, i),
                  exact[i], x[i].low, x[i].high);
}

static void agree(const char *source, PepaModel *model, const char *more)
{
    const double time[] = {0.4, 0.9}, confidence = 1 - 1e-9;
    PepaChain *chain = NULL;
    PepaMeasures *measures = NULL;
    PepaError err = {0};
    Text text = {0};
    cr_assert_eq(pepa_chain_derive(&chain, model, NULL, &err), PEPA_OK, "%s", err.message);
    add_each(&text, chain);
    text_add(&text, "%s", more);
    cr_assert_eq(pepa_measures_new(&measures, model, &err), PEPA_OK);
    cr_assert_eq(pepa_measures_add(measures, "m", text.text, text.length, NULL, NULL, &err),
                 PEPA_OK, "%s", err.message);
    const size_t count = (size_t)pepa_measures_count(measures);
    double *exact = calloc(2 * count, sizeof *exact),
           *pi = calloc((size_t)pepa_chain_info(chain).states, sizeof *pi);
    PepaEstimate *x = calloc(2 * count, sizeof *x);
    cr_assert(exact && pi && x);
    cr_assert_eq(pepa_transient_measures(chain, measures,
                                         &(PepaTransient){.time = time, .count = 2}, NULL, exact,
                                         NULL, &err),
                 PEPA_OK, "%s", err.message);
    PepaSimulation how = {.time = time,
                          .count = 2,
                          .runs = 20000,
                          .confidence = confidence,
                          .seed = 5};
    cr_assert_eq(pepa_simulate_measures(model, measures, &how, NULL, x, NULL, &err), PEPA_OK, "%s",
                 err.message);
    expect_inside(source, measures, x, exact);
    expect_inside(source, measures, x + count, exact + count);
    cr_assert_eq(pepa_solve_steady(chain, NULL, pi, NULL, &err), PEPA_OK);
    cr_assert_eq(pepa_measures_values(measures, chain, pi, exact, &err), PEPA_OK);
    how = (PepaSimulation){.steady = 1, .confidence = confidence, .seed = 5, .events = 2000000};
    cr_assert_eq(pepa_simulate_measures(model, measures, &how, NULL, x, NULL, &err), PEPA_OK, "%s",
                 err.message);
    expect_inside(source, measures, x, exact);
    free(exact);
    free(pi);
    free(x);
    text_free(&text);
    pepa_measures_free(measures);
    pepa_chain_free(chain);
    pepa_model_free(model);
}

Test(simulate_immediate, immediate_as_the_chain_has_it)
{
    static const struct {
        const char *model, *more;
    } files[] = {
        {"models/router.pepa",
         "population:Fast / throughput:left\nutilisation:Slow\nthroughput:again / throughput:send"},
        {"models/priority_queue.pepa", "probability:{UW > 0 && PW > 0}"},
    };
    static const struct {
        const char *text, *more;
    } texts[] = {
        {"P = (a, 3).b.c.b.d.Q; Q = (e, 1).P; P", ""},
        {"P = (a, 5).Q; Q = (round, 3 : immediate).R + out.P; R = back.Q; P[3]", ""},
        {"V = (x, immediate).A + (y, 3 : immediate).B; A = (a, 1).V; B = (b, 2).V; V[2]", ""},
        {"P = (a, 1).Q; Q = (b, P : immediate).P + (c, R : immediate).R; R = (d, 1).P; P[3]", ""},
        {"P = (go, 3).Q; Q = a.P; C = (a, T).X + (a, 2 * T).Y; X = (x, 1).C; Y = (y, 1).C; P <a> C",
         "probability:{X > 0}"},
        {"P = (a[2], 1).Q + (b, 5).Q; Q = (c[0], 2).P + (d, 1).P; P[3] || Q",
         "probability:{enabled(c)}"},
        {"P = (a, 2).Q + (tau, 1).Q; Q = (tau, 3 : immediate).R + (tau, immediate).P; "
         "R = (tau, 1).P + (b[3], 2).P; P[2] || R",
         "probability:{R > 0}"},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        PepaModel *model = NULL;
        cr_assert_eq(pepa_model_load(&model, files[i].model, NULL, NULL), PEPA_OK);
        agree(files[i].model, model, files[i].more);
    }
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        agree(texts[i].text, parse(texts[i].text), texts[i].more);
}

/* Components that enter and leave on the way from one state of the chain to the next.  By simulation
 * all of them count; of the chain's states none may show it, which is said. */
Test(simulate_immediate, visits_on_the_way)
{
    static const struct {
        const char *text, *measures;
        double exact; /* of the first */
    } cases[] = {
        /* each visit of A ends by a, at rate 1 */
        {"V = (x, immediate).A + (y, 3 : immediate).B; A = (a, 1).V; B = (b, 2).V; V[2]",
         "response:A", 1},
        /* a client that lets go may take again at once, or another one does */
        {"Think = (think, 2).Wait; Wait = (get, immediate).Use; Use = (use, 1).Rel;\n"
         "Rel = (release, immediate).Think; Free = (get, T).Held; Held = (release, T).Free;\n"
         "Think[3] <get, release> Free",
         "response:Use", 1},
        /* those that need not wait count */
        {"Think = (think, 2).Wait; Wait = (get, immediate).Use; Use = (use, 1).Rel;\n"
         "Rel = (release, immediate).Think; Free = (get, T).Held; Held = (release, T).Free;\n"
         "Think[3] <get, release> Free",
         "response:Wait - population:Wait / throughput:get", 0},
        /* who waits for the other one goes on with it */
        {"P = (a, 2).Q; Q = (b, immediate).R; R = (c, 1).P; P[2]{b}", "response:R", 1},
        {"P = (a, 2).Q; Q = (b, (if R == 0 then 1 else 0) : immediate).R; R = (c, 1).P; P[2]",
         "response:R", 1},
        {"P = (a, 2).Q; Q = (b, immediate).R + (c, immediate).P; R = (d, 1).Q; P", "response:P",
         0.5},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const PepaSimulation how = {.steady = 1,
                                    .confidence = 1 - 1e-9,
                                    .seed = 3,
                                    .events = 2000000};
        const Asked a = ask(cases[i].text, cases[i].measures, &how);
        cr_assert_eq(a.status, PEPA_OK, "%zu: %s", i, a.err.message);
        cr_expect(a.x[0].low - 1e-9 <= cases[i].exact && cases[i].exact <= a.x[0].high + 1e-9,
                  "%zu: %g not in %g .. %g", i, cases[i].exact, a.x[0].low, a.x[0].high);
        PepaModel *model = parse(cases[i].text);
        PepaMeasures *m = NULL;
        PepaChain *chain = NULL;
        PepaError err = {0};
        double value, pi[64];
        cr_assert_eq(pepa_measures_new(&m, model, &err) ||
                         pepa_measures_add(m, "m", cases[i].measures, strlen(cases[i].measures),
                                           NULL, NULL, &err) ||
                         pepa_chain_derive(&chain, model, NULL, &err) ||
                         pepa_solve_steady(chain, NULL, pi, NULL, &err),
                     PEPA_OK, "%s", err.message);
        cr_expect_eq(pepa_measures_values(m, chain, pi, &value, &err), PEPA_ELIMIT);
        cr_expect_not_null(strstr(err.message, "without time passing"), "%s", err.message);
        pepa_chain_free(chain);
        pepa_measures_free(m);
        pepa_model_free(model);
    }
}

/* Where the process begins is drawn, without time passing, among 3 * 10^6 immediate activities. */
Test(simulate_immediate, many_at_once)
{
    const double time[] = {0, 1};
    const Asked a = ask("P = b.Q; Q = c.R; R = (d, 1).P; P[1500000]", "population:R\nthroughput:b",
                        &(PepaSimulation){.time = time, .count = 2, .runs = 2});
    cr_assert_eq(a.status, PEPA_OK, "%s", a.err.message);
    cr_expect_eq(a.x[0].value, 1500000);
    cr_expect_eq(a.x[2].value, 1500000);
    cr_expect_float_eq(a.x[1].value, 1500000, 1e-6);
}

Test(simulate_immediate, timeless_traps)
{
    const double time[] = {10};
    const PepaSimulation how = {.time = time, .count = 1, .runs = 2},
                         steady = {.steady = 1, .runs = 2};
    static const char later[] = "P = (a, 1).Q; Q = b.R; R = c.Q; P", now[] = "P = b.R; R = c.P; P",
                      wide[] = "P = (a, 1).Q; Q = b.R; R = c.Q; P || P || P || P";
    cr_expect_eq(ask(later, "population:P", &how).status, PEPA_EMODEL);
    cr_expect_eq(ask(later, "throughput:b", &how).status, PEPA_EMODEL);
    cr_expect_eq(ask(later, "population:P", &steady).status, PEPA_EMODEL);
    cr_expect_eq(ask(now, "population:P", &how).status, PEPA_EMODEL);
    cr_expect_eq(ask(wide, "population:P", &how).status, PEPA_EMODEL);
}

/* A way out that is all but never taken: no trap, but no answer either. */
Test(simulate_immediate, nearly_a_trap)
{
    const double time[] = {10};
    const Asked a = ask("P = (a, 1).Q; Q = (b, 1e12 : immediate).R + d.P; R = c.Q; P",
                        "population:P", &(PepaSimulation){.time = time, .count = 1, .runs = 2});
    cr_expect_eq(a.status, PEPA_ELIMIT);
    cr_expect_not_null(strstr(a.err.message, "in a row"), "%s", a.err.message);
}
