/* Durations that are not exponential: simulation against closed forms.
 *
 * Unless a value is exact, intervals have a confidence of 1 - 1e-9: so rarely does a test fail by chance,
 * were its seed another one. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "api/parsing.h"
#include "pepa_simulate.h"
#include "pepa_walk.h"

enum { MOST = 64 };
static const double sure = 1 - 1e-9;

typedef struct {
    PepaStatus status;
    PepaError err;
    int32_t count;
    PepaEstimate x[MOST];
} Got;

static Got simulate_model(PepaModel *model, const char *measures, const PepaSimulation *how,
                          const PepaSettings *set)
{
    Got g = {0};
    PepaMeasures *m = NULL;
    cr_assert_eq(pepa_measures_new(&m, model, &g.err), PEPA_OK);
    cr_assert_eq(pepa_measures_add(m, "m", measures, strlen(measures), NULL, NULL, &g.err), PEPA_OK,
                 "%s", g.err.message);
    g.count = pepa_measures_count(m);
    cr_assert_leq((how->steady ? 1 : how->count) * (size_t)g.count, MOST);
    g.status = pepa_simulate_measures(model, m, how, set, g.x, NULL, &g.err);
    pepa_measures_free(m);
    pepa_model_free(model);
    return g;
}

static Got simulate(const char *text, const char *measures, const PepaSimulation *how)
{
    return simulate_model(parse(text), measures, how, NULL);
}

static void expect_inside(const char *text, const PepaEstimate *x, double exact)
{
    cr_expect(x->low <= exact && exact <= x->high, "%s: %.9g, not in %.9g .. %.9g", text, exact,
              x->low, x->high);
    cr_expect(x->high - x->low < 0.2 * fabs(exact) + 0.02, "%s: too wide to tell: %.9g .. %.9g",
              text, x->low, x->high);
}

/* ways: 1: copies together; 2: apart as well. */
static void expect_long(const char *text, const char *measures, const double *exact, int64_t events,
                        int ways)
{
    const PepaSimulation how = {.steady = 1, .confidence = sure, .seed = 3, .events = events};
    for (int apart = 0; apart < ways; apart++) {
        PepaSettings set = {0};
        set.derive.separate_copies = apart;
        const Got g = simulate_model(parse(text), measures, &how, &set);
        cr_assert_eq(g.status, PEPA_OK, "%s: %s", text, g.err.message);
        for (int32_t i = 0; i < g.count; i++)
            expect_inside(text, &g.x[i], exact[i]);
    }
}

static void expect_steady(const char *text, const char *measures, const double *exact)
{
    expect_long(text, measures, exact, 4000000, 2);
}

static void expect_at(const char *text, const char *measures, double time, const double *exact)
{
    const PepaSimulation how = {.time = &time,
                                .count = 1,
                                .runs = 40000,
                                .confidence = sure,
                                .seed = 3};
    const Got g = simulate(text, measures, &how);
    cr_assert_eq(g.status, PEPA_OK, "%s: %s", text, g.err.message);
    for (int32_t i = 0; i < g.count; i++)
        expect_inside(text, &g.x[i], exact[i]);
}

/* A file of durations beside which models are; the name of a model there. */
static const char *with_trace(const char *samples)
{
    static char folder[] = "/tmp/pepa-durations-XXXXXX", path[64], name[64];
    cr_assert_not_null(mkdtemp(folder));
    (void)snprintf(path, sizeof path, "%s/times.txt", folder);
    (void)snprintf(name, sizeof name, "%s/model.pepa", folder);
    FILE *file = fopen(path, "w");
    cr_assert_not_null(file);
    cr_assert_geq(fputs(samples, file), 0);
    cr_assert_eq(fclose(file), 0);
    return name;
}

static void remove_trace(const char *name)
{
    char path[64];
    const int folder = (int)(strrchr(name, '/') - name);
    (void)snprintf(path, sizeof path, "%.*s/times.txt", folder, name);
    cr_expect_eq(unlink(path), 0);
    (void)snprintf(path, sizeof path, "%.*s", folder, name);
    cr_expect_eq(rmdir(path), 0);
}

/* ---- queues ------------------------------------------------------------------------------------ */

/* M/G/1 at load 1/2, with room for so many that none is ever lost: the mean number of customers is
 * rho + lambda^2 E[S^2] / 2 (1 - rho) (Pollaczek, Khinchine). */
static void expect_queue(const char *service, double square)
{
    char text[400];
    (void)snprintf(text, sizeof text,
                   "Place = (arrive, T).Customer; Customer = (serve, T).Place;\n"
                   "Source = (arrive, 0.5).Source; Server = (serve, %s).Server;\n"
                   "Source <arrive> Place[90] <serve> Server",
                   service);
    const double number = 0.5 + 0.25 * square;
    expect_long(text, "population:Customer\nthroughput:serve\nresponse:Customer",
                (double[]){number, 0.5, 2 * number}, 20000000, 1);
}

Test(durations, pollaczek_khinchine)
{
    expect_queue("det(1)", 1);
    expect_queue("uniform(0.2, 1.8)", 1 + 1.6 * 1.6 / 12);
    expect_queue("lognormal(-0.32, 0.8)", exp(0.64));
}

/* Erlang's loss formula depends on the mean service time alone. */
static void expect_loss(PepaModel *model, const char *service, double load)
{
    enum { LINES = 4 };
    const PepaSimulation how = {.steady = 1, .confidence = sure, .seed = 4, .events = 4000000};
    double lost = 1;
    for (int k = 1; k <= LINES; k++)
        lost = load * lost / (k + load * lost);
    const Got g = simulate_model(model, "probability:{Idle == 0}\npopulation:Busy", &how, NULL);
    cr_assert_eq(g.status, PEPA_OK, "%s", g.err.message);
    expect_inside(service, &g.x[0], lost);
    expect_inside(service, &g.x[1], load * (1 - lost));
}

static const char loss_model[] = "Idle = (call, T).Busy; Busy = (end, %s).Idle;\n"
                                 "Source = (call, 2).Source; Source <call> Idle[4]";

Test(durations, insensitivity)
{
    static const char *const services[] = {"1",
                                           "det(1)",
                                           "uniform(0, 2)",
                                           "lognormal(-0.5, 1)",
                                           "erlang(3, 3)",
                                           "hyper(0.5:4, 0.5:0.5714285714285714)"};
    for (size_t i = 0; i < sizeof services / sizeof *services; i++) {
        char text[300];
        (void)snprintf(text, sizeof text, loss_model, services[i]);
        expect_loss(parse(text), services[i], 2);
    }
}

/* A trace is found beside its model; of 0.25 and 1.75 the mean is 1. */
Test(durations, trace)
{
    char text[300];
    PepaModel *model = NULL;
    PepaError err = {0};
    const char *name = with_trace("0.25\n1.75\n");
    (void)snprintf(text, sizeof text, loss_model, "trace(\"times.txt\")");
    cr_assert_eq(pepa_model_parse(&model, name, text, strlen(text), NULL, &err), PEPA_OK, "%s",
                 err.message);
    expect_loss(model, "trace", 2);
    cr_expect_eq(pepa_model_parse(&model, name, text, strlen(text), &(PepaReading){.no_files = 1},
                                  &err),
                 PEPA_EMODEL);
    cr_expect_not_null(strstr(err.message, "may name no file"), "%s", err.message);
    remove_trace(name);
    cr_expect_eq(pepa_model_parse(&model, name, text, strlen(text), NULL, &err), PEPA_EMODEL);
    cr_expect_not_null(strstr(err.message, "cannot be read"), "%s", err.message);
}

/* M/G/infinity, empty at first: lambda times the integral of P(S > u) up to t are busy. */
Test(durations, infinite_servers)
{
    static const char text[] = "Idle = (call, T).Busy; Busy = (end, %s).Idle;\n"
                               "Source = (call, 200).Source; Source <call> Idle[2000]";
    char model[300];
    (void)snprintf(model, sizeof model, text, "det(1)");
    expect_at(model, "population:Busy", 0.75, (double[]){150});
    expect_at(model, "population:Busy", 1.5, (double[]){200});
    (void)snprintf(model, sizeof model, text, "uniform(0.5, 1.5)");
    expect_at(model, "population:Busy", 1, (double[]){200 * (1 - 0.125)});
}

/* ---- renewal processes ------------------------------------------------------------------------- */

/* Events with times between them uniform in (0, 1): until t <= 1 there are N with the mean
 * m = e^t - 1, and E[N (N - 1)] = 2 integral of m(t - x) dm(x) = 2 (t e^t - e^t + 1). */
Test(durations, variance_of_counts)
{
    enum { RUNS = 40000 };
    static const char text[] = "Source = (tick, uniform(0, 1)).Source; To = (tick, T).Done;\n"
                               "Done = (never, T).Done; Source <tick> To[40] <never> Stop";
    const double time[] = {0.5, 1};
    const PepaSimulation how = {.time = time, .count = 2, .runs = RUNS, .confidence = sure};
    const Got g = simulate(text, "population:Done", &how);
    cr_assert_eq(g.status, PEPA_OK, "%s", g.err.message);
    for (int i = 0; i < 2; i++) {
        const double t = time[i], m = exp(t) - 1;
        const double variance = 2 * (t * exp(t) - exp(t) + 1) + m - m * m;
        const double z = 6.109410204869, half = (g.x[i].high - g.x[i].low) / 2;
        expect_inside("renewals", &g.x[i], m);
        /* of a sample variance, whose own deviation is below 2 / sqrt(RUNS) of it */
        cr_expect_float_eq(half * half / (z * z) * RUNS / variance, 1, 7 * 2 / sqrt(RUNS) + 1e-3,
                           "at %g: %g", t, half * half / (z * z) * RUNS / variance);
    }
}

/* Cycles of constant times are where they are, without any error. */
Test(durations, periodic)
{
    static const char text[] = "P = (a, det(0.75)).Q; Q = (b, det(0.5)).P; P[3]";
    const double time[] = {0, 0.74, 0.75, 1.24, 1.25, 1249.99, 1250, 1250.75};
    const double there[] = {3, 3, 0, 0, 3, 0, 3, 0};
    const PepaSimulation how = {.time = time, .count = 8, .runs = 5},
                         steady = {.steady = 1, .events = 1 << 19};
    Got g = simulate(text, "population:P", &how);
    cr_assert_eq(g.status, PEPA_OK, "%s", g.err.message);
    for (int i = 0; i < 8; i++) {
        cr_expect_eq(g.x[i].value, there[i], "at %g: %g", time[i], g.x[i].value);
        cr_expect_eq(g.x[i].low, there[i]);
    }
    g = simulate(text, "population:P\nprobability:{deadlock}\nprobability:{enabled(a)}", &steady);
    cr_assert_eq(g.status, PEPA_OK, "%s", g.err.message);
    cr_expect_float_eq(g.x[0].value, 1.8, 1e-3);
    cr_expect_float_eq(g.x[1].value, 0, 0);
    cr_expect_float_eq(g.x[2].value, 0.6, 1e-3);
}

/* ---- races and memory -------------------------------------------------------------------------- */

/* A time of 1 against an exponential one of rate r: the first wins with e^-r, and the mean of the
 * lesser is (1 - e^-r) / r. */
Test(durations, race)
{
    static const char text[] = "P = (a, det(1)).Q + (b, 0.8).Q; Q = (c, 2).P; P[7]";
    const double first = exp(-0.8), stay = (1 - first) / 0.8, cycle = stay + 0.5;
    expect_steady(text, "population:P\nthroughput:a\nthroughput:b",
                  (double[]){7 * stay / cycle, 7 * first / cycle, 7 * (1 - first) / cycle});
}

/* Two clocks in one local state: the lesser of uniform times in (0, 1) and (0, 2) is the first with
 * probability 3/4, and its mean is 5/12. */
Test(durations, two_clocks)
{
    static const char text[] =
        "P = (a, uniform(0, 1)).Q + (b, uniform(0, 2)).Q; Q = (c, det(1)).P; P[5]";
    const double cycle = 5.0 / 12 + 1;
    expect_steady(text, "throughput:a\nthroughput:b\npopulation:Q",
                  (double[]){5 * 0.75 / cycle, 5 * 0.25 / cycle, 5 / cycle});
}

/* What is not possible any more loses its clock: a takes place as often as a stay in On, exponential
 * of rate r, has room for times of 1: (e^-r) / (1 - e^-r) in the mean. */
Test(durations, enabling_memory)
{
    static const char text[] = "P = (a, det(1)).P; On = (a, T).On + (off, 0.5).Off;\n"
                               "Off = (on, 2).On; P[3] <a> On";
    const double each = exp(-0.5) / (1 - exp(-0.5)), cycle = 1 / 0.5 + 1 / 2.0;
    expect_steady(text, "throughput:a\nprobability:{enabled(a)}",
                  (double[]){3 * each / cycle, 2 / cycle});
}

/* Clocks of other activities go on where the component stays in its local state, and where partners
 * pass through vanishing states: b takes place every 3 units of time. */
Test(durations, clocks_go_on)
{
    static const char *const texts[] = {
        "P = (a, 4).P + (b, det(3)).P; P[2]",
        "P = (a, det(0.7)).P + (b, det(3)).P; P[2]",
        "P = (a, erlang(3, 5)).P + (b, det(3)).P; P[2]",
        "P = (b, det(3)).P; Q = (b, T).Q + (go, 2).R; R = x.y.Q; P[2] <b> Q",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const Got g =
            simulate(texts[i], "throughput:b", &(PepaSimulation){.steady = 1, .events = 400000});
        cr_assert_eq(g.status, PEPA_OK, "%s: %s", texts[i], g.err.message);
        cr_expect_float_eq(g.x[0].value, 2.0 / 3, 5e-3, "%s: %g", texts[i], g.x[0].value);
    }
}

/* An Erlang time of two phases against one of 1, in one local state: 1 - e^-r (1 + r). */
Test(durations, phases_race)
{
    static const char text[] = "P = (a, erlang(2, 1.5)).Q + (b, det(1)).Q; Q = (c, 3).P; P[3]";
    const double r = 1.5, first = 1 - exp(-r) * (1 + r);
    /* the mean of the lesser is the integral of e^-ru (1 + ru) up to 1 */
    const double stay = (2 - exp(-r) * (2 + r)) / r, cycle = stay + 1.0 / 3;
    expect_steady(text, "throughput:a\nthroughput:b\npopulation:P",
                  (double[]){3 * first / cycle, 3 * (1 - first) / cycle, 3 * stay / cycle});
}

/* With immediate activities before and after, from the initial state on; hidden. */
Test(durations, immediate_activities)
{
    static const char text[] = "V = (v, immediate).P; P = (a, det(1)).Q;\n"
                               "Q = b.P + (c, 2 : immediate).R; R = (d, uniform(0.5, 1)).P;\n"
                               "(V || V) / {a, c}";
    const double cycle = 1 + 2.0 / 3 * 0.75;
    expect_steady(text, "throughput:b\nthroughput:tau\nthroughput:d\npopulation:R",
                  (double[]){2.0 / 3 / cycle, 2 * (1 + 2.0 / 3) / cycle, 4.0 / 3 / cycle,
                             2 * 0.5 / cycle});
}

/* ---- what does not depend on chance ------------------------------------------------------------ */

Test(durations, threads_change_nothing)
{
    static const char text[] = "P = (a, det(1)).Q + (b, 0.8).Q; Q = (c, lognormal(0, 1)).P; P[7]";
    const double time[] = {1.5, 4};
    const PepaSimulation how[] = {{.time = time, .count = 2, .runs = 100, .seed = 5},
                                  {.steady = 1, .seed = 5, .events = 400000}};
    for (int k = 0; k < 2; k++) {
        const Got alone = simulate_model(parse(text), "population:P", &how[k],
                                         &(PepaSettings){.threads = 1}),
                  together = simulate_model(parse(text), "population:P", &how[k],
                                            &(PepaSettings){.threads = 3});
        cr_assert_eq(alone.status, PEPA_OK, "%s", alone.err.message);
        cr_expect_arr_eq(alone.x, together.x, sizeof alone.x);
    }
}

/* At a time there is no rate at which a duration ends, nor at which something follows it. */
Test(durations, no_rate_at_a_time)
{
    static const char text[] = "P = (a, det(1)).Q; Q = b.R; R = (c, 2).P; P";
    const double time[] = {0.5};
    const Got g = simulate(text, "throughput:a\nthroughput:b\nresponse:P\nthroughput:c",
                           &(PepaSimulation){.time = time, .count = 1, .runs = 10});
    cr_assert_eq(g.status, PEPA_OK, "%s", g.err.message);
    cr_expect(isnan(g.x[0].value) && isnan(g.x[1].value) && isnan(g.x[2].value));
    cr_expect_eq(g.x[3].value, 0);
}

/* ---- errors ------------------------------------------------------------------------------------ */

static void expect_refused(PepaStatus status, const PepaError *err)
{
    cr_expect_eq(status, PEPA_EMODEL);
    cr_expect_not_null(strstr(err->message, "pepa simulate"), "%s", err->message);
    cr_expect_not_null(strstr(err->message, "`erlang(25, 12.5)` has the same mean 2, with a "
                                            "coefficient of variation of 0.2 in place of 0"),
                       "%s", err->message);
}

Test(durations, chains_have_none)
{
    PepaModel *model = parse("P = (a, det(2)).P; P");
    PepaChain *chain = NULL;
    PepaWalk *walk = NULL;
    PepaError err = {0};
    expect_refused(pepa_chain_derive(&chain, model, NULL, &err), &err);
    expect_refused(pepa_walk_new(&walk, model, NULL, &err), &err);
    pepa_model_free(model);
}

/* The advice has the moments of the duration. */
Test(durations, advice)
{
    static const struct {
        const char *duration, *advice;
    } advice[] = {
        {"uniform(1, 3)", "`erlang(12, 6)`"},
        {"uniform(0, 2)", "`erlang(3, 3)`"},
        {"lognormal(-1, 0.5)", "`erlang(4, 9.5955)`"},
        /* c^2 = e - 1: the rates 2p/m and 2(1 - p)/m with p = (1 + sqrt((c^2 - 1)/(c^2 + 1)))/2 */
        {"lognormal(0, 1)", "`hyper(0.757022:0.918314, 0.242978:0.294747)`"},
    };
    for (size_t i = 0; i < sizeof advice / sizeof *advice; i++) {
        char text[100];
        PepaChain *chain = NULL;
        PepaError err = {0};
        (void)snprintf(text, sizeof text, "P = (a, %s).P; P", advice[i].duration);
        PepaModel *model = parse(text);
        cr_expect_eq(pepa_chain_derive(&chain, model, NULL, &err), PEPA_EMODEL);
        cr_expect_not_null(strstr(err.message, advice[i].advice), "%s", err.message);
        pepa_model_free(model);
    }
}

Test(durations, partners_are_passive)
{
    static const char *const wrong[] = {
        "P = (a, det(1)).P; Q = (a, 2).R; R = (a, T).Q; P <a> Q",
        "P = (a, det(1)).P; Q = (a, uniform(1, 2)).Q; P <a> Q",
        "P = (a, det(1)).P; Q = (a, immediate).Q; P <a> Q",
        "P = (a, det(1)).P; Q = (a, T).Q; R = (a, R * 2).R; P <a> (Q <a> R)",
        "P = (a, det(1)).P; P[2]{a}",
        "P = (a, det(1)).P + (b, 1).P; P[3]{b}",
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        cr_expect_eq(simulate(wrong[i], "population:P", &(PepaSimulation){.steady = 1}).status,
                     PEPA_EMODEL, "%s", wrong[i]);
    /* another action of the component, copies that cooperate elsewhere, an action that is blocked */
    static const char *const right[] = {
        "P = (a, det(1)).P; Q = (a, T).Q; R = (a, 1).R; (P <a> Q) || R",
        "P = (a, det(1)).Q; Q = (b, 1).P; P[3]{b}",
        "P = (a, det(1)).P + (b, det(1)).P; P <a> Stop",
    };
    for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
        const Got g =
            simulate(right[i], "population:P", &(PepaSimulation){.steady = 1, .events = 400000});
        cr_expect_eq(g.status, PEPA_OK, "%s: %s", right[i], g.err.message);
    }
}
