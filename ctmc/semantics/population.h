/* The population view of a compiled system: how many components are in each local state of each
 * slot, as real numbers, and the rates of all moves as expressions over these counts.
 *
 * It is an instance of the semantics (traverse.h), run once with a variable for each count in
 * place of a number.  So rates are what the chain has in a state, and analyses of populations
 * (fluid limits, their moments) evaluate expressions, whatever the populations are.  The cost is
 * that all local states of a slot are present at once: n and k ways to take part in a cooperation
 * make n x k moves.
 *
 * Passive activities have weights; what they meet has its rate as long as some are ready, and less
 * where next to none are (flow_rate.h).  So rates stay continuous where the passive side runs out.
 *
 * Sources: Hillston, Fluid flow approximation of PEPA models, QEST 2005; Tribastone, Gilmore,
 * Hillston, Scalable differential analysis of process algebra models, IEEE TSE 38, 2012; Hayden,
 * Bradley, A fluid analysis framework for a Markovian process algebra, TCS 411, 2010. */
#ifndef PEPA_CTMC_SEMANTICS_POPULATION_H
#define PEPA_CTMC_SEMANTICS_POPULATION_H

#include "ctmc/semantics/population_form.h"

/* system: borrowed, without priorities; the values in `rates` are copied.  Local states that take no time
 * are passed (population_vanish.h); an immediate activity whose partner has a rate is like a passive one.
 * Errors: PEPA_EARG (immediate activities that differential equations do not know), PEPA_EMODEL (active and passive rates of one action meet in one component, or nothing
 * drives a passive activity, be it in a state that is not reachable), PEPA_ELIMIT (copies that all
 * move together, which have no fluid limit; too many moves), PEPA_ENOMEM. */
PepaStatus population_new(Population **out, const System *system, const RateTable *rates,
                          PepaError *err);
void population_free(Population *population);

#endif
