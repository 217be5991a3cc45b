/* Which schedule sweeps over rows follow. */
#include "solvers/rows/rows.h"

#include "base/mem.h"

void rows_plan_free(RowsPlan *plan)
{
    if (!plan)
        return;
    plan_free(plan->plan);
    mem_free_all(plan->slot, plan->group, plan->found, plan->change, plan);
}

double rows_plan_bytes(const Flow *flow)
{
    return 16.0 * flow->n;
}

/* Where tasks are cut within groups of rows whose changes are added up. */
static bool add_slots(RowsPlan *plan, int32_t n)
{
    const Plan *p = plan->plan;
    size_t groups = ((size_t)n + SUM_ROWS - 1) / SUM_ROWS, cuts = (size_t)p->tasks + 1;
    if (!(mem_new(plan->slot, cuts) && mem_new(plan->group, cuts) && mem_new(plan->found, groups)))
        return false;
    for (int32_t t = 0; t <= p->tasks; t++) {
        int32_t group = p->first[t] / SUM_ROWS;
        plan->slot[t] = -1;
        if (p->first[t] % SUM_ROWS == 0 || t == p->tasks)
            continue;
        if (plan->slots == 0 || plan->group[plan->slots - 1] != group)
            plan->group[plan->slots++] = group;
        plan->slot[t] = plan->slots - 1;
    }
    plan->change = mem_alloc((size_t)plan->slots, SUM_ROWS * sizeof *plan->change);
    return plan->change != NULL;
}

bool rows_plan_by(RowsPlan **out, const Flow *flow, bool lines, int32_t threads, int32_t grain,
                  double worth)
{
    Workers *workers = flow->team ? flow->team->workers : NULL;
    TaskGraph graph;
    Plan *plan = NULL;
    *out = NULL;
    bool ok = rows_graph_new(&graph, flow, lines ? threads : 0, grain, workers) &&
              plan_new(&plan, &graph, grain, threads, worth);
    if (!plan)
        return ok;
    if (!mem_new_zeroed(*out, 1)) {
        plan_free(plan);
        return false;
    }
    (*out)->plan = plan;
    if (add_slots(*out, flow->n))
        return true;
    rows_plan_free(*out);
    *out = NULL;
    return false;
}

/* Smaller tasks take too long to begin with; of few rows, there must be some for each thread.
 * `make bench-threads` shows what the choice gains. */
bool rows_plan_new(RowsPlan **out, const Flow *flow, int32_t threads)
{
    const int32_t largest = 512, least = 64, few = 32;
    const double worth = 1.15, good = 0.8, worth_lines = 1.4;
    int32_t grain = flow->n / (few * threads);
    RowsPlan *other = NULL;
    grain = grain < least ? least : grain < largest ? grain : largest;
    bool ok = rows_plan_by(out, flow, false, threads, grain, worth);
    if (!ok || (*out && (*out)->plan->gain >= good * threads))
        return ok;
    ok = rows_plan_by(&other, flow, true, threads, grain / 4, worth_lines);
    bool better = other && (!*out || other->plan->gain > (*out)->plan->gain);
    rows_plan_free(better ? *out : other);
    *out = better ? other : *out;
    return ok;
}
