/* What scanner, grammar and error messages share while a query is read.  Private to them. */
#ifndef PEPA_PARSER_QUERY_READING_H
#define PEPA_PARSER_QUERY_READING_H

#include "base/flex.h"
#include "parser/query/query.h"

enum {
    READING_MOST_ERRORS = 20,
    READING_MOST_STACK = 100000 /* symbols on the grammar's stack */
};

typedef struct {
    Scanning scan;
    DiagList *diags;
    Query *query;
    int start;      /* the first token, which says what is read; 0: it is behind us */
    bool lines;     /* the end of a line is a token */
    QueryRole role; /* of the items of the text */
    bool formula;   /* names outside braces are keywords */
    int32_t braces; /* that are open */
    bool stop;      /* pretend that the text ends here, say nothing more */
    bool failed;    /* memory is out */
} Reading;

/* Report an error, the twentieth being the last. */
void reading_error(Reading *ctx, Span span, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* Report that a token cannot stand here.
 *   found, expected  what the grammar calls the tokens; expected: all that could */
void reading_unexpected(Reading *ctx, const char *found, Span span, const char *const *expected,
                        int count);

/* Append a node or an item: its id is its place.  An item has the nodes since the one before. */
int32_t query_node(Reading *ctx, QueryNode node);
void query_item(Reading *ctx, const char *name, Span span, int32_t body);
/* Forget the nodes since the last item. */
void query_drop(Reading *ctx);

/* Append a node of a formula: its id. */
int32_t formula_node(Reading *ctx, FormulaNode node);
/* Append an item that stands in braces: its id. */
int32_t formula_item(Reading *ctx, Span span, int32_t body, QueryRole role);
/* Make a node compare what it computes with a threshold. */
int32_t formula_compare(Reading *ctx, int32_t node, FormulaTest test, double threshold,
                        bool probability, Span span, Span threshold_span);

/* Set the scanner up over the text.  Out of memory: longjmp to scan.failed. */
void reading_begin(Reading *ctx);

#endif
