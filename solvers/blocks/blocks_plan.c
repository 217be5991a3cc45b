/* Which schedule sweeps over blocks follow. */
#include "solvers/blocks/blocks_plan.h"

#include "base/mem.h"
#include "solvers/blocks/tuning.h"
#include "solvers/schedule/costs.h"

static double off_cost(const OffDiagonal *off)
{
    return COST_EDGE + COST_RUN * off->count + off->entries;
}

static double block_cost(const Blocks *b, int32_t block)
{
    const Diagonal *d = &b->diagonals[b->diagonal[block]];
    double cost = COST_ROW * d->rows + COST_RUN * d->run_row[d->leaves] + (double)d->entries;
    for (int64_t e = b->in_row[block]; e < b->in_row[block + 1]; e++)
        cost += off_cost(&b->off_diagonals[b->in[e].off]);
    return cost;
}

double blocks_cost(const Blocks *b)
{
    double cost = 0;
    for (int32_t block = 0; block < b->blocks; block++)
        cost += block_cost(b, block);
    return cost;
}

/* Tasks are blocks in the order of a sweep; each edge is a link. */
static bool whole_graph(TaskGraph *g, const Blocks *b)
{
    TaskPairs pairs = {0};
    *g = (TaskGraph){.tasks = b->blocks};
    bool ok = mem_new(g->first, (size_t)b->blocks + 1) && mem_new(g->cost, b->blocks);
    for (int32_t t = 0; t < b->blocks && ok; t++) {
        int32_t block = block_place(b, t);
        g->first[t] = t;
        g->cost[t] = block_cost(b, block);
        for (int64_t e = b->in_row[block]; e < b->in_row[block + 1]; e++)
            pairs_add(&pairs, t, block_place(b, b->in[e].from),
                      (int32_t)off_cost(&b->off_diagonals[b->in[e].off]));
    }
    if (ok)
        g->first[b->blocks] = b->blocks;
    ok = ok && graph_link(g, &pairs, 1);
    if (!ok)
        graph_free(g);
    return ok;
}

bool blocks_plan_whole(BlocksPlan **out, const Blocks *b, int32_t threads)
{
    TaskGraph graph;
    BlocksPlan *plan = *out = mem_calloc(1, sizeof *plan);
    if (plan && whole_graph(&graph, b) && plan_new(&plan->plan, &graph, 1, threads, 0))
        return true;
    blocks_plan_free(plan);
    *out = NULL;
    return false;
}

/* found; coarse vectors and rows; plan with its order and waits; coarse edges and their rates. */
double blocks_sweep_bytes(int64_t blocks, int64_t edges)
{
    const double per_block = FOUND + 4 + 2, per_edge = 1.5;
    return (per_block * (double)blocks + per_edge * (double)edges) * sizeof(double);
}

/* Keep the better one, where fewer threads are better than more. */
static void prefer(BlocksPlan **best, BlocksPlan *other)
{
    const Plan *old = (*best)->plan, *next = other ? other->plan : NULL;
    bool wins = next && next->gain > old->gain * (next->threads < old->threads ? 1 / PLAN_BETTER
                                                                               : PLAN_BETTER);
    blocks_plan_free(wins ? *best : other);
    *best = wins ? other : *best;
}

/* Parts only where whole blocks are far from the best that is possible, and where a part has work
 * enough to be worth waiting for.  `make bench-threads` shows what the choice gains. */
bool blocks_plan_new(BlocksPlan **out, const Blocks *b, int32_t threads)
{
    bool ok = blocks_plan_whole(out, b, threads);
    for (int32_t t = threads; t > 1 && ok; t /= 2)
        for (int32_t parts = 2 * t; parts <= 16 * t && ok; parts *= 2) {
            BlocksPlan *other = NULL;
            if ((*out)->plan->gain >= PLAN_ENOUGH * t ||
                b->entries < (int64_t)PART_ENTRIES * parts * b->blocks)
                break;
            ok = blocks_plan_parts(&other, b, t, parts);
            prefer(out, other);
        }
    if (*out && (!ok || (*out)->plan->gain < PLAN_WORTH)) {
        blocks_plan_free(*out);
        *out = NULL;
    }
    return ok;
}

void blocks_workspace_free(BlocksWorkspace *work)
{
    workers_free(work->workers);
    blocks_plan_free(work->plan);
    mem_free_all(work->runner, work->scratch, work->found);
    *work = (BlocksWorkspace){0};
}

bool blocks_workspace_init(BlocksWorkspace *work, const Blocks *b, int32_t threads)
{
    threads = b->share ? 1 : threads < MOST_WORKERS ? threads : MOST_WORKERS;
    *work = (BlocksWorkspace){.threads = threads};
    work->scratch = mem_alloc((size_t)threads * (size_t)b->largest, 2 * sizeof *work->scratch);
    work->found = mem_alloc((size_t)b->blocks, FOUND * sizeof *work->found);
    bool ok = work->scratch && work->found;
    if (!ok || threads == 1)
        return ok;
    work->runner = mem_calloc(1, sizeof *work->runner);
    work->workers = workers_new(threads);
    if (!work->runner || !work->workers || !blocks_plan_new(&work->plan, b, threads))
        return false;
    work->runner->workers = work->workers;
    (void)runner_follow(work->runner, work->plan ? work->plan->plan : NULL);
    return true;
}
