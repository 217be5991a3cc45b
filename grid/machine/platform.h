/* Injected times: the machines of a description, played on other machines.
 *
 * Gives a run-time: how long work and transfers take on the described machines, at any time of a
 * run, and random factors for these durations.  The run-time lets that time pass instead of the
 * real one.
 *
 * A platform is the machine of a description (amoget_machine.h), with changes at points of time, a
 * distribution and a seed.  Changes are lines "seconds path value", such as "12.5 time.p3 1s", with
 * paths and values as of amoget's -D; empty lines and comments (#) are skipped.  Each change adds
 * to the earlier ones.  A run-time may read more of the description than the machine: its part
 * (GridPlatformReader).  The functions are for one thread at a time. */
#ifndef GRID_MACHINE_PLATFORM_H
#define GRID_MACHINE_PLATFORM_H

#include <amoget_machine.h>
#include <stddef.h>
#include <stdint.h>

typedef struct GridPlatform GridPlatform;

typedef enum { GRID_EXPONENTIAL, GRID_CONSTANT } GridDistribution;

/* How a run-time reads its part of a description along with the machine. */
typedef struct GridPlatformReader GridPlatformReader;
struct GridPlatformReader {
    /* As amoget_machine_parse, but of a part, which is the platform's to free; *machine is in
     * it. */
    PepaStatus (*read)(void **part, const AmogetMachine **machine, const char *name,
                       const char *text, size_t length, const AmogetReading *how, PepaError *err);
    void (*release)(void *part);
};

typedef struct {
    GridDistribution distribution;
    uint64_t seed;
    double scale;             /* all durations and the times of changes are multiplied by this */
    int static_sharing;       /* k activities on c cores each take max(1, k / c) times as long */
    const char *changes_name; /* what diagnostics call the changes; NULL: "changes" */
    const GridPlatformReader *reader; /* outlives the platform; NULL: there is no part */
} GridPlatformSettings;

/* A platform from the texts of a description and of its changes ("" or NULL: none).
 *   name      what diagnostics call the description
 *   diagnose  as of AmogetReading; for changes it gets the first line in error
 * The latency between any two processors, and within each, must be described.
 * Errors: as amoget_machine_parse; PEPA_ESYNTAX (a change), PEPA_EMODEL (no latency), PEPA_EARG
 * (scale not finite and > 0, unknown distribution).
 * Cost: the description is read once per point of time. */
PepaStatus grid_platform_new(GridPlatform **out, const char *name, const char *text, size_t length,
                             const char *changes, const GridPlatformSettings *settings,
                             PepaDiagnose diagnose, void *user, PepaError *err);
void grid_platform_free(GridPlatform *platform);
/* The machine `time` seconds into the run: borrowed, not scaled. */
const AmogetMachine *grid_platform_at(const GridPlatform *platform, double time);
/* The run-time's part then; NULL: the platform has no reader. */
const void *grid_platform_part(const GridPlatform *platform, double time);

/* ---- durations, seconds, at `time` seconds into the run ---- */

/* `work` units of work on a process that works for `sharers` activities. */
double grid_platform_work(const GridPlatform *platform, double time, int32_t process, double work,
                          int32_t sharers);
/* `bytes` from process a to process b. */
double grid_platform_transfer(const GridPlatform *platform, double time, int32_t a, int32_t b,
                              double bytes);
/* The factor, of mean 1 and > 0, of the `number`-th duration of a stream (the run-time's: one per
 * activity).  It depends on the seed, the stream and the number only, not on the time, the process
 * or other draws. */
double grid_platform_draw(const GridPlatform *platform, uint64_t stream, int64_t number);

#endif
