/* A state before all others. */
#include "measure/origin.h"

#include <string.h>

#include "base/budget.h"
#include "base/mem.h"

enum { MOST_NARROW = 65536 };

static double bytes_of(size_t states, size_t transitions)
{
    return (double)states * (sizeof(int64_t) + sizeof(int32_t)) +
           (double)transitions * 2 * sizeof(int32_t);
}

void origin_free(Chain *out, const Chain *chain)
{
    if (out->row != chain->row)
        mem_free_all(out->row, out->target, out->narrow, out->wide, out->kind_action,
                     out->kind_term, out->actions, out->bottom);
    *out = (Chain){0};
}

static bool reserve(Chain *out, bool narrow)
{
    out->row = NULL;
    out->target = out->wide = out->kind_action = out->kind_term = out->actions = out->bottom = NULL;
    out->narrow = NULL;
    return mem_new(out->row, out->state_count + 1) && mem_new(out->target, out->transitions) &&
           (narrow ? mem_new(out->narrow, out->transitions)
                   : mem_new(out->wide, out->transitions)) &&
           mem_new(out->kind_action, out->kind_count) && mem_new(out->kind_term, out->kind_count) &&
           mem_new(out->actions, out->action_count) && mem_new(out->bottom, out->state_count);
}

static void set_kind(Chain *out, int64_t transition, int32_t kind)
{
    if (out->narrow)
        out->narrow[transition] = (uint16_t)kind;
    else
        out->wide[transition] = kind;
}

/* Each start has a kind of its own; all have an action of their own, tau. */
static void fill(Chain *out, const Chain *chain)
{
    const size_t kinds = (size_t)chain->kind_count, states = (size_t)chain->state_count;
    if (kinds > 0) {
        memcpy(out->kind_action, chain->kind_action, kinds * sizeof *out->kind_action);
        memcpy(out->kind_term, chain->kind_term, kinds * sizeof *out->kind_term);
    }
    for (int64_t k = 0; k < chain->transitions; k++) {
        out->target[k] = chain->target[k];
        set_kind(out, k, chain_kind(chain, k));
    }
    for (int32_t i = 0; i < chain->start_count; i++) {
        out->kind_action[kinds + (size_t)i] = chain->action_count;
        out->kind_term[kinds + (size_t)i] = chain->start_term[i];
        out->target[chain->transitions + i] = i;
        set_kind(out, chain->transitions + i, chain->kind_count + i);
    }
    if (chain->action_count > 0)
        memcpy(out->actions, chain->actions, (size_t)chain->action_count * sizeof *out->actions);
    out->actions[chain->action_count] = ACTION_TAU;
    memcpy(out->row, chain->row, (states + 1) * sizeof *out->row);
    memcpy(out->bottom, chain->bottom, states * sizeof *out->bottom);
    out->row[out->state_count] = out->transitions;
    out->bottom[chain->state_count] = -1;
}

PepaStatus origin_add(Chain *out, const Chain *chain, int64_t memory, PepaError *err)
{
    *out = *chain;
    if (chain_has_one_start(chain))
        return PEPA_OK;
    out->state_count++;
    out->transitions += chain->start_count;
    out->kind_count += chain->start_count;
    out->action_count++;
    out->initial = chain->state_count;
    out->start_count = 0;
    const double need = bytes_of((size_t)out->state_count, (size_t)out->transitions);
    if (!budget_allows(memory, need))
        return budget_exceeded(err, need, memory, "a copy of the transitions");
    if (!reserve(out, chain->narrow && out->kind_count <= MOST_NARROW)) {
        origin_free(out, chain);
        return error_memory(err);
    }
    fill(out, chain);
    return PEPA_OK;
}
