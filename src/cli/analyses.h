/* What the commands of single analyses share with their reports. */
#ifndef PEPA_CLI_ANALYSES_H
#define PEPA_CLI_ANALYSES_H

#include "session.h"

#include <pepa_fit.h>
#include <pepa_optimise.h>
#include <pepa_passage.h>
#include <pepa_simulate.h>
#include <pepa_walk.h>

/* The values of --vary: count of them, as written; the caller frees them in any case. */
typedef struct {
    const char *rate;
    double *value;
    size_t count;
} Varied;
int vary_read(Session *session, const Given *given, Varied *out);
/* The ends of --within, as written. */
int within_read(Session *session, const Given *given, PepaWithin *out);
/* Print that there are more points than an experiment can have; EXIT_USAGE. */
int too_many_points(const Options *options);

/* pepa experiment by simulation, of a session that is loaded, and the report; an exit status. */
int experiment_simulate(Session *session, const Varied *varied, int32_t axes, size_t points);
/* "lambda = 2, mu = 3": the values of point `row`. */
void vary_name(const Varied *varied, int32_t axes, size_t row, Text *out);
double vary_value(const Varied *varied, int32_t axes, int32_t axis, size_t row);
void vary_json(const Varied *varied, int32_t axes); /* ,"vary" */
/* The simulation that the options ask for; time: as read_when, borrowed. */
PepaSimulation simulation_asked(const Options *options, const double *time, size_t points);

/* What pepa passage was asked.  Lists are borrowed, but for those of `ends`. */
typedef struct {
    PepaPassageEnds ends;
    char *from, *to;               /* what the names of actions there are parts of */
    const double *time, *quantile; /* quantiles: per cent */
    size_t count, quantiles;
} PassageAsked;
/* The same by simulation, and the report; an exit status. */
int passage_simulate(Session *session, const PassageAsked *asked);

/* What pepa optimise was asked and has found. */
typedef struct {
    Session *session;
    PepaWithin *within; /* options->within_count */
    PepaConstraint *subject;
    int32_t objective; /* the measure; those before it were asked for beside */
    double *rate, *value;
    uint8_t *binding;
    PepaOptimum found;
} Optimised;
/* The report in the form of the options; an exit status. */
int report_optimum(const Optimised *optimised);

/* ---- a walk: where it is, for the user ----------------------------------------------------- */

/* The last run at random; or none. */
typedef struct {
    int64_t taken;
    PepaRunEnd end;
} Ran;

/* The present state by components, and the enabled steps; or one line of JSON, with what ran unless
 * that is NULL.  An exit status, as above. */
int show_walk(const Session *session, const PepaWalk *walk);
int show_walk_json(const Session *session, const PepaWalk *walk, const Ran *ran);

/* ---- a fit ----------------------------------------------------------------------------------- */

/* What pepa fit has found. */
typedef struct {
    Session *session;
    PepaFit *fit;
    PepaFitInfo info;
    PepaFitTest test;    /* runs 0: none was wanted */
    char *text, *states; /* what to paste; states: NULL unless it was wanted */
    double seconds;
} Fitted;
/* The report in the form of the options; an exit status.  The same for the picture, if there is
 * to be one.  Warnings and advice, before both. */
int report_fit(const Fitted *fitted);
int draw_fit(const Fitted *fitted);
void advise_fit(const Fitted *fitted);

#endif
