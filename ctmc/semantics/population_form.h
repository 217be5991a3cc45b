/* Populations and their moves: types alone. */
#ifndef PEPA_CTMC_SEMANTICS_POPULATION_FORM_H
#define PEPA_CTMC_SEMANTICS_POPULATION_FORM_H

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
    bool by_chance; /* where components begin is a matter of chance: `initial` is a mean */
    Flows rates;
    size_t flow_count, kink_count; /* of the rates of moves; others may be appended */
    PopulationMove *moves;         /* in the order of the events */
    PopulationStep *steps;
    size_t move_count, move_cap, step_count, step_cap;
} Population;

#endif
