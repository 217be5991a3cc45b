/* An algorithmic skeleton on MPI: a pipeline whose stages can move while it runs.
 *
 * The user gives stages, each of which makes one output of each input (as Pipeline1for1 of eSkel:
 * Cole, Parallel Computing 30, 2004), a source and a sink.  Each process of a communicator runs one
 * stage, several, or none.  Items leave in the order in which they entered.
 *
 * A stage waits for an item, works on it, and waits to pass it on.
 *   rendezvous  it passes the item on when the next stage waits: exactly what the PEPA model of a
 *               mapping says (amoget.h)
 *   buffered    it passes the item on when the one place on the link to the next stage is free
 * With injected times (grid/machine/platform.h) runs follow the model exactly.  Without, an item is
 * sent to another process as soon as it is made, as a handshake would add one or two latencies; the
 * stage then waits until the next one is known to wait.
 *
 * A process that works on one stage's item does nothing for its other stages meanwhile: that is
 * `serial` sharing of a description.  `static` sharing, where each of k stages is k times as slow,
 * works with injected times only.
 *
 * All processes of the communicator call grid_run, for one pipeline at a time.  All data below is
 * per process.  Processes that wait sleep and leave the cores to others. */
#ifndef GRID_PIPELINE_H
#define GRID_PIPELINE_H

#include <amoget.h>
#include <mpi.h>
#include <stdint.h>

#include "grid/core/buffer.h"
#include "grid/core/error.h"
#include "grid/core/program.h"
#include "grid/pipeline/controller.h"
#include "grid/pipeline/reader.h"

typedef struct {
    const char *name;
    /* Make out (empty on entry) from in.  0; else the run ends with an error that names the stage,
     * the item and this number. */
    int (*process)(void *state, int64_t item, const GridBuffer *in, GridBuffer *out);
    /* The stage's state, on its process; all may be NULL: there is none.  When the stage moves, its
     * state is packed and destroyed on the old process, created and unpacked on the new one. */
    void *(*create)(void *user); /* NULL: failed */
    void (*destroy)(void *state);
    int (*pack)(const void *state, GridBuffer *out); /* 0, or an error as of process */
    int (*unpack)(void *state, const GridBuffer *in);
} GridStage;

typedef struct {
    const GridStage *stages;
    int32_t stage_count;
    /* Put item 0, 1, 2 ... into out.  1: done; 0: there are no more; < 0: failed.  Called on the
     * input process, or where the first stage is. */
    int (*source)(void *user, int64_t item, GridBuffer *out);
    /* Called in order of items on the output process, or where the last stage is.  0, or failed. */
    int (*sink)(void *user, int64_t item, const GridBuffer *in);
    void *user;
} GridPipeline;

typedef enum { GRID_RENDEZVOUS, GRID_BUFFERED } GridMode;
typedef struct GridPlatform GridPlatform; /* grid/machine/platform.h */

typedef struct {
    GridMode mode;
    int static_sharing;     /* with a platform only */
    const int32_t *mapping; /* stage_count processes: where stages start; the same everywhere */
    int32_t input, output;  /* processes, or AMOGET_NOWHERE */
    const GridPlatform *platform; /* injected times, made with grid_pipeline_reader; NULL: none */
    const GridController *controller; /* process 0's counts; or NULL */
    /* Seconds without a message from a process after which it counts as lost and the run ends; 0:
     * 10.  A process sends nothing while a user's function runs: it must exceed any item's time. */
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

/* Run to the end of the stream.  All processes return the same: 0, or -1 with the same error, whose
 * message names what failed, where, and on which item.  report and err may be NULL.
 *   comm  all its processes call this; messages go over a duplicate
 * An item that goes to another process, and a stage that moves, has less than 2 GB.
 * An injected activity begins when what it waited for was due, not when a process noticed: delays
 * do not add up as long as the processes keep up on average.
 * Errors: GRID_EARG (settings; a controller's mapping), GRID_EUSER (a function of the pipeline or
 * the controller), GRID_ENOMEM, GRID_EMPI, GRID_ELOST. */
int grid_run(MPI_Comm comm, const GridPipeline *pipeline, const GridSettings *settings,
             GridReport *report, GridError *err);

#endif
