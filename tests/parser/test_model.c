#include <math.h>

#include "reading.h"

Test(model, operators)
{
    static const struct {
        ExprOp op;
        double a, b, result;
    } cases[] = {{EXPR_ADD, 2, 3, 5},        {EXPR_SUB, 2, 3, -1},    {EXPR_MUL, 2, 3, 6},
                 {EXPR_DIV, 3, 2, 1.5},      {EXPR_MIN, 2, 3, 2},     {EXPR_MAX, 2, 3, 3},
                 {EXPR_POW, 2, 3, 8},        {EXPR_NEG, 2, 0, -2},    {EXPR_EXP, 0, 0, 1},
                 {EXPR_LOG, 1, 0, 0},        {EXPR_SQRT, 9, 0, 3},    {EXPR_LESS, 2, 2, 0},
                 {EXPR_LESS_EQUAL, 2, 2, 1}, {EXPR_GREATER, 3, 2, 1}, {EXPR_GREATER_EQUAL, 1, 2, 0},
                 {EXPR_EQUAL, 2, 2, 1},      {EXPR_UNEQUAL, 2, 2, 0}, {EXPR_AND, 1, 0, 0},
                 {EXPR_OR, 1, 0, 1},         {EXPR_NOT, 0, 0, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        cr_expect_eq(model_operate(cases[i].op, cases[i].a, cases[i].b), cases[i].result);
    cr_expect(!isfinite(model_operate(EXPR_DIV, 1, 0)));
    cr_expect(isnan(model_operate(EXPR_NUMBER, 1, 2)));
}

Test(model, rates_follow_a_change)
{
    Model *model =
        expect_model("c = a + b; a = 1; b = 2 * a; w = a * T; P = (x, c).P + (y, w).P; P");
    int32_t a = find_rate(model, "a"), b = find_rate(model, "b");
    int32_t c = find_rate(model, "c"), w = find_rate(model, "w");
    Value values[4];
    model_rate_values(model, NULL, values);
    for (int32_t i = 0; i < 4; i++)
        cr_expect_eq(values[i].value, model->rates[i].value.value);
    force(model, a, 10, values);
    cr_expect_eq(values[a].value, 10);
    cr_expect_eq(values[b].value, 20);
    cr_expect_eq(values[c].value, 30);
    cr_expect_eq(values[w].value, 10);
    cr_expect(values[w].level == LEVEL_PASSIVE && values[c].level == LEVEL_TIMED);
    force(model, b, 5, values);
    cr_expect_eq(values[c].value, 6);
    force(model, w, 5, values);
    cr_expect(values[w].level == LEVEL_TIMED, "a forced value is a rate");
    model_free(model);
}

Test(model, a_change_of_a_functional_rate)
{
    Model *model = expect_model("f = P + 1; g = 2 * f; P = (a, g).P; P");
    int64_t counts[] = {3};
    Value values[2];
    model_rate_values(model, NULL, values);
    cr_expect_eq(model_eval(model, model->activities[0].expr, values, counts).value, 8);
    model_free(model);
}

/* The value of a rate named f, of which P has 2. */
static double conditional(const char *rates)
{
    Text text = {0};
    text_add(&text, "%s P = (a, 1).P + (a, f).P; P", rates);
    Model *model = expect_model(text.text);
    int64_t counts[] = {2};
    Value values[8];
    model_rate_values(model, NULL, values);
    double value = model_eval(model, model->activities[1].expr, values, counts).value;
    model_free(model);
    text_free(&text);
    return value;
}

Test(model, conditional_rates)
{
    static const struct {
        const char *rates;
        double value;
    } cases[] = {{"f = if P > 1 then 3 else 4;", 3},
                 {"f = if P < 2 then 3 else 4;", 4},
                 {"f = if P >= 2 && !(P == 3) then 3 else 4;", 3},
                 {"f = if P != 2 || P <= 1 then 3 else if P == 2 then 5 else 6;", 5},
                 {"f = 1 + (if P == 2 then 3 else 4) * 2;", 7},
                 {"n = 0; f = if n > 0 then 1 / n else 7;", 7},
                 {"n = 0; f = if n > 0 && 1 / n > 2 then 8 else 7;", 7},
                 {"n = 0; f = if n == 0 || 1 / n > 2 then 8 else 7;", 8},
                 {"n = 0; f = if P == 2 then 5 else 1 / n;", 5},
                 {"f = if P - 2 > 0 then 1 / (P - 2) else 9;", 9},
                 {"f = min(if P > 1 then 3 else 4, 2);", 2},
                 {"n = 1; m = if n > 0 then n + 4 else 1 / 0; f = m;", 5}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        cr_expect_eq(conditional(cases[i].rates), cases[i].value, "%s", cases[i].rates);
}

/* Only the branch that counts has a slope, and a condition has none. */
Test(model, slopes_of_conditional_rates)
{
    Model *model = expect_model("r = 2; s = 3; P = (a, if P * s > 5 then r * r else s).P; P");
    int64_t counts[] = {2}, r = find_rate(model, "r"), s = find_rate(model, "s");
    Value values[2];
    double each[64], by_rate[2] = {0, 0};
    cr_assert_leq(model->expr_count, 64);
    model_rate_values(model, NULL, values);
    model_expr_slopes(model, model->activities[0].expr, 1, values, counts, each, by_rate);
    cr_expect_eq(by_rate[r], 4);
    cr_expect_eq(by_rate[s], 0);
    counts[0] = 1;
    by_rate[r] = by_rate[s] = 0;
    model_expr_slopes(model, model->activities[0].expr, 1, values, counts, each, by_rate);
    cr_expect_eq(by_rate[r], 0);
    cr_expect_eq(by_rate[s], 1);
    model_free(model);
}

/* The deepest expressions that are let in must fit the stack. */
Test(model, deep_expressions)
{
    Text text = {0};
    text_add(&text, "r = ");
    repeat(&text, "1 + ", 9990, 0);
    text_add(&text, "1; f = ");
    repeat(&text, "1 + ", 4000, 0);
    text_add(&text, "P; P = (a, r).P + (b, g).P; g = ");
    repeat(&text, "-(", 5000, 0);
    text_add(&text, "f");
    repeat(&text, ")", 5000, 0);
    text_add(&text, "; P");
    Model *model = expect_model(text.text);
    Value values[3];
    int64_t counts[] = {7};
    model_rate_values(model, NULL, values);
    cr_expect_eq(values[find_rate(model, "r")].value, 9991);
    cr_expect_eq(model_eval(model, model->activities[1].expr, values, counts).value, 4007);
    model_free(model);
    text_free(&text);
}

Test(model, actions_in_order_of_appearance)
{
    Model *model = expect_model("P = (z, 1).(y, 1).P + (x, 1).P; P <w> P");
    static const char *const wanted[] = {"tau", "z", "y", "x", "w"};
    cr_assert_eq(model->action_count, 5);
    for (int32_t i = 0; i < 5; i++)
        cr_expect_str_eq(model->actions[i], wanted[i]);
    model_free(model);
}

Test(model, free_of_nothing)
{
    model_free(NULL);
}
