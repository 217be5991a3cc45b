/* Passages of stiff chains by processes, which have no more than steps: what is left has its shape soon, or they say what
 * helps, and it does. */
#include <math.h>

#include "api/handles.h"
#include "pepa_shared.h"
#include "run_together.h"
#include "settings.h"
#include "support.h"

enum { PROCESSES = 3 };

/* Half of the time it may end, once in 10^15 of its jumps. */
static const char stiff[] =
    "P = (fast, 1e6).Q; Q = (fast, 1e6).P + (end, 1e-9).E; E = (rest, 1).E; P";
static const double late = 2e5;

typedef struct {
    PepaModel *model;
    PepaPassageEnds ends;
    PepaStatus status[PROCESSES];
    PepaError err[PROCESSES];
} Following;

static void follow(const PepaProcesses *p, void *user)
{
    Following *f = user;
    PepaChain chain = {.owner = f->model};
    PepaSettings set = settings_for_tests();
    DiagList diags = {0};
    PepaPassage *passage = NULL;
    PepaError *err = &f->err[p->rank];
    double cdf;
    set.derive.max_states = 1000;
    PepaStatus status = chain_derive_spread(&chain.chain, f->model->model, p, &set, &diags, err);
    if (status == PEPA_OK)
        status = pepa_shared_passage(&passage, &chain, p, NULL, &f->ends, &set, err);
    if (status == PEPA_OK)
        status = pepa_passage_at(passage, late, &cdf, NULL, NULL, err);
    f->status[p->rank] = status;
    pepa_passage_free(passage);
    chain_free(chain.chain);
    diag_free(&diags);
}

Test(shared_passage, that_is_too_stiff)
{
    static const char *const by[] = {"end"};
    static Following f;
    PepaChain *chain = NULL;
    PepaPassage *passage = NULL;
    PepaError err = {0};
    double cdf;
    f.ends = (PepaPassageEnds){.from_start = 1, .to_action = by, .to_actions = 1};
    cr_assert_eq(pepa_model_parse(&f.model, "m", stiff, strlen(stiff), NULL, NULL), PEPA_OK);
    run_together(PROCESSES, follow, &f);
    for (int32_t k = 0; k < PROCESSES; k++) {
        cr_expect_eq(f.status[k], PEPA_ENOCONV);
        cr_expect(strstr(f.err[k].message, "start it without mpirun"), "%s", f.err[k].message);
    }
    cr_assert_eq(pepa_chain_derive(&chain, f.model, NULL, &err), PEPA_OK, "%s", err.message);
    cr_assert_eq(pepa_passage_new(&passage, chain, NULL, &f.ends, NULL, &err), PEPA_OK, "%s",
                 err.message);
    cr_assert_eq(pepa_passage_at(passage, late, &cdf, NULL, NULL, &err), PEPA_OK, "%s",
                 err.message);
    cr_expect_float_eq(cdf, -expm1(-1e-4), 1e-9);
    pepa_passage_free(passage);
    pepa_chain_free(chain);
    pepa_model_free(f.model);
}

/* P(T > t): to and fro at rate 1 until one of the two is left for good, two exponentials. */
static const double rare_end = 1e-5;
static double rarely_left(double t)
{
    const long double f = rare_end, w = sqrtl(4 + f * f), slow = (2 + f - w) / 2,
                      fast = (2 + f + w) / 2;
    const long double most = (fast - f) / (fast - slow);
    return (double)(most * expl(-slow * t) + (1 - most) * expl(-fast * t));
}

enum { TIMES = 12 };
typedef struct {
    PepaModel *model;
    PepaPassageEnds ends;
    double cdf[PROCESSES][TIMES], error[PROCESSES][TIMES], within[PROCESSES];
    int64_t steps[PROCESSES];
} Shape;

static double time_of(int i)
{
    return 0.5 * pow(4, i);
}

static void follow_shape(const PepaProcesses *p, void *user)
{
    Shape *f = user;
    PepaChain chain = {.owner = f->model};
    PepaSettings set = settings_for_tests();
    DiagList diags = {0};
    PepaPassage *passage = NULL;
    PepaError err = {0};
    set.derive.max_states = 1000;
    cr_assert_eq(chain_derive_spread(&chain.chain, f->model->model, p, &set, &diags, &err),
                 PEPA_OK);
    cr_assert_eq(pepa_shared_passage(&passage, &chain, p, NULL, &f->ends, &set, &err), PEPA_OK);
    for (int i = 0; i < TIMES; i++)
        cr_assert_eq(pepa_passage_at(passage, time_of(i), &f->cdf[p->rank][i], NULL,
                                     &f->error[p->rank][i], &err),
                     PEPA_OK, "%s", err.message);
    cr_assert_eq(pepa_passage_quantile(passage, 0.99, &f->within[p->rank], &err), PEPA_OK, "%s",
                 err.message);
    f->steps[p->rank] = pepa_passage_steps(passage);
    pepa_passage_free(passage);
    chain_free(chain.chain);
    diag_free(&diags);
}

Test(shared_passage, shape_of_what_is_left)
{
    static const char text[] = "A = (go, 1).B + (fail, 1e-5).C; B = (back, 1).A; C = (mend, 1).A;\n"
                               "D = (d, 1).E; E = (e, 1).D; A || D[2]";
    static const char *const by[] = {"fail"};
    static Shape f;
    f.ends = (PepaPassageEnds){.from_start = 1, .to_action = by, .to_actions = 1};
    cr_assert_eq(pepa_model_parse(&f.model, "m", text, strlen(text), NULL, NULL), PEPA_OK);
    run_together(PROCESSES, follow_shape, &f);
    for (int32_t k = 0; k < PROCESSES; k++) {
        for (int i = 0; i < TIMES; i++) {
            const double left = rarely_left(time_of(i));
            cr_expect(fabs(1 - f.cdf[k][i] - left) <= f.error[k][i] && f.error[k][i] < 1e-8,
                      "%g: %.15g, not %.15g, bound %g", time_of(i), 1 - f.cdf[k][i], left,
                      f.error[k][i]);
        }
        cr_expect_float_eq(rarely_left(f.within[k]) / 0.01, 1, 1e-9, "%.15g", f.within[k]);
        cr_expect_leq(f.steps[k], 4000);
    }
    pepa_model_free(f.model);
}
