#include "fault/memory.h"

#include <execinfo.h>
#include <stdlib.h>
#include <string.h>
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

/* ---- where allocations come from ------------------------------------------------------------- */

enum { PLACES = 1 << 16, DEPTH = 9 };

/* Allocations by the calls that led to them, in a table without deletions. */
static struct {
    uint64_t calls; /* a hash of them; 0: free */
    int64_t met;
} place[PLACES];
static bool noting;
static int64_t noted;
static bool *chosen; /* [noted + 1] */

static void note(void)
{
    void *call[DEPTH];
    const int depth = backtrace(call, DEPTH);
    uint64_t hash = 14695981039346656037u; /* FNV-1a of words */
    for (int i = 0; i < depth; i++)
        hash = (hash ^ (uint64_t)(uintptr_t)call[i]) * 1099511628211u;
    size_t at = (size_t)(hash >> 32) % PLACES;
    while (place[at].calls != 0 && place[at].calls != hash)
        at = (at + 1) % PLACES;
    place[at].calls = hash;
    const int64_t met = ++place[at].met;
    bool *more = realloc(chosen, (size_t)allocations + 1);
    if (!more)
        abort();
    chosen = more;
    noted = allocations;
    chosen[noted] = (met & (met - 1)) == 0; /* a power of 2 */
}

void mem_note(bool on)
{
    noting = on;
    if (!on)
        return;
    memset(place, 0, sizeof place);
    noted = 0;
    mem_fail_at(0, false);
}

int64_t mem_fail_next(int64_t k)
{
    const int64_t each = 200;
    k++;
    while (k > each && k <= noted && !chosen[k] && !run_is_long())
        k++;
    return k;
}

/* ---- allocations ----------------------------------------------------------------------------- */

static bool refused(void)
{
    allocations++;
    if (noting)
        note();
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
