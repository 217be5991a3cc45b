/* An algorithmic skeleton on MPI: a pipeline whose stages can move while it runs.
 *
 * The user gives stages, each of which makes one output of each input (as Pipeline1for1 of eSkel:
 * Cole, Parallel Computing 30, 2004), a source and a sink.  Processes of a communicator run them:
 * every process one or several stages, or none.  Items leave in the order in which they entered.
 *
 * A stage waits for an item, works on it, and waits to pass it on.
 *   rendezvous  it passes it on when the next stage waits: exactly what the PEPA model of a mapping
 *               says (amoget.h)
 *   buffered    one place on each link between two stages: it passes it on when that is free
 * That holds to the letter with times that are injected (platform.h).  Without, an item sets off
 * for another process as soon as it is made, for by the time that one knows of the other it would
 * be late by a latency or two; its stage waits until the next one is known to wait.
 *
 * A process that works on one stage's item does nothing for its other stages meanwhile: that is
 * sharing `serial` of a description; sharing `static`, each of k stages k times as slow, can be had
 * with times that are injected (platform.h).
 *
 * grid_run is called by all processes of the communicator, one pipeline at a time.  Everything
 * below is per process.  Waiting backs off: processes that wait leave the cores to others. */
#ifndef GRID_PIPELINE_H
#define GRID_PIPELINE_H

#include <amoget.h>
#include <mpi.h>
#include <stdint.h>

#include "grid/samples.h"

/* Bytes that grow: starts as {0}. */
typedef struct {
    unsigned char *bytes;
    size_t size, room;
} GridBuffer;
/* Append; 0, or -1 when memory is out. */
int grid_put(GridBuffer *buffer, const void *bytes, size_t size);
void grid_buffer_free(GridBuffer *buffer);

typedef struct {
    const char *name;
    /* out (empty on entry) from in.  0; else the run ends with an error that names the stage, the
     * item and this number. */
    int (*process)(void *state, int64_t item, const GridBuffer *in, GridBuffer *out);
    /* State, on the process that the stage is on; all may be NULL: there is none.  A stage that
     * moves is packed and destroyed here, created and unpacked there. */
    void *(*create)(void *user); /* NULL: failed */
    void (*destroy)(void *state);
    int (*pack)(const void *state, GridBuffer *out); /* 0, or an error as of process */
    int (*unpack)(void *state, const GridBuffer *in);
} GridStage;

typedef struct {
    const GridStage *stages;
    int32_t stage_count;
    /* Item 0, 1, 2 ... into out.  1: there it is; 0: there are no more; < 0: failed.  Called on the
     * input process, or where the first stage is. */
    int (*source)(void *user, int64_t item, GridBuffer *out);
    /* Called in order of items on the output process, or where the last stage is.  0, or failed. */
    int (*sink)(void *user, int64_t item, const GridBuffer *in);
    void *user;
} GridPipeline;

typedef enum { GRID_RENDEZVOUS, GRID_BUFFERED } GridMode;
typedef struct GridPlatform GridPlatform; /* platform.h */

typedef struct {
    GridMode mode;
    int static_sharing;     /* with a platform only */
    const int32_t *mapping; /* stage_count processes: where stages start; the same everywhere */
    int32_t input, output;  /* processes, or AMOGET_NOWHERE */
    const GridPlatform *platform;     /* injected times; NULL: as long as it takes */
    const GridController *controller; /* process 0's counts; or NULL */
    /* Seconds without a word from a process before the run is given up; 0: 10.  A process that is
     * in a function of the pipeline says nothing: longer than any item takes, then. */
    double patience;
} GridSettings;

typedef struct {
    int64_t items;  /* through the sink */
    double seconds; /* from the first item to the last */
    /* Items per second between the items at one tenth and at nine tenths; 0: fewer than two. */
    double throughput;
    int64_t moves;   /* mappings changed */
    double overhead; /* seconds of process 0 in controller calls */
} GridReport;

enum {
    GRID_OK,
    GRID_EARG,  /* settings that are wrong, or not the same everywhere; a controller's mapping */
    GRID_EUSER, /* a function of the pipeline, or the controller, failed */
    GRID_ENOMEM,
    GRID_EMPI, /* MPI failed */
    GRID_ELOST /* a process does not answer: MPI cannot be finalized any more, see grid_finish */
};
typedef struct {
    int code;        /* GRID_OK: none */
    int32_t speaker; /* the process that should print it: one that is there to do so */
    char message[256];
} GridError;

/* Run to the end of the stream.  All processes return the same: 0, or -1 with the same error, which
 * names what failed, where, and on which item.  report and err may be NULL.
 *   comm  all its processes call this; nothing is sent on it but on a duplicate
 * An item that goes to another process, and a stage that moves, has less than 2 GB.
 * An injected activity begins when what it waited for was due, not when a process came to notice:
 * so what waiting costs does not add up, as long as the processes keep up at all. */
int grid_run(MPI_Comm comm, const GridPipeline *pipeline, const GridSettings *settings,
             GridReport *report, GridError *err);

/* The end of a program: MPI_Finalize; after GRID_ELOST, where that would wait for ever, MPI_Abort
 * by the speaker, which has printed what it has to, while the others wait for their end. Returns
 * the status to exit with. */
int grid_finish(MPI_Comm comm, const GridError *err);

/* To be called first thing in main, before MPI_Init: forks, so that if this process is killed there
 * is somebody to say, in a line on stderr, which process of the run it was and which stages it had.
 * Returns in the child only; the parent ends as the child does.  Either ends when the other does.
 * Also asks Open MPI not to give the core away whenever it finds no message (unless the environment
 * says something else of OMPI_MCA_mpi_yield_when_idle): runs wait politely, and on busy machines
 * are far slower with it.  MPI calls that block do spin, then: better have none between runs. */
void grid_guard(void);

#endif
