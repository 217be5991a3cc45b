/* Passage times of stiff chains: Laguerre series (series.h) of the chain until its end, which is
 * defective: what ends leaves it.  Of each coefficient the two sums are kept that serve any time. */
#include "measure/passage_private.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "solvers/transient/poisson.h"

/* Truncation of all steps; of a step, as a share of what is left of that. */
#define ALL_TRUNCATION 1e-12
#define STEP_SHARE     (1.0 / 16)
enum { MOST_PIECES = 2000 }; /* they grow by themselves, unless rounding keeps them short */

void passage_series_free(PassageSeries *s)
{
    series_close(&s->of);
    mem_free_all(s->x, s->piece);
}

/* x: the distribution at the start of the series, by uniformisation from the start of the passage. */
static PepaStatus uniformise(Passage *p, PassageSeries *s, PepaError *err)
{
    const size_t n = (size_t)p->chain->state_count;
    double *x = NULL, *next = NULL;
    PoissonWeights w = {0};
    PepaStatus status = poisson_new(&w, s->of.rate * s->start, s->allowed / 8, err);
    if (status != PEPA_OK)
        return status;
    if (!(mem_new(x, n) && mem_new(next, n) && mem_new_zeroed(s->x, n)))
        status = error_memory(err);
    for (size_t i = 0; status == PEPA_OK && i < n; i++) {
        x[i] = p->start[i];
        s->x[i] = w.left == 0 ? w.weight[0] * x[i] : 0;
    }
    for (int64_t k = 1; k <= w.right && status == PEPA_OK; k++) {
        const double weight = k < w.left ? 0 : w.weight[k - w.left];
        (void)uniform_step(p->uniform, x, next, weight, s->x);
        double *swap = x;
        x = next;
        next = swap;
        if (step_clock_stops(&p->clock, p->chain, k, w.right))
            status = error_set(err, PEPA_ECANCEL, "cancelled");
    }
    s->now = s->start;
    s->error = 2 * w.missing + (double)(w.right + 1) * uniform_rounding(p->uniform) +
               (double)(w.right - w.left + 2) * DBL_EPSILON;
    mem_free_all(x, next, w.weight);
    return status;
}

static PepaStatus open_series(Passage *p, PepaError *err)
{
    PassageSeries *s = &p->series;
    double start;
    PepaStatus status = series_open_chain(&s->of, p->uniform, p->chain, p->set, &start, err);
    s->start = fmax(start, SERIES_FIRST / uniform_rate(p->uniform));
    s->allowed = fmin(ALL_TRUNCATION, p->set->solve.tolerance / 8);
    s->state = isfinite(start) ? SERIES_READY : SERIES_REFUSED;
    return status;
}

/* The two sums of a coefficient. */
static PepaStatus keep_term(void *user, int32_t k, const double *w)
{
    Passage *p = user;
    PassageSeries *s = &p->series;
    PassagePiece *piece = &s->piece[s->count];
    const double *ends = uniform_ends(p->uniform);
    double left = 0, ended = 0;
    s->solves++;
    p->clock.wait -= (int64_t)(s->of.solve + (k == 0 ? s->of.factors : 0));
    if (step_clock_stops(&p->clock, p->chain, (int64_t)p->count, 0))
        return PEPA_ECANCEL;
    for (int64_t i = 0; i < p->chain->state_count; i++) {
        left += w[i];
        ended += w[i] * ends[i];
    }
    piece->left[k] = left;
    piece->ended[k] = ended;
    return PEPA_OK;
}

static void close_piece(PassageSeries *s, const LaguerreFound *found, double length)
{
    PassagePiece *piece = &s->piece[s->count++];
    const double end = s->now + length / (1 << found->which);
    s->allowed -= found->truncation;
    s->error += found->truncation + found->rounding + found->speed * 2 * DBL_EPSILON * end;
    piece->from = s->now;
    piece->gamma = s->of.gamma;
    piece->end = s->now = end;
    piece->error = s->error + found->reading;
    piece->terms = found->terms;
}

/* Pieces up to t.  A chain that factors or truncation give out on is left to uniformisation. */
static PepaStatus extend(Passage *p, double t, PepaError *err)
{
    PassageSeries *s = &p->series;
    PepaStatus status = PEPA_OK;
    while (s->now < t && s->state == SERIES_OPEN && status == PEPA_OK) {
        LaguerreStep step = {.gamma = s->of.gamma,
                             .length = LAGUERRE_REACH * s->of.gamma,
                             .term = keep_term,
                             .user = p};
        LaguerreFound found;
        for (int i = 0; i < LAGUERRE_LENGTHS; i++)
            step.allowed[i] = s->allowed * STEP_SHARE / (1 << i);
        if (!mem_grow(s->piece, s->cap, s->count + 1))
            return error_memory(err);
        status = laguerre_step(s->of.laguerre, &step, s->x, &found);
        s->of.factored = s->of.gamma;
        if (status == PEPA_OK && found.which >= 0)
            close_piece(s, &found, step.length);
        else if (status == PEPA_OK && !series_step_pays(&s->of, step.length))
            s->state = SERIES_REFUSED;
        if (status == PEPA_OK)
            series_adapt(&s->of, &found, HUGE_VAL);
        if (s->count == MOST_PIECES)
            s->state = SERIES_REFUSED;
    }
    if (status == PEPA_ELIMIT || status == PEPA_ENOCONV) {
        s->state = SERIES_REFUSED;
        return PEPA_OK;
    }
    return status == PEPA_ENOMEM    ? error_memory(err)
           : status == PEPA_ECANCEL ? error_set(err, PEPA_ECANCEL, "cancelled")
                                    : status;
}

PepaStatus passage_series_reach(Passage *p, double t, bool *covers, PepaError *err)
{
    PassageSeries *s = &p->series;
    PepaStatus status = s->state == SERIES_UNTRIED ? open_series(p, err) : PEPA_OK;
    if (status == PEPA_OK && s->state == SERIES_READY && series_pays(s->start, t)) {
        status = uniformise(p, s, err);
        s->state = SERIES_OPEN;
        series_begin(&s->of, s->now);
    }
    if (status == PEPA_OK && s->state == SERIES_OPEN && t > s->start)
        status = extend(p, t, err);
    *covers = s->count > 0 && t > s->start && t <= s->now;
    return status;
}

void passage_series_read(const Passage *p, double t, double *left, double *pdf, double *error)
{
    const PassageSeries *s = &p->series;
    double value[LAGUERRE_TERMS + 1];
    size_t low = 0, high = s->count - 1; /* t is in a piece from low to high */
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (t <= s->piece[middle].end)
            high = middle;
        else
            low = middle + 1;
    }
    const PassagePiece *piece = &s->piece[low];
    laguerre_values((t - piece->from) / piece->gamma, piece->terms, value);
    *left = *pdf = 0;
    for (int32_t k = 0; k < piece->terms; k++) {
        *left += value[k] * piece->left[k];
        *pdf += value[k] * piece->ended[k];
    }
    *left = fmin(fmax(*left, 0), 1);
    *pdf = fmax(*pdf, 0);
    *error = piece->error;
}
