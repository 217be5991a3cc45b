/* The life of a session on one process. */
#include "grid/core/lifecycle.h"

#include <math.h>
#include <sys/prctl.h>

#include "grid/core/clock.h"
#include "grid/core/liveness.h"

/* ---- opening and closing ------------------------------------------------------------------ */

int session_open(Session *session, MPI_Comm comm, const Runtime *runtime)
{
    *session = (Session){.transport = {.comm = MPI_COMM_NULL}, .runtime = *runtime};
    return transport_open(&session->transport, comm) ? session_transport_failed(session) : 0;
}

int session_prepare(Session *session)
{
    const Transport *t = &session->transport;
    session->error = (GridError){0};
    session->stopped = session->lost = 0;
    session->timer_slack = prctl(PR_GET_TIMERSLACK);
    (void)prctl(PR_SET_TIMERSLACK, 1UL); /* nanoseconds: the default is 50 us */
    if (peers_new(&session->peers, t->size, t->rank) || liveness_new(session) ||
        transport_prepare(&session->transport))
        return session_out_of_memory(session);
    return 0;
}

void session_release(Session *session)
{
    peers_free(&session->peers);
    liveness_free(session);
    transport_release_all(&session->transport, session->lost);
    if (session->timer_slack > 0)
        (void)prctl(PR_SET_TIMERSLACK, (unsigned long)session->timer_slack);
    session->timer_slack = 0;
}

void session_close(Session *session)
{
    session_release(session);
    transport_close(&session->transport, session->lost);
}

/* ---- the main loop ------------------------------------------------------------------------ */

static int handle(Session *session, Message *message)
{
    liveness_heard(session, message->from);
    switch (message->head.tag) {
    case TAG_ALIVE:
        return 0;
    case TAG_FAILED:
        session_accept_failure(session, message);
        return 0;
    case TAG_STOP:
        session_accept_stop(session, message);
        return 0;
    default:
        return session->runtime.handle(session->runtime.self, message);
    }
}

/* Handle all messages that have arrived.  1: there were some; -1: failed. */
static int receive_all(Session *session)
{
    /* Open MPI looks at the network after it has said that there is no message: only the second
     * such answer is reliable. */
    enum { LOOKS = 2 };
    int did = 0;
    for (int looks = 0; looks < LOOKS;) {
        Message *message = NULL;
        if (transport_receive(&session->transport, &message))
            return session_transport_failed(session);
        looks = message ? 0 : looks + 1;
        if (!message)
            continue;
        int status = handle(session, message);
        transport_release(&session->transport, message);
        if (status)
            return -1;
        if (session->stopped)
            return 1;
        did = 1;
    }
    return did;
}

/* All that has arrived, all that is due at *now.  1: something was done; -1: failed. */
static int step(Session *session, double *now)
{
    int received = receive_all(session);
    if (received < 0 || session->stopped)
        return received;
    *now = session->looked = clock_now();
    if (transport_progress(&session->transport))
        return session_transport_failed(session);
    int stepped = session->runtime.step(session->runtime.self, *now);
    int lived = stepped < 0 ? -1 : liveness_step(session, clock_now());
    return lived < 0 ? -1 : received | stepped | lived;
}

/* After an error here: wait for process 0 to end the run. */
static int await_stop(Session *session, double now)
{
    Message *message = NULL;
    int status =
        transport_progress(&session->transport) || transport_receive(&session->transport, &message);
    if (!status && message) {
        liveness_heard(session, message->from);
        if (message->head.tag == TAG_STOP)
            session_accept_stop(session, message);
        transport_release(&session->transport, message);
        return 1;
    }
    if (status || now - session->liveness.heard[0] > session->patience)
        session->lost = session->stopped = 1;
    return 0;
}

static void loop(Session *session)
{
    Backoff backoff;
    backoff_reset(&backoff);
    while (!session->stopped) {
        double now = clock_now(), next = HUGE_VAL;
        int did;
        if (session->error.code == GRID_OK) {
            did = step(session, &now);
            if (did < 0)
                session_abort(session);
            else
                next =
                    fmin(session->runtime.next(session->runtime.self, now), liveness_next(session));
        } else {
            did = await_stop(session, now);
        }
        if (did)
            backoff_reset(&backoff);
        else
            backoff_wait(&backoff, next);
    }
}

void session_run(Session *session, double period, int failed)
{
    session->looked = -HUGE_VAL; /* messages may have arrived at any time */
    liveness_start(session, period);
    if (failed)
        session_abort(session);
    loop(session);
    if (session->lost)
        return;
    int drained = transport_drain(&session->transport, clock_now() + session->patience);
    if (drained < 0)
        (void)session_transport_failed(session);
    else if (drained == 0)
        (void)session_fail(session, GRID_ELOST,
                           "not all processes came to the end of the run in %g s",
                           session->patience);
    session->lost = drained != 1;
}
