/* Measures and predicates that can be read: lexis, precedence, what names mean, and texts that are
 * deep or long. */
#include "parser/query/query.h"

#include <math.h>

#include "querying.h"

/* ---- measures ------------------------------------------------------------------------------ */

Test(query, atoms)
{
    expect_measures("throughput:work\nthroughput:{work, serve}",
                    "throughput:work = throughput:{work}\n"
                    "throughput:{work, serve} = throughput:{work, serve}\n");
    expect_measures("population:Idle\nx = population:{2.E1, Idle}",
                    "population:Idle = population:{Idle}\nx = population:{2.E1, Idle}\n");
    expect_measures("u = utilisation:Busy\nv = utilisation:{1.Busy,E3}",
                    "u = utilisation:{Busy}\nv = utilisation:{1.Busy, E3}\n");
    expect_measures("w = response:{Busy}\nv = response:E3",
                    "w = response:{Busy}\nv = response:{E3}\n");
    expect_measures("p = probability:{Busy >= 1 && !enabled(a)}\nq = probability:Busy",
                    "p = probability:{((Busy >= 1) && !enabled(a))}\nq = probability:{Busy}\n");
    expect_measures("m = reward:{3 * Busy + r}\nn = reward:2.E1",
                    "m = reward:{((3 * Busy) + rate r)}\nn = reward:{2.E1}\n");
    expect_measures("c = rate:r\nd = rate:{serve}", "c = rate:{r}\nd = rate:{serve}\n");
    expect_measures("h = throughput:tau", "h = throughput:{tau}\n");
}

Test(query, operators_and_functions_of_measures)
{
    expect_measures("x = -1 + 2 * 3 / 4 - .5", "x = ((-1 + ((2 * 3) / 4)) - 0.5)\n");
    expect_measures("x = 1 - 2 - 3\ny = 8 / 4 / 2\nz = 8 / (4 / 2)\n",
                    "x = ((1 - 2) - 3)\ny = ((8 / 4) / 2)\nz = (8 / (4 / 2))\n");
    expect_measures("x = - - 2 * 3", "x = (--2 * 3)\n");
    expect_measures("x = min(1, max(2, 3)) + pow(2, 3) * exp(1) - log(2) / sqrt(4)",
                    "x = ((min(1, max(2, 3)) + (pow(2, 3) * exp(1))) - (log(2) / sqrt(4)))\n");
}

Test(query, earlier_measures)
{
    expect_measures("x = 2\ny = x * x\nx + y\n\"x + y\" * 2",
                    "x = 2\ny = (=x * =x)\nx + y = (=x + =y)\n\"x + y\" * 2 = (=x + y * 2)\n");
    expect_measures("throughput = 1\nmin = 2\nr = 3\ntrue = 4\nmin(min, r) + throughput * true",
                    "throughput = 1\nmin = 2\nr = 3\ntrue = 4\n"
                    "min(min, r) + throughput * true = (min(=min, =r) + (=throughput * =true))\n");
}

/* A list goes on in the next text, which may use what it has. */
Test(query, several_texts)
{
    Query query = {0};
    Text found = {0}, shown = {0};
    Model *model = query_model();
    cr_assert_eq(read_query(&query, "x = population:Busy", 19, QUERY_MEASURES, model, &found),
                 PEPA_OK);
    cr_assert_eq(read_query(&query, "", 0, QUERY_MEASURES, model, &found), PEPA_OK);
    cr_assert_eq(read_query(&query, "y = x / 2", 9, QUERY_MEASURES, model, &found), PEPA_OK);
    show_query(&query, model, &shown);
    cr_expect_str_eq(shown.text, "x = population:{Busy}\ny = (=x / 2)\n");
    cr_expect_str_eq(found.text, "");
    text_free(&shown);
    text_free(&found);
    query_free(&query);
    model_free(model);
}

/* ---- lexis --------------------------------------------------------------------------------- */

Test(query, lines_and_comments)
{
    expect_measures("", "");
    expect_measures("\n\n# only a comment", "");
    expect_measures("# one\n\n \t x = 1 # two # three\r\n\r\ny = 2\n# four", "x = 1\ny = 2\n");
    expect_measures("\xEF\xBB\xBFx = 1\ny = 2", "x = 1\ny = 2\n");
    expect_measures("a\t=\f1 +\v2", "a = (1 + 2)\n");
    expect_measures("  1  +  2  # the name has no blanks around it", "1  +  2 = (1 + 2)\n");
    expect_measures("# \xFF\xFE and \x01 are skipped\nx = 1", "x = 1\n");
}

Test(query, numbers)
{
    expect_measures("x = 1 + 1. + .5 + 1.5 + 1e2 + 1E2 + 1.5e-1 + 1.5E+1 + 2.e1 + 007",
                    "x = (((((((((1 + 1) + 0.5) + 1.5) + 100) + 100) + 0.15) + 15) + 20) + 7)\n");
}

/* After digits and a dot, a letter that begins a local state makes the digits a position. */
Test(query, positions)
{
    expect_predicate("2.E3 == 2.E1", "(2.E3 == 2.E1)\n");
    expect_predicate("2.E3 + 3", "(2.E3 + 3)\n");
    expect_predicate("2.e3 + E3", "(2000 + E3)\n");
    expect_predicate("2.5E3 > 2. * E3", "(2500 > (2 * E3))\n");
    expect_predicate("02.E1 + 1.Busy", "(2.E1 + 1.Busy)\n");
    expect_predicate("2. + E1", "(2 + E1)\n");
    expect_predicate("3.\"on hold\"", "3.on hold\n");
}

Test(query, quoted_names)
{
    expect_predicate("\"on hold\" && enabled(\"call in\") && \"E3\" > 0",
                     "((on hold && enabled(call in)) && (E3 > 0))\n");
    expect_measures("\"a name, with = and #\" = 1\n\"a name, with = and #\" + 1",
                    "a name, with = and # = 1\n"
                    "\"a name, with = and #\" + 1 = (=a name, with = and # + 1)\n");
    expect_measures("\"\xC3\xA9t\xC3\xA9\" = 1", "\xC3\xA9t\xC3\xA9 = 1\n");
}

/* ---- predicates ---------------------------------------------------------------------------- */

Test(query, names_within_a_state)
{
    expect_predicate("deadlock", "deadlock\n");
    expect_predicate("true && false", "(1 && 0)\n");
    expect_predicate("serve > r", "(rate serve > rate r)\n");
    expect_predicate("enabled(serve)", "enabled(serve)\n");
    expect_predicate("enabled(tau)", "enabled(tau)\n");
    expect_predicate("min(Busy, max(E1, 2))", "min(Busy, max(E1, 2))\n");
}

Test(query, precedence_of_predicates)
{
    expect_predicate("Idle || E1 && E3", "(Idle || (E1 && E3))\n");
    expect_predicate("Idle && E1 || E3 && Busy", "((Idle && E1) || (E3 && Busy))\n");
    expect_predicate("Idle || E1 || E3", "((Idle || E1) || E3)\n");
    expect_predicate("!E1 >= 2", "!(E1 >= 2)\n");
    expect_predicate("!E1 + E3 == 2 && Idle", "(!((E1 + E3) == 2) && Idle)\n");
    expect_predicate("!!E1 || !E3", "(!!E1 || !E3)\n");
    expect_predicate("(!E1) >= 2", "(!E1 >= 2)\n");
    expect_predicate("E1 + E3 * 2 < E1 - E3 / 2", "((E1 + (E3 * 2)) < (E1 - (E3 / 2)))\n");
    expect_predicate("-E1 + E3 > -1 * E1", "((-E1 + E3) > (-1 * E1))\n");
    expect_predicate("E1 - -E3", "(E1 - -E3)\n");
    expect_predicate("(E1 == 2) == (E3 == 0)", "((E1 == 2) == (E3 == 0))\n");
    expect_predicate("E1 < 1 || E1 <= 1 || E1 > 1 || E1 >= 1 || E1 == 1 || E1 != 1",
                     "((((((E1 < 1) || (E1 <= 1)) || (E1 > 1)) || (E1 >= 1)) || (E1 == 1)) || "
                     "(E1 != 1))\n");
}

Test(query, predicates_over_lines)
{
    expect_predicate("\nIdle # the first\n  && # and\n\r\n E1\n", "(Idle && E1)\n");
}

/* ---- large texts --------------------------------------------------------------------------- */

/* `open` so many times, `middle`, and `close` as often. */
static Text nested(const char *open, const char *middle, const char *close, int depth)
{
    Text text = {0};
    for (int i = 0; i < depth; i++)
        text_add(&text, "%s", open);
    text_add(&text, "%s", middle);
    for (int i = 0; i < depth; i++)
        text_add(&text, "%s", close);
    return text;
}

static void expect_nodes(const Text *text, QueryForm form, size_t nodes)
{
    Query query = {0};
    Text found = {0};
    Model *model = query_model();
    PepaStatus status = read_query(&query, text->text, text->length, form, model, &found);
    cr_expect_eq(status, PEPA_OK, "%.99s", found.text);
    cr_expect_eq(query.node_count, nodes);
    text_free(&found);
    query_free(&query);
    model_free(model);
}

Test(query, deep)
{
    enum { DEPTH = 90000 };
    Text text = nested("(", "E1", ")", DEPTH);
    expect_nodes(&text, QUERY_PREDICATE, 1);
    text_free(&text);
    text = nested("!", "E1", "", DEPTH);
    expect_nodes(&text, QUERY_PREDICATE, DEPTH + 1);
    text_free(&text);
    text = nested("1-(", "2", ")", DEPTH / 3);
    expect_nodes(&text, QUERY_MEASURES, 2 * (DEPTH / 3) + 1);
    text_free(&text);
}

/* One message, of what stands behind as well as of the depth, and nothing is kept. */
Test(query, too_deep)
{
    static const char *const open[] = {"(", "!", "-", "min(", "population:{", "E1 && ("};
    enum { DEPTH = 100000 };
    for (size_t i = 0; i < sizeof open / sizeof *open; i++) {
        Query query = {0};
        Text text = nested(open[i], "E1", strchr(open[i], '(') ? ")" : "", DEPTH), found = {0};
        Model *model = query_model();
        cr_expect_eq(read_query(&query, text.text, text.length, QUERY_PREDICATE, model, &found),
                     PEPA_EARG);
        cr_expect(strstr(found.text, "error: nested too deeply\n"), "%.99s", found.text);
        cr_expect(query.node_count == 0 && query.item_count == 0);
        text_free(&text);
        text_free(&found);
        query_free(&query);
        model_free(model);
    }
}

Test(query, long_lines_and_many)
{
    enum { TERMS = 200000, LINES = 3000 };
    Text text = nested("E1 + ", "1", "", TERMS);
    expect_nodes(&text, QUERY_PREDICATE, 2 * TERMS + 1);
    text_free(&text);
    for (int i = 0; i < LINES; i++)
        text_add(&text, "x%d = population:E1\n", i);
    expect_nodes(&text, QUERY_MEASURES, 2 * LINES);
    text_free(&text);
}

/* ---- expressions over rates ------------------------------------------------------------------ */

static void expect_value(const char *text, double wanted)
{
    Query query = {0};
    Text found = {0};
    Model *model = query_model();
    double value = 7;
    cr_assert_eq(read_query(&query, text, strlen(text), QUERY_VALUE, model, &found), PEPA_OK, "%s",
                 text);
    cr_assert_eq(query_value(&query, 0, model, &value, NULL), PEPA_OK);
    cr_expect_float_eq(value, wanted, 1e-15 * fabs(wanted), "%s is %g", text, value);
    query_free(&query);
    text_free(&found);
    model_free(model);
}

Test(query, values)
{
    expect_value("1/2", 0.5);
    expect_value("3 * r", 6);
    expect_value("-serve + r * (1 - 2) / 4 - 1", -4.5);
    expect_value("min(r, serve) + max(r, serve) * pow(r, serve)", 26);
    expect_value("exp(log(sqrt(r * 8)))", 4);
    expect_value("1e3 # a comment\n + 1", 1001);
}

/* A copy means the same in another model, where the names have other ids. */
Test(query, copies)
{
    static const char text[] = "N = population:{Idle, 1.Busy}\nN / throughput:work + rate:r";
    Query query = {0}, copy = {0};
    Text found = {0}, shown = {0}, again = {0};
    DiagList diags = {0};
    Model *model = query_model();
    Model *other = expect_model("a = 1; r = 5; Busy = (b, a).(work, 1).Idle; Idle = (c, r).Busy;\n"
                                "Busy[3]");
    Model *less = expect_model("r = 1; Idle = (a, r).Idle; Idle");
    cr_assert_eq(read_query(&query, text, strlen(text), QUERY_MEASURES, model, &found), PEPA_OK);
    cr_assert_eq(query_copy(&copy, &query, other, &diags), PEPA_OK);
    show_query(&query, model, &shown);
    show_query(&copy, other, &again);
    cr_expect_str_eq(again.text, shown.text);
    query_free(&copy);
    cr_expect_eq(query_copy(&copy, &query, less, &diags), PEPA_EARG);
    cr_expect_eq(diags.errors, 2);
    cr_expect_null(copy.nodes);
    query_free(&query);
    text_free(&shown);
    text_free(&again);
    diag_free(&diags);
    model_free(model);
    model_free(other);
    text_free(&found);
    model_free(less);
}
