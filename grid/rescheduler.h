/* When to move which stage: no MPI here.
 *
 * At every decision the description is brought up to date (monitor.h) and ranked (amoget.h).  The
 * best mapping is taken if it pays: if over the items that are left (or over `horizon` seconds when
 * that is not known) the time it saves exceeds `caution` times what moving costs, as measured on
 * the moves so far, and if it is better by at least `least_gain` and by more than `certainty`
 * standard errors of the measurements explain; and, against flapping, if it has been so at two
 * decisions in a row, unless the present mapping has fallen below `alarm` of what it gave.  What
 * cannot be ranked leaves the mapping as it is. */
#ifndef GRID_RESCHEDULER_H
#define GRID_RESCHEDULER_H

#include "grid/monitor.h"

typedef struct {
    double least_gain;   /* 0.05 */
    double caution;      /* 2 */
    double alarm;        /* 0.7 */
    double certainty;    /* 2 */
    double horizon;      /* seconds; used when items is 0: 60 */
    int64_t items;       /* in all, if known */
    double first_cost;   /* seconds that a move is taken to cost before one was measured: 0.5 */
    double budget;       /* of the time that the run takes, for decisions: 0.005 */
    AmogetSettings rank; /* time_limit bounds a decision: 0.5 s.  AMOGET_AUTO: listed, else best */
    FILE *log;           /* a line per decision and per move; or NULL */
    int json;            /* as JSON objects, one per line */
} GridReschedulerSettings;
GridReschedulerSettings grid_rescheduler_default(void);

/* desc and monitor (which is of desc) are borrowed; settings may be NULL: the default.
 * Errors: PEPA_EARG (a setting out of range), PEPA_ELIMIT, PEPA_ENOMEM. */
typedef struct GridRescheduler GridRescheduler;
PepaStatus grid_rescheduler_new(GridRescheduler **out, AmogetDescription *desc,
                                GridMonitor *monitor, const GridReschedulerSettings *settings,
                                PepaError *err);
void grid_rescheduler_free(GridRescheduler *rescheduler);

/* What grid_run calls: a controller with this rescheduler as its user. */
GridController grid_rescheduler_controller(GridRescheduler *rescheduler, double period);

typedef struct {
    int64_t decisions, moves;
    double seconds;   /* in decisions */
    double longest;   /* decision */
    double predicted; /* throughput of the present mapping at the last decision; 0: not known */
} GridReschedulerReport;
GridReschedulerReport grid_rescheduler_report(const GridRescheduler *rescheduler);

#endif
