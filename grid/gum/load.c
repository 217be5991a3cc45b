/* What this process has to do. */
#include "grid/gum/load.h"

#include <math.h>

#include "grid/gum/repeat.h"
#include "grid/gum/tuning.h"

/* Seconds that a spark takes here: of those that others took from here, or else of those that came. */
static double task_here(const Gum *gum)
{
    if (gum->given.count > 0)
        return gum->given.work / gum->tables.fixed[gum->pid].speed;
    if (gum->counters.threads > 0 && gum->pid != gum->tables.main)
        return gum->counters.running / (double)gum->counters.threads;
    return 0;
}

void load_note(Gum *gum)
{
    PeDynamic *mine = &gum->tables.dynamic[gum->pid];
    mine->stamp = context_elapsed(gum);
    int64_t sparks = pool_count(&gum->pool);
    mine->sparks = sparks < INT32_MAX ? (int32_t)sparks : INT32_MAX;
    mine->threads = gum->threads.live;
    gum->tables.task = task_here(gum);
}

int load_waits(const Gum *gum)
{
    const Tables *tables = &gum->tables;
    double trip = 0;
    int32_t waiting = 0;
    if (gum->threads.blocked == 0)
        return 0;
    for (const Thread *each = gum->threads.living; each; each = each->next_live)
        if (each->fetches) {
            trip = fmax(trip, FETCH_TRIPS * tables->communication[each->fetches - 1].latency);
            waiting++;
        }
    if (waiting == 0)
        return 0;
    const double task = tables->task;
    return task <= 0 || trip < SOON * task || (waiting - 1) * task >= trip;
}

/* The spark that begins when this process goes on; NULL: some thread goes on, or none may begin. */
static const Record *next_to_begin(const Gum *gum)
{
    const Threads *threads = &gum->threads;
    const Thread *current = threads->current;
    if (threads->ready || (current && !record_ended(current->task)) ||
        threads->live - (current != NULL) >= threads->limit || load_waits(gum))
        return NULL;
    return pool_see_newest(&gum->pool);
}

void load_foresee(Gum *gum)
{
    const Thread *current = gum->threads.current;
    PeDynamic *mine = &gum->tables.dynamic[gum->pid];
    if (!gum->tables.repeats)
        return;
    const Record *next = next_to_begin(gum);
    double ran = repeat_ran(gum);
    mine->threads -= current && record_ended(current->task);
    if (next) {
        mine->sparks--;
        mine->threads++;
        if (repeat_may(gum, next))
            ran = 0;
    }
    mine->began = ran >= 0 ? fmax(0, mine->stamp - ran) : -1;
}
