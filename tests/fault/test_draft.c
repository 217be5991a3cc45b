/* Changes of a text one after another leave what each of them alone would leave. */
#include <criterion/criterion.h>
#include <string.h>

#include "base/random.h"
#include "fault/memory.h"
#include "lsp/draft.h"

static json_t *range_of(const size_t at[4])
{
    return json_pack("{s{sI,sI}, s{sI,sI}}", "start", "line", (json_int_t)at[0], "character",
                     (json_int_t)at[1], "end", "line", (json_int_t)at[2], "character",
                     (json_int_t)at[3]);
}

/* The change of a content alone, by its table of lines. */
static bool change(Content *content, const size_t at[4], const char *text)
{
    const size_t begin = draft_byte(content, (ContentPosition){at[0], at[1]}),
                 end = draft_byte(content, (ContentPosition){at[2], at[3]});
    Text all = {0};
    if (begin > end)
        return false;
    text_add(&all, "%.*s%s%s", (int)begin, content->length ? content->text : "", text,
             content->length ? content->text + end : "");
    cr_assert(content_set(content, all.text, all.length));
    text_free(&all);
    return true;
}

static void same(const Content *got, const Content *want)
{
    cr_assert_eq(got->length, want->length);
    cr_assert_str_eq(got->text, want->text);
    cr_assert_eq(got->lines, want->lines);
    cr_assert_arr_eq(got->line, want->line, want->lines * sizeof *want->line);
}

#define PIECES 9
static const char *const pieces[PIECES] =
    {"", "x", "\r", "\n", "\r\n", "\u00e9\U0001F600", "\n\n", "(a, r).P;\r\n", "\U0001F600\r"};

static size_t below(uint64_t *random, size_t end)
{
    return (size_t)(random_next(random) * (double)end);
}

Test(draft, random_changes)
{
    uint64_t random = 7;
    for (int round = 0; round < 400; round++) {
        Content one = {0}, all = {0};
        Draft draft;
        cr_assert(content_set(&one, "a\r\n\U0001F600b\nc\r\rd", 13));
        cr_assert(content_set(&all, one.text, one.length));
        cr_assert(draft_begin(&draft, &all));
        for (int i = 0; i < 40; i++) {
            size_t at[4];
            Span span;
            for (int k = 0; k < 4; k++)
                at[k] = below(&random, k == 2 ? 3 : k ? 5 : one.lines + 2);
            at[2] += at[0];
            const char *text = pieces[below(&random, PIECES)];
            json_t *range = range_of(at);
            const bool right = draft_read_range(&draft, range, &span);
            cr_assert(!right || draft_replace(&draft, span, text, strlen(text)));
            cr_assert_eq(change(&one, at, text), right);
            json_decref(range);
        }
        cr_assert(draft_end(&draft, &all));
        same(&all, &one);
        content_free(&one);
        content_free(&all);
    }
}

/* Where a change cannot be made the text is what it was. */
Test(draft, no_memory)
{
    static char long_text[DOCUMENT_MOST_BYTES];
    Content content = {0};
    Draft draft;
    cr_assert(content_set(&content, "ab", 2));
    cr_assert(draft_begin(&draft, &content));
    memset(long_text, 'x', sizeof long_text);
    cr_assert_not(draft_replace(&draft, (Span){1, 1}, long_text, sizeof long_text));
    mem_fail_at(1, false);
    cr_assert_not(draft_replace(&draft, (Span){1, 1}, long_text, 1000));
    cr_assert(draft_replace(&draft, (Span){1, 1}, "1", 1));
    mem_fail_at(1, false);
    cr_assert_not(draft_end(&draft, &content));
    mem_fail_at(0, false);
    cr_assert_str_eq(content.text, "ab");
    cr_assert(draft_begin(&draft, &content));
    cr_assert(draft_replace(&draft, (Span){1, 2}, long_text, sizeof long_text - 1));
    cr_assert(draft_end(&draft, &content));
    cr_assert_eq(content.length, sizeof long_text);
    content_free(&content);
}
