#include <math.h>

#include "reading.h"

#define PASSIVE_MISUSED                                                                            \
    "error: a passive rate stands alone or is multiplied by a weight; nothing else\n"

/* What an expression that is used by no activity leads to. */
static void expect_rate(const char *expression, const char *wanted)
{
    Text text = {0};
    text_add(&text, "zero = 0; neg = -1; P = (a, 1 + zero + 2 - neg).P;\nr = %s; Q = (a, r).Q;\n",
             expression);
    text_add(&text, "P || Q");
    expect_findings(text.text, *wanted ? PEPA_EMODEL : PEPA_OK, wanted);
    text_free(&text);
}

static Value value_of(const char *expression)
{
    Text text = {0};
    text_add(&text, "two = 2; r = %s; P = (a, r).P + (a, two).P; P", expression);
    Model *model = expect_model(text.text);
    Value value = model->rates[find_rate(model, "r")].value, values[2];
    model_rate_values(model, NULL, values);
    cr_expect_eq(values[find_rate(model, "r")].value, value.value);
    cr_expect_eq(values[find_rate(model, "r")].level, value.level);
    model_free(model);
    text_free(&text);
    return value;
}

Test(check_rates, values)
{
    cr_expect_eq(value_of("1 + 2 * 3 - 4 / 2").value, 5);
    cr_expect_eq(value_of("2 - 1 - 0.5").value, 0.5);
    cr_expect_eq(value_of("8 / 4 / 2").value, 1);
    cr_expect_eq(value_of("-two + 3").value, 1);
    cr_expect_eq(value_of("min(two, 3) + max(two, 3)").value, 5);
    cr_expect_eq(value_of("pow(two, 10)").value, 1024);
    cr_expect_eq(value_of("sqrt(16) + exp(0) + log(1)").value, 5);
    cr_expect(value_of("two").level == LEVEL_TIMED);
}

Test(check_rates, passive_values)
{
    static const struct {
        const char *text;
        double weight;
    } cases[] = {{"T", 1},
                 {"infty", 1},
                 {"_", 1},
                 {"3 * T", 3},
                 {"T * two", 2},
                 {"(two * (T))", 2},
                 {"(1 + two) * infty", 3},
                 {"2 * T * 3", 6}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Value value = value_of(cases[i].text);
        cr_expect(value.level == LEVEL_PASSIVE);
        cr_expect_eq(value.value, cases[i].weight);
    }
}

/* Then activities with them are the same activity, and states that offer it the same state. */
Test(check_rates, conditions)
{
    expect_rate("if 2 > 1 then 1 / 0 else 2", "2:19: error: division by zero\n");
    expect_rate("if P > 1 then T else 2",
                "2:5: error: one of the rates after `then` and `else` is passive, the other is "
                "not\n");
    expect_rate("if T > 1 then 1 else 2",
                "2:8: error: a passive rate stands alone or is multiplied by a weight; nothing "
                "else\n");
    expect_rate("if 1 / 0 > 1 then 1 else 2", "2:8: error: division by zero\n");
    expect_rate("if 1 > 0 && 1 / 0 > 1 then 1 else 2",
                "2:8: error: the value is not a finite number\n");
}

Test(check_rates, a_weight_is_the_same_on_either_side)
{
    Model *model = expect_model("u = 2 * T; v = T * 2; w = 3 * T; x = 2 - 3; y = 3 - 2;\n"
                                "P = (a, u).P + (b, v).P + (c, w).P + (d, 4 + x + y).P; P");
    const Rate *rates = model->rates;
    cr_expect_eq(rates[find_rate(model, "u")].expr, rates[find_rate(model, "v")].expr);
    cr_expect_neq(rates[find_rate(model, "u")].expr, rates[find_rate(model, "w")].expr);
    cr_expect_neq(rates[find_rate(model, "x")].expr, rates[find_rate(model, "y")].expr);
    model_free(model);
}

Test(check_rates, values_that_are_none)
{
    expect_rate("1 / zero", "2:5: error: division by zero\n");
    expect_rate("2 * (1 + 1 / (2 - 2)) + zero", "2:14: error: division by zero\n");
    expect_rate("log(zero)", "2:5: error: log of 0, which is not > 0\n");
    expect_rate("log(neg)", "2:5: error: log of -1, which is not > 0\n");
    expect_rate("sqrt(neg)", "2:5: error: sqrt of -1, which is negative\n");
    expect_rate("pow(zero, neg)", "2:5: error: pow(0, -1) is not a finite number\n");
    expect_rate("exp(1000)", "2:5: error: the value is not a finite number\n");
    expect_rate("1e300 * 1e300", "2:5: error: the value is not a finite number\n");
    expect_findings("z = 0; r = 1 / z; s = r + 1; P = (a, s).(b, r).P; P", PEPA_EMODEL,
                    "1:12: error: division by zero\n");
    expect_findings("z = 0; P = (a, 1).P; unused = 1 / z; P", PEPA_EMODEL,
                    "1:31: error: division by zero\n");
}

Test(check_rates, passive_operands)
{
    expect_rate("T + 1", "2:5: " PASSIVE_MISUSED);
    expect_rate("1 - (T)", "2:10: " PASSIVE_MISUSED);
    expect_rate("min(T, 2)", "2:9: " PASSIVE_MISUSED);
    expect_rate("T * T", "2:5: " PASSIVE_MISUSED);
    expect_rate("-T", "2:6: " PASSIVE_MISUSED);
    expect_rate("T / 2", "2:5: " PASSIVE_MISUSED);
    expect_rate("exp(infty)", "2:9: " PASSIVE_MISUSED);
    expect_rate("zero * T", "2:5: error: the weight of a passive rate must be > 0, not 0\n");
    expect_rate("T * neg", "2:9: error: the weight of a passive rate must be > 0, not -1\n");
    expect_rate("1e200 * T * 1e200", "2:5: error: the weight is too large\n");
    expect_rate("1e-200 * T * 1e-200", "2:5: error: the weight is too small\n");
    expect_findings("r = 2 * T; s = r + 1; P = (a, s).P; P", PEPA_EMODEL, "1:16: " PASSIVE_MISUSED);
}

Test(check_rates, cycles)
{
    expect_findings("r = r + 1; P = (a, r).P; P", PEPA_EMODEL,
                    "1:1: error: rate `r` is defined through itself: r -> r\n");
    expect_findings("x = 1 / r; c = a; a = b * 2;\nb = c; r = c; P = (a, r).P; P", PEPA_EMODEL,
                    "1:12: error: rate `c` is defined through itself: c -> a -> b -> c\n");
    expect_findings("a = b + c; b = a; c = a; d = d; P = (a, 1).P; P", PEPA_EMODEL,
                    "1:1: error: rate `a` is defined through itself: a -> b -> a\n"
                    "1:26: error: rate `d` is defined through itself: d -> d\n");
}

Test(check_rates, forward_references)
{
    Model *model = expect_model("a = b + 1; b = c * 2; c = 3; P = (x, a).P; P");
    cr_expect_eq(model->rates[0].value.value, 7);
    model_free(model);
}

/* ---- functional rates -------------------------------------------------------------------- */

Test(check_rates, functional)
{
    Model *model = expect_model("r = 2; f = Thirsty * r; Thirsty = (drink, r).Happy;\n"
                                "Happy = (serve, f / 2).Thirsty; Happy");
    const Rate *f = &model->rates[find_rate(model, "f")];
    cr_expect(isnan(f->value.value));
    cr_expect(model->exprs[f->expr].functional);
    cr_expect(!model->exprs[model->rates[0].expr].functional);
    int64_t counts[2] = {0, 0};
    counts[find_local(model, "Thirsty")] = 3;
    Value values[2];
    model_rate_values(model, NULL, values);
    cr_expect(isnan(values[1].value));
    const Local *happy = &model->locals[find_local(model, "Happy")];
    int32_t rate = model->activities[happy->first].expr;
    cr_expect(model->exprs[rate].functional);
    cr_expect_eq(model_eval(model, rate, values, counts).value, 3);
    force(model, 0, 5, values);
    cr_expect_eq(model_eval(model, rate, values, counts).value, 7.5);
    model_free(model);
}

Test(check_rates, functional_values_are_not_checked)
{
    expect_findings("P = (a, 1 / (P - P)).Q; Q = (b, -Q).P; P", PEPA_OK, "");
    expect_findings("P = (a, P * (1 / 0)).P; P", PEPA_EMODEL, "1:14: error: division by zero\n");
    expect_findings("P = (a, T * P).P; P", PEPA_OK, "");
    expect_findings("P = (a, T + P).P; P", PEPA_EMODEL, "1:9: " PASSIVE_MISUSED);
}

Test(check_rates, counting_what_never_occurs)
{
    Model *model = expect_model("P = (a, 1 + Q).P; Q = (b, 1).Q2; Q2 = (c, 1).Q; P");
    int32_t q = find_local(model, "Q");
    cr_assert_eq(q, 1);
    cr_expect_eq(model->local_count, 2);
    cr_expect_eq(model->locals[q].count, 0);
    model_free(model);
}

Test(check_rates, counting_cooperations)
{
    expect_findings(
        "P = (a, Sys).P;\nSys = P || P; A = Sys; Q = (a, A).Q; Sys || Q", PEPA_EMODEL,
        "1:9: error: `Sys` (line 2) is a cooperation: only sequential components can be "
        "counted in a rate\n"
        "2:32: error: `A` (line 2) is a cooperation: only sequential components can be "
        "counted in a rate\n");
}

Test(check_rates, functional_rates_of_any_size_are_not_for_us)
{
    Text text = {0}, found = {0};
    PepaStatus status;
    text_add(&text, "r0 = P;\n");
    for (int i = 1; i < 60; i++)
        text_add(&text, "r%d = r%d + r%d;\n", i, i - 1, i - 1);
    text_add(&text, "P = (a, r59).P; P");
    cr_expect_null(read_bytes(text.text, text.length, &status, &found));
    cr_expect_str_eq(found.text, "19:7: error: the functional rate is too large: more than 1000000 "
                                 "operands with all rate names unfolded\n");
    text_free(&text);
    text_free(&found);
}

Test(check_rates, depth)
{
    Text text = {0}, found = {0};
    PepaStatus status;
    text_add(&text, "P = (a, r).P; r = ");
    repeat(&text, "1 + ", 20000, 0);
    text_add(&text, "1; P");
    cr_expect_null(read_bytes(text.text, text.length, &status, &found));
    cr_expect_str_eq(found.text, "1:19: error: the rate expression is nested too deeply\n");
    text_free(&text);
    text_free(&found);
}

/* ---- sharing ----------------------------------------------------------------------------- */

Test(check_rates, equal_expressions_are_one)
{
    Model *model = expect_model("r = 2 * (1 + 3); s = 2 * (1 + 3); t = 2 * (3 + 1);\n"
                                "P = (a, r).(b, 1.0).(c, s).(d, 1).(e, t).(f, (r)).P; P");
    cr_expect_eq(model->rates[0].expr, model->rates[1].expr);
    cr_expect_neq(model->rates[0].expr, model->rates[2].expr);
    cr_expect_eq(model->activities[1].expr, model->activities[3].expr);
    cr_expect_eq(model->activities[0].expr, model->activities[5].expr);
    for (int32_t i = 0; i < model->expr_count; i++) {
        if (model->exprs[i].op >= EXPR_ADD)
            cr_expect(model->exprs[i].a < i && model->exprs[i].b < i);
        for (int32_t k = 0; k < i; k++)
            cr_expect(model->exprs[i].op != model->exprs[k].op ||
                      model->exprs[i].a != model->exprs[k].a ||
                      model->exprs[i].b != model->exprs[k].b ||
                      model->exprs[i].number != model->exprs[k].number);
    }
    model_free(model);
}
