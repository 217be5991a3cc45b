/* What the blocks of a diagram take. */
#include "measure/blocks_build.h"

static double diagonal_bytes(const Diagonal *c)
{
    return (double)c->rows * sizeof *c->row +
           (double)c->leaves * (sizeof *c->leaf + sizeof *c->run_row) +
           (double)c->run_row[c->leaves] * sizeof *c->runs +
           (double)c->row[c->rows] * (sizeof *c->col + sizeof *c->val);
}

double blocks_bytes(const Blocks *b, const Diagram *d)
{
    const int64_t edges = d->edge_row[d->upper_count];
    double bytes =
        (double)d->upper_count * (sizeof *b->offset + sizeof *b->in_row + sizeof *b->diagonal +
                                  sizeof *b->part + sizeof *b->base) +
        (double)edges * sizeof *b->in + blocks_sweep_bytes(d->upper_count, edges);
    for (int32_t i = 0; i < d->tile_count; i++) {
        bytes += sizeof *b->off_diagonals;
        bytes += d->tiles[i].term < 0 ? 0 : (double)d->tiles[i].count * sizeof *b->value;
        bytes += b ? (double)b->off_diagonals[i].count * sizeof *b->runs : 0;
    }
    for (int32_t i = 0; b && i < b->diagonal_count; i++)
        bytes += diagonal_bytes(&b->diagonals[i]);
    for (int32_t k = 0, part = 0; b && k < b->blocks; k++)
        if (b->part[k] == part) { /* they are numbered as blocks first have them */
            bytes += (double)(b->offset[k + 1] - b->offset[k]) * sizeof **b->parts;
            part++;
        }
    return bytes;
}
