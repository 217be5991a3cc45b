/* Counts the components that enter a set of local states, by differences of counts between the
 * ends of a transition: one for each class of slots that may stand in for each other. */
#include "ctmc/inflow.h"

#include "base/processes.h"
#include "ctmc/targets.h"

/* Whether components of a class can enter the places, and leave them. */
enum { ENTERS = 1, LEAVES = 2 };
enum { MOST_MOVERS = 2 }; /* that matter: several */

typedef struct {
    const Chain *chain;
    int32_t *class;  /* per slot: the first slot of its class */
    int32_t *offset; /* per slot: where its local states begin in inside */
    uint8_t *inside; /* per slot and local state: it is one of the places */
    uint8_t *can;    /* per program: scratch */
    double *number;  /* per state: components of the class at hand that are in the places */
    InflowTask *task;
    void *user;
} Inflow;

static int32_t first_of(const int32_t *class, int32_t slot)
{
    while (class[slot] != slot)
        slot = class[slot];
    return slot;
}

/* Slots at the same place of copies that may be permuted are one class. */
static void find_classes(Inflow *in, int32_t *slot_at)
{
    const System *s = in->chain->system;
    for (int32_t i = 0; i < s->slot_count; i++) {
        in->class[i] = i;
        if (!slot_is_constant(s, i))
            slot_at[s->slots[i].cell] = i;
    }
    for (int32_t g = 0; g < s->group_count; g++) {
        const Group *group = &s->groups[g];
        for (int32_t i = 0; i < s->slot_count; i++) {
            int32_t cell = s->slots[i].cell - group->cell;
            if (slot_is_constant(s, i) || cell < group->width ||
                cell >= group->width * group->copies)
                continue;
            int32_t a = first_of(in->class, i);
            int32_t b = first_of(in->class, slot_at[group->cell + cell % group->width]);
            in->class[a > b ? a : b] = a > b ? b : a;
        }
    }
    for (int32_t i = 0; i < s->slot_count; i++)
        in->class[i] = first_of(in->class, i);
}

static bool prepare(Inflow *in, const StatePlace *place, int32_t count)
{
    const System *s = in->chain->system;
    const Diagram *d = in->chain->diagram;
    const int64_t states = d ? d->offset[d->upper_count] : in->chain->state_count;
    int32_t *slot_at = NULL, locals = 0;
    bool ok = mem_new(in->class, s->slot_count) && mem_new(in->offset, s->slot_count) &&
              mem_new(in->can, s->prog_count) && mem_new(in->number, states) &&
              mem_new(slot_at, s->cell_count);
    for (int32_t i = 0; ok && i < s->slot_count; i++) {
        in->offset[i] = locals;
        locals += s->components[s->slots[i].component].local_count;
    }
    ok = ok && mem_new_zeroed(in->inside, locals);
    for (int32_t i = 0; ok && i < count; i++)
        in->inside[in->offset[place[i].slot] + place[i].local] = 1;
    if (ok)
        find_classes(in, slot_at);
    mem_free(slot_at);
    return ok;
}

/* What an action of a slot's component can do. */
static uint8_t slot_can(const Inflow *in, int32_t slot, int32_t action)
{
    const System *s = in->chain->system;
    const Component *c = &s->components[s->slots[slot].component];
    const uint8_t *inside = in->inside + in->offset[slot];
    uint8_t can = 0;
    for (int32_t i = c->able_row[action]; i < c->able_row[action + 1]; i++) {
        const int32_t from = c->able[i];
        const LocalOffer *offer = component_offer(c, from, action);
        for (int32_t m = offer->first; m < offer->end; m++)
            if (inside[from] != inside[c->moves[m].target])
                can |= inside[from] ? LEAVES : ENTERS;
    }
    return can;
}

/* What a program can do with components of a class; *both: one step moves one of them in and
 * another one out. */
static uint8_t program_can(Inflow *in, int32_t class, int32_t prog, bool *both)
{
    const System *s = in->chain->system;
    const Prog *p = &s->progs[prog];
    uint8_t can = 0;
    if (p->kind == PROG_SLOT) {
        can = in->class[p->slot] == class ? slot_can(in, p->slot, p->action) : 0;
        *both = *both || (p->together && can == (ENTERS | LEAVES));
        return can;
    }
    for (int32_t i = p->first; i >= 0; i = s->progs[i].next) {
        uint8_t other = in->can[i];
        *both = *both || (p->kind == PROG_SYNC && (((can & ENTERS) && (other & LEAVES)) ||
                                                   ((can & LEAVES) && (other & ENTERS))));
        can |= other;
    }
    return can;
}

/* The class has several components. */
static bool is_several(const Inflow *in, int32_t class)
{
    const System *s = in->chain->system;
    bool several = s->slots[class].copies > 1;
    for (int32_t i = class + 1; i < s->slot_count && !several; i++)
        several = in->class[i] == class;
    return several;
}

/* Whether differences of counts tell how many components of the class enter.  Programs that belong
 * to no event move nothing, and neither do those of events without a label. */
static bool counts_tell(Inflow *in, int32_t class)
{
    const System *s = in->chain->system;
    const bool several = is_several(in, class);
    bool both = false;
    for (int32_t e = 0; e < s->event_count && several && !both; e++) {
        const Event *event = &s->events[e];
        const int32_t end = event->label == LABEL_NONE ? 0 : s->progs[event->prog].end;
        for (int32_t prog = end - 1; prog >= event->prog; prog--)
            in->can[prog] = program_can(in, class, prog, &both);
    }
    return !both;
}

/* Whether the slot's component, when it has just entered the places, can leave them without time passing;
 * or enter them, when it has just left.  Errors: PEPA_ENOMEM. */
static PepaStatus look_for_way_back(const Inflow *in, int32_t slot, bool *found, PepaError *err)
{
    const System *s = in->chain->system;
    const Component *c = &s->components[s->slots[slot].component];
    const uint8_t *inside = in->inside + in->offset[slot];
    int32_t *reached = NULL, count = 0; /* in the order in which they are */
    uint8_t *is_reached = NULL;
    if (!mem_new(reached, c->local_count) || !mem_new_zeroed(is_reached, c->local_count)) {
        mem_free(reached);
        return error_memory(err);
    }
    for (int32_t k = -1; k < count && !*found; k++) {
        /* after any move that crosses the border; after one of these, by moves that take no time */
        const int32_t first = k < 0 ? 0 : reached[k], end = k < 0 ? c->local_count : first + 1;
        for (int32_t from = first; from < end; from++)
            for (int32_t o = c->row[from]; o < c->row[from + 1]; o++) {
                const LocalOffer *offer = &c->offers[o];
                if (k >= 0 && !model_action_is_immediate(s->model, c->action[offer->action]))
                    continue;
                for (int32_t m = offer->first; m < offer->end; m++) {
                    const int32_t to = c->moves[m].target;
                    const bool crosses = inside[from] != inside[to];
                    *found = *found || (k >= 0 && crosses);
                    if ((k >= 0 || crosses) && !is_reached[to]) {
                        is_reached[to] = 1;
                        reached[count++] = to;
                    }
                }
            }
    }
    mem_free_all(reached, is_reached);
    return PEPA_OK;
}

/* So many components of the class, at most, move in one step of an event; of `waits` it says whether
 * they may have to wait for others, or for a rate that is not 0. */
static int32_t most_movers(Inflow *in, int32_t class, const Event *event, bool *waits)
{
    const System *s = in->chain->system;
    for (int32_t prog = s->progs[event->prog].end - 1; prog >= event->prog; prog--) {
        const Prog *p = &s->progs[prog];
        int32_t movers = 0;
        if (p->kind == PROG_SLOT) {
            const Component *c = &s->components[s->slots[p->slot].component];
            movers = in->class[p->slot] != class ? 0 : p->together ? MOST_MOVERS : 1;
            for (int32_t i = c->able_row[p->action]; movers && i < c->able_row[p->action + 1]; i++)
                *waits |= component_offer(c, c->able[i], p->action)->apparent == TERM_BY_STATE;
        }
        for (int32_t i = p->kind == PROG_SLOT ? -1 : p->first; i >= 0; i = s->progs[i].next)
            movers = p->kind == PROG_SYNC  ? movers + in->can[i]
                     : movers > in->can[i] ? movers
                                           : in->can[i];
        *waits |= p->kind == PROG_SYNC && movers > 0;
        in->can[prog] = (uint8_t)(movers > MOST_MOVERS ? MOST_MOVERS : movers);
    }
    return in->can[event->prog];
}

/* Whether, on the way from one state of the chain to the next, no component of the class moves but the
 * one that has moved first: one moves in each step, and none can have waited for a step that takes no
 * time. */
static bool moves_alone(Inflow *in, int32_t class)
{
    const System *s = in->chain->system;
    int32_t highest = INT32_MIN;
    for (int32_t e = 0; e < s->event_count; e++)
        highest = s->events[e].priority > highest ? s->events[e].priority : highest;
    for (int32_t e = 0; e < s->event_count; e++) {
        const Event *event = &s->events[e];
        bool waits = !event->steady || event->priority < highest;
        if (event->label == LABEL_NONE)
            continue;
        const int32_t movers = most_movers(in, class, event, &waits);
        if (movers > 1 || (movers > 0 && waits && (event->levels & 1 << LEVEL_IMMEDIATE)))
            return false;
    }
    return true;
}

/* The same of one copy after another one, where numbers are all that is known of them. */
static bool copies_may_pass(Inflow *in, int32_t class)
{
    const System *s = in->chain->system;
    if (moves_alone(in, class))
        return false;
    uint8_t can = 0, can_at_once = 0;
    for (int32_t i = class; i < s->slot_count; i++) {
        const Component *c = &s->components[s->slots[i].component];
        for (int32_t k = 0; in->class[i] == class && k < c->action_count; k++) {
            const uint8_t by = slot_can(in, i, k);
            can |= by;
            can_at_once |= model_action_is_immediate(s->model, c->action[k]) ? by : 0;
        }
    }
    return ((can & ENTERS) && (can_at_once & LEAVES)) || ((can & LEAVES) && (can_at_once & ENTERS));
}

/* Several components may cross the border on the way from one state of the chain to the next. */
static PepaStatus check_ways(Inflow *in, int32_t class, PepaError *err)
{
    const System *s = in->chain->system;
    const char *name = s->model->locals[s->components[s->slots[class].component].local[0]].name;
    bool found = false;
    if (!s->preempts)
        return PEPA_OK;
    if (is_several(in, class) && copies_may_pass(in, class))
        return error_limit(err, PEPA_ELIMIT, PEPA_LIMIT_COPIES,
                           "one of the copies of `%s` can enter while another one leaves, without "
                           "time passing: their numbers do not tell, a simulation does",
                           name);
    PepaStatus status = look_for_way_back(in, class, &found, err);
    if (status == PEPA_OK && found)
        status = error_limit(
            err, PEPA_ELIMIT, PEPA_LIMIT_NONE,
            "`%s` can enter and leave without time passing, which states do not "
            "tell; divide the population by the throughput of what lets it in, or simulate",
            name);
    return status;
}

static void keep_number(void *user, int64_t first, int32_t count, const double *const *value)
{
    Inflow *in = user;
    for (int32_t k = 0; k < count; k++)
        in->number[first + k] = value[0][k];
}

static void hand_out_to(void *user, const Transition *t, double number)
{
    const Inflow *in = user;
    const int32_t more = (int32_t)(number - in->number[t->from]);
    if (more > 0)
        in->task(in->user, t, more);
}

static void hand_out(void *user, const Transition *t)
{
    const Inflow *in = user;
    hand_out_to(user, t, in->number[t->to]);
}

static PepaStatus hand_out_all(Inflow *in, PepaError *err)
{
    return in->chain->spread ? spread_each_target(in->chain, in->number, hand_out_to, in, err)
                             : chain_each_transition(in->chain, hand_out, in, err);
}

/* The numbers of all states, also of those that belong to other processes. */
static PepaStatus keep_numbers(Inflow *in, const StateCode *code, PepaError *err)
{
    Chain chain = *in->chain;
    Diagram all;
    if (chain.diagram) {
        all = *chain.diagram;
        all.own = NULL;
        all.own_count = all.upper_count;
        all.place = NULL;
        chain.diagram = &all;
    }
    return chain_each_value(&chain, code, NULL, keep_number, in, err);
}

/* Those of one class. */
static PepaStatus each_of_class(Inflow *in, int32_t class, PepaError *err)
{
    const System *s = in->chain->system;
    StateCode code = {0};
    bool ok = true;
    for (int32_t i = class; i < s->slot_count && ok; i++)
        for (int32_t l = 0; l < s->components[s->slots[i].component].local_count && ok; l++)
            if (in->class[i] == class && in->inside[in->offset[i] + l])
                ok = state_place(&code, i, l);
    bool none = code.place_count == 0 || slot_is_constant(s, class);
    if (!none)
        ok =
            ok && state_node(&code, (StateNode){STATE_COUNT, 0, (int32_t)code.place_count, 0}) == 0;
    PepaStatus status = ok ? PEPA_OK : error_memory(err);
    if (status == PEPA_OK && !none && !counts_tell(in, class))
        status =
            error_limit(err, PEPA_ELIMIT, PEPA_LIMIT_COPIES,
                        "one activity can move one of the copies of `%s` in and another one "
                        "out, which their numbers do not tell",
                        s->model->locals[s->components[s->slots[class].component].local[0]].name);
    if (status == PEPA_OK && !none)
        status = check_ways(in, class, err);
    if (status == PEPA_OK && !none)
        status = keep_numbers(in, &code, err);
    if (in->chain->spread)
        status = processes_agree(in->chain->spread->processes, status, err);
    if (status == PEPA_OK && !none)
        status = hand_out_all(in, err);
    state_code_free(&code);
    return status;
}

PepaStatus chain_each_inflow(const Chain *chain, const StatePlace *place, int32_t count,
                             InflowTask *task, void *user, PepaError *err)
{
    Inflow in = {.chain = chain, .task = task, .user = user};
    PepaStatus status = prepare(&in, place, count) ? PEPA_OK : error_memory(err);
    if (chain->spread)
        status = processes_agree(chain->spread->processes, status, err);
    for (int32_t i = 0; i < chain->system->slot_count && status == PEPA_OK; i++)
        if (in.class[i] == i)
            status = each_of_class(&in, i, err);
    mem_free_all(in.class, in.offset, in.inside, in.can, in.number);
    return status;
}
