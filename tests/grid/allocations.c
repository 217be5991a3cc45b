#include <stdlib.h>

#include "allocations.h"

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void __real_free(void *old);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
void __wrap_free(void *old);

Allocations allocations;

static int gives_out(void)
{
    Allocations *a = &allocations;
    a->calls++;
    return a->first > 0 && (a->calls == a->first || (a->for_good && a->calls > a->first));
}

static void *counted(void *block)
{
    allocations.held += block != NULL;
    return block;
}

void *__wrap_malloc(size_t bytes)
{
    return gives_out() ? NULL : counted(__real_malloc(bytes));
}

void *__wrap_calloc(size_t count, size_t bytes)
{
    return gives_out() ? NULL : counted(__real_calloc(count, bytes));
}

void *__wrap_realloc(void *old, size_t bytes)
{
    if (gives_out())
        return NULL;
    void *block = __real_realloc(old, bytes);
    allocations.held += !old && block;
    return block;
}

void __wrap_free(void *old)
{
    allocations.held -= old != NULL;
    __real_free(old);
}
