/* What a run's tasks did, for its profile. */
#include "grid/gum/profiler.h"

#include <math.h>

#include "grid/core/clock.h"

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
    const Frame *frame = gum->threads.current->frame;
    count(gum, clock_now());
    record->path = frame->path;
    record->level = frame->level + 1 < PROFILER_LEVELS ? frame->level + 1 : frame->level;
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
    Level *level = &gum->profiler->level[frame.level];
    level->tasks++;
    level->work += frame.own;
    level->squares += frame.own * frame.own;
    level->longest = fmax(level->longest, frame.own);
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
    return grid_put(body, &record->path, sizeof record->path) ? session_out_of_memory(&gum->session)
                                                              : 0;
}

int profiler_get(Gum *gum, Record *record, Cursor *from)
{
    if (!gum->profiler)
        return 0;
    return buffer_get(from, &record->path, sizeof record->path)
               ? session_fail(&gum->session, GRID_EMPI, "a message is too short")
               : 0;
}
