/* Running a task in place, and what its end means to those who wait for it. */
#include "grid/gum/evaluate.h"

#include "grid/core/clock.h"
#include "grid/gum/messages.h"
#include "grid/gum/profiler.h"
#include "grid/gum/repeat.h"
#include "grid/gum/tuning.h"
#include "grid/gum/values.h"

/* ---- pauses -------------------------------------------------------------------------------------- */

enum { UP = 4, DOWN = 2, SAMPLED = 4 };

/* Half of the time between looks. */
int64_t evaluate_budget(const Gum *gum)
{
    return (int64_t)(BUDGET * (gum->look_every / LOOK));
}

/* A budget that lasted far longer than it should: what lies between sparks is not as short as it was. */
static void adapt(Gum *gum, double lasted)
{
    const int64_t most = evaluate_budget(gum);
    if (lasted > UP * gum->look_every)
        gum->full = gum->full / UP > LEAST_WEIGHT ? gum->full / UP : LEAST_WEIGHT;
    else if (lasted < gum->look_every / DOWN)
        gum->full = gum->full * DOWN < most ? gum->full * DOWN : most;
}

/* Sparks that nobody forces meanwhile count as well, when this many have been made. */
void evaluate_set_soft(Gum *gum)
{
    Pool *pool = &gum->pool;
    int64_t more = gum->full / LEAST_WEIGHT, room = gum->settings.sparks - pool_count(pool),
            left = pool->end - pool->top;
    more = more > 1 ? more : 1;
    more = more < room ? more : room;
    more = more < left ? more : left;
    pool->soft = pool->top + (more > 0 ? more : 0);
}

void evaluate_pause(Gum *gum)
{
    double now = clock_now();
    double lasted = now - gum->paused;
    adapt(gum, lasted);
    gum->paused = now;
    gum->budget = gum->full;
    gum->sample = ++gum->pauses % SAMPLED == 0 || lasted > UP * gum->look_every;
    gum->careful = gum->sample || gum->profiler;
    gum_quick = gum->careful ? NULL : gum;
    evaluate_set_soft(gum);
    if (now < gum->look)
        return;
    gum->look = now + gum->look_every;
    gum->looks++;
    if (now < gum->slice_end && !transport_waiting(&gum->session.transport))
        return;
    profiler_leave(gum, now);
    threads_yield(&gum->threads);
}

/* Nanoseconds that a task took; counts only if it had no sparks of its own, which are measured
 * themselves.  It rises at once and falls slowly: tasks of a type can differ. */
static void weigh(Gum *gum, Record *record)
{
    Type *type = record->type;
    int64_t before = gum->counters.made + gum->counters.inlined + gum->counters.threads;
    double begun = clock_now();
    gum->sample = 0;
    gum->careful = gum->profiler != NULL;
    gum_quick = gum->careful ? NULL : gum;
    type->task.run(record->data, record_result(record));
    if (before != gum->counters.made + gum->counters.inlined + gum->counters.threads) {
        if (!type->measured)
            type->weight = LEAST_WEIGHT;
        type->measured = 1;
        return;
    }
    double took = 1e9 * (clock_now() - begun - gum->clock_cost);
    int64_t weight = took < 1e15 ? (int64_t)took : (int64_t)1e15;
    if (type->measured && weight < type->weight)
        weight = type->weight - (type->weight - weight) / 4;
    type->weight = weight > LEAST_WEIGHT ? weight : LEAST_WEIGHT;
    type->measured = 1;
}

/* ---- tasks --------------------------------------------------------------------------------------- */

void evaluate_carefully(Gum *gum, Record *record)
{
    if (gum->budget < 0)
        evaluate_pause(gum);
    gum->sample |= !record->type->measured;
    if (gum->profiler)
        profiler_run(gum, record);
    else if (gum->sample)
        weigh(gum, record);
    else
        record->type->task.run(record->data, record_result(record));
}

void evaluate_end(Gum *gum, Record *record)
{
    threads_wake(&gum->threads, &record->waiting);
    if (record->odd & ODD_ORPHAN)
        evaluate_drop(gum, record);
}

/* The result of a task that came from another process, which has run for so many seconds. */
static int resume(Gum *gum, Thread *thread, double seconds)
{
    Record *record = thread->task;
    GridBuffer *body = &thread->answer;
    const double work = seconds * gum->tables.fixed[gum->pid].speed;
    const int32_t pure = record->type->pure && !thread->makes && gum->made == gum->counters.made;
    if (pure)
        repeat_learn(gum, work);
    const GumValue *value = &record->type->task.result;
    if (message_begin(gum, body) || profiler_put(gum, record, body))
        return -1;
    size_t before = body->size;
    if (value_pack(gum, value, record_result(record), body))
        return -1;
    gum->counters.results++;
    gum->counters.result_bytes += (int64_t)(body->size - before);
    return message_send(gum, record->owner, TAG_RESUME,
                        (Fields){.id = record->id, .work = (float)work, .age = pure}, body);
}

void evaluate_thread(Thread *thread)
{
    Gum *gum = gum_now;
    Record *record = thread->task;
    gum->counters.threads++;
    evaluate(gum, record);
    if (record->owner != gum->pid) {
        if (resume(gum, thread, thread->ran + clock_now() - gum->entered))
            context_leave(gum);
        evaluate_drop(gum, record);
    }
    profiler_leave(gum, gum->profiler ? clock_now() : 0);
}

void evaluate_drop(Gum *gum, Record *record)
{
    const GumTask *task = &record->type->task;
    switch (record->state) {
    case RECORD_RUNNING:
        record->odd |= ODD_ORPHAN;
        return;
    case RECORD_SPARK:
        pool_remove(&gum->pool, record);
        value_clear(&task->argument, record->data);
        break;
    case RECORD_HELD:
        value_clear(&task->argument, record->data);
        break;
    case RECORD_DONE:
        value_clear(&task->result, record_result(record));
        break;
    default:
        break;
    }
    threads_wake(&gum->threads, &record->waiting); /* they find that it was freed */
    record_free(&gum->records, record);
}

/* ---- waiting ------------------------------------------------------------------------------------- */

void evaluate_wait_for(Gum *gum, Thread **waiting)
{
    profiler_leave(gum, gum->profiler ? clock_now() : 0);
    threads_block(&gum->threads, waiting);
}

/* Does waiting for this record end only when the current thread goes on?  Follows who runs it, and what
 * that thread waits for. */
static int waits_for_itself(const Gum *gum, const Record *record)
{
    while (record && record->state == RECORD_RUNNING) {
        if (record->runner == gum->threads.current)
            return 1;
        record = record->runner->awaits;
    }
    return 0;
}

void evaluate_wait(Gum *gum, Record *record)
{
    if (waits_for_itself(gum, record))
        context_fail("gum_force", GRID_EARG, "task `%.60s` waits for itself",
                     record->type->task.name);
    gum->threads.current->awaits = record;
    evaluate_wait_for(gum, &record->waiting);
}
