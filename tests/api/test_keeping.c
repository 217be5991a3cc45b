/* Long solutions that are kept now and then, and gone on with: alone and by processes. */
#include "pepa_shared.h"

#include "api/keeping.h"
#include "run_together.h"

/* The same bits as without; what was kept last is close to the answer, and it takes few sweeps from
 * there. */
static void keep_and_go_on(const char *family, PepaMethod method)
{
    static Shelf shelf;
    PepaModel *model;
    PepaChain *chain = chain_of(&model, family_text(family), PEPA_SYMBOLIC);
    const int64_t n = pepa_chain_info(chain).states;
    PepaSettings set = settings(PEPA_SYMBOLIC, 1);
    PepaKeeping keeping = keeping_on(&shelf);
    PepaInfo without, with, then;
    double *pi = room((size_t)n, sizeof *pi), *other = room((size_t)n, sizeof *pi);
    memset(&shelf, 0, sizeof shelf);
    shelf.states = n;
    set.solve.method = method;
    cr_assert_eq(pepa_solve_steady(chain, &set, pi, &without, NULL), PEPA_OK);
    set.solve.keeping = &keeping;
    cr_assert_eq(pepa_solve_steady(chain, &set, other, &with, NULL), PEPA_OK);
    cr_expect_eq(memcmp(pi, other, (size_t)n * sizeof *pi), 0);
    cr_expect(shelf.begun > 0 && shelf.ok && shelf.kept == n, "%d times, %d states", shelf.begun,
              (int)shelf.kept);
    cr_expect(shelf.count > 0 && shelf.count <= with.iterations);
    keeping.load = load;
    keeping.due = always;
    cr_assert_eq(pepa_solve_steady(chain, &set, other, &then, NULL), PEPA_OK);
    cr_expect_lt(apart(pi, other, n), 1e-8);
    cr_expect_lt(then.iterations, with.iterations, "%s: %d, not less than %d", family,
                 (int)then.iterations, (int)with.iterations);
    free(pi);
    free(other);
    pepa_chain_free(chain);
    pepa_model_free(model);
}

Test(keeping, going_on)
{
    keep_and_go_on("kanban 2", PEPA_AUTO);
    keep_and_go_on("pipeline 8", PEPA_GAUSS_SEIDEL);
    keep_and_go_on("tandem 12", PEPA_SOR);
}

/* What is not there cannot be called. */
Test(keeping, wrong_arguments)
{
    static Shelf shelf;
    PepaModel *model;
    PepaChain *chain = chain_of(&model, family_text("tandem 3"), PEPA_EXPLICIT);
    PepaSettings set = settings(PEPA_EXPLICIT, 1);
    double *pi = room((size_t)pepa_chain_info(chain).states, sizeof *pi);
    for (int k = 0; k < 5; k++) {
        PepaKeeping keeping = keeping_on(&shelf);
        PepaError err = {0};
        keeping.due = k == 0 ? NULL : keeping.due;
        keeping.begin = k == 1 ? NULL : keeping.begin;
        keeping.piece = k == 2 ? NULL : keeping.piece;
        keeping.end = k == 3 ? NULL : keeping.end;
        keeping.reserved[0] = k == 4;
        set.solve.keeping = &keeping;
        cr_expect_eq(pepa_solve_steady(chain, &set, pi, NULL, &err), PEPA_EARG, "%d", k);
        cr_expect_str_eq(err.message, k == 4 ? "settings: reserved words of keeping must be 0"
                                             : "settings: keeping needs due, begin, piece and end");
    }
    free(pi);
    pepa_chain_free(chain);
    pepa_model_free(model);
}

/* Without a place to keep it the solution is the same; without what was kept there is none. */
Test(keeping, failures)
{
    static Shelf shelf;
    PepaModel *model;
    PepaError err;
    PepaChain *chain = chain_of(&model, family_text("kanban 2"), PEPA_SYMBOLIC);
    const int64_t n = pepa_chain_info(chain).states;
    PepaSettings set = settings(PEPA_SYMBOLIC, 1);
    PepaKeeping keeping = keeping_on(&shelf);
    double *pi = room((size_t)n, sizeof *pi), *other = room((size_t)n, sizeof *pi);
    cr_assert_eq(pepa_solve_steady(chain, &set, pi, NULL, NULL), PEPA_OK);
    set.solve.keeping = &keeping;
    for (int fails = 1; fails <= 2; fails++) {
        memset(&shelf, 0, sizeof shelf);
        shelf.states = n;
        shelf.fails = fails;
        cr_assert_eq(pepa_solve_steady(chain, &set, other, NULL, NULL), PEPA_OK);
        cr_expect_eq(memcmp(pi, other, (size_t)n * sizeof *pi), 0);
        cr_expect(shelf.begun > 0 && !shelf.ok);
        cr_expect_eq(shelf.pieces, fails == 1 ? 0 : shelf.begun);
    }
    shelf.fails = 3;
    keeping.load = load;
    cr_expect_eq(pepa_solve_steady(chain, &set, other, NULL, &err), PEPA_EIO);
    cr_expect(strstr(err.message, "cannot be read"));
    free(pi);
    free(other);
    pepa_chain_free(chain);
    pepa_model_free(model);
}

/* ---- by processes ---------------------------------------------------------------------------- */

typedef struct {
    const PepaChain *chain;
    bool loads;
    int fails;    /* of process 1 */
    Shelf *shelf; /* of all processes; what it counts is only looked at with one */
    PepaStatus status[MOST_TOGETHER];
    PepaInfo info[MOST_TOGETHER];
    double sum[MOST_TOGETHER];
} Work3;

typedef struct {
    Work3 *work;
    int32_t rank;
} Own;

static int share_begin(void *user, const PepaProgress *now)
{
    Own *own = user;
    (void)now;
    return own->work->fails == 1 && own->rank == 1;
}

static int share_piece(void *user, int64_t first, int64_t count, const double *pi)
{
    Own *own = user;
    (void)piece(own->work->shelf, first, count, pi);
    return 0;
}

static int share_end(void *user, int ok)
{
    Own *own = user;
    cr_assert_eq(ok == 0, own->work->fails == 1 && own->rank == 1);
    return 0;
}

static int share_load(void *user, int64_t first, int64_t count, double *pi)
{
    Own *own = user;
    (void)load(own->work->shelf, first, count, pi);
    return own->work->fails == 3 && own->rank == 1;
}

/* The second process alone says that it is time: then it is for all. */
static int second(void *user, double seconds)
{
    const Own *own = user;
    return own->rank == 1 && seconds >= 0;
}

static void solve_part(const PepaProcesses *p, void *user)
{
    Work3 *w = user;
    Own own = {w, p->rank};
    const PepaKeeping keeping = {.user = &own,
                                 .due = second,
                                 .begin = share_begin,
                                 .piece = share_piece,
                                 .end = share_end,
                                 .load = w->loads ? share_load : NULL};
    PepaSettings set = settings(PEPA_SYMBOLIC, 1);
    PepaShared *shared = NULL;
    set.threads = 1;
    set.solve.keeping = &keeping;
    w->status[p->rank] = pepa_shared_solve(&shared, w->chain, p, &set, &w->info[p->rank], NULL);
    w->sum[p->rank] = 0;
    for (int64_t i = 0; shared && i < pepa_shared_part(shared).states; i++)
        w->sum[p->rank] += pepa_shared_part(shared).pi[i];
    pepa_shared_free(shared);
}

/* What 3 processes keep, 2 go on from, and one. */
Test(keeping, other_numbers_of_processes)
{
    static Shelf shelf;
    static Work3 w;
    PepaModel *model;
    PepaChain *chain = chain_of(&model, family_text("kanban 2"), PEPA_SYMBOLIC);
    w.chain = chain;
    w.shelf = &shelf;
    shelf.states = pepa_chain_info(chain).states;
    run_together(3, solve_part, &w);
    const int64_t sweeps = w.info[0].iterations;
    cr_assert_eq(w.status[0], PEPA_OK);
    cr_expect_eq(shelf.kept % shelf.states, 0);
    cr_expect_gt(shelf.kept, 0);
    w.loads = true;
    for (int32_t count = 3; count >= 2; count--) {
        run_together(count, solve_part, &w);
        double sum = 0;
        for (int32_t k = 0; k < count; k++) {
            cr_assert_eq(w.status[k], PEPA_OK);
            cr_expect_lt(w.info[k].iterations, sweeps);
            sum += w.sum[k];
        }
        cr_expect_float_eq(sum, 1, 1e-12);
    }
    w.fails = 1;
    run_together(3, solve_part, &w);
    for (int32_t k = 0; k < 3; k++)
        cr_expect_eq(w.status[k], PEPA_OK);
    w.fails = 3;
    run_together(3, solve_part, &w);
    for (int32_t k = 0; k < 3; k++)
        cr_expect_eq(w.status[k], PEPA_EIO);
    pepa_chain_free(chain);
    pepa_model_free(model);
}

/* Sweeps are so slow that the matrix is written by rows, whose vectors are in another order and are flows: what is kept
 * are probabilities, near to the answer. */
Test(keeping, processes_by_rows)
{
    static Shelf shelf;
    static Work3 w;
    PepaModel *model;
    PepaChain *chain = chain_of(&model, bench_text("structures/multirate.awk 20"), PEPA_SYMBOLIC);
    const int64_t n = pepa_chain_info(chain).states;
    const PepaSettings set = settings(PEPA_SYMBOLIC, 1);
    double *pi = room((size_t)n, sizeof *pi);
    w = (Work3){.chain = chain, .shelf = &shelf};
    shelf.states = n;
    run_together(3, solve_part, &w);
    cr_assert_eq(w.status[0], PEPA_OK);
    cr_expect_str_eq(w.info[0].matrix, "explicit");
    cr_assert_eq(pepa_solve_steady(chain, &set, pi, NULL, NULL), PEPA_OK);
    cr_expect_lt(apart(pi, shelf.pi, n), 1e-4, "%g", apart(pi, shelf.pi, n));
    w.loads = true;
    run_together(2, solve_part, &w);
    cr_expect_eq(w.status[1], PEPA_OK);
    cr_expect_float_eq(w.sum[0] + w.sum[1], 1, 1e-12);
    free(pi);
    pepa_chain_free(chain);
    pepa_model_free(model);
}
