/* How a run ends: process 0 announces the end, for whatever reason. */
#include <assert.h>
#include <string.h>

#include "grid/core/clock.h"
#include "grid/core/guard.h"
#include "grid/core/session.h"

/* The body of TAG_STOP: the error, then the run-time's result. */
static int send_stop(Session *session)
{
    const Runtime *runtime = &session->runtime;
    Transport *t = &session->transport;
    unsigned char bytes[TRANSPORT_SMALL];
    size_t size = sizeof session->error + runtime->result_size;
    Head head = head_new(TAG_STOP, NULL, 0);
    assert(size <= sizeof bytes);
    memcpy(bytes, &session->error, sizeof session->error);
    memcpy(bytes + sizeof session->error, runtime->result, runtime->result_size);
    return transport_send_all(t, &head, bytes, size, 0);
}

void session_stop(Session *session)
{
    if (session->stopped)
        return;
    session->runtime.finish(session->runtime.self);
    session->transport.closing = 1;
    session->stopped = 1;
    guard_missing(NULL);
    if (send_stop(session))
        (void)session_transport_failed(session);
}

void session_accept_stop(Session *session, const Message *message)
{
    const Runtime *runtime = &session->runtime;
    const unsigned char *bytes = message->body.bytes;
    assert(message->body.size == sizeof session->error + runtime->result_size);
    memcpy(&session->error, bytes, sizeof session->error);
    memcpy(runtime->result, bytes + sizeof session->error, runtime->result_size);
    session->lost = session->error.code == GRID_ELOST;
    session->stopped = 1;
}

void session_abort(Session *session)
{
    Transport *t = &session->transport;
    if (session->stopped)
        return;
    if (t->rank == 0) {
        session_stop(session);
        return;
    }
    Head head = head_new(TAG_FAILED, NULL, 0);
    t->closing = 1;
    if (transport_send_bytes(t, 0, &head, &session->error, sizeof session->error)) {
        session->lost = 1; /* without memory or MPI there is no way to tell process 0 */
        session->stopped = 1;
    }
}

void session_accept_failure(Session *session, const Message *message)
{
    if (session->stopped)
        return;
    memcpy(&session->error, message->body.bytes, sizeof session->error);
    session_stop(session);
}

/* Process 0 gives its last messages one second to leave: MPI may wait for the lost process. */
static void flush(Session *session)
{
    Transport *t = &session->transport;
    double until = clock_now() + 1;
    Backoff backoff;
    for (backoff_reset(&backoff); t->sending && clock_now() < until;) {
        if (transport_progress(t))
            break;
        backoff_wait(&backoff, until);
    }
}

void session_lose(Session *session, int32_t process, int32_t speaker)
{
    session->error.code = GRID_OK; /* this error stands, whatever came first */
    (void)session_fail(session, GRID_ELOST,
                       "%s has not answered for %g s: it is lost, or needs more patience",
                       session_process_name(session, process).text, session->patience);
    session->error.speaker = speaker;
    session->lost = 1;
    if (session->transport.rank == 0) {
        session_stop(session);
        flush(session);
    }
    session->stopped = 1;
}
