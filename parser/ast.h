/* The syntax tree of a model: the structure of its text, before names are resolved and checked.
 *
 * Nodes are in one array in the order in which a bottom-up parser completes them: operands before
 * operators, and the nodes of one definition consecutive.  Passes are therefore loops over the
 * array, forwards for what flows up and backwards for what flows down, and no depth of nesting can
 * exhaust the C stack. */
#ifndef PEPA_PARSER_AST_H
#define PEPA_PARSER_AST_H

#include <stdbool.h>

#include "base/diag.h"

typedef enum {
    AST_NUMBER,    /* number, finite and >= 0 */
    AST_RATE,      /* name; NULL where an error left no rate */
    AST_COUNT,     /* name of a process: how many components are in that state */
    AST_PASSIVE,   /* infty */
    AST_IMMEDIATE, /* immediate */
    AST_FILE,      /* name of a file */
    AST_ADD,       /* a, b: rate expressions, here and below */
    AST_SUB,
    AST_MUL,
    AST_DIV,
    AST_MIN,
    AST_MAX,
    AST_POW,
    AST_LESS, /* a, b: rate expressions; a condition, here and below */
    AST_LESS_EQUAL,
    AST_GREATER,
    AST_GREATER_EQUAL,
    AST_EQUAL,
    AST_UNEQUAL,
    AST_AND, /* a, b: conditions */
    AST_OR,
    AST_IF,   /* a: the condition; b: AST_ELSE */
    AST_ELSE, /* a where the condition holds, else b: rate expressions */
    AST_NEG,  /* a only, here and below */
    AST_NOT,  /* a condition */
    AST_EXP,
    AST_LOG,
    AST_SQRT,
    AST_PRIORITY,  /* the rate a with priority number - 1 */
    AST_ERLANG,    /* phase types, the rates of activities: a phases of rate b, ... */
    AST_HYPER,     /* ... the alternatives a: AST_LIST of AST_PAIR, or one AST_PAIR, ... */
    AST_COX,       /* ... r1, c1, r2, ...: AST_LIST of rates, or one rate */
    AST_DET,       /* durations, in the place of rates: a always, ... */
    AST_UNIFORM,   /* ... uniform between a and b, ... */
    AST_LOGNORMAL, /* ... with a logarithm of mean a and standard deviation b, ... */
    AST_TRACE,     /* ... one of those in the AST_FILE a */
    AST_LIST,      /* the list, or first item, a, and after it the item b */
    AST_PAIR,      /* weight a, rate b */
    AST_NAME,      /* name of a process; NULL where an error left no component */
    AST_PREFIX,    /* the word `word` is the action, a the rate, b the continuation */
    AST_CHOICE,    /* a + b */
    AST_COOP,      /* a <words> b */
    AST_HIDE,      /* a / {words} */
    AST_COPIES     /* a[b]{words}; b a rate expression */
} AstKind;

enum { AST_ALL = -1 }; /* word_count of <*> */

typedef struct {
    AstKind kind;
    int32_t a, b;             /* nodes, or -1 */
    int32_t word, word_count; /* words[word ..] */
    const char *name;         /* or NULL */
    double number;
    Span span;
    Span mark; /* PREFIX: (action, rate); COOP: the text between the operands; else span */
} AstNode;

/* One mention of an action, in source order. */
typedef struct {
    const char *name;
    Span span;
} AstWord;

typedef struct {
    bool process;     /* or a rate */
    const char *name; /* NULL in the system equation */
    Span span;        /* of the name */
    int32_t first;    /* its nodes: first .. body */
    int32_t body;
} AstDef;

typedef struct {
    AstNode *nodes;
    AstWord *words;
    AstDef *defs; /* in source order */
    AstDef system;
    int32_t node_count, word_count, def_count;
    /* Names at the start of statements that could not be read: each may be defined after all. */
    const char *const *lost;
    int32_t lost_count;
} Ast;

/* ---- building --------------------------------------------------------------------------- */

/* A tree under construction; starts as {.arena = ...}, where the finished tree and its names live.
 * After a failure `failed` stays set and the returned ids are meaningless. */
typedef struct {
    Arena *arena;
    AstNode *nodes;
    AstWord *words;
    AstDef *defs;
    size_t node_count, node_cap, word_count, word_cap, def_count, def_cap;
    bool failed; /* memory is out */
} AstBuild;

/* Append a node, word or definition; the id is its place.  Names are not copied. */
int32_t ast_node(AstBuild *build, AstNode node);
int32_t ast_word(AstBuild *build, const char *name, Span span);
/* The definition's nodes are those since the one before. */
void ast_def(AstBuild *build, bool process, const char *name, Span span, int32_t body);
/* Forget the nodes since the last definition. */
void ast_drop(AstBuild *build);
/* Close the tree: the last definition is the system equation.  NULL when memory is out. */
Ast *ast_finish(AstBuild *build);
void ast_build_free(AstBuild *build);

/* ---- using ------------------------------------------------------------------------------ */

static inline int32_t ast_priority(const AstNode *node) /* of AST_PRIORITY, as stated */
{
    return (int32_t)node->number - 1;
}
bool ast_is_rate(AstKind kind); /* a rate expression, or a part of one */
static inline bool ast_is_phases(AstKind kind)
{
    return kind >= AST_ERLANG && kind <= AST_COX;
}
static inline bool ast_is_duration(AstKind kind)
{
    return kind >= AST_DET && kind <= AST_TRACE;
}
int ast_operands(AstKind kind);   /* how many of a, b are in use */
bool ast_is_static(AstKind kind); /* cooperation, hiding, replication */
/* The functions of rate expressions; false when there is none of that name. */
bool ast_function(const char *name, AstKind *kind);

/* Are both trees equal, apart from places in the text?  O(nodes). */
bool ast_equal(const Ast *a, const Ast *b);

/* The model in the notation of the PEPA Eclipse plug-in, a definition a line, with as few
 * parentheses as possible; reading it gives an equal tree.  On failure out->failed is set. */
void ast_print(const Ast *ast, Text *out);
/* A rate expression in this notation. */
void ast_print_rate(const Ast *ast, int32_t node, Text *out);

#endif
