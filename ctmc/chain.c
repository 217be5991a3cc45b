#include "ctmc/chain.h"

#include <string.h>

PepaStatus chain_derive(Chain **out, const Model *model, const PepaSettings *set, DiagList *diags,
                        PepaError *err)
{
    Chain *chain = mem_calloc(1, sizeof *chain);
    if (!chain)
        return error_memory(err);
    chain->model = model;
    PepaStatus status = rates_init(&chain->rates, model, err);
    if (status == PEPA_OK)
        status = system_new(&chain->system, model, &chain->rates, set->aggregate, err);
    if (status == PEPA_OK)
        status = chain_explore(chain, set, diags, err);
    if (status == PEPA_OK) {
        rates_seal(&chain->rates);
        table_seal(&chain->states);
        status = chain_find_bottoms(chain, err);
    }
    if (status == PEPA_OK)
        status = chain_review(chain, diags, err);
    if (status == PEPA_OK)
        *out = chain;
    else
        chain_free(chain);
    return status;
}

void chain_free(Chain *chain)
{
    if (!chain)
        return;
    system_free(chain->system);
    rates_free(&chain->rates);
    table_free(&chain->states);
    mem_free(chain->row);
    mem_free(chain->target);
    mem_free(chain->action);
    mem_free(chain->rate);
    mem_free(chain->actions);
    mem_free(chain->bottom);
    mem_free(chain);
}

static void slot_text(const System *system, const Slot *slot, const int32_t *cells, Text *out)
{
    const Component *c = &system->components[slot->component];
    const Local *locals = system->model->locals;
    if (!slot->copies) {
        text_add(out, "%s", locals[c->local[cells[slot->cell]]].name);
        return;
    }
    const char *between = "";
    for (int32_t s = 0; s < c->local_count; s++) {
        int32_t copies = cells[slot->cell + s];
        if (!copies)
            continue;
        text_add(out, "%s%s:%d", between, locals[c->local[s]].name, copies);
        between = "|";
    }
}

void system_state_text(const System *system, const int32_t *cells, Text *out)
{
    text_add(out, "(");
    for (int32_t i = 0; i < system->slot_count; i++) {
        text_add(out, "%s", i ? ", " : "");
        slot_text(system, &system->slots[i], cells, out);
    }
    text_add(out, ")");
}

void chain_state_text(const Chain *chain, int32_t state, int32_t *cells, Text *out)
{
    const Table *states = &chain->states;
    system_unpack(chain->system, states->state + (size_t)state * states->words, cells);
    system_state_text(chain->system, cells, out);
}
