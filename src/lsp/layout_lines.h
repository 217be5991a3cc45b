/* A text on its way to a new layout: what both languages share.  Private to layout*.c.
 *
 * A language says which tokens a line has, how many blanks stand before each, and which of them
 * begin cells; cells of lines that follow each other are brought into columns, as are the comments
 * behind them. */
#ifndef PEPA_LSP_LAYOUT_LINES_H
#define PEPA_LSP_LAYOUT_LINES_H

#include "lsp/layout.h"
#include "lsp/tokens.h"

typedef struct {
    size_t first, last; /* its tokens first .. last-1, without the comment behind them */
    size_t comment;     /* the line comment behind them, or SIZE_MAX */
    bool empty_before;  /* an empty line stands before it */
    bool starts;        /* a statement */
    size_t depth;       /* of blocks that it stands in */
    size_t indent;      /* blanks before it */
    size_t width;       /* characters of the code; 0: a comment alone */
    size_t begin, end;  /* of the code in Layout.code */
} Line;

typedef struct {
    const Source *source;
    Tokens tokens;
    size_t *blanks; /* before each token, if it is not the first of its line */
    bool *cell;     /* token: it begins a cell */
    Line *lines;
    size_t line_count, line_cap;
    Text code; /* of all lines, one after the other */
} Layout;

static inline const Token *layout_token(const Layout *layout, size_t i)
{
    return &layout->tokens.each[i];
}

static inline bool layout_is(const Layout *layout, size_t i, const char *text)
{
    return token_is(layout->source, layout_token(layout, i), text);
}

/* Is the token spelt like one of a list that ends with NULL? */
bool layout_one_of(const Layout *layout, size_t i, const char *const *list);
/* Room for what is known of each token.  False: memory is out. */
bool layout_begin(Layout *layout);
/* Append a line of tokens first .. last-1, whose last may be a comment.  False: the same. */
bool layout_line(Layout *layout, size_t first, size_t last, bool starts, size_t depth);
/* Is it a comment alone? */
bool layout_comment_line(const Layout *layout, const Line *line);
/* Widen the blanks before cells, so that the k-th cells of lines that follow each other at one
 * depth stand below each other.  Empty lines and comments alone part tables. */
void layout_align(Layout *layout);
/* Characters of the line before token `at`, from its first token on. */
size_t layout_width(const Layout *layout, const Line *line, size_t at);
/* Append all lines to `out`. */
void layout_write(Layout *layout, Text *out);
void layout_free(Layout *layout);

#endif
