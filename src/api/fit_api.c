/* pepa_samples_* and pepa_fit_*: samples are scaled to the mean 1, so that the unit of time changes
 * nothing but the rates, and the fit is scaled back. */
#include "pepa_fit.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api/handles.h"
#include "base/error.h"
#include "fit/erlangs.h"
#include "fit/goodness.h"
#include "fit/samples.h"
#include "fit/write.h"

#define TOO_CLOSE 1e-12 /* to 0, as a share of the mean */

struct PepaFit {
    double *value; /* ascending, as given */
    Search search;
    Phases phases; /* the chosen one, in the given unit */
    Phases told;   /* the same, as the language has it */
    PepaFitInfo info;
};

/* ---- samples --------------------------------------------------------------------------------- */

PepaStatus pepa_samples_parse(PepaSamples **out, const char *name, const char *text, size_t length,
                              const char *column, PepaDiagnose diagnose, void *user, PepaError *err)
{
    if (!out || !name || (!text && length))
        return error_null(err, "pepa_samples_parse");
    if (length > TEXT_MOST)
        return error_set(err, PEPA_ELIMIT, "%s has more than 2 GB", name);
    PepaSamples *samples = mem_calloc(1, sizeof *samples);
    Text copy = {0}; /* ends with NUL: numbers are read up to what is none */
    DiagList diags = {0};
    text_add(&copy, "%s", "");
    if (!samples || copy.failed || !mem_grow(copy.text, copy.cap, length + 2)) {
        mem_free(samples);
        text_free(&copy);
        return error_memory(err);
    }
    if (length)
        memcpy(copy.text, text, length);
    copy.text[length] = copy.text[length + 1] = '\0';
    const Source source = {name, copy.text, length};
    PepaStatus status = samples_read(samples, &source, column, &diags);
    status = status == PEPA_ENOMEM ? error_memory(err)
                                   : diagnose_all(&diags, &source, diagnose, user, status, err);
    diag_free(&diags);
    text_free(&copy);
    if (status == PEPA_OK)
        *out = samples;
    else
        pepa_samples_free(samples);
    return status;
}

PepaStatus pepa_samples_load(PepaSamples **out, const char *path, const char *column,
                             PepaDiagnose diagnose, void *user, PepaError *err)
{
    if (!out || !path)
        return error_null(err, "pepa_samples_load");
    FILE *file = fopen(path, "rb");
    if (!file)
        return error_set(err, PEPA_EIO, "cannot open %s: %s", path, strerror(errno));
    Text text = {0};
    text_read(&text, file, TEXT_MOST);
    PepaStatus status = text.failed ? error_memory(err)
                        : ferror(file)
                            ? error_set(err, PEPA_EIO, "cannot read %s: %s", path, strerror(errno))
                            : PEPA_OK;
    (void)fclose(file);
    if (status == PEPA_OK)
        status = pepa_samples_parse(out, path, text.text, text.length, column, diagnose, user, err);
    text_free(&text);
    return status;
}

void pepa_samples_free(PepaSamples *samples)
{
    if (samples)
        mem_free(samples->value);
    mem_free(samples);
}

size_t pepa_samples_count(const PepaSamples *samples)
{
    return samples->count;
}

const double *pepa_samples_values(const PepaSamples *samples)
{
    return samples->value;
}

/* ---- what is asked --------------------------------------------------------------------------- */

static PepaStatus check_values(const double *value, size_t count, PepaError *err)
{
    double mean = 0, least = INFINITY;
    if (count == 0)
        return error_set(err, PEPA_EARG, "a fit needs at least one duration");
    for (size_t i = 0; i < count; i++) {
        if (!(value[i] >= 1e-100 && value[i] <= 1e100))
            return error_set(err, PEPA_EARG,
                             "the duration %g is not a number from 1e-100 to 1e+100", value[i]);
        mean += value[i] / (double)count;
        least = fmin(least, value[i]);
    }
    if (least < TOO_CLOSE * mean)
        return error_set(err, PEPA_EARG,
                         "the duration %g is as good as 0 beside the mean, %g: leave it out", least,
                         mean);
    return PEPA_OK;
}

static PepaStatus complete(PepaFitSettings *set, const PepaFitSettings *given, PepaError *err)
{
    const double default_tolerance = 1e-8;
    *set = given ? *given : (PepaFitSettings){.phases = 0};
    if (!ALL_ZERO(set->reserved))
        return error_set(err, PEPA_EARG,
                         "PepaFitSettings: reserved words must be 0; is the library older than "
                         "pepa_fit.h?");
    if ((int)set->family < PEPA_FIT_ANY || set->family > PEPA_FIT_HYPER_ERLANG ||
        (int)set->criterion < PEPA_FIT_BIC || set->criterion > PEPA_FIT_AIC)
        return error_set(err, PEPA_EARG, "there is no such family or criterion");
    set->max_phases = set->max_phases ? set->max_phases : 10;
    set->max_iter = set->max_iter ? set->max_iter : 1000;
    if (set->max_iter < 1)
        return error_set(err, PEPA_EARG, "the most iterations of a fit are 1 or more, not %lld",
                         (long long)set->max_iter);
    if (!(set->tolerance >= 0 && isfinite(set->tolerance)))
        return error_set(err, PEPA_EARG, "the tolerance of a fit is a number >= 0, not %g",
                         set->tolerance);
    set->tolerance = set->tolerance > 0 ? set->tolerance : default_tolerance;
    const bool erlang = set->family == PEPA_FIT_ANY || set->family == PEPA_FIT_ERLANG;
    const int32_t most = erlang ? PEPA_FIT_MOST_ERLANG : PEPA_FIT_MOST_PHASES;
    const int32_t least = erlang ? 1 : set->family == PEPA_FIT_HYPER_ERLANG ? 3 : 2;
    const int32_t wanted = set->phases ? set->phases : set->max_phases;
    if (wanted < least || wanted > most)
        return error_set(err, PEPA_EARG, "the number of phases is from %d to %d, not %d", least,
                         most, wanted);
    return PEPA_OK;
}

/* ---- what is found --------------------------------------------------------------------------- */

static PepaFitMoments moments_of(const double *value, size_t count)
{
    const double n = (double)count;
    PepaFitMoments m = {0, 0, NAN};
    double third = 0;
    if (!(value[0] < value[count - 1]))
        return (PepaFitMoments){value[0], 0, NAN};
    for (size_t i = 0; i < count; i++)
        m.mean += value[i] / n;
    for (size_t i = 0; i < count; i++) {
        const double off = value[i] / m.mean - 1;
        m.variance += off * off / n;
        third += off * off * off / n;
    }
    m.skewness = third / (m.variance * sqrt(m.variance));
    m.variance *= m.mean * m.mean;
    return m;
}

/* Densities per unit are those per mean, divided by it. */
static void rescale(Search *search, size_t count, double mean)
{
    const double less = (double)count * log(mean);
    for (int32_t i = 0; i < search->count; i++) {
        PepaFitCandidate *f = &search->found[i];
        f->log_likelihood -= less;
        f->aic += 2 * less;
        f->bic += 2 * less;
        phases_scale(&search->phases[i], mean);
    }
}

/* Why the work has not been done. */
static PepaStatus unfinished(const Watch *watch, PepaError *err)
{
    return watch->stopped ? error_set(err, PEPA_ECANCEL, "cancelled") : error_memory(err);
}

static PepaStatus search(PepaFit *fit, size_t count, const PepaFitSettings *how, Watch *watch,
                         PepaError *err)
{
    double *scaled = NULL;
    Sample whole = {0}, grouped = {0};
    const double mean = fit->info.empirical.mean;
    bool ok = mem_new(scaled, count);
    for (size_t i = 0; i < count && ok; i++)
        scaled[i] = fit->value[i] / mean;
    ok = ok && sample_new(&whole, scaled, count, count) &&
         sample_new(&grouped, scaled, count, SEARCH_VALUES) &&
         search_all(&grouped, &whole, how, watch, &fit->search);
    if (ok) {
        rescale(&fit->search, count, mean);
        fit->phases = fit->told = fit->search.phases[fit->search.chosen];
        if (fit->phases.family == PEPA_FIT_HYPER_ERLANG)
            erlangs_chain(&fit->phases, &fit->told);
        const Distance d = goodness_distance(&fit->phases, fit->value, count, scaled);
        fit->info.kolmogorov = d.kolmogorov;
        fit->info.cramer = d.cramer;
    }
    sample_free(&whole);
    sample_free(&grouped);
    mem_free(scaled);
    return ok ? PEPA_OK : unfinished(watch, err);
}

PepaStatus pepa_fit_new(PepaFit **out, const double *value, size_t count,
                        const PepaFitSettings *given, const PepaSettings *settings, PepaError *err)
{
    PepaFitSettings how;
    PepaSettings set;
    if (!out || (!value && count))
        return error_null(err, "pepa_fit_new");
    PepaStatus status = complete(&how, given, err);
    if (status == PEPA_OK)
        status = settings_complete(&set, settings, err);
    if (status == PEPA_OK)
        status = check_values(value, count, err);
    if (status != PEPA_OK)
        return status;
    PepaFit *fit = mem_calloc(1, sizeof *fit);
    if (!fit || !mem_new(fit->value, count)) {
        pepa_fit_free(fit);
        return error_memory(err);
    }
    memcpy(fit->value, value, count * sizeof *value);
    qsort(fit->value, count, sizeof *value, goodness_ascending);
    fit->info.empirical = moments_of(fit->value, count);
    Watch watch = watch_begin(&set, "fit", 0);
    status = search(fit, count, &how, &watch, err);
    if (status != PEPA_OK) {
        pepa_fit_free(fit);
        return status;
    }
    fit->info.family = fit->phases.family;
    fit->info.phases = fit->phases.phases;
    fit->info.samples = count;
    fit->info.candidates = fit->search.count;
    fit->info.chosen = fit->search.chosen;
    fit->info.fitted = phases_moments(&fit->phases);
    *out = fit;
    return PEPA_OK;
}

void pepa_fit_free(PepaFit *fit)
{
    if (fit)
        mem_free(fit->value);
    mem_free(fit);
}

/* ---- what is told ---------------------------------------------------------------------------- */

const char *pepa_fit_family_name(PepaFitFamily family)
{
    return write_family(family);
}

PepaFitInfo pepa_fit_info(const PepaFit *fit)
{
    return fit->info;
}

PepaFitCandidate pepa_fit_candidate(const PepaFit *fit, int32_t index)
{
    return fit->search.found[index];
}

double pepa_fit_rate(const PepaFit *fit, int32_t index)
{
    return write_rate(&fit->told, index);
}

double pepa_fit_probability(const PepaFit *fit, int32_t index)
{
    return write_probability(&fit->told, index);
}

double pepa_fit_sample(const PepaFit *fit, size_t index)
{
    return fit->value[index];
}

PepaStatus pepa_fit_at(const PepaFit *fit, double t, double *cdf, double *pdf, PepaError *err)
{
    double survival, density;
    if (!fit)
        return error_null(err, "pepa_fit_at");
    if (isnan(t))
        return error_set(err, PEPA_EARG, "pepa_fit_at: the time is not a number");
    if (t < 0 || isinf(t)) {
        survival = t < 0;
        density = 0;
    } else
        phases_at(&fit->phases, &t, 1, &survival, &density);
    if (cdf)
        *cdf = 1 - survival;
    if (pdf)
        *pdf = density;
    return PEPA_OK;
}

PepaStatus pepa_fit_test(const PepaFit *fit, int64_t runs, uint64_t seed,
                         const PepaSettings *settings, PepaFitTest *test, PepaError *err)
{
    PepaSettings set;
    if (!fit || !test)
        return error_null(err, "pepa_fit_test");
    if (runs < 1)
        return error_set(err, PEPA_EARG, "a bootstrap needs at least one run");
    PepaStatus status = settings_complete(&set, settings, err);
    if (status != PEPA_OK)
        return status;
    const Distance seen = {fit->info.kolmogorov, fit->info.cramer};
    Phases scaled = fit->phases;
    phases_scale(&scaled, 1 / fit->info.empirical.mean);
    Watch watch = watch_begin(&set, "bootstrap", (double)runs);
    return goodness_bootstrap(&scaled, fit->info.samples, seen, runs, seed, &watch, test)
               ? PEPA_OK
               : unfinished(&watch, err);
}

PepaStatus pepa_fit_text(const PepaFit *fit, const char *action, int states, char **text,
                         PepaError *err)
{
    Text written = {0};
    if (!fit || !action || !text)
        return error_null(err, "pepa_fit_text");
    if (!write_is_action(action))
        return error_set(err, PEPA_EARG, "`%s` is no name of an action", action);
    if (states)
        write_states(&fit->told, action, &written);
    else
        write_activity(&fit->told, action, &written);
    if (written.failed) {
        text_free(&written);
        return error_memory(err);
    }
    *text = written.text;
    return PEPA_OK;
}
