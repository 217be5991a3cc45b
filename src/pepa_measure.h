/* Measures and predicates as text: what is asked of a model beside its standard measures.
 *
 *   static const char text[] = "N = population:Waiting\nN / throughput:serve";
 *   PepaMeasures *measures = NULL;  double value[2];
 *   if (pepa_measures_new(&measures, model, &err) == PEPA_OK &&
 *       pepa_measures_add(measures, "m", text, sizeof text - 1, NULL, NULL, &err) == PEPA_OK &&
 *       pepa_measures_values(measures, chain, pi, value, &err) == PEPA_OK)
 *       printf("%s is %g\n", pepa_measures_name(measures, 1), value[1]);
 *   pepa_measures_free(measures);
 *
 * pepa-measures(5) has the language. */
#ifndef PEPA_MEASURE_H
#define PEPA_MEASURE_H

#include "pepa.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A list of measures of one model, which it keeps alive. */
typedef struct PepaMeasures PepaMeasures;
/* An empty list.  Errors: PEPA_ENOMEM. */
PEPA_API PepaStatus pepa_measures_new(PepaMeasures **out, const PepaModel *model, PepaError *err);
PEPA_API void pepa_measures_free(PepaMeasures *measures);

/* Append the measures of `length` bytes of text, one to a line, with comments from # to the end of
 * a line; diagnostics call the text `name`.  A measure is an expression, or NAME = EXPRESSION, and
 * may name those before it.  Without a name it is called by its text.
 *   diagnose  receives all errors, in order of place; or NULL
 * Errors leave the list as it was: PEPA_EARG (err: the first finding), PEPA_ELIMIT (more than 2
 * GB), PEPA_ENOMEM. */
PEPA_API PepaStatus pepa_measures_add(PepaMeasures *measures, const char *name, const char *text,
                                      size_t length, PepaDiagnose diagnose, void *user,
                                      PepaError *err);
PEPA_API int32_t pepa_measures_count(const PepaMeasures *measures);
PEPA_API const char *pepa_measures_name(const PepaMeasures *measures, int32_t measure);

/* The values of all measures under a distribution pi over the states of a chain of the same model,
 * at the chain's present rates: one entry each, NaN where a measure has none, as 0 / 0.
 * Errors: PEPA_EARG (a chain of another model), PEPA_ELIMIT (PEPA_LIMIT_COPIES: see response: in
 * pepa-measures(5)), PEPA_ENOMEM. */
PEPA_API PepaStatus pepa_measures_values(const PepaMeasures *measures, const PepaChain *chain,
                                         const double *pi, double *value, PepaError *err);

/* The measures as rewards: reward[s x measures + i] is what measure i counts while the chain is in
 * state s, so that its value under a distribution is the mean.  NaN where it has none.
 * 8 bytes per state, for each flow, population or mean that the measures name, of scratch.
 * Errors: as pepa_measures_values; PEPA_EARG too for a measure that is no sum of multiples of
 * means, such as a ratio of two. */
PEPA_API PepaStatus pepa_measures_rewards(const PepaMeasures *measures, const PepaChain *chain,
                                          double *reward, PepaError *err);

/* The value of one measure, and its derivatives by all rates of the model; as
 * pepa_steady_sensitivities in all else, also in what `derivative` and the residual in `info` mean.
 * One linear solution for what adds to the measure, and one for what takes from it, as in a
 * quotient.  Errors: as there; PEPA_EARG too for a measure that has no value or no derivative at
 * pi. */
PEPA_API PepaStatus pepa_measure_sensitivities(PepaSteady *steady, const PepaSettings *set,
                                               const double *pi, const PepaMeasures *measures,
                                               int32_t measure, double *value, double *derivative,
                                               PepaInfo *info, PepaError *err);

/* Intervals that contain the exact values of all measures, low[i] <= value <= high[i]: of each flow,
 * population or mean that they name as pepa_throughput_bounds, with arithmetic on intervals from
 * there.  -inf .. +inf where the interval of a divisor contains 0.
 *   low, high  one entry per measure
 * A linear solution for each flow, population or mean that occurs; 8 bytes per state for each.
 * Errors: as pepa_throughput_bounds; as pepa_measures_values. */
PEPA_API PepaStatus pepa_measure_bounds(PepaSteady *steady, const PepaSettings *set,
                                        const double *pi, const PepaMeasures *measures, double *low,
                                        double *high, PepaInfo *info, PepaError *err);

/* The value of an expression over the rates of a model, such as "3 * mu" or "min(r, 1/2)": numbers,
 * names of rates, + - * / ( ), and the functions of measures.
 *   model  NULL: there are no rates
 * `name` and `diagnose` as for measures.  Errors: PEPA_EARG, also for rates that are passive or
 * depend on the state, and where the value is not finite; PEPA_ELIMIT, PEPA_ENOMEM. */
PEPA_API PepaStatus pepa_model_value(const PepaModel *model, const char *name, const char *text,
                                     size_t length, PepaDiagnose diagnose, void *user,
                                     double *value, PepaError *err);

/* A condition on states, such as "Down >= 1 && !enabled(serve)"; otherwise as a list of measures.
 */
typedef struct PepaPredicate PepaPredicate;
PEPA_API PepaStatus pepa_predicate_new(PepaPredicate **out, const PepaModel *model,
                                       const char *name, const char *text, size_t length,
                                       PepaDiagnose diagnose, void *user, PepaError *err);
PEPA_API void pepa_predicate_free(PepaPredicate *predicate);
/* Where it is true: true_in has an entry per state, out: 1 or 0.  Errors: as pepa_measures_values,
 * without PEPA_ELIMIT. */
PEPA_API PepaStatus pepa_predicate_states(const PepaPredicate *predicate, const PepaChain *chain,
                                          uint8_t *true_in, PepaError *err);

#ifdef __cplusplus
}
#endif
#endif
