/* What several passes of the check need, and what comes before and behind them. */
#include "amoget/description/check.h"

#include <string.h>

#include "base/suggest.h"

void *desc_alloc(Check *check, size_t count, size_t size)
{
    void *block = count <= PTRDIFF_MAX / size ? arena_alloc(&check->scratch, count * size) : NULL;
    if (!block)
        check->no_memory = true;
    return block;
}

/* Where lines end: asked for each finding, while texts may have very many of both. */
static void find_newlines(Check *check)
{
    const char *text = check->source->text, *end = text + check->source->length;
    size_t count = 0;
    for (const char *at = text; at < end; at++)
        count += *at == '\n';
    check->newlines = desc_alloc(check, count, sizeof *check->newlines);
    for (const char *at = text; check->newlines && at < end; at++)
        if (*at == '\n')
            check->newlines[check->newline_count++] = (uint32_t)(at - text);
}

uint32_t desc_line(const Check *check, Span span)
{
    size_t low = 0, high = check->newline_count; /* newlines before the span: low .. high */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (check->newlines[middle] < span.begin)
            low = middle + 1;
        else
            high = middle;
    }
    return (uint32_t)low + 1;
}

const char *desc_suggestion(Check *check, const char *name, const char *const *names, size_t count)
{
    if (check->suggestions <= 0)
        return "";
    check->suggestions--;
    const char *nearest = suggest(name, names, count);
    if (!nearest)
        return "";
    Text text = {0};
    text_add(&text, "; did you mean `%s`?", nearest);
    const char *copy = text.failed ? NULL : arena_copy(&check->scratch, text.text, text.length);
    if (!copy)
        check->no_memory = true;
    text_free(&text);
    return copy ? copy : "";
}

int32_t desc_processor(Check *check, Word name)
{
    const Intern *names = &check->desc->processor_names;
    int32_t j = intern_find(names, name.text, strlen(name.text));
    if (j < 0)
        diag_error(check->diags, name.span, "there is no processor `%s`%s", name.text,
                   desc_suggestion(check, name.text, names->names, names->count));
    return j;
}

bool desc_check_begin(Check *check)
{
    check->suggestions = CHECK_SUGGESTIONS;
    find_newlines(check);
    check->desc = description_new();
    return check->desc && !check->no_memory;
}

void desc_check_free(Check *check)
{
    amoget_free(check->desc);
    intern_free(&check->definition_names);
    intern_free(&check->cluster_names);
    arena_free(&check->scratch);
}
