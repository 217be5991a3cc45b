#include <criterion/criterion.h>
#include <string.h>

#include "base/source.h"

static Source source_of(const char *text)
{
    return (Source){"test", text, strlen(text)};
}

static void expect_place(const char *text, uint32_t offset, uint32_t line, uint32_t column)
{
    Source source = source_of(text);
    uint32_t l, c;
    source_place(&source, offset, &l, &c);
    cr_expect_eq(l, line, "line %u, wanted %u", l, line);
    cr_expect_eq(c, column, "column %u, wanted %u", c, column);
}

static void expect_excerpt(const char *text, Span span, const char *wanted)
{
    Source source = source_of(text);
    Text out = {0};
    source_excerpt(&source, span, &out);
    cr_expect_str_eq(out.text ? out.text : "", wanted, "\n%swanted\n%s", out.text, wanted);
    text_free(&out);
}

Test(source, places)
{
    expect_place("", 0, 1, 1);
    expect_place("abc", 0, 1, 1);
    expect_place("abc", 3, 1, 4);
    expect_place("a\nbc\n", 2, 2, 1);
    expect_place("a\nbc\n", 1, 1, 2);
    expect_place("a\nbc\n", 5, 3, 1);
    expect_place("a\r\nbc", 4, 2, 2);
    expect_place("abc", 99, 1, 4);
}

Test(source, columns_count_characters)
{
    expect_place("\xC3\xA9\xE2\x82\xAC\xF0\x9F\x90\x91x", 9, 1, 4);
    expect_place("\t\tx", 2, 1, 3);
    expect_place("\xFF\xFEx", 2, 1, 3); /* what is not UTF-8 counts byte by byte */
}

Test(source, a_byte_order_mark_is_not_there)
{
    expect_place("\xEF\xBB\xBFr = 1", 3, 1, 1);
    expect_place("\xEF\xBB\xBFr = 1", 0, 1, 1);
    expect_place("\xEF\xBB\xBFr = 1", 7, 1, 5);
    expect_excerpt("\xEF\xBB\xBFr = 1", (Span){7, 8}, "r = 1\n    ^\n");
}

Test(source, excerpts)
{
    expect_excerpt("one\ntwo words\nthree", (Span){8, 13}, "two words\n    ^~~~~\n");
    expect_excerpt("one\ntwo\n", (Span){0, 7}, "one\n^~~\n");
    expect_excerpt("one\r\ntwo\r\n", (Span){0, 7}, "one\n^~~\n");
    expect_excerpt("one", (Span){3, 3}, "one\n   ^\n");
    expect_excerpt("one\n", (Span){4, 4}, "\n^\n");
    expect_excerpt("", (Span){0, 0}, "\n^\n");
    expect_excerpt("one", (Span){SPAN_NOWHERE, SPAN_NOWHERE}, "");
}

Test(source, excerpts_line_up)
{
    expect_excerpt("\ta\tbc", (Span){3, 5}, "\ta\tbc\n\t \t^~\n");
    expect_excerpt("\xC3\xA9\xC3\xA9 bc", (Span){5, 7}, "\xC3\xA9\xC3\xA9 bc\n   ^~\n");
    expect_excerpt("a\x01\xFF z", (Span){4, 5}, "a?? z\n    ^\n");
}

Test(source, long_lines_are_cut)
{
    char text[1001], line[128];
    memset(text, 'x', 1000);
    text[1000] = '\0';
    text[500] = 'y';
    memset(line, 'x', sizeof line);
    Text wanted = {0};
    text_add(&wanted, "...%.48sy%.47s...\n   %48s^\n", line, line, "");
    expect_excerpt(text, (Span){500, 501}, wanted.text);
    text_free(&wanted);
    text_add(&wanted, "%.96s...\n^%.95s\n", line,
             "~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~"
             "~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~");
    expect_excerpt(text, (Span){0, 400}, wanted.text);
    text_free(&wanted);
    text[96] = '\0'; /* as long as is shown */
    text_add(&wanted, "%.96s\n%95s^\n", text, "");
    expect_excerpt(text, (Span){95, 96}, wanted.text);
    text_free(&wanted);
}

Test(source, characters)
{
    cr_expect_eq(source_character("a", 1), 1);
    cr_expect_eq(source_character("\xC3\xA9", 2), 2);
    cr_expect_eq(source_character("\xC3\xA9", 1), 0, "cut off");
    cr_expect_eq(source_character("\xC0\x80", 2), 0, "overlong");
    cr_expect_eq(source_character("\xE0\x80\x80", 3), 0, "overlong");
    cr_expect_eq(source_character("\xED\xA0\x80", 3), 0, "surrogate");
    cr_expect_eq(source_character("\xF4\x90\x80\x80", 4), 0, "beyond Unicode");
    cr_expect_eq(source_character("\xF0\x9F\x90\x91", 4), 4);
    cr_expect_eq(source_character("\x80", 1), 0, "continuation");
    cr_expect_eq(source_character("", 0), 0);
}

Test(source, odd_bytes)
{
    static const char odd[] = "a\xC3\xA9\x1F", late[] = "abc\0d";
    cr_expect_null(source_odd_byte("", 0));
    cr_expect_null(source_odd_byte("a ~\xC3\xA9", 5));
    cr_expect_null(source_odd_byte("ab\x01", 2));
    cr_expect_eq(source_odd_byte(odd, 4), odd + 3);
    cr_expect_eq(source_odd_byte(odd, 2), odd + 1, "cut off");
    cr_expect_eq(source_odd_byte(late, 5), late + 3);
    cr_expect_not_null(source_odd_byte("\x7F", 1));
    cr_expect_not_null(source_odd_byte("\xFF", 1));
}
