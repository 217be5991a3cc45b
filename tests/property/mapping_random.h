/* Random problems of mapping, and descriptions of them made through the public functions. */
#ifndef PEPA_TESTS_MAPPING_RANDOM_H
#define PEPA_TESTS_MAPPING_RANDOM_H

#include "amoget.h"
#include "property/mapping_oracle.h"

/* The same seed gives the same problem, of so many stages and at most so many mappings.  Small
 * numbers of values, so that ties and processors that are alike are frequent, or any values; every
 * latency that a mapping can need is given. */
MappingProblem random_mapping_problem(uint64_t seed, int least_stages, int most_stages,
                                      int most_mappings);

/* Give some of the problem's numbers other values. */
void random_mapping_change(MappingProblem *problem, uint64_t *state);

void random_mapping(const MappingProblem *problem, uint64_t *state, int32_t *mapping);

/* A description of the problem, said in an order that depends on the seed; fails the running test
 * if it is refused. */
AmogetDescription *mapping_description(const MappingProblem *problem, uint64_t seed);
/* Say the problem's numbers once more. */
void mapping_set_numbers(AmogetDescription *desc, const MappingProblem *problem);

#endif
