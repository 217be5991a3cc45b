/* The population view of a compiled system: how many components are in each local state of each
 * slot, as real numbers, and the rates of all moves as expressions over these counts.
 *
 * It is an instance of the semantics (traverse.h), run once with a variable for each count in
 * place of a number.  So rates are what the chain has in a state, and analyses of populations
 * (fluid limits, their moments) evaluate expressions, whatever the populations are.  The cost is
 * that all local states of a slot are present at once: n and k ways to take part in a cooperation
 * make n x k moves.
 *
 * A passive activity of weight w is given the rate w x K, with K so large that it exceeds every
 * active rate unless its population is next to 0, where it falls to what the others leave it.  So
 * rates stay continuous where the passive side runs out.
 *
 * Sources: Hillston, Fluid flow approximation of PEPA models, QEST 2005; Tribastone, Gilmore,
 * Hillston, Scalable differential analysis of process algebra models, IEEE TSE 38, 2012; Hayden,
 * Bradley, A fluid analysis framework for a Markovian process algebra, TCS 411, 2010. */
#ifndef PEPA_CTMC_SEMANTICS_POPULATION_H
#define PEPA_CTMC_SEMANTICS_POPULATION_H

#include "ctmc/semantics/flow.h"
#include "ctmc/system/system.h"

/* One component goes from one local state to another; both are variables, and differ unless said. */
typedef struct {
    int32_t from, to;
} PopulationStep;

typedef struct {
    int32_t action, seen; /* of the model: as seen at the root, and below what hides it */
    int32_t rate;         /* an expression */
    int32_t first, end;   /* its steps; none: the counts stay as they are */
    int32_t
        end_of_stays; /* from `end` to here: components that take part and stay where they are */
} PopulationMove;

/* Copies of a composite component are one of it, whose parts are as many: rates are homogeneous of
 * degree 1, so that the differential equations of n equal copies are those of one, times n. */
typedef struct {
    const System *system;
    int32_t *variable; /* per slot: that of its first local state; -1: a copy of another slot */
    double *initial;   /* per variable: a slot's total in its first local state */
    double *total;     /* per variable: the components of its slot, copies of it included */
    int32_t variables, slots; /* slots: that are no copies of others */
    bool composite;           /* some copies of composites were taken together */
    double passive;           /* K */
    Flows rates;
    size_t flow_count, kink_count; /* of the rates of moves; others may be appended */
    PopulationMove *moves;         /* in the order of the events */
    PopulationStep *steps;
    size_t move_count, move_cap, step_count, step_cap;
} Population;

/* system: borrowed, without immediate activities and priorities; the values in `rates` are copied.
 * Errors: PEPA_EMODEL (active and passive rates of one action meet in one component, or nothing
 * drives a passive activity, be it in a state that is not reachable), PEPA_ELIMIT (copies that all
 * move together, which have no fluid limit; too many moves), PEPA_ENOMEM. */
PepaStatus population_new(Population **out, const System *system, const RateTable *rates,
                          PepaError *err);
void population_free(Population *population);

#endif
