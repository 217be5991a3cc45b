/* The decision log: one line per decision and per move, as text for people or as JSON. */
#ifndef GRID_STEER_DECISION_LOG_H
#define GRID_STEER_DECISION_LOG_H

#include "grid/steer/rule.h"

typedef struct {
    double time;
    int64_t done;                  /* items */
    double seen;                   /* items per second since the last decision; < 0: none */
    double seconds;                /* that the decision took */
    const int32_t *present, *best; /* mappings; best NULL: the present one, or not known */
    Comparison comparison;
    Decision decision;
    int optimal;       /* `best` is proved optimal */
    const char *error; /* DECISION_ERROR: why */
} DecisionRecord;

void log_decision(const DecisionRecord *record, const AmogetDescription *desc,
                  const GridReschedulerSettings *set);
/* From a decision on, pauses of processes count as what they are like, or (0) no longer. */
void log_pauses(const DecisionRecord *record, int count, const GridReschedulerSettings *set);
void log_move(double time, const int32_t *mapping, double seconds, const AmogetDescription *desc,
              const GridReschedulerSettings *set);

#endif
