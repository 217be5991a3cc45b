/* No answer without balance: solvers that lie, on chains stored by rows and as sets, are found
 * out, and the certificate agrees with sums taken here from the transitions alone. */
#include "balance.h"
#include "ctmc/operator.h"
#include "diagrams.h"
#include "measure/longrun.h"
#include "support.h"

/* Three machines and a store, in which some states are rare and last long. */
static const char text[] =
    "fail = 0.01; mend = 0.3; work = 2; load = 1.5; rest = 1e-5; wake = 2e-6;\n"
    "Up = (work, work).Busy + (fail, fail).Down + (rest, rest).Asleep;\n"
    "Busy = (put, 3).Up; Down = (mend, mend).Up; Asleep = (wake, wake).Up;\n"
    "Empty = (put, T).Half; Half = (put, T).Full + (load, load).Empty; Full = (load, load).Half;\n"
    "(Up || Up || Up) <put> Empty";

/* ---- liars ---------------------------------------------------------------------------------- */

/* Each does to the true answer what its name says; `size` is by how much. */
typedef enum { TRUE, OFF, SCALED, NEGATIVE, NOT_A_NUMBER, SHIFTED, TIMES, DAMAGED, LIES } Lie;
static const char *const names[LIES] = {"true", "off",     "unnormalised", "negative",
                                        "NaN",  "shifted", "times",        "damaged matrix"};

/* What a form is given to lie with; the tests run one at a time in a process of their own. */
static Lie lie;
static double size;
static const SteadyForm *truth;

static PepaStatus make(void **space, const Chain *chain, PepaError *err)
{
    return truth->make ? truth->make(space, chain, err) : PEPA_OK;
}

static void drop(void *space)
{
    truth->free(space);
}

static int32_t most_probable(const SteadyJob *job)
{
    int32_t at = 0;
    for (int32_t i = 1; i < job->chain->state_count; i++)
        at = job->pi[i] > job->pi[at] ? i : at;
    return at;
}

/* Exit rates, and the state in which a visit takes longest. */
static void note_exit(void *user, int32_t part, int64_t first, int32_t count, const double *in,
                      const double *exit)
{
    double *all = user;
    (void)part;
    (void)in;
    memcpy(all + first, exit, (size_t)count * sizeof *exit);
}

/* More time, by `size`, in the state with the longest visits: flows hardly change. */
static void change_times(const SteadyJob *job)
{
    size_t n = (size_t)job->chain->state_count;
    double *exit = twice_room(n, sizeof *exit), sum = 0;
    Operator *op = NULL;
    size_t longest = 0;
    cr_assert_eq(operator_new(&op, job->chain, NULL, 1, NULL, NULL), PEPA_OK);
    operator_product(op, job->value, job->pi, note_exit, exit);
    operator_free(op);
    for (size_t i = 1; i < n; i++)
        longest = exit[i] < exit[longest] ? i : longest;
    job->pi[longest] += size;
    for (size_t i = 0; i < n; i++)
        sum += job->pi[i];
    for (size_t i = 0; i < n; i++)
        job->pi[i] /= sum;
    free(exit);
}

static void shift(const SteadyJob *job)
{
    size_t n = (size_t)job->chain->state_count;
    double last = job->pi[n - 1];
    memmove(job->pi + 1, job->pi, (n - 1) * sizeof *job->pi);
    job->pi[0] = last;
}

/* Solve, with the rate of one term wrong by a share `size` if the matrix is to be damaged. */
static PepaStatus solve_truly(void *space, const SteadyJob *job, int32_t bottom, double weight)
{
    size_t terms = (size_t)job->chain->rates.count;
    double *damaged = twice_room(terms, sizeof *damaged);
    SteadyJob other = *job;
    memcpy(damaged, job->value, terms * sizeof *damaged);
    for (size_t t = 0; lie == DAMAGED && t < terms; t++)
        damaged[t] *= job->chain->rates.terms[t].op == TERM_EXPR && t % 2 ? 1 + size : 1;
    other.value = damaged;
    PepaStatus status = truth->solve(space, &other, bottom, weight);
    free(damaged);
    return status;
}

static PepaStatus solve(void *space, const SteadyJob *job, int32_t bottom, double weight)
{
    PepaStatus status = solve_truly(space, job, bottom, weight);
    int32_t at = most_probable(job);
    cr_assert_eq(status, PEPA_OK, "%s", job->err->message);
    switch (lie) {
    case OFF:
        job->pi[at] += size;
        job->pi[(at + 1) % job->chain->state_count] -= size;
        break;
    case SCALED:
        for (int64_t i = 0; i < job->chain->state_count; i++)
            job->pi[i] *= 1 + size;
        break;
    case NEGATIVE:
        job->pi[at] += 2 * job->pi[0];
        job->pi[0] = -job->pi[0];
        break;
    case NOT_A_NUMBER:
        job->pi[job->chain->state_count / 2] = NAN;
        break;
    case SHIFTED:
        shift(job);
        break;
    case TIMES:
        change_times(job);
        break;
    case TRUE:
    case DAMAGED:
    case LIES:
        break;
    }
    job->info->residual = 0; /* the word of the method */
    return PEPA_OK;
}

static int32_t order(const Chain *chain, const void *space, int32_t bottom, int32_t *states)
{
    return truth->order(chain, space, bottom, states);
}

static double *lend(void *space)
{
    return truth->workspace(space);
}

static double standing(const Chain *chain)
{
    return truth->bytes_kept(chain);
}

static double least(const Chain *chain, const PepaSettings *set)
{
    return truth->bytes_needed(chain, set);
}

static const SteadyForm liar = {make, drop, solve, order, lend, standing, least};

/* ---- what becomes of them ------------------------------------------------------------------- */

typedef struct {
    PepaStatus status;
    PepaInfo info;
    PepaError err;
    double *pi;
} Claim;

static Claim answer(const Chain *chain, Lie which, double by, double tolerance)
{
    Claim a = {.pi = twice_room((size_t)chain->state_count, sizeof *a.pi)};
    PepaSettings set = settings_for_tests();
    LongRun *run = NULL;
    set.solve.tolerance = tolerance;
    lie = which;
    size = by;
    truth = steady_form(chain);
    cr_assert_eq(longrun_new(&run, chain, &liar, NULL), PEPA_OK);
    a.status = longrun_solve(run, &chain->now, &set, a.pi, &a.info, &a.err);
    longrun_free(run);
    return a;
}

static void expect_caught(const Chain *chain, const char *form, Lie which, double by)
{
    Claim a = answer(chain, which, by, 1e-10);
    cr_expect_eq(a.status, PEPA_ENOCONV, "%s on %s: a lie of %g was believed, residual %g",
                 names[which], form, by, a.info.residual);
    cr_expect(a.err.message[0] != '\0');
    free(a.pi);
}

static void expect_on(const Chain *chain, const char *form)
{
    Claim a = answer(chain, TRUE, 0, 1e-10);
    cr_assert_eq(a.status, PEPA_OK, "%s: %s", form, a.err.message);
    cr_expect(a.info.residual > 0 && a.info.residual < 1e-10);
    free(a.pi);
    expect_caught(chain, form, OFF, 1e-9);
    expect_caught(chain, form, OFF, -1e-9);
    expect_caught(chain, form, SCALED, 1e-8);
    expect_caught(chain, form, SCALED, -1e-8);
    expect_caught(chain, form, NEGATIVE, 0);
    expect_caught(chain, form, NOT_A_NUMBER, 0);
    expect_caught(chain, form, SHIFTED, 0);
    expect_caught(chain, form, TIMES, 1e-6);
    expect_caught(chain, form, DAMAGED, 1e-6);
    expect_caught(chain, form, DAMAGED, -1e-8);
}

static Twice both;
static Model *model;

static void setup(void)
{
    model = model_of(text);
    twice_new(&both, model, 1, 16, 100000);
    cr_assert(both.diagram && twice_alike(&both), "%s", both.why);
}

static void teardown(void)
{
    twice_free(&both);
    model_free(model);
}

TestSuite(certificate, .init = setup, .fini = teardown);

Test(certificate, lies_on_rows_are_found_out)
{
    expect_on(both.chain, "rows");
}

Test(certificate, lies_on_sets_are_found_out)
{
    expect_on(&both.as_sets, "sets");
}

/* A lie about times alone leaves the flows in balance: by_time is what finds it. */
Test(certificate, times_are_certified_apart_from_flows)
{
    Claim a = answer(both.chain, TIMES, 1e-6, 1e-10);
    Certificate found = certificate_by_library(both.chain, a.pi, 1);
    cr_expect(found.residual <= 1e-10 && found.by_time > 1e-10, "%g, %g", found.residual,
              found.by_time);
    cr_expect(strstr(a.err.message, "time"), "%s", a.err.message);
    free(a.pi);
}

/* The tolerance is the border: what is out of balance by just less passes, by just more does
 * not. */
Test(certificate, the_tolerance_is_the_border)
{
    const Chain *forms[] = {both.chain, &both.as_sets};
    for (int f = 0; f < 2; f++) {
        Claim a = answer(forms[f], OFF, 1e-7, 1e-2);
        Certificate found = certificate_by_library(forms[f], a.pi, 1);
        double most = fmax(found.residual, found.by_time);
        cr_assert(a.status == PEPA_OK && most > 1e-8 && a.info.residual == found.residual);
        cr_expect_eq(certificate_check(&found, most * (1 + 1e-12), PEPA_ENOCONV, "", NULL),
                     PEPA_OK);
        cr_expect_eq(certificate_check(&found, most * (1 - 1e-12), PEPA_ENOCONV, "", NULL),
                     PEPA_ENOCONV);
        free(a.pi);
    }
}

/* Against sums taken here: for vectors near and far from the steady state, in both forms. */
Test(certificate, agrees_with_sums_by_hand)
{
    static const double offs[] = {0, 1e-12, 1e-9, 1e-6, 1e-3};
    size_t n = (size_t)both.states;
    double *pi = twice_room(n, sizeof *pi);
    for (size_t k = 0; k < sizeof offs / sizeof *offs; k++) {
        Claim a = answer(&both.as_sets, OFF, offs[k], 0.5);
        for (size_t i = 0; i < n; i++)
            pi[both.id[i]] = a.pi[i];
        Certificate hand = certificate_by_hand(both.chain, pi);
        Certificate rows = certificate_by_library(both.chain, pi, 1);
        Certificate sets = certificate_by_library(&both.as_sets, a.pi, 2);
        const double slack = 1e-15; /* of the terms that cancel */
        cr_expect(fabs(rows.residual - hand.residual) <= slack + 1e-9 * hand.residual);
        cr_expect(fabs(sets.residual - hand.residual) <= slack + 1e-9 * hand.residual);
        cr_expect(fabs(rows.by_time - hand.by_time) <= slack + 1e-9 * hand.by_time);
        cr_expect(fabs(sets.by_time - hand.by_time) <= slack + 1e-9 * hand.by_time);
        free(a.pi);
    }
    free(pi);
}

/* ---- sums and signs ------------------------------------------------------------------------- */

Test(certificate, what_is_no_distribution_is_refused)
{
    static const Certificate bad[] = {{0, 0, 1 + 2e-9, 0}, {0, 0, 1 - 2e-9, 0}, {0, 0, NAN, 0},
                                      {0, 0, 1, -1e-300},  {NAN, 0, 1, 0},      {0, NAN, 1, 0},
                                      {HUGE_VAL, 0, 1, 0}, {0, HUGE_VAL, 1, 0}, {0, 0, 1, NAN}};
    static const Certificate good = {1e-11, 1e-11, 1 + 5e-10, 0};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        cr_expect_eq(certificate_check(&bad[i], 1e-10, PEPA_ENOCONV, "", NULL), PEPA_ENOCONV, "%zu",
                     i);
    cr_expect_eq(certificate_check(&good, 1e-10, PEPA_ENOCONV, "", NULL), PEPA_OK);
}

/* What is not less than the tolerance may still be equal to it. */
Test(certificate, the_tolerance_itself_passes)
{
    static const Certificate border = {1e-10, 1e-10, 1, 0};
    cr_expect_eq(certificate_check(&border, 1e-10, PEPA_ENOCONV, "", NULL), PEPA_OK);
}

/* Wherever it is, with another negative entry next to it that is not as low. */
Test(certificate, the_least_entry_is_found)
{
    const Chain *forms[] = {both.chain, &both.as_sets};
    size_t n = (size_t)both.states;
    double *pi = twice_room(n, sizeof *pi);
    for (int f = 0; f < 2; f++)
        for (size_t i = 0; i < n; i++) {
            for (size_t k = 0; k < n; k++)
                pi[k] = 1 / (double)n;
            cr_expect_eq(certificate_by_library(forms[f], pi, 1).least, 0);
            pi[i] = -0.001 * (double)(i + 1);
            pi[(i + 1) % n] = -0.0001;
            cr_expect_eq(certificate_by_library(forms[f], pi, 1).least, pi[i], "state %zu", i);
        }
    free(pi);
}

Test(certificate, what_is_no_number_is_out_of_balance)
{
    const Chain *forms[] = {both.chain, &both.as_sets};
    double *pi = twice_room((size_t)both.states, sizeof *pi);
    pi[0] = NAN;
    for (int f = 0; f < 2; f++) {
        Certificate found = certificate_by_library(forms[f], pi, 1);
        cr_expect_eq(found.residual, HUGE_VAL);
        cr_expect_eq(found.by_time, HUGE_VAL);
    }
    free(pi);
}
