/* Measures of chains with several bottom components as functions of where these chains end.
 *
 * With m_b the mean in bottom component b, the mean from a state that leads to several is g, where
 *     g = m_b  in component b,     (Q g)_s = 0  in each transient state s,
 * and the long-run mean X is g of the initial state. */
#ifndef PEPA_MEASURE_ENDS_H
#define PEPA_MEASURE_ENDS_H

#include "ctmc/chain.h"
#include "measure/interval.h"

/* What the following take, about. */
double ends_bytes(const Chain *chain);

/* With v_s the mean time in the transient state s and k the transitions from there, s to t:
 *
 *     dX = sum_b w_b dm_b + sum_k v_s (g_t - g_s) d rate_k
 *
 * Adds the latter sum to the derivatives by term.
 *   value    per term: its rate
 *   pi       the long-run distribution: it has to end in each component as often as the chain does
 *   mean     per component: m_b
 *   by_term  in, out
 *   *residual  out: bound of the error of g in the initial state, and how far from balance the
 *              times are, weighed by g, each as a share of that g
 * Errors: PEPA_EARG (pi), PEPA_ENOCONV, PEPA_ELIMIT, PEPA_ENOMEM, PEPA_ECANCEL.
 * Source: Cao, Chen (see solve_potential), with g in place of their constant mean. */
PepaStatus ends_derive(const Chain *chain, const double *value, const PepaSettings *set,
                       const double *pi, const double *mean, double *by_term, double *residual,
                       PepaError *err);

/* X from intervals of all m_b: g with a proved error (see leave.h).
 *   value      per term: its exact rate, rounded to a double
 *   roundings  of each: its relative error, in units of 2^-53
 *   *out       as narrow as set->solve.tolerance says for X itself, if means are; at least it is
 *              between the least and the greatest mean
 * Processes that share the chain by rows all call it, and agree (see spread_gain.h).
 * Errors: PEPA_ELIMIT, PEPA_ENOMEM, PEPA_ECANCEL. */
PepaStatus ends_enclose(const Chain *chain, const double *value, double roundings,
                        const PepaSettings *set, const Interval *mean, Interval *out,
                        PepaError *err);

#endif
