/* Passage times by simulation: against exact ones, closed forms, and errors. */
#include "pepa_simulate.h"

#include <math.h>
#include <stdio.h>

#include "api/parsing.h"

/* Every interval misses with a probability of 1e-11: all of a test, below 1e-9. */
#define CONFIDENCE (1 - 1e-11)
enum { TIMES = 9, SHARES = 3 };
static const double share[SHARES] = {0.5, 0.9, 0.99};

typedef struct {
    PepaModel *model;
    PepaPassageEnds ends;
    PepaPredicate *from, *to;
    const char *name[2];
    PepaStatus status;
    PepaError err;
    PepaPassageSample found;
    PepaEstimate cdf[TIMES], pdf[TIMES], within[SHARES];
} Asked;

static PepaPredicate *predicate(const PepaModel *model, const char *text)
{
    PepaPredicate *out = NULL;
    PepaError err = {0};
    cr_assert_eq(pepa_predicate_new(&out, model, "p", text + 1, strlen(text) - 2, NULL, NULL, &err),
                 PEPA_OK, "%s", err.message);
    return out;
}

/* from: "" is the initial state; "{...}" a predicate, else an action. */
static void ask_open(Asked *a, PepaModel *model, const char *from, const char *to)
{
    *a = (Asked){.model = model, .name = {from, to}};
    a->ends.from_start = !*from;
    if (*from == '{')
        a->ends.from = a->from = predicate(model, from);
    else if (*from)
        a->ends.from_action = &a->name[0], a->ends.from_actions = 1;
    if (*to == '{')
        a->ends.to = a->to = predicate(model, to);
    else
        a->ends.to_action = &a->name[1], a->ends.to_actions = 1;
}

static void ask_run(Asked *a, const PepaPassageSampling *how, const PepaSettings *set)
{
    a->status = pepa_simulate_passage(a->model, &a->ends, how, set, a->cdf, a->pdf, a->within,
                                      &a->found, &a->err);
}

static void ask_close(Asked *a)
{
    pepa_predicate_free(a->from);
    pepa_predicate_free(a->to);
    pepa_model_free(a->model);
}

static void expect_within(const PepaEstimate *x, double exact, const char *what)
{
    cr_expect(x->low <= exact && exact <= x->high, "%s: %.9g is not in %.9g .. %.9g", what, exact,
              x->low, x->high);
}

/* ---- against exact passage times -------------------------------------------------------------- */

static void compare(Asked *a, const char *name, double widest)
{
    PepaChain *chain = NULL;
    PepaPassage *passage = NULL;
    PepaPassageMoments m;
    double time[TIMES], cdf, pdf;
    cr_assert_eq(pepa_chain_derive(&chain, a->model, NULL, NULL), PEPA_OK);
    double *pi = calloc((size_t)pepa_chain_info(chain).states, sizeof *pi);
    cr_assert_not_null(pi);
    cr_assert_eq(pepa_solve_steady(chain, NULL, pi, NULL, NULL), PEPA_OK);
    cr_assert_eq(pepa_passage_new(&passage, chain, pi, &a->ends, NULL, &a->err), PEPA_OK, "%s: %s",
                 name, a->err.message);
    cr_assert_eq(pepa_passage_moments(passage, &m, NULL), PEPA_OK);
    for (int i = 0; i < TIMES; i++)
        time[i] = m.mean * i / 4;
    ask_run(a,
            &(PepaPassageSampling){.time = time,
                                   .count = TIMES,
                                   .share = share,
                                   .shares = SHARES,
                                   .runs = a->ends.from_start ? 40000 : 0,
                                   .confidence = CONFIDENCE,
                                   .seed = 20},
            NULL);
    cr_assert_eq(a->status, PEPA_OK, "%s: %s", name, a->err.message);
    expect_within(&a->found.mean, m.mean, name);
    expect_within(&a->found.variance, m.variance, name);
    expect_within(&a->found.ends, m.ends, name);
    cr_expect_lt(a->found.mean.high - a->found.mean.low, widest * m.mean, "%s: %g", name,
                 (a->found.mean.high - a->found.mean.low) / m.mean);
    for (int i = 0; i < TIMES; i++) {
        cr_assert_eq(pepa_passage_at(passage, time[i], &cdf, &pdf, NULL, NULL), PEPA_OK);
        expect_within(&a->cdf[i], cdf, name);
        double last, next; /* the histogram is of probabilities of bins */
        const double half = m.mean / 8, from = fmax(time[i] - half, 0), to = time[i] + half;
        cr_assert_eq(pepa_passage_at(passage, from, &last, NULL, NULL, NULL), PEPA_OK);
        cr_assert_eq(pepa_passage_at(passage, to, &next, NULL, NULL, NULL), PEPA_OK);
        expect_within(&a->pdf[i], (next - last) / (to - from), name);
    }
    for (int i = 0; i < SHARES; i++) {
        double t;
        cr_assert_eq(pepa_passage_quantile(passage, share[i], &t, NULL), PEPA_OK);
        expect_within(&a->within[i], t, name);
        cr_expect_lt(a->within[i].low, t);
    }
    cr_expect_lt(a->within[0].high, 2 * a->within[0].value, "%s", name);
    free(pi);
    pepa_passage_free(passage);
    pepa_chain_free(chain);
}

static const struct {
    const char *model, *from, *to;
} cases[] = {
    {"mm1k", "arrive", "serve"},
    {"mm1k", "{Job >= 1}", "{Job == 0}"},
    {"client_server", "request", "respond"},
    {"client_server", "", "{ClientThinks >= 4}"},
    {"machine_repair", "{Broken >= 3}", "{Broken == 0}"},
    {"machine_repair", "", "{Broken >= 5}"},
    {"file_server", "openRead", "openWrite"},
    {"readers_writers", "startWrite", "endWrite"},
    {"readers_writers", "startRead", "{Write1}"},
    {"erlang_loss", "{Busy >= 10}", "release"},
};
enum { CASES = sizeof cases / sizeof *cases };

Test(simulate_passage, as_exact)
{
    for (int i = 0; i < CASES; i++) {
        char path[100], name[200];
        PepaModel *model = NULL;
        Asked a;
        (void)snprintf(path, sizeof path, "models/%s.pepa", cases[i].model);
        (void)snprintf(name, sizeof name, "%s %s %s", cases[i].model, cases[i].from, cases[i].to);
        cr_assert_eq(pepa_model_load(&model, path, NULL, NULL), PEPA_OK, "%s", path);
        ask_open(&a, model, cases[i].from, cases[i].to);
        compare(&a, name, 0.5);
        ask_close(&a);
    }
}

/* Immediate activities and priorities: at the start, between activities that take time, by weights,
 * shared, by copies, by tau; timed activities that come before others. */
static const struct {
    const char *text, *from, *to;
} preempting[] = {
    {"P = (a, 1).Q; Q = (s, immediate).R + (t, 3 : immediate).P; R = (u, 2).V;\n"
     "V = (w, immediate).P; P",
     "a", "{R}"},
    {"I = (i, immediate).P + (j, 2 : immediate).Q; P = (a, 1).I; Q = (b, 3).R; R = (c, 2).I; I", "",
     "c"},
    {"I = (i, immediate).P + (j, 2 : immediate).Q; P = (a, 1).I; Q = (b, 3).R; R = (c, 2).I; I",
     "{P}", "{R}"},
    {"P = (a, 6).Q; Q = (b, 2 : immediate).R + (c, immediate).P; R = (d, 1).P; P[4]", "{R >= 3}",
     "{R == 0}"},
    {"P = (a, 2).Q; Q = (s, 3 : immediate).P + (t, immediate).R; R = (u, 1).P;\n"
     "S = (s, T).S2 + (s, 2 * T).S; S2 = (b, 1).S; (P[3] || Q) <s> S[2]",
     "a", "{S2 == 2}"},
    {"P = (a, 2).Q + (tau, 1).Q; Q = (tau, 3 : immediate).R + (tau, immediate).P; R = (d, 1).P; "
     "P[2]",
     "d", "{R == 2}"},
    {"P = (a[2], 1).Q + (b, 5).Q; Q = (c[0], 2).P + (d, 1).P; R = (a, T).S; S = (e[0], 1).R;\n"
     "(P[3] <a> R[2]) || Q",
     "d", "{enabled(a)}"},
};
enum { PREEMPTING = sizeof preempting / sizeof *preempting };

Test(simulate_passage, immediate_activities_as_exact)
{
    for (int i = 0; i < PREEMPTING; i++) {
        Asked a;
        ask_open(&a, parse(preempting[i].text), preempting[i].from, preempting[i].to);
        compare(&a, preempting[i].text, 0.8);
        ask_close(&a);
    }
}

/* Steps that take no time between three of rate 2: Erlang's distribution. */
Test(simulate_passage, erlang_with_steps_that_take_no_time)
{
    const double time[] = {0.5, 1.5};
    Asked a;
    ask_open(&a,
             parse("I = (h, immediate).P; P = (a, 2).Q; Q = (i, immediate).Q1;\n"
                   "Q1 = (j, 5 : immediate).R; R = (b, 2).S; S = (k, immediate).U; U = (c, 2).I;\n"
                   "E = (i, T).E; I <i> E"),
             "", "c");
    ask_run(&a,
            &(PepaPassageSampling){.time = time,
                                   .count = 2,
                                   .runs = 40000,
                                   .confidence = CONFIDENCE,
                                   .seed = 6},
            NULL);
    cr_assert_eq(a.status, PEPA_OK, "%s", a.err.message);
    expect_within(&a.found.mean, 1.5, "mean");
    expect_within(&a.found.variance, 0.75, "variance");
    for (int i = 0; i < 2; i++) {
        const double x = 2 * time[i];
        expect_within(&a.cdf[i], 1 - exp(-x) * (1 + x + x * x / 2), "cdf");
    }
    cr_expect_eq(a.found.events, 8 * 40000); /* with `h`, after which the passage is over */
    ask_close(&a);
}

/* ---- closed forms ----------------------------------------------------------------------------- */

/* Durations that are not exponential, from the start and in the long run: a fixed time, then an exponential
 * one beside another component that goes on; a queue that serves for a fixed time; uniform times. */
Test(simulate_passage, durations)
{
    static const struct {
        const char *text, *from, *to;
        double mean, variance;
    } it[] = {
        {"P = (a, det(1)).Q; Q = (b, 2).P; P", "", "b", 1.5, 0.25},
        {"P = (a, det(1)).Q; Q = (b, 2).P; P", "a", "a", 1.5, 0.25},
        {"P = (a, det(1)).Q; Q = (b, 2).P; R = (c, 1).R; P || R", "{P}", "b", 1.5, 0.25},
        {"P = (a, det(1)).Q; Q = (b, 2).P; R = (c, 1).R; P || R", "a", "b", 0.5, 0.25},
        {"Q0 = (come, 0.8).Q1; Q1 = (come, 0.8).Q2 + (serve, T).Q0; Q2 = (serve, T).Q1;\n"
         "S = (serve, det(1)).S; Q0 <serve> S",
         "", "serve", 2.25, 1.5625},
        {"P = (a, uniform(1, 3)).Q; Q = (b, uniform(0, 1)).P; P", "b", "b", 2.5, 5.0 / 12},
    };
    for (size_t i = 0; i < sizeof it / sizeof *it; i++) {
        Asked a;
        ask_open(&a, parse(it[i].text), it[i].from, it[i].to);
        ask_run(&a, &(PepaPassageSampling){.confidence = CONFIDENCE, .seed = 3}, NULL);
        cr_assert_eq(a.status, PEPA_OK, "%s: %s", it[i].text, a.err.message);
        expect_within(&a.found.ends, 1, it[i].text);
        expect_within(&a.found.mean, it[i].mean, it[i].text);
        expect_within(&a.found.variance, it[i].variance, it[i].text);
        ask_close(&a);
    }
}

/* Of 10^9 components the first to move takes an exponential time of rate 10^9. */
Test(simulate_passage, many_copies)
{
    Asked a;
    ask_open(&a, parse("P = (a, 1).Q; Q = (b, 2).P; P[1000000000]"), "", "a");
    ask_run(&a,
            &(PepaPassageSampling){.share = share,
                                   .shares = SHARES,
                                   .confidence = CONFIDENCE,
                                   .seed = 3},
            NULL);
    cr_assert_eq(a.status, PEPA_OK, "%s", a.err.message);
    expect_within(&a.found.mean, 1e-9, "mean");
    expect_within(&a.found.variance, 1e-18, "variance");
    expect_within(&a.within[1], log(10) * 1e-9, "quantile");
    cr_expect_eq(a.found.passages, 10000);
    cr_expect_eq(a.found.events, 10000);
    ask_close(&a);
}

/* Two bottom components: half of the long run is in each, but passages begin ten times as often in
 * one.  They take 1 / 10 and 1 on average: (10 x 1/10 + 1) / 11.  Runs differ, and the intervals say
 * so. */
Test(simulate_passage, several_bottom_components)
{
    Asked a;
    const double time[] = {0.5};
    ask_open(&a,
             parse("P = (l, 1).A + (r, 1).B; A = (x, 1e9).A1; A1 = (y, 10).A;\n"
                   "B = (x, 1e9).B1; B1 = (y, 1).B; P"),
             "x", "y");
    ask_run(&a,
            &(PepaPassageSampling){.time = time,
                                   .count = 1,
                                   .confidence = 0.999999,
                                   .seed = 7,
                                   .runs = 256},
            NULL);
    cr_assert_eq(a.status, PEPA_OK, "%s", a.err.message);
    expect_within(&a.found.mean, 2.0 / 11, "mean");
    expect_within(&a.cdf[0], (10 * (1 - exp(-5)) + 1 - exp(-0.5)) / 11, "cdf");
    cr_expect_gt(a.found.mean.high - a.found.mean.low,
                 0.02); /* not that of 10^5 independent ones */
    cr_expect(isnan(a.pdf[0].value));
    ask_close(&a);
}

/* Passages that begin where they end take no time; those that begin while others are under way all
 * end together. */
Test(simulate_passage, begins_and_ends)
{
    Asked a;
    ask_open(&a, parse("P = (a, 1).Q; Q = (b, 1).P; P"), "{Q}", "{Q || P}");
    ask_run(&a, &(PepaPassageSampling){.seed = 1}, NULL);
    cr_assert_eq(a.status, PEPA_OK, "%s", a.err.message);
    cr_expect(a.found.mean.value == 0 && a.found.mean.high == 0);
    ask_close(&a);
    /* b comes at rate 1, whatever a does: each a waits an exponential time. */
    ask_open(&a, parse("P = (a, 5).P; Q = (b, 1).Q; P || Q"), "a", "b");
    ask_run(&a, &(PepaPassageSampling){.seed = 1, .confidence = CONFIDENCE}, NULL);
    cr_assert_eq(a.status, PEPA_OK, "%s", a.err.message);
    expect_within(&a.found.mean, 1, "mean");
    expect_within(&a.found.variance, 1, "variance");
    ask_close(&a);
    /* An action that ends and begins: the time between two of it. */
    ask_open(&a, parse("P = (a, 5).Q; Q = (b, 1).P; P"), "b", "b");
    ask_run(&a, &(PepaPassageSampling){.seed = 1, .confidence = CONFIDENCE}, NULL);
    cr_assert_eq(a.status, PEPA_OK, "%s", a.err.message);
    expect_within(&a.found.mean, 1.2, "mean");
    ask_close(&a);
}

/* A quarter of the passages end. */
Test(simulate_passage, some_never_end)
{
    Asked a;
    const double half[] = {0.2, 0.5};
    ask_open(&a, parse("P = (a, 1).Q + (b, 3).R; Q = (c, 2).Stop; R = (d, 1).Stop; P"), "", "c");
    ask_run(&a,
            &(PepaPassageSampling){.share = half, .shares = 2, .seed = 4, .confidence = CONFIDENCE},
            NULL);
    cr_assert_eq(a.status, PEPA_OK, "%s", a.err.message);
    expect_within(&a.found.ends, 0.25, "ends");
    cr_expect_lt(a.found.ends.high, 0.3);
    cr_expect(isinf(a.found.mean.value) && isinf(a.within[1].value));
    cr_expect(isfinite(a.within[0].value));
    ask_close(&a);
}

/* ---- intervals -------------------------------------------------------------------------------- */

/* 90% intervals of an exponential time contain what they should in 90% of 1,000 samples, those of
 * shares and quantiles in somewhat more; chance is allowed 1e-9. */
Test(simulate_passage, coverage)
{
    enum { REPEATS = 1000, RUNS = 200, KINDS = 4 };
    int inside[KINDS] = {0};
    const double time[] = {0.5, 1}, median[] = {0.5};
    Asked a;
    ask_open(&a, parse("P = (a, 1).Q; Q = (b, 1).P; P"), "", "a");
    for (uint64_t seed = 1; seed <= REPEATS; seed++) {
        ask_run(&a,
                &(PepaPassageSampling){.time = time,
                                       .count = 2,
                                       .share = median,
                                       .shares = 1,
                                       .runs = RUNS,
                                       .confidence = 0.9,
                                       .seed = seed},
                NULL);
        cr_assert_eq(a.status, PEPA_OK, "%s", a.err.message);
        inside[0] += a.found.mean.low <= 1 && a.found.mean.high >= 1;
        inside[1] += a.cdf[0].low <= 1 - exp(-0.5) && a.cdf[0].high >= 1 - exp(-0.5);
        inside[2] += a.within[0].low <= log(2) && a.within[0].high >= log(2);
        inside[3] += a.pdf[1].low <= 2 * (exp(-0.75) - exp(-1.25)) &&
                     a.pdf[1].high >= 2 * (exp(-0.75) - exp(-1.25));
    }
    const double deviation = sqrt(REPEATS * 0.9 * 0.1);
    for (int i = 0; i < KINDS; i++) {
        cr_expect_gt(inside[i], 0.89 * REPEATS - 6 * deviation, "%d: %d", i, inside[i]);
        cr_expect_lt(inside[i], 0.94 * REPEATS + 4 * deviation, "%d: %d", i, inside[i]);
    }
    ask_close(&a);
}

/* Counts of independent durations have the intervals of Clopper and Pearson: of none among n, up to
 * 1 - (alpha / 2)^(1 / n). */
Test(simulate_passage, none_of_many)
{
    const double time[] = {1e-12};
    Asked a;
    ask_open(&a, parse("P = (a, 1).Q; Q = (b, 1).P; P"), "", "a");
    ask_run(&a, &(PepaPassageSampling){.time = time, .count = 1, .runs = 1000, .seed = 1}, NULL);
    cr_assert_eq(a.status, PEPA_OK, "%s", a.err.message);
    cr_expect(a.cdf[0].value == 0 && a.cdf[0].low == 0);
    cr_expect_float_eq(a.cdf[0].high, 1 - pow(0.025, 1e-3), 1e-12);
    cr_expect_float_eq(a.found.ends.low, pow(0.025, 1e-3), 1e-12);
    ask_close(&a);
}

Test(simulate_passage, width_and_threads)
{
    static const char *const from[] = {"", "request"};
    for (int i = 0; i < 2; i++) {
        Asked alone, together;
        PepaModel *one = NULL, *two = NULL;
        const PepaPassageSampling how = {.share = share,
                                         .shares = SHARES,
                                         .relative_width = 0.05,
                                         .seed = 9};
        cr_assert_eq(pepa_model_load(&one, "models/client_server.pepa", NULL, NULL), PEPA_OK);
        cr_assert_eq(pepa_model_load(&two, "models/client_server.pepa", NULL, NULL), PEPA_OK);
        ask_open(&alone, one, from[i], "respond");
        ask_open(&together, two, from[i], "respond");
        ask_run(&alone, &how, &(PepaSettings){.threads = 1});
        ask_run(&together, &how, &(PepaSettings){.threads = 3});
        cr_assert_eq(alone.status, PEPA_OK, "%s", alone.err.message);
        cr_expect_leq(alone.found.width, 0.05);
        cr_expect_arr_eq(alone.within, together.within, sizeof alone.within);
        cr_expect_eq(alone.found.mean.low, together.found.mean.low);
        cr_expect_eq(alone.found.events, together.found.events);
        ask_close(&alone);
        ask_close(&together);
    }
}

/* ---- errors ----------------------------------------------------------------------------------- */

static void expect_error(const char *text, const char *from, const char *to,
                         const PepaPassageSampling *how, PepaStatus status, const char *message)
{
    Asked a;
    ask_open(&a, parse(text), from, to);
    ask_run(&a, how, NULL);
    cr_expect_eq(a.status, status, "%d: %s", (int)a.status, a.err.message);
    cr_expect_not_null(strstr(a.err.message, message), "%s", a.err.message);
    ask_close(&a);
}

Test(simulate_passage, errors)
{
    static const char text[] = "P = (a, 1).Q; Q = (b, 2).P + (c, 1).Stop; P";
    static const char loop[] = "P = (a, 1).P + (b, 1).Q; Q = (d, 1).Q; P";
    const double bad[] = {1};
    expect_error(text, "", "z", &(PepaPassageSampling){.seed = 1}, PEPA_EARG, "no action `z`");
    expect_error(text, "a", "b", &(PepaPassageSampling){.seed = 1}, PEPA_EARG,
                 "nothing happens any more");
    expect_error(text, "", "a", &(PepaPassageSampling){.runs = 1}, PEPA_EARG, "two or more");
    expect_error(text, "", "a", &(PepaPassageSampling){.share = bad, .shares = 1}, PEPA_EARG,
                 "between 0 and 1");
    expect_error(text, "", "a", &(PepaPassageSampling){.reserved = {1}}, PEPA_EARG, "reserved");
    expect_error(text, "", "a", &(PepaPassageSampling){.confidence = 1}, PEPA_EARG, "confidence");
    expect_error(text, "", "a", &(PepaPassageSampling){.relative_width = -1}, PEPA_EARG, "width");
    expect_error(loop, "", "b", &(PepaPassageSampling){.relative_width = 0.001, .events = 10000},
                 PEPA_ELIMIT, "events");
    expect_error(loop, "", "a", &(PepaPassageSampling){.events = 100000}, PEPA_ELIMIT,
                 "may never end");
    expect_error(loop, "b", "d", &(PepaPassageSampling){.events = 1000000}, PEPA_ELIMIT, "too few");
}

static int keep_most(void *user, const PepaProgress *now)
{
    int64_t *most = user;
    *most = now->count > *most ? now->count : *most;
    return 0;
}

/* Half of the passages never end.  The events allowed are those of all, also of those begun together. */
Test(simulate_passage, all_share_the_events_allowed)
{
    enum { EVENTS = 3000000 };
    for (int32_t threads = 1; threads <= 2; threads++) {
        Asked a;
        int64_t most = 0;
        ask_open(&a, parse("P = (a, 1).Q + (b, 1).R; Q = (c, 1).Q; R = (d, 1).R; P"), "",
                 "{Q > 0}");
        ask_run(&a, &(PepaPassageSampling){.events = EVENTS},
                &(PepaSettings){.threads = threads, .progress = keep_most, .user = &most});
        cr_expect_eq(a.status, PEPA_ELIMIT);
        cr_expect_leq(most, 2 * (int64_t)EVENTS);
        ask_close(&a);
    }
}
