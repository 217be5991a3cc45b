/* What can stand at each place of a model, from its tokens: also where it cannot be read yet. */
#ifndef PEPA_LSP_CONTEXT_H
#define PEPA_LSP_CONTEXT_H

#include "base/intern.h"
#include "lsp/tokens.h"

typedef enum {
    CONTEXT_START,    /* the beginning of a statement */
    CONTEXT_PROCESS,  /* a component */
    CONTEXT_ACTIVITY, /* behind `(`: an action, or a component in parentheses */
    CONTEXT_RATE,     /* a rate expression */
    CONTEXT_SET,      /* a set of actions */
    CONTEXT_NOTHING   /* a comment, a quoted name, a number */
} Context;

typedef struct {
    Context at;                       /* the place that was asked for */
    Intern rates, processes, actions; /* those that the text defines or mentions */
} Contexts;                           /* starts as {0} */

/* Look at a text; `offset` is the place, in or behind the word that is being written.  False:
 * memory is out. */
bool context_find(Contexts *contexts, const Source *source, uint32_t offset);
void context_free(Contexts *contexts);

#endif
