/* Certifies that a vector is the steady state.  Only this code decides it, and only from the
 * transitions of the chain, never from data of a solver. */
#ifndef PEPA_MEASURE_CERTIFICATE_H
#define PEPA_MEASURE_CERTIFICATE_H

#include "ctmc/operator.h"
#include "pepa_shared.h"

/* With q_i the exit rate of state i, self-loops apart: */
typedef struct {
    double residual; /* sum |(pi Q)_i| / sum pi_i q_i: the share of the flow that is out of balance;
                        * 0 if nothing is, +inf if it is not a finite number */
    double by_time;  /* sum |(pi Q)_i| / q_i over the states that can be left: the same with a state
                        * weighed by the time that a visit takes, not by how often it is visited;
                        * +inf likewise */
    double sum, least; /* of the entries of pi; the least of them, or 0 */
} Certificate;

/* The sums are taken in an order that does not depend on the number of threads.
 *   processes  that have parts of the same chain; or NULL */
Certificate certificate_of(Operator *op, const double *value, const double *pi,
                           const PepaProcesses *processes);

/* PEPA_OK if pi is a distribution whose residual and by_time are <= tolerance; else `code`, with
 * the reason.  after: the method that made it, for the message. */
PepaStatus certificate_check(const Certificate *found, double tolerance, PepaStatus code,
                             const char *after, PepaError *err);

#endif
