#include "amoget/cabinet.h"

#include <string.h>

enum { MOST_STATES = 4000000 /* kept: about a gigabyte */ };

void cabinet_free(Cabinet *cabinet)
{
    for (size_t i = 0; i < cabinet->count; i++)
        line_free(cabinet->drawers[i].line);
    mem_free(cabinet->drawers);
    *cabinet = (Cabinet){0};
}

/* FNV-1a: Fowler, Noll, Vo. */
static uint64_t hash_of(const Shape *shape)
{
    const unsigned char *bytes = (const unsigned char *)shape;
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < sizeof *shape; i++)
        hash = (hash ^ bytes[i]) * 0x100000001b3u;
    return hash;
}

static Drawer *find(Cabinet *cabinet, const Shape *shape, uint64_t hash)
{
    for (size_t i = 0; i < cabinet->count; i++) {
        Drawer *each = &cabinet->drawers[i];
        if (each->hash == hash && memcmp(line_shape(each->line), shape, sizeof *shape) == 0)
            return each;
    }
    return NULL;
}

static void make_room(Cabinet *cabinet)
{
    while (cabinet->states > MOST_STATES && cabinet->count > 1) {
        size_t oldest = 0;
        for (size_t i = 1; i < cabinet->count; i++)
            if (cabinet->drawers[i].used < cabinet->drawers[oldest].used)
                oldest = i;
        cabinet->states -= line_info(cabinet->drawers[oldest].line).states;
        line_free(cabinet->drawers[oldest].line);
        cabinet->drawers[oldest] = cabinet->drawers[--cabinet->count];
    }
}

PepaStatus cabinet_line(Cabinet *cabinet, const Shape *shape, int64_t max_states,
                        const LineStop *stop, Line **out, PepaError *err)
{
    uint64_t hash = hash_of(shape);
    Drawer *drawer = find(cabinet, shape, hash);
    PepaStatus status = PEPA_OK;
    if (!drawer) {
        Line *line = NULL;
        make_room(cabinet);
        if (!mem_reserve(&cabinet->drawers, &cabinet->cap, cabinet->count + 1,
                         sizeof *cabinet->drawers))
            return error_memory(err);
        status = line_new(&line, shape, max_states, stop, err);
        if (status != PEPA_OK)
            return status;
        drawer = &cabinet->drawers[cabinet->count++];
        *drawer = (Drawer){.line = line, .hash = hash};
        cabinet->states += line_info(line).states;
    }
    drawer->used = ++cabinet->clock;
    *out = drawer->line;
    return PEPA_OK;
}
