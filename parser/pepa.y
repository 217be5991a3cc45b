/* Grammar of PEPA.  Actions build nodes; the checks decide what they mean. */
%code requires {
#include <math.h>

#include "parser/model.h"
#include "parser/parsing.h"
}

%code provides {
/* The next token for the grammar: scan.c, over the raw scanner of pepa.l. */
int pepa_yylex(PEPA_YYSTYPE *value, Span *span, Parsing *ctx);
int pepa_scan(PEPA_YYSTYPE *value, Span *span, void *scanner);
}

%define api.pure full
%define api.prefix {pepa_yy}
%define api.token.prefix {TOKEN_}
%define api.location.type {Span}
%define parse.error custom
%define parse.lac full
%locations
%expect 0
%param {Parsing *ctx}
%initial-action { @$ = (Span){0, 0}; }

%union {
    int32_t node;
    double number;
    const char *name;
    struct {
        int32_t first, count;
    } set;
    struct {
        int32_t word, rate;
    } activity;
    int count;
}

%code {
#define YYMALLOC(size) mem_alloc(1, size)
#define YYFREE mem_free
#define YYMAXDEPTH SYNTAX_MAX_STACK
#define YYLLOC_DEFAULT(Current, Rhs, N)                                                            \
    ((Current).begin = (N) ? YYRHSLOC(Rhs, 1).begin : YYRHSLOC(Rhs, 0).end,                        \
     (Current).end = YYRHSLOC(Rhs, N).end)

static void pepa_yyerror(const Span *span, Parsing *ctx, const char *message);
static int32_t leaf(Parsing *ctx, AstKind kind, const char *name, Span span);
static int32_t unary(Parsing *ctx, AstKind kind, int32_t a, Span span);
static int32_t binary(Parsing *ctx, AstKind kind, int32_t a, int32_t b, Span span);
static int32_t call(Parsing *ctx, const char *name, Span name_span, int count, Span span);
static void argument(Parsing *ctx, int32_t weight, int32_t rate);
static int32_t prefix(Parsing *ctx, int32_t word, int32_t rate, int32_t next, Span mark, Span span);
static int32_t priority(Parsing *ctx, int32_t rate, double number, Span span);

static int32_t with_set(Parsing *ctx, int32_t node, int32_t first, int32_t count, Span mark,
                        Span span);
}

%token END 0 "the end of the text"
%token <name> LOWER "a lower-case name" UPPER "an upper-case name" QUOTED "a quoted name" IF "if"
%token <name> BARE "an action without a rate" INDEXED "an action with a priority"
%token <name> THEN "then" ELSE "else"
%token <number> NUMBER "a number"
%token ASSIGN "=" EQUALS "==" PARALLEL "||" SEMICOLON ";" COLON ":" COMMA "," DOT "."
%token PLUS "+" MINUS "-" STAR "*" SLASH "/" LPAREN "(" RPAREN ")" LESS "<" GREATER ">"
%token AND "&&" NOT "!" LESS_EQUAL "<=" GREATER_EQUAL ">=" UNEQUAL "!="
%token LBRACKET "[" RBRACKET "]" LBRACE "{" RBRACE "}" HASH "#" UNDERSCORE "_"

%type <number> index
%type <node> weighted component choice sequence postfix plain counted atom rate expr term factor primary
%type <node> condition conjunction negation comparison
%type <name> process action
%type <set> cooperator hidden words names
%type <activity> activity
%type <count> arguments

%%

model: statements last;

statements:
    %empty
  | statements ";"
  | statements statement ";"
  | statements error ";"            { syntax_lost(ctx); yyerrok; }
  ;

last: %empty | statement | error    { syntax_lost(ctx); };

statement:
    LOWER equals rate               { ast_def(&ctx->build, false, $1, @1, $3); }
  | process equals component        { ast_def(&ctx->build, true, $1, @1, $3); }
  | "#" process equals component    { ast_def(&ctx->build, true, $2, @2, $4); }
  | "#" LOWER equals rate           {
        syntax_error(ctx, @1, "`#` begins the definition of a process; a rate has none, as in `r = 1;`");
        ast_def(&ctx->build, false, $2, @2, $4);
    }
  | component                       { ast_def(&ctx->build, true, NULL, @1, $1); }
  ;

equals:
    "="
  | "=="                            { syntax_error(ctx, @1, "a name is defined by `=`, not `==`"); }
  ;

component:
    choice
  | component cooperator choice     {
        $$ = binary(ctx, AST_COOP, $1, $3, @$);
        $$ = with_set(ctx, $$, $2.first, $2.count, @2, @$);
    }
  ;

cooperator:
    "||"                            { $$.first = 0; $$.count = 0; }
  | "<" words ">"                   { $$ = $2; }
  | "<" "*" ">"                     { $$.first = 0; $$.count = AST_ALL; }
  ;

choice:
    sequence
  | choice "+" sequence             { $$ = binary(ctx, AST_CHOICE, $1, $3, @$); }
  ;

sequence:
    postfix
  | BARE "." sequence               {
        $$ = prefix(ctx, ast_word(&ctx->build, $1, @1), leaf(ctx, AST_IMMEDIATE, NULL, @1), $3, @1,
                    @$);
    }
  | BARE index "." sequence         {
        int32_t rate = priority(ctx, leaf(ctx, AST_IMMEDIATE, NULL, @1), $2, @2);
        $$ = prefix(ctx, ast_word(&ctx->build, $1, @1), rate, $4, @1, @$);
    }
  | activity "." sequence           { $$ = prefix(ctx, $1.word, $1.rate, $3, @1, @$); }
  | activity sequence               {
        syntax_error(ctx, (Span){@1.end, @1.end},
                    "missing `.` between an activity and what follows");
        $$ = prefix(ctx, $1.word, $1.rate, $2, @1, @$);
    }
  ;

activity:
    "(" action "," weighted ")"     { $$.word = ast_word(&ctx->build, $2, @2); $$.rate = $4; }
  | "(" INDEXED index "," weighted ")" {
        $$.word = ast_word(&ctx->build, $2, @2);
        $$.rate = priority(ctx, $5, $3, @3);
    }
  ;

weighted:
    rate
  | expr ":" LOWER                  {
        AstKind kind = strcmp($3, "infty") == 0 ? AST_PASSIVE : AST_IMMEDIATE;
        if (kind == AST_IMMEDIATE && strcmp($3, "immediate") != 0)
            syntax_error(ctx, @3, "`:` stands between a weight and `immediate` or `infty`");
        $$ = binary(ctx, AST_MUL, $1, leaf(ctx, kind, NULL, @3), @$);
    }
  ;

index: "[" NUMBER "]"               { $$ = $2; };

postfix: plain | counted;

plain:
    atom
  | postfix "/" hidden              {
        $$ = unary(ctx, AST_HIDE, $1, @$);
        $$ = with_set(ctx, $$, $3.first, $3.count, @$, @$);
    }
  | plain "[" expr "," "{" words "}" "]" {
        $$ = binary(ctx, AST_COPIES, $1, $3, @$);
        $$ = with_set(ctx, $$, $6.first, $6.count, @$, @$);
    }
  | counted "{" words "}"           { $$ = with_set(ctx, $1, $3.first, $3.count, @$, @$); }
  | counted "[" words "]"           { $$ = with_set(ctx, $1, $3.first, $3.count, @$, @$); }
  ;

counted: plain "[" expr "]"         { $$ = binary(ctx, AST_COPIES, $1, $3, @$); };

hidden:
    "{" words "}"                   { $$ = $2; }
  | "<" words ">"                   { $$ = $2; }
  ;

atom:
    process                         { $$ = leaf(ctx, AST_NAME, $1, @1); }
  | "(" component ")"               { $$ = $2; }
  ;

process: UPPER | QUOTED;
action:
    LOWER                           {
        $$ = $1;
        if (strcmp($1, "infty") == 0)
            syntax_error(ctx, @1, "`infty` is the passive rate; it cannot name an action");
    }
  | UPPER
  | QUOTED
  | IF | THEN | ELSE
  ;

words:
    %empty                          { $$.first = 0; $$.count = 0; }
  | names
  ;

names:
    action                          { $$.first = ast_word(&ctx->build, $1, @1); $$.count = 1; }
  | names "," action                {
        ast_word(&ctx->build, $3, @3);
        $$.first = $1.first;
        $$.count = $1.count + 1;
    }
  | names action                    {
        syntax_error(ctx, (Span){@1.end, @1.end}, "missing `,` between the actions of a set");
        ast_word(&ctx->build, $2, @2);
        $$.first = $1.first;
        $$.count = $1.count + 1;
    }
  ;

rate:
    expr
  | "if" condition "then" rate "else" rate {
        int32_t branches = binary(ctx, AST_ELSE, $4, $6, (Span){@4.begin, @6.end});
        $$ = binary(ctx, AST_IF, $2, branches, @$);
    }
  ;

condition:
    conjunction
  | condition "||" conjunction      { $$ = binary(ctx, AST_OR, $1, $3, @$); }
  ;

conjunction:
    negation
  | conjunction "&&" negation       { $$ = binary(ctx, AST_AND, $1, $3, @$); }
  ;

negation:
    comparison
  | "!" negation                    { $$ = unary(ctx, AST_NOT, $2, @$); }
  | "(" condition ")"               { $$ = $2; }
  ;

comparison:
    expr "<" expr                   { $$ = binary(ctx, AST_LESS, $1, $3, @$); }
  | expr "<=" expr                  { $$ = binary(ctx, AST_LESS_EQUAL, $1, $3, @$); }
  | expr ">" expr                   { $$ = binary(ctx, AST_GREATER, $1, $3, @$); }
  | expr ">=" expr                  { $$ = binary(ctx, AST_GREATER_EQUAL, $1, $3, @$); }
  | expr "==" expr                  { $$ = binary(ctx, AST_EQUAL, $1, $3, @$); }
  | expr "!=" expr                  { $$ = binary(ctx, AST_UNEQUAL, $1, $3, @$); }
  ;

expr:
    term
  | expr "+" term                   { $$ = binary(ctx, AST_ADD, $1, $3, @$); }
  | expr "-" term                   { $$ = binary(ctx, AST_SUB, $1, $3, @$); }
  ;

term:
    factor
  | term "*" factor                 { $$ = binary(ctx, AST_MUL, $1, $3, @$); }
  | term "/" factor                 { $$ = binary(ctx, AST_DIV, $1, $3, @$); }
  ;

factor:
    primary
  | "-" factor                      { $$ = unary(ctx, AST_NEG, $2, @$); }
  ;

primary:
    NUMBER                          {
        $$ = leaf(ctx, AST_NUMBER, NULL, @1);
        if (!ctx->build.failed)
            ctx->build.nodes[$$].number = $1;
    }
  | LOWER                           {
        bool passive = strcmp($1, "infty") == 0;
        $$ = leaf(ctx, passive ? AST_PASSIVE : AST_RATE, passive ? NULL : $1, @1);
    }
  | UPPER                           {
        bool passive = strcmp($1, "T") == 0;
        $$ = leaf(ctx, passive ? AST_PASSIVE : AST_COUNT, passive ? NULL : $1, @1);
    }
  | QUOTED                          { $$ = leaf(ctx, AST_COUNT, $1, @1); }
  | "_"                             { $$ = leaf(ctx, AST_PASSIVE, NULL, @1); }
  | "(" rate ")"                    { $$ = $2; }
  | LOWER "(" arguments ")"         { $$ = call(ctx, $1, @1, $3, @$); }
  ;

arguments:
    argument                        { $$ = 1; }
  | arguments "," argument          { $$ = $1 + 1; }
  ;

argument:
    rate                            { argument(ctx, -1, $1); }
  | expr ":" expr                   { argument(ctx, $1, $3); }
  ;

%%

static int32_t leaf(Parsing *ctx, AstKind kind, const char *name, Span span)
{
    return ast_node(&ctx->build, (AstNode){kind, -1, -1, 0, 0, name, 0, span, span});
}

static int32_t unary(Parsing *ctx, AstKind kind, int32_t a, Span span)
{
    return ast_node(&ctx->build, (AstNode){kind, a, -1, 0, 0, NULL, 0, span, span});
}

static int32_t binary(Parsing *ctx, AstKind kind, int32_t a, int32_t b, Span span)
{
    return ast_node(&ctx->build, (AstNode){kind, a, b, 0, 0, NULL, 0, span, span});
}

static int32_t prefix(Parsing *ctx, int32_t word, int32_t rate, int32_t next, Span mark, Span span)
{
    return ast_node(&ctx->build, (AstNode){AST_PREFIX, rate, next, word, 1, NULL, 0, span, mark});
}

static int32_t priority(Parsing *ctx, int32_t rate, double number, Span span)
{
    if (!(number <= PRIORITY_MOST && number == floor(number)))
        syntax_error(ctx, span, "a priority is a whole number from 0 to %d", PRIORITY_MOST);
    int32_t node = unary(ctx, AST_PRIORITY, rate, span);
    if (!ctx->build.failed)
        ctx->build.nodes[node].number = number + 1;
    return node;
}

static int32_t with_set(Parsing *ctx, int32_t node, int32_t first, int32_t count, Span mark,
                        Span span)
{
    if (ctx->build.failed)
        return node;
    AstNode *changed = &ctx->build.nodes[node];
    changed->word = first;
    changed->word_count = count;
    changed->mark = mark;
    changed->span = span;
    return node;
}

static void argument(Parsing *ctx, int32_t weight, int32_t rate)
{
    if (!mem_grow(ctx->arguments, ctx->argument_cap, ctx->argument_count + 2)) {
        ctx->build.failed = true;
        return;
    }
    ctx->arguments[ctx->argument_count++] = weight;
    ctx->arguments[ctx->argument_count++] = rate;
}

/* The arguments of a phase type, as one node. */
static int32_t list(Parsing *ctx, const int32_t *given, int count, Span span)
{
    int32_t all = -1;
    for (int i = 0; i < count; i++) {
        int32_t item = given[2 * i + 1];
        if (given[2 * i] >= 0)
            item = binary(ctx, AST_PAIR, given[2 * i], item, span);
        all = i == 0 ? item : binary(ctx, AST_LIST, all, item, span);
    }
    return all;
}

static bool is_quoted(const Parsing *ctx, int32_t node)
{
    const AstNode *name = &ctx->build.nodes[node];
    const char *text;
    return source_spelling(ctx->scan.source, name->span, &text) > 0 && name->kind == AST_COUNT &&
           *text == '"';
}

/* What is wrong with the arguments of a function, or NULL. */
static const char *wrong_arguments(const Parsing *ctx, AstKind kind, const int32_t *given,
                                   int count)
{
    int weights = 0;
    for (int i = 0; i < count; i++)
        weights += given[2 * i] >= 0;
    if (kind == AST_HYPER)
        return weights == count ? NULL : "`hyper` takes weights and rates, as in hyper(1:r, 3:s)";
    if (kind == AST_TRACE && count == 1)
        return is_quoted(ctx, given[1]) ? NULL : "`trace` takes the name of a file in quotes";
    if (weights)
        return "`:` stands between weights and rates in hyper(1:r, 3:s) only";
    if (kind == AST_COX)
        return count % 2 ? NULL
                         : "`cox` takes rates and, between them, the probabilities to go on, as in "
                           "cox(r, 0.3, s)";
    if (ast_operands(kind) == count)
        return NULL;
    return ast_operands(kind) == 1 ? "takes one argument" : "takes two arguments";
}

static int32_t call(Parsing *ctx, const char *name, Span name_span, int count, Span span)
{
    AstKind kind = AST_NEG;
    if (ctx->build.failed)
        return -1;
    ctx->argument_count -= 2 * (size_t)count;
    const int32_t *given = ctx->arguments + ctx->argument_count;
    const bool known = ast_function(name, &kind);
    const char *wrong = known ? wrong_arguments(ctx, kind, given, count) : NULL;
    if (!known)
        syntax_error(ctx, name_span,
                     "no function `%s`; there are min, max, pow, exp, log and sqrt, the phase types "
                     "erlang, hyper and cox, and the durations det, uniform, lognormal and trace",
                     name);
    else if (wrong && strncmp(wrong, "takes", 5) == 0)
        syntax_error(ctx, span, "`%s` %s, not %d", name, wrong, count);
    else if (wrong)
        syntax_error(ctx, span, "%s", wrong);
    if (!known || wrong)
        return leaf(ctx, AST_RATE, NULL, span);
    if (kind == AST_TRACE)
        ctx->build.nodes[given[1]].kind = AST_FILE;
    if (kind == AST_HYPER || kind == AST_COX)
        return unary(ctx, kind, list(ctx, given, count, span), span);
    return count == 1 ? unary(ctx, kind, given[1], span)
                      : binary(ctx, kind, given[1], given[3], span);
}

static int yyreport_syntax_error(const yypcontext_t *where, Parsing *ctx)
{
    yysymbol_kind_t kinds[YYNTOKENS];
    const char *expected[YYNTOKENS];
    int count = yypcontext_expected_tokens(where, kinds, YYNTOKENS);
    if (count < 0)
        return count;
    for (int i = 0; i < count; i++)
        expected[i] = yysymbol_name(kinds[i]);
    syntax_unexpected(ctx, yysymbol_name(yypcontext_token(where)), *yypcontext_location(where),
                      expected, count);
    return 0;
}

/* Called only when the stack cannot grow.  A statement of fewer tokens than the stack may hold
 * cannot have filled it, so memory is out; else see whether there is any. */
static void pepa_yyerror(const Span *span, Parsing *ctx, const char *message)
{
    (void)message;
    void *probe = mem_alloc(SYNTAX_MAX_STACK, sizeof(union yyalloc));
    if (ctx->tokens + 8 < SYNTAX_MAX_STACK || !probe)
        ctx->build.failed = true;
    else
        syntax_error(ctx, *span, "nested too deeply");
    mem_free(probe);
}
