/* A walk through the states of a model, one step at a time: what is enabled in one state is found
 * without the others, so that a model may have any number of them. */
#ifndef PEPA_CTMC_EXPLORE_WALK_H
#define PEPA_CTMC_EXPLORE_WALK_H

#include "ctmc/chain.h"

typedef struct Walk Walk;

/* One of the steps that are enabled: the transitions of the state that chain_derive would find. */
typedef struct {
    int32_t action; /* of the model */
    double rate;    /* or the weight, if it is immediate */
    bool immediate;
    const uint64_t *target; /* packed; borrowed until the walk moves */
} WalkStep;

/* In the initial state.  model, set: borrowed; set->derive.max_states limits walk_jump, 0: the limit
 * of states one by one.  Errors, here and in all that moves: PEPA_EMODEL (of the state that it would
 * move to; diags says what), PEPA_ENOMEM.  A failure leaves the walk where it is. */
PepaStatus walk_new(Walk **out, const Model *model, const PepaSettings *set, DiagList *diags,
                    PepaError *err);
void walk_free(Walk *walk);

/* The compiled system, and the values of the rates; borrowed.  The chain has no states. */
const Chain *walk_chain(const Walk *walk);
/* The state where the walk is, packed; how many steps led here, jumps included. */
const uint64_t *walk_state(const Walk *walk);
int64_t walk_length(const Walk *walk);

/* The steps that are enabled, by action, then in the order in which the chain would number new
 * states; the sum of their rates; and per action of the model whether it is. */
int32_t walk_count(const Walk *walk);
WalkStep walk_step(const Walk *walk, int32_t step);
double walk_exit(const Walk *walk);
const uint8_t *walk_enabled(const Walk *walk);

/* Take a step, 0 <= step < walk_count.  Expands one state. */
PepaStatus walk_take(Walk *walk, int32_t step, DiagList *diags, PepaError *err);
/* To where the walk was so many steps ago, at most walk_length. */
PepaStatus walk_back(Walk *walk, int64_t steps, DiagList *diags, PepaError *err);
/* To any state, reachable or not; canonical. */
PepaStatus walk_go(Walk *walk, const uint64_t *packed, DiagList *diags, PepaError *err);
/* To the state with this number in the chain, from 0, breadth first.  The states up to it are
 * explored and remembered.  PEPA_EARG: there are fewer; PEPA_ELIMIT, PEPA_ECANCEL as well. */
PepaStatus walk_jump(Walk *walk, int64_t number, DiagList *diags, PepaError *err);

/* Whether immediate activities can lead from the present state to one in which time passes.  If not,
 * PEPA_EMODEL: a cycle goes to diags.  Of many vanishing states, only the nearest are looked at;
 * PEPA_ELIMIT: it is not known. */
PepaStatus walk_passes(Walk *walk, DiagList *diags, PepaError *err);

/* Reads a state as system_state_text writes it, parentheses and blanks left out or not; copies are
 * then sorted.  cells: cell_count.  PEPA_EARG: the message says what is wrong. */
PepaStatus state_read(const System *system, const char *text, int32_t *cells, PepaError *err);

#endif
