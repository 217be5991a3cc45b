/* The processes before a run: their speeds and the latencies between them.
 *
 * Each pair exchanges small messages; half of the shorter round trip is the latency.  Then all know all
 * latencies, and divide the processes into the same clusters. */
#include "grid/gum/meet.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "grid/core/agree.h"
#include "grid/core/clock.h"
#include "grid/core/guard.h"
#include "grid/gum/policy/tuning.h"
#include "grid/machine/probe.h"

#ifdef SMPI_H
#include <simgrid/host.h>
#endif

enum { TAG_PING = 3, TRIPS = 2, PROBES = 5 }; /* MPI's tag: not the transport's */

/* Work per second, any unit: of several probes the fastest was disturbed least. */
static double speed(void)
{
#ifdef SMPI_H
    return sg_host_get_speed(sg_host_self()) / 1e6; /* a probe takes no simulated time */
#else
    double least = HUGE_VAL;
    for (int i = 0; i < PROBES; i++)
        least = fmin(least, probe_work());
    return 1 / least;
#endif
}

/* What the description of the hosts says of this one's, 1 / time; 0: nothing. */
static double described(const char *own)
{
    const char *text = getenv("GUM_SPEEDS"), *told = getenv(GRID_HOST);
    const char *host = told && *told ? told : own;
    const size_t length = strlen(host);
    while (text && *text) {
        double value;
        const char *next = settings_speed(text, &value);
        if (!next)
            return 0;
        if (strncmp(text, host, length) == 0 && text[length] == '=')
            return value;
        text = next;
    }
    return 0;
}

static int failed(Gum *gum, int status)
{
    return status == MPI_SUCCESS ? 0 : session_mpi_failed(&gum->session, status);
}

static int transfer(MPI_Comm comm, int other, int sends)
{
    MPI_Request request;
    char byte = 0;
    int status = sends ? MPI_Isend(&byte, 1, MPI_CHAR, other, TAG_PING, comm, &request)
                       : MPI_Irecv(&byte, 1, MPI_CHAR, other, TAG_PING, comm, &request);
    return status == MPI_SUCCESS ? clock_await_at_once(&request) : status;
}

/* Round trips of a pair, of which the lower process asks: half of the shortest is the latency.  The first
 * one may wait for the other process, so there are two. */
static int ask(MPI_Comm comm, int other, double *latency)
{
    int status = MPI_SUCCESS;
    *latency = HUGE_VAL;
    for (int i = 0; i < TRIPS && status == MPI_SUCCESS; i++) {
        double begun = clock_now();
        status = transfer(comm, other, 1);
        if (status == MPI_SUCCESS)
            status = transfer(comm, other, 0);
        *latency = fmin(*latency, (clock_now() - begun) / 2);
    }
    return status;
}

static int answer(MPI_Comm comm, int other)
{
    int status = MPI_SUCCESS;
    for (int i = 0; i < TRIPS && status == MPI_SUCCESS; i++) {
        status = transfer(comm, other, 0);
        if (status == MPI_SUCCESS)
            status = transfer(comm, other, 1);
    }
    return status;
}

/* The latencies of pairs of which this process is the lower one.  In round r process p meets process
 * (r - p) modulo n, which meets it: messages of different pairs do not wait for each other. */
static int measure(const Gum *gum, MPI_Comm comm, double *row)
{
    int n = gum->processes, self = gum->pid, status = MPI_SUCCESS;
    for (int round = 0; round < n && status == MPI_SUCCESS; round++) {
        int other = (round - self + n) % n;
        if (other > self)
            status = ask(comm, other, &row[other]);
        else if (other < self)
            status = answer(comm, other);
    }
    return status;
}

/* The same count of numbers of each process, in a row, on all. */
static int gather(MPI_Comm comm, const double *mine, double *all, int count)
{
    MPI_Request request;
    int status = MPI_Iallgather(mine, count, MPI_DOUBLE, all, count, MPI_DOUBLE, comm, &request);
    return status == MPI_SUCCESS ? clock_await(&request) : status;
}

static int same_host(const Gum *gum, int p, int q)
{
#ifdef SMPI_H
    (void)gum; /* simulated hosts all have the name of this machine */
    return p == q;
#else
    const Peer *each = gum->session.peers.each;
    return strcmp(each[p].host, each[q].host) == 0;
#endif
}

/* Processes of a host share its speed: the fastest probe of them shows it.  A description that has the
 * hosts of all processes knows better: a probe is short, and other programs disturb it.  A unit of work is
 * what its processor of time 1 does in a second; without it, what the fastest process does.
 *   speeds  of each process: probed, described */
static void set_speeds(Gum *gum, const double *speeds)
{
    int column = 1;
    double fastest = 0;
    for (int p = 0; p < gum->processes; p++)
        if (!(speeds[2 * p + 1] > 0))
            column = 0;
    for (int p = 0; p < gum->processes; p++) {
        double most = speeds[2 * p + column];
        for (int q = 0; q < gum->processes; q++)
            if (same_host(gum, p, q))
                most = fmax(most, speeds[2 * q + column]);
        gum->tables.fixed[p].speed = most;
        fastest = fmax(fastest, most);
    }
    gum->unit = column ? 1 : fastest;
}

static void set_latencies(Gum *gum, double *latency)
{
    int n = gum->processes;
    for (int p = 0; p < n; p++)
        for (int q = 0; q < p; q++) {
            double it = fmax(latency[p * n + q], latency[q * n + p]);
            if (same_host(gum, p, q))
                it = fmin(it, APART / 2); /* slow only because the host is busy */
            latency[p * n + q] = latency[q * n + p] = it;
        }
    for (int p = 0; p < n; p++)
        gum->tables.communication[p].latency = latency[gum->pid * n + p];
    tables_divide(&gum->tables, latency, APART);
}

int meet(Gum *gum)
{
    size_t n = (size_t)gum->processes;
    MPI_Comm comm = gum->session.transport.comm;
    double *all = calloc(n * (n + 2), sizeof *all), *row = calloc(n, sizeof *row);
    double mine[2] = {speed(), described(gum->session.peers.each[gum->pid].host)};
    if (!all || !row)
        (void)session_out_of_memory(&gum->session);
    int status = agree_same(&gum->session, 0, "");
    if (status == 0)
        status = failed(gum, measure(gum, comm, row));
    if (status == 0)
        status = failed(gum, gather(comm, mine, all, 2));
    if (status == 0) {
        set_speeds(gum, all);
        status = failed(gum, gather(comm, row, all, (int)n));
    }
    if (status == 0)
        set_latencies(gum, all);
    free(all);
    free(row);
    return status;
}
