/* What cannot be parsed: each error gets one message, at its place. */
#include <stdio.h>

#include "reading.h"

/* A correct model to hang one statement on. */
#define MODEL "r = 1; P = (a, r).P; "

Test(parse_errors, missing_semicolon)
{
    expect_syntax("r = 1\nP = (a, r).P // x\n\nQ = P; s = 2 t = 3; P",
                  "1:6: error: missing `;`\n2:13: error: missing `;`\n4:13: error: missing `;`\n");
    expect_syntax(MODEL "Q = P\n<a> P\nP", "2:6: error: missing `;`\n");
    expect_syntax("r = 1 #P = (a, r).P; P", "1:6: error: missing `;`\n");
    expect_syntax("r = 1\n% s = 2;\nP = (a, r).P; P", "1:6: error: missing `;`\n");
}

Test(parse_errors, missing_pieces)
{
    expect_syntax(MODEL "Q = (a, r) P; P",
                  "1:32: error: missing `.` between an activity and what follows\n");
    expect_syntax(MODEL "Q = (a, r) (b, r).P; P",
                  "1:32: error: missing `.` between an activity and what follows\n");
    expect_syntax(MODEL "P <a b> P", "1:26: error: missing `,` between the actions of a set\n");
    expect_syntax(MODEL "P / {a b}", "1:28: error: missing `,` between the actions of a set\n");
    expect_syntax(MODEL "Q = (a r).P; P", "1:29: error: unexpected `r`; expected `,`\n");
    expect_syntax(MODEL "Q = (a).P; P",
                  "1:28: error: an activity without a rate; expected `(action, rate)`\n");
    expect_syntax(MODEL "Q = ((a, r).P; P",
                  "1:35: error: unexpected `;`; expected `)`, a cooperation, `+`, `/` or `[`\n");
    expect_syntax(MODEL "Q = (a, r).; P", "1:33: error: unexpected `;`; expected a process\n");
    expect_syntax(MODEL "Q = (a, ).P; P", "1:30: error: unexpected `)`; expected a rate\n");
    expect_syntax(MODEL "Q = ; P", "1:26: error: unexpected `;`; expected a process\n");
    expect_syntax(MODEL "P <a", "1:26: error: unexpected end of the text; expected `,` or `>`\n");
    expect_syntax(MODEL "P[2 || P", "1:26: error: unexpected `||`; expected `]` or an operator\n");
    expect_syntax("P <a> Q R", "1:9: error: unexpected `R`; expected `;`, a cooperation, `+`, "
                               "`/` or `[`\n");
}

/* What cannot be read is not a definition because a comparison is in it, and is known by its name. */
Test(parse_errors, nothing_else_is_said)
{
    expect_syntax(MODEL "Q = (b, if P > 0 and Q == 0 then 1 else 3).P; P",
                  "1:39: error: unexpected `and`; it is written `&&` here\n");
    expect_syntax(MODEL "Q = (b, if !(P > 0) or Q == 0 then 1 else 3).P; P",
                  "1:42: error: unexpected `or`; it is written `||` here\n");
    expect_syntax(MODEL "Q = (b, if not P > 0 then 1 else 3).P; P",
                  "1:37: error: `not` is written `!` here\n");
    expect_syntax("r = 1; P = (a, if r > ) then r else 2).P;\nQ == (a, r).P; P",
                  "1:23: error: unexpected `)`; expected a rate\n"
                  "2:3: error: a name is defined by `=`, not `==`\n");
    expect_syntax("#P = (a, 1).P +; Q = (b, 1).P; Q || P",
                  "1:16: error: unexpected `;`; expected a process\n");
}

/* What people write who know other notations. */
Test(parse_errors, notations_of_other_tools)
{
    static const char comment[] =
        "error: `#` begins the definition of a process, `#P = ...`; a comment begins with `//`\n";
    static const char *const comments[][2] = {{"# by me\n", "1:6: "},
                                              {"# Model of me\n", "1:9: "},
                                              {"#---\n", "1:2: "},
                                              {"#P (a, 1).P;\n", "1:4: "}};
    for (size_t i = 0; i < sizeof comments / sizeof *comments; i++) {
        char text[200], said[200];
        (void)snprintf(text, sizeof text, "%sR = (a, 1).R; R", comments[i][0]);
        (void)snprintf(said, sizeof said, "%s%s", comments[i][1], comment);
        expect_syntax(text, said);
    }
    static const char *const prism[] = {"ctmc\nmodule M", "const int n = 3;", "const n = 3;",
                                        "system P endsystem", "mdp module M"};
    for (size_t i = 0; i < sizeof prism / sizeof *prism; i++) {
        char said[200];
        (void)snprintf(
            said, sizeof said,
            "1:1: error: `%.*s` is a word of PRISM's language, and this is to be PEPA: see "
            "`man 5 pepa`\n",
            (int)strcspn(prism[i], " \n"), prism[i]);
        expect_syntax(prism[i], said);
    }
    expect_syntax("rate r = 1; P = (a, r).P; P",
                  "1:1: error: a rate is defined without a word before it: `r = 1;`\n");
    expect_findings("const = 1; module = const; P = (a, module).P; P", PEPA_OK, "");
    expect_syntax(MODEL "P \\ {a}", "1:24: error: hiding is written `P / {a}`, not `P \\ {a}`\n");
    expect_syntax("P = (a, Erlang(2, 3)).P; P",
                  "1:15: error: functions are written in lower case, such as `erlang(2, r)`\n");
    expect_syntax("P = (a, 1).Q; Q = (b, 1).P; System = P <a> Q;",
                  "1:46: error: no system equation: after the definitions, the system itself is "
                  "written as a component, such as `System`\n");
}

Test(parse_errors, double_equals)
{
    expect_syntax("r == 1; P == (a, r).P; P", "1:3: error: a name is defined by `=`, not `==`\n"
                                              "1:11: error: a name is defined by `=`, not `==`\n");
}

Test(parse_errors, upper_and_lower_case)
{
    expect_syntax(MODEL "Q = (a, r).q; P",
                  "1:33: error: `q` cannot be a process: process names start with an upper-case "
                  "letter\n");
    expect_syntax(MODEL "q = (a, r).P; P",
                  "1:28: error: unexpected `,` in the definition of rate `q`; if a process is "
                  "meant, its name must start with an upper-case letter\n");
    static const char *const values[] = {"3", "mu", "-3"};
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        Text text = {0}, wanted = {0};
        text_add(&text, "Lambda = %s; Stop", values[i]);
        text_add(&wanted,
                 "1:10: error: unexpected `%.*s` in the definition of process `Lambda`; process "
                 "names start with an upper-case letter, rate names with a lower-case one\n",
                 values[i][0] == '-' ? 1 : 9, values[i]);
        expect_syntax(text.text, wanted.text);
        text_free(&text);
        text_free(&wanted);
    }
    static const char *const systems[] = {"p <a> P", "p || P", "p", "p;", "p / {a}", "p[3]"};
    for (size_t i = 0; i < sizeof systems / sizeof *systems; i++)
        expect_syntax(systems[i], "1:1: error: `p` cannot be a process: process names start with "
                                  "an upper-case letter\n");
}

Test(parse_errors, no_system_equation)
{
    static const char message[] =
        "no system equation: after the definitions, the system itself is written as a component, "
        "such as `%s`\n";
    Text wanted = {0};
    text_add(&wanted, "1:1: error: ");
    text_add(&wanted, message, "P <a> Q");
    expect_syntax("", wanted.text);
    text_free(&wanted);
    text_add(&wanted, "2:1: error: ");
    text_add(&wanted, message, "P");
    expect_syntax("r = 1; P = (a, r).P;\n", wanted.text);
    text_free(&wanted);
}

Test(parse_errors, order_of_statements)
{
    expect_syntax(MODEL "\nP <a> P;\nQ = P;\nP",
                  "3:1: error: `Q` is defined after the system equation (line 2), which comes "
                  "last\n4:1: error: a second system equation; the first is in line 2\n");
}

Test(parse_errors, conditional_rates)
{
    expect_syntax(MODEL "Q = (a, if r then 1 else 2).P; P",
                  "1:35: error: unexpected `then`; expected a comparison, an operator or `(`\n");
    expect_syntax("x = if then 1 else 2; Stop",
                  "1:8: error: unexpected `then`; expected a condition\n");
    expect_syntax("x = if 1 < then 1 else 2; Stop",
                  "1:12: error: unexpected `then`; expected a rate\n");
    expect_syntax("x = if 1 < 2 then 1; Stop",
                  "1:20: error: unexpected `;`; expected `else` or an operator\n");
    expect_syntax("x = 1 + if 1 < 2 then 1 else 2; Stop",
                  "1:9: error: a conditional rate within an expression stands in parentheses: "
                  "`(if ... then ... else ...)`\n");
    expect_syntax("x = 1 < 2; Stop", "1:7: error: unexpected `<`; expected `;` or an operator\n");
}

Test(parse_errors, weights_and_priorities)
{
    expect_syntax(MODEL "Q = (a, r : s).P; P",
                  "1:34: error: `:` stands between a weight and `immediate` or `infty`\n");
    expect_syntax(MODEL "Q = (a, r : 2).P; P",
                  "1:34: error: `:` stands between a weight and `immediate` or `infty`\n");
    expect_syntax(MODEL "Q = (a, r, 2).P; P",
                  "1:31: error: unexpected `,`; an activity is `(action, rate)`, with a priority "
                  "`(action[2], rate)`\n");
    expect_syntax(MODEL "Q = (a[1.5], r).P; P",
                  "1:28: error: a priority is a whole number from 0 to 1000000\n");
    expect_syntax(MODEL "Q = b[2000000].P; P",
                  "1:27: error: a priority is a whole number from 0 to 1000000\n");
    expect_syntax("Stop | Stop",
                  "1:6: error: unexpected `|`; cooperation on no action is written `||`\n");
}

/* One finding says so, and nothing is said of what follows. */
Test(parse_errors, descriptions_of_pipelines)
{
    static const char said[] = "is part of a description for `amoget`, not of a PEPA model\n";
    static const char *const blocks[] = {"pipeline", "processors", "network", "mappings"};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        Text text = {0}, wanted = {0};
        text_add(&text, "%s   { stage 1; stage 2; }\nprocessors { 1 time 0.1; 2 time 1; }\n",
                 blocks[i]);
        text_add(&wanted, "1:1: error: `%s { ... }` %s", blocks[i], said);
        expect_syntax(text.text, wanted.text);
        text_free(&text);
        text_free(&wanted);
    }
    expect_syntax("lines { a; }\nStop",
                  "1:1: error: `lines` cannot be a process: process names start with an upper-case "
                  "letter\n");
}

Test(parse_errors, functions)
{
    expect_syntax("x = foo(2); Stop",
                  "1:5: error: no function `foo`; there are min, max, pow, exp, log and sqrt, "
                  "the phase types erlang, hyper and cox, and the durations det, uniform, "
                  "lognormal and trace\n");
    expect_syntax("x = min(2); Stop", "1:5: error: `min` takes two arguments, not 1\n");
    expect_syntax("x = 1 + exp(2, 3); Stop", "1:9: error: `exp` takes one argument, not 2\n");
    expect_syntax("x = max(1, 2, 3); Stop", "1:5: error: `max` takes two arguments, not 3\n");
}

/* What other notations write makes one error each, which says what PEPA writes. */
Test(parse_errors, other_notations)
{
    static const char index[] = "`a[2]` is an action with a priority: a whole number in "
                                "`(a[2], r)`; for several actions, name each one, such as `a_2`";
    static const char colon[] = "unexpected `:`; an activity is `(action, rate)`, with a comma";
    static const char no_bars[] = "cooperation on actions is written `P <a, b> Q`, without `||`";
    static const char swapped[] =
        "the rate comes before the action; an activity is `(action, rate)`";
    static const char zero[] = "`0` is not a process; the process that does nothing is `Stop`";
    static const char comma[] = "unexpected `;` in brackets: write `,`";
    static const char bars[] = "cooperation is written `P <a, b> Q`, not `P |[a, b]| Q`";
    static const char thin[] = "cooperation is written `P <a, b> Q`, not `P |a, b| Q`";
    static const char hash[] =
        "`#` begins the definition of a process; a rate has none, as in `r = 1;`";
    static const struct {
        const char *text; /* after MODEL, on line 2 */
        int column;
        const char *message;
    } cases[] = {
        {"P |[a]| P", 3, bars},
        {"P |[a]| P <a> P", 3, bars},
        {"P |[]| P[3]||P", 3, bars},
        {"P |a| P", 3, thin},
        {"P | a, b| P[3] || P", 3, thin},
        {"#s = 3; Q = (a, s).P; P <a> Q", 1, hash},
        {"P [|a|] P", 3, "cooperation is written `P <a, b> Q`, not `P [|a, b|] Q`"},
        {"P ||| P", 3, "unexpected `|||`; cooperation on no action is written `||`"},
        {"Q = (a, 1).0; P", 11, zero},
        {"Q = (a, 1). 0; P", 13, zero},
        {"Q = (a, 1).(b, 1).0 + P; P", 18, zero},
        {"Q = (1, a).P; P", 6, swapped},
        {"Q = (2 * r, a).P; P", 6, swapped},
        {"Q = (a, r).(1, b).P; P", 13, swapped},
        {"Q = (a; r).P; P", 7, comma},
        {"P <a; b> P", 5, comma},
        {"P / {a; b}", 7, comma},
        {"Q = (a[b], r).P; P", 8, index},
        {"Q = (a[], r).P; P", 8, index},
        {"P <a[1]> P", 5, index},
        {"Q = (b:r).P; P", 7, colon},
        {"Q = (a, r).(b : 2).P; P", 15, colon},
        {"P || [a] P", 6, no_bars},
        {"P || <a> P", 6, no_bars},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Text text = {0}, wanted = {0};
        text_add(&text, MODEL "\n%s", cases[i].text);
        text_add(&wanted, "2:%d: error: %s\n", cases[i].column, cases[i].message);
        expect_syntax(text.text, wanted.text);
        text_free(&text);
        text_free(&wanted);
    }
}

/* Characters that a text gets from a word processor: what they are, and each of them once. */
Test(parse_errors, characters_beyond_ascii)
{
    expect_syntax(MODEL "Q\xE2\x80\x8B = (a\xE2\x80\x8B, r).Q;\nQ\xC2\xA0<a> P",
                  "1:23: error: invisible character U+200B (zero width space): delete it, wherever "
                  "it stands\n2:2: error: invisible character U+00A0 (no-break space): delete it, "
                  "wherever it stands\n");
    expect_syntax("\xE2\x80\x8BServ\xE2\x80\x8B"
                  "er = (a, 1).Server; Server",
                  "1:1: error: invisible character U+200B (zero width space): delete it, wherever "
                  "it stands\n");
    expect_syntax("Stop \xE2\x8B\x88 Stop",
                  "1:6: error: unexpected character `\xE2\x8B\x88` U+22C8 (bowtie); write `<a, "
                  "b>`\n");
    expect_syntax("x = 2 \xE2\x88\x92 1; y = x\xE2\x80\x99; Stop",
                  "1:7: error: unexpected character `\xE2\x88\x92` U+2212 (minus sign); write "
                  "`-`\n1:17: error: unexpected character `\xE2\x80\x99` U+2019 (single quotation "
                  "mark); write `'`\n");
    expect_syntax("caf\xC3\xA9 = 1; Stop",
                  "1:4: error: unexpected character `\xC3\xA9` (U+00E9); names have the letters "
                  "a-z and A-Z, digits, `_` and `'`\n");
    expect_syntax("x\xFFy = 1; Stop", "1:2: error: byte 0xFF: the text is not UTF-8\n");
}

Test(parse_errors, independent_errors_in_one_run)
{
    expect_syntax("r = ;\nP = (a r).P;\ns = 2 * ;\nQ = (b, r).;\nP <a",
                  "1:5: error: unexpected `;`; expected a rate\n"
                  "2:8: error: unexpected `r`; expected `,`\n"
                  "3:9: error: unexpected `;`; expected a rate\n"
                  "4:12: error: unexpected `;`; expected a process\n"
                  "5:5: error: unexpected end of the text; expected `,` or `>`\n");
}

Test(parse_errors, long_tokens_are_cut)
{
    expect_syntax("x = 1 abcdefghijabcdefghijabcdefghijabcdefghijabcdefghij; Stop",
                  "1:7: error: unexpected `abcdefghijabcdefghijabcdefghijabcdefghij`; expected `;` "
                  "or an operator\n");
}

static size_t lines_of(const char *text)
{
    size_t lines = 0;
    for (; *text; text++)
        lines += *text == '\n';
    return lines;
}

Test(parse_errors, too_many_errors)
{
    Text text = {0}, found = {0};
    PepaStatus status;
    repeat(&text, "Q = ;\n", 1000, 0);
    cr_expect_null(read_bytes(text.text, text.length, &status, &found));
    cr_expect_eq(status, PEPA_ESYNTAX);
    cr_expect_eq(lines_of(found.text), 101);
    cr_expect_not_null(strstr(found.text, "100:5: error: too many errors\n"));
    text_free(&text);
    text_free(&found);
}
