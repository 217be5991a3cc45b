#include "ctmc/diagram/context.h"

#include <string.h>

enum { MOST_ANSWERS = 1 << 28 };

PepaStatus contexts_init(Contexts *c, Split *split, RateTable *rates, PepaError *err)
{
    *c = (Contexts){.split = split, .loaded = -1};
    PepaStatus status = moves_init(&c->moves, &split->wide, rates, err);
    if (status != PEPA_OK)
        return status;
    c->stand = mem_calloc((size_t)split->system->prog_count, sizeof *c->stand);
    c->word = mem_calloc(split->wide.words, sizeof *c->word);
    c->cells = mem_calloc((size_t)split->system->cell_count, sizeof *c->cells);
    if (!c->stand || !c->word || !c->cells ||
        !mem_reserve(&c->sign_first, &c->sign_first_cap, 1, sizeof *c->sign_first)) {
        contexts_free(c);
        return error_memory(err);
    }
    c->sign_first[0] = 0;
    c->moves.stand = c->stand;
    return PEPA_OK;
}

void contexts_free(Contexts *c)
{
    for (int32_t i = 0; i < c->count; i++)
        mem_free(c->contexts[i].tags);
    moves_free(&c->moves);
    mem_free(c->stand);
    arena_free(&c->arena);
    mem_free(c->contexts);
    mem_free(c->answers);
    memo_free(&c->found);
    mem_free(c->sign);
    mem_free(c->signs);
    mem_free(c->sign_first);
    mem_free(c->word);
    mem_free(c->cells);
    *c = (Contexts){0};
}

void offered_free(Offered *o)
{
    mem_free(o->flip);
    mem_free(o->start);
    *o = (Offered){0};
}

/* ---- signatures ---------------------------------------------------------------------------- */

/* The moves of a unit, appended to c->moves; their apparent rate. */
static int32_t run_unit(Contexts *c, const Unit *unit)
{
    RateTable *rates = c->moves.rates;
    int32_t sum = TERM_NONE;
    for (int32_t i = unit->first; i < unit->end; i++) {
        int32_t one = moves_run(&c->moves, c->split->unit_prog[i], true);
        if (one == TERM_MIXED ||
            (one >= 0 && sum >= 0 && rates->passive[one] != rates->passive[sum]))
            c->unfit = true;
        if (one >= 0 && !c->unfit)
            sum = sum >= 0 ? rates_sum(rates, sum, one) : one;
    }
    return sum;
}

/* Could the program move, going by the units that have been found to offer nothing? */
static bool possible(const Contexts *c, int32_t prog)
{
    const Split *split = c->split;
    const Prog *progs = split->system->progs, *p = &progs[prog];
    if (c->stand[prog])
        return c->stand[prog]->apparent != TERM_NONE;
    if (split->part[prog] != PART_BOTH)
        return true;
    bool sum = p->kind != PROG_SYNC;
    int32_t child = p->first;
    while (child >= 0 && possible(c, child) != sum)
        child = progs[child].next;
    return (child >= 0) == sum;
}

static const StandIn nothing = {.apparent = TERM_NONE}, something = {.apparent = TERM_ONE};

/* Let the moves stand for the first program of each unit, and nothing for its others. */
static void put_in_place(Contexts *c, int32_t event, const StandIn *stand)
{
    const Split *split = c->split;
    for (int32_t u = split->event_unit[event]; u < split->event_unit[event + 1]; u++)
        for (int32_t i = split->units[u].first; i < split->units[u].end; i++)
            c->stand[split->unit_prog[i]] = !stand ? NULL
                                            : i == split->units[u].first
                                                ? &stand[u - split->event_unit[event]]
                                                : &nothing;
}

/* A new context with the signature in c->sign. */
static bool add_context(Contexts *c, int32_t event, int32_t length)
{
    const Split *split = c->split;
    size_t lower = (size_t)split->lower.count, wide = split->wide.words;
    size_t used = (size_t)c->sign_first[c->count];
    int32_t units = split->event_unit[event + 1] - split->event_unit[event];
    if (!mem_reserve(&c->contexts, &c->cap, (size_t)c->count + 1, sizeof *c->contexts) ||
        !mem_reserve(&c->sign_first, &c->sign_first_cap, (size_t)c->count + 2,
                     sizeof *c->sign_first) ||
        !mem_reserve(&c->signs, &c->signs_cap, used + (size_t)length, sizeof *c->signs))
        return false;
    Context new = {.event = event, .unit_count = units};
    new.stand = arena_alloc(&c->arena, (size_t)(units + 1) * sizeof *new.stand);
    new.shift = arena_alloc(&c->arena, (size_t)(units + 1) * sizeof *new.shift);
    new.rows = arena_alloc(&c->arena, lower * sizeof *new.rows);
    int32_t *terms = arena_alloc(&c->arena, (size_t)(length + 1) * sizeof *terms);
    if (!new.stand || !new.shift || !new.rows || !terms)
        return false;
    memset(new.rows, -1, lower * sizeof *new.rows);
    memcpy(terms, c->sign, (size_t)length * sizeof *terms);
    uint32_t shift = 0;
    for (int32_t u = 0, at = 1; u < units; u++) {
        int32_t apparent = terms[at], count = terms[at + 1];
        uint64_t *flip = arena_alloc(&c->arena, ((size_t)count + 1) * wide * sizeof *flip);
        if (!flip)
            return false;
        for (int32_t i = 0; i < count && shift < 64; i++)
            flip[(size_t)i * wide + wide - 1] = (uint64_t)(i + 1) << shift;
        new.stand[u] = (StandIn){apparent, count, terms + at + 2, flip};
        new.shift[u] = shift;
        shift += bits_for(count + 1);
        at += 2 + count;
    }
    new.shift[units] = shift;
    if (shift > 64)
        c->unfit = true;
    memcpy(c->signs + used, c->sign, (size_t)length * sizeof *c->signs);
    c->contexts[c->count++] = new;
    c->sign_first[c->count] = (int32_t)used + length;
    return true;
}

/* The context with the signature in c->sign, -1 when memory is out. */
static int32_t intern(Contexts *c, int32_t event, int32_t length)
{
    uint64_t hash = 0;
    for (int32_t i = 0; i < length; i++)
        hash = (hash ^ (uint32_t)c->sign[i]) * 0x9e3779b97f4a7c15u ^ hash >> 29;
    for (uint64_t again = 0;; again++) {
        int32_t *found = memo_at(&c->found, hash, again);
        if (!found)
            return -1;
        if (*found < 0)
            return add_context(c, event, length) ? *found = c->count - 1 : -1;
        int32_t there = c->sign_first[*found];
        if (c->sign_first[*found + 1] - there == length &&
            memcmp(c->signs + there, c->sign, (size_t)length * sizeof *c->sign) == 0)
            return *found;
    }
}

/* The moves of an event's units, in c->moves, and their signature, in c->sign; each unit stands in
 * its place as something or nothing.  The signature's length; 0: memory is out, or unfit. */
static size_t sign(Contexts *c, int32_t event, int32_t *start)
{
    const Split *split = c->split;
    Moves *m = &c->moves;
    size_t length = 1;
    c->sign[0] = event;
    for (int32_t u = split->event_unit[event]; u < split->event_unit[event + 1]; u++) {
        const Unit *unit = &split->units[u];
        size_t begin = m->count;
        *start++ = (int32_t)begin;
        int32_t apparent = run_unit(c, unit);
        size_t moves = m->count - begin;
        if (c->unfit || m->no_memory ||
            !mem_reserve(&c->sign, &c->sign_cap, length + 2 + moves, sizeof *c->sign))
            return 0;
        c->sign[length++] = apparent;
        c->sign[length++] = (int32_t)moves;
        for (size_t i = begin; i < m->count; i++)
            c->sign[length++] = m->term[i];
        for (int32_t i = unit->first; i < unit->end; i++)
            c->stand[split->unit_prog[i]] =
                apparent != TERM_NONE && i == unit->first ? &something : &nothing;
    }
    return length;
}

bool contexts_of(Contexts *c, int32_t event, Offered *out)
{
    const Split *split = c->split;
    const size_t wide = split->wide.words;
    size_t units = (size_t)(split->event_unit[event + 1] - split->event_unit[event]);
    Moves *m = &c->moves;
    out->context = -1;
    m->count = 0;
    if (!mem_reserve(&out->start, &out->start_cap, units + 1, sizeof *out->start) ||
        !mem_reserve(&c->sign, &c->sign_cap, 1, sizeof *c->sign))
        return false;
    size_t length = sign(c, event, out->start);
    bool worthwhile = length && possible(c, split->system->events[event].prog);
    put_in_place(c, event, NULL);
    if (!worthwhile)
        return length || c->unfit;
    if (!mem_reserve(&out->flip, &out->flip_cap, m->count * wide + 1, sizeof *out->flip))
        return false;
    if (m->count)
        memcpy(out->flip, m->target, m->count * wide * sizeof *out->flip);
    out->context = intern(c, event, (int32_t)length);
    return out->context >= 0;
}

int32_t contexts_lower(Contexts *c, int32_t event)
{
    if (!mem_reserve(&c->sign, &c->sign_cap, 1, sizeof *c->sign))
        return -1;
    c->sign[0] = event;
    return intern(c, event, 1);
}

void offered_apply(const Contexts *c, const Offered *o, uint64_t tag, uint64_t *packed)
{
    const Context *context = &c->contexts[o->context];
    const size_t wide = c->split->wide.words;
    for (int32_t u = 0; u < context->unit_count; u++) {
        uint32_t shift = context->shift[u], bits = context->shift[u + 1] - shift;
        if (bits == 0) /* and shift may be 64 */
            continue;
        uint64_t number = tag >> shift & (UINT64_MAX >> (64 - bits));
        if (number == 0)
            continue;
        const uint64_t *flip = o->flip + ((size_t)o->start[u] + (size_t)number - 1) * wide;
        for (size_t w = 0; w + 1 < wide; w++)
            packed[w] ^= flip[w];
    }
}

/* ---- answers ------------------------------------------------------------------------------- */

static int32_t tag_number(Contexts *c, Context *context, uint64_t tag)
{
    for (int32_t i = 0; i < context->tag_count; i++)
        if (context->tags[i] == tag)
            return i;
    if (!mem_reserve(&context->tags, &context->tag_cap, (size_t)context->tag_count + 1,
                     sizeof *context->tags)) {
        c->moves.no_memory = true;
        return 0;
    }
    context->tags[context->tag_count] = tag;
    return context->tag_count++;
}

/* The canonical lower state that flips lead to. */
static int32_t lower_target(Contexts *c, const uint64_t *from, const uint64_t *flip)
{
    const System *s = c->split->system;
    for (size_t w = 0; w < s->words; w++)
        c->word[w] = from[w] ^ flip[w];
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
    const size_t words = c->split->system->words, wide = c->split->wide.words;
    if (c->answer_count + count > MOST_ANSWERS)
        c->unfit = true;
    if (c->unfit ||
        !mem_reserve(&c->answers, &c->answer_cap, c->answer_count + count, sizeof *c->answers)) {
        m->no_memory = !c->unfit;
        return;
    }
    context->rows[lower] = (AnswerRange){(int32_t)c->answer_count, (int32_t)count};
    for (size_t i = 0; i < count; i++) {
        const uint64_t *flip = m->target + i * wide;
        int32_t to = lower_target(c, c->split->lower.state + (size_t)lower * words, flip);
        if (to < 0)
            m->no_memory = true;
        c->answers[c->answer_count++] =
            (Answer){tag_number(c, context, flip[words]), to, m->term[i]};
    }
}

AnswerRange contexts_ask(Contexts *c, int32_t number, int32_t lower)
{
    Context *context = &c->contexts[number];
    Moves *m = &c->moves;
    const System *s = c->split->system;
    const Event *event = &s->events[context->event];
    int32_t *others = m->cells;
    if (c->loaded != lower)
        system_unpack(s, c->split->lower.state + (size_t)lower * s->words, c->cells);
    c->loaded = lower;
    put_in_place(c, context->event, context->stand);
    m->cells = c->cells;
    m->count = 0;
    int32_t kind = moves_run(m, event->prog, false);
    m->cells = others;
    put_in_place(c, context->event, NULL);
    bool named = event->label != LABEL_NONE;
    if (kind == TERM_MIXED || (kind >= 0 && m->rates->passive[kind] && named))
        c->unfit = true; /* an error of the model: whoever explores one by one can tell it */
    if (!m->no_memory && !c->unfit)
        collect(c, context, lower, named ? m->count : 0);
    return m->no_memory || c->unfit ? (AnswerRange){0, 0} : context->rows[lower];
}
