/* Lists of mentions, and what is at a place. */
#include "lsp/mentions.h"

#include <stdlib.h>
#include <string.h>

static int by_place(const void *a, const void *b)
{
    const Mention *x = a, *y = b;
    return (x->span.begin > y->span.begin) - (x->span.begin < y->span.begin);
}

bool mentions_add(Mentions *mentions, Mention mention)
{
    if (!mem_grow(mentions->each, mentions->cap, mentions->count + 1))
        return false;
    mentions->each[mentions->count++] = mention;
    return true;
}

void mentions_sort(Mentions *mentions)
{
    if (mentions->count > 0)
        qsort(mentions->each, mentions->count, sizeof *mentions->each, by_place);
}

const Mention *mentions_at(const Mentions *mentions, uint32_t offset)
{
    size_t low = 0, high = mentions->count; /* those before low begin at or before the offset */
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (mentions->each[middle].span.begin <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 && offset <= mentions->each[low - 1].span.end ? &mentions->each[low - 1] : NULL;
}

bool mention_same(const Mention *a, const Mention *b)
{
    return a->kind == b->kind && strcmp(a->name, b->name) == 0;
}

bool mention_declares(const Mention *mention)
{
    return mention->def >= 0 || mention->declares;
}

bool mentions_declared(const Mentions *mentions, const Mention *of)
{
    bool declared = false;
    for (size_t i = 0; !declared && i < mentions->count; i++)
        declared = mention_declares(&mentions->each[i]) && mention_same(&mentions->each[i], of);
    return declared;
}

size_t mentions_uses(const Mentions *mentions, const Mention *of)
{
    size_t count = 0;
    for (size_t i = 0; i < mentions->count; i++)
        count += mentions->each[i].def < 0 && mention_same(&mentions->each[i], of);
    return count;
}

const Mention *mentions_definition(const Mentions *mentions, const Mention *of)
{
    for (size_t i = 0; i < mentions->count; i++)
        if (mentions->each[i].def >= 0 && mention_same(&mentions->each[i], of))
            return &mentions->each[i];
    return NULL;
}

void mentions_free(Mentions *mentions)
{
    mem_free(mentions->each);
    *mentions = (Mentions){0};
}

const char *name_kind(NameKind kind)
{
    static const char *const names[] = {
        [NAME_RATE] = "rate",       [NAME_PROCESS] = "process", [NAME_ACTION] = "action",
        [NAME_VALUE] = "value",     [NAME_STAGE] = "stage",     [NAME_PROCESSOR] = "processor",
        [NAME_CLUSTER] = "cluster",
    };
    return names[kind];
}
