/* Bottom components of the graph of local states. */
#include "measure/local_ends.h"

#include "base/bucket.h"
#include "base/mem.h"
#include "base/scc.h"

enum { SEVERAL = -1, NOT_YET = -2 };

static PepaStatus find_components(const Model *model, int32_t *component, int32_t *count,
                                  PepaError *err)
{
    int64_t *row = NULL, edges = 0;
    int32_t *target = NULL;
    PepaStatus status = PEPA_OK;
    if (!mem_new(row, (size_t)model->local_count + 1) || !mem_new(target, model->activity_count))
        status = error_memory(err);
    for (int32_t l = 0; status == PEPA_OK && l < model->local_count; l++) {
        const Local *local = &model->locals[l];
        row[l] = edges;
        for (int32_t a = local->first; a < local->first + local->count; a++)
            target[edges++] = model->activities[a].target;
        row[l + 1] = edges;
    }
    const Graph graph = {model->local_count, row, target};
    if (status == PEPA_OK)
        status = scc_find(&graph, component, count, err);
    mem_free_all(row, target);
    return status;
}

/* The bottom component that each component leads to, or SEVERAL.  Edges lead to smaller numbers, of which
 * this is known already.
 *   order  the local states by their components, ascending
 *   end    of each component: NOT_YET; out */
static void find_ends(const Model *model, const int32_t *component, const int32_t *order,
                      int32_t *end)
{
    for (int32_t i = 0; i < model->local_count; i++) {
        const Local *local = &model->locals[order[i]];
        const int32_t here = component[order[i]];
        for (int32_t a = local->first; a < local->first + local->count; a++) {
            const int32_t to = component[model->activities[a].target];
            if (to != here)
                end[here] = end[here] == NOT_YET || end[here] == end[to] ? end[to] : SEVERAL;
        }
        if (end[here] == NOT_YET &&
            (i + 1 == model->local_count || component[order[i + 1]] != here))
            end[here] = here;
    }
}

/* *row, order: scratch, components + 2 and local states. */
static int32_t search(const Model *model, const int32_t *component, int64_t *row, int32_t *order,
                      int32_t *end, int32_t count)
{
    for (int32_t l = 0; l < model->local_count; l++)
        bucket_count(row, component[l]);
    bucket_starts(row, count);
    for (int32_t l = 0; l < model->local_count; l++)
        order[bucket_place(row, component[l])] = l;
    for (int32_t c = 0; c < count; c++)
        end[c] = NOT_YET;
    find_ends(model, component, order, end);
    for (int32_t i = 0; i < model->node_count; i++) {
        const Node *node = &model->nodes[i];
        if (node->kind == NODE_LEAF && end[component[node->local]] == SEVERAL)
            return node->local;
    }
    return -1;
}

PepaStatus local_ends(int32_t *out, const Model *model, PepaError *err)
{
    int32_t *component = NULL, *order = NULL, *end = NULL, count = 0;
    int64_t *row = NULL;
    PepaStatus status = mem_new(component, model->local_count) ? PEPA_OK : error_memory(err);
    if (status == PEPA_OK)
        status = find_components(model, component, &count, err);
    if (status == PEPA_OK && !(mem_new_zeroed(row, (size_t)count + 2) &&
                               mem_new(order, model->local_count) && mem_new(end, count)))
        status = error_memory(err);
    if (status == PEPA_OK)
        *out = search(model, component, row, order, end, count);
    mem_free_all(component, order, end, row);
    return status;
}
