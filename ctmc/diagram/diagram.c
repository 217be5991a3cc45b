/* A diagram's bytes, and its edges by target. */
#include "base/bucket.h"
#include "ctmc/diagram/diagram.h"

void diagram_free(Diagram *d)
{
    if (!d)
        return;
    for (int32_t i = 0; d->members && i < d->set_count; i++)
        mem_free(d->members[i]);
    split_free(d->split);
    mem_free_all(d->upper, d->set, d->offset, d->members, d->set_size, d->edge_row, d->edges,
                 d->local_row, d->local, d->matrices, d->entry_from, d->entry_to, d->entry_term, d);
}

double diagram_bytes(const Diagram *d)
{
    double upper = (double)d->upper_count, bytes = 0, entries = 0;
    for (int32_t i = 0; i < d->set_count; i++)
        bytes += (double)d->set_size[i] * sizeof **d->members;
    for (int32_t i = 0; i < d->matrix_count; i++) {
        entries += (double)d->matrices[i].count;
        bytes += d->matrices[i].term < 0 ? 0 : (double)d->matrices[i].count * sizeof *d->entry_term;
    }
    bytes += upper * ((double)d->system->words * sizeof *d->upper + sizeof *d->set +
                      sizeof *d->offset + sizeof *d->edge_row);
    bytes += (double)d->edge_row[d->upper_count] * sizeof *d->edges;
    bytes += (double)d->local_row[d->set_count] * sizeof *d->local;
    bytes += (double)d->matrix_count * sizeof *d->matrices;
    bytes += entries * (sizeof *d->entry_from + sizeof *d->entry_to);
    return bytes + (d->split ? table_bytes(&d->split->lower) : 0);
}

bool diagram_edges_in(const Diagram *d, const uint8_t *there, int64_t **row, EdgeIn **in)
{
    const size_t n = (size_t)d->upper_count, edges = (size_t)d->edge_row[n];
    int64_t *end = *row = mem_calloc(n + 2, sizeof **row);
    *in = mem_alloc(edges, sizeof **in);
    if (!*row || !*in)
        return false;
    for (size_t e = 0; e < edges; e++)
        if (!there || there[e])
            bucket_count(end, d->edges[e].to);
    bucket_starts(end, d->upper_count);
    for (int32_t from = 0; from < d->upper_count; from++)
        for (int64_t e = d->edge_row[from]; e < d->edge_row[from + 1]; e++) {
            const Edge *edge = &d->edges[e];
            if (!there || there[e])
                (*in)[bucket_place(end, edge->to)] = (EdgeIn){from, edge->matrix, edge->term};
        }
    return true;
}
