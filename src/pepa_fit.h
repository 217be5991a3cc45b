/* Phase-type distributions of measured durations: from samples to rates of a model.
 *
 *   PepaSamples *samples = NULL;  PepaFit *fit = NULL;  PepaError err;
 *   if (pepa_samples_load(&samples, "service.csv", NULL, NULL, NULL, &err) == PEPA_OK &&
 *       pepa_fit_new(&fit, pepa_samples_values(samples), pepa_samples_count(samples), NULL, NULL,
 *                    &err) == PEPA_OK)
 *       printf("%d phases\n", (int)pepa_fit_info(fit).phases);
 *   pepa_fit_free(fit);
 *   pepa_samples_free(samples);
 *
 * By maximum likelihood: in closed form or by EM.  Times have any unit; rates are per that unit. */
#ifndef PEPA_FIT_H
#define PEPA_FIT_H

#include "pepa.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- samples --------------------------------------------------------------------------------- */

typedef struct PepaSamples PepaSamples;
/* Durations from text: one number to a line, or a column of comma-separated values.  A first line
 * without a number in that column is its head.  Blank lines and lines from '#' on are skipped.
 *   column    the name of a column in the head, or its number from 1; NULL: the only one
 *   diagnose  receives all errors, in order of place; or NULL
 * Errors: PEPA_ESYNTAX (no number, no such column, a duration that is not finite and above 0, none at
 * all), PEPA_ELIMIT (2 GB of text), PEPA_ENOMEM. */
PEPA_API PepaStatus pepa_samples_parse(PepaSamples **out, const char *name, const char *text,
                                       size_t length, const char *column, PepaDiagnose diagnose,
                                       void *user, PepaError *err);
/* The same from a file; also PEPA_EIO. */
PEPA_API PepaStatus pepa_samples_load(PepaSamples **out, const char *path, const char *column,
                                      PepaDiagnose diagnose, void *user, PepaError *err);
PEPA_API void pepa_samples_free(PepaSamples *samples);
PEPA_API size_t pepa_samples_count(const PepaSamples *samples);
PEPA_API const double *pepa_samples_values(const PepaSamples *samples); /* as in the text */

/* ---- fits ------------------------------------------------------------------------------------ */

typedef enum {
    PEPA_FIT_ANY,
    PEPA_FIT_ERLANG, /* a sum of phases of one rate */
    PEPA_FIT_HYPER,  /* with probability p_i an exponential of rate r_i */
    PEPA_FIT_COX,    /* phase i of rate r_i; then, with probability c_i, phase i + 1, else the end:
                      * any acyclic phase-type distribution has this form (Cumani 1982) */
    PEPA_FIT_HYPER_ERLANG /* with probability p_i a sum of phases of one rate; told as its Cox form */
} PepaFitFamily;
PEPA_API const char *pepa_fit_family_name(PepaFitFamily family); /* "erlang"; NULL out of range */

typedef enum { PEPA_FIT_BIC, PEPA_FIT_AIC } PepaFitCriterion;

enum {
    PEPA_FIT_MOST_ERLANG = 1000, /* phases of an Erlang distribution */
    PEPA_FIT_MOST_PHASES = 20    /* of the others */
};

/* Zeros mean the defaults. */
typedef struct {
    PepaFitFamily family;       /* only this */
    int32_t phases;             /* only this many; 0: chosen */
    int32_t max_phases;         /* 0: 10 */
    PepaFitCriterion criterion; /* the candidate with the least is chosen */
    int64_t max_iter;           /* of EM for each candidate; 0: 1000 */
    double tolerance; /* EM ends when the log-likelihood grows by less per sample; 0: 1e-8 */
    uint64_t reserved[8];
} PepaFitSettings;

typedef struct {
    PepaFitFamily family;
    int32_t phases, parameters;
    double log_likelihood, aic, bic; /* of all samples */
    int64_t iterations;              /* of EM; 0: closed form */
    int converged;                   /* else EM stopped at max_iter */
} PepaFitCandidate;

typedef struct {
    double mean, variance, skewness; /* skewness: NaN if all samples are equal */
} PepaFitMoments;

typedef struct {
    PepaFitFamily family;
    int32_t phases;
    size_t samples;
    int32_t candidates, chosen;       /* chosen: the number of the candidate that is the fit */
    PepaFitMoments empirical, fitted; /* empirical: with 1/n */
    double kolmogorov;                /* the largest difference of the distribution functions */
    double cramer;                    /* Cramer-von Mises: n times its mean square, plus 1 / 12n */
    uint64_t reserved[4];
} PepaFitInfo;

typedef struct PepaFit PepaFit;
/* Fit `count` durations, finite and above 0, in any order.  The values are copied.
 * Hyper-exponential candidates need a coefficient of variation above 1.  Above 512 different
 * values EM works on means of groups of consecutive ones; likelihoods that are reported are of all
 * values.  Cost: for each iteration and candidate some (values + largest time * largest rate) *
 * phases^2; rates of PEPA_FIT_COX are at most 50,000 / largest time.
 *   how  NULL: defaults
 *   set  progress (phase "fit": `count` candidates so far); NULL: defaults
 * Errors: PEPA_EARG (no samples; one that is not positive or more than 1e12 times smaller than the
 * mean; settings that contradict one another), PEPA_ENOMEM, PEPA_ECANCEL. */
PEPA_API PepaStatus pepa_fit_new(PepaFit **out, const double *value, size_t count,
                                 const PepaFitSettings *how, const PepaSettings *set,
                                 PepaError *err);
PEPA_API void pepa_fit_free(PepaFit *fit);
PEPA_API PepaFitInfo pepa_fit_info(const PepaFit *fit);
/* Number `index` of info.candidates: those that were fitted, in order of family and phases. */
PEPA_API PepaFitCandidate pepa_fit_candidate(const PepaFit *fit, int32_t index);
/* Phase `index` of info.phases: its rate, and p_i (hyper) or c_i (cox and hyper-erlang; 0 of the last).
 * Erlang: 1. */
PEPA_API double pepa_fit_rate(const PepaFit *fit, int32_t index);
PEPA_API double pepa_fit_probability(const PepaFit *fit, int32_t index);
/* Sample number `index`, in ascending order. */
PEPA_API double pepa_fit_sample(const PepaFit *fit, size_t index);
/* The distribution function and the density at t, to some 1e-12; each may be NULL.  PEPA_EARG: t is
 * not a number. */
PEPA_API PepaStatus pepa_fit_at(const PepaFit *fit, double t, double *cdf, double *pdf,
                                PepaError *err);

typedef struct {
    double kolmogorov, cramer; /* p-values */
    int64_t runs;
} PepaFitTest;
/* p-values by parametric bootstrap: `runs` times as many samples are drawn from the fit, the same
 * family with as many phases is fitted to them, and compared.  The tables of these tests do not
 * hold, as the parameters come from the samples.  A p-value is (1 + worse runs) / (runs + 1).
 * `runs` is at least 1.  The same seed gives the same values.
 *   set  progress (phase "bootstrap": `count` of `measure` runs); NULL: defaults
 * Errors: PEPA_EARG, PEPA_ENOMEM, PEPA_ECANCEL. */
PEPA_API PepaStatus pepa_fit_test(const PepaFit *fit, int64_t runs, uint64_t seed,
                                  const PepaSettings *set, PepaFitTest *test, PepaError *err);

/* What to paste into a model; the caller frees it with pepa_text_free.
 *   states  0: an activity, "(action, cox(3, 0.5, 1))".  Else components "Name0", "Name1", ... that
 *           take its time in plain PEPA; the last one's successor is Name0 again
 * Errors: PEPA_EARG (a name that is none), PEPA_ENOMEM. */
PEPA_API PepaStatus pepa_fit_text(const PepaFit *fit, const char *action, int states, char **text,
                                  PepaError *err);

#ifdef __cplusplus
}
#endif
#endif
