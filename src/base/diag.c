/* Collects errors and warnings about a model with their places in its text, renders them, and
 * passes them to the callback of the caller. */
#include "base/diag.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "base/number.h"

void diag_add(DiagList *list, PepaSeverity severity, Span span, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int length = number_vprint(NULL, 0, format, args);
    va_end(args);
    char *message = length < 0 ? NULL : arena_alloc(&list->arena, (size_t)length + 1);
    if (!message || !mem_grow(list->items, list->cap, list->count + 1)) {
        list->no_memory = true;
        return;
    }
    va_start(args, format);
    (void)number_vprint(message, (size_t)length + 1, format, args);
    va_end(args);
    list->items[list->count] = (Diag){severity, span, list->count, message};
    list->count++;
    if (severity == PEPA_ERROR)
        list->errors++;
}

static int by_place(const void *a, const void *b)
{
    const Diag *x = a, *y = b;
    if (x->span.begin != y->span.begin)
        return x->span.begin < y->span.begin ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

void diag_syntax(DiagList *list, Span span, size_t most, bool *stop, const char *format,
                 va_list args)
{
    char message[512];
    if (*stop)
        return;
    (void)number_vprint(message, sizeof message, format, args);
    diag_error(list, span, "%s", message);
    if (list->errors >= most) {
        diag_error(list, span, "too many errors");
        *stop = true;
    }
}

void diag_sort(DiagList *list)
{
    if (list->count)
        qsort(list->items, list->count, sizeof *list->items, by_place);
}

void diag_free(DiagList *list)
{
    arena_free(&list->arena);
    mem_free(list->items);
    *list = (DiagList){0};
}

/* Render one finding; err (may be NULL) takes it over if it is the first error. */
static bool diagnose_one(const Diag *d, const Source *source, PepaDiagnose diagnose, void *user,
                         PepaStatus status, PepaError *err)
{
    PepaDiagnostic each = {.severity = d->severity,
                           .file = source->name,
                           .message = d->message,
                           .excerpt = ""};
    Text excerpt = {0};
    if (d->span.begin != SPAN_NOWHERE) {
        source_place(source, d->span.begin, &each.line, &each.column);
        source_excerpt(source, d->span, &excerpt);
        each.excerpt = excerpt.text ? excerpt.text : "";
    }
    if (err) {
        (void)error_set(err, status, "%s", d->message);
        err->line = each.line;
        err->column = each.column;
    }
    if (diagnose)
        diagnose(user, &each);
    bool ok = !excerpt.failed;
    text_free(&excerpt);
    return ok;
}

/* Findings that are too many to read help nobody, and rendering them takes time. */
enum { MOST_FINDINGS = 100 /* of each severity */ };

static void tell_rest(size_t found, PepaSeverity severity, const Source *source,
                      PepaDiagnose diagnose, void *user)
{
    char message[64];
    if (found <= MOST_FINDINGS || !diagnose)
        return;
    size_t count = found - MOST_FINDINGS;
    const char *what = severity == PEPA_ERROR ? "error" : "warning";
    (void)snprintf(message, sizeof message, "%zu more %s%s", count, what, count == 1 ? "" : "s");
    const Diag rest = {.severity = severity, .span.begin = SPAN_NOWHERE, .message = message};
    (void)diagnose_one(&rest, source, diagnose, user, PEPA_OK, NULL);
}

PepaStatus diagnose_all(DiagList *list, const Source *source, PepaDiagnose diagnose, void *user,
                        PepaStatus status, PepaError *err)
{
    PepaError *first_error = err;
    bool ok = !list->no_memory;
    size_t found[] = {[PEPA_ERROR] = 0, [PEPA_WARNING] = 0};
    diag_sort(list);
    for (size_t i = 0; i < list->count; i++) {
        const Diag *d = &list->items[i];
        if (++found[d->severity] > MOST_FINDINGS)
            continue;
        bool first = d->severity == PEPA_ERROR && status != PEPA_OK;
        ok = diagnose_one(d, source, diagnose, user, status, first ? err : NULL) && ok;
        if (first)
            err = NULL;
    }
    tell_rest(found[PEPA_ERROR], PEPA_ERROR, source, diagnose, user);
    tell_rest(found[PEPA_WARNING], PEPA_WARNING, source, diagnose, user);
    return ok ? status : error_memory(first_error);
}
