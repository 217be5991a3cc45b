/* Closes chains that end: expected visits, y = P'y + b, are the steady state of a chain without sources.  One more
 * state stands for the end, and from there the chain begins anew, as b says.  Its flow is 1 where the others are
 * the visits.  Source: Kemeny and Snell, Finite Markov Chains, 1960, ch. 6. */
#include "solvers/internal.h"

#include "base/mem.h"
#include "solvers/rows/rows.h"

typedef struct {
    int64_t *row;
    int32_t *col;
    double *val;
} Entries;

static void add_entry(Entries *e, int64_t *end, int32_t col, double val)
{
    if (!(val > 0))
        return;
    e->col[*end] = col;
    e->val[(*end)++] = val;
}

/* leave: n, the chances to end */
static void fill(const Flow *flow, const double *leave, Entries *e)
{
    const int32_t n = flow->n;
    int64_t end = 0;
    for (int32_t i = 0; i < n; i++) {
        e->row[i] = end;
        for (int64_t k = flow->row[i]; k < flow->row[i + 1]; k++)
            add_entry(e, &end, flow->col[k], flow_val(flow, k));
        add_entry(e, &end, n, flow->b[i]);
    }
    e->row[n] = end;
    for (int32_t i = 0; i < n; i++)
        add_entry(e, &end, i, leave[i]);
    e->row[n + 1] = end;
}

double flow_closed_bytes(const Flow *flow)
{
    const double entries = (double)flow->row[flow->n] + 2.0 * flow->n;
    return entries * (sizeof(int32_t) + sizeof(double)) +
           (flow->n + 1.0) * (sizeof(int64_t) + sizeof(double));
}

bool flow_close(const Flow *flow, Flow *out)
{
    const int64_t entries = flow->row[flow->n] + 2 * (int64_t)flow->n;
    Entries e = {0};
    double *leave = NULL;
    bool ok = mem_new(e.row, (size_t)flow->n + 2) && mem_new(e.col, entries) &&
              mem_new(e.val, entries) && mem_new(leave, flow->n) && flow_ways_out(flow, leave);
    if (ok)
        fill(flow, leave, &e);
    mem_free(leave);
    *out = (Flow){.n = flow->n + 1, .row = e.row, .col = e.col, .val = e.val};
    return ok && flow_team_new(&out->team, out, flow->team ? flow->team->threads : 1);
}

void flow_closed_free(Flow *closed)
{
    flow_team_free(closed->team);
    mem_free_all((void *)closed->row, (void *)closed->col, (void *)closed->val);
}
