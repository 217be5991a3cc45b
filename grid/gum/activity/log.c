/* What a process did over time, in memory of fixed size. */
#include "grid/gum/activity/log.h"

#include <string.h>

void activity_begin(ActivityLog *log)
{
    memset(log, 0, sizeof *log);
    log->width = ACTIVITY_WIDTH;
}

static void add(ActivityCell *to, const ActivityCell *what, double share)
{
    to->running += share * what->running;
    to->fetching += share * what->fetching;
    to->idle += share * what->idle;
    to->runnable += share * what->runnable;
    to->blocked += share * what->blocked;
    to->made += share * what->made;
    to->pruned += share * what->pruned;
    to->taken += share * what->taken;
    to->given += share * what->given;
}

static void join(ActivityLog *log)
{
    for (int i = 0; i < ACTIVITY_CELLS / 2; i++) {
        ActivityCell both = log->cell[2 * i];
        add(&both, &log->cell[2 * i + 1], 1);
        log->cell[i] = both;
    }
    memset(log->cell + ACTIVITY_CELLS / 2, 0, sizeof log->cell / 2);
    log->width *= 2;
}

void activity_widen(ActivityLog *log, double width)
{
    while (log->width < width)
        join(log);
}

void activity_add(ActivityLog *log, double from, double to, const ActivityCell *what)
{
    while (to >= log->width * ACTIVITY_CELLS)
        join(log);
    int first = (int)(from / log->width), last = (int)(to / log->width);
    if (first >= last) {
        add(&log->cell[last], what, 1);
        return;
    }
    double left = 1;
    for (int i = first; i < last; i++) {
        double begin = i == first ? from : i * log->width;
        double share = ((i + 1) * log->width - begin) / (to - from);
        add(&log->cell[i], what, share);
        left -= share;
    }
    add(&log->cell[last], what, left > 0 ? left : 0);
}
