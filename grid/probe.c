/* What the machines and the links between them can do, tried out. */
#include "grid/probe.h"

#include <math.h>
#include <string.h>

#include "grid/clock.h"
#include "grid/watch.h"

/* Large: what MPIs still send without asking first (Open MPI: 64 KB, its head included). */
enum { TAG = 2, LARGE = 48 << 10, TIMES = 3 };

double probe_work(void)
{
    enum { STEPS = 400000 };
    volatile double result; /* so that the work is done */
    double begin = clock_now(), x = 1;
    /* each step waits for the one before: bound by the processor's latency, not by its memory */
    for (int i = 0; i < STEPS; i++)
        x = 0.5 * x + 1.25;
    result = x;
    (void)result;
    return clock_now() - begin;
}

static int failed(Run *run, int status)
{
    run->wire.code = GRID_EMPI;
    run->wire.mpi_code = status;
    return run_wire_failed(run);
}

/* At the beginning of each message between two processes; the one with the lower number asks. */
typedef struct {
    double asked;    /* when, by its clock */
    double answered; /* when, by the other's */
    double offset;   /* what to add to its clock's time for the other's, */
    double round;    /* as found by so long a way there and back */
    int64_t size;    /* of the answer; 0: it was the last message */
} Note;

static int transfer(Run *run, int32_t other, void *bytes, size_t size, int sends)
{
    MPI_Comm comm = run->wire.comm;
    MPI_Request request;
    int status = sends ? MPI_Isend(bytes, (int)size, MPI_BYTE, other, TAG, comm, &request)
                       : MPI_Irecv(bytes, (int)size, MPI_BYTE, other, TAG, comm, &request);
    return status == MPI_SUCCESS ? clock_await(&request) : status;
}

static int answer(Run *run, int32_t other, char *bytes)
{
    Note note;
    for (;;) {
        int status = transfer(run, other, bytes, LARGE, 0);
        if (status != MPI_SUCCESS)
            return failed(run, status);
        memcpy(&note, bytes, sizeof note);
        if (note.size == 0)
            break;
        note.answered = clock_now();
        memcpy(bytes, &note, sizeof note);
        status = transfer(run, other, bytes, (size_t)note.size, 1);
        if (status != MPI_SUCCESS)
            return failed(run, status);
    }
    watch_clock(run, other, note.offset, note.round);
    return 0;
}

/* There and back; in the note, the clocks. */
static int ask(Run *run, int32_t other, char *bytes, size_t size, Note *note)
{
    *note = (Note){.asked = clock_now(), .size = (int64_t)size};
    memcpy(bytes, note, sizeof *note);
    int status = transfer(run, other, bytes, size, 1);
    if (status == MPI_SUCCESS)
        status = transfer(run, other, bytes, size, 0);
    if (status != MPI_SUCCESS)
        return failed(run, status);
    memcpy(note, bytes, sizeof *note);
    note->round = clock_now() - note->asked;
    note->offset = note->answered - note->asked - note->round / 2;
    return 0;
}

/* The first exchange waits for the other process, and for the network to get used to the size; of
 * the others the fastest counts.  Where they take long, one tells enough. */
static int ask_all(Run *run, int32_t other, char *bytes)
{
    static const size_t sizes[2] = {sizeof(Note), LARGE};
    const double long_time = 5e-3;
    Note best, note;
    for (int k = 0; k < 2; k++) {
        Note fastest = {.round = HUGE_VAL};
        for (int i = 0; i <= TIMES && !(i > 1 && fastest.round > long_time); i++) {
            if (ask(run, other, bytes, sizes[k], &note))
                return -1;
            if (i > 0 && note.round < fastest.round)
                fastest = note;
        }
        if (k == 0)
            best = fastest;
        double seconds = fastest.round / 2, bytes_each = (double)sizes[k];
        watch_ping(run, run->wire.rank, other, bytes_each, run->start, seconds);
        watch_ping(run, other, run->wire.rank, bytes_each, run->start, seconds);
    }
    best.size = 0;
    watch_clock(run, other, -best.offset, best.round);
    int status = transfer(run, other, &best, sizeof best, 1);
    return status == MPI_SUCCESS ? 0 : failed(run, status);
}

/* Some processes have far more to wait for than others.  The run begins when the last one has done,
 * so that nobody misses it before that. */
static int begin_together(Run *run)
{
    MPI_Request request;
    int status = MPI_Ibarrier(run->wire.comm, &request);
    if (status == MPI_SUCCESS)
        status = clock_await(&request);
    double now = clock_now();
    if (status == MPI_SUCCESS)
        status = MPI_Ibcast(&now, 1, MPI_DOUBLE, 0, run->wire.comm, &request);
    if (status == MPI_SUCCESS)
        status = clock_await(&request);
    if (status != MPI_SUCCESS)
        return failed(run, status);
    run->start = run_same_clock(run, 0) ? now : clock_now();
    return 0;
}

/* As in a tournament: in each of n - 1 rounds everybody has one partner (n even: one that is not
 * there if need be), and the pairs of a round go on at the same time. */
int probe_links(Run *run)
{
    char bytes[LARGE];
    int32_t n = run->wire.size + run->wire.size % 2, rank = run->wire.rank;
    memset(bytes, 0, sizeof bytes);
    for (int32_t round = 0; round < n - 1; round++) {
        int32_t other = rank == n - 1 ? -1 : ((round - rank) % (n - 1) + n - 1) % (n - 1);
        if (other == rank)
            other = n - 1;
        else if (other < 0) /* the one whose partner would be itself */
            other = round % 2 ? (round + n - 1) / 2 : round / 2;
        if (other >= run->wire.size)
            continue;
        if (rank < other ? ask_all(run, other, bytes) : answer(run, other, bytes))
            return -1;
    }
    return begin_together(run);
}
