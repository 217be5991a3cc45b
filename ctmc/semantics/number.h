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
typedef struct {
    double value;
    NumberKind kind;
    int32_t priority; /* as in Value */
} Number;

static inline Number number_of(double value, RateLevel level, int32_t priority)
{
    return (Number){value, (NumberKind)(NUMBER_ACTIVE + (int)level), priority};
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
