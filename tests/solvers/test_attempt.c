/* What all methods have in common: clock, offers, verdict. */
#include "solvers/problems.h"

#include "solvers/internal.h"

static const Method trial = {.name = "trial", .unit = "steps", .passes = 1};

typedef struct {
    int calls, last_call;
    double seconds;
    int64_t count;
    bool orderly;
} Seen;

static int look(void *user, const PepaProgress *now)
{
    Seen *seen = user;
    if (seen->calls++ > 0) {
        if (now->seconds - seen->seconds < 0.09 || now->count < seen->count)
            seen->orderly = false;
    }
    if (strcmp(now->phase, "solve") != 0 || !(now->measure > 0))
        seen->orderly = false;
    seen->seconds = now->seconds;
    seen->count = now->count;
    return seen->calls >= seen->last_call;
}

/* Iterations that would take minutes, stopped at the fourth call, which is after 0.3 s on a machine
 * of any speed. */
Test(attempt, progress_about_every_tenth_of_a_second)
{
    static const PepaMethod methods[] = {PEPA_GAUSS_SEIDEL, PEPA_SOR, PEPA_JACOBI, PEPA_POWER};
    Problem p = birth_death(200000, 1, 0, 1);
    double *y = guess(p.n);
    for (int m = 0; m < 4; m++) {
        Seen seen = {.last_call = 4, .orderly = true};
        const Control control = {.max_iter = 1000000000, .progress = look, .user = &seen};
        Outcome out;
        y[0] = 0.5;
        PepaStatus status = solve_flow(methods[m], &p.flow, &control, y, &out, NULL);
        cr_expect(status == PEPA_ECANCEL && seen.calls == 4, "%s: %d %d", out.method, status,
                  seen.calls);
        cr_expect(seen.orderly, "%s", out.method);
        cr_expect(seen.seconds >= 0.27, "%s: %g s", out.method, seen.seconds);
        cr_expect(is_iterate(p.n, y));
    }
    free(y);
    problem_free(&p);
}

Test(attempt, the_best_offer_stays)
{
    Problem p = cycle(4, 1);
    double y[] = {1, 1, 1, 3}, better[] = {1, 1, 1, 2}, worse[] = {1, 0, 0, 0},
           bad[] = {NAN, 1, 1, 1};
    const Control control = {.tolerance = 1e-10};
    Attempt try;
    Outcome out;
    PepaError err;
    cr_assert(attempt_start(&try, &trial, &p.flow, &control, y));
    /* 1/5 too much and too little, where a visit takes 1 and 1/4; all take 1, 1/2, 1/3 and 2/4 */
    cr_expect_float_eq(attempt_offer(&try, better), 1.25 / (1 + 0.5 + 1.0 / 3 + 0.5), 1e-15);
    cr_expect_float_eq(attempt_offer(&try, worse), 2, 1e-15);
    cr_expect(isinf(attempt_offer(&try, bad)));
    cr_expect_float_eq(y[3], 0.4, 1e-15);
    cr_expect(attempt_end(&try, &out, &err) == PEPA_ENOCONV);
    cr_expect_float_eq(out.residual, 0.4, 1e-15);
    cr_expect_str_eq(err.message,
                     "trial met numbers that are not finite at residual 4.0e-01 after 0 steps");
    problem_free(&p);
}

/* The residual that is told is the one that exceeds the tolerance: here the one by time. */
Test(attempt, tells_which_residual_is_too_large)
{
    Problem p = cycle(4, 1);
    double y[] = {1, 1, 1, 2};
    const Control control = {.tolerance = 0.45};
    Attempt try;
    Outcome out;
    PepaError err;
    cr_assert(attempt_start(&try, &trial, &p.flow, &control, y));
    cr_expect(attempt_end(&try, &out, &err) == PEPA_ENOCONV);
    cr_expect_float_eq(out.residual, 0.4, 1e-15);
    cr_expect_str_eq(err.message, "trial stopped at time-weighted residual 5.4e-01 after 0 steps");
    problem_free(&p);
}

/* A guess may balance by luck; a direct method's answer is the better one all the same. */
Test(attempt, answers_go_before_guesses)
{
    Problem p = cycle(4, 1);
    double y[] = {1, 1, 1, 1}, answer[] = {1, 1, 1, 1 + 1e-12}, poor[] = {1, 1, 1, 2};
    const Control control = {.tolerance = 1e-10};
    Attempt try;
    cr_assert(attempt_start(&try, &trial, &p.flow, &control, y));
    cr_expect(attempt_offer(&try, answer) > 0 && y[3] == 0.25);
    cr_expect(attempt_answer(&try, answer) > 0 && y[3] > 0.25);
    cr_expect(attempt_answer(&try, poor) > 0 && y[3] < 0.26 && attempt_met(&try));
    problem_free(&p);
}

Test(attempt, iterations_have_an_end)
{
    Problem p = cycle(4, 1);
    double y[] = {1, 1, 1, 1};
    const Control control = {.tolerance = 1e-10, .max_iter = 3};
    Attempt try;
    cr_assert(attempt_start(&try, &trial, &p.flow, &control, y));
    for (int k = 0; k < 3; k++)
        cr_expect(attempt_step(&try, 1, 1));
    cr_expect(!attempt_step(&try, 1, 1) && try.iterations == 3 && try.status == PEPA_OK);
    problem_free(&p);
}

/* About a minute's work; no fewer iterations than 10,000, and no more than 2,000,000. */
Test(attempt, iterations_without_a_limit)
{
    static const struct {
        int64_t work, iterations;
    } known[] = {{1, 2000000}, {15000, 2000000}, {300000, 100000}, {30000000, 10000}};
    const Control control = {.tolerance = 1e-10};
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        Attempt try;
        attempt_open(&try, &trial, &control, known[k].work);
        cr_expect_eq(try.max_iter, known[k].iterations);
    }
    const Control five = {.tolerance = 1e-10, .max_iter = 5};
    Attempt try;
    attempt_open(&try, &trial, &five, 1);
    cr_expect_eq(try.max_iter, 5);
}

/* The caller's limit is blamed only if there is one. */
Test(attempt, whose_limit_it_was)
{
    Problem p = cycle(4, 1);
    for (int64_t most = 0; most < 2; most++) {
        double y[] = {1, 1, 1, 3};
        const Control control = {.tolerance = 1e-10, .max_iter = most};
        Attempt try;
        Outcome out;
        PepaError err = {0};
        cr_assert(attempt_start(&try, &trial, &p.flow, &control, y));
        try.iterations = try.max_iter;
        cr_expect(!attempt_step(&try, 1, 1));
        cr_expect_eq(attempt_end(&try, &out, &err), PEPA_ENOCONV);
        cr_expect_eq(err.limit, most ? PEPA_LIMIT_ITERATIONS : PEPA_LIMIT_NONE);
    }
    problem_free(&p);
}

/* The verdict is on y as it is at the end, whatever was offered before. */
Test(attempt, the_end_measures_again)
{
    Problem p = cycle(4, 1);
    double y[] = {1, 1, 1, 1};
    const Control control = {.tolerance = 1e-10};
    Attempt try;
    Outcome out;
    PepaError err = {0};
    cr_assert(attempt_start(&try, &trial, &p.flow, &control, y) && attempt_met(&try));
    y[0] = 0.75;
    cr_expect_eq(attempt_end(&try, &out, &err), PEPA_ENOCONV);
    cr_expect_float_eq(out.residual, 1.0 / 1.5, 1e-15); /* 1/2 too much, and too little, of 3/2 */
    problem_free(&p);
}
