/* The rescheduler: decides when to move which stage.  No MPI here.
 *
 * At every decision the description is brought up to date (monitor.h), and its mappings are ranked
 * (amoget.h).  The run moves to the best mapping if that pays:
 *   - over the remaining items (or over `horizon` seconds, if their number is not known) it saves
 *     more than `caution` times what moving costs;
 *   - it is better by at least `least_gain`, and by more than `certainty` standard errors;
 *   - each stage has made `least_samples` services where it is, since its process last changed
 *     (fewer than 4 give no estimate: window.h; more are not needed, as the errors of few are
 *     wide);
 *   - all that was so at the last decision as well: against flapping.
 *
 * The alarm replaces the last two conditions: the present mapping's throughput has fallen below
 * `alarm` of its earlier throughput, by more than `certainty` standard errors of both.  The earlier
 * throughput is what was predicted when the run moved to the mapping, or else what was estimated
 * after `least_samples` services; of several estimates the one with the smallest error counts.
 *
 * What moving costs: after n moves, with c the robust mean (window.h) of the newest 15 and c_0 =
 * first_cost,
 *     (c_0 + n c) / (1 + n).
 * The assumed cost counts as one move, so that no single cheap or expensive move decides.
 *
 * If the mappings cannot be ranked, nothing moves. */
#ifndef GRID_STEER_RESCHEDULER_H
#define GRID_STEER_RESCHEDULER_H

#include "grid/pipeline/controller.h"
#include "grid/steer/monitor.h"
#include "grid/steer/settings.h"

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
