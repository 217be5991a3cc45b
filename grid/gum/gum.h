/* GUM: tasks with futures on many processes, whose work spreads by stealing.
 *
 *   #include <gum.h>
 *
 *   static GumType fib_type;
 *
 *   static void fib(const void *argument, void *result)
 *   {
 *       int64_t n = *(const int64_t *)argument, less = n - 1, other, here;
 *       if (n < 2) {
 *           *(int64_t *)result = n;
 *           return;
 *       }
 *       GumFuture f = gum_par(fib_type, &less);      // may run elsewhere
 *       less = n - 2;
 *       gum_seq(fib_type, &less, &here);             // runs now
 *       gum_take(f, &other);                         // runs now if nobody has taken it
 *       *(int64_t *)result = here + other;
 *   }
 *
 *   int main(int argc, char **argv)
 *   {
 *       int64_t n = 30, result;
 *       gum_init(&argc, &argv);
 *       fib_type = gum_type(&(GumTask){"fib", fib, {sizeof n}, {sizeof result}});
 *       if (gum_run(fib_type, &n, &result) == GUM_OK && gum_pid() == 0)
 *           printf("%lld\n", (long long)result);
 *       return gum_end();
 *   }
 *
 * A *spark* is a task that may run on another process; a *future* stands for its result.  Sparks cost
 * some nanoseconds while nobody takes them.  A process without work asks others for sparks.
 *
 * A *task* is a function of an argument, which it only reads, to a result, which it fills in.  It runs
 * once, on one process, unless gum_pure allows more.  It must not depend on variables that other tasks change.  A task that waits
 * lets its process run others meanwhile.  Calls come from one thread of a process, and those marked
 * "in a task" from within gum_run only.
 *
 * A mistake, such as a future that was freed, ends the run on all processes with an error that names
 * the call and the process.  Tasks that still run when a run ends, as of a mistake or because their futures were
 * freed, are abandoned where they wait: their arguments are cleared, and memory that only they know of is lost.
 * A mistake outside a run ends the program with such a line on stderr.
 *
 * Sources: Al Zain, Trinder, Michaelson, Loidl, Managing Heterogeneity in a Grid Parallel Haskell,
 * ICCS 2005; the same, Supporting High-Level Grid Parallel Programming: the Design and Implementation
 * of Grid-GUM2, 2007.  Evaluate and die: Trinder and others, GUM: a Portable Parallel Implementation
 * of Haskell, PLDI 1996. */
#ifndef GUM_H
#define GUM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default)
#define GUM_PRINTF(text, first) __attribute__((format(printf, text, first)))
#define GUM_NORETURN            __attribute__((noreturn))
#else
#define GUM_PRINTF(text, first)
#define GUM_NORETURN
#endif

/* How a run ended. */
enum {
    GUM_OK,
    GUM_EARG,   /* a mistake in a call, or settings that differ between processes */
    GUM_EABORT, /* gum_abort */
    GUM_ENOMEM,
    GUM_EMPI, /* MPI failed */
    GUM_ELOST /* a process does not answer */
};

/* ---- values: arguments and results ------------------------------------------------------------ */

typedef struct GumWriter GumWriter; /* to pack into */
typedef struct GumReader GumReader; /* to unpack from */

/* A value of `size` bytes.  Without functions it is flat: its bytes are all of it, and are sent as
 * they are (all processes have the same layout of numbers).  With functions it can own memory:
 *   pack    writes what another process needs to make the same value
 *   unpack  makes the value from that; what it reads is in the order in which it was written
 *   clear   frees what the value owns; NULL: nothing.  It is called once for each value */
typedef struct {
    size_t size;
    void (*pack)(GumWriter *to, const void *value);
    void (*unpack)(GumReader *from, void *value);
    void (*clear)(void *value);
} GumValue;

/* Append bytes; memory that runs out ends the run. */
void gum_write(GumWriter *to, const void *bytes, size_t size);
/* Read as many bytes as were written.  More than is left: a mistake. */
void gum_read(GumReader *from, void *bytes, size_t size);
/* The same without a copy: valid until unpack returns. */
const void *gum_view(GumReader *from, size_t size);

/* Bytes of any number, owned: allocated by malloc.  As a value: GUM_BYTES. */
typedef struct {
    void *bytes;
    size_t size;
} GumBytes;
void gum_bytes_pack(GumWriter *to, const void *value);
void gum_bytes_unpack(GumReader *from, void *value);
void gum_bytes_clear(void *value);
#define GUM_BYTES                                                                                  \
    {                                                                                              \
        sizeof(GumBytes), gum_bytes_pack, gum_bytes_unpack, gum_bytes_clear                        \
    }

/* ---- the program ------------------------------------------------------------------------------ */

typedef int32_t GumType;

typedef struct {
    const char *name; /* for messages; kept by the caller */
    void (*run)(const void *argument, void *result);
    GumValue argument, result;
} GumTask;

/* The first call in main, on all processes: begins MPI, unless the program has.  It forks, so that
 * somebody can tell if this process is killed.  argc and argv may be NULL. */
void gum_init(int *argc, char ***argv);
/* A type of tasks: all processes register the same ones in the same order, outside gum_run. */
GumType gum_type(const GumTask *task);
/* Tasks of this type depend on nothing but their argument and data that they fetch, and change nothing
 * but their result; and their argument is flat.  So a run may begin one on two processes, and take the
 * result that comes first: the policy `predicted` does so at the end of a run, where a slow process has
 * one that an idle faster one ends sooner.  All processes say so, outside gum_run. */
void gum_pure(GumType type);
/* Collective: run a task, the main task, on one process; the others help.
 *   argument  that of process 0; consumed, also if the run fails
 *   result    of process 0: filled in on success; the caller's
 * Returns GUM_OK or the error, the same on all processes.  May be called again; after
 * GUM_ELOST it returns that at once. */
int gum_run(GumType type, const void *argument, void *result);
/* What the last gum_run's error was, such as "gum_force: process 2: ..."; "": there was none. */
const char *gum_error(void);
/* The last call in main, on all processes: one of them prints the first error of all runs, if there is one,
 * on stderr; ends MPI if gum_init began it.  Returns the program's exit status: 0, or 1 after an error. */
int gum_end(void);

int gum_pid(void);       /* this process, from 0 */
int gum_processes(void); /* how many there are */
double gum_time(void);   /* in a task: seconds since the run began */

/* ---- in a task -------------------------------------------------------------------------------- */

/* Holds until gum_free or gum_take, at most until the run ends; on the process that made it. */
typedef struct {
    struct GumRecord *record;
    uint64_t stamp;
} GumFuture;

/* Spark a task.  The value at `argument` is copied; what it owns belongs to the future from now on. */
GumFuture gum_par(GumType type, const void *argument);
/* Run a task now, here; as gum_par, gum_take, without a spark. */
void gum_seq(GumType type, const void *argument, void *result);
/* The result of a future, which keeps it: valid until gum_free.  Runs the task now, here, if nobody
 * has taken it; else waits, while this process runs other tasks. */
const void *gum_force(GumFuture future);
/* The result goes to the caller, and the future is freed. */
void gum_take(GumFuture future, void *result);
/* Free a future.  A spark that nobody has taken never runs; what another process makes of it is
 * dropped. */
void gum_free(GumFuture future);
/* Is the result there? */
int gum_ready(GumFuture future);
/* Long computations without other calls: let the process look for messages now and then.  Call this
 * every millisecond or so; costs as much as reading the clock. */
void gum_poll(void);
/* End the run on all processes with a message. */
void gum_abort(const char *format, ...) GUM_PRINTF(1, 2) GUM_NORETURN;

/* ---- in a task: data that stay where they are until somebody needs them ----------------------- */

/* A value without pointers, which can be (part of) an argument or a result. */
typedef struct {
    int32_t owner;
    uint32_t number;
    uint64_t size; /* bytes */
} GumRef;

/* Copy bytes for others to fetch; kept until the run ends. */
GumRef gum_publish(const void *bytes, size_t size);
/* The bytes, aligned for any type: fetched from their owner the first time, kept until the run ends.
 * This task waits meanwhile, and others run. */
const void *gum_fetch(GumRef ref);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif
#endif
