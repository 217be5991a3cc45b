/* Does a better mapping pay?  The rule of the rescheduler, apart from where numbers come from. */
#ifndef GRID_VERDICT_H
#define GRID_VERDICT_H

#include <stdbool.h>

#include "grid/rescheduler.h"

typedef enum {
    VERDICT_MOVE,        /* it pays, and did at the last decision */
    VERDICT_ALARM,       /* it pays, and the present mapping has fallen too far to wait */
    VERDICT_BEST,        /* no better one was found */
    VERDICT_GAIN,        /* better by too little */
    VERDICT_MEASURING,   /* too little has been measured to say */
    VERDICT_DOUBT,       /* not by more than errors of measurement explain */
    VERDICT_COST,        /* does not make up for moving */
    VERDICT_UNCONFIRMED, /* pays, for the first time */
    VERDICT_DONE,        /* nothing is left to be done */
    VERDICT_ERROR        /* not ranked */
} Verdict;

/* What is weighed. */
typedef struct {
    double present, best; /* throughputs, items per second */
    double doubt;         /* standard error of ln(best / present) */
    double gave;          /* throughput that the present mapping had; 0: not known */
    double fall_doubt;    /* standard error of ln(gave / present) */
    int32_t samples;      /* that the present mapping's throughput rests on */
    double left;          /* items, >= 0; < 0: not known */
    double cost;          /* seconds of a move */
    int before;           /* decisions in a row, up to this one, at which moving paid */
} Weighing;

/* Seconds that what is left takes as it is, and those that the best mapping saves of them. */
double seconds_left(const Weighing *w, const GridReschedulerSettings *set);
double seconds_saved(const Weighing *w, const GridReschedulerSettings *set);

/* Has the present mapping fallen below `alarm` of what it gave, by more than errors explain? */
bool has_fallen(const Weighing *w, const GridReschedulerSettings *set);

Verdict verdict_of(const Weighing *w, const GridReschedulerSettings *set);
static inline bool verdict_moves(Verdict verdict)
{
    return verdict == VERDICT_MOVE || verdict == VERDICT_ALARM;
}
/* Would it have moved, had it been so before? */
static inline bool verdict_pays(Verdict verdict)
{
    return verdict_moves(verdict) || verdict == VERDICT_UNCONFIRMED;
}
const char *verdict_name(Verdict verdict); /* "moved", "best", ... */

#endif
