/* Checked allocation, growing arrays, text and arenas. */
#define _DEFAULT_SOURCE /* for madvise */
#include "base/mem.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/number.h"

static bool product(size_t count, size_t size, size_t *bytes)
{
    if (size != 0 && count > PTRDIFF_MAX / size)
        return false;
    *bytes = count * size;
    if (*bytes == 0)
        *bytes = 1;
    return true;
}

/* Large arrays are often read irregularly: huge pages save a twentieth of `pepa solve` of counted
 * 200 (bench/models).  For arrays that grow they cost exploration a tenth (clients 10). */
static void *paged(void *p, size_t bytes)
{
#ifdef MADV_HUGEPAGE
    const uintptr_t page = (uintptr_t)2 << 20, end = ((uintptr_t)p + bytes) / page * page;
    if (p && bytes >= 2 * page) {
        uintptr_t begin = ((uintptr_t)p + page - 1) / page * page;
        (void)madvise((void *)begin, end - begin, MADV_HUGEPAGE);
    }
#endif
    return p;
}

void *mem_alloc(size_t count, size_t size)
{
    size_t bytes;
    return product(count, size, &bytes) ? paged(malloc(bytes), bytes) : NULL;
}

void *mem_calloc(size_t count, size_t size)
{
    size_t bytes;
    return product(count, size, &bytes) ? paged(calloc(1, bytes), bytes) : NULL;
}

void *mem_calloc_lines(size_t count, size_t size)
{
    size_t bytes;
    if (!product(count, size, &bytes))
        return NULL;
    bytes = (bytes + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
    void *lines = aligned_alloc(CACHE_LINE, bytes);
    return lines ? memset(lines, 0, bytes) : NULL;
}

void *mem_resize(void *old, size_t count, size_t size)
{
    size_t bytes;
    return product(count, size, &bytes) ? realloc(old, bytes) : NULL;
}

void mem_touch(void *p, size_t bytes)
{
    const size_t page = 4096; /* or more */
    char *first = p;
    for (size_t i = 0; i < bytes; i += page)
        first[i] = 0;
}

void mem_free(void *p)
{
    free(p);
}

void mem_free_list(void *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        mem_free(list[i]);
}

bool mem_reserve(void *items_address, size_t *cap, size_t need, size_t size)
{
    const MemColumn column = {items_address, size};
    return need <= *cap || mem_reserve_columns(&column, 1, cap, need);
}

bool mem_reserve_columns(const MemColumn *columns, int count, size_t *cap, size_t need)
{
    if (need <= *cap)
        return true;
    size_t twice = *cap < 8 ? 8 : *cap * 2, grown = twice < need ? need : twice;
    for (int i = 0; i < count; i++) {
        void *items;
        memcpy(&items, columns[i].items, sizeof items);
        items = mem_resize(items, grown, columns[i].size);
        if (!items)
            return false;
        memcpy(columns[i].items, &items, sizeof items);
    }
    *cap = grown;
    return true;
}

void mem_trim_array(void *items_address, size_t count, size_t size)
{
    void *items;
    memcpy(&items, items_address, sizeof items);
    items = mem_resize(items, count, size);
    if (items)
        memcpy(items_address, &items, sizeof items);
}

void text_add(Text *out, const char *format, ...)
{
    if (out->failed)
        return;
    for (;;) {
        va_list args;
        va_start(args, format);
        size_t space = out->cap - out->length;
        int n = number_vprint(out->text ? out->text + out->length : NULL, space, format, args);
        va_end(args);
        if (n < 0) {
            out->failed = true;
            return;
        }
        if ((size_t)n < space) {
            out->length += (size_t)n;
            return;
        }
        if (!mem_reserve(&out->text, &out->cap, out->length + (size_t)n + 1, 1)) {
            out->failed = true;
            return;
        }
    }
}

void text_read(Text *out, FILE *from, size_t most)
{
    enum { PIECE = 65536 };
    size_t n = 1;
    while (n > 0 && !out->failed && out->length <= most) {
        out->failed = !mem_reserve(&out->text, &out->cap, out->length + PIECE + 1, 1);
        const size_t room = out->failed ? 0 : out->cap - out->length - 1,
                     left = most - out->length + 1;
        n = room > 0 ? fread(out->text + out->length, 1, room < left ? room : left, from) : 0;
        out->length += n;
    }
    if (!out->failed)
        out->text[out->length] = '\0';
}

void text_free(Text *out)
{
    mem_free(out->text);
    *out = (Text){0};
}

struct ArenaBlock {
    ArenaBlock *before;
    size_t used, size;
    max_align_t data[];
};

void *arena_alloc(Arena *arena, size_t size)
{
    const size_t align = _Alignof(max_align_t);
    if (size > PTRDIFF_MAX / 2)
        return NULL;
    size = (size + align - 1) / align * align;
    ArenaBlock *block = arena->last;
    if (!block || block->size - block->used < size) {
        size_t bytes = size > 16384 - sizeof *block ? size : 16384 - sizeof *block;
        block = mem_alloc(1, sizeof *block + bytes);
        if (!block)
            return NULL;
        *block = (ArenaBlock){.before = arena->last, .size = bytes};
        arena->last = block;
    }
    void *p = (char *)block->data + block->used;
    block->used += size;
    memset(p, 0, size);
    return p;
}

char *arena_copy(Arena *arena, const char *text, size_t length)
{
    char *copy = arena_alloc(arena, length + 1);
    if (copy)
        memcpy(copy, text, length);
    return copy;
}

void arena_free(Arena *arena)
{
    while (arena->last) {
        ArenaBlock *before = arena->last->before;
        mem_free(arena->last);
        arena->last = before;
    }
}
