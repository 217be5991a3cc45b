/* Builds the matrix of blocks of a diagram: one block row per upper state. */
#include "measure/blocks_build.h"

#include <string.h>

#include "base/sorted.h"
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
    const int32_t upper = diagram_own(d, block), part = blocks_find_key(b, upper, OUTSIDE);
    if (part < 0)
        return false;
    out->part[block] = part;
    out->base[block] = 0;
    for (int64_t e = d->edge_row[upper]; e < d->edge_row[upper + 1]; e++)
        if (d->edges[e].to != upper && b->whole[d->edges[e].matrix])
            out->base[block] += b->value[d->edges[e].term];
    if (part < out->part_count)
        return true;
    return mem_grow(out->parts, b->part_cap, (size_t)part + 1) &&
           (out->parts[out->part_count++] = make_part(b)) != NULL;
}

/* ---- edges in ------------------------------------------------------------------------------ */

/* The block of an upper state that flows into own ones: an own one, or a copy. */
static int32_t block_of(const BlocksBuild *b, int32_t upper)
{
    const Blocks *out = b->b;
    if (!b->d->own)
        return upper;
    const int32_t own = sorted_find(b->d->own, b->d->own_count, upper);
    if (own >= 0)
        return own;
    const int32_t kept = sorted_find(b->copy, b->kept, upper);
    if (kept >= 0)
        return out->blocks + kept;
    return out->blocks + b->kept + sorted_find(b->copy + b->kept, out->copies - b->kept, upper);
}

static bool find_edges_in(BlocksBuild *b)
{
    const Diagram *d = b->d;
    Blocks *out = b->b;
    EdgeIn *in = NULL;
    int64_t *row = NULL, at = 0;
    bool ok = diagram_edges_in(d, NULL, &row, &in) && mem_new(out->in_row, (size_t)out->blocks + 1);
    for (int32_t k = 0; ok && k < out->blocks; k++)
        at += row[diagram_own(d, k) + 1] - row[diagram_own(d, k)];
    ok = ok && mem_new(out->in, at);
    at = 0;
    for (int32_t k = 0; ok && k < out->blocks; k++) {
        const int32_t to = diagram_own(d, k);
        out->in_row[k] = at; /* less those within the block */
        for (int64_t e = row[to]; e < row[to + 1]; e++) {
            if (in[e].from == to)
                continue;
            double rate = in[e].term < 0 ? 1 : b->value[in[e].term];
            out->in[at++] = (BlockEdge){block_of(b, in[e].from), in[e].matrix, rate};
            out->entries += d->matrices[in[e].matrix].count;
        }
    }
    if (ok)
        out->in_row[out->blocks] = at;
    mem_free_all(row, in);
    return ok;
}

static bool build_blocks(BlocksBuild *b)
{
    const Diagram *d = b->d;
    Blocks *out = b->b;
    bool ok = mem_new(b->whole, d->matrix_count);
    for (int32_t i = 0; i < d->matrix_count && ok; i++)
        b->whole[i] = leaves_all(d, &d->matrices[i]);
    for (int32_t i = 0; i < out->blocks && ok; i++) {
        ok = blocks_find_diagonal(b, i) && find_part(b, i);
        if (!ok)
            break;
        const Diagonal *diagonal = &out->diagonals[out->diagonal[i]];
        out->entries += diagonal->entries;
        out->largest = diagonal->rows > out->largest ? diagonal->rows : out->largest;
    }
    return ok && find_edges_in(b);
}

/* Where own blocks begin, and then copies. */
static void find_offsets(const BlocksBuild *b, int64_t all)
{
    Blocks *out = b->b;
    for (int32_t k = 0; k < out->blocks; k++)
        out->offset[k] = diagram_place(b->d, diagram_own(b->d, k));
    for (int32_t k = 0; k < out->copies; k++)
        out->offset[out->blocks + k] = diagram_place(b->d, b->copy[k]);
    out->offset[out->blocks + out->copies] = all;
}

static PepaStatus build(Blocks *out, const Diagram *diagram, const DiagramShare *share,
                        const double *value, PepaError *err)
{
    const size_t n = (size_t)diagram->own_count;
    BlocksBuild b = {.b = out,
                     .d = diagram,
                     .copy = share ? share->copy : NULL,
                     .kept = share ? share->kept : 0,
                     .value = value,
                     .stride = 1};
    *out = (Blocks){.blocks = (int32_t)n,
                    .copies = share ? share->copies : 0,
                    .up = diagram_goes_up(diagram)};
    bool ok = mem_new(out->offset, n + (size_t)out->copies + 1) && mem_new(out->diagonal, n) &&
              mem_new(out->part, n) && mem_new(out->base, n) &&
              mem_new(b.leaf_of, diagram->split->lower.count);
    if (ok) {
        find_offsets(&b, share ? share->all : diagram->offset[diagram->upper_count]);
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

PepaStatus blocks_build(Blocks *out, const Diagram *diagram, const double *value, PepaError *err)
{
    return build(out, diagram, NULL, value, err);
}

PepaStatus blocks_build_share(Blocks *out, const DiagramShare *share, const double *value,
                              PepaError *err)
{
    return build(out, &share->part, share, value, err);
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
