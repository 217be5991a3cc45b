/* Fluid limits through the public header: against another integrator, against chains, and of one
 * component. */
#include "api/fluids.h"

#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>
#include <math.h>
#include <stdio.h>

#include "pepa_passage.h"
#include "pepa_structure.h"
#include "pepa_transient.h"

/* ---- against another integrator ----------------------------------------------------------------- */

/* Clients (thinking, waiting) and servers (ready, logging, down), by hand. */
static int by_hand(double t, const double *y, double *f, void *user)
{
    (void)t, (void)user;
    const double serve = fmin(3 * y[1], 2 * y[2]);
    f[0] = serve - 0.5 * y[0];
    f[1] = 0.5 * y[0] - serve;
    f[2] = 8 * y[3] + 0.125 * y[4] - serve - 0.25 * y[2];
    f[3] = serve - 8 * y[3];
    f[4] = 0.25 * y[2] - 0.125 * y[4];
    return GSL_SUCCESS;
}

static const char servers[] =
    "Client = (think, 0.5).Wait; Wait = (serve, 3).Client;\n"
    "Server = (serve, 2).Log + (fail, 0.25).Down; Log = (log, 8).Server;\n"
    "Down = (repair, 0.125).Server;\n"
    "Client[1000] <serve> Server[300]";

Test(fluid, agrees_with_another_integrator)
{
    double y[] = {1000, 0, 300, 0, 0}, t = 0;
    const double time[] = {0, 0.1, 0.5, 1, 2, 5, 20};
    const gsl_odeiv2_system s = {by_hand, NULL, 5, NULL};
    gsl_odeiv2_driver *d =
        gsl_odeiv2_driver_alloc_y_new(&s, gsl_odeiv2_step_rk8pd, 1e-6, 1e-10, 1e-12);
    const Asked a = ask(servers,
                        "population:Client\npopulation:Wait\npopulation:Server\npopulation:Log\n"
                        "population:Down\nthroughput:serve",
                        &(PepaFluid){.time = time, .count = 7}, false);
    cr_assert_eq(a.status, PEPA_OK, "%s", a.err.message);
    cr_expect_eq(a.info.equations, 3);
    cr_expect_eq(a.info.variables, 5);
    cr_expect_geq(a.info.turns, 1); /* the servers fail until they are too few */
    for (size_t j = 0; j < 7; j++) {
        if (time[j] > 0)
            cr_assert_eq(gsl_odeiv2_driver_apply(d, &t, time[j], y), GSL_SUCCESS);
        for (int i = 0; i < 5; i++)
            cr_expect_float_eq(a.x[6 * j + (size_t)i], y[i], 1e-5, "time %g, %d: %.10g, not %.10g",
                               time[j], i, a.x[6 * j + (size_t)i], y[i]);
        cr_expect_float_eq(a.x[6 * j + 5], fmin(3 * y[1], 2 * y[2]), 1e-4);
    }
    gsl_odeiv2_driver_free(d);
}

/* ---- closed forms ------------------------------------------------------------------------------- */

/* A third of the servers are up, and limit: 2 x up = throughput. */
Test(fluid, the_long_run_of_clients_and_servers)
{
    const Asked a = ask(servers,
                        "throughput:serve\nresponse:Wait\nutilisation:Server\n"
                        "population:Wait / population:Client\nresponse:{Server, Log}",
                        &steady, false);
    cr_assert_eq(a.status, PEPA_OK, "%s", a.err.message);
    const double up = 300 / (1 + 2 + 2.0 / 8), serve = 2 * up, client = serve / 0.5;
    cr_expect_float_eq(a.x[0], serve, 1e-9 * serve);
    cr_expect_float_eq(a.x[1], (1000 - client) / serve, 1e-9);
    cr_expect_float_eq(a.x[3], (1000 - client) / client, 1e-9);
    cr_expect_float_eq(a.x[4], (1 + 2.0 / 8) / 0.25, 1e-9); /* entered from Down alone */
    cr_expect_leq(a.info.residual, 1e-10);
}

/* The same shares whatever the population, and quickly. */
Test(fluid, populations_of_any_size)
{
    double last = 0;
    for (double n = 10; n <= 1e14; n *= 10) {
        char text[256];
        (void)snprintf(text, sizeof text,
                       "A = (think, 0.25).B; B = (serve, T).A; S = (serve, 2).L; L = (log, 8).S;\n"
                       "A[%.0f] <serve> S[%.0f]",
                       n, n / 10);
        const Asked a = ask(text, "throughput:serve\npopulation:B", &steady, false);
        cr_assert_eq(a.status, PEPA_OK, "%s", a.err.message);
        cr_expect_float_eq(a.x[0] / n, 0.16, 1e-9); /* 0.1 / (1 / 2 + 1 / 8) */
        cr_expect_float_eq(a.x[1] / n, 1 - 0.64, 1e-9);
        cr_expect_lt(a.info.steps, 1000);
        if (last > 0)
            cr_expect_lt((double)a.info.steps, 2 * last + 100);
        last = (double)a.info.steps;
    }
}

/* Passive servers that are never idle: next to none are left, whose number has few digits beside that of
 * all. */
Test(fluid, passive_populations_of_any_size_that_run_out)
{
    for (double n = 1000; n <= 1e14; n *= 10) {
        char text[256];
        (void)snprintf(text, sizeof text,
                       "A = (ask, 5).W; W = (respond, T).T1; T1 = (think, 0.4).A;\n"
                       "S = (ask, T).B; B = (compute, 1.5).C; C = (respond, 8).S;\n"
                       "A[%.0f] <ask, respond> S[%.0f]",
                       n, n / 5);
        const Asked a = ask(text, "throughput:ask\nthroughput:think\npopulation:B", &steady, false);
        const double cycle = 1 / 1.5 + 1.0 / 8;
        cr_assert_eq(a.status, PEPA_OK, "%s", a.err.message);
        cr_expect_float_eq(a.x[0] / n, 0.2 / cycle, 1e-6, "%g: %.9g", n, a.x[0] / n);
        cr_expect_float_eq(a.x[1] / n, 0.2 / cycle, 1e-6);
        cr_expect_float_eq(a.x[2] / n, 0.2 / 1.5 / cycle, 1e-6);
    }
}

/* ---- against chains: the error falls as the populations grow ------------------------------------ */

static double exact(const char *text, const char *measure, double time)
{
    Asked a;
    PepaChain *chain = NULL;
    double x;
    read_model(&a, text, measure);
    cr_assert_eq(pepa_chain_derive(&chain, a.model, NULL, &a.err), PEPA_OK);
    cr_assert_eq(pepa_transient_measures(chain, a.measures,
                                         &(PepaTransient){.time = &time, .count = 1}, NULL, &x,
                                         NULL, &a.err),
                 PEPA_OK, "%s", a.err.message);
    pepa_chain_free(chain);
    forget(&a);
    return x;
}

typedef struct {
    const char *text; /* with the population as %d, twice */
    const char *local;
    double time, slack; /* of the deviation at 160: more where a condition changes */
} Growing;

static const Growing growing[] = {
    {"S = (infect, 2 * S * I / %d).I; I = (recover, 1).S + (infect, 0.000001).I;\n"
     "(S[%d] || I[4])",
     "I", 1.5, 0.05},
    {"A = (t, 1).B; B = (s, 3).A; S = (s, 0.4).R; R = (r, 2).S; n = %d; A[%d] <s> S[n]", "R", 0.7,
     0.05},
    {"A = (t, 1).B; B = (s, T).A; S = (s, 0.4).R; R = (r, 2).S; n = %d; A[%d] <s> S[n]", "B", 2,
     0.05},
    {"n = %d; A = (t, 1).B; B = (s, if B > n / 2 then 3 else 0.5).A; A[%d]", "B", 4, 0.1},
};

static void put_text(char *text, size_t size, const Growing *g, int n)
{
    (void)snprintf(text, size, g->text, n, n);
}

Test(fluid, errors_fall_as_populations_grow)
{
    for (size_t k = 0; k < sizeof growing / sizeof *growing; k++) {
        const Growing *g = &growing[k];
        double away[2], closer[2];
        for (int i = 0; i < 2; i++) {
            const int n = i ? 160 : 40;
            char text[512], measure[64];
            put_text(text, sizeof text, g, n);
            (void)snprintf(measure, sizeof measure, "population:%s", g->local);
            const PepaFluid at = {.time = &g->time, .count = 1};
            const Asked fluid = ask(text, measure, &at, false),
                        moments = ask(text, measure, &at, true);
            const double mean = exact(text, measure, g->time);
            cr_assert_eq(fluid.status, PEPA_OK, "%s", fluid.err.message);
            cr_assert_eq(moments.status, PEPA_OK, "%s", moments.err.message);
            away[i] = fabs(fluid.x[0] - mean) / n;
            closer[i] = fabs(moments.moment[0].mean - mean) / n;
            cr_expect_float_eq(moments.moment[0].fluid, fluid.x[0], 1e-9 * n);
            (void)snprintf(measure, sizeof measure, "reward:{%s * %s}", g->local, g->local);
            const double deviation = sqrt(exact(text, measure, g->time) - mean * mean);
            cr_expect_float_eq(moments.moment[0].deviation, deviation,
                               (i ? g->slack : 0.15) * deviation, "model %d, %d: %g, not %g",
                               (int)k, n, moments.moment[0].deviation, deviation);
        }
        cr_expect_lt(away[1], 0.5 * away[0] + 1e-9, "model %d: %g, %g", (int)k, away[0], away[1]);
        cr_expect_lt(away[1], 0.02, "model %d: %g", (int)k, away[1]);
        cr_expect_leq(closer[1], away[1] + 1e-6, "model %d: %g, %g", (int)k, closer[1], away[1]);
    }
}

/* A local state that rates count has the components of all its phases: with the mean 2/3 of its
 * duration, p = 2/3 q (0.1 + 0.001 p), p + q = 600. */
Test(fluid, rates_that_count_phases)
{
    const double c = 0.002 / 3, b = 2.0 / 3, p = (sqrt(b * b + 160 * c) - b) / (2 * c);
    const Asked a = ask("P = (a, erlang(2, 3)).Q; Q = (b, 0.001 * P + 0.1).P; P[600]",
                        "population:P", &steady, false);
    cr_assert_eq(a.status, PEPA_OK, "%s", a.err.message);
    cr_expect_float_eq(a.x[0], p, 1e-6, "%.10g, not %.10g", a.x[0], p);
}

/* Passive clients that are few now and then: what fluctuations do is most of it. */
Test(fluid, a_population_that_runs_out)
{
    const Asked a =
        ask("A = (think, 0.2).B; B = (serve, T).A; S = (serve, 2.4).L; L = (log, 10).S;\n"
            "A[20] <serve> S[2]",
            "population:B", &steady, true);
    const double chain = 3.13973654816408; /* by pepa solve */
    cr_assert_eq(a.status, PEPA_OK, "%s", a.err.message);
    cr_expect_float_eq(a.moment[0].mean, chain, 0.08 * chain);
    cr_expect_lt(a.moment[0].fluid, 0.3 * chain);
}

/* Components that move by themselves are multinomial: the mean of a product has their covariance. */
/* What drains it has no partner then: nothing comes back.  Rates that end within 1e-9 of a step. */
Test(fluid, a_passive_population_that_runs_out_for_ever)
{
    static const double number[] = {4100, 4150, 4850, 6150, 7050, 9050}, weight[] = {3, 0.7, 1};
    for (size_t n = 0; n < sizeof number / sizeof *number; n++)
        for (size_t w = 0; w < sizeof weight / sizeof *weight; w++) {
            char text[200];
            (void)snprintf(text, sizeof text,
                           "Q0 = (a, %g * T).Q1; Q1 = (d, 1).Q2; Q2 = (b, 2).Q3; Q3 = (a, T).Q0;"
                           "R = (a, 0.5).R; Stop <d> (Q0[%g] <a> R[10000])",
                           weight[w], number[n]);
            const double time[] = {0.8, 4};
            const Asked a =
                ask(text, "population:Q0", &(PepaFluid){.time = time, .count = 2}, false);
            cr_expect_eq(a.status, PEPA_OK, "%s: %s", text, a.err.message);
            cr_expect_float_eq(a.x[0], fmax(number[n] - 5000 * time[0], 0), 1e-4);
            cr_expect_float_eq(a.x[1], fmax(number[n] - 5000 * time[1], 0), 1e-4);
        }
}

Test(fluid, the_mean_of_a_product)
{
    const Asked a = ask("A = (a, 1).B; B = (b, 2).C; C = (c, 3).A; A[40]",
                        "reward:{A * B}\nreward:{A * A}", &steady, true);
    const double n = 40, p = 6.0 / 11, q = 3.0 / 11;
    cr_assert_eq(a.status, PEPA_OK, "%s", a.err.message);
    cr_expect_float_eq(a.moment[0].mean, n * (n - 1) * p * q, 1e-7);
    cr_expect_float_eq(a.moment[1].mean, n * (n - 1) * p * p + n * p, 1e-7);
    cr_expect_float_eq(a.moment[0].fluid, n * n * p * q, 1e-7);
}

/* ---- one component ------------------------------------------------------------------------------ */

/* How long it takes from `think` to `serve` of one client, and within which time 9 of 10 do. */
static void client_takes(const char *text, bool in_field, double *mean, double *most)
{
    static const char watched[] = "Client:(think:start, serve:stop)";
    PepaError err = {0};
    PepaModel *model = parse(text), *one = NULL, *probed = NULL;
    PepaProbe probe = {0};
    PepaPredicate *from = NULL, *to = NULL;
    PepaChain *chain = NULL;
    PepaPassage *passage = NULL;
    PepaPassageMoments moments;
    if (in_field) {
        cr_assert_eq(pepa_fluid_individual(&one, model, "Client", NULL, &err), PEPA_OK, "%s",
                     err.message);
        pepa_model_free(model);
        model = one;
    }
    cr_assert_eq(pepa_model_probe(&probed, model, "p", watched, strlen(watched), 0, NULL, NULL,
                                  &probe, &err),
                 PEPA_OK);
    cr_assert_eq(pepa_predicate_new(&from, probed, "f", probe.running, strlen(probe.running), NULL,
                                    NULL, &err),
                 PEPA_OK);
    cr_assert_eq(pepa_predicate_new(&to, probed, "t", probe.stopped, strlen(probe.stopped), NULL,
                                    NULL, &err),
                 PEPA_OK);
    cr_assert_eq(pepa_chain_derive(&chain, probed, NULL, &err), PEPA_OK);
    double *pi = calloc((size_t)pepa_chain_info(chain).states, sizeof *pi);
    cr_assert_eq(pepa_solve_steady(chain, NULL, pi, NULL, &err), PEPA_OK);
    cr_assert_eq(pepa_passage_new(&passage, chain, pi, &(PepaPassageEnds){.from = from, .to = to},
                                  NULL, &err),
                 PEPA_OK);
    cr_assert_eq(pepa_passage_moments(passage, &moments, &err), PEPA_OK);
    cr_assert_eq(pepa_passage_quantile(passage, 0.9, most, &err), PEPA_OK);
    *mean = moments.mean;
    free(pi);
    pepa_passage_free(passage);
    pepa_chain_free(chain);
    pepa_predicate_free(from);
    pepa_predicate_free(to);
    pepa_text_free(probe.running);
    pepa_text_free(probe.stopped);
    pepa_model_free(probed);
    pepa_model_free(model);
}

/* Of one among many, the error falls as they grow: servers that limit, and a client with a queue. */
Test(fluid, passages_of_one_component)
{
    double away[2][2];
    for (int i = 0; i < 2; i++) {
        const int n = i ? 48 : 12;
        char text[256];
        double mean, most, mean_alone, most_alone;
        (void)snprintf(text, sizeof text,
                       "Client = (think, 2).Wait; Wait = (serve, 3).Rest + (ping, 1).Wait;\n"
                       "Rest = (rest, 1).Client; Server = (serve, 1).Log; Log = (log, 8).Server;\n"
                       "Client[%d] <serve> Server[%d]",
                       n, n / 4);
        client_takes(text, false, &mean, &most);
        client_takes(text, true, &mean_alone, &most_alone);
        away[0][i] = fabs(mean_alone / mean - 1);
        away[1][i] = fabs(most_alone / most - 1);
    }
    for (int k = 0; k < 2; k++) {
        cr_expect_lt(away[k][1], 0.5 * away[k][0], "%g, %g", away[k][0], away[k][1]);
        cr_expect_lt(away[k][1], 0.03, "%g", away[k][1]);
    }
}

Test(fluid, one_component_that_is_not_there)
{
    PepaError err = {0};
    PepaModel *one = NULL, *model = parse("A = (a, 1).B; B = (b, 2).A; C = A; C[10]");
    cr_expect_eq(pepa_fluid_individual(&one, model, "B", NULL, &err), PEPA_EARG);
    cr_expect(strstr(err.message, "no sequential component `B`"), "%s", err.message);
    cr_expect_eq(pepa_fluid_individual(&one, NULL, "B", NULL, &err), PEPA_EARG);
    pepa_model_free(model);
}

/* What is hidden outside is seen, what does not move is left where it is, and what nothing leaves
 * stays. */
Test(fluid, one_component_has_the_names_of_the_model)
{
    PepaError err = {0};
    PepaModel *one = NULL,
              *model =
                  parse("A = (a, 1).B + (c, 0.5).D; B = (b, 2).A; D = (e, T).A; E = (f, 1).E;\n"
                        "(A[10] <e> E[5]) / {a}");
    cr_assert_eq(pepa_fluid_individual(&one, model, "A", NULL, &err), PEPA_OK, "%s", err.message);
    PepaStructure *structure = NULL;
    cr_assert_eq(pepa_structure_new(&structure, one, &err), PEPA_OK);
    const PepaStructureInfo info = pepa_structure_info(structure);
    cr_expect_eq(info.local_states, 3);
    bool seen = false;
    for (int32_t i = 0; i < info.actions; i++)
        seen = seen || strcmp(pepa_structure_action_name(structure, i), "a") == 0;
    cr_expect(seen);
    pepa_structure_free(structure);
    pepa_model_free(one);
    pepa_model_free(model);
}
