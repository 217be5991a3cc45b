/* Finds contexts by what the units of an event offer; computes their answers in lower states. */
#include "ctmc/diagram/context.h"
#include "ctmc/diagram/tuning.h"

#include <string.h>

static const Substitute nothing = {.apparent = TERM_NONE}, something = {.apparent = 0};

/* ---- life ---------------------------------------------------------------------------------- */

PepaStatus contexts_init(Contexts *c, Split *split, RateTable *rates, PepaError *err)
{
    const System *s = split->system;
    *c = (Contexts){.split = split, .loaded = -1};
    PepaStatus status = moves_init(&c->moves, s, rates, err);
    if (status != PEPA_OK)
        return status;
    c->moves.words = s->words + 1;
    if (!(mem_new_zeroed(c->offered, s->prog_count) && mem_new_zeroed(c->possible, s->prog_count) &&
          mem_new_zeroed(c->word, c->moves.words) && mem_new_zeroed(c->cells, s->cell_count))) {
        contexts_free(c);
        return error_memory(err);
    }
    for (int32_t p = 0; p < s->prog_count; p++)
        c->possible[p] = split->part[p] & PART_UPPER ? NULL : &something;
    return PEPA_OK;
}

void contexts_free(Contexts *c)
{
    for (int32_t i = 0; i < c->count; i++)
        mem_free(c->contexts[i].tags);
    for (int32_t i = 0; c->classes && i < c->looked.count; i++)
        mem_free(c->classes[i].of);
    moves_free(&c->moves);
    arena_free(&c->arena);
    lists_free(&c->signatures);
    lists_free(&c->looked);
    mem_free_all(c->offered, c->possible, c->contexts, c->answers, c->signature, c->word, c->cells,
                 c->classes);
    *c = (Contexts){0};
}

double contexts_bytes(const Contexts *c)
{
    const int32_t lower = c->split->lower.count;
    const double asked = (double)bits_words(lower) * sizeof *c->contexts->asked;
    return (double)c->count * asked + (double)c->rows * sizeof *c->contexts->rows +
           (double)c->looked.count * lower * sizeof *c->classes->of +
           (double)c->answer_count * sizeof *c->answers + lists_bytes(&c->signatures);
}

void upper_offer_free(UpperOffer *o)
{
    mem_free_all(o->delta, o->start);
    *o = (UpperOffer){0};
}

/* ---- classes of lower states ---------------------------------------------------------------- */

static bool is_in_group(const Group *g, const Slot *slot)
{
    return slot->cell >= g->cell && slot->cell < g->cell + g->width * g->copies;
}

/* The lower slots on which an event's answers depend, as bytes per slot: those of its programs; and of
 * copies that are kept in order all, if one of them is. */
static void look_at(const Split *split, int32_t event, uint8_t *looked)
{
    const System *s = split->system;
    const int32_t prog = s->events[event].prog;
    for (int32_t p = prog; p < s->progs[prog].end; p++)
        if (s->progs[p].kind == PROG_SLOT && split->part[p] == PART_LOWER)
            looked[s->progs[p].slot] = 1;
    for (int32_t i = 0; i < s->group_count; i++) { /* inner ones first */
        bool any = false;
        for (int32_t k = split->first; k < s->slot_count; k++)
            any = any || (looked[split->sequence[k]] &&
                          is_in_group(&s->groups[i], &s->slots[split->sequence[k]]));
        for (int32_t k = split->first; k < s->slot_count && any; k++)
            if (is_in_group(&s->groups[i], &s->slots[split->sequence[k]]))
                looked[split->sequence[k]] = 1;
    }
}

/* Classes are numbered as lower states are, by the slots that count. */
static bool number_classes(const Split *split, const uint8_t *looked, LowerClasses *out)
{
    const System *s = split->system;
    int32_t states = 1;
    if (!mem_new(out->of, split->lower.count))
        return false;
    out->of[0] = 0;
    out->count = 1;
    for (int32_t k = s->slot_count; k-- > split->first;) {
        const int32_t slot = split->sequence[k];
        const int32_t ways = (int32_t)split_slot_states(s, slot);
        for (int32_t i = states; i < ways * states; i++)
            out->of[i] = (uint16_t)(out->of[i - states] + (looked[slot] ? out->count : 0));
        states *= ways;
        out->count *= looked[slot] ? ways : 1;
    }
    return true;
}

/* NULL: memory is out. */
static const LowerClasses *classes_of(Contexts *c, int32_t event)
{
    const Split *split = c->split;
    const int32_t slots = split->system->slot_count;
    uint8_t *looked = mem_calloc((size_t)slots, sizeof *looked);
    int32_t *list = mem_alloc((size_t)slots, sizeof *list), number = -1;
    size_t length = 0;
    if (looked && list) {
        look_at(split, event, looked);
        for (int32_t i = 0; i < slots; i++)
            if (looked[i])
                list[length++] = i;
        const int32_t before = c->looked.count;
        number = mem_grow(c->classes, c->classes_cap, (size_t)before + 1)
                     ? lists_put(&c->looked, list, length)
                     : -1;
        if (number == before) {
            c->classes[number] = (LowerClasses){0};
            number = number_classes(split, looked, &c->classes[number]) ? number : -1;
        }
    }
    mem_free_all(looked, list);
    return number >= 0 ? &c->classes[number] : NULL;
}

/* ---- signatures ---------------------------------------------------------------------------- */

/* Replace the first program of a unit by `offer`, the others by nothing. */
static void substitute(const Split *split, const Unit *unit, const Substitute *offer,
                       const Substitute **place)
{
    for (int32_t i = unit->first; i < unit->end; i++)
        place[split->unit_prog[i]] = i == unit->first ? offer : &nothing;
}

/* A new context with the signature in c->signature. */
static bool add_context(Contexts *c, int32_t event, size_t length)
{
    const Split *split = c->split;
    const LowerClasses *classes = classes_of(c, event);
    const size_t wide = c->moves.words;
    int32_t units = split->event_unit[event + 1] - split->event_unit[event];
    if (!classes || !mem_grow(c->contexts, c->cap, (size_t)c->count + 1))
        return false;
    const size_t bytes = (size_t)classes->count * sizeof(AnswerRange);
    Context new = {.event = event, .unit_count = units, .class_of = classes->of};
    new.offer = arena_alloc(&c->arena, (size_t)(units + 1) * sizeof *new.offer);
    new.shift = arena_alloc(&c->arena, (size_t)(units + 1) * sizeof *new.shift);
    new.rows = arena_alloc(&c->arena, bytes);
    new.asked = arena_alloc(&c->arena, bits_words(split->lower.count) * sizeof *new.asked);
    int32_t *terms = arena_alloc(&c->arena, (length + 1) * sizeof *terms);
    if (!new.offer || !new.shift || !new.rows || !new.asked || !terms)
        return false;
    memset(new.rows, -1, bytes);
    memcpy(terms, c->signature, length * sizeof *terms);
    uint32_t shift = 0;
    for (int32_t u = 0, at = 1; u < units; u++) {
        int32_t apparent = terms[at], count = terms[at + 1];
        uint64_t *tag = arena_alloc(&c->arena, ((size_t)count + 1) * wide * sizeof *tag);
        if (!tag)
            return false;
        for (int32_t i = 0; i < count && shift < 64; i++)
            tag[(size_t)i * wide + wide - 1] = (uint64_t)(i + 1) << shift;
        new.offer[u] = (Substitute){apparent, count, terms + at + 2, tag};
        new.shift[u] = shift;
        shift += bits_for(count + 1);
        at += 2 + count;
    }
    new.shift[units] = shift;
    if (shift > 64)
        c->unfit = true;
    c->contexts[c->count++] = new;
    c->rows += classes->count;
    return true;
}

/* The context with the signature in c->signature, -1 when memory is out. */
static int32_t intern(Contexts *c, int32_t event, size_t length)
{
    int32_t number = lists_put(&c->signatures, c->signature, length);
    return number < c->count || add_context(c, event, length) ? number : -1;
}

/* The moves of an event's units, in c->moves, and their signature, in c->signature.  The signature's
 * length; 0: memory is out, or unfit. */
static size_t signature(Contexts *c, int32_t event, int32_t *start)
{
    const Split *split = c->split;
    Moves *m = &c->moves;
    size_t length = 1;
    c->signature[0] = event;
    for (int32_t u = split->event_unit[event]; u < split->event_unit[event + 1]; u++) {
        const Unit *unit = &split->units[u];
        const size_t begin = m->count;
        *start++ = (int32_t)begin;
        int32_t apparent =
            moves_run_sum(m, split->unit_prog + unit->first, unit->end - unit->first, true)
                .apparent;
        const size_t moves = m->count - begin;
        c->unfit = c->unfit || apparent == TERM_MIXED;
        if (c->unfit || m->no_memory ||
            !mem_grow(c->signature, c->signature_cap, length + 2 + moves))
            return 0;
        c->signature[length++] = apparent;
        c->signature[length++] = (int32_t)moves;
        for (size_t i = begin; i < m->count; i++)
            c->signature[length++] = m->rate[i];
    }
    return length;
}

/* Might the event be possible in some lower state? */
static bool is_possible(Contexts *c, int32_t event)
{
    c->moves.substitute = c->possible;
    bool is = moves_ready(&c->moves, c->split->system->events[event].prog);
    c->moves.substitute = NULL;
    return is;
}

bool contexts_of(Contexts *c, int32_t event, UpperOffer *out)
{
    const Split *split = c->split;
    Moves *m = &c->moves;
    const size_t wide = m->words;
    size_t units = (size_t)(split->event_unit[event + 1] - split->event_unit[event]);
    out->context = -1;
    m->count = 0;
    if (!is_possible(c, event))
        return true;
    if (!mem_grow(out->start, out->start_cap, units + 1) ||
        !mem_grow(c->signature, c->signature_cap, 1))
        return false;
    size_t length = signature(c, event, out->start);
    if (!length)
        return c->unfit;
    if (!mem_grow(out->delta, out->delta_cap, m->count * wide + 1))
        return false;
    if (m->count)
        memcpy(out->delta, m->delta, m->count * wide * sizeof *out->delta);
    out->context = intern(c, event, length);
    return out->context >= 0;
}

int32_t contexts_lower(Contexts *c, int32_t event)
{
    if (!mem_grow(c->signature, c->signature_cap, 1))
        return -1;
    c->signature[0] = event;
    return intern(c, event, 1);
}

void upper_offer_apply(const Contexts *c, const UpperOffer *o, uint64_t tag, uint64_t *packed)
{
    const Context *context = &c->contexts[o->context];
    const size_t wide = c->moves.words;
    for (int32_t u = 0; u < context->unit_count; u++) {
        uint32_t shift = context->shift[u], bits = context->shift[u + 1] - shift;
        if (bits == 0) /* and shift may be 64 */
            continue;
        uint64_t number = tag >> shift & (UINT64_MAX >> (64 - bits));
        if (number == 0)
            continue;
        const uint64_t *delta = o->delta + ((size_t)o->start[u] + (size_t)number - 1) * wide;
        for (size_t w = 0; w + 1 < wide; w++)
            packed[w] += delta[w];
    }
}

/* ---- answers ------------------------------------------------------------------------------- */

static int32_t tag_number(Contexts *c, Context *context, uint64_t tag)
{
    for (int32_t i = 0; i < context->tag_count; i++)
        if (context->tags[i] == tag)
            return i;
    if (!mem_grow(context->tags, context->tag_cap, (size_t)context->tag_count + 1)) {
        c->moves.no_memory = true;
        return 0;
    }
    context->tags[context->tag_count] = tag;
    return context->tag_count++;
}

/* The canonical lower state that a move leads to. */
static int32_t lower_target(Contexts *c, const uint64_t *from, const uint64_t *delta)
{
    const System *s = c->split->system;
    for (size_t w = 0; w < s->words; w++)
        c->word[w] = from[w] + delta[w];
    if (s->group_count) {
        system_unpack(s, c->word, c->cells);
        system_canonical(s, c->cells);
        system_pack(s, c->cells, c->word);
        c->loaded = -1;
    }
    return split_lower(c->split, c->word, c->word);
}

static void collect(Contexts *c, Context *context, int32_t lower, size_t count)
{
    Moves *m = &c->moves;
    const size_t words = c->split->system->words, wide = m->words;
    if (c->answer_count + count > MOST_ANSWERS)
        c->unfit = true;
    if (c->unfit || !mem_grow(c->answers, c->answer_cap, c->answer_count + count)) {
        m->no_memory = !c->unfit;
        return;
    }
    context->rows[context->class_of[lower]] =
        (AnswerRange){(int32_t)c->answer_count, (int32_t)count};
    for (size_t i = 0; i < count; i++) {
        const uint64_t *delta = m->delta + i * wide;
        int32_t to = lower_target(c, c->split->lower.state + (size_t)lower * words, delta);
        if (to < 0)
            m->no_memory = true;
        c->answers[c->answer_count++] =
            (Answer){tag_number(c, context, delta[words]), to - lower, m->rate[i]};
    }
}

static void compute(Contexts *c, Context *context, int32_t lower)
{
    Moves *m = &c->moves;
    const Split *split = c->split;
    const System *s = split->system;
    const Event *event = &s->events[context->event];
    const int32_t first = split->event_unit[context->event];
    int32_t *cells = m->cells;
    if (c->loaded != lower)
        system_unpack(s, split->lower.state + (size_t)lower * s->words, c->cells);
    c->loaded = lower;
    for (int32_t u = 0; u < context->unit_count; u++)
        substitute(split, &split->units[first + u], &context->offer[u], c->offered);
    m->substitute = c->offered;
    m->cells = c->cells;
    m->count = 0;
    int32_t apparent = moves_run(m, event->prog, false).apparent;
    m->cells = cells;
    m->substitute = NULL;
    bool named = event->label != LABEL_NONE;
    if (apparent == TERM_MIXED ||
        (apparent >= 0 && m->rates->level[apparent] == LEVEL_PASSIVE && named))
        c->unfit = true; /* an error of the model: exploring the states one by one reports it */
    if (!m->no_memory && !c->unfit)
        collect(c, context, lower, named ? m->count : 0);
}

AnswerRange contexts_compute(Contexts *c, int32_t number, int32_t lower)
{
    Context *context = &c->contexts[number];
    const AnswerRange *row = &context->rows[context->class_of[lower]];
    c->asked++;
    if (row->first < 0)
        compute(c, context, lower);
    if (c->moves.no_memory || c->unfit)
        return (AnswerRange){0, 0};
    bits_add(context->asked, lower);
    return *row;
}
