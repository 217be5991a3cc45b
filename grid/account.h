/* Decisions, one line each, for people or programs. */
#ifndef GRID_ACCOUNT_H
#define GRID_ACCOUNT_H

#include "grid/verdict.h"

typedef struct {
    double time;
    int64_t done;                  /* items */
    double seen;                   /* items per second since the last decision; < 0: not known */
    double seconds;                /* that the decision took */
    const int32_t *present, *best; /* mappings; best: NULL if that is the present one, or unknown */
    Weighing weighing;
    Verdict verdict;
    int optimal;       /* best is proved to be that */
    const char *error; /* VERDICT_ERROR: why */
} Decision;

void account_decision(const Decision *decision, const AmogetDescription *desc,
                      const GridReschedulerSettings *set);
void account_move(double time, const int32_t *mapping, double seconds,
                  const AmogetDescription *desc, const GridReschedulerSettings *set);

#endif
