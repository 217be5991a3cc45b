/* The mappings that are listed. */
#include <stdio.h>
#include <string.h>

#include "amoget/description/check.h"

/* The processors of a mapping; false: an error was reported. */
static bool resolve(Check *check, const Say *say, int32_t stages, int32_t *mapping)
{
    bool good = true;
    if (say->count != (size_t)stages) {
        diag_error(check->diags, say->span, "a mapping of %zu stage%s: there %s %d", say->count,
                   say->count == 1 ? "" : "s", stages == 1 ? "is" : "are", stages);
        good = false;
    }
    for (size_t i = 0; i < say->count; i++) {
        int32_t j = check_processor(check, check->tree->words[say->first + i]);
        if (j >= 0 && i < (size_t)stages)
            mapping[i] = j;
        good = good && j >= 0;
    }
    return good;
}

/* As a text: a name to be found again. */
static void key_of(const int32_t *mapping, int32_t stages, Text *key)
{
    key->length = 0;
    for (int32_t i = 0; i < stages; i++)
        text_add(key, "%d ", mapping[i]);
}

void check_mappings(Check *check, const PipelineCheck *own)
{
    AmogetDescription *desc = own->desc;
    const Syntax *tree = check->tree;
    Intern keys = {0};
    Text key = {0};
    const Say **first = scratch_alloc(check, tree->say_count, sizeof *first); /* of each key */
    bool stages = desc->stages > 0 && !check->limit; /* else the lengths mean nothing */
    for (size_t i = 0; i < tree->say_count && stages && !check->no_memory; i++) {
        const Say *say = &tree->says[i];
        int32_t mapping[MOST_STAGES];
        if (say->kind != SAY_MAPPING || !resolve(check, say, desc->stages, mapping))
            continue;
        key_of(mapping, desc->stages, &key);
        size_t before = keys.count;
        int32_t id = key.failed ? -1 : intern_put(&keys, key.text, key.length);
        if (id < 0 || amoget_add_mapping(desc, mapping, NULL) != PEPA_OK)
            check->no_memory = true;
        else if (keys.count > before)
            first[id] = say;
        else
            diag_warning(check->diags, say->span, "the same mapping as in line %u",
                         finding_line(check, first[id]->span));
    }
    text_free(&key);
    intern_free(&keys);
}
