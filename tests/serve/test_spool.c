#include <criterion/criterion.h>
#include <string.h>

#include "serve/spool.h"

static void add(Spool *spool, const char *text)
{
    cr_assert(spool_add(spool, text, strlen(text)));
}

Test(spool, lines_are_found_however_they_arrive)
{
    const char text[] = "number,state\n1,\"a\"\n\n2,b\nlast";
    const int64_t begin[] = {0, 13, 19, 20, 24};
    for (size_t piece = 1; piece < sizeof text; piece++) {
        Spool spool;
        cr_assert(spool_new(&spool, 1000, true));
        for (size_t at = 0; at < sizeof text - 1; at += piece) {
            const size_t left = sizeof text - 1 - at;
            cr_assert(spool_add(&spool, text + at, left < piece ? left : piece));
        }
        cr_assert_eq(spool.lines, 5, "pieces of %zu", piece);
        for (size_t i = 0; i < 5; i++)
            cr_assert_eq(spool_line(&spool, i), begin[i]);
        cr_assert_eq(spool_line(&spool, 5), (int64_t)sizeof text - 1);
        spool_free(&spool);
    }
}

Test(spool, a_last_line_break_begins_no_line)
{
    Spool spool;
    cr_assert(spool_new(&spool, 1000, true));
    add(&spool, "a\nb\n");
    cr_assert_eq(spool.lines, 2);
    spool_free(&spool);
}

Test(spool, what_is_read_is_what_was_written)
{
    Spool spool;
    char bytes[8] = "";
    cr_assert(spool_new(&spool, 1000, false));
    add(&spool, "abc");
    add(&spool, "def");
    cr_assert_eq(spool_read(&spool, 2, bytes, 3), 3);
    cr_assert_str_eq(bytes, "cde");
    cr_assert_eq(spool_read(&spool, 6, bytes, 3), 0);
    cr_assert_eq(spool_read(&spool, 5, bytes, 3), 1);
    spool_free(&spool);
}

Test(spool, it_takes_no_more_than_it_may)
{
    Spool spool;
    cr_assert(spool_new(&spool, 5, false));
    add(&spool, "abc");
    cr_assert_not(spool_add(&spool, "def", 3));
    add(&spool, "de");
    cr_assert_eq(spool.length, 5);
    spool_free(&spool);
}
