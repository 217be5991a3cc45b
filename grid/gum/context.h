/* The state of a GUM program on this process, and how a mistake ends it.
 *
 * The calls of gum.h have no handle: gum_now, and gum_quick, which is the same or NULL, are the only
 * mutable data of the library. */
#ifndef GRID_GUM_CONTEXT_H
#define GRID_GUM_CONTEXT_H

#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

#include "grid/core/session.h"
#include "grid/gum/latencies.h"
#include "grid/gum/policy/policy.h"
#include "grid/gum/pool.h"
#include "grid/gum/record.h"
#include "grid/gum/settings.h"
#include "grid/gum/thread.h"

typedef enum { PHASE_BEFORE, PHASE_READY, PHASE_RUNNING, PHASE_AFTER } Phase;

/* What a process has done in a run; all are sent to process 0 at its end as numbers of 8 bytes. */
typedef struct {
    int64_t made, inlined, discarded; /* sparks; forced here before anybody took them; no room */
    int64_t threads, most_threads;    /* begun; live at once */
    int64_t taken, given, returned;   /* from others; to others; back to their owner */
    int64_t twice;                    /* tasks that run here and go to another process as well */
    int64_t fish, early, nulls;       /* sent; of these while it had work; got for an answer */
    int64_t fetches, messages, far;   /* of data; sent, all; of these to other clusters */
    int64_t results; /* sent */
    int64_t task_bytes, result_bytes, fetched_bytes;
    double running, fetching, idle; /* seconds */
} Counters;

/* A request for work of this process, of REACH_FAR or of another reach. */
typedef struct {
    int out;      /* it has not been answered */
    int early;    /* the last one was sent while something ran here */
    double sent;  /* when */
    double after; /* the next one not before this, nor an early one before `later` */
    double later;
    int32_t nulls; /* answers in a row that were NULL */
} Fishing;

/* What sparks that others took turned out to be. */
typedef struct {
    int64_t count;
    double work; /* a mean in which recent ones count most, seconds x speed */
} Given;

/* Data of this process that others can fetch, and data of others. */
typedef struct {
    void *bytes;
    uint64_t size;
    int32_t owner; /* of a copy */
    uint32_t number;
    Thread *waiting; /* for a copy that has not come */
    int there;
} Datum;
typedef struct {
    Datum **each;
    size_t count, capacity;
} Data;

/* What process 0 has heard in a round of asking whether anything goes on: stuck.h. */
typedef struct {
    int64_t sent, received;
    int quiet, full, sparks; /* all are; all are at their limit of threads; some have sparks */
} Wave;
typedef struct {
    int64_t sent, received; /* this process: messages but for requests for work and refusals */
    double next, pause;     /* process 0: when to ask again; how long after the last time */
    int32_t asked;          /* how many have not answered */
    Wave total, before;     /* this round, the one before */
    char text[200];         /* which tasks wait */
    size_t used;
} Stuck;

/* A task that runs, for the profile: profile.h. */
typedef struct Frame Frame;

typedef struct {
    Phase phase;
    int finalize; /* this library has called MPI_Init */
    int pid, processes;
    Settings settings;
    Type **types;
    int32_t type_count, type_capacity;
    Session session;
    Records records;
    Pool pool;
    Threads threads;
    /* The clock is read when the budget is used up, in nanoseconds of tasks as their types' weights
     * say; and the next task is measured. */
    int64_t budget;
    int64_t full;   /* the budget when it is full: less if the program does much between sparks */
    double entered; /* when the current thread was entered, and counters.made then */
    int64_t made;
    double paused;     /* when the budget was full */
    double slice_end;  /* a thread yields from this time on */
    double look;       /* when to look whether there is a message */
    int sample;        /* measure the next task */
    int careful;       /* sample, or there is a profiler */
    int64_t pauses;    /* of tasks: looks at the clock */
    double clock_cost; /* seconds of reading it */
    double look_every; /* seconds of tasks between two looks for messages */
    int64_t looks;     /* for messages, from within tasks and between them */
    int failed;        /* session.error is set, by a task */
    jmp_buf *escape;   /* of a user's function that the event loop has called */
    Tables tables;
    Policy policy;
    uint64_t chance;
    Fishing fishing[2]; /* the second is that of REACH_FAR */
    Given given;
    Stuck stuck;
    Data published, copies;
    Counters counters;
    double activity_since;     /* counters.running and so on are complete up to this time */
    struct Profiler *profiler; /* NULL: no profile */
    struct Timeline *timeline; /* NULL: no activity */
    Record *main;              /* process 0: the main task */
    void *main_result;
    const Type *main_type;
    double makespan, critical; /* process 0: seconds, and units of work */
    struct Word *words;        /* open.h */
    LatencyTalks talks;        /* with all others, at a measurement */
    double *latency;           /* between processes, as measured before a run */
    double *speeds;            /* of each process: measured, described (0: not) */
    double measured;           /* when; -inf: never */
    double unit;               /* work per second at this speed of the tables is a unit of work */
    int32_t result;            /* what the session sends to all: nothing */
    GridError error;           /* of the last run */
    GridError first;           /* of all runs; of one that has lost a process, if there is one */
} Gum;

extern Gum *gum_now __attribute__((visibility("hidden")));
/* The same while a task runs in which the next one needs no more than its function: it is not measured,
 * and there is no profile.  NULL otherwise. */
extern Gum *gum_quick __attribute__((visibility("hidden")));

/* Print "CALL: process P: what" and end all processes: there is no run that could end. */
void context_stop(const char *call, const char *format, ...)
    __attribute__((format(printf, 2, 3), noreturn));
/* In a task, or in a function of a value: end the run with "CALL: process P: what". */
void context_fail(const char *call, int code, const char *format, ...)
    __attribute__((format(printf, 3, 4), noreturn));
void context_out_of_memory(const char *call) __attribute__((noreturn));
/* session.error is set: end the run from within a task or a function of a value. */
void context_leave(Gum *gum) __attribute__((noreturn));
void context_outside(const char *call) __attribute__((noreturn));

/* The context in a task; otherwise the program ends. */
static inline Gum *context_inside(const char *call)
{
    Gum *gum = gum_now;
    if (__builtin_expect(!gum || !gum->threads.current, 0))
        context_outside(call);
    return gum;
}

double context_elapsed(const Gum *gum);

#endif
