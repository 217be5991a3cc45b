/* The links between all pairs of processes, measured before a run. */
#include "grid/machine/link_probe.h"

#include <math.h>
#include <string.h>

#include "grid/core/agree.h"
#include "grid/core/clock.h"
#include "grid/machine/tuning.h"

/* MPI's tag: other than the transport's.  Large: what MPIs send at once, without a handshake (Open
 * MPI: 64 KB, its head included). */
enum { TAG = 2, LARGE = 48 << 10 };

/* The first bytes of each message between two processes, of which the one with the lower number
 * asks. */
typedef struct {
    double asked;    /* when, by its clock */
    double answered; /* when, by the other's */
    double offset;   /* what to add to its clock to get the other's */
    double round;    /* the round trip that showed this */
    int64_t size;    /* of the answer; 0: none, this is the last message */
} Note;

/* How accurate, at what cost. */
typedef struct {
    int (*await)(MPI_Request *request);
    int trips, long_trips; /* round trips that count, and those from LONG_ROUND_TRIP on */
} Care;

static const Care before_a_run = {clock_await, ROUND_TRIPS, 1};
static const Care alone = {clock_await_at_once, ALONE_TRIPS, ALONE_LONG_TRIPS};

/* A process, its partner, and the messages between the two. */
typedef struct {
    Sampler *sampler;
    const Care *care;
    int32_t other;
    char *bytes; /* LARGE */
} Line;

static int transfer(const Line *line, void *bytes, size_t size, int sends)
{
    MPI_Comm comm = line->sampler->session->transport.comm;
    MPI_Request request;
    int status = sends ? MPI_Isend(bytes, (int)size, MPI_BYTE, line->other, TAG, comm, &request)
                       : MPI_Irecv(bytes, (int)size, MPI_BYTE, line->other, TAG, comm, &request);
    return status == MPI_SUCCESS ? line->care->await(&request) : status;
}

static int answer(const Line *line)
{
    Session *session = line->sampler->session;
    Note note;
    for (;;) {
        int status = transfer(line, line->bytes, LARGE, 0);
        if (status != MPI_SUCCESS)
            return session_mpi_failed(session, status);
        memcpy(&note, line->bytes, sizeof note);
        if (note.size == 0)
            break;
        note.answered = clock_now();
        memcpy(line->bytes, &note, sizeof note);
        status = transfer(line, line->bytes, (size_t)note.size, 1);
        if (status != MPI_SUCCESS)
            return session_mpi_failed(session, status);
    }
    peers_learn_offset(&session->peers, line->other, note.offset, note.round);
    return 0;
}

/* One round trip; the note gets its duration and the offset of the clocks. */
static int ask(const Line *line, size_t size, Note *note)
{
    *note = (Note){.asked = clock_now(), .size = (int64_t)size};
    memcpy(line->bytes, note, sizeof *note);
    int status = transfer(line, line->bytes, size, 1);
    if (status == MPI_SUCCESS)
        status = transfer(line, line->bytes, size, 0);
    if (status != MPI_SUCCESS)
        return session_mpi_failed(line->sampler->session, status);
    memcpy(note, line->bytes, sizeof *note);
    note->round = clock_now() - note->asked;
    note->offset = note->answered - note->asked - note->round / 2;
    return 0;
}

/* The fastest of several round trips counts.  The first one does not: it waits for the other
 * process, and for the network to adapt to the size.  Over slow links fewer are enough. */
static int ask_all(const Line *line)
{
    static const size_t sizes[2] = {sizeof(Note), LARGE};
    Sampler *sampler = line->sampler;
    int32_t other = line->other, self = sampler->session->transport.rank;
    double start = sampler->session->start;
    Note best, note;
    for (int k = 0; k < 2; k++) {
        Note fastest = {.round = HUGE_VAL};
        for (int i = 0; i <= line->care->trips &&
                        !(i > line->care->long_trips && fastest.round > LONG_ROUND_TRIP);
             i++) {
            if (ask(line, sizes[k], &note))
                return -1;
            if (i > 0 && note.round < fastest.round)
                fastest = note;
        }
        if (k == 0)
            best = fastest;
        double seconds = fastest.round / 2, bytes_each = (double)sizes[k];
        GridSample there = {.kind = GRID_TRANSFER,
                            .a = self,
                            .b = other,
                            .bytes = bytes_each,
                            .seconds = seconds,
                            .time = start};
        GridSample back = there;
        back.a = other;
        back.b = self;
        sampler_add(sampler, there);
        sampler_add(sampler, back);
    }
    best.size = 0;
    peers_learn_offset(&sampler->session->peers, other, -best.offset, best.round);
    int status = transfer(line, &best, sizeof best, 1);
    return status == MPI_SUCCESS ? 0 : session_mpi_failed(sampler->session, status);
}

/* A round-robin tournament by the circle method: in each of n - 1 rounds every process has one
 * partner (n even; with an odd number of processes one of them rests), and all pairs of a round
 * work at the same time.  Some processes wait far longer than others: the run begins when the last
 * one is done, so that none counts as silent before. */
static int measure(Sampler *sampler, const Care *care)
{
    char bytes[LARGE];
    const Transport *t = &sampler->session->transport;
    int32_t n = t->size + t->size % 2, rank = t->rank;
    memset(bytes, 0, sizeof bytes);
    for (int32_t round = 0; round < n - 1; round++) {
        int32_t other = rank == n - 1 ? -1 : ((round - rank) % (n - 1) + n - 1) % (n - 1);
        if (other == rank)
            other = n - 1;
        else if (other < 0) /* the last process: its partner is the one that would meet itself */
            other = round % 2 ? (round + n - 1) / 2 : round / 2;
        if (other >= t->size)
            continue;
        const Line line = {sampler, care, other, bytes};
        if (rank < other ? ask_all(&line) : answer(&line))
            return -1;
    }
    return agree_restart(sampler->session);
}

static void inject(Sampler *sampler)
{
    const double sizes[2] = {1, 65536};
    const Session *session = sampler->session;
    int32_t a = session->transport.rank;
    for (int32_t b = 0; b < session->transport.size; b++)
        for (int k = 0; k < 2; k++)
            sampler_add(sampler, (GridSample){.kind = GRID_TRANSFER,
                                              .a = a,
                                              .b = b,
                                              .bytes = sizes[k],
                                              .seconds = grid_platform_transfer(sampler->platform,
                                                                                0, a, b, sizes[k]),
                                              .time = session->start});
}

int link_probe(Sampler *sampler)
{
    sampler->active = 1;
    if (!sampler->platform)
        return measure(sampler, &before_a_run);
    inject(sampler);
    return 0;
}

int link_probe_alone(Sampler *sampler)
{
    sampler->active = 1;
    return measure(sampler, &alone);
}
