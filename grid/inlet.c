#include "grid/inlet.h"

#include <assert.h>

int inlet_wait(Unit *unit, Message *message, double now)
{
    Behind *behind = &unit->behind;
    assert(message->head.item == unit->item + 2 && !behind->present);
    buffer_swap(&behind->body, &message->body);
    behind->present = 1;
    behind->told = 0;
    behind->end = message->head.end;
    behind->item = message->head.item;
    behind->since = now;
    return 0;
}

void inlet_follow(Unit *unit, double when)
{
    Behind *behind = &unit->behind;
    Inlet *inlet = &unit->inlet;
    inlet->state = INLET_SHUT;
    inlet->since = when;
    if (!behind->present)
        return;
    buffer_swap(&inlet->body, &behind->body);
    inlet->state = behind->told ? INLET_FULL : INLET_COMING;
    inlet->item = behind->item;
    inlet->end = behind->end;
    inlet->due = inlet->since = behind->since;
    behind->present = 0;
}
