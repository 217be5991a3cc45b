/* Reads and writes the messages of the protocol. */
#include "lsp/wire.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/mem.h"

/* ---- reading ------------------------------------------------------------------------------- */

enum { READ_SIZE = 65536 };

/* Read what is there; wait: at least one byte.  False: memory is out. */
static bool fill(Wire *wire, bool wait)
{
    struct pollfd ready = {.fd = wire->in, .events = POLLIN};
    if (!wait && poll(&ready, 1, 0) <= 0)
        return true;
    if (wire->first > 0) {
        memmove(wire->bytes, wire->bytes + wire->first, wire->length - wire->first);
        wire->length -= wire->first;
        wire->first = 0;
    }
    if (!mem_grow(wire->bytes, wire->cap, wire->length + READ_SIZE))
        return false;
    ssize_t count;
    do
        count = read(wire->in, wire->bytes + wire->length, READ_SIZE);
    while (count < 0 && errno == EINTR);
    if (count <= 0)
        wire->ended = true;
    else
        wire->length += (size_t)count;
    return true;
}

/* The content's length from the headers, without the empty line; false: they say none, or too
 * much. */
static bool read_headers(const char *text, const char *end, size_t *length)
{
    static const char name[] = "Content-Length:";
    bool found = false;
    while (text < end) {
        const char *stop = memchr(text, '\n', (size_t)(end - text));
        stop = stop ? stop : end;
        if ((size_t)(stop - text) >= sizeof name - 1 &&
            strncasecmp(text, name, sizeof name - 1) == 0) {
            const char *digit = text + sizeof name - 1;
            while (digit < stop && (*digit == ' ' || *digit == '\t'))
                digit++;
            found = digit < stop && *digit >= '0' && *digit <= '9';
            for (*length = 0; digit < stop && *digit >= '0' && *digit <= '9'; digit++) {
                *length = *length * 10 + (size_t)(*digit - '0');
                if (*length > WIRE_MOST_CONTENT)
                    return false;
            }
            while (digit < stop && (*digit == ' ' || *digit == '\t' || *digit == '\r'))
                digit++;
            if (digit < stop)
                return false;
        }
        text = stop + 1;
    }
    return found;
}

/* Where the headers end: behind the empty line; NULL: not yet. */
static const char *behind_headers(const char *text, size_t length)
{
    const char *end = text + length, *line = text;
    for (const char *at; (at = memchr(line, '\n', (size_t)(end - line))) != NULL; line = at + 1)
        if (at == line || (at == line + 1 && *line == '\r'))
            return at + 1;
    return NULL;
}

/* WIRE_NOTHING: more has to be read. */
static WireState take(Wire *wire, char **text, size_t *length)
{
    char *begin = wire->bytes + wire->first;
    const size_t there = wire->length - wire->first;
    if (there == 0)
        return wire->ended ? WIRE_END : WIRE_NOTHING;
    const size_t looked = there < WIRE_MOST_HEADER ? there : WIRE_MOST_HEADER;
    const char *content = behind_headers(begin, looked);
    if (!content)
        return wire->ended || there >= WIRE_MOST_HEADER ? WIRE_BROKEN : WIRE_NOTHING;
    if (!read_headers(begin, content, length))
        return WIRE_BROKEN;
    const size_t headers = (size_t)(content - begin);
    if (there - headers < *length)
        return wire->ended ? WIRE_BROKEN : WIRE_NOTHING;
    *text = begin + headers;
    wire->first += headers + *length;
    return WIRE_MESSAGE;
}

WireState wire_next(Wire *wire, bool wait, char **text, size_t *length)
{
    bool filled = false;
    for (;;) {
        WireState state = wire->bytes || wire->ended ? take(wire, text, length) : WIRE_NOTHING;
        if (state != WIRE_NOTHING || (filled && !wait))
            return state;
        wire->no_memory = !fill(wire, wait);
        if (wire->no_memory)
            return WIRE_BROKEN;
        filled = true;
    }
}

/* ---- writing ------------------------------------------------------------------------------- */

static bool write_all(int to, const char *text, size_t length)
{
    while (length > 0) {
        ssize_t count = write(to, text, length);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return false;
        text += count;
        length -= (size_t)count;
    }
    return true;
}

void wire_send(Wire *wire, json_t *message)
{
    char *text = message ? json_dumps(message, JSON_COMPACT) : NULL;
    json_decref(message);
    if (!text)
        wire->closed = true;
    if (wire->closed) {
        free(text);
        return;
    }
    char header[64];
    const size_t length = strlen(text);
    const int size = snprintf(header, sizeof header, "Content-Length: %zu\r\n\r\n", length);
    wire->closed =
        !write_all(wire->out, header, (size_t)size) || !write_all(wire->out, text, length);
    free(text);
}

void wire_free(Wire *wire)
{
    mem_free(wire->bytes);
    wire->bytes = NULL;
}
