/* Checked allocation: the one place where memory comes from. */
#ifndef PEPA_BASE_MEM_H
#define PEPA_BASE_MEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* count x size bytes, uninitialised / zeroed / resized; NULL when the product overflows or memory
 * is out.  A count of 0 gives a valid pointer.  mem_resize leaves `old` as it was on failure. */
void *mem_alloc(size_t count, size_t size);
void *mem_calloc(size_t count, size_t size);
void *mem_resize(void *old, size_t count, size_t size);
/* Have the system find pages for memory that nothing has been written to yet: what is zeroed stays so. */
void mem_touch(void *p, size_t bytes);
void mem_free(void *p);
/* Frees every pointer of a list: mem_free_all(a, b, c).  All are read before the first is freed. */
#define mem_free_all(...)                                                                          \
    mem_free_list((void *[]){__VA_ARGS__}, sizeof((void *[]){__VA_ARGS__}) / sizeof(void *))
void mem_free_list(void *const *list, size_t count);

/* Allocate an array and assign it to the pointer p: uninitialised / zeroed.  False when memory is
 * out; p is then NULL.  In `mem_new(a, n) && mem_new(b, n)` b keeps its value when a fails, so both
 * start as NULL. */
#define mem_new(p, count)        (((p) = mem_alloc((size_t)(count), sizeof *(p))) != NULL)
#define mem_new_zeroed(p, count) (((p) = mem_calloc((size_t)(count), sizeof *(p))) != NULL)
enum { CACHE_LINE = 64 }; /* bytes */
/* Zeroed scratch that one thread writes often: alone on its cache lines, so that no other thread
 * waits for data beside it. */
void *mem_calloc_lines(size_t count, size_t size);
#define mem_new_scratch(p, count) (((p) = mem_calloc_lines((size_t)(count), sizeof *(p))) != NULL)

/* Make room for `need` elements in the growing array *items of capacity *cap, doubling.
 * False when memory is out; the array is then as it was. */
bool mem_reserve(void *items_address, size_t *cap, size_t need, size_t size);
#define mem_grow(p, cap, need) mem_reserve(&(p), &(cap), (size_t)(need), sizeof *(p))

/* The same for several arrays of one capacity and `need` elements each; `items` is the address of
 * the pointer to an array.  On failure some may have grown, and *cap is as it was. */
typedef struct {
    void *items;
    size_t size;
} MemColumn;
bool mem_reserve_columns(const MemColumn *columns, int count, size_t *cap, size_t need);

/* Give back what a growing array has beyond `count` elements; it stays as it is if that fails. */
void mem_trim_array(void *items_address, size_t count, size_t size);
#define mem_trim(p, count) mem_trim_array(&(p), (size_t)(count), sizeof *(p))

/* Text of any length built piece by piece; starts as {0}.  After a failure `failed` stays set and
 * further pieces are dropped. */
typedef struct {
    char *text; /* NUL-terminated once anything was added */
    size_t length, cap;
    bool failed;
} Text;
void text_add(Text *out, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Add what is left of a stream, until it ends, ferror(from), or the text has more than `most` bytes: it has one more
 * then, whatever follows. */
void text_read(Text *out, FILE *from, size_t most);
/* Readers of texts take no longer ones: "the text is longer than 2 GB". */
#define TEXT_MOST ((size_t)INT32_MAX - 2)
void text_free(Text *out);

/* Bump allocator: many small blocks, one free. Starts as {0}. */
typedef struct ArenaBlock ArenaBlock;
typedef struct {
    ArenaBlock *last;
} Arena;
void *arena_alloc(Arena *arena, size_t size); /* zeroed, aligned for any type; NULL: out */
char *arena_copy(Arena *arena, const char *text, size_t length); /* adds a NUL */
void arena_free(Arena *arena);

#endif
