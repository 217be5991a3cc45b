/* The tokens of a text with its comments, whatever is wrong with it. */
#ifndef PEPA_LSP_TOKENS_H
#define PEPA_LSP_TOKENS_H

#include "base/source.h"

typedef enum {
    TOKEN_WORD,          /* names and keywords */
    TOKEN_QUOTED,        /* "a name" */
    TOKEN_NUMBER,        /* */
    TOKEN_SIGN,          /* operators, brackets, anything else */
    TOKEN_MARK,          /* the `%` before a definition of the PEPA Workbench */
    TOKEN_LINE_COMMENT,  /* up to the end of the line, not with it */
    TOKEN_BLOCK_COMMENT, /* over any number of lines */
} TokenKind;

typedef struct {
    TokenKind kind;
    Span span;
    uint32_t lines; /* line feeds between the token before and this one */
} Token;

typedef struct {
    Token *each;
    size_t count, cap;
} Tokens; /* starts as {0} */

/* Cut a text up, as parser/pepa.l does.  False: memory is out. */
bool tokens_of_model(Tokens *tokens, const Source *source);
/* The same of a description: braces, parentheses, `,`, `;`, `=`, quoted names, comments behind `#`;
 * all else between blanks and these is a word, numbers with the units glued to them too. */
bool tokens_of_description(Tokens *tokens, const Source *source);
static inline bool token_is_comment(const Token *token)
{
    return token->kind >= TOKEN_LINE_COMMENT;
}
/* Is the token spelt like that? */
bool token_is(const Source *source, const Token *token, const char *text);
void tokens_free(Tokens *tokens);

#endif
