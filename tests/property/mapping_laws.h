/* Laws that a description of any random problem has to keep. */
#ifndef PEPA_TESTS_MAPPING_LAWS_H
#define PEPA_TESTS_MAPPING_LAWS_H

#include "property/mapping_random.h"

typedef struct {
    MappingProblem problem;
    AmogetDescription *desc; /* of the problem */
    uint64_t state;          /* of a generator, for what the law chooses */
} MappingCase;

typedef struct {
    const char *name;
    bool (*holds)(MappingCase *each, Text *why); /* false: why says what is wrong,
  with the problem as it is then */
    int samples, least_stages, most_stages, most_mappings;
} MappingLaw;

/* Try the law on the random problems of a shard; fails the running test. */
void mapping_law_holds(const MappingLaw *law, int shard);

/* Other numbers, for the problem and its description. */
void mapping_change(MappingCase *each);

/* Say what is wrong, and be false. */
bool mapping_wrong(Text *why, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Equal up to a relative difference. */
bool mapping_same(double got, long double want, long double precision);

#endif
