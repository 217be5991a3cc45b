/* Latencies between the processes of GUM.
 *
 * All pairs exchange numbers at a time, so that far ones take a few round trips however many they are.  Of
 * each pair the lower process asks TRIPS times, and then tells what it has found; the higher one answers. */
#include "grid/gum/latencies.h"

#include <math.h>
#include <stdlib.h>

#include "grid/core/clock.h"
#include "grid/gum/tuning.h"

enum { TAG_PING = 3, TRIPS = 2 }; /* MPI's tag: not the transport's */

int latencies_new(LatencyTalks *t, MPI_Comm comm, int self, int processes)
{
    size_t n = (size_t)processes;
    *t = (LatencyTalks){.comm = comm, .self = self, .processes = processes};
    t->in = calloc(2 * n, sizeof *t->in);
    t->got = calloc(4 * n, sizeof *t->got);
    t->received = calloc(n, sizeof *t->received);
    if (!t->in || !t->got || !t->received)
        return -1;
    t->out = t->in + n;
    t->given = t->got + n;
    t->sent = t->given + n;
    t->row = t->sent + n;
    for (size_t i = 0; i < 2 * n; i++)
        t->in[i] = MPI_REQUEST_NULL;
    return 0;
}

void latencies_free(LatencyTalks *t)
{
    free(t->in);
    free(t->got);
    free(t->received);
}

/* The one before it has arrived: this is the next step of the same exchange. */
static int send_number(LatencyTalks *t, int other, double number)
{
    int status = clock_await_at_once(&t->out[other]);
    t->given[other] = number;
    t->sent[other] = clock_now();
    return status == MPI_SUCCESS ? MPI_Isend(&t->given[other], 1, MPI_DOUBLE, other, TAG_PING,
                                             t->comm, &t->out[other])
                                 : status;
}

static int expect_number(LatencyTalks *t, int other)
{
    return MPI_Irecv(&t->got[other], 1, MPI_DOUBLE, other, TAG_PING, t->comm, &t->in[other]);
}

static int begin_talks(LatencyTalks *t)
{
    int status = MPI_SUCCESS;
    for (int other = 0; other < t->processes && status == MPI_SUCCESS; other++) {
        t->row[other] = other == t->self ? 0 : HUGE_VAL;
        t->received[other] = 0;
        if (other != t->self)
            status = expect_number(t, other);
    }
    for (int other = t->self + 1; other < t->processes && status == MPI_SUCCESS; other++)
        status = send_number(t, other, 0);
    return status;
}

/* A number has come.  Of the trips the shortest counts: the first one may wait for the other process. */
static int ask_more(LatencyTalks *t, int other)
{
    int more = ++t->received[other] < TRIPS, status = MPI_SUCCESS;
    t->row[other] = fmin(t->row[other], (clock_now() - t->sent[other]) / 2);
    if (more)
        status = expect_number(t, other);
    return status == MPI_SUCCESS ? send_number(t, other, t->row[other]) : status;
}

static int answer(LatencyTalks *t, int other)
{
    if (++t->received[other] > TRIPS) {
        t->row[other] = t->got[other];
        return MPI_SUCCESS;
    }
    int status = expect_number(t, other);
    return status == MPI_SUCCESS ? send_number(t, other, 0) : status;
}

static int talk_to_all(LatencyTalks *t)
{
    int status = begin_talks(t);
    int left = t->self * (TRIPS + 1) + (t->processes - 1 - t->self) * TRIPS;
    for (; left > 0 && status == MPI_SUCCESS; left--) {
        int other = 0;
        status = clock_await_any(t->processes, t->in, &other);
        if (status == MPI_SUCCESS)
            status = other > t->self ? ask_more(t, other) : answer(t, other);
    }
    for (int other = 0; other < t->processes && status == MPI_SUCCESS; other++)
        status = clock_await_at_once(&t->out[other]);
    return status;
}

/* Near processes once more, each pair alone, as the messages of many disturb each other for as long as
 * these take.  In round r process p meets process (r - p) modulo n, which meets it. */
static int talk_to_near(LatencyTalks *t)
{
    int n = t->processes, status = MPI_SUCCESS;
    for (int round = 0; round < n && status == MPI_SUCCESS; round++) {
        int other = (round - t->self + n) % n;
        if (other == t->self || t->row[other] > NEAR)
            continue;
        status = expect_number(t, other);
        t->received[other] = 0;
        if (other > t->self && status == MPI_SUCCESS)
            status = send_number(t, other, 0);
        while (status == MPI_SUCCESS && t->in[other] != MPI_REQUEST_NULL) {
            status = clock_await_at_once(&t->in[other]);
            if (status == MPI_SUCCESS)
                status = other > t->self ? ask_more(t, other) : answer(t, other);
        }
        if (status == MPI_SUCCESS)
            status = clock_await_at_once(&t->out[other]);
    }
    return status;
}

int latencies_measure(LatencyTalks *t)
{
    int status = talk_to_all(t);
    return status == MPI_SUCCESS ? talk_to_near(t) : status;
}
