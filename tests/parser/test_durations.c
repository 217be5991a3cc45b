/* Durations in the place of rates: what they may be, and what is wrong. */
#include "reading.h"

static void expect_error(const char *duration, const char *finding)
{
    Text text = {0}, wanted = {0};
    text_add(&text, "m = 2; P = (a, %s).P; P", duration);
    text_add(&wanted, "%s\n", finding);
    expect_findings(text.text, PEPA_EMODEL, wanted.text);
    text_free(&text);
    text_free(&wanted);
}

Test(durations, in_activities)
{
    Model *m = expect_model("m = 2; P = (a, det(m / 4)).P + (b, uniform(0, m)).P +\n"
                            "(c, lognormal(-m, 0.1)).P + (d, trace(\"x/y z.csv\")).P +\n"
                            "(e, trace(\"x\")).P + (f, trace(\"x/y z.csv\")).P; P");
    cr_assert_eq(m->activity_count, 6);
    cr_expect(m->durations);
    for (int32_t k = 0; k < 6; k++) {
        cr_expect(model_is_duration(m, m->activities[k].expr));
        cr_expect(!model_is_immediate(m, m->activities[k].expr));
    }
    cr_assert_eq(m->trace_count, 2);
    cr_expect_str_eq(m->traces[0].name, "x/y z.csv");
    cr_expect_str_eq(m->traces[1].name, "x");
    cr_expect_eq(m->activities[3].expr, m->activities[5].expr);
    model_free(m);
    m = expect_model("det = 2; P = (a, det).P; P");
    cr_expect(!m->durations);
    model_free(m);
}

Test(durations, numbers)
{
    expect_error("det(m - 2)", "1:20: error: a duration must be finite and > 0 (what takes no time "
                               "is `immediate`), not 0");
    expect_error("uniform(-1, m)", "1:24: error: the least duration must be >= 0, not -1");
    expect_error("uniform(2, m)", "1:27: error: the largest duration must be finite and larger "
                                  "than the least one, not 2");
    expect_error("lognormal(1, 0)",
                 "1:29: error: the standard deviation of the logarithm of a duration must be > 0, "
                 "and its square at most 300, not 0");
    expect_error("lognormal(1000, 1)", "1:26: error: the mean of the logarithm of a duration must "
                                       "be from -300 to 300, not 1000");
    expect_error("det(P)", "1:16: error: the numbers of a duration cannot be passive, immediate or "
                           "depend on the state");
    expect_error("det(T)", "1:16: error: the numbers of a duration cannot be passive, immediate or "
                           "depend on the state");
    expect_error("det(1 / 0)", "1:20: error: division by zero");
}

Test(durations, places)
{
    expect_findings("P = (a, 2 * det(1)).P; P", PEPA_EMODEL,
                    "1:13: error: a duration is the whole rate of an activity: it cannot be part "
                    "of an expression or have a name\n");
    expect_findings("d = uniform(1, 2); P = (a, d).P; P", PEPA_EMODEL,
                    "1:5: error: a duration is the whole rate of an activity: it cannot be part "
                    "of an expression or have a name\n");
    expect_findings("P = (a, det(det(1))).P; P", PEPA_EMODEL,
                    "1:13: error: a duration is the whole rate of an activity: it cannot be part "
                    "of an expression or have a name\n");
    expect_findings("P = (a, 1).P; P[det(2)]", PEPA_EMODEL,
                    "1:17: error: the number of copies cannot be a duration\n");
    expect_findings("P = (a, trace(x)).P; x = 1; P", PEPA_ESYNTAX,
                    "1:9: error: `trace` takes the name of a file in quotes\n");
    expect_findings("P = (a, trace(\"x\", 2)).P; P", PEPA_ESYNTAX,
                    "1:9: error: `trace` takes one argument, not 2\n"
                    "1:15: error: undefined process `x` in a rate\n");
}

/* A duration has no priority, and neither has what it would be compared with. */
Test(durations, priorities)
{
    static const char finding[] = "error: where some activities have durations such as `det(d)`, "
                                  "only immediate ones have priorities\n";
    static const char *const wrong[] = {"P = (a[2], det(1)).P; P",
                                        "P = (a[2], 1).P + (b, det(1)).P; P",
                                        "P = (a[2], T).P + (b, det(1)).P; P"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        Text wanted = {0};
        text_add(&wanted, "1:7: %s", finding);
        expect_findings(wrong[i], PEPA_EMODEL, wanted.text);
        text_free(&wanted);
    }
    model_free(expect_model("P = (a[2], immediate).Q; Q = (b, det(1)).P; P"));
    model_free(expect_model("P = (a[2], 1).P; P"));
}

/* Printing a model and reading the text gives the same tree. */
Test(durations, printed)
{
    static const char text[] = "P = (a, det(1 + m)).P + (b, uniform(0, 2)).P;\n"
                               "Q = (a, lognormal(-1, m)).Q + (b, trace(\"T\")).P;\nP || Q\n";
    Arena arena = {0};
    DiagList diags = {0};
    Text out = {0};
    Ast *ast = NULL;
    const Source source = {"text", text, strlen(text)};
    cr_assert_eq(parse_text(&source, &arena, &ast, &diags), PEPA_OK);
    ast_print(ast, &out);
    cr_expect_str_eq(out.text, "P = (a, det(1 + m)).P + (b, uniform(0, 2)).P;\n"
                               "Q = (a, lognormal(-1, m)).Q + (b, trace(\"T\")).P;\nP || Q\n");
    text_free(&out);
    diag_free(&diags);
    arena_free(&arena);
}
