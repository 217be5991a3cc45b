/* Lays out keys, and finds those of states (projection.h).  Most moves change one or two slots: the
 * key of the state that such a move leads to is patched together from that of the state which it
 * leaves. */
#include "ctmc/semantics/projection.h"

#include <string.h>

enum { WORD_BITS = 64 };

static const Component *component_of(const System *s, const Slot *slot)
{
    return &s->components[slot->component];
}

/* Do the activities of an event always take time?  Then it does nothing in a vanishing state. */
static bool always_timed(const Event *event)
{
    return event->label != LABEL_NONE && event->steady && !(event->levels & ~(1 << LEVEL_TIMED));
}

/* ---- what matters ---------------------------------------------------------------------------- */

static void mark_slot(Projection *p, int32_t slot)
{
    const System *s = p->system;
    memset(p->relevant + s->slot_trigger[slot], 1,
           (size_t)component_of(s, &s->slots[slot])->local_count);
}

/* The local states of a slot that offer an action; all of them where all copies move together, of
 * which each one that cannot is in the way, or where rates count what they like. */
static void mark_program(Projection *p, const Prog *prog, bool *functional)
{
    const System *s = p->system;
    const Component *c = component_of(s, &s->slots[prog->slot]);
    for (int32_t k = c->able_row[prog->action]; k < c->able_row[prog->action + 1]; k++) {
        p->relevant[s->slot_trigger[prog->slot] + c->able[k]] = 1;
        if (component_offer(c, c->able[k], prog->action)->apparent == TERM_BY_STATE)
            *functional = s->functional;
    }
    if (prog->together)
        mark_slot(p, prog->slot);
}

/* Copies that are sorted: each cell may decide their order.  Inner ones come first. */
static void mark_group(Projection *p, const Group *g)
{
    const System *s = p->system;
    const int32_t end = g->cell + g->width * g->copies;
    bool matters = false;
    int32_t unit = -1;
    for (int32_t pass = 0; pass < 2; pass++)
        for (int32_t i = 0; i < s->slot_count; i++) {
            if (s->slots[i].cell < g->cell || s->slots[i].cell >= end)
                continue;
            if (pass && matters)
                mark_slot(p, i);
            unit = unit < 0 ? i : unit;
            p->unit_of_slot[i] = unit;
            for (int32_t l = 0; l < component_of(s, &s->slots[i])->local_count; l++)
                matters = matters || p->relevant[s->slot_trigger[i] + l];
        }
}

static void mark(Projection *p)
{
    const System *s = p->system;
    bool functional = false;
    for (int32_t e = 0; e < s->event_count; e++)
        for (int32_t k = s->events[e].prog;
             k < s->progs[s->events[e].prog].end && !always_timed(&s->events[e]); k++)
            if (s->progs[k].kind == PROG_SLOT)
                mark_program(p, &s->progs[k], &functional);
    for (int32_t i = 0; i < s->slot_count; i++)
        p->unit_of_slot[i] = i;
    for (int32_t i = 0; i < s->slot_count && functional; i++)
        mark_slot(p, i);
    for (int32_t g = 0; g < s->group_count; g++)
        mark_group(p, &s->groups[g]);
    for (int32_t i = 0; i < s->slot_count && functional; i++)
        p->unit_of_slot[i] = 0;
}

/* ---- triggers -------------------------------------------------------------------------------- */

static int32_t place_count(const System *s)
{
    const int32_t last = s->slot_count - 1;
    return last < 0 ? 0 : s->slot_trigger[last] + component_of(s, &s->slots[last])->local_count;
}

/* Those of the system without the events that are always timed. */
static bool find_triggers(Projection *p)
{
    const System *s = p->system;
    const size_t places = (size_t)place_count(s);
    int32_t *first = arena_alloc(&p->arena, (places + 1) * sizeof *first);
    int32_t *event =
        first ? arena_alloc(&p->arena, ((size_t)s->trigger_first[places] + 1) * sizeof *event)
              : NULL;
    Starter *starters = arena_alloc(&p->arena, ((size_t)s->starter_count + 1) * sizeof *starters);
    int32_t count = 0, starter_count = 0;
    if (!first || !event || !starters)
        return false;
    for (size_t x = 0; x < places; x++) {
        for (int32_t i = s->trigger_first[x]; i < s->trigger_first[x + 1]; i++) {
            const Event *at = &s->events[s->trigger_event[i]];
            if (always_timed(at))
                continue;
            event[count++] = s->trigger_event[i];
            if (at->label != LABEL_NONE && (at->levels & 1 << LEVEL_IMMEDIATE))
                p->ready[x] = 1;
        }
        first[x + 1] = count;
    }
    for (int32_t i = 0; i < s->starter_count; i++) {
        int32_t end = i + 1 < s->starter_count ? s->starters[i + 1].at : (int32_t)places;
        if (s->starters[i].counted)
            end = s->starters[i].at + 1;
        if (first[end] > first[s->starters[i].at])
            starters[starter_count++] = s->starters[i];
    }
    p->triggers = (Triggers){starters, starter_count, first, event};
    return true;
}

/* ---- layout ---------------------------------------------------------------------------------- */

static bool any(const uint8_t *flags, int32_t count)
{
    return memchr(flags, 1, (size_t)count) != NULL;
}

static uint64_t bits_of(const Field *f)
{
    return f->mask << f->shift;
}

/* A single component: its local states, those that do not matter as the first of them. */
static bool lay_out_single(Projection *p, const Field *f, int32_t place, int32_t locals)
{
    uint64_t *part = arena_alloc(&p->arena, (size_t)locals * sizeof *part);
    if (!part)
        return false;
    int32_t none = 0;
    while (none < locals && p->relevant[place + none])
        none++;
    for (int32_t l = 0; l < locals; l++)
        part[l] = (uint64_t)(p->relevant[place + l] ? l : none) << f->shift;
    for (uint32_t b = 0; b < WORD_BITS; b++)
        if (bits_of(f) >> b & 1)
            p->field_of[f->word * WORD_BITS + b] = p->field_count;
    p->fields[p->field_count++] = (KeyField){*f, part, p->ready + place};
    p->single[f->word] |= bits_of(f);
    return true;
}

/* A counted slot: the numbers of copies in local states that matter. */
static void lay_out_counted(Projection *p, int32_t slot, int32_t place, int32_t locals)
{
    const System *s = p->system;
    for (int32_t l = 0; l < locals; l++) {
        const Field *f = &s->fields[s->slots[slot].cell + l];
        p->bits[f->word] |= bits_of(f);
        if (!p->relevant[place + l])
            continue;
        if (l == locals - 1)
            p->counts[p->count_count++] = (KeyCount){slot, p->ready[place + l] != 0};
        p->whole[f->word] |= bits_of(f);
        if (p->ready[place + l])
            p->copies[f->word] |= bits_of(f);
    }
}

static bool lay_out(Projection *p)
{
    const System *s = p->system;
    bool ok = true;
    for (int32_t i = 0; i < s->slot_count && ok; i++) {
        const Slot *slot = &s->slots[i];
        const int32_t locals = component_of(s, slot)->local_count, place = s->slot_trigger[i];
        if (!any(p->relevant + place, locals))
            continue;
        if (slot_is_constant(s, i)) {
            p->always = p->always || p->ready[place];
        } else if (slot->copies) {
            lay_out_counted(p, i, place, locals);
        } else {
            const Field *f = &s->fields[slot->cell];
            p->bits[f->word] |= bits_of(f);
            ok = lay_out_single(p, f, place, locals);
        }
    }
    p->words = s->words + (size_t)p->count_count;
    return ok;
}

/* ---- units ----------------------------------------------------------------------------------- */

static void add_to_unit(Projection *p, int32_t unit, size_t word, uint64_t bits)
{
    p->unit[(size_t)unit * p->words + word] |= bits;
    for (size_t b = 0; b < WORD_BITS; b++)
        if (bits >> b & 1)
            p->unit_of[word * WORD_BITS + b] = unit;
}

static void add_bits(uint64_t *to, const uint64_t *bits, size_t words)
{
    for (size_t w = 0; w < words; w++)
        to[w] |= bits[w];
}

/* Is it the first slot of its unit in a program? */
static bool is_first(const Projection *p, int32_t root, int32_t leaf)
{
    const Prog *progs = p->system->progs;
    const int32_t unit = p->unit_of_slot[progs[leaf].slot];
    for (int32_t k = root; k < leaf; k++)
        if (progs[k].kind == PROG_SLOT && p->unit_of_slot[progs[k].slot] == unit)
            return false;
    return true;
}

/* The events of each unit: counted first, then listed. */
static bool find_events(Projection *p)
{
    const System *s = p->system;
    int32_t *first = p->event_first, count = 0;
    for (int32_t pass = 0; pass < 2; pass++) {
        for (int32_t e = 0; e < s->event_count; e++)
            for (int32_t root = s->events[e].prog, k = root;
                 k < s->progs[root].end && !always_timed(&s->events[e]); k++) {
                if (s->progs[k].kind != PROG_SLOT || !is_first(p, root, k))
                    continue;
                const int32_t unit = p->unit_of_slot[s->progs[k].slot];
                if (pass == 0)
                    first[unit + 2]++;
                else
                    p->event[first[unit + 1]++] = e;
            }
        for (int32_t i = 0; i < s->slot_count && pass == 0; i++)
            count = first[i + 2] += first[i + 1];
        if (pass == 0 && !mem_new(p->event, count))
            return false;
    }
    return true;
}

static bool find_units(Projection *p)
{
    const System *s = p->system;
    const size_t units = (size_t)s->slot_count * p->words;
    if (!mem_new_zeroed(p->unit_of, p->words * WORD_BITS) || !mem_new_zeroed(p->unit, units) ||
        !mem_new_zeroed(p->event_first, (size_t)s->slot_count + 2))
        return false;
    for (int32_t i = 0; i < s->slot_count; i++) {
        const Slot *slot = &s->slots[i];
        const int32_t locals = component_of(s, slot)->local_count;
        for (int32_t l = 0; l < (slot->copies ? locals : 1) && !slot_is_constant(s, i); l++) {
            const Field *f = &s->fields[slot->cell + l];
            add_to_unit(p, p->unit_of_slot[i], f->word,
                        bits_of(f) & (p->whole[f->word] | p->single[f->word]));
        }
    }
    for (int32_t i = 0; i < p->count_count; i++)
        add_to_unit(p, p->unit_of_slot[p->counts[i].slot], s->words + (size_t)i, UINT64_MAX);
    return find_events(p);
}

/* ---- life ------------------------------------------------------------------------------------ */

bool projection_init(Projection *p, const System *s)
{
    *p = (Projection){.system = s};
    if (!mem_new_zeroed(p->relevant, place_count(s)) || !mem_new_zeroed(p->ready, place_count(s)) ||
        !mem_new_zeroed(p->bits, s->words) || !mem_new_zeroed(p->whole, s->words) ||
        !mem_new_zeroed(p->single, s->words) || !mem_new_zeroed(p->copies, s->words) ||
        !mem_new(p->fields, s->slot_count) || !mem_new(p->counts, s->slot_count) ||
        !mem_new_zeroed(p->field_of, s->words * WORD_BITS) ||
        !mem_new(p->unit_of_slot, s->slot_count))
        return false;
    mark(p);
    return find_triggers(p) && lay_out(p) && find_units(p);
}

void projection_free(Projection *p)
{
    mem_free_all(p->relevant, p->ready, p->bits, p->whole, p->single, p->copies, p->fields,
                 p->counts, p->field_of, p->unit_of_slot, p->unit_of, p->unit, p->event_first,
                 p->event);
    arena_free(&p->arena);
    *p = (Projection){0};
}

/* ---- keys ------------------------------------------------------------------------------------ */

static inline uint64_t value_of(const Field *f, const uint64_t *packed)
{
    return packed[f->word] >> f->shift & f->mask;
}

/* The number of copies in the last local state of a slot. */
static uint64_t last_count(const System *s, const Slot *slot, const uint64_t *packed)
{
    const int32_t last = component_of(s, slot)->local_count - 1;
    uint64_t count = (uint64_t)slot->copies;
    for (int32_t l = 0; l < last; l++)
        count -= value_of(&s->fields[slot->cell + l], packed);
    return count;
}

/* Fill in what the key has beside the packed words; is any number of copies ready? */
static inline bool count_copies(const Projection *p, const uint64_t *packed, uint64_t *key)
{
    const System *s = p->system;
    bool ready = p->always;
    for (size_t w = 0; w < s->words; w++)
        ready = ready || (packed[w] & p->copies[w]);
    for (int32_t i = 0; i < p->count_count; i++) {
        const size_t at = s->words + (size_t)i;
        key[at] = last_count(s, &s->slots[p->counts[i].slot], packed);
        ready = ready || (p->counts[i].ready && key[at]);
    }
    return ready;
}

bool projection_key(const Projection *p, const uint64_t *packed, uint64_t *key, int32_t *ready)
{
    *ready = 0;
    for (size_t w = 0; w < p->system->words; w++)
        key[w] = packed[w] & p->whole[w];
    for (int32_t i = 0; i < p->field_count; i++) {
        const KeyField *f = &p->fields[i];
        const uint64_t value = value_of(&f->field, packed);
        key[f->field.word] |= f->part[value];
        *ready += f->ready[value];
    }
    return count_copies(p, packed, key) || *ready > 0;
}

bool projection_step(const Projection *p, const uint64_t *from, const uint64_t *key_from,
                     int32_t ready, const uint64_t *target, uint64_t *key)
{
    for (size_t w = 0; w < p->system->words; w++) {
        uint64_t word = (key_from[w] & ~p->whole[w]) | (target[w] & p->whole[w]);
        for (uint64_t left = (from[w] ^ target[w]) & p->single[w]; left;) {
            const size_t bit = (size_t)__builtin_ctzll(left);
            const KeyField *f = &p->fields[p->field_of[w * WORD_BITS + bit]];
            const uint64_t old = value_of(&f->field, from), new = value_of(&f->field, target);
            left &= ~bits_of(&f->field);
            word ^= f->part[old] ^ f->part[new];
            ready += f->ready[new] - f->ready[old];
        }
        key[w] = word;
    }
    const bool is_ready = count_copies(p, target, key) || ready > 0;
    return is_ready && !table_equal(p->words, key, key_from);
}

void projection_differ(const Projection *p, const uint64_t *key_a, const uint64_t *key_b,
                       uint64_t *bits)
{
    for (size_t w = 0; w < p->words; w++)
        for (uint64_t left = (key_a[w] ^ key_b[w]) & ~bits[w]; left;) {
            const size_t unit = (size_t)projection_unit_at(p, w, left);
            add_bits(bits, p->unit + unit * p->words, p->words);
            left &= ~bits[w];
        }
}

bool projection_has(const Projection *p, const uint64_t *mask, int32_t slot)
{
    const uint64_t *unit = projection_unit(p, slot);
    for (size_t w = 0; w < p->words; w++)
        if (mask[w] & unit[w])
            return true;
    return false;
}
