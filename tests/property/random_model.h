/* Random well-formed PEPA models: the same seed and knobs give the same model. */
#ifndef PEPA_TESTS_RANDOM_MODEL_H
#define PEPA_TESTS_RANDOM_MODEL_H

#include "property/ref_model.h"

typedef struct {
    int max_states; /* bound on the states without aggregation: product of local ones */
    int functional; /* percent of models with functional rates */
    int careless;   /* percent of models in which passive activities may be left undriven
                       or meet active ones, and functional rates may be negative */
    int passive;    /* percent of (component, action) pairs that become passive */
    int immediate;  /* percent of actions that become immediate, in all components or in one, */
    int priority;   /* and of those that are given a priority 0 .. 3 */
    int stop;       /* percent of continuations that end */
    int constant;   /* percent of families that have one local state and never change */
} RandomKnobs;

RandomKnobs random_knobs_default(void);

/* The caller frees it with ref_model_free; every model is free of static errors: each name is
 * defined, each rate that is not functional is finite and positive, no process is unguarded. */
RefModel random_model(uint64_t seed, const RandomKnobs *knobs);

/* SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): the next number below n > 0. */
uint64_t random_below(uint64_t *state, uint64_t n);

#endif
