/* Laguerre series on the matrix of a chain: costs, and the lengths of steps. */
#include "measure/series.h"

#include <float.h>
#include <math.h>

#include "base/budget.h"
#include "measure/flow_build.h"
#include "measure/steady.h"

/* Counted work beside that of an entry of the matrix, by seconds on chains of 4,600 to 15,540 states: of a multiply-add of
 * factors, 0.09 to 0.22, and of an entry of them in a solution, 0.3 to 0.8, of which a coefficient takes two or more. */
#define FACTOR_COST 0.2
#define SOLVE_COST  1.5

/* Uniformisation alone if what it takes is not so many times the time before a series: as much work
 * as factors and some solutions.  To order the states of kanban 3 for factors is the work of some
 * 1,000 steps. */
#define STIFF_SAVING  4.0
#define FIRST_SOLVES  30.0
#define FEWEST_SOLVES 20.0 /* that any step takes, where fewer do not matter */

/* How steps grow: by the factor, after a step with so few terms.  Of K terms the slowest state left
 * a share (gamma x its rate)^K. */
#define GROWTH       3.0
#define GROWTH_TERMS 60
#define LEAP         27.0
#define LEAP_TERMS   7
#define SHRINK       4.0

/* Truncation of a step, as a share of what is left of that of all; and of the error that there is
 * already when a series begins: the rounding of the steps before it is noise among fast states, which no
 * polynomial follows. */
#define LEAST_SHARE (1.0 / 64)
#define NOISE_SHARE (1.0 / 16)

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

PepaStatus series_open_chain(Series *s, Uniform *uniform, const Chain *chain,
                             const PepaSettings *set, double *start, PepaError *err)
{
    Flow rates;
    *s = (Series){.rate = 0};
    *start = HUGE_VAL;
    PepaStatus status = uniform_rows(uniform, set, &rates, err);
    if (status != PEPA_OK)
        return status == PEPA_ELIMIT ? PEPA_OK : status;
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

void series_begin(Series *s, double now, double off, double allowed)
{
    s->gamma = GROWTH * now / LAGUERRE_REACH;
    s->now = s->end = now;
    s->off = off;
    s->noise = NOISE_SHARE * off;
    s->allowed = allowed;
}

double series_work(const Series *s, int32_t k)
{
    return s->solve + (k == 0 ? s->factors : 0);
}

/* Of the numbers that stand for times: the end of the step, and where it is read, from its beginning
 * and in units of gamma. */
static double time_rounding(const Series *s)
{
    return 2 * DBL_EPSILON * s->end;
}

double series_integral_off(const Series *s, const LaguerreFound *step, double size)
{
    const double length =
        s->end - s->now; /* factors of terms: differences of values, times gamma */
    return length * s->off + (length + 2 * s->gamma) * step->reading + time_rounding(s) * size;
}

/* The gamma of the factors if that is enough, and no more than is needed.  False: uniformisation is the
 * better way for the step, or it is too short to move on. */
static bool plan(Series *s, double last, LaguerreStep *step)
{
    const double left = last - s->now;
    const bool enough = s->factored > 0 && left <= LAGUERRE_REACH * s->factored;
    s->gamma = enough ? s->factored : fmin(s->gamma, left / LAGUERRE_REACH);
    step->gamma = s->gamma;
    step->length = fmin(left, LAGUERRE_REACH * s->gamma);
    for (int i = 0; i < LAGUERRE_LENGTHS; i++) { /* so that all steps together keep to it */
        const double share = fmax(0.5 * step->length / (1 << i) / left, LEAST_SHARE);
        step->allowed[i] = fmax(s->allowed * share, s->noise);
    }
    s->end = step->length < left ? s->now + step->length : last;
    return s->end > s->now && s->rate * step->length * s->product > FEWEST_SOLVES * s->solve;
}

/* Longer steps need other factors, which the solutions that they save must be worth. */
static void adapt(Series *s, const LaguerreFound *step, double left)
{
    const double steps = left / (LAGUERRE_REACH * s->gamma);
    const double growth = step->terms <= LEAP_TERMS ? LEAP : GROWTH;
    const double saved = steps * (1 - 1 / growth) * step->terms * s->solve;
    if (step->which < 0) {
        s->gamma /= SHRINK;
        s->factored = 0; /* no step with these factors */
    } else if (step->which == LAGUERRE_LENGTHS - 1) {
        s->gamma /= 2;
    } else if (step->which == 0 && step->terms <= GROWTH_TERMS && saved > s->factors) {
        s->gamma *= growth;
    }
}

static PepaStatus close_step(Series *s, const LaguerreStep *step, const LaguerreFound *found,
                             const SeriesUse *use, PepaError *err)
{
    if (found->which > 0)
        s->end = s->now + step->length / (1 << found->which);
    s->allowed = fmax(s->allowed - found->truncation, 0);
    s->off += found->truncation + found->rounding + found->speed * time_rounding(s);
    PepaStatus status = use->close(use->user, found, err);
    s->now = s->end;
    return status;
}

PepaStatus series_advance(Series *s, double until, double last, double *x, const SeriesUse *use,
                          PepaError *err)
{
    LaguerreStep step = {.term = use->term, .user = use->user};
    PepaStatus status = PEPA_OK;
    while (s->now < until && status == PEPA_OK && plan(s, last, &step)) {
        LaguerreFound found;
        status = laguerre_step(s->laguerre, &step, x, &found);
        s->factored = status == PEPA_OK ? s->gamma : 0;
        if (status == PEPA_OK && found.which >= 0)
            status = close_step(s, &step, &found, use, err);
        if (status == PEPA_OK)
            adapt(s, &found, last - s->now);
    }
    if (status == PEPA_ELIMIT || status == PEPA_ENOCONV)
        return PEPA_OK; /* no factors */
    return status == PEPA_ENOMEM    ? error_memory(err)
           : status == PEPA_ECANCEL ? error_set(err, PEPA_ECANCEL, "cancelled")
                                    : status;
}
