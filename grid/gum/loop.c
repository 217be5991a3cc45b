/* The event loop's part that is GUM's.
 *
 * Between looks at messages the loop runs threads that are ready, in turn, and begins threads with the
 * newest sparks of the pool, for a slice of time.  When there is nothing to run it asks for results that
 * its threads wait for, and for work. */
#include "grid/gum/loop.h"

#include <math.h>
#include <string.h>

#include "grid/core/clock.h"
#include "grid/gum/activity.h"
#include "grid/gum/data.h"
#include "grid/gum/demand.h"
#include "grid/gum/load.h"
#include "grid/gum/messages.h"
#include "grid/gum/profiler.h"
#include "grid/gum/steal.h"
#include "grid/gum/stuck.h"
#include "grid/gum/tuning.h"

/* A spark to run: the newest; where no more threads may begin, one that a thread waits for, which then runs it. */
static Record *next_spark(Gum *gum)
{
    if (gum->threads.live < gum->threads.limit)
        return pool_newest(&gum->pool);
    Record *record = pool_see_awaited(&gum->pool);
    if (record)
        pool_remove(&gum->pool, record);
    return record;
}

/* Where no thread is ready: one for a spark, or that waits for it.  1: there is one now; 0: there is nothing to run; -1:
 * failed. */
static int begin(Gum *gum)
{
    Threads *threads = &gum->threads;
    if (load_waits(gum))
        return 0;
    Record *record = next_spark(gum);
    if (!record)
        return 0;
    if (record->waiting)
        threads_wake(threads, &record->waiting);
    else if (!threads_start(threads, record))
        return session_out_of_memory(&gum->session);
    return 1;
}

/* Who has nothing to run begins what has come before it looks at other messages: a process that asks for work, too, would
 * take it, and sparks would go round among those that have none. */
static int schedule(Gum *gum, const Message *message)
{
    if (steal_schedule(gum, message))
        return -1;
    return !gum->threads.ready && begin(gum) < 0 ? -1 : 0;
}

static int handle(Gum *gum, const Message *message)
{
    switch (message->head.tag) {
    case TAG_FISH:
        return steal_fish(gum, message);
    case TAG_SCHEDULE:
        return schedule(gum, message);
    case TAG_NULL:
        return steal_null(gum, message);
    case TAG_ACK:
        return demand_ack(gum, message);
    case TAG_FETCH:
        return demand_fetch(gum, message);
    case TAG_RETURN:
        return demand_return(gum, message);
    case TAG_RESUME:
        return demand_resume(gum, message);
    case TAG_DATA:
        return data_asked(gum, message);
    case TAG_DATUM:
        return data_arrived(gum, message);
    case TAG_QUIET:
        return stuck_asked(gum, message);
    case TAG_WORD:
        return stuck_told(gum, message);
    default:
        return session_fail(&gum->session, GRID_EMPI, "a message of kind %d",
                            (int)message->head.tag);
    }
}

int loop_handle(void *self, Message *message)
{
    Gum *gum = self;
    Profiler *profiler = gum->profiler;
    double begun = profiler ? clock_now() : 0;
    gum->stuck.received += tag_counts(message->head.tag);
    int status = handle(gum, message);
    if (profiler) {
        profiler->messages++;
        profiler->message_time += clock_now() - begun;
    }
    return status;
}

/* The next thread to run: one that is ready, or that waits for a spark that is here, or a new one.  1: there is one in
 * *out; 0: there is nothing to run; -1: failed. */
static int choose(Gum *gum, Thread **out)
{
    Threads *threads = &gum->threads;
    *out = threads_next(threads);
    if (*out)
        return 1;
    const int found = begin(gum);
    if (found > 0)
        *out = threads_next(threads);
    return found;
}

/* Run what there is until a slice is over or a message comes.  1: did something; 0; -1: failed. */
static int run(Gum *gum, double now)
{
    Thread *thread;
    int did = 0, found;
    gum->slice_end = now + SLICE;
    gum->look = now + gum->look_every;
    gum->paused = now;
    while ((found = choose(gum, &thread)) > 0) {
        did = 1;
        profiler_enter(gum, now);
        gum->entered = now;
        gum->made = gum->counters.made;
        gum_quick = gum->careful ? NULL : gum;
        threads_enter(&gum->threads, thread);
        gum_quick = NULL;
        now = clock_now();
        thread->ran += now - gum->entered;
        thread->makes |= gum->made < gum->counters.made;
        if (gum->failed)
            return -1;
        gum->looks++;
        if (now >= gum->slice_end || transport_waiting(&gum->session.transport))
            break;
    }
    return found < 0 ? -1 : did;
}

/* The time since the last step was spent on this. */
static void account(Gum *gum, double now, double *what)
{
    *what += now - gum->activity_since;
    if (gum->timeline)
        activity_note(gum, now, what);
    gum->activity_since = now;
}

/* Process 0: the main task has ended. */
static void finish(Gum *gum)
{
    const GumValue *value = &gum->main->type->task.result;
    if (value->size > 0)
        memcpy(gum->main_result, record_result(gum->main), value->size);
    gum->makespan = context_elapsed(gum);
    gum->critical = gum->main->path;
    record_free(&gum->records, gum->main);
    gum->main = NULL;
    session_stop(&gum->session);
}

int loop_step(void *self, double now)
{
    Gum *gum = self;
    Counters *counters = &gum->counters;
    account(gum, now, gum->threads.blocked > 0 ? &counters->fetching : &counters->idle);
    int ran = run(gum, now);
    if (ran < 0)
        return -1;
    if (ran) {
        now = clock_now();
        account(gum, now, &counters->running);
    }
    if (gum->main && gum->main->state == RECORD_DONE) {
        finish(gum);
        return 1;
    }
    int demanded = ran ? 0 : demand_step(gum);
    int asked = steal_step(gum, now);
    int wondered = stuck_step(gum, ran || demanded, now);
    if (demanded < 0 || asked < 0 || wondered < 0)
        return -1;
    return ran | demanded | asked | wondered | steal_spins(gum, now);
}

double loop_next(const void *self, double now)
{
    const Gum *gum = self;
    return gum->threads.ready ? now : steal_next(gum);
}
