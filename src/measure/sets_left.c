/* Sweeps may have left rare states far off, and groups of states between which little flows. */
#include "measure/sets_left.h"

#include <math.h>

#include "base/budget.h"
#include "base/mem.h"
#include "solvers/tuning.h"

typedef struct {
    const SteadyJob *job;
    const Blocks *blocks;
    double *x;
    int64_t memory;
} Looking;

static bool may(const Looking *l, double bytes)
{
    return blocks_agree(l->blocks, budget_allows(l->memory, bytes));
}

static int64_t states_of(const Looking *l)
{
    return l->blocks->offset[l->blocks->blocks];
}

/* Of all processes the one in which most has changed. */
static void largest(const Looking *l, Drift *change)
{
    const PepaProcesses *p = blocks_processes(l->blocks);
    double both[] = {change->rare, change->growth};
    if (p)
        p->largest(p->user, both, 2);
    change->rare = both[0];
    change->growth = both[1];
}

/* Sweeps go on as long as each leaves little of what the one before has changed.
 *   rare    those that count are wanted as well as those that hold next to nothing
 *   before  scratch, per state
 *   grown   NULL, or out, per state: whether the last one made it grow */
static Drift sweep_on(const Looking *l, bool rare, double *before, const BlocksWorkspace *work,
                      uint8_t *grown)
{
    const int64_t n = states_of(l);
    double *x = l->x, last = HUGE_VAL;
    Drift change = {0};
    for (bool more = true; more;) {
        blocks_sweep(l->blocks, x, 1, work, &(Iterate){.whole = before}, NULL);
        change.rare = rare ? flow_rare_change(NULL, (int32_t)n, x, before) : 0;
        change.growth = flow_growth((int32_t)n, x, before);
        largest(l, &change);
        const double most = fmax(change.rare, change.growth);
        more = most > RARE_SWEPT && most <= SWEPT_FALL * last;
        last = most;
    }
    blocks_finish(l->blocks);
    for (int64_t i = 0; grown && i < n; i++)
        grown[i] = x[i] > (1 + RARE_SWEPT) * before[i];
    (void)blocks_normalise(l->blocks, x, work);
    blocks_renew(l->blocks, x);
    return change;
}

/* What the last sweep changed; nothing without memory to see it. */
static Drift settle_rare_states(const Looking *l, bool rare, uint8_t *grown)
{
    const int64_t n = states_of(l);
    double *before = NULL;
    Drift change = {0};
    BlocksWorkspace work = {0};
    const bool fits = n <= INT32_MAX && budget_allows(l->memory, (double)n * sizeof *before);
    if (blocks_agree(l->blocks, fits && mem_new(before, n) &&
                                    blocks_workspace_init(&work, l->blocks, l->job->set->threads)))
        change = sweep_on(l, rare, before, &work, grown);
    blocks_workspace_free(&work);
    mem_free(before);
    return change;
}

/* Are groups of states in balance, those as well that hold next to nothing, of which some have grown by so much of themselves?
 * Without memory to see it, they count as that.
 *   grown  as of settle_rare_states; those whose groups grow are added */
static bool is_balanced(const Looking *l, double growth, uint8_t *grown)
{
    if (!may(l, blocks_imbalance_bytes(l->blocks) + blocks_passing_bytes(l->blocks)))
        return true;
    const Drift off = blocks_imbalance(l->blocks, l->x, l->job->info->residual, grown);
    return flow_balanced(off, LARGE_DRIFT * l->job->set->solve.tolerance) &&
           !blocks_may_fill(l->blocks, l->x, fmax(off.growth, growth), grown, l->memory);
}

const char *sets_left_to_do(const SteadyJob *job, const Blocks *blocks, double *x, int64_t memory,
                            RareJumps jumps)
{
    const Looking l = {job, blocks, x, memory};
    uint8_t *grown = NULL; /* without memory all states count as that */
    if (budget_allows(memory, (double)states_of(&l)))
        (void)mem_new_zeroed(grown, states_of(&l));
    const Drift change = settle_rare_states(&l, jumps != NO_RARE_JUMPS, grown);
    const bool balanced = is_balanced(&l, change.growth, grown);
    mem_free(grown);
    if (!balanced)
        job->info->caution = job->set->solve.method != PEPA_AUTO ? uneven_caution
                             : blocks->share                     ? uneven_shared_caution
                                                                 : uneven_free_caution;
    else if (change.rare > RARE_UNSETTLED)
        job->info->caution = rare_caution;
    return change.rare > RARE_SWEPT ? "rare states unsettled"
           : !balanced              ? "groups of states out of balance"
                                    : "";
}
