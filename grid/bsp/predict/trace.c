/* Traces from text: lines of words, each checked, then equal supersteps found. */
#include "grid/bsp/predict/trace.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/hash.h"
#include "grid/predict/words.h"

typedef struct {
    Words line;
    Trace *trace;
    size_t step_cap, work_cap, send_cap;
    size_t sends;
    int64_t version; /* 0: not read */
    bool no_memory;
} Reading;

static bool read_process(Reading *r, int word, int32_t *out)
{
    int64_t process;
    const char *message = "there is no such process: they are numbered from 0";
    if (!words_whole(&r->line, word, (double)r->trace->processes - 1, message, &process))
        return false;
    *out = (int32_t)process;
    return true;
}

/* ---- lines ----------------------------------------------------------------------------------- */

static bool read_version(Reading *r)
{
    int64_t version;
    static const char known[] = "this program reads versions 1 and 2 of traces";
    if (r->version > 0)
        return words_bad(&r->line, r->line.word[0],
                         "the first line of a trace says this, no other");
    if (!words_whole(&r->line, 1, 2, known, &version))
        return false;
    if (version == 0)
        return words_bad(&r->line, r->line.word[1], known);
    r->version = version;
    return true;
}

static bool read_processes(Reading *r)
{
    int64_t count;
    if (r->trace->processes > 0)
        return words_bad(&r->line, r->line.word[0], "the number of processes was given before");
    if (!words_whole(&r->line, 1, MOST_PROCESSES, "a trace has 1 to 1024 processes", &count))
        return false;
    if (count == 0)
        return words_bad(&r->line, r->line.word[1], "a trace has 1 to 1024 processes");
    r->trace->processes = (int32_t)count;
    return true;
}

static bool read_step(Reading *r)
{
    Trace *t = r->trace;
    const int64_t first = r->version == 1;
    int64_t number;
    if (!words_whole(&r->line, 1, 1e15, "the number of a superstep is too large", &number))
        return false;
    if (number != t->steps + first)
        return words_bad(&r->line, r->line.word[1],
                         "supersteps are numbered from %d, one after another", (int)first);
    const size_t work = (size_t)t->processes * (size_t)(t->steps + 1);
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
    if (!(read_process(r, 1, &process) && words_number(&r->line, 2, &seconds)))
        return false;
    r->trace->work[(r->trace->steps - 1) * r->trace->processes + process] += seconds;
    return true;
}

static bool read_transfer(Reading *r, bool reply)
{
    Trace *t = r->trace;
    TraceSend send = {.reply = reply};
    if (!(read_process(r, 1, &send.from) && read_process(r, 2, &send.to) &&
          words_number(&r->line, 3, &send.bytes)))
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

static bool read_send(Reading *r)
{
    return read_transfer(r, false);
}

static bool read_reply(Reading *r)
{
    return read_transfer(r, true);
}

/* The kinds of lines. */
static const struct {
    const char *word;
    int words;
    bool (*read)(Reading *r);
    const char *form;
} kinds[] = {
    {"bsp-trace", 2, read_version, "the first line of a trace is `bsp-trace 2`"},
    {"processes", 2, read_processes, "here `processes` and their number are needed"},
    {"step", 2, read_step, "the line is `step` and the number of the superstep"},
    {"work", 3, read_work, "the line is `work`, a process, and seconds"},
    {"send", 4, read_send, "the line is `send`, a process, another process, and bytes"},
    {"reply", 4, read_reply, "the line is `reply`, a process, another process, and bytes"},
};
enum { VERSION, PROCESSES, STEP, KINDS = sizeof kinds / sizeof *kinds };

static void read_line(Reading *r)
{
    Words *line = &r->line;
    int kind = 0;
    while (kind < KINDS && !words_say(line, 0, kinds[kind].word))
        kind++;
    const int least = r->version == 0            ? VERSION
                      : r->trace->processes == 0 ? PROCESSES
                      : r->trace->steps == 0     ? STEP
                                                 : KINDS;
    if (kind > least || (kind < least && least != KINDS)) {
        (void)words_bad(line, line->word[0], "%s", kinds[least < KINDS ? least : STEP].form);
        line->stop = least < KINDS; /* nothing that follows makes sense */
    } else if (kind == KINDS) {
        (void)words_bad(line, line->word[0],
                        "lines of a superstep begin with `work`, `send`, `reply` or `step`");
    } else if (line->count != kinds[kind].words) {
        (void)words_bad(line, words_line(line), "%s", kinds[kind].form);
        line->stop = kind <= PROCESSES;
    } else if (!kinds[kind].read(r)) {
        line->stop = line->stop || kind <= STEP;
    }
}

/* ---- equal supersteps ------------------------------------------------------------------------ */

static int by_pair(const void *a, const void *b)
{
    const TraceSend *x = a, *y = b;
    if (x->from != y->from)
        return (x->from > y->from) - (x->from < y->from);
    return x->to != y->to ? (x->to > y->to) - (x->to < y->to) : x->reply - y->reply;
}

/* Each pair once, and its answers. */
static void join_sends(Trace *t, TraceStep *step)
{
    if (step->count == 0)
        return;
    TraceSend *send = t->send + step->first;
    size_t count = 0;
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
        hash = hash_mix(hash, hash_pair(send->from, 2 * send->to + send->reply));
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
    if (length > TEXT_MOST)
        return error_set(err, PEPA_ELIMIT, "the trace is longer than 2 GB");
    if (!mem_new_zeroed(trace, 1))
        return error_memory(err);
    Reading r = {.line = {.source = &source, .diags = &diags}, .trace = trace};
    while (!r.no_memory && words_next(&r.line))
        read_line(&r);
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
