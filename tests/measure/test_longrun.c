#include <math.h>

#include "balance.h"
#include "base/trail.h"
#include "measure/longrun.h"
#include "measure/steady.h"
#include "support.h"
#include "settings.h"

/* Once, from nothing. */
static PepaStatus solve(const Chain *chain, const PepaSettings *set, double *pi, PepaInfo *info,
                        PepaError *err)
{
    LongRun *run = NULL;
    PepaStatus status = longrun_new(&run, chain, steady_form(chain), err);
    if (status == PEPA_OK)
        status = longrun_solve(run, &chain->now, set, pi, info, err);
    longrun_free(run);
    return status;
}

typedef struct {
    Derived d;
    double pi[16384];
    PepaInfo info;
    PepaError err;
    PepaStatus status;
} Run;

static PepaSettings settings(PepaMethod method)
{
    PepaSettings set = settings_for_tests();
    set.solve.method = method;
    return set;
}

static void run(Run *r, const char *text, const PepaSettings *set)
{
    r->d = derive(text, 1);
    cr_assert_eq(r->d.status, PEPA_OK, "%s", text);
    cr_assert_leq(r->d.chain->states.count, 16384);
    r->status = solve(r->d.chain, set, r->pi, &r->info, &r->err);
}

/* M/M/1/K by every method: pi_i proportional to (1/2)^i. */
Test(longrun, birth_and_death_by_every_method)
{
    for (int m = PEPA_AUTO; m < PEPA_METHOD_COUNT; m++) {
        Run r;
        PepaSettings set = settings((PepaMethod)m);
        run(&r,
            "Source = (in, 1).Source; Place = (in, T).Full; Full = (out, T).Place;\n"
            "Sink = (out, 2).Sink; Source <in> Place[9] <out> Sink",
            &set);
        cr_assert_eq(r.status, PEPA_OK, "%s: %s", pepa_method_name((PepaMethod)m), r.err.message);
        for (int32_t i = 0; i < 10; i++)
            cr_assert_float_eq(r.pi[i], ldexp(1, -i) / (2 - ldexp(1, -9)), 1e-9, "%s",
                               pepa_method_name((PepaMethod)m));
        cr_assert_leq(r.info.residual, 1e-10);
        derived_free(&r.d);
    }
}

Test(longrun, residual_is_that_of_the_generator)
{
    Derived d = derive("P = (a, 3).Q + (c, 9).P; Q = (b, 1).P; P", 1);
    double pi[2] = {0.25, 0.75};
    Certificate found = certificate_by_library(d.chain, pi, 1);
    cr_assert_eq(found.residual, 0, "self-loops apart");
    cr_assert_eq(found.by_time, 0);
    pi[0] = pi[1] = 0.5; /* flows 1.5 and 0.5: each state is 1 out of balance, of 2 in all */
    found = certificate_by_library(d.chain, pi, 1);
    cr_assert_float_eq(found.residual, 1.0, 1e-15);
    cr_assert_float_eq(found.by_time, 1.0 / 3 + 1, 1e-15);
    pi[0] = NAN;
    cr_assert(isinf(certificate_by_library(d.chain, pi, 1).residual));
    derived_free(&d);
}

/* A state that is hardly ever entered, and then hardly ever left: one in 1e16 visits, a quarter of
 * the time.  The flow does not show it; every method gets it right or says that it does not. */
Test(longrun, rare_visits_and_long_stays)
{
    for (int m = PEPA_AUTO; m < PEPA_METHOD_COUNT; m++) {
        Run r;
        PepaSettings set = settings((PepaMethod)m);
        run(&r,
            "e = 1e-16; Arr = (arr, 0.9).Arr; Slot = (arr, T).Used; Used = (srv, T).Slot;\n"
            "U = (srv, 1).U + (fail, e).D; D = (rep, 3 * e).U; Arr <arr> Slot[50] <srv> U",
            &set);
        double down = 0;
        for (int32_t s = 0; s < r.d.chain->states.count; s++)
            down += rate_of(r.d.chain, s, "rep", -1) > 0 ? r.pi[s] : 0;
        if (r.status == PEPA_OK && (!r.info.caution[0] || m == PEPA_AUTO))
            cr_assert_float_eq(down, 0.25, 1e-6, "%s: %g", r.info.method, down);
        if (m == PEPA_AUTO)
            cr_assert_eq(r.status, PEPA_OK);
        derived_free(&r.d);
    }
}

/* A guess that the residual finds nothing wrong with: half of the time in A, in place of 1/200. */
Test(longrun, rare_visits_long_stays_and_a_wrong_guess)
{
    Run r;
    PepaSettings set = settings(PEPA_GAUSS_SEIDEL);
    r.d = derive("P = (x, 1).Q + (go, 1e-16).B; Q = (y, 1).P; A = (s, 1e-12).B;\n"
                 "B = (back, 0.01).P + (again, 0.99).A; P",
                 1);
    for (int32_t i = 0; i < 4; i++) {
        double in_a = rate_of(r.d.chain, i, "s", -1), in_b = rate_of(r.d.chain, i, "back", -1);
        r.pi[i] = in_a > 0 ? 0.5 : in_b > 0 ? 0.5e-12 / 0.99 : 0.25;
    }
    set.solve.warm_start = 1;
    r.status = solve(r.d.chain, &set, r.pi, &r.info, &r.err);
    cr_assert_eq(r.status, PEPA_OK, "%s", r.err.message);
    cr_assert(strstr(r.info.caution, "one more sweep still moves"), "%s", r.info.caution);
    set.solve.method = PEPA_GTH;
    r.status = solve(r.d.chain, &set, r.pi, &r.info, &r.err);
    cr_assert_str_eq(r.info.caution, "");
    derived_free(&r.d);
}

/* Two modes joined by rare switches that one-way jumps of any chance glue together: groups are what
 * the chain hardly leaves, not what hangs together. */
Test(longrun, groups_glued_together)
{
    Run r;
    PepaSettings set = settings(PEPA_AUTO);
    run(&r,
        "e = 1e-12; Arr = (arr, 0.9).Arr; Slot = (arr, T).Used; Used = (dep, T).Slot;\n"
        "U = (dep, 1).U + (fail, e).D; D = (rep, 3*e).U;\n"
        "W = (arr, T).W + (sw, e).V; V = (arr, T).V2; V2 = (arr, T).V + (bk, e).W;\n"
        "Arr <arr> (Slot[700] <dep> U) <arr> W",
        &set);
    cr_assert_eq(r.status, PEPA_OK, "%s", r.err.message);
    double w = 0;
    for (int32_t s = 0; s < r.d.chain->states.count; s++)
        w += rate_of(r.d.chain, s, "sw", -1) > 0 ? r.pi[s] : 0;
    /* the limit of small e, from the five-state chain of the groups */
    cr_assert_float_eq(w, 0.317797, 1e-6, "%.9g by %s", w, r.info.method);
    derived_free(&r.d);
}

/* Gambler's ruin from 3 of 10 with odds 2 to 1 for the house. */
Test(longrun, bottom_components_are_weighted)
{
    Run r;
    PepaSettings set = settings(PEPA_AUTO);
    run(&r,
        "G3 = (w, 1).G4 + (l, 2).G2; G4 = (w, 1).G5 + (l, 2).G3; G5 = (w, 1).G6 + (l, 2).G4;\n"
        "G6 = (w, 1).G7 + (l, 2).G5; G7 = (w, 1).G8 + (l, 2).G6; G8 = (w, 1).G9 + (l, 2).G7;\n"
        "G9 = (w, 1).Won + (l, 2).G8; G2 = (w, 1).G3 + (l, 2).G1; G1 = (w, 1).G2 + (l, 2).Lost;\n"
        "Won = (spend, 1).Spent; Spent = (earn, 3).Won; Lost = (rest, 1).Lost;\n"
        "G3",
        &set);
    cr_assert_eq(r.status, PEPA_OK, "%s", r.err.message);
    double won = (8 - 1) / (1024.0 - 1), sum = 0;
    for (int32_t s = 0; s < r.d.chain->states.count; s++) {
        int32_t cell;
        Text text = {0};
        chain_state_text(r.d.chain, s, &cell, &text);
        if (strcmp(text.text, "(Won)") == 0)
            cr_assert_float_eq(r.pi[s], 0.75 * won, 1e-14);
        else if (strcmp(text.text, "(Spent)") == 0)
            cr_assert_float_eq(r.pi[s], 0.25 * won, 1e-14);
        else if (strcmp(text.text, "(Lost)") == 0)
            cr_assert_float_eq(r.pi[s], 1 - won, 1e-14);
        else
            cr_assert_eq(r.pi[s], 0);
        sum += r.pi[s];
        text_free(&text);
    }
    cr_assert_float_eq(sum, 1, 1e-15);
    derived_free(&r.d);
}

/* The way to the deadlock is taken with probability 1e-12 per round: the weight is right all the
 * same, in every digit. */
Test(longrun, rare_absorption)
{
    Run r;
    PepaSettings set = settings(PEPA_AUTO);
    run(&r,
        "P = (go, 1).Q + (a, 1e-12).A + (b, 3e-12).B; Q = (back, 1).P;\n"
        "A = (x, 1).A; B = (y, 1).Stop; P",
        &set);
    cr_assert_eq(r.status, PEPA_OK, "%s", r.err.message);
    double stuck = 0;
    for (int32_t s = 0; s < r.d.chain->states.count; s++)
        if (r.d.chain->row[s] == r.d.chain->row[s + 1])
            stuck += r.pi[s];
    cr_assert_float_eq(stuck, 0.75, 1e-14);
    derived_free(&r.d);
}

/* A walk on a torus of 45 x 45, the smallest with more than the 2000 transient states up to which
 * censoring is tried first.  Its two exits are so rare that the visits to each state cannot be
 * known to more than a few digits; from every state of a torus the exits are 1 to 2.  Without a
 * limit of iterations, sweeps would try for half a minute before the states are censored. */
Test(longrun, long_stays_before_rare_exits)
{
    enum { SIDE = 45 };
    Run r;
    Text text = {0};
    PepaSettings set = settings(PEPA_AUTO);
    set.solve.max_iter = 2000;
    text_add(&text, "A = (x, 1).A; B = (y, 1).B;\n");
    for (int i = 0; i < SIDE; i++)
        for (int k = 0; k < SIDE; k++) {
            text_add(&text, "S%d_%d = (m, 1).S%d_%d + (m, 1).S%d_%d", i, k, (i + 1) % SIDE, k, i,
                     (k + 1) % SIDE);
            text_add(&text, " + (m, 1).S%d_%d + (m, 1).S%d_%d + (e, 1e-12).A + (e, 2e-12).B;\n",
                     (i + SIDE - 1) % SIDE, k, i, (k + SIDE - 1) % SIDE);
        }
    text_add(&text, "S22_22");
    run(&r, text.text, &set);
    cr_assert_eq(r.status, PEPA_OK, "%s", r.err.message);
    for (int32_t s = 0; s < r.d.chain->states.count; s++)
        if (rate_of(r.d.chain, s, "x", -1) > 0)
            cr_assert_float_eq(r.pi[s], 1.0 / 3, 1e-12);
    derived_free(&r.d);
    text_free(&text);
}

/* Two transient walks of a thousand states: expected visits instead of censoring. */
Test(longrun, many_transient_states)
{
    Run r;
    PepaSettings set = settings(PEPA_AUTO);
    run(&r,
        "Job = (work, 1).Done; Done = (rest, 1e-9).Done;\n"
        "Judge = (good, 3).Good + (bad, 1).Bad; Good = (end, 1).Good; Bad = (end, 2).Bad2;\n"
        "Bad2 = (end, 1).Bad;\n"
        "Job[3000] || Judge",
        &set);
    cr_assert_eq(r.status, PEPA_OK, "%s", r.err.message);
    double good = 0;
    const Chain *c = r.d.chain;
    cr_assert_eq(c->bottom_count, 2);
    for (int32_t s = 0; s < c->states.count; s++)
        if (rate_of(c, s, "end", s) == 1)
            good += r.pi[s];
    cr_assert_float_eq(good, 0.75, 1e-9);
    derived_free(&r.d);
}

Test(longrun, a_single_state_needs_no_method)
{
    Run r;
    PepaSettings set = settings(PEPA_AUTO);
    run(&r, "P = (a, 7).P; P", &set);
    cr_assert_eq(r.status, PEPA_OK);
    cr_assert_eq(r.pi[0], 1);
    cr_assert_eq(r.info.residual, 0);
    derived_free(&r.d);
}

Test(longrun, missing_the_tolerance_is_an_error_with_advice)
{
    Run r;
    PepaSettings set = settings(PEPA_JACOBI);
    set.solve.max_iter = 3;
    run(&r, "P = (a, 1).Q; Q = (b, 2).R; R = (c, 3).P; P[20]", &set);
    cr_assert_eq(r.status, PEPA_ENOCONV);
    cr_assert_gt(r.info.residual, 1e-10);
    cr_assert(strstr(r.err.message, "not solved to the tolerance 1e-10") &&
                  strstr(r.err.message, "try"),
              "%s", r.err.message);
    derived_free(&r.d);
    set = settings(PEPA_AUTO);
    set.solve.tolerance = 1e-40;
    run(&r, "P = (a, 1).Q + (d, 0.3).R; Q = (b, 0.7).R; R = (c, 0.1).P; P[5]", &set);
    cr_assert_eq(r.status, PEPA_ENOCONV);
    derived_free(&r.d);
}

/* Rates over fourteen orders of magnitude: the balance between slow states, exactly. */
Test(longrun, stiff)
{
    Run r;
    PepaSettings set = settings(PEPA_AUTO);
    run(&r, "P = (a, 1e7).Q + (b, 1e-7).R; Q = (c, 1e7).P; R = (d, 2e-7).P; P", &set);
    cr_assert_eq(r.status, PEPA_OK);
    cr_assert_float_eq(r.pi[0], 0.4, 1e-15);
    cr_assert_float_eq(r.pi[1], 0.4, 1e-15);
    cr_assert_float_eq(r.pi[2], 0.2, 1e-15);
    derived_free(&r.d);
}

/* Rare switches between two modes: elimination is right; others say that they might not be. */
Test(longrun, groups_joined_by_rare_jumps)
{
    static const char text[] = "P = (a, 1).Q + (f, 1e-13).R; Q = (b, 1).P;\n"
                               "R = (c, 1).S; S = (d, 1).R + (g, 1e-12).P; P";
    Run r;
    PepaSettings set = settings(PEPA_AUTO);
    run(&r, text, &set);
    cr_assert_eq(r.status, PEPA_OK);
    cr_assert_str_eq(r.info.caution, "");
    cr_assert_float_eq(r.pi[0], 5.0 / 11, 1e-12);
    derived_free(&r.d);
    set = settings(PEPA_GAUSS_SEIDEL);
    run(&r, text, &set);
    cr_assert(r.status == PEPA_ENOCONV || strstr(r.info.caution, "compare with the method gth"));
    derived_free(&r.d);
}

/* A guess that is no guess must do no harm. */
Test(longrun, warm_start)
{
    PepaSettings set = settings(PEPA_GAUSS_SEIDEL);
    static const double guesses[] = {0, -1, 1, NAN, INFINITY};
    set.solve.warm_start = 1;
    for (size_t g = 0; g < sizeof guesses / sizeof *guesses; g++) {
        Run r;
        r.d = derive("P = (a, 1).Q; Q = (b, 3).P; P[30]", 1);
        for (int32_t i = 0; i < 31; i++)
            r.pi[i] = guesses[g];
        r.status = solve(r.d.chain, &set, r.pi, &r.info, &r.err);
        cr_assert_eq(r.status, PEPA_OK, "guess %g: %s", guesses[g], r.err.message);
        cr_assert_float_eq(r.pi[0], pow(0.75, 30), 1e-10);
        int64_t cold = r.info.iterations;
        r.status = solve(r.d.chain, &set, r.pi, &r.info, &r.err);
        cr_assert_eq(r.status, PEPA_OK);
        cr_assert_lt(r.info.iterations, cold > 4 ? cold / 2 : 4, "the answer is a good guess");
        derived_free(&r.d);
    }
}

/* Advice to a caller who chose no method and set no limit on iterations. */
static void expect_advice(const char *text, const char *words)
{
    Derived d = derive(text, 1);
    PepaSettings set = settings(PEPA_AUTO);
    PepaInfo info = {0};
    PepaError err = {.message = "no method"};
    SteadyJob job = {.chain = d.chain,
                     .value = d.chain->now.term,
                     .set = &set,
                     .info = &info,
                     .err = &err};
    cr_assert_eq(d.status, PEPA_OK, "%s", text);
    longrun_advise(&job, "", false);
    cr_expect(strstr(err.message, words), "%s: %s", text, err.message);
    cr_expect_eq(err.limit, PEPA_LIMIT_NONE);
    derived_free(&d);
}

/* A double has between 15 and 16 digits.  Of several such rates the first ones are named. */
Test(longrun, advice_names_rates_that_are_too_far_apart)
{
    static const char words[] =
        "the rates are too far apart: `slow` has 1e-08, `fast` has 1e+08; bring them closer";
    expect_advice("P = (slow, 1e-8).Q; Q = (mid, 1).R; R = (fast, 1e8).P; P", words);
    expect_advice("P = (fast, 1e8).Q; Q = (mid, 1).R; R = (slow, 1e-8).P; P", words);
    expect_advice("P = (fast, 1e8).Q; Q = (slow, 1e-8).R; R = (slow2, 1e-8).S;\n"
                  "S = (fast2, 1e8).P; P",
                  words);
    expect_advice("P = (slow, 1e-7).Q; Q = (fast, 1e7).P; P", "try a larger tolerance");
    /* below 2.2e-308 doubles have fewer digits */
    expect_advice(
        "P = (a, 1e-310).Q; Q = (b, 4e-310).P; P",
        "the rate of `a`, 1e-310, is too small for full precision: use a larger unit of time");
}

/* No room is left for one byte of each transition, when the chain and the vectors have theirs. */
Test(longrun, the_matrix_counts_as_memory)
{
    Derived d = derive("P = (a, 1).Q; Q = (b, 2).P; P[10]", 0);
    PepaSettings set = settings(PEPA_AUTO);
    PepaError err = {0};
    const double kept = steady_form(d.chain)->bytes_kept(d.chain), moves = 1024 * 10;
    cr_assert_eq(d.chain->transitions, 1024 * 10);
    set.memory = (int64_t)(kept + moves);
    cr_expect_eq(longrun_check_memory(d.chain, &set, &err), PEPA_ELIMIT);
    cr_expect(err.limit == PEPA_LIMIT_MEMORY && strstr(err.message, "1,024 states"), "%s",
              err.message);
    set.memory = (int64_t)(kept + 100 * moves);
    cr_expect_eq(longrun_check_memory(d.chain, &set, &err), PEPA_OK, "%s", err.message);
    derived_free(&d);
}

/* A limit is reported when the caller's stopped the method, and then only. */
Test(longrun, iterations_run_out)
{
    static const PepaMethod methods[] = {PEPA_JACOBI, PEPA_POWER, PEPA_GAUSS_SEIDEL, PEPA_GMRES};
    Run r;
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        PepaSettings set = settings(methods[m]);
        set.solve.max_iter = 1;
        run(&r, "P = (a, 1).Q + (d, 2).R; Q = (b, 3).P; R = (c, 5).Q; P <a> P <b> P <c> P", &set);
        cr_expect_eq(r.status, PEPA_ENOCONV);
        cr_expect_eq(r.err.limit, PEPA_LIMIT_ITERATIONS);
        cr_expect(strstr(r.err.message, "; allow more iterations, or try the method auto"), "%s",
                  r.err.message);
        derived_free(&r.d);
    }
    PepaSettings set = settings(PEPA_GTH);
    set.solve.max_iter = 1;
    run(&r, "P = (a, 1e300).Q; Q = (b, 1e-300).P; P", &set);
    cr_expect_eq(r.status, PEPA_ENOCONV);
    cr_expect_eq(r.err.limit, PEPA_LIMIT_NONE);
    cr_expect(strstr(r.err.message, "too far apart: `b` has 1e-300, `a` has 1e+300; try the method "
                                    "auto, or bring them closer"),
              "%s", r.err.message);
    derived_free(&r.d);
}

/* Subnormal rates that a larger unit of time would cure, and such that it would not. */
Test(longrun, rates_too_small_for_doubles)
{
    Run r;
    PepaSettings set = settings(PEPA_AUTO);
    run(&r, "P = (a, 1e-310).Q; Q = (b, 1e-300).P; P", &set);
    cr_expect_eq(r.status, PEPA_ENOCONV);
    cr_expect(strstr(r.err.message, "; the rate of `a`, 1e-310, is too small for full precision: "
                                    "use a larger unit of time"),
              "%s", r.err.message);
    cr_expect(strstr(r.err.message, "residual, weighted by time, was "), "%s", r.err.message);
    derived_free(&r.d);
    run(&r, "P = (a, 1e-320).Q; Q = (b, 1).P; P", &set);
    cr_expect(strstr(r.err.message, "too far apart: `a` has 1e-320, `b` has 1; bring them closer"),
              "%s", r.err.message);
    derived_free(&r.d);
}

/* Whole sentences, and one word of what found no room; also where several come at once. */
Test(longrun, trails_end_with_a_sentence)
{
    const char *const one = "%0*d", *const several = "%0*d; 7; 77; 777; 7777; 77777; 777777";
    for (int length = 1; length < 200; length++)
        for (int many = 0; many < 2; many++) {
            PepaInfo info = {.trail = ""};
            for (int k = 0; k < 300; k++)
                trail_add(info.trail, sizeof info.trail, many ? several : one, length, 7);
            const char *end = strstr(info.trail, "; and so on");
            cr_assert(end && end[strlen("; and so on")] == '\0', "%s", info.trail);
            cr_expect_eq(end[-1], '7', "%s", info.trail);
            const size_t used = strlen(info.trail), most = many ? 8 : (size_t)length + 2;
            cr_expect(used + most > sizeof info.trail - 1 || many, "%zu: %s", used, info.trail);
            cr_expect(many || (size_t)(end - info.trail + 2) % most == 0, "%s", info.trail);
        }
}
