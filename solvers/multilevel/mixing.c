/* Anderson acceleration, with an orthonormal basis of the differences of changes. */
#include "solvers/multilevel/mixing.h"

#include <math.h>
#include <string.h>

#include "solvers/multilevel/tuning.h"

/* Where the vectors are: of this cycle and of the last one; of a direction. */
static double *now(const Mixing *m)
{
    return m->vectors;
}
static double *change_now(const Mixing *m)
{
    return m->vectors + m->flow->n;
}
static double *last(const Mixing *m)
{
    return m->vectors + 2 * (size_t)m->flow->n;
}
static double *change_last(const Mixing *m)
{
    return m->vectors + 3 * (size_t)m->flow->n;
}
static double *step_of(const Mixing *m, int32_t k)
{
    return m->vectors + (4 + 2 * (size_t)k) * (size_t)m->flow->n;
}
static double *change_of(const Mixing *m, int32_t k)
{
    return step_of(m, k) + m->flow->n;
}

Mixing mixing_start(const Flow *flow, double *vectors)
{
    return (Mixing){.flow = flow, .vectors = vectors};
}

void mixing_forget(Mixing *m)
{
    m->count = m->next = 0;
    m->begun = false;
}

/* The difference to the last cycle as a direction: its change of length 1, orthogonal to those of the others. */
static void add_direction(Mixing *m)
{
    const Flow *flow = m->flow;
    double *step = step_of(m, m->next), *change = change_of(m, m->next);
    for (int32_t i = 0; i < flow->n; i++) {
        step[i] = now(m)[i] - last(m)[i];
        change[i] = change_now(m)[i] - change_last(m)[i];
    }
    for (int32_t k = 0; k < m->count; k++)
        if (k != m->next) {
            const double share = flow_dot(flow, change_of(m, k), change);
            flow_axpy(flow, -share, change_of(m, k), change);
            flow_axpy(flow, -share, step_of(m, k), step);
        }
    const double length = sqrt(flow_dot(flow, change, change));
    if (!(length > 0))
        return;
    for (int32_t i = 0; i < flow->n; i++) {
        step[i] /= length;
        change[i] /= length;
    }
    m->next = (m->next + 1) % MIXED;
    m->count += m->count < MIXED;
}

/* Of a logarithm, by the flow.  Cycles for 40 and 60 voters of four opinions, and 35 of five, by powers 0, 1/16, 1/8 and 1/4:
 * 31 46 28, 28 52 25, 25 45 24, 23 46 31. */
static double weight(double flow)
{
    return sqrt(sqrt(sqrt(flow)));
}

double mixing_step(Mixing *m, const double *old, double *y)
{
    const Flow *flow = m->flow;
    const size_t bytes = (size_t)flow->n * sizeof *y;
    for (int32_t i = 0; i < flow->n; i++) {
        now(m)[i] = log(y[i]);
        change_now(m)[i] = weight(y[i]) * log(y[i] / old[i]);
    }
    const double length = sqrt(flow_dot(flow, change_now(m), change_now(m)));
    if (!(length <= WORSE_CHANGE * m->change))
        mixing_forget(m);
    else if (m->begun)
        add_direction(m);
    memcpy(last(m), now(m), bytes);
    memcpy(change_last(m), change_now(m), bytes);
    m->begun = true;
    m->change = length;
    for (int32_t k = 0; k < m->count; k++)
        flow_axpy(flow, -flow_dot(flow, change_last(m), change_of(m, k)), step_of(m, k), now(m));
    for (int32_t i = 0; i < flow->n; i++)
        y[i] *= exp(fmax(-MOST_MIXED, fmin(MOST_MIXED, now(m)[i] - last(m)[i])));
    return length;
}
