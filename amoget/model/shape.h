/* What the structure of a mapping's chain depends on. */
#ifndef AMOGET_SHAPE_H
#define AMOGET_SHAPE_H

#include "amoget/description/description.h"

/* Zeroed before it is filled in, so that equal shapes have equal bytes. */
typedef struct {
    int32_t stages;
    AmogetTransfer transfer;
    int32_t phases[MOST_STAGES];
    /* The processor of each stage, numbered from 1 by their first stages; 0: one on which no stage
     * ever holds up another.  Of each: how many stages it can work for at a time. */
    int32_t group[MOST_STAGES], cores[MOST_STAGES + 1];
    uint64_t turns; /* bit i: stages i and i + 1 take turns, see shape_turns */
} Shape;

/* How many of the first `stages` of a mapping are on processor j. */
int32_t mapping_count(const int32_t *mapping, int32_t stages, int32_t j);

/* The shape of a mapping: AMOGET_SERIAL, processors with more stages than cores are groups. */
Shape shape_of(const AmogetDescription *desc, const int32_t *mapping);

/* Stages first .. first+count-1 of a pipeline in which no stage holds up another: the shape of
 * every mapping with AMOGET_STATIC, and of a bound with AMOGET_SERIAL (bound.h). */
Shape shape_free(const AmogetDescription *desc, int32_t first, int32_t count);

/* AMOGET_SERIAL with AMOGET_RENDEZVOUS: of two neighbours on a processor of one core, stage i holds
 * its item until the processor begins on it for stage i + 1, and can only get another one when that
 * is done: the two take turns.  Bit i says so of stages i and i + 1 for the first `depth` of a
 * mapping. */
uint64_t shape_turns(const AmogetDescription *desc, const int32_t *mapping, int32_t depth);

/* Is taking turns all that stages do to each other under this mapping? */
bool shape_turns_suffice(const AmogetDescription *desc, const int32_t *mapping);

/* An event graph: no processor decides who goes first. */
bool shape_is_free(const Shape *shape);
int32_t shape_activities(const Shape *shape);
/* PEPA_ELIMIT: the chain of a shape is known beforehand to have more states than this, or than any
 * chain can have. */
PepaStatus shape_check_size(const Shape *shape, int64_t max_states, PepaError *err);

#endif
