/* Messages between the processes of a run. */
#include "grid/core/transport.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "grid/core/clock.h"
#include "grid/core/error.h"

enum { TAG = 1 };

Head head_new(int32_t tag, const void *fields, size_t size)
{
    Head head = {.tag = tag};
    assert(size <= sizeof head.fields);
    if (size)
        memcpy(head.fields, fields, size);
    return head;
}

void head_read(const Head *head, void *fields, size_t size)
{
    assert(size <= sizeof head->fields);
    memcpy(fields, head->fields, size);
}

static int failed(Transport *transport, int code, int mpi_code)
{
    transport->code = code;
    transport->mpi_code = mpi_code;
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

/* An empty message.  When the run ends, one of the reserve, whose body is allocated. */
static Message *blank(Transport *transport)
{
    Message *message = transport->closing ? pop(&transport->reserve) : NULL;
    if (!message)
        message = pop(&transport->spare);
    if (!message)
        message = calloc(1, sizeof *message);
    if (message) {
        message->body.size = 0;
        message->request = MPI_REQUEST_NULL;
        message->next = NULL;
    }
    return message;
}

void transport_release(Transport *transport, Message *message)
{
    push(&transport->spare, message);
}

/* ---- opening and closing ------------------------------------------------------------------ */

static int duplicate(MPI_Comm comm, MPI_Comm *out)
{
#ifdef SMPI_H /* SMPI has no MPI_Comm_idup, and its blocking calls do not spin */
    return MPI_Comm_dup(comm, out);
#else
    MPI_Request request;
    int status = MPI_Comm_idup(comm, out, &request);
    return status == MPI_SUCCESS ? clock_await(&request) : status;
#endif
}

int transport_open(Transport *transport, MPI_Comm comm)
{
    int rank, size, status = duplicate(comm, &transport->comm);
    if (status == MPI_SUCCESS)
        status = MPI_Comm_set_errhandler(transport->comm, MPI_ERRORS_RETURN);
    if (status == MPI_SUCCESS)
        status = MPI_Comm_rank(transport->comm, &rank);
    if (status == MPI_SUCCESS)
        status = MPI_Comm_size(transport->comm, &size);
    if (status != MPI_SUCCESS)
        return failed(transport, GRID_EMPI, status);
    transport->rank = rank;
    transport->size = size;
    return 0;
}

/* The reserve: one message to every other process, and one to receive into. */
int transport_prepare(Transport *transport)
{
    transport->local_end = &transport->local;
    transport->receiving_end = &transport->receiving;
    transport->received = 0;
    transport->closing = 0;
    transport->sent = calloc((size_t)transport->size, sizeof *transport->sent);
    for (int32_t i = 0; transport->sent && i <= transport->size; i++) {
        Message *message = calloc(1, sizeof *message);
        if (!message)
            return failed(transport, GRID_ENOMEM, 0);
        push(&transport->reserve, message);
        if (buffer_reserve(&message->body, TRANSPORT_SMALL))
            return failed(transport, GRID_ENOMEM, 0);
    }
    return transport->sent ? 0 : failed(transport, GRID_ENOMEM, 0);
}

void transport_release_all(Transport *transport, int lost)
{
    free_all(&transport->spare);
    free_all(&transport->reserve);
    free_all(&transport->local);
    free(transport->sent);
    transport->sent = NULL;
    if (lost)
        return;
    free_all(&transport->sending);
    free_all(&transport->receiving);
}

void transport_close(Transport *transport, int lost)
{
    if (!lost && transport->comm != MPI_COMM_NULL)
        (void)MPI_Comm_free(&transport->comm);
}

/* ---- sending ------------------------------------------------------------------------------ */

static int is_small(size_t size)
{
    return size <= TRANSPORT_SMALL;
}

/* The MPI type of head and a large body as one message, without copying. */
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

static int transmit(Transport *transport, int32_t to, Message *message)
{
    MPI_Datatype type = MPI_DATATYPE_NULL;
    const size_t size = message->body.size;
    if (is_small(size)) {
        if (size)
            memcpy(message->small, message->body.bytes, size);
        return MPI_Isend(message, (int)(sizeof message->head + size), MPI_BYTE, to, TAG,
                         transport->comm, &message->request);
    }
    int status = joined(message, size, &type);
    if (status == MPI_SUCCESS)
        status = MPI_Isend(MPI_BOTTOM, 1, type, to, TAG, transport->comm, &message->request);
    if (type != MPI_DATATYPE_NULL)
        (void)MPI_Type_free(&type);
    return status;
}

static void queue(Transport *transport, Message *message)
{
    message->from = transport->rank;
    message->next = NULL;
    *transport->local_end = message;
    transport->local_end = &message->next;
}

/* Consumes the message. */
static int dispatch(Transport *transport, int32_t to, Message *message)
{
    if (to == transport->rank) {
        queue(transport, message);
        return 0;
    }
    int status = transmit(transport, to, message);
    if (status != MPI_SUCCESS) {
        transport_release(transport, message);
        return failed(transport, GRID_EMPI, status);
    }
    transport->sent[to]++;
    push(&transport->sending, message);
    return 0;
}

int transport_send(Transport *transport, int32_t to, const Head *head, GridBuffer *body)
{
    transport->large_to = to;
    if (to != transport->rank && body && body->size > (size_t)INT_MAX - sizeof *head)
        return failed(transport, GRID_EARG, 0);
    Message *message = blank(transport);
    if (!message)
        return failed(transport, GRID_ENOMEM, 0);
    message->head = *head;
    if (body)
        buffer_swap(&message->body, body);
    return dispatch(transport, to, message);
}

int transport_send_bytes(Transport *transport, int32_t to, const Head *head, const void *bytes,
                         size_t size)
{
    Message *message = blank(transport);
    if (!message)
        return failed(transport, GRID_ENOMEM, 0);
    message->head = *head;
    if (grid_put(&message->body, bytes, size)) {
        transport_release(transport, message);
        return failed(transport, GRID_ENOMEM, 0);
    }
    return dispatch(transport, to, message);
}

int transport_send_all(Transport *transport, const Head *head, const void *bytes, size_t size,
                       int self)
{
    for (int32_t to = 0; to < transport->size; to++)
        if ((to != transport->rank || self) &&
            transport_send_bytes(transport, to, head, bytes, size))
            return -1;
    return 0;
}

int transport_progress(Transport *transport)
{
    for (Message **at = &transport->sending; *at;) {
        Message *message = *at;
        int done = 0, status = MPI_Test(&message->request, &done, MPI_STATUS_IGNORE);
        if (status != MPI_SUCCESS)
            return failed(transport, GRID_EMPI, status);
        if (done) {
            *at = message->next;
            transport_release(transport, message);
        } else {
            at = &message->next;
        }
    }
    return 0;
}

/* ---- receiving ---------------------------------------------------------------------------- */

/* A message that was received at once has no request.  SMPI 3.32's MPI_Test does not report null
 * requests as done. */
static int test(MPI_Request *request, int *done)
{
    *done = *request == MPI_REQUEST_NULL;
    return *done ? MPI_SUCCESS : MPI_Test(request, done, MPI_STATUS_IGNORE);
}

/* Is there an earlier small message of the same sender?  MPI completes receives in any order. */
static int has_to_wait(const Transport *transport, const Message *message)
{
    for (const Message *each = transport->receiving; each != message; each = each->next)
        if (each->from == message->from && each->body.size <= TRANSPORT_SMALL)
            return 1;
    return 0;
}

/* The next message that is complete, local ones first. */
static int arrived(Transport *transport, Message **out)
{
    *out = pop(&transport->local);
    if (!transport->local)
        transport->local_end = &transport->local;
    for (Message **at = &transport->receiving; *at && !*out;) {
        int done = 0, status = MPI_SUCCESS;
        if (!has_to_wait(transport, *at))
            status = test(&(*at)->request, &done);
        if (status != MPI_SUCCESS)
            return failed(transport, GRID_EMPI, status);
        if (done) {
            *out = pop(at);
            if (!*at)
                transport->receiving_end = at;
            if ((*out)->body.size && is_small((*out)->body.size))
                memcpy((*out)->body.bytes, (*out)->small, (*out)->body.size);
        } else {
            at = &(*at)->next;
        }
    }
    return 0;
}

/* Receive the head of a large message without allocating.  Blocks, but the message has arrived. */
static int receive_cut(Transport *transport, const MPI_Status *about, Message *message)
{
    unsigned char bytes[sizeof(Head) + TRANSPORT_SMALL];
    int class = MPI_SUCCESS,
        status = MPI_Recv(bytes, (int)sizeof bytes, MPI_BYTE, about->MPI_SOURCE, TAG,
                          transport->comm, MPI_STATUS_IGNORE);
    if (status != MPI_SUCCESS)
        (void)MPI_Error_class(status, &class);
    if (class != MPI_SUCCESS && class != MPI_ERR_TRUNCATE)
        return status;
    memcpy(&message->head, bytes, sizeof message->head);
    message->body.size = 0;
    return MPI_SUCCESS;
}

static int receive_whole(Transport *transport, const MPI_Status *about, size_t size,
                         Message *message)
{
    MPI_Datatype type = MPI_DATATYPE_NULL;
    message->body.size = size;
    if (is_small(size))
        return MPI_Irecv(message, (int)(sizeof message->head + size), MPI_BYTE, about->MPI_SOURCE,
                         TAG, transport->comm, &message->request);
    int status = joined(message, size, &type);
    if (status == MPI_SUCCESS)
        status = MPI_Irecv(MPI_BOTTOM, 1, type, about->MPI_SOURCE, TAG, transport->comm,
                           &message->request);
    if (type != MPI_DATATYPE_NULL)
        (void)MPI_Type_free(&type);
    return status;
}

/* Start to receive the message that was found.  Memory is allocated first: if that fails, the
 * message stays in MPI and can be received when the run ends. */
static int begin(Transport *transport, const MPI_Status *about)
{
    int count, status = MPI_Get_count(about, MPI_BYTE, &count);
    if (status != MPI_SUCCESS || count < (int)sizeof(Head))
        return failed(transport, GRID_EMPI, status == MPI_SUCCESS ? MPI_ERR_COUNT : status);
    size_t size = (size_t)count - sizeof(Head);
    int cut = transport->closing && size > TRANSPORT_SMALL;
    Message *message = blank(transport);
    if (!message || (!cut && buffer_reserve(&message->body, size))) {
        if (message)
            transport_release(transport, message);
        return failed(transport, GRID_ENOMEM, 0);
    }
    message->from = about->MPI_SOURCE;
    status = cut ? receive_cut(transport, about, message)
                 : receive_whole(transport, about, size, message);
    if (status != MPI_SUCCESS) {
        transport_release(transport, message);
        return failed(transport, GRID_EMPI, status);
    }
    transport->received++;
    *transport->receiving_end = message;
    transport->receiving_end = &message->next;
    return 0;
}

int transport_receive(Transport *transport, Message **out)
{
    for (;;) {
        int found = 0;
        MPI_Status about;
        if (arrived(transport, out) || *out)
            return *out ? 0 : -1;
        int status = MPI_Iprobe(MPI_ANY_SOURCE, TAG, transport->comm, &found, &about);
        if (status != MPI_SUCCESS)
            return failed(transport, GRID_EMPI, status);
        if (!found)
            return 0;
        if (begin(transport, &about))
            return -1;
    }
}

int transport_waiting(const Transport *transport)
{
    /* Open MPI looks at the network after it has said that there is no message: what came since the last
     * call is found by the second one. */
    enum { LOOKS = 2 };
    int found = 0, status = MPI_SUCCESS;
    if (transport->local || transport->receiving)
        return 1;
    for (int i = 0; i < LOOKS && !found && status == MPI_SUCCESS; i++)
        status = MPI_Iprobe(MPI_ANY_SOURCE, TAG, transport->comm, &found, MPI_STATUS_IGNORE);
    return found || status != MPI_SUCCESS;
}

/* ---- draining ----------------------------------------------------------------------------- */

static int is_idle(const Transport *transport)
{
    return !transport->sending && !transport->receiving && !transport->local;
}

/* Each process learns how many messages were sent to it in all, and waits for as many. */
int transport_drain(Transport *transport, double until)
{
    Backoff backoff;
    MPI_Request request;
    int64_t expected = 0;
    int told = 0;
    backoff_reset(&backoff);
    transport->closing = 1;
    int status = MPI_Ireduce_scatter_block(transport->sent, &expected, 1, MPI_INT64_T, MPI_SUM,
                                           transport->comm, &request);
    while (status == MPI_SUCCESS) {
        Message *message = NULL;
        if (transport_progress(transport) || transport_receive(transport, &message))
            return -1;
        if (message) {
            transport_release(transport, message);
            continue;
        }
        if (!told)
            status = MPI_Test(&request, &told, MPI_STATUS_IGNORE);
        if (told && transport->received == expected && is_idle(transport))
            return 1;
        if (clock_now() > until)
            return 0;
        backoff_wait(&backoff, until);
    }
    return failed(transport, GRID_EMPI, status);
}
