/* Messages of the run-time.  Each brings what its sender knows of the loads of all, and when it was
 * sent, which shows the latency. */
#ifndef GRID_GUM_MESSAGES_H
#define GRID_GUM_MESSAGES_H

#include "grid/gum/context.h"

enum {
    TAG_FISH,     /* process, age, early, reach: this process has no work; passed on */
    TAG_SCHEDULE, /* count, age, reach, sparks in the body; an answer to a FISH of that reach */
    TAG_RETURN,   /* id: a record of the receiver's, whose argument comes back in the body */
    TAG_ACK,      /* id: a record of the receiver's; the body: the record that stands for it here */
    TAG_NULL,     /* reach: no work was found there */
    TAG_FETCH,    /* id: a record that the sender waits for; to be returned unless it has begun */
    TAG_RESUME, /* id, work, age: a record of the receiver's, and whether its task might have run twice; the
                   * result in the body */
    TAG_DATA,  /* number: of data of the receiver's, which are to be sent */
    TAG_DATUM, /* number: of data of the sender's; the bytes in the body */
    TAG_QUIET, /* from process 0: does anything go on? */
    TAG_WORD   /* the answer, in the body: stuck.c */
};

/* Messages by which something goes on; the others are requests for work, refusals and questions. */
static inline int tag_counts(int32_t tag)
{
    return tag != TAG_FISH && tag != TAG_NULL && tag != TAG_QUIET && tag != TAG_WORD;
}

/* The fields of a message's head. */
typedef struct {
    double sent; /* elapsed time of the sender's */
    union {
        int32_t process;
        int32_t count;
        uint32_t number;
        int32_t hops;
        float work; /* TAG_RESUME: of the task, seconds x speed; 0: not known */
    };
    int32_t age;
    union {
        RecordId id;
        struct {
            int32_t early; /* TAG_FISH: its process still runs something */
            int32_t reach; /* Reach */
        };
    };
} Fields;

/* A body with what is known of loads, to be added to.  0; -1: failed, session.error is set. */
int message_begin(Gum *gum, GridBuffer *body);
/* Send, with the time. */
int message_send(Gum *gum, int32_t to, int32_t tag, Fields fields, GridBuffer *body);
/* The same with no more in the body. */
int message_send_short(Gum *gum, int32_t to, int32_t tag, Fields fields);
/* What a message says of loads goes into the tables; *cursor is where the rest of its body begins.
 * 0; -1: it is too short. */
int message_open(Gum *gum, const Message *message, Fields *fields, Cursor *cursor);

#endif
