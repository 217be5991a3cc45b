/* What a run's tasks did, for its profile. */
#include "grid/gum/profiler.h"

#include <math.h>

#include "grid/core/clock.h"

/* What a result brings.  A task that runs on two processes is counted where the result that comes first
 * arrives, others where they ran. */
typedef struct {
    double path, own; /* own < 0: it has been counted */
} Ran;

/* Work of the current frame up to now. */
static void count(Gum *gum, double now)
{
    Profiler *profiler = gum->profiler;
    Frame *frame = gum->threads.current ? gum->threads.current->frame : NULL;
    double work = (now - profiler->mark) / profiler->time;
    profiler->mark = now;
    if (!frame)
        return;
    frame->own += work;
    frame->path += work;
}

void profiler_leave(Gum *gum, double now)
{
    if (gum->profiler)
        count(gum, now);
}

void profiler_spark(Gum *gum, Record *record)
{
    Frame *frame = gum->threads.current->frame;
    count(gum, clock_now());
    frame->makes = 1;
    record->path = frame->path;
    record->level = frame->level + 1 < PROFILER_LEVELS ? frame->level + 1 : frame->level;
}

/* A task of this level with so much work of its own, which may run on two processes (pure). */
static void add(Gum *gum, int32_t at, double own, int pure)
{
    Level *level = &gum->profiler->level[at];
    level->tasks++;
    level->pure += pure;
    level->work += own;
    level->squares += own * own;
    level->longest = fmax(level->longest, own);
}

void profiler_run(Gum *gum, Record *record)
{
    Thread *thread = gum->threads.current;
    Frame frame = {.up = thread->frame, .path = record->path, .level = record->level};
    count(gum, clock_now());
    thread->frame = &frame;
    record->type->task.run(record->data, record_result(record));
    count(gum, clock_now());
    thread->frame = frame.up;
    record->path = frame.path;
    if (record->odd & ODD_TWICE)
        record->own = frame.own;
    else
        add(gum, frame.level, frame.own, record->type->pure && !frame.makes);
}

void profiler_force(Gum *gum, const Record *record)
{
    Frame *frame = gum->threads.current->frame;
    count(gum, clock_now());
    frame->path = fmax(frame->path, record->path);
}

int profiler_put(Gum *gum, const Record *record, GridBuffer *body)
{
    if (!gum->profiler)
        return 0;
    const Ran ran = {record->path, record->odd & ODD_TWICE ? record->own : -1};
    return grid_put(body, &ran, sizeof ran) ? session_out_of_memory(&gum->session) : 0;
}

int profiler_get(Gum *gum, Record *record, Cursor *from)
{
    if (!gum->profiler)
        return 0;
    Ran ran;
    if (buffer_get(from, &ran, sizeof ran))
        return session_fail(&gum->session, GRID_EMPI, "a message is too short");
    record->path = ran.path;
    if (ran.own >= 0)
        add(gum, record->level, ran.own, 1);
    return 0;
}
