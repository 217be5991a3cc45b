/* pepa_chain_*: exploration, and views of the result. */
#include <string.h>

#include "api/handles.h"
#include "base/clock.h"
#include "base/diag.h"
#include "base/processes.h"
#include "measure/longrun.h"
#include "measure/measures.h"
#include "pepa_evidence.h"
#include "pepa_shared.h"

/* The account of a derivation begins, and what it says in the end; `chain` may be NULL. */
static double begin_evidence(PepaEvidence *evidence)
{
    if (!evidence)
        return 0;
    *evidence = (PepaEvidence){.derive.explored = PEPA_EXPLORED_REQUESTED, .solve.answer = -1};
    return clock_seconds();
}

static void end_evidence(PepaDeriveEvidence *e, const Chain *chain, double start)
{
    e->seconds = clock_seconds() - start;
    e->bytes = chain ? chain_bytes(chain) : 0;
    if (!chain)
        e->explored = PEPA_EXPLORED_NOT;
}

/* Where `auto` has explored one by one what does not leave the memory to be solved: as sets, if these do. */
static PepaStatus derive_to_solve(Chain **out, const Model *model, const PepaSettings *set,
                                  DiagList *diags, PepaError *err)
{
    PepaStatus status = chain_derive(out, model, set, diags, err);
    if (status != PEPA_OK || set->derive.explore != PEPA_EXPLORE_AUTO || (*out)->diagram ||
        set->derive.max_states != 0 || !chain_may_be_sets(*out) ||
        longrun_check_memory(*out, set, NULL) == PEPA_OK)
        return status;
    PepaSettings other = *set;
    DiagList same = {0};
    const PepaDeriveEvidence first =
        set->evidence ? set->evidence->derive : (PepaDeriveEvidence){0};
    chain_free(*out);
    *out = NULL;
    other.derive.explore = PEPA_SYMBOLIC;
    status = chain_derive(out, model, &other, &same, err);
    const bool fits = status == PEPA_OK && longrun_check_memory(*out, set, NULL) == PEPA_OK;
    if (!fits && (status == PEPA_OK || status == PEPA_ELIMIT)) {
        chain_free(*out);
        *out = NULL;
        other.derive.explore = PEPA_EXPLICIT;
        status = chain_derive(out, model, &other, &same, err);
    }
    if (set->evidence)
        set->evidence->derive = first;
    if (fits && set->evidence)
        set->evidence->derive.explored = PEPA_EXPLORED_AFTER_ALL;
    diag_free(&same);
    return status;
}

/* By processes together; NULL: alone. */
static PepaStatus derive(PepaChain **out, const PepaModel *model, const PepaProcesses *p,
                         const PepaSettings *set, PepaError *err)
{
    PepaSettings all;
    PepaChain *handle = NULL;
    PepaStatus status = settings_complete(&all, set, err);
    if (status == PEPA_OK && !mem_new_zeroed(handle, 1))
        status = error_memory(err);
    status = processes_agree(p, status, err);
    if (status != PEPA_OK) {
        mem_free(handle);
        return status;
    }
    DiagList diags = {0};
    double start = begin_evidence(all.evidence);
    status = p ? chain_derive_together(&handle->chain, model->model, p, &all, &diags, err)
               : derive_to_solve(&handle->chain, model->model, &all, &diags, err);
    if (all.evidence)
        end_evidence(&all.evidence->derive, handle->chain, start);
    if (status == PEPA_OK || status == PEPA_EMODEL)
        status =
            diagnose_all(&diags, &model->model->source, all.derive.diagnose, all.user, status, err);
    diag_free(&diags);
    if (status == PEPA_OK)
        status = local_ids_new(&handle->ids, handle->chain->system, err);
    status = processes_agree(p, status, err);
    if (status == PEPA_OK) {
        handle->owner = (PepaModel *)model; /* shared: only the count of its users changes */
        atomic_fetch_add(&handle->owner->users, 1);
        *out = handle;
    } else {
        pepa_chain_free(handle);
    }
    return status;
}

PepaStatus pepa_chain_derive(PepaChain **out, const PepaModel *model, const PepaSettings *set,
                             PepaError *err)
{
    if (!out || !model)
        return error_null(err, "pepa_chain_derive");
    return derive(out, model, NULL, set, err);
}

PepaStatus pepa_shared_derive(PepaChain **out, const PepaModel *model,
                              const PepaProcesses *processes, const PepaSettings *set,
                              PepaError *err)
{
    if (!out || !model || !processes)
        return error_null(err, "pepa_shared_derive");
    if (!processes_talk(processes))
        return error_set(err, PEPA_EARG,
                         "pepa_shared_derive: the processes are not as they should be");
    return derive(out, model, processes, set, err);
}

PepaStatus chain_is_whole(const PepaChain *handle, PepaError *err)
{
    if (!handle->chain->spread)
        return PEPA_OK;
    return error_limit(err, PEPA_EARG, PEPA_LIMIT_EXPLORE,
                       "each of some processes has a part of this chain: only pepa_shared.h works "
                       "on it");
}

void pepa_chain_free(PepaChain *handle)
{
    if (!handle)
        return;
    chain_free(handle->chain);
    pepa_model_free(handle->owner);
    local_ids_free(&handle->ids);
    mem_free(handle);
}

PepaChainInfo pepa_chain_info(const PepaChain *handle)
{
    const Chain *c = handle->chain;
    return (PepaChainInfo){.states = chain_states(c),
                           .transitions = c->spread ? c->spread->transitions : c->transitions,
                           .deadlocks = c->deadlocks,
                           .bottom_components = c->spread ? 0 : c->bottom_count,
                           .actions = c->action_count,
                           .positions = c->system->position_count,
                           .local_states = handle->ids.local_states,
                           .counts = handle->ids.offset[c->system->position_count],
                           .aggregated = c->system->aggregated,
                           .symbolic = c->diagram != NULL};
}

PepaPosition pepa_chain_position(const PepaChain *handle, int32_t position)
{
    return local_ids_position(&handle->ids, handle->chain->system, position);
}

const char *pepa_chain_local_name(const PepaChain *handle, int32_t local)
{
    return handle->chain->model->locals[handle->ids.model_local[local]].name;
}

const char *pepa_chain_action_name(const PepaChain *handle, int32_t action)
{
    return handle->chain->model->actions[handle->chain->actions[action]];
}

PepaStatus pepa_chain_state_counts(const PepaChain *handle, int64_t state, int32_t *counts,
                                   PepaError *err)
{
    if (!handle || !counts || state < 0 || state >= handle->chain->state_count)
        return error_set(err, PEPA_EARG, "pepa_chain_state_counts: no state %lld, or NULL",
                         (long long)state);
    const Chain *c = handle->chain;
    int32_t *cells = mem_alloc((size_t)c->system->cell_count, sizeof *cells);
    PepaStatus status = cells && chain_cells(c, state, cells)
                            ? local_ids_counts(&handle->ids, c->system, cells, counts, err)
                            : error_memory(err);
    mem_free(cells);
    return status;
}

PepaStatus pepa_chain_state_text(const PepaChain *handle, int64_t state, char **text,
                                 PepaError *err)
{
    if (!handle || !text || state < 0 || state >= handle->chain->state_count)
        return error_set(err, PEPA_EARG, "pepa_chain_state_text: no state %lld, or NULL",
                         (long long)state);
    const Chain *c = handle->chain;
    int32_t *cells = mem_alloc((size_t)c->system->cell_count, sizeof *cells);
    Text out = {0};
    if (cells)
        chain_state_text(c, state, cells, &out);
    mem_free(cells);
    if (!cells || out.failed) {
        text_free(&out);
        return error_memory(err);
    }
    *text = out.text;
    return PEPA_OK;
}

int32_t pepa_chain_bottom(const PepaChain *handle, int64_t state)
{
    if (state < 0 || state >= handle->chain->state_count || handle->chain->spread)
        return -1;
    return handle->chain->bottom ? handle->chain->bottom[state] : 0;
}

PepaStatus pepa_chain_transitions(const PepaChain *handle, PepaTransitions *out, PepaError *err)
{
    if (!handle || !out)
        return error_null(err, "pepa_chain_transitions");
    const Chain *c = handle->chain;
    PepaStatus status = chain_is_whole(handle, err);
    if (status != PEPA_OK)
        return status;
    if (!c->row)
        return error_limit(err, PEPA_EARG, PEPA_LIMIT_EXPLORE,
                           "a chain explored as sets stores no transitions");
    *out = (PepaTransitions){.row = c->row,
                             .target = c->target,
                             .narrow = c->narrow,
                             .wide = c->wide,
                             .action = c->kind_action,
                             .rate = c->kind_term,
                             .value = c->now.term};
    return PEPA_OK;
}

/* The model's number of a rate that may be set. */
static PepaStatus find_rate(const Model *model, const char *name, int32_t *rate, PepaError *err)
{
    int32_t found;
    PepaStatus status = model_find_rate(model, name, &found, err);
    if (status != PEPA_OK)
        return status;
    if (model->exprs[model->rates[found].expr].functional)
        return error_set(err, PEPA_EARG, "`%s` depends on the state: derive again", name);
    if (model->rates[found].structural)
        return error_set(err, PEPA_EARG, "`%s` decides copies or phases: derive again", name);
    *rate = found;
    return PEPA_OK;
}

PepaStatus pepa_chain_set_rates(PepaChain *handle, const PepaDefine *rates, size_t count,
                                PepaError *err)
{
    bool missing = !handle || (!rates && count);
    for (size_t i = 0; i < count && !missing; i++)
        missing = !rates[i].rate;
    if (missing)
        return error_null(err, "pepa_chain_set_rates");
    int32_t *rate = mem_alloc(count, sizeof *rate);
    double *value = mem_alloc(count, sizeof *value);
    PepaStatus status = rate && value ? PEPA_OK : error_memory(err);
    for (size_t i = 0; i < count && status == PEPA_OK; i++) {
        status = find_rate(handle->chain->model, rates[i].rate, &rate[i], err);
        value[i] = rates[i].value;
    }
    if (status == PEPA_OK)
        status =
            rate_values_set(&handle->chain->now, &handle->chain->rates, count, rate, value, err);
    mem_free_all(rate, value);
    return status;
}

PepaStatus pepa_chain_set_rate(PepaChain *handle, const char *rate, double value, PepaError *err)
{
    PepaDefine one = {rate, value};
    return pepa_chain_set_rates(handle, &one, 1, err);
}
