/* Liveness: which processes still answer. */
#include "grid/core/liveness.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "grid/core/clock.h"
#include "grid/core/guard.h"
#include "grid/core/tuning.h"

int liveness_new(Session *session)
{
    Liveness *live = &session->liveness;
    size_t size = (size_t)session->transport.size;
    live->heard = calloc(size, sizeof *live->heard);
    live->silence = calloc(size, sizeof *live->silence);
    return live->heard && live->silence ? 0 : -1;
}

void liveness_free(Session *session)
{
    free(session->liveness.heard);
    free(session->liveness.silence);
    session->liveness = (Liveness){0};
}

static int is_alone(const Session *session)
{
    return session->transport.size == 1;
}

/* Seconds between the signs that this process sends. */
static double sign_period(const Session *session)
{
    return session->transport.rank == 0 ? session->patience / SIGNS_OF_PATIENCE
                                        : session->liveness.period;
}

double liveness_period(const Session *session, double wanted)
{
    return fmin(wanted, fmin(LONGEST_PERIOD, session->patience / SIGNS_OF_PATIENCE));
}

void liveness_start(Session *session, double period)
{
    Liveness *live = &session->liveness;
    double now = clock_now();
    live->period = period;
    live->next_sign = is_alone(session) ? HUGE_VAL : now + sign_period(session);
    for (int32_t p = 0; p < session->transport.size; p++)
        live->heard[p] = now;
    live->missing = -1;
}

void liveness_sent(Session *session, double now)
{
    if (session->transport.rank > 0)
        session->liveness.next_sign = now + session->liveness.period;
}

void liveness_heard(Session *session, int32_t from)
{
    double now = clock_now(), *silence = &session->liveness.silence[from];
    *silence = fmax(SILENCE_FORGET * *silence, now - session->liveness.heard[from]);
    session->liveness.heard[from] = now;
}

/* ---- missing and lost processes ----------------------------------------------------------- */

/* The process that has been silent for longer than patience allows; -1: none.  All messages that
 * have arrived have been received. */
static int32_t find_lost(const Session *session, double now)
{
    const double *heard = session->liveness.heard;
    if (session->transport.rank > 0)
        return now - heard[0] > session->patience ? 0 : -1;
    for (int32_t p = 1; p < session->transport.size; p++)
        if (now - heard[p] > session->patience)
            return p;
    return -1;
}

/* Process 0: has this process been silent for longer than it usually is? */
static int is_late(const Session *session, int32_t process, double now)
{
    const Liveness *live = &session->liveness;
    return now - live->heard[process] > LATE * fmax(live->period / 2, live->silence[process]);
}

/* Are all processes on this process's machine late, and is that another machine than this?  Of a
 * single process that is killed its guard tells. */
static int is_machine_late(const Session *session, int32_t process, double now)
{
    const Peer *each = session->peers.each;
    if (strcmp(each[process].host, each[0].host) == 0)
        return 0;
    for (int32_t p = 1; p < session->transport.size; p++)
        if (strcmp(each[process].host, each[p].host) == 0 && !is_late(session, p, now))
            return 0;
    return 1;
}

/* Process 0: tell the guard of a machine that is late. */
static void note_missing(Session *session, double now)
{
    Liveness *live = &session->liveness;
    int32_t missing = -1;
    for (int32_t p = 1; p < session->transport.size && missing < 0; p++)
        if (is_late(session, p, now) && is_machine_late(session, p, now))
            missing = p;
    if (missing == live->missing)
        return;
    live->missing = missing;
    guard_missing(missing >= 0 ? session_process_name(session, missing).text : NULL);
}

/* ---- signs of life ------------------------------------------------------------------------ */

static int send_sign(Session *session)
{
    Head head = head_new(TAG_ALIVE, NULL, 0);
    return session->transport.rank == 0 ? session_send_all(session, &head, NULL, 0, 0)
                                        : session_send(session, 0, &head, NULL);
}

int liveness_step(Session *session, double now)
{
    Liveness *live = &session->liveness;
    int did = 0;
    if (now >= live->next_sign) {
        live->next_sign = now + sign_period(session);
        if (send_sign(session))
            return -1;
        did = 1;
    }
    if (session->transport.rank == 0)
        note_missing(session, now);
    /* Only silence until messages were last received counts: this process may itself have been stopped since. */
    int32_t lost = find_lost(session, session->looked);
    if (lost < 0)
        return did;
    /* of the processes that miss process 0, process 1 speaks */
    session_lose(session, lost, lost == 0 ? 1 : 0);
    return -1;
}

double liveness_next(const Session *session)
{
    return session->liveness.next_sign;
}
