/* What a program prints: passed on as it comes, or in lines that begin with the process. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* fallocate */
#endif
#include "grid/launch/output.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void write_all(Stream *stream, const char *bytes, size_t size)
{
    while (size > 0) {
        ssize_t written = write(stream->to, bytes, size);
        if (written < 0 && errno != EINTR) {
            stream->error = stream->error ? stream->error : errno;
            return;
        }
        if (written > 0) {
            bytes += written;
            size -= (size_t)written;
        }
    }
}

/* Lines to be written together: a call of the system for each takes longer than all else. */
struct Ready {
    size_t size;
    char bytes[CHUNK];
};

static void flush(Stream *stream)
{
    write_all(stream, stream->ready->bytes, stream->ready->size);
    stream->ready->size = 0;
}

static void put(Stream *stream, const char *bytes, size_t size)
{
    Ready *ready = stream->ready;
    if (size > CHUNK - ready->size)
        flush(stream);
    if (size > CHUNK) {
        write_all(stream, bytes, size);
        return;
    }
    memcpy(ready->bytes + ready->size, bytes, size);
    ready->size += size;
}

/* ---- tags ----------------------------------------------------------------------------------- */

enum { NO_TAG = 0, CUT_OFF = -1 };

/* The length of the tag that starts there, and its process; or NO_TAG; or CUT_OFF: what there is may be the start of
 * one.  In the form # stands for digits and @ for letters. */
static int tag_at(const char *at, size_t size, size_t *pid)
{
    size_t i = 0;
    for (const char *form = "[#,#]<std@>:"; *form; form++) {
        const size_t begin = i;
        if (i == size)
            return CUT_OFF;
        if (*form == '#') {
            for (*pid = 0; i < size && i < begin + 9 && isdigit((unsigned char)at[i]); i++)
                *pid = 10 * *pid + (size_t)(at[i] - '0');
        } else if (*form == '@') {
            while (i < size && i < begin + 4 && islower((unsigned char)at[i]))
                i++;
        } else if (at[i] == *form) {
            i++;
        }
        if (i == begin)
            return NO_TAG;
    }
    return (int)i;
}

/* ---- lines ---------------------------------------------------------------------------------- */

/* A line, with its newline, without the pad; one that mpirun prints itself has none. */
static void strip(Line *line)
{
    static const char pad[] = OUTPUT_PAD "\n";
    const size_t size = sizeof pad - 1;
    if (line->size < size || memcmp(line->text + line->size - size, pad, size) != 0)
        return;
    line->size -= size;
    line->text[line->size++] = '\n';
}

/* Of line[source]. */
static void write_line(Stream *stream, size_t source)
{
    Line *line = &stream->line[source];
    char prefix[32];
    if (source > 0 && stream->process == 0)
        strip(line);
    if (source > 0) {
        int length = snprintf(prefix, sizeof prefix, "[%zu] ", source - 1);
        put(stream, prefix, (size_t)length);
    }
    put(stream, line->text, line->size);
    line->size = 0;
}

/* Room for `size` more bytes; NULL: out of memory. */
static Line *reserve(Stream *stream, size_t size)
{
    if (stream->source >= stream->lines) {
        const size_t lines = 2 * stream->source + 1;
        Line *grown = realloc(stream->line, lines * sizeof *grown);
        if (!grown)
            return NULL;
        memset(grown + stream->lines, 0, (lines - stream->lines) * sizeof *grown);
        stream->line = grown;
        stream->lines = lines;
    }
    Line *line = &stream->line[stream->source];
    if (size > line->capacity - line->size) {
        const size_t capacity = 2 * line->capacity + size;
        char *text = realloc(line->text, capacity);
        if (!text)
            return NULL;
        line->text = text;
        line->capacity = capacity;
    }
    return line;
}

/* Text of the present source that has no newline but at its end. */
static void add(Stream *stream, const char *text, size_t size)
{
    Line *line = reserve(stream, size);
    if (!line) { /* better without a prefix than not at all */
        put(stream, text, size);
        return;
    }
    memcpy(line->text + line->size, text, size);
    line->size += size;
    if (text[size - 1] == '\n') {
        write_line(stream, stream->source);
        stream->source = stream->process;
    }
}

static void take(Stream *stream, int ended)
{
    size_t at = 0;
    if (stream->process > 0)
        stream->source = stream->process;
    while (at < stream->size) {
        const char *text = stream->chunk + at;
        size_t pid = 0, end = 1, left = stream->size - at;
        const int tag = stream->process > 0 ? NO_TAG : tag_at(text, left, &pid);
        if (tag == CUT_OFF && !ended)
            break;
        if (tag > 0) {
            stream->source = pid + 1;
            at += (size_t)tag;
            continue;
        }
        while (end < left && text[end] != '[' && text[end - 1] != '\n')
            end++;
        add(stream, text, end);
        at += end;
    }
    stream->size -= at;
    memmove(stream->chunk, stream->chunk + at, stream->size);
}

/* ---- a stream ------------------------------------------------------------------------------- */

/* Gives back the memory of what has been read; where that fails, it is held until the end. */
static void free_passed(Stream *stream, size_t got)
{
    const off_t piece = 1 << 20;
    stream->passed += (off_t)got;
    if (stream->passed - stream->freed >= piece &&
        fallocate(stream->from, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, stream->freed, piece) == 0)
        stream->freed += piece;
}

int stream_copy(Stream *stream)
{
    ssize_t got = read(stream->from, stream->chunk + stream->size, CHUNK - stream->size);
    if (got < 0 || (got == 0 && stream->grows))
        return 0;
    if (got == 0) {
        (void)close(stream->from);
        stream->from = -1;
        return 0;
    }
    stream->size += (size_t)got;
    if (stream->grows)
        free_passed(stream, (size_t)got);
    if (stream->prefix) {
        Ready ready;
        ready.size = 0;
        stream->ready = &ready;
        take(stream, 0);
        flush(stream);
    } else {
        write_all(stream, stream->chunk, stream->size);
        stream->size = 0;
    }
    return 1;
}

void stream_end(Stream *stream)
{
    Ready ready;
    ready.size = 0;
    stream->ready = &ready;
    take(stream, 1);
    for (size_t i = 0; i < stream->lines; i++) {
        stream->source = i;
        if (stream->line[i].size > 0)
            add(stream, "\n", 1);
        free(stream->line[i].text);
    }
    flush(stream);
    free(stream->line);
    stream->line = NULL;
    stream->lines = 0;
}
