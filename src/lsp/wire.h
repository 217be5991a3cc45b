/* Messages on the wire: headers with Content-Length, an empty line, and so many bytes of JSON.
 * Source: LSP 3.17, "Base Protocol". */
#ifndef PEPA_LSP_WIRE_H
#define PEPA_LSP_WIRE_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

enum {
    WIRE_MOST_HEADER = 4096,             /* bytes of the headers of one message */
    WIRE_MOST_CONTENT = 32 * 1024 * 1024 /* bytes of its content */
};

typedef struct {
    int in, out;
    char *bytes; /* read and not yet taken: first .. length */
    size_t first, length, cap;
    bool no_memory;
    bool ended;  /* there is no more input */
    bool closed; /* a message could not be sent */
} Wire;          /* starts as {.in = ..., .out = ...} */

typedef enum {
    WIRE_MESSAGE,
    WIRE_NOTHING, /* no whole message is there yet; only without `wait` */
    WIRE_END,     /* the input has ended between two messages */
    WIRE_BROKEN,  /* not headers, a message that is too long or cut off, or memory is out */
} WireState;

/* The next message, *text until the next call, for the caller to change.  wait: until one is there. */
WireState wire_next(Wire *wire, bool wait, char **text, size_t *length);
/* Send a message, and release it.  Where memory is out, which NULL means too, `closed` is set: a
 * client that gets no answer would wait for ever. */
void wire_send(Wire *wire, json_t *message);
void wire_free(Wire *wire);

#endif
