/* The Jacobian of a field in full, for tests: intermediate flows are put in, column by column. */
#ifndef PEPA_TESTS_FLUID_DENSE_JACOBIAN_H
#define PEPA_TESTS_FLUID_DENSE_JACOBIAN_H

#include "fluid/field.h"

/* After field_evaluate: d(dz/dt) / dz, r x r, rows first, in components. */
static inline void dense_jacobian(FluidField *f, const uint8_t *side, double *out)
{
    const Sparse *m = &f->jacobian.m;
    double *by = mem_calloc((size_t)m->rows + 1, sizeof *by);
    field_jacobian(f, side);
    for (int32_t c = 0; c < f->r && by; c++) {
        for (int32_t i = 0; i < f->r; i++)
            by[i] = i == c;
        for (int32_t i = m->rows; i-- > 0;) {
            double sum = 0;
            for (int32_t k = m->row[i]; k < m->row[i + 1]; k++)
                sum += m->value[k] == 0 ? 0 : m->value[k] * by[m->col[k]];
            if (i >= f->r)
                by[i] = sum;
            else
                out[(ptrdiff_t)i * f->r + c] = sum * f->scale[i] / f->scale[c];
        }
    }
    mem_free(by);
}

#endif
