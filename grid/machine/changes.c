/* The changes of a platform at points of time. */
#include "grid/machine/changes.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grid/core/decimal.h"

/* ---- diagnostics -------------------------------------------------------------------------- */

/* Columns count characters of UTF-8. */
static int32_t characters(const char *text, int32_t bytes)
{
    int32_t count = 0;
    for (int32_t i = 0; i < bytes; i++)
        count += ((unsigned char)text[i] & 0xC0) != 0x80;
    return count;
}

/* The line, cut at WIDTH and with ? for bytes that are not ASCII, and the line of carets. */
static void excerpt(const char *line, int32_t column, int32_t end, char *out, size_t size)
{
    enum { WIDTH = 96 };
    int32_t length = (int32_t)strcspn(line, "\r\n"), at = 0;
    char shown[WIDTH + 1], carets[WIDTH + 1];
    length = length > WIDTH ? WIDTH : length;
    for (; at < length; at++) {
        unsigned char c = (unsigned char)line[at];
        shown[at] = c == '\t' || (c >= ' ' && c < 0x7F) ? (char)c : '?';
        carets[at] = (char)(at + 1 == column                  ? '^'
                            : at + 1 > column && at + 1 < end ? '~'
                            : shown[at] == '\t'               ? '\t'
                                                              : ' ');
    }
    for (; at > 0 && isspace((unsigned char)carets[at - 1]); at--)
        ;
    (void)snprintf(out, size, "%.*s\n%.*s\n", (int)length, shown, (int)at, carets);
}

static const char *nth_line(const char *text, int32_t line)
{
    while (--line > 0)
        text = strchr(text, '\n') + 1;
    return text;
}

PepaStatus changes_wrong(const Changes *changes, const Change *change, const ChangesReading *how,
                         const char *message, PepaError *err)
{
    char shown[256];
    const char *line = nth_line(changes->original, change->line);
    uint32_t column = (uint32_t)characters(line, change->column - 1) + 1;
    excerpt(line, change->column, change->end, shown, sizeof shown);
    if (how->diagnose) {
        PepaDiagnostic finding = {PEPA_ERROR, how->name, (uint32_t)change->line,
                                  column,     message,   shown};
        how->diagnose(how->user, &finding);
    }
    if (err) {
        *err = (PepaError){.code = PEPA_ESYNTAX, .line = (uint32_t)change->line, .column = column};
        (void)snprintf(err->message, sizeof err->message, "%s", message);
    }
    return PEPA_ESYNTAX;
}

/* ---- reading ------------------------------------------------------------------------------ */

/* The next word of a line; *at moves past it. */
static char *word(char **at)
{
    char *start = *at + strspn(*at, " \t"), *end = start + strcspn(start, " \t");
    *at = end;
    if (*end)
        *(*at)++ = '\0';
    return start;
}

static int is_time(const char *text, double *out)
{
    char *end;
    if (!*text || text[strspn(text, "0123456789.eE+-")])
        return 0;
    *out = decimal_read(text, &end);
    return !*end && isfinite(*out) && *out >= 0;
}

/* line: not empty, without comment and trailing space; it is cut into words.  NULL or an error. */
static const char *read_line(char *line, Change *change)
{
    char *at = line, *end = line + strlen(line);
    char *time = word(&at), *path = word(&at), *value = at + strspn(at, " \t");
    change->column = (int32_t)(time - line) + 1;
    change->end = change->column + (int32_t)strlen(time);
    if (!is_time(time, &change->time))
        return "a change begins with its time: a number of seconds, 0 or later";
    if (!*value) {
        change->end = (int32_t)(end - line) + 1;
        return "a change is a time, a path such as `time.p1`, and a value";
    }
    change->column = (int32_t)(path - line) + 1;
    change->end = (int32_t)(end - line) + 1;
    change->define = (AmogetDefine){path, value};
    return NULL;
}

static void cut_end(char *line)
{
    line[strcspn(line, "#")] = '\0';
    for (size_t size = strlen(line); size > 0 && isspace((unsigned char)line[size - 1]);)
        line[--size] = '\0';
}

static int by_time(const void *a, const void *b)
{
    const Change *left = a, *right = b;
    if (left->time != right->time)
        return left->time < right->time ? -1 : 1;
    return (left->line > right->line) - (left->line < right->line);
}

static PepaStatus no_memory(PepaError *err)
{
    if (err)
        *err = (PepaError){.code = PEPA_ENOMEM, .message = "out of memory"};
    return PEPA_ENOMEM;
}

PepaStatus changes_read(Changes *out, const char *text, const ChangesReading *how, PepaError *err)
{
    size_t size = strlen(text) + 1, lines = 1;
    *out = (Changes){.text = malloc(size), .original = malloc(size)};
    for (const char *at = text; *at; at++)
        lines += *at == '\n';
    out->each = calloc(lines, sizeof *out->each);
    if (!out->text || !out->original || !out->each)
        return no_memory(err);
    memcpy(out->text, text, size);
    memcpy(out->original, text, size);
    char *line = out->text;
    for (int32_t number = 1; line; number++) {
        char *next = strchr(line, '\n');
        if (next)
            *next++ = '\0';
        cut_end(line);
        if (line[strspn(line, " \t")]) {
            Change *change = &out->each[out->count++];
            change->line = number;
            const char *wrong = read_line(line, change);
            if (wrong)
                return changes_wrong(out, change, how, wrong, err);
        }
        line = next;
    }
    qsort(out->each, out->count, sizeof *out->each, by_time);
    return PEPA_OK;
}

void changes_free(Changes *changes)
{
    free(changes->text);
    free(changes->original);
    free(changes->each);
    *changes = (Changes){0};
}
