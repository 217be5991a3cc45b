/* What the commands of single analyses share with their reports. */
#ifndef PEPA_CLI_ANALYSES_H
#define PEPA_CLI_ANALYSES_H

#include "session.h"

#include <pepa_experiment.h>
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

/* The points of an experiment, of which the last rate changes fastest, and how each ended. */
enum { MOST_VARIED = 8 };
typedef struct {
    Varied varied[MOST_VARIED];
    int32_t axes;
    size_t count, first; /* first: where the model was read */
    PepaStatus *status;  /* per point: PEPA_OK until it failed */
} Points;
/* From --vary of a session that is begun, which is to read the model at the first point at which that has
 * a meaning.  An exit status. */
int points_read(Session *session, Points *points);
void points_free(Points *points);
/* Whether a picture can have so many rates and time; an exit status. */
int points_check_plot(const Options *options, int32_t keys);
void points_vary(const Points *points, PepaVary vary[MOST_VARIED]);
double points_value(const Points *points, int32_t axis, size_t point);
/* "lambda = 2, mu = 3" */
void points_name(const Points *points, size_t point, Text *out);
void points_json(const Points *points);        /* ,"vary" */
void points_json_failed(const Points *points); /* ,"failed", if some did */
/* Whether there are values to show, of all points but those that failed. */
bool points_solved(const Points *points, PepaStatus ended);
/* Say why the first point failed, and which others did; an exit status. */
int points_complain(Session *session, const Points *points, PepaStatus ended, int64_t failed,
                    const PepaError *err);

/* pepa experiment by simulation, of a session that is loaded, and the report; an exit status. */
int experiment_simulate(Session *session, const Points *points);
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
