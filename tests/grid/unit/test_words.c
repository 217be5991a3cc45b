/* Lines of words: comments, blanks, the last line, numbers, and the end after too many errors. */
#include <criterion/criterion.h>
#include <string.h>

#include "grid/predict/words.h"

static Words over(const char *text, Source *source, DiagList *diags)
{
    *source = (Source){"t", text, strlen(text)};
    *diags = (DiagList){0};
    return (Words){.source = source, .diags = diags};
}

Test(words, lines_without_comments_blanks_and_empty_ones)
{
    Source source;
    DiagList diags;
    Words w = over("\xef\xbb\xbf# first\n\n a\tbc  d \r\n   # only this\nlast", &source, &diags);
    cr_assert(words_next(&w));
    cr_assert_eq(w.count, 3);
    cr_assert(words_say(&w, 0, "a") && words_say(&w, 1, "bc") && words_say(&w, 2, "d"));
    cr_assert(!words_say(&w, 1, "b") && !words_say(&w, 1, "bcd"));
    const Span line = words_line(&w);
    cr_assert_eq(line.begin, 13);
    cr_assert_eq(line.end, 20);
    cr_assert(words_next(&w));
    cr_assert(w.count == 1 && words_say(&w, 0, "last"));
    cr_assert(!words_next(&w));
    cr_assert(!words_next(&w));
}

Test(words, a_nul_byte_is_an_error_and_ends_it)
{
    static const char text[] = "a 1\n# b\0c\nd 2\n";
    Source source = {"t", text, sizeof text - 1};
    DiagList diags = {0};
    Words w = {.source = &source, .diags = &diags};
    cr_assert(words_next(&w));
    cr_assert(!words_next(&w) && !words_next(&w));
    cr_assert_eq(diags.errors, 1);
    cr_expect_eq(diags.items[0].span.begin, 7);
    diag_free(&diags);
}

Test(words, one_word_too_many_counts_and_no_more)
{
    char text[4 * WORDS_MOST] = "";
    Source source;
    DiagList diags;
    for (int i = 0; i < WORDS_MOST + 5; i++)
        strcat(text, "x ");
    Words w = over(text, &source, &diags);
    cr_assert(words_next(&w));
    cr_assert_eq(w.count, WORDS_MOST + 1);
}

Test(words, numbers_from_zero)
{
    static const char *const good[] = {"0", "1.5", "2e3", "1E-3"};
    static const double value[] = {0, 1.5, 2000, 0.001};
    static const char *const wrong[] = {"-1",
                                        "+1",
                                        "1e999",
                                        "nan",
                                        "inf",
                                        "0x10",
                                        "1.5s",
                                        "e5",
                                        "1234567890123456789012345678901234567890"
                                        "1234567890123456789012345678901234567890"};
    Source source;
    DiagList diags;
    double number;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        Words w = over(good[i], &source, &diags);
        cr_assert(words_next(&w) && words_number(&w, 0, &number), "%s", good[i]);
        cr_assert_eq(number, value[i]);
    }
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        Words w = over(wrong[i], &source, &diags);
        cr_assert(words_next(&w) && !words_number(&w, 0, &number), "%s", wrong[i]);
        cr_assert_eq(diags.errors, 1);
        diag_free(&diags);
    }
}

Test(words, whole_numbers_up_to_the_most)
{
    Source source;
    DiagList diags;
    int64_t whole = -1;
    Words w = over("7 8 7.5", &source, &diags);
    cr_assert(words_next(&w));
    cr_assert(words_whole(&w, 0, 7, "no", &whole) && whole == 7);
    cr_assert(!words_whole(&w, 1, 7, "too large", &whole) && !words_whole(&w, 2, 7, "no", &whole));
    cr_assert_eq(whole, 7);
    cr_assert_eq(diags.errors, 2);
    cr_assert_str_eq(diags.items[0].message, "too large");
    diag_free(&diags);
}

Test(words, many_errors_are_the_end)
{
    enum { MANY = 300 };
    char text[2 * MANY + 1];
    Source source;
    DiagList diags;
    int lines = 0;
    for (int i = 0; i < MANY; i++)
        memcpy(text + 2 * i, "x\n", 2);
    text[2 * MANY] = '\0';
    Words w = over(text, &source, &diags);
    for (; words_next(&w); lines++)
        cr_assert(!words_bad(&w, w.word[0], "line %d", lines));
    cr_assert(w.stop);
    cr_assert_eq(lines, 99);
    cr_assert_eq(diags.count, 100);
    cr_assert_str_eq(diags.items[99].message, "too many errors");
    diag_free(&diags);
}
