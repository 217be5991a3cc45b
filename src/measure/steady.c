/* Shared by all forms of steady-state solution: first guess, solution by rows, report. */
#include "measure/steady.h"

#include <math.h>
#include <string.h>

#include "base/trail.h"

Control settings_control(const PepaSettings *set, int64_t memory)
{
    return (Control){.tolerance = set->solve.tolerance,
                     .max_iter = set->solve.max_iter,
                     .progress = set->progress,
                     .user = set->user,
                     .memory = memory};
}

Control stricter_control(const PepaSettings *set, int64_t memory)
{
    Control control = settings_control(set, memory);
    control.tolerance *= 0.9;
    control.precondition = set->solve.precondition;
    return control;
}

void evidence_begin(PepaSolveEvidence *e, const ChosenOrder *chosen, int64_t entries, double bytes)
{
    e->order = chosen->by;
    e->reversed = chosen->reversed;
    e->backward = chosen->backward;
    e->entries = entries;
    e->bytes = bytes;
    e->attempts = 0;
    e->answer = -1;
}

PepaInfo info_unsolved(const PepaSettings *set, const char *matrix)
{
    return (PepaInfo){.method = "none",
                      .matrix = matrix,
                      .precondition = "none",
                      .caution = "",
                      .tolerance = set->solve.tolerance};
}

static inline int64_t state_of(RowOrder layout, int32_t n, int32_t row)
{
    return layout.order ? layout.order[row] : layout.reversed ? n - 1 - row : row;
}

/* y_i = pi_i d_i of the guess in pi.  Methods start from equal shares if that has a NaN. */
static void first_guess(const FlowOwner *flow, RowOrder layout, const double *pi, double *y)
{
    for (int32_t i = 0; i < flow->n; i++) {
        double guess = pi[state_of(layout, flow->n, i)];
        y[i] = guess >= 0 ? guess * flow->exit[i] : NAN;
    }
}

/* pi_i = y_i / d_i, with the sum `weight`. */
static bool to_probabilities(const FlowOwner *flow, RowOrder layout, const double *y, double weight,
                             double *pi)
{
    double sum = 0;
    for (int32_t i = 0; i < flow->n; i++)
        sum += y[i] / flow->exit[i];
    for (int32_t i = 0; i < flow->n; i++)
        pi[state_of(layout, flow->n, i)] = weight * (y[i] / flow->exit[i] / sum);
    return isfinite(sum) && sum > 0;
}

static void note(const SteadyJob *job, const Outcome *out, const FlowOwner *flow, bool largest)
{
    PepaInfo *info = job->info;
    if (out->trail[0])
        trail_add(info->trail, sizeof info->trail, "%s", out->trail);
    if (!largest)
        return;
    info->method = out->method;
    info->iterations = out->iterations;
    info->matrix = flow->code ? "compact" : "explicit";
    info->precondition = out->precondition ? out->precondition : "none";
}

/* ---- keeping ------------------------------------------------------------------------------- */

/* A component whose flows are kept as probabilities of its states. */
typedef struct {
    const SteadyJob *job;
    const FlowOwner *flow;
    RowOrder layout;
    double weight;
} Kept;

static bool is_due(void *user)
{
    const Kept *kept = user;
    const Keeper *keeper = kept->job->keeper;
    return keeper->due(keeper->user);
}

/* With what other components have come to. */
static void keep(void *user, const double *y, const PepaProgress *now)
{
    const Kept *k = user;
    const Keeper *keeper = k->job->keeper;
    if (to_probabilities(k->flow, k->layout, y, k->weight, k->job->pi))
        keeper->keep(keeper->user, k->job->pi, now);
}

PepaStatus steady_solve_flow(const SteadyJob *job, const FlowOwner *flow, RowOrder layout,
                             PepaMethod method, const Control *control, double weight, bool largest,
                             double *y, double *scratch)
{
    Flow view = flow_view(flow, NULL);
    Outcome out = {0};
    Kept kept = {job, flow, layout, weight};
    const Keeper keeper = {&kept, is_due, keep};
    Control within = *control;
    within.keeper = job->keeper ? &keeper : NULL;
    if (!flow_team_new(&view.team, &view, job->set->threads))
        return error_memory(job->err);
    first_guess(flow, layout, job->pi, y);
    PepaStatus status = solve_flow(method, &view, &within, y, &out, job->err);
    if (status == PEPA_OK || status == PEPA_ENOCONV) {
        const char *caution = flow_caution(&view, y, &out, job->set->solve.tolerance, scratch);
        note(job, &out, flow, largest);
        if (caution[0])
            job->info->caution = caution;
    }
    flow_team_free(view.team);
    if (status == PEPA_OK && !to_probabilities(flow, layout, y, weight, job->pi))
        status = error_set(job->err, PEPA_ENOCONV, "the probabilities overflow");
    if (status == PEPA_ENOCONV)
        job->info->residual = fmax(job->info->residual, out.residual);
    return status;
}
