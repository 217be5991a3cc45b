/* What scanner, grammar and error messages share while one text is parsed.  Private to them.
 *
 * A statement that cannot be read is skipped up to its end, and its nodes are forgotten; the tree
 * of the other statements is whole and is checked.  Errors that leave no doubt about what is meant
 * are reported and read as meant. */
#ifndef PEPA_PARSER_PARSING_H
#define PEPA_PARSER_PARSING_H

#include "base/flex.h"
#include "parser/ast.h"
#include "parser/remark.h"

enum {
    SYNTAX_MAX_ERRORS = 100,
    /* Symbols on the grammar's stack (on the heap, 18 bytes each): parentheses need one a level,
     * prefixes two. */
    SYNTAX_MAX_STACK = 200000
};

typedef struct {
    Scanning scan;
    DiagList *diags;
    AstBuild build;

    /* The statement being read. */
    size_t tokens; /* so far */
    int head;      /* its first token, where that is, and its name if it has one */
    Span head_span;
    const char *head_name;
    int previous, before; /* the last token, and the one before that */
    Span previous_span, before_span;
    int open;    /* brackets now open */
    bool failed; /* a syntax error was reported in it: skipping to its end */
    bool held;   /* the next token was read already: */
    int held_token;
    Span held_span;
    const char *held_name;

    /* The arguments of calls that are not complete, those of inner ones behind: pairs of nodes, a
     * weight or -1 and an expression. */
    int32_t *arguments;
    size_t argument_count, argument_cap; /* of both */

    const char *lost[SYNTAX_MAX_ERRORS]; /* see Ast */
    int32_t lost_count;
    bool broken;                          /* some statement could not be read */
    uint32_t reported[SYNTAX_MAX_ERRORS]; /* invisible characters that were reported */
    size_t reported_count;
    bool stop; /* pretend that the text ends here, say nothing more */
} Parsing;

/* Report a syntax error, the hundredth being the last. */
void syntax_error(Parsing *ctx, Span span, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Report the character at the start of `text`, which PEPA does not have.  Returns its bytes;
 * *blank: it is invisible and reads as a blank, and only its first appearance is reported. */
size_t syntax_character(Parsing *ctx, const char *text, size_t length, Span span, bool *blank);

/* The statement that ends here could not be read: forget its nodes, keep its name in mind. */
void syntax_lost(Parsing *ctx);

/* Report that token `found` is not legal here.
 *   found, expected  what the grammar calls the tokens; expected: all that are */
void syntax_unexpected(Parsing *ctx, const char *found, Span span, const char *const *expected,
                       int count);

/* Is the statement being read one whose errors have been reported? */
bool syntax_skipping(const Parsing *ctx);
/* A statement ends at `gap` without its `;`. */
void syntax_missing(Parsing *ctx, Span gap);
/* Is there a line break in bytes begin .. end-1? */
bool syntax_new_line(const Parsing *ctx, uint32_t begin, uint32_t end);

/* Set the scanner up over the text.  Out of memory: longjmp to scan.failed. */
void scan_begin(Parsing *ctx);

#endif
