/* Passage times of stiff chains: Laguerre series (series.h) of the chain until its end, which is
 * defective: what ends leaves it.  Of each coefficient the two sums are kept that serve any time. */
#include "measure/passage_private.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "solvers/transient/poisson.h"

#define ALL_TRUNCATION 1e-12 /* of all steps */
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
    const double off = 2 * w.missing + (double)(w.right + 1) * uniform_rounding(p->uniform) +
                       (double)(w.right - w.left + 2) * DBL_EPSILON;
    series_begin(&s->of, s->start, off, s->allowed);
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
    const double *ends = uniform_ends(p->uniform);
    double left = 0, ended = 0;
    s->solves++;
    p->clock.wait -= (int64_t)series_work(&s->of, k);
    if (step_clock_stops(&p->clock, p->chain, (int64_t)p->count, 0))
        return PEPA_ECANCEL;
    if (k == 0 && !mem_grow(s->piece, s->cap, s->count + 1))
        return PEPA_ENOMEM;
    for (int64_t i = 0; i < p->chain->state_count; i++) {
        left += w[i];
        ended += w[i] * ends[i];
    }
    s->piece[s->count].left[k] = left;
    s->piece[s->count].ended[k] = ended;
    return PEPA_OK;
}

static PepaStatus close_piece(void *user, const LaguerreFound *found, PepaError *err)
{
    Passage *p = user;
    PassageSeries *s = &p->series;
    PassagePiece *piece = &s->piece[s->count++];
    (void)err;
    piece->from = s->of.now;
    piece->gamma = s->of.gamma;
    piece->end = s->of.end;
    piece->error = s->of.off + found->reading;
    piece->terms = found->terms;
    return s->count == MOST_PIECES ? PEPA_ELIMIT : PEPA_OK;
}

/* Pieces up to t.  A chain that factors or truncation give out on is left to uniformisation. */
static PepaStatus extend(Passage *p, double t, PepaError *err)
{
    PassageSeries *s = &p->series;
    const SeriesUse use = {.term = keep_term, .close = close_piece, .user = p};
    PepaStatus status = series_advance(&s->of, t, HUGE_VAL, s->x, &use, err);
    if (s->of.now < t)
        s->state = SERIES_REFUSED;
    return status;
}

PepaStatus passage_series_reach(Passage *p, double t, bool *covers, PepaError *err)
{
    PassageSeries *s = &p->series;
    PepaStatus status = s->state == SERIES_UNTRIED ? open_series(p, err) : PEPA_OK;
    if (status == PEPA_OK && s->state == SERIES_READY && series_pays(s->start, t)) {
        status = uniformise(p, s, err);
        s->state = SERIES_OPEN;
    }
    if (status == PEPA_OK && s->state == SERIES_OPEN && t > s->start)
        status = extend(p, t, err);
    *covers = s->count > 0 && t > s->start && t <= s->of.now;
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
