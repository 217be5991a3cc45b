/* Which random models a property test looks at.
 *   PEPA_TEST_SEED   the first seed; 1 by default, so that a run can be repeated
 *   PEPA_TEST_SCALE  factor on the number of models; 0: the first one only, to look at a failure */
#ifndef PEPA_TESTS_SEEDS_H
#define PEPA_TESTS_SEEDS_H

#include "property/random_model.h"

/* A test's models are dealt out to shards, which Criterion runs side by side. */
enum { SHARDS = 4 };

typedef struct {
    uint64_t next, end;
    int failures;
} Seeds;

/* The seeds of one shard (0 .. SHARDS-1) of a test over `models` models at scale 1. */
Seeds seeds(int shard, int models);
/* The next seed; false when they are used up or too many failed. */
bool seeds_next(Seeds *seeds, uint64_t *seed);
/* Say what went wrong with a model, and how to see it again. */
void seeds_fail(Seeds *seeds, uint64_t seed, const char *what, const char *text);

/* The model of a seed: mostly up to a hundred states, one in twenty up to `large`; in one in four
 * most components never change. */
RefModel seeds_model(uint64_t seed, int large);

#endif
