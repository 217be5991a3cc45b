/* Counts the components that enter a set of local states, by differences of counts between the
 * ends of a transition: one for each class of slots that may stand in for each other. */
#include "ctmc/inflow.h"

#include "base/processes.h"
#include "ctmc/targets.h"

/* Whether components of a class can enter the places, and leave them. */
enum { ENTERS = 1, LEAVES = 2 };

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

/* Whether differences of counts tell how many components of the class enter.  Programs that belong
 * to no event move nothing, and neither do those of events without a label. */
static bool counts_tell(Inflow *in, int32_t class)
{
    const System *s = in->chain->system;
    bool both = false, several = s->slots[class].copies > 1;
    for (int32_t i = class + 1; i < s->slot_count && !several; i++)
        several = in->class[i] == class;
    for (int32_t e = 0; e < s->event_count && several && !both; e++) {
        const Event *event = &s->events[e];
        const int32_t end = event->label == LABEL_NONE ? 0 : s->progs[event->prog].end;
        for (int32_t prog = end - 1; prog >= event->prog; prog--)
            in->can[prog] = program_can(in, class, prog, &both);
    }
    return !both;
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
