/* Solutions by rows that are kept in lexicographic order, and gone on with by other numbers of
 * processes: against the states of one process, sorted. */
#include "measure/keep.h"

#include <math.h>
#include <stdatomic.h>

#include "families.h"
#include "family_text.h"
#include "spreading.h"
#include "support.h"

enum { MOST = 6000 };

/* Processes write it together. */
typedef struct {
    double kept[MOST + 1]; /* the last one: in which order */
    int64_t states;
    bool unreadable;
    atomic_int begun;
    atomic_llong entries; /* in all pieces */
} Shelf;

static int always(void *user, double seconds)
{
    (void)user;
    return seconds >= 0;
}

static int begin(void *user, const PepaProgress *now)
{
    Shelf *s = user;
    (void)now;
    atomic_fetch_add(&s->begun, 1);
    return 0;
}

static int piece(void *user, int64_t first, int64_t count, const double *pi)
{
    Shelf *s = user;
    cr_assert(first >= 0 && count > 0 && first + count <= s->states + 1);
    memcpy(s->kept + first, pi, (size_t)count * sizeof *pi);
    atomic_fetch_add(&s->entries, count);
    return 0;
}

static int end(void *user, int ok)
{
    (void)user;
    cr_assert(ok);
    return 0;
}

static int load(void *user, int64_t first, int64_t count, double *pi)
{
    const Shelf *s = user;
    cr_assert(first >= 0 && first + count <= s->states + 1);
    memcpy(pi, s->kept + first, (size_t)count * sizeof *pi);
    return s->unreadable;
}

static PepaKeeping keeping_on(Shelf *shelf)
{
    return (PepaKeeping){.user = shelf,
                         .due = always,
                         .begin = begin,
                         .piece = piece,
                         .end = end,
                         .portable = 1};
}

/* One process: its chain, and its answer, found without keeping. */
typedef struct {
    Chain *chain;
    LongRun *run;
    PepaSettings set;
    double pi[MOST];
    PepaInfo info;
} Alone;

static void solve_alone(Alone *a, const PepaKeeping *keeping)
{
    PepaError err;
    PepaSettings set = a->set;
    set.solve.keeping = keeping;
    cr_assert_eq(longrun_solve(a->run, &a->chain->now, &set, a->pi, &a->info, &err), PEPA_OK, "%s",
                 err.message);
}

static void alone_new(Alone *a, const Model *model, PepaSettings set)
{
    DiagList diags = {0};
    PepaError err;
    *a = (Alone){.set = set};
    a->set.derive.explore = PEPA_EXPLICIT;
    cr_assert_eq(chain_derive(&a->chain, model, &a->set, &diags, &err), PEPA_OK);
    cr_assert_leq(a->chain->state_count, MOST);
    cr_assert_eq(longrun_new(&a->run, a->chain, steady_form(a->chain), &err), PEPA_OK);
    diag_free(&diags);
    solve_alone(a, NULL);
}

static void alone_free(Alone *a)
{
    longrun_free(a->run);
    chain_free(a->chain);
}

/* What is kept is near the answer, each number at the place of its state. */
static void check_order(const Alone *a, const Shelf *s, const char *who)
{
    static int32_t order[MOST];
    const int32_t n = (int32_t)a->chain->state_count;
    double sum = 0, off = 0;
    cr_assert(s->kept[n] == 0 || s->kept[n] == 1);
    for (int32_t i = 0; i < n; i++)
        order[i] = i;
    cr_assert(states_sort(a->chain->system, a->chain->states.state, s->kept[n] != 0, order, n));
    for (int32_t k = 0; k < n; k++)
        sum += s->kept[k];
    for (int32_t k = 0; k < n; k++)
        off += fabs(s->kept[k] / sum - a->pi[order[k]]);
    cr_expect_lt(off, 1e-6, "%s: %g", who, off);
}

static void same(const SpreadQuestion *q, int32_t count)
{
    for (int32_t k = 0; k < count; k++) {
        const SpreadAnswer *a = &q->part[k];
        cr_assert_eq(a->status, PEPA_OK, "%s", a->err.message);
        for (int32_t i = 0; i < SPREAD_ROOM; i++)
            cr_assert_lt(fabs(a->flow[i] - q->alone.flow[i]), 1e-8 * (1e-3 + q->alone.flow[i]));
    }
}

static void keep_and_go_on(const char *family, PepaMethod method)
{
    static SpreadQuestion q;
    static Shelf shelf;
    static Alone a;
    PepaKeeping keeping = keeping_on(&shelf);
    q = (SpreadQuestion){.model = model_of(family_text(family)),
                         .set = settings_for_tests(),
                         .poor = -1};
    spread_alone(&q);
    q.set.solve.method = method;
    alone_new(&a, q.model, q.set);
    for (int32_t count = 0; count <= 4; count++) { /* 0: one process, without others */
        const int32_t all = count > 0 ? count : 1;
        Alone again = a;
        shelf = (Shelf){.states = a.chain->state_count};
        keeping.load = NULL;
        q.set.solve.keeping = &keeping;
        if (count == 0)
            solve_alone(&again, &keeping);
        else
            run_together(count, spread_part, &q);
        const int64_t iterations = count == 0 ? again.info.iterations : q.part[0].info.iterations;
        cr_assert(shelf.begun > 0 && shelf.begun % all == 0);
        cr_assert_eq(shelf.entries, shelf.begun / all * (shelf.states + 1));
        check_order(&a, &shelf, family);
        keeping.load = load;
        keeping.due = always;
        const int32_t others = count % 4 + 1;
        solve_alone(&again, &keeping);
        cr_expect_lt(again.info.iterations, a.info.iterations);
        check_order(&a, &shelf, "alone again");
        run_together(others, spread_part, &q);
        same(&q, others);
        check_order(&a, &shelf, "others again");
        cr_expect_lt(q.part[0].info.iterations, iterations);
    }
    alone_free(&a);
    model_free((Model *)q.model);
}

Test(keep, any_number_of_processes)
{
    static const char *const families[] = {"kanban 2", "pipeline 7", "tandem 12", "polling 6",
                                           "cluster 8"};
    for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
        keep_and_go_on(families[i], PEPA_GAUSS_SEIDEL);
        keep_and_go_on(families[i], PEPA_BICGSTAB);
    }
}

/* All processes say that it cannot be read, also if only its order makes no sense. */
Test(keep, what_cannot_be_read)
{
    static SpreadQuestion q;
    static Shelf shelf;
    PepaKeeping keeping = keeping_on(&shelf);
    q = (SpreadQuestion){.model = model_of(family_text("pipeline 4")),
                         .set = settings_for_tests(),
                         .poor = -1};
    q.set.solve.keeping = &keeping;
    keeping.load = load;
    for (int bad = 0; bad < 3; bad++) {
        static const double orders[] = {0, 2, NAN};
        shelf = (Shelf){.states = 81, .unreadable = bad == 0};
        shelf.kept[81] = orders[bad];
        run_together(3, spread_part, &q);
        for (int32_t k = 0; k < 3; k++) {
            cr_expect_eq(q.part[k].status, PEPA_EIO);
            cr_expect(strstr(q.part[k].err.message, "cannot be read"));
        }
    }
    model_free((Model *)q.model);
}
