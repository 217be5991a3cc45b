#include "ctmc/footprint.h"

double table_bytes(const Table *table)
{
    return (double)table->count * (double)table->words * sizeof *table->state +
           (table->room ? (double)table->bucket_count * sizeof *table->buckets : 0);
}

double diagram_bytes(const Diagram *d)
{
    double upper = (double)d->upper_count, bytes = 0, entries = 0;
    for (int32_t i = 0; i < d->set_count; i++)
        bytes += (double)d->set_size[i] * sizeof **d->members;
    for (int32_t i = 0; i < d->tile_count; i++) {
        entries += (double)d->tiles[i].count;
        bytes += d->tiles[i].term < 0 ? 0 : (double)d->tiles[i].count * sizeof *d->tile_term;
    }
    bytes += upper * ((double)d->system->words * sizeof *d->upper + sizeof *d->set +
                      sizeof *d->offset + sizeof *d->edge_row);
    bytes += (double)d->edge_row[d->upper_count] * sizeof *d->edges;
    bytes += (double)d->local_row[d->set_count] * sizeof *d->local;
    bytes += (double)d->tile_count * sizeof *d->tiles;
    bytes += entries * (sizeof *d->tile_from + sizeof *d->tile_to);
    return bytes + (d->split ? table_bytes(&d->split->lower) : 0);
}

double chain_bytes(const Chain *c)
{
    double each = sizeof *c->target + (c->wide ? sizeof *c->wide : sizeof *c->narrow);
    if (c->diagram)
        return diagram_bytes(c->diagram);
    return table_bytes(&c->states) + ((double)c->states.count + 1) * sizeof *c->row +
           (double)c->transitions * each +
           (c->bottom ? (double)c->states.count * sizeof *c->bottom : 0);
}
