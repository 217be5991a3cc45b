/* Grammar of descriptions.  Actions build the tree; what it means is decided by the checks. */
%code requires {
#include "amoget/syntax/parser.h"
}

%code provides {
/* The next token for the grammar: tokens.c, over the raw scanner of desc.l. */
int desc_yylex(DESC_YYSTYPE *value, Span *span, Parser *ctx);
int desc_scan(DESC_YYSTYPE *value, Span *span, void *scanner);
}

%define api.pure full
%define api.prefix {desc_yy}
%define api.token.prefix {TOKEN_}
%define api.location.type {Span}
%define parse.error custom
%define parse.lac full
%define lr.default-reduction consistent
%locations
%expect 0
%param {Parser *ctx}
%initial-action { @$ = (Span){0, 0}; }

%union {
    Token token;
    Value value;
    SayKind kind;
}

%code {
#define YYMALLOC(size) mem_alloc(1, size)
#define YYFREE mem_free
#define YYLLOC_DEFAULT(Current, Rhs, N)                                                            \
    ((Current).begin = (N) ? YYRHSLOC(Rhs, 1).begin : YYRHSLOC(Rhs, 0).end,                        \
     (Current).end = YYRHSLOC(Rhs, N).end)

static void desc_yyerror(const Span *span, Parser *ctx, const char *message);
static void say(Parser *ctx, SayKind kind, const Token *a, const Token *b, const Value *value,
                Span span);
static void set(Parser *ctx, Attribute attribute, Span keyword, Value value);
static Value quantity(const Token *number, const Token *unit, Span span);
}

%token END 0 "the end of the text"
%token <token> WORD "a name" UNIT "a unit" STRING "a quoted text"
%token <token> INTEGER "an integer" NUMBER "a number"
%token <token> PIPELINE "pipeline" STAGE "stage" WORK "work" OUTPUT "output"
%token <token> PROCESSORS "processors" TIME "time" AVAILABILITY "availability" CORES "cores"
%token <token> MEMORY "memory" ADDRESS "address"
%token <token> CLUSTER "cluster" NETWORK "network" LATENCY "latency" BANDWIDTH "bandwidth"
%token <token> DEFAULT "default" LOCAL "local" MAPPINGS "mappings" INPUT "input" SIZE "size"
%token <token> PHASES "phases" SHARING "sharing" TRANSFER "transfer"
%token <token> INCLUDE "include" MAX_AGE "max-age" PROGRAM "program"
%token ASSIGN "=" SEMICOLON ";" COMMA "," LPAREN "(" RPAREN ")" LBRACE "{" RBRACE "}"

%type <token> word place name
%type <value> value
%type <kind> move

%%

description:
    %empty
  | description statement
  | description error ";"           { yyerrok; }
  | description error "}"           { yyerrok; }
  ;

/* The first line of each block stands with its contents, so that an error in the first statement is
 * one of that statement, not of the block. */
statement:
    word "=" value ";"              { say(ctx, SAY_DEFINITION, &$1, NULL, &$3, @1); }
  | "input" place input ";"         { say(ctx, SAY_INPUT, &$2, NULL, NULL, @2); }
  | "output" place ";"              { say(ctx, SAY_OUTPUT, &$2, NULL, NULL, @2); }
  | "sharing" word ";"              { say(ctx, SAY_SHARING, &$2, NULL, NULL, @2); }
  | "transfer" word ";"             { say(ctx, SAY_TRANSFER, &$2, NULL, NULL, @2); }
  | "include" STRING include ";"    { say(ctx, SAY_INCLUDE, &$2, NULL, NULL, @2); }
  | stages close
  | processors "}"
  | processors processor "}"        {
        parser_slip(ctx, (Span){@2.end, @2.end}, "missing `;`");
    }
  | processors error "}"            { yyerrok; }
  | moves close
  | tuples close
  | program "}"
  | program shape "}"               {
        parser_slip(ctx, (Span){@2.end, @2.end}, "missing `;`");
    }
  | program error "}"               { yyerrok; }
  ;

close:
    "}"
  | error "}"                       { yyerrok; }
  ;

/* The end of a statement in a block; without the semicolon it is clear all the same. */
end:
    ";"
  | %empty                          { parser_slip(ctx, @$, "missing `;`"); }
  ;

stages:
    "pipeline" "{"                  { say(ctx, SAY_BLOCK, &$1, NULL, NULL, @1); }
  | stages "stage" name works end   { say(ctx, SAY_STAGE, &$3, NULL, NULL, @3); }
  | stages error ";"                { yyerrok; }
  ;

works:
    %empty
  | works "work" value              { set(ctx, ATTRIBUTE_WORK, @2, $3); }
  | works "output" value            { set(ctx, ATTRIBUTE_OUTPUT, @2, $3); }
  | works "phases" value            { set(ctx, ATTRIBUTE_PHASES, @2, $3); }
  ;

processors:
    "processors" "{"                { say(ctx, SAY_BLOCK, &$1, NULL, NULL, @1); }
  | processors processor ";"
  | processors error ";"            { yyerrok; }
  ;

processor: name powers              { say(ctx, SAY_PROCESSOR, &$1, NULL, NULL, @1); };

powers:
    %empty
  | powers "time" value             { set(ctx, ATTRIBUTE_TIME, @2, $3); }
  | powers "availability" value     { set(ctx, ATTRIBUTE_AVAILABILITY, @2, $3); }
  | powers "cores" value            { set(ctx, ATTRIBUTE_CORES, @2, $3); }
  | powers "memory" value           { set(ctx, ATTRIBUTE_MEMORY, @2, $3); }
  | powers "address" STRING         {
        syntax_setting(ctx->tree,
                       (Setting){.attribute = ATTRIBUTE_ADDRESS, .keyword = @2, .name = $3.word});
    }
  | powers "cluster" name           {
        syntax_setting(ctx->tree,
                       (Setting){.attribute = ATTRIBUTE_CLUSTER, .keyword = @2, .name = $3.word});
    }
  ;

moves:
    "network" "{"                   { say(ctx, SAY_BLOCK, &$1, NULL, NULL, @1); }
  | moves move "default" value end  { say(ctx, $2, NULL, NULL, &$4, @3); }
  | moves move "local" value end    { say(ctx, $2, &$3, NULL, &$4, @3); }
  | moves move place place value end {
        say(ctx, $2, &$3, &$4, &$5, (Span){@3.begin, @4.end});
    }
  | moves error ";"                 { yyerrok; }
  ;

move:
    "latency"                       { $$ = SAY_LATENCY; }
  | "bandwidth"                     { $$ = SAY_BANDWIDTH; }
  ;

tuples:
    "mappings" "{"                  { say(ctx, SAY_BLOCK, &$1, NULL, NULL, @1); }
  | tuples "(" tuple ")" end        {
        say(ctx, SAY_MAPPING, NULL, NULL, NULL, (Span){@2.begin, @4.end});
    }
  | tuples error ";"                { yyerrok; }
  ;

tuple:
    name                            { syntax_word(ctx->tree, $1.word); }
  | tuple "," name                  { syntax_word(ctx->tree, $3.word); }
  ;

/* How the processes of a program talk: what its words mean is decided by amoget/program. */
program:
    "program" "{"                   { say(ctx, SAY_BLOCK, &$1, NULL, NULL, @1); }
  | program shape ";"
  | program error ";"               { yyerrok; }
  ;

shape: word parts                   { say(ctx, SAY_PROGRAM, &$1, NULL, NULL, @1); };

parts:
    %empty
  | parts word                      { syntax_word(ctx->tree, $2.word); }
  | parts INTEGER                   { syntax_word(ctx->tree, $2.word); }
  | parts NUMBER                    { syntax_word(ctx->tree, $2.word); }
  | parts "(" part "," part ")"     {
        syntax_word(ctx->tree, (Word){"", {@2.begin, @6.end}});
    }
  ;

/* An edge: its two ends, behind which the empty word of `parts` stands. */
part: place                         { syntax_word(ctx->tree, $1.word); };

input:
    %empty
  | input "size" value              { set(ctx, ATTRIBUTE_SIZE, @2, $3); }
  ;

include:
    %empty
  | include "max-age" value         { set(ctx, ATTRIBUTE_MAX_AGE, @2, $3); }
  ;

value:
    INTEGER                         { $$ = quantity(&$1, NULL, @$); }
  | NUMBER                          { $$ = quantity(&$1, NULL, @$); }
  | INTEGER UNIT                    { $$ = quantity(&$1, &$2, @$); }
  | NUMBER UNIT                     { $$ = quantity(&$1, &$2, @$); }
  | word                            { $$ = (Value){.name = $1.word, .span = @$}; }
  ;

/* Names: of stages, processors and clusters; where `default` and `local` mean something else; of
 * definitions. */
name: place | "default" | "local";
place: word | INTEGER;
word:
    WORD | UNIT | "pipeline" | "stage" | "work" | "output" | "processors" | "time" | "availability"
  | "cores" | "cluster" | "network" | "latency" | "bandwidth" | "mappings" | "input" | "size"
  | "memory" | "address" | "phases" | "sharing" | "transfer" | "include" | "program"
  ;

%%

static void say(Parser *ctx, SayKind kind, const Token *a, const Token *b, const Value *value,
                Span span)
{
    Say what = {.kind = kind, .span = span};
    if (a)
        what.a = a->word;
    if (b)
        what.b = b->word;
    if (value)
        what.value = *value;
    syntax_say(ctx->tree, what);
}

static void set(Parser *ctx, Attribute attribute, Span keyword, Value value)
{
    syntax_setting(ctx->tree,
                   (Setting){.attribute = attribute, .keyword = keyword, .value = value});
}

static Value quantity(const Token *number, const Token *unit, Span span)
{
    Value value = {.number = number->number, .span = span};
    if (unit)
        value.unit = unit->word;
    return value;
}

static int yyreport_syntax_error(const yypcontext_t *where, Parser *ctx)
{
    yysymbol_kind_t kinds[YYNTOKENS];
    const char *expected[YYNTOKENS];
    int count = yypcontext_expected_tokens(where, kinds, YYNTOKENS);
    if (count < 0)
        return count;
    for (int i = 0; i < count; i++)
        expected[i] = yysymbol_name(kinds[i]);
    parser_unexpected(ctx, yysymbol_name(yypcontext_token(where)), *yypcontext_location(where),
                       expected, count);
    return 0;
}

/* Called only when the stack cannot grow: the grammar needs but few places on it, so memory is out.
 */
static void desc_yyerror(const Span *span, Parser *ctx, const char *message)
{
    (void)span;
    (void)message;
    ctx->tree->failed = true;
}
