#include "measure/blocks_parts.h"

#include <stdlib.h>
#include <string.h>

/* ---- tiles --------------------------------------------------------------------------------- */

static bool add_run(BlocksBuild *b, int32_t to, int32_t from)
{
    if (!mem_reserve(&b->b->runs, &b->run_cap, (size_t)b->run_count + 1, sizeof *b->b->runs))
        return false;
    b->b->runs[b->run_count++] = (BlockRun){(uint16_t)to, (uint16_t)from, 1};
    return true;
}

static bool build_tile(BlocksBuild *b, const Tile *t, OffDiagonal *out)
{
    const Diagram *d = b->d;
    size_t n = (size_t)t->count;
    int32_t from = d->set_size[t->from], to = d->set_size[t->to];
    *out = (OffDiagonal){.first = b->run_count, .value = t->term < 0 ? -1 : b->value_count};
    if (!block_entries_reserve(b, n) ||
        (t->term >= 0 && !mem_reserve(&b->b->value, &b->value_cap, (size_t)b->value_count + n,
                                      sizeof *b->b->value)))
        return false;
    for (size_t i = 0; i < n; i++) {
        double rate = t->term < 0 ? 1 : b->value[d->tile_term[t->term + (int64_t)i]];
        b->entries[i] = (BlockEntry){d->tile_to[t->first + (int64_t)i],
                                     d->tile_from[t->first + (int64_t)i], rate};
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

static bool build_tiles(BlocksBuild *b)
{
    b->b->off_diagonals = mem_alloc((size_t)b->d->tile_count, sizeof *b->b->off_diagonals);
    bool ok = b->b->off_diagonals != NULL;
    for (int32_t i = 0; i < b->d->tile_count && ok; i++)
        ok = build_tile(b, &b->d->tiles[i], &b->b->off_diagonals[i]);
    return ok;
}

/* ---- keys ---------------------------------------------------------------------------------- */

static int by_tile(const void *a, const void *b)
{
    const Edge *x = a, *y = b;
    if (x->tile != y->tile)
        return x->tile < y->tile ? -1 : 1;
    if (x->term != y->term)
        return x->term < y->term ? -1 : 1;
    return (x->to > y->to) - (x->to < y->to);
}

int32_t *blocks_find_key(BlocksBuild *b, Memo *memo, const int32_t *first, int32_t set, size_t n)
{
    uint64_t hash = (uint64_t)set + 1;
    if (n > 1)
        qsort(b->key, n, sizeof *b->key, by_tile);
    for (size_t i = 0; i < n; i++)
        hash = hash_mix(hash, hash_pair(b->key[i].tile, b->key[i].term));
    for (uint64_t again = 0;; again++) {
        int32_t *found = memo_at(memo, hash, again);
        if (!found || *found < 0)
            return found;
        const Edge *there = b->keys + first[*found];
        bool same = there->to == set && there->label == (int32_t)n;
        for (size_t i = 0; i < n && same; i++)
            same = by_tile(&there[1 + i], &b->key[i]) == 0;
        if (same)
            return found;
    }
}

int32_t blocks_keep_key(BlocksBuild *b, int32_t set, size_t n)
{
    size_t at = b->key_count;
    if (!mem_reserve(&b->keys, &b->keys_cap, at + n + 1, sizeof *b->keys))
        return -1;
    b->keys[at] = (Edge){.to = set, .label = (int32_t)n};
    for (size_t i = 0; i < n; i++)
        b->keys[at + 1 + i] = b->key[i];
    b->key_count += n + 1;
    return (int32_t)at;
}

bool blocks_add_key(BlocksBuild *b, size_t n, const Edge *edge, int32_t side)
{
    if (!mem_reserve(&b->key, &b->key_cap, n + 1, sizeof *b->key))
        return false;
    b->key[n] = *edge;
    b->key[n].to = side;
    return true;
}

double blocks_entry_rate(const BlocksBuild *b, const Edge *edge, int64_t k)
{
    const Tile *t = &b->d->tiles[edge->tile];
    return b->value[t->term < 0 ? edge->term : b->d->tile_term[t->term + k - t->first]];
}

/* ---- exit rates ---------------------------------------------------------------------------- */

/* Every lower state has one entry, and they are alike: all leave at the edge's rate. */
static bool leaves_all(const BlocksBuild *b, const Edge *edge)
{
    const Tile *t = &b->d->tiles[edge->tile];
    if (t->term >= 0 || t->count != b->d->set_size[t->from])
        return false;
    for (int32_t k = 0; k < t->count; k++) /* ascending by to; from is, if no two leave one */
        if (b->d->tile_from[t->first + k] != k)
            return false;
    return true;
}

static bool build_part(BlocksBuild *b, int32_t set, size_t edges, double **out)
{
    const Diagram *d = b->d;
    double *part = mem_calloc((size_t)d->set_size[set], sizeof *part);
    *out = part;
    for (size_t e = 0; e < edges && part; e++) {
        const Tile *t = &d->tiles[b->key[e].tile];
        bool inside = b->key[e].to == INSIDE;
        for (int64_t k = t->first; k < t->first + t->count; k++)
            if (!inside || d->tile_to[k] != d->tile_from[k])
                part[d->tile_from[k]] += blocks_entry_rate(b, &b->key[e], k);
    }
    return part != NULL;
}

/* d_i of a block's states: edges that all states leave by are added up in the base. */
static bool find_part(BlocksBuild *b, int32_t block, const uint8_t *whole)
{
    const Diagram *d = b->d;
    int32_t set = d->set[block];
    size_t n = 0;
    double base = 0;
    for (int64_t e = d->edge_row[block]; e < d->edge_row[block + 1]; e++) {
        const Edge *edge = &d->edges[e];
        int32_t side = edge->to == block ? INSIDE : OUTSIDE;
        if (side == OUTSIDE && whole[edge->tile])
            base += b->value[edge->term];
        else if (!blocks_add_key(b, n++, edge, side))
            return false;
    }
    for (int32_t e = d->local_row[set]; e < d->local_row[set + 1]; e++)
        if (!blocks_add_key(b, n++, &d->local[e], INSIDE))
            return false;
    int32_t *found = blocks_find_key(b, &b->part_of, b->part_first, set, n);
    if (!found)
        return false;
    if (*found < 0) {
        int32_t number = b->b->part_count, first = blocks_keep_key(b, set, n);
        if (first < 0 ||
            !mem_reserve(&b->b->parts, &b->part_cap, (size_t)number + 1, sizeof *b->b->parts) ||
            !mem_reserve(&b->part_first, &b->part_first_cap, (size_t)number + 1,
                         sizeof *b->part_first) ||
            !build_part(b, set, n, &b->b->parts[number]))
            return false;
        b->part_first[number] = first;
        b->b->part_count++;
        *found = number;
    }
    b->b->part[block] = *found;
    b->b->base[block] = base;
    return true;
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
            out->in[at++] = (BlockEdge){in[e].from, in[e].tile, rate};
            out->entries += d->tiles[in[e].tile].count;
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
    uint8_t *whole = mem_calloc((size_t)d->tile_count, 1);
    bool ok = whole != NULL;
    for (int32_t i = 0; i < d->tile_count && ok; i++)
        whole[i] = leaves_all(b, &(Edge){.tile = i});
    for (int32_t i = 0; i < d->upper_count && ok; i++) {
        ok = blocks_find_diagonal(b, i) && find_part(b, i, whole);
        if (!ok)
            break;
        const Diagonal *diagonal = &out->diagonals[out->diagonal[i]];
        out->entries += diagonal->row[diagonal->rows];
        for (int32_t r = 0; r < diagonal->run_row[diagonal->leaves]; r++)
            out->entries += diagonal->runs[r].run.length;
        out->largest = diagonal->rows > out->largest ? diagonal->rows : out->largest;
    }
    mem_free(whole);
    return ok && find_edges_in(b);
}

PepaStatus blocks_build(Blocks *out, const Diagram *diagram, const double *value, PepaError *err)
{
    size_t n = (size_t)diagram->upper_count;
    BlocksBuild b = {.b = out, .d = diagram, .value = value, .stride = 1};
    *out = (Blocks){.blocks = diagram->upper_count, .up = diagram_goes_up(diagram)};
    out->offset = mem_alloc(n + 1, sizeof *out->offset);
    out->diagonal = mem_alloc(n, sizeof *out->diagonal);
    out->part = mem_alloc(n, sizeof *out->part);
    out->base = mem_alloc(n, sizeof *out->base);
    b.leaf_of = mem_alloc((size_t)diagram->split->lower.count, sizeof *b.leaf_of);
    bool ok = out->offset && out->diagonal && out->part && out->base && b.leaf_of;
    if (ok) {
        memcpy(out->offset, diagram->offset, (n + 1) * sizeof *out->offset);
        blocks_choose_stride(&b);
        ok = build_tiles(&b) && build_blocks(&b);
    }
    memo_free(&b.diagonal_of);
    memo_free(&b.part_of);
    mem_free(b.diagonal_first);
    mem_free(b.part_first);
    mem_free(b.keys);
    mem_free(b.key);
    mem_free(b.entries);
    mem_free(b.sorted);
    mem_free(b.place);
    mem_free(b.leaf_of);
    if (ok)
        return PEPA_OK;
    blocks_free(out);
    return error_memory(err);
}
