/* What a chain has, whatever has explored it: its states, as words and as text. */
#include "ctmc/chain.h"

#include <stdlib.h>
#include <string.h>

#include "base/processes.h"

void chain_free(Chain *chain)
{
    if (!chain)
        return;
    diagram_free(chain->diagram);
    system_free(chain->system);
    if (chain->spread)
        mem_free(chain->spread->part);
    rates_free(&chain->rates);
    rate_values_free(&chain->now);
    table_free(&chain->states);
    mem_free_all(chain->passed, chain->start_term, chain->row, chain->target, chain->narrow,
                 chain->wide, chain->kind_action, chain->kind_term, chain->actions, chain->bottom,
                 chain->spread, chain);
}

void chain_begin(const Chain *chain, const double *value, double *probability)
{
    memset(probability, 0, (size_t)chain_entries(chain) * sizeof *probability);
    for (int32_t i = 0; i < chain->start_count; i++)
        probability[i] = value[chain->start_term[i]];
    const int64_t at = chain->start_count == 0 ? chain_entry(chain, chain->initial) : -1;
    if (at >= 0)
        probability[at] = 1;
}

void chain_receive(const Chain *chain, double *x)
{
    const ChainShare *s = chain->share;
    if (!s || !s->copies)
        return;
    s->processes->start(s->processes->user, s->copies, x);
    s->processes->finish(s->processes->user, s->copies);
}

PepaStatus chain_agree(const Chain *chain, PepaStatus status, PepaError *err)
{
    return processes_agree(chain->share ? chain->share->processes : NULL, status, err);
}

void chain_sum(const Chain *chain, double *x, int32_t n)
{
    const ChainShare *s = chain->share;
    if (s)
        s->processes->sum(s->processes->user, x, n);
}

void chain_largest(const Chain *chain, double *x, int32_t n)
{
    const ChainShare *s = chain->share;
    if (s)
        s->processes->largest(s->processes->user, x, n);
}

PepaStatus chain_several_starts(PepaError *err, const char *what)
{
    return error_set(err, PEPA_EMODEL,
                     "immediate activities lead from the initial state to several states, and %s "
                     "depends on which; begin with an activity that takes time",
                     what);
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

int64_t chain_entry(const Chain *chain, int64_t state)
{
    const Diagram *d = chain->diagram;
    if (!d || !d->place)
        return state;
    const int32_t upper = diagram_upper(d, state);
    return d->place[upper] < 0 ? -1 : d->place[upper] + (state - d->offset[upper]);
}

void chain_packed(const Chain *chain, int64_t state, uint64_t *packed)
{
    const size_t words = chain->system->words;
    if (chain->diagram)
        diagram_packed(chain->diagram, state, packed);
    else
        memcpy(packed, chain->states.state + (size_t)state * words, words * sizeof *packed);
}

bool chain_cells(const Chain *chain, int64_t state, int32_t *cells)
{
    const size_t words = chain->system->words;
    if (!chain->diagram) {
        system_unpack(chain->system, chain->states.state + (size_t)state * words, cells);
        return true;
    }
    uint64_t *packed = mem_alloc(words, sizeof *packed);
    if (!packed)
        return false;
    diagram_packed(chain->diagram, state, packed);
    system_unpack(chain->system, packed, cells);
    mem_free(packed);
    return true;
}

void chain_state_text(const Chain *chain, int64_t state, int32_t *cells, Text *out)
{
    if (chain_cells(chain, state, cells))
        system_state_text(chain->system, cells, out);
    else
        out->failed = true;
}

double chain_bytes(const Chain *c)
{
    double each = sizeof *c->target + (c->wide ? sizeof *c->wide : sizeof *c->narrow);
    double n = c->diagram ? (double)c->state_count : c->states.count; /* those found so far */
    double states = c->diagram ? diagram_bytes(c->diagram) : table_bytes(&c->states);
    double rows = c->row ? (n + 1) * sizeof *c->row + (double)c->transitions * each : 0;
    return states + rows + (c->bottom ? n * sizeof *c->bottom : 0);
}

static int compare_steps(const void *a, const void *b)
{
    const Step *x = a, *y = b;
    return (x->action_target > y->action_target) - (x->action_target < y->action_target);
}

void steps_sort(Step *steps, size_t count)
{
    if (count > 32) {
        qsort(steps, count, sizeof *steps, compare_steps);
        return;
    }
    for (size_t i = 1; i < count; i++) {
        Step moved = steps[i];
        size_t k = i;
        for (; k > 0 && steps[k - 1].action_target > moved.action_target; k--)
            steps[k] = steps[k - 1];
        steps[k] = moved;
    }
}
