/* Checked allocation: the one place where memory comes from. */
#ifndef PEPA_BASE_MEM_H
#define PEPA_BASE_MEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* count x size bytes, uninitialised / zeroed / resized; NULL when the product overflows or memory
 * is out.  A count of 0 gives a valid pointer.  mem_resize leaves `old` as it was on failure. */
void *mem_alloc(size_t count, size_t size);
void *mem_calloc(size_t count, size_t size);
void *mem_resize(void *old, size_t count, size_t size);
void mem_free(void *p);

/* Make room for `need` elements in the growing array *items of capacity *cap, doubling.
 * False when memory is out; the array is then as it was. */
bool mem_reserve(void *items_address, size_t *cap, size_t need, size_t size);

/* The same for several arrays of one capacity, each given by the address of its pointer. */
typedef struct {
    void *items_address;
    size_t size;
} MemArray;
bool mem_grow_all(const MemArray *arrays, size_t count, size_t *cap, size_t need);

/* Text of any length built piece by piece; starts as {0}.  After a failure `failed` stays set and
 * further pieces are dropped. */
typedef struct {
    char *text; /* NUL-terminated once anything was added */
    size_t length, cap;
    bool failed;
} Text;
void text_add(Text *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_free(Text *out);

/* Bump allocator: many small blocks, one free. Starts as {0}. */
typedef struct ArenaBlock ArenaBlock;
typedef struct {
    ArenaBlock *last;
} Arena;
void *arena_alloc(Arena *arena, size_t size); /* zeroed, aligned for any type; NULL: out */
char *arena_copy(Arena *arena, const char *text, size_t length); /* adds a NUL */
void arena_free(Arena *arena);

#ifdef PEPA_FAULT
/* Test builds only: the k-th allocation from now (1 = next) fails, or it and all after it;
 * 0: never. */
void mem_fail_at(int64_t k, bool and_after);
int64_t mem_allocations(void); /* since mem_fail_at */
#endif

#endif
