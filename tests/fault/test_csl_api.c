/* Model checking with each allocation failing. */
#include "fault/memory.h"
#include "fault/world.h"
#include "pepa_csl.h"

/* Of a model of its own: the world's has one bottom component. */
static const char ends[] = "A = (a, 1).B + (s, 2).U; B = (b, 3).A + (t, 1).Stop; U = (u, 1).V;\n"
                           "V = (v, 2).W + (w, 1).U; W = (w, 5).U;\n"
                           "Begin = (i, 1 : immediate).A + (j, 2 : immediate).U; Begin";
static PepaModel *model;
static PepaChain *chain;
static PepaFormula *formula;

static PepaStatus call_read(World *w, PepaError *err)
{
    static const char text[] = "P>=0.5 [ {A} U[1,2] R{throughput:a}>1 [ F {B} ] ] & S<0.1 [ {V} ]";
    PepaFormula *f = NULL;
    (void)w;
    PepaStatus status = pepa_formula_new(&f, model, "f", text, sizeof text - 1, NULL, NULL, err);
    cr_assert_eq(status == PEPA_OK, f != NULL);
    pepa_formula_free(f);
    return status;
}

static PepaStatus call_check(World *w, PepaError *err)
{
    PepaVerdict verdict = {.value = -7};
    PepaStatus status = pepa_formula_check(formula, chain, NULL, &verdict, err);
    if (status != PEPA_OK)
        cr_assert_eq(verdict.value, -7);
    else
        say_numbers(w, &verdict.value, 1);
    return status;
}

static PepaStatus call_states(World *w, PepaError *err)
{
    double value[STATES] = {-7}, bound[STATES] = {-7};
    uint8_t holds[STATES] = {7};
    PepaStatus status = pepa_formula_states(formula, chain, NULL, holds, value, bound, err);
    if (status != PEPA_OK)
        cr_assert(value[0] == -7 && bound[0] == -7 && holds[0] == 7);
    else
        say_numbers(w, value, pepa_chain_info(chain).states);
    return status;
}

static void replay_check(const char *text)
{
    PepaError err = {0};
    mem_fail_at(0, false);
    cr_assert_eq(pepa_formula_new(&formula, model, "f", text, strlen(text), NULL, NULL, &err),
                 PEPA_OK, "%s", err.message);
    replay(text, call_check);
    replay(text, call_states);
    mem_fail_at(0, false);
    pepa_formula_free(formula);
}

static void derive_model(const char *text, PepaExplore explore)
{
    const PepaSettings set = {.derive.explore = explore};
    PepaError err = {0};
    mem_fail_at(0, false);
    cr_assert_eq(pepa_model_parse(&model, "m", text, strlen(text), NULL, &err) ||
                     pepa_chain_derive(&chain, model, &set, &err),
                 PEPA_OK, "%s", err.message);
}

static void free_model(void)
{
    mem_fail_at(0, false);
    pepa_chain_free(chain);
    pepa_model_free(model);
}

Test(fault_csl_api, rows, .init = mem_fail_in_klu)
{
    static const char *const asked[] = {"P=? [ {A} U {B} ]",
                                        "P=? [ G[0.5,2] !{U} ]",
                                        "P=? [ X<=1 ({A} | !{B}) ]",
                                        "S=? [ {V} ]",
                                        "R{population:V + throughput:a}=? [ C<=2 ]",
                                        "R{throughput:a}=? [ F {U} | {deadlock} ]",
                                        "R{throughput:w}=? [ S ]",
                                        "P=? [ F S>=0.25 [ {V} ] ]"};
    derive_model(ends, PEPA_EXPLICIT);
    replay("pepa_formula_new", call_read);
    for (size_t i = 0; i < sizeof asked / sizeof *asked; i++)
        replay_check(asked[i]);
    free_model();
}

Test(fault_csl_api, sets, .init = mem_fail_in_klu)
{
    derive_model("A = (a, 1).B; B = (b, 2).A; U = (u, 1).V;\n"
                 "V = (v, 1).U; A[3] || U[2]",
                 PEPA_SYMBOLIC);
    replay_check("P=? [ F<=1 P>0.3 [ F<=0.5 {A == 0} ] ]");
    replay_check("R{throughput:a}=? [ C<=1e5 ]"); /* by series */
    free_model();
}

/* Linear equations that take elimination. */
Test(fault_csl_api, rarely_left, .init = mem_fail_in_klu)
{
    derive_model("A = (a, 1e-12).B; B = (b, 1e-12).U + (c, 1e6).A; U = (u, 1).U; A", PEPA_EXPLICIT);
    replay_check("R{population:A}=? [ F {U} ]");
    free_model();
}
