/* Breadth-first exploration: a state's number is its place in the table, which is the queue. */
#include <math.h>
#include <stdlib.h>
#include <time.h>

#include "ctmc/chain.h"
#include "ctmc/moves.h"

/* A transition of the state being expanded. */
typedef struct {
    int32_t action, target, term;
} Step;

typedef struct {
    Chain *chain;
    const PepaSettings *set;
    DiagList *diags;
    PepaError *err;
    Moves moves;
    uint64_t *here;   /* packed state being expanded: the table's own may move */
    uint32_t *hashes; /* of its targets */
    Step *steps;
    size_t hash_cap, step_cap, row_cap, transition_cap;
    uint8_t *reported; /* per action: bits of MovesFault already reported */
    int32_t faulty;    /* the first state with a fault, or -1 */
    struct timespec start;
    double shown; /* seconds at the last progress call */
} Explorer;

enum {
    LOOK_ON = 1000, /* states explored after a faulty one, to find other faults */
    TICK = 2048     /* states between looks at the clock */
};

static PepaStatus report_faults(Explorer *x)
{
    Moves *m = &x->moves;
    const System *s = x->chain->system;
    for (size_t i = 0; i < m->fault_count; i++) {
        const Event *event = &s->events[m->faults[i].event];
        uint8_t bit = (uint8_t)(1u << m->faults[i].fault);
        if (x->reported[event->action] & bit)
            continue;
        x->reported[event->action] |= bit;
        Text state = {0};
        system_unpack(s, x->here, m->cells);
        system_state_text(s, m->cells, &state);
        if (state.failed) {
            text_free(&state);
            return error_memory(x->err);
        }
        const char *name = x->chain->model->actions[event->action];
        Span span = moves_blame(m, m->faults[i].event);
        if (m->faults[i].fault == MOVES_MIXED)
            diag_error(x->diags, span,
                       "active and passive rates of `%s` meet in one component, in state %s; make "
                       "them all active or all passive, or let the components cooperate on `%s`",
                       name, state.text, name);
        else if (event->action == ACTION_TAU)
            diag_error(x->diags, span,
                       "a passive `tau` has nothing to drive it, in state %s: tau never "
                       "cooperates, so give it a rate",
                       state.text);
        else if (event->label == ACTION_TAU)
            diag_error(x->diags, span,
                       "passive activity `%s` is hidden before anything drives it, in state %s; "
                       "hide it further out, or give it a rate",
                       name, state.text);
        else
            diag_error(x->diags, span,
                       "passive activity `%s` has nothing to drive it in state %s; let it "
                       "cooperate with a component that does `%s` at an active rate",
                       name, state.text, name);
        text_free(&state);
    }
    return PEPA_OK;
}

/* What kind of rate a term is, for messages. */
static const char *kind_of_rate(TermOp op)
{
    switch (op) {
    case TERM_ONE:
    case TERM_EXPR:
    case TERM_FUNCTIONAL:
        return "the rate";
    case TERM_SCALE:
    case TERM_SUM:
        return "the total rate";
    case TERM_MIN:
    case TERM_SHARE:
        break;
    }
    return "the rate of a cooperation";
}

/* A rate that is not finite and > 0 turned up: say where. */
static PepaStatus report_rate(Explorer *x, int32_t state)
{
    const RateTable *rates = &x->chain->rates;
    const Model *model = x->chain->model;
    if (rates->status != PEPA_EMODEL)
        return error_memory(x->err);
    int32_t leaf = rates->bad; /* some activity that it is built on */
    while (rates->terms[leaf].op != TERM_EXPR && rates->terms[leaf].op != TERM_FUNCTIONAL)
        leaf = rates->terms[leaf].a;
    int32_t k = 0;
    while (k + 1 < model->activity_count && model->activities[k].expr != rates->terms[leaf].a)
        k++;
    Text text = {0};
    if (state >= 0)
        system_state_text(x->chain->system, x->moves.cells, &text);
    diag_error(x->diags, model->activities[k].span,
               "%s of `%s` comes to %g%s%s; rates must be finite and > 0",
               kind_of_rate((TermOp)rates->terms[rates->bad].op),
               model->actions[model->activities[k].action], rates->value[rates->bad],
               state >= 0 ? " in state " : "", text.text ? text.text : "");
    text_free(&text);
    return error_set(x->err, PEPA_EMODEL, "a rate is not finite and > 0");
}

static int by_action_target(const void *a, const void *b)
{
    const Step *x = a, *y = b;
    if (x->action != y->action)
        return x->action < y->action ? -1 : 1;
    if (x->target != y->target)
        return x->target < y->target ? -1 : 1;
    return (x->term > y->term) - (x->term < y->term);
}

static void sort_steps(Step *steps, size_t count)
{
    if (count > 32) {
        qsort(steps, count, sizeof *steps, by_action_target);
        return;
    }
    for (size_t i = 1; i < count; i++) {
        Step moved = steps[i];
        size_t k = i;
        for (; k > 0 && by_action_target(&steps[k - 1], &moved) > 0; k--)
            steps[k] = steps[k - 1];
        steps[k] = moved;
    }
}

/* Number the targets of the moves just found. */
static PepaStatus number_targets(Explorer *x)
{
    const Moves *m = &x->moves;
    Table *table = &x->chain->states;
    const size_t words = table->words;
    if (!mem_reserve(&x->hashes, &x->hash_cap, m->count, sizeof *x->hashes) ||
        !mem_reserve(&x->steps, &x->step_cap, m->count, sizeof *x->steps))
        return error_memory(x->err);
    for (size_t i = 0; i < m->count; i++) {
        x->hashes[i] = table_hash(table, m->target + i * words);
        table_prefetch(table, x->hashes[i]);
    }
    for (size_t i = 0; i < m->count; i++) {
        int32_t target = table_put(table, m->target + i * words, x->hashes[i]);
        if (target < 0)
            return error_memory(x->err);
        x->steps[i] = (Step){m->label[i], target, m->term[i]};
    }
    if (table->count > x->set->max_states)
        return error_set(x->err, PEPA_ELIMIT,
                         "more than %lld states; raise the limit (--max-states), or make the "
                         "model smaller",
                         (long long)x->set->max_states);
    sort_steps(x->steps, m->count);
    return PEPA_OK;
}

static bool reserve_transitions(Explorer *x, size_t need)
{
    Chain *c = x->chain;
    if (need <= x->transition_cap)
        return true;
    size_t cap = x->transition_cap + x->transition_cap / 2;
    cap = cap < need ? need + 1024 : cap;
    int32_t *target = mem_resize(c->target, cap, sizeof *target);
    if (target)
        c->target = target;
    int32_t *action = mem_resize(c->action, cap, sizeof *action);
    if (action)
        c->action = action;
    int32_t *rate = mem_resize(c->rate, cap, sizeof *rate);
    if (rate)
        c->rate = rate;
    if (!target || !action || !rate)
        return false;
    x->transition_cap = cap;
    return true;
}

/* The rates out of a state, one by one finite, must be so together. */
static PepaStatus check_exit(Explorer *x, int32_t state)
{
    const Chain *c = x->chain;
    double exit = 0;
    for (int64_t k = c->row[state]; k < c->transitions; k++)
        exit += chain_rate(c, k);
    if (isfinite(exit))
        return PEPA_OK;
    Text text = {0};
    system_unpack(c->system, x->here, x->moves.cells);
    system_state_text(c->system, x->moves.cells, &text);
    diag_error(x->diags, (Span){SPAN_NOWHERE, SPAN_NOWHERE},
               "the rates out of state %s add up to %g; use a larger unit of time",
               text.text ? text.text : "", exit);
    text_free(&text);
    return error_set(x->err, PEPA_EMODEL, "the rates out of a state overflow");
}

/* Append the sorted steps as transitions; equal ones add up. */
static PepaStatus store(Explorer *x, int32_t state)
{
    Chain *c = x->chain;
    size_t count = x->moves.count;
    int64_t begin = c->transitions, end = begin;
    if (!reserve_transitions(x, (size_t)begin + count) ||
        !mem_reserve(&c->row, &x->row_cap, (size_t)state + 2, sizeof *c->row))
        return error_memory(x->err);
    for (size_t i = 0; i < count; i++) {
        const Step *step = &x->steps[i];
        if (end > begin && c->action[end - 1] == step->action &&
            c->target[end - 1] == step->target) {
            c->rate[end - 1] = rates_sum(&c->rates, c->rate[end - 1], step->term);
            continue;
        }
        c->action[end] = step->action;
        c->target[end] = step->target;
        c->rate[end++] = step->term;
    }
    c->row[state] = begin;
    c->row[state + 1] = c->transitions = end;
    c->deadlocks += end == begin;
    return PEPA_OK;
}

static PepaStatus tick(Explorer *x, int32_t state)
{
    if (state % TICK != 0 || !x->set->progress)
        return PEPA_OK;
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    double seconds =
        (double)(now.tv_sec - x->start.tv_sec) + 1e-9 * (double)(now.tv_nsec - x->start.tv_nsec);
    if (seconds - x->shown < 0.1)
        return PEPA_OK;
    x->shown = seconds;
    PepaProgress p = {"derive", x->chain->states.count, (double)x->chain->transitions, seconds};
    return x->set->progress(x->set->user, &p)
               ? error_set(x->err, PEPA_ECANCEL, "cancelled after %d states",
                           x->chain->states.count)
               : PEPA_OK;
}

static PepaStatus expand(Explorer *x, int32_t state)
{
    Table *table = &x->chain->states;
    for (size_t w = 0; w < table->words; w++)
        x->here[w] = table->state[(size_t)state * table->words + w];
    moves_find(&x->moves, x->here, state);
    if (x->moves.no_memory)
        return error_memory(x->err);
    PepaStatus status = PEPA_OK;
    if (x->moves.fault_count) {
        if (x->faulty < 0)
            x->faulty = state;
        status = report_faults(x);
    }
    if (status == PEPA_OK)
        status = number_targets(x);
    if (status == PEPA_OK)
        status = store(x, state);
    if (status == PEPA_OK && x->chain->rates.status != PEPA_OK) {
        system_unpack(x->chain->system, x->here, x->moves.cells);
        status = report_rate(x, state);
    }
    if (status == PEPA_OK)
        status = check_exit(x, state);
    return status == PEPA_OK ? tick(x, state) : status;
}

static PepaStatus expand_all(Explorer *x)
{
    Table *table = &x->chain->states;
    PepaStatus status = PEPA_OK;
    if (x->chain->rates.status != PEPA_OK)
        return report_rate(x, -1);
    system_initial(x->chain->system, x->moves.cells);
    system_canonical(x->chain->system, x->moves.cells);
    system_pack(x->chain->system, x->moves.cells, x->here);
    if (table_put(table, x->here, table_hash(table, x->here)) < 0)
        return error_memory(x->err);
    for (int32_t state = 0; state < table->count && status == PEPA_OK; state++) {
        if (x->faulty >= 0 && state > x->faulty + LOOK_ON)
            break;
        status = expand(x, state);
    }
    if (status == PEPA_OK && x->faulty >= 0)
        status = error_set(x->err, PEPA_EMODEL, "some activities of the model have no meaning");
    return status;
}

/* Renumber the actions of the transitions to those that occur. */
static PepaStatus compress_actions(Chain *c, PepaError *err)
{
    int32_t n = c->model->action_count;
    int32_t *index = mem_calloc((size_t)n, sizeof *index);
    c->actions = mem_alloc((size_t)n, sizeof *c->actions);
    if (!index || !c->actions) {
        mem_free(index);
        return error_memory(err);
    }
    for (int64_t k = 0; k < c->transitions; k++)
        index[c->action[k]] = 1;
    for (int32_t a = 0; a < n; a++)
        if (index[a]) {
            index[a] = c->action_count;
            c->actions[c->action_count++] = a;
        }
    for (int64_t k = 0; k < c->transitions; k++)
        c->action[k] = index[c->action[k]];
    mem_free(index);
    return PEPA_OK;
}

PepaStatus chain_explore(Chain *chain, const PepaSettings *set, DiagList *diags, PepaError *err)
{
    Explorer x = {.chain = chain, .set = set, .diags = diags, .err = err, .faulty = -1};
    (void)clock_gettime(CLOCK_MONOTONIC, &x.start);
    PepaStatus status = moves_init(&x.moves, chain->system, &chain->rates, err);
    if (status == PEPA_OK) {
        x.here = mem_alloc(chain->system->words, sizeof *x.here);
        x.reported = mem_calloc((size_t)chain->model->action_count, 1);
        status = x.here && x.reported && table_init(&chain->states, chain->system->words)
                     ? expand_all(&x)
                     : error_memory(err);
    }
    moves_free(&x.moves);
    mem_free(x.here);
    mem_free(x.reported);
    mem_free(x.hashes);
    mem_free(x.steps);
    return status == PEPA_OK ? compress_actions(chain, err) : status;
}
