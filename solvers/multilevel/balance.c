/* Whether groups of states are in balance, which residuals of states do not show where little flows between groups. */
#include "solvers/multilevel/levels.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "solvers/tuning.h"

/* The chain of groups of states, and what the groups hold. */
typedef struct {
    Coarse chain;
    double *flow, *time; /* per group: shares of probability flow, and of time */
} Parts;

static int32_t top(int32_t *above, int32_t i)
{
    while (above[i] != i)
        i = above[i] = above[above[i]];
    return i;
}

/* The state that most flows into i from, among those with more flow than i; -1: there is none. */
static int32_t uphill(const Flow *flow, const double *y, int32_t i)
{
    double most = 0;
    int32_t best = -1;
    for (int64_t k = flow->row[i]; k < flow->row[i + 1]; k++) {
        const int32_t j = flow->col[k];
        const bool higher = y[j] > y[i] || (y[j] >= y[i] && j < i);
        if (higher && flow_val(flow, k) * y[j] > most) {
            most = flow_val(flow, k) * y[j];
            best = j;
        }
    }
    return best;
}

/* The states from which the steepest way up leads to the same peak are a group: any two groups are apart by states
 * with less flow than the peaks.  group: n, out.  Returns how many there are.  O(entries). */
static int32_t find_hills(const Flow *flow, const double *y, int32_t *group)
{
    int32_t count = 0;
    for (int32_t i = 0; i < flow->n; i++) {
        const int32_t above = uphill(flow, y, i);
        group[i] = above < 0 ? i : above;
    }
    for (int32_t i = 0; i < flow->n; i++)
        group[i] = top(group, i);
    for (int32_t i = 0; i < flow->n; i++)
        if (group[i] == i)
            group[i] = -1 - count++;
    for (int32_t i = 0; i < flow->n; i++)
        group[i] = group[i] < 0 ? group[i] : group[group[i]];
    for (int32_t i = 0; i < flow->n; i++)
        group[i] = -1 - group[i];
    return count;
}

static void parts_free(Parts *parts)
{
    coarse_free(&parts->chain);
    mem_free_all(parts->flow, parts->time);
    *parts = (Parts){0};
}

/* Groups of the states of `flow`, which hold so much.  False: memory is out. */
static bool parts_new(Parts *out, const Flow *flow, const double *y, const Parts *held,
                      const int32_t *group, int32_t groups)
{
    *out = (Parts){0};
    const bool ok = coarse_new(&out->chain, flow, y, group, groups, NULL) == PEPA_OK &&
                    mem_new_zeroed(out->flow, groups) && mem_new_zeroed(out->time, groups);
    for (int32_t i = 0; i < flow->n && ok; i++) {
        out->flow[group[i]] += held->flow[i];
        out->time[group[i]] += held->time[i];
    }
    return ok;
}

/* What the groups would hold if what they hold came into balance with what flows in from the others as that is, with the same
 * sum.
 *   would  out: an entry per group */
static void would_hold(const Parts *parts, const double *held, double *would)
{
    const Flow *chain = &parts->chain.flow;
    double sum = 0, whole = 0;
    for (int32_t g = 0; g < chain->n; g++) {
        would[g] = held[g] * (flow_into(chain, parts->chain.y, g) / parts->chain.y[g]);
        sum += would[g];
        whole += held[g];
    }
    for (int32_t g = 0; g < chain->n; g++)
        would[g] *= whole / sum;
}

/* How much that is from what they hold.  would: scratch, an entry per group. */
static Drift parts_off(const Parts *parts, double *would)
{
    const int32_t n = parts->chain.flow.n;
    Drift off = {0};
    double whole = 0;
    would_hold(parts, parts->time, would);
    for (int32_t g = 0; g < n; g++) {
        off.time += fabs(would[g] - parts->time[g]);
        whole += parts->time[g];
    }
    off.time /= whole;
    would_hold(parts, parts->flow, would);
    off.rare = flow_rare_change(NULL, n, would, parts->flow);
    off.growth = flow_growth(n, would, parts->flow);
    return off;
}

bool flow_balanced(Drift imbalance, double most)
{
    return imbalance.time <= most && imbalance.rare <= RARE_UNSETTLED;
}

/* The states, as groups of one. */
static bool parts_of_states(Parts *out, const Flow *flow, const double *y)
{
    *out = (Parts){0};
    const bool ok = mem_new(out->flow, flow->n) && mem_new(out->time, flow->n);
    for (int32_t i = 0; i < flow->n && ok; i++) {
        out->flow[i] = y[i];
        out->time[i] = y[i] / (flow->exit ? flow->exit[i] : 1);
    }
    return ok;
}

double flow_imbalance_bytes(int64_t states, int64_t entries)
{
    return LEVEL_ENTRY_BYTES * (double)entries + LEVEL_STATE_BYTES * (double)states;
}

Drift flow_imbalance(const Flow *flow, const double *y)
{
    Drift worst = {0};
    Parts held;
    int32_t *group = mem_alloc((size_t)flow->n, sizeof *group), groups = 0;
    double *would = NULL;
    bool more = parts_of_states(&held, flow, y) && group;
    if (more)
        groups = find_hills(flow, y, group);
    more = more && groups > 1 && mem_new(would, groups);
    while (more) {
        Parts next;
        more = parts_new(&next, flow, y, &held, group, groups);
        parts_free(&held);
        held = next;
        if (!more)
            break;
        const Drift off = parts_off(&held, would);
        worst.time = fmax(worst.time, off.time);
        worst.rare = fmax(worst.rare, off.rare);
        worst.growth = fmax(worst.growth, off.growth);
        flow = &held.chain.flow;
        y = held.chain.y;
        if (groups > 2)
            groups = group_states(flow, y, group);
        more = groups > 1 && groups < flow->n;
    }
    parts_free(&held);
    mem_free_all(group, would);
    return worst;
}
