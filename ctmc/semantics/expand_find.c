/* The moves of programs, from tables and from those of their operands. */
#include <string.h>

#include "ctmc/semantics/expand_parts.h"

static const Found nothing = {.apparent = TERM_NONE};

static bool reserve(Expander *e, size_t more)
{
    const size_t need = e->top + more, words = e->moves.system->words;
    if (need <= e->cap)
        return true;
    size_t cap = e->cap * 2 > need ? e->cap * 2 : need + 64;
    int32_t *term = mem_resize(e->term, cap, sizeof *term);
    if (term)
        e->term = term;
    uint64_t *delta = mem_resize(e->delta, cap, words * sizeof *delta);
    if (delta)
        e->delta = delta;
    e->no_memory = e->no_memory || !term || !delta;
    if (!term || !delta)
        return false;
    e->cap = cap;
    return true;
}

/* Can a node move at all?  As moves_ready. */
static bool node_ready(const Expander *e, int32_t id)
{
    const Plans *plans = e->plans;
    const PlanNode *node = &plans->nodes[id];
    const int32_t *cells = e->moves.cells;
    if (node->kind == PLAN_TABLE) {
        const Entry *entry = plans_entry(plans, node, cells);
        if (entry->known)
            return entry->apparent != TERM_NONE;
        if (node->local < 0)
            return moves_ready(&e->moves, node->prog);
        const System *s = plans->system;
        return cells[s->slots[s->progs[node->prog].slot].cell + node->local] > 0;
    }
    bool sum = node->kind == PLAN_SUM;
    int32_t child = node->first;
    while (child >= 0 && node_ready(e, child) != sum)
        child = plans->nodes[child].next;
    return (child >= 0) == sum;
}

static Found of_entry(const Entry *entry)
{
    return (Found){entry->apparent, entry->count, entry->first, false, entry->twins, entry->still};
}

static Found find_in_table(Expander *e, const PlanNode *node, const uint64_t *packed)
{
    Moves *m = &e->moves;
    Entry *entry = plans_entry(e->plans, node, m->cells);
    if (entry->known)
        return of_entry(entry);
    if (e->frozen) {
        e->missing = true;
        return nothing;
    }
    if (!node_ready(e, (int32_t)(node - e->plans->nodes))) {
        *entry = (Entry){.apparent = TERM_NONE, .known = true};
        return nothing;
    }
    size_t begin = m->count;
    int32_t apparent = node->local < 0 ? moves_run(m, node->prog, node->wanted)
                                       : moves_run_local(m, node->prog, node->local, node->wanted);
    if (!plans_keep(e->plans, entry, apparent, m, begin, packed))
        e->no_memory = true;
    return e->no_memory ? nothing : of_entry(entry);
}

/* Append what was found to the expander's own arrays. */
static void append(Expander *e, const Found *found)
{
    const size_t words = e->moves.system->words, count = (size_t)found->count;
    if (!count || !reserve(e, count))
        return;
    const int32_t *term = found->own ? e->term : e->plans->term;
    const uint64_t *delta = found->own ? e->delta : e->plans->delta;
    memmove(e->term + e->top, term + found->first, count * sizeof *term);
    memmove(e->delta + e->top * words, delta + found->first * words, count * words * sizeof *delta);
    e->top += count;
}

/* The moves begin .. top - 1 in the place of `first` ones. */
static void let_down(Expander *e, size_t first, size_t begin)
{
    const size_t words = e->moves.system->words, count = e->top - begin;
    if (!count) {
        e->top = first;
        return;
    }
    memmove(e->term + first, e->term + begin, count * sizeof *e->term);
    memmove(e->delta + first * words, e->delta + begin * words, count * words * sizeof *e->delta);
    e->top = first + count;
}

static Found find_in_sum(Expander *e, const PlanNode *node, const uint64_t *packed)
{
    Found all = {.apparent = TERM_NONE, .first = e->top, .own = true};
    for (int32_t child = node->first; child >= 0; child = e->plans->nodes[child].next) {
        Found found = expand_find(e, child, packed);
        if (!found.own) /* else it stands there already */
            append(e, &found);
        all.apparent = moves_add(&e->moves, all.apparent, found.apparent, node->wanted);
        all.twins = all.twins || found.twins || (all.still && found.still);
        all.still = all.still || found.still;
    }
    all.count = (int32_t)(e->top - all.first);
    return all;
}

/* All pairs of the moves of two sides, in the place of what stands from `base` on. */
static Found pair(Expander *e, size_t base, const Found *a, const Found *b)
{
    RateTable *rates = e->moves.rates;
    const size_t words = e->moves.system->words, begin = e->top;
    const size_t n = (size_t)a->count, k = (size_t)b->count;
    int32_t least = moves_least(rates, a->apparent, b->apparent), r1 = -1, r2 = -1, rate = 0;
    if (k && n > INT32_MAX / k) {
        e->no_memory = true;
        return nothing;
    }
    if (!reserve(e, n * k))
        return nothing;
    const int32_t *t1 = (a->own ? e->term : e->plans->term) + a->first;
    const int32_t *t2 = (b->own ? e->term : e->plans->term) + b->first;
    const uint64_t *d1 = (a->own ? e->delta : e->plans->delta) + a->first * words;
    const uint64_t *d2 = (b->own ? e->delta : e->plans->delta) + b->first * words;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < k; j++) {
            if (t1[i] != r1 || t2[j] != r2) {
                r1 = t1[i];
                r2 = t2[j];
                rate = moves_pair(rates, least, r1, a->apparent, r2, b->apparent);
            }
            for (size_t w = 0; w < words; w++)
                e->delta[e->top * words + w] = d1[i * words + w] + d2[j * words + w];
            e->term[e->top++] = rate;
        }
    let_down(e, base, begin);
    return (Found){least, (int32_t)(n * k), base, true, a->twins || b->twins, a->still && b->still};
}

/* As in moves.c nothing is built before all are known to be ready. */
static Found find_in_sync(Expander *e, const PlanNode *node, const uint64_t *packed)
{
    const PlanNode *nodes = e->plans->nodes;
    size_t base = e->top;
    for (int32_t child = node->first; child >= 0; child = nodes[child].next)
        if (!node_ready(e, child))
            return nothing;
    Found all = expand_find(e, node->first, packed);
    int32_t child = nodes[node->first].next;
    for (; child >= 0 && all.apparent >= 0; child = nodes[child].next) {
        Found other = expand_find(e, child, packed);
        if (other.apparent < 0)
            all.apparent = other.apparent;
        else
            all = pair(e, base, &all, &other);
    }
    if (all.apparent >= 0)
        return all;
    e->top = base;
    return (Found){.apparent = all.apparent};
}

Found expand_find(Expander *e, int32_t id, const uint64_t *packed)
{
    const PlanNode *node = &e->plans->nodes[id];
    switch (node->kind) {
    case PLAN_TABLE:
        return find_in_table(e, node, packed);
    case PLAN_SUM:
        return find_in_sum(e, node, packed);
    case PLAN_SYNC:
        break;
    }
    return find_in_sync(e, node, packed);
}
