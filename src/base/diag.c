#include "base/diag.h"

#include <stdarg.h>
#include <stdio.h>

static void add(DiagList *list, PepaSeverity severity, Span span, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *message = length < 0 ? NULL : arena_alloc(&list->arena, (size_t)length + 1);
    if (!message || !mem_reserve(&list->items, &list->cap, list->count + 1, sizeof *list->items)) {
        list->no_memory = true;
        return;
    }
    (void)vsnprintf(message, (size_t)length + 1, format, args);
    list->items[list->count++] = (Diag){severity, span, message};
    if (severity == PEPA_ERROR)
        list->errors++;
}

void diag_error(DiagList *list, Span span, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add(list, PEPA_ERROR, span, format, args);
    va_end(args);
}

void diag_warning(DiagList *list, Span span, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add(list, PEPA_WARNING, span, format, args);
    va_end(args);
}

void diag_sort(DiagList *list)
{
    for (size_t i = 1; i < list->count; i++) {
        Diag moved = list->items[i];
        size_t k = i;
        for (; k > 0 && list->items[k - 1].span.begin > moved.span.begin; k--)
            list->items[k] = list->items[k - 1];
        list->items[k] = moved;
    }
}

void diag_free(DiagList *list)
{
    mem_free(list->items);
    arena_free(&list->arena);
    *list = (DiagList){0};
}
