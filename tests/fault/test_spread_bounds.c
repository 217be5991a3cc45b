/* Memory runs out in one of the processes that bound measures together: all of them say so, or have bounds that hold. */
#include "api/handles.h"
#include "fault/memory.h"
#include "pepa_shared.h"
#include "run_together.h"
#include "settings.h"
#include "support.h"

enum { PROCESSES = 3, BOUNDS = 2 };

typedef struct {
    PepaModel *model;
    PepaMeasures *measures;
    PepaStatus status[PROCESSES];
    PepaError err[PROCESSES];
    double low[PROCESSES][BOUNDS], high[PROCESSES][BOUNDS];
} Bounded;

static void bound_one(const PepaProcesses *p, void *user)
{
    Bounded *b = user;
    PepaChain chain = {.owner = b->model};
    PepaSettings set = settings_for_tests();
    DiagList diags = {0};
    PepaShared *shared = NULL;
    PepaError *err = &b->err[p->rank];
    double *low = b->low[p->rank], *high = b->high[p->rank];
    *err = (PepaError){0};
    set.derive.max_states = 1000;
    PepaStatus status = chain_derive_spread(&chain.chain, b->model->model, p, &set, &diags, err);
    if (status == PEPA_OK)
        status = pepa_shared_solve(&shared, &chain, p, &set, NULL, err);
    if (status == PEPA_OK)
        status = pepa_shared_throughput_bounds(shared, &set, "a", &low[0], &high[0], err);
    if (status == PEPA_OK)
        status = pepa_shared_measure_bounds(shared, &set, b->measures, &low[1], &high[1], err);
    b->status[p->rank] = status;
    pepa_shared_free(shared);
    chain_free(chain.chain);
    diag_free(&diags);
}

/* wanted: a throughput and a population, in closed form */
static bool bound_short_of_memory(Bounded *b, const double *wanted, int64_t k)
{
    mem_fail_at(k, false);
    run_together(PROCESSES, bound_one, b);
    const bool reached = k > 0 && mem_allocations() >= k;
    mem_fail_at(0, false);
    for (int32_t i = 0; i < PROCESSES; i++) {
        cr_assert_eq(b->status[i], b->status[0], "allocation %d: %s, %s", (int)k, b->err[i].message,
                     b->err[0].message);
        cr_assert(b->status[i] == PEPA_OK || (b->status[i] == PEPA_ENOMEM && b->err[i].message[0]),
                  "allocation %d: %d %s", (int)k, (int)b->status[i], b->err[i].message);
        for (int32_t n = 0; n < BOUNDS && b->status[i] == PEPA_OK; n++)
            cr_assert(b->low[i][n] <= wanted[n] * (1 + 1e-15) &&
                          b->high[i][n] >= wanted[n] * (1 - 1e-15),
                      "allocation %d: %.17g to %.17g, not %.17g", (int)k, b->low[i][n],
                      b->high[i][n], wanted[n]);
    }
    return reached;
}

static void expect_bounds(const char *text, const double *wanted)
{
    static const char asked[] = "population:R";
    static Bounded b;
    cr_assert_eq(pepa_model_parse(&b.model, "m", text, strlen(text), NULL, NULL), PEPA_OK);
    cr_assert_eq(pepa_measures_new(&b.measures, b.model, NULL), PEPA_OK);
    cr_assert_eq(pepa_measures_add(b.measures, "m", asked, strlen(asked), NULL, NULL, NULL),
                 PEPA_OK);
    (void)bound_short_of_memory(&b, wanted, 0);
    cr_assert_eq(b.status[0], PEPA_OK, "%s", b.err[0].message);
    cr_assert_lt(b.high[0][0] - b.low[0][0], 1e-9);
    int64_t k = 1;
    while (bound_short_of_memory(&b, wanted, k))
        k++;
    cr_assert_gt(k, 2);
    pepa_measures_free(b.measures);
    pepa_model_free(b.model);
}

/* Of two cycles that go their own ways: throughput 2 x 2 / 3, population 1 / 2 of 3 and 4. */
Test(fault_spread_bounds, short_of_memory)
{
    const double wanted[BOUNDS] = {4.0 / 3, 4.0 / 7};
    expect_bounds("P = (a, 1).Q; Q = (b, 2).P; R = (c, 3).S; S = (d, 4).R; P[2] || R", wanted);
}

/* Once in four times the chain ends in the first cycle, else in the second. */
Test(fault_spread_bounds, of_several_components)
{
    const double wanted[BOUNDS] = {0.25 * 2 / 3, 0.75 * 4 / 7};
    expect_bounds(
        "I = (i, 1).P + (j, 3).R; P = (a, 1).Q; Q = (b, 2).P; R = (c, 3).S; S = (d, 4).R; I",
        wanted);
}
