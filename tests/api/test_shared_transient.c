/* Measures at times of chains that several processes share: the same as alone. */
#include <math.h>
#include <stdio.h>

#include "api/handles.h"
#include "family_text.h"
#include "parsing.h"
#include "pepa_shared.h"
#include "deriving.h"
#include "run_together.h"

enum { MOST_VALUES = 512 };

typedef struct {
    PepaStatus status;
    PepaError err;
    PepaTransientInfo info;
    double value[MOST_VALUES];
} Part;

typedef struct {
    const char *text, *measures;
    PepaTransient at;
    bool rows;
    int (*progress)(void *user, const PepaProgress *now); /* of the last process */
    Part alone, part[MOST_TOGETHER];
} Question;

static PepaSettings settings(PepaExplore explore)
{
    PepaSettings set = {0};
    set.derive.explore = explore;
    set.solve.tolerance = 1e-12;
    return set;
}

static PepaMeasures *measures_of(const Question *q, PepaModel *model)
{
    PepaMeasures *m = NULL;
    cr_assert_eq(pepa_measures_new(&m, model, NULL), PEPA_OK);
    cr_assert_eq(pepa_measures_add(m, "m", q->measures, strlen(q->measures), NULL, NULL, NULL),
                 PEPA_OK);
    cr_assert((size_t)pepa_measures_count(m) * q->at.count <= MOST_VALUES);
    return m;
}

static void solve_alone(Question *q)
{
    Part *a = &q->alone;
    PepaChain *chain = NULL;
    PepaModel *model = parse(q->text);
    PepaMeasures *measures = measures_of(q, model);
    const PepaSettings set = settings(q->rows ? PEPA_EXPLICIT : PEPA_SYMBOLIC);
    *a = (Part){0};
    cr_assert_eq(pepa_chain_derive(&chain, model, &set, &a->err), PEPA_OK, "%s", a->err.message);
    a->status = pepa_transient_measures(chain, measures, &q->at, &set, a->value, &a->info, &a->err);
    pepa_chain_free(chain);
    pepa_measures_free(measures);
    pepa_model_free(model);
}

/* Rows are spread, however few there are. */
static void derive_part(const Question *q, const PepaProcesses *p, PepaModel *model, PepaChain *out)
{
    PepaSettings set = settings(q->rows ? PEPA_EXPLICIT : PEPA_SYMBOLIC);
    DiagList diags = {0};
    PepaError err = {0};
    *out = (PepaChain){.owner = model};
    set.derive.max_states = 1000000;
    const PepaStatus status =
        q->rows ? derive_parts(&out->chain, model->model, p, p->count % 2 == 0, &set, &diags, &err)
                : chain_derive(&out->chain, model->model, &set, &diags, &err);
    cr_assert_eq(status, PEPA_OK, "%s", err.message);
    cr_assert_eq(local_ids_new(&out->ids, out->chain->system, NULL), PEPA_OK);
    diag_free(&diags);
}

static void solve_part(const PepaProcesses *p, void *user)
{
    Question *q = user;
    Part *a = &q->part[p->rank];
    PepaModel *model = parse(q->text);
    PepaMeasures *measures = measures_of(q, model);
    PepaSettings set = settings(PEPA_EXPLORE_AUTO);
    PepaChain chain;
    derive_part(q, p, model, &chain);
    *a = (Part){0};
    set.progress = p->rank == p->count - 1 ? q->progress : NULL;
    a->status =
        pepa_shared_transient(&chain, p, measures, &q->at, &set, a->value, &a->info, &a->err);
    chain_free(chain.chain);
    local_ids_free(&chain.ids);
    pepa_measures_free(measures);
    pepa_model_free(model);
}

static void compare(Question *q, int32_t count)
{
    run_together(count, solve_part, q);
    for (int32_t k = 0; k < count; k++) {
        const Part *a = &q->part[k], *b = &q->alone;
        cr_assert_eq(a->status, PEPA_OK, "%d of %d: %s", (int)k, (int)count, a->err.message);
        for (int i = 0; i < MOST_VALUES; i++)
            cr_assert(fabs(a->value[i] - b->value[i]) <= 1e-10 * (1 + fabs(b->value[i])) ||
                          (isnan(a->value[i]) && isnan(b->value[i])),
                      "%d with %d processes: %.17g, not %.17g", i, (int)count, a->value[i],
                      b->value[i]);
        cr_expect(a->info.steps > 0 || b->info.steps == 0);
        cr_expect(a->info.error_bound < 1e-9 || a->info.error_bound < 2 * b->info.error_bound);
        cr_expect_float_eq(a->info.rate, b->info.rate, 1e-9 * b->info.rate);
        cr_expect_eq(a->info.solves, 0);
    }
}

static void agree_by(bool rows, const char *text, const char *measures, PepaTransient at)
{
    static Question q;
    q = (Question){.text = text, .measures = measures, .at = at, .rows = rows};
    solve_alone(&q);
    cr_assert_eq(q.alone.status, PEPA_OK, "%s", q.alone.err.message);
    for (int32_t count = 1; count <= 4; count++)
        compare(&q, count);
    compare(&q, MOST_TOGETHER);
}

static void agree(const char *text, const char *measures, PepaTransient at)
{
    agree_by(false, text, measures, at);
    agree_by(true, text, measures, at);
}

static const double near[] = {0, 0.1, 0.2, 0.3, 0.5, 0.7, 1}, far[] = {0.5, 40};
static const PepaTransient dense = {.time = near, .count = 7}, sparse = {.time = far, .count = 2};

Test(shared_transient, one_sequence_of_steps)
{
    agree(family_text("pipeline 5"), "throughput:move3\nutilisation:Stage2\npopulation:Stage1",
          dense);
    agree(family_text("kanban 2"), "response:Y1\npopulation:Z3 / 2", dense);
}

Test(shared_transient, from_each_time_to_the_next)
{
    agree(family_text("polling 5"), "probability:{Full1 == 1}", sparse);
    agree(family_text("clients 12"), "throughput:request\nresponse:ClientWait", sparse);
}

Test(shared_transient, accumulated)
{
    PepaTransient at = dense;
    at.accumulated = 1;
    agree(family_text("tandem 6"), "throughput:route", at);
    at = sparse;
    at.accumulated = 1;
    agree(family_text("tandem 6"), "throughput:route", at);
}

/* Fewer states than processes; nothing happens any more; states without time. */
Test(shared_transient, few_states)
{
    agree("P = (a, 1).Q; Q = (b, 2).P; R = (c, 1).S; S = (d, 1).R; P || R",
          "population:P\nresponse:Q", dense);
    agree_by(true, "P = (a, 1).Q; Q = (b, T).P; R = (c, 1).R; P <b> R", "population:Q", sparse);
    agree_by(true, "P = (a, 1).P; R = (b, 1).R; P <a, b> R", "population:P", dense);
}

/* Which is drawn before anything takes time. */
Test(shared_transient, several_starts)
{
    PepaTransient at = sparse;
    at.accumulated = 1;
    const char *text = "P = (go, 3 : immediate).Q + (no, immediate).R; Q = (b, 1).R; R = (c, 1).Q;"
                       "P[3]";
    agree_by(true, text, "population:Q\nthroughput:b", dense);
    agree_by(true, text, "population:Q", at);
}

/* ---- errors ---------------------------------------------------------------------------------- */

static void fails(Question q, PepaStatus status, const char *says)
{
    static Question now;
    now = q;
    run_together(3, solve_part, &now);
    for (int k = 0; k < 3; k++) {
        cr_expect_eq(now.part[k].status, status, "%d: %d", k, (int)now.part[k].status);
        cr_expect(strstr(now.part[k].err.message, says), "%s", now.part[k].err.message);
    }
}

Test(shared_transient, what_is_wrong)
{
    static const double back[] = {2, 1}, long_ago[] = {1e15};
    const char *two = "P = (a, 1).Q; Q = (b, 2).P; P[2] <a> (P || P)";
    for (int rows = 0; rows < 2; rows++) {
        Question q = {.text = two, .measures = "population:P", .rows = rows != 0};
        q.at = (PepaTransient){.time = back, .count = 2};
        fails(q, PEPA_EARG, "ascend");
        q.at = (PepaTransient){.time = long_ago, .count = 1};
        fails(q, PEPA_ELIMIT, "jumps");
    }
}

static int stop(void *user, const PepaProgress *progress)
{
    (void)user;
    (void)progress;
    return 1;
}

/* One wants to stop: all do. */
Test(shared_transient, cancelled)
{
    static const double late[] = {1e7};
    for (int rows = 0; rows < 2; rows++)
        fails((Question){.text = family_text("polling 11"),
                         .measures = "throughput:serve1",
                         .at = {.time = late, .count = 1},
                         .rows = rows != 0,
                         .progress = stop},
              PEPA_ECANCEL, "cancel");
}

Test(shared_transient, null)
{
    PepaError err;
    cr_expect_eq(pepa_shared_transient(NULL, NULL, NULL, NULL, NULL, NULL, NULL, &err), PEPA_EARG);
}
