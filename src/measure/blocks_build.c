/* Builds the matrix of blocks of a diagram: one block row per upper state. */
#include "measure/blocks_build.h"

#include <string.h>

#include "measure/blocks_private.h"

/* ---- off-diagonal blocks ------------------------------------------------------------------- */

static bool add_run(BlocksBuild *b, int32_t to, int32_t from)
{
    if (!mem_grow(b->b->runs, b->run_cap, (size_t)b->run_count + 1))
        return false;
    b->b->runs[b->run_count++] = (BlockRun){(uint16_t)to, (uint16_t)from, 1};
    return true;
}

static bool build_off_diagonal(BlocksBuild *b, const Submatrix *t, OffDiagonal *out)
{
    const Diagram *d = b->d;
    size_t n = (size_t)t->count;
    int32_t from = d->set_size[t->from], to = d->set_size[t->to];
    *out = (OffDiagonal){.first = b->run_count,
                         .value = t->term < 0 ? -1 : b->value_count,
                         .entries = (int32_t)n};
    if (!block_entries_reserve(b, n) ||
        (t->term >= 0 && !mem_grow(b->b->value, b->value_cap, (size_t)b->value_count + n)))
        return false;
    for (size_t i = 0; i < n; i++) {
        double rate = t->term < 0 ? 1 : b->value[d->entry_term[t->term + (int64_t)i]];
        b->entries[i] = (BlockEntry){d->entry_to[t->first + (int64_t)i],
                                     d->entry_from[t->first + (int64_t)i], rate};
    }
    if (!block_entries_by_diagonal(b, n, from > to ? from : to))
        return false;
    for (size_t i = 0; i < n; i++) {
        if (i && block_entry_follows(&b->entries[i - 1], &b->entries[i]))
            b->b->runs[b->run_count - 1].length++;
        else if (!add_run(b, b->entries[i].to, b->entries[i].from))
            return false;
        if (t->term >= 0)
            b->b->value[b->value_count++] = b->entries[i].rate;
    }
    out->count = (int32_t)(b->run_count - out->first);
    return true;
}

static bool build_off_diagonals(BlocksBuild *b)
{
    bool ok = mem_new(b->b->off_diagonals, b->d->matrix_count);
    b->b->off_count = b->d->matrix_count;
    for (int32_t i = 0; i < b->b->off_count && ok; i++)
        ok = build_off_diagonal(b, &b->d->matrices[i], &b->b->off_diagonals[i]);
    return ok;
}

/* ---- exit rates ---------------------------------------------------------------------------- */

/* Whether every lower state has one entry in a submatrix, at the rate of the edge. */
static bool leaves_all(const Diagram *d, const Submatrix *t)
{
    if (t->term >= 0 || t->count != d->set_size[t->from])
        return false;
    for (int32_t k = 0; k < t->count; k++) /* then `from` ascends as `to` does */
        if (d->entry_from[t->first + k] != k)
            return false;
    return true;
}

/* The part of exit rates that build->key stands for. */
static double *make_part(const BlocksBuild *b)
{
    const Diagram *d = b->d;
    double *part = mem_calloc((size_t)d->set_size[b->key->matrix], sizeof *part);
    for (int32_t e = 1; e <= b->key->term && part; e++) {
        const Submatrix *t = &d->matrices[b->key[e].matrix];
        bool inside = b->key[e].side == INSIDE;
        for (int64_t k = t->first; k < t->first + t->count; k++)
            if (!inside || d->entry_to[k] != d->entry_from[k])
                part[d->entry_from[k]] += blocks_entry_rate(b, &b->key[e], k);
    }
    return part;
}

/* Exit rates of a block's states: the base is the sum over edges that all states leave by; the rest
 * depends on the set and on other edges, and is shared by blocks that agree in these. */
static bool find_part(BlocksBuild *b, int32_t block)
{
    const Diagram *d = b->d;
    Blocks *out = b->b;
    const int32_t part = blocks_find_key(b, block, OUTSIDE);
    if (part < 0)
        return false;
    out->part[block] = part;
    out->base[block] = 0;
    for (int64_t e = d->edge_row[block]; e < d->edge_row[block + 1]; e++)
        if (d->edges[e].to != block && b->whole[d->edges[e].matrix])
            out->base[block] += b->value[d->edges[e].term];
    if (part < out->part_count)
        return true;
    return mem_grow(out->parts, b->part_cap, (size_t)part + 1) &&
           (out->parts[out->part_count++] = make_part(b)) != NULL;
}

/* ---- edges in ------------------------------------------------------------------------------ */

static bool find_edges_in(BlocksBuild *b)
{
    const Diagram *d = b->d;
    Blocks *out = b->b;
    EdgeIn *in = NULL;
    int64_t at = 0;
    bool ok = diagram_edges_in(d, NULL, &out->in_row, &in);
    if (ok)
        ok = (out->in = mem_alloc((size_t)out->in_row[d->upper_count], sizeof *out->in)) != NULL;
    for (int32_t to = 0; ok && to < d->upper_count; to++) {
        int64_t first = out->in_row[to];
        out->in_row[to] = at; /* less those within the block */
        for (int64_t e = first; e < out->in_row[to + 1]; e++) {
            if (in[e].from == to)
                continue;
            double rate = in[e].term < 0 ? 1 : b->value[in[e].term];
            out->in[at++] = (BlockEdge){in[e].from, in[e].matrix, rate};
            out->entries += d->matrices[in[e].matrix].count;
        }
    }
    if (ok)
        out->in_row[d->upper_count] = at;
    mem_free(in);
    return ok;
}

static bool build_blocks(BlocksBuild *b)
{
    const Diagram *d = b->d;
    Blocks *out = b->b;
    bool ok = mem_new(b->whole, d->matrix_count);
    for (int32_t i = 0; i < d->matrix_count && ok; i++)
        b->whole[i] = leaves_all(d, &d->matrices[i]);
    for (int32_t i = 0; i < d->upper_count && ok; i++) {
        ok = blocks_find_diagonal(b, i) && find_part(b, i);
        if (!ok)
            break;
        const Diagonal *diagonal = &out->diagonals[out->diagonal[i]];
        out->entries += diagonal->entries;
        out->largest = diagonal->rows > out->largest ? diagonal->rows : out->largest;
    }
    return ok && find_edges_in(b);
}

PepaStatus blocks_build(Blocks *out, const Diagram *diagram, const double *value, PepaError *err)
{
    size_t n = (size_t)diagram->upper_count;
    BlocksBuild b = {.b = out, .d = diagram, .value = value, .stride = 1};
    *out = (Blocks){.blocks = diagram->upper_count, .up = diagram_goes_up(diagram)};
    bool ok = mem_new(out->offset, n + 1) && mem_new(out->diagonal, n) && mem_new(out->part, n) &&
              mem_new(out->base, n) && mem_new(b.leaf_of, diagram->split->lower.count);
    if (ok) {
        memcpy(out->offset, diagram->offset, (n + 1) * sizeof *out->offset);
        blocks_choose_stride(&b);
        ok = build_off_diagonals(&b) && build_blocks(&b);
    }
    lists_free(&b.diagonal_keys);
    lists_free(&b.part_keys);
    mem_free_all(b.key, b.entries, b.sorted, b.place, b.leaf_of, b.whole);
    if (ok)
        return PEPA_OK;
    blocks_free(out);
    return error_memory(err);
}

/* ---- memory -------------------------------------------------------------------------------- */

double blocks_bytes(const Blocks *b, const Diagram *d)
{
    const int64_t edges = d->edge_row[d->upper_count];
    double bytes =
        (double)d->upper_count * (sizeof *b->offset + sizeof *b->in_row + sizeof *b->diagonal +
                                  sizeof *b->part + sizeof *b->base) +
        (double)edges * sizeof *b->in + blocks_sweep_bytes(d->upper_count, edges);
    for (int32_t i = 0; i < d->matrix_count; i++) {
        bytes += sizeof *b->off_diagonals;
        bytes += d->matrices[i].term < 0 ? 0 : (double)d->matrices[i].count * sizeof *b->value;
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
