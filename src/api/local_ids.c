/* Numbers the local states of a system for clients. */
#include "api/handles.h"
#include "base/error.h"
#include "measure/measures.h"

PepaStatus local_ids_new(LocalIds *ids, const System *s, PepaError *err)
{
    int32_t locals = s->model->local_count, *id = NULL;
    bool ok = mem_new(ids->offset, (size_t)s->position_count + 1) && mem_new_zeroed(id, locals) &&
              mem_new(ids->model_local, locals);
    if (ok) {
        measure_offsets(s, ids->offset);
        ok = mem_new(ids->local, ids->offset[s->position_count]);
    }
    for (int32_t p = 0; ok && p < s->position_count; p++) {
        const Component *c = &s->components[s->position_component[p]];
        for (int32_t l = 0; l < c->local_count; l++) {
            ids->local[ids->offset[p] + l] = c->local[l];
            id[c->local[l]] = 1;
        }
    }
    for (int32_t l = 0; ok && l < locals; l++) {
        if (!id[l])
            continue;
        ids->model_local[ids->local_states] = l;
        id[l] = ids->local_states++;
    }
    for (int32_t i = 0; ok && i < ids->offset[s->position_count]; i++)
        ids->local[i] = id[ids->local[i]];
    mem_free(id);
    return ok ? PEPA_OK : error_memory(err);
}

void local_ids_free(LocalIds *ids)
{
    mem_free_all(ids->offset, ids->local, ids->model_local);
    *ids = (LocalIds){0};
}

PepaPosition local_ids_position(const LocalIds *ids, const System *s, int32_t position)
{
    const Component *c = &s->components[s->position_component[position]];
    return (PepaPosition){.component = s->model->locals[c->local[0]].name,
                          .copies = s->position_copies[position],
                          .local_count = c->local_count,
                          .local = ids->local + ids->offset[position]};
}
