/* Memory runs out in one of the processes that share a chain by rows: all of them say so, or have the
 * right answer.  k goes up until it is not reached. */
#include <math.h>

#include "api/handles.h"
#include "family_text.h"
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

/* Returns whether there was a k-th allocation.  An answer is the one that is wanted, or comes with a caution. */
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
        if (a->status == PEPA_OK && a->info.caution[0])
            continue; /* there was no memory for what makes it better */
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

static int always(void *user, double seconds)
{
    (void)user;
    return seconds >= 0;
}

static int accept(void *user, int64_t first, int64_t count, const double *pi)
{
    (void)user;
    return first < 0 || count <= 0 || !pi;
}

static int begin_to_keep(void *user, const PepaProgress *now)
{
    (void)user;
    return now->count <= 0;
}

static int end_of_keeping(void *user, int ok)
{
    (void)user;
    return !ok;
}

/* With nothing that was kept. */
static int give_nothing(void *user, int64_t first, int64_t count, double *pi)
{
    (void)user;
    (void)first;
    memset(pi, 0, (size_t)count * sizeof *pi);
    return 0;
}

static const PepaKeeping keeping = {.due = always,
                                    .begin = begin_to_keep,
                                    .piece = accept,
                                    .end = end_of_keeping,
                                    .load = give_nothing};

/* step: every allocation, or only some */
static void run_in_need(const char *text, bool in_runs, const PepaKeeping *kept, int step)
{
    static SpreadQuestion q;
    q = (SpreadQuestion){.model = model_of(text), .set = settings_for_tests(), .poor = -1};
    spread_alone(&q);
    cr_assert_eq(q.alone.status, PEPA_OK);
    const SpreadAnswer wanted = q.alone;
    q.in_runs = in_runs;
    q.set.solve.keeping = kept;
    for (int and_after = 0; and_after < 2; and_after++) {
        int64_t k = 1;
        while (spread_short_of_memory(&q, &wanted, k, and_after != 0))
            k += step;
        cr_assert_gt(k, 2);
    }
    model_free((Model *)q.model);
}

static void run_short_of_memory(const char *text)
{
    run_in_need(text, false, &keeping, 1);
}

/* Two processes flow into each other, with several activities from one state to another. */
Test(fault_spread, runs_short_of_memory)
{
    run_in_need("P = (a, 1).Q + (d, 1).Q; Q = (b, 2).P; R = (b, 3).S; S = (c, 4).R; P[2] <b> R",
                true, NULL, 1);
}

Test(fault_spread, rows_short_of_memory)
{
    run_short_of_memory("P = (a, 1).Q; Q = (b, 2).P; R = (b, 3).S; S = (c, 4).R; P[2] <b> R");
}

/* One state is left for ever. */
Test(fault_spread, rows_of_a_bottom_component)
{
    run_short_of_memory("P = (a, 1).Q; Q = (b, 1).R; R = (c, 2).Q; P");
}

/* Two components, and a state that nothing leaves. */
Test(fault_spread, rows_of_several_components)
{
    run_short_of_memory("P = (a, 1).Q + (b, 2).R + (s, 1).S; Q = (c, 1).Q1; Q1 = (d, 1).Q;\n"
                        "R = (e, 2).R1; R1 = (f, 3).R; S = (t, 1).S; P");
}

/* A particle that stays long in one of two wells: the processes leave these out of balance, and one of them goes on. */
Test(fault_spread, rows_that_one_process_goes_on_with)
{
    const char *text = bench_text("structures/wells.awk 40 8 1");
    static SpreadQuestion q;
    q = (SpreadQuestion){.model = model_of(text), .set = settings_for_tests(), .poor = -1};
    run_together(2, spread_part, &q);
    cr_expect(strstr(q.part[0].info.trail, "one process went on"), "%s", q.part[0].info.trail);
    model_free((Model *)q.model);
    run_in_need(text, false, NULL, 7);
}

/* ---- measures at times ------------------------------------------------------------------------- */

typedef struct {
    PepaModel *model;
    const PepaMeasures *measures;
    PepaStatus status[PROCESSES];
    PepaError err[PROCESSES];
    double value[PROCESSES][4];
} Following;

static void follow_one(const PepaProcesses *p, void *user)
{
    Following *f = user;
    const double time[] = {0.5, 9};
    PepaChain chain = {.owner = f->model};
    PepaSettings set = settings_for_tests();
    DiagList diags = {0};
    PepaStatus *status = &f->status[p->rank];
    PepaError *err = &f->err[p->rank];
    *err = (PepaError){0};
    set.derive.max_states = 1000;
    *status = chain_derive_spread(&chain.chain, f->model->model, p, &set, &diags, err);
    if (*status == PEPA_OK)
        *status = pepa_shared_transient(&chain, p, f->measures,
                                        &(PepaTransient){.time = time, .count = 2}, NULL,
                                        f->value[p->rank], NULL, err);
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
        cr_assert(f->status[i] == PEPA_OK ? close_to(f->value[i], wanted, 4)
                                          : f->status[i] == PEPA_ENOMEM && f->err[i].message[0],
                  "allocation %d: %d %s", (int)k, (int)f->status[i], f->err[i].message);
    }
    return reached;
}

Test(fault_spread, times_short_of_memory)
{
    static const char text[] = "P = (a, 1).Q; Q = (b, 2).P; R = (b, 3).S; S = (c, 4).R; P[2] <b> R";
    static const char asked[] = "throughput:c\nresponse:Q";
    static Following f;
    PepaMeasures *measures = NULL;
    double wanted[4];
    cr_assert_eq(pepa_model_parse(&f.model, "m", text, strlen(text), NULL, NULL), PEPA_OK);
    cr_assert_eq(pepa_measures_new(&measures, f.model, NULL), PEPA_OK);
    cr_assert_eq(pepa_measures_add(measures, "m", asked, strlen(asked), NULL, NULL, NULL), PEPA_OK);
    f.measures = measures;
    run_together(PROCESSES, follow_one, &f);
    cr_assert_eq(f.status[0], PEPA_OK, "%s", f.err[0].message);
    memcpy(wanted, f.value[0], sizeof wanted);
    int64_t k = 1;
    while (follow_short_of_memory(&f, wanted, k))
        k++;
    cr_assert_gt(k, 2);
    pepa_measures_free(measures);
    pepa_model_free(f.model);
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

/* ---- where chains end -------------------------------------------------------------------------- */

typedef struct {
    PepaModel *model;
    PepaStatus status[PROCESSES];
    PepaError err[PROCESSES];
    double probability[PROCESSES]; /* the product of all */
} Ending;

static void end_one(const PepaProcesses *p, void *user)
{
    Ending *e = user;
    PepaChain chain = {.owner = e->model};
    PepaSettings set = settings_for_tests();
    DiagList diags = {0};
    PepaShared *shared = NULL;
    PepaStatus *status = &e->status[p->rank];
    PepaError *err = &e->err[p->rank];
    *err = (PepaError){0};
    set.derive.max_states = 1000;
    e->probability[p->rank] = 1;
    *status = chain_derive_spread(&chain.chain, e->model->model, p, &set, &diags, err);
    if (*status == PEPA_OK)
        *status = pepa_shared_solve(&shared, &chain, p, &set, NULL, err);
    for (int32_t k = 0; *status == PEPA_OK && k < pepa_shared_bottoms(shared); k++) {
        char *text = NULL;
        *status = pepa_shared_bottom_text(shared, k, &text, err);
        cr_assert_eq(*status == PEPA_OK, text != NULL);
        cr_assert(!text || strchr("QRS", text[1]), "%s", text);
        e->probability[p->rank] *= pepa_shared_bottom(shared, k).probability;
        pepa_text_free(text);
    }
    pepa_shared_free(shared);
    chain_free(chain.chain);
    diag_free(&diags);
}

/* In one of three, with 1/4, 2/4 and 1/4. */
Test(fault_spread, ends_short_of_memory)
{
    static const char text[] = "P = (a, 1).Q + (b, 2).R + (s, 1).S; Q = (c, 1).Q1; Q1 = (d, 1).Q;\n"
                               "R = (e, 2).R1; R1 = (f, 3).R; S = (t, 1).S; P";
    static Ending e;
    cr_assert_eq(pepa_model_parse(&e.model, "m", text, strlen(text), NULL, NULL), PEPA_OK);
    run_together(PROCESSES, end_one, &e);
    cr_assert_eq(e.status[0], PEPA_OK, "%s", e.err[0].message);
    cr_assert_float_eq(e.probability[0], 1.0 / 32, 1e-12);
    bool reached = true;
    int64_t k = 1;
    for (; reached; k++) {
        mem_fail_at(k, false);
        run_together(PROCESSES, end_one, &e);
        reached = mem_allocations() >= k;
        mem_fail_at(0, false);
        for (int32_t i = 0; i < PROCESSES; i++) {
            cr_assert_eq(e.status[i], e.status[0], "allocation %d", (int)k);
            cr_assert(e.status[i] == PEPA_OK ? fabs(e.probability[i] - 1.0 / 32) < 1e-9
                                             : e.status[i] == PEPA_ENOMEM && e.err[i].message[0],
                      "allocation %d: %d %s", (int)k, (int)e.status[i], e.err[i].message);
        }
    }
    cr_assert_gt(k, 2);
    pepa_model_free(e.model);
}
