/* Solves the aggregated chain, and spreads its solution over the states of the full chain. */
#include "measure/steady.h"

#include <math.h>
#include <string.h>

#include "base/budget.h"
#include "base/trail.h"
#include "measure/longrun.h"

/* Cycle with longrun: the aggregated chain is solved like any chain; it is not aggregated again. */

/* The map from states of the full chain to lumped ones.  The upper and the lower slots of a full
 * state each contribute to the cells of its lumped state; the cells are the sum of both
 * contributions. */
typedef struct {
    const Chain *full, *lumped;
    int32_t *lumped_slot; /* per slot of the full system: its slot in the lumped one */
    Table states;         /* of the lumped chain, packed, so that they can be found */
    Table parts; /* distinct contributions of upper states and of lower ones: cells as words */
    int32_t *upper, *lower; /* per upper and lower state: its contribution among parts */
    int32_t *full_cells, *cells;
    uint64_t *packed, *part;
    Memo known;       /* by contribution and set: where in classes */
    int32_t *classes; /* lumped states, member by member */
    size_t class_cap, class_count;
} Lumping;

static void lumping_free(Lumping *l)
{
    table_free(&l->states);
    table_free(&l->parts);
    memo_free(&l->known);
    mem_free_all(l->lumped_slot, l->upper, l->lower, l->full_cells, l->cells, l->packed, l->part,
                 l->classes);
}

/* Copies of a counted slot stand side by side in the full system.  False: they do not match. */
static bool match_slots(Lumping *l)
{
    const System *full = l->full->system, *lumped = l->lumped->system;
    int32_t at = 0;
    for (int32_t i = 0; i < lumped->slot_count; i++) {
        const int32_t copies = lumped->slots[i].copies ? (int32_t)lumped->slots[i].copies : 1;
        for (int32_t k = 0; k < copies; k++, at++) {
            if (at == full->slot_count)
                return false;
            const Component *a = &full->components[full->slots[at].component];
            const Component *b = &lumped->components[lumped->slots[i].component];
            bool same = full->slots[at].copies == 0 && a->local_count == b->local_count;
            for (int32_t s = 0; s < a->local_count && same; s++)
                same = a->local[s] == b->local[s];
            if (!same)
                return false;
            l->lumped_slot[at] = i;
        }
    }
    return at == full->slot_count;
}

/* What the upper or the lower slots of a packed state contribute; its number, or -1. */
static int32_t contribution(Lumping *l, const uint64_t *packed, bool upper)
{
    const System *full = l->full->system, *lumped = l->lumped->system;
    memset(l->part, 0, (size_t)lumped->cell_count * sizeof *l->part);
    system_unpack(full, packed, l->full_cells);
    for (int32_t i = 0; i < full->slot_count; i++) {
        const Slot *to = &lumped->slots[l->lumped_slot[i]];
        int32_t local = l->full_cells[full->slots[i].cell];
        if ((l->full->diagram->split->upper[i] != 0) != upper)
            continue;
        if (to->copies)
            l->part[to->cell + local]++;
        else
            l->part[to->cell] = (uint64_t)local;
    }
    return table_put(&l->parts, l->part, table_hash(&l->parts, l->part));
}

static bool list_contributions(Lumping *l)
{
    const Diagram *d = l->full->diagram;
    const Table *lower = &d->split->lower;
    const size_t words = d->system->words;
    bool ok = true;
    for (int32_t i = 0; i < d->upper_count && ok; i++) {
        l->upper[i] = contribution(l, d->upper + (size_t)i * words, true);
        ok = l->upper[i] >= 0;
    }
    for (int32_t k = 0; k < lower->count && ok; k++) {
        l->lower[k] = contribution(l, lower->state + (size_t)k * words, false);
        ok = l->lower[k] >= 0;
    }
    return ok;
}

static bool list_states(Lumping *l)
{
    bool ok = table_init(&l->states, l->lumped->system->words);
    for (int32_t s = 0; ok && s < l->lumped->state_count; s++) {
        chain_packed(l->lumped, s, l->packed);
        ok = table_put(&l->states, l->packed, table_hash(&l->states, l->packed)) == s;
    }
    return ok;
}

/* The lumped state of an upper state's and a lower state's contributions; -1: none. */
static int32_t lumped_state(Lumping *l, int32_t upper, int32_t lower)
{
    const System *s = l->lumped->system;
    const uint64_t *a = l->parts.state + (size_t)upper * l->parts.words;
    const uint64_t *b = l->parts.state + (size_t)lower * l->parts.words;
    for (int32_t i = 0; i < s->cell_count; i++)
        l->cells[i] = (int32_t)(a[i] + b[i]);
    system_canonical(s, l->cells);
    system_pack(s, l->cells, l->packed);
    return table_find(&l->states, l->packed, table_hash(&l->states, l->packed));
}

/* The lumped states of an upper state's states, in order; NULL: memory is out, or one is not to be
 * found. */
static const int32_t *classes_of(Lumping *l, int32_t upper)
{
    const Diagram *d = l->full->diagram;
    int32_t set = d->set[upper], size = d->set_size[set];
    int32_t *known = memo_at(&l->known, hash_pair(l->upper[upper], set), 0);
    if (!known)
        return NULL;
    if (*known >= 0)
        return l->classes + *known;
    size_t first = l->class_count;
    if (first + (size_t)size > INT32_MAX ||
        !mem_grow(l->classes, l->class_cap, first + (size_t)size))
        return NULL;
    for (int32_t k = 0; k < size; k++) {
        l->classes[first + (size_t)k] =
            lumped_state(l, l->upper[upper], l->lower[d->members[set][k]]);
        if (l->classes[first + (size_t)k] < 0)
            return NULL;
    }
    l->class_count += (size_t)size;
    *known = (int32_t)first;
    return l->classes + first;
}

/* share: per lumped state, its probability; becomes that of each of its states. */
static bool disaggregate(Lumping *l, double *share, double *pi)
{
    const Diagram *d = l->full->diagram;
    int64_t *members = mem_calloc((size_t)l->lumped->state_count, sizeof *members);
    bool ok = members != NULL;
    for (int pass = 0; pass < 2 && ok; pass++) {
        for (int32_t i = 0; i < d->upper_count && ok; i++) {
            const int32_t *class = classes_of(l, i);
            int32_t size = d->set_size[d->set[i]];
            ok = class != NULL;
            for (int32_t k = 0; k < size && ok && pass == 0; k++)
                members[class[k]]++;
            for (int32_t k = 0; k < size && ok && pass == 1; k++)
                pi[d->offset[i] + k] = share[class[k]];
        }
        for (int32_t s = 0; s < l->lumped->state_count && ok && pass == 0; s++)
            share[s] = members[s] ? share[s] / (double)members[s] : 0;
    }
    mem_free(members);
    return ok;
}

static bool reserve(Lumping *l)
{
    const System *full = l->full->system, *lumped = l->lumped->system;
    const Diagram *d = l->full->diagram;
    return mem_new(l->lumped_slot, full->slot_count) && mem_new(l->upper, d->upper_count) &&
           mem_new(l->lower, d->split->lower.count) && mem_new(l->full_cells, full->cell_count) &&
           mem_new(l->cells, lumped->cell_count) && mem_new(l->packed, lumped->words) &&
           mem_new(l->part, lumped->cell_count) &&
           table_init(&l->parts, (size_t)lumped->cell_count);
}

/* The aggregated chain at the same rates, which are set all at once: one by one they might pass
 * through values that are not legal together. */
static PepaStatus derive_lumped(Chain **out, const SteadyJob *job, const PepaSettings *set)
{
    const Model *model = job->chain->model;
    const size_t n = (size_t)model->rate_count;
    DiagList diags = {0};
    int32_t *rate = mem_alloc(n, sizeof *rate);
    double *value = mem_alloc(n, sizeof *value);
    PepaStatus status =
        rate && value ? chain_derive(out, model, set, &diags, job->err) : error_memory(job->err);
    size_t count = 0;
    for (int32_t r = 0; status == PEPA_OK && r < model->rate_count; r++)
        if (!isnan(job->forced[r])) {
            rate[count] = r;
            value[count++] = job->forced[r];
        }
    if (status == PEPA_OK && count)
        status = rate_values_set(&(*out)->now, &(*out)->rates, count, rate, value, job->err);
    diag_free(&diags);
    mem_free_all(rate, value);
    return status;
}

static PepaStatus solve_lumped(const Chain *lumped, const PepaSettings *set, double *share,
                               PepaInfo *info, PepaError *err)
{
    LongRun *run = NULL;
    PepaStatus status = longrun_check_memory(lumped, set, err);
    if (status == PEPA_OK)
        status = longrun_new(&run, lumped, steady_form(lumped), err);
    if (status == PEPA_OK)
        status = longrun_solve(run, &lumped->now, set, share, info, err);
    longrun_free(run);
    return status;
}

static bool has_copies(const Model *model)
{
    int32_t node = 0;
    while (node < model->node_count &&
           (model->nodes[node].kind != NODE_COPIES || model->nodes[node].copies < 2))
        node++;
    return node < model->node_count;
}

/* What the aggregated chain is derived and solved with. */
static PepaSettings lumped_settings(const SteadyJob *job, int64_t memory)
{
    const double better = 1e-3; /* so that one sweep over all states finds nothing left to do */
    PepaSettings set = *job->set;
    set.evidence = NULL; /* its own solution is another */
    set.memory = memory;
    set.derive = (PepaDerive){.explore = PEPA_EXPLORE_AUTO,
                              .max_states = job->chain->state_count / WORTH_LUMPING + 1};
    set.solve = (PepaSolve){.tolerance = fmax(better * set.solve.tolerance,
                                              fmin(set.solve.tolerance, 1e-13)),
                            .max_iter = set.solve.max_iter};
    return set;
}

PepaStatus lumped_guess(const SteadyJob *job, int64_t memory, bool *found)
{
    const Chain *chain = job->chain;
    const double least = 8 * (double)chain->state_count; /* bytes worth beginning with */
    PepaSettings set = lumped_settings(job, memory);
    PepaInfo info = {0};
    Chain *lumped = NULL;
    double *share = NULL;
    *found = false;
    if (chain->system->aggregated || !has_copies(chain->model) || !budget_allows(memory, least))
        return PEPA_OK;
    PepaStatus status = derive_lumped(&lumped, job, &set);
    if (status == PEPA_OK && !mem_new(share, lumped->state_count))
        status = error_memory(job->err);
    if (status == PEPA_OK)
        status = solve_lumped(lumped, &set, share, &info, job->err);
    if (status == PEPA_OK) {
        Lumping l = {.full = chain, .lumped = lumped};
        *found = reserve(&l) && match_slots(&l) && list_states(&l) && list_contributions(&l) &&
                 disaggregate(&l, share, job->pi);
        lumping_free(&l);
    }
    if (*found && job->set->evidence)
        job->set->evidence->solve.lumped = lumped->state_count;
    if (*found)
        trail_add(job->info->trail, sizeof job->info->trail,
                  "the aggregated chain of %lld states by %s", (long long)lumped->state_count,
                  info.method);
    chain_free(lumped);
    mem_free(share);
    return status == PEPA_ECANCEL ? status : PEPA_OK;
}
