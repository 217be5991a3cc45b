/* Measures as expressions: every atom against a closed form, by rows and on sets, with copies counted
 * and kept apart, and known answers from the literature. */
#include "measure/expression.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pepa_measure.h"

typedef struct {
    const char *expression; /* or a line of measures: the last one counts */
    double value;
} Known;

static PepaModel *parse(const char *text)
{
    PepaModel *model = NULL;
    PepaError err = {0};
    cr_assert_eq(pepa_model_parse(&model, "m", text, strlen(text), NULL, &err), PEPA_OK, "%s\n%s",
                 err.message, text);
    return model;
}

static double *solve(const PepaChain *chain)
{
    PepaSettings set = {.solve.tolerance = 1e-13, .solve.method = PEPA_GTH};
    PepaError err = {0};
    double *pi = calloc((size_t)pepa_chain_info(chain).states, sizeof *pi);
    cr_assert(pi != NULL);
    cr_assert_eq(pepa_solve_steady(chain, &set, pi, NULL, &err), PEPA_OK, "%s", err.message);
    return pi;
}

/* The value of the last of these measures. */
static PepaStatus last_value(const PepaChain *chain, const PepaModel *model, const double *pi,
                             const char *text, double *value, PepaError *err)
{
    PepaMeasures *measures = NULL;
    double all[64];
    cr_assert_eq(pepa_measures_new(&measures, model, err), PEPA_OK);
    cr_assert_eq(pepa_measures_add(measures, "test", text, strlen(text), NULL, NULL, err), PEPA_OK,
                 "%s: %s", text, err->message);
    int32_t count = pepa_measures_count(measures);
    cr_assert(count > 0 && count <= 64);
    PepaStatus status = pepa_measures_values(measures, chain, pi, all, err);
    if (status == PEPA_OK)
        *value = all[count - 1];
    pepa_measures_free(measures);
    return status;
}

/* GTH loses no digits: 1e-12 is for the closed forms. */
static void expect_known(const PepaChain *chain, const PepaModel *model, const Known *known,
                         size_t count)
{
    double *pi = solve(chain);
    PepaChainInfo info = pepa_chain_info(chain);
    for (size_t i = 0; i < count; i++) {
        double got = -1, want = known[i].value;
        PepaError err = {0};
        cr_expect_eq(last_value(chain, model, pi, known[i].expression, &got, &err), PEPA_OK,
                     "%s: %s", known[i].expression, err.message);
        cr_expect(isnan(want) ? isnan(got) : fabs(got - want) <= 1e-12 * fmax(1, fabs(want)),
                  "%s is %.17g, not %.17g (%lld states, aggregated %d, symbolic %d)",
                  known[i].expression, got, want, (long long)info.states, info.aggregated,
                  info.symbolic);
    }
    free(pi);
}

/* In every form of chain that the model has: how many. */
static int expect_everywhere(const char *text, const Known *known, size_t count)
{
    PepaModel *model = parse(text);
    int forms = 0;
    for (int way = 0; way < 4; way++) {
        PepaSettings set = {.derive.explore = way < 2 ? PEPA_EXPLICIT : PEPA_SYMBOLIC,
                            .derive.separate_copies = way % 2};
        PepaChain *chain = NULL;
        PepaError err = {0};
        PepaStatus status = pepa_chain_derive(&chain, model, &set, &err);
        cr_assert(status == PEPA_OK || way >= 2, "%s", err.message);
        if (status == PEPA_OK)
            expect_known(chain, model, known, count);
        forms += status == PEPA_OK;
        pepa_chain_free(chain);
    }
    pepa_model_free(model);
    return forms;
}
#define EVERYWHERE(text, known) expect_everywhere(text, known, sizeof(known) / sizeof *(known))

/* ---- closed forms -------------------------------------------------------------------------- */

/* Up at rate r, down at rate f: a share f / (f + r) of the time. */
Test(expression, two_states)
{
    const double f = 0.25, r = 2, down = f / (f + r);
    const Known known[] = {
        {"throughput:fail", f * (1 - down)},
        {"throughput:{fail, repair}", 2 * f * (1 - down)},
        {"throughput:{fail, fail}", f * (1 - down)},
        {"population:Down", down},
        {"population:{Up, Down}", 1},
        {"population:{Down, Down}", down},
        {"utilisation:Up", 1 - down},
        {"utilisation:1.Down", down},
        {"utilisation:{Up, Down}", 1},
        {"probability:Down", down},
        {"probability:{!Up}", down},
        {"probability:{Down == 0}", 1 - down},
        {"probability:{enabled(fail)}", 1 - down},
        {"probability:true", 1},
        {"probability:{false || deadlock}", 0},
        {"reward:{3 * Up - Down}", 3 * (1 - down) - down},
        {"reward:{f * Up}", f * (1 - down)},
        {"rate:f", f},
        {"response:Down", 1 / r},
        {"response:{Up}", 1 / f},
        {"response:{Up, Down}", NAN},
    };
    cr_expect_geq(EVERYWHERE("f = 0.25; r = 2; Up = (fail, f).Down; Down = (repair, r).Up; Up",
                             known),
                  2);
}

/* M/M/1/K: p_n = rho^n / (1 + rho + ... + rho^K); Little's law for the time in the system. */
Test(expression, queue)
{
    enum { K = 5 };
    const double lambda = 1.5, mu = 2, rho = lambda / mu;
    double p[K + 1], sum = 0, jobs = 0, squares = 0, waiting = 0;
    for (int n = 0; n <= K; n++)
        sum += p[n] = pow(rho, n);
    for (int n = 0; n <= K; n++) {
        p[n] /= sum;
        jobs += n * p[n];
        squares += n * n * p[n];
        waiting += n > 1 ? (n - 1) * p[n] : 0;
    }
    const Known known[] = {
        {"throughput:serve", mu * (1 - p[0])},
        {"throughput:arrive - throughput:serve", 0},
        {"population:Job", jobs},
        {"population:{Job, Place}", K},
        {"utilisation:Job", jobs / K},
        {"utilisation:{2.Place, 3.Server}", (K - jobs + 1) / (K + 1)},
        {"utilisation:Server", 1},
        {"probability:{Job == 5}", p[K]},
        {"probability:Job", 1 - p[0]},
        {"probability:{Job > 1 && Job <= 3}", p[2] + p[3]},
        {"probability:{Place < 2 || Job == 0}", p[0] + p[4] + p[5]},
        {"probability:{!enabled(arrive)}", p[K]},
        {"probability:{enabled(serve) != enabled(arrive)}", p[0] + p[K]},
        {"reward:{Job * Job}", squares},
        {"reward:{max(Job - 1, 0)}", waiting},
        {"reward:{min(Job, 1)}", 1 - p[0]},
        {"reward:{Job >= 2}", 1 - p[0] - p[1]},
        {"reward:{lambda * enabled(arrive)}", lambda * (1 - p[K])},
        {"rate:mu / rate:lambda", mu / lambda},
        {"population:Job / throughput:serve", jobs / (lambda * (1 - p[K]))},
        {"response:{Job}", jobs / (lambda * (1 - p[K]))},
        {"L = population:Job\nX = throughput:arrive\nW = L / X\nW - response:Job", 0},
    };
    cr_expect_eq(EVERYWHERE("lambda = 1.5; mu = 2;\n"
                            "Arrivals = (arrive, lambda).Arrivals;\n"
                            "Place = (arrive, T).Job; Job = (serve, T).Place;\n"
                            "Server = (serve, mu).Server;\n"
                            "Arrivals <arrive> Place[5] <serve> Server",
                            known),
                 4);
}

/* Machine repair: N machines that fail at rate f, one repairman: p_n = N! / (N-n)! (f / r)^n p_0. */
Test(expression, machine_repair)
{
    enum { N = 4 };
    const double f = 0.5, r = 3;
    double p[N + 1], sum = 0, down = 0;
    p[0] = 1;
    for (int n = 1; n <= N; n++)
        p[n] = p[n - 1] * (N - n + 1) * f / r;
    for (int n = 0; n <= N; n++)
        sum += p[n];
    for (int n = 0; n <= N; n++)
        down += n * (p[n] /= sum);
    const Known known[] = {
        {"throughput:repair", r * (1 - p[0])},
        {"population:Down", down},
        {"utilisation:Down", down / N},
        {"utilisation:Crew", 1},
        {"probability:{Down >= 2}", 1 - p[0] - p[1]},
        {"probability:{!Down}", p[0]},
        {"reward:{Down > 0}", 1 - p[0]},
        {"response:{Down}", down / (r * (1 - p[0]))},
        {"response:{Up}", 1 / f},
        {"response:{Up, Down}", NAN},
    };
    cr_expect_eq(EVERYWHERE("Up = (fail, 0.5).Down; Down = (repair, T).Up;\n"
                            "Crew = (repair, 3).Crew; Up[4] <repair> Crew",
                            known),
                 4);
}

/* A component at two positions, with drivers of rates 1 and 2 that are hidden. */
Test(expression, positions_and_hidden_actions)
{
    const double first = 1.0 / 2, third = 2.0 / 3; /* of B, at each position */
    const Known known[] = {
        {"population:1.B", first},
        {"population:3.B", third},
        {"population:B", first + third},
        {"population:{1.B, B}", first + third},
        {"utilisation:B", (first + third) / 2},
        {"utilisation:3.B", third},
        {"utilisation:{3.B, 4.D2}", (third + 1) / 2},
        {"probability:{1.B && !3.B}", first * (1 - third)},
        {"probability:{B == 1}", first * (1 - third) + third * (1 - first)},
        {"probability:{enabled(tau)}", 1 - first * third},
        {"probability:{enabled(go1)}", 0},
        {"throughput:tau", (1 - first) + (1 - third) * 2},
        {"throughput:{tau, go1, b}", (1 - first) + (1 - third) * 2 + first + third},
        {"throughput:go1", 0},
        {"response:1.A", 1},
        {"response:3.A", 0.5},
        {"response:A", (2 - first - third) / ((1 - first) + (1 - third) * 2)},
    };
    cr_expect_geq(EVERYWHERE("A = (go1, T).B + (go2, T).B; B = (b, 1).A;\n"
                             "D1 = (go1, 1).D1; D2 = (go2, 2).D2;\n"
                             "(A <go1, go2> D1) / {go1} || (A <go1, go2> D2) / {go2}",
                             known),
                  2);
}

/* Absorption: with probability 1/4 in the cycle of Q and Q2, else in a deadlock. */
Test(expression, several_bottom_components)
{
    const Known known[] = {
        {"probability:deadlock", 0.75},
        {"probability:{Q || Q2}", 0.25},
        {"probability:{enabled(c)}", 0.25},
        {"population:Q", 0.25 * 2 / 3},
        {"throughput:a", 0},
        {"response:Q", 1},
        {"response:R", NAN},
        {"reward:{1 / (Q + Q2)}", NAN},
        {"reward:{1 / (1 - R)}", 1}, /* R has no probability: what it is there does not matter */
    };
    cr_expect_geq(EVERYWHERE("P = (a, 1).Q + (b, 3).R; Q = (c, 1).Q2; Q2 = (c, 2).Q;\n"
                             "R = (d, 1).Stop; P",
                             known),
                  2);
}

/* ---- arithmetic ---------------------------------------------------------------------------- */

Test(expression, operators_and_functions)
{
    const Known known[] = {
        {"1 + 2 * 3 - 8 / 4", 5},
        {"-2 - -3", 1},
        {"min(2, 3) + max(2, 3)", 5},
        {"pow(2, 10)", 1024},
        {"exp(0) + log(1) + sqrt(9)", 4},
        {"log(exp(2))", 2},
        {"x = 3\ny = x * x\nx - y", -6},
        {"1 / 0", NAN},
        {"0 / 0", NAN},
        {"log(0)", NAN},
        {"log(-1)", NAN},
        {"sqrt(-1)", NAN},
        {"exp(1000)", NAN},
        {"1e308 * 10", NAN},
        {"x = 1 / 0\nx * 0", NAN},
        {"x = 1 / 0\n1", 1},
        {"min(1, 0 / 0)", NAN},
        {"reward:{1 / 0}", NAN},
        {"reward:{-1 / (P * 0)}", NAN},
        {"reward:{0 / 0 > 1}", 0},
        {"probability:{1 / 0 > 1}", 1},
        {"rate:v", NAN},
        {"rate:u", 6},
    };
    cr_expect_geq(EVERYWHERE("r = 2; u = r * 3; v = 1 + Q; P = (a, v).Q; Q = (b, u).P; P", known),
                  1);
}

Test(expression, values_follow_the_rates)
{
    PepaModel *model = parse("f = 1; r = 2; twice = 2 * r; Up = (fail, f).Down;\n"
                             "Down = (repair, r).Up; Up");
    PepaChain *chain = NULL;
    PepaError err = {0};
    cr_assert_eq(pepa_chain_derive(&chain, model, NULL, &err), PEPA_OK);
    for (double r = 1; r < 4; r++) {
        const Known known[] = {
            {"rate:r", r},
            {"rate:twice", 2 * r},
            {"reward:{r * Down}", r / (1 + r)},
            {"response:Down", 1 / r},
            {"throughput:fail", r / (1 + r)},
        };
        cr_assert_eq(pepa_chain_set_rate(chain, "r", r, &err), PEPA_OK);
        expect_known(chain, model, known, sizeof known / sizeof *known);
    }
    pepa_chain_free(chain);
    pepa_model_free(model);
}

/* ---- known answers ------------------------------------------------------------------------- */

/* Zhao, Thomas 2010: the mean response time of a key distribution centre. */
Test(expression, key_distribution_centre)
{
    static const struct {
        const char *path;
        double response;
    } cases[] = {{"models/kdc5.pepa", 2.010812320}, {"models/kdc10.pepa", 5.261078221}};
    for (size_t i = 0; i < 2; i++)
        for (int separate = 0; separate < 2; separate++) {
            PepaModel *model = NULL;
            PepaChain *chain = NULL;
            PepaSettings set = {.derive.separate_copies = separate};
            PepaError err = {0};
            double got = 0;
            cr_assert_eq(pepa_model_load(&model, cases[i].path, NULL, &err), PEPA_OK);
            cr_assert_eq(pepa_chain_derive(&chain, model, &set, &err), PEPA_OK);
            double *pi = solve(chain);
            cr_assert_eq(last_value(chain, model, pi, "response:{Client}", &got, &err), PEPA_OK);
            cr_expect_float_eq(got, cases[i].response, 5e-10, "%s: %.10g", cases[i].path, got);
            free(pi);
            pepa_chain_free(chain);
            pepa_model_free(model);
        }
}

/* ---- copies that have to be told apart ------------------------------------------------------ */

/* Two copies change places by one activity; the mean time in Q is 1 / the rate of the activity. */
Test(expression, response_of_copies)
{
    PepaModel *model = parse("P = (a, 1).Q; Q = (a, 1).P; O = (b, 1).Q; P[2]{a} || O");
    for (int separate = 0; separate < 2; separate++) {
        PepaSettings set = {.derive.separate_copies = separate};
        PepaChain *chain = NULL;
        PepaError err = {0};
        double value = -1;
        cr_assert_eq(pepa_chain_derive(&chain, model, &set, &err), PEPA_OK);
        double *pi = solve(chain);
        PepaStatus status = last_value(chain, model, pi, "response:1.Q", &value, &err);
        cr_expect_eq(status, separate ? PEPA_OK : PEPA_ELIMIT);
        if (separate)
            cr_expect_float_eq(value, 1, 1e-12, "%g", value);
        else
            cr_expect(err.limit == PEPA_LIMIT_COPIES && strstr(err.message, "copies of `P`"));
        cr_expect_eq(last_value(chain, model, pi, "response:2.Q", &value, &err), PEPA_OK);
        cr_expect_eq(last_value(chain, model, pi, "response:{1.P, 1.Q}", &value, &err), PEPA_OK);
        cr_expect(isnan(value));
        cr_expect_eq(last_value(chain, model, pi, "probability:{1.Q}", &value, &err), PEPA_OK);
        free(pi);
        pepa_chain_free(chain);
    }
    pepa_model_free(model);
}

/* ---- within the library -------------------------------------------------------------------- */

/* Predicates of one query beside measures of it; equal functionals, in any order of the text. */
Test(expression, many_at_once)
{
    enum { MEASURES = 40 };
    PepaModel *model = parse("P = (a, 1).Q; Q = (b, 3).P; P[3]");
    PepaChain *chain = NULL;
    PepaMeasures *measures = NULL;
    PepaError err = {0};
    double value[3 * MEASURES];
    cr_assert_eq(pepa_chain_derive(&chain, model, NULL, &err), PEPA_OK);
    cr_assert_eq(pepa_measures_new(&measures, model, &err), PEPA_OK);
    for (int i = 0; i < MEASURES; i++) {
        char text[256];
        (void)snprintf(text, sizeof text,
                       "p%d = %d * population:Q + throughput:b\n"
                       "q%d = probability:{Q >= %d}\nr%d = response:Q + response:{Q, Q}",
                       i, i, i, i % 5, i);
        cr_assert_eq(pepa_measures_add(measures, "m", text, strlen(text), NULL, NULL, &err),
                     PEPA_OK, "%s", err.message);
    }
    double *pi = solve(chain);
    cr_assert_eq(pepa_measures_values(measures, chain, pi, value, &err), PEPA_OK);
    for (int i = 0; i < MEASURES; i++) {
        static const double least[] = {1, 37.0 / 64, 10.0 / 64, 1.0 / 64, 0};
        cr_expect_float_eq(value[3 * i], 0.75 * i + 2.25, 1e-12);
        cr_expect_float_eq(value[3 * i + 1], least[i % 5], 1e-12);
        cr_expect_float_eq(value[3 * i + 2], 2.0 / 3, 1e-12);
    }
    free(pi);
    pepa_measures_free(measures);
    pepa_chain_free(chain);
    pepa_model_free(model);
}
