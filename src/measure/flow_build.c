#include "measure/flow_build.h"

#include <string.h>

void flow_free(FlowOwner *flow)
{
    mem_free(flow->row);
    mem_free(flow->col);
    mem_free(flow->val);
    mem_free(flow->exit);
    *flow = (FlowOwner){0};
}

Flow flow_view(const FlowOwner *flow, const double *b)
{
    return (Flow){flow->n, flow->row, flow->col, flow->val, flow->exit, b};
}

static double exit_rate(const Chain *c, int32_t s)
{
    double exit = 0;
    for (int64_t k = c->row[s]; k < c->row[s + 1]; k++)
        exit += c->target[k] == s ? 0 : chain_rate(c, k);
    return exit;
}

/* row[i + 1]: how many distinct sources state i has; last[i]: scratch. */
static void count_sources(FlowOwner *f, const Chain *c, const int32_t *order, const int32_t *place,
                          int32_t *last)
{
    for (int32_t i = 0; i < f->n; i++) {
        int32_t s = order[i];
        for (int64_t k = c->row[s]; k < c->row[s + 1]; k++) {
            int32_t to = place[c->target[k]];
            if (c->target[k] == s || to < 0 || last[to] == i)
                continue;
            last[to] = i;
            f->row[to + 1]++;
        }
    }
}

/* Sources come in ascending order, so those of one target stand in ascending order too, and a
 * second transition between the same two states meets the entry of the first at the end. */
void flow_fill(FlowOwner *f, const Chain *c, const int32_t *order, const int32_t *place,
               int64_t *end)
{
    memcpy(end, f->row, (size_t)f->n * sizeof *end);
    for (int32_t i = 0; i < f->n; i++) {
        int32_t s = order[i];
        f->exit[i] = exit_rate(c, s);
        for (int64_t k = c->row[s]; k < c->row[s + 1]; k++) {
            int32_t to = place[c->target[k]];
            if (c->target[k] == s || to < 0)
                continue;
            double p = chain_rate(c, k) / f->exit[i];
            int64_t at = end[to];
            if (at > f->row[to] && f->col[at - 1] == i) {
                f->val[at - 1] += p;
                continue;
            }
            f->col[at] = i;
            f->val[at] = p;
            end[to] = at + 1;
        }
    }
}

PepaStatus flow_build(FlowOwner *out, const Chain *chain, const int32_t *order, int32_t n,
                      const int32_t *place, PepaError *err)
{
    FlowOwner f = {.n = n};
    int32_t *last = mem_alloc((size_t)n, sizeof *last);
    f.row = mem_calloc((size_t)n + 1, sizeof *f.row);
    f.exit = mem_alloc((size_t)n, sizeof *f.exit);
    bool ok = last && f.row && f.exit;
    if (ok) {
        memset(last, -1, (size_t)n * sizeof *last);
        count_sources(&f, chain, order, place, last);
        for (int32_t i = 0; i < n; i++)
            f.row[i + 1] += f.row[i];
        f.col = mem_alloc((size_t)f.row[n], sizeof *f.col);
        f.val = mem_alloc((size_t)f.row[n], sizeof *f.val);
        ok = f.col && f.val;
    }
    if (ok)
        *out = f;
    else
        flow_free(&f);
    mem_free(last);
    return ok ? PEPA_OK : error_memory(err);
}
