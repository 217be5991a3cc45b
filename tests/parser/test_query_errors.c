/* Measures and predicates that cannot be read, or mean nothing: each error gets one message, at its
 * place, and the list stays as it was. */
#include "parser/query/query.h"

#include "querying.h"

/* ---- syntax -------------------------------------------------------------------------------- */

Test(query_errors, unfinished)
{
    refuse_measures("population:Idle +", "1:18: error: unexpected end of the text; expected an "
                                         "expression\n");
    refuse_measures("x = (1 + 2\ny = 3", "1:11: error: unexpected end of the line; expected an "
                                         "operator or `)`\n");
    refuse_measures("x =", "1:4: error: unexpected end of the text; expected an expression\n");
    refuse_measures("population:", "1:12: error: unexpected end of the text; expected a name, a "
                                   "position or `{`\n");
    refuse_measures("population:{}", "1:13: error: unexpected `}`; expected an expression\n");
    refuse_measures("population:{Idle,}", "1:18: error: unexpected `}`; expected an expression\n");
    refuse_measures("min()", "1:5: error: unexpected `)`; expected an expression\n");
    refuse_predicate("", "1:1: error: unexpected end of the text; expected an expression\n");
    refuse_predicate("# nothing", "1:10: error: unexpected end of the text; expected an "
                                  "expression\n");
    refuse_predicate("Idle &&", "1:8: error: unexpected end of the text; expected an expression\n");
    refuse_predicate("!", "1:2: error: unexpected end of the text; expected an expression\n");
    refuse_predicate("(Idle", "1:6: error: unexpected end of the text; expected an operator, `:`, "
                              "`(` or `)`\n");
    refuse_predicate("enabled(", "1:9: error: unexpected end of the text; expected an "
                                 "expression\n");
}

Test(query_errors, out_of_place)
{
    refuse_measures("1 2", "1:3: error: unexpected `2`; expected an operator or the end of the "
                           "text\n");
    refuse_measures("x = 1)", "1:6: error: unexpected `)`; expected an operator or the end of the "
                              "text\n");
    refuse_measures("* 2", "1:1: error: unexpected `*`; expected an expression\n");
    refuse_measures("x = * 2", "1:5: error: unexpected `*`; expected an expression\n");
    refuse_measures("= 2", "1:1: error: unexpected `=`; expected an expression; equality is "
                           "written `==`\n");
    refuse_measures("x = 1 = 2", "1:7: error: unexpected `=`; expected an operator or the end of "
                                 "the text; equality is written `==`\n");
    refuse_measures("2.Idle = 1", "1:8: error: unexpected `=`; expected an operator or the end of "
                                  "the text; equality is written `==`\n");
    refuse_predicate("x = Idle", "1:3: error: unexpected `=`; expected an operator, the end of the "
                                 "text, `:` or `(`; equality is written `==`\n");
    refuse_predicate("0 < 1 < 2", "1:7: error: unexpected `<`; expected an operator or the end of "
                                  "the text\n");
    refuse_predicate("E1 == E1 == 1",
                     "1:10: error: unexpected `==`; expected an operator, the end of the text, `:` "
                     "or `(`\n");
    refuse_predicate("Idle Busy", "1:6: error: unexpected `Busy`; expected an operator, the end of "
                                  "the text, `:` or `(`\n");
    refuse_measures("1.2.3", "1:4: error: unexpected `.3`; expected an operator or the end of the "
                             "text\n");
}

Test(query_errors, characters)
{
    refuse_measures("x = 1; y = 2", "1:6: error: unexpected character `;`\n");
    refuse_predicate("Idle & Busy", "1:6: error: unexpected `&`; write `&&`\n");
    refuse_predicate("Idle | Busy", "1:6: error: unexpected `|`; write `||`\n");
    refuse_predicate("Idle \xC3\xA9 1", "1:6: error: unexpected character `\xC3\xA9`\n");
    refuse_predicate("Idle \xE9", "1:6: error: byte 0xE9: the text is not UTF-8\n");
    refuse_predicate("Idle \x01", "1:6: error: unexpected control character 0x01\n");
    refuse_predicate("Idle \x7F", "1:6: error: unexpected control character 0x7F\n");
    refuse_predicate("\"Idle", "1:1: error: the quoted name is never closed\n");
    refuse_measures("\"\" = 1", "1:1: error: an empty name\n");
    refuse_measures("\"a\tb\" = 1", "1:1: error: byte 0x09 in a quoted name\n");
    refuse_measures("\"a\xE9\" = 1", "1:1: error: byte 0xE9 in a quoted name\n");
    refuse_measures("x = 1e999", "1:5: error: the number is too large: not finite\n");
}

Test(query_errors, nul_bytes)
{
    static const char between[] = "x = 1\ny =\0 2", quoted[] = "Idle && \"Bu\0sy\"",
                      comment[] = "x = 1 # \0\ny = $";
    expect_refused(between, sizeof between - 1, QUERY_MEASURES,
                   "2:4: error: unexpected control character 0x00\n");
    expect_refused(quoted, sizeof quoted - 1, QUERY_PREDICATE,
                   "1:9: error: byte 0x00 in a quoted name\n");
    expect_refused(comment, sizeof comment - 1, QUERY_MEASURES,
                   "2:5: error: unexpected character `$`\n");
}

/* Reading goes on with the next line, and what was read is checked; of a predicate, the first error
 * of syntax is the last. */
Test(query_errors, next_lines)
{
    refuse_predicate("Idle + $ +\n @ && Gone", "1:8: error: unexpected character `$`\n");
    refuse_measures("x = 1 +\ny = 2 *\nz = 3\nw = population:Bsy",
                    "1:8: error: unexpected end of the line; expected an expression\n"
                    "2:8: error: unexpected end of the line; expected an expression\n"
                    "4:16: error: the model has no local state `Bsy`; did you mean `Busy`?\n");
    refuse_measures("x = (1\n= 2\ny = ) ( $ @\nz = x",
                    "1:7: error: unexpected end of the line; expected an operator or `)`\n"
                    "2:1: error: unexpected `=`; expected an expression; equality is written "
                    "`==`\n"
                    "3:5: error: unexpected `)`; expected an expression\n"
                    "3:9: error: unexpected character `$`\n"
                    "3:11: error: unexpected character `@`\n"
                    "4:5: error: no measure `x` is defined before this one\n");
    refuse_measures("x = 1 + + 2\nx + 1\ny = population:Idle",
                    "1:9: error: unexpected `+`; expected an expression\n"
                    "2:1: error: no measure `x` is defined before this one\n");
}

Test(query_errors, too_many)
{
    Text text = {0}, wanted = {0};
    for (int line = 1; line <= 25; line++) {
        text_add(&text, "x%d = 1\n$\n", line);
        if (line <= 20)
            text_add(&wanted, "%d:1: error: unexpected character `$`\n", 2 * line);
    }
    text_add(&wanted, "40:1: error: too many errors\n");
    refuse_measures(text.text, wanted.text);
    text_free(&text);
    text_free(&wanted);
}

/* ---- expressions over rates ------------------------------------------------------------------ */

static void refuse_value(const char *text, const char *wanted)
{
    expect_refused(text, strlen(text), QUERY_VALUE, wanted);
}

Test(query_errors, values)
{
    refuse_value("2 * x", "1:5: error: the model has no rate `x`\n");
    refuse_value("sreve + 1", "1:1: error: the model has no rate `sreve`; did you mean `serve`?\n");
    refuse_value("Idle", "1:1: error: the model has no rate `Idle`\n");
    refuse_value("rate:r", "1:1: error: `rate:` belongs to a measure; only numbers and rates can "
                           "stand here\n");
    refuse_value("r > 1 && !r", "1:1: error: a condition is no number\n"
                                "1:1: error: a condition is no number\n"
                                "1:10: error: a condition is no number\n");
    refuse_value("enabled(r)", "1:1: error: no function `enabled` here; there are min, max, pow, "
                               "exp, log and sqrt\n");
    refuse_value("1 2",
                 "1:3: error: unexpected `2`; expected an operator or the end of the text\n");
    refuse_value("", "1:1: error: unexpected end of the text; expected an expression\n");
    refuse_value("1.r",
                 "1:3: error: unexpected `r`; expected an operator or the end of the text\n");
    refuse_value("slow", "1:1: error: `slow` depends on the state: it has no single value\n");
    refuse_value("any", "1:1: error: `any` is passive: it has no value\n");
}

/* ---- names --------------------------------------------------------------------------------- */

Test(query_errors, unknown_names)
{
    refuse_measures("population:Idel", "1:12: error: the model has no local state `Idel`; did you "
                                       "mean `Idle`?\n");
    refuse_measures("population:Xyz", "1:12: error: the model has no local state `Xyz`\n");
    refuse_measures("throughput:{serve, wrok}",
                    "1:20: error: the model has no action `wrok`; did you mean `work`?\n");
    refuse_measures("throughput:r", "1:12: error: the model has no action `r`\n");
    refuse_measures("rate:srve", "1:6: error: the model has no rate `srve`; did you mean "
                                 "`serve`?\n");
    refuse_measures("response:{Idle, idle}", "1:17: error: the model has no local state `idle`; "
                                             "did you mean `Idle`?\n");
    refuse_predicate("Idl > 0", "1:1: error: the model has no local state `Idl`; did you mean "
                                "`Idle`?\n");
    refuse_predicate("enabled(x)", "1:9: error: the model has no action `x`\n");
    refuse_measures("y", "1:1: error: no measure `y` is defined before this one\n");
    refuse_measures("x = x", "1:5: error: no measure `x` is defined before this one\n");
}

Test(query_errors, unknown_atoms)
{
    refuse_measures("utilization:Idle",
                    "1:1: error: no measure `utilization:`; did you mean `utilisation:`?\n");
    refuse_measures("cost:{Idle, 3 * r}",
                    "1:1: error: no measure `cost:`; there are throughput, population, "
                    "utilisation, response, probability, reward and rate\n");
    refuse_measures("x = average(1, 2)", "1:5: error: no function `average` here; there are min, "
                                         "max, pow, exp, log and sqrt\n");
    refuse_measures("enabled(serve)", "1:1: error: no function `enabled` here; there are min, "
                                      "max, pow, exp, log and sqrt\n"
                                      "1:9: error: `serve` is an action: write "
                                      "`throughput:serve`\n");
    refuse_predicate("exp(Idle)",
                     "1:1: error: no function `exp` here; there are min, max and enabled\n");
}

/* What a name is where it stands for something else. */
Test(query_errors, other_kinds)
{
    refuse_measures("Idle", "1:1: error: `Idle` is a local state: write `population:Idle`\n");
    refuse_measures("2 * work", "1:5: error: `work` is an action: write `throughput:work`\n");
    refuse_measures("r", "1:1: error: `r` is a rate: write `rate:r`\n");
    refuse_predicate("work", "1:1: error: `work` is an action: write `enabled(work)`\n");
    refuse_predicate("tau > 0", "1:1: error: `tau` is an action: write `enabled(tau)`\n");
    refuse_measures("population:{Idle + Busy}",
                    "1:13: error: expected the name of a local state here\n");
    refuse_measures("throughput:{(1 - work) * serve}",
                    "1:13: error: expected the name of an action here\n");
    refuse_measures("rate:{2}", "1:7: error: expected the name of a rate here\n");
    refuse_predicate("enabled(2 * work)", "1:9: error: expected the name of an action here\n");
}

Test(query_errors, positions)
{
    refuse_predicate("0.Idle", "1:1: error: positions of the system equation are numbered from "
                               "1\n");
    refuse_predicate("9999999999.Idle", "1:1: error: positions of the system equation are "
                                        "numbered from 1\n");
    refuse_predicate("Idle + 4.Idle", "1:8: error: the system equation has 3 positions\n");
    refuse_predicate("1.E1 > 0 || 2.Busy", "1:1: error: the component at position 1 cannot be in "
                                           "`E1`\n"
                                           "1:13: error: the component at position 2 cannot be in "
                                           "`Busy`\n");
    refuse_measures("population:{E1, 2.E1, 3.E1, 2.E3}",
                    "1:23: error: the component at position 3 cannot be in `E1`\n");
    refuse_measures("throughput:{1.\"work\"}",
                    "1:13: error: only local states have a position: write `work`\n");
    refuse_measures("1.Idle", "1:1: error: `Idle` is a local state: write `population:Idle`\n");
    refuse_predicate("Gone", "1:1: error: no component of the system can be in `Gone`\n");
    refuse_measures("population:Gone + response:{1.Gone}",
                    "1:12: error: no component of the system can be in `Gone`\n"
                    "1:29: error: the component at position 1 cannot be in `Gone`\n");
}

Test(query_errors, one_position)
{
    Query query = {0};
    Text found = {0};
    Model *model = expect_model("P = (a, 1).Q; Q = (b, 1).P; P");
    cr_expect_eq(read_query(&query, "2.P", 3, QUERY_PREDICATE, model, &found), PEPA_EARG);
    cr_expect_str_eq(found.text, "1:1: error: the system equation has 1 position\n");
    text_free(&found);
    query_free(&query);
    model_free(model);
}

/* ---- meaning ------------------------------------------------------------------------------- */

Test(query_errors, numbers_of_operands)
{
    refuse_measures("min(1)", "1:1: error: `min` takes two arguments, not 1\n");
    refuse_measures("max(1, 2, 3)", "1:1: error: `max` takes two arguments, not 3\n");
    refuse_measures("exp(1, 2)", "1:1: error: `exp` takes one argument, not 2\n");
    refuse_predicate("min(Idle) > 0", "1:1: error: `min` takes two arguments, not 1\n");
    refuse_predicate("enabled(work, serve)", "1:1: error: `enabled` takes one action\n");
    refuse_measures("rate:{r, serve}", "1:1: error: `rate:` takes one name\n");
    refuse_measures("probability:{Idle, Busy}",
                    "1:1: error: `probability:` takes one expression\n");
    refuse_measures("reward:{1, 2}", "1:1: error: `reward:` takes one expression\n");
}

Test(query_errors, model_and_state)
{
    refuse_predicate("throughput:work > 1", "1:1: error: `throughput:` is about the model as a "
                                            "whole; this is about one state\n");
    refuse_measures("probability:{rate:r > 1}", "1:14: error: `rate:` is about the model as a "
                                                "whole; this is about one state\n");
    refuse_measures("x = 1 < 2", "1:5: error: a condition is about one state: write "
                                 "`probability:{...}`\n");
    refuse_measures("!1", "1:1: error: a condition is about one state: write "
                          "`probability:{...}`\n");
    refuse_measures("throughput:work && throughput:serve",
                    "1:1: error: a condition is about one state: write `probability:{...}`\n");
}

Test(query_errors, twice_the_same_name)
{
    refuse_measures("x = 1\nx = 2", "2:1: error: the measure `x` is there already\n");
    refuse_measures("population:Idle\npopulation:Idle",
                    "2:1: error: the measure `population:Idle` is there already\n");
    refuse_measures("before = 2", "1:1: error: the measure `before` is there already\n");
    refuse_measures("\"1 + 1\" = 3\n1 + 1", "2:1: error: the measure `1 + 1` is there already\n");
}
