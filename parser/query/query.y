/* Grammar of queries.  Actions build nodes; who binds them to a chain decides what they mean. */
%code requires {
#include <math.h>

#include "parser/query/reading.h"
}

%code provides {
/* The next token for the grammar, and the raw scanner of query.l. */
int query_yylex(QUERY_YYSTYPE *value, Span *span, Reading *ctx);
int query_scan(QUERY_YYSTYPE *value, Span *span, void *scanner);
}

%define api.pure full
%define api.prefix {query_yy}
%define api.token.prefix {TOKEN_}
%define api.location.type {Span}
%define parse.error custom
%define parse.lac full
%locations
%expect 0
%param {Reading *ctx}
%initial-action { @$ = (Span){0, 0}; }

%union {
    int32_t node;
    double number;
    const char *name;
    struct {
        int32_t first, last;
    } list;
    struct {
        FormulaTest test;
        double threshold;
        Span span;
    } compared;
    struct {
        double from, to;
    } times;
}

%code {
#define YYMALLOC(size) mem_alloc(1, size)
#define YYFREE mem_free
#define YYMAXDEPTH READING_MOST_STACK
#define YYLLOC_DEFAULT(Current, Rhs, N)                                                            \
    ((Current).begin = (N) ? YYRHSLOC(Rhs, 1).begin : YYRHSLOC(Rhs, 0).end,                        \
     (Current).end = YYRHSLOC(Rhs, N).end)

static void query_yyerror(const Span *span, Reading *ctx, const char *message);
static int32_t named(Reading *ctx, QueryKind kind, const char *name, int32_t first, Span span);
static int32_t operate(Reading *ctx, QueryKind kind, int32_t a, int32_t b, Span span);
static int32_t place(Reading *ctx, double position, int32_t name, Span span);
static int32_t with_braces(Reading *ctx, int32_t node);
static void link(Reading *ctx, int32_t node, int32_t next);
static int32_t state(Reading *ctx, FormulaKind kind, int32_t a, int32_t b, Span span);
static int32_t path(Reading *ctx, FormulaKind kind, int32_t a, int32_t b, double from, double to,
                    Span span);
static int32_t finally(Reading *ctx, int32_t b, double from, double to, Span span);
static void complement(Reading *ctx, int32_t node);
static int32_t earned(Reading *ctx, int32_t node, int32_t item);
}

%token END 0 "the end of the text"
%token START_MEASURES "measures" START_PREDICATE "a predicate" START_FORMULA "a formula"
    /* never in a text */
%token <name> NAME "a name"
%token <number> NUMBER "a number" POSITION "a position"
%token LINE "the end of the line"
%token ASSIGN "=" EQ "==" NE "!=" LT "<" LE "<=" GT ">" GE ">=" AND "&&" OR "||" NOT "!"
%token COLON ":" COMMA "," PLUS "+" MINUS "-" STAR "*" SLASH "/" LPAREN "(" RPAREN ")"
%token LBRACE "{" RBRACE "}"
%token LBRACKET "[" RBRACKET "]" ASKS "=?" IMPLIES "=>" TRUE "true" FALSE "false"
%token P "P" S "S" R "R" X "X" U "U" F "F" G "G" C "C" I "I"

/* `!` binds less than comparisons, so that `!Down >= 2` is what it seems to be. */
%right IMPLIES
%left OR
%left AND
%precedence NOT
%nonassoc EQ NE LT LE GT GE
%left PLUS MINUS
%left STAR SLASH
%precedence NEGATIVE

%type <node> expr primary name state path reward braced measured
%type <number> number time
%type <compared> compared
%type <times> times
%type <list> list

%%

query:
    START_MEASURES lines
  | START_PREDICATE expr            { query_item(ctx, NULL, @2, $2); }
  | START_PREDICATE error
  | START_FORMULA state
  | START_FORMULA error
  ;

state:
    "true"                          { $$ = state(ctx, FORMULA_TRUE, -1, -1, @$); }
  | "false"                         { $$ = state(ctx, FORMULA_FALSE, -1, -1, @$); }
  | braced                          {
        $$ = formula_node(ctx, (FormulaNode){.kind = FORMULA_ATOM, .a = -1, .b = -1, .item = $1,
                                             .span = @$});
    }
  | "!" state                       { $$ = state(ctx, FORMULA_NOT, $2, -1, @$); }
  | state "&&" state                { $$ = state(ctx, FORMULA_AND, $1, $3, @$); }
  | state "||" state                { $$ = state(ctx, FORMULA_OR, $1, $3, @$); }
  | state "=>" state                { $$ = state(ctx, FORMULA_IMPLIES, $1, $3, @$); }
  | "(" state ")"                   { $$ = $2; }
  | "P" compared "[" path "]"       {
        $$ = formula_compare(ctx, $4, $2.test, $2.threshold, true, @$, $2.span);
    }
  | "S" compared "[" state "]"      {
        $$ = formula_compare(ctx, state(ctx, FORMULA_LONG_RUN, $4, -1, @$), $2.test, $2.threshold,
                             true, @$, $2.span);
    }
  | "R" measured compared "[" reward "]" {
        $$ = formula_compare(ctx, earned(ctx, $5, $2), $3.test, $3.threshold, false, @$, $3.span);
    }
  ;

braced:
    "{" expr "}"                    { $$ = formula_item(ctx, @2, $2, ROLE_PREDICATE); }
  ;

measured:
    "{" expr "}"                    { $$ = formula_item(ctx, @2, $2, ROLE_REWARD); }
  ;

compared:
    "=?"                            { $$.test = FORMULA_ASKS; $$.threshold = 0; $$.span = @$; }
  | "<" number                      { $$.test = FORMULA_LESS; $$.threshold = $2; $$.span = @2; }
  | "<=" number                     { $$.test = FORMULA_AT_MOST; $$.threshold = $2; $$.span = @2; }
  | ">" number                      { $$.test = FORMULA_MORE; $$.threshold = $2; $$.span = @2; }
  | ">=" number                     { $$.test = FORMULA_AT_LEAST; $$.threshold = $2; $$.span = @2; }
  ;

path:
    "X" times state                 { $$ = path(ctx, FORMULA_NEXT, $3, -1, $2.from, $2.to, @$); }
  | state "U" times state           { $$ = path(ctx, FORMULA_UNTIL, $1, $4, $3.from, $3.to, @$); }
  | "F" times state                 { $$ = finally(ctx, $3, $2.from, $2.to, @$); }
  | "G" times state                 {
        $$ = finally(ctx, state(ctx, FORMULA_NOT, $3, -1, @3), $2.from, $2.to, @$);
        complement(ctx, $$);
    }
  ;

times:
    %empty                          { $$.from = 0; $$.to = HUGE_VAL; }
  | "<=" time                       { $$.from = 0; $$.to = $2; }
  | "[" time "," time "]"           {
        $$.from = $2;
        $$.to = $4;
        if ($2 > $4)
            reading_error(ctx, @$, "the interval ends at %g, before it begins", $4);
    }
  ;

reward:
    "C" "<=" time                   { $$ = path(ctx, FORMULA_EARNED, -1, -1, 0, $3, @$); }
  | "I" "=" time                    { $$ = path(ctx, FORMULA_EARNS_AT, -1, -1, 0, $3, @$); }
  | "F" state                       { $$ = path(ctx, FORMULA_EARNED_TO, $2, -1, 0, 0, @$); }
  | "S"                             { $$ = path(ctx, FORMULA_EARNS_EVER, -1, -1, 0, 0, @$); }
  ;

number:
    NUMBER
  | "-" NUMBER                      { $$ = -$2; }
  ;

time:
    NUMBER
  | "-" NUMBER                      {
        $$ = 0;
        reading_error(ctx, @$, "times are numbers from 0 on");
    }
  ;

lines:
    line
  | lines end line
  ;

end: LINE                           { yyerrok; };

line:
    %empty
  | expr                            { query_item(ctx, NULL, @1, $1); }
  | NAME "=" expr                   { query_item(ctx, $1, @1, $3); }
  | error                           { query_drop(ctx); }
  ;

expr:
    primary
  | expr "+" expr                   { $$ = operate(ctx, QUERY_ADD, $1, $3, @$); }
  | expr "-" expr                   { $$ = operate(ctx, QUERY_SUB, $1, $3, @$); }
  | expr "*" expr                   { $$ = operate(ctx, QUERY_MUL, $1, $3, @$); }
  | expr "/" expr                   { $$ = operate(ctx, QUERY_DIV, $1, $3, @$); }
  | expr "==" expr                  { $$ = operate(ctx, QUERY_EQ, $1, $3, @$); }
  | expr "!=" expr                  { $$ = operate(ctx, QUERY_NE, $1, $3, @$); }
  | expr "<" expr                   { $$ = operate(ctx, QUERY_LT, $1, $3, @$); }
  | expr "<=" expr                  { $$ = operate(ctx, QUERY_LE, $1, $3, @$); }
  | expr ">" expr                   { $$ = operate(ctx, QUERY_GT, $1, $3, @$); }
  | expr ">=" expr                  { $$ = operate(ctx, QUERY_GE, $1, $3, @$); }
  | expr "&&" expr                  { $$ = operate(ctx, QUERY_AND, $1, $3, @$); }
  | expr "||" expr                  { $$ = operate(ctx, QUERY_OR, $1, $3, @$); }
  | "-" expr %prec NEGATIVE         { $$ = operate(ctx, QUERY_NEG, $2, -1, @$); }
  | "!" expr                        { $$ = operate(ctx, QUERY_NOT, $2, -1, @$); }
  ;

primary:
    NUMBER                          {
        $$ = query_node(ctx, (QueryNode){.kind = QUERY_NUMBER, .a = -1, .b = -1, .next = -1,
                                         .number = $1, .span = @1});
    }
  | name
  | NAME ":" name                   { $$ = named(ctx, QUERY_ATOM, $1, $3, @$); }
  | NAME ":" "{" list "}"           {
        $$ = with_braces(ctx, named(ctx, QUERY_ATOM, $1, $4.first, @$));
    }
  | NAME "(" list ")"               { $$ = named(ctx, QUERY_CALL, $1, $3.first, @$); }
  | "(" expr ")"                    { $$ = $2; }
  ;

name:
    NAME                            { $$ = named(ctx, QUERY_NAME, $1, -1, @1); }
  | POSITION NAME                   {
        $$ = place(ctx, $1, named(ctx, QUERY_NAME, $2, -1, @$), @1);
    }
  ;

list:
    expr                            { $$.first = $$.last = $1; }
  | list "," expr                   {
        link(ctx, $1.last, $3);
        $$.first = $1.first;
        $$.last = $3;
    }
  ;

%%

int query_yylex(QUERY_YYSTYPE *value, Span *span, Reading *ctx)
{
    int start = ctx->start;
    ctx->start = 0;
    *span = (Span){0, 0};
    if (start)
        return start;
    if (ctx->stop || ctx->failed)
        return TOKEN_END;
    int token = query_scan(value, span, ctx->scan.scanner);
    if (token == TOKEN_END)
        *span = (Span){(uint32_t)ctx->scan.source->length, (uint32_t)ctx->scan.source->length};
    return token;
}

static int32_t named(Reading *ctx, QueryKind kind, const char *name, int32_t first, Span span)
{
    return query_node(ctx, (QueryNode){.kind = kind, .a = first, .b = -1, .next = -1,
                                       .name = name, .span = span});
}

static int32_t operate(Reading *ctx, QueryKind kind, int32_t a, int32_t b, Span span)
{
    return query_node(ctx, (QueryNode){.kind = kind, .a = a, .b = b, .next = -1, .span = span});
}

static int32_t place(Reading *ctx, double position, int32_t name, Span span)
{
    if (!(position >= 1 && position < INT32_MAX))
        reading_error(ctx, span, "positions of the system equation are numbered from 1");
    else if (!ctx->failed)
        ctx->query->nodes[name].position = (int32_t)position;
    return name;
}

static int32_t with_braces(Reading *ctx, int32_t node)
{
    if (!ctx->failed)
        ctx->query->nodes[node].braces = true;
    return node;
}

static void link(Reading *ctx, int32_t node, int32_t next)
{
    if (!ctx->failed)
        ctx->query->nodes[node].next = next;
}

static int32_t state(Reading *ctx, FormulaKind kind, int32_t a, int32_t b, Span span)
{
    return path(ctx, kind, a, b, 0, HUGE_VAL, span);
}

static int32_t path(Reading *ctx, FormulaKind kind, int32_t a, int32_t b, double from, double to,
                    Span span)
{
    return formula_node(ctx, (FormulaNode){.kind = kind, .a = a, .b = b, .item = -1, .from = from,
                                           .to = to, .span = span});
}

/* true U b */
static int32_t finally(Reading *ctx, int32_t b, double from, double to, Span span)
{
    int32_t a = state(ctx, FORMULA_TRUE, -1, -1, span);
    return path(ctx, FORMULA_UNTIL, a, b, from, to, span);
}

static void complement(Reading *ctx, int32_t node)
{
    if (!ctx->failed)
        ctx->query->formula[node].complement = true;
}

static int32_t earned(Reading *ctx, int32_t node, int32_t item)
{
    if (!ctx->failed)
        ctx->query->formula[node].item = item;
    return node;
}

static int yyreport_syntax_error(const yypcontext_t *where, Reading *ctx)
{
    yysymbol_kind_t kinds[YYNTOKENS];
    const char *expected[YYNTOKENS];
    int count = yypcontext_expected_tokens(where, kinds, YYNTOKENS);
    if (count < 0)
        return count;
    for (int i = 0; i < count; i++)
        expected[i] = yysymbol_name(kinds[i]);
    reading_unexpected(ctx, yysymbol_name(yypcontext_token(where)), *yypcontext_location(where),
                       expected, count);
    return 0;
}

/* Called only when the stack cannot grow. */
static void query_yyerror(const Span *span, Reading *ctx, const char *message)
{
    (void)message;
    void *probe = mem_alloc(READING_MOST_STACK, sizeof(union yyalloc));
    if (probe)
        reading_error(ctx, *span, "nested too deeply");
    ctx->failed = ctx->failed || !probe;
    mem_free(probe);
}
