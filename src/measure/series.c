/* Laguerre series on the matrix of a chain: costs, and the lengths of steps. */
#include "measure/series.h"

#include <math.h>

#include "base/budget.h"
#include "measure/flow_build.h"
#include "measure/steady.h"

/* Counted work, from seconds on pipeline 8: of a multiply-add of LU factors, and of an entry of them
 * in a solution. */
#define FACTOR_COST 2.0
#define SOLVE_COST  4.0

/* Uniformisation alone if what it takes is not so many times the time before a series: as much work
 * as factors and some solutions.  To order the states of kanban 3 for factors is the work of some
 * 1,000 steps. */
#define STIFF_SAVING  4.0
#define FIRST_SOLVES  30.0
#define FEWEST_SOLVES 20.0 /* that any step takes, where fewer do not matter */

/* How steps grow: by the factor, after a step with so few terms. */
#define GROWTH       3.0
#define GROWTH_TERMS 60
#define SHRINK       4.0

PepaStatus series_open(Series *s, const Flow *rates, LaguerreKind kind, const double *leak,
                       double rate, const PepaSettings *set, int64_t memory, double *start,
                       PepaError *err)
{
    *s = (Series){.rates = *rates, .rate = rate};
    *start = HUGE_VAL;
    Control control = settings_control(set, memory);
    PepaStatus status = laguerre_new(&s->laguerre, &s->rates, kind, leak, &control);
    if (status != PEPA_OK)
        return status == PEPA_ENOMEM ? error_memory(err) : PEPA_OK;
    s->product = (double)s->rates.row[s->rates.n] + s->rates.n;
    s->factors = FACTOR_COST * laguerre_factor_work(s->laguerre);
    s->solve = SOLVE_COST * laguerre_solve_work(s->laguerre);
    *start = (s->factors + FIRST_SOLVES * s->solve) / s->product / s->rate;
    return PEPA_OK;
}

PepaStatus series_open_chain(Series *s, const Uniform *uniform, const Chain *chain,
                             const PepaSettings *set, double *start, PepaError *err)
{
    Flow rates;
    *s = (Series){.rate = 0};
    *start = HUGE_VAL;
    if (!uniform_rows(uniform, &rates))
        return PEPA_OK;
    const double n = rates.n, vectors = 4 * sizeof(double) * n;
    const double taken = chain_bytes(chain) + vectors + flow_row_bytes(n) +
                         flow_entry_bytes(PEPA_MATRIX_EXPLICIT, (double)rates.row[rates.n]);
    return series_open(s, &rates, LAGUERRE_DISTRIBUTIONS, uniform_ends(uniform),
                       uniform_rate(uniform), set,
                       set->memory ? budget_left(set->memory, taken) : 0, start, err);
}

void series_close(Series *s)
{
    laguerre_free(s->laguerre);
    *s = (Series){.rate = 0};
}

bool series_pays(double start, double last)
{
    return last >= STIFF_SAVING * start;
}

bool series_step_pays(const Series *s, double length)
{
    return s->rate * length * s->product > FEWEST_SOLVES * s->solve;
}

void series_begin(Series *s, double now)
{
    s->gamma = GROWTH * now / LAGUERRE_REACH;
}

double series_gamma(const Series *s, double left)
{
    if (s->factored > 0 && left <= LAGUERRE_REACH * s->factored)
        return s->factored;
    return fmin(s->gamma, left / LAGUERRE_REACH);
}

void series_adapt(Series *s, const LaguerreFound *step, double left)
{
    const double steps = left / (LAGUERRE_REACH * s->gamma);
    const double saved = steps * (1 - 1 / GROWTH) * step->terms * s->solve;
    if (step->which < 0) {
        s->gamma /= SHRINK;
        s->factored = 0; /* no step with these factors */
    } else if (step->which == LAGUERRE_LENGTHS - 1) {
        s->gamma /= 2;
    } else if (step->which == 0 && step->terms <= GROWTH_TERMS && saved > s->factors) {
        s->gamma *= GROWTH;
    }
}
