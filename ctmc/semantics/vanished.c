/* Makes, empties and frees what is known of vanishing states. */
#include "ctmc/semantics/vanished.h"

#include "ctmc/semantics/tuning.h"
#include "ctmc/system/system.h"

/* ---- sums ------------------------------------------------------------------------------------ */

bool sums_reserve(Sums *sums, size_t count)
{
    const size_t before = sums->cap;
    const MemColumn columns[] = {{&sums->term, sizeof *sums->term},
                                 {&sums->met, sizeof *sums->met}};
    if (count <= before)
        return true;
    if (!mem_reserve_columns(columns, 2, &sums->cap, count))
        return false;
    for (size_t i = before; i < sums->cap; i++)
        sums->term[i] = TERM_NONE;
    return true;
}

void sums_clear(Sums *sums)
{
    for (size_t i = 0; i < sums->count; i++)
        sums->term[sums->met[i]] = TERM_NONE;
    sums->count = 0;
}

/* ---- life ------------------------------------------------------------------------------------ */

/* The actions of events that may be immediate in some states and timed in others; and tau, which
 * several events may be. */
static void find_repeats(Vanished *v)
{
    v->repeats[ACTION_TAU] = 1;
    for (int32_t e = 0; e < v->system->event_count; e++) {
        const Event *event = &v->system->events[e];
        if (event->label != LABEL_NONE && (event->levels & 1 << LEVEL_TIMED) &&
            (event->levels & 1 << LEVEL_IMMEDIATE))
            v->repeats[event->label] = 1;
    }
}

/* Nothing is known. */
static bool begin(Vanished *v)
{
    v->portion_count = v->shared_count = v->print_count = 0;
    return table_init(&v->keys, v->projection.words) && table_init(&v->changes, v->system->words) &&
           table_init(&v->masks, v->projection.words) &&
           table_init(&v->met, v->projection.words + 1);
}

static void forget(Vanished *v)
{
    table_free(&v->keys);
    table_free(&v->changes);
    table_free(&v->masks);
    table_free(&v->met);
    memo_free(&v->share);
}

PepaStatus vanished_init(Vanished *v, const System *system, PepaError *err)
{
    const Model *model = system->model;
    *v = (Vanished){.system = system, .most = MOST_VANISHED};
    if (projection_init(&v->projection, system) && mem_new_zeroed(v->passed, model->local_count) &&
        mem_new_zeroed(v->repeats, model->action_count) && begin(v) &&
        mem_new(v->mask, v->projection.words) && mem_new(v->part, v->projection.words + 1) &&
        mem_new(v->key, v->projection.words) && mem_new(v->key_from, v->projection.words) &&
        mem_new(v->work.culprit, system->words) && mem_new(v->work.scratch, system->words) &&
        sums_reserve(&v->traces, (size_t)model->action_count) &&
        sums_reserve(&v->work.actions, (size_t)model->action_count)) {
        find_repeats(v);
        return PEPA_OK;
    }
    vanished_free(v);
    return error_memory(err);
}

static void sums_free(Sums *sums)
{
    mem_free_all(sums->term, sums->met);
}

void vanished_free(Vanished *v)
{
    Elimination *w = &v->work;
    block_free(&w->moves);
    block_free(&w->source);
    sums_free(&w->places);
    sums_free(&w->exits);
    sums_free(&w->ends);
    sums_free(&w->actions);
    sums_free(&v->traces);
    mem_free_all(w->node, w->packed, w->graph, w->component, w->keyed, w->edge, w->change, w->to,
                 w->row, w->entry, w->culprit, w->scratch);
    forget(v);
    projection_free(&v->projection);
    mem_free_all(v->passed, v->repeats, v->result, v->portion, v->shared, v->key, v->key_from,
                 v->mask, v->part, v->first_print, v->print, v->alike);
    *v = (Vanished){0};
}

/* ---- contents -------------------------------------------------------------------------------- */

bool vanished_trim(Vanished *v)
{
    const double bytes = table_bytes(&v->keys) + (double)v->keys.count * sizeof *v->result +
                         table_bytes(&v->changes) + (double)v->portion_count * sizeof *v->portion +
                         memo_bytes(&v->share) + (double)v->shared_count * sizeof *v->shared;
    if (bytes <= v->most)
        return true;
    forget(v);
    return begin(v);
}

int32_t vanished_mask(Vanished *v, const uint64_t *mask)
{
    const int32_t before = v->masks.count;
    const int32_t id = table_put(&v->masks, mask, table_hash(&v->masks, mask));
    if (id < before)
        return id;
    if (!mem_grow(v->first_print, v->first_print_cap, (size_t)id + 1))
        return -1;
    v->first_print[id] = -1;
    return id;
}

void vanished_pass(Vanished *to, const Vanished *from)
{
    for (int32_t l = 0; from->passed && l < from->system->model->local_count; l++)
        to->passed[l] |= from->passed[l];
}
