/* Traces from text: lines of words, each checked, then equal supersteps found. */
#include "grid/bsp/predict/trace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/diag.h"
#include "base/error.h"
#include "base/hash.h"
#include "base/number.h"

enum { WORDS = 4, MOST_ERRORS = 99 };

typedef struct {
    const Source *source;
    DiagList *diags;
    Trace *trace;
    size_t step_cap, work_cap, send_cap;
    size_t sends;
    bool version, no_memory, stop;
    Span word[WORDS + 1];
    int words;
} Reading;

static size_t length_of(Span span)
{
    return span.end - span.begin;
}

static bool says(const Reading *r, int word, const char *text)
{
    return strlen(text) == length_of(r->word[word]) &&
           memcmp(r->source->text + r->word[word].begin, text, strlen(text)) == 0;
}

static bool bad(Reading *r, Span where, const char *message)
{
    if (r->diags->errors < MOST_ERRORS)
        diag_error(r->diags, where, "%s", message);
    else
        r->stop = true;
    return false;
}

/* ---- words ----------------------------------------------------------------------------------- */

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* The words of a line, up to one too many. */
static void split(Reading *r, size_t begin, size_t end)
{
    const char *text = r->source->text;
    r->words = 0;
    while (r->words <= WORDS) {
        while (begin < end && is_blank(text[begin]))
            begin++;
        size_t from = begin;
        while (begin < end && !is_blank(text[begin]))
            begin++;
        if (from == begin)
            return;
        r->word[r->words++] = (Span){(uint32_t)from, (uint32_t)begin};
    }
}

/* A finite number >= 0 without a unit. */
static bool read_number(Reading *r, int word, double *out)
{
    char text[64];
    const Span at = r->word[word];
    const size_t n = length_of(at);
    if (n < sizeof text) {
        memcpy(text, r->source->text + at.begin, n);
        text[n] = '\0';
        if (strspn(text, "0123456789.eE+-") == n && strpbrk(text, "0123456789")) {
            *out = number_read(text);
            if (isfinite(*out) && *out >= 0)
                return true;
        }
    }
    return bad(r, at, "not a number from 0");
}

static bool read_whole(Reading *r, int word, double most, const char *message, int64_t *out)
{
    double value;
    if (!read_number(r, word, &value))
        return false;
    if (value != floor(value) || value > most)
        return bad(r, r->word[word], message);
    *out = (int64_t)value;
    return true;
}

static bool read_process(Reading *r, int word, int32_t *out)
{
    int64_t process;
    const char *message = "there is no such process: they are numbered from 0";
    if (!read_whole(r, word, (double)r->trace->processes - 1, message, &process))
        return false;
    *out = (int32_t)process;
    return true;
}

/* ---- lines ----------------------------------------------------------------------------------- */

static bool read_version(Reading *r)
{
    int64_t version;
    if (r->version)
        return bad(r, r->word[0], "the first line of a trace says this, no other");
    if (!read_whole(r, 1, 1, "this program reads version 1 of traces", &version))
        return false;
    r->version = true;
    return version == 1 || bad(r, r->word[1], "this program reads version 1 of traces");
}

static bool read_processes(Reading *r)
{
    int64_t count;
    if (r->trace->processes > 0)
        return bad(r, r->word[0], "the number of processes was given before");
    if (!read_whole(r, 1, MOST_PROCESSES, "a trace has 1 to 1024 processes", &count))
        return false;
    if (count == 0)
        return bad(r, r->word[1], "a trace has 1 to 1024 processes");
    r->trace->processes = (int32_t)count;
    return true;
}

static bool read_step(Reading *r)
{
    Trace *t = r->trace;
    int64_t number;
    if (!read_whole(r, 1, 1e15, "the number of a superstep is too large", &number))
        return false;
    if (number != t->steps + 1)
        return bad(r, r->word[1], "supersteps are numbered from 1, one after another");
    const size_t work = (size_t)t->processes * (size_t)number;
    if (!(mem_grow(t->step, r->step_cap, t->steps + 1) && mem_grow(t->work, r->work_cap, work))) {
        r->no_memory = true;
        return false;
    }
    memset(t->work + work - t->processes, 0, (size_t)t->processes * sizeof *t->work);
    t->step[t->steps++] = (TraceStep){.first = r->sends};
    return true;
}

static bool read_work(Reading *r)
{
    int32_t process;
    double seconds;
    if (!(read_process(r, 1, &process) && read_number(r, 2, &seconds)))
        return false;
    r->trace->work[(r->trace->steps - 1) * r->trace->processes + process] += seconds;
    return true;
}

static bool read_send(Reading *r)
{
    Trace *t = r->trace;
    TraceSend send;
    if (!(read_process(r, 1, &send.from) && read_process(r, 2, &send.to) &&
          read_number(r, 3, &send.bytes)))
        return false;
    if (send.from == send.to || send.bytes == 0)
        return true;
    if (!mem_grow(t->send, r->send_cap, r->sends + 1)) {
        r->no_memory = true;
        return false;
    }
    t->send[r->sends++] = send;
    t->step[t->steps - 1].count++;
    return true;
}

/* The kinds of lines. */
static const struct {
    const char *word;
    int words;
    bool (*read)(Reading *r);
    const char *form;
} kinds[] = {
    {"bsp-trace", 2, read_version, "the first line of a trace is `bsp-trace 1`"},
    {"processes", 2, read_processes, "here `processes` and their number are needed"},
    {"step", 2, read_step, "the line is `step` and the number of the superstep"},
    {"work", 3, read_work, "the line is `work`, a process, and seconds"},
    {"send", 4, read_send, "the line is `send`, a process, another process, and bytes"},
};
enum { VERSION, PROCESSES, STEP, KINDS = sizeof kinds / sizeof *kinds };

static void read_line(Reading *r, size_t begin, size_t end)
{
    const char *hash = memchr(r->source->text + begin, '#', end - begin);
    split(r, begin, hash ? (size_t)(hash - r->source->text) : end);
    if (r->words == 0)
        return;
    int kind = 0;
    while (kind < KINDS && !says(r, 0, kinds[kind].word))
        kind++;
    const int least = !r->version                ? VERSION
                      : r->trace->processes == 0 ? PROCESSES
                      : r->trace->steps == 0     ? STEP
                                                 : KINDS;
    if (kind > least || (kind < least && least != KINDS)) {
        (void)bad(r, r->word[0], kinds[least < KINDS ? least : STEP].form);
        r->stop = least < KINDS; /* nothing that follows makes sense */
    } else if (kind == KINDS) {
        (void)bad(r, r->word[0], "lines of a superstep begin with `work`, `send` or `step`");
    } else if (r->words != kinds[kind].words) {
        (void)bad(r, (Span){r->word[0].begin, r->word[r->words - 1].end}, kinds[kind].form);
        r->stop = kind <= PROCESSES;
    } else if (!kinds[kind].read(r)) {
        r->stop = r->stop || kind <= STEP;
    }
}

static void read_lines(Reading *r)
{
    const char *text = r->source->text;
    for (size_t at = source_start(r->source);
         at < r->source->length && !r->stop && !r->no_memory;) {
        const char *newline = memchr(text + at, '\n', r->source->length - at);
        const size_t end = newline ? (size_t)(newline - text) : r->source->length;
        read_line(r, at, end);
        at = end + 1;
    }
}

/* ---- equal supersteps ------------------------------------------------------------------------ */

static int by_pair(const void *a, const void *b)
{
    const TraceSend *x = a, *y = b;
    return x->from != y->from ? (x->from > y->from) - (x->from < y->from)
                              : (x->to > y->to) - (x->to < y->to);
}

/* Each pair once. */
static void join_sends(Trace *t, TraceStep *step)
{
    TraceSend *send = t->send + step->first;
    size_t count = 0;
    if (step->count == 0)
        return;
    qsort(send, step->count, sizeof *send, by_pair);
    for (size_t i = 0; i < step->count; i++) {
        if (count > 0 && by_pair(&send[count - 1], &send[i]) == 0)
            send[count - 1].bytes += send[i].bytes;
        else
            send[count++] = send[i];
    }
    step->count = count;
}

static bool equal_sends(const Trace *t, const TraceStep *a, const TraceStep *b)
{
    if (a->count != b->count)
        return false;
    for (size_t i = 0; i < a->count; i++) {
        const TraceSend *x = t->send + a->first + i, *y = t->send + b->first + i;
        if (by_pair(x, y) != 0 || x->bytes != y->bytes)
            return false;
    }
    return true;
}

static uint64_t hash_of(const Trace *t, int64_t step)
{
    const TraceStep *s = &t->step[step];
    uint64_t hash = hash_bytes(trace_work(t, step), (size_t)t->processes * sizeof *t->work);
    for (size_t i = s->first; i < s->first + s->count; i++) {
        const TraceSend *send = &t->send[i];
        hash = hash_mix(hash, hash_pair(send->from, send->to));
        hash = hash_mix(hash, hash_bytes(&send->bytes, sizeof send->bytes));
    }
    return hash;
}

/* Fills in `same` and `as`: open addressing by hashes. */
static bool find_equal(Trace *t)
{
    size_t size = 16;
    while (size < 2 * (size_t)t->steps)
        size *= 2;
    int64_t *first;
    if (!mem_new_zeroed(first, size))
        return false;
    for (int64_t s = 0; s < t->steps; s++) {
        size_t at = hash_end(hash_of(t, s)) & (size - 1);
        while (first[at] > 0 && !(memcmp(trace_work(t, first[at] - 1), trace_work(t, s),
                                         (size_t)t->processes * sizeof *t->work) == 0 &&
                                  equal_sends(t, &t->step[first[at] - 1], &t->step[s])))
            at = (at + 1) & (size - 1);
        if (first[at] == 0)
            first[at] = s + 1;
        t->step[s].as = first[at] - 1;
        t->step[first[at] - 1].same++;
    }
    mem_free(first);
    return true;
}

PepaStatus trace_read(Trace **out, const char *name, const char *text, size_t length,
                      PepaDiagnose diagnose, void *user, PepaError *err)
{
    const Source source = {name, text, length};
    DiagList diags = {0};
    Trace *trace;
    if (length >= UINT32_MAX)
        return error_set(err, PEPA_ELIMIT, "the trace is longer than 4 GB");
    if (!mem_new_zeroed(trace, 1))
        return error_memory(err);
    Reading r = {.source = &source, .diags = &diags, .trace = trace};
    read_lines(&r);
    const Span everywhere = {SPAN_NOWHERE, SPAN_NOWHERE};
    PepaStatus status = PEPA_OK;
    if (r.no_memory)
        status = error_memory(err);
    else if (diags.errors > 0)
        status = PEPA_ESYNTAX;
    else if (trace->steps == 0) {
        diag_error(&diags, everywhere, "the trace has no superstep");
        status = PEPA_EMODEL;
    }
    for (int64_t s = 0; s < trace->steps; s++)
        join_sends(trace, &trace->step[s]);
    if (status == PEPA_OK && !find_equal(trace))
        status = error_memory(err);
    if (status != PEPA_ENOMEM)
        status = diagnose_all(&diags, &source, diagnose, user, status, err);
    diag_free(&diags);
    if (status == PEPA_OK)
        *out = trace;
    else
        trace_free(trace);
    return status;
}

void trace_free(Trace *trace)
{
    if (!trace)
        return;
    mem_free_all(trace->step, trace->work, trace->send);
    mem_free(trace);
}
