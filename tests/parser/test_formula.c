/* Formulas of CSL: how they are read, and what is refused, with its place. */
#include "parser/query/query.h"

#include <math.h>

#include "querying.h"

static void show_formula(const Query *q, const Model *model, int32_t node, Text *out);

static void show_times(const FormulaNode *f, Text *out)
{
    if (f->from > 0 || isfinite(f->to))
        text_add(out, "[%g,%g]", f->from, f->to);
}

static void show_inner(const Query *q, const Model *model, const FormulaNode *f, Text *out)
{
    if (f->kind == FORMULA_UNTIL) {
        text_add(out, f->complement ? "not " : "");
        show_formula(q, model, f->a, out);
        text_add(out, " U");
        show_times(f, out);
        text_add(out, " ");
        show_formula(q, model, f->b, out);
        return;
    }
    static const char *const words[] =
        {[FORMULA_NEXT] = "X",      [FORMULA_LONG_RUN] = "",  [FORMULA_EARNED] = "C",
         [FORMULA_EARNED_TO] = "F", [FORMULA_EARNS_AT] = "I", [FORMULA_EARNS_EVER] = "S"};
    text_add(out, "%s", words[f->kind]);
    if (f->kind == FORMULA_NEXT)
        show_times(f, out);
    if (f->kind == FORMULA_EARNED || f->kind == FORMULA_EARNS_AT)
        text_add(out, "%g", f->to);
    if (f->a >= 0) {
        text_add(out, " ");
        show_formula(q, model, f->a, out);
    }
}

static void show_formula(const Query *q, const Model *model, int32_t node, Text *out)
{
    static const char *const tests[] = {"=?", "<", "<=", ">", ">="};
    static const char *const signs[] =
        {[FORMULA_AND] = "&", [FORMULA_OR] = "|", [FORMULA_IMPLIES] = "=>"};
    const FormulaNode *f = &q->formula[node];
    cr_assert(f->a < node && f->b < node);
    if (f->kind == FORMULA_TRUE || f->kind == FORMULA_FALSE) {
        text_add(out, f->kind == FORMULA_TRUE ? "true" : "false");
    } else if (f->kind == FORMULA_ATOM) {
        cr_assert(q->items[f->item].role == ROLE_PREDICATE && !q->items[f->item].name);
        text_add(out, "{");
        show_node(q, model, q->items[f->item].body, out);
        text_add(out, "}");
    } else if (f->kind == FORMULA_NOT) {
        text_add(out, "!");
        show_formula(q, model, f->a, out);
    } else if (!formula_compares(f->kind)) {
        text_add(out, "(");
        show_formula(q, model, f->a, out);
        text_add(out, " %s ", signs[f->kind]);
        show_formula(q, model, f->b, out);
        text_add(out, ")");
    } else {
        text_add(out, f->item < 0 ? f->kind == FORMULA_LONG_RUN ? "S" : "P" : "R{");
        if (f->item >= 0) {
            cr_assert(q->items[f->item].role == ROLE_REWARD);
            show_node(q, model, q->items[f->item].body, out);
            text_add(out, "}");
        }
        text_add(out, "%s", tests[f->test]);
        if (f->test != FORMULA_ASKS)
            text_add(out, "%g", f->threshold);
        text_add(out, "[");
        show_inner(q, model, f, out);
        text_add(out, "]");
    }
}

static void expect_formula(const char *text, const char *wanted)
{
    Query query = {0};
    Text found = {0}, shown = {0};
    Model *model = query_model();
    PepaStatus status = read_query(&query, text, strlen(text), QUERY_FORMULA, model, &found);
    cr_assert_eq(status, PEPA_OK, "found in\n%s\n%s", text, found.text);
    show_formula(&query, model, (int32_t)query.formula_count - 1, &shown);
    cr_expect_str_eq(shown.text, wanted, "%s\nis read as\n%s\nwanted\n%s", text, shown.text,
                     wanted);
    text_free(&found);
    text_free(&shown);
    query_free(&query);
    model_free(model);
}

Test(formula, operators)
{
    expect_formula("true", "true");
    expect_formula("{Idle}", "{Idle}");
    expect_formula("{Idle >= 1 && !enabled(work)}", "{((Idle >= 1) && !enabled(work))}");
    expect_formula("P>=0.5 [ {Idle} U {Busy} ]", "P>=0.5[{Idle} U {Busy}]");
    expect_formula("P<0.5[X true]", "P<0.5[X true]");
    expect_formula("P>0.5 [ F<=2.5 {Busy} ]", "P>0.5[true U[0,2.5] {Busy}]");
    expect_formula("P=?[G[1,2]{Busy}]", "P=?[not true U[1,2] !{Busy}]");
    expect_formula("S<=1 [ false ]", "S<=1[ false]");
    expect_formula("R{2 * throughput:work}>=-3 [ C<=5 ]", "R{(2 * throughput:{work})}>=-3[C5]");
    expect_formula("R{population:E1}=? [ I=0.5 ]", "R{population:{E1}}=?[I0.5]");
    expect_formula("R{reward:{E1 + 1}}<1e300 [ F {Busy} ]",
                   "R{reward:{(E1 + 1)}}<1e+300[F {Busy}]");
    expect_formula("R{rate:r * probability:{Idle}}>0[S]",
                   "R{(rate:{r} * probability:{Idle})}>0[S]");
}

Test(formula, precedence)
{
    expect_formula("{Idle} & {Busy} | {E1}", "(({Idle} & {Busy}) | {E1})");
    expect_formula("{Idle} | {Busy} && {E1}", "({Idle} | ({Busy} & {E1}))");
    expect_formula("{Idle} => {Busy} => {E1} || true", "({Idle} => ({Busy} => ({E1} | true)))");
    expect_formula("!{Idle} & {Busy}", "(!{Idle} & {Busy})");
    expect_formula("!({Idle} & {Busy})", "!({Idle} & {Busy})");
    expect_formula("P>0 [ {Idle} & true U<=1 {Busy} | {E1} ]",
                   "P>0[({Idle} & true) U[0,1] ({Busy} | {E1})]");
    expect_formula("P>0 [ F P<1 [ X {Busy} ] & {Idle} ]", "P>0[true U (P<1[X {Busy}] & {Idle})]");
}

/* Keywords are words outside braces only, and other forms have no keywords. */
Test(formula, words)
{
    expect_formula("# a remark\n P>=.5 # another\n [ F\n {Idle} ]", "P>=0.5[true U {Idle}]");
    Query query = {0};
    Text found = {0};
    Model *model = expect_model("P = (a, 1).U; U = (b, 1).G; G = (c, 1).P; P");
    static const char text[] = "P>0 [ {P} U {U || G} ] & R{population:P}>0 [ S ]";
    cr_expect_eq(read_query(&query, text, sizeof text - 1, QUERY_FORMULA, model, &found), PEPA_OK);
    cr_expect_eq(query.item_count, 3);
    query_free(&query);
    query = (Query){0};
    cr_expect_eq(read_query(&query, "P > U", 5, QUERY_PREDICATE, model, &found), PEPA_OK);
    query_free(&query);
    text_free(&found);
    model_free(model);
}

/* The stack of the grammar has a limit, that of C none. */
Test(formula, deep)
{
    enum { DEEP = 30000 };
    Text text = {0}, found = {0};
    Query query = {0};
    Model *model = query_model();
    for (int i = 0; i < DEEP; i++)
        text_add(&text, "!(");
    text_add(&text, "true");
    for (int i = 0; i < DEEP; i++)
        text_add(&text, ")");
    cr_expect_eq(read_query(&query, text.text, text.length, QUERY_FORMULA, model, &found), PEPA_OK);
    cr_expect_eq(query.formula_count, DEEP + 1);
    query_free(&query);
    text_free(&text);
    for (int i = 0; i < 10 * DEEP; i++)
        text_add(&text, "(");
    cr_expect_eq(read_query(&query, text.text, text.length, QUERY_FORMULA, model, &found),
                 PEPA_EARG);
    cr_expect(strstr(found.text, "nested too deeply") != NULL, "%s", found.text);
    query_free(&query);
    text_free(&text);
    text_free(&found);
    model_free(model);
}

/* ---- refusals -------------------------------------------------------------------------------- */

static void refuse(const char *text, const char *wanted)
{
    expect_refused(text, strlen(text), QUERY_FORMULA, wanted);
}

Test(formula, syntax)
{
    refuse("", "1:1: error: unexpected end of the text; expected a formula\n");
    refuse("P", "1:2: error: unexpected end of the text; expected a comparison, such as `>=0.9` or "
                "`=?`\n");
    refuse("P>=0.5", "1:7: error: unexpected end of the text; expected `[`\n");
    refuse("P>=0.5 [ {Idle} ]", "1:17: error: unexpected `]`; expected `&`, `|`, `=>` or `U`\n");
    refuse("P>=0.5 [ U {Idle} ]", "1:10: error: unexpected `U`; expected a formula, `X`, `F` or "
                                  "`G`\n");
    refuse("P>0.5 [ F {Idle & Busy} ]", "1:17: error: unexpected `&`; write `&&`\n");
    refuse("Idle", "1:1: error: `Idle` is no word of a formula; conditions on states stand in "
                   "braces: write `{Idle}`\n");
    refuse("P>0.5 [ F {Idle} ] }",
           "1:20: error: unexpected `}`; expected `&`, `|`, `=>` or the end "
           "of the text\n");
    refuse("R>0.5 [ S ]", "1:2: error: unexpected `>`; expected `{`\n");
    refuse("R{population:Idle}>0.5 [ {Idle} ]", "1:26: error: unexpected `{`; expected `S`, `F`, "
                                                "`C` or `I`\n");
    refuse("{}", "1:2: error: unexpected `}`; expected an expression\n");
}

Test(formula, numbers)
{
    refuse("P>=1.5 [ X true ]", "1:4: error: probabilities are between 0 and 1\n");
    refuse("S<-0.5 [ true ]", "1:3: error: probabilities are between 0 and 1\n");
    refuse("P>=0.5 [ F<=-1 true ]", "1:13: error: times are numbers from 0 on\n");
    refuse("P>=0.5 [ F[3,2] true ]", "1:11: error: the interval ends at 2, before it begins\n");
    refuse("P>=0.5 [ F<=1e999 true ]", "1:13: error: the number is too large: not finite\n");
}

Test(formula, meaning)
{
    refuse("!P=? [ X true ]", "1:2: error: `=?` gives a number, which is no condition: within a "
                              "formula compare with a number, as in `>=0.5`\n");
    refuse("P>0 [ F {Idel} ]", "1:10: error: the model has no local state `Idel`; did you mean "
                               "`Idle`?\n");
    refuse("P>0 [ F {throughput:work} ]",
           "1:10: error: `throughput:` is about the model as a whole; this is about one state\n");
    refuse("R{Idle}>1 [ S ]", "1:3: error: `Idle` is a local state: write `population:Idle`\n");
    refuse("R{before}>1 [ S ]",
           "1:3: error: `before` is no measure, and the model has nothing of this name\n");
    static const char *const curved[] = {"population:Idle / throughput:work",
                                         "population:Idle * population:Busy", "response:Idle",
                                         "min(population:Idle, 1)"};
    for (size_t i = 0; i < sizeof curved / sizeof *curved; i++) {
        Text text = {0};
        text_add(&text, "R{1 + %s}>1 [ S ]", curved[i]);
        refuse(text.text, "1:7: error: a reward is a sum of throughputs, populations and the like, "
                          "each times a number; this is none\n");
        text_free(&text);
    }
    expect_formula("R{min(rate:r, 2) * population:Idle / max(1, 2)}>1 [ S ]",
                   "R{((min(rate:{r}, 2) * population:{Idle}) / max(1, 2))}>1[S]");
}
