/* Walks from state to state.  The present state and those before it are kept packed; states that a
 * jump numbers are in the chain's table, as if it were being explored. */
#include "ctmc/explore/walk.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "ctmc/explore/explorer.h"

/* The place of a move in the block, to be sorted. */
typedef struct {
    int32_t action, at;
} Place;

struct Walk {
    Chain chain; /* states: numbered so far; explorer.next of them are expanded */
    PepaSettings set;
    Explorer explorer;
    uint64_t *trail; /* the initial state first, the present one last */
    size_t length, cap;
    Block now;    /* moves of the present state */
    Place *place; /* per step */
    size_t place_cap;
    double exit;
    uint8_t *enabled; /* per action of the model */
};

/* ---- life ------------------------------------------------------------------------------------ */

static PepaStatus prepare(Walk *w, DiagList *diags, PepaError *err)
{
    Explorer *x = &w->explorer;
    Chain *c = &w->chain;
    *x = (Explorer){.chain = c, .set = &w->set, .diags = diags, .err = err, .faulty = -1};
    PepaStatus status = rates_init(&c->rates, c->model, err);
    if (status == PEPA_OK)
        status = system_new(&c->system, c->model, &c->rates, !w->set.derive.separate_copies, err);
    if (status == PEPA_OK)
        status = system_countable(c->system, err);
    if (status == PEPA_OK && c->rates.status != PEPA_OK)
        return report_rate(x, NULL);
    if (status == PEPA_OK)
        status = plans_new(&x->plans, c->system, err);
    if (status == PEPA_OK)
        status = expander_init(&x->expander, c->system, &c->rates, &x->plans, &x->kinds, err);
    if (status != PEPA_OK)
        return status;
    const size_t actions = (size_t)c->model->action_count;
    const bool ok = mem_new_zeroed(x->reported, actions) && mem_new_zeroed(w->enabled, actions) &&
                    table_init(&x->kinds, 1) && table_init(&c->states, c->system->words) &&
                    block_reserve(&x->block, 1, c->system->words);
    return ok ? PEPA_OK : error_memory(err);
}

PepaStatus walk_new(Walk **out, const Model *model, const PepaSettings *set, DiagList *diags,
                    PepaError *err)
{
    Walk *w = mem_calloc(1, sizeof *w);
    if (!w)
        return error_memory(err);
    w->chain.model = model;
    w->set = *set;
    if (w->set.derive.max_states == 0)
        w->set.derive.max_states = MOST_ONE_BY_ONE;
    PepaStatus status = prepare(w, diags, err);
    uint64_t *initial = NULL;
    if (status == PEPA_OK && !mem_new(initial, w->chain.system->words))
        status = error_memory(err);
    if (status == PEPA_OK) {
        system_initial(w->chain.system, w->explorer.expander.moves.cells);
        system_pack(w->chain.system, w->explorer.expander.moves.cells, initial);
        status = explore_begin(&w->explorer);
    }
    if (status == PEPA_OK)
        status = walk_go(w, initial, diags, err);
    mem_free(initial);
    if (status == PEPA_OK)
        *out = w;
    else
        walk_free(w);
    return status;
}

void walk_free(Walk *w)
{
    if (!w)
        return;
    plans_free(&w->explorer.plans);
    expander_free(&w->explorer.expander);
    block_free(&w->explorer.block);
    block_free(&w->now);
    table_free(&w->explorer.kinds);
    table_free(&w->chain.states);
    system_free(w->chain.system);
    rates_free(&w->chain.rates);
    mem_free_all(w->chain.start_term, w->explorer.reported, w->trail, w->place, w->enabled, w);
}

/* ---- one state ------------------------------------------------------------------------------- */

static double rate_at(const Walk *w, const Block *b, int32_t at)
{
    return w->chain.rates.value[kind_term(&w->explorer.kinds, b->kind[at])];
}

/* Rates that were found to be no rates stay in the table, so that they are looked for each time. */
static PepaStatus check_rates(Walk *w, const uint64_t *packed, const Block *b, double *exit)
{
    RateTable *rates = &w->chain.rates;
    *exit = 0;
    for (int32_t i = 0; i < (int32_t)b->moves; i++) {
        const double rate = rate_at(w, b, i);
        *exit += rate;
        if (rates->status == PEPA_OK && !(isfinite(rate) && rate > 0)) {
            rates->status = PEPA_EMODEL;
            rates->bad = kind_term(&w->explorer.kinds, b->kind[i]);
        }
    }
    if (rates->status != PEPA_OK)
        return report_rate(&w->explorer, packed);
    return isfinite(*exit) ? PEPA_OK : report_exit(&w->explorer, packed, *exit);
}

/* The moves of a state into the explorer's block, as they are or between tangible states only, and
 * the sum of their rates.
 *   packed  not in this block */
static PepaStatus expand(Walk *w, const uint64_t *packed, bool tangible, double *exit,
                         DiagList *diags, PepaError *err)
{
    Explorer *x = &w->explorer;
    x->diags = diags;
    x->err = err;
    w->chain.rates.status = PEPA_OK;
    if (!block_begin(&x->block, 0, 1))
        return error_memory(err);
    Expansion how = tangible ? expand_state(&x->expander, packed, &x->block)
                             : expand_one(&x->expander, packed, &x->block);
    if (!tangible)
        x->expander.culprit = NULL;
    if (how == EXPAND_FAULTY) {
        memset(x->reported, 0, (size_t)w->chain.model->action_count);
        how = expand_interpreted(&x->expander, packed, &x->block);
        PepaStatus status = how == EXPANDED ? report_faults(x, packed) : PEPA_OK;
        if (status != PEPA_OK)
            return status;
        if (how == EXPANDED)
            return error_set(err, PEPA_EMODEL, "some activities of the model have no meaning");
    }
    return how == EXPANDED ? check_rates(w, packed, &x->block, exit) : error_memory(err);
}

static int compare_places(const void *a, const void *b)
{
    const Place *x = a, *y = b;
    if (x->action != y->action)
        return x->action < y->action ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

/* Make the state whose moves are in the explorer's block the present one; it is trail[length - 1]
 * already.  Cannot fail. */
static void settle(Walk *w, double exit)
{
    const Block moves = w->explorer.block;
    w->explorer.block = w->now;
    w->now = moves;
    w->exit = exit;
    memset(w->enabled, 0, (size_t)w->chain.model->action_count);
    for (int32_t i = 0; i < (int32_t)moves.moves; i++) {
        const int32_t action = kind_action(&w->explorer.kinds, moves.kind[i]);
        w->place[i] = (Place){action, i};
        w->enabled[action] = 1;
    }
    qsort(w->place, moves.moves, sizeof *w->place, compare_places);
}

/* To a state, as the length-th of the trail.  packed may be in the trail, or in the present moves. */
static PepaStatus move(Walk *w, const uint64_t *packed, size_t length, DiagList *diags,
                       PepaError *err)
{
    const size_t words = w->chain.system->words;
    double exit;
    PepaStatus status = expand(w, packed, false, &exit, diags, err);
    if (status != PEPA_OK)
        return status;
    const bool within = w->trail && packed >= w->trail && packed < w->trail + w->length * words;
    const size_t offset = within ? (size_t)(packed - w->trail) : 0;
    if (!mem_grow(w->place, w->place_cap, w->explorer.block.moves + 1) ||
        !mem_reserve(&w->trail, &w->cap, length, words * sizeof *w->trail))
        return error_memory(err);
    memmove(w->trail + (length - 1) * words, within ? w->trail + offset : packed,
            words * sizeof *packed);
    w->length = length;
    settle(w, exit);
    return PEPA_OK;
}

/* ---- where it is ----------------------------------------------------------------------------- */

const Chain *walk_chain(const Walk *w)
{
    return &w->chain;
}

const uint64_t *walk_state(const Walk *w)
{
    return w->trail + (w->length - 1) * w->chain.system->words;
}

int64_t walk_length(const Walk *w)
{
    return (int64_t)w->length - 1;
}

int32_t walk_count(const Walk *w)
{
    return (int32_t)w->now.moves;
}

WalkStep walk_step(const Walk *w, int32_t step)
{
    const Place place = w->place[step];
    const int32_t term = kind_term(&w->explorer.kinds, w->now.kind[place.at]);
    return (WalkStep){place.action, rate_at(w, &w->now, place.at),
                      w->chain.rates.level[term] == LEVEL_IMMEDIATE,
                      w->now.target + (size_t)place.at * w->chain.system->words};
}

double walk_exit(const Walk *w)
{
    return w->exit;
}

const uint8_t *walk_enabled(const Walk *w)
{
    return w->enabled;
}

/* ---- steps ----------------------------------------------------------------------------------- */

PepaStatus walk_take(Walk *w, int32_t step, DiagList *diags, PepaError *err)
{
    return move(w, walk_step(w, step).target, w->length + 1, diags, err);
}

PepaStatus walk_back(Walk *w, int64_t steps, DiagList *diags, PepaError *err)
{
    const size_t length = w->length - (size_t)steps;
    return move(w, w->trail + (length - 1) * w->chain.system->words, length, diags, err);
}

PepaStatus walk_go(Walk *w, const uint64_t *packed, DiagList *diags, PepaError *err)
{
    return move(w, packed, w->length + 1, diags, err);
}

PepaStatus walk_passes(Walk *w, DiagList *diags, PepaError *err)
{
    enum { MOST_SEARCHED = 100000 };
    Explorer *x = &w->explorer;
    Table met = {0};
    const size_t words = w->chain.system->words;
    bool ok = table_init(&met, words) &&
              table_put(&met, walk_state(w), table_hash(&met, walk_state(w))) == 0;
    bool passes = false;
    for (int32_t k = 0; ok && !passes && k < met.count && met.count <= MOST_SEARCHED; k++) {
        ok = block_begin(&x->block, 0, 1) &&
             expand_one(&x->expander, table_state(&met, k), &x->block) == EXPANDED;
        passes = !x->expander.vanishing;
        for (size_t i = 0; ok && !passes && i < x->block.moves; i++) {
            const uint64_t *target = x->block.target + i * words;
            ok = table_put(&met, target, table_hash(&met, target)) >= 0;
        }
    }
    const bool known = met.count <= MOST_SEARCHED;
    table_free(&met);
    if (!ok)
        return error_memory(err);
    if (passes)
        return PEPA_OK;
    if (!known)
        return error_limit(err, PEPA_ELIMIT, PEPA_LIMIT_SIMULATION,
                           "immediate activities go on without end, it seems, and no time passes");
    x->diags = diags;
    x->err = err;
    const PepaStatus status = report_trap(x, walk_state(w));
    return status == PEPA_OK ? error_set(err, PEPA_EMODEL, "time cannot go on") : status;
}

/* Expand the next of the numbered states, and number those that it leads to. */
static PepaStatus number_next(Walk *w, DiagList *diags, PepaError *err)
{
    Explorer *x = &w->explorer;
    Table *states = &w->chain.states;
    const size_t words = states->words;
    double exit;
    PepaStatus status = expand(w, table_state(states, x->next), true, &exit, diags, err);
    if (status != PEPA_OK)
        return status;
    for (size_t i = 0; i < x->block.moves; i++) {
        const uint64_t *target = x->block.target + i * words;
        if (table_put(states, target, table_hash(states, target)) < 0)
            return error_memory(err);
    }
    x->next++;
    return explore_tick(x);
}

PepaStatus walk_jump(Walk *w, int64_t number, DiagList *diags, PepaError *err)
{
    Table *states = &w->chain.states;
    PepaStatus status = PEPA_OK;
    w->explorer.start = clock_seconds();
    w->explorer.shown = 0;
    if (number >= w->set.derive.max_states)
        return error_states(err, w->set.derive.max_states);
    while (status == PEPA_OK && states->count <= number && w->explorer.next < states->count)
        status = number_next(w, diags, err);
    if (status == PEPA_OK && states->count <= number)
        return error_set(err, PEPA_EARG, "there are %d states only", states->count);
    return status == PEPA_OK ? walk_go(w, table_state(states, (int32_t)number), diags, err)
                             : status;
}
