#include "solvers/schedule/blocks_plan.h"

#include "base/mem.h"

void blocks_plan_free(BlocksPlan *plan)
{
    if (!plan)
        return;
    mem_free(plan->shared.order);
    mem_free(plan->shared.chunk);
    mem_free(plan->shared.need);
    mem_free(plan->parted.leaf);
    mem_free(plan->parted.wait);
    mem_free(plan->parted.off_diagonals);
    mem_free(plan->parted.runs);
    mem_free(plan->parted.value);
    mem_free(plan);
}

/* Keep the better one. */
static void prefer(BlocksPlan **best, BlocksPlan *other, double margin)
{
    if (*best && (*best)->gain * margin >= other->gain) {
        blocks_plan_free(other);
        return;
    }
    blocks_plan_free(*best);
    *best = other;
}

/* The best way for so many threads; the simplest one if it is nearly as good as can be. */
static bool find_way(BlocksPlan **out, const Blocks *b, int32_t threads)
{
    const double enough = 0.85, better = 1.05;
    const int64_t least = 500; /* entries of a part, on the average */
    if (!blocks_share(out, b, threads))
        return false;
    for (int32_t parts = 2 * threads; parts <= 16 * threads; parts *= 2) {
        BlocksPlan *other = NULL;
        if ((*out)->gain >= enough * threads || b->entries < least * parts * b->blocks)
            break;
        if (!blocks_part(&other, b, threads, parts)) {
            blocks_plan_free(other);
            return false;
        }
        prefer(out, other, better);
    }
    return true;
}

bool blocks_plan_new(BlocksPlan **out, const Blocks *b, int32_t threads)
{
    const double better = 1.05, worth = 1.15;
    BlocksPlan *best = NULL;
    bool ok = true;
    for (int32_t t = threads; t > 1 && ok; t /= 2) { /* fewer, if they are as good */
        BlocksPlan *other = NULL;
        ok = find_way(&other, b, t);
        if (ok)
            prefer(&best, other, 1 / better);
        else
            blocks_plan_free(other);
    }
    if (!ok || (best && best->gain < worth)) {
        blocks_plan_free(best);
        best = NULL;
    }
    *out = best;
    return ok;
}
