/* The second place of a unit's input buffer. */
#include "grid/pipeline/input.h"

#include <assert.h>

void input_queue(Unit *unit, int64_t item, int32_t end, GridBuffer *body, double now)
{
    Queued *queued = &unit->queued;
    assert(item == unit->item + 2 && !queued->present);
    buffer_swap(&queued->body, body);
    queued->present = 1;
    queued->told = 0;
    queued->end = end;
    queued->item = item;
    queued->since = now;
}

void input_advance(Unit *unit, double when)
{
    Queued *queued = &unit->queued;
    Input *input = &unit->input;
    input->state = INPUT_CLOSED;
    input->since = when;
    if (!queued->present)
        return;
    buffer_swap(&input->body, &queued->body);
    input->state = queued->told ? INPUT_FULL : INPUT_ARRIVING;
    input->item = queued->item;
    input->end = queued->end;
    input->due = input->since = queued->since;
    queued->present = 0;
}
