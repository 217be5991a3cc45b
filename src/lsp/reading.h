/* What is known of an open text: what it says, what that means, and what is wrong with it. */
#ifndef PEPA_LSP_READING_H
#define PEPA_LSP_READING_H

#include "base/diag.h"
#include "lsp/document.h"

typedef enum { LANGUAGE_PEPA, LANGUAGE_DESCRIPTION } Language;

typedef struct ModelText ModelText;             /* model_text.h */
typedef struct DescriptionText DescriptionText; /* description_text.h */

typedef struct {
    Arena arena; /* of what it says */
    Source source;
    ModelText *model;             /* of a PEPA model, */
    DescriptionText *description; /* or of a description */
    bool whole;                   /* all of the text could be read: no error of syntax */
    DiagList diags;
} Reading; /* starts as {0} */

/* The span of a finding that has a place; an excerpt that was cut gives a shorter one. */
Span reading_span(const Source *source, const PepaDiagnostic *finding);

/* Cut a text off where it does not go on with a whole character of UTF-8. */
void whole_characters(char *text);

/* Where findings of the public interface go: the `user` of reading_collect. */
typedef struct {
    const Source *source;
    DiagList *diags;
    Span elsewhere; /* the place of findings about other files */
} Collecting;
void reading_collect(void *user, const PepaDiagnostic *finding);

#endif
