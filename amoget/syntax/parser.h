/* What scanner, grammar and error messages share while one description is read.  Private to them.
 */
#ifndef AMOGET_PARSER_H
#define AMOGET_PARSER_H

#include "amoget/syntax/syntax.h"
#include "base/flex.h"

enum { PARSER_MAX_ERRORS = 99 };

typedef struct {
    int token;
    Word word;
    double number;
} Token;

typedef struct {
    Scanning scan;
    DiagList *diags;
    Arena *arena; /* of names */
    Syntax *tree;

    Token last, before; /* the last two tokens */
    Token head;         /* first token of the statement */
    int attribute;      /* the last keyword of a value in it; 0: none */
    Token held;         /* read already, and to come next; token 0: none */
    int depth;          /* braces now open */
    Span open;          /* the outermost of them */
    bool skip;          /* the next token is behind the block that was opened */
    bool failed;        /* a syntax error was reported: skipping to the statement's end */

    size_t slips; /* errors after which the tree is complete all the same */
    bool model;   /* it was said that this looks like a PEPA model */
    bool stop;    /* pretend that the text ends here, say nothing more */
} Parser;

/* Report a syntax error, the 99th being the last.  A slip leaves no doubt about what is meant. */
void parser_error(Parser *ctx, Span span, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void parser_slip(Parser *ctx, Span span, const char *message);

/* Report that token `found` cannot stand here.
 *   found, expected  what the grammar calls the tokens; expected: all that could */
void parser_unexpected(Parser *ctx, const char *found, Span span, const char *const *expected,
                       int count);

/* What the value behind a keyword measures; KIND_PLAIN: nothing, or it is no such keyword. */
Kind parser_kind(int token);

/* Set the scanner up over the text.  Out of memory: longjmp to scan.failed. */
void parser_begin(Parser *ctx);

#endif
