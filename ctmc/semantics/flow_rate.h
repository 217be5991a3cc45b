/* How rates of activities over counts add up, meet and are shared.
 *
 * A passive rate is its weight, of which only shares are taken, and the number of components that are ready
 * for it.  An active rate that meets one is
 *     rate x min(1, ready / few),
 * with `few` far below one component: as long as some are ready, nothing holds it back.  Where a population
 * is so scarce that it stays below `few`, all that it can do has the same factor, which stands for the share
 * of time in which some are ready; so the actions have it by the rates of their partners, as in the chain,
 * and weights compare within one action only.  The factor is kept apart from the rate, so that it is
 * outside of every min that is built later, and shares of rates with the same factor are those of the
 * rates.
 *
 * Source: Hayden, Bradley, A fluid analysis framework for a Markovian process algebra, TCS 411, 2010;
 * Gast, Gaujal, Markov chains with discontinuous drifts have differential inclusion limits, Performance
 * Evaluation 69, 2012. */
#ifndef PEPA_CTMC_SEMANTICS_FLOW_RATE_H
#define PEPA_CTMC_SEMANTICS_FLOW_RATE_H

#include "ctmc/semantics/flow.h"

/* Of `count` components with this rate each. */
int32_t flow_scale(Flows *flows, int32_t rate, int32_t count);
/* Of `times` as many components. */
int32_t flow_times(Flows *flows, int32_t rate, double times);
/* Of either of two. */
int32_t flow_sum(Flows *flows, int32_t a, int32_t b);
/* Of both together. */
int32_t flow_least(Flows *flows, int32_t a, int32_t b);
/* rate x activity / apparent, where 0 / 0 is 0. */
int32_t flow_share(Flows *flows, int32_t rate, int32_t activity, int32_t apparent);
/* The rate of what can happen only as long as some of `count` are there. */
int32_t flow_while(Flows *flows, int32_t rate, int32_t count);

/* A rate, and the factor for the share of time in which there are some; -1: none. */
typedef struct {
    int32_t rate, part;
} FlowParts;
FlowParts flow_parts(Flows *flows, int32_t rate);

/* Of a finished rate: an expression that is below 1 just where its part is, and equal to it there; -1: it has
 * none. */
int32_t flow_scarcity(const Flows *flows, int32_t rate);
/* It without this part, if that is a factor of its own. */
int32_t flow_core(const Flows *flows, int32_t rate);
/* A rate with a part as flow_rate.c writes it, whose divisor is max(count / few, 1). */
bool flow_is_merged(const Flows *flows, int32_t rate);

#endif
