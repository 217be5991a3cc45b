/* Activities from text: two lines that say what follows, then rows of numbers. */
#include "grid/gum/activity/read.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/diag.h"
#include "base/error.h"
#include "base/number.h"

enum { MOST_WORDS = 11, COLUMNS = 2 + ACTIVITY_NUMBERS };
#define MOST_WIDTH 1e15 /* seconds */

typedef struct {
    const Source *source;
    DiagList *diags;
    Activity *activity;
    size_t cells, cap;
    int lines; /* that were not empty */
    bool no_memory;
    Span word[MOST_WORDS + 1];
    int words;
} Reading;

#define bad(r, where, ...) (diag_error((r)->diags, where, __VA_ARGS__), false)

static Span whole_line(const Reading *r)
{
    return (Span){r->word[0].begin, r->word[r->words - 1].end};
}

/* The words of a line, up to one too many. */
static void split(Reading *r, size_t begin, size_t end)
{
    const char *text = r->source->text;
    for (r->words = 0; r->words <= MOST_WORDS;) {
        while (begin < end && strchr(" \t\r", text[begin]) && text[begin])
            begin++;
        size_t from = begin;
        while (begin < end && !(text[begin] && strchr(" \t\r", text[begin])))
            begin++;
        if (from == begin)
            return;
        r->word[r->words++] = (Span){(uint32_t)from, (uint32_t)begin};
    }
}

static bool says(const Reading *r, int word, const char *text)
{
    size_t length = r->word[word].end - r->word[word].begin;
    return strlen(text) == length &&
           memcmp(r->source->text + r->word[word].begin, text, length) == 0;
}

/* A finite number >= 0. */
static bool read_number(Reading *r, int word, double *out)
{
    char text[64];
    size_t length = r->word[word].end - r->word[word].begin;
    if (length < sizeof text) {
        memcpy(text, r->source->text + r->word[word].begin, length);
        text[length] = '\0';
        if (number_is(text) && isfinite(*out = number_read(text)))
            return true;
    }
    return bad(r, r->word[word], "not a number from 0");
}

static bool read_word(Reading *r, int word, char out[ACTIVITY_NAME])
{
    size_t length = r->word[word].end - r->word[word].begin;
    const char *text = r->source->text + r->word[word].begin;
    if (length >= ACTIVITY_NAME)
        return bad(r, r->word[word], "a name has at most %d bytes", ACTIVITY_NAME - 1);
    for (size_t i = 0; i < length; i++)
        if (text[i] <= ' ' || text[i] > '~')
            return bad(r, r->word[word], "a name has printable characters of ASCII only");
    memcpy(out, text, length);
    out[length] = '\0';
    return true;
}

static bool read_version(Reading *r)
{
    if (r->words != 2 || !says(r, 0, "gum-activity"))
        return bad(r, whole_line(r), "the first line of an activity is `gum-activity 1`");
    return says(r, 1, "1") || bad(r, r->word[1], "this program reads version 1 of activities");
}

static bool read_run(Reading *r)
{
    static const char *const names[] = {"run", "program",  "-", "policy", "-", "processes",
                                        "-",   "makespan", "-", "width",  "-"};
    Activity *a = r->activity;
    double processes;
    for (int i = 0; i < MOST_WORDS; i += i ? 2 : 1)
        if (r->words != MOST_WORDS || !says(r, i, names[i]))
            return bad(r, whole_line(r),
                       "the second line is `run program NAME policy NAME processes N makespan "
                       "SECONDS width SECONDS`");
    if (!read_word(r, 2, a->program) || !read_word(r, 4, a->policy) ||
        !read_number(r, 6, &processes) || !read_number(r, 8, &a->makespan) ||
        !read_number(r, 10, &a->width))
        return false;
    if (processes < 1 || processes > ACTIVITY_MOST_PROCESSES || processes != floor(processes))
        return bad(r, r->word[6], "a run has 1 to %d processes", ACTIVITY_MOST_PROCESSES);
    if (!(a->makespan > 0) || a->makespan > MOST_WIDTH)
        return bad(r, r->word[8], "the makespan is above 0 and at most %g", MOST_WIDTH);
    if (!(a->width > 0) || a->makespan > a->width * ACTIVITY_CELLS * (1 + 1e-6))
        return bad(r, r->word[10], "there are at most %d intervals", ACTIVITY_CELLS);
    a->processes = (int32_t)processes;
    a->intervals = activity_intervals(a->makespan, a->width);
    return true;
}

static bool read_row(Reading *r)
{
    Activity *a = r->activity;
    double number[COLUMNS];
    double process = (double)(r->cells / (size_t)a->intervals),
           interval = (double)(r->cells % (size_t)a->intervals);
    if (process >= a->processes)
        return bad(r, whole_line(r), "a row too many: there are %d processes and %d intervals",
                   (int)a->processes, (int)a->intervals);
    if (r->words != COLUMNS)
        return bad(r, whole_line(r), "a row has %d numbers", COLUMNS);
    for (int i = 0; i < COLUMNS; i++)
        if (!read_number(r, i, &number[i]))
            return false;
    if (number[0] != process || number[1] != interval)
        return bad(r, (Span){r->word[0].begin, r->word[1].end},
                   "here is the row of process %.0f, interval %.0f", process, interval);
    const double *time = number + 2;
    if (time[0] + time[1] + time[2] > a->width * (1 + 1e-3))
        return bad(r, (Span){r->word[2].begin, r->word[4].end},
                   "running, fetching and idle are more than the interval");
    if (!mem_grow(a->cell, r->cap, r->cells + 1)) {
        r->no_memory = true;
        return false;
    }
    memcpy(&a->cell[r->cells++], time, sizeof *a->cell);
    return true;
}

static void read_lines(Reading *r)
{
    const char *text = r->source->text;
    bool good = true;
    for (size_t at = source_start(r->source); at < r->source->length && good;) {
        const char *newline = memchr(text + at, '\n', r->source->length - at);
        size_t end = newline ? (size_t)(newline - text) : r->source->length;
        const char *hash = memchr(text + at, '#', end - at);
        split(r, at, hash ? (size_t)(hash - text) : end);
        at = end + 1;
        if (r->words > 0) {
            good = r->lines == 0 ? read_version(r) : r->lines == 1 ? read_run(r) : read_row(r);
            r->lines += r->lines < 2;
        }
    }
}

static PepaStatus check_whole(Reading *r)
{
    const Span everywhere = {SPAN_NOWHERE, SPAN_NOWHERE};
    const Activity *a = r->activity;
    if (r->lines < 2) {
        (void)bad(r, everywhere, "the activity has no line '%s'",
                  r->lines ? "run" : "gum-activity");
        return PEPA_EMODEL;
    }
    if (r->cells == (size_t)a->processes * (size_t)a->intervals)
        return PEPA_OK;
    (void)bad(r, everywhere, "%d processes with %d intervals are announced, there are %zu rows",
              (int)a->processes, (int)a->intervals, r->cells);
    return PEPA_EMODEL;
}

PepaStatus activity_read(Activity **out, const char *name, const char *text, size_t length,
                         PepaDiagnose diagnose, void *user, PepaError *err)
{
    const Source source = {name, text, length};
    DiagList diags = {0};
    Activity *activity;
    if (length >= UINT32_MAX)
        return error_set(err, PEPA_ELIMIT, "the activity is longer than 4 GB");
    if (!mem_new_zeroed(activity, 1))
        return error_memory(err);
    Reading r = {.source = &source, .diags = &diags, .activity = activity};
    read_lines(&r);
    PepaStatus status = r.no_memory        ? error_memory(err)
                        : diags.errors > 0 ? PEPA_ESYNTAX
                                           : check_whole(&r);
    if (!r.no_memory)
        status = diagnose_all(&diags, &source, diagnose, user, status, err);
    diag_free(&diags);
    if (status == PEPA_OK)
        *out = activity;
    else
        activity_free(activity);
    return status;
}

void activity_free(Activity *activity)
{
    if (!activity)
        return;
    mem_free(activity->cell);
    mem_free(activity);
}
