/* A heap of events. */
#include "events.h"

#include <stdbool.h>
#include <stdlib.h>

static bool before(const Event *a, const Event *b)
{
    return a->time < b->time || (a->time == b->time && a->number < b->number);
}

int events_add(Events *e, Event event)
{
    if (e->count == e->cap) {
        size_t cap = e->cap ? 2 * e->cap : 256;
        Event *heap = realloc(e->event, cap * sizeof *heap);
        if (!heap)
            return -1;
        e->event = heap;
        e->cap = cap;
    }
    size_t at = e->count++;
    event.number = e->number++;
    while (at > 0 && before(&event, &e->event[(at - 1) / 2])) {
        e->event[at] = e->event[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    e->event[at] = event;
    return 0;
}

Event events_next(Events *e)
{
    const Event first = e->event[0], event = e->event[--e->count];
    size_t at = 0;
    for (;;) {
        size_t child = 2 * at + 1;
        if (child + 1 < e->count && before(&e->event[child + 1], &e->event[child]))
            child++;
        if (child >= e->count || !before(&e->event[child], &event))
            break;
        e->event[at] = e->event[child];
        at = child;
    }
    e->event[at] = event;
    return first;
}
