/* Whether states that hold next to nothing may have to fill up. */
#include "solvers/filling.h"

#include <math.h>

#include "base/budget.h"
#include "base/mem.h"
#include "solvers/solver.h"
#include "solvers/tuning.h"

bool filling_new(Filling *out, int32_t n, int64_t next)
{
    *out = (Filling){.n = n};
    if (mem_new(out->level, n) && mem_new(out->mean, n) && mem_new_zeroed(out->next, next))
        return true;
    filling_free(out);
    return false;
}

void filling_free(Filling *f)
{
    mem_free_all(f->level, f->mean, f->next);
    *f = (Filling){0};
}

double filling_bytes(int64_t states)
{
    return (2 * sizeof(float) + sizeof(double)) * (double)states;
}

void filling_begin(Filling *f, const double *y)
{
    for (int32_t i = 0; i < f->n; i++)
        f->level[i] = f->mean[i] = (float)log(fmax(y[i], LEAST_FILLED));
}

FillingFound filling_look(Filling *f, const PepaProcesses *processes)
{
    bool leads_up = true;
    for (int32_t i = 0; i < f->n && leads_up; i++)
        leads_up = (f->grown && !f->grown[i]) || f->mean[i] >= f->level[i] - LEVEL_ROUNDING;
    double fails = !leads_up;
    if (processes)
        processes->largest(processes->user, &fails, 1);
    f->steps++;
    return fails == 0 ? FILLING_NONE : f->steps < FILLING_STEPS ? FILLING_OPEN : FILLING_LIKELY;
}

/* Jumps to a state, of which the mean changes. */
static void add_jumps(Filling *f, const Flow *flow, int32_t to, double by)
{
    for (int64_t k = flow->row[to]; k < flow->row[to + 1]; k++)
        f->next[flow->col[k]] += flow_val(flow, k) * by;
}

bool flow_may_fill(const Flow *flow, const double *y, double growth, int64_t memory)
{
    Filling f;
    FillingFound found = FILLING_OPEN;
    if (!(growth > RARE_SWEPT) || !budget_allows(memory, filling_bytes(flow->n)) ||
        !filling_new(&f, flow->n, flow->n))
        return false;
    filling_begin(&f, y);
    for (int32_t i = 0; i < flow->n; i++)
        add_jumps(&f, flow, i, f.mean[i]);
    while (found == FILLING_OPEN) {
        for (int32_t i = 0; i < flow->n; i++) {
            const double change = filling_jump(&f, i, 1);
            if (change != 0)
                add_jumps(&f, flow, i, change);
        }
        found = filling_look(&f, NULL);
    }
    filling_free(&f);
    return found == FILLING_LIKELY;
}
