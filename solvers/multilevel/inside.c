/* The flows within groups, given what flows in from the others: exactly. */
#include "solvers/multilevel/levels.h"

#include "base/bucket.h"
#include "base/mem.h"

void inside_free(Inside *in)
{
    mem_free_all(in->first, in->member, in->place, in->leave, in->row, in->col, in->val, in->x);
    *in = (Inside){0};
}

static void list_members(Inside *in)
{
    for (int32_t i = 0; i < in->flow->n; i++)
        bucket_count(in->first, in->group[i]);
    bucket_starts(in->first, in->groups);
    for (int32_t i = 0; i < in->flow->n; i++)
        in->member[bucket_place(in->first, in->group[i])] = i;
    for (int32_t g = 0; g < in->groups; g++)
        for (int64_t m = in->first[g]; m < in->first[g + 1]; m++)
            in->place[in->member[m]] = (int32_t)(m - in->first[g]);
}

/* States of the largest group. */
static int64_t largest(const Inside *in)
{
    int64_t most = 0;
    for (int32_t g = 0; g < in->groups; g++)
        if (in->first[g + 1] - in->first[g] > most)
            most = in->first[g + 1] - in->first[g];
    return most;
}

/* The chances to leave the groups; returns the most entries that lie within one. */
static int64_t find_ways_out(Inside *in)
{
    const Flow *flow = in->flow;
    int64_t most = 0;
    for (int32_t g = 0; g < in->groups; g++) {
        int64_t its = 0;
        for (int64_t m = in->first[g]; m < in->first[g + 1]; m++) {
            const int32_t i = in->member[m];
            for (int64_t k = flow->row[i]; k < flow->row[i + 1]; k++)
                if (in->group[flow->col[k]] == g)
                    its++;
                else
                    in->leave[flow->col[k]] += flow_val(flow, k);
        }
        most = its > most ? its : most;
    }
    return most;
}

static PepaStatus reserve(Inside *in)
{
    const size_t states = (size_t)largest(in);
    if (states > INSIDE_STATES)
        return PEPA_ELIMIT;
    const int64_t entries = find_ways_out(in);
    return mem_new(in->row, states + 1) && mem_new(in->col, entries) && mem_new(in->val, entries) &&
                   mem_new(in->x, 3 * states)
               ? PEPA_OK
               : PEPA_ENOMEM;
}

PepaStatus inside_new(Inside *out, const Flow *flow, const int32_t *group, int32_t groups)
{
    Inside in = {.flow = flow, .group = group, .groups = groups};
    PepaStatus status = PEPA_ENOMEM;
    if (mem_new_zeroed(in.first, (size_t)groups + 2) && mem_new(in.member, flow->n) &&
        mem_new(in.place, flow->n) && mem_new_zeroed(in.leave, flow->n)) {
        list_members(&in);
        status = reserve(&in);
    }
    if (status != PEPA_OK)
        inside_free(&in);
    *out = in;
    return status;
}

/* The states of a group as a chain of their own, with what flows in from others as sources.
 *   *comes  the sum of these */
static Flow chain_of(const Inside *in, int32_t g, const double *y, double *comes)
{
    const Flow *flow = in->flow;
    const int64_t first = in->first[g];
    const int32_t n = (int32_t)(in->first[g + 1] - first);
    double *b = in->x + n, *leave = b + n;
    *comes = 0;
    in->row[0] = 0;
    for (int32_t m = 0; m < n; m++) {
        const int32_t i = in->member[first + m];
        int64_t end = in->row[m];
        b[m] = 0;
        leave[m] = in->leave[i];
        for (int64_t k = flow->row[i]; k < flow->row[i + 1]; k++) {
            const int32_t from = flow->col[k];
            if (in->group[from] != g) {
                b[m] += flow_val(flow, k) * y[from];
                continue;
            }
            in->col[end] = in->place[from];
            in->val[end++] = flow_val(flow, k);
        }
        in->row[m + 1] = end;
        *comes += b[m];
    }
    return (Flow){.n = n, .row = in->row, .col = in->col, .val = in->val, .b = b, .leave = leave};
}

/* Through one state flows what comes, over the chance to leave it.  Rounding may leave an answer out of
 * balance by more than its sources; no other would be better. */
static PepaStatus solve_group(const Inside *in, int32_t g, const Control *control, double *y)
{
    const int32_t *member = in->member + in->first[g];
    Control its = *control;
    Outcome out;
    double comes;
    const Flow chain = chain_of(in, g, y, &comes);
    if (!(comes > 0) || (chain.n == 1 && !(chain.leave[0] > 0)))
        return PEPA_OK;
    its.work = INSIDE_PASSES * (double)(chain.row[chain.n] + chain.n);
    for (int32_t m = 0; m < chain.n; m++)
        in->x[m] = y[member[m]];
    PepaStatus status = PEPA_OK;
    if (chain.n == 1)
        in->x[0] = chain.b[0] / chain.leave[0];
    else
        status = attempt_run(&method_gth, &chain, &its, in->x, &out, NULL);
    if (status == PEPA_ENOCONV)
        status = PEPA_OK;
    for (int32_t m = 0; status == PEPA_OK && m < chain.n; m++)
        y[member[m]] = in->x[m];
    return status;
}

PepaStatus inside_solve(const Inside *in, const Control *control, Attempt *try, double *y)
{
    PepaStatus status = PEPA_OK;
    for (int32_t g = 0; g < in->groups && status == PEPA_OK; g++) {
        const int64_t work = (int64_t)INSIDE_PASSES * (in->first[g + 1] - in->first[g]);
        status = try && monitor_cancels(&try->monitor, work, try->iterations, try->criterion)
                     ? PEPA_ECANCEL
                     : solve_group(in, g, control, y);
    }
    return status;
}
