/* The decision rule of the rescheduler: does it pay to move to a better mapping? */
#ifndef GRID_STEER_RULE_H
#define GRID_STEER_RULE_H

#include <stdbool.h>

#include "grid/steer/settings.h"

typedef enum {
    DECISION_MOVE,        /* it pays, and did at the last decision */
    DECISION_ALARM,       /* it pays, and the present mapping has fallen too far to wait */
    DECISION_BEST,        /* no better mapping was found */
    DECISION_GAIN,        /* the gain is below least_gain */
    DECISION_MEASURING,   /* too few samples */
    DECISION_DOUBT,       /* errors of measurement may explain the gain */
    DECISION_COST,        /* the time saved does not make up for moving */
    DECISION_UNCONFIRMED, /* it pays, but did not at the last decision */
    DECISION_DONE,        /* no items are left */
    DECISION_ERROR        /* the mappings could not be ranked */
} Decision;

/* The present mapping and the best one. */
typedef struct {
    double present, best; /* throughputs, items per second */
    double error;         /* standard error of ln(best / present) */
    double earlier;       /* throughput that the present mapping had; 0: not known */
    double fall_error;    /* standard error of ln(earlier / present) */
    int32_t samples;      /* that the present mapping's throughput rests on */
    double left;          /* items, >= 0; < 0: not known */
    double cost;          /* seconds that a move takes */
    int paid_before;      /* decisions in a row, before this one, at which moving paid */
} Comparison;

/* Seconds that the remaining items take now, and how many of these the best mapping saves. */
double seconds_left(const Comparison *c, const GridReschedulerSettings *set);
double seconds_saved(const Comparison *c, const GridReschedulerSettings *set);

/* Is the present mapping below `alarm` of its earlier throughput, by more than errors explain? */
bool has_fallen(const Comparison *c, const GridReschedulerSettings *set);

Decision decision_rule(const Comparison *c, const GridReschedulerSettings *set);
static inline bool decision_moves(Decision decision)
{
    return decision == DECISION_MOVE || decision == DECISION_ALARM;
}
/* Moves, or would if it had paid at the last decision. */
static inline bool decision_pays(Decision decision)
{
    return decision_moves(decision) || decision == DECISION_UNCONFIRMED;
}
const char *decision_name(Decision decision); /* "moved", "best", ... */

#endif
