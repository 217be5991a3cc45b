/* Derives the moves of populations: the semantics with expressions for rates. */
#include "ctmc/semantics/population.h"

#include <math.h>

#include "ctmc/semantics/condition.h"
#include "ctmc/semantics/population_totals.h"
#include "ctmc/semantics/population_vanish.h"

typedef int32_t RateValue; /* an expression, RATE_NONE or RATE_MIXED */
typedef int32_t Count;     /* from COUNT_FIRST on a variable */
enum { RATE_NONE = -1, RATE_MIXED = -2 };
/* Below it: how many copies of a composite component one stands for. */
enum { COUNT_FIRST = 1 << 30 };

/* The moves of one event.  Words are fields, one per slot, of the number of a local move: from x
 * local states + to + 1, or 0. */
typedef struct {
    const System *system; /* a copy, in which all slots are counted and cells are variables */
    const RateTable *table;
    Flows *flows;
    const int32_t *by_local; /* per local state of the model: how many of all, an expression or -1;
                              * of phases: with the state of which they are */
    Count *cells;
    Field *field;          /* per slot */
    const double *typical; /* per variable, for conditions */
    int32_t variables;
    bool apart;     /* copies of composites are not taken together */
    double passive; /* K */
    RateValue *rate;
    uint64_t *delta;
    size_t words, count, cap;
    bool no_memory;
} MoveList;
typedef MoveList Traversal;

/* ---- the algebra of expressions -------------------------------------------------------------- */

static inline RateValue rate_none(void)
{
    return RATE_NONE;
}
static inline RateValue rate_mixed(void)
{
    return RATE_MIXED;
}
static inline bool rate_exists(RateValue r)
{
    return r >= 0;
}
static inline bool rate_is_mixed(RateValue r)
{
    return r == RATE_MIXED;
}
static inline bool rate_same(RateValue a, RateValue b)
{
    return a == b;
}
/* Passive rates are large ones here; their kind goes with the expression, and sums of both are found
 * when all is built. */
static inline bool rate_alike(const MoveList *m, RateValue a, RateValue b)
{
    (void)m, (void)a, (void)b;
    return true;
}
static inline RateLevel rate_level(const MoveList *m, RateValue r)
{
    (void)m, (void)r;
    return LEVEL_TIMED;
}
static inline RateValue rate_prior(const MoveList *m, RateValue low, RateValue high)
{
    (void)m, (void)high; /* there are no priorities */
    return low;
}
static inline bool rate_is_off(const MoveList *m, RateValue r)
{
    (void)m, (void)r;
    return false;
}
static RateValue number_of(const MoveList *m, double value, bool passive)
{
    return flow_number(m->flows, passive ? value * m->passive : value,
                       passive ? FLOW_PASSIVE : FLOW_ACTIVE);
}
static inline RateValue rate_of_term(const MoveList *m, int32_t term)
{
    return number_of(m, m->table->value[term], m->table->level[term] != LEVEL_TIMED);
}

/* Depth is bounded when a model is read: CHECK_MAX_DEPTH. */
static RateValue rate_functional(const MoveList *m, int32_t expr)
{
    const Model *model = m->system->model;
    const Expr *e = &model->exprs[expr];
    switch (e->op) {
    case EXPR_NUMBER:
        return flow_number(m->flows, e->number, FLOW_ACTIVE);
    case EXPR_PASSIVE:
    case EXPR_IMMEDIATE:
        return flow_number(m->flows, m->passive, FLOW_PASSIVE);
    case EXPR_COUNT:
        return m->by_local[e->a] < 0 ? flow_number(m->flows, 0, FLOW_ACTIVE) : m->by_local[e->a];
    case EXPR_RATE:
        return e->functional ? rate_functional(m, model->rates[e->a].expr)
                             : number_of(m, m->table->values[e->a].value,
                                         m->table->values[e->a].level != LEVEL_TIMED);
    case EXPR_IF: {
        const RateValue condition = rate_functional(m, e->a);
        const RateValue then = rate_functional(m, model->exprs[e->b].a);
        return flow_if(m->flows, condition, then, rate_functional(m, model->exprs[e->b].b));
    }
    default:
        break;
    }
    const RateValue a = rate_functional(m, e->a), b = e->b < 0 ? -1 : rate_functional(m, e->b);
    return e->op >= EXPR_LESS && e->op <= EXPR_UNEQUAL
               ? condition_compare(m->flows, e->op, a, b, m->typical, m->variables)
               : flow_operate(m->flows, e->op, a, b);
}
static inline RateValue rate_sum(const MoveList *m, RateValue a, RateValue b)
{
    return flow_operate(m->flows, EXPR_ADD, a, b);
}
/* A number of copies of composites: the variables of the first one count all; unless they are apart,
 * and equal since they never change. */
static inline RateValue rate_scale(const MoveList *m, RateValue r, Count copies)
{
    if (copies >= COUNT_FIRST)
        return flow_operate(m->flows, EXPR_MUL, flow_count(m->flows, copies - COUNT_FIRST), r);
    return m->apart
               ? flow_operate(m->flows, EXPR_MUL, r, flow_number(m->flows, copies, FLOW_ACTIVE))
               : r;
}
static inline RateValue rate_min(const MoveList *m, RateValue a, RateValue b)
{
    return flow_operate(m->flows, EXPR_MIN, a, b);
}
static inline RateValue rate_share(const MoveList *m, RateValue r, RateValue activity,
                                   RateValue apparent)
{
    return flow_share(m->flows, r, activity, apparent);
}

/* ---- cells and steps ------------------------------------------------------------------------- */

#define TRAVERSE_CELLS
static inline bool slot_is_counted(const Slot *slot)
{
    (void)slot;
    return true;
}
static inline bool copies_are_equal(const Count *a, const Count *b, int32_t width)
{
    return memcmp(a, b, (size_t)width * sizeof *a) == 0;
}

static const Field *field_of(const MoveList *m, const Slot *slot)
{
    return &m->field[slot - m->system->slots];
}
#define step_add(s, delta, slot, from, to) put_step(m, delta, slot, from, to)
static inline void put_step(const MoveList *m, uint64_t *delta, const Slot *slot, int32_t from,
                            int32_t to)
{
    const Field *f = field_of(m, slot);
    const int32_t locals = m->system->components[slot->component].local_count;
    delta[f->word] |= ((uint64_t)from * (uint64_t)locals + (uint64_t)to + 1) << f->shift;
}

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
    if (!mem_new(m->field, s->slot_count))
        return false;
    for (int32_t i = 0; i < s->slot_count; i++) {
        const int64_t locals = s->components[s->slots[i].component].local_count;
        const uint32_t bits = bits_for(locals * locals + 1);
        if (shift + bits > 64) {
            word++;
            shift = 0;
        }
        m->field[i] = (Field){word, shift, (UINT64_C(1) << bits) - 1};
        shift += bits;
    }
    m->words = (size_t)word + 1;
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

/* K: 10,000 times what the largest population can do, by the least weight.  So a passive population
 * that runs out is at 1/10,000 of a component; a larger K would multiply rounding errors of counts
 * for no use.  These grow with the populations, and K does not beyond 10^8 components' worth: then a population
 * that runs out is at 10^-8 of the largest, of which doubles have as many digits left. */
static double passive_rate(const Population *p, const RateTable *rates)
{
    double most = 0, least = 1, total = 1;
    for (int32_t i = 0; i < p->variables; i++)
        total = fmax(total, p->total[i]);
    for (int32_t i = 0; i < rates->count; i++) {
        if (rates->level[i] == LEVEL_TIMED)
            most = fmax(most, rates->value[i]);
        else if (rates->value[i] > 0) /* a weight that counts local states may be 0 */
            least = fmin(least, rates->value[i]);
    }
    return fmin(1e4 * total, 1e8) * most / least;
}

/* ---- moves ------------------------------------------------------------------------------------ */

enum { MOST_MOVES = 1000000 };

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

static PepaStatus check_programs(Build *b, PepaError *err)
{
    const System *s = b->p->system;
    const Model *model = s->model;
    double all = 0;
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
    for (int32_t i = 0; i < s->event_count; i++)
        all += s->events[i].label == LABEL_NONE ? 0 : b->moves[s->events[i].prog];
    if (all * (double)b->list.words > MOST_MOVES)
        return error_set(err, PEPA_ELIMIT,
                         "%.3g ways to move are too many for differential equations: components "
                         "that cooperate have too many local states that can do the same action",
                         all);
    return PEPA_OK;
}

/* The steps of the move that is at `delta`, of components that stay where they are or of others. */
static bool put_steps(Population *p, const MoveList *m, const uint64_t *delta, bool stay)
{
    const System *s = m->system;
    for (int32_t i = 0; i < s->slot_count; i++) {
        const Field *f = &m->field[i];
        const uint64_t number = delta[f->word] >> f->shift & f->mask;
        const uint64_t locals = (uint64_t)s->components[s->slots[i].component].local_count;
        if (!number || ((number - 1) / locals == (number - 1) % locals) != stay)
            continue;
        if (!mem_grow(p->steps, p->step_cap, p->step_count + 1))
            return false;
        p->steps[p->step_count++] =
            (PopulationStep){p->variable[i] + (int32_t)((number - 1) / locals),
                             p->variable[i] + (int32_t)((number - 1) % locals)};
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

static PepaStatus add_event(Build *b, const Event *event, PepaError *err)
{
    Population *p = b->p;
    MoveList *m = &b->list;
    Found found;
    m->count = 0;
    run(m, event->prog, true, &found);
    if (m->no_memory || p->rates.no_memory ||
        !mem_grow(p->moves, p->move_cap, p->move_count + m->count))
        return error_memory(err);
    PepaStatus status = check_kind(p, event, found.apparent, err);
    const size_t begin = p->move_count;
    for (size_t i = 0; i < m->count && status == PEPA_OK; i++)
        if (!put_move(p, m, i, event))
            return error_memory(err);
    return status == PEPA_OK ? passing_moves(&b->passing, p, begin, MOST_MOVES, err) : status;
}

static PepaStatus build(Build *b, PepaError *err)
{
    MoveList *m = &b->list;
    const System *s = b->p->system;
    if (!lay_out_variables(b, s))
        return error_memory(err);
    m->system = &b->counted;
    m->passive = b->p->passive = passive_rate(b->p, m->table);
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
                 b.list.field, b.list.rate, b.list.delta);
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
