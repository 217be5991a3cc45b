/* Makes and frees what is known of vanishing states. */
#include "ctmc/semantics/vanished.h"

#include "ctmc/system/system.h"

static bool sums_init(Sums *sums, size_t cap)
{
    *sums = (Sums){0};
    const MemColumn columns[] = {{&sums->term, sizeof *sums->term},
                                 {&sums->met, sizeof *sums->met}};
    if (!mem_reserve_columns(columns, 2, &sums->cap, cap))
        return false;
    for (size_t i = 0; i < sums->cap; i++)
        sums->term[i] = TERM_NONE;
    return true;
}

PepaStatus vanished_init(Vanished *v, const System *system, PepaError *err)
{
    const Model *model = system->model;
    *v = (Vanished){.system = system};
    bool ok = mem_new_zeroed(v->urgent, model->local_count) &&
              mem_new_zeroed(v->passed, model->local_count) &&
              table_init(&v->states, system->words) && mem_new(v->work.packed, system->words) &&
              sums_init(&v->work.actions, (size_t)model->action_count) &&
              sums_init(&v->work.states, 1);
    for (int32_t l = 0; ok && l < model->local_count; l++)
        for (int32_t k = 0; k < model->locals[l].count && !v->urgent[l]; k++)
            v->urgent[l] =
                model_is_immediate(model, model->activities[model->locals[l].first + k].expr);
    if (ok)
        return PEPA_OK;
    vanished_free(v);
    return error_memory(err);
}

void vanished_free(Vanished *v)
{
    Elimination *w = &v->work;
    block_free(&w->moves);
    block_free(&w->source);
    mem_free_all(w->packed, w->node, w->row, w->entry, w->states.term, w->states.met,
                 w->actions.term, w->actions.met);
    table_free(&v->states);
    mem_free_all(v->urgent, v->passed, v->result, v->portion);
    *v = (Vanished){0};
}

void vanished_pass(Vanished *to, const Vanished *from)
{
    for (int32_t l = 0; from->passed && l < from->system->model->local_count; l++)
        to->passed[l] |= from->passed[l];
}
