/* A run as core sees it: its parts and its errors. */
#include "grid/core/session.h"

#include <stdarg.h>
#include <stdio.h>
#include <sys/prctl.h>

#include "grid/core/liveness.h"

int session_open(Session *session, MPI_Comm comm, const Runtime *runtime)
{
    *session = (Session){.transport = {.comm = MPI_COMM_NULL},
                         .runtime = *runtime,
                         .timer_slack = prctl(PR_GET_TIMERSLACK)};
    (void)prctl(PR_SET_TIMERSLACK, 1UL); /* nanoseconds: the default is 50 us */
    return transport_open(&session->transport, comm) ? session_transport_failed(session) : 0;
}

int session_prepare(Session *session)
{
    const Transport *t = &session->transport;
    if (peers_new(&session->peers, t->size, t->rank) || liveness_new(session) ||
        transport_prepare(&session->transport))
        return session_out_of_memory(session);
    return 0;
}

void session_close(Session *session)
{
    peers_free(&session->peers);
    liveness_free(session);
    transport_close(&session->transport, session->lost);
    if (session->timer_slack > 0)
        (void)prctl(PR_SET_TIMERSLACK, (unsigned long)session->timer_slack);
}

ProcessName session_process_name(const Session *session, int32_t process)
{
    ProcessName name;
    int used = snprintf(name.text, sizeof name.text, "rank %d on %.40s", process,
                        session->peers.each[process].host);
    session->runtime.describe(session->runtime.self, process, name.text + used,
                              sizeof name.text - (size_t)used);
    return name;
}

/* ---- errors ------------------------------------------------------------------------------- */

int session_fail(Session *session, int code, const char *format, ...)
{
    GridError *error = &session->error;
    va_list arguments;
    if (error->code != GRID_OK)
        return -1;
    error->code = code;
    va_start(arguments, format);
    (void)vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    return -1;
}

int session_out_of_memory(Session *session)
{
    return session_fail(session, GRID_ENOMEM, "out of memory on rank %d", session->transport.rank);
}

int session_mpi_failed(Session *session, int mpi_code)
{
    char text[MPI_MAX_ERROR_STRING] = "";
    int length;
    (void)MPI_Error_string(mpi_code, text, &length);
    return session_fail(session, GRID_EMPI, "MPI failed on rank %d: %.180s",
                        session->transport.rank, text);
}

int session_transport_failed(Session *session)
{
    const Transport *t = &session->transport;
    if (t->code == GRID_ENOMEM)
        return session_out_of_memory(session);
    if (t->code == GRID_EARG)
        return session_fail(session, GRID_EARG, "a message of 2 GB or more cannot be sent");
    return session_mpi_failed(session, t->mpi_code);
}

/* ---- messages ----------------------------------------------------------------------------- */

int session_send(Session *session, int32_t to, const Head *head, GridBuffer *body)
{
    int status = transport_send(&session->transport, to, head, body);
    return status ? session_transport_failed(session) : 0;
}

int session_send_bytes(Session *session, int32_t to, const Head *head, const void *bytes,
                       size_t size)
{
    int status = transport_send_bytes(&session->transport, to, head, bytes, size);
    return status ? session_transport_failed(session) : 0;
}

int session_send_all(Session *session, const Head *head, const void *bytes, size_t size, int self)
{
    int status = transport_send_all(&session->transport, head, bytes, size, self);
    return status ? session_transport_failed(session) : 0;
}
