/* grid-images: the image pipeline on the processes of an MPI run. */
#ifndef PIPELINE_IMAGES_H
#define PIPELINE_IMAGES_H

#include <stdbool.h>
#include <stdio.h>

#include "grid/pipeline.h"
#include "grid/machine/platform.h"
#include "grid/steer/rescheduler.h"
#include "image.h"

/* Exit statuses: those of amoget. */
enum { EXIT_DONE, EXIT_DESCRIPTION, EXIT_USAGE, EXIT_RUN, EXIT_LIMIT, EXIT_INPUT };
enum { GO_ON = -1 };

typedef struct {
    int64_t images; /* 0 until the files are counted */
    int32_t size;
    uint64_t seed;
    double period;
    const char *description, *platform, *changes, *mapping;  /* or NULL */
    const char *log, *measurements, *throughput, *directory; /* or NULL */
    bool json_log, buffered, static_sharing, fixed, random_moves, sequential, quiet;
    char **files;
    int file_count;
} Options;

/* GO_ON, or the status to exit with; messages are printed if `speak`. */
int options_read(Options *options, int argc, char **argv, bool speak);

/* Print "grid-images: " and the message on stderr: on process 0, or where the error is. */
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* ---- results ------------------------------------------------------------------------------ */

/* What a process's sink saw; starts as {0}. */
typedef struct {
    GridBuffer lines;
} Results;

typedef struct {
    int64_t images;
    uint64_t checksum;
} Totals;

/* A finished item: keep a line about it, and with a directory write two files, a PGM and the item's
 * bytes.  0, IMAGE_ENOMEM, or -1 after a message. */
int results_add(Results *results, const Options *options, int64_t item, const GridBuffer *file);
/* Collective: all lines at process 0, in order of items.  -1 everywhere: out of memory, or MPI. */
int results_gather(Results *results, MPI_Comm comm);
/* Print them unless `quiet`; the checksum depends on every byte of every file, and on the order. */
Totals results_print(const Results *results, bool quiet);
void results_free(Results *results);

/* ---- the pipeline ------------------------------------------------------------------------- */

/* The state of its functions. */
typedef struct {
    const Options *options;
    Results results;
} Job;

/* The pipeline of a job; fills stages, IMAGE_STAGES of them. */
GridPipeline job_pipeline(Job *job, GridStage *stages);
/* Can the files be read here?  EXIT_DONE, or EXIT_INPUT after a message. */
int job_check_files(const Options *options);
/* The same pipeline without processes: one stage after the other.  EXIT_DONE, or a status. */
int job_run_alone(Job *job);
/* The content of a file; -1 after a message. */
int file_read(const char *path, GridBuffer *out);

/* ---- setting up --------------------------------------------------------------------------- */

/* Texts that process 0 reads and sends to all. */
typedef struct {
    GridBuffer description, platform, changes; /* the latter two may be empty */
} Texts;

/* What a run needs.  Other processes than 0 have only what GridSettings needs. */
typedef struct {
    Texts texts;
    AmogetDescription *desc;
    GridMonitor *monitor;
    GridRescheduler *rescheduler;
    FILE *log, *measurements;
    GridPlatform *platform;
    double predicted; /* throughput of the first mapping */
    struct {
        int32_t mapping[IMAGE_STAGES], input, output;
        GridMode mode;
    } start;
} Setup;

/* Collective: the same status everywhere; then setup_free. */
int setup_make(Setup *setup, const Options *options, MPI_Comm comm);
void setup_free(Setup *setup);

/* Broadcast process 0's status and bytes, and the largest of all statuses, without spinning. */
void share_bytes(void *bytes, int size, MPI_Comm comm);
int share_status(int status, MPI_Comm comm);

/* ---- steering ----------------------------------------------------------------------------- */

typedef struct {
    double time;
    int64_t done;
    double predicted; /* 0: not known */
    int32_t mapping[IMAGE_STAGES];
} Moment;

/* On process 0: between grid_run and the rescheduler. */
typedef struct {
    const Options *options;
    Setup *setup;
    GridController inner;
    uint64_t random;
    int32_t processes;
    double epoch;       /* seconds since 1970 when the run began */
    GridBuffer moments; /* of Moment */
    int64_t decisions;
} Steering;

GridController steering_controller(Steering *steering);
/* Items per second from decision to decision, as lines "seconds items/s predicted items mapping".
 * EXIT_DONE, or EXIT_INPUT after a message. */
int steering_write(const Steering *steering, const GridReport *report);

void print_mapping(FILE *to, const AmogetDescription *desc, const int32_t *mapping);

#endif
