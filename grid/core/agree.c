/* Agreement at the start of a run. */
#include "grid/core/agree.h"

#include "grid/core/clock.h"
#include "grid/core/tuning.h"

/* Wait for a collective call that was begun with this status. */
static int finish(Session *session, int status, MPI_Request *request)
{
    if (status == MPI_SUCCESS)
        status = clock_await(request);
    return status == MPI_SUCCESS ? 0 : session_mpi_failed(session, status);
}

/* Not all have the same number: the error names one of them. */
static int differ(Session *session, int64_t fingerprint, const char *message)
{
    Transport *t = &session->transport;
    int64_t first = fingerprint;
    MPI_Request request;
    int status = MPI_Ibcast(&first, 1, MPI_INT64_T, 0, t->comm, &request);
    if (finish(session, status, &request))
        return -1;
    int mine = fingerprint == first ? t->size : t->rank, other;
    status = MPI_Iallreduce(&mine, &other, 1, MPI_INT, MPI_MIN, t->comm, &request);
    if (finish(session, status, &request))
        return -1;
    return session_fail(session, GRID_EARG, "%s; process %d differs from process 0", message,
                        other);
}

int agree_error(Session *session, int process)
{
    MPI_Request request;
    int status = MPI_Ibcast(&session->error, (int)sizeof session->error, MPI_BYTE, process,
                            session->transport.comm, &request);
    (void)finish(session, status, &request);
    return -1;
}

int agree_same(Session *session, int64_t fingerprint, const char *message)
{
    Transport *t = &session->transport;
    int failed = session->error.code != GRID_OK;
    int64_t number = failed ? 0 : fingerprint;
    int64_t mine[3] = {failed ? t->rank : t->size, number, -number}, least[3];
    MPI_Request request;
    int status = MPI_Iallreduce(mine, least, 3, MPI_INT64_T, MPI_MIN, t->comm, &request);
    if (finish(session, status, &request))
        return -1;
    if (least[0] == t->size)
        return least[1] == -least[2] ? 0 : differ(session, fingerprint, message);
    return agree_error(session, (int)least[0]);
}

int agree_meet(Session *session)
{
    Peers *peers = &session->peers;
    Peer self = peers_self();
    MPI_Request request;
    int status = MPI_Iallgather(&self, (int)sizeof self, MPI_BYTE, peers->each, (int)sizeof self,
                                MPI_BYTE, session->transport.comm, &request);
    if (finish(session, status, &request))
        return -1;
    peers_start(peers);
    return 0;
}

/* Time 0: process 0's where clocks are the same. */
static double start_of(const Session *session, double at_process_0)
{
    return peers_same_clock(&session->peers, 0) ? at_process_0 : clock_now();
}

int agree_start(Session *session, double patience, double *term)
{
    double said[3] = {clock_now(), *term, patience > 0 ? patience : DEFAULT_PATIENCE};
    MPI_Request request;
    int status = MPI_Ibcast(said, 3, MPI_DOUBLE, 0, session->transport.comm, &request);
    if (finish(session, status, &request))
        return -1;
    session->start = start_of(session, said[0]);
    *term = said[1];
    session->patience = said[2];
    return 0;
}

int agree_restart(Session *session)
{
    MPI_Comm comm = session->transport.comm;
    MPI_Request request;
    if (finish(session, MPI_Ibarrier(comm, &request), &request))
        return -1;
    double now = clock_now();
    int status = MPI_Ibcast(&now, 1, MPI_DOUBLE, 0, comm, &request);
    if (finish(session, status, &request))
        return -1;
    session->start = start_of(session, now);
    return 0;
}
