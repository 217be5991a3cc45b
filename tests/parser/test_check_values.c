#include "reading.h"

Test(check_values, rates_of_activities)
{
    expect_findings("P = (a, 0).P; P", PEPA_EMODEL,
                    "1:9: error: the rate of `a` is 0; a rate must be > 0\n");
    expect_findings("r = 1; P = (a, r - 2).P; Q = (b, -r).Q; P", PEPA_EMODEL,
                    "1:16: error: the rate of `a` is -1; a rate must be > 0\n"
                    "1:34: error: the rate of `b` is -1; a rate must be > 0\n");
    expect_findings("P = (a, 1e-999).P; P", PEPA_EMODEL,
                    "1:9: error: the rate of `a` is 0; a rate must be > 0\n");
}

Test(check_values, a_rate_that_is_not_positive_is_told_once)
{
    expect_findings(
        "x = 1;\nr = x - 1;\nP = (a, 1).(b, r).P + (c, r).P;\nQ = (d, r).Q; P || Q", PEPA_EMODEL,
        "2:1: error: rate `r` is 0, but activity `(b, r)` in line 3 needs a rate > 0\n");
    expect_findings("zero = 0; r = 1 + zero; P = (a, r).P; P", PEPA_OK, "");
}

#define COPIES(number)                                                                             \
    "error: the number of copies must be a whole number from 1 to 10^15, not " number "\n"

Test(check_values, copies)
{
    static const char head[] = "n = 2; P = (a, 1).P;\n";
    static const struct {
        const char *system, *finding;
    } cases[] = {{"P[0]", "2:3: " COPIES("0")},
                 {"P[n - 3]", "2:3: " COPIES("-1")},
                 {"P[n / 4]", "2:3: " COPIES("0.5")},
                 {"P[1000000000000001]", "2:3: " COPIES("1000000000000001")},
                 {"P[1.00001]", "2:3: " COPIES("1.00001")},
                 {"P[T]", "2:3: error: the number of copies cannot be passive\n"},
                 {"P[P + n]", "2:3: error: the number of copies cannot be functional\n"},
                 {"P[1 / 0]", "2:3: error: division by zero\n"},
                 {"P[m]", "2:3: error: undefined rate `m`\n"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Text text = {0};
        text_add(&text, "%s%s || P[n]", head, cases[i].system);
        expect_findings(text.text, PEPA_EMODEL, cases[i].finding);
        text_free(&text);
    }
}

static int64_t copies_of(const char *number)
{
    Text text = {0};
    text_add(&text, "n = 2; P = (a, n).P; P[%s]", number);
    Model *model = expect_model(text.text);
    const Node *root = &model->nodes[model->node_count - 1];
    cr_expect_eq(root->kind, NODE_COPIES);
    int64_t copies = root->copies;
    model_free(model);
    text_free(&text);
    return copies;
}

Test(check_values, copies_are_whole_numbers)
{
    cr_expect_eq(copies_of("1"), 1);
    cr_expect_eq(copies_of("n"), 2);
    cr_expect_eq(copies_of("pow(n, 10) - 24.0"), 1000);
    cr_expect_eq(copies_of("3 * 0.1 * 10"), 3, "3.0000000000000004");
    cr_expect_eq(copies_of("2147483648"), 2147483648);
    cr_expect_eq(copies_of("999999999999999"), 999999999999999);
    cr_expect_eq(copies_of("1e15"), 1000000000000000);
}

Test(check_values, structural_rates)
{
    Model *model =
        expect_model("a = 2; n = a * b; b = 3; r = 1; s = r; P = (x, s * a).P; P[n + 1]");
    static const char *const structural[] = {"a", "b", "n"};
    int count = 0;
    for (int32_t i = 0; i < model->rate_count; i++)
        count += model->rates[i].structural;
    cr_expect_eq(count, 3);
    for (int i = 0; i < 3; i++)
        cr_expect(model->rates[find_rate(model, structural[i])].structural, "%s", structural[i]);
    model_free(model);
}

/* Of phases: how many there are is whole; probabilities, and all of hyper, only decide which. */
Test(check_values, rates_that_decide_phases)
{
    Model *model =
        expect_model("k = m + 1; m = 2; r = 1; p = q / 2; q = 0.5; w = 0.3; s = 2; n = 2;"
                     "P = (x, erlang(k, r)).Q; Q = (y, cox(r, p, r)).R;"
                     "R = (z, hyper(w:s, 1 - w:r)).P; P[n]");
    static const struct {
        const char *name;
        bool structural, whole;
    } expected[] = {{"k", true, true},  {"m", true, true},  {"n", true, true},  {"p", true, false},
                    {"q", true, false}, {"w", true, false}, {"s", true, false}, {"r", true, false}};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        const Rate *rate = &model->rates[find_rate(model, expected[i].name)];
        cr_expect_eq(rate->structural, expected[i].structural, "%s", rate->name);
        cr_expect_eq(rate->whole, expected[i].whole, "%s", rate->name);
    }
    model_free(model);
}

Test(check_values, subnormal_rates)
{
    expect_findings("r = 1e-320; P = (a, r).Q; Q = (b, 1e-310 / 4).P; P", PEPA_OK,
                    "1:21: warning: the rate of `a` is 1e-320, so small that doubles lose its "
                    "digits; use a larger unit of time\n"
                    "1:35: warning: the rate of `b` is 2.5e-311, so small that doubles lose its "
                    "digits; use a larger unit of time\n");
    expect_findings("r = 2.3e-308; P = (a, r).P; P", PEPA_OK, "");
}
