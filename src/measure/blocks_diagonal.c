/* Diagonal blocks: the flow within an upper state; and the keys by which blocks are shared. */
#include "measure/blocks_private.h"

#include <stdlib.h>
#include <string.h>

#include "measure/steady.h"

/* ---- keys ---------------------------------------------------------------------------------- */

static int by_matrix(const void *a, const void *b)
{
    const KeyEdge *x = a, *y = b;
    if (x->matrix != y->matrix)
        return x->matrix < y->matrix ? -1 : 1;
    if (x->term != y->term)
        return x->term < y->term ? -1 : 1;
    return (x->side > y->side) - (x->side < y->side);
}

static bool add_edge(BlocksBuild *b, const Edge *edge, int32_t side)
{
    int32_t at = ++b->key->term;
    if (!mem_grow(b->key, b->key_cap, at + 1))
        return false;
    b->key[at] = (KeyEdge){edge->matrix, edge->term, side};
    return true;
}

int32_t blocks_find_key(BlocksBuild *b, int32_t upper, int32_t side)
{
    const Diagram *d = b->d;
    const int32_t set = d->set[upper];
    bool ok = mem_grow(b->key, b->key_cap, 1);
    if (ok)
        b->key[0] = (KeyEdge){.matrix = set};
    for (int32_t e = d->local_row[set]; e < d->local_row[set + 1] && ok; e++)
        ok = add_edge(b, &d->local[e], INSIDE);
    for (int64_t e = d->edge_row[upper]; e < d->edge_row[upper + 1] && ok; e++) {
        const Edge *edge = &d->edges[e];
        if (edge->to == upper)
            ok = add_edge(b, edge, INSIDE);
        else if (side == OUTSIDE && !b->whole[edge->matrix])
            ok = add_edge(b, edge, OUTSIDE);
    }
    if (!ok)
        return -1;
    const size_t edges = (size_t)b->key->term;
    qsort(b->key + 1, edges, sizeof *b->key, by_matrix);
    return lists_put(side == OUTSIDE ? &b->part_keys : &b->diagonal_keys, (const int32_t *)b->key,
                     (edges + 1) * (sizeof *b->key / sizeof(int32_t)));
}

double blocks_entry_rate(const BlocksBuild *b, const KeyEdge *edge, int64_t k)
{
    const Submatrix *t = &b->d->matrices[edge->matrix];
    return b->value[t->term < 0 ? edge->term : b->d->entry_term[t->term + k - t->first]];
}

/* ---- diagonal blocks ------------------------------------------------------------------------ */

/* States of one leaf differ in the last few slots only. */
void blocks_choose_stride(BlocksBuild *b)
{
    const System *s = b->d->system;
    double ways = 1;
    for (int32_t i = s->slot_count; i-- > b->d->split->first;) {
        ways *= split_slot_states(s, b->d->split->sequence[i]);
        if (ways > LEAF_STATES)
            break;
        b->stride = (int32_t)ways;
    }
}

static bool mark_leaves(BlocksBuild *b, int32_t set, Diagonal *diagonal)
{
    const Diagram *d = b->d;
    diagonal->rows = d->set_size[set];
    diagonal->leaf = mem_alloc((size_t)diagonal->rows + 1, sizeof *diagonal->leaf);
    if (!diagonal->leaf)
        return false;
    int32_t stride = b->stride > 1 ? b->stride : LEAF_STATES;
    for (int32_t i = 0; i < diagonal->rows; i++) {
        bool begins = i == 0 || d->members[set][i] / stride != d->members[set][i - 1] / stride;
        if (begins)
            diagonal->leaf[diagonal->leaves++] = i;
        b->leaf_of[i] = diagonal->leaves - 1;
    }
    diagonal->leaf[diagonal->leaves] = diagonal->rows;
    return true;
}

/* List the entries that build->key stands for, each once; their number, or -1: memory is out. */
static int64_t list_diagonal(BlocksBuild *b, int32_t rows)
{
    const Diagram *d = b->d;
    size_t count = 0, kept = 0;
    for (int32_t e = 1; e <= b->key->term; e++) {
        const Submatrix *t = &d->matrices[b->key[e].matrix];
        if (!block_entries_reserve(b, count + (size_t)t->count))
            return -1;
        for (int64_t k = t->first; k < t->first + t->count; k++)
            if (d->entry_to[k] != d->entry_from[k])
                b->entries[count++] = (BlockEntry){d->entry_to[k], d->entry_from[k],
                                                   blocks_entry_rate(b, &b->key[e], k)};
    }
    if (!block_entries_by_row(b, count, rows))
        return -1;
    for (size_t i = 0; i < count; i++) {
        BlockEntry *last = b->entries + kept - 1;
        if (kept && last->to == b->entries[i].to && last->from == b->entries[i].from)
            last->rate += b->entries[i].rate;
        else
            b->entries[kept++] = b->entries[i];
    }
    return (int64_t)kept;
}

static bool is_in_leaf(const BlocksBuild *b, const BlockEntry *e)
{
    return b->leaf_of[e->to] == b->leaf_of[e->from];
}

/* Entries from the same leaf go into rows; the others, *left of them, stay. */
static bool fill_rows(BlocksBuild *b, Diagonal *diagonal, int64_t count, int64_t *left)
{
    int64_t inside = 0, outside = 0;
    for (int64_t i = 0; i < count; i++)
        inside += is_in_leaf(b, &b->entries[i]);
    if (!mem_new_zeroed(diagonal->row, (size_t)diagonal->rows + 1) ||
        !mem_new(diagonal->col, inside) || !mem_new(diagonal->val, inside))
        return false;
    inside = 0;
    for (int64_t i = 0; i < count; i++) {
        BlockEntry e = b->entries[i];
        if (!is_in_leaf(b, &e)) {
            b->entries[outside++] = e;
            continue;
        }
        diagonal->col[inside] = (uint16_t)e.from;
        diagonal->val[inside++] = e.rate;
        diagonal->row[e.to + 1]++;
    }
    for (int32_t i = 0; i < diagonal->rows; i++)
        diagonal->row[i + 1] += diagonal->row[i];
    *left = outside;
    return true;
}

/* Runs by leaf: the first pass counts them, the second stores them. */
static bool fill_runs(BlocksBuild *b, Diagonal *diagonal, int64_t count)
{
    if (!block_entries_by_diagonal(b, (size_t)count, diagonal->rows) ||
        !mem_new_zeroed(diagonal->run_row, (size_t)diagonal->leaves + 2))
        return false;
    int32_t *end =
        diagonal->run_row + 1; /* where the next run of a leaf goes, in the second pass */
    for (int pass = 0; pass < 2; pass++) {
        RatedRun *last = NULL;
        for (int64_t i = 0; i < count; i++) {
            BlockEntry e = b->entries[i];
            int32_t leaf = b->leaf_of[e.to];
            bool goes_on = i > 0 && block_entry_follows(&b->entries[i - 1], &e) &&
                           b->leaf_of[e.to - 1] == leaf && b->entries[i - 1].rate == e.rate;
            if (goes_on && pass == 1)
                last->run.length++;
            if (goes_on)
                continue;
            if (pass == 0) {
                end[leaf + 1]++;
            } else {
                last = &diagonal->runs[end[leaf]++];
                *last = (RatedRun){e.rate, {(uint16_t)e.to, (uint16_t)e.from, 1}};
            }
        }
        for (int32_t l = 0; pass == 0 && l < diagonal->leaves; l++)
            end[l + 1] += end[l];
        if (pass == 0 && !mem_new(diagonal->runs, end[diagonal->leaves]))
            return false;
    }
    return true;
}

/* The diagonal block that build->key stands for. */
static bool build_diagonal(BlocksBuild *b, Diagonal *diagonal)
{
    int32_t set = b->key->matrix;
    *diagonal = (Diagonal){0};
    int64_t count = list_diagonal(b, b->d->set_size[set]);
    if (count < 0 || !mark_leaves(b, set, diagonal))
        return false;
    diagonal->entries = count;
    return fill_rows(b, diagonal, count, &count) && fill_runs(b, diagonal, count);
}

bool blocks_find_diagonal(BlocksBuild *b, int32_t block)
{
    Blocks *out = b->b;
    const int32_t number = blocks_find_key(b, diagram_own(b->d, block), INSIDE);
    if (number < 0)
        return false;
    out->diagonal[block] = number;
    if (number < out->diagonal_count)
        return true;
    return mem_grow(out->diagonals, b->diagonal_cap, (size_t)number + 1) &&
           build_diagonal(b, &out->diagonals[out->diagonal_count++]);
}

double diagonal_bytes(const Diagonal *c)
{
    return (double)c->rows * sizeof *c->row +
           (double)c->leaves * (sizeof *c->leaf + sizeof *c->run_row) +
           (double)c->run_row[c->leaves] * sizeof *c->runs +
           (double)c->row[c->rows] * (sizeof *c->col + sizeof *c->val);
}
