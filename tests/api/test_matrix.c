/* How the matrix is kept: what is documented of each form, and that no answer depends on it. */
#include "ways.h"

#include <stdio.h>

#include "family_text.h"

static const char two_modes[] = "P = (a, 1).Q + (b, 2).R; Q = (c, 3).P + (d, 1).R; R = (e, 2).P;\n"
                                "P || P || P";

static PepaStatus solve_as(Answer *a, PepaSettings set, PepaMethod method, PepaMatrixForm form,
                           PepaError *err)
{
    set.solve.method = method;
    set.solve.matrix = form;
    a->how = (PepaInfo){0};
    *err = (PepaError){0};
    return pepa_solve_steady(a->chain, &set, a->pi, &a->how, err);
}

static Answer derived(const char *text, const PepaSettings *set)
{
    Answer a;
    PepaModel *model = parse(text);
    derive(&a, model, set);
    pepa_model_free(model);
    return a;
}

/* ---- what is said ---------------------------------------------------------------------------- */

/* The form that was asked for is the form there is; of few entries auto keeps values. */
Test(matrix, is_told)
{
    static const char *const told[] = {"explicit", "explicit", "compact"};
    PepaSettings set = settings(PEPA_EXPLICIT, 1);
    Answer a = derived(two_modes, &set);
    PepaError err;
    for (int method = 0; method < PEPA_METHOD_COUNT; method++)
        for (int form = PEPA_MATRIX_AUTO; form <= PEPA_MATRIX_COMPACT; form++) {
            cr_assert_eq(solve_as(&a, set, (PepaMethod)method, (PepaMatrixForm)form, &err), PEPA_OK,
                         "%s: %s", pepa_method_name((PepaMethod)method), err.message);
            cr_expect_str_eq(a.how.matrix, told[form]);
            cr_expect(a.how.matrix_seconds >= 0 && a.how.matrix_seconds <= a.how.seconds);
        }
    answer_free(&a);
}

/* A tandem of two queues with n places has 7 n^2 + 3 n - 1 jumps: 996,033 and 1,001,321. */
Test(matrix, compact_from_a_million_entries_on)
{
    static const char *const families[] = {"tandem 377", "tandem 378"};
    PepaSettings set = settings(PEPA_EXPLICIT, 1);
    for (int i = 0; i < 2; i++) {
        Answer a = derived(family_text(families[i]), &set);
        PepaError err;
        cr_assert_eq(solve_as(&a, set, PEPA_BICGSTAB, PEPA_MATRIX_AUTO, &err), PEPA_OK, "%s",
                     err.message);
        cr_expect_str_eq(a.how.matrix, i == 0 ? "explicit" : "compact");
        answer_free(&a);
    }
}

Test(matrix, none_where_nothing_is_solved)
{
    static const char *const texts[] = {"P = (a, 1).P; P", "P = (a, 1).Q; Q = (b, 1).Stop; P",
                                        "P = (a, 1).Stop + (b, 2).S; S = (c, 1).S; P"};
    PepaSettings set = settings(PEPA_EXPLICIT, 1);
    PepaError err;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        Answer a = derived(texts[i], &set);
        for (int form = PEPA_MATRIX_AUTO; form <= PEPA_MATRIX_COMPACT; form++) {
            cr_assert_eq(solve_as(&a, set, PEPA_AUTO, (PepaMatrixForm)form, &err), PEPA_OK);
            cr_expect_str_eq(a.how.matrix, "none", "%s: %s", texts[i], a.how.matrix);
            cr_expect_str_eq(a.how.method, "none");
        }
        answer_free(&a);
    }
}

/* Of a chain explored as sets the methods that sweep take pieces, unless rows are asked for. */
Test(matrix, of_sets)
{
    PepaSettings set = settings(PEPA_SYMBOLIC, 1);
    Answer a = derived(two_modes, &set);
    PepaError err;
    cr_assert(a.info.symbolic);
    for (int method = 0; method < PEPA_METHOD_COUNT; method++) {
        bool sweeps = method == PEPA_AUTO || method == PEPA_GAUSS_SEIDEL || method == PEPA_SOR;
        cr_assert_eq(solve_as(&a, set, (PepaMethod)method, PEPA_MATRIX_AUTO, &err), PEPA_OK);
        cr_expect_str_eq(a.how.matrix, sweeps ? "free" : "explicit");
        cr_assert_eq(solve_as(&a, set, (PepaMethod)method, PEPA_MATRIX_EXPLICIT, &err), PEPA_OK);
        cr_expect_str_eq(a.how.matrix, "explicit");
        cr_assert_eq(solve_as(&a, set, (PepaMethod)method, PEPA_MATRIX_COMPACT, &err), PEPA_OK);
        cr_expect_str_eq(a.how.matrix, "compact");
        PepaStatus status = solve_as(&a, set, (PepaMethod)method, PEPA_MATRIX_FREE, &err);
        cr_expect_eq(status, sweeps ? PEPA_OK : PEPA_EARG);
        cr_expect_str_eq(sweeps ? a.how.matrix : "free", "free");
    }
    answer_free(&a);
}

/* ---- what is refused ------------------------------------------------------------------------- */

/* Before anything is explored, as far as the settings show it. */
Test(matrix, free_takes_a_method_that_sweeps)
{
    PepaModel *model = parse(two_modes);
    for (int method = 0; method < PEPA_METHOD_COUNT; method++) {
        PepaSettings set = settings(PEPA_SYMBOLIC, 1);
        PepaChain *chain = NULL;
        PepaError err = {0};
        bool sweeps = method == PEPA_AUTO || method == PEPA_GAUSS_SEIDEL || method == PEPA_SOR;
        set.solve.method = (PepaMethod)method;
        set.solve.matrix = PEPA_MATRIX_FREE;
        PepaStatus status = pepa_chain_derive(&chain, model, &set, &err);
        cr_expect_eq(status, sweeps ? PEPA_OK : PEPA_EARG);
        cr_expect(sweeps || (!chain && strstr(err.message, pepa_method_name(set.solve.method)) &&
                             err.limit == PEPA_LIMIT_MATRIX));
        pepa_chain_free(chain);
    }
    pepa_model_free(model);
}

Test(matrix, free_takes_sets)
{
    PepaSettings set = settings(PEPA_EXPLICIT, 1);
    Answer a = derived(two_modes, &set);
    PepaError err;
    cr_assert_eq(solve_as(&a, set, PEPA_AUTO, PEPA_MATRIX_AUTO, &err), PEPA_OK);
    double *pi = room((size_t)a.info.states, sizeof *pi);
    memcpy(pi, a.pi, (size_t)a.info.states * sizeof *pi);
    cr_expect_eq(solve_as(&a, set, PEPA_GAUSS_SEIDEL, PEPA_MATRIX_FREE, &err), PEPA_EARG);
    cr_expect(strstr(err.message, "one by one") && err.limit == PEPA_LIMIT_MATRIX);
    cr_expect_eq(memcmp(pi, a.pi, (size_t)a.info.states * sizeof *pi), 0);
    free(pi);
    answer_free(&a);
}

Test(matrix, no_such_form)
{
    PepaSettings set = settings(PEPA_EXPLICIT, 1);
    Answer a = derived(two_modes, &set);
    PepaError err;
    for (int form = -1; form < 99; form += PEPA_MATRIX_FREE + 2) {
        cr_expect_eq(solve_as(&a, set, PEPA_AUTO, (PepaMatrixForm)form, &err), PEPA_EARG);
        cr_expect(strstr(err.message, "form of the matrix"));
    }
    answer_free(&a);
}

/* ---- how many values there may be ------------------------------------------------------------ */

/* Two populations without a common measure: hardly two chances of jumps are equal. */
static const char apart[] = "r = 1.414213562373; s = 3.141592653589;\n"
                            "P = (a, 1).Q; Q = (b, r).P; U = (c, s).V; V = (d, 2.718281828459).U;\n"
                            "P[n] || U[n]";

static Answer of_size(double n, const PepaSettings *set)
{
    static char text[512];
    Answer a;
    (void)snprintf(text, sizeof text, "n = %g; %s", n, apart);
    PepaModel *model = parse(text);
    derive(&a, model, set);
    pepa_model_free(model);
    return a;
}

/* 151^2 states with four jumps out of each: the limit is met, and explicit rows know none. */
Test(matrix, too_many_values_for_compact_rows)
{
    PepaSettings set = settings(PEPA_EXPLICIT, 1);
    Answer a = of_size(150, &set);
    PepaError err;
    cr_assert_eq(a.info.states, 151 * 151);
    cr_expect_eq(solve_as(&a, set, PEPA_AUTO, PEPA_MATRIX_COMPACT, &err), PEPA_ELIMIT);
    cr_expect(strstr(err.message, "65536") && strstr(err.message, "explicit"), "%s", err.message);
    set.solve.max_iter = 1;
    cr_expect_eq(solve_as(&a, set, PEPA_JACOBI, PEPA_MATRIX_AUTO, &err), PEPA_ENOCONV);
    cr_expect_str_eq(a.how.matrix, "explicit");
    answer_free(&a);
}

/* A million entries: auto would have compact rows, finds too many values, and makes explicit ones.
 */
Test(matrix, auto_makes_room_for_many_values)
{
    PepaSettings set = settings(PEPA_EXPLICIT, 1);
    Answer a = of_size(520, &set);
    PepaError err;
    cr_assert_gt(a.info.transitions, 1000000);
    set.solve.max_iter = 1;
    cr_expect_eq(solve_as(&a, set, PEPA_JACOBI, PEPA_MATRIX_AUTO, &err), PEPA_ENOCONV);
    cr_expect_str_eq(a.how.matrix, "explicit");
    cr_expect_eq(solve_as(&a, set, PEPA_JACOBI, PEPA_MATRIX_COMPACT, &err), PEPA_ELIMIT);
    answer_free(&a);
}

/* ---- again and again ------------------------------------------------------------------------- */

/* One steady object in one form after the other, while rates change and change back. */
static void expect_forms_in_turn(const char *text, PepaExplore explore, int32_t ends)
{
    static const PepaMatrixForm forms[] = {PEPA_MATRIX_COMPACT,  PEPA_MATRIX_EXPLICIT,
                                           PEPA_MATRIX_EXPLICIT, PEPA_MATRIX_COMPACT,
                                           PEPA_MATRIX_COMPACT,  PEPA_MATRIX_AUTO};
    static const double values[] = {1, 5, 1e-3};
    PepaSettings set = settings(explore, 1);
    PepaSteady *steady = NULL;
    PepaError err = {0};
    Answer a = derived(text, &set);
    size_t bytes = (size_t)a.info.states * sizeof *a.pi;
    double *want = room((size_t)a.info.states, sizeof *want);
    cr_assert_eq(a.info.bottom_components, ends);
    cr_assert_eq(pepa_steady_new(&steady, a.chain, &err), PEPA_OK);
    for (int method = PEPA_DIRECT; method < PEPA_METHOD_COUNT; method++)
        for (size_t v = 0; v < sizeof values / sizeof *values; v++) {
            cr_assert_eq(pepa_chain_set_rate(a.chain, "r", values[v], &err), PEPA_OK);
            PepaStatus first = solve_as(&a, set, (PepaMethod)method, PEPA_MATRIX_EXPLICIT, &err);
            memcpy(want, a.pi, bytes);
            set.solve.method = (PepaMethod)method;
            for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
                bool rows = forms[i] != PEPA_MATRIX_AUTO || explore == PEPA_EXPLICIT;
                set.solve.matrix = forms[i];
                cr_assert_eq(pepa_steady_solve(steady, &set, a.pi, &a.how, &err), first, "%s",
                             err.message);
                cr_expect(first != PEPA_OK || !rows || memcmp(a.pi, want, bytes) == 0,
                          "%s, form %d", pepa_method_name((PepaMethod)method), (int)forms[i]);
            }
        }
    free(want);
    pepa_steady_free(steady);
    answer_free(&a);
}

Test(matrix, forms_in_turn)
{
    expect_forms_in_turn(rated, PEPA_EXPLICIT, 1);
    expect_forms_in_turn(rated, PEPA_SYMBOLIC, 1);
    /* two ends, each with a matrix, and one for the ways there */
    expect_forms_in_turn("r = 1; S = (a, r).T + (a, 1).P + (b, 1).U; T = (c, 2).S;\n"
                         "P = (d, 1).Q; Q = (e, r).P + (f, 2).R; R = (g, 3).P;\n"
                         "U = (h, 2).V; V = (i, 2 * r).W + (k, 1).U; W = (l, 1).U; S",
                         PEPA_EXPLICIT, 2);
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* The least memory with which a form is solved, to a KiB. */
static int64_t least_memory(Answer *a, PepaMatrixForm form)
{
    PepaSettings set = settings(PEPA_EXPLICIT, 1);
    PepaError err;
    int64_t low = 1, high = 1 << 30;
    while (high - low > 1024) {
        set.memory = low + (high - low) / 2;
        PepaStatus status = solve_as(a, set, PEPA_GAUSS_SEIDEL, form, &err);
        cr_assert(status == PEPA_OK || status == PEPA_ELIMIT, "%s", err.message);
        if (status == PEPA_OK)
            high = set.memory;
        else
            low = set.memory;
    }
    return high;
}

/* Compact entries are half as large, and need no more states to be remembered. */
Test(matrix, compact_rows_save_memory)
{
    PepaModel *model = family("pipeline 8");
    PepaSettings set = settings(PEPA_EXPLICIT, 1);
    Answer a;
    derive(&a, model, &set);
    int64_t compact = least_memory(&a, PEPA_MATRIX_COMPACT);
    int64_t plain = least_memory(&a, PEPA_MATRIX_EXPLICIT);
    double saved = (double)(plain - compact) / (double)a.info.transitions;
    cr_expect(saved > 5 && saved < 7, "%g bytes saved of each entry", saved);
    answer_free(&a);
    pepa_model_free(model);
}
