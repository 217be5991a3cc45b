/* Grammar of probes.  Actions build nodes; later passes decide what they mean. */
%code requires {
#include "parser/probe/scanning.h"
}

%code provides {
/* The next token for the grammar, and the raw scanner of probe.l. */
int probe_yylex(PROBE_YYSTYPE *value, Span *span, ProbeReading *ctx);
int probe_scan(PROBE_YYSTYPE *value, Span *span, void *scanner);
}

%define api.pure full
%define api.prefix {probe_yy}
%define api.token.prefix {TOKEN_}
%define api.location.type {Span}
%define parse.error custom
%define parse.lac full
%locations
%expect 0
%param {ProbeReading *ctx}
%initial-action { @$ = (Span){0, 0}; }

%union {
    int32_t node;
    int32_t number;
    const char *name;
    ProbeLabel label;
}

%code {
#define YYMALLOC(size) mem_alloc(1, size)
#define YYFREE mem_free
#define YYMAXDEPTH SCANNING_MOST_STACK
#define YYLLOC_DEFAULT(Current, Rhs, N)                                                            \
    ((Current).begin = (N) ? YYRHSLOC(Rhs, 1).begin : YYRHSLOC(Rhs, 0).end,                        \
     (Current).end = YYRHSLOC(Rhs, N).end)

static void probe_yyerror(const Span *span, ProbeReading *ctx, const char *message);
static int32_t observe(ProbeReading *ctx, const char *name, ProbeLabel label, Span span);
static int32_t join(ProbeReading *ctx, ProbeKind kind, int32_t a, int32_t b, Span span);
static int32_t repeat(ProbeReading *ctx, int32_t a, int32_t least, int32_t most, Span span);
}

%token END 0 "the end of the text"
%token <name> NAME "a name"
%token <number> NUMBER "a number"
%token <label> LABEL "a label"
%token COLON ":" COMMA "," BAR "|" STAR "*" PLUS "+" QUESTION "?"
%token LPAREN "(" RPAREN ")" LBRACE "{" RBRACE "}"

%type <node> choice sequence repeated atom

%%

probe:
    choice
  | NAME ":" choice                 {
        ctx->probe->component = $1;
        ctx->probe->component_span = @1;
    }
  | error
  ;

choice:
    sequence
  | choice "|" sequence             { $$ = join(ctx, PROBE_CHOICE, $1, $3, @$); }
  ;

sequence:
    repeated
  | sequence "," repeated           { $$ = join(ctx, PROBE_SEQUENCE, $1, $3, @$); }
  ;

repeated:
    atom
  | repeated "*"                    { $$ = repeat(ctx, $1, 0, PROBE_EVER, @$); }
  | repeated "+"                    { $$ = repeat(ctx, $1, 1, PROBE_EVER, @$); }
  | repeated "?"                    { $$ = repeat(ctx, $1, 0, 1, @$); }
  | repeated "{" NUMBER "}"         { $$ = repeat(ctx, $1, $3, $3, @$); }
  | repeated "{" NUMBER "," NUMBER "}" { $$ = repeat(ctx, $1, $3, $5, @$); }
  ;

atom:
    NAME                            { $$ = observe(ctx, $1, PROBE_UNLABELLED, @$); }
  | NAME LABEL                      { $$ = observe(ctx, $1, $2, @$); }
  | "(" choice ")"                  { $$ = $2; }
  ;

%%

int probe_yylex(PROBE_YYSTYPE *value, Span *span, ProbeReading *ctx)
{
    *span = (Span){0, 0};
    if (ctx->stop || ctx->failed)
        return TOKEN_END;
    int token = probe_scan(value, span, ctx->scan.scanner);
    if (token == TOKEN_END)
        *span = (Span){(uint32_t)ctx->scan.source->length, (uint32_t)ctx->scan.source->length};
    return token;
}

static int32_t observe(ProbeReading *ctx, const char *name, ProbeLabel label, Span span)
{
    int32_t action = intern_put(&ctx->probe->actions, name, strlen(name));
    ctx->failed = ctx->failed || action < 0;
    return probe_node(ctx, (ProbeNode){.kind = PROBE_ACTION, .a = -1, .b = -1, .action = action,
                                       .label = label, .name = name, .span = span});
}

static int32_t join(ProbeReading *ctx, ProbeKind kind, int32_t a, int32_t b, Span span)
{
    return probe_node(ctx, (ProbeNode){.kind = kind, .a = a, .b = b, .action = -1, .span = span});
}

static int32_t repeat(ProbeReading *ctx, int32_t a, int32_t least, int32_t most, Span span)
{
    return probe_node(ctx, (ProbeNode){.kind = PROBE_REPEAT, .a = a, .b = -1, .least = least,
                                       .most = most, .action = -1, .span = span});
}

static int yyreport_syntax_error(const yypcontext_t *where, ProbeReading *ctx)
{
    yysymbol_kind_t kinds[YYNTOKENS];
    const char *expected[YYNTOKENS];
    int count = yypcontext_expected_tokens(where, kinds, YYNTOKENS);
    if (count < 0)
        return count;
    for (int i = 0; i < count; i++)
        expected[i] = yysymbol_name(kinds[i]);
    probe_unexpected(ctx, yysymbol_name(yypcontext_token(where)), *yypcontext_location(where),
                     expected, count);
    return 0;
}

/* Called only when the stack cannot grow. */
static void probe_yyerror(const Span *span, ProbeReading *ctx, const char *message)
{
    (void)message;
    void *room = mem_alloc(SCANNING_MOST_STACK, sizeof(union yyalloc));
    if (room)
        probe_error(ctx, *span, "nested too deeply");
    ctx->failed = ctx->failed || !room;
    mem_free(room);
}
