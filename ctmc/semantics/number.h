/* Rates as numbers: none, active, immediate and passive ones, of which the last two are weights; and
 * what rates make that meet and do not add up. */
#ifndef PEPA_CTMC_SEMANTICS_NUMBER_H
#define PEPA_CTMC_SEMANTICS_NUMBER_H

#include "parser/model.h"

typedef enum {
    NUMBER_NONE,
    NUMBER_ACTIVE, /* these three in the order of their levels */
    NUMBER_IMMEDIATE,
    NUMBER_PASSIVE,
    NUMBER_MIXED
} NumberKind;
/* Kind and priority are one word: they are compared together, and copied with one move each. */
enum { NUMBER_KINDS = 8 };
typedef struct {
    double value;
    int32_t sort; /* the kind, and NUMBER_KINDS times the priority, which is as in Value */
} Number;

static inline Number number_of(double value, RateLevel level, int32_t priority)
{
    return (Number){value, NUMBER_ACTIVE + (int32_t)level + NUMBER_KINDS * priority};
}
static inline NumberKind number_kind(Number n)
{
    return (NumberKind)(n.sort & (NUMBER_KINDS - 1));
}
static inline int32_t number_priority(Number n)
{
    return (int32_t)((uint32_t)n.sort / NUMBER_KINDS);
}

/* Of the activities that are possible in a state, those with the largest precedence happen: immediate
 * ones come before timed ones, and then larger priorities first. */
static inline int32_t precedence_of(RateLevel level, int32_t stated)
{
    const int32_t priority = stated == PRIORITY_UNSTATED ? PRIORITY_DEFAULT : stated;
    return level == LEVEL_IMMEDIATE ? PRIORITY_MOST + 2 + priority : priority;
}
static inline bool precedence_is_immediate(int32_t precedence)
{
    return precedence > PRIORITY_MOST + 1;
}

#endif
