/* Messages between the processes of a run. */
#include "grid/wire.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "grid/clock.h"

enum { TAG = 1 };

static int failed(Wire *wire, int code, int mpi_code)
{
    wire->code = code;
    wire->mpi_code = mpi_code;
    return -1;
}

/* ---- messages ----------------------------------------------------------------------------- */

static Message *pop(Message **list)
{
    Message *first = *list;
    if (first)
        *list = first->next;
    return first;
}

static void push(Message **list, Message *message)
{
    message->next = *list;
    *list = message;
}

static void free_all(Message **list)
{
    for (Message *each = pop(list); each; each = pop(list)) {
        grid_buffer_free(&each->body);
        free(each);
    }
}

/* An empty message; the reserve, which has room, is for last words. */
static Message *blank(Wire *wire)
{
    Message *message = wire->last_words ? pop(&wire->reserve) : NULL;
    if (!message)
        message = pop(&wire->spare);
    if (!message)
        message = calloc(1, sizeof *message);
    if (message) {
        message->body.size = 0;
        message->request = MPI_REQUEST_NULL;
        message->next = NULL;
    }
    return message;
}

void wire_release(Wire *wire, Message *message)
{
    push(&wire->spare, message);
}

/* ---- opening and closing ------------------------------------------------------------------ */

static int duplicate(MPI_Comm comm, MPI_Comm *out)
{
#ifdef SMPI_H /* has no MPI_Comm_idup; and there waiting keeps no core from others */
    return MPI_Comm_dup(comm, out);
#else
    MPI_Request request;
    int status = MPI_Comm_idup(comm, out, &request);
    return status == MPI_SUCCESS ? clock_await(&request) : status;
#endif
}

int wire_open(Wire *wire, MPI_Comm comm)
{
    int rank, size, status = duplicate(comm, &wire->comm);
    if (status == MPI_SUCCESS)
        status = MPI_Comm_set_errhandler(wire->comm, MPI_ERRORS_RETURN);
    if (status == MPI_SUCCESS)
        status = MPI_Comm_rank(wire->comm, &rank);
    if (status == MPI_SUCCESS)
        status = MPI_Comm_size(wire->comm, &size);
    if (status != MPI_SUCCESS)
        return failed(wire, GRID_EMPI, status);
    wire->rank = rank;
    wire->size = size;
    wire->local_end = &wire->local;
    wire->receiving_end = &wire->receiving;
    return 0;
}

/* The last word for every other process, and one message to receive another's in. */
int wire_prepare(Wire *wire)
{
    wire->sent = calloc((size_t)wire->size, sizeof *wire->sent);
    for (int32_t i = 0; wire->sent && i <= wire->size; i++) {
        Message *message = calloc(1, sizeof *message);
        if (!message)
            return failed(wire, GRID_ENOMEM, 0);
        push(&wire->reserve, message);
        if (buffer_reserve(&message->body, WIRE_SMALL))
            return failed(wire, GRID_ENOMEM, 0);
    }
    return wire->sent ? 0 : failed(wire, GRID_ENOMEM, 0);
}

void wire_close(Wire *wire, int lost)
{
    free_all(&wire->spare);
    free_all(&wire->reserve);
    free_all(&wire->local);
    free(wire->sent);
    if (lost)
        return;
    free_all(&wire->sending);
    free_all(&wire->receiving);
    if (wire->comm != MPI_COMM_NULL)
        (void)MPI_Comm_free(&wire->comm);
}

/* ---- sending ------------------------------------------------------------------------------ */

/* Head and body as one message, from or into their places. */
static int joined(Message *message, size_t size, MPI_Datatype *type)
{
    int lengths[2] = {(int)sizeof message->head, (int)size};
    MPI_Aint places[2];
    int status = MPI_Get_address(&message->head, &places[0]);
    if (status == MPI_SUCCESS)
        status = MPI_Get_address(message->body.bytes, &places[1]);
    if (status == MPI_SUCCESS)
        status = MPI_Type_create_hindexed(2, lengths, places, MPI_BYTE, type);
    if (status == MPI_SUCCESS)
        status = MPI_Type_commit(type);
    return status;
}

static int transmit(Wire *wire, int32_t to, Message *message)
{
    MPI_Datatype type = MPI_DATATYPE_NULL;
    if (message->body.size == 0)
        return MPI_Isend(&message->head, (int)sizeof message->head, MPI_BYTE, to, TAG, wire->comm,
                         &message->request);
    int status = joined(message, message->body.size, &type);
    if (status == MPI_SUCCESS)
        status = MPI_Isend(MPI_BOTTOM, 1, type, to, TAG, wire->comm, &message->request);
    if (type != MPI_DATATYPE_NULL)
        (void)MPI_Type_free(&type);
    return status;
}

static void queue(Wire *wire, Message *message)
{
    message->from = wire->rank;
    message->next = NULL;
    *wire->local_end = message;
    wire->local_end = &message->next;
}

/* Consumes the message. */
static int dispatch(Wire *wire, int32_t to, Message *message)
{
    if (to == wire->rank) {
        queue(wire, message);
        return 0;
    }
    int status = transmit(wire, to, message);
    if (status != MPI_SUCCESS) {
        wire_release(wire, message);
        return failed(wire, GRID_EMPI, status);
    }
    wire->sent[to]++;
    push(&wire->sending, message);
    return 0;
}

int wire_send(Wire *wire, int32_t to, const Head *head, GridBuffer *body)
{
    if (to != wire->rank && body && body->size > (size_t)INT_MAX - sizeof *head)
        return failed(wire, GRID_EARG, 0);
    Message *message = blank(wire);
    if (!message)
        return failed(wire, GRID_ENOMEM, 0);
    message->head = *head;
    if (body)
        buffer_swap(&message->body, body);
    return dispatch(wire, to, message);
}

int wire_send_bytes(Wire *wire, int32_t to, const Head *head, const void *bytes, size_t size)
{
    Message *message = blank(wire);
    if (!message)
        return failed(wire, GRID_ENOMEM, 0);
    message->head = *head;
    if (grid_put(&message->body, bytes, size)) {
        wire_release(wire, message);
        return failed(wire, GRID_ENOMEM, 0);
    }
    return dispatch(wire, to, message);
}

int wire_send_all(Wire *wire, const Head *head, const void *bytes, size_t size, int self)
{
    for (int32_t to = 0; to < wire->size; to++)
        if ((to != wire->rank || self) && wire_send_bytes(wire, to, head, bytes, size))
            return -1;
    return 0;
}

int wire_progress(Wire *wire)
{
    for (Message **at = &wire->sending; *at;) {
        Message *message = *at;
        int done = 0, status = MPI_Test(&message->request, &done, MPI_STATUS_IGNORE);
        if (status != MPI_SUCCESS)
            return failed(wire, GRID_EMPI, status);
        if (done) {
            *at = message->next;
            wire_release(wire, message);
        } else {
            at = &message->next;
        }
    }
    return 0;
}

/* ---- receiving ---------------------------------------------------------------------------- */

/* What was received at once has no request: of these, SMPI 3.32 does not say that they are done. */
static int test(MPI_Request *request, int *done)
{
    *done = *request == MPI_REQUEST_NULL;
    return *done ? MPI_SUCCESS : MPI_Test(request, done, MPI_STATUS_IGNORE);
}

/* Is there something before this message that it must not overtake?  MPI completes what it receives
 * in any order. */
static int has_to_wait(const Wire *wire, const Message *message)
{
    for (const Message *each = wire->receiving; each != message; each = each->next)
        if (each->from == message->from && each->body.size <= WIRE_SMALL)
            return 1;
    return 0;
}

/* What arrived for oneself, or has arrived by now. */
static int arrived(Wire *wire, Message **out)
{
    *out = pop(&wire->local);
    if (!wire->local)
        wire->local_end = &wire->local;
    for (Message **at = &wire->receiving; *at && !*out;) {
        int done = 0, status = MPI_SUCCESS;
        if (!has_to_wait(wire, *at))
            status = test(&(*at)->request, &done);
        if (status != MPI_SUCCESS)
            return failed(wire, GRID_EMPI, status);
        if (done) {
            *out = pop(at);
            if (!*at)
                wire->receiving_end = at;
        } else {
            at = &(*at)->next;
        }
    }
    return 0;
}

/* Receive as much as fits of a message that there may be no memory for.  Waits for it: it has come.
 */
static int receive_cut(Wire *wire, const MPI_Status *about, Message *message)
{
    unsigned char bytes[sizeof(Head) + WIRE_SMALL];
    int class = MPI_SUCCESS,
        status = MPI_Recv(bytes, (int)sizeof bytes, MPI_BYTE, about->MPI_SOURCE, TAG, wire->comm,
                          MPI_STATUS_IGNORE);
    if (status != MPI_SUCCESS)
        (void)MPI_Error_class(status, &class);
    if (class != MPI_SUCCESS && class != MPI_ERR_TRUNCATE)
        return status;
    memcpy(&message->head, bytes, sizeof message->head);
    message->body.size = 0;
    return MPI_SUCCESS;
}

static int receive_whole(Wire *wire, const MPI_Status *about, size_t size, Message *message)
{
    MPI_Datatype type = MPI_DATATYPE_NULL;
    message->body.size = size;
    if (size == 0)
        return MPI_Irecv(&message->head, (int)sizeof message->head, MPI_BYTE, about->MPI_SOURCE,
                         TAG, wire->comm, &message->request);
    int status = joined(message, size, &type);
    if (status == MPI_SUCCESS)
        status =
            MPI_Irecv(MPI_BOTTOM, 1, type, about->MPI_SOURCE, TAG, wire->comm, &message->request);
    if (type != MPI_DATATYPE_NULL)
        (void)MPI_Type_free(&type);
    return status;
}

/* Begin to receive what was found.  Memory is had first: without it, the message stays where it is,
 * and can be received as last words are. */
static int begin(Wire *wire, const MPI_Status *about)
{
    int count, status = MPI_Get_count(about, MPI_BYTE, &count);
    if (status != MPI_SUCCESS || count < (int)sizeof(Head))
        return failed(wire, GRID_EMPI, status == MPI_SUCCESS ? MPI_ERR_COUNT : status);
    size_t size = (size_t)count - sizeof(Head);
    int cut = wire->last_words && size > WIRE_SMALL;
    Message *message = blank(wire);
    if (!message || (!cut && buffer_reserve(&message->body, size))) {
        if (message)
            wire_release(wire, message);
        return failed(wire, GRID_ENOMEM, 0);
    }
    message->from = about->MPI_SOURCE;
    status = cut ? receive_cut(wire, about, message) : receive_whole(wire, about, size, message);
    if (status != MPI_SUCCESS) {
        wire_release(wire, message);
        return failed(wire, GRID_EMPI, status);
    }
    wire->received++;
    *wire->receiving_end = message;
    wire->receiving_end = &message->next;
    return 0;
}

int wire_receive(Wire *wire, Message **out)
{
    for (;;) {
        int found = 0;
        MPI_Status about;
        if (arrived(wire, out) || *out)
            return *out ? 0 : -1;
        int status = MPI_Iprobe(MPI_ANY_SOURCE, TAG, wire->comm, &found, &about);
        if (status != MPI_SUCCESS)
            return failed(wire, GRID_EMPI, status);
        if (!found)
            return 0;
        if (begin(wire, &about))
            return -1;
    }
}

int wire_idle(const Wire *wire)
{
    return !wire->sending && !wire->receiving && !wire->local;
}

/* ---- the end ------------------------------------------------------------------------------ */

/* Everybody is told how many messages have been sent to it in all, and waits for so many. */
int wire_drain(Wire *wire, double until)
{
    Backoff backoff;
    MPI_Request request;
    int64_t expected = 0;
    int told = 0;
    backoff_reset(&backoff);
    wire->last_words = 1;
    int status = MPI_Ireduce_scatter_block(wire->sent, &expected, 1, MPI_INT64_T, MPI_SUM,
                                           wire->comm, &request);
    while (status == MPI_SUCCESS) {
        Message *message = NULL;
        if (wire_progress(wire) || wire_receive(wire, &message))
            return -1;
        if (message) {
            wire_release(wire, message);
            continue;
        }
        if (!told)
            status = MPI_Test(&request, &told, MPI_STATUS_IGNORE);
        if (told && wire->received == expected && wire_idle(wire))
            return 1;
        if (clock_now() > until)
            return 0;
        backoff_wait(&backoff, until);
    }
    return failed(wire, GRID_EMPI, status);
}
