/* The processes before a run: their speeds and the latencies between them.
 *
 * Each process sends small messages to all others at once, which send them back; half of the shortest
 * round trip is the latency.  Then all know all latencies, and divide the processes into the same
 * clusters. */
#include "grid/gum/meet.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "grid/core/agree.h"
#include "grid/core/clock.h"
#include "grid/gum/policy/tuning.h"
#include "grid/machine/probe.h"

#ifdef SMPI_H
#include <simgrid/host.h>
#endif

enum { TAG_PING = 3, TAG_PONG = 4, ROUNDS = 3, PROBES = 5 };

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

static int failed(Gum *gum, int status)
{
    return status == MPI_SUCCESS ? 0 : session_mpi_failed(&gum->session, status);
}

/* One round of messages with all others; row[] gets the shorter round trips. */
typedef struct {
    MPI_Request *pings, *pongs, *sends; /* to receive; of what is sent */
    char *ping, *pong;                  /* what is received from each */
    double *row;
} Round;

static int begin(const Gum *gum, MPI_Comm comm, Round *round, double *begun)
{
    static const char byte = 0;
    int status = MPI_SUCCESS;
    for (int p = 0; p < gum->processes && status == MPI_SUCCESS; p++) {
        if (p == gum->pid)
            continue;
        status = MPI_Irecv(&round->ping[p], 1, MPI_CHAR, p, TAG_PING, comm, &round->pings[p]);
        if (status == MPI_SUCCESS)
            status = MPI_Irecv(&round->pong[p], 1, MPI_CHAR, p, TAG_PONG, comm, &round->pongs[p]);
    }
    for (int p = 0; p < gum->processes && status == MPI_SUCCESS; p++) {
        if (p == gum->pid)
            continue;
        begun[p] = clock_now();
        status = MPI_Isend(&byte, 1, MPI_CHAR, p, TAG_PING, comm, &round->sends[2 * p]);
    }
    return status;
}

/* MPI_Test of one that may have been completed before.  1: it is complete now, for the first time. */
static int completes(MPI_Request *request, int *status)
{
    int done = 0;
    if (*request == MPI_REQUEST_NULL)
        return 0;
    *status = MPI_Test(request, &done, MPI_STATUS_IGNORE);
    if (done)
        *request = MPI_REQUEST_NULL;
    return done;
}

static int one_round(const Gum *gum, MPI_Comm comm, Round *round, double *begun)
{
    static const char byte = 0;
    Backoff backoff;
    int left = 4 * (gum->processes - 1), status = begin(gum, comm, round, begun);
    backoff_reset_in_turn(&backoff);
    while (left > 0 && status == MPI_SUCCESS) {
        int did = 0;
        for (int p = 0; p < gum->processes && status == MPI_SUCCESS; p++) {
            if (p == gum->pid)
                continue;
            if (completes(&round->pings[p], &status)) {
                status = MPI_Isend(&byte, 1, MPI_CHAR, p, TAG_PONG, comm, &round->sends[2 * p + 1]);
                did++;
            }
            if (status == MPI_SUCCESS && completes(&round->pongs[p], &status)) {
                round->row[p] = fmin(round->row[p], (clock_now() - begun[p]) / 2);
                did++;
            }
            for (int k = 0; k < 2 && status == MPI_SUCCESS; k++)
                did += completes(&round->sends[2 * p + k], &status);
        }
        left -= did;
        if (did)
            backoff_reset_in_turn(&backoff);
        else
            backoff_wait(&backoff, HUGE_VAL);
    }
    return status;
}

static int measure(const Gum *gum, MPI_Comm comm, Round *round, double *begun)
{
    int status = MPI_SUCCESS;
    for (int p = 0; p < gum->processes; p++) {
        round->row[p] = p == gum->pid ? 0 : HUGE_VAL;
        round->pings[p] = round->pongs[p] = MPI_REQUEST_NULL;
        round->sends[2 * p] = round->sends[2 * p + 1] = MPI_REQUEST_NULL;
    }
    for (int i = 0; i < ROUNDS && status == MPI_SUCCESS; i++)
        status = one_round(gum, comm, round, begun);
    return status;
}

/* Rows of all processes: n x n.  The first number of each row, which is of no use on the diagonal's
 * place, is not used for speeds: these come in a row of their own. */
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

/* Processes of a host share its speed: the fastest probe of them shows it. */
static void set_speeds(Gum *gum, const double *speeds)
{
    for (int p = 0; p < gum->processes; p++) {
        double most = speeds[p];
        for (int q = 0; q < gum->processes; q++)
            if (same_host(gum, p, q))
                most = fmax(most, speeds[q]);
        gum->tables.fixed[p].speed = most;
    }
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
    Round round = {calloc(n, sizeof(MPI_Request)),
                   calloc(n, sizeof(MPI_Request)),
                   calloc(2 * n, sizeof(MPI_Request)),
                   calloc(n, 1),
                   calloc(n, 1),
                   calloc(n, sizeof(double))};
    double *begun = calloc(n, sizeof *begun), *all = calloc(n * n, sizeof *all);
    double mine = speed();
    int enough = round.pings && round.pongs && round.sends && round.ping && round.pong &&
                 round.row && begun && all;
    if (!enough)
        (void)session_out_of_memory(&gum->session);
    int status = agree_same(&gum->session, 0, "");
    if (status == 0)
        status = failed(gum, measure(gum, comm, &round, begun));
    if (status == 0)
        status = failed(gum, gather(comm, &mine, all, 1));
    if (status == 0) {
        set_speeds(gum, all);
        status = failed(gum, gather(comm, round.row, all, (int)n));
    }
    if (status == 0)
        set_latencies(gum, all);
    free(round.pings);
    free(round.pongs);
    free(round.sends);
    free(round.ping);
    free(round.pong);
    free(round.row);
    free(begun);
    free(all);
    return status;
}
