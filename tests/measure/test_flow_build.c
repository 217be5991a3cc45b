#include "measure/flow_build.h"
#include "measure/blocks_build.h"
#include "measure/flow_order.h"
#include "diagrams.h"
#include "families.h"
#include "support.h"

#include <math.h>
#include <string.h>

/* The jump chain transposed: parallel transitions add up, self-loops are left out. */
Test(flow_build, transposes)
{
    Derived d = derive("P = (a, 1).Q + (b, 2).Q + (c, 1).R + (e, 9).P; Q = (a, 5).R;\n"
                       "R = (b, 1).P + (c, 3).Q; P",
                       1);
    int32_t order[] = {2, 0, 1}, place[] = {1, 2, 0}; /* R, P, Q */
    FlowOwner f = {0};
    cr_assert_eq(flow_build(&f, d.chain, order, 3, place, NULL), PEPA_OK);
    cr_assert_eq(flow_fill(&f, PEPA_MATRIX_AUTO, &(Control){0}, d.chain, d.chain->now.term, order,
                           place, NULL),
                 PEPA_OK);
    static const int64_t row[] = {0, 2, 3, 5};
    static const int32_t col[] = {1, 2, 0, 0, 1};
    static const double val[] = {0.25, 1, 0.25, 0.75, 0.75}, exit[] = {4, 4, 5};
    for (int i = 0; i < 4; i++)
        cr_assert_eq(f.row[i], row[i]);
    for (int k = 0; k < 5; k++) {
        cr_assert_eq(f.col[k], col[k]);
        cr_assert_float_eq(f.val[k], val[k], 1e-16);
    }
    for (int i = 0; i < 3; i++)
        cr_assert_eq(f.exit[i], exit[i]);
    /* compact, explicit and compact again, in the same rows */
    for (int again = 0; again < 3; again++) {
        PepaMatrixForm form = again == 1 ? PEPA_MATRIX_EXPLICIT : PEPA_MATRIX_COMPACT;
        cr_assert_eq(flow_fill(&f, form, &(Control){0}, d.chain, d.chain->now.term, order, place,
                               NULL),
                     PEPA_OK);
        cr_assert((f.val == NULL) == (form == PEPA_MATRIX_COMPACT));
        for (int k = 0; k < 5; k++)
            cr_assert_float_eq(flow_get(&f, k), val[k], 1e-16);
    }
    cr_assert_eq(f.chances.count, 3, "0.25, 1 and 0.75");
    flow_free(&f);
    derived_free(&d);
}

/* Ways out of the subset count as exits, but have no entry. */
Test(flow_build, subset)
{
    Derived d = derive("P = (a, 1).Q + (b, 3).Stop; Q = (a, 5).P; P", 1);
    int32_t order[] = {0, 1}, place[] = {0, 1, -1};
    FlowOwner f = {0};
    if (d.chain->row[1] == d.chain->row[2]) { /* Stop was found before Q */
        order[1] = 2;
        place[1] = -1;
        place[2] = 1;
    }
    cr_assert_eq(flow_build(&f, d.chain, order, 2, place, NULL), PEPA_OK);
    cr_assert_eq(flow_fill(&f, PEPA_MATRIX_AUTO, &(Control){0}, d.chain, d.chain->now.term, order,
                           place, NULL),
                 PEPA_OK);
    cr_assert_eq(f.row[2], 2);
    cr_assert_eq(f.exit[0], 4);
    cr_assert_eq(f.val[f.row[1]], 0.25);
    cr_assert_eq(f.val[f.row[0]], 1);
    flow_free(&f);
    derived_free(&d);
}

/* Entry k is `user` values from entry k - 1, in turn. */
static PepaStatus fill_in_turn(FlowOwner *f, Monitor *monitor, void *user)
{
    (void)monitor;
    const int64_t *different = user;
    for (int64_t k = 0; k < f->row[f->n]; k++) {
        f->col[k] = 0;
        if (!flow_set(f, k, 1 / (1 + (double)(k % *different))))
            return PEPA_ELIMIT;
    }
    return PEPA_OK;
}

/* Many entries: compact as long as the values can be told apart by 16 bits. */
Test(flow_build, too_many_values)
{
    static int64_t row[] = {0, 1200000};
    int64_t different = MOST_CHANCES, more = MOST_CHANCES + 1;
    FlowOwner f = {.n = 1, .row = row};
    PepaError err;
    cr_assert_eq(flow_entries(&f, PEPA_MATRIX_AUTO, &(Control){0}, fill_in_turn, &different, &err),
                 PEPA_OK);
    cr_assert(f.code && !f.val);
    cr_assert_eq(f.chances.count, MOST_CHANCES);
    cr_assert_eq(flow_get(&f, MOST_CHANCES + 6), 1.0 / 7);
    cr_assert_eq(flow_entries(&f, PEPA_MATRIX_COMPACT, &(Control){0}, fill_in_turn, &more, &err),
                 PEPA_ELIMIT);
    cr_assert(strstr(err.message, "65536 different"));
    cr_assert_eq(flow_entries(&f, PEPA_MATRIX_AUTO, &(Control){0}, fill_in_turn, &more, &err),
                 PEPA_OK);
    cr_assert(f.val && !f.code);
    cr_assert_eq(flow_get(&f, MOST_CHANCES), 1.0 / (MOST_CHANCES + 1));
    /* 7.2 MB are enough for compact rows, not for explicit ones */
    cr_assert_eq(flow_entries(&f, PEPA_MATRIX_AUTO, &(Control){.memory = 8000000}, fill_in_turn,
                              &different, &err),
                 PEPA_OK);
    cr_assert_eq(flow_entries(&f, PEPA_MATRIX_AUTO, &(Control){.memory = 8000000}, fill_in_turn,
                              &more, &err),
                 PEPA_ELIMIT);
    cr_assert(err.limit == PEPA_LIMIT_MEMORY, "%s", err.message);
    f.row = NULL;
    flow_free(&f);
}

/* No number is the same as another: NaN neither, which is equal to none. */
Test(flow_build, odd_values)
{
    Chances c;
    const double odd[] = {0, 5e-324, -1, INFINITY, NAN, 1e-300, 1};
    cr_assert(chances_init(&c));
    for (int again = 0; again < 2; again++)
        for (int k = 0; k < 7; k++) {
            int32_t place = chances_find(&c, odd[k]);
            cr_assert_geq(place, 0);
            cr_assert(memcmp(&c.value[place], &odd[k], sizeof *odd) == 0);
        }
    cr_assert_eq(c.count, 8);
    chances_close(&c);
    chances_free(&c);
}

/* Stops at the call that `user` counts down to. */
static int stop_at(void *user, const PepaProgress *now)
{
    (void)now;
    return --*(int *)user == 0;
}

/* 2^17 states, and 17 transitions from each. */
enum { COPIES = 17 };
static const char independent[] =
    "P = (a, 1).Q; Q = (b, 5).P; P || P || P || P || P || P || P || P || P ||\n"
    "P || P || P || P || P || P || P || P";

/* A large matrix is made with calls of the progress callback, which can stop it; the next attempt
 * succeeds. */
Test(flow_build, cancelled)
{
    enum { STATES = 1 << COPIES };
    Derived d = derive(independent, 0);
    int32_t *order = twice_room(STATES, sizeof *order);
    int calls;
    FlowOwner f = {0};
    PepaError err;
    Control control = {.progress = stop_at, .user = &calls};
    cr_assert_eq(d.chain->state_count, STATES);
    for (int32_t i = 0; i < STATES; i++)
        order[i] = i;
    cr_assert_eq(flow_build(&f, d.chain, order, STATES, order, NULL), PEPA_OK);
    for (int compact = 0; compact < 2; compact++) {
        PepaMatrixForm form = compact ? PEPA_MATRIX_COMPACT : PEPA_MATRIX_EXPLICIT;
        calls = 1;
        cr_assert_eq(flow_fill(&f, form, &control, d.chain, d.chain->now.term, order, order, &err),
                     PEPA_ECANCEL);
        cr_assert_eq(calls, 0);
        cr_assert_eq(flow_fill(&f, form, &control, d.chain, d.chain->now.term, order, order, &err),
                     PEPA_OK);
        cr_assert_lt(calls, 0, "called again");
        cr_assert_eq(f.row[1], COPIES, "the first state is reached by every copy's b");
        cr_assert_float_eq(flow_get(&f, 0), 5.0 / (COPIES - 1 + 5), 1e-16);
    }
    flow_free(&f);
    free(order);
    derived_free(&d);
}

/* The same of a matrix of blocks: it is made block by block. */
Test(flow_build, cancelled_from_blocks)
{
    Model *model = model_of(independent);
    Twice t;
    PepaError err;
    Blocks blocks;
    FlowOwner f = {0};
    int calls = 1;
    Control control = {.progress = stop_at, .user = &calls};
    twice_new(&t, model, 0, 1 << 9, 1000000);
    cr_assert_eq(blocks_build(&blocks, t.diagram, t.as_sets.now.term, &err), PEPA_OK);
    cr_assert_eq(flow_from_blocks(&f, PEPA_MATRIX_AUTO, &control, &blocks, &err), PEPA_ECANCEL);
    cr_assert_eq(calls, 0);
    cr_assert(!f.row && !f.col, "nothing is left");
    cr_assert_eq(flow_from_blocks(&f, PEPA_MATRIX_AUTO, &control, &blocks, &err), PEPA_OK);
    cr_assert_lt(calls, 0, "called again");
    flow_free(&f);
    blocks_free(&blocks);
    twice_free(&t);
    model_free(model);
}

/* A walk round a ring, its rows shuffled: the search finds the way round, on which all jumps but
 * the last go forwards. */
Test(flow_order, finds_the_way_round)
{
    enum { N = 7 };
    Derived d = derive("P1 = (a, 1).P2; P2 = (a, 1).P3; P3 = (a, 1).P4; P4 = (a, 1).P5;\n"
                       "P5 = (a, 1).P6; P6 = (a, 1).P7; P7 = (a, 2).P1; P1",
                       1);
    static const int32_t order[N] = {3, 5, 0, 6, 2, 4, 1};
    int32_t place[N], *found = NULL;
    for (int32_t i = 0; i < N; i++)
        place[order[i]] = i;
    FlowOwner f = {0};
    ChosenOrder chosen;
    cr_assert_eq(flow_build(&f, d.chain, order, N, place, NULL), PEPA_OK);
    cr_assert_eq(flow_fill(&f, PEPA_MATRIX_AUTO, &(Control){0}, d.chain, d.chain->now.term, order,
                           place, NULL),
                 PEPA_OK);
    cr_assert_eq(flow_order_by_search(&f, place[0], 1, &found, &chosen), PEPA_OK);
    cr_assert(!found, "one byte is too little");
    cr_assert_eq(flow_order_by_search(&f, place[0], 0, &found, &chosen), PEPA_OK);
    cr_assert(found && chosen.by == PEPA_ORDER_FOUND && !chosen.reversed);
    cr_assert_float_eq(chosen.backward, 1.0 / N, 1e-15);
    for (int32_t i = 0; i < N; i++) {
        cr_expect_eq(order[found[i]], i);
        cr_expect(f.row[i] == i && f.col[i] == (i + N - 1) % N);
        cr_expect_eq(f.exit[i], i == N - 1 ? 2 : 1);
    }
    mem_free(found);
    flow_free(&f);
    derived_free(&d);
}
