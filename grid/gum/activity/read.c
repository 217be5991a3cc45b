/* Activities from text: two lines that say what follows, then rows of numbers. */
#include "grid/gum/activity/read.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "base/error.h"
#include "grid/predict/words.h"

enum { RUN_WORDS = 11, COLUMNS = 2 + ACTIVITY_NUMBERS };
#define MOST_WIDTH 1e15 /* seconds */

typedef struct {
    Words line;
    Activity *activity;
    size_t cells, cap;
    int lines; /* that were not empty */
    bool no_memory;
} Reading;

#define bad(r, ...) words_bad(&(r)->line, __VA_ARGS__)

static Span whole_line(const Reading *r)
{
    return words_line(&r->line);
}

static bool read_version(Reading *r)
{
    if (r->line.count != 2 || !words_say(&r->line, 0, "gum-activity"))
        return bad(r, whole_line(r), "the first line of an activity is `gum-activity 1`");
    return words_say(&r->line, 1, "1") ||
           bad(r, r->line.word[1], "this program reads version 1 of activities");
}

static bool read_run(Reading *r)
{
    static const char *const names[] = {"run", "program",  "-", "policy", "-", "processes",
                                        "-",   "makespan", "-", "width",  "-"};
    Activity *a = r->activity;
    double processes;
    for (int i = 0; i < RUN_WORDS; i += i ? 2 : 1)
        if (r->line.count != RUN_WORDS || !words_say(&r->line, i, names[i]))
            return bad(r, whole_line(r),
                       "the second line is `run program NAME policy NAME processes N makespan "
                       "SECONDS width SECONDS`");
    if (!words_name(&r->line, 2, a->program, ACTIVITY_NAME) ||
        !words_name(&r->line, 4, a->policy, ACTIVITY_NAME) ||
        !words_number(&r->line, 6, &processes) || !words_number(&r->line, 8, &a->makespan) ||
        !words_number(&r->line, 10, &a->width))
        return false;
    if (processes < 1 || processes > ACTIVITY_MOST_PROCESSES || processes != floor(processes))
        return bad(r, r->line.word[6], "a run has 1 to %d processes", ACTIVITY_MOST_PROCESSES);
    if (!(a->makespan > 0) || a->makespan > MOST_WIDTH)
        return bad(r, r->line.word[8], "the makespan is above 0 and at most %g", MOST_WIDTH);
    if (!(a->width > 0) || a->makespan > a->width * ACTIVITY_CELLS * (1 + 1e-6))
        return bad(r, r->line.word[10], "there are at most %d intervals", ACTIVITY_CELLS);
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
    if (r->line.count != COLUMNS)
        return bad(r, whole_line(r), "a row has %d numbers", COLUMNS);
    for (int i = 0; i < COLUMNS; i++)
        if (!words_number(&r->line, i, &number[i]))
            return false;
    if (number[0] != process || number[1] != interval)
        return bad(r, (Span){r->line.word[0].begin, r->line.word[1].end},
                   "here is the row of process %.0f, interval %.0f", process, interval);
    const double *time = number + 2;
    if (time[0] + time[1] + time[2] > a->width * (1 + 1e-3))
        return bad(r, (Span){r->line.word[2].begin, r->line.word[4].end},
                   "running, fetching and idle are more than the interval");
    if (!mem_grow(a->cell, r->cap, r->cells + 1)) {
        r->no_memory = true;
        return false;
    }
    memcpy(&a->cell[r->cells++], time, sizeof *a->cell);
    return true;
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
    if (length > TEXT_MOST)
        return error_set(err, PEPA_ELIMIT, "the activity is longer than 2 GB");
    if (!mem_new_zeroed(activity, 1))
        return error_memory(err);
    Reading r = {.line = {.source = &source, .diags = &diags}, .activity = activity};
    bool good = true;
    while (good && words_next(&r.line)) {
        good = r.lines == 0 ? read_version(&r) : r.lines == 1 ? read_run(&r) : read_row(&r);
        r.lines += r.lines < 2;
    }
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
