/* Quantiles of passage times. */
#include "measure/passage_private.h"

#include <math.h>

/* A quantile is as sensitive as its tail is thin: its weights miss no more than this share of what has ended at
 * that time, or of what is left, whichever is less. */
#define TAIL 1e-11
/* Probabilities of an end, also of one at once, are known to this part of themselves: a share so near to one is taken
 * for the same.  That of all that end is never reached. */
#define SAME 1e-12
/* By series: the most that its error may shift a quantile, as a share of it; multiply-adds up to
 * which steps are taken instead, some ten seconds.  Beyond that MOST_NOISE will do. */
#define MOST_SHIFT     1e-8
#define MOST_TAIL_WORK 1e10
/* What a quantile may be off in any case, as rounding adds up. */
#define MOST_NOISE 1e-6

static bool by_left(double share)
{
    return share > 0.5;
}

/* How much more has to end by time t for it to be the share; *error: what that is off. */
static PepaStatus lacks(Passage *p, double share, double t, double *more, double *pdf,
                        double *error, PepaError *err)
{
    const double left = 1 - share;
    PassageReading r;
    PepaStatus status = passage_weigh(p, t, TAIL * fmin(share, left), &r, err);
    *more = by_left(share) ? r.left - left : share - r.over;
    *error = by_left(share) ? r.left_error : r.over_error;
    *pdf = r.pdf;
    return status;
}

/* Newton's next time.  Of few that have ended by their logarithm as a function of that of time: a straight line
 * where they grow by a power of time, as in the beginning. */
static double next_time(double share, double now, double more, double pdf)
{
    const double over = share - more;
    if (by_left(share))
        return now + more / pdf;
    return over > 0 ? now * pow(share / over, over / (pdf * now)) : 0;
}

/* The time by which the share has ended, by Newton's method within an interval that bisection halves.
 * *off: by how much its error may shift it, as a share of it. */
static PepaStatus refine(Passage *p, double share, double low, double high, double *t, double *off,
                         PepaError *err)
{
    const double close = 1e-11;
    double now = (low + high) / 2, more, pdf, error;
    *off = 0;
    PepaStatus status = PEPA_OK;
    for (int i = 0; i < 200 && high - low > close * high && status == PEPA_OK; i++) {
        status = lacks(p, share, now, &more, &pdf, &error, err);
        *off = error / (pdf * now);
        if (more <= 0)
            high = now;
        else
            low = now;
        double next = next_time(share, now, more, pdf);
        if (fabs(next - now) <= close * now / 4) { /* so near that one side is all that is left */
            *t = next;
            return status;
        }
        now = next > low && next < high ? next : (low + high) / 2;
    }
    *t = (low + high) / 2;
    return status;
}

static PepaStatus unknown_quantile(double share, double off, PepaError *err)
{
    return error_set(
        err, PEPA_ENOCONV,
        "the quantile %.12g%% is right to %.1e of itself only: the chain is stiff, and "
        "rounding adds up over so long a time",
        100 * share, off);
}

/* A series has an error that does not fall with what is left, or has ended: where that is too little, steps have
 * to be taken after all, if they can be. */
static PepaStatus refine_tail(Passage *p, double share, double high, double *t, PepaError *err)
{
    double off;
    PepaStatus status = refine(p, share, 0, high, t, &off, err);
    if (status == PEPA_OK && p->noisy && p->series.count == 0 && off > MOST_NOISE)
        return unknown_quantile(share, off, err);
    if (status != PEPA_OK || p->series.count == 0 || p->series.off || off <= MOST_SHIFT)
        return status;
    const double product = (double)p->chain->transitions + (double)p->chain->state_count;
    if (passage_rate(p) * high * product > MOST_TAIL_WORK)
        return off <= MOST_NOISE ? PEPA_OK : unknown_quantile(share, off, err);
    p->series.off = true;
    status = refine(p, share, 0, high, t, &off, err);
    p->series.off = false;
    return status;
}

PepaStatus passage_quantile(Passage *p, double share, const PassageMoments *moments, double *t,
                            PepaError *err)
{
    double high =
               isfinite(moments->mean) && moments->mean > 0 ? moments->mean : 10 / passage_rate(p),
           more = 1, pdf, error;
    PepaStatus status = PEPA_OK;
    if (by_left(share) ? p->left[0] <= (1 - share) * (1 + SAME)
                       : p->at_once >= share * (1 - SAME)) {
        *t = 0;
        return PEPA_OK;
    }
    if (moments->ends < 1 && share >= moments->ends * (1 - SAME)) {
        *t = HUGE_VAL;
        return PEPA_OK;
    }
    for (int i = 0; i < 2000 && status == PEPA_OK; i++, high *= 2) {
        status = lacks(p, share, high, &more, &pdf, &error, err);
        if (status != PEPA_OK || more <= 0)
            break;
    }
    if (status == PEPA_OK && more > 0)
        return error_set(err, PEPA_ENOCONV, "the quantile %.12g%% is too far away", 100 * share);
    return status == PEPA_OK ? refine_tail(p, share, high, t, err) : status;
}
