/* The values of rates at which a measure is best, within bounds and under constraints.
 *
 *   PepaWithin within[] = {{"mu", 1, 10}};  double best[1];  PepaOptimum found;
 *   PepaOptimise what = {.objective = 0, .within = within, .within_count = 1};
 *   if (pepa_optimise(model, measures, &what, NULL, best, NULL, NULL, &found, &err) == PEPA_OK)
 *       printf("%s is least, %g, at mu = %g\n", pepa_measures_name(measures, 0), found.objective,
 *              best[0]);
 *
 * The measures are those of pepa_measure.h; constraints are two of them, a side each. */
#ifndef PEPA_OPTIMISE_H
#define PEPA_OPTIMISE_H

#include "pepa_measure.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A rate to choose, low <= value <= high, both finite.  Of a rate that decides a number of copies
 * or of phases the whole numbers between them; one that decides phases otherwise is refused (PEPA_EARG). */
typedef struct {
    const char *rate;
    double low, high;
} PepaWithin;

/* measure <= bound, or measure >= bound: two measures of one list. */
typedef struct {
    int32_t measure, bound;
    int at_least; /* non-zero: >= */
} PepaConstraint;

/* Append the two sides of a constraint as measures: "EXPRESSION <= VALUE", or ">=", in one
 * expression over several lines if need be.  In VALUE the name of a rate stands for its value, also
 * where an earlier measure has the same name.  The first of the two measures is called by the whole
 * text, the other by its own; no later measure can name either.
 *   out  which they are
 * All else, also errors, as pepa_measures_add. */
PEPA_API PepaStatus pepa_measures_add_constraint(PepaMeasures *measures, const char *name,
                                                 const char *text, size_t length,
                                                 PepaDiagnose diagnose, void *user,
                                                 PepaConstraint *out, PepaError *err);

typedef struct {
    int32_t objective;        /* a measure of the list */
    int maximise;             /* non-zero; else it is made small */
    const PepaWithin *within; /* within_count of them, at least one, of different rates */
    size_t within_count;
    const PepaConstraint *subject; /* subject_count of them; NULL if there are none */
    size_t subject_count;
    uint64_t reserved[8];
} PepaOptimise;

/* How a search has ended. */
typedef enum {
    PEPA_OPTIMUM_STATIONARY, /* no direction improves to the first order: see residual */
    PEPA_OPTIMUM_SEARCHED, /* derivatives jump, or there are none: nothing better was found nearby */
    PEPA_OPTIMUM_ENUMERATED, /* of whole numbers only: each combination was looked at or cannot be
                              * better */
    PEPA_OPTIMUM_NEIGHBOURS  /* of whole numbers only: no neighbour is better */
} PepaOptimumEnd;

/* Whether a rate or a constraint is at its end. */
typedef enum { PEPA_BINDS_NOT, PEPA_BINDS_LOW, PEPA_BINDS_HIGH } PepaBinds;

typedef struct {
    double objective; /* the value of the measure */
    /* The largest (measure - bound) / |bound| of the constraints, or (bound - measure) / |bound|; where
     * the bound is 0, divided by the measure at the first point instead.  At most `tolerance`. */
    double violation, tolerance;
    /* The largest derivative of the Lagrangian by a rate, as a share of the objective for a way
     * through the rate's range, or as much of it as was searched last, with the best multipliers, none of them negative; NaN: no
     * derivatives, or no rate that is not a whole number. */
    double residual;
    PepaOptimumEnd ended;
    int global;                     /* no combination is better: all rates are whole numbers */
    int64_t evaluations;            /* points solved for their steady state */
    int64_t skipped;                /* combinations that rates alone rule out */
    int64_t derived;                /* how often a chain was derived */
    int64_t searches;               /* local ones, each from another start */
    int64_t wrong;                  /* points looked at where the model is wrong */
    int failed;                     /* see pepa_optimise */
    double solver_residual;         /* the largest of all points */
    double seconds, derive_seconds; /* of these: to derive chains */
    int64_t states, transitions;    /* of the chain at the optimum */
    int32_t deadlocks, bottom_components; /* the same */
    int aggregated, symbolic;             /* the same */
    uint64_t reserved[8];
} PepaOptimum;

/* Find the best point.
 *   model    whose text is read again with the values of a point where these decide numbers of
 *            copies, or switch functional rates on or off
 *   set      of the solution of each point, which is certified as by pepa_steady_solve, from the one
 *            before it; warm_start is ignored, nothing is written to `evidence`.  progress: phase
 *            "optimise", `count` points solved
 *   rate     within_count entries: the optimum
 *   value    NULL, or pepa_measures_count(measures) entries: all measures there, NaN: no value
 *   binding  NULL, or within_count + subject_count entries: which rates are at an end, and which
 *            constraints hold with equality, to 1e-6 of the bound (PEPA_BINDS_LOW for >=, PEPA_BINDS_HIGH for <=)
 *   found    or NULL
 * Rates that are no whole numbers are searched by quasi-Newton steps (BFGS) on an augmented
 * Lagrangian, from several starts that are always the same; derivatives are those of
 * pepa_measure_sensitivities.  Where there are none, or where they have a kink, the search ends
 * without derivatives.  Up to PEPA_MOST_ENUMERATED combinations of whole numbers are all looked at
 * (fewer where there are other rates too), and a pattern search takes more.  A combination whose
 * objective or constraints are decided by rates alone is not solved if these rule it out.
 * A point at which the model is wrong (PEPA_EMODEL), or a measure in question has no value, is not
 * feasible.  Errors:
 *   PEPA_EARG     no such rate or measure; a range that is empty; reserved words
 *   PEPA_EMODEL   the model is wrong at every point looked at
 *   PEPA_ENOCONV  no point satisfies the constraints: found->failed is set, found->violation is the
 *                 least violation met, and `rate` is where
 *   whatever the solution or derivation of a point ends with: found->failed is set, `rate` is the
 *   point.
 * Source: Nocedal and Wright, Numerical Optimization, 2006, ch. 17. */
#define PEPA_MOST_ENUMERATED 4096
PEPA_API PepaStatus pepa_optimise(const PepaModel *model, const PepaMeasures *measures,
                                  const PepaOptimise *what, const PepaSettings *set, double *rate,
                                  double *value, uint8_t *binding, PepaOptimum *found,
                                  PepaError *err);

#ifdef __cplusplus
}
#endif
#endif
