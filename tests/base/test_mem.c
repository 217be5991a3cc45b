#include <criterion/criterion.h>
#include <string.h>

#include "base/mem.h"

Test(mem, scratch_is_zeroed_and_alone_on_its_lines)
{
    cr_assert_null(mem_calloc_lines(SIZE_MAX, SIZE_MAX));
    for (size_t count = 0; count < 40; count += 13) {
        int32_t *scratch;
        cr_assert(mem_new_scratch(scratch, count));
        cr_expect_eq((uintptr_t)scratch % CACHE_LINE, 0);
        for (size_t i = 0; i < count; i++)
            cr_expect_eq(scratch[i], 0);
        mem_free(scratch);
    }
}

Test(mem, overflowing_products_are_refused)
{
    cr_assert_null(mem_alloc(SIZE_MAX / 2, 3));
    cr_assert_null(mem_calloc(SIZE_MAX, SIZE_MAX));
    cr_assert_null(mem_resize(NULL, PTRDIFF_MAX, 2));
}

Test(mem, endless_texts_are_cut)
{
    static const size_t most[] = {0, 1, 65534, 65535, 65536, 300000};
    for (size_t i = 0; i < sizeof most / sizeof *most; i++) {
        Text text = {0};
        FILE *zero = fopen("/dev/zero", "rb");
        cr_assert_not_null(zero);
        text_read(&text, zero, most[i]);
        cr_expect_eq(text.length, most[i] + 1);
        cr_expect(!text.failed && text.text[most[i] + 1] == '\0');
        (void)fclose(zero);
        text_free(&text);
    }
}

Test(mem, nothing_is_a_valid_block)
{
    void *p = mem_alloc(0, 8);
    cr_assert_not_null(p);
    mem_free(p);
    mem_free(NULL);
}

Test(mem, reserve_keeps_contents_and_grows_to_the_need)
{
    int32_t *items = NULL;
    size_t cap = 0;
    for (int32_t i = 0; i < 1000; i++) {
        cr_assert(mem_reserve(&items, &cap, (size_t)i + 1, sizeof *items));
        items[i] = i;
    }
    for (int32_t i = 0; i < 1000; i++)
        cr_assert_eq(items[i], i);
    cr_assert(mem_reserve(&items, &cap, 5000, sizeof *items));
    cr_assert_geq(cap, 5000);
    cr_assert_not(mem_reserve(&items, &cap, SIZE_MAX, sizeof *items));
    cr_assert_eq(items[999], 999);
    mem_free(items);
}

Test(mem, arrays_grow_together)
{
    int32_t *items = NULL;
    double *values = NULL;
    size_t cap = 0;
    const MemColumn arrays[] = {{&items, sizeof *items}, {&values, sizeof *values}};
    for (int32_t i = 0; i < 1000; i++) {
        cr_assert(mem_reserve_columns(arrays, 2, &cap, (size_t)i + 1));
        items[i] = i;
        values[i] = i / 2.0;
    }
    cr_assert_geq(cap, 1000);
    size_t before = cap;
    cr_assert_not(mem_reserve_columns(arrays, 2, &cap, SIZE_MAX / 2));
    cr_assert_eq(cap, before);
    for (int32_t i = 0; i < 1000; i++)
        cr_assert(items[i] == i && values[i] == i / 2.0);
    mem_free(items);
    mem_free(values);
}

Test(mem, text_grows_piece_by_piece)
{
    Text text = {0};
    char expected[3001] = "";
    for (int i = 0; i < 1000; i++) {
        text_add(&text, "%d;", i % 10);
        (void)strcat(expected, (char[]){(char)('0' + i % 10), ';', '\0'});
    }
    cr_assert_not(text.failed);
    cr_assert_str_eq(text.text, expected);
    cr_assert_eq(text.length, strlen(expected));
    text_free(&text);
}

Test(mem, arena_blocks_are_zeroed_aligned_and_apart)
{
    Arena arena = {0};
    char *before = NULL;
    for (size_t size = 1; size < 40000; size = size * 2 + 1) {
        char *p = arena_alloc(&arena, size);
        cr_assert_not_null(p);
        cr_assert_eq((uintptr_t)p % _Alignof(max_align_t), 0);
        for (size_t i = 0; i < size; i++)
            cr_assert_eq(p[i], 0);
        memset(p, 'x', size);
        cr_assert(!before || before[0] == 'x');
        before = p;
    }
    cr_assert_str_eq(arena_copy(&arena, "abcdef", 3), "abc");
    cr_assert_null(arena_alloc(&arena, SIZE_MAX));
    arena_free(&arena);
}
