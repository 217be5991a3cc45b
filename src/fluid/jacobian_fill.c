/* Refills the Jacobian: a sweep backwards over flows for each of its rows. */
#include <math.h>
#include <string.h>

#include "fluid/field.h"

/* From the slopes of the row's flows to j->sum. */
static void sweep(FluidField *f, int32_t row, const uint8_t *side)
{
    FluidJacobian *j = &f->jacobian;
    const Flows *flows = &f->p->rates;
    for (int32_t k = j->first[row]; k < j->first[row + 1]; k++) {
        const int32_t i = j->flow[k], unknown = j->unknown[i];
        const Flow *flow = &flows->flow[i];
        const double slope = j->slope[i];
        j->slope[i] = 0;
        if (slope == 0)
            continue;
        if (unknown >= 0 && unknown != row)
            j->sum[unknown] += slope;
        else if (flow->op != EXPR_COUNT)
            flow_descend(flows, flow, f->value, side, slope, j->slope);
        else
            for (int32_t b = f->basis.row[flow->a]; b < f->basis.row[flow->a + 1]; b++)
                j->sum[f->basis.col[b]] += slope * f->basis.value[b];
    }
}

static void start_row(FluidField *f, int32_t row)
{
    FluidJacobian *j = &f->jacobian;
    if (row >= j->variables) /* its flow is the first of its sweep */
        j->slope[j->flow[j->first[row]]] = 1;
    else
        for (int32_t k = f->row[row]; k < f->row[row + 1]; k++)
            j->slope[f->p->moves[f->change[k].move].rate] += f->change[k].by;
}

static void take_row(FluidJacobian *j, int32_t row)
{
    for (int32_t k = j->m.row[row]; k < j->m.row[row + 1]; k++) {
        const int32_t col = j->m.col[k];
        j->m.value[k] = j->sum[col];
        j->sum[col] = 0;
        if (j->m.value[k] != 0)
            j->counts[col] = true;
    }
}

/* The size of an intermediate flow is what its largest slope makes of the size of an unknown. */
static void put_sizes(FluidJacobian *j)
{
    for (int32_t i = j->m.rows; i-- > j->variables;) {
        double most = 0;
        for (int32_t k = j->m.row[i]; k < j->m.row[i + 1]; k++)
            most = fmax(most, fabs(j->m.value[k]) * j->size[j->m.col[k]]);
        j->size[i] = most > 0 && isfinite(most) ? most : 1;
    }
}

void field_jacobian(FluidField *f, const uint8_t *side)
{
    FluidJacobian *j = &f->jacobian;
    memset(j->counts, 0, (size_t)j->m.rows * sizeof *j->counts);
    for (int32_t i = 0; i < j->m.rows; i++) {
        if (i < j->variables || j->counts[i]) { /* what does not count may have no value */
            start_row(f, i);
            sweep(f, i, side);
        }
        take_row(j, i);
    }
    put_sizes(j);
    for (int32_t i = 0; i < j->m.rows; i++)
        for (int32_t k = j->m.row[i]; k < j->m.row[i + 1]; k++)
            j->m.value[k] *= j->size[j->m.col[k]] / j->size[i];
}

void jacobian_sums(const FluidJacobian *j, double *sum)
{
    for (int32_t i = j->m.rows; i-- > 0;) {
        sum[i] = 0;
        for (int32_t k = j->m.row[i]; k < j->m.row[i + 1]; k++) {
            const int32_t col = j->m.col[k];
            sum[i] += fabs(j->m.value[k]) * (col < j->variables ? 1 : sum[col]);
        }
    }
}
