/* Numbers the local states of a system for clients. */
#include <string.h>

#include "api/handles.h"
#include "base/error.h"
#include "measure/measures.h"

/* The entries of a position: one for each local state that is no phase of another.
 * place: scratch, by the model's local state */
static void number_position(LocalIds *ids, const Model *model, const Component *c, int32_t position,
                            int32_t *place)
{
    int32_t *entry = ids->entry + ids->offset_apart[position], next = ids->offset[position];
    for (int32_t l = 0; l < c->local_count; l++)
        if (model->locals[c->local[l]].whole == c->local[l]) {
            ids->local[next] = c->local[l];
            place[c->local[l]] = next++;
        }
    ids->offset[position + 1] = next;
    for (int32_t l = 0; l < c->local_count; l++)
        entry[l] = place[model->locals[c->local[l]].whole];
}

PepaStatus local_ids_new(LocalIds *ids, const System *s, PepaError *err)
{
    int32_t locals = s->model->local_count, *id = NULL;
    bool ok = mem_new_zeroed(ids->offset, (size_t)s->position_count + 1) &&
              mem_new(ids->offset_apart, (size_t)s->position_count + 1) &&
              mem_new_zeroed(id, locals) && mem_new(ids->model_local, locals);
    if (ok) {
        measure_offsets(s, ids->offset_apart);
        ok = mem_new(ids->local, ids->offset_apart[s->position_count]) &&
             mem_new(ids->entry, ids->offset_apart[s->position_count]);
    }
    for (int32_t p = 0; ok && p < s->position_count; p++)
        number_position(ids, s->model, &s->components[s->position_component[p]], p, id);
    if (ok)
        memset(id, 0, (size_t)locals * sizeof *id);
    for (int32_t i = 0; ok && i < ids->offset[s->position_count]; i++)
        id[ids->local[i]] = 1;
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
    mem_free_all(ids->offset, ids->local, ids->offset_apart, ids->entry, ids->model_local);
    *ids = (LocalIds){0};
}

void local_ids_fold(const LocalIds *ids, int32_t positions, const double *apart, double *counts)
{
    memset(counts, 0, (size_t)ids->offset[positions] * sizeof *counts);
    for (int32_t i = 0; i < ids->offset_apart[positions]; i++)
        counts[ids->entry[i]] += apart[i];
}

PepaStatus local_ids_counts(const LocalIds *ids, const System *s, const int32_t *cells,
                            int32_t *counts, PepaError *err)
{
    int32_t *apart = mem_alloc((size_t)ids->offset_apart[s->position_count], sizeof *apart);
    if (!apart)
        return error_memory(err);
    measure_counts(s, ids->offset_apart, cells, apart);
    memset(counts, 0, (size_t)ids->offset[s->position_count] * sizeof *counts);
    for (int32_t i = 0; i < ids->offset_apart[s->position_count]; i++)
        counts[ids->entry[i]] += apart[i];
    mem_free(apart);
    return PEPA_OK;
}

void local_ids_shares(const LocalIds *ids, const System *system, double *counts)
{
    for (int32_t p = 0; p < system->position_count; p++)
        for (int32_t i = ids->offset[p]; i < ids->offset[p + 1]; i++)
            counts[i] /= (double)system->position_copies[p];
}

void local_ids_sum(const LocalIds *ids, int32_t positions, const double *counts, double *sum)
{
    memset(sum, 0, (size_t)ids->local_states * sizeof *sum);
    for (int32_t i = 0; i < ids->offset[positions]; i++)
        sum[ids->local[i]] += counts[i];
}

PepaPosition local_ids_position(const LocalIds *ids, const System *s, int32_t position)
{
    const Component *c = &s->components[s->position_component[position]];
    return (PepaPosition){.component = s->model->locals[c->local[0]].name,
                          .copies = (int32_t)s->position_copies[position],
                          .local_count = ids->offset[position + 1] - ids->offset[position],
                          .local = ids->local + ids->offset[position]};
}
