/* A run as one process sees it: what the files that carry it out share.
 *
 * Units are the source (0), the stages (1 .. stages) and the sink (stages + 1); each is on one
 * process.  Unit u gets its items by its inlet, from unit u - 1: move u - 1 of amoget.h.  Every
 * process knows of every unit where it is, and acts for those that are here. */
#ifndef GRID_RUN_H
#define GRID_RUN_H

#include "grid/platform.h"
#include "grid/record.h"
#include "grid/wire.h"

typedef enum {
    UNIT_WAITING,
    UNIT_TAKING, /* an item from its inlet's place: buffered links */
    UNIT_WORKING,
    UNIT_READY,   /* an item to pass on */
    UNIT_PASSING, /* on its way: not yet moved */
    UNIT_FINISHED /* the end of the stream has passed */
} UnitState;

typedef enum {
    INLET_SHUT,
    INLET_OPEN,   /* has given a credit */
    INLET_COMING, /* the item is here, its move takes until `due` */
    INLET_FULL    /* moved, but not taken: in the place of a buffered link, or over a freeze */
} InletState;

/* Times are of clock_now(): comparable between processes of one machine.  With injected times they
 * say when something was due, else when it was noticed. */
typedef struct {
    InletState state;
    int32_t end; /* instead of an item: there are no more */
    int64_t item;
    double since; /* shut */
    double due;   /* coming: when the move ends; full: when it ended */
    /* Injected times and serial sharing: the clock of the activity by which an item comes in stands
     * still while the process works; then `left` is what it has left, and nothing is due. */
    int32_t stopped;
    double left;
    GridBuffer body;
} Inlet;

/* An item behind that of the inlet: pushed links, flow.h. */
typedef struct {
    int32_t present, end, told; /* told: that it is here, `moved` */
    int64_t item;
    double since;
    GridBuffer body;
} Behind;

typedef struct {
    UnitState state;
    int32_t end, credit, made; /* made: data has been created */
    int64_t item;              /* the last one begun with; -1: none */
    double since, due, credit_time;
    /* Pushed links: items sent and not yet moved; those below `asked` have been asked for; whether
     * the next one may go unasked. */
    int32_t pushed, may_push;
    int64_t asked;
    GridBuffer in, out;
    Inlet inlet;
    Behind behind;
    void *data;                            /* the stage's state */
    int32_t service_samples, move_samples; /* since the last report */
} Unit;

/* What all processes know of each. */
typedef struct {
    char host[64];
    uint64_t clock; /* equal: their clocks are one */
} Peer;

typedef enum { SHIFT_NONE, SHIFT_FREEZING, SHIFT_QUIET, SHIFT_SETTLING, SHIFT_SETTLED } ShiftPhase;

/* A change of mapping: shift.h. */
typedef struct {
    ShiftPhase phase;
    int32_t *place;         /* units: where to */
    int32_t arriving;       /* units that are still to come here */
    int32_t announce;       /* the first start of work is to be told */
    int32_t quiet, settled; /* process 0: processes that are */
    int32_t awaiting_start; /* process 0: the epoch that `moved` is to be called for, or 0 */
    double decided;         /* process 0 */
} Shift;

typedef struct {
    GridSample *samples;
    size_t count;
    double next_report, next_probe, next_alive, next_decision; /* HUGE_VAL: never */
    double beat, probe_period;
    double *heard;   /* process 0: when each was last heard of; else [0] */
    double *silent;  /* process 0: the longest that each was not heard of, of late */
    int32_t doubted; /* process 0: the one that is missed; -1: none */
    double looked;   /* when there was no message left the last time */
    double next_ping;
    int32_t pinged; /* process, the last time */
    /* Of each process: what to add to its clock's time to have this one's (NAN: unknown), and the
     * shortest way there and back by which that was found. */
    double *offset, *shortest;
    int64_t done; /* process 0: items through the sink, as last told */
} Watch;

typedef struct {
    GridError error;
    GridReport report;
} Ending;

typedef struct {
    Wire wire;
    const GridPipeline *pipeline;
    const GridSettings *settings;
    const GridController *controller; /* process 0's; NULL elsewhere */
    double period, patience;          /* process 0's; period 0: there is no controller */
    int32_t units, epoch;
    int32_t *place, *mapping; /* units; stages: scratch for the controller */
    Unit *unit;
    Peer *peer;
    Shift shift;
    Watch watch;
    Record record; /* where the sink is */
    double start, resumed;
    int32_t working;   /* units that are worked on here */
    double free_since; /* serial sharing: when they last became few enough for one more */
    double worked;     /* when a function was last run */
    Ending ending;     /* once stopped; before, of an error here */
    int stopped, lost;
} Run;

static inline int run_here(const Run *run, int32_t unit)
{
    return run->place[unit] == run->wire.rank;
}
static inline int run_is_stage(const Run *run, int32_t unit)
{
    return unit > 0 && unit < run->units - 1;
}
/* Has the unit's inlet a place of its own, free while the unit works? */
static inline int run_is_buffered(const Run *run, int32_t unit)
{
    return run->settings->mode == GRID_BUFFERED && unit > 1 && run_is_stage(run, unit);
}
/* Seconds since the run began. */
static inline double run_time(const Run *run, double when)
{
    return when - run->start;
}
/* Do this process and that one have one clock? */
static inline int run_same_clock(const Run *run, int32_t process)
{
    return run->peer[process].clock == run->peer[run->wire.rank].clock;
}

/* The run cannot go on: -1.  The first error stands. */
int run_fail(Run *run, int code, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* The same for what the wire reports. */
int run_wire_failed(Run *run);

/* "stage 2 `decode`", "the source"; "rank 1 on HOST, with stage 2 `decode` and the sink". */
typedef struct {
    char text[176];
} Words;
Words run_unit_words(const Run *run, int32_t unit);
Words run_process_words(const Run *run, int32_t process);

/* Process 0: end the run for all; err: code GRID_OK for success. */
void run_stop(Run *run, const GridError *err);
/* An error here: process 0 is told, and tells all. */
void run_give_in(Run *run);
/* A process is lost: tell everybody that can be told, and wait for nobody. */
void run_give_up(Run *run, int32_t lost, int32_t speaker);
/* SAY_STOP; SAY_DONE. */
void run_accept_ending(Run *run, const Message *message);
void run_accept_report(Run *run, const Message *message);

#endif
