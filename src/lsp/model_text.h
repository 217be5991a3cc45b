/* A PEPA model that is open: its syntax tree and its meaning. */
#ifndef PEPA_LSP_MODEL_TEXT_H
#define PEPA_LSP_MODEL_TEXT_H

#include "lsp/mentions.h"
#include "lsp/reading.h"
#include "parser/ast.h"
#include "parser/model.h"

struct ModelText {
    Ast *ast;     /* of the statements that can be read; NULL: too few */
    Model *model; /* NULL: there are errors */
};

/* Fill in reading->model and findings.  False: memory is out. */
bool model_text_read(Reading *reading);
void model_text_free(ModelText *text);

/* Append its names.  False: memory is out. */
bool model_text_names(const ModelText *text, Mentions *mentions);

enum {
    MODEL_TEXT_MOST_STATES = 20000,
    MODEL_TEXT_MOST_LOCALS = 5000, /* a chain takes memory by their square */
    MODEL_TEXT_MOST_SECONDS = 10
};
/* What is odd about the chain of a model without errors: findings are added to `diags`, none where
 * it has more than MODEL_TEXT_MOST_STATES states, comes of more than MODEL_TEXT_MOST_LOCALS local
 * states or takes longer.  False: memory is out. */
bool model_text_chain(const Reading *reading, DiagList *diags);

#endif
