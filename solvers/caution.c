/* Why a residual within the tolerance may say little about the error: groups of states that the
 * chain hardly leaves, states with long stays, slow convergence. */
#include "solvers/solver.h"

#include <string.h>

#include "base/mem.h"
#include "base/scc.h"
#include "solvers/tuning.h"

const char decomposable_caution[] =
    "some groups of states are joined by rare jumps only (chances below 1e-4); the residual hardly "
    "shows how probability is divided between them: compare with the method gth";
const char decomposable_suspicion[] =
    "some jumps are rare (chances below 1e-4); if groups of states are joined by rare jumps only, "
    "the residual hardly shows how probability is divided between them";

static bool is_common(const void *flow, int64_t entry)
{
    return flow_val(flow, entry) >= RARE_JUMP;
}

/* How many groups (strongly connected by common jumps) have no common jump to another group. */
static int32_t count_closed(const Flow *flow, const int32_t *group, int32_t groups, uint8_t *left)
{
    int32_t closed = 0;
    for (int32_t i = 0; i < flow->n; i++)
        for (int64_t k = flow->row[i]; k < flow->row[i + 1]; k++)
            if (is_common(flow, k) && group[flow->col[k]] != group[i])
                left[group[flow->col[k]]] = 1;
    for (int32_t g = 0; g < groups; g++)
        closed += !left[g];
    return closed;
}

bool flow_nearly_decomposable(const Flow *flow)
{
    int64_t entries = flow->row[flow->n], k = 0;
    while (k < entries && is_common(flow, k))
        k++;
    if (k == entries)
        return false;
    int32_t *group = mem_alloc((size_t)flow->n, sizeof *group), groups = 0;
    const Graph graph = {flow->n, flow->row, flow->col, is_common, flow};
    bool ok = group && scc_find(&graph, group, &groups, NULL) == PEPA_OK;
    uint8_t *left = ok ? mem_calloc((size_t)groups, 1) : NULL;
    bool apart = left && count_closed(flow, group, groups, left) > 1;
    mem_free_all(group, left);
    return apart;
}

const char *outcome_caution(const Outcome *out)
{
    if (out->shaky || out->iterations > SLOW_ITERATIONS)
        return "convergence was slow, which makes the error much larger than the residual: ask for "
               "a smaller tolerance and compare";
    return "";
}

const char *flow_caution(const Flow *flow, const double *y, const Outcome *out, double tolerance,
                         double *scratch)
{
    if (strcmp(out->method, "gth") == 0)
        return outcome_caution(out);
    if (flow_nearly_decomposable(flow))
        return decomposable_caution;
    if (y && flow_drift(flow, y, scratch) > LARGE_DRIFT * tolerance)
        return "one more sweep still moves probability between states with long stays: compare "
               "with "
               "the method gth, or ask for a smaller tolerance";
    return outcome_caution(out);
}
