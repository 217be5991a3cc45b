/* Finds local states, actions and rates of a model by their names. */
#include "parser/query/query_names.h"

#include <string.h>

static int32_t count_of(const Model *m, NameKind kind)
{
    return kind == NAME_LOCAL ? m->local_count : kind == NAME_ACTION ? m->action_count : m->rate_count;
}

static const char *name_of(const Model *m, NameKind kind, int32_t i)
{
    return kind == NAME_LOCAL    ? m->locals[i].name
           : kind == NAME_ACTION ? m->actions[i]
                                 : m->rates[i].name;
}

static bool add(Intern *names, int32_t *number, const char *name, int32_t i)
{
    const size_t before = names->count;
    const int32_t id = intern_put(names, name, strlen(name));
    if (names->count > before)
        number[id] = i;
    return id >= 0;
}

bool query_names_init(QueryNames *names, const Model *model)
{
    *names = (QueryNames){0};
    for (NameKind kind = 0; kind < NAME_KINDS; kind++) {
        const int32_t count = count_of(model, kind);
        if (!mem_new(names->number[kind], (size_t)count + 1))
            return false;
        for (int32_t i = 0; i < count; i++)
            if (!add(&names->names[kind], names->number[kind], name_of(model, kind, i), i))
                return false;
    }
    return true;
}

void query_names_free(QueryNames *names)
{
    for (NameKind kind = 0; kind < NAME_KINDS; kind++) {
        intern_free(&names->names[kind]);
        mem_free(names->number[kind]);
    }
    *names = (QueryNames){0};
}

int32_t query_names_find(const QueryNames *names, NameKind kind, const char *name)
{
    const int32_t id = intern_find(&names->names[kind], name, strlen(name));
    return id < 0 ? -1 : names->number[kind][id];
}

const char *query_names_suggest(const QueryNames *names, NameKind kind, const char *name)
{
    return suggest(name, names->names[kind].names, names->names[kind].count);
}
