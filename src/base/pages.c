/* Requests huge pages.  madvise is not POSIX, and only this file declares it. */
#define _DEFAULT_SOURCE
#include "base/mem.h"

#include <stdint.h>
#include <sys/mman.h>

void pages_huge(const void *p, size_t bytes)
{
#ifdef MADV_HUGEPAGE
    const uintptr_t page = (uintptr_t)2 << 20;
    uintptr_t begin = ((uintptr_t)p + page - 1) / page * page;
    uintptr_t end = ((uintptr_t)p + bytes) / page * page;
    if (p && begin < end)
        (void)madvise((void *)begin, end - begin, MADV_HUGEPAGE);
#else
    (void)p;
    (void)bytes;
#endif
}
