/* What the files of model checking share. */
#ifndef PEPA_MEASURE_CSL_PRIVATE_H
#define PEPA_MEASURE_CSL_PRIVATE_H

#include "measure/csl.h"
#include "measure/expression.h"
#include "measure/flow_build.h"
#include "measure/uniform.h"

/* The rates by rows of Q, self-loops apart, and the sources of each state. */
typedef struct {
    int32_t n;
    int64_t *row, *in_row; /* n + 1 each */
    int32_t *col, *in;
    double *val;
    double *exit, *loop; /* n each: the rates at which a state is left, and stays by a self-loop */
    double roundings;    /* bound of the relative error of any of these sums, in units of 2^-53 */
} CslRows;               /* starts as {0} */

/* *left: bytes of set->memory that chain, rows and some vectors leave; 0: no limit.
 * Errors: PEPA_ELIMIT (set->memory), PEPA_ENOMEM. */
PepaStatus csl_rows_new(CslRows *rows, const Chain *chain, const double *value,
                        const PepaSettings *set, int64_t *left, PepaError *err);
void csl_rows_free(CslRows *rows);
/* The chain of jumps among some states, by rows, columns ascending; jumps starts as {0} and is freed
 * by the caller in any case.
 *   state, place  per row: its state; per state: its row, or -1
 * Errors: PEPA_ENOMEM. */
PepaStatus csl_rows_jumps(const CslRows *rows, const int32_t *state, const int32_t *place,
                          int32_t n, FlowOwner *jumps, PepaError *err);
/* Mark all states from which a marked one can be reached through states that `through` allows, the
 * first one among them; NULL: all.  stack: n */
void csl_spread(const CslRows *rows, const uint8_t *through, int32_t *stack, uint8_t *mark);

/* One evaluation. */
typedef struct {
    const CslJob *job;
    CslRows rows;
    Expressions *e;   /* the query's predicates and rewards */
    double tolerance; /* most that truncation adds */
    int64_t memory;   /* what chain and rows leave of the limit; 0: there is none */
    int32_t *stack;   /* n, scratch */
    StepClock clock;
    int64_t steps;
} Csl;

/* What an operator computes, per state. */
enum {
    CSL_ANY,
    CSL_ZERO,
    CSL_ONE,
    CSL_BETWEEN, /* more than 0 and less than 1 */
    CSL_POSITIVE /* more than 0 */
};
typedef struct {
    double *value, *error;
    uint8_t *sure; /* what reachability says of the exact value */
} CslNumbers;      /* starts as {0} */
bool csl_numbers_new(CslNumbers *numbers, int64_t states);
void csl_numbers_free(CslNumbers *numbers);

/* x becomes the mean of x in the state after `time`, by starting state, of the chain that stays
 * where `frozen` says; NULL: nowhere.
 *   integral  n, out: the same integrated over that time, where frozen is NULL; or NULL
 *   *error  += a bound of what the result is off in any state
 * O(rate x time) products, fewer where nothing changes any more; four vectors.
 * Errors: PEPA_ELIMIT (too many steps), PEPA_ENOMEM, PEPA_ECANCEL. */
PepaStatus csl_steps(Csl *c, const uint8_t *frozen, double time, double *x, double *integral,
                     double *error, PepaError *err);

/* What is earned until the states `within` are left, and then: within
 * x_i = (sum_j q_ij x_j + earn_i) / q_i, elsewhere x = boundary.  From each state within there is a way out.
 *   boundary        n; off by at most boundary_error
 *   earn            n, per unit of time, off by at most earn_error; or NULL: 0
 *   value, error    n, out: within only
 * Errors: PEPA_ENOCONV (not solved), PEPA_ELIMIT, PEPA_ENOMEM, PEPA_ECANCEL. */
PepaStatus csl_leave(Csl *c, const uint8_t *within, const double *boundary, double boundary_error,
                     const double *earn, double earn_error, double *value, double *error,
                     PepaError *err);

/* The mean of `earn` in the long run, by starting state.
 *   earn  n, off by at most earn_error each
 * Errors: as csl_leave. */
PepaStatus csl_long_run(Csl *c, const double *earn, double earn_error, CslNumbers *out,
                        PepaError *err);
/* What is known of the share of time that is spent in `right`: into out->sure. */
PepaStatus csl_long_run_sure(Csl *c, const uint8_t *right, CslNumbers *out, PepaError *err);

/* Path formulas; left, right: 0 or 1 per state.  Numbers and what is known of them. */
void csl_next(Csl *c, const FormulaNode *f, const uint8_t *right, CslNumbers *out);
/* What reachability says of `left until right` without a limit of time. */
PepaStatus csl_until_sure(Csl *c, const uint8_t *left, const uint8_t *right, uint8_t *sure,
                          PepaError *err);
PepaStatus csl_until(Csl *c, const FormulaNode *f, const uint8_t *left, const uint8_t *right,
                     CslNumbers *out, PepaError *err);

/* The numbers of any operator.
 *   a, b       its operands; NULL where it has none
 *   out        as csl_numbers_new makes it
 *   *negative  set if it is about a reward that is negative in some state, as far as is known
 * Errors: as above; PEPA_EARG (a reward without a value in some state). */
PepaStatus csl_compute(Csl *c, const FormulaNode *f, const uint8_t *a, const uint8_t *b,
                       CslNumbers *out, bool *negative, PepaError *err);

#endif
