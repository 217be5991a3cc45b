/* Memory runs out in one of the processes that share a chain by rows: all of them say so, or have the
 * right answer.  The processes are threads, so how many allocations there are depends on their pace: k
 * goes up until it is not reached. */
#include <math.h>

#include "fault/memory.h"
#include "pepa_shared.h"
#include "spreading.h"
#include "support.h"

enum { PROCESSES = 3 };

/* To 7 digits: without memory for extrapolation there are more sweeps, to a tolerance of 1e-10. */
static bool close_to(const double *a, const double *b, int32_t n)
{
    for (int32_t i = 0; i < n; i++)
        if (!(fabs(a[i] - b[i]) <= 1e-7 * (1 + fabs(b[i]))))
            return false;
    return true;
}

/* Returns whether there was a k-th allocation. */
static bool spread_short_of_memory(SpreadQuestion *q, const SpreadAnswer *wanted, int64_t k,
                                   bool and_after)
{
    mem_fail_at(k, and_after);
    run_together(PROCESSES, spread_part, q);
    const bool reached = k > 0 && mem_allocations() >= k;
    mem_fail_at(0, false);
    for (int32_t i = 0; i < PROCESSES; i++) {
        const SpreadAnswer *a = &q->part[i];
        cr_assert_eq(a->status, q->part[0].status, "allocation %d: %d %s, %d %s", (int)k,
                     (int)a->status, a->err.message, (int)q->part[0].status,
                     q->part[0].err.message);
        if (a->status == PEPA_OK)
            cr_assert(close_to(a->flow, wanted->flow, SPREAD_ROOM) &&
                          close_to(a->mean, wanted->mean, SPREAD_ROOM) &&
                          close_to(a->inflow, wanted->inflow, SPREAD_ROOM),
                      "allocation %d: another answer", (int)k);
        else
            cr_assert(a->status == PEPA_ENOMEM && a->err.message[0], "allocation %d: %d %s", (int)k,
                      (int)a->status, a->err.message);
    }
    return reached;
}

Test(fault_spread, rows_short_of_memory)
{
    static SpreadQuestion q;
    q = (SpreadQuestion){.model = model_of("P = (a, 1).Q; Q = (b, 2).P; R = (b, 3).S; S = (c, "
                                           "4).R; P[2] <b> R"),
                         .set = settings_for_tests(),
                         .poor = -1};
    spread_alone(&q);
    cr_assert_eq(q.alone.status, PEPA_OK);
    const SpreadAnswer wanted = q.alone;
    for (int and_after = 0; and_after < 2; and_after++) {
        int64_t k = 1;
        while (spread_short_of_memory(&q, &wanted, k, and_after != 0))
            k++;
        cr_assert_gt(k, 2);
    }
    model_free((Model *)q.model);
}

/* ---- few states, which each process derives by itself ------------------------------------------- */

typedef struct {
    const PepaModel *model;
    PepaStatus status[PROCESSES];
    PepaError err[PROCESSES];
} Deriving;

static void derive_one(const PepaProcesses *p, void *user)
{
    Deriving *d = user;
    PepaChain *chain = NULL;
    d->err[p->rank] = (PepaError){0};
    d->status[p->rank] = pepa_shared_derive(&chain, d->model, p, NULL, &d->err[p->rank]);
    cr_assert_eq(d->status[p->rank] == PEPA_OK, chain != NULL);
    cr_assert(!chain || pepa_chain_info(chain).states == 2);
    pepa_chain_free(chain);
}

Test(fault_spread, deriving_short_of_memory)
{
    static const char text[] = "P = (a, 1).Q; Q = (b, 2).P; P";
    static Deriving d;
    PepaModel *model = NULL;
    cr_assert_eq(pepa_model_parse(&model, "m", text, strlen(text), NULL, NULL), PEPA_OK);
    d = (Deriving){.model = model};
    bool reached = true;
    for (int64_t k = 1; reached; k++) {
        mem_fail_at(k, false);
        run_together(PROCESSES, derive_one, &d);
        reached = mem_allocations() >= k;
        mem_fail_at(0, false);
        for (int32_t i = 0; i < PROCESSES; i++) {
            cr_assert_eq(d.status[i], d.status[0]);
            cr_assert(d.status[i] == PEPA_OK || d.status[i] == PEPA_ENOMEM);
        }
    }
    pepa_model_free(model);
}
