/* The command `pepa.solve`: the steady state of an open model, within limits. */
#ifndef PEPA_LSP_SOLVE_H
#define PEPA_LSP_SOLVE_H

#include "lsp/request.h"

#define SOLVE_COMMAND "pepa.solve"

enum { SOLVE_MOST_STATES = 300000, SOLVE_MOST_SECONDS = 30, SOLVE_MOST_MEGABYTES = 1024 };

/* Who waits for the answer. */
typedef struct {
    bool (*cancelled)(void *user); /* asked now and then */
    void *user;
} Waiting;

/* Solve a model.  Returns {"title", "text": a report in Markdown, "states", "throughput": {action:
 * value}}; NULL: *failure says why there is none, or memory is out.  The same measures as those of
 * `pepa solve`. */
json_t *solve_document(const Document *doc, const Reading *reading, const Waiting *waiting,
                       Failure *failure);

#endif
