/* Model checking: formulas of CSL (continuous stochastic logic) with rewards.
 *
 *   static const char text[] = "P>=0.99 [ true U[0,5] {Served >= 1} ]";
 *   PepaFormula *formula = NULL;  PepaVerdict verdict;
 *   if (pepa_formula_new(&formula, model, "f", text, sizeof text - 1, NULL, NULL, &err) ==
 *           PEPA_OK &&
 *       pepa_formula_check(formula, chain, NULL, &verdict, &err) == PEPA_OK)
 *       printf("%s\n", verdict.holds ? "holds" : "does not hold");
 *   pepa_formula_free(formula);
 *
 * pepa-measures(5) has the language.  A verdict is proved: no bound of an error crosses a threshold
 * that matters for it. */
#ifndef PEPA_CSL_H
#define PEPA_CSL_H

#include "pepa_measure.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A formula about one model, which it keeps alive. */
typedef struct PepaFormula PepaFormula;

/* Read `length` bytes of text; diagnostics call it `name`.
 *   diagnose  receives all errors, in order of place; or NULL
 * Errors: PEPA_EARG (err: the first finding), PEPA_ELIMIT (more than 2 GB), PEPA_ENOMEM. */
PEPA_API PepaStatus pepa_formula_new(PepaFormula **out, const PepaModel *model, const char *name,
                                     const char *text, size_t length, PepaDiagnose diagnose,
                                     void *user, PepaError *err);
PEPA_API void pepa_formula_free(PepaFormula *formula);

typedef struct {
    int holds;    /* in the initial state: 1 or 0; -1: the formula asks for a number, by `=?` */
    double value; /* of the outermost operator P, S or R in the initial state; NaN: there is
                         * none; +inf: a reward whose sum has no end */
    double error_bound; /* of value, proved: truncation, linear equations and rounding; 0: exact */
    int64_t steps;      /* products of the uniformised chain with a vector */
    double seconds;
    uint64_t reserved[8];
} PepaVerdict;

/* Whether the formula holds in the initial state, at the chain's present rates.
 * set->solve.tolerance is the most that truncation adds to the error of a number; where that leaves
 * the verdict open, all is computed again with less.  The methods are uniformisation and, without
 * limits of time, linear equations, whatever set->solve.method says.  A chain explored as sets gets
 * its transitions by rows: 28 bytes for each, and some 100 for each state.
 * Where immediate activities lead from the initial state to several, numbers are means over these, and truths those of
 * such means.
 * Errors: PEPA_EARG (a chain of another model), PEPA_EMODEL (such states differ in a predicate outside of operators), PEPA_ENOCONV (a number is too near to its threshold
 * for a verdict; or equations are not solved), PEPA_ELIMIT, PEPA_ENOMEM, PEPA_ECANCEL (progress:
 * phases "transient" and "solve"). */
PEPA_API PepaStatus pepa_formula_check(const PepaFormula *formula, const PepaChain *chain,
                                       const PepaSettings *set, PepaVerdict *verdict,
                                       PepaError *err);
/* The same for every starting state.
 *   holds                1 or 0, or 2 where it is not known; not written for `=?`
 *   value, error_bound   as above; not written unless the outermost operator is P, S or R
 * Each has an entry per state, out; or is NULL. */
PEPA_API PepaStatus pepa_formula_states(const PepaFormula *formula, const PepaChain *chain,
                                        const PepaSettings *set, uint8_t *holds, double *value,
                                        double *error_bound, PepaError *err);

#ifdef __cplusplus
}
#endif
#endif
