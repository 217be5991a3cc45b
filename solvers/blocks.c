#include "solvers/blocks.h"

#include <math.h>

#include "base/mem.h"
#include "base/workers.h"

void blocks_free(Blocks *b)
{
    for (int32_t i = 0; b->cores && i < b->core_count; i++) {
        mem_free(b->cores[i].leaf);
        mem_free(b->cores[i].run_row);
        mem_free(b->cores[i].row);
        mem_free(b->cores[i].runs);
        mem_free(b->cores[i].col);
        mem_free(b->cores[i].val);
    }
    for (int32_t i = 0; b->parts && i < b->part_count; i++)
        mem_free(b->parts[i]);
    mem_free(b->cores);
    mem_free(b->parts);
    mem_free(b->offset);
    mem_free(b->in_row);
    mem_free(b->in);
    mem_free(b->core);
    mem_free(b->part);
    mem_free(b->base);
    mem_free(b->tiles);
    mem_free(b->runs);
    mem_free(b->value);
    *b = (Blocks){0};
}

/* ---- rare jumps ---------------------------------------------------------------------------- */

static double least_value(const Blocks *b, const BlockTile *tile)
{
    double least = 1;
    int64_t at = tile->value;
    for (int32_t r = 0; at >= 0 && r < tile->count; r++)
        for (int32_t k = 0; k < b->runs[tile->first + r].length; k++, at++)
            least = b->value[at] < least ? b->value[at] : least;
    return least;
}

/* The smallest rate within a core. */
static double least_rate(const BlockCore *core)
{
    double least = HUGE_VAL;
    for (int32_t k = 0; k < core->row[core->rows]; k++)
        least = core->val[k] < least ? core->val[k] : least;
    for (int32_t r = 0; r < core->run_row[core->leaves]; r++)
        least = core->runs[r].rate < least ? core->runs[r].rate : least;
    return least;
}

static double most_exit(const Blocks *b, int32_t block)
{
    double most = 0;
    const double *part = b->parts[b->part[block]];
    for (int64_t i = 0; i < b->offset[block + 1] - b->offset[block]; i++)
        most = part[i] > most ? part[i] : most;
    return most + b->base[block];
}

/* By the largest rate out of each block: that may see a rare jump where there is none. */
bool blocks_rare(const Blocks *b)
{
    const double rare = 1e-4;
    double *most = mem_alloc((size_t)b->blocks, sizeof *most);
    bool found = !most;
    for (int32_t k = 0; k < b->blocks && most; k++)
        most[k] = most_exit(b, k);
    for (int32_t k = 0; k < b->blocks && !found; k++)
        found = least_rate(&b->cores[b->core[k]]) < rare * most[k];
    for (int32_t k = 0; k < b->blocks && !found; k++)
        for (int64_t e = b->in_row[k]; e < b->in_row[k + 1] && !found; e++) {
            const BlockEdge *edge = &b->in[e];
            found = edge->rate * least_value(b, &b->tiles[edge->tile]) < rare * most[edge->from];
        }
    mem_free(most);
    return found;
}

/* ---- who goes when ------------------------------------------------------------------------- */

void blocks_room_free(BlocksRoom *room)
{
    mem_free(room->scratch);
    mem_free(room->change);
    mem_free(room->flow);
    mem_free(room->order);
    mem_free(room->before);
    *room = (BlocksRoom){0};
}

static int32_t most(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

/* A block's level is above those of all blocks before it that it reads or that read it.  Levels are
 * final when a block's turn comes: what reads it and comes later is pushed up then. */
static int32_t find_levels(const Blocks *b, int32_t *level)
{
    int32_t top = 0;
    for (int32_t k = 0; k < b->blocks; k++)
        level[k] = 0;
    for (int32_t k = 0; k < b->blocks; k++) {
        int32_t block = b->up ? k : b->blocks - 1 - k;
        for (int pass = 0; pass < 2; pass++)
            for (int64_t e = b->in_row[block]; e < b->in_row[block + 1]; e++) {
                int32_t from = b->in[e].from;
                bool earlier = b->up ? from < block : from > block;
                if (pass == 0 && earlier)
                    level[block] = most(level[block], level[from] + 1);
                if (pass == 1 && !earlier)
                    level[from] = most(level[from], level[block] + 1);
            }
        top = most(top, level[block]);
    }
    return top;
}

/* Blocks by level, and within a level in the order of one thread. */
static bool schedule(BlocksRoom *room, const Blocks *b)
{
    size_t n = (size_t)b->blocks;
    int32_t *level = mem_alloc(n, sizeof *level), *first = NULL;
    room->order = mem_alloc(n, sizeof *room->order);
    room->before = mem_alloc(n, sizeof *room->before);
    int32_t levels = level ? find_levels(b, level) + 1 : 0;
    if (level)
        first = mem_calloc((size_t)levels + 1, sizeof *first);
    bool ok = level && first && room->order && room->before;
    for (size_t k = 0; ok && k < n; k++)
        first[level[k] + 1]++;
    for (int32_t l = 0; ok && l < levels; l++)
        first[l + 1] += first[l];
    for (int32_t l = levels; ok && l > 0; l--)
        for (int32_t k = first[l - 1]; k < first[l]; k++)
            room->before[k] = first[l - 1];
    for (int32_t k = 0; ok && k < b->blocks; k++) {
        int32_t block = b->up ? k : b->blocks - 1 - k;
        room->order[first[level[block]]++] = block;
    }
    mem_free(level);
    mem_free(first);
    return ok;
}

bool blocks_room_init(BlocksRoom *room, const Blocks *b, int32_t threads)
{
    size_t n = (size_t)b->blocks;
    threads = threads < MOST_WORKERS ? threads : MOST_WORKERS;
    *room = (BlocksRoom){.threads = threads};
    room->scratch = mem_alloc((size_t)threads * (size_t)b->largest, 2 * sizeof *room->scratch);
    room->change = mem_alloc(n, sizeof *room->change);
    room->flow = mem_alloc(n, sizeof *room->flow);
    bool ok = room->scratch && room->change && room->flow;
    return ok && (threads == 1 || schedule(room, b));
}
