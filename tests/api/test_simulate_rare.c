/* Rare events by splitting: against closed forms and exact solutions, and errors. */
#include <math.h>
#include <stdio.h>

#include "api/parsing.h"
#include "pepa_simulate.h"
#include "pepa_transient.h"

/* Each interval misses with a probability of 1e-10, as far as means are normal. */
#define CONFIDENCE (1 - 1e-10)
enum { MOST = 8 };

typedef struct {
    PepaModel *model;
    PepaMeasures *measures;
    PepaStatus status;
    PepaError err;
    PepaEstimate x[MOST];
    PepaRareLevels levels[MOST];
    PepaSimulationInfo info;
} Asked;

static void ask_open(Asked *a, PepaModel *model, const char *measures)
{
    *a = (Asked){.model = model};
    cr_assert_eq(pepa_measures_new(&a->measures, a->model, &a->err), PEPA_OK);
    cr_assert_eq(pepa_measures_add(a->measures, "m", measures, strlen(measures), NULL, NULL,
                                   &a->err),
                 PEPA_OK, "%s", a->err.message);
}

static void ask_run(Asked *a, const PepaSimulation *how, const PepaSettings *set)
{
    a->status =
        pepa_simulate_rare(a->model, a->measures, how, set, a->x, a->levels, &a->info, &a->err);
}

static void ask_close(Asked *a)
{
    pepa_rare_levels_free(a->levels, pepa_measures_count(a->measures));
    pepa_measures_free(a->measures);
    pepa_model_free(a->model);
}

/* The interval holds the exact value, and says something. */
static void expect_exact(const PepaEstimate *x, double exact, const char *what)
{
    cr_expect(x->low <= exact && exact <= x->high, "%s: %g is not in %g .. %g", what, exact, x->low,
              x->high);
    cr_expect(x->low > 0 && x->high < 6 * exact, "%s: %g is all of %g .. %g", what, exact, x->low,
              x->high);
}

/* ---- M / M / 1 / K ---------------------------------------------------------------------------- */

static const char queue[] = "room = 20; In = (arrive, 1).In; Out = (serve, 2).Out;\n"
                            "Free = (arrive, T).Full; Full = (serve, T).Free;\n"
                            "In <arrive> Free[room] <serve> Out";

static void expect_full(double room)
{
    char measure[40];
    Asked a;
    (void)snprintf(measure, sizeof measure, "probability:{Full >= %g}", room);
    ask_open(&a, parse_with(queue, &(PepaDefine){.rate = "room", .value = room}), measure);
    ask_run(&a, &(PepaSimulation){.steady = 1, .seed = 8, .runs = 24, .confidence = CONFIDENCE},
            NULL);
    cr_assert_eq(a.status, PEPA_OK, "%s", a.err.message);
    expect_exact(&a.x[0], pow(0.5, room) * 0.5 / (1 - pow(0.5, room + 1)), measure);
    /* Half as likely one further: two trials each, almost everywhere. */
    cr_expect_geq(a.levels[0].count, room * 0.8);
    for (int32_t i = 0; i < a.levels[0].count; i++)
        cr_expect(a.levels[0].split[i] >= 2 && a.levels[0].split[i] <= 4);
    cr_expect_eq(a.levels[0].distance[a.levels[0].count - 1], 0);
    ask_close(&a);
}

Test(simulate_rare, full_queue)
{
    expect_full(19); /* 1e-6 */
    expect_full(39); /* 1e-12 */
}

/* ---- exact solutions -------------------------------------------------------------------------- */

static void exact_values(const Asked *a, const double *time, double *out)
{
    PepaChain *chain = NULL;
    PepaError err = {0};
    cr_assert_eq(pepa_chain_derive(&chain, a->model, NULL, &err), PEPA_OK, "%s", err.message);
    if (time) {
        cr_assert_eq(pepa_transient_measures(chain, a->measures,
                                             &(PepaTransient){.time = time, .count = 2},
                                             &(PepaSettings){.solve = {.tolerance = 1e-15}}, out,
                                             NULL, &err),
                     PEPA_OK, "%s", err.message);
    } else {
        double *pi = calloc((size_t)pepa_chain_info(chain).states, sizeof *pi);
        cr_assert_not_null(pi);
        cr_assert_eq(pepa_solve_steady(chain, &(PepaSettings){.solve = {.tolerance = 1e-14}}, pi,
                                       NULL, &err),
                     PEPA_OK, "%s", err.message);
        cr_assert_eq(pepa_measures_values(a->measures, chain, pi, out, &err), PEPA_OK);
        free(pi);
    }
    pepa_chain_free(chain);
}

/* Two stations in tandem: whether the second overflows, or both together. */
static const char tandem[] = "In = (arrive, 1).In; One = (move, 6).One; Two = (leave, 4).Two;\n"
                             "Free1 = (arrive, T).Job1; Job1 = (move, T).Free1;\n"
                             "Free2 = (move, T).Job2; Job2 = (leave, T).Free2;\n"
                             "(In <arrive> Free1[20] <move> One) <move> (Free2[12] <leave> Two)";

Test(simulate_rare, tandem_steady)
{
    double exact[2];
    Asked a;
    ask_open(&a, parse(tandem), "probability:{Job2 >= 10}\nprobability:{Job1 + Job2 >= 15}");
    exact_values(&a, NULL, exact);
    cr_assert_lt(exact[1], 1e-8);
    ask_run(&a, &(PepaSimulation){.steady = 1, .seed = 2, .runs = 16, .confidence = CONFIDENCE},
            NULL);
    cr_assert_eq(a.status, PEPA_OK, "%s", a.err.message);
    expect_exact(&a.x[0], exact[0], "second");
    expect_exact(&a.x[1], exact[1], "both");
    ask_close(&a);
}

Test(simulate_rare, tandem_at_times)
{
    const double time[] = {4, 8};
    double exact[4];
    Asked a;
    ask_open(&a, parse(tandem), "probability:{Job2 >= 9}\nprobability:{Job1 + Job2 > 14}");
    exact_values(&a, time, exact);
    cr_assert_lt(exact[3], 1e-7);
    ask_run(&a,
            &(PepaSimulation){.time = time,
                              .count = 2,
                              .seed = 5,
                              .runs = 4000,
                              .confidence = CONFIDENCE},
            NULL);
    cr_assert_eq(a.status, PEPA_OK, "%s", a.err.message);
    for (int i = 0; i < 4; i++)
        expect_exact(&a.x[i], exact[i], i % 2 ? "both" : "second");
    cr_expect_eq(a.info.runs, 4000);
    ask_close(&a);
}

/* Of all forms of predicates the importance leads there: independent components, of which each is
 * up, down or gone, so that probabilities are binomial. */
Test(simulate_rare, forms_of_predicates)
{
    enum { FORMS = 3 };
    static const char forms[] = "probability:{!(U > 1 || D < 4)}\n"
                                "probability:{5 - U >= 4 && E == 0}\n"
                                "probability:{D >= 5 || D == 4}";
    static const char text[] = "U = (fail, 0.05).D; D = (repair, 1).U;\n"
                               "V = (f, 0.01).E; E = (r, 1).V; U[5] || V[2]";
    double exact[FORMS];
    Asked a;
    ask_open(&a, parse(text), forms);
    exact_values(&a, NULL, exact);
    ask_run(&a, &(PepaSimulation){.steady = 1, .seed = 3, .runs = 16, .confidence = CONFIDENCE},
            NULL);
    cr_assert_eq(a.status, PEPA_OK, "%s", a.err.message);
    for (int i = 0; i < FORMS; i++) {
        cr_assert(exact[i] > 1e-12 && exact[i] < 1e-4);
        expect_exact(&a.x[i], exact[i], pepa_measures_name(a.measures, i));
    }
    ask_close(&a);
}

/* Several levels at once: batches of three; what is there at time 0 is split as well. */
Test(simulate_rare, many_levels_at_once)
{
    double exact[2];
    const double time[] = {0, 0.1};
    Asked a;
    ask_open(&a, parse("A = (up, 0.03).B; B = (up2, 1e9).C; C = (down, 3).A; A[8]"),
             "probability:{B + C >= 4}");
    exact_values(&a, NULL, exact);
    ask_run(&a, &(PepaSimulation){.steady = 1, .seed = 6, .runs = 16, .confidence = CONFIDENCE},
            NULL);
    cr_assert_eq(a.status, PEPA_OK, "%s", a.err.message);
    expect_exact(&a.x[0], exact[0], "up");
    ask_close(&a);
    ask_open(&a, parse("A = (up, 0.01).B; B = (down, 1).A; A[9]"), "probability:{B >= 3}");
    exact_values(&a, time, exact);
    ask_run(&a,
            &(PepaSimulation){.time = time,
                              .count = 2,
                              .seed = 6,
                              .runs = 15000,
                              .confidence = CONFIDENCE},
            NULL);
    cr_assert_eq(a.status, PEPA_OK, "%s", a.err.message);
    cr_expect(a.x[0].value == 0 && a.x[0].high == 0);
    expect_exact(&a.x[1], exact[1], "soon");
    ask_close(&a);
}

/* ---- what is the same, and errors ------------------------------------------------------------- */

Test(simulate_rare, threads_change_nothing)
{
    Asked a[2];
    for (int i = 0; i < 2; i++) {
        ask_open(&a[i], parse(queue), "probability:{Full >= 9}");
        ask_run(&a[i], &(PepaSimulation){.steady = 1, .seed = 8, .relative_width = 0.5},
                &(PepaSettings){.threads = i ? 3 : 1});
        cr_assert_eq(a[i].status, PEPA_OK, "%s", a[i].err.message);
        cr_expect_leq(a[i].info.width, 0.5);
    }
    cr_expect_arr_eq(a[0].x, a[1].x, sizeof *a[0].x);
    cr_expect_eq(a[0].info.events, a[1].info.events);
    ask_close(&a[0]);
    ask_close(&a[1]);
}

/* What is not rare is not split, and has an interval that so many runs can tell. */
Test(simulate_rare, certain)
{
    const double time[] = {0, 1};
    Asked a;
    ask_open(&a, parse(queue), "probability:{Full >= 0}");
    ask_run(&a, &(PepaSimulation){.time = time, .count = 2, .seed = 8, .runs = 100}, NULL);
    cr_assert_eq(a.status, PEPA_OK, "%s", a.err.message);
    cr_expect(a.x[0].low == 1 && a.x[1].value == 1 && a.x[1].high == 1);
    cr_expect_float_eq(a.x[1].low, pow(0.025, 0.01), 1e-12);
    cr_expect_eq(a.levels[0].count, 0);
    ask_close(&a);
}

/* Of two measures together; the run that would exceed the limit is not done, nor told as a width. */
Test(simulate_rare, events_are_a_limit)
{
    PepaSimulation how = {.steady = 1, .seed = 8, .runs = 16};
    for (int i = 0; i < 3; i++) {
        Asked a;
        ask_open(&a, parse(queue), "probability:{Full >= 9}\nprobability:{Full >= 8}");
        ask_run(&a, &how, NULL);
        if (i == 2) {
            cr_expect_eq(a.status, PEPA_ELIMIT);
            cr_expect_not_null(strstr(a.err.message, "16 runs take more than"), "%s",
                               a.err.message);
        } else {
            cr_assert_eq(a.status, PEPA_OK, "%s", a.err.message);
            cr_expect(i == 0 || a.info.events == how.events);
        }
        how.events = i == 0 ? a.info.events : how.events - 1;
        ask_close(&a);
    }
}

/* So many short replications are as narrow as is asked for: of 10^-7 and a tenth, in some millions of events. */
Test(simulate_rare, runs_are_no_longer_than_needed)
{
    Asked a;
    ask_open(&a, parse_with(queue, &(PepaDefine){.rate = "room", .value = 20}),
             "probability:{Full >= 20}");
    ask_run(&a, &(PepaSimulation){.steady = 1, .seed = 8}, NULL);
    cr_assert_eq(a.status, PEPA_OK, "%s", a.err.message);
    cr_expect_leq(a.info.width, 0.1);
    cr_expect_lt(a.info.events, 12000000, "%lld", (long long)a.info.events);
    cr_expect_eq(a.info.runs, 256);
    ask_close(&a);
}

static void expect_error(const char *text, const char *measure, const PepaSimulation *how,
                         PepaStatus status, const char *message)
{
    Asked a;
    ask_open(&a, parse(text), measure);
    ask_run(&a, how, NULL);
    cr_expect_eq(a.status, status, "%d: %s", (int)a.status, a.err.message);
    cr_expect_not_null(strstr(a.err.message, message), "%s", a.err.message);
    ask_close(&a);
}

Test(simulate_rare, errors)
{
    expect_error(queue, "population:Full", &(PepaSimulation){.steady = 1}, PEPA_EARG, "is none");
    expect_error(queue, "2 * probability:{Full >= 3}", &(PepaSimulation){.steady = 1}, PEPA_EARG,
                 "is none");
    expect_error(queue, "probability:{Full >= 21}",
                 &(PepaSimulation){.steady = 1, .events = 3000000}, PEPA_ELIMIT, "1 away");
    expect_error(queue, "probability:{Full >= 10}", &(PepaSimulation){.steady = 1, .runs = 1},
                 PEPA_EARG, "two or more");
    expect_error(queue, "probability:{Full >= 10}",
                 &(PepaSimulation){.steady = 1, .relative_width = 1e-5, .events = 3000000},
                 PEPA_ELIMIT, "widest");
    const double time[] = {3};
    expect_error(queue, "probability:{Full >= 10}",
                 &(PepaSimulation){.time = time, .count = 1, .events = 1000}, PEPA_ELIMIT,
                 "events of pilot runs");
    expect_error(queue, "probability:{Full >= 10}", &(PepaSimulation){.steady = 1, .events = 1000},
                 PEPA_ELIMIT, "more than 1000 events: allow more");
    expect_error("P = (a, 1).Q; Q = (b, 1).Stop; P", "probability:{Q}",
                 &(PepaSimulation){.steady = 1}, PEPA_EARG, "nothing happens");
}
