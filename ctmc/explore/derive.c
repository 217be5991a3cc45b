/* Derives a chain from a model: as a diagram where that suits, else state by state. */
#include "ctmc/chain.h"

#include <math.h>

#include "base/budget.h"
#include "base/processes.h"
#include "ctmc/explore/tuning.h"
#include "ctmc/system/durations.h"
#include "pepa_evidence.h"

/* How many are derived. */
typedef struct {
    int64_t few;       /* one by one, no more states than that; 0: as many as settings allow */
    int64_t whole;     /* as sets, if some are left for ever, no more than that; 0: the same */
    int32_t processes; /* that share vectors */
    bool left;         /* out: there are more of the latter */
    bool suits;        /* out: there could be sets, but one by one is better */
} Amount;

/* Joint local states of all slots: may be very large. */
static double potential_states(const System *system)
{
    double ways = 1;
    for (int32_t i = 0; i < system->slot_count; i++)
        ways *= split_slot_states(system, i);
    return ways;
}

static PepaStatus compile(Chain *chain, const PepaSettings *set, PepaError *err)
{
    PepaStatus status = rates_init(&chain->rates, chain->model, err);
    if (status == PEPA_OK)
        status = system_new(&chain->system, chain->model, &chain->rates,
                            !set->derive.separate_copies, err);
    return status == PEPA_OK ? system_countable(chain->system, err) : status;
}

static void forget_sets(Chain *chain)
{
    diagram_free(chain->diagram);
    system_free(chain->system);
    rates_free(&chain->rates);
    chain->diagram = NULL;
    chain->system = NULL;
}

/* Count the states, actions and transitions of a diagram; report self-loops.
 *   diags  NULL: that is done later, by rows */
static PepaStatus tally(Chain *chain, DiagList *diags, PepaError *err)
{
    const Diagram *d = chain->diagram;
    size_t n = (size_t)chain->model->action_count;
    DiagramTally tally = {.occurs = mem_calloc(n, 1), .loops = mem_calloc(n, sizeof *tally.loops)};
    chain->actions = mem_alloc(n, sizeof *chain->actions);
    PepaStatus status = tally.occurs && tally.loops && chain->actions
                            ? diagram_tally(d, &tally, err)
                            : error_memory(err);
    chain->initial = d->offset[d->initial_upper] + d->initial_lower;
    chain->transitions = tally.transitions;
    for (int32_t a = 0; status == PEPA_OK && a < chain->model->action_count; a++) {
        if (tally.occurs[a])
            chain->actions[chain->action_count++] = a;
        if (diags)
            review_loop(chain, a, tally.loops[a], diags);
        else
            chain->loops = chain->loops || tally.loops[a] > 0;
    }
    mem_free_all(tally.occurs, tally.loops);
    return status;
}

bool chain_may_be_sets(const Chain *chain)
{
    const System *s = chain->system;
    return !s->functional && !s->preempts && s->slot_count > 1;
}

static const char *why_not(const Chain *chain)
{
    const System *s = chain->system;
    return s->functional        ? "some rates depend on the state"
           : s->preempts        ? "some actions are immediate or have a priority"
           : s->slot_count == 1 ? "there is one component"
                                : "the components have too little in common, or are wrong, which "
                                  "exploring one by one would tell";
}

/* Count what a diagram has; where it has states that are left for ever, write its transitions by
 * rows and find the bottom components. */
static PepaStatus complete_sets(Chain *chain, bool irreducible, DiagList *diags, PepaError *err)
{
    PepaStatus status = tally(chain, diags, err);
    if (irreducible) {
        chain->bottom_count = 1;
        return status;
    }
    if (status == PEPA_OK)
        status = chain_write_rows(chain, err);
    if (status == PEPA_EMODEL)
        diag_error(diags, (Span){SPAN_NOWHERE, SPAN_NOWHERE},
                   "the rates out of a state add up to inf; use a smaller unit of time");
    return status == PEPA_OK ? chain_search_bsccs(chain, err) : status;
}

/* Why there is no diagram: what the search says if there was one. */
static void note_no_sets(const Chain *chain, const PepaSettings *set)
{
    PepaDeriveEvidence *e = set->evidence ? &set->evidence->derive : NULL;
    if (!e || set->derive.explore == PEPA_SYMBOLIC)
        return;
    e->potential = potential_states(chain->system);
    const bool few = e->potential < FEWEST_FOR_SETS;
    e->explored = few ? PEPA_EXPLORED_FEW : PEPA_EXPLORED_ABANDONED;
    if (!few && e->abandoned == PEPA_SEARCH_NOT_ABANDONED)
        e->abandoned = PEPA_SEARCH_UNFIT;
}

/* What was decided after the search. */
static void note_sets(const PepaSettings *set, const DiagramFound *found)
{
    if (set->evidence && set->derive.explore != PEPA_SYMBOLIC)
        set->evidence->derive.explored = found->few       ? PEPA_EXPLORED_FEW
                                         : found->leaving ? PEPA_EXPLORED_LEFT
                                                          : PEPA_EXPLORED_SHARED;
}

/* The states for which a vector fits into the memory of so many processes; 0: there is no limit. */
static int64_t most_in_vectors(const PepaSettings *set, int32_t processes)
{
    const double fit = (double)set->memory * processes / sizeof(double);
    return set->memory == 0              ? 0
           : fit < ERROR_MOST_STATES     ? ERROR_MOST_STATES
           : fit < (double)INT64_MAX / 2 ? (int64_t)fit
                                         : INT64_MAX / 2;
}

/* Explore as a diagram; there is none if the model does not suit, or if one by one is better: for
 * few states, and where some are left for ever, up to worth.leaving. */
static PepaStatus explore_sets(Chain *chain, const PepaSettings *set, DiagramWorth worth,
                               Amount *amount, DiagList *diags, PepaError *err)
{
    const bool forced = set->derive.explore == PEPA_SYMBOLIC;
    worth.fewest = FEWEST_FOR_SETS;
    if (forced)
        worth.fewest = worth.leaving = 0;
    DiagramFound found = {0};
    PepaStatus status = compile(chain, set, err);
    if (status == PEPA_OK && chain->rates.status == PEPA_OK &&
        (forced || potential_states(chain->system) >= FEWEST_FOR_SETS))
        status = diagram_new(&chain->diagram, &found, chain->system, &chain->rates, DIAGRAM_LOWER,
                             worth, set, err);
    if (status == PEPA_OK && chain->rates.status == PEPA_ENOMEM)
        status = error_memory(err);
    amount->suits = status == PEPA_OK && (chain->diagram || found.leaving);
    if (status == PEPA_OK && (chain->diagram || found.few || found.leaving))
        note_sets(set, &found);
    else if (status == PEPA_OK)
        note_no_sets(chain, set);
    if (status == PEPA_OK && chain->diagram) {
        chain->state_count = chain->diagram->offset[chain->diagram->upper_count];
        amount->left =
            amount->whole > 0 && !found.irreducible && chain->state_count > amount->whole;
        if (amount->left)
            return error_limit(err, PEPA_ELIMIT, PEPA_LIMIT_EXPLORE,
                               "sets with states that are left");
        return complete_sets(chain, found.irreducible && chain->state_count > 1, diags, err);
    }
    if (status == PEPA_OK && forced)
        status = error_limit(err, PEPA_ELIMIT, PEPA_LIMIT_EXPLORE,
                             "the states cannot be explored as sets: %s", why_not(chain));
    forget_sets(chain);
    return status;
}

static PepaStatus explore_one_by_one(Chain *chain, const PepaSettings *set, DiagList *diags,
                                     PepaError *err)
{
    PepaStatus status = compile(chain, set, err);
    if (status == PEPA_OK)
        status = chain_explore(chain, set, 0, diags, err);
    if (status != PEPA_OK)
        return status;
    chain->state_count = chain->states.count;
    table_seal(&chain->states);
    return chain_find_bsccs(chain, set->threads, err);
}

/* There are too many states: if one of the first has an error, report that instead. */
static PepaStatus look_for_faults(const Chain *whole, const PepaSettings *set, DiagList *diags,
                                  PepaError *err)
{
    enum { FIRST = 100000 };
    PepaError why;
    PepaSettings some = *set;
    Chain *chain = mem_calloc(1, sizeof *chain);
    if (!chain)
        return error_memory(err);
    chain->model = whole->model;
    some.derive.max_states = set->derive.max_states < FIRST ? set->derive.max_states : FIRST;
    PepaStatus status = compile(chain, &some, &why);
    if (status == PEPA_OK)
        status = chain_explore(chain, &some, 0, diags, &why);
    chain_free(chain);
    if (status == PEPA_EMODEL && err)
        *err = why;
    return status == PEPA_EMODEL ? PEPA_EMODEL : PEPA_ELIMIT;
}

/* There are too many states to explore one by one: as sets, however little these share. */
static PepaStatus derive_after_all(Chain **out, const Model *model, const PepaSettings *set,
                                   DiagList *diags, PepaError *err)
{
    PepaSettings forced = *set;
    PepaError why;
    forced.derive.explore = PEPA_SYMBOLIC;
    PepaStatus status = chain_derive(out, model, &forced, diags, &why);
    if (status == PEPA_OK && set->evidence)
        set->evidence->derive.explored = PEPA_EXPLORED_AFTER_ALL;
    if (status == PEPA_ECANCEL && err)
        *err = why;
    return status == PEPA_OK || status == PEPA_ECANCEL ? status : PEPA_ELIMIT;
}

/* What is left to be done for a chain that processes have spread, or have failed to. */
static PepaStatus finish_spread(Chain **out, Chain *chain, PepaStatus status,
                                const PepaProcesses *p, DiagList *diags, PepaError *err)
{
    if (status == PEPA_OK) {
        rates_seal(&chain->rates);
        status = rate_values_new(&chain->now, &chain->rates, err);
        status = processes_agree(p, status, err);
    }
    if (status == PEPA_OK)
        status = chain_review(chain, diags, err);
    if (status == PEPA_OK)
        *out = chain;
    else
        chain_free(chain);
    return status;
}

static PepaSettings for_many(const PepaSettings *set, const PepaProcesses *p)
{
    PepaSettings all = *set;
    if (all.derive.max_states == 0)
        all.derive.max_states = (int64_t)MOST_ONE_BY_ONE * p->count;
    return all;
}

/* All find the same sets, which depend on memory: the second order of the slots is searched as far as that allows. */
static PepaSettings with_least_memory(const PepaSettings *set, const PepaProcesses *p)
{
    PepaSettings alike = *set;
    double least = set->memory > 0 ? -(double)set->memory : -HUGE_VAL;
    p->largest(p->user, &least, 1);
    alike.memory = isfinite(least) ? (int64_t)-least : 0;
    return alike;
}

static PepaStatus new_to_spread(Chain **out, const Model *model, const PepaProcesses *p,
                                const PepaSettings *set, PepaError *err)
{
    Chain *chain = *out = mem_calloc(1, sizeof *chain);
    PepaStatus status = chain ? PEPA_OK : error_memory(err);
    if (status == PEPA_OK) {
        chain->model = model;
        chain->memory = set->memory;
        status = compile(chain, set, err);
    }
    return processes_agree(p, status, err);
}

PepaStatus chain_derive_spread(Chain **out, const Model *model, const PepaProcesses *p,
                               const PepaSettings *set, DiagList *diags, PepaError *err)
{
    const PepaSettings all = for_many(set, p);
    Chain *chain;
    PepaStatus status = new_to_spread(&chain, model, p, &all, err);
    if (status == PEPA_OK)
        status = chain_spread(chain, p, &all, diags, err);
    return finish_spread(out, chain, status, p, diags, err);
}

PepaStatus chain_derive_runs(Chain **out, const Model *model, const PepaProcesses *p,
                             int64_t fewest, const PepaSettings *set, DiagList *diags,
                             PepaError *err)
{
    const PepaSettings all = for_many(set, p);
    PepaSettings alike = with_least_memory(&all, p);
    DiagramFound found = {0};
    Chain *chain;
    bool suit = false;
    alike.evidence = NULL;
    *out = NULL;
    PepaStatus status = new_to_spread(&chain, model, p, &all, err);
    if (status == PEPA_OK && chain->rates.status == PEPA_OK)
        status = diagram_new(&chain->diagram, &found, chain->system, &chain->rates, DIAGRAM_LOWER,
                             (DiagramWorth){.fewest = fewest}, &alike, err);
    if (status == PEPA_OK && chain->rates.status == PEPA_ENOMEM)
        status = error_memory(err);
    status = processes_agree(p, status, err);
    const bool found_by_all =
        status == PEPA_OK && processes_count(p, chain->diagram != NULL) == p->count;
    if (found_by_all) {
        chain->state_count = chain->diagram->offset[chain->diagram->upper_count];
        status = processes_agree(p, tally(chain, NULL, err), err);
    }
    if (found_by_all && status == PEPA_OK)
        status = chain_spread_sets(chain, p, &all, &suit, err);
    if (status == PEPA_OK && !suit) {
        chain_free(chain);
        return PEPA_OK;
    }
    if (status == PEPA_OK && set->evidence)
        set->evidence->derive.explored = PEPA_EXPLORED_RUNS;
    return finish_spread(out, chain, status, p, diags, err);
}

static PepaStatus derive(Chain **out, const Model *model, const PepaSettings *set, Amount *amount,
                         DiagList *diags, PepaError *err)
{
    const int64_t few = amount->few;
    PepaSettings by_one = *set;
    if (by_one.derive.max_states == 0)
        by_one.derive.max_states = MOST_ONE_BY_ONE;
    if (by_one.derive.max_states > ERROR_MOST_STATES)
        by_one.derive.max_states = ERROR_MOST_STATES;
    PepaStatus status = PEPA_OK;
    Chain *chain = mem_calloc(1, sizeof *chain);
    if (!chain)
        return error_memory(err);
    chain->model = model;
    chain->memory = set->memory;
    if (set->derive.explore != PEPA_EXPLICIT)
        status = explore_sets(chain, set,
                              (DiagramWorth){.leaving = by_one.derive.max_states,
                                             .most = most_in_vectors(set, amount->processes)},
                              amount, diags, err);
    if (status == PEPA_ELIMIT && set->derive.explore == PEPA_EXPLORE_AUTO)
        status = look_for_faults(chain, &by_one, diags, err);
    if (status == PEPA_OK && !chain->diagram) {
        if (few > 0 && by_one.derive.max_states > few)
            by_one.derive.max_states = few;
        status = explore_one_by_one(chain, &by_one, diags, err);
        if (status == PEPA_ELIMIT && set->derive.explore == PEPA_EXPLORE_AUTO &&
            set->derive.max_states == 0 && few == 0) {
            chain_free(chain);
            return derive_after_all(out, model, set, diags, err);
        }
    }
    if (status == PEPA_OK) {
        rates_seal(&chain->rates);
        status = rate_values_new(&chain->now, &chain->rates, err);
    }
    if (status == PEPA_OK)
        status = chain_review(chain, diags, err);
    if (status == PEPA_OK)
        *out = chain;
    else
        chain_free(chain);
    return status;
}

PepaStatus chain_derive(Chain **out, const Model *model, const PepaSettings *set, DiagList *diags,
                        PepaError *err)
{
    const PepaStatus status = durations_refuse(model, diags, err);
    return status == PEPA_OK ? derive(out, model, set, &(Amount){.processes = 1}, diags, err)
                             : status;
}

/* Many states: by runs, if they can be found as sets, or one by one.
 *   suits  whether it is known that they can; per process */
static PepaStatus derive_many(Chain **out, const Model *model, const PepaProcesses *p, bool suits,
                              const PepaSettings *set, DiagList *diags, PepaError *err)
{
    PepaStatus status = PEPA_OK;
    if (processes_count(p, suits) == p->count)
        status = chain_derive_runs(out, model, p, 0, set, diags, err);
    return status != PEPA_OK || *out ? status : chain_derive_spread(out, model, p, set, diags, err);
}

int64_t chain_few_to_share(const PepaProcesses *p)
{
    const double few = fmax(FEW_TO_SHARE, p->latency * FEW_PER_SECOND);
    return few < MOST_ONE_BY_ONE ? (int64_t)few : MOST_ONE_BY_ONE;
}

/* Whether one process that has derived so much has no memory left to solve it. */
static bool needs_others(const Chain *c)
{
    const double n = (double)c->state_count;
    return c->row && n > FEW_TO_SHARE &&
           !budget_allows(c->memory,
                          chain_bytes(c) + chain_solution_bytes(n, (double)c->transitions));
}

PepaStatus chain_derive_together(Chain **out, const Model *model, const PepaProcesses *p,
                                 const PepaSettings *set, DiagList *diags, PepaError *err)
{
    const int64_t most = set->derive.max_states, few = chain_few_to_share(p);
    const bool many_allowed = p->count > 1 && (most == 0 || most > few);
    const bool spreads = many_allowed && set->derive.explore != PEPA_SYMBOLIC;
    Amount amount = {.few = spreads ? few : 0,
                     .whole = many_allowed && !spreads ? few : 0,
                     .processes = p->count};
    PepaError why = {0};
    *out = NULL;
    const PepaSettings alike = with_least_memory(set, p);
    PepaStatus status = durations_refuse(model, diags, err);
    if (status == PEPA_OK && spreads && set->derive.explore == PEPA_EXPLICIT)
        status = chain_derive_runs(out, model, p, few + 1, set, diags, err);
    if (status != PEPA_OK || *out)
        return status;
    status = derive(out, model, &alike, &amount, diags, &why);
    if (status == PEPA_OK && spreads && needs_others(*out))
        status = PEPA_ELIMIT;
    const bool many = status == PEPA_ELIMIT && (spreads || amount.left);
    const double all_many = processes_count(p, many),
                 failed = processes_count(p, status != PEPA_OK);
    if (status == PEPA_OK && failed == 0)
        return PEPA_OK;
    chain_free(*out);
    *out = NULL;
    if (all_many > 0 && all_many == failed) /* memory is out for some, perhaps */
        return derive_many(out, model, p, amount.suits, set, diags, err);
    if (status != PEPA_OK && err)
        *err = why;
    return processes_agree(p, status, err);
}
