/* When to move which stage: no MPI here.
 *
 * At every decision the description is brought up to date (monitor.h) and ranked (amoget.h).  The
 * best mapping is taken if it pays: if over the items that are left (or over `horizon` seconds when
 * that is not known) the time it saves exceeds `caution` times what moving costs, and if it is
 * better by at least `least_gain` and by more than `certainty` standard errors of the measurements
 * explain; and, against flapping, if it has been so at two decisions in a row.
 *
 * The alarm: what the present mapping gives has fallen below `alarm` of what it gave, by more than
 * `certainty` standard errors of both.  What it gave is known from when it was moved to, as it was
 * predicted, or else from `least_samples` services on; the estimate with the smallest error counts.
 * Then it is not waited for a second decision.  Without the alarm nothing is moved either before
 * each stage has made `least_samples` services where it is, since its process has been as fast as
 * it is now.  Fewer than 4 are no estimate (series.h: more than half could be wild); more need not
 * be asked for, as the errors of few are wide (grid_monitor_doubt).
 *
 * What moving costs: first_cost c_0 counts as much as one move, of those that took c_1, ..., c_n
 *     (c_0 + n c) / (1 + n),  c: the mean of the newest 15 that holds against outliers (series.h)
 * so that no single move, cheap or dear by chance, replaces what was taken for granted.
 *
 * What cannot be ranked leaves the mapping as it is. */
#ifndef GRID_RESCHEDULER_H
#define GRID_RESCHEDULER_H

#include "grid/monitor.h"

typedef struct {
    double least_gain;     /* 0.05 */
    double caution;        /* 2 */
    double alarm;          /* 0.7 */
    double certainty;      /* 2.5: of mappings that are not better, one in 160 seems to be */
    int32_t least_samples; /* 4 */
    double horizon;        /* seconds; used when items is 0: 60 */
    int64_t items;         /* in all, if known */
    double first_cost;     /* seconds that a move is taken to cost before one was measured: 0.5 */
    double budget;         /* of the time that the run takes, for decisions: 0.005 */
    /* time_limit bounds the search of a decision, and each of the two solutions beside it: 0.05 s.
     * AMOGET_AUTO: listed, else best */
    AmogetSettings rank;
    FILE *log; /* a line per decision and per move; or NULL */
    int json;  /* as JSON objects, one per line */
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
