/* The machine of libamoget: processors, and the network between them.  A pipeline's description has
 * one (amoget.h); other programs that have to know a machine read it alone, from the same text.
 *
 *   AmogetMachine *machine = NULL;
 *   if (amoget_machine_parse(&machine, "grid.amo", text, length, NULL, &err) == PEPA_OK)
 *       printf("%g s\n", amoget_latency(machine, 0, 1));
 *
 * Conventions are those of pepa.h: outputs are written only on PEPA_OK unless stated, `err` may be
 * NULL, every _free(NULL) is legal, nothing is printed, no file is opened, there is no global
 * state.  Times are in seconds, sizes in bytes, bandwidths in bytes per second.  Processors are
 * numbered from 0 in the order in which they were added. */
#ifndef AMOGET_MACHINE_H
#define AMOGET_MACHINE_H

#include <pepa.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct AmogetMachine AmogetMachine;

enum {
    AMOGET_NOWHERE = -1, /* no processor */
    AMOGET_DEFAULT = -2, /* every pair of different processors */
    AMOGET_LOCAL = -3    /* every processor with itself */
};

/* ---- texts ---------------------------------------------------------------------------------- */

/* A value that replaces another: of a definition `name = value;`, or of an attribute, by path:
 * "time.p1", "availability.p1", "cores.p1", "memory.p1", "work.decode", "output.decode", "latency.p1.p2",
 * "latency.default", "bandwidth.local".  The value may have a unit. */
typedef struct {
    const char *name, *value;
} AmogetDefine;

/* How to read a text.  All-zero, or a NULL pointer to it, means the defaults; `reserved` words must
 * be zero: new members take their place, so that sizes and offsets stay. */
typedef struct {
    const AmogetDefine *defines;
    size_t define_count;
    /* The text of a file that `include` names.  The caller keeps it until the function that was
     * given this returns.  NULL, with *err filled in: the file cannot be read.  Without this
     * function, includes are errors. */
    const char *(*include)(void *user, const char *file, size_t *length, PepaError *err);
    double now; /* seconds since 1970, against which measurements are stale; 0: not known */
    PepaDiagnose diagnose; /* every error and warning, in order of place; or NULL */
    void *user;            /* passed to both callbacks */
    uint64_t reserved[8];
} AmogetReading;

/* Read the machine of a description: its blocks `processors` and `network`, definitions and
 * measurements.  `name` is what diagnostics call the text.  Statements about a pipeline may be
 * there: their syntax is checked, and they say nothing here.  Latencies may be missing.  All is
 * copied.  Cost: linear in the text, and processors^2.
 * Errors: PEPA_ESYNTAX, PEPA_EMODEL (err: the first finding; no processors is one), PEPA_EARG (a
 * define names nothing, or something of a pipeline, or its value is none), PEPA_EIO (an include),
 * PEPA_ELIMIT, PEPA_ENOMEM. */
PEPA_API PepaStatus amoget_machine_parse(AmogetMachine **out, const char *name, const char *text,
                                         size_t length, const AmogetReading *how, PepaError *err);
/* Bring a machine up to date with measurements: lines "time,what,from,to,value", the newest of each
 * kind counts.  On failure nothing has changed.  Errors: PEPA_ESYNTAX, PEPA_EMODEL, PEPA_EARG,
 * PEPA_ENOMEM. */
PEPA_API PepaStatus amoget_measure(AmogetMachine *machine, const char *name, const char *text,
                                   size_t length, const AmogetReading *how, PepaError *err);
/* Not for the machine of a description, which amoget_free frees. */
PEPA_API void amoget_machine_free(AmogetMachine *machine);

/* ---- numbers -------------------------------------------------------------------------------- */

/* The same without a text.  A new machine is empty.  A processor is wholly available and has 1
 * core, unless set otherwise; latencies have to be given; without a bandwidth, size does not
 * matter.
 * Errors: PEPA_EARG (a number that is not finite and in range, a name twice, no such processor),
 * PEPA_ELIMIT (more than 1024 processors), PEPA_ENOMEM. */
PEPA_API PepaStatus amoget_machine_new(AmogetMachine **out, PepaError *err);
/* time: seconds per unit of work, of a wholly free core. */
PEPA_API PepaStatus amoget_add_processor(AmogetMachine *machine, const char *name, double time,
                                         PepaError *err);
PEPA_API PepaStatus amoget_set_time(AmogetMachine *machine, int32_t processor, double seconds,
                                    PepaError *err);
/* The share of the processor that is free, 0 < share <= 1. */
PEPA_API PepaStatus amoget_set_availability(AmogetMachine *machine, int32_t processor, double share,
                                            PepaError *err);
PEPA_API PepaStatus amoget_set_cores(AmogetMachine *machine, int32_t processor, int32_t cores,
                                     PepaError *err);
/* Bytes that are free, for programs that work there; 0, as it is at first: unknown.  No prediction
 * depends on it. */
PEPA_API PepaStatus amoget_set_memory(AmogetMachine *machine, int32_t processor, double bytes,
                                      PepaError *err);
/* How a launcher reaches the processor: `node-01.example.org`, `10.0.0.1`.  It is copied; at first it is the name.
 * Also PEPA_EARG: characters that no launcher takes, the address of another processor. */
PEPA_API PepaStatus amoget_set_address(AmogetMachine *machine, int32_t processor,
                                       const char *address, PepaError *err);
/* Between two processors, both ways (or within one, a == b); or a == b == AMOGET_DEFAULT or
 * AMOGET_LOCAL.  A pair's own value holds against a default, whichever was given first.  Within
 * processors the default holds as well, while no local value is given. */
PEPA_API PepaStatus amoget_set_latency(AmogetMachine *machine, int32_t a, int32_t b, double seconds,
                                       PepaError *err);
PEPA_API PepaStatus amoget_set_bandwidth(AmogetMachine *machine, int32_t a, int32_t b,
                                         double bytes_per_second, PepaError *err);

/* What holds now, by text, measurements and setters, in the setters' units: numbers come back as
 * they were given.  The caller guarantees that there is such a processor.  O(1). */
PEPA_API int32_t amoget_processor_count(const AmogetMachine *machine);
PEPA_API const char *amoget_processor_name(const AmogetMachine *machine, int32_t processor);
PEPA_API const char *amoget_processor_address(const AmogetMachine *machine, int32_t processor);
/* The processor of that name, or -1. */
PEPA_API int32_t amoget_find_processor(const AmogetMachine *machine, const char *name);
PEPA_API double amoget_time(const AmogetMachine *machine, int32_t processor);
PEPA_API double amoget_availability(const AmogetMachine *machine, int32_t processor);
PEPA_API int32_t amoget_cores(const AmogetMachine *machine, int32_t processor);
PEPA_API double amoget_memory(const AmogetMachine *machine, int32_t processor);
/* Of a pair: its own value, else that of clusters, else AMOGET_LOCAL's or AMOGET_DEFAULT's.  With
 * one of these two as a and b: the value where nothing more specific is given.
 * NaN: nobody gave a latency; +inf: nobody gave a bandwidth, so that size does not matter. */
PEPA_API double amoget_latency(const AmogetMachine *machine, int32_t a, int32_t b);
PEPA_API double amoget_bandwidth(const AmogetMachine *machine, int32_t a, int32_t b);

#ifdef __cplusplus
}
#endif
#endif
