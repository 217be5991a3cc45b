/* What a run's tasks did, for its profile (predict/profile.h): own work by level, and the longest chain
 * of work.  All functions do nothing without a profiler; with one, each task reads the clock twice.
 *
 * A unit of work is what a processor of time 1 of the description does in a second; where none says the speeds of
 * all, the fastest process of the run has time 1. */
#ifndef GRID_GUM_PROFILER_H
#define GRID_GUM_PROFILER_H

#include "grid/core/buffer.h"
#include "grid/gum/context.h"

enum { PROFILER_LEVELS = 64 };

typedef struct {
    double tasks, pure, work, squares, longest; /* units; pure: that may run on two processes */
} Level;

typedef struct Profiler Profiler;
struct Profiler {
    double mark;                   /* the current frame's work is counted up to this time */
    double time;                   /* seconds per unit on this process */
    double messages, message_time; /* handled, and seconds for that */
    Level level[PROFILER_LEVELS];
};

/* A task that runs; lies on its thread's stack. */
struct Frame {
    Frame *up;
    double own, path; /* units */
    int32_t level;
    int makes; /* it has made sparks */
};

/* A spark is made; a task runs (instead of calling its function); its result is used. */
void profiler_spark(Gum *gum, Record *record);
void profiler_run(Gum *gum, Record *record);
void profiler_force(Gum *gum, const Record *record);
/* The current thread leaves, a thread is entered, at this time. */
void profiler_leave(Gum *gum, double now);
static inline void profiler_enter(Gum *gum, double now)
{
    if (gum->profiler)
        gum->profiler->mark = now;
}

/* The path goes with sparks and results in messages.  0; -1: failed. */
int profiler_put(Gum *gum, const Record *record, GridBuffer *body);
int profiler_get(Gum *gum, Record *record, Cursor *from);

#endif
