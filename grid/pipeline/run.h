/* A run of a pipeline as one process sees it: what the files that carry it out share.
 *
 * Units are the source (0), the stages (1 .. stages) and the sink (stages + 1); each is on one
 * process.  Unit u gets its items through its input buffer from unit u - 1: move u - 1 of amoget.h.
 * Every process knows where every unit is, and acts for the units that are here. */
#ifndef GRID_PIPELINE_RUN_H
#define GRID_PIPELINE_RUN_H

#include "grid/core/session.h"
#include "grid/machine/sampler.h"
#include "grid/pipeline.h"
#include "grid/pipeline/departures.h"

/* ---- messages ---- */

enum {
    /* of a unit: flow.h */
    TAG_CREDIT, /* unit + 1 can take an item */
    TAG_ITEM,   /* for unit; end: there are no more; time: when its move began */
    TAG_MOVED,  /* unit's item has moved on; time: when; frozen: send no more items */
    TAG_DONE,   /* to process 0: the last item is through the sink; a GridReport */
    /* of a change of mapping: remap.h */
    TAG_FREEZE,  /* from process 0: a mapping, for `epoch` */
    TAG_QUIET,   /* to process 0 */
    TAG_SHIP,    /* from process 0 */
    TAG_UNIT,    /* a unit that changes its process */
    TAG_SETTLED, /* to process 0 */
    TAG_RESUME,  /* from process 0 */
    TAG_STARTED  /* to process 0: time: first work under the new mapping */
};

typedef struct {
    int32_t unit, epoch, end, frozen;
    int64_t item;
    double time;
} Fields;
_Static_assert(sizeof(Fields) <= TRANSPORT_FIELDS, "a head has no more bytes");

/* ---- units ---- */

typedef enum {
    UNIT_WAITING,
    UNIT_TAKING, /* an item out of its input buffer: buffered links */
    UNIT_WORKING,
    UNIT_READY,   /* has an item to send on */
    UNIT_SENDING, /* the item is on its way: not yet moved */
    UNIT_FINISHED /* the end of the stream has passed */
} UnitState;

typedef enum {
    INPUT_CLOSED,
    INPUT_OPEN,     /* has given a credit */
    INPUT_ARRIVING, /* the item is here, its move takes until `due` */
    INPUT_FULL      /* moved, but not taken: on a buffered link, or during a freeze */
} InputState;

/* Times are of clock_now().  With injected times they say when something was due, else when it was
 * noticed. */
typedef struct {
    InputState state;
    int32_t end; /* no item, but the end of the stream */
    int64_t item;
    double since; /* closed */
    double due;   /* arriving: when the move ends; full: when it ended */
    /* Injected times and serial sharing: while the process works, the clock of the activity that
     * brings an item in is stopped; `left` is what that activity has left. */
    int32_t stopped;
    double left;
    GridBuffer body;
} Input;

/* The item behind that of the input: pushed links, flow.h. */
typedef struct {
    int32_t present, end, told; /* told: `moved` was sent */
    int64_t item;
    double since;
    GridBuffer body;
} Queued;

typedef struct {
    UnitState state;
    int32_t end, credit, made; /* made: the stage's state exists */
    int64_t item;              /* the last one that was begun; -1: none */
    double since, due, credit_time;
    /* Pushed links: items sent and not yet moved; items below `credited` have a credit; whether the
     * next item may be sent without one. */
    int32_t pushed, may_push;
    int64_t credited;
    GridBuffer in, out;
    Input input;
    Queued queued;
    void *data; /* the stage's state */
} Unit;

/* ---- the run ---- */

typedef enum { REMAP_NONE, REMAP_FREEZING, REMAP_QUIET, REMAP_SETTLING, REMAP_SETTLED } RemapPhase;

/* A change of mapping: remap.h. */
typedef struct {
    RemapPhase phase;
    int32_t *place;         /* units: the new processes */
    int32_t arriving;       /* units that are still to come here */
    int32_t quiet, settled; /* process 0: numbers of processes */
    int32_t awaiting_start; /* process 0: the epoch that `moved` is to be called for, or 0 */
    double decided;         /* process 0 */
} Remap;

typedef struct {
    Session session;
    Sampler sampler;
    const GridPipeline *pipeline;
    const GridSettings *settings;
    const GridController *controller; /* process 0's; NULL elsewhere */
    double period;                    /* of decisions, process 0's; 0: there is no controller */
    double next_decision;             /* process 0; HUGE_VAL: never */
    int64_t done;                     /* process 0: items through the sink, as last reported */
    int32_t units, epoch;
    int32_t *place, *mapping; /* units; stages: workspace */
    Unit *unit;
    Remap remap;
    int32_t announce;      /* process 0 is to be told of the next start of work */
    Departures departures; /* where the sink is */
    double resumed;
    int32_t working;   /* units that are worked on here */
    double free_since; /* serial sharing: when they last became few enough for one more */
    GridReport report;
} Run;

static inline int32_t run_rank(const Run *run)
{
    return run->session.transport.rank;
}
static inline int32_t run_size(const Run *run)
{
    return run->session.transport.size;
}
static inline int run_here(const Run *run, int32_t unit)
{
    return run->place[unit] == run_rank(run);
}
static inline int run_is_stage(const Run *run, int32_t unit)
{
    return unit > 0 && unit < run->units - 1;
}
/* Has the unit an input buffer that is free while the unit works? */
static inline int run_is_buffered(const Run *run, int32_t unit)
{
    return run->settings->mode == GRID_BUFFERED && unit > 1 && run_is_stage(run, unit);
}
/* Seconds since the run began. */
static inline double run_time(const Run *run, double when)
{
    return when - run->session.start;
}
/* Does that process read the same clock? */
static inline int run_same_clock(const Run *run, int32_t process)
{
    return peers_same_clock(&run->session.peers, process);
}

/* Send a message; body (NULL: none) is exchanged for an empty one.  -1: failed. */
static inline int run_send(Run *run, int32_t to, int32_t tag, const Fields *fields,
                           GridBuffer *body)
{
    Head head = head_new(tag, fields, sizeof *fields);
    return session_send(&run->session, to, &head, body);
}

/* ---- names for messages: names.c ---- */

typedef struct {
    char text[64];
} UnitName;
UnitName unit_name(const Run *run, int32_t unit); /* "stage 2 `decode`", "the source" */
/* Runtime.describe: ", with stage 2 `decode` and the sink". */
void units_of_process(const void *run, int32_t process, char *out, size_t size);

#endif
