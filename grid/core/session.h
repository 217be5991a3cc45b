/* A run as core sees it: the processes, their messages, an error, an end.
 *
 * Gives a run-time: one error that all processes return, an end that process 0 announces to all
 * with the run-time's result, and detection of processes that no longer answer.  The run-time is
 * called by the functions below; core knows nothing else of it.  Order of calls in a run, on all
 * processes:
 *
 *     session_open      lifecycle.h  messages
 *     session_prepare   lifecycle.h  memory; after checks of the run-time's own arguments
 *     agree_same        agree.h      nobody has an error, and all have the same settings
 *     agree_meet        agree.h      who is who
 *     agree_start       agree.h      time 0
 *     session_run       lifecycle.h  until the end
 *     session_release   lifecycle.h  where another run follows, from session_prepare on
 *     session_close     lifecycle.h */
#ifndef GRID_CORE_SESSION_H
#define GRID_CORE_SESSION_H

#include "grid/core/error.h"
#include "grid/core/peers.h"
#include "grid/core/transport.h"

/* Core's own messages. */
enum {
    TAG_STOP = -1,   /* from process 0: the end; a GridError and the run-time's result */
    TAG_FAILED = -2, /* to process 0: a GridError */
    TAG_ALIVE = -3   /* a sign of life: liveness.h */
};

/* What a run-time gives.  `self` is its own; functions that fail return -1 after session_fail. */
typedef struct {
    void *self;
    /* A message of the run-time's or machine's, which may take the body. */
    int (*handle)(void *self, Message *message);
    /* Do what can be done at time `now`.  1: did something; 0: nothing. */
    int (*step)(void *self, double now);
    /* When its next timer is due, HUGE_VAL: none; `now`: time of the last step. */
    double (*next)(const void *self, double now);
    /* What a process does, to follow "rank 1 on HOST": ", with task 7", or "". */
    void (*describe)(const void *self, int32_t process, char *out, size_t size);
    /* Process 0: the run ends; `result` is sent to all after this. */
    void (*finish)(void *self);
    void *result;
    size_t result_size;
} Runtime;

/* Who has been heard of: liveness.h. */
typedef struct {
    double period;    /* seconds between signs of life of a process to process 0 */
    double next_sign; /* HUGE_VAL: never */
    double *heard;    /* process 0: when each process was last heard of; elsewhere only [0] */
    double *silence;  /* process 0: the longest recent silence of each */
    int32_t missing;  /* process 0: the one that the guard was told of; -1: none */
} Liveness;

typedef struct {
    Transport transport;
    Runtime runtime;
    Peers peers;
    Liveness liveness;
    double start;    /* time 0 of the run, on this process's clock */
    double patience; /* seconds without a message after which a process counts as lost */
    double looked;   /* when this process last found no message left to receive */
    GridError error;
    int stopped, lost; /* the run is over; a process does not answer */
    int timer_slack;   /* of this process before the run: sleeps are more precise in a run */
} Session;

/* "rank 1 on HOST, with task 7". */
typedef struct {
    char text[176];
} ProcessName;
ProcessName session_process_name(const Session *session, int32_t process);

/* ---- errors: the first one stands; -1 ---- */

int session_fail(Session *session, int code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
int session_out_of_memory(Session *session);
int session_mpi_failed(Session *session, int mpi_code);
/* What the transport reported. */
int session_transport_failed(Session *session);

/* ---- messages: transport.h, with the error set; -1 ---- */

int session_send(Session *session, int32_t to, const Head *head, GridBuffer *body);
int session_send_bytes(Session *session, int32_t to, const Head *head, const void *bytes,
                       size_t size);
int session_send_all(Session *session, const Head *head, const void *bytes, size_t size, int self);

/* ---- the end ---- */

/* Process 0: end the run on all processes, with session->error, which may be none. */
void session_stop(Session *session);
/* There is an error here: process 0 is told, and ends the run. */
void session_abort(Session *session);
/* A process does not answer: end the run, and wait for nobody.  speaker: GridError. */
void session_lose(Session *session, int32_t process, int32_t speaker);
/* Core's messages TAG_STOP and TAG_FAILED. */
void session_accept_stop(Session *session, const Message *message);
void session_accept_failure(Session *session, const Message *message);

#endif
