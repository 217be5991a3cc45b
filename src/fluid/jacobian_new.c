/* Finds the pattern of the Jacobian, and the flows that each of its rows depends on. */
#include <stdlib.h>

#include "fluid/field.h"

/* Growing, while rows are made one after the other. */
typedef struct {
    const FluidField *f;
    FluidJacobian *j;
    size_t *uses;   /* per flow: by other flows, and by rows */
    double *weight; /* per flow: so many unknowns it depends on, at most */
    int32_t *cut;   /* intermediate flows, in the order of their rows */
    int32_t cuts;
    int32_t *seen_flow, *seen_col; /* per flow, per row: the last row that has it, or -1 */
    size_t flow_count, flow_cap, entry_count, entry_cap;
} Plan;

static bool is_leaf(const Flow *flow)
{
    return flow->op == EXPR_NUMBER || flow->op == EXPR_COUNT;
}

/* ---- intermediate flows ------------------------------------------------------------------------ */

static void count_uses(Plan *plan)
{
    const FluidField *f = plan->f;
    for (int32_t k = 0; k < f->row[f->r]; k++)
        plan->uses[f->p->moves[f->change[k].move].rate]++;
    for (size_t i = f->p->flow_count; i-- > 0;) {
        const Flow *flow = &f->p->rates.flow[i];
        const int32_t operand[] = {flow->a, flow->b, flow->c};
        for (int32_t k = 0; k < 3 && plan->uses[i] > 0 && !is_leaf(flow); k++)
            if (operand[k] >= 0)
                plan->uses[operand[k]]++;
    }
}

static double weight_of(const Plan *plan, const Flow *flow)
{
    const Sparse *basis = &plan->f->basis;
    const int32_t operand[] = {flow->a, flow->b, flow->c};
    double sum = 0;
    if (flow->op == EXPR_NUMBER)
        return 0;
    if (flow->op == EXPR_COUNT)
        return basis->row[flow->a + 1] - basis->row[flow->a];
    for (int32_t k = 0; k < 3; k++)
        sum += operand[k] < 0 ? 0 : plan->weight[operand[k]];
    return sum;
}

/* Of u rows that depend on w unknowns by one flow there are u w entries, or u + w with a row for the
 * flow.  That has its own costs: it must save most of them. */
static void choose_cuts(Plan *plan)
{
    const double saving = 4;
    for (size_t i = 0; i < plan->f->p->flow_count; i++) {
        const double u = (double)plan->uses[i], w = weight_of(plan, &plan->f->p->rates.flow[i]);
        const bool cut = u * w >= saving * (u + w) && u > 0;
        plan->weight[i] = cut ? 1 : w;
        plan->j->unknown[i] = cut ? 0 : -1;
        plan->cuts += cut;
    }
}

static bool name_cuts(Plan *plan)
{
    int32_t next = 0;
    if (!mem_new(plan->cut, plan->cuts))
        return false;
    for (size_t i = plan->f->p->flow_count; i-- > 0;)
        if (plan->j->unknown[i] >= 0) {
            plan->cut[next] = (int32_t)i;
            plan->j->unknown[i] = plan->f->r + next++;
        }
    return true;
}

/* ---- rows -------------------------------------------------------------------------------------- */

static int descending(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x < y) - (x > y);
}

static int ascending(const void *a, const void *b)
{
    return descending(b, a);
}

static bool visit(Plan *plan, int32_t row, int32_t flow)
{
    FluidJacobian *j = plan->j;
    if (plan->seen_flow[flow] == row || plan->f->p->rates.flow[flow].op == EXPR_NUMBER)
        return true;
    plan->seen_flow[flow] = row;
    if (!mem_grow(j->flow, plan->flow_cap, plan->flow_count + 1))
        return false;
    j->flow[plan->flow_count++] = flow;
    return true;
}

static bool put_entry(Plan *plan, int32_t row, int32_t col)
{
    if (plan->seen_col[col] == row)
        return true;
    plan->seen_col[col] = row;
    if (!mem_grow(plan->j->m.col, plan->entry_cap, plan->entry_count + 1))
        return false;
    plan->j->m.col[plan->entry_count++] = col;
    return true;
}

/* What a flow of the row's sweep leads to. */
static bool follow(Plan *plan, int32_t row, int32_t i)
{
    const Sparse *basis = &plan->f->basis;
    const Flow *flow = &plan->f->p->rates.flow[i];
    const int32_t operand[] = {flow->a, flow->b, flow->c}, unknown = plan->j->unknown[i];
    bool ok = true;
    if (unknown >= 0 && unknown != row)
        return put_entry(plan, row, unknown);
    if (flow->op == EXPR_COUNT) {
        for (int32_t k = basis->row[flow->a]; k < basis->row[flow->a + 1] && ok; k++)
            ok = put_entry(plan, row, basis->col[k]);
        return ok;
    }
    for (int32_t k = 0; k < 3 && ok; k++)
        ok = operand[k] < 0 || visit(plan, row, operand[k]);
    return ok;
}

static bool put_row(Plan *plan, int32_t row)
{
    const FluidField *f = plan->f;
    FluidJacobian *j = plan->j;
    const size_t flows = plan->flow_count, entries = plan->entry_count;
    bool ok = put_entry(plan, row, row);
    for (int32_t k = row < f->r ? f->row[row] : 0; row < f->r && k < f->row[row + 1] && ok; k++)
        ok = visit(plan, row, f->p->moves[f->change[k].move].rate);
    if (row >= f->r && ok)
        ok = visit(plan, row, plan->cut[row - f->r]);
    for (size_t k = flows; k < plan->flow_count && ok; k++)
        ok = follow(plan, row, j->flow[k]);
    if (!ok || plan->flow_count > INT32_MAX || plan->entry_count > INT32_MAX)
        return false;
    qsort(j->flow + flows, plan->flow_count - flows, sizeof *j->flow, descending);
    qsort(j->m.col + entries, plan->entry_count - entries, sizeof *j->m.col, ascending);
    j->first[row + 1] = (int32_t)plan->flow_count;
    j->m.row[row + 1] = (int32_t)plan->entry_count;
    return true;
}

static bool put_rows(Plan *plan)
{
    const FluidField *f = plan->f;
    FluidJacobian *j = plan->j;
    const int32_t rows = j->m.rows = f->r + plan->cuts;
    bool ok = mem_new_zeroed(j->m.row, rows + 1) && mem_new_zeroed(j->first, rows + 1) &&
              mem_new(plan->seen_col, rows) && mem_grow(j->flow, plan->flow_cap, 1) &&
              mem_grow(j->m.col, plan->entry_cap, 1);
    for (int32_t i = 0; i < rows && ok; i++)
        plan->seen_col[i] = -1;
    for (size_t i = 0; i < f->p->rates.count && ok; i++)
        plan->seen_flow[i] = -1;
    for (int32_t i = 0; i < rows && ok; i++)
        ok = put_row(plan, i);
    return ok && mem_new(j->m.value, plan->entry_count) && mem_new(j->size, rows) &&
           mem_new_zeroed(j->sum, rows) && mem_new(j->counts, rows);
}

bool jacobian_new(FluidJacobian *out, const FluidField *f)
{
    const size_t flows = f->p->rates.count;
    Plan plan = {.f = f, .j = out};
    *out = (FluidJacobian){.variables = f->r};
    bool ok = mem_new_zeroed(plan.uses, flows) && mem_new(plan.weight, flows) &&
              mem_new(plan.seen_flow, flows) && mem_new(out->unknown, flows) &&
              mem_new_zeroed(out->slope, flows);
    if (ok) {
        count_uses(&plan);
        choose_cuts(&plan);
        ok = name_cuts(&plan) && put_rows(&plan);
    }
    for (int32_t i = 0; i < f->r && ok; i++)
        out->size[i] = f->scale[i];
    mem_free_all(plan.uses, plan.weight, plan.cut, plan.seen_flow, plan.seen_col);
    return ok;
}

void jacobian_free(FluidJacobian *j)
{
    sparse_free(&j->m);
    mem_free_all(j->size, j->unknown, j->first, j->flow, j->sum, j->slope, j->counts);
    *j = (FluidJacobian){0};
}
