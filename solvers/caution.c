/* Why a residual within the tolerance may say little about the error: groups of states that the
 * chain hardly leaves, states with long stays, slow convergence. */
#include "solvers/internal.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "solvers/parts.h"
#include "solvers/tuning.h"

const char decomposable_caution[] =
    "some groups of states are joined by rare jumps only (chances below 1e-4); the residual hardly "
    "shows how probability is divided between them: compare with the method gth";
const char decomposable_suspicion[] =
    "some jumps are rare (chances below 1e-4); if groups of states are joined by rare jumps only, "
    "the residual hardly shows how probability is divided between them";

static bool is_common(const Flow *flow, int64_t entry)
{
    return flow_val(flow, entry) >= RARE_JUMP;
}

/* Mark the states that common jumps lead from to `root`, through states not marked before; returns
 * how many.  queue: n entries, scratch. */
static int32_t mark_sources(const Flow *flow, int32_t root, uint8_t *marked, int32_t *queue)
{
    int32_t count = 1;
    queue[0] = root;
    marked[root] = 1;
    for (int32_t at = 0; at < count; at++)
        for (int64_t k = flow->row[queue[at]]; k < flow->row[queue[at] + 1]; k++)
            if (!marked[flow->col[k]] && is_common(flow, k)) {
                marked[flow->col[k]] = 1;
                queue[count++] = flow->col[k];
            }
    return count;
}

bool flow_has_rare_jumps(const Flow *flow)
{
    for (int64_t k = 0; k < flow->row[flow->n]; k++)
        if (!is_common(flow, k))
            return true;
    return false;
}

/* No state is reached by common jumps from two groups that none leaves.  If one is reached from all
 * states, the last root is such a state. */
bool flow_nearly_decomposable(const Flow *flow)
{
    const int32_t n = flow->n;
    if (!flow_has_rare_jumps(flow))
        return false;
    int32_t *queue = mem_alloc((size_t)n, sizeof *queue), root = 0, count = n;
    uint8_t *marked = mem_calloc((size_t)n, 1);
    for (int32_t i = 0; queue && marked && i < n; i++)
        if (!marked[i])
            count = mark_sources(flow, root = i, marked, queue);
    if (count < n) {
        memset(marked, 0, (size_t)n);
        count = mark_sources(flow, root, marked, queue);
    }
    mem_free_all(queue, marked);
    return count < n;
}

const char *outcome_caution(const Outcome *out)
{
    if (out->shaky || out->iterations > SLOW_ITERATIONS)
        return "convergence was slow, which makes the error much larger than the residual: ask for "
               "a smaller tolerance and compare";
    return "";
}

#define UNEVEN                                                                                     \
    "little probability flows between some groups of states, and what flows into them is not "     \
    "what flows out: the residual hardly shows how probability is divided between them: "

const char uneven_caution[] = UNEVEN "compare with the methods auto and gth";
const char uneven_free_caution[] =
    UNEVEN "auto does better where it may write the matrix by rows, and has memory for that";
const char uneven_shared_caution[] =
    UNEVEN "one process does better, where it has memory for the matrix by rows";
const char rare_caution[] =
    "one more sweep still changes states that are hardly ever visited: results far below the "
    "tolerance may be wrong in every digit: compare with the methods gth or multilevel";

static const char unseen_caution[] = "memory was too little to see whether groups of states are in "
                                     "balance: allow more, or compare with one process";

/* Of processes that share a flow; of groups that hold next to nothing only where it is not known of single states. */
static const char *shared_caution(const Flow *flow, const double *y, const Outcome *out,
                                  double tolerance, const Drift *drift)
{
    const Drift off = flow_shared_imbalance(flow, y, out->residual);
    const double most = LARGE_DRIFT * tolerance;
    if (isnan(off.time))
        return unseen_caution;
    if (off.time <= most && drift->rare > RARE_UNSETTLED)
        return rare_caution;
    return flow_balanced(off, most) ? "" : uneven_shared_caution;
}

const char *flow_caution(const Flow *flow, const double *y, const Outcome *out, double tolerance,
                         double *scratch)
{
    if (out->caution)
        return out->caution;
    if (strcmp(out->method, "gth") == 0 || out->coupled)
        return outcome_caution(out);
    if (!flow->share && flow_nearly_decomposable(flow))
        return decomposable_caution;
    const bool look = y && !out->judged;
    const Drift off = look && !flow->share ? flow_imbalance(flow, y) : (Drift){0};
    if (out->uneven || !flow_balanced(off, LARGE_DRIFT * tolerance))
        return uneven_caution;
    const Drift drift = out->judged ? out->drift : y ? flow_drift(flow, y, scratch) : (Drift){0};
    if (flow->share && y) {
        const char *shared = shared_caution(flow, y, out, tolerance, &drift);
        if (shared[0])
            return shared;
    }
    if (look && flow_may_fill(flow, y, fmax(off.growth, drift.growth), 0))
        return uneven_caution;
    if (drift.time > LARGE_DRIFT * tolerance)
        return "one more sweep still moves probability between states with long stays: compare "
               "with the method gth, or ask for a smaller tolerance";
    if (drift.rare > RARE_UNSETTLED)
        return rare_caution;
    return outcome_caution(out);
}
