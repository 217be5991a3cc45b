/* The processes before a run: their speeds and the latencies between them.
 *
 * All know all latencies, and divide the processes into the same clusters.  The next runs take what was
 * measured again. */
#include "grid/gum/meet.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "grid/core/clock.h"
#include "grid/core/guard.h"
#include "grid/gum/policy/tuning.h"
#include "grid/gum/tuning.h"
#include "grid/machine/probe.h"

#ifdef SMPI_H
#include <simgrid/host.h>
#endif

enum { PROBES = 5 };

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

/* The same count of numbers of each process, in a row, on all. */
static int gather(MPI_Comm comm, const double *mine, double *all, int count, MPI_Request *request)
{
    return MPI_Iallgather(mine, count, MPI_DOUBLE, all, count, MPI_DOUBLE, comm, request);
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

/* Of both directions the longer one. */
static void set_latencies(Gum *gum)
{
    int n = gum->processes;
    double *latency = gum->latency;
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

int meet_measures(const Gum *gum)
{
    return clock_now() > gum->measured + MEASURES_HOLD;
}

int meet_measure(Gum *gum)
{
    const double mine[2] = {speed(), described(gum->session.peers.each[gum->pid].host)};
    MPI_Comm comm = gum->session.transport.comm;
    MPI_Request latencies, speeds;
    int status = latencies_measure(&gum->talks);
    if (status == MPI_SUCCESS)
        status = gather(comm, gum->talks.row, gum->latency, gum->processes, &latencies);
    if (status == MPI_SUCCESS)
        status = gather(comm, mine, gum->speeds, 2, &speeds);
    if (status == MPI_SUCCESS)
        status = clock_await(&latencies);
    if (status == MPI_SUCCESS)
        status = clock_await(&speeds);
    gum->measured = clock_now();
    return status == MPI_SUCCESS ? 0 : session_mpi_failed(&gum->session, status);
}

void meet(Gum *gum)
{
    set_speeds(gum, gum->speeds);
    set_latencies(gum);
}
