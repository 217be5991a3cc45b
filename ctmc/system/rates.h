/* The distinct rates of a chain, as terms over the model's rate expressions.
 *
 * Every transition's rate is built by the rules of cooperation from the rates of local activities:
 *     sums of apparent rates, multiples by a count, min(ra(P), ra(Q)), and shares r / ra.
 * Terms are hash-consed: equal terms have one id, operands have smaller ids than what is built from
 * them.  A transition keeps a term's id.  The values stand apart (RateValues): one evaluation of
 * each distinct term, in order of ids, gives the rates of all transitions at other rates of the
 * model. */
#ifndef PEPA_CTMC_SYSTEM_RATES_H
#define PEPA_CTMC_SYSTEM_RATES_H

#include "base/error.h"
#include "base/memo.h"
#include "ctmc/system/table.h"
#include "parser/model.h"

typedef enum {
    TERM_ONE,        /* 1; term 0, for the sake of callers after a failure */
    TERM_EXPR,       /* a: expression */
    TERM_FUNCTIONAL, /* a: expression, b: id of the local state counts it was evaluated with */
    TERM_SCALE,      /* a: term, b: how many */
    TERM_SUM,        /* a + b */
    TERM_MIN,        /* min(a, b); that of the lower level, if they have different ones */
    TERM_SHARE       /* a x b / c: rate a, of which activity b has its share of apparent rate c */
} TermOp;

typedef struct {
    int32_t op, a, b, c;
} Term;

typedef struct {
    const Model *model;
    Value *values; /* of the model's rates, as the model has them */
    Term *terms;
    double *value; /* of each term at these; a weight if immediate or passive */
    uint8_t *level;
    int32_t *priority;
    double largest;  /* of these values */
    int32_t *scaled; /* the first multiple that was made of each term, or -1 */
    size_t cap;      /* of the five arrays */
    int32_t count;
    Memo ids; /* of the other terms, by their operands and operation; but for functional ones */
    /* Functional rates: the local states that any of them counts, and the count vectors met, in
     * which those that an expression does not count are 0. */
    int32_t *counted; /* local ids */
    int32_t counted_count;
    int32_t *functional; /* per expression: its row in uses, or -1 */
    int32_t rows;
    uint8_t *uses;    /* rows of counted_count: does the expression count counted[i]? */
    int64_t *counts;  /* model->local_count, scratch */
    uint64_t *packed; /* counted_count: the vector looked for last, and its number, or -1 */
    int32_t last;
    Table met;
    int32_t *evaluated; /* rows for each vector: the term of the expression with it, or -1 */
    size_t evaluated_count, evaluated_cap;
    double most; /* bytes that building may take, or status is PEPA_ELIMIT; 0: no limit */
    /* First failure; the functions below then return term 0 and the caller checks now and then. */
    PepaStatus status;
    int32_t bad; /* status PEPA_EMODEL: the term that is not finite and > 0 */
    /* A view: a term that is not there is not built; `missing` is set, and term 0 returned. */
    bool frozen, missing;
} RateTable;

PepaStatus rates_init(RateTable *rates, const Model *model, PepaError *err);
void rates_free(RateTable *rates);
/* A read-only view of a table, for a thread; the table must not change meanwhile.  The view borrows
 * everything but `packed`, counted_count entries of its own.  Not to be freed. */
void rates_view(RateTable *view, const RateTable *rates, uint64_t *packed);
/* What terms take, and finding them while they are built. */
double rates_bytes(const RateTable *rates);
double rates_next_bytes(const RateTable *rates); /* once its arrays have grown */
/* Free what only building terms needs. */
void rates_seal(RateTable *rates);

/* Have two terms one level and one priority: can they be added? */
static inline bool rates_alike(const RateTable *rates, int32_t a, int32_t b)
{
    return rates->level[a] == rates->level[b] && rates->priority[a] == rates->priority[b];
}

/* A rate expression that counts no local states.  Its value was checked with the model. */
int32_t rates_expr(RateTable *rates, int32_t expr);
/* One that does; counts: model->local_count entries.  Its value may be 0: the activity is off. */
int32_t rates_functional(RateTable *rates, int32_t expr, const int64_t *counts);
/* The local state counts that a functional term was met with, by their number `met` there, spread
 * into `counts` (as above), which it returns; entries that no functional rate looks at are left
 * alone. */
const int64_t *rates_spread(const RateTable *rates, int32_t met, int64_t *counts);
int32_t rates_scale(RateTable *rates, int32_t term, int32_t copies);
int32_t rates_sum(RateTable *rates, int32_t a, int32_t b);
int32_t rates_min(RateTable *rates, int32_t a, int32_t b); /* of one level */
/* A rate of a lower level, with the larger of the priorities of both. */
int32_t rates_prior(RateTable *rates, int32_t low, int32_t high);
int32_t rates_share(RateTable *rates, int32_t rate, int32_t activity, int32_t apparent);

/* ---- values ---------------------------------------------------------------------------------- */

/* The value of term t, given those of the model's rates and of the terms before it.
 *   counts  scratch */
Value rates_evaluate(const RateTable *rates, const Value *values, const double *value,
                     int64_t *counts, Term t);
/* May a term have this value? */
bool rates_legal(Term t, double value);

/* The values of all rates at one point.  Any number of these may go with one table, which none of
 * the functions below changes. */
typedef struct {
    double *forced;  /* per rate of the model: what it was set to, or NaN */
    Value *rate;     /* of the model's rates */
    double *term;    /* of each term; a weight if immediate or passive */
    int64_t *counts; /* model->local_count, scratch */
} RateValues;        /* starts as {0} */

/* The values that the terms were built with.  Errors: PEPA_ENOMEM. */
PepaStatus rate_values_new(RateValues *out, const RateTable *rates, PepaError *err);
void rate_values_free(RateValues *values);
/* Give the model's rates rate[0 .. count) new values, beside those set before, and evaluate all
 * terms.  On failure nothing has changed: PEPA_EMODEL, PEPA_EARG (a functional rate would be
 * switched on or off), PEPA_ENOMEM. */
PepaStatus rate_values_set(RateValues *values, const RateTable *rates, size_t count,
                           const int32_t *rate, const double *value, PepaError *err);

/* Each term's value in long double, from the same values of the activities' rates; its relative
 * error beside the exact one, in units of LDBL_EPSILON / 2 and to the first order.
 *   value, roundings  count entries */
void rates_precisely(const RateTable *rates, const RateValues *at, long double *value,
                     double *roundings);

/* ---- derivatives ----------------------------------------------------------------------------- */

/* Derivatives backwards (reverse mode): of some X, from its derivatives by the values of the
 * terms to those by the model's rates, as rate_values_set changes them.
 *   by_term  count entries; in: dX / d term; overwritten
 *   scratch  model->expr_count
 *   counts   scratch, model->local_count, zeroed at first
 *   by_rate  rate_count entries; in: derivatives that do not come through terms; out: 0 for rates
 *            that are functional
 * Where the operands of a min are equal, each counts half.  O(terms + evaluations of the
 * expressions of rates and activities).  Source: as model_expr_slopes. */
void rates_gradient(const RateTable *rates, const RateValues *at, double *by_term, double *scratch,
                    int64_t *counts, double *by_rate);
/* Is a functional rate 0 somewhere, so that its activity is not among the transitions, that another value of some rate
 * changes?  Arguments as above; by_term and by_rate are scratch. */
bool rates_may_begin(const RateTable *rates, const RateValues *at, double *by_term, double *scratch,
                     int64_t *counts, double *by_rate);

#endif
