/* Findings about a model, collected before anyone renders them. */
#ifndef PEPA_BASE_DIAG_H
#define PEPA_BASE_DIAG_H

#include <stdarg.h>
#include <stdbool.h>

#include "base/source.h"
#include "pepa.h"

typedef struct {
    PepaSeverity severity;
    Span span;
    size_t number; /* in order of finding */
    char *message; /* in the list's arena */
} Diag;

typedef struct {
    Arena arena;
    Diag *items;
    size_t count, cap;
    size_t errors;  /* how many of the items are errors */
    bool no_memory; /* a finding was lost */
} DiagList;         /* starts as {0} */

/* Add an error or a warning: diag_error(list, span, format, ...). */
#define diag_error(list, span, ...)   diag_add(list, PEPA_ERROR, span, __VA_ARGS__)
#define diag_warning(list, span, ...) diag_add(list, PEPA_WARNING, span, __VA_ARGS__)
void diag_add(DiagList *list, PepaSeverity severity, Span span, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* An error of syntax, unless `stop` is set: the most-th is followed by "too many errors", and sets
 * it. */
void diag_syntax(DiagList *list, Span span, size_t most, bool *stop, const char *format,
                 va_list args);
/* Order of place (those without a place last), stable. */
void diag_sort(DiagList *list);
void diag_free(DiagList *list);

/* Hand every finding to `diagnose` (may be NULL), in order of place, and fill in err from the first
 * error if `status` says that there is one.  Returns status, or PEPA_ENOMEM if findings were lost.
 */
PepaStatus diagnose_all(DiagList *list, const Source *source, PepaDiagnose diagnose, void *user,
                        PepaStatus status, PepaError *err);

#endif
