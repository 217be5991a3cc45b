/* Memory runs out in one of the processes that share a chain or a ranking: all of them say so, or have the right
 * answer; none waits for another for ever.  k goes up until it is not reached. */
#include "amoget.h"
#include "pepa_experiment.h"
#include "pepa_shared.h"

#include <math.h>
#include <stdio.h>

#include "family_text.h"
#include "fault/memory.h"
#include "run_together.h"
#include "settings.h"

enum { PROCESSES = 3, ROOM = 64 };

typedef struct {
    PepaStatus status;
    PepaError err;
    double throughput[ROOM], share[ROOM], population[ROOM], value[2];
    double later[4]; /* measures at two times */
    char matrix[16];
    char method[64];
} Answer;

typedef struct {
    const PepaChain *chain;
    const PepaMeasures *measures;
    int32_t broken; /* the exchange that process 1 cannot open, from 1; 0: none */
    Answer answer[PROCESSES];
} Work3;

/* Process 1, whose memory is out when it opens an exchange. */
typedef struct {
    const PepaProcesses *real;
    int32_t left;
} Broken;

static void *open_broken(void *user, const PepaExchange *exchange)
{
    Broken *b = user;
    return --b->left == 0 ? NULL : b->real->open(b->real->user, exchange);
}

static void broken_sum(void *user, double *x, int32_t n)
{
    const Broken *b = user;
    b->real->sum(b->real->user, x, n);
}

static void broken_largest(void *user, double *x, int32_t n)
{
    const Broken *b = user;
    b->real->largest(b->real->user, x, n);
}

static void broken_start(void *user, void *opened, double *x)
{
    const Broken *b = user;
    b->real->start(b->real->user, opened, x);
}

static void broken_finish(void *user, void *opened)
{
    const Broken *b = user;
    b->real->finish(b->real->user, opened);
}

static void broken_close(void *user, void *opened)
{
    const Broken *b = user;
    b->real->close(b->real->user, opened);
}

static void broken_deal(void *user)
{
    const Broken *b = user;
    b->real->deal(b->real->user);
}

static int64_t broken_take(void *user)
{
    const Broken *b = user;
    return b->real->take(b->real->user);
}

static void broken_poll(void *user)
{
    (void)user;
}

static void broken_swap(void *user, const void *sent, const int64_t *count, void *received,
                        int64_t *come, int64_t most)
{
    const Broken *b = user;
    b->real->swap(b->real->user, sent, count, received, come, most);
}

static PepaStatus measure(const PepaShared *shared, const Work3 *w, Answer *a)
{
    const PepaStatus each[] = {pepa_shared_throughputs(shared, a->throughput, &a->err),
                               pepa_shared_utilisations(shared, a->share, &a->err),
                               pepa_shared_populations(shared, a->population, &a->err),
                               pepa_shared_values(shared, w->measures, a->value, &a->err)};
    for (size_t i = 0; i < sizeof each / sizeof *each; i++)
        if (each[i] != PEPA_OK)
            return each[i];
    return PEPA_OK;
}

static void solve_one(const PepaProcesses *p, void *user)
{
    Work3 *w = user;
    Answer *a = &w->answer[p->rank];
    PepaShared *shared = NULL;
    Broken broken = {p, p->rank == 1 ? w->broken : 0};
    const PepaProcesses with = {.count = p->count,
                                .rank = p->rank,
                                .user = &broken,
                                .sum = broken_sum,
                                .largest = broken_largest,
                                .open = open_broken,
                                .start = broken_start,
                                .finish = broken_finish,
                                .close = broken_close,
                                .deal = broken_deal,
                                .take = broken_take,
                                .poll = broken_poll,
                                .swap = broken_swap};
    *a = (Answer){0};
    PepaInfo info = {.matrix = "", .method = ""};
    a->status = pepa_shared_solve(&shared, w->chain, &with, NULL, &info, &a->err);
    (void)snprintf(a->matrix, sizeof a->matrix, "%s", info.matrix);
    (void)snprintf(a->method, sizeof a->method, "%s", info.method);
    cr_assert_eq(a->status == PEPA_OK, shared != NULL);
    if (a->status == PEPA_OK) {
        cr_assert_leq(pepa_shared_part(shared).states, pepa_chain_info(w->chain).states);
        a->status = measure(shared, w, a);
    }
    if (a->status == PEPA_OK)
        a->status = pepa_shared_transient(w->chain, &with, w->measures,
                                          &(PepaTransient){.time = (double[]){0.5, 1}, .count = 2},
                                          NULL, a->later, NULL, &a->err);
    pepa_shared_free(shared);
}

/* To 7 digits: without memory for extrapolation there are more sweeps, to a tolerance of 1e-10. */
static bool close_to(const double *a, const double *b, int32_t n)
{
    for (int32_t i = 0; i < n; i++)
        if (!(fabs(a[i] - b[i]) <= 1e-7 * (1 + fabs(b[i]))))
            return false;
    return true;
}

static bool same(const Answer *a, const Answer *b)
{
    return close_to(a->throughput, b->throughput, ROOM) && close_to(a->share, b->share, ROOM) &&
           close_to(a->population, b->population, ROOM) && close_to(a->value, b->value, 2) &&
           close_to(a->later, b->later, 4);
}

/* All processes have the same status: PEPA_OK with the wanted answer, or PEPA_ENOMEM with a message. */
static void check(const Work3 *w, const Answer *wanted, const char *what, int64_t k)
{
    for (int32_t i = 0; i < PROCESSES; i++) {
        const Answer *a = &w->answer[i];
        cr_assert_eq(a->status, w->answer[0].status, "%s %d: %d %s, %d %s", what, (int)k,
                     (int)a->status, a->err.message, (int)w->answer[0].status,
                     w->answer[0].err.message);
        if (a->status == PEPA_OK)
            cr_assert(same(a, wanted), "%s %d: another answer", what, (int)k);
        else {
            cr_assert_eq(a->status, PEPA_ENOMEM, "%s %d: %s", what, (int)k, a->err.message);
            cr_assert(a->err.code == PEPA_ENOMEM && a->err.message[0]);
        }
    }
}

static void solve_short_of_memory(Work3 *w, const Answer *wanted, bool and_after)
{
    bool reached = true;
    int64_t k = 1;
    mem_note(true);
    run_together(PROCESSES, solve_one, w);
    mem_note(false);
    for (; reached; k = mem_fail_next(k)) {
        mem_fail_at(k, and_after);
        run_together(PROCESSES, solve_one, w);
        reached = mem_allocations() >= k;
        mem_fail_at(0, false);
        check(w, wanted, "allocation", k);
    }
    cr_assert_gt(k, 2, "it allocates nothing");
}

static void solve_without_exchanges(Work3 *w, const Answer *wanted)
{
    for (w->broken = 1;; w->broken++) {
        run_together(PROCESSES, solve_one, w);
        check(w, wanted, "exchange", w->broken);
        if (w->answer[0].status == PEPA_OK)
            break;
    }
    cr_assert_gt(w->broken, 2);
    w->broken = 0;
}

static void solve_in_need(const char *text, const char *asked, const char *method,
                          const char *matrix)
{
    static Work3 w;
    PepaModel *model = NULL;
    PepaChain *chain = NULL;
    PepaMeasures *measures = NULL;
    PepaSettings set = settings_for_tests();
    set.derive.explore = PEPA_SYMBOLIC;
    cr_assert_eq(pepa_model_parse(&model, "m", text, strlen(text), NULL, NULL), PEPA_OK);
    cr_assert_eq(pepa_chain_derive(&chain, model, &set, NULL), PEPA_OK);
    cr_assert_eq(pepa_measures_new(&measures, model, NULL), PEPA_OK);
    cr_assert_eq(pepa_measures_add(measures, "m", asked, strlen(asked), NULL, NULL, NULL), PEPA_OK);
    cr_assert_leq(pepa_chain_info(chain).local_states, ROOM);
    w = (Work3){.chain = chain, .measures = measures};
    run_together(PROCESSES, solve_one, &w);
    const Answer wanted = w.answer[0];
    cr_assert_eq(wanted.status, PEPA_OK, "%s", wanted.err.message);
    cr_assert_str_eq(wanted.matrix, matrix);
    cr_assert_str_eq(wanted.method, method);
    solve_short_of_memory(&w, &wanted, false);
    solve_short_of_memory(&w, &wanted, true);
    solve_without_exchanges(&w, &wanted);
    pepa_measures_free(measures);
    pepa_chain_free(chain);
    pepa_model_free(model);
}

Test(fault_shared, short_of_memory)
{
    solve_in_need("P = (a, 1).Q; Q = (b, 2).P; R = (b, 3).S; S = (c, 4).R; T = (c, "
                  "1).U; U = (d, 2).(e, 1).T;\n"
                  "P <b> R <c> T",
                  "throughput:c\nprobability:{Q && S}", "gauss-seidel with extrapolation", "free");
}

/* Blocks of all processes are aggregated; or processes find out whether rare jumps make the chain decomposable. */
Test(fault_shared, short_of_memory_for_aggregation)
{
    solve_in_need(bench_text("structures/raid.awk 3 2"), "throughput:swap\nprobability:{Good >= 2}",
                  "gauss-seidel with extrapolation and aggregation", "free");
    solve_in_need(bench_text("structures/infinity.awk 2 4"),
                  "throughput:hello\nthroughput:right1_1", "gauss-seidel with extrapolation",
                  "free");
}

/* Sweeps are so slow that the matrix is written by rows. */
Test(fault_shared, short_of_memory_by_rows)
{
    solve_in_need(bench_text("structures/multirate.awk 16"),
                  "throughput:voiceBegin\nprobability:{VoiceBusy && DataIdle}", "bicgstab",
                  "explicit");
}

/* ---- experiments ----------------------------------------------------------------------------- */

enum { POINTS = 6 };

typedef struct {
    const PepaChain *chain;
    const PepaMeasures *measures;
    const PepaVary *vary;
    size_t count;
    PepaStatus status[PROCESSES];
    PepaError err[PROCESSES];
    double value[PROCESSES][POINTS];
} Experiment3;

static void experiment_one(const PepaProcesses *p, void *user)
{
    Experiment3 *x = user;
    const PepaExperiment what = {.vary = x->vary, .count = x->count, .processes = p};
    x->err[p->rank] = (PepaError){0};
    x->status[p->rank] = pepa_experiment_measures(x->chain, x->measures, &what, NULL,
                                                  x->value[p->rank], NULL, &x->err[p->rank]);
}

/* Returns whether there was a k-th allocation. */
static bool experiment_short_of_memory(Experiment3 *x, const double *wanted, int64_t k,
                                       bool and_after)
{
    mem_fail_at(k, and_after);
    run_together(PROCESSES, experiment_one, x);
    const bool reached = k > 0 && mem_allocations() >= k;
    mem_fail_at(0, false);
    for (int32_t i = 0; i < PROCESSES; i++) {
        cr_assert_eq(x->status[i], x->status[0], "allocation %d: %d, %d", (int)k, (int)x->status[i],
                     (int)x->status[0]);
        if (x->status[i] == PEPA_OK)
            cr_assert(close_to(x->value[i], wanted, POINTS), "allocation %d", (int)k);
        else
            cr_assert(x->status[i] == PEPA_ENOMEM && x->err[i].message[0], "allocation %d: %s",
                      (int)k, x->err[i].message);
    }
    return reached;
}

Test(fault_shared, experiments_short_of_memory)
{
    static const char text[] = "r = 1; n = 2; P = (a, r).Q; Q = (b, 2).P; P[n]";
    const double r[] = {1, 2, 3, 4, 5, 6}, n[] = {2, 1, 3};
    const PepaVary vary[] = {{"r", r, POINTS}, {"n", n, 3}};
    static Experiment3 x;
    PepaModel *model = NULL;
    PepaChain *chain = NULL;
    PepaMeasures *measures = NULL;
    cr_assert_eq(pepa_model_parse(&model, "m", text, strlen(text), NULL, NULL), PEPA_OK);
    cr_assert_eq(pepa_chain_derive(&chain, model, NULL, NULL), PEPA_OK);
    cr_assert_eq(pepa_measures_new(&measures, model, NULL), PEPA_OK);
    cr_assert_eq(pepa_measures_add(measures, "m", "throughput:a", 12, NULL, NULL, NULL), PEPA_OK);
    for (size_t axis = 0; axis < 2; axis++) { /* points; structures */
        double wanted[POINTS];
        x = (Experiment3){.chain = chain, .measures = measures, .vary = &vary[axis], .count = 1};
        run_together(PROCESSES, experiment_one, &x);
        cr_assert_eq(x.status[0], PEPA_OK);
        memcpy(wanted, x.value[0], sizeof wanted);
        for (int and_after = 0; and_after < 2; and_after++) {
            int64_t k = 1;
            while (experiment_short_of_memory(&x, wanted, k, and_after != 0))
                k++;
            cr_assert_gt(k, 2);
        }
    }
    pepa_measures_free(measures);
    pepa_chain_free(chain);
    pepa_model_free(model);
}

/* ---- rankings -------------------------------------------------------------------------------- */

typedef struct {
    AmogetDescription *desc;
    AmogetSettings set;
    PepaStatus status[PROCESSES];
    PepaError err[PROCESSES];
    double throughput[PROCESSES];
    AmogetRanker *kept[PROCESSES];
    bool fresh; /* each begins with a ranker of its own */
} Ranking3;

static void rank_one(const PepaProcesses *p, void *user)
{
    Ranking3 *r = user;
    AmogetRanker *ranker = r->fresh ? NULL : r->kept[p->rank];
    AmogetRanking *ranking = NULL;
    AmogetSettings set = r->set;
    PepaError *err = &r->err[p->rank];
    PepaStatus status = PEPA_OK;
    *err = (PepaError){0};
    set.processes = p;
    if (!ranker)
        status = amoget_ranker_new(&ranker, r->desc, &set, err);
    cr_assert_eq(status == PEPA_OK, ranker != NULL);
    if (status == PEPA_OK)
        status = amoget_rank(ranker, &set, &ranking, err);
    cr_assert_eq(status == PEPA_OK, ranking != NULL);
    r->status[p->rank] = status;
    r->throughput[p->rank] = ranking ? ranking->entries[0].throughput : 0;
    amoget_ranking_free(ranking);
    if (r->fresh)
        amoget_ranker_free(ranker);
    else
        r->kept[p->rank] = ranker;
}

static void check_ranking(const Ranking3 *r, double wanted, int64_t k)
{
    for (int32_t i = 0; i < PROCESSES; i++) {
        cr_assert_eq(r->status[i], r->status[0], "allocation %d: %d, %d", (int)k, (int)r->status[i],
                     (int)r->status[0]);
        if (r->status[i] == PEPA_OK)
            cr_assert(!(r->throughput[i] < wanted) && !(r->throughput[i] > wanted),
                      "allocation %d: %.17g, not %.17g", (int)k, r->throughput[i], wanted);
        else
            cr_assert(r->status[i] == PEPA_ENOMEM && r->err[i].message[0], "allocation %d: %s",
                      (int)k, r->err[i].message);
    }
}

/* With fresh rankers, or with those that ranked before, which rank as before afterwards.  Returns
 * whether there was a k-th allocation. */
static bool rank_short_of_memory(Ranking3 *r, double wanted, int64_t k)
{
    r->fresh = k % 2 == 0;
    mem_fail_at(k, k % 4 < 2);
    run_together(PROCESSES, rank_one, r);
    const bool reached = mem_allocations() >= k;
    mem_fail_at(0, false);
    check_ranking(r, wanted, k);
    if (!r->fresh) {
        run_together(PROCESSES, rank_one, r);
        check_ranking(r, wanted, k);
        cr_assert_eq(r->status[0], PEPA_OK);
    }
    return reached;
}

Test(fault_shared, rankings_short_of_memory)
{
    static const char text[] = "pipeline { stage a; stage b work 2; stage c; } sharing serial;\n"
                               "processors { p time 0.1; q time 0.12; }\n"
                               "network { latency default 0.01; latency local 0.0001; }\n"
                               "mappings { (p,p,p); (p,q,q); (p,q,p); }";
    static Ranking3 r;
    for (int search = AMOGET_LISTED; search <= AMOGET_BEST; search++) {
        int64_t k = 1;
        r = (Ranking3){.fresh = true, .set = {.search = (AmogetSearch)search}};
        cr_assert_eq(amoget_parse(&r.desc, "test", text, strlen(text), NULL, NULL), PEPA_OK);
        run_together(PROCESSES, rank_one, &r);
        const double wanted = r.throughput[0];
        cr_assert_eq(r.status[0], PEPA_OK, "%s", r.err[0].message);
        check_ranking(&r, wanted, 0);
        r.fresh = false;
        run_together(PROCESSES, rank_one, &r); /* those that are kept */
        for (bool reached = true; reached || k % 2 == 0; k++)
            reached = rank_short_of_memory(&r, wanted, k);
        cr_assert_gt(k, 100);
        for (int32_t i = 0; i < PROCESSES; i++)
            amoget_ranker_free(r.kept[i]);
        amoget_free(r.desc);
    }
}
