#include "solvers/blocks.h"

#include <math.h>

#include "base/mem.h"
#include "solvers/blocks_plan.h"

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

/* ---- room ---------------------------------------------------------------------------------- */

void blocks_room_free(BlocksRoom *room)
{
    workers_free(room->workers);
    blocks_plan_free(room->plan);
    mem_free(room->scratch);
    mem_free(room->found);
    mem_free(room->pace);
    *room = (BlocksRoom){0};
}

bool blocks_room_init(BlocksRoom *room, const Blocks *b, int32_t threads)
{
    threads = threads < MOST_WORKERS ? threads : MOST_WORKERS;
    *room = (BlocksRoom){.threads = threads};
    room->scratch = mem_alloc((size_t)threads * (size_t)b->largest, 2 * sizeof *room->scratch);
    room->found = mem_alloc((size_t)b->blocks, FOUND * sizeof *room->found);
    bool ok = room->scratch && room->found;
    if (!ok || threads == 1)
        return ok;
    room->pace = mem_calloc(1, sizeof *room->pace);
    room->workers = workers_new(threads);
    if (!room->pace || !room->workers || !blocks_plan_new(&room->plan, b, threads))
        return false;
    int32_t wanted = room->plan ? room->plan->threads : 1;
    if (workers_ready(room->workers, wanted) < wanted) { /* and parts may wait for each other */
        blocks_plan_free(room->plan);
        room->plan = NULL;
    }
    return true;
}

typedef struct {
    WorkTask *task;
    void *user;
    int32_t blocks, each;
} Each;

static void do_some(void *user, int32_t index, int32_t worker)
{
    const Each *e = user;
    int32_t first = index * e->each, end = first + e->each;
    for (int32_t k = first; k < end && k < e->blocks; k++)
        e->task(e->user, k, worker);
}

void blocks_each(const BlocksRoom *room, const Blocks *b, WorkTask *task, void *user)
{
    enum { TAKES = 16 }; /* by each thread, so that all are done at about the same time */
    int32_t tasks = TAKES * room->threads;
    Each each = {task, user, b->blocks, (b->blocks + tasks - 1) / tasks};
    workers_run(room->workers, (b->blocks + each.each - 1) / each.each, do_some, &each);
}
