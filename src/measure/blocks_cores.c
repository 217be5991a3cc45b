/* What flows within a block. */
#include "measure/blocks_parts.h"

#include <string.h>

enum { LEAF = 64 /* joint states of the last slots that make up a leaf, at most */ };

/* Leaves are where all but the last few slots stay as they are. */
void blocks_choose_stride(BlocksBuild *b)
{
    const System *s = b->d->system;
    double ways = 1;
    for (int32_t i = s->slot_count; i-- > b->d->split->first;) {
        ways *= split_slot_states(s, b->d->split->sequence[i]);
        if (ways > LEAF)
            break;
        b->stride = (int32_t)ways;
    }
}

static bool mark_leaves(BlocksBuild *b, int32_t set, BlockCore *core)
{
    const Diagram *d = b->d;
    core->rows = d->set_size[set];
    core->leaf = mem_alloc((size_t)core->rows + 1, sizeof *core->leaf);
    if (!core->leaf)
        return false;
    int32_t stride = b->stride > 1 ? b->stride : LEAF;
    for (int32_t i = 0; i < core->rows; i++) {
        bool begins = i == 0 || d->members[set][i] / stride != d->members[set][i - 1] / stride;
        if (begins)
            core->leaf[core->leaves++] = i;
        b->leaf_of[i] = core->leaves - 1;
    }
    core->leaf[core->leaves] = core->rows;
    return true;
}

/* All that flows within a block, entries distinct; their number, or -1. */
static int64_t list_core(BlocksBuild *b, int32_t rows, size_t edges)
{
    const Diagram *d = b->d;
    size_t count = 0, kept = 0;
    for (size_t e = 0; e < edges; e++) {
        const Tile *t = &d->tiles[b->key[e].tile];
        if (!block_entries_reserve(b, count + (size_t)t->count))
            return -1;
        for (int64_t k = t->first; k < t->first + t->count; k++)
            if (d->tile_to[k] != d->tile_from[k])
                b->entries[count++] = (BlockEntry){d->tile_to[k], d->tile_from[k],
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

/* Entries from the same leaf come first, by rows; the others follow, by diagonals. */
static int64_t fill_rows(const BlocksBuild *b, BlockCore *core, int64_t count)
{
    int64_t inside = 0, outside = 0;
    memset(core->row, 0, ((size_t)core->rows + 1) * sizeof *core->row);
    for (int64_t i = 0; i < count; i++) {
        BlockEntry e = b->entries[i];
        if (b->leaf_of[e.to] != b->leaf_of[e.from]) {
            b->entries[outside++] = e;
            continue;
        }
        core->col[inside] = (uint16_t)e.from;
        core->val[inside++] = e.rate;
        core->row[e.to + 1]++;
    }
    for (int32_t i = 0; i < core->rows; i++)
        core->row[i + 1] += core->row[i];
    return outside;
}

/* Runs by leaf: first count them, then put them in their places. */
static bool fill_runs(BlocksBuild *b, BlockCore *core, int64_t count)
{
    if (!block_entries_by_diagonal(b, (size_t)count, core->rows))
        return false;
    memset(core->run_row, 0, ((size_t)core->leaves + 2) * sizeof *core->run_row);
    int32_t *end = core->run_row + 1; /* where the next run of a leaf goes, in the second pass */
    for (int pass = 0; pass < 2; pass++) {
        CoreRun *last = NULL;
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
                last = &core->runs[end[leaf]++];
                *last = (CoreRun){e.rate, {(uint16_t)e.to, (uint16_t)e.from, 1}};
            }
        }
        for (int32_t l = 0; pass == 0 && l < core->leaves; l++)
            end[l + 1] += end[l];
    }
    return true;
}

static bool build_core(BlocksBuild *b, int32_t set, size_t edges, BlockCore *core)
{
    *core = (BlockCore){0};
    int64_t count = list_core(b, b->d->set_size[set], edges);
    if (count < 0 || !mark_leaves(b, set, core))
        return false;
    core->row = mem_alloc((size_t)core->rows + 1, sizeof *core->row);
    core->run_row = mem_alloc((size_t)core->leaves + 2, sizeof *core->run_row);
    core->col = mem_alloc((size_t)count, sizeof *core->col);
    core->val = mem_alloc((size_t)count, sizeof *core->val);
    core->runs = mem_alloc((size_t)count, sizeof *core->runs);
    if (!core->row || !core->run_row || !core->col || !core->val || !core->runs)
        return false;
    return fill_runs(b, core, fill_rows(b, core, count));
}

bool blocks_find_core(BlocksBuild *b, int32_t block)
{
    const Diagram *d = b->d;
    int32_t set = d->set[block];
    size_t n = 0;
    for (int64_t e = d->edge_row[block]; e < d->edge_row[block + 1]; e++)
        if (d->edges[e].to == block && !blocks_add_key(b, n++, &d->edges[e], INSIDE))
            return false;
    for (int32_t e = d->local_row[set]; e < d->local_row[set + 1]; e++)
        if (!blocks_add_key(b, n++, &d->local[e], INSIDE))
            return false;
    int32_t *found = blocks_find_key(b, &b->core_of, b->core_first, set, n);
    if (!found)
        return false;
    if (*found < 0) {
        int32_t number = b->b->core_count, first = blocks_keep_key(b, set, n);
        if (first < 0 ||
            !mem_reserve(&b->b->cores, &b->core_cap, (size_t)number + 1, sizeof *b->b->cores) ||
            !mem_reserve(&b->core_first, &b->core_first_cap, (size_t)number + 1,
                         sizeof *b->core_first))
            return false;
        b->b->core_count++;
        if (!build_core(b, set, n, &b->b->cores[number]))
            return false;
        b->core_first[number] = first;
        *found = number;
    }
    b->b->core[block] = *found;
    return true;
}
