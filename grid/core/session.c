/* A run as core sees it: its errors and messages. */
#include "grid/core/session.h"

#include <stdarg.h>
#include <stdio.h>

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
        return session_fail(
            session, GRID_EARG,
            "a message of 2 GB or more from process %d to process %d cannot be sent", t->rank,
            (int)t->large_to);
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
