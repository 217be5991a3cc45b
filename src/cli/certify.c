/* Bounds of what is reported, each from a linear solution of its own. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"

/* The text is freed. */
static void warn(Session *s, Text *message)
{
    session_diagnose(s, &(PepaDiagnostic){.severity = PEPA_WARNING,
                                          .file = model_name(s->options),
                                          .message = message->text ? message->text : "",
                                          .excerpt = ""});
    text_free(message);
}

/* How wide bounds are, for the larger of them; 0: both are 0. */
static double width(Bounds b)
{
    const double size = fmax(fabs(b.low), fabs(b.high));
    return size == 0 ? 0 : isfinite(size) ? (b.high - b.low) / size : HUGE_VAL;
}

/* Far wider than the tolerance is more than a reader expects. */
static void warn_if_wide(Session *s, int32_t measures)
{
    const int32_t actions = s->info.actions, all = actions + measures;
    const double margin = 1000;
    int32_t wide = 0, widest = -1;
    Text message = {0};
    char low[BOUND_SIZE], high[BOUND_SIZE];
    for (int32_t i = 0; i < all; i++) {
        if (i >= actions && isnan(s->measured[i - actions])) /* there is a warning already */
            continue;
        wide += width(s->certified[i]) > margin * s->solved.tolerance;
        if (widest < 0 || width(s->certified[i]) > width(s->certified[widest]))
            widest = i;
    }
    if (wide == 0)
        return;
    bound_text(s->certified[widest].low, true, 6, low);
    bound_text(s->certified[widest].high, false, 6, high);
    text_add(&message,
             "%d of %d bounds %s far wider than the tolerance: %s `%s`, the widest, is between %s "
             "and %s",
             wide, all, wide == 1 ? "is" : "are", widest < actions ? "throughput" : "measure",
             widest < actions ? pepa_chain_action_name(s->chain, widest)
                              : pepa_measures_name(s->measures, widest - actions),
             low, high);
    warn(s, &message);
}

/* What the bounds exclude is not reported.  The nearer bound takes its place where the solution is outside by less than
 * the bounds are apart: rounding is enough for that where they are wide; else their middle, which is wrong by least. */
static double within(Bounds b, double value)
{
    const double apart = b.high - b.low, nearest = fmin(fmax(value, b.low), b.high);
    if (!isfinite(b.low) || !isfinite(b.high))
        return value;
    return fabs(value - nearest) < apart ? nearest : b.low + apart / 2;
}

/* How far from what was solved, for the larger of the two. */
static double moved(Bounds b, double value)
{
    const double there = within(b, value);
    return there == value ? 0 : fabs(there - value) / fmax(fabs(there), fabs(value));
}

/* Where throughputs had to be put right, so should be what has no bounds. */
static void warn_if_moved(Session *s, const double *throughput)
{
    const double margin = 1000;
    double most = 0;
    Text message = {0};
    for (int32_t a = 0; a < s->info.actions; a++)
        most = fmax(most, moved(s->certified[a], throughput[a]));
    if (most <= margin * s->solved.tolerance)
        return;
    text_add(&message,
             "throughputs as solved are wrong by up to %.1g of themselves: those reported are put "
             "right, utilisations and populations are not; ask for these with --measure, or give "
             "a smaller --tolerance",
             most);
    warn(s, &message);
}

static PepaStatus bound_throughputs(Session *s, PepaSteady *steady, PepaError *err)
{
    const PepaSettings set = session_settings(s);
    PepaStatus status = PEPA_OK;
    for (int32_t a = 0; a < s->info.actions && status == PEPA_OK; a++) {
        Bounds *b = &s->certified[a];
        const char *action = pepa_chain_action_name(s->chain, a);
        status =
            s->shared
                ? pepa_shared_throughput_bounds(s->shared, &set, action, &b->low, &b->high, err)
                : pepa_throughput_bounds(steady, &set, s->pi, action, &b->low, &b->high, NULL, err);
    }
    return status;
}

static PepaStatus bound_measures(Session *s, PepaSteady *steady, PepaError *err)
{
    const PepaSettings set = session_settings(s);
    const int32_t count = s->measures ? pepa_measures_count(s->measures) : 0;
    double *low = calloc((size_t)count + 1, sizeof *low);
    double *high = calloc((size_t)count + 1, sizeof *high);
    PepaStatus status = low && high ? PEPA_OK : PEPA_ENOMEM;
    if (status == PEPA_OK && count > 0)
        status = s->shared
                     ? pepa_shared_measure_bounds(s->shared, &set, s->measures, low, high, err)
                     : pepa_measure_bounds(steady, &set, s->pi, s->measures, low, high, NULL, err);
    for (int32_t i = 0; i < count && status == PEPA_OK; i++)
        s->certified[s->info.actions + i] = (Bounds){low[i], high[i]};
    free(low);
    free(high);
    return status;
}

int session_certify(Session *s)
{
    PepaError err = {0};
    PepaSteady *steady = NULL;
    const int32_t measures = s->measures ? pepa_measures_count(s->measures) : 0;
    const double start = clock_seconds();
    s->certified = calloc((size_t)s->info.actions + (size_t)measures + 1, sizeof *s->certified);
    double *throughput = calloc((size_t)s->info.actions + 1, sizeof *throughput);
    if (!s->certified || !throughput) {
        free(throughput);
        return out_of_memory();
    }
    PepaStatus status = PEPA_OK;
    if (s->shared) {
        status = pepa_shared_throughputs(s->shared, throughput, &err);
    } else {
        pepa_throughputs(s->chain, s->pi, throughput);
        status = pepa_steady_new(&steady, s->chain, &err);
    }
    if (status == PEPA_OK)
        status = bound_throughputs(s, steady, &err);
    if (status == PEPA_OK)
        status = bound_measures(s, steady, &err);
    pepa_steady_free(steady);
    progress_clear(&s->progress_shown);
    s->certify_seconds = clock_seconds() - start;
    if (status != PEPA_OK) {
        free(throughput);
        return complain(s, status, &err);
    }
    warn_if_moved(s, throughput);
    free(throughput);
    for (int32_t i = 0; i < measures; i++)
        s->measured[i] = within(s->certified[s->info.actions + i], s->measured[i]);
    warn_if_wide(s, measures);
    return EXIT_SOLVED;
}

double certified_throughput(const Session *s, int32_t action, double value)
{
    return s->certified ? within(s->certified[action], value) : value;
}

/* Rounded to nearest first, and then, if that is on the wrong side, away by units of the last
 * digit. */
void bound_text(double x, bool below, int digits, char text[BOUND_SIZE])
{
    const double last = fabs(x) * pow(10, 1 - digits), way = below ? -1 : 1;
    (void)snprintf(text, BOUND_SIZE, isfinite(x) ? "%.*g" : "none", digits, x);
    for (int k = 1; k < 8 && isfinite(x) && (strtod(text, NULL) - x) * way < 0; k++)
        (void)snprintf(text, BOUND_SIZE, "%.*g", digits, x + way * last * (k / 4.0));
    if (isfinite(x) && (strtod(text, NULL) - x) * way < 0)
        (void)snprintf(text, BOUND_SIZE, "%.17g", x);
}
