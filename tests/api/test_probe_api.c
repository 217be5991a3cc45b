/* Stochastic probes: passages against closed forms and against those by actions, where they are
 * attached, and arguments. */
#include "probing.h"

static void expect_moments(const PepaPassage *passage, const char *what, double mean,
                           double variance)
{
    PepaPassageMoments m;
    PepaError err = {0};
    succeed(pepa_passage_moments((PepaPassage *)passage, &m, &err), &err, what);
    cr_expect_float_eq(m.ends, 1, 1e-12, "%s", what);
    cr_expect_float_eq(m.mean, mean, 1e-9 * mean, "%s: mean %.15g, not %.15g", what, m.mean, mean);
    cr_expect_float_eq(m.variance, variance, 1e-8 * (variance + mean * mean),
                       "%s: variance %.15g, not %.15g", what, m.variance, variance);
}

static void expect_cdf(PepaPassage *passage, double t, double wanted)
{
    double cdf, error;
    PepaError err = {0};
    succeed(pepa_passage_at(passage, t, &cdf, NULL, &error, &err), &err, "at");
    cr_expect_float_eq(cdf, wanted, error + 1e-11, "P(T <= %g) is %.15g, not %.15g", t, cdf,
                       wanted);
}

/* ---- closed forms ---------------------------------------------------------------------------- */

/* P(T <= t) of an Erlang distribution: `stages` of rate `rate` each. */
static double erlang(int stages, double rate, double t)
{
    double term = 1, sum = 0;
    for (int k = 0; k < stages; k++) {
        sum += term;
        term *= rate * t / (k + 1);
    }
    return 1 - exp(-rate * t) * sum;
}

/* Sequences of an action that is always possible, with another going on beside it. */
static void expect_erlang(const char *probe, int stages)
{
    static const char model[] = "P = (a, 1).P; Q = (b, 4).Q; P || Q";
    for (int sets = 0; sets <= 1; sets++) {
        Probed p = probed_new(model, probe, false, sets ? PEPA_SYMBOLIC : PEPA_EXPLICIT);
        expect_moments(p.passage, probe, stages / 4.0, stages / 16.0);
        for (double t = 0.1; t < 3; t *= 2)
            expect_cdf(p.passage, t, erlang(stages, 4, t));
        probed_free(&p);
    }
}

Test(probe_api, erlang)
{
    expect_erlang("a:start, b:stop", 1);
    expect_erlang("a:start, b, b:stop", 2);
    expect_erlang("a:start, b{4}, b:stop", 5);
    expect_erlang("a:start, (b{2}){3}, b:stop", 7);
    expect_erlang("a:start, (b, b){2}, (b, b, b:stop)", 7);
    expect_erlang("a{2}, a:start, b, b:stop, a{3}", 2);
}

/* The minimum of two exponential times, twice. */
Test(probe_api, choice)
{
    static const char model[] = "P = (a, 1).P; Q = (b, 4).Q; R = (c, 2).R; P || Q || R";
    Probed p = probed_new(model, "a:start, (b | c), (c:stop | b:stop)", false, PEPA_EXPLICIT);
    expect_moments(p.passage, "choice", 2 / 6.0, 2 / 36.0);
    expect_cdf(p.passage, 0.3, erlang(2, 6, 0.3));
    probed_free(&p);
}

/* The response time of one of the jobs of an M/M/1/2 queue, first come first served: an arrival
 * that is not lost finds i jobs with probability p_i / (p_0 + p_1) and stays for i + 1 services. */
Test(probe_api, response_of_a_queue)
{
    static const char model[] =
        "lam = 3; mu = 2;\n"
        "Queue = (arrive1, lam/2).Q1 + (arrive2, lam/2).Q2;\n"
        "Q1 = (serve1, mu).Queue + (arrive2, lam).Q12; Q12 = (serve1, mu).Q2;\n"
        "Q2 = (serve2, mu).Queue + (arrive1, lam).Q21; Q21 = (serve2, mu).Q1;\n"
        "Job1 = (arrive1, T).In1; In1 = (serve1, T).Job1;\n"
        "Job2 = (arrive2, T).In2; In2 = (serve2, T).Job2;\n"
        "(Job1 || Job2) <arrive1, arrive2, serve1, serve2> Queue";
    static const char *const probes[] = {"arrive1:start, serve1:stop",
                                         "Job1:(arrive1:start, serve1:stop)",
                                         "Queue:(arrive2:start, serve2:stop)"};
    const double first = 1 / (1 + 3 / 2.0), second = 1 - first, mu = 2;
    const double mean = (first + 2 * second) / mu;
    const double square = (2 * first + 6 * second) / (mu * mu);
    for (size_t i = 0; i < 3; i++) {
        Probed p = probed_new(model, probes[i], false, PEPA_EXPLICIT);
        expect_moments(p.passage, probes[i], mean, square - mean * mean);
        for (double t = 0.25; t < 5; t *= 2)
            expect_cdf(p.passage, t, first * erlang(1, mu, t) + second * erlang(2, mu, t));
        probed_free(&p);
    }
}

/* One of the clients of a machine-repair model, by Little's law: N / X - 1 / request rate, with X
 * of M/M/1//N. */
Test(probe_api, response_of_one_of_many)
{
    static const char model[] = "Client = (request, 0.5).Wait; Wait = (response, T).Client;\n"
                                "Server = (response, 2).Server;\n"
                                "Client[4] <response> Server";
    double term = 1, sum = 1;
    for (int n = 4; n > 0; n--) {
        term *= n * 0.5 / 2;
        sum += term;
    }
    const double x = 2 * (1 - 1 / sum);
    Probed p = probed_new(model, "Client:(request:start, response:stop)", false, PEPA_EXPLICIT);
    PepaPassageMoments m;
    PepaError err = {0};
    succeed(pepa_passage_moments(p.passage, &m, &err), &err, model);
    cr_expect_float_eq(m.mean, 4 / x - 2, 1e-9);
    probed_free(&p);
}

/* ---- other ways to the same ------------------------------------------------------------------ */

static const char pair[] = "r = 2; s = 3; Client = (think, r).Ask; Ask = (request, 5).Wait;\n"
                           "Wait = (response, T).Client;\n"
                           "Server = (request, T).Look; Look = (find, s).Busy;\n"
                           "Busy = (response, 7).Server;\n"
                           "Client <request, response> Server";

Test(probe_api, the_same_as_by_actions)
{
    const char *from = "request", *to = "response";
    Probed p = probed_new(pair, "Client:(request:start, response:stop)", false, PEPA_EXPLICIT);
    PepaChain *chain = NULL;
    PepaPassage *passage = NULL;
    PepaPassageMoments m;
    PepaError err = {0};
    double pi[8], cdf, error;
    succeed(pepa_chain_derive(&chain, p.plain, NULL, &err), &err, pair);
    succeed(pepa_solve_steady(chain, NULL, pi, NULL, &err), &err, pair);
    const PepaPassageEnds ends = {.from_action = &from,
                                  .from_actions = 1,
                                  .to_action = &to,
                                  .to_actions = 1};
    succeed(pepa_passage_new(&passage, chain, pi, &ends, NULL, &err), &err, pair);
    succeed(pepa_passage_moments(passage, &m, &err), &err, pair);
    expect_moments(p.passage, "pair", m.mean, m.variance);
    for (double t = 0.1; t < 5; t *= 2) {
        succeed(pepa_passage_at(passage, t, &cdf, NULL, &error, &err), &err, pair);
        expect_cdf(p.passage, t, cdf);
    }
    pepa_passage_free(passage);
    pepa_chain_free(chain);
    probed_free(&p);
}

/* From time 0, with and without a label for the start. */
Test(probe_api, from_start)
{
    static const char *const probes[] = {"think, request, response:stop",
                                         "Client:(request:start, response:stop)",
                                         "find:start, response:stop"};
    const double mean = 1 / 2.0 + 1 / 5.0 + 1 / 3.0 + 1 / 7.0;
    const double variance = 1 / 4.0 + 1 / 25.0 + 1 / 9.0 + 1 / 49.0;
    for (size_t i = 0; i < 3; i++) {
        Probed p = probed_new(pair, probes[i], true, PEPA_EXPLICIT);
        expect_moments(p.passage, probes[i], mean, variance);
        probed_free(&p);
    }
}

/* ---- where it is attached -------------------------------------------------------------------- */

static void count(void *user, const PepaDiagnostic *each)
{
    int *warnings = user;
    *warnings += each->severity == PEPA_WARNING;
}

/* How many warnings a text has. */
static int warnings(const char *text)
{
    PepaModel *model = NULL;
    PepaError err = {0};
    int found = 0;
    const PepaReading how = {.diagnose = count, .user = &found};
    succeed(pepa_model_parse(&model, "test", text, strlen(text), &how, &err), &err, text);
    pepa_model_free(model);
    return found;
}

/* The last line of the model with a probe, which leaves no definition behind that is not used. */
static void expect_system(const char *text, const char *probe, const char *wanted)
{
    PepaModel *plain = parse(text), *model = NULL;
    PepaProbe info;
    PepaError err = {0};
    char *printed = NULL;
    succeed(pepa_model_probe(&model, plain, "probe", probe, strlen(probe), 0, NULL, NULL, &info,
                             &err),
            &err, text);
    succeed(pepa_model_print(model, &printed, &err), &err, text);
    cr_expect_leq(warnings(printed), warnings(text), "%s", printed);
    printed[strlen(printed) - 1] = '\0';
    cr_expect_str_eq(strrchr(printed, '\n') + 1, wanted, "%s\n%s", text, printed);
    cr_expect_str_eq(info.running, "ProbeRunning");
    cr_expect_str_eq(info.stopped, "ProbeStopped");
    cr_expect_eq(info.states, 2);
    pepa_text_free(printed);
    pepa_text_free(info.running);
    pepa_text_free(info.stopped);
    pepa_model_free(model);
    pepa_model_free(plain);
}

#define PARTS "n = 3; P = (a, 1).Q; Q = (b, 2).P; R = (a, T).R; "

Test(probe_api, places)
{
    static const char whole[] = "a:start, b:stop", one[] = "P:(a:start, b:stop)";
    expect_system(PARTS "P <a> R", whole, "P <a> R <a, b> ProbeStopped");
    expect_system(PARTS "P <a> R", one, "P <a, b> ProbeStopped <a> R");
    expect_system(PARTS "R <a> P", one, "R <a> (P <a, b> ProbeStopped)");
    expect_system(PARTS "P[n] <a> R", one, "P <a, b> ProbeStopped || P[n - 1] <a> R");
    expect_system(PARTS "P[2] <a> R", one, "P <a, b> ProbeStopped || P <a> R");
    expect_system(PARTS "P[1] <a> R", one, "P <a, b> ProbeStopped <a> R");
    expect_system(PARTS "P[4]{a} <a> R", one, "P <a, b> ProbeStopped <a> P[3]{a} <a> R");
    expect_system(PARTS "(P <a> R)[3]", one, "P <a, b> ProbeStopped <a> R || (P <a> R)[2]");
    expect_system(PARTS "P / {a} <*> R", one, "(P <a, b> ProbeStopped) / {a} <*> R");
    expect_system(PARTS "(b, 1).P || P", one, "(b, 1).P || (P <a, b> ProbeStopped)");
    expect_system(PARTS "(P || P) <a> R", one, "P <a, b> ProbeStopped || P <a> R");
}

/* Through names of cooperations, which are written out where they are used again. */
Test(probe_api, named_cooperations)
{
    static const char one[] = "P:(a:start, b:stop)";
    expect_system(PARTS "C = P <a> R; C", one, "P <a, b> ProbeStopped <a> R");
    expect_system(PARTS "C = P <a> R; C[1]", one, "P <a, b> ProbeStopped <a> R");
    expect_system(PARTS "C = P <a> R; C || C", one, "P <a, b> ProbeStopped <a> R || C");
    expect_system(PARTS "C = P <a> R; C[n]", one, "P <a, b> ProbeStopped <a> R || C[n - 1]");
    expect_system(PARTS "C = P <a> R; D = C[2]; D || R", one,
                  "P <a, b> ProbeStopped <a> R || C || R");
    expect_system(PARTS "C = P <a> R; C || P", "C:(a:start, b:stop)", "C <a, b> ProbeStopped || P");
}

/* Names of the probe are those of no process and no local state. */
Test(probe_api, names)
{
    static const char text[] = "ProbeRunning = (a, 1).Probe2; Probe2 = (b, 1).ProbeRunning;\n"
                               "ProbeRunning";
    PepaModel *plain = parse(text), *model = NULL;
    PepaProbe info;
    PepaError err = {0};
    succeed(pepa_model_probe(&model, plain, "probe", "a:start, b:stop", 15, 0, NULL, NULL, &info,
                             &err),
            &err, text);
    cr_expect_str_eq(info.running, "Probe3Running");
    pepa_text_free(info.running);
    pepa_text_free(info.stopped);
    pepa_model_free(model);
    pepa_model_free(plain);
}

/* ---- what is refused ------------------------------------------------------------------------- */

static void refuse(const char *text, const char *probe, const char *wanted)
{
    PepaModel *plain = parse(text), *model = NULL;
    PepaProbe info;
    PepaError err = {0};
    cr_expect_eq(pepa_model_probe(&model, plain, "probe", probe, strlen(probe), 0, NULL, NULL,
                                  &info, &err),
                 PEPA_EARG, "%s", probe);
    cr_expect(strstr(err.message, wanted), "%s: %s", probe, err.message);
    cr_expect_null(model);
    pepa_model_free(plain);
}

Test(probe_api, refused)
{
    static const char text[] = PARTS "C = P <a> R; C / {b}";
    refuse(text, "a:start, b:stop", "`b` is hidden in the system");
    refuse(text, "X:(a:start, b:stop)", "no component is called `X`");
    refuse(text, "Q:(a:start, b:stop)", "`Q` does not stand in the system equation");
    refuse(text, "R:(a:start, b:stop)", "`R` never does `b`");
    refuse(pair, "request:start, reponse:stop", "never does `reponse`; did you mean `response`?");
    refuse(PARTS "Sees = P <a> R; Sees", "Seas:(a:start, b:stop)", "did you mean `Sees`?");
}

Test(probe_api, arguments)
{
    static const char probe[] = "a:start, b:stop";
    PepaModel *plain = parse(PARTS "P <a> R"), *model = NULL;
    PepaProbe info;
    PepaError err = {0};
    cr_expect_eq(pepa_model_probe(NULL, plain, "p", probe, 15, 0, NULL, NULL, &info, &err),
                 PEPA_EARG);
    cr_expect_eq(pepa_model_probe(&model, NULL, "p", probe, 15, 0, NULL, NULL, &info, &err),
                 PEPA_EARG);
    cr_expect_eq(pepa_model_probe(&model, plain, NULL, probe, 15, 0, NULL, NULL, &info, &err),
                 PEPA_EARG);
    cr_expect_eq(pepa_model_probe(&model, plain, "p", NULL, 15, 0, NULL, NULL, &info, &err),
                 PEPA_EARG);
    cr_expect_eq(pepa_model_probe(&model, plain, "p", probe, 15, 0, NULL, NULL, NULL, &err),
                 PEPA_EARG);
    cr_expect_eq(pepa_model_probe(&model, plain, "p", probe, (size_t)INT32_MAX, 0, NULL, NULL,
                                  &info, &err),
                 PEPA_ELIMIT);
    pepa_model_free(plain);
}
