/* Uniformisation: a chain at a rate that no state exceeds, one jump at a time.  With Q the
 * generator and P = I + Q / rate, a step is x -> x P; on rows with a matrix of rates, on sets
 * without one.  Source: Stewart 1994, sec. 8.2. */
#ifndef PEPA_MEASURE_UNIFORM_H
#define PEPA_MEASURE_UNIFORM_H

#include "ctmc/operator.h"
#include "measure/passage_end.h"
#include "measure/spread_order.h"
#include "solvers/solver.h"

typedef struct Uniform Uniform;

/* With an end, P is that of the chain until its end, and its rows lack what ends.  Borrows chain, value
 * and end.  Rows: 6 or 12 bytes per transition, 16 per state; sets: 8 per
 * state; with an end 8 per state more.  Of a view of a chain that processes share (chain->share) all of
 * them call this and take steps, and of rows also the functions that move vectors; with an end of rows
 * only.
 *   value  per term: its rate
 *   set    complete: threads, memory, progress
 * Errors: PEPA_ELIMIT, PEPA_ENOMEM, PEPA_ECANCEL. */
PepaStatus uniform_new(Uniform **out, const Chain *chain, const double *value,
                       const PassageEnd *end, const PepaSettings *set, PepaError *err);
void uniform_free(Uniform *uniform);

/* A little more than the largest exit rate, so that P has no period; 0 if nothing ever happens. */
double uniform_rate(const Uniform *uniform);
/* Bound of the rounding error of a step, |computed - x P|_1 for |x|_1 = 1. */
double uniform_rounding(const Uniform *uniform);

/* Entries of its vectors: states, with copies of those of others.  One entry per state means these;
 * rows that processes share have an order of their own. */
size_t uniform_states(const Uniform *uniform);
size_t uniform_entries(const Uniform *uniform);
/* x: the start.  Errors: PEPA_ENOMEM, in all processes. */
PepaStatus uniform_start(const Uniform *uniform, double *x, PepaError *err);
/* pi[state] = x[i], and x[i] = pi[state x stride]; *at: pi, or x itself where orders are the same.
 * Errors: PEPA_ENOMEM, in all processes. */
PepaStatus uniform_to_states(const Uniform *uniform, const double *x, double *pi, const double **at,
                             PepaError *err);
PepaStatus uniform_from_states(const Uniform *uniform, const double *pi, size_t stride, double *x,
                               PepaError *err);

/* Per entry, borrowed: the rate at which a passage ends; NULL without an end. */
const double *uniform_ends(const Uniform *uniform);
/* Per entry, borrowed: a passage ends there; NULL: nowhere. */
const uint8_t *uniform_ended(const Uniform *uniform);
/* Of rows that processes share, borrowed: the order of entries, with the exit rates of a chain until its end, 0
 * where it has ended. */
SpreadOrder *uniform_order(Uniform *uniform);
/* PEPA_ENOCONV where rounding over so long a time may have put a number, of the size `scale`, off by more
 * than the tolerance and more than a millionth. */
PepaStatus uniform_judge(double error, double tolerance, double scale, PepaError *err);
/* The matrix, borrowed: row i has the rates into state i; with the exit rates, those of ends
 * included.  States where a passage ends have neither.  A chain stored as sets is gone through the
 * first time, and its rows are kept.  O(transitions).
 * Not of a chain that processes share.  Errors: PEPA_ELIMIT (memory), PEPA_ENOMEM. */
PepaStatus uniform_rows(Uniform *uniform, const PepaSettings *set, Flow *rates, PepaError *err);
/* *drift: a bound of |x Q|_1 without an end, in twice the digits.  The same errors. */
PepaStatus uniform_drift(Uniform *uniform, const PepaSettings *set, const double *x, double *drift,
                         PepaError *err);

typedef struct {
    double change; /* |next - x|_1 */
    double left;   /* |next|_1 */
    double ended;  /* the probability that ended with this step */
    bool stopped;  /* some process that shares the chain wants to stop */
} UniformStep;

/* next = x P, and, unless more is NULL, more += weight x next.
 *   x, next, more  one entry per state, 0 where a passage ends; results do not depend on threads.
 *                  x gets the copies of the states of others */
UniformStep uniform_step(Uniform *uniform, double *x, double *next, double weight, double *more);
/* The same without more; step.change is |next - (1 - drop) x|_1: how far x is from one that a step shrinks to
 * 1 - drop of itself. */
UniformStep uniform_step_beside(Uniform *uniform, double *x, double *next, double drop);
/* Out of all states, per time; of all processes. */
double uniform_flow(const Uniform *uniform, const double *x);
/* Bound of what rounding leaves out of the change of a step from x: of what flows, not of what stays. */
double uniform_change_rounding(const Uniform *uniform, const double *x);
/* This process wants all that share the chain to stop. */
void uniform_stop(Uniform *uniform);

#endif
