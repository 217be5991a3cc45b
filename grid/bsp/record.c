/* Records a run, and writes its trace. */
#include "grid/bsp/record.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "grid/bsp/schedule.h"
#include "grid/core/clock.h"
#include "grid/core/decimal.h"

/* More of a process's trace is not kept. */
#define MOST_BYTES ((size_t)INT_MAX / 4)

typedef struct {
    int32_t from, to;
    uint64_t bytes;
    uint64_t reply; /* 0: sent at once; 1: when it was requested */
} Sent;

/* ---- recording ------------------------------------------------------------------------------- */

FILE *record_open(const char **error)
{
    const char *name = getenv("BSP_TRACE"), *how = getenv("BSP_TRACE_TIME");
    int wanted = name && *name;
    if (wanted && how && *how && strcmp(how, "wall") != 0) {
        *error = "BSP_TRACE_TIME is neither empty nor wall";
        return NULL;
    }
    FILE *file = wanted ? fopen(name, "w") : NULL;
    *error = wanted && !file ? strerror(errno) : NULL;
    return file;
}

static double now(const Record *r)
{
    struct timespec t;
    if (r->wall || clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t) != 0)
        return clock_now();
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

bool record_begin(Record *r, FILE *file, int nprocs, int pid)
{
    const char *how = getenv("BSP_TRACE_TIME");
    *r = (Record){.active = true,
                  .wall = how && strcmp(how, "wall") == 0,
                  .file = file,
                  .nprocs = nprocs,
                  .pid = pid,
                  .sent = calloc((size_t)nprocs, sizeof *r->sent),
                  .replied = calloc((size_t)nprocs, sizeof *r->replied),
                  .taken = calloc((size_t)nprocs, sizeof *r->taken),
                  .size = calloc((size_t)nprocs, sizeof *r->size),
                  .part = calloc((size_t)nprocs, sizeof *r->part),
                  .from = calloc((size_t)nprocs, sizeof *r->from)};
    if (!(r->sent && r->replied && r->taken && r->size && r->part && r->from))
        return false;
    for (int p = 0; p < nprocs; p++)
        r->from[p].buffer = &r->part[p];
    record_go(r);
    return true;
}

void record_stop(Record *r)
{
    if (r->active)
        r->work += now(r) - r->since;
}

void record_go(Record *r)
{
    if (r->active)
        r->since = now(r);
}

void record_send(Record *r, int to, uint64_t bytes)
{
    if (r->active && to != r->pid)
        r->sent[to] += bytes;
}

void record_reply(Record *r, int to, uint64_t bytes)
{
    if (r->active && to != r->pid)
        r->replied[to] += bytes;
}

void record_take(Record *r, int from, uint64_t bytes)
{
    if (r->active && from != r->pid)
        r->taken[from] += bytes;
}

static void keep(Record *r, const void *bytes, size_t size)
{
    r->lost = r->lost || r->steps.size + size > MOST_BYTES || grid_put(&r->steps, bytes, size) != 0;
}

static void keep_sent(Record *r, int from, int to, uint64_t bytes, int reply)
{
    const Sent sent = {.from = from, .to = to, .bytes = bytes, .reply = (uint64_t)reply};
    if (bytes > 0)
        keep(r, &sent, sizeof sent);
}

void record_step(Record *r)
{
    const size_t bytes = (size_t)r->nprocs * sizeof *r->sent;
    int32_t count = 0;
    if (!r->active)
        return;
    for (int p = 0; p < r->nprocs; p++)
        count += (r->sent[p] > 0) + (r->replied[p] > 0) + (r->taken[p] > 0);
    keep(r, &r->work, sizeof r->work);
    keep(r, &count, sizeof count);
    for (int p = 0; p < r->nprocs; p++) {
        keep_sent(r, r->pid, p, r->sent[p], 0);
        keep_sent(r, r->pid, p, r->replied[p], 1);
        keep_sent(r, p, r->pid, r->taken[p], 1);
    }
    memset(r->sent, 0, bytes);
    memset(r->replied, 0, bytes);
    memset(r->taken, 0, bytes);
    r->work = 0;
}

/* ---- writing --------------------------------------------------------------------------------- */

/* The next superstep of a process. */
static void write_step(Record *r, int process)
{
    FILE *to = r->file;
    Cursor *from = &r->from[process];
    char text[DECIMAL_SIZE];
    double work;
    int32_t count;
    (void)buffer_get(from, &work, sizeof work);
    (void)buffer_get(from, &count, sizeof count);
    if (work > 0)
        (void)fprintf(to, "work %d %s\n", process, decimal_text(work, 9, text));
    for (int32_t i = 0; i < count; i++) {
        Sent sent;
        (void)buffer_get(from, &sent, sizeof sent);
        (void)fprintf(to, "%s %d %d %llu\n", sent.reply ? "reply" : "send", (int)sent.from,
                      (int)sent.to, (unsigned long long)sent.bytes);
        r->bytes[(size_t)sent.from * (size_t)r->nprocs + (size_t)sent.to] += sent.bytes;
    }
}

/* The h-relation of the superstep, and begin with the next one. */
static void write_relation(Record *r)
{
    const size_t n = (size_t)r->nprocs;
    schedule_h_relation(r->nprocs, r->bytes, r->h);
    (void)fputs("# h", r->file);
    for (size_t p = 0; p < n; p++)
        (void)fprintf(r->file, " %llu", (unsigned long long)r->h[p]);
    (void)fputc('\n', r->file);
    memset(r->bytes, 0, n * n * sizeof *r->bytes);
}

static void write_all(Record *r)
{
    (void)fprintf(r->file, "bsp-trace 2\nprocesses %d\n", r->nprocs);
    for (int step = 0; r->from[0].at < r->part[0].size; step++) {
        (void)fprintf(r->file, "step %d\n", step);
        for (int p = 0; p < r->nprocs; p++)
            write_step(r, p);
        write_relation(r);
    }
}

/* Collective: whether all have their parts, and process 0 has room for them. */
static int is_ready(Record *r, MPI_Comm comm)
{
    MPI_Request request;
    int size = r->lost ? -1 : (int)r->steps.size, ready = 1;
    (void)MPI_Igather(&size, 1, MPI_INT, r->size, 1, MPI_INT, 0, comm, &request);
    (void)clock_await(&request);
    if (r->pid == 0) {
        r->bytes = calloc((size_t)r->nprocs * (size_t)r->nprocs, sizeof *r->bytes);
        r->h = calloc((size_t)r->nprocs, sizeof *r->h);
        ready = r->bytes && r->h;
    }
    for (int p = 0; p < r->nprocs && r->pid == 0; p++)
        ready = ready && r->size[p] >= 0 &&
                (p == 0 || buffer_reserve(&r->part[p], (size_t)r->size[p]) == 0);
    (void)MPI_Ibcast(&ready, 1, MPI_INT, 0, comm, &request);
    (void)clock_await(&request);
    return ready;
}

/* Collective: the parts to process 0. */
static void collect(Record *r, MPI_Comm comm)
{
    MPI_Request request;
    if (r->pid > 0) {
        (void)MPI_Isend(r->steps.bytes, (int)r->steps.size, MPI_BYTE, 0, 0, comm, &request);
        (void)clock_await(&request);
        return;
    }
    buffer_swap(&r->part[0], &r->steps);
    for (int p = 1; p < r->nprocs; p++) {
        (void)MPI_Irecv(r->part[p].bytes, r->size[p], MPI_BYTE, p, 0, comm, &request);
        (void)clock_await(&request);
        r->part[p].size = (size_t)r->size[p];
    }
}

const char *record_end(Record *r, MPI_Comm comm)
{
    if (!r->active)
        return NULL;
    const int ready = is_ready(r, comm);
    if (ready)
        collect(r, comm);
    if (r->pid > 0)
        return NULL;
    if (ready)
        write_all(r);
    const bool failed = ferror(r->file);
    if (fclose(r->file) != 0 || failed)
        return strerror(errno);
    return ready ? NULL : "it is too large for the memory";
}

void record_free(Record *r)
{
    for (int p = 0; p < r->nprocs && r->part; p++)
        grid_buffer_free(&r->part[p]);
    grid_buffer_free(&r->steps);
    free(r->sent);
    free(r->replied);
    free(r->taken);
    free(r->size);
    free(r->part);
    free(r->from);
    free(r->bytes);
    free(r->h);
    *r = (Record){0};
}
