/* Nearly decomposable chains: the shares of groups of states that only rare jumps join. */
#include "solvers/multilevel/levels.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "base/scc.h"

typedef struct {
    const Flow *flow;
    double *y;
    int32_t *group, groups;  /* per state: its group; how many there are */
    double *residual, *mass; /* scratch: n entries; two per group */
} Coupling;

/* Groups: strongly connected by common jumps.  False: memory is out. */
static bool find_groups(Coupling *c)
{
    const Flow *flow = c->flow;
    Graph graph = {.n = flow->n};
    int64_t *row = NULL, count = 0;
    int32_t *target = NULL;
    bool ok = mem_new(row, (size_t)flow->n + 1) && mem_new(target, flow->row[flow->n]);
    for (int32_t i = 0; i < flow->n && ok; i++) {
        row[i] = count;
        for (int64_t k = flow->row[i]; k < flow->row[i + 1]; k++)
            if (flow_val(flow, k) >= RARE_JUMP)
                target[count++] = flow->col[k];
        row[i + 1] = count;
    }
    graph.row = row;
    graph.target = target;
    ok = ok && scc_find(&graph, c->group, &c->groups, NULL) == PEPA_OK;
    mem_free_all(row, target);
    return ok;
}

/* The largest residual of a group, relative to what flows through it. */
static double group_residual(const Coupling *c)
{
    double most = 0, *sum = c->mass, *off = c->mass + c->groups;
    memset(c->mass, 0, 2 * (size_t)c->groups * sizeof *c->mass);
    (void)flow_defect(c->flow, c->y, c->residual);
    for (int32_t i = 0; i < c->flow->n; i++) {
        sum[c->group[i]] += c->y[i];
        off[c->group[i]] += fabs(c->residual[i]);
    }
    for (int32_t g = 0; g < c->groups; g++)
        most = off[g] <= most * sum[g] ? most : off[g] / sum[g];
    return most;
}

/* Give the groups the shares that the chain of the groups has, at the rates that y gives it.
 *   *change  the most that a share has changed, as a part of itself
 * PEPA_OK, PEPA_ENOMEM, or what elimination returns. */
static PepaStatus share_out(Coupling *c, const Control *control, double *change)
{
    Coarse coarse = {0};
    double *z = NULL, before = 0, after = 0;
    Outcome out;
    PepaStatus status = coarse_new(&coarse, c->flow, c->y, c->group, c->groups);
    if (status == PEPA_OK && !mem_new(z, c->groups))
        status = PEPA_ENOMEM;
    if (status == PEPA_OK) {
        memcpy(z, coarse.y, (size_t)c->groups * sizeof *z);
        status = attempt_run(&method_gth, &coarse.flow, control, z, &out, NULL);
    }
    *change = 0;
    for (int32_t g = 0; g < c->groups && status == PEPA_OK; g++) {
        before += coarse.y[g];
        after += z[g];
    }
    for (int32_t g = 0; g < c->groups && status == PEPA_OK; g++) {
        z[g] = z[g] / after * before / coarse.y[g];
        *change = fmax(*change, fabs(z[g] - 1));
    }
    for (int32_t i = 0; i < c->flow->n && status == PEPA_OK; i++)
        c->y[i] *= z[c->group[i]];
    coarse_free(&coarse);
    mem_free(z);
    return status;
}

bool couple_groups(Attempt *try, double *y)
{
    const Control exact = {.tolerance = try->control->tolerance,
                           .memory = try->control->memory,
                           .work = COUPLING_WORK};
    Coupling c = {.flow = try->flow, .y = y};
    double change = HUGE_VAL, residual = HUGE_VAL;
    int32_t idle = 0; /* rounds without much progress */
    bool ok = mem_new(c.group, c.flow->n) && mem_new(c.residual, c.flow->n) && find_groups(&c) &&
              mem_new(c.mass, 2 * (size_t)c.groups);
    if (ok)
        flows_lift(c.flow->n, y);
    while (ok && !(change <= COUPLED && residual <= COUPLED) && idle < COUPLING_IDLE) {
        const double before = residual;
        ok = attempt_step(try, CYCLE_PASSES, residual) &&
             share_out(&c, &exact, &change) == PEPA_OK &&
             cycle_groups(c.flow, CYCLE_V, y) == PEPA_OK;
        residual = ok ? group_residual(&c) : HUGE_VAL;
        idle = residual <= COUPLING_FALL * before ? 0 : idle + 1;
    }
    mem_free_all(c.group, c.residual, c.mass);
    return ok && change <= COUPLED && residual <= COUPLED;
}
