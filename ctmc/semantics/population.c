/* Derives the moves of populations: the semantics with expressions for rates. */
#include "ctmc/semantics/population.h"

#include <math.h>

#include "ctmc/semantics/population_terms.h"
#include "ctmc/semantics/population_totals.h"
#include "ctmc/semantics/population_vanish.h"

#include "ctmc/semantics/traverse.h"

/* ---- hooks of the traversal: nothing is known before ------------------------------------------ */

static inline MoveList *list_of(Traversal *m)
{
    return m;
}
static inline bool known(Traversal *m, int32_t prog, int32_t able, bool wanted, Found *found)
{
    (void)m, (void)prog, (void)able, (void)wanted, (void)found;
    return false;
}
static inline bool known_ready(Traversal *m, int32_t prog, bool *is_ready)
{
    (void)m, (void)prog, (void)is_ready;
    return false;
}
static inline void kept_moves(const Traversal *m, const RateValue **rate, const uint64_t **delta)
{
    (void)m;
    *rate = NULL;
    *delta = NULL;
}

/* ---- variables -------------------------------------------------------------------------------- */

/* What the traversal looks at, and what it makes. */
typedef struct {
    Population *p;
    System counted; /* the system with `slots` */
    Slot *slots;
    int32_t *by_local;
    double *moves;   /* per program: how many it has */
    double *typical; /* per variable: its share of its slot, if local states have equal ones */
    PopulationTotals totals;
    Passing passing;
    MoveList list;
} Build;

static bool lay_out_variables(Build *b, const System *s)
{
    Population *p = b->p;
    if (!mem_new(p->variable, s->slot_count) || !mem_new(b->slots, s->slot_count) ||
        !population_totals(&b->totals, s))
        return false;
    const double *total = b->totals.total;
    p->composite = b->totals.composite;
    for (int32_t i = 0; i < s->slot_count; i++) {
        const int32_t locals = s->components[s->slots[i].component].local_count;
        b->slots[i] = s->slots[i];
        b->slots[i].cell = s->cell_count + p->variables;
        p->variable[i] = total[i] == 0 ? -1 : p->variables;
        p->variables += total[i] == 0 ? 0 : locals;
        p->slots += total[i] != 0;
    }
    b->counted = *s;
    b->counted.slots = b->slots;
    if (!mem_new_zeroed(p->initial, p->variables) || !mem_new(p->total, p->variables) ||
        !mem_new(b->typical, p->variables))
        return false;
    for (int32_t i = 0; i < s->slot_count; i++) {
        const int32_t locals = s->components[s->slots[i].component].local_count;
        for (int32_t l = 0; l < locals && p->variable[i] >= 0; l++) {
            p->total[p->variable[i] + l] = total[i];
            b->typical[p->variable[i] + l] = total[i] / locals;
        }
        if (p->variable[i] >= 0)
            p->initial[p->variable[i]] = total[i];
    }
    return true;
}

/* Fields of the numbers of local moves, none of which goes over a word. */
static bool lay_out_fields(MoveList *m)
{
    const System *s = m->system;
    uint32_t word = 0, shift = 0;
    if (!mem_new(m->field, s->slot_count) || !mem_new_zeroed(m->first_slot, s->slot_count + 2))
        return false;
    for (int32_t i = 0; i < s->slot_count; i++) {
        const int64_t locals = s->components[s->slots[i].component].local_count;
        const uint32_t bits = bits_for(locals * locals + 1);
        if (shift + bits > 64) {
            m->first_slot[++word] = i;
            shift = 0;
        }
        m->field[i] = (Field){word, shift, (UINT64_C(1) << bits) - 1};
        shift += bits;
    }
    m->words = (size_t)word + 1;
    m->first_slot[m->words] = s->slot_count;
    return true;
}

/* For functional rates: the sum of a local state's variables. */
static bool sum_locals(Build *b)
{
    const System *s = b->list.system;
    if (!mem_new(b->by_local, s->model->local_count))
        return false;
    for (int32_t l = 0; l < s->model->local_count; l++)
        b->by_local[l] = -1;
    for (int32_t i = 0; i < s->slot_count && s->functional; i++) {
        const Component *c = &s->components[s->slots[i].component];
        for (int32_t l = 0; l < c->local_count && b->p->variable[i] >= 0; l++) {
            int32_t count = flow_count(b->list.flows, b->p->variable[i] + l);
            int32_t *sum = &b->by_local[s->model->locals[c->local[l]].whole];
            *sum = *sum < 0 ? count : flow_operate(b->list.flows, EXPR_ADD, *sum, count);
        }
    }
    return true;
}

/* Its inverse is below what a passive population that runs out is at: 10^-5 of a component; fewer
 * would multiply rounding errors of counts for no use.  These grow with the populations, and so does it
 * beyond 1,000 components: then a population that runs out is at 10^-8 of the largest, of which doubles
 * have as many digits left. */
static double passive_rate(const Population *p)
{
    double total = 1;
    for (int32_t i = 0; i < p->variables; i++)
        total = fmax(total, p->total[i]);
    return fmin(1e5, 1e8 / total);
}

/* ---- moves ------------------------------------------------------------------------------------ */

enum { MOST_MOVES = 1000000, MOST_WORDS = 1 << 26 };

/* The parts whose moves are found one after the other: operands of a sum, from this one on by next,
 * or the program. */
static int32_t first_part(const System *s, int32_t prog)
{
    return s->progs[prog].kind == PROG_SUM ? s->progs[prog].first : prog;
}

/* How many moves a program has, given those of the programs after it; `together`: what has no fluid
 * limit. */
static double count_moves(const System *s, int32_t prog, const double *moves)
{
    const Prog *p = &s->progs[prog];
    double count = p->kind == PROG_SYNC ? 1 : 0;
    if (p->kind != PROG_SLOT) {
        for (int32_t child = p->first; child >= 0; child = s->progs[child].next)
            count = p->kind == PROG_SYNC ? count * moves[child] : count + moves[child];
        return count;
    }
    const Component *c = &s->components[s->slots[p->slot].component];
    for (int32_t k = c->able_row[p->action]; k < c->able_row[p->action + 1]; k++) {
        const LocalOffer *offer = component_offer(c, c->able[k], p->action);
        count += offer->end - offer->first;
    }
    return count;
}

static PepaStatus check_counts(const Build *b, PepaError *err)
{
    const System *s = b->p->system;
    double all = 0;
    for (int32_t i = 0; i < s->event_count; i++) {
        if (s->events[i].label == LABEL_NONE)
            continue;
        all += b->moves[s->events[i].prog];
        for (int32_t part = first_part(s, s->events[i].prog); part >= 0; part = s->progs[part].next)
            if (b->moves[part] * (double)b->list.words > MOST_WORDS)
                return error_set(err, PEPA_ELIMIT,
                                 "`%.100s` is done in %.15g ways by %d components: too many for "
                                 "differential equations; P[n] counts copies of P",
                                 s->model->actions[s->events[i].action], b->moves[part],
                                 (int)s->slot_count);
    }
    if (all > MOST_MOVES)
        return error_set(err, PEPA_ELIMIT,
                         "%.15g ways to move are too many for differential equations: components "
                         "that cooperate have too many local states that can do the same action",
                         all);
    return PEPA_OK;
}

static PepaStatus check_programs(Build *b, PepaError *err)
{
    const System *s = b->p->system;
    const Model *model = s->model;
    if (!mem_new(b->moves, s->prog_count))
        return error_memory(err);
    for (int32_t i = s->prog_count; i-- > 0;) {
        const Prog *p = &s->progs[i];
        b->moves[i] = count_moves(s, i, b->moves);
        if (p->together && p->kind == PROG_SLOT) {
            const Component *c = &s->components[s->slots[p->slot].component];
            return error_set(err, PEPA_ELIMIT,
                             "all copies of `%s` do `%s` together: such a step has no fluid limit; "
                             "use a chain or simulation",
                             model->locals[c->local[0]].name, model->actions[c->action[p->action]]);
        }
    }
    return check_counts(b, err);
}

/* The steps of the move that is at `delta`, of components that stay where they are or of others. */
static bool put_steps(Population *p, const MoveList *m, const uint64_t *delta, bool stay)
{
    const System *s = m->system;
    for (size_t word = 0; word < m->words; word++) {
        for (int32_t i = m->first_slot[word]; delta[word] && i < m->first_slot[word + 1]; i++) {
            const Field *f = &m->field[i];
            const uint64_t number = delta[word] >> f->shift & f->mask;
            const uint64_t locals = (uint64_t)s->components[s->slots[i].component].local_count;
            if (!number || ((number - 1) / locals == (number - 1) % locals) != stay)
                continue;
            if (!mem_grow(p->steps, p->step_cap, p->step_count + 1))
                return false;
            p->steps[p->step_count++] =
                (PopulationStep){p->variable[i] + (int32_t)((number - 1) / locals),
                                 p->variable[i] + (int32_t)((number - 1) % locals)};
        }
    }
    return true;
}

/* Move i of the list. */
static bool put_move(Population *p, const MoveList *m, size_t i, const Event *event)
{
    const uint64_t *delta = m->delta + i * m->words;
    PopulationMove move = {event->label, event->action, m->rate[i], (int32_t)p->step_count, 0, 0};
    if (!put_steps(p, m, delta, false))
        return false;
    move.end = (int32_t)p->step_count;
    if (!put_steps(p, m, delta, true))
        return false;
    move.end_of_stays = (int32_t)p->step_count;
    p->moves[p->move_count++] = move;
    return true;
}

static PepaStatus check_kind(const Population *p, const Event *event, RateValue apparent,
                             PepaError *err)
{
    const char *action = p->system->model->actions[event->action];
    if (rate_is_mixed(apparent) || (rate_exists(apparent) && p->rates.kind[apparent] == FLOW_MIXED))
        return error_set(err, PEPA_EMODEL,
                         "active and passive rates of `%s` meet in one component, in two of its "
                         "local states: a population has both at once; use a chain or simulation",
                         action);
    if (rate_exists(apparent) && p->rates.kind[apparent] == FLOW_PASSIVE)
        return error_set(err, PEPA_EMODEL, "`%s` is passive, and nothing drives it", action);
    return PEPA_OK;
}

/* The moves of a program by which `event` happens. */
static PepaStatus add_moves(Build *b, const Event *event, int32_t prog, PepaError *err)
{
    Population *p = b->p;
    MoveList *m = &b->list;
    Found found;
    m->count = 0;
    run(m, prog, true, &found);
    if (m->no_memory || p->rates.no_memory ||
        !mem_grow(p->moves, p->move_cap, p->move_count + m->count))
        return error_memory(err);
    PepaStatus status = check_kind(p, event, found.apparent, err);
    for (size_t i = 0; i < m->count && status == PEPA_OK; i++)
        if (!put_move(p, m, i, event))
            return error_memory(err);
    return status;
}

static PepaStatus add_event(Build *b, const Event *event, PepaError *err)
{
    Population *p = b->p;
    const Prog *progs = p->system->progs;
    const size_t begin = p->move_count;
    PepaStatus status = PEPA_OK;
    for (int32_t part = first_part(p->system, event->prog); part >= 0 && status == PEPA_OK;
         part = progs[part].next)
        status = add_moves(b, event, part, err);
    return status == PEPA_OK ? passing_moves(&b->passing, p, begin, MOST_MOVES, err) : status;
}

static PepaStatus build(Build *b, PepaError *err)
{
    MoveList *m = &b->list;
    const System *s = b->p->system;
    if (!lay_out_variables(b, s))
        return error_memory(err);
    m->system = &b->counted;
    b->p->rates.passive = passive_rate(b->p);
    if (!lay_out_fields(m) || !sum_locals(b) || !mem_new(m->cells, s->cell_count + b->p->variables))
        return error_memory(err);
    m->by_local = b->by_local;
    m->typical = b->typical;
    m->variables = b->p->variables;
    m->apart = b->totals.apart;
    /* The cells of the system serve to compare copies of composites; variables are behind them. */
    for (int32_t i = 0; i < s->cell_count; i++)
        m->cells[i] = b->totals.apart ? i : 0;
    for (int32_t i = 0; i < b->p->variables; i++)
        m->cells[s->cell_count + i] = i + COUNT_FIRST;
    PepaStatus status = passing_new(&b->passing, b->p, m->table, err);
    if (status == PEPA_OK)
        status = check_programs(b, err);
    if (status == PEPA_OK)
        passing_start(&b->passing, b->p);
    for (int32_t i = 0; i < s->event_count && status == PEPA_OK; i++)
        if (s->events[i].label != LABEL_NONE && !passing_is_immediate(&b->passing, s, i))
            status = add_event(b, &s->events[i], err);
    b->p->flow_count = b->p->rates.count;
    b->p->kink_count = b->p->rates.kink_count;
    return status;
}

PepaStatus population_new(Population **out, const System *system, const RateTable *rates,
                          PepaError *err)
{
    Population *p = mem_calloc(1, sizeof *p);
    if (!p)
        return error_memory(err);
    p->system = system;
    Build b = {.p = p, .list = {.table = rates, .flows = &p->rates}};
    PepaStatus status = build(&b, err);
    passing_free(&b.passing);
    mem_free_all(b.slots, b.by_local, b.moves, b.totals.total, b.typical, b.list.cells,
                 b.list.field, b.list.first_slot, b.list.rate, b.list.delta);
    if (status == PEPA_OK)
        *out = p;
    else
        population_free(p);
    return status;
}

void population_free(Population *p)
{
    if (!p)
        return;
    flows_free(&p->rates);
    mem_free_all(p->variable, p->initial, p->total, p->moves, p->steps, p);
}
