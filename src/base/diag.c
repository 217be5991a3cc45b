/* Collects errors and warnings about a model, with their place in its text. */
#include "base/diag.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void diag_add(DiagList *list, PepaSeverity severity, Span span, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    int length = vsnprintf(NULL, 0, format, args);
    va_end(args);
    char *message = length < 0 ? NULL : arena_alloc(&list->arena, (size_t)length + 1);
    if (!message || !mem_grow(list->items, list->cap, list->count + 1)) {
        list->no_memory = true;
        return;
    }
    va_start(args, format);
    (void)vsnprintf(message, (size_t)length + 1, format, args);
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
    (void)vsnprintf(message, sizeof message, format, args);
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
