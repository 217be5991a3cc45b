/* Printing a tree and parsing the text gives the tree again. */
#include <stdio.h>

#include "reading.h"

/* Builds random trees in the order in which the parser completes nodes. */
typedef struct {
    AstBuild *build;
    unsigned seed;
} Random;

static int pick(Random *random, int count)
{
    random->seed = random->seed * 1103515245u + 12345u;
    return (int)((random->seed >> 16) % (unsigned)count);
}

static int32_t add(Random *random, AstKind kind, int32_t a, int32_t b)
{
    return ast_node(random->build, (AstNode){.kind = kind, .a = a, .b = b});
}

static int32_t add_named(Random *random, AstKind kind, const char *name)
{
    return ast_node(random->build, (AstNode){.kind = kind, .a = -1, .b = -1, .name = name});
}

static const char *action(Random *random)
{
    static const char *const names[] = {"a",     "serve", "T",  "if",      "then",
                                        "infty", "x y",   "A'", "\xC3\xA9"};
    return names[pick(random, (int)(sizeof names / sizeof *names))];
}

static const char *process(Random *random)
{
    static const char *const names[] = {"P", "Server_2", "T", "lower", "two words", "Stop", "1"};
    return names[pick(random, (int)(sizeof names / sizeof *names))];
}

static int32_t rate_leaf(Random *random)
{
    static const double numbers[] = {0, 1, 0.1, 1e-300, 1e300, 1.0 / 3, 12345678.9, 5e-324};
    static const char *const names[] = {"r", "min", "if_", "r'", "tau"};
    switch (pick(random, 4)) {
    case 0:
        return add_named(random, AST_RATE, names[pick(random, 5)]);
    case 1:
        return add_named(random, AST_COUNT, process(random));
    case 2:
        return add(random, AST_PASSIVE, -1, -1);
    default:
        return ast_node(random->build, (AstNode){.kind = AST_NUMBER,
                                                 .a = -1,
                                                 .b = -1,
                                                 .number = numbers[pick(random, 8)]});
    }
}

static int32_t rate(Random *random, int depth);

static int32_t condition(Random *random, int depth)
{
    static const AstKind kinds[] = {AST_LESS,          AST_LESS_EQUAL, AST_GREATER,
                                    AST_GREATER_EQUAL, AST_EQUAL,      AST_UNEQUAL,
                                    AST_NOT,           AST_AND,        AST_OR};
    AstKind kind = kinds[pick(random, depth > 0 ? 9 : 6)];
    if (kind == AST_NOT)
        return add(random, kind, condition(random, depth - 1), -1);
    bool compares = kind != AST_AND && kind != AST_OR;
    int32_t a = compares ? rate(random, depth - 1) : condition(random, depth - 1);
    return add(random, kind, a, compares ? rate(random, depth - 1) : condition(random, depth - 1));
}

static int32_t conditional(Random *random, int depth)
{
    int32_t test = condition(random, depth - 1), a = rate(random, depth - 1);
    return add(random, AST_IF, test, add(random, AST_ELSE, a, rate(random, depth - 1)));
}

static int32_t rate(Random *random, int depth)
{
    static const AstKind kinds[] = {AST_ADD, AST_SUB, AST_MUL, AST_DIV, AST_MIN,  AST_MAX,
                                    AST_POW, AST_NEG, AST_EXP, AST_LOG, AST_SQRT, AST_IF};
    if (depth <= 0 || pick(random, 4) == 0)
        return rate_leaf(random);
    AstKind kind = kinds[pick(random, (int)(sizeof kinds / sizeof *kinds))];
    if (kind == AST_IF)
        return conditional(random, depth);
    int32_t a = rate(random, depth - 1);
    return add(random, kind, a, ast_operands(kind) == 2 ? rate(random, depth - 1) : -1);
}

static int32_t words(Random *random, int32_t node)
{
    int count = pick(random, 4);
    AstNode *changed = &random->build->nodes[node];
    for (int i = 0; i < count; i++) {
        int32_t word = ast_word(random->build, action(random), (Span){0, 0});
        if (i == 0)
            changed->word = word;
    }
    changed->word_count = count;
    return node;
}

/* A cooperation's set is written between its operands, so its words come before b's. */
static int32_t cooperation(Random *random, int32_t a, int depth);

static int32_t component(Random *random, int depth)
{
    if (depth <= 0 || pick(random, 5) == 0)
        return add_named(random, AST_NAME, process(random));
    int32_t a, word;
    switch (pick(random, 5)) {
    case 0:
        word = ast_word(random->build, action(random), (Span){0, 0});
        a = rate(random, 3);
        return ast_node(random->build, (AstNode){.kind = AST_PREFIX,
                                                 .a = a,
                                                 .b = component(random, depth - 1),
                                                 .word = word,
                                                 .word_count = 1});
    case 1:
        a = component(random, depth - 1);
        return add(random, AST_CHOICE, a, component(random, depth - 1));
    case 2:
        return cooperation(random, component(random, depth - 1), depth);
    case 3:
        a = component(random, depth - 1);
        return words(random, add(random, AST_HIDE, a, -1));
    default:
        a = component(random, depth - 1);
        return words(random, add(random, AST_COPIES, a, rate(random, 2)));
    }
}

static int32_t cooperation(Random *random, int32_t a, int depth)
{
    int32_t first = 0, count = pick(random, 4) - 1;
    for (int32_t i = 0; i < count; i++) {
        int32_t word = ast_word(random->build, action(random), (Span){0, 0});
        first = i == 0 ? word : first;
    }
    int32_t b = component(random, depth - 1);
    return ast_node(random->build, (AstNode){.kind = AST_COOP,
                                             .a = a,
                                             .b = b,
                                             .word = first,
                                             .word_count = count < 0 ? AST_ALL : count});
}

static Ast *random_tree(Random *random)
{
    for (int i = pick(random, 5); i > 0; i--) {
        if (pick(random, 2))
            ast_def(random->build, false, "r", (Span){0, 0}, rate(random, 5));
        else
            ast_def(random->build, true, process(random), (Span){0, 0}, component(random, 5));
    }
    ast_def(random->build, true, NULL, (Span){0, 0}, component(random, 6));
    return ast_finish(random->build);
}

static void print_and_parse(unsigned seed)
{
    Arena arena = {0};
    AstBuild build = {.arena = &arena};
    Random random = {&build, seed};
    Ast *ast = random_tree(&random), *again = NULL;
    Text text = {0}, found = {0};
    DiagList diags = {0};
    cr_assert_not_null(ast);
    ast_print(ast, &text);
    size_t length = text.length;
    text_add(&text, "%c%c", 0, 0);
    Source source = {"test.pepa", text.text, length};
    PepaStatus status = parse_text(&source, &arena, &again, &diags);
    list_findings(&source, &diags, &found);
    cr_assert_eq(status, PEPA_OK, "seed %u: %s\n%s", seed, text.text, found.text);
    cr_expect(ast_equal(ast, again), "seed %u: not the same again: %s", seed, text.text);
    text_free(&text);
    text_free(&found);
    diag_free(&diags);
    ast_build_free(&build);
    arena_free(&arena);
}

Test(ast_print, parses_to_an_equal_tree)
{
    unsigned first = 20240501;
    (void)fprintf(stderr, "test_ast_print: seeds from %u\n", first);
    for (int i = 0; i < scaled(3000); i++)
        print_and_parse(first + (unsigned)i);
}

Test(ast_print, names_are_quoted_where_they_must_be)
{
    expect_print(
        "\"Plain\" = (\"plain\", \"Plain\").\"lower\"; \"lower\" = (\"a b\", 1).\"Plain\"; "
        "Plain <\"a b\", \"c\"> \"lower\"",
        "Plain = (plain, Plain).\"lower\";\n\"lower\" = (\"a b\", 1).Plain;\n"
        "Plain <\"a b\", c> \"lower\"\n");
}

/* ---- equality ---------------------------------------------------------------------------- */

static bool equal_texts(const char *a, const char *b)
{
    const char *texts[] = {a, b};
    Arena arena = {0};
    Ast *ast[2] = {NULL, NULL};
    for (int i = 0; i < 2; i++) {
        DiagList diags = {0};
        Source source = {"test.pepa", texts[i], strlen(texts[i])};
        cr_assert_eq(parse_text(&source, &arena, &ast[i], &diags), PEPA_OK, "%s", texts[i]);
        diag_free(&diags);
    }
    bool equal = ast_equal(ast[0], ast[1]);
    cr_expect_eq(equal, ast_equal(ast[1], ast[0]));
    arena_free(&arena);
    return equal;
}

Test(ast, equality_ignores_places_only)
{
    cr_expect(equal_texts("P = (a, 1).P; P", "P = ( a ,\n1.0 ) . ( P ) ;\n(P);"));
    cr_expect(equal_texts("P <> Q", "P || Q"));
    cr_expect(equal_texts("P / {a}", "P / <a>"));
    static const char *const different[] = {"P",          "Q",           "P + Q",    "Q + P",
                                            "P || Q",     "P <a> Q",     "P <b> Q",  "P <*> Q",
                                            "P <a, a> Q", "P / {a}",     "P / {}",   "P[2]",
                                            "P[3]",       "P[2]{a}",     "P[r]",     "(a, r).P",
                                            "(b, r).P",   "(a, s).P",    "(a, R).P", "(a, T).P",
                                            "P + Q + R",  "P + (Q + R)", "r = 1; P", "r = 2; P",
                                            "s = 1; P",   "R = P; P"};
    const size_t count = sizeof different / sizeof *different;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < count; k++)
            cr_expect_eq(equal_texts(different[i], different[k]), i == k, "%s, %s", different[i],
                         different[k]);
}
