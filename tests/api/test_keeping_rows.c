/* Long solutions by rows that are kept now and then, and gone on with: every method. */
#include <time.h>

#include "pepa_experiment.h"
#include "pepa_lump.h"

#include "api/keeping.h"

static const PepaMethod iterative[] = {PEPA_AUTO,   PEPA_GAUSS_SEIDEL, PEPA_SOR,
                                       PEPA_JACOBI, PEPA_POWER,        PEPA_BICGSTAB,
                                       PEPA_GMRES,  PEPA_IDR,          PEPA_MULTILEVEL};
enum { METHODS = sizeof iterative / sizeof *iterative };

/* A chain, its solution without interruption, and what is kept of another. */
typedef struct {
    Shelf shelf;
    PepaModel *model;
    PepaChain *chain;
    int64_t n;
    double *pi, *other;
    PepaSettings set;
    PepaKeeping keeping;
    PepaInfo without;
    int64_t part; /* of its iterations */
} Case;

static void case_new(Case *c, const char *text, PepaExplore explore)
{
    memset(c, 0, sizeof *c);
    c->chain = chain_of(&c->model, text, explore);
    c->n = c->shelf.states = pepa_chain_info(c->chain).states;
    c->pi = room((size_t)c->n, sizeof *c->pi);
    c->other = room((size_t)c->n, sizeof *c->other);
    c->set = settings(explore, 1);
    c->keeping = keeping_on(&c->shelf);
    c->keeping.due = at_first;
}

static void case_free(Case *c)
{
    free(c->pi);
    free(c->other);
    pepa_chain_free(c->chain);
    pepa_model_free(c->model);
}

static void alone(Case *c, PepaMethod method)
{
    c->set.solve.method = method;
    c->set.solve.keeping = NULL;
    cr_assert_eq(pepa_solve_steady(c->chain, &c->set, c->pi, &c->without, NULL), PEPA_OK);
    c->part = (c->without.iterations + 4) / 5;
    c->keeping.load = NULL;
    c->set.solve.keeping = &c->keeping;
    memset(&c->shelf, 0, sizeof c->shelf);
    c->shelf.states = c->n;
}

static bool same_bits(const Case *c)
{
    return memcmp(c->pi, c->other, (size_t)c->n * sizeof *c->pi) == 0;
}

/* To the same answer, in fewer iterations than from the beginning. */
static void go_on(Case *c)
{
    PepaInfo then;
    PepaError err = {0};
    const char *name = pepa_method_name(c->set.solve.method);
    c->keeping.load = load;
    cr_expect(c->shelf.begun > 0 && c->shelf.ok && c->shelf.kept == c->n, "%s: %d times", name,
              c->shelf.begun);
    cr_assert_eq(pepa_solve_steady(c->chain, &c->set, c->other, &then, &err), PEPA_OK, "%s",
                 err.message);
    cr_expect_lt(apart(c->pi, c->other, c->n), 1e-8, "%s", name);
    cr_expect_lt(then.iterations, c->without.iterations, "%s: %d, not less than %d", name,
                 (int)then.iterations, (int)c->without.iterations);
}

/* The larger of the residuals of what is kept, weighted by flow and by time, from the generator. */
static double residual_of_kept(const Case *c)
{
    const double *pi = c->shelf.pi;
    double *into = room((size_t)c->n, sizeof *into), *exit = room((size_t)c->n, sizeof *exit);
    double flow = 0, all = 0, time = 0, sum = 0;
    PepaMatrix q;
    cr_assert_eq(pepa_chain_generator(c->chain, &q, NULL), PEPA_OK);
    for (int32_t i = 0; i < q.n; i++)
        for (int64_t k = q.row[i]; k < q.row[i + 1]; k++) {
            into[q.col[k]] += pi[i] * q.val[k];
            exit[i] -= q.col[k] == i ? q.val[k] : 0;
        }
    for (int32_t i = 0; i < q.n; i++) {
        flow += fabs(into[i]);
        all += pi[i] * exit[i];
        time += fabs(into[i]) / exit[i];
        sum += pi[i];
    }
    pepa_matrix_free(&q);
    free(into);
    free(exit);
    return fmax(flow / all, time / sum);
}

/* The same bits with keeping as without.  What was kept last has the residual that it was said to have. */
static void keep_all(Case *c)
{
    cr_assert_eq(pepa_solve_steady(c->chain, &c->set, c->other, NULL, NULL), PEPA_OK);
    cr_expect(same_bits(c));
    const double residual = residual_of_kept(c);
    cr_expect_lt(fabs(residual - c->shelf.measure), 1e-6 * residual + 1e-14, "%s: %g, not %g",
                 pepa_method_name(c->set.solve.method), residual, c->shelf.measure);
}

static void keep_and_go_on(const char *text, PepaExplore explore, const PepaMethod *method,
                           int32_t count)
{
    static Case c;
    case_new(&c, text, explore);
    for (int32_t m = 0; m < count; m++) {
        alone(&c, method[m]);
        keep_all(&c);
        alone(&c, method[m]);
        c.shelf.until = c.part;
        cr_assert_eq(pepa_solve_steady(c.chain, &c.set, c.other, NULL, NULL), PEPA_OK);
        c.shelf.until = 0;
        go_on(&c);
    }
    case_free(&c);
}

Test(keeping_rows, every_method)
{
    keep_and_go_on(family_text("kanban 2"), PEPA_EXPLICIT, iterative, METHODS);
}

/* A chain of sets whose matrix is written out by rows: as they are, backwards, in another order. */
Test(keeping_rows, of_sets)
{
    static const PepaMethod by_rows[] = {PEPA_JACOBI, PEPA_BICGSTAB, PEPA_MULTILEVEL};
    static const char *const families[] = {"kanban 2", "pipeline 8", "tandem 12", "polling 6"};
    for (size_t f = 0; f < sizeof families / sizeof *families; f++)
        keep_and_go_on(family_text(families[f]), PEPA_SYMBOLIC, by_rows, 3);
}

/* ---- interruptions --------------------------------------------------------------------------- */

static int stop_in_the_middle(void *user, const PepaProgress *now)
{
    const Case *c = user;
    return strcmp(now->phase, "solve") == 0 && c->shelf.count >= c->part;
}

/* When a part of the work is done, time passes until the progress callback is called, 0.1 s. */
static int begin_of(void *user, const PepaProgress *now)
{
    const Case *c = user;
    const struct timespec time = {.tv_nsec = 110 * 1000 * 1000};
    if (now->count >= c->part)
        (void)nanosleep(&time, NULL);
    return begin(&((Case *)user)->shelf, now);
}

static int piece_of(void *user, int64_t first, int64_t count, const double *pi)
{
    return piece(&((Case *)user)->shelf, first, count, pi);
}

static int end_of(void *user, int ok)
{
    return end(&((Case *)user)->shelf, ok);
}

static void interrupt(const char *family, PepaMethod method, PepaPrecondition precondition)
{
    static Case c;
    case_new(&c, family_text(family), PEPA_EXPLICIT);
    c.set.solve.precondition = precondition;
    alone(&c, method);
    c.keeping = (PepaKeeping){&c, always, begin_of, piece_of, end_of, NULL, 0, {0}};
    c.set.progress = stop_in_the_middle;
    c.set.user = &c;
    cr_assert_eq(pepa_solve_steady(c.chain, &c.set, c.other, NULL, NULL), PEPA_ECANCEL, "%s",
                 pepa_method_name(method));
    c.set.progress = NULL;
    c.keeping = keeping_on(&c.shelf);
    go_on(&c);
    case_free(&c);
}

/* GMRES has an iterate once in a round of 50 steps, and multilevel when it looks for groups. */
Test(keeping_rows, interrupted)
{
    for (int32_t m = 0; m < METHODS; m++)
        if (iterative[m] != PEPA_GMRES && iterative[m] != PEPA_MULTILEVEL)
            interrupt("kanban 2", iterative[m], PEPA_PRECONDITION_AUTO);
    interrupt("pipeline 8", PEPA_GMRES, PEPA_PRECONDITION_NONE);
    interrupt("polling 8", PEPA_MULTILEVEL, PEPA_PRECONDITION_AUTO);
}

/* ---- several bottom components --------------------------------------------------------------- */

/* Customers, and one of two services, which is chosen once: 651 transient states, 1,302 with the first
 * service, 651 with the other. */
static const char two_services[] = "S = (fast, 0.1).F + (slow, 0.2).L;\n"
                                   "F = (done, 5).F1; F1 = (done, 3).F; L = (done, 2).L;\n"
                                   "A = (ask, 1).A1; A1 = (done, T).A;\n"
                                   "B = (begin, 2).B1; B1 = (stop, 1).B;\n"
                                   "(A[30] <done> S) || B[20]";

/* Of the states of a bottom component, or of transient ones (-1). */
static double sum_of(const Case *c, const double *x, int32_t bottom)
{
    double sum = 0;
    for (int64_t i = 0; i < c->n; i++)
        sum += pepa_chain_bottom(c->chain, i) == bottom ? x[i] : 0;
    return sum;
}

/* Until some of the second component is kept as well. */
static int until_second(void *user, double seconds)
{
    const Case *c = user;
    return seconds >= 0 && (c->shelf.begun == 0 || sum_of(c, c->shelf.pi, 1) == 0);
}

static void keep_components(Case *c, PepaMethod method, bool second)
{
    alone(c, method);
    if (second)
        c->keeping = (PepaKeeping){c, until_second, begin_of, piece_of, end_of, NULL, 0, {0}};
    else
        c->keeping.due = at_first;
    c->shelf.until = second ? 0 : method == PEPA_GMRES ? 1 : c->part;
    c->part = INT64_MAX; /* nothing interrupts it */
    cr_assert_eq(pepa_solve_steady(c->chain, &c->set, c->other, NULL, NULL), PEPA_OK);
    cr_expect(same_bits(c));
    cr_expect_eq(sum_of(c, c->shelf.pi, -1), 0);
    cr_expect_eq(sum_of(c, c->shelf.pi, 1) > 0, second);
    for (int64_t i = 0; second && i < c->n; i++)
        if (pepa_chain_bottom(c->chain, i) == 0)
            cr_assert_eq(c->shelf.pi[i], c->pi[i]);
    c->shelf.until = 0;
    c->keeping = keeping_on(&c->shelf);
    go_on(c);
}

/* What is kept has what the first has come to, and nothing yet of the second, or some of it. */
Test(keeping_rows, components)
{
    static Case c;
    case_new(&c, two_services, PEPA_EXPLICIT);
    cr_assert_eq(pepa_chain_info(c.chain).bottom_components, 2);
    cr_assert_eq(c.n, 4 * 651);
    for (int32_t m = 1; m < METHODS; m++) /* auto would eliminate */
        for (int second = 0; second < 2; second++)
            keep_components(&c, iterative[m], second != 0);
    case_free(&c);
}

/* ---- what does not go as it should ----------------------------------------------------------- */

/* Without a place to keep it the solution is the same; without what was kept there is none. */
Test(keeping_rows, failures)
{
    static Case c;
    PepaError err;
    case_new(&c, family_text("kanban 2"), PEPA_EXPLICIT);
    for (int fails = 1; fails <= 2; fails++) {
        alone(&c, PEPA_AUTO);
        c.shelf.fails = fails;
        cr_assert_eq(pepa_solve_steady(c.chain, &c.set, c.other, NULL, NULL), PEPA_OK);
        cr_expect(same_bits(&c));
        cr_expect(c.shelf.begun > 0 && !c.shelf.ok);
        cr_expect_eq(c.shelf.pieces, fails == 1 ? 0 : c.shelf.begun);
    }
    c.shelf.fails = 3;
    c.keeping.load = load;
    cr_expect_eq(pepa_solve_steady(c.chain, &c.set, c.other, NULL, &err), PEPA_EIO);
    cr_expect(strstr(err.message, "cannot be read"));
    case_free(&c);
}

/* What is no guess is none. */
Test(keeping_rows, no_guess)
{
    static const double all[] = {0, NAN, INFINITY, -1};
    static Case c;
    static const char *const texts[] = {NULL, two_services};
    for (int t = 0; t < 2; t++) {
        case_new(&c, t == 0 ? family_text("kanban 2") : texts[t], PEPA_EXPLICIT);
        for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
            alone(&c, PEPA_GAUSS_SEIDEL);
            for (int64_t i = 0; i < c.n; i++)
                c.shelf.pi[i] = all[k];
            c.keeping.load = load;
            c.shelf.until = -1;
            cr_assert_eq(pepa_solve_steady(c.chain, &c.set, c.other, NULL, NULL), PEPA_OK);
            cr_expect(same_bits(&c), "%g", all[k]);
        }
        case_free(&c);
    }
}

/* Elimination has nothing on its way. */
Test(keeping_rows, direct)
{
    static const PepaMethod direct[] = {PEPA_GTH, PEPA_DIRECT, PEPA_AUTO};
    static Case c;
    case_new(&c, family_text("kanban 1"), PEPA_EXPLICIT);
    for (int m = 0; m < 3; m++) {
        alone(&c, direct[m]);
        cr_assert_eq(pepa_solve_steady(c.chain, &c.set, c.other, NULL, NULL), PEPA_OK);
        cr_expect(same_bits(&c));
        cr_expect_eq(c.shelf.begun, 0);
    }
    case_free(&c);
}

/* Many solutions, or one of another chain, are not kept. */
Test(keeping_rows, of_one_solution)
{
    static const char asked[] = "throughput:ask";
    static Case c;
    const double rates[] = {1, 2, 3};
    double value[3];
    PepaMeasures *measures = NULL;
    PepaLumping *lumping = NULL;
    PepaError err = {0};
    case_new(
        &c,
        "r = 1; A = (ask, r).A1; A1 = (done, 2).A; B = (b, 1).B1; B1 = (c, 2).B; A[30] || B[20]",
        PEPA_EXPLICIT);
    const PepaVary vary = {"r", rates, 3};
    const PepaExperiment what = {.vary = &vary, .count = 1};
    alone(&c, PEPA_GAUSS_SEIDEL);
    cr_assert_eq(pepa_measures_new(&measures, c.model, &err) ||
                     pepa_measures_add(measures, "m", asked, strlen(asked), NULL, NULL, &err) ||
                     pepa_experiment_measures(c.chain, measures, &what, &c.set, value, NULL,
                                              &err) ||
                     pepa_lumping_new(&lumping, c.chain, measures, NULL, &err) ||
                     pepa_lumping_solve(lumping, &c.set, NULL, value, NULL, &err),
                 PEPA_OK, "%s", err.message);
    cr_expect_eq(c.shelf.begun, 0);
    cr_assert_eq(pepa_solve_steady(c.chain, &c.set, c.other, NULL, NULL), PEPA_OK);
    cr_expect_gt(c.shelf.begun, 0);
    pepa_lumping_free(lumping);
    pepa_measures_free(measures);
    case_free(&c);
}
