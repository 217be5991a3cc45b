/* Times that are injected: the machines of a description, played on others.
 *
 * A platform is a description (amoget.h) with changes at points of time, a distribution, and a
 * seed. A stage's work on an item then takes as long as the description says for its process, and a
 * move as long as the description says for its link, whatever the machine; the stage's function is
 * run besides and should be quick.  Durations are drawn from (seed, activity, item) alone: the same
 * whatever the mapping, the timing and the number of processes.
 *
 * Changes: lines "seconds path value", such as "12.5 time.p3 1s", paths and values as of amoget's
 * -D; empty lines and what follows a # are nothing.  Later ones are added to earlier ones. */
#ifndef GRID_PLATFORM_H
#define GRID_PLATFORM_H

#include <amoget.h>
#include <stddef.h>
#include <stdint.h>

typedef struct GridPlatform GridPlatform;

typedef enum { GRID_EXPONENTIAL, GRID_CONSTANT } GridDistribution;

typedef struct {
    GridDistribution distribution;
    uint64_t seed;
    double scale;             /* all durations times this; also the times of changes */
    int static_sharing;       /* a processor's stages stretch each other (max(1, stages / cores)) */
    const char *changes_name; /* what diagnostics call the changes; NULL: "changes" */
} GridPlatformSettings;

/* From the texts of a description and of its changes ("" or NULL: none).  What moves between any
 * two processors take must be known. name      what diagnostics call the description diagnose  as
 * of amoget_parse; of the changes, the first line in error Errors: as amoget_parse; PEPA_ESYNTAX
 * for a line of the changes; PEPA_EARG (scale not finite and > 0, a distribution that there is
 * not).  Costs one reading per different time of a change. */
PepaStatus grid_platform_new(GridPlatform **out, const char *name, const char *text, size_t length,
                             const char *changes, const GridPlatformSettings *settings,
                             PepaDiagnose diagnose, void *user, PepaError *err);
void grid_platform_free(GridPlatform *platform);
/* As it is `time` seconds into the run: borrowed; not scaled. */
const AmogetDescription *grid_platform_at(const GridPlatform *platform, double time);

/* Seconds that stage `stage` takes for item `item` on process `process`, on which `there` stages
 * are; seconds that move 0 .. stages takes item `item` from a to b (one of move 0 and the last
 * move's ends may be AMOGET_NOWHERE: the other one).  There are such stages and processors.  These
 * functions are for one thread at a time. */
double grid_platform_service(const GridPlatform *platform, double time, int32_t stage, int64_t item,
                             int32_t process, int32_t there);
double grid_platform_move(const GridPlatform *platform, double time, int32_t move, int64_t item,
                          int32_t a, int32_t b);
/* Seconds that item `item` takes out of the place that move `move` brought it to: the local
 * latency. */
double grid_platform_take(const GridPlatform *platform, double time, int32_t move, int64_t item,
                          int32_t process);
/* Stages that a process can work for at the same time, 1 .. stages. */
int32_t grid_platform_cores(const GridPlatform *platform, double time, int32_t process);
/* Seconds that the probe takes on a process: of one unit of work, constant. */
double grid_platform_probe(const GridPlatform *platform, double time, int32_t process);
/* Seconds that `bytes` take from a to b: constant. */
double grid_platform_ping(const GridPlatform *platform, double time, int32_t a, int32_t b,
                          double bytes);
/* Bytes that go with move 0 .. stages. */
double grid_platform_bytes(const GridPlatform *platform, double time, int32_t move);

#endif
