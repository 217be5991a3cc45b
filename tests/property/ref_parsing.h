/* Inside of ref_parse: words, rates and components of PEPA text, each in a file of its own. */
#ifndef PEPA_TESTS_REF_PARSING_H
#define PEPA_TESTS_REF_PARSING_H

#include "property/ref_parse.h"

typedef enum { TOKEN_END, TOKEN_NUMBER, TOKEN_NAME, TOKEN_SIGN } RefTokenKind;

typedef struct {
    RefTokenKind kind;
    const char *text; /* in the source; of a quoted name what is between the quotes */
    size_t length, where;
} RefToken;

typedef struct {
    RefModel *model;
    Arena arena; /* of what is not part of the model */
    RefToken *token;
    size_t tokens, cap, at;
    const char *error; /* the first one */
    size_t where;
} RefParser;

void ref_read_tokens(RefParser *p, const char *text);
/* The first complaint is kept; after one, nothing that is parsed means anything. */
void ref_wrong(RefParser *p, const char *error);
const RefToken *ref_ahead(const RefParser *p, size_t by);
bool ref_is(const RefToken *token, const char *text);
bool ref_peek(const RefParser *p, const char *text);
bool ref_accept(RefParser *p, const char *text); /* take it if it comes next */
void ref_need(RefParser *p, const char *text);
const char *ref_take_name(RefParser *p); /* "" on an error */

typedef struct {
    const RefRate *value; /* NULL: 1 */
    bool passive;
} RefParsedRate;

RefParsedRate ref_parse_value(RefParser *p);
/* The value of a rate that has to be active. */
const RefRate *ref_active(RefParser *p, RefParsedRate rate);
int ref_find_process(const RefModel *model, const char *name); /* -1: none */

#endif
