/* Verdicts on formulas of CSL: what is certain, what is a tie, and what has no answer. */
#include "api/formulas.h"

/* What is as rare as this is still more than 0, and less than certain. */
Test(csl, qualitative)
{
    Given g = given("A = (a, 1e-9).B + (c, 1e9).C; B = (b, 1).B; C = (c, 1e9).A; A", PEPA_EXPLICIT);
    expect_verdict(&g, "P>0 [ F<=1e-6 {B} ]", 1);
    expect_verdict(&g, "P>=1 [ F<=1e-6 {B} ]", 0);
    expect_verdict(&g, "P>=1 [ F {B} ]", 1);
    expect_verdict(&g, "P<=0 [ !{A} U {B} ]", 1);
    expect_verdict(&g, "P>=1 [ G P>0 [ F<=1e-9 {B} ] ]", 1);
    expect_verdict(&g, "P<1 [ {A} U {B} ] & P>0 [ {A} U {B} ]", 1);
    expect_verdict(&g, "P>=1 [ X ({B} | {C}) ] & P<1 [ X {C} ]", 1);
    expect_verdict(&g, "P>0 [ F[1e-9,1e-9] {B} ] & P<=0 [ X[1,1] {B} ]", 1);
    given_free(&g);
}

/* Less than 1 is not yet at most the number below 1. */
Test(csl, next_to_certain)
{
    Given g = given("A = (a, 1).B + (c, 1e-18).C; B = (b, 1).B; C = (c, 1).C; A", PEPA_EXPLICIT);
    PepaVerdict v;
    PepaError err = {0};
    cr_expect_eq(ask(&g, "P<=0.99999999999999989 [ F {B} ]", NULL, &v, &err), PEPA_ENOCONV);
    cr_expect_eq(ask(&g, "P>=4.9406564584124654e-324 [ X[800,801] {C} ]", NULL, &v, &err),
                 PEPA_ENOCONV);
    expect_verdict(&g, "P<1 [ F {B} ] & P>0 [ X[800,801] {C} ]", 1);
    given_free(&g);
}

/* Rewards that are never negative are 0 where nothing is earned, more elsewhere: no tie. */
Test(csl, qualitative_rewards)
{
    Given g = given("A = (a, 1).B + (c, 1e-9).C; B = (b, 1).C + (d, 2).B; C = (e, 1).D;\n"
                    "D = (f, 1).C; A",
                    PEPA_EXPLICIT);
    expect_verdict(&g, "R{throughput:b}>0 [ S ]", 0);
    expect_verdict(&g, "R{throughput:b}>0 [ C<=1e-9 ] & R{throughput:b}<=0 [ C<=0 ]", 1);
    expect_verdict(&g, "R{population:A}>=0 [ S ] & R{population:A}<=0 [ S ]", 1);
    expect_verdict(&g, "R{population:C + population:D}>0 [ S ]", 1);
    expect_verdict(&g, "R{throughput:d}<=0 [ I=0 ] & R{throughput:d}>0 [ I=1e-9 ]", 1);
    expect_verdict(&g, "R{throughput:f}<=0 [ F {D} ] & R{throughput:e}>0 [ F {D} ]", 1);
    expect_verdict(&g, "P>=1 [ G R{throughput:c}>=0 [ I=3 ] ]", 1);
    expect_verdict(&g, "P>=1 [ F (R{throughput:b}<=0 [ C<=5 ]) ]", 1);
    expect_verdict(&g, "R{-population:A}<0 [ C<=5 ]", 1);
    expect_verdict(&g, "R{throughput:b}>5 [ F {B} ]", 1); /* infinite */
    given_free(&g);
}

/* 1 - e^-3 is 0.950212931632136, and what is near is told apart: truncation is refined until the
 * verdict is proved. */
Test(csl, near_the_threshold)
{
    Given g = given(stages, PEPA_EXPLICIT);
    expect_verdict(&g, "P>0.9502129316320 [ F<=1 {B} ]", 1);
    expect_verdict(&g, "P<0.9502129316323 [ F<=1 {B} ]", 1);
    expect_verdict(&g, "P>=0.9502129316323 [ F<=1 {B} ]", 0);
    PepaSettings coarse = {.solve.tolerance = 1e-3};
    PepaVerdict v;
    PepaError err = {0};
    cr_assert_eq(ask(&g, "P=? [ F<=1 {B} ]", &coarse, &v, &err), PEPA_OK);
    cr_expect(v.error_bound <= 1e-3);
    cr_assert_eq(ask(&g, "P>0.9502129316320 [ F<=1 {B} ]", &coarse, &v, &err), PEPA_OK);
    cr_expect_eq(v.holds, 1);
    cr_expect(v.error_bound < 1e-13, "%g", v.error_bound);
    given_free(&g);
}

/* At a tie nobody guesses, unless the verdict does not depend on it. */
Test(csl, ties)
{
    Given g = given("A = (a, 1).B + (c, 2).C; B = (b, 1).B; C = (d, 1).C; A", PEPA_EXPLICIT);
    static const char *const open[] = {"P>0.33333333333333331 [ F {B} ]",
                                       "!(P<=0.33333333333333331 [ F {B} ])",
                                       "P>0.5 [ F P>=0.33333333333333331 [ F {B} ] ]",
                                       "P=? [ X P>=0.33333333333333331 [ F {B} ] ] "};
    PepaVerdict v = {.holds = 7};
    PepaError err = {0};
    for (size_t k = 0; k < 2; k++) {
        cr_expect_eq(ask(&g, open[k], NULL, &v, &err), PEPA_ENOCONV, "%s", open[k]);
        cr_expect(strstr(err.message, "not decided: `P` is 0.3333") != NULL, "%s", err.message);
        cr_expect_eq(v.holds, 7);
    }
    cr_expect_eq(ask(&g, open[2], NULL, &v, &err), PEPA_ENOCONV);
    cr_expect_eq(ask(&g, open[3], NULL, &v, &err), PEPA_OK, "%s",
                 err.message); /* B, not A, is next */
    expect_verdict(&g, "P>0.33333333333333331 [ F {B} ] | {A}", 1);
    expect_verdict(&g, "P>0.2 [ F P>=0.33333333333333331 [ F {B} ] ]", 1); /* B in any case */
    expect_verdict(&g, "P>=0.33333333333333331 [ F {B} ] => true", 1);
    given_free(&g);
}

/* What is a tie elsewhere is no reason to fail, however large the number is. */
Test(csl, ties_elsewhere)
{
    Given g = given("A = (a, 3).B; B = (b, 1).C; C = (c, 1).D + (d, 1).E; D = (e, 1).A;\n"
                    "E = (f, 1).A; A",
                    PEPA_EXPLICIT);
    expect_number(&g, "R{1e9 * population:A}=? [ F ({B} | P>=0.5 [ X {D} ]) ]", 1e9 / 3, 1e-3);
    PepaVerdict v;
    PepaError err = {0};
    cr_expect_eq(ask(&g, "R{1e9 * population:A}=? [ F ({D} | P>=0.5 [ X {D} ]) ]", NULL, &v, &err),
                 PEPA_ENOCONV);
    given_free(&g);
}

/* As long as a formula is: a pass over the states serves many of its conditions. */
Test(csl, many_conditions, .timeout = 60)
{
    enum { CONDITIONS = 6000 };
    Given g = given(stages, PEPA_EXPLICIT);
    static char text[CONDITIONS * sizeof " & {B}"] = "{B}";
    size_t length = strlen(text);
    for (int i = 1; i < CONDITIONS; i++, length += 6)
        memcpy(text + length, i % 2 ? " | {A}" : " & {B}", 7);
    expect_verdict(&g, text, 1);
    given_free(&g);
}

/* Of a formula that asks for a number, no truths are written. */
Test(csl, numbers_have_no_truth)
{
    Given g = given(stages, PEPA_EXPLICIT);
    static const char text[] = "P=? [ F<=1 {C} ]", says[] = "P>=0.5 [ F<=1 {C} ]";
    const int64_t n = pepa_chain_info(g.chain).states;
    uint8_t *holds = malloc((size_t)n);
    double *value = malloc((size_t)n * sizeof *value);
    PepaFormula *asks = NULL, *compares = NULL;
    cr_assert_eq(pepa_formula_new(&asks, g.model, "f", text, sizeof text - 1, NULL, NULL, NULL),
                 PEPA_OK);
    cr_assert_eq(pepa_formula_new(&compares, g.model, "f", says, sizeof says - 1, NULL, NULL, NULL),
                 PEPA_OK);
    memset(holds, 7, (size_t)n);
    cr_assert_eq(pepa_formula_states(asks, g.chain, NULL, holds, value, NULL, NULL), PEPA_OK);
    for (int64_t s = 0; s < n; s++)
        cr_expect(holds[s] == 7 && value[s] >= 0 && value[s] <= 1);
    cr_assert_eq(pepa_formula_states(compares, g.chain, NULL, holds, NULL, NULL, NULL), PEPA_OK);
    for (int64_t s = 0; s < n; s++)
        cr_expect_eq(holds[s], value[s] >= 0.5);
    pepa_formula_free(asks);
    pepa_formula_free(compares);
    free(holds);
    free(value);
    given_free(&g);
}

Test(csl, failures)
{
    Given g = given(queue, PEPA_EXPLICIT), other = given(queue, PEPA_EXPLICIT);
    Given fates = given("A = (a, 1).B + (a, 1).C; B = (b, 1).B1; B1 = (b, 1).B;\n"
                        "C = (c, 1).D; D = (c, 1).C; A",
                        PEPA_EXPLICIT);
    PepaFormula *f = NULL;
    PepaVerdict v;
    PepaError err = {0};
    cr_assert_eq(pepa_formula_new(&f, g.model, "f", "P=? [ F {Q4} ", 13, NULL, NULL, &err),
                 PEPA_EARG);
    cr_expect_eq(f, NULL);
    cr_expect(err.line == 1 && err.column == 14, "%u:%u", err.line, err.column);
    cr_expect_eq(pepa_formula_new(NULL, g.model, "f", "true", 4, NULL, NULL, &err), PEPA_EARG);
    cr_assert_eq(pepa_formula_new(&f, g.model, "f", "true", 4, NULL, NULL, &err), PEPA_OK);
    cr_expect_eq(pepa_formula_check(f, other.chain, NULL, &v, &err), PEPA_EARG);
    cr_expect_eq(pepa_formula_check(f, NULL, NULL, &v, &err), PEPA_EARG);
    cr_expect_eq(pepa_formula_check(f, g.chain, &(PepaSettings){.reserved = {1}}, &v, &err),
                 PEPA_EARG);
    cr_expect_eq(pepa_formula_states(NULL, g.chain, NULL, NULL, NULL, NULL, &err), PEPA_EARG);
    pepa_formula_free(f);
    pepa_formula_free(NULL);
    cr_expect_eq(ask(&g, "true", &(PepaSettings){.memory = 10}, &v, &err), PEPA_ELIMIT);
    cr_expect_eq(ask(&g, "P>0.5 [ F<=1e14 {Q4} ]", NULL, &v, &err), PEPA_OK);
    cr_expect_eq(ask(&g, "P>0.5 [ F<=1e100 {Q4} ]", NULL, &v, &err), PEPA_OK);
    cr_expect_eq(ask(&fates, "P>0.4 [ F<=1e100 {B} ]", NULL, &v, &err), PEPA_ENOCONV);
    cr_expect_eq(ask(&g, "R{reward:{1 / Q4}}=? [ S ]", NULL, &v, &err), PEPA_EARG);
    given_free(&g);
    given_free(&other);
    given_free(&fates);
}

/* What doubles do not hold is refused, not guessed. */
Test(csl, overflow)
{
    Given g = given("r = 1; A = (a, r).B + (c, r).C; B = (b, 1).A; C = (c, 1).A; A", PEPA_EXPLICIT);
    cr_assert_eq(pepa_chain_set_rate(g.chain, "r", 1.5e308, NULL), PEPA_OK);
    PepaVerdict v;
    PepaError err = {0};
    cr_expect_eq(ask(&g, "P>0.5 [ F {B} ]", NULL, &v, &err), PEPA_ENOCONV);
    given_free(&g);
    g = given("A = (a, 1).B; B = (b, 1).A + (c, 1).C; C = (d, 1).C; A", PEPA_EXPLICIT);
    static const char *const asked[] = {"R{reward:{1e308 * A}}>1 [ F {C} ]",
                                        "R{reward:{1e308 * A - 1e308 * B}}>1 [ F {C} ]",
                                        "R{reward:{1e308 * A - 1e308 * B}}>1 [ C<=1e3 ]",
                                        "R{reward:{1e308 * A - 1e308 * B}}>1 [ I=10 ]",
                                        "R{reward:{1e308 * A - 1e308 * B}}>1 [ S ]"};
    for (size_t k = 0; k < sizeof asked / sizeof *asked; k++) {
        PepaStatus status = ask(&g, asked[k], NULL, &v, &err);
        cr_expect(status == PEPA_ENOCONV || (status == PEPA_OK && v.error_bound >= 0), "%s: %d %s",
                  asked[k], status, err.message);
    }
    /* Of C the chain keeps some: all that is earned is finite, but no double. */
    cr_expect_eq(ask(&g, "R{1e300 * population:C}=? [ C<=1e7 ]", NULL, &v, &err), PEPA_OK);
    cr_expect_eq(ask(&g, "R{1e300 * population:C}=? [ C<=1e10 ]", NULL, &v, &err), PEPA_ENOCONV);
    given_free(&g);
}
