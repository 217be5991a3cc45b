/* Lumps a chain for a list of measures, and solves the chain of blocks. */
#include "measure/lumping.h"

#include <string.h>

#include "base/budget.h"
#include "base/number.h"
#include "measure/lump_private.h"

struct Lumping {
    const Chain *full;
    const RateValues *at;
    const Expressions *measures;
    Quotient quotient;
    Chain lumped;      /* the quotient as a chain; what it does not own is not freed by it */
    int32_t *identity; /* 0, 1, ...: kinds of the transitions, their terms, actions */
    RateValues values; /* of the lumped chain: a term for each transition */
    double *vector;    /* per block and functional: what it contributes */
    double spread;
};

void lumping_free(Lumping *l)
{
    if (!l)
        return;
    quotient_free(&l->quotient);
    mem_free_all(l->lumped.bottom, l->lumped.states.state, l->lumped.start_term, l->identity,
                 l->vector, l);
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* While the partition is refined. */
static double bytes_needed(const Chain *c, size_t functionals)
{
    const double entry = sizeof(int32_t) + sizeof(double), state = 66 + 6 * sizeof(int32_t);
    return chain_bytes(c) + entry * (double)c->transitions +
           (state + sizeof(double) * (double)functionals) * (double)c->state_count;
}

/* While the chain of blocks is made, without its transitions. */
static double bytes_between(const Chain *c, const Partition *p, size_t functionals)
{
    const double state = 7 * sizeof(int32_t), block = 33 + sizeof(int64_t) + sizeof(int32_t);
    return chain_bytes(c) + block * p->count +
           (state + sizeof(double) * (double)functionals) * (double)c->state_count;
}

/* What stays. */
static double bytes_kept(const Lumping *l)
{
    const double entry = 4 * sizeof(int32_t) + sizeof(double);
    const double block = sizeof(int64_t) + 2 * sizeof(int32_t) +
                         sizeof(uint64_t) * (double)l->full->system->words +
                         sizeof(double) * (double)expressions_functionals(l->measures);
    return chain_bytes(l->full) + sizeof(int32_t) * (double)l->full->state_count +
           entry * (double)lumping_transitions(l) + block * l->quotient.n;
}

static PepaStatus check_size(const Chain *c, size_t functionals, const PepaSettings *set,
                             PepaError *err)
{
    const double need = bytes_needed(c, functionals);
    char states[NUMBER_SIZE];
    if (c->state_count > INT32_MAX)
        return error_limit(err, PEPA_ELIMIT, PEPA_LIMIT_NONE,
                           "lumping takes at most %d states, and the chain has %s", INT32_MAX,
                           number_grouped(c->state_count, states));
    if (!budget_allows(set->memory, need))
        return budget_exceeded(err, need, set->memory, "lumping %s states",
                               number_grouped(c->state_count, states));
    return PEPA_OK;
}

/* ---- blocks ---------------------------------------------------------------------------------- */

/* One block per combination of values of the functionals.
 *   vector  states x functionals */
static PepaStatus split_by_values(Partition *p, const double *vector, size_t functionals,
                                  PepaError *err)
{
    Weighted *item = mem_alloc((size_t)p->n, sizeof *item);
    for (size_t f = 0; item && f < functionals; f++)
        for (int32_t b = 0, blocks = p->count; b < blocks; b++) {
            const int32_t count = p->end[b] - p->first[b];
            for (int32_t i = 0; i < count; i++) {
                const int32_t s = p->state[p->first[b] + i];
                item[i] = (Weighted){vector[(size_t)s * functionals + f], s};
            }
            partition_split(p, b, item, count);
        }
    mem_free(item);
    return item ? PEPA_OK : error_memory(err);
}

/* Keep the values of each block's smallest state; all others must agree with them. */
static PepaStatus keep_values(Lumping *l, const double *vector, size_t functionals, PepaError *err)
{
    const Quotient *q = &l->quotient;
    const size_t n = (size_t)l->full->state_count;
    bool right = true;
    if (!mem_new(l->vector, (size_t)q->n * functionals))
        return error_memory(err);
    for (size_t b = 0; b < (size_t)q->n; b++)
        memcpy(l->vector + b * functionals, vector + (size_t)q->first[b] * functionals,
               functionals * sizeof *vector);
    for (size_t i = 0; i < n * functionals; i++) {
        const double here = vector[i];
        const size_t block = (size_t)q->block[i / functionals];
        const double kept = l->vector[block * functionals + i % functionals];
        right = right && weights_same(here, kept, SAME_WEIGHT);
        if (here != kept && right && isfinite(here))
            l->spread = fmax(l->spread, fabs(here - kept) / fmax(fabs(here), fabs(kept)));
    }
    return right ? PEPA_OK
                 : error_set(err, PEPA_ENOCONV,
                             "the check of the lumping failed: a measure tells states of a block "
                             "apart");
}

static PepaStatus find_blocks(Lumping *l, const PepaSettings *set, PepaError *err)
{
    const size_t n = (size_t)l->full->state_count;
    const size_t functionals = (size_t)expressions_functionals(l->measures);
    double *vector = NULL;
    Partition p = {0};
    PepaStatus status = check_size(l->full, functionals, set, err);
    if (status == PEPA_OK && !(mem_new(vector, n * functionals) && partition_init(&p, (int32_t)n)))
        status = error_memory(err);
    if (status == PEPA_OK)
        status = expressions_vectors(l->measures, l->at, vector, err);
    if (status == PEPA_OK)
        status = split_by_values(&p, vector, functionals, err);
    if (status == PEPA_OK)
        status = lump_refine(&p, l->full, l->at, set, err);
    if (status == PEPA_OK)
        status =
            quotient_new(&l->quotient, &p, l->full, l->at,
                         budget_left(set->memory, bytes_between(l->full, &p, functionals)), err);
    partition_free(&p);
    l->spread = l->quotient.spread;
    if (status == PEPA_OK)
        status = keep_values(l, vector, functionals, err);
    mem_free(vector);
    return status;
}

/* ---- the chain of blocks --------------------------------------------------------------------- */

/* A block's state, packed, is that of its smallest state, so that sweeps find the same orders. */
static void pack_states(Lumping *l)
{
    const size_t words = l->full->system->words;
    for (int32_t b = 0; b < l->quotient.n; b++)
        chain_packed(l->full, l->quotient.first[b], l->lumped.states.state + (size_t)b * words);
}

/* Where the chain may begin in several states, which are its first ones, so may the lumped one, in the first blocks:
 * their probabilities are terms behind the rates. */
static bool begin_in_blocks(Lumping *l)
{
    Quotient *q = &l->quotient;
    const Chain *full = l->full;
    const size_t entries = (size_t)q->row[q->n], starts = (size_t)full->start_count;
    double *rate = mem_resize(q->rate, entries + starts, sizeof *rate);
    if (rate)
        q->rate = rate;
    if (!rate || !mem_new(l->lumped.start_term, starts))
        return false;
    for (int32_t i = 0; i < full->start_count; i++) {
        const int32_t b = q->block[i];
        if (b == l->lumped.start_count) {
            l->lumped.start_term[b] = (int32_t)entries + l->lumped.start_count++;
            rate[l->lumped.start_term[b]] = 0;
        }
        rate[l->lumped.start_term[b]] += l->at->term[full->start_term[i]];
    }
    return true;
}

static PepaStatus make_chain(Lumping *l, const PepaSettings *set, PepaError *err)
{
    const Quotient *q = &l->quotient;
    const Chain *full = l->full;
    Chain *c = &l->lumped;
    const int64_t entries = q->row[q->n];
    const int64_t most = entries > full->model->action_count ? entries : full->model->action_count;
    if (entries + full->start_count >= INT32_MAX)
        return error_limit(err, PEPA_ELIMIT, PEPA_LIMIT_NONE,
                           "the lumped chain has more than %d transitions", INT32_MAX);
    if (!mem_new(l->identity, most) ||
        !mem_new(c->states.state, (size_t)q->n * full->system->words) ||
        (!chain_has_one_start(full) && !begin_in_blocks(l)))
        return error_memory(err);
    for (int32_t i = 0; i < most; i++)
        l->identity[i] = i;
    pack_states(l);
    l->values = (RateValues){.term = q->rate, .forced = l->at->forced, .rate = l->at->rate};
    c->model = full->model;
    c->system = full->system;
    c->now = l->values;
    c->state_count = q->n;
    c->initial = q->block[full->initial];
    c->states.words = full->system->words;
    c->states.count = q->n;
    c->row = q->row;
    c->target = q->target;
    c->transitions = entries;
    c->wide = c->kind_term = c->actions = l->identity;
    c->kind_action = q->action;
    c->kind_count = (int32_t)entries;
    c->action_count = full->model->action_count;
    c->memory = set->memory;
    return chain_search_bsccs(c, err);
}

PepaStatus lumping_new(Lumping **out, const Chain *chain, const RateValues *at,
                       const Expressions *measures, const PepaSettings *set, PepaError *err)
{
    Lumping *l = mem_calloc(1, sizeof *l);
    if (!l)
        return error_memory(err);
    l->full = chain;
    l->at = at;
    l->measures = measures;
    PepaStatus status = find_blocks(l, set, err);
    if (status == PEPA_OK)
        status = make_chain(l, set, err);
    if (status == PEPA_OK)
        *out = l;
    else
        lumping_free(l);
    return status;
}

int32_t lumping_blocks(const Lumping *l)
{
    return l->quotient.n;
}

int32_t lumping_block(const Lumping *l, int64_t state)
{
    return l->quotient.block[state];
}

int64_t lumping_transitions(const Lumping *l)
{
    return l->quotient.row[l->quotient.n];
}

double lumping_spread(const Lumping *l)
{
    return l->spread;
}

/* ---- solution -------------------------------------------------------------------------------- */

/* A block of no probability counts nothing, whatever its value is. */
static PepaStatus find_values(const Lumping *l, const double *pi, double *value, PepaError *err)
{
    const size_t functionals = (size_t)expressions_functionals(l->measures);
    Sum *sum = mem_calloc(functionals, sizeof *sum);
    double *mean = mem_alloc(functionals, sizeof *mean);
    PepaStatus status = sum && mean ? PEPA_OK : error_memory(err);
    for (int32_t b = 0; status == PEPA_OK && b < l->quotient.n; b++)
        for (size_t f = 0; f < functionals && pi[b] != 0; f++)
            sum_add(&sum[f], pi[b] * l->vector[(size_t)b * functionals + f]);
    for (size_t f = 0; status == PEPA_OK && f < functionals; f++)
        mean[f] = isfinite(sum[f].sum) ? sum_value(&sum[f]) : sum[f].sum;
    if (status == PEPA_OK)
        status = expressions_combine(l->measures, l->at, mean, value, err);
    mem_free_all(sum, mean);
    return status;
}

PepaStatus lumping_solve(const Lumping *l, const PepaSettings *set, double *pi, double *value,
                         PepaInfo *info, PepaError *err)
{
    PepaSettings rest = *set;
    LongRun *run = NULL;
    rest.memory = budget_left(set->memory, bytes_kept(l));
    rest.solve.keeping = NULL; /* its states are those of the whole chain */
    PepaStatus status = longrun_check_memory(&l->lumped, &rest, err);
    if (status == PEPA_OK)
        status = longrun_new(&run, &l->lumped, &steady_by_rows, err);
    if (status == PEPA_OK)
        status = longrun_solve(run, &l->values, &rest, pi, info, err);
    longrun_free(run);
    if (status == PEPA_OK)
        status = find_values(l, pi, value, err);
    return status;
}
