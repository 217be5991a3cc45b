/* A unit as bytes, for a change of mapping. */
#include "grid/pipeline/parcel.h"

#include <string.h>

#include "grid/pipeline/unit.h"

static int out_of_memory(Run *run)
{
    return session_fail(&run->session, GRID_ENOMEM, "%s: out of memory",
                        session_process_name(&run->session, run_rank(run)).text);
}

/* The fixed part; then come the items and the stage's state. */
typedef struct {
    int64_t item, input_item;
    uint64_t state_size, out_size, input_size, queued_size;
    int32_t state, end, input_state, input_end, queued, queued_end;
} Parcel;

static int put_state(Run *run, int32_t unit, GridBuffer *out)
{
    const GridStage *stage = unit_stage(run, unit);
    GridBuffer state = {0};
    int answer = stage->pack ? stage->pack(run->unit[unit].data, &state) : 0;
    int status = answer ? unit_cannot(run, unit, "pack", answer) : 0;
    if (!status && grid_put(out, state.bytes, state.size))
        status = out_of_memory(run);
    grid_buffer_free(&state);
    return status;
}

int parcel_pack(Run *run, int32_t unit, GridBuffer *out)
{
    Unit *u = &run->unit[unit];
    Parcel parcel = {.item = u->item,
                     .state = (int32_t)u->state,
                     .end = u->end,
                     .input_item = u->input.item,
                     .input_state = (int32_t)u->input.state,
                     .input_end = u->input.end,
                     .out_size = u->state == UNIT_READY ? u->out.size : 0,
                     .input_size = u->input.state == INPUT_FULL ? u->input.body.size : 0,
                     .queued = u->queued.present,
                     .queued_end = u->queued.end,
                     .queued_size = u->queued.present ? u->queued.body.size : 0};
    out->size = 0;
    if (grid_put(out, &parcel, sizeof parcel) || grid_put(out, u->out.bytes, parcel.out_size) ||
        grid_put(out, u->input.body.bytes, parcel.input_size) ||
        grid_put(out, u->queued.body.bytes, parcel.queued_size))
        return out_of_memory(run);
    u->queued.present = 0;
    size_t before = out->size;
    if (run_is_stage(run, unit)) {
        if (put_state(run, unit, out))
            return -1;
    } else if (unit > 0 && grid_put(out, &run->departures, sizeof run->departures)) {
        return out_of_memory(run);
    }
    parcel.state_size = out->size - before;
    memcpy(out->bytes, &parcel, sizeof parcel);
    unit_destroy(run, unit);
    return 0;
}

/* The next `size` bytes as a buffer of their own. */
static int take(Run *run, Cursor *from, uint64_t size, GridBuffer *out)
{
    out->size = 0;
    if (size > from->buffer->size - from->at)
        return session_fail(&run->session, GRID_EMPI, "a unit arrived incomplete on rank %d",
                            run_rank(run));
    if (grid_put(out, from->buffer->bytes + from->at, size))
        return out_of_memory(run);
    from->at += size;
    return 0;
}

static int take_state(Run *run, int32_t unit, Cursor *from, uint64_t size)
{
    const GridStage *stage = unit_stage(run, unit);
    GridBuffer state = {0};
    int status = unit_create(run, unit);
    if (!status)
        status = take(run, from, size, &state);
    if (!status && stage->unpack) {
        int answer = stage->unpack(run->unit[unit].data, &state);
        status = answer ? unit_cannot(run, unit, "unpack", answer) : 0;
    }
    grid_buffer_free(&state);
    return status;
}

int parcel_unpack(Run *run, int32_t unit, const GridBuffer *from)
{
    Unit *u = &run->unit[unit];
    Cursor cursor = {.buffer = from};
    Parcel parcel;
    if (buffer_get(&cursor, &parcel, sizeof parcel))
        return session_fail(&run->session, GRID_EMPI, "a unit arrived incomplete on rank %d",
                            run_rank(run));
    u->item = parcel.item;
    u->state = (UnitState)parcel.state;
    u->end = parcel.end;
    u->input = (Input){.state = (InputState)parcel.input_state,
                       .end = parcel.input_end,
                       .item = parcel.input_item,
                       .body = u->input.body};
    u->queued = (Queued){.present = parcel.queued,
                         .told = 1,
                         .end = parcel.queued_end,
                         .item = parcel.input_item + 1,
                         .body = u->queued.body};
    u->since = u->due = 0;
    if (take(run, &cursor, parcel.out_size, &u->out) ||
        take(run, &cursor, parcel.input_size, &u->input.body) ||
        take(run, &cursor, parcel.queued_size, &u->queued.body))
        return -1;
    if (run_is_stage(run, unit))
        return take_state(run, unit, &cursor, parcel.state_size);
    if (unit > 0 && buffer_get(&cursor, &run->departures, sizeof run->departures))
        return session_fail(&run->session, GRID_EMPI, "a unit arrived incomplete on rank %d",
                            run_rank(run));
    return 0;
}
