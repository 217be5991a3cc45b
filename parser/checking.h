/* What the passes of the check share.  Private to check*.c, locals.c, tree.c, sets.c, phases.c and
 * durations.c. */
#ifndef PEPA_PARSER_CHECKING_H
#define PEPA_PARSER_CHECKING_H

#include "base/error.h"
#include "base/intern.h"
#include "parser/ast.h"
#include "parser/cons.h"
#include "parser/graph.h"
#include "parser/model.h"

enum {
    CHECK_MAX_DEPTH = 10000,         /* of a rate expression: model_eval recurses */
    CHECK_MAX_UNFOLDED = 1000000,    /* operands of a functional rate, rate names unfolded */
    CHECK_MAX_NODES = 1000000,       /* of the system equation, unfolded */
    CHECK_MAX_ACTIVITIES = 10000000, /* of all local states */
    CHECK_SUGGESTIONS = 20           /* names for which near misses are searched */
};

#define CHECK_WHOLE 1e-9 /* a number of copies may be that far from a whole number */

/* The value of a rate expression. */
typedef struct {
    bool bad; /* an error in it was reported */
    bool functional;
    bool phases; /* of a phase type, or of some of its arguments */
    RateLevel level;
    double value; /* rate, or weight if immediate or passive; unless functional */
    int32_t depth, size;
} Meaning;

static inline const char *level_name(RateLevel level)
{
    return level == LEVEL_PASSIVE ? "passive" : level == LEVEL_IMMEDIATE ? "immediate" : "timed";
}

/* The place of a node within a component. */
enum {
    PLACE_BODY = 1,       /* the whole of a definition */
    PLACE_SEQUENTIAL = 2, /* inside a choice or after a prefix */
    PLACE_GUARDED = 4,    /* after a prefix */
    PLACE_REPORTED = 8    /* inside a node that was reported */
};

/* The kinds of terms: hash-consed sequential components. */
typedef enum { TERM_NAME, TERM_PREFIX, TERM_CHOICE } TermKind;

typedef struct {
    const Source *source;
    uint32_t line_at, lines; /* check_line: newlines before byte line_at */
    const Ast *ast;
    DiagList *diags;
    size_t errors_before; /* in diags */
    Arena scratch;        /* the arrays below */
    bool no_memory;
    int suggestions; /* still to be made */

    Intern rates, processes, actions; /* defined rates and processes (Stop among them if named) */
    const AstDef **rate_def;          /* first definition of each */
    const AstDef **process_def;       /* likewise; NULL for a Stop that is not defined */
    int32_t *ref;                     /* node: rate or process it names; -1: none */
    int32_t *action;                  /* word: its action */

    bool *defined; /* rate: replaced by `define` */
    double *define;
    bool *structural, *whole; /* rate: as in Rate */
    int32_t *rate_order; /* a rate comes after the rates that its definition names */
    Meaning *rate;
    Meaning *meaning; /* node, if a rate expression */
    bool *guarded;    /* node: a condition may leave its value aside */
    Cons exprs;       /* kind: an ExprOp; COUNT: a process */
    int32_t *expr;    /* node: its expression */
    int32_t *rate_expr;
    Intern files;    /* of traces */
    Span *file_span; /* where each is named first */
    size_t file_cap;

    uint8_t *place;         /* node */
    bool *is_static;        /* process: a cooperation, hiding or replication */
    bool *broken;           /* process: its definition has no meaning, which was reported */
    int32_t *process_order; /* a process comes after those that occur unguarded in it */
} Check;

/* scratch memory, zeroed; NULL (and check->no_memory) when there is none */
void *check_alloc(Check *check, size_t count, size_t size);
/* The line of the text in which the span begins. */
uint32_t check_line(Check *check, Span span);
/* "; did you mean `x`?" for the nearest of the names, or "".  The text is in scratch memory. */
const char *check_suggestion(Check *check, const char *name, const char *const *names,
                             size_t count);
/* "P -> Q -> P" for vertices of a cycle, starting from the smallest; `first` gets that one. */
const char *check_cycle_text(Check *check, const int32_t *vertices, int32_t count,
                             const Intern *names, int32_t *first);
/* The graph of definitions: items[i] is the definition of vertex i (or NULL: no edges); an edge for
 * each node of kind `kind` that `edge` accepts. */
bool check_graph(Check *check, Graph *graph, const AstDef *const *items, int32_t count,
                 bool (*edge)(const Check *check, int32_t vertex, int32_t node));

/* Passes, in this order; each reports what it finds. */
void check_names(Check *check); /* definitions, and what each name refers to */
PepaStatus check_defines(Check *check, const PepaDefine *defines, size_t count, PepaError *err);
void check_rates(Check *check);     /* expressions: shared, ordered, evaluated */
void check_processes(Check *check); /* sequential or static, guarded */
void check_values(Check *check);    /* rates of activities, numbers of copies */
void check_durations(Check *check); /* numbers of durations, and what goes with them */
void check_unused(Check *check);    /* warnings */

/* ---- these need a model without errors --------------------------------------------------- */

/* Local states: the terms reachable from the leaves of the system equation. */
typedef struct {
    Check *check;
    Cons terms;        /* kind: a TermKind */
    int32_t *term;     /* node: its term, if sequential; else -1 */
    int32_t *state;    /* term: its local state, or -1 */
    const char **name; /* term: generated, where it can be a local state; else NULL */
    int32_t *node;     /* term: a node with the same activities; -1: Stop */
    bool *reported;    /* node: it was reported to count twice */

    Local *locals;
    int32_t *local_term; /* local state: its term */
    Activity *activities;
    size_t local_count, local_cap, term_cap, activity_count, activity_cap;
    size_t unfolded; /* local states 0 .. unfolded-1 have their activities */
    size_t steps;    /* taken to unfold them */
} Locals;

/* Find terms and names.  Starts as {.check = ...}. */
void locals_begin(Locals *locals);
/* The local state of a term or process, with all that can be reached from it. */
int32_t locals_reach(Locals *locals, int32_t term);
/* The local state of a process that a rate counts; its activities stay out of the model. */
int32_t locals_count(Locals *locals, int32_t process);
void locals_free(Locals *locals);

/* Replace activities of phase types by phases, each a local state (phases.c). */
void phases_expand(Check *check, Locals *locals);

/* The system equation with names of cooperations unfolded, and its sets. */
typedef struct {
    Locals *locals;
    Node *nodes;     /* but for set_first, set_count */
    int32_t *origin; /* node: the node of the syntax tree that it comes from */
    bool *used;      /* process: a cooperation that was unfolded */
    int32_t *sets;
    int32_t *set_first, *set_size; /* node of the syntax tree: its set */
    size_t node_count, node_cap, origin_cap, set_count, set_cap;
} Tree;

/* Starts as {.locals = ...}.  Reports too large trees, and sets with actions that cannot occur. */
void tree_unfold(Tree *tree);
void tree_sets(Tree *tree);
void tree_free(Tree *tree);

#endif
