/* Lexis, precedence, and texts that are deep or long. */
#include <stdio.h>

#include "reading.h"

/* A correct model to hang one statement on. */
#define MODEL "r = 1; P = (a, r).P; "

/* ---- lexis ------------------------------------------------------------------------------- */

Test(parse, comments)
{
    expect_print("// one\nr = 1; /* two\n * lines **/ P = % rest\n(a, r).P; /**/ P // end",
                 "r = 1;\nP = (a, r).P;\nP\n");
    expect_print("r = 4 /* 1 */ / /* 2 */ 2;P=(a,r).P;P", "r = 4 / 2;\nP = (a, r).P;\nP\n");
}

/* What a name is depends on what follows it, comments apart. */
Test(parse, comments_after_names)
{
    expect_print("P = b /* at once */ .\"c\" // .\n .P;\nP",
                 "P = (b, immediate).(c, immediate).P;\nP\n");
    expect_print("P = b % .\n% ,\n.(c[/* ] */ 2 /* ; */] % x\n, 1).a[1] /**/ .P;\nP",
                 "P = (b, immediate).(c[2], 1).(a[1], immediate).P;\nP\n");
    expect_syntax("a = 1 /* x */\n/* y */ b /* = */ = 2; P = (c, a + b).P; P",
                  "1:6: error: missing `;`\n");
    expect_syntax("a = 1\n% b = a;\nP = (c, a + b /* . */).P; P", "1:6: error: missing `;`\n");
}

Test(parse, percent_definitions)
{
    expect_print("% r = 1;\n  %s=2 * (r + 1) - min(r, 3);\n%t := .5e-1; % x\nP = (a, r).P;\nP",
                 "r = 1;\ns = 2 * (r + 1) - min(r, 3);\nt = 0.05;\nP = (a, r).P;\nP\n");
    expect_print("% lambda = the arrival rate;\n% mu = 3\n% nu = ;\n% Name = 3;\n% k = (2;\n"
                 "% q = 2);\n% = 3;\n% z == 3;\n% y = 2 +;\n% x\n%\nr = 1; % s = 2;\nr2 = r;P",
                 "r = 1;\nr2 = r;\nP\n");
}

Test(parse, hash_before_processes)
{
    expect_print("r = 1;\n#P = (a, r).P;\n# Q = P; P", "r = 1;\nP = (a, r).P;\nQ = P;\nP\n");
    expect_syntax(
        "#r = 1; Stop",
        "1:1: error: `#` begins the definition of a process; a rate has none, as in `r = 1;`\n");
}

Test(parse, names)
{
    expect_print("r' = 1; r_2x = 2; P' = (A', r').P_2; P_2 = (if, r_2x).P'; P' <A', if> P_2",
                 "r' = 1;\nr_2x = 2;\nP' = (A', r').P_2;\nP_2 = (if, r_2x).P';\nP' <A', if> P_2\n");
    expect_print(
        "\"a process\" = (\"an, action\", 1).\"Q\"; Q = (\"a\", \"T\" * T).\"q\"; \"q\" = Q;Q",
        "\"a process\" = (\"an, action\", 1).Q;\nQ = (a, \"T\" * infty).\"q\";\n"
        "\"q\" = Q;\nQ\n");
    expect_print("\"\xC3\xA9t\xC3\xA9\" = Stop; \"\xC3\xA9t\xC3\xA9\"",
                 "\"\xC3\xA9t\xC3\xA9\" = Stop;\n\"\xC3\xA9t\xC3\xA9\"\n");
}

Test(parse, passive_stands_only_where_a_rate_does)
{
    expect_print("T = (T, T).T; P = (b, infty).P + (a, _).T; T <T> P",
                 "T = (T, infty).T;\nP = (b, infty).P + (a, infty).T;\nT <T> P\n");
}

Test(parse, infty_names_no_action)
{
    expect_syntax(MODEL "Q = (infty, 1).Q; P <infty> Q",
                  "1:27: error: `infty` is the passive rate; it cannot name an action\n"
                  "1:43: error: `infty` is the passive rate; it cannot name an action\n");
}

Test(parse, numbers)
{
    expect_print("a=1;b=1.;c=.5;d=1e-3;e=2.5E+10;f=1.e2;g=0.1;h=1e300;i=123456789012345678;P",
                 "a = 1;\nb = 1;\nc = 0.5;\nd = 0.001;\ne = 25000000000;\nf = 100;\ng = 0.1;\n"
                 "h = 1e+300;\ni = 1.2345678901234568e+17;\nP\n");
    expect_syntax(MODEL "x = 1e999; P", "1:26: error: the number is too large: not finite\n");
    expect_syntax(MODEL "x = 3r; P", "1:27: error: unexpected `r`; expected `;` or an operator\n");
}

Test(parse, line_ends_and_byte_order_mark)
{
    expect_print("\xEF\xBB\xBFr = 1;\r\n%s = 2;\r\nP = (a, r).P;\r\nP\r\n",
                 "r = 1;\ns = 2;\nP = (a, r).P;\nP\n");
    expect_syntax("\xEF\xBB\xBFr = ;\r\nStop", "1:5: error: unexpected `;`; expected a rate\n");
}

Test(parse, semicolons)
{
    expect_print(";;r := 1;; P = (a, r).P; P;;", "r = 1;\nP = (a, r).P;\nP\n");
}

Test(parse, bytes_that_no_model_has)
{
    expect_syntax("r = 1 @; Stop", "1:7: error: unexpected character `@`\n");
    expect_syntax(
        "'A",
        "1:1: error: unexpected character `'`; names in quotes have double ones: `\"a name\"`\n");
    expect_syntax("\xCE\xBB = 1; Stop",
                  "1:1: error: unexpected character `\xCE\xBB` (U+03BB); names have the letters "
                  "a-z and A-Z, digits, `_` and `'`\n");
    expect_syntax("r = 1\xE9; Stop", "1:6: error: byte 0xE9: the text is not UTF-8\n");
    expect_syntax("r = 1\x01; Stop", "1:6: error: unexpected control character 0x01\n");
    expect_syntax("\"a\xE9\" = Stop; Stop", "1:1: error: byte 0xE9 in a quoted name\n");
    expect_syntax("\"a\tb\" = Stop; Stop", "1:1: error: byte 0x09 in a quoted name\n");
    expect_syntax("\"\" = Stop; Stop", "1:1: error: an empty name\n");
    static const char nul[] = "r = 1;\nP\0 = (a, r).P; P";
    PepaStatus status;
    Text found = {0};
    cr_expect_null(read_bytes(nul, sizeof nul - 1, &status, &found));
    cr_expect_eq(status, PEPA_ESYNTAX);
    cr_expect_str_eq(found.text, "2:2: error: a NUL byte: this is not text in UTF-8\n");
    text_free(&found);
}

Test(parse, unclosed)
{
    expect_syntax(MODEL "P /* P", "1:24: error: the comment is never closed\n");
    expect_syntax(MODEL "Q = (\"a, r).P;\nP", "1:27: error: the quoted name is never closed\n");
}

/* ---- precedence -------------------------------------------------------------------------- */

Test(parse, cooperation_is_loosest_and_left_associative)
{
    expect_print("(A <x> B) <y> C", "A <x> B <y> C\n");
    expect_print("A <x> (B <y> C)", "A <x> (B <y> C)\n");
    expect_print("A || B <*> C <> D", "A || B <*> C || D\n");
    expect_print("A || (B <*> C)", "A || (B <*> C)\n");
    expect_print("(A + B) <x> (C + D)", "A + B <x> C + D\n");
    expect_print("A + (B <x> C) + D", "A + (B <x> C) + D\n");
}

Test(parse, choice_then_prefix_then_postfix)
{
    expect_print("((a, r).P) + ((b, s).Q)", "(a, r).P + (b, s).Q\n");
    expect_print("(a, r).(P + Q)", "(a, r).(P + Q)\n");
    expect_print("A + (B + C)", "A + (B + C)\n");
    expect_print("(a, r).(b, s).P", "(a, r).(b, s).P\n");
    expect_print("(a, r).P / {a}", "(a, r).P / {a}\n");
    expect_print("((a, r).P) / {a}", "((a, r).P) / {a}\n");
    expect_print("A <x> B / {x}", "A <x> B / {x}\n");
    expect_print("(A <x> B) / <x, y>", "(A <x> B) / {x, y}\n");
    expect_print("((P)) / {} / {a}", "P / {} / {a}\n");
}

Test(parse, replication)
{
    expect_print("P[3] || P[n]{a, b} || P[n + 1][a]", "P[3] || P[n]{a, b} || P[n + 1]{a}\n");
    expect_print("P[2]{}", "P[2]\n");
    expect_print("(P[2])[3]", "(P[2])[3]\n");
    expect_print("P[2]{a}[3][b][c]", "P[2]{a}[3]{b}[c]\n");
    expect_print("P[2] / {a} [3]", "P[2] / {a}[3]\n");
    expect_print("(A <x> B)[2]", "(A <x> B)[2]\n");
    expect_syntax("P[2][3]", "1:6: error: unexpected `3`; expected `]` or an action\n");
}

Test(parse, rate_expressions)
{
    expect_print("x = a - (b - c) - d;P", "x = a - (b - c) - d;\nP\n");
    expect_print("x = (a / b) / (c * d);P", "x = a / b / (c * d);\nP\n");
    expect_print("x = (a + b) * c + (d * e);P", "x = (a + b) * c + d * e;\nP\n");
    expect_print("x = -a * -(-b) - -(c + d);P", "x = -a * --b - -(c + d);\nP\n");
    expect_print("x = -(a * b);P", "x = -(a * b);\nP\n");
    expect_print("x = max((a), pow(b + 1, (exp(log(sqrt(c))))));P",
                 "x = max(a, pow(b + 1, exp(log(sqrt(c)))));\nP\n");
    expect_print("min = 2; x = min(min, 2 * T);P", "min = 2;\nx = min(min, 2 * infty);\nP\n");
}

Test(parse, activity_or_parenthesis)
{
    expect_print("A = (A, 1).A; (A)", "A = (A, 1).A;\nA\n");
    expect_print("((A, 1).A)", "(A, 1).A\n");
    expect_print("((\"a b\", 1).(\"A b\"))", "(\"a b\", 1).\"A b\"\n");
}

/* ---- depth and size ---------------------------------------------------------------------- */

static void expect_deep(const char *head, const char *open, const char *middle, const char *close,
                        int depth, const char *complaint)
{
    Text text = {0}, found = {0};
    PepaStatus status;
    text_add(&text, "%s", head);
    repeat(&text, open, depth, 0);
    text_add(&text, "%s", middle);
    repeat(&text, close, depth, 0);
    Model *model = read_bytes(text.text, text.length, &status, &found);
    if (complaint)
        cr_expect(status != PEPA_OK && strstr(found.text, complaint), "%s: %s", open, found.text);
    else
        cr_expect_eq(status, PEPA_OK, "%s: %s", open, found.text);
    model_free(model);
    text_free(&text);
    text_free(&found);
}

Test(parse, deep_nesting_works)
{
    expect_deep(MODEL, "(", "P", ")", 20000, NULL);
    expect_deep(MODEL, "(a, r).", "P", "", 20000, NULL);
    expect_deep(MODEL, "((a, r).", "P", ")", 20000, NULL);
    expect_deep(MODEL, "P || ", "P", "", 20000, NULL);
    expect_deep(MODEL, "P <a> (", "P", ")", 20000, NULL);
    expect_deep(MODEL "P", "[1]{a}", "", "", 20000, NULL);
    expect_deep(MODEL, "(a, r).P + ", "P", "", 100000, NULL);
    expect_deep(MODEL "P[", "(", "1", ")", 20000, "expected `]`");
    expect_deep(MODEL "P[", "-", "1]", "", 9001, "whole number");
    expect_deep(MODEL "P[", "1 + ", "1]", "", 9000, NULL);
}

Test(parse, deeper_nesting_is_refused)
{
    expect_deep(MODEL, "(", "P", ")", 300000, "nested too deeply");
    expect_deep(MODEL, "(", "", "", 300000, "nested too deeply");
    expect_deep(MODEL, "(a, r).", "P", "", 300000, "nested too deeply");
    expect_deep(MODEL "P[", "(", "1", ")", 300000, "nested too deeply");
    expect_deep(MODEL "P[", "-", "1]", "", 300000, "nested too deeply");
    expect_deep(MODEL "P[", "-", "1]", "", 20000, "nested too deeply");
    expect_deep(MODEL "P[", "1 + ", "1]", "", 20000, "nested too deeply");
}

/* Any bytes give a tree or an error. */
Test(parse, noise)
{
    static const char *const pieces[] = {"P", "q", "\"x\"", "(",    ")",    "(a, r).", ".",  ",",
                                         ";", "=", "==",    "<",    ">",    "<a>",     "||", "*",
                                         "[", "]", "{",     "}",    "/",    "+",       "-",  "1",
                                         "#", "%", "\n",    "if",   "_",    "//",      "/*", "*/",
                                         "T", ":", "\"",    "\x80", "Q = ", "r = ",    "@"};
    unsigned seed = 12345;
    (void)fprintf(stderr, "test_parse: seed %u\n", seed);
    for (int round = 0; round < scaled(3000); round++) {
        Text text = {0}, found = {0};
        PepaStatus status;
        text_add(&text, "r = 1; P = (a, r).P;\n");
        for (int i = 0; i < 30; i++) {
            seed = seed * 1103515245 + 12345;
            text_add(&text, "%s ", pieces[(seed >> 16) % (sizeof pieces / sizeof *pieces)]);
        }
        model_free(read_bytes(text.text, text.length, &status, &found));
        cr_expect(status == PEPA_OK || status == PEPA_ESYNTAX || status == PEPA_EMODEL);
        text_free(&text);
        text_free(&found);
    }
}
