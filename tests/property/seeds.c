#include "property/seeds.h"

#include <criterion/logging.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REPORTED_FAILURES = 3 };

static void shards_free(struct criterion_test_params *shards)
{
    cr_free(shards->params);
}

struct criterion_test_params seeds_shards(int tests)
{
    const size_t count = (size_t)(tests * SHARDS);
    int *number = cr_malloc(count * sizeof *number);
    for (size_t i = 0; i < count; i++)
        number[i] = (int)i;
    return cr_make_param_array(int, number, count, shards_free);
}

static const char *setting(const char *name, const char *usual)
{
    const char *value = getenv(name);
    return value && *value ? value : usual;
}

Seeds seeds(int shard, int models)
{
    uint64_t base = strtoull(setting("PEPA_TEST_SEED", "1"), NULL, 0);
    double wanted = models * strtod(setting("PEPA_TEST_SCALE", "1"), NULL);
    uint64_t count = wanted >= 1 ? (uint64_t)wanted : 1;
    if (shard == 0)
        (void)fprintf(stderr, "property: seeds %" PRIu64 " to %" PRIu64 "\n", base,
                      base + count - 1);
    return (Seeds){.next = base + (uint64_t)shard, .end = base + count};
}

bool seeds_next(Seeds *seeds, uint64_t *seed)
{
    if (seeds->next >= seeds->end || seeds->failures >= REPORTED_FAILURES)
        return false;
    *seed = seeds->next;
    seeds->next += SHARDS;
    return true;
}

void seeds_check(int shard, int models, void (*check)(Seeds *seeds, uint64_t seed))
{
    Seeds all = seeds(shard, models);
    for (uint64_t seed; seeds_next(&all, &seed);)
        check(&all, seed);
    cr_assert_eq(all.failures, 0);
}

void seeds_fail(Seeds *seeds, uint64_t seed, const char *what, const char *text)
{
    seeds->failures++;
    cr_log_error("seed %" PRIu64 " (again: PEPA_TEST_SEED=%" PRIu64 " PEPA_TEST_SCALE=0)\n%s\n%s",
                 seed, seed, what, text);
}

static RandomKnobs knobs_of(uint64_t seed, int large)
{
    RandomKnobs knobs = random_knobs_default();
    uint64_t state = ~seed;
    if (random_below(&state, 20) == 0)
        knobs.max_states = large;
    if (random_below(&state, 4) == 0)
        knobs.constant = 65;
    return knobs;
}

RefModel seeds_model(uint64_t seed, int large)
{
    RandomKnobs knobs = knobs_of(seed, large);
    return random_model(seed, &knobs);
}

RefModel seeds_immediate_model(uint64_t seed, int large, bool priorities)
{
    RandomKnobs knobs = knobs_of(seed, large);
    knobs.immediate = 60;
    knobs.priority = priorities ? 30 : 0;
    return random_model(seed, &knobs);
}

RefModel seeds_any_model(uint64_t seed, int large)
{
    return seed % 4 == 1 ? seeds_immediate_model(seed, large, true) : seeds_model(seed, large);
}
