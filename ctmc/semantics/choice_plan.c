/* Plans choices: who is whose operand, and which programs see a local state. */
#include "ctmc/semantics/choices.h"
#include "ctmc/semantics/tuning.h"

static int32_t action_count(const System *s, int32_t slot)
{
    return s->components[s->slots[slot].component].action_count;
}

/* Operands in a row, so that they can be picked by number. */
static bool lay_out_programs(ChoicePlan *p)
{
    const System *s = p->system;
    int32_t operands = 0;
    if (!mem_new(p->parent, s->prog_count) || !mem_new_zeroed(p->place, s->prog_count) ||
        !mem_new_zeroed(p->width, s->prog_count) || !mem_new(p->operand, s->prog_count) ||
        !mem_new(p->first, s->prog_count + 1) || !mem_new(p->event, s->prog_count) ||
        !mem_new(p->suspect, s->prog_count) || !mem_new_zeroed(p->noted, s->prog_count))
        return false;
    for (int32_t i = 0; i < s->prog_count; i++)
        p->parent[i] = p->event[i] = p->suspect[i] = -1;
    for (int32_t i = 0; i < s->prog_count; i++) {
        p->first[i] = operands;
        if (s->progs[i].kind == PROG_SLOT)
            continue;
        for (int32_t child = s->progs[i].first; child >= 0; child = s->progs[child].next) {
            p->parent[child] = i;
            p->place[child] = p->width[i]++;
            p->operand[operands++] = child;
        }
    }
    p->first[s->prog_count] = operands;
    for (int32_t e = 0; e < s->event_count; e++) {
        int32_t *of = s->events[e].label == LABEL_NONE ? p->suspect : p->event;
        of[s->events[e].prog] = e;
        if (of == p->suspect)
            p->noted[s->events[e].prog] = NOTED_SUSPECT;
    }
    return true;
}

/* What one copy does for the action, if that is always the same. */
static Number apparent_of(const RateTable *rates, const LocalOffer *offer)
{
    if (offer->apparent == TERM_MIXED)
        return (Number){0, NUMBER_MIXED};
    if (offer->apparent == TERM_BY_STATE)
        return (Number){0, NUMBER_NONE};
    return number_of(rates->value[offer->apparent], (RateLevel)rates->level[offer->apparent],
                     rates->priority[offer->apparent]);
}

Number choice_plan_single(const ChoicePlan *p, int32_t prog, int32_t local)
{
    const Prog *leaf = &p->system->progs[prog];
    const Component *c = &p->system->components[p->system->slots[leaf->slot].component];
    const LocalOffer *offer = component_offer(c, local, leaf->action);
    if (!offer)
        return (Number){0, NUMBER_NONE};
    return offer->apparent == TERM_BY_STATE ? (Number){0, NUMBER_BY_STATE}
                                            : apparent_of(p->rates, offer);
}

static bool lay_out_singles(ChoicePlan *p)
{
    const System *s = p->system;
    size_t count = 0, cap = 0;
    if (!mem_new_zeroed(p->at, s->prog_count))
        return false;
    for (int32_t i = 0; i < s->prog_count; i++) {
        const Prog *prog = &s->progs[i];
        if (prog->kind != PROG_SLOT || s->slots[prog->slot].copies)
            continue;
        const Component *c = &s->components[s->slots[prog->slot].component];
        const bool looked_up = (double)c->local_count * c->action_count > MOST_SINGLES ||
                               count + (size_t)c->local_count > INT32_MAX;
        p->at[i] = (ChoiceSingle){s->slots[prog->slot].cell, looked_up ? -1 : (int32_t)count};
        if (looked_up)
            continue;
        if (!mem_grow(p->single, cap, count + (size_t)c->local_count))
            return false;
        for (int32_t l = 0; l < c->local_count; l++)
            p->single[count++] = choice_plan_single(p, i, l);
    }
    return true;
}

static bool are_alike(const ChoiceAble *able, int32_t count)
{
    int32_t k = 0;
    while (k < count && able[k].apparent.sort == able->apparent.sort)
        k++;
    return k == count && number_kind(able->apparent) != NUMBER_NONE &&
           number_kind(able->apparent) != NUMBER_MIXED;
}

static bool lay_out_able(ChoicePlan *p)
{
    const System *s = p->system;
    size_t count = 0, cap = 0;
    if (!mem_new(p->able_row, s->prog_count + 1) || !mem_new(p->by_state, s->prog_count) ||
        !mem_new_zeroed(p->shape, s->prog_count))
        return false;
    for (int32_t i = 0; i < s->prog_count; i++) {
        const Prog *prog = &s->progs[i];
        bool by_state = false;
        p->able_row[i] = (int32_t)count;
        if (prog->kind != PROG_SLOT)
            continue;
        const Slot *slot = &s->slots[prog->slot];
        const Component *c = &s->components[slot->component];
        for (int32_t k = c->able_row[prog->action]; k < c->able_row[prog->action + 1]; k++) {
            const LocalOffer *offer = component_offer(c, c->able[k], prog->action);
            by_state = by_state || offer->apparent == TERM_BY_STATE;
            if (!slot->copies || prog->together)
                continue;
            if (!mem_grow(p->able, cap, count + 1))
                return false;
            p->able[count++] =
                (ChoiceAble){c->able[k], slot->cell + c->able[k], apparent_of(p->rates, offer)};
        }
        if (by_state)
            p->by_state[p->by_state_count++] = i;
        const int32_t ables = (int32_t)count - p->able_row[i];
        p->shape[i] = !slot->copies                                             ? SHAPE_SINGLE
                      : ables > 0 && are_alike(p->able + p->able_row[i], ables) ? SHAPE_ALIKE
                                                                                : SHAPE_ANY;
    }
    p->able_row[s->prog_count] = (int32_t)count;
    return true;
}

/* Programs by what they look at: counted, then put in place. */
static bool lay_out_leaves(ChoicePlan *p)
{
    const System *s = p->system;
    int32_t places = 0;
    if (!mem_new(p->slot_action, s->slot_count + 1))
        return false;
    for (int32_t i = 0; i < s->slot_count; i++) {
        p->slot_action[i] = places;
        places += action_count(s, i);
    }
    p->slot_action[s->slot_count] = places;
    if (!mem_new_zeroed(p->leaf_row, places + 2) || !mem_new(p->leaf, s->prog_count))
        return false;
    int32_t *row = p->leaf_row;
    for (int32_t i = 0; i < s->prog_count; i++)
        if (s->progs[i].kind == PROG_SLOT)
            row[p->slot_action[s->progs[i].slot] + s->progs[i].action + 2]++;
    for (int32_t x = 0; x < places; x++)
        row[x + 2] += row[x + 1];
    for (int32_t i = 0; i < s->prog_count; i++)
        if (s->progs[i].kind == PROG_SLOT)
            p->leaf[row[p->slot_action[s->progs[i].slot] + s->progs[i].action + 1]++] = i;
    return true;
}

/* Where some activities come before others, the programs of tau. */
static bool mark_tau(ChoicePlan *p)
{
    const System *s = p->system;
    if (!s->preempts)
        return true;
    if (!mem_new_zeroed(p->is_tau, s->prog_count))
        return false;
    for (int32_t i = s->prog_count; i-- > 0;) {
        const Prog *prog = &s->progs[i];
        p->is_tau[i] =
            prog->kind == PROG_SLOT
                ? s->components[s->slots[prog->slot].component].action[prog->action] == ACTION_TAU
                : p->is_tau[prog->first];
    }
    return true;
}

static bool mark_counted(ChoicePlan *p)
{
    const Model *model = p->system->model;
    if (!mem_new_zeroed(p->is_counted, model->local_count))
        return false;
    for (int32_t i = 0; i < p->rates->counted_count; i++)
        p->is_counted[p->rates->counted[i]] = 1;
    for (int32_t l = 0; l < model->local_count; l++)
        p->is_counted[l] |= p->is_counted[model->locals[l].whole];
    return true;
}

PepaStatus choice_plan_new(ChoicePlan **out, const System *system, const RateTable *rates,
                           PepaError *err)
{
    ChoicePlan *p = mem_calloc(1, sizeof *p);
    if (!p)
        return error_memory(err);
    p->system = system;
    p->rates = rates;
    if (lay_out_programs(p) && lay_out_singles(p) && lay_out_able(p) && lay_out_leaves(p) &&
        mark_counted(p) && mark_tau(p) && choice_plan_fix(p)) {
        *out = p;
        return PEPA_OK;
    }
    choice_plan_free(p);
    return error_memory(err);
}

void choice_plan_watch(ChoicePlan *p, int32_t prog)
{
    p->noted[prog] |= NOTED_WATCHED;
}

void choice_plan_free(ChoicePlan *p)
{
    if (!p)
        return;
    mem_free_all(p->parent, p->place, p->width, p->operand, p->first, p->event, p->suspect,
                 p->single, p->at, p->able_row, p->able, p->shape, p->slot_action, p->leaf_row,
                 p->leaf, p->fixed, p->fixed_change, p->fixed_leaf, p->by_state, p->is_counted,
                 p->noted, p->is_tau, p);
}
