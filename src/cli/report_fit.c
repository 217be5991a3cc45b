/* The report of pepa fit, its advice and its picture. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyses.h"
#include "report.h"

/* ---- advice ---------------------------------------------------------------------------------- */

#define POOR 0.05 /* a p-value below which chance does not explain the distance */

/* Squared: 1 / k of an Erlang distribution with k phases, the least that k phases have. */
static double variation(const PepaFitMoments *m)
{
    return m->variance / (m->mean * m->mean);
}

static void warn(const Fitted *f, const char *format, double value)
{
    char text[256];
    (void)snprintf(text, sizeof text, format, value);
    session_warn(f->session, text);
}

void advise_fit(const Fitted *f)
{
    const Options *o = f->session->options;
    const int64_t most = o->phases ? o->phases : o->max_phases ? o->max_phases : 10;
    const double least = 1e-4, clearly = 0.8, heavy = 10, varied = variation(&f->info.empirical);
    const PepaFitCandidate chosen = pepa_fit_candidate(f->fit, f->info.chosen);
    const bool hyper = o->family && strcmp(o->family, "hyper") == 0;
    const bool poor = f->test.runs && fmin(f->test.kolmogorov, f->test.cramer) < POOR;
    if (!chosen.converged)
        session_warn(f->session, "EM stopped before it converged: a likelihood slightly larger is "
                                 "possible");
    if (varied < least)
        session_warn(f->session,
                     "the durations are all but constant: an Erlang distribution stands "
                     "for them with more variation, 1/phases");
    else if (hyper && varied < clearly)
        session_warn(f->session,
                     "the durations vary less than exponential ones, and hyper-exponential "
                     "ones more: take another --family, such as erlang");
    else if (f->info.phases == most && varied * (double)most < clearly &&
             most < PEPA_FIT_MOST_ERLANG)
        warn(f,
             "the durations vary less than so many phases do: give --max-phases %.0f, or take a "
             "constant part off them before",
             fmin(ceil(1 / varied), PEPA_FIT_MOST_ERLANG));
    if (poor)
        warn(f,
             "the fit is poor: the p-value is %.2g; look at --plot, and try more --max-phases, "
             "or samples of one kind only",
             fmin(f->test.kolmogorov, f->test.cramer));
    if (poor && varied > heavy)
        session_warn(f->session, "a heavy tail: phases follow it over the range of the samples and "
                                 "not beyond");
}

/* ---- reports --------------------------------------------------------------------------------- */

static void print_moments(const char *name, double seen, double fitted)
{
    if (isnan(seen))
        (void)printf("  %-22s %-16s %.8g\n", name, "none", fitted);
    else
        (void)printf("  %-22s %-16.8g %.8g\n", name, seen, fitted);
}

static void print_candidates(const Fitted *f)
{
    (void)printf("\n  %-12s %6s %10s %16s %16s %16s\n", "family", "phases", "parameters",
                 "log-likelihood", "AIC", "BIC");
    for (int32_t i = 0; i < f->info.candidates; i++) {
        const PepaFitCandidate c = pepa_fit_candidate(f->fit, i);
        (void)printf("%c %-12s %6d %10d %16.6f %16.6f %16.6f\n", i == f->info.chosen ? '*' : ' ',
                     pepa_fit_family_name(c.family), c.phases, c.parameters, c.log_likelihood,
                     c.aic, c.bic);
    }
}

static int fit_text(const Fitted *f)
{
    const PepaFitMoments *seen = &f->info.empirical, *fitted = &f->info.fitted;
    char count[NUMBER_SIZE];
    (void)printf("%s: %s sample%s\n", model_name(f->session->options),
                 number_grouped((int64_t)f->info.samples, count), f->info.samples == 1 ? "" : "s");
    print_candidates(f);
    (void)printf("\n  %-22s %-16s %s\n", "", "samples", "fit");
    print_moments("mean", seen->mean, fitted->mean);
    print_moments("standard deviation", sqrt(seen->variance), sqrt(fitted->variance));
    print_moments("skewness", seen->skewness, fitted->skewness);
    (void)printf("\n  %-22s %.6g", "Kolmogorov-Smirnov", f->info.kolmogorov);
    if (f->test.runs)
        (void)printf("  (p-value %.4g)", f->test.kolmogorov);
    (void)printf("\n  %-22s %.6g", "Cramer-von Mises", f->info.cramer);
    if (f->test.runs)
        (void)printf("  (p-value %.4g)\nThe p-values are from %lld samples drawn from the fit.",
                     f->test.cramer, (long long)f->test.runs);
    (void)printf("\n\nTo paste into a model:\n%s\n", f->text);
    if (f->states)
        (void)printf("\nIn plain PEPA:\n%s", f->states);
    return finish_output();
}

static void json_moments(const char *name, const PepaFitMoments *m)
{
    (void)printf(",\n  \"%s\": { \"mean\": " FULL ", \"variance\": " FULL ", \"skewness\": ", name,
                 m->mean, m->variance);
    json_number(m->skewness);
    (void)printf(" }");
}

static void json_distance(const char *name, double value, double p)
{
    (void)printf(",\n  \"%s\": { \"distance\": " FULL ", \"p_value\": ", name, value);
    json_number(p);
    (void)printf(" }");
}

static void json_candidate(const PepaFitCandidate *c)
{
    (void)
        printf("{ \"family\": \"%s\", \"phases\": %d, \"parameters\": %d, \"log_likelihood\": " FULL
               ", \"aic\": " FULL ", \"bic\": " FULL ", \"iterations\": %lld, \"converged\": %s }",
               pepa_fit_family_name(c->family), c->phases, c->parameters, c->log_likelihood, c->aic,
               c->bic, (long long)c->iterations, c->converged ? "true" : "false");
}

static int fit_json(const Fitted *f)
{
    const PepaFitInfo *info = &f->info;
    (void)printf("{ \"file\": ");
    json_string(stdout, model_name(f->session->options));
    (void)printf(", \"samples\": %zu,\n  \"family\": \"%s\", \"phases\": %d,\n  \"rates\": [",
                 info->samples, pepa_fit_family_name(info->family), info->phases);
    for (int32_t i = 0; i < info->phases; i++)
        (void)printf("%s" FULL, i ? ", " : "", pepa_fit_rate(f->fit, i));
    (void)printf("],\n  \"probabilities\": [");
    for (int32_t i = 0; i < info->phases; i++)
        (void)printf("%s" FULL, i ? ", " : "", pepa_fit_probability(f->fit, i));
    (void)printf("],\n  \"definition\": ");
    json_string(stdout, f->text);
    if (f->states) {
        (void)printf(",\n  \"states\": ");
        json_string(stdout, f->states);
    }
    json_moments("empirical", &info->empirical);
    json_moments("fitted", &info->fitted);
    json_distance("kolmogorov_smirnov", info->kolmogorov, f->test.runs ? f->test.kolmogorov : NAN);
    json_distance("cramer_von_mises", info->cramer, f->test.runs ? f->test.cramer : NAN);
    (void)printf(",\n  \"bootstrap\": %lld, \"chosen\": %d,\n  \"candidates\": [",
                 (long long)f->test.runs, info->chosen);
    for (int32_t i = 0; i < info->candidates; i++) {
        const PepaFitCandidate c = pepa_fit_candidate(f->fit, i);
        (void)printf("%s\n    ", i ? "," : "");
        json_candidate(&c);
    }
    (void)printf("\n  ],\n  \"seconds\": { \"fit\": %.9f }", f->seconds);
    json_memory(f->session);
    (void)printf(" }\n");
    return finish_output();
}

static int fit_csv(const Fitted *f)
{
    (void)printf("family,phase,rate,probability\n");
    for (int32_t i = 0; i < f->info.phases; i++)
        (void)printf("%s,%d," FULL "," FULL "\n", pepa_fit_family_name(f->info.family), i + 1,
                     pepa_fit_rate(f->fit, i), pepa_fit_probability(f->fit, i));
    return finish_output();
}

int report_fit(const Fitted *f)
{
    const Options *o = f->session->options;
    return o->json ? fit_json(f) : o->csv ? fit_csv(f) : fit_text(f);
}

/* ---- the picture ----------------------------------------------------------------------------- */

enum { POINTS = 200 };

static const char *column_name(const void *user, int32_t column)
{
    static const char *const names[] = {"duration", "samples", "fit"};
    (void)user;
    return names[column];
}

/* The share of samples that are at most t. */
static double share_below(const Fitted *f, double t)
{
    size_t low = 0, high = f->info.samples;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (pepa_fit_sample(f->fit, middle) <= t)
            low = middle + 1;
        else
            high = middle;
    }
    return (double)low / (double)f->info.samples;
}

/* The longest duration that the picture has to show: the largest sample, unless the tail of many samples
 * is so long that it would leave little room for the rest. */
static double longest(const Fitted *f)
{
    const double nearly = 0.995, room = 2;
    const size_t last = f->info.samples - 1;
    const double largest = pepa_fit_sample(f->fit, last);
    const double most = pepa_fit_sample(f->fit, (size_t)ceil(nearly * (double)last));
    return largest > room * most ? most : largest;
}

static double column_value(const void *user, size_t row, int32_t column)
{
    const double more = 1.05;
    const Fitted *f = user;
    const double t = more * longest(f) * (double)row / POINTS;
    double cdf = 0;
    if (column == 0)
        return t;
    if (column == 1)
        return share_below(f, t);
    (void)pepa_fit_at(f->fit, t, &cdf, NULL, NULL); /* t is a number */
    return cdf;
}

int draw_fit(const Fitted *f)
{
    static const Axes axes = {"duration (in the unit of the samples)",
                              "share of durations that are not longer", NULL, true, false};
    const Grid grid = {1, 3, POINTS + 1, column_name, column_value, f};
    return f->session->options->plot ? plot(f->session, &grid, &axes) : EXIT_SOLVED;
}
