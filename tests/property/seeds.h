/* Which random models a property test looks at.
 *   PEPA_TEST_SEED   the first seed; 1 by default, so that a run can be repeated
 *   PEPA_TEST_SCALE  factor on the number of models; 0: the first one only, to look at a failure
 *   PEPA_TEST_IMMEDIATE  1: the engine is shown models with immediate actions and priorities, too;
 *                        0 by default, since it refuses them */
#ifndef PEPA_TESTS_SEEDS_H
#define PEPA_TESTS_SEEDS_H

#include <criterion/criterion.h>
#include <criterion/parameterized.h>

#include "property/random_model.h"

/* A test's models are dealt out to shards, which Criterion runs side by side. */
enum { SHARDS = 4 };

/* The parameters 0 .. tests * SHARDS - 1 of parameterised tests: shard p % SHARDS of test
 * p / SHARDS. */
struct criterion_test_params seeds_shards(int tests);

/* A test that runs once for each shard; its body sees `const int *shard`. */
#define SHARDED_TEST(suite, name)                                                                  \
    ParameterizedTestParameters(suite, name)                                                       \
    {                                                                                              \
        return seeds_shards(1);                                                                    \
    }                                                                                              \
    ParameterizedTest(const int *shard, suite, name)

typedef struct {
    uint64_t next, end;
    int failures;
} Seeds;

/* The seeds of one shard (0 .. SHARDS-1) of a test over `models` models at scale 1. */
Seeds seeds(int shard, int models);
/* The next seed; false when they are used up or too many failed. */
bool seeds_next(Seeds *seeds, uint64_t *seed);
/* Call `check` with each seed of a shard; the running test fails if it reported a failure. */
void seeds_check(int shard, int models, void (*check)(Seeds *seeds, uint64_t seed));
/* Say what went wrong with a model, and how to see it again. */
void seeds_fail(Seeds *seeds, uint64_t seed, const char *what, const char *text);

/* The model of a seed: mostly up to a hundred states, one in twenty up to `large`; in one in four
 * most components never change. */
RefModel seeds_model(uint64_t seed, int large);
/* The same with immediate actions and, unless priorities is false, priorities. */
RefModel seeds_immediate_model(uint64_t seed, int large, bool priorities);
/* One with immediate actions and priorities for one seed of four, else one without. */
RefModel seeds_any_model(uint64_t seed, int large);

#endif
