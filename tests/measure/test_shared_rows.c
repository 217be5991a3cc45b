/* Chains by rows that processes have spread: the answers of one process. */
#include <math.h>

#include "families.h"
#include "family_text.h"
#include "measure/spread_order.h"
#include "spreading.h"
#include "support.h"

static void same(const double *a, const double *b, const char *what, int32_t count)
{
    for (int32_t i = 0; i < SPREAD_ROOM; i++)
        cr_assert(fabs(a[i] - b[i]) <= 1e-9 * (1e-3 + fabs(b[i])),
                  "%s %d with %d processes: %.17g, not %.17g", what, (int)i, (int)count, a[i],
                  b[i]);
}

static void compare(SpreadQuestion *q, int32_t count)
{
    int64_t states = 0;
    run_together_as(count, q->wanted, spread_part, q);
    for (int32_t k = 0; k < count; k++) {
        const SpreadAnswer *a = &q->part[k];
        cr_assert_eq(a->status, PEPA_OK, "%d of %d, %s: %s", (int)k, (int)count,
                     a->info.precondition, a->err.message);
        same(a->flow, q->alone.flow, "throughput", count);
        same(a->mean, q->alone.mean, "mean", count);
        same(a->inflow, q->alone.inflow, "inflow", count);
        cr_assert_eq(a->bottoms, q->alone.bottoms);
        same(a->probability, q->alone.probability, "probability", count);
        same(a->size, q->alone.size, "states", count);
        cr_assert_float_eq(a->weighed, q->alone.weighed, 1e-9 * q->alone.weighed);
        cr_assert_float_eq(a->squares, q->alone.squares, 1e-9 * q->alone.squares);
        cr_assert_leq(a->info.residual, q->set.solve.tolerance);
        if (a->info.iterations > 0)
            cr_assert_str_eq(a->info.matrix,
                             q->set.solve.matrix == PEPA_MATRIX_COMPACT ? "compact" : "explicit");
        cr_assert_eq(a->info.iterations, q->part[0].info.iterations);
        cr_assert_eq(a->states, q->alone.states);
        states += a->own;
    }
    cr_assert_eq(states, q->alone.states);
}

static void compare_all(SpreadQuestion *q)
{
    static const double wanted[] = {0.12, 0.58, 0.3};
    for (int32_t count = 1; count <= 4; count++)
        compare(q, count);
    compare(q, MOST_TOGETHER);
    q->wanted = wanted;
    compare(q, 3);
    q->wanted = NULL;
    for (int32_t k = 0; k < 3; k++) {
        const double all = (double)q->alone.states, part = wanted[k];
        cr_expect_lt(fabs((double)q->part[k].own - part * all), 5 * sqrt(part * (1 - part) * all),
                     "%d: %lld of %.0f", (int)k, (long long)q->part[k].own, all);
    }
}

static void agree_to(double tolerance, const char *text, PepaMethod method,
                     PepaPrecondition precondition, PepaMatrixForm form)
{
    static SpreadQuestion q;
    q = (SpreadQuestion){.model = model_of(text), .set = settings_for_tests(), .poor = -1};
    q.set.solve.tolerance = tolerance;
    q.set.solve.method = method;
    q.set.solve.precondition = precondition;
    q.set.solve.matrix = form;
    q.set.derive.max_states = 1000000;
    spread_alone(&q);
    cr_assert_eq(q.alone.status, PEPA_OK, "%s", q.alone.err.message);
    for (int in_runs = 0; in_runs < 2; in_runs++) {
        q.in_runs = in_runs != 0;
        compare_all(&q);
    }
    model_free((Model *)q.model);
}

static void agree(const char *text, PepaMethod method, PepaPrecondition precondition)
{
    agree_to(1e-13, text, method, precondition, PEPA_MATRIX_AUTO);
}

Test(shared_rows, families)
{
    static const char *const families[] = {"pipeline 6", "kanban 2",  "tandem 12",
                                           "polling 5",  "cluster 6", "clients 12"};
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        agree(family_text(families[i]), PEPA_AUTO, PEPA_PRECONDITION_AUTO);
}

typedef struct {
    const Model *model;
    int32_t n[3];
} Cut;

static void cut_again(const PepaProcesses *p, void *user)
{
    Cut *cut = user;
    Chain *chain = NULL;
    SpreadOrder order = {0};
    DiagList diags = {0};
    PepaSettings set = settings_for_tests();
    set.derive.max_states = 1000000;
    cr_assert_eq(derive_parts(&chain, cut->model, p, true, &set, &diags, NULL), PEPA_OK);
    cr_assert(chain->spread->in_runs);
    cr_assert_eq(spread_order_new(&order, chain, chain->now.term, true, NULL, p->part, NULL),
                 PEPA_OK);
    cut->n[p->rank] = order.n;
    spread_order_free(&order);
    chain_free(chain);
    diag_free(&diags);
}

/* Runs of unlike lengths are sorted, as checkpoints want it, into as long ones. */
Test(shared_rows, runs_that_are_cut_again)
{
    static const double wanted[] = {0.12, 0.58, 0.3};
    static const char *const families[] = {"pipeline 8", "kanban 2", "cluster 20"};
    for (size_t i = 0; i < sizeof families / sizeof *families; i++) {
        Cut cut = {.model = model_of(family_text(families[i]))};
        run_together_as(3, wanted, cut_again, &cut);
        const double all = cut.n[0] + cut.n[1] + cut.n[2];
        for (int32_t k = 0; k < 3; k++)
            cr_expect_float_eq(cut.n[k] / all, wanted[k], 0.01, "%s, %d: %d of %.0f", families[i],
                               (int)k, cut.n[k], all);
        model_free((Model *)cut.model);
    }
}

Test(shared_rows, methods)
{
    agree(family_text("pipeline 6"), PEPA_GAUSS_SEIDEL, PEPA_PRECONDITION_AUTO);
    for (PepaPrecondition k = PEPA_PRECONDITION_NONE; k < PEPA_PRECONDITION_MULTILEVEL; k++)
        agree_to(1e-12, family_text("tandem 8"), PEPA_BICGSTAB, k,
                 k % 2 == 0 ? PEPA_MATRIX_COMPACT : PEPA_MATRIX_EXPLICIT);
    agree_to(1e-13, family_text("kanban 2"), PEPA_GAUSS_SEIDEL, PEPA_PRECONDITION_AUTO,
             PEPA_MATRIX_COMPACT);
}

/* Several activities lead from one state to another; states without time; fewer states than processes. */
Test(shared_rows, few_states)
{
    agree("P = (a, 1).Q + (b, 2).Q; Q = (c, 3).P + (d, 1).Q; P[3]", PEPA_AUTO,
          PEPA_PRECONDITION_AUTO);
    agree("P = (a, 1).Q; Q = (go, 2 : immediate).P + (stay, immediate).R; R = (b, 3).P; P[4]",
          PEPA_AUTO, PEPA_PRECONDITION_AUTO);
    agree("P = (a, 1).Q; Q = (b, 2).P; P", PEPA_AUTO, PEPA_PRECONDITION_AUTO);
}

/* Before they come to where they stay: one component in the end, from one state or several. */
Test(shared_rows, states_that_are_left)
{
    agree("P = (a, 1).Q; Q = (b, 1).Q + (c, 1).R; R = (d, 1).Q; P[2]", PEPA_AUTO,
          PEPA_PRECONDITION_AUTO);
    agree("P = (go, immediate).Q + (no, immediate).R; Q = (b, 1).R; R = (c, 1).Q; P[2]", PEPA_AUTO,
          PEPA_PRECONDITION_AUTO);
    static const char begins[] =
        "W = (warm, 1).W1; W1 = (warm, 2).W2; W2 = (warm, 3).W + (begin, 0.5).X;\n"
        "X = (x, 1).Y; Y = (y, 2).Z; Z = (z, 3).X; A = (u, 1).B; B = (v, 2).C; C = (w, 3).A;\n"
        "W[2] || A[6]";
    agree(begins, PEPA_AUTO, PEPA_PRECONDITION_AUTO);
    agree(begins, PEPA_GAUSS_SEIDEL, PEPA_PRECONDITION_AUTO);
    agree_to(1e-12, begins, PEPA_BICGSTAB, PEPA_PRECONDITION_ILUT, PEPA_MATRIX_COMPACT);
    /* a long way */
    agree("P = (a, 1).P1; P1 = (a, 1).P2; P2 = (a, 1).P3; P3 = (a, 1).P4; P4 = (a, 1).P5;\n"
          "P5 = (a, 1).P6; P6 = (b, 1).P7; P7 = (c, 1).P6; P[6]",
          PEPA_AUTO, PEPA_PRECONDITION_AUTO);
}

/* ---- several bottom components --------------------------------------------------------------- */

/* The chain stops for good, or goes round in one state. */
Test(shared_rows, states_that_nothing_leaves)
{
    agree("P = (a, 1).Q; Q = (b, T).P; R = (b, 1).S; S = (c, 1).S; P <b> R", PEPA_AUTO,
          PEPA_PRECONDITION_AUTO);
    agree("P = (a, 1).P1; P1 = (a, 2).P1; P", PEPA_AUTO, PEPA_PRECONDITION_AUTO);
    agree("P = (a, 1).P1; P1 = (b, 2).P; P1 <b> P <a> P", PEPA_AUTO, PEPA_PRECONDITION_AUTO);
    agree("P = (a, 1).Stop + (b, 2).Gone; Stop = (s, 1).Stop; Gone = (g, 1).Gone; P[3]", PEPA_AUTO,
          PEPA_PRECONDITION_AUTO);
    agree("P = (a, 1).Q + (c, 1).R; Q = (b, 2).P; R = (c, 3).P; S = (c, 1).S1; S1 = (d, 1).S1;\n"
          "P[4] <c> S <d> P",
          PEPA_AUTO, PEPA_PRECONDITION_AUTO);
}

/* Components of different sizes, which are entered rarely and often, by each method and preconditioner. */
Test(shared_rows, one_of_several_components)
{
    static const char *const texts[] =
        {"P = (a, 1).Q + (b, 2).R + (s, 1).S; Q = (c, 1).Q1; Q1 = (d, 1).Q; R = (e, 2).R1;\n"
         "R1 = (f, 3).R; S = (t, 1).S; P",
         "P = (a, 1).Q + (b, 1).R; Q = (c, 1).Q2; Q2 = (c, 1).Q; R = (d, 2).R2; R2 = (d, 1).R; P",
         "P = (a, 1).P1 + (l, 0.5).L + (r, 0.001).R; P1 = (b, 2).P;\n"
         "L = (x, 1).L1; L1 = (y, 2).L2; L2 = (z, 3).L; R = (u, 1).R1; R1 = (v, 2).R;\n"
         "P[3] <l, r> P[2]",
         "P = (a, 1).P1 + (l, 0.5).L + (r, 2).R; P1 = (b, 2).P; L = (x, 1).L1; L1 = (y, 20).L;\n"
         "R = (u, 1).R1; R1 = (v, 0.2).R2; R2 = (w, 3).R; A = (e, 1).B; B = (f, 2).A;\n"
         "P[4] || A[3]"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        agree(texts[i], PEPA_AUTO, PEPA_PRECONDITION_AUTO);
        agree(texts[i], PEPA_GAUSS_SEIDEL, PEPA_PRECONDITION_AUTO);
        for (PepaPrecondition k = PEPA_PRECONDITION_NONE; k < PEPA_PRECONDITION_MULTILEVEL; k++)
            agree_to(1e-12, texts[i], PEPA_BICGSTAB, k,
                     k % 2 == 0 ? PEPA_MATRIX_COMPACT : PEPA_MATRIX_EXPLICIT);
    }
}

/* Which of them is drawn before anything takes time. */
Test(shared_rows, several_starts_and_components)
{
    agree("P = (go, 3 : immediate).Q + (no, immediate).R; Q = (a, 1).Q1 + (s, 2).R; Q1 = (b, "
          "1).Q1b;\n"
          "Q1b = (c, 1).Q1; R = (d, 1).R1; R1 = (e, 2).R; P[3]",
          PEPA_AUTO, PEPA_PRECONDITION_AUTO);
}

/* Gambler's ruin with k of n: ruin has probability ((q/p)^k - (q/p)^n) / (1 - (q/p)^n). */
Test(shared_rows, ruin_has_the_probability_of_the_closed_form)
{
    enum { GOAL = 60, HELD = 20 };
    static SpreadQuestion q;
    Text text = {0};
    text_add(&text, "W0 = (ruined, 1).W0; W%d = (rich, 1).W%d;\n", GOAL, GOAL);
    for (int i = 1; i < GOAL; i++)
        text_add(&text, "W%d = (win, 2).W%d + (lose, 2.1).W%d;\n", i, i + 1, i - 1);
    text_add(&text, "W%d", HELD);
    q = (SpreadQuestion){.model = model_of(text.text), .set = settings_for_tests(), .poor = -1};
    q.set.solve.tolerance = 1e-13;
    const double x = 2.1 / 2, ruin = (pow(x, HELD) - pow(x, GOAL)) / (1 - pow(x, GOAL));
    for (int32_t count = 1; count <= 4; count++) {
        run_together(count, spread_part, &q);
        for (int32_t k = 0; k < count; k++) {
            const SpreadAnswer *a = &q.part[k];
            cr_assert_eq(a->status, PEPA_OK, "%s", a->err.message);
            cr_assert_eq(a->bottoms, 2);
            cr_expect_float_eq(a->probability[0], ruin, 1e-11, "%.17g, not %.17g",
                               a->probability[0], ruin);
            cr_expect_float_eq(a->probability[1], 1 - ruin, 1e-11);
            cr_expect_str_eq(a->info.method, "none");
        }
    }
    model_free((Model *)q.model);
    text_free(&text);
}

/* Two queues in a row, with room enough: 0.8 0.2^n for the second, far below the tolerance as well.  A method that is
 * requested by name leaves them, and says so. */
Test(shared_rows, rare_states_have_digits)
{
    enum { ROOM = 70 };
    static SpreadQuestion q;
    Text text = {0};
    text_add(&text,
             "Q0 = (in, 1).Q1; Q%d = (move, 4).Q%d; R0 = (move, T).R1; R%d = (out, 5).R%d;\n", ROOM,
             ROOM - 1, ROOM, ROOM - 1);
    for (int i = 1; i < ROOM; i++)
        text_add(&text, "Q%d = (in, 1).Q%d + (move, 4).Q%d; R%d = (move, T).R%d + (out, 5).R%d;\n",
                 i, i + 1, i - 1, i, i + 1, i - 1);
    text_add(&text, "Q0 <move> R0");
    q = (SpreadQuestion){.model = model_of(text.text), .set = settings_for_tests(), .poor = -1};
    q.set.solve.tolerance = 1e-10;
    for (int32_t count = 2; count <= 3; count++)
        for (int named = 0; named < 2; named++) {
            q.set.solve.method = named ? PEPA_BICGSTAB : PEPA_AUTO;
            run_together(count, spread_part, &q);
            const SpreadAnswer *a = &q.part[0];
            const double *second = a->mean + ROOM + 1;
            double exact = 0.8, off = 0;
            cr_assert_eq(a->status, PEPA_OK, "%s", a->err.message);
            for (int n = 0; exact > 1e-16; n++, exact *= 0.2)
                off = fmax(off, fabs(second[n] - exact) / exact);
            cr_expect_eq(off > 1e-3, named, "%d, %s: %g", count, a->info.method, off);
            cr_expect(!named || strstr(a->info.caution, "hardly ever visited"), "%s",
                      a->info.caution);
        }
    model_free((Model *)q.model);
    text_free(&text);
}

/* Particles that each stay long in one of two wells: the residual does not show how they are divided between them, and one of the
 * processes goes on with all rows, unless it has no memory for these: then they are named. */
Test(shared_rows, groups_that_are_out_of_balance)
{
    static SpreadQuestion q;
    static const char *const text[] = {"structures/wells.awk 40 8 2", "families.awk kanban 1"};
    for (int k = 0; k < 2; k++) {
        q = (SpreadQuestion){.model = model_of(bench_text(text[k])),
                             .set = settings_for_tests(),
                             .poor = -1};
        q.set.solve.tolerance = 1e-10;
        double first = 0; /* the mean of a local state, by one process */
        for (int32_t count = 1; count <= 3; count++)
            for (int little = 0; little < 2; little++) {
                q.little = little ? 400000 : 0;
                run_together(count, spread_part, &q);
                const SpreadAnswer *a = &q.part[0];
                cr_assert_eq(a->status, PEPA_OK, "%s", a->err.message);
                cr_expect_eq(strstr(a->info.caution, "between some groups") != NULL,
                             k == 0 && little, "%s by %d: %s", text[k], count, a->info.caution);
                cr_expect_eq(strstr(a->info.trail, "one process went on") != NULL,
                             k == 0 && !little, "%s by %d: %s", text[k], count, a->info.trail);
                first = count == 1 && !little ? a->mean[0] : first;
                cr_expect(little || fabs(a->mean[0] / first - 1) <= 1e-6,
                          "%s by %d: %.12g, not %.12g", text[k], count, a->mean[0], first);
            }
        model_free((Model *)q.model);
    }
}

/* ---- errors ---------------------------------------------------------------------------------- */

static void fails(const char *text, PepaSettings set, int32_t poor, PepaStatus status,
                  const char *says)
{
    static SpreadQuestion q;
    q = (SpreadQuestion){.model = model_of(text), .set = set, .poor = poor};
    run_together(3, spread_part, &q);
    for (int32_t k = 0; k < 3; k++) {
        cr_expect_eq(q.part[k].status, status, "%d: %d", (int)k, (int)q.part[k].status);
        cr_expect(strstr(q.part[k].err.message, k == poor || poor < 0 ? says : "process 1: "), "%s",
                  q.part[k].err.message);
    }
    model_free((Model *)q.model);
}

Test(shared_rows, what_is_not_shared)
{
    PepaSettings set = settings_for_tests();
    set.solve.method = PEPA_GTH;
    fails(family_text("pipeline 4"), set, -1, PEPA_EARG, "not gth");
    set.solve.method = PEPA_BICGSTAB;
    set.solve.precondition = PEPA_PRECONDITION_MULTILEVEL;
    fails(family_text("pipeline 4"), set, -1, PEPA_EARG, "multilevel");
    set = settings_for_tests();
    set.solve.max_iter = 2;
    set.solve.method = PEPA_BICGSTAB;
    fails(family_text("pipeline 6"), set, -1, PEPA_ENOCONV, "not solved to the tolerance");
}

/* The rates of each state are its own: three processes have more than 65,536 different chances each. */
Test(shared_rows, too_many_chances_for_the_compact_form_that_is_requested)
{
    PepaSettings set = settings_for_tests();
    set.derive.max_states = 1000000;
    set.solve.matrix = PEPA_MATRIX_COMPACT;
    fails("A = (x, 1 + 0.37 * B).B; B = (y, 2 + 0.11 * C).C; C = (z, 3 + 0.23 * A).A; A[450]", set,
          -1, PEPA_ELIMIT, "too many for compact rows");
}

Test(shared_rows, one_process_has_too_little_memory)
{
    fails(family_text("pipeline 6"), settings_for_tests(), 1, PEPA_ELIMIT, "limit on memory");
}
