/* What scanner, grammar and error messages share while one text is parsed.  Private to them. */
#ifndef PEPA_PARSER_PARSING_H
#define PEPA_PARSER_PARSING_H

#include <setjmp.h>

#include "parser/ast.h"
#include "base/source.h"

enum {
    SYNTAX_MAX_ERRORS = 100,
    /* Symbols on the grammar's stack (on the heap, 18 bytes each): parentheses need one a level,
     * prefixes two. */
    SYNTAX_MAX_STACK = 200000
};

typedef struct {
    const Source *source;
    DiagList *diags;
    AstBuild build;

    Arena scan_arena; /* of the scanner's own memory */
    void *scanner;
    char *buffer; /* the scanner's copy of the text from byte `offset` on */
    size_t offset;
    jmp_buf no_scanner; /* where to go when the scanner cannot be set up */

    /* The statement being read. */
    size_t tokens; /* so far */
    int head;      /* its first token, and where that is */
    Span head_span;
    int previous; /* the last token */
    Span previous_span;
    Span before_span; /* of the token before that */
    int open;         /* brackets now open */
    bool failed;      /* a syntax error was reported in it: skipping to its end */
    bool held;        /* the next token was read already: */
    int held_token;
    Span held_span;
    const char *held_name;

    size_t slips; /* errors after which the tree is whole all the same */
    bool stop;    /* pretend that the text ends here, say nothing more */
} Parsing;

/* Report a syntax error, the hundredth being the last. */
void syntax_error(Parsing *ctx, Span span, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Report an error that leaves no doubt about what is meant: the tree is whole in spite of it, so
 * that its meaning can be checked as well. */
void syntax_slip(Parsing *ctx, Span span, const char *message);

/* Report that token `found` cannot stand here.
 *   found, expected  what the grammar calls the tokens; expected: all that could */
void syntax_unexpected(Parsing *ctx, const char *found, Span span, const char *const *expected,
                       int count);

/* Does the rest of a line, behind its `%`, say `name = expression;`? */
bool scan_rate_line(const char *text, const char *end);

/* Set the scanner up over the text / take it down.  Out of memory: longjmp to no_scanner. */
void scan_begin(Parsing *ctx);
void scan_end(Parsing *ctx);

#endif
