/* Helpers that the passes of the check share, and the start and the end of a check. */
#include "amoget/machine/check.h"

#include <string.h>

#include "base/intern.h"

void *scratch_alloc(Check *check, size_t count, size_t size)
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
    check->newlines = scratch_alloc(check, count, sizeof *check->newlines);
    for (const char *at = text; check->newlines && at < end; at++)
        if (*at == '\n')
            check->newlines[check->newline_count++] = (uint32_t)(at - text);
}

uint32_t finding_line(const Check *check, Span span)
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

const char *finding_hint(Check *check, const char *name, const char *const *names, size_t count)
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

int32_t check_processor(Check *check, Word name)
{
    const Intern *names = &check->machine->names;
    int32_t j = intern_find(names, name.text, strlen(name.text));
    if (j < 0 && !check->limit) /* it may be one too many */
        diag_error(check->diags, name.span, "there is no processor `%s`%s", name.text,
                   finding_hint(check, name.text, names->names, names->count));
    return j;
}

bool check_is_new(Check *check, const Say *say, const Intern *names, const Say *const *first,
                  int32_t most, const char *what)
{
    int32_t id = intern_find(names, say->a.text, strlen(say->a.text));
    if (id >= 0) {
        diag_error(check->diags, say->span, "%s `%s` is declared twice; the first time in line %u",
                   what, say->a.text, finding_line(check, first[id]->span));
        return false;
    }
    if (names->count < (size_t)most)
        return true;
    if (names->count == (size_t)most && !check->limit)
        diag_error(check->diags, say->span, "more than %d %ss", most, what);
    check->limit = true;
    return false;
}

bool check_begin(Check *check)
{
    check->suggestions = CHECK_SUGGESTIONS;
    find_newlines(check);
    return !check->no_memory;
}

void check_free(Check *check)
{
    intern_free(&check->definition_names);
    intern_free(&check->cluster_names);
    arena_free(&check->scratch);
}

void check_each(Check *check, SayKind kind, void *owner,
                void (*visit)(Check *check, const Say *say, void *owner))
{
    for (size_t i = 0; i < check->tree->say_count && !check->no_memory; i++)
        if (check->tree->says[i].kind == kind)
            visit(check, &check->tree->says[i], owner);
}
