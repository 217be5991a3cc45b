/* Memory runs out in one of the processes that share a passage: all of them say so, or have the right answer. */
#include <math.h>

#include "api/handles.h"
#include "fault/memory.h"
#include "pepa_shared.h"
#include "run_together.h"
#include "settings.h"
#include "support.h"

enum { PROCESSES = 3, NUMBERS = 6 };

typedef struct {
    PepaModel *model;
    PepaPassageEnds ends;
    PepaStatus status[PROCESSES];
    PepaError err[PROCESSES];
    double found[PROCESSES][NUMBERS];
} Following;

static PepaStatus read_all(PepaPassage *passage, double *found, PepaError *err)
{
    const double half = 0.5, long_after = 9;
    PepaPassageMoments m = {0};
    PepaStatus status = pepa_passage_at(passage, half, &found[0], &found[1], NULL, err);
    if (status == PEPA_OK)
        status = pepa_passage_at(passage, long_after, &found[2], NULL, NULL, err);
    if (status == PEPA_OK)
        status = pepa_passage_moments(passage, &m, err);
    found[3] = m.mean;
    found[4] = m.variance;
    if (status == PEPA_OK)
        status = pepa_passage_quantile(passage, half, &found[5], err);
    return status;
}

static void follow_one(const PepaProcesses *p, void *user)
{
    Following *f = user;
    PepaChain chain = {.owner = f->model};
    PepaSettings set = settings_for_tests();
    DiagList diags = {0};
    PepaShared *shared = NULL;
    PepaPassage *passage = NULL;
    PepaError *err = &f->err[p->rank];
    *err = (PepaError){0};
    set.derive.max_states = 1000;
    PepaStatus status = chain_derive_spread(&chain.chain, f->model->model, p, &set, &diags, err);
    if (status == PEPA_OK && !f->ends.from_start)
        status = pepa_shared_solve(&shared, &chain, p, &set, NULL, err);
    if (status == PEPA_OK)
        status = pepa_shared_passage(&passage, &chain, p, shared, &f->ends, &set, err);
    if (status == PEPA_OK)
        status = read_all(passage, f->found[p->rank], err);
    f->status[p->rank] = status;
    pepa_passage_free(passage);
    pepa_shared_free(shared);
    chain_free(chain.chain);
    diag_free(&diags);
}

static bool follow_short_of_memory(Following *f, const double *wanted, int64_t k)
{
    mem_fail_at(k, false);
    run_together(PROCESSES, follow_one, f);
    const bool reached = k > 0 && mem_allocations() >= k;
    mem_fail_at(0, false);
    for (int32_t i = 0; i < PROCESSES; i++) {
        cr_assert_eq(f->status[i], f->status[0], "allocation %d: %s, %s", (int)k, f->err[i].message,
                     f->err[0].message);
        cr_assert(f->status[i] == PEPA_OK || (f->status[i] == PEPA_ENOMEM && f->err[i].message[0]),
                  "allocation %d: %d %s", (int)k, (int)f->status[i], f->err[i].message);
        for (int32_t n = 0; n < NUMBERS && f->status[i] == PEPA_OK; n++)
            cr_assert(fabs(f->found[i][n] - wanted[n]) <= 1e-7 * (1 + fabs(wanted[n])),
                      "allocation %d: %.12g, not %.12g", (int)k, f->found[i][n], wanted[n]);
    }
    return reached;
}

static void run_short_of_memory(const PepaPassageEnds *ends, const char *to)
{
    static const char text[] = "P = (a, 1).Q; Q = (b, 2).P; R = (b, 3).S; S = (c, 4).R; P[2] <b> R";
    static Following f;
    PepaPredicate *there = NULL;
    double wanted[NUMBERS];
    f = (Following){.ends = *ends};
    cr_assert_eq(pepa_model_parse(&f.model, "m", text, strlen(text), NULL, NULL), PEPA_OK);
    if (to)
        cr_assert_eq(pepa_predicate_new(&there, f.model, "to", to, strlen(to), NULL, NULL, NULL),
                     PEPA_OK);
    f.ends.to = there;
    run_together(PROCESSES, follow_one, &f);
    cr_assert_eq(f.status[0], PEPA_OK, "%s", f.err[0].message);
    memcpy(wanted, f.found[0], sizeof wanted);
    int64_t k = 1;
    while (follow_short_of_memory(&f, wanted, k))
        k++;
    cr_assert_gt(k, 2);
    pepa_predicate_free(there);
    pepa_model_free(f.model);
}

Test(fault_spread_passage, between_actions)
{
    const char *from = "c", *to = "b";
    run_short_of_memory(&(PepaPassageEnds){.from_action = &from,
                                           .from_actions = 1,
                                           .to_action = &to,
                                           .to_actions = 1},
                        NULL);
}

Test(fault_spread_passage, to_a_state)
{
    run_short_of_memory(&(PepaPassageEnds){.from_start = 1}, "S > 0");
}
