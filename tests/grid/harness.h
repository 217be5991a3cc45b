/* Pipelines for tests: every item's content, and the order at every stage, ends up in a number that
 * is compared with the same functions called one after the other. */
#ifndef GRID_TESTS_HARNESS_H
#define GRID_TESTS_HARNESS_H

#include "grid/pipeline.h"
#include "grid/machine/platform.h"

enum { MOST_STAGES = 8 };

/* What fails, and where. */
typedef enum {
    FAIL_NOTHING,
    FAIL_SOURCE,
    FAIL_STAGE,
    FAIL_SINK,
    FAIL_CREATE,
    FAIL_PACK,
    FAIL_UNPACK
} Failure;

typedef struct {
    int32_t stages;
    int64_t items;
    const int64_t *until; /* where the source is: more items while this is > 0; or NULL */
    size_t size;          /* bytes of an item, at least 8 */
    double pause;         /* seconds that a stage sleeps for an item */
    Failure failure;      /* of stage `fail_stage`, on item `fail_item` */
    int32_t fail_stage;
    int64_t fail_item;
    GridSettings settings;
} Trial;

typedef struct {
    int status;
    GridReport report;
    GridError error;
    int64_t items;   /* that the source gave */
    int64_t through; /* items that sinks saw, on all processes */
    uint64_t sum;    /* of what they saw */
    int ordered;     /* on each process, items came in order */
    int64_t living;  /* states created and not destroyed, on all processes */
} Outcome;

extern int rank, size; /* of MPI_COMM_WORLD */

/* Simulated time is the same on every machine.  Real time is not: there, what a run gave is
 * checked, and never how long it took. */
#ifdef SMPI_H
enum { simulated_time = 1 };
#else
enum { simulated_time = 0 };
#endif

/* A run, on all processes; the outcome is the same on all of them. */
Outcome run_trial(const Trial *trial);
/* What `sum` has to be for so many items. */
uint64_t expected_sum(const Trial *trial, int64_t items);
/* A run that has to succeed: all items once, in order, with the right content. */
GridReport expect_success(const Trial *trial, const char *what);
/* A run that has to fail everywhere with the same message, which has these words. */
void expect_failure(const Trial *trial, int code, const char *words, const char *what);

/* Say so on stderr if not `good`. */
void expect(int good, const char *format, ...) __attribute__((format(printf, 2, 3)));
int failures(void); /* on all processes */

typedef struct {
    const char *name;
    void (*run)(void);
} Case;
/* Run the cases that the arguments name, and say how many of `unit` each took; a name that is none,
 * or no name at all, is a failure. */
void run_cases(const Case *cases, size_t count, int argc, char **argv, const char *unit);

/* Collectives that do not spin: one value of all processes; the same bytes everywhere. */
void all_reduce(const void *mine, void *all, MPI_Datatype type, MPI_Op op);
void all_get(void *bytes, size_t count, int from);

/* Multiplied by PEPA_TEST_SCALE, at least 1. */
int64_t scaled(int64_t count);
/* Repeatable random numbers. */
uint64_t next_random(uint64_t *state);
double seconds_now(void);

#endif
