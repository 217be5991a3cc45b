/* What the files of model checking share. */
#ifndef PEPA_MEASURE_CSL_PRIVATE_H
#define PEPA_MEASURE_CSL_PRIVATE_H

#include "measure/csl.h"
#include "measure/expression.h"
#include "measure/leave.h"
#include "measure/step_clock.h"
#include "measure/uniform.h"

/* One evaluation. */
typedef struct {
    const CslJob *job;
    RateRows rows;
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

/* Of a chain that begins in several states, what holds there: the entry n of the numbers of its n states, and
 * of truths, which is UNKNOWN where these states differ.  Immediate activities have chosen one of them by then, at
 * time 0, so that a number is the mean over them. */
void csl_begin_numbers(const Csl *c, CslNumbers *numbers);
uint8_t csl_begin_truth(const Csl *c, const uint8_t *truth);

/* x becomes the mean of x in the state after `time`, by starting state, of the chain that stays
 * where `frozen` says; NULL: nowhere.
 *   integral  n, out: the same integrated over that time, where frozen is NULL; or NULL
 *   *error  += a bound of what the result is off in any state
 * O(rate x time) products, fewer where nothing changes any more; four vectors.
 * Errors: PEPA_ELIMIT (too many steps), PEPA_ENOCONV (rounding), PEPA_ENOMEM, PEPA_ECANCEL. */
PepaStatus csl_steps(Csl *c, const uint8_t *frozen, double time, double *x, double *integral,
                     double *error, PepaError *err);

/* What solves its linear equations. */
static inline LeaveJob csl_leaving(const Csl *c)
{
    return (LeaveJob){.rows = &c->rows,
                      .set = c->job->set,
                      .memory = c->memory,
                      .tolerance = c->tolerance,
                      .whose = "an unbounded operator",
                      .advice = "give it a limit of time"};
}

/* The mean of `earn` in the long run, by starting state.
 *   earn  n, off by at most earn_error each
 * Errors: as leave. */
PepaStatus csl_long_run(Csl *c, const double *earn, double earn_error, CslNumbers *out,
                        PepaError *err);
/* What is known of the share of time that is spent in `right`: into out->sure. */
PepaStatus csl_long_run_sure(Csl *c, const uint8_t *right, CslNumbers *out, PepaError *err);

/* Path formulas; left, right: 0 or 1 per state.  Numbers and what is known of them. */
PepaStatus csl_next(Csl *c, const FormulaNode *f, const uint8_t *right, CslNumbers *out,
                    PepaError *err);
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
