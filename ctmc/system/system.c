/* Packing, canonical form and counting of a compiled system's states. */
#include "ctmc/system/system.h"

#include <string.h>

void system_free(System *system)
{
    if (!system)
        return;
    arena_free(&system->arena);
    mem_free_all(system->components, system->slots, system->fields, system->groups, system->progs,
                 system->events, system->slot_trigger, system->trigger_first, system->trigger_event,
                 system->starters, system->position_component, system->position_copies, system);
}

PepaStatus system_countable(const System *system, PepaError *err)
{
    return system->large
               ? error_limit(err, PEPA_ELIMIT, PEPA_LIMIT_COMPONENTS,
                             "more than %d components are too many for a chain", INT32_MAX)
               : PEPA_OK;
}

void system_unpack(const System *system, const uint64_t *packed, int32_t *cells)
{
    for (int32_t i = 0; i < system->cell_count; i++) {
        const Field *f = &system->fields[i];
        cells[i] = (int32_t)(packed[f->word] >> f->shift & f->mask);
    }
    for (int32_t i = system->first_counted; i < system->slot_count; i++) {
        const Slot *slot = &system->slots[i];
        if (!slot->copies)
            continue;
        int32_t last = slot->cell + system->components[slot->component].local_count - 1;
        int32_t rest = (int32_t)slot->copies;
        for (int32_t c = slot->cell; c < last; c++)
            rest -= cells[c];
        cells[last] = rest;
    }
}

void system_pack(const System *system, const int32_t *cells, uint64_t *packed)
{
    memset(packed, 0, system->words * sizeof *packed);
    for (int32_t i = 0; i < system->cell_count; i++) {
        const Field *f = &system->fields[i];
        if (f->mask)
            packed[f->word] |= (uint64_t)cells[i] << f->shift;
    }
}

void system_initial(const System *system, int32_t *cells)
{
    memset(cells, 0, (size_t)system->cell_count * sizeof *cells);
    for (int32_t i = 0; i < system->slot_count; i++)
        cells[system->slots[i].cell] = (int32_t)system->slots[i].copies;
}

static int compare(const int32_t *a, const int32_t *b, int32_t width)
{
    for (int32_t i = 0; i < width; i++)
        if (a[i] != b[i])
            return a[i] < b[i] ? -1 : 1;
    return 0;
}

/* Insertion: after one move all but a few copies are in place. */
static void sort_group(const Group *group, int32_t *cells)
{
    const int32_t width = group->width;
    int32_t *first = cells + group->cell;
    for (int32_t k = 1; k < group->copies; k++) {
        int32_t *here = first + (size_t)k * (size_t)width, *to = here;
        while (to > first && compare(to - width, here, width) > 0)
            to -= width;
        if (to == here)
            continue;
        for (int32_t i = 0; i < width; i++) { /* rotate column by column */
            int32_t moved = here[i];
            for (int32_t *p = here + i; p > to + i; p -= width)
                *p = p[-width];
            to[i] = moved;
        }
    }
}

void system_canonical(const System *system, int32_t *cells)
{
    for (int32_t i = 0; i < system->group_count; i++)
        sort_group(&system->groups[i], cells);
}

void system_counts(const System *system, const int32_t *cells, int64_t *counts)
{
    memset(counts, 0, (size_t)system->model->local_count * sizeof *counts);
    for (int32_t i = 0; i < system->slot_count; i++) {
        const Slot *slot = &system->slots[i];
        const Component *component = &system->components[slot->component];
        const int32_t *cell = cells + slot->cell;
        if (!slot->copies) {
            counts[component->local[*cell]]++;
            continue;
        }
        for (int32_t s = 0; s < component->local_count; s++)
            counts[component->local[s]] += cell[s];
    }
    for (int32_t l = 0; system->model->phases && l < system->model->local_count; l++)
        if (system->model->locals[l].whole != l)
            counts[system->model->locals[l].whole] += counts[l];
}

/* Events with functional rates have all levels: only names, which hidden activities keep, say which may be
 * immediate. */
uint8_t system_levels(const System *system, int32_t label)
{
    uint8_t levels = 0;
    for (int32_t e = 0; e < system->event_count; e++) {
        const Event *event = &system->events[e];
        if (event->label != label)
            continue;
        const bool either =
            system->preempts && model_action_is_immediate(system->model, event->action);
        levels |= either ? event->levels : 1 << LEVEL_TIMED;
    }
    return levels;
}
