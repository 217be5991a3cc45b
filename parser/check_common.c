/* Functions that several passes of the check use: memory, lines, suggestions, cycles. */
#include <string.h>

#include "base/intern.h"
#include "parser/checking.h"

void *check_alloc(Check *check, size_t count, size_t size)
{
    void *block = count <= PTRDIFF_MAX / size ? arena_alloc(&check->scratch, count * size) : NULL;
    if (!block)
        check->no_memory = true;
    return block;
}

uint32_t check_line(Check *check, Span span)
{
    if (span.begin < check->line_at) {
        check->line_at = 0;
        check->lines = 0;
    }
    for (; check->line_at < span.begin; check->line_at++)
        check->lines += check->source->text[check->line_at] == '\n';
    return check->lines + 1;
}

static const char *keep_text(Check *check, Text *text)
{
    const char *copy = text->failed ? NULL : arena_copy(&check->scratch, text->text, text->length);
    if (!copy)
        check->no_memory = true;
    text_free(text);
    return copy ? copy : "";
}

const char *check_suggestion(Check *check, const char *name, const char *const *names, size_t count)
{
    if (check->suggestions <= 0)
        return "";
    check->suggestions--;
    const char *nearest = suggest(name, names, count);
    if (!nearest)
        return "";
    Text text = {0};
    text_add(&text, "; did you mean `%s`?", nearest);
    return keep_text(check, &text);
}

const char *check_cycle_text(Check *check, const int32_t *vertices, int32_t count,
                             const Intern *names, int32_t *first)
{
    enum { SHOWN = 8 };
    int32_t start = 0;
    for (int32_t i = 1; i < count; i++)
        if (vertices[i] < vertices[start])
            start = i;
    *first = vertices[start];
    Text text = {0};
    for (int32_t i = 0; i < count && i < SHOWN; i++)
        text_add(&text, "%s -> ", names->names[vertices[(start + i) % count]]);
    text_add(&text, "%s%s", count > SHOWN ? "... -> " : "", names->names[*first]);
    return keep_text(check, &text);
}

bool check_graph(Check *check, Graph *graph, const AstDef *const *items, int32_t count,
                 bool (*edge)(const Check *check, int32_t vertex, int32_t node))
{
    int32_t *row = check_alloc(check, (size_t)count + 1, sizeof *row);
    int32_t *to = check_alloc(check, (size_t)check->ast->node_count, sizeof *to);
    if (!row || !to)
        return false;
    int32_t edges = 0;
    for (int32_t v = 0; v < count; v++) {
        row[v] = edges;
        for (int32_t i = items[v] ? items[v]->first : 0; items[v] && i <= items[v]->body; i++)
            if (check->ref[i] >= 0 && edge(check, v, i))
                to[edges++] = check->ref[i];
    }
    row[count] = edges;
    *graph = (Graph){count, row, to};
    return true;
}
