/* Passages of chains that are too stiff for processes, which have no more than steps: they say what helps, and it
 * does. */
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
    cr_assert_eq(pepa_passage_at(passage, late, &cdf, NULL, NULL, &err), PEPA_OK, "%s", err.message);
    cr_expect_float_eq(cdf, -expm1(-1e-4), 1e-9);
    pepa_passage_free(passage);
    pepa_chain_free(chain);
    pepa_model_free(f.model);
}
