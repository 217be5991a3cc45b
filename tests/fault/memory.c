#include "fault/memory.h"

#include <stdlib.h>
#include <suitesparse/SuiteSparse_config.h>

#include "base/mem.h"
#include "scale.h"

void *failing_malloc(size_t size);
void *failing_calloc(size_t count, size_t size);
void *failing_realloc(void *old, size_t size);
void *failing_aligned_alloc(size_t alignment, size_t size);

static int64_t fail_at, allocations;
static bool fail_after;

void mem_fail_at(int64_t k, bool and_after)
{
    fail_at = k;
    fail_after = and_after;
    allocations = 0;
}

int64_t mem_allocations(void)
{
    return allocations;
}

int64_t mem_fail_next(int64_t k)
{
    const int64_t each = 200;
    return k < each || run_is_long() ? k + 1
                                     : k + 1 + (int64_t)(((uint64_t)k * 2654435761u >> 13) % 5);
}

static bool refused(void)
{
    allocations++;
    return allocations == fail_at || (fail_after && fail_at > 0 && allocations > fail_at);
}

void *failing_malloc(size_t size)
{
    return refused() ? NULL : malloc(size);
}

void *failing_calloc(size_t count, size_t size)
{
    return refused() ? NULL : calloc(count, size);
}

void *failing_realloc(void *old, size_t size)
{
    return refused() ? NULL : realloc(old, size);
}

void *failing_aligned_alloc(size_t alignment, size_t size)
{
    return refused() ? NULL : aligned_alloc(alignment, size);
}

static void *klu_malloc(size_t size)
{
    return mem_alloc(1, size);
}

static void *klu_calloc(size_t count, size_t size)
{
    return mem_calloc(count, size);
}

static void *klu_realloc(void *p, size_t size)
{
    return mem_resize(p, 1, size);
}

void mem_fail_in_klu(void)
{
    SuiteSparse_config.malloc_func = klu_malloc;
    SuiteSparse_config.calloc_func = klu_calloc;
    SuiteSparse_config.realloc_func = klu_realloc;
    SuiteSparse_config.free_func = mem_free;
}
