/* The names of a model that a query may use, by hash. */
#ifndef PEPA_PARSER_QUERY_QUERY_NAMES_H
#define PEPA_PARSER_QUERY_QUERY_NAMES_H

#include "base/intern.h"
#include "parser/model.h"

typedef enum { NAME_LOCAL, NAME_ACTION, NAME_RATE, NAME_KINDS } NameKind;

typedef struct {
    Intern names[NAME_KINDS];
    int32_t *number[NAME_KINDS]; /* by the name's id: the first local state, action, rate called so */
} QueryNames;                    /* starts as {0} */

/* False: memory is out; free it in any case. */
bool query_names_init(QueryNames *names, const Model *model);
void query_names_free(QueryNames *names);
/* The number in the model, or -1. */
int32_t query_names_find(const QueryNames *names, NameKind kind, const char *name);
/* The one that is most like it, or NULL. */
const char *query_names_suggest(const QueryNames *names, NameKind kind, const char *name);

#endif
