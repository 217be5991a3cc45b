/* Groups of states that processes share, each of which knows of its own states and of what flows into them. */
#include "solvers/parts.h"

#include <math.h>

#include "base/mem.h"
#include "solvers/internal.h"

/* Parts, in all. */
enum { MOST_PARTS = 1 << 20 };

int32_t group_first(int32_t *group, int32_t i)
{
    while (group[i] != i)
        i = group[i] = group[group[i]];
    return i;
}

void group_join(int32_t *group, int32_t i, int32_t j)
{
    i = group_first(group, i);
    j = group_first(group, j);
    group[i > j ? i : j] = i > j ? j : i;
}

int32_t group_number(int32_t *group, int32_t n)
{
    int32_t count = 0;
    for (int32_t i = 0; i < n; i++)
        group[i] = group[i] == i ? count++ : group[group[i]];
    return count;
}

/* ---- parts ------------------------------------------------------------------------------------- */

static bool agree(const PepaProcesses *p, bool ok)
{
    double fails = !ok;
    p->largest(p->user, &fails, 1);
    return fails == 0;
}

/* How many each process has; false: too many. */
static bool count_parts(GroupParts *parts, double *count)
{
    const PepaProcesses *p = parts->processes;
    double all = 0;
    count[p->rank] = parts->own;
    p->sum(p->user, count, p->count);
    for (int32_t k = 0; k < p->count; k++) {
        if (k == p->rank)
            parts->first = (int32_t)fmin(all, INT32_MAX);
        all += count[k];
    }
    parts->all = (int32_t)fmin(all, INT32_MAX);
    return all <= MOST_PARTS;
}

bool parts_new(GroupParts *out, const PepaProcesses *processes, int32_t own)
{
    double *count = NULL;
    *out = (GroupParts){.processes = processes, .own = own};
    bool ok = agree(processes, mem_new_zeroed(count, processes->count));
    if (ok && (ok = count_parts(out, count))) {
        ok = agree(processes, mem_new(out->group, out->all) && mem_new(out->least, out->all));
        for (int32_t k = 0; ok && k < out->all; k++)
            out->group[k] = k;
    }
    mem_free(count);
    const int32_t all = out->all;
    if (!ok)
        parts_free(out);
    out->all = all;
    return ok;
}

void parts_free(GroupParts *parts)
{
    mem_free_all(parts->group, parts->least);
    *parts = (GroupParts){0};
}

/* Each process joins what it knows of, and hears what others have joined, until nobody hears anything new. */
static void join_all(GroupParts *parts)
{
    const PepaProcesses *p = parts->processes;
    for (bool news = true; news;) {
        for (int32_t k = 0; k < parts->all; k++)
            parts->least[k] = -group_first(parts->group, k);
        p->largest(p->user, parts->least, parts->all);
        news = false;
        for (int32_t k = 0; k < parts->all; k++) {
            const int32_t other = (int32_t)-parts->least[k];
            if (group_first(parts->group, k) == group_first(parts->group, other))
                continue;
            group_join(parts->group, k, other);
            news = true;
        }
        news = !agree(p, !news);
    }
}

int32_t parts_number(GroupParts *parts)
{
    join_all(parts);
    return group_number(parts->group, parts->all);
}

/* ---- flows between groups ---------------------------------------------------------------------- */

bool group_flows_new(GroupFlows *out, int32_t groups)
{
    *out = (GroupFlows){.groups = groups};
    if (mem_new_zeroed(out->in, groups) && mem_new_zeroed(out->out, groups) &&
        mem_new_zeroed(out->held, groups))
        return true;
    group_flows_free(out);
    return false;
}

void group_flows_free(GroupFlows *flows)
{
    mem_free_all(flows->in, flows->out, flows->held);
    *flows = (GroupFlows){0};
}

Drift group_flows_off(GroupFlows *f, const PepaProcesses *processes)
{
    double *const part[] = {f->in, f->out, f->held};
    double whole = 0, sum = 0;
    Drift off = {0};
    for (int k = 0; processes && k < 3; k++)
        processes->sum(processes->user, part[k], f->groups);
    for (int32_t g = 0; g < f->groups; g++) {
        whole += f->held[g];
        if (f->in[g] > 0 || f->out[g] > 0) /* else it may be alone as well as not */
            f->in[g] = f->held[g] > 0 ? f->held[g] * (f->in[g] / f->out[g]) : 0;
        else
            f->in[g] = f->held[g];
        sum += f->in[g];
    }
    for (int32_t g = 0; g < f->groups; g++) {
        f->in[g] /= sum;
        f->held[g] /= whole;
        off.time += fabs(f->in[g] - f->held[g]);
    }
    off.rare = flow_rare_change(NULL, f->groups, f->in, f->held);
    off.growth = flow_growth(f->groups, f->in, f->held);
    if (!isfinite(off.time))
        off.time = HUGE_VAL;
    return off;
}

/* ---- rows that processes share ----------------------------------------------------------------- */

/* Own states come first, then those of others that flow into them. */
typedef struct {
    const Flow *flow;
    const double *y; /* per own state */
    double *others;  /* per state of others: its flow */
    int32_t n, all;
    int32_t *group; /* per state */
    GroupFlows between;
} Rows;

/* What flows from state j, which may be another's, into own state i. */
typedef void EntryTask(void *user, int32_t i, int32_t j, double flow);

static void each_entry(const Rows *r, EntryTask *task, void *user)
{
    const Flow *flow = r->flow;
    const FlowShare *s = flow->share;
    for (int32_t i = 0; i < r->n; i++)
        for (int64_t k = flow->row[i]; k < flow->row[i + 1]; k++)
            task(user, i, flow->col[k], flow_val(flow, k) * r->y[flow->col[k]]);
    for (int32_t m = 0; m < s->rows; m++)
        for (int64_t k = s->row[m]; k < s->row[m + 1]; k++)
            task(user, s->place[m], r->n + s->col[k], flow_share_val(s, k) * r->others[s->col[k]]);
}

typedef struct {
    const Rows *rows;
    double common;
    double *most;    /* per own state: the largest flow from one with more, ... */
    int32_t *uphill; /* ... and that state */
} Climb;

static void climb(void *user, int32_t i, int32_t j, double flow)
{
    const Climb *c = user;
    const Rows *r = c->rows;
    const double from = j < r->n ? r->y[j] : r->others[j - r->n];
    const bool higher = from > r->y[i] || (from >= r->y[i] && (j < i || j >= r->n));
    if (flow >= c->common) {
        if (r->group[i] != r->group[j])
            group_join(r->group, i, j);
    } else if (higher && flow > c->most[i]) {
        c->most[i] = flow;
        c->uphill[i] = j;
    }
}

static bool find_parts(Rows *r, double common)
{
    Climb c = {.rows = r, .common = common};
    const bool ok = mem_new_zeroed(c.most, r->n) && mem_new(c.uphill, r->n);
    for (int32_t i = 0; i < r->all; i++)
        r->group[i] = i;
    for (int32_t i = 0; ok && i < r->n; i++)
        c.uphill[i] = i;
    if (ok)
        each_entry(r, climb, &c);
    for (int32_t i = 0; ok && i < r->n; i++)
        group_join(r->group, i, c.uphill[i]);
    (void)group_number(r->group, r->all);
    mem_free_all(c.most, c.uphill);
    return ok;
}

/* The numbers of sent states go the way that flows do.  0: they are too many; -1: memory is out. */
static int32_t merge(Rows *r)
{
    const FlowShare *s = r->flow->share;
    const PepaProcesses *p = s->processes;
    double *label = s->buffer + s->sent_count;
    GroupParts parts;
    int32_t own = 0;
    for (int32_t i = 0; i < r->n; i++)
        own = r->group[i] >= own ? r->group[i] + 1 : own;
    if (!parts_new(&parts, p, own))
        return parts.all > MOST_PARTS ? 0 : -1;
    for (int32_t i = 0; i < s->sent_count; i++)
        s->buffer[i] = parts.first + r->group[s->sent[i]];
    p->start(p->user, s->exchange, s->buffer);
    p->finish(p->user, s->exchange);
    for (int32_t i = r->n; i < r->all; i++)
        if (r->group[i] < own)
            group_join(parts.group, parts.first + r->group[i], (int32_t)label[i - r->n]);
    const int32_t groups = parts_number(&parts);
    for (int32_t i = 0; i < r->n; i++)
        r->group[i] = parts.group[parts.first + r->group[i]];
    for (int32_t i = r->n; i < r->all; i++)
        r->group[i] = parts.group[(int32_t)label[i - r->n]];
    parts_free(&parts);
    return groups;
}

static void cross(void *user, int32_t i, int32_t j, double flow)
{
    const Rows *r = user;
    if (r->group[i] == r->group[j])
        return;
    r->between.in[r->group[i]] += flow;
    r->between.out[r->group[j]] += flow;
}

static Drift off_balance(Rows *r, int32_t groups)
{
    const PepaProcesses *p = r->flow->share->processes;
    Drift off = {.time = NAN};
    if (agree(p, group_flows_new(&r->between, groups))) {
        each_entry(r, cross, r);
        for (int32_t i = 0; i < r->n; i++)
            r->between.held[r->group[i]] += r->y[i] / (r->flow->exit ? r->flow->exit[i] : 1);
        off = group_flows_off(&r->between, p);
    }
    group_flows_free(&r->between);
    return off;
}

/* The flows of others' states are then in the buffer. */
static int32_t count_others(const Flow *flow, const double *y)
{
    const FlowShare *s = flow->share;
    int32_t count = 0;
    flow_receive(flow, y);
    for (int64_t k = 0; k < s->row[s->rows]; k++)
        count = s->col[k] >= count ? s->col[k] + 1 : count;
    return count;
}

Drift flow_shared_imbalance(const Flow *flow, const double *y, double residual)
{
    const FlowShare *s = flow->share;
    const PepaProcesses *p = s->processes;
    Rows r = {.flow = flow, .y = y, .n = flow->n};
    const int32_t others = count_others(flow, y);
    double sum = 0;
    Drift off = {.time = NAN};
    r.all = r.n + others;
    for (int32_t i = 0; i < r.n; i++)
        sum += y[i];
    p->sum(p->user, &sum, 1);
    bool ok = agree(p, mem_new(r.group, r.all) && mem_new(r.others, others));
    for (int32_t i = 0; i < others && ok; i++)
        r.others[i] = s->buffer[s->sent_count + i];
    const double common = COMMON_FLOW * fmax(residual, LEAST_RESIDUAL) * sum;
    ok = ok && agree(p, find_parts(&r, common));
    if (ok) {
        const int32_t groups = merge(&r);
        off = groups > 1 ? off_balance(&r, groups) : (Drift){.time = groups < 0 ? NAN : 0};
    }
    mem_free_all(r.group, r.others);
    return off;
}
