/* What the user's functions are called for, and a unit as a parcel. */
#include "grid/unit.h"

#include <string.h>

#include "grid/clock.h"

static const GridStage *stage_of(const Run *run, int32_t unit)
{
    return &run->pipeline->stages[unit - 1];
}

static int out_of_memory(Run *run)
{
    return run_fail(run, GRID_ENOMEM, "%s: out of memory",
                    run_process_words(run, run->wire.rank).text);
}

/* A function of the user's answered `code` for an item. */
static int refused(Run *run, int32_t unit, int code)
{
    return run_fail(run, GRID_EUSER, "%s failed on item %lld with %d, on rank %d (%s)",
                    run_unit_words(run, unit).text, (long long)run->unit[unit].item, code,
                    run->wire.rank, run->peer[run->wire.rank].host);
}

static int cannot(Run *run, int32_t unit, const char *what, int code)
{
    return run_fail(run, GRID_EUSER, "%s could not %s its state: %d, on rank %d (%s)",
                    run_unit_words(run, unit).text, what, code, run->wire.rank,
                    run->peer[run->wire.rank].host);
}

/* ---- life --------------------------------------------------------------------------------- */

int unit_create(Run *run, int32_t unit)
{
    Unit *u = &run->unit[unit];
    if (!run_is_stage(run, unit))
        return 0;
    if (stage_of(run, unit)->create) {
        u->data = stage_of(run, unit)->create(run->pipeline->user);
        if (!u->data)
            return cannot(run, unit, "create", -1);
    }
    u->made = 1;
    return 0;
}

void unit_destroy(Run *run, int32_t unit)
{
    Unit *u = &run->unit[unit];
    if (u->made && stage_of(run, unit)->destroy)
        stage_of(run, unit)->destroy(u->data);
    u->data = NULL;
    u->made = 0;
    grid_buffer_free(&u->in);
    grid_buffer_free(&u->out);
    grid_buffer_free(&u->inlet.body);
    grid_buffer_free(&u->behind.body);
}

/* ---- work --------------------------------------------------------------------------------- */

int unit_source(Run *run)
{
    Unit *u = &run->unit[0];
    u->out.size = 0;
    int answer = run->pipeline->source(run->pipeline->user, u->item, &u->out);
    run->worked = clock_now();
    if (answer < 0)
        return refused(run, 0, answer);
    u->end = answer == 0;
    if (u->end)
        u->out.size = 0;
    return 0;
}

int unit_process(Run *run, int32_t unit, double *seconds)
{
    Unit *u = &run->unit[unit];
    u->out.size = 0;
    double begin = clock_now();
    int answer = stage_of(run, unit)->process(u->data, u->item, &u->in, &u->out);
    run->worked = clock_now();
    *seconds = run->worked - begin;
    return answer ? refused(run, unit, answer) : 0;
}

int unit_sink(Run *run)
{
    Unit *u = &run->unit[run->units - 1];
    int answer = run->pipeline->sink(run->pipeline->user, u->item, &u->in);
    run->worked = clock_now();
    if (answer)
        return refused(run, run->units - 1, answer);
    record_put(&run->record, run->worked - run->start);
    return 0;
}

/* ---- parcels ------------------------------------------------------------------------------ */

/* What is neither items nor the user's. */
typedef struct {
    int64_t item, inlet_item;
    uint64_t state_size, out_size, inlet_size, behind_size;
    int32_t state, end, inlet_state, inlet_end, behind, behind_end;
} Parcel;

static int put_state(Run *run, int32_t unit, GridBuffer *out)
{
    const GridStage *stage = stage_of(run, unit);
    GridBuffer state = {0};
    int answer = stage->pack ? stage->pack(run->unit[unit].data, &state) : 0;
    int status = answer ? cannot(run, unit, "pack", answer) : 0;
    if (!status && grid_put(out, state.bytes, state.size))
        status = out_of_memory(run);
    grid_buffer_free(&state);
    return status;
}

int unit_pack(Run *run, int32_t unit, GridBuffer *out)
{
    Unit *u = &run->unit[unit];
    Parcel parcel = {.item = u->item,
                     .state = (int32_t)u->state,
                     .end = u->end,
                     .inlet_item = u->inlet.item,
                     .inlet_state = (int32_t)u->inlet.state,
                     .inlet_end = u->inlet.end,
                     .out_size = u->state == UNIT_READY ? u->out.size : 0,
                     .inlet_size = u->inlet.state == INLET_FULL ? u->inlet.body.size : 0,
                     .behind = u->behind.present,
                     .behind_end = u->behind.end,
                     .behind_size = u->behind.present ? u->behind.body.size : 0};
    out->size = 0;
    if (grid_put(out, &parcel, sizeof parcel) || grid_put(out, u->out.bytes, parcel.out_size) ||
        grid_put(out, u->inlet.body.bytes, parcel.inlet_size) ||
        grid_put(out, u->behind.body.bytes, parcel.behind_size))
        return out_of_memory(run);
    u->behind.present = 0;
    size_t before = out->size;
    if (run_is_stage(run, unit)) {
        if (put_state(run, unit, out))
            return -1;
    } else if (unit > 0 && grid_put(out, &run->record, sizeof run->record)) {
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
        return run_fail(run, GRID_EMPI, "a unit arrived incomplete on rank %d", run->wire.rank);
    if (grid_put(out, from->buffer->bytes + from->at, size))
        return out_of_memory(run);
    from->at += size;
    return 0;
}

static int take_state(Run *run, int32_t unit, Cursor *from, uint64_t size)
{
    const GridStage *stage = stage_of(run, unit);
    GridBuffer state = {0};
    int status = unit_create(run, unit);
    if (!status)
        status = take(run, from, size, &state);
    if (!status && stage->unpack) {
        int answer = stage->unpack(run->unit[unit].data, &state);
        status = answer ? cannot(run, unit, "unpack", answer) : 0;
    }
    grid_buffer_free(&state);
    return status;
}

int unit_unpack(Run *run, int32_t unit, const GridBuffer *from)
{
    Unit *u = &run->unit[unit];
    Cursor cursor = {.buffer = from};
    Parcel parcel;
    if (buffer_get(&cursor, &parcel, sizeof parcel))
        return run_fail(run, GRID_EMPI, "a unit arrived incomplete on rank %d", run->wire.rank);
    u->item = parcel.item;
    u->state = (UnitState)parcel.state;
    u->end = parcel.end;
    u->inlet = (Inlet){.state = (InletState)parcel.inlet_state,
                       .end = parcel.inlet_end,
                       .item = parcel.inlet_item,
                       .body = u->inlet.body};
    u->behind = (Behind){.present = parcel.behind,
                         .told = 1,
                         .end = parcel.behind_end,
                         .item = parcel.inlet_item + 1,
                         .body = u->behind.body};
    u->since = u->due = 0;
    if (take(run, &cursor, parcel.out_size, &u->out) ||
        take(run, &cursor, parcel.inlet_size, &u->inlet.body) ||
        take(run, &cursor, parcel.behind_size, &u->behind.body))
        return -1;
    if (run_is_stage(run, unit))
        return take_state(run, unit, &cursor, parcel.state_size);
    if (unit > 0 && buffer_get(&cursor, &run->record, sizeof run->record))
        return run_fail(run, GRID_EMPI, "a unit arrived incomplete on rank %d", run->wire.rank);
    return 0;
}
