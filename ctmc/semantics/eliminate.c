/* Finds what a vanishing state leads to: the tangible states in which its immediate activities end, with
 * their probabilities, and how often each action happens on the way.
 *
 * The vanishing states that one leads to are the rows of a matrix of weights.  They are eliminated
 * without subtractions, the last one found first, so that loops among them are no special case and
 * no digits are lost.  With weights w, and W(y) the sum of those that leave y for other states:
 *     w(x, z) += w(x, y) w(y, z) / W(y)       for y after x, then
 *     P(x, z)  = w(x, z) / W(x) + sum over y before x of w(x, y) / W(x) P(y, z)
 * A state without a way out is part of a timeless trap.  All of it is done on terms (rates.h), so
 * that rates and weights can have other values later.
 * Source: Grassmann, Taksar, Heyman, Operations Research 33 (1985). */
#include "ctmc/semantics/eliminate.h"

#include <string.h>

/* ---- which states may vanish ----------------------------------------------------------------- */

bool may_vanish(Expander *e, const uint64_t *packed)
{
    const System *s = e->moves.system;
    const bool *urgent = e->vanished.urgent;
    system_unpack(s, packed, e->moves.cells);
    for (int32_t i = 0; i < s->slot_count; i++) {
        const Slot *slot = &s->slots[i];
        const Component *c = &s->components[slot->component];
        const int32_t *cell = e->moves.cells + slot->cell;
        if (!slot->copies && urgent[c->local[*cell]])
            return true;
        for (int32_t l = 0; slot->copies && l < c->local_count; l++)
            if (cell[l] > 0 && urgent[c->local[l]])
                return true;
    }
    return false;
}

int32_t vanished_id(Expander *e, const uint64_t *packed)
{
    Vanished *v = &e->vanished;
    const int32_t before = v->states.count;
    const int32_t id = table_put(&v->states, packed, table_hash(&v->states, packed));
    if (id < before)
        return id;
    if (!mem_grow(v->result, v->result_cap, (size_t)id + 1))
        return -1;
    v->result[id] = (Vanishing){.ends = may_vanish(e, packed) ? STATE_UNKNOWN : STATE_TANGIBLE};
    return id;
}

Expansion expansion_failed(const Expander *e)
{
    return e->no_memory || e->moves.no_memory      ? EXPAND_MEMORY
           : e->missing || e->moves.rates->missing ? EXPAND_MISSING
                                                   : EXPANDED;
}

/* ---- the matrix ------------------------------------------------------------------------------ */

static bool add_entry(Elimination *w, int32_t id, int32_t term)
{
    if (!mem_grow(w->entry, w->entry_cap, w->entry_count + 1))
        return false;
    w->entry[w->entry_count++] = (Portion){id, term};
    return true;
}

static bool add_node(Vanished *v, int32_t id)
{
    Elimination *w = &v->work;
    const MemColumn columns[] = {{&w->node, sizeof *w->node}, {&w->row, sizeof *w->row}};
    if (!mem_reserve_columns(columns, 2, &w->node_cap, w->node_count + 1))
        return false;
    v->result[id].ends = STATE_PENDING;
    w->node[w->node_count++] = id;
    return true;
}

/* The weights with which a node leads on; what is new among the targets becomes a node. */
static bool add_row(Expander *e, int32_t node)
{
    Vanished *v = &e->vanished;
    Elimination *w = &v->work;
    const Block *b = &w->moves;
    Row row = {.first = w->entry_count};
    for (size_t i = 0; i < b->moves; i++) {
        const int32_t id = vanished_id(e, b->target + i * v->states.words);
        if (id < 0 || !add_entry(w, id, kind_term(e->kinds, b->kind[i])) ||
            (v->result[id].ends == STATE_UNKNOWN && !add_node(v, id)))
            return false;
    }
    row.first_passed = w->entry_count;
    for (size_t i = 0; i < b->moves; i++)
        if (!add_entry(w, kind_action(e->kinds, b->kind[i]), kind_term(e->kinds, b->kind[i])))
            return false;
    row.end = w->entry_count;
    w->row[node] = row;
    return true;
}

static void mark_passed(Expander *e, const uint64_t *packed)
{
    const System *s = e->moves.system;
    system_unpack(s, packed, e->moves.cells);
    system_counts(s, e->moves.cells, e->moves.counts);
    for (int32_t l = 0; l < s->model->local_count; l++)
        e->vanished.passed[l] |= e->moves.counts[l] > 0;
}

/* The rows of a state and of all that it leads to. */
static Expansion find_rows(Expander *e, int32_t id)
{
    Vanished *v = &e->vanished;
    Elimination *w = &v->work;
    const size_t bytes = v->states.words * sizeof *w->packed;
    w->node_count = w->entry_count = 0;
    if (!add_node(v, id))
        return EXPAND_MEMORY;
    for (size_t k = 0; k < w->node_count; k++) {
        memcpy(w->packed, table_state(&v->states, w->node[k]), bytes);
        w->moves.moves = 0;
        const Expansion how = expand_one(e, w->packed, &w->moves);
        if (how != EXPANDED || e->fault_count) {
            e->culprit = w->packed;
            return how == EXPANDED ? EXPAND_FAULTY : how;
        }
        w->row[k].out = TERM_NONE;
        if (!e->vanishing) {
            v->result[w->node[k]].ends = STATE_TANGIBLE;
            continue;
        }
        mark_passed(e, w->packed);
        if (!add_row(e, (int32_t)k))
            return EXPAND_MEMORY;
    }
    return EXPANDED;
}

/* ---- elimination ----------------------------------------------------------------------------- */

static void sums_add(Expander *e, Sums *sums, int32_t id, int32_t term)
{
    if (sums->term[id] == TERM_NONE)
        sums->met[sums->count++] = id;
    sums->term[id] =
        sums->term[id] == TERM_NONE ? term : rates_sum(e->moves.rates, sums->term[id], term);
}

/* Each portion of a list, times factor / divisor. */
static void sums_add_all(Expander *e, Sums *sums, const Portion *portion, size_t count,
                         int32_t factor, int32_t divisor)
{
    for (size_t i = 0; i < count; i++)
        sums_add(e, sums, portion[i].id,
                 rates_share(e->moves.rates, factor, portion[i].term, divisor));
}

/* What a state that is known leads to, times a factor. */
static void add_known(Expander *e, int32_t id, int32_t factor)
{
    Vanished *v = &e->vanished;
    const Vanishing *r = &v->result[id];
    sums_add_all(e, &v->work.states, v->portion + r->first_end, (size_t)r->ends, factor, ONE);
    sums_add_all(e, &v->work.actions, v->portion + r->first_passed, (size_t)r->passed, factor, ONE);
}

static void sums_clear(Sums *sums)
{
    for (size_t i = 0; i < sums->count; i++)
        sums->term[sums->met[i]] = TERM_NONE;
    sums->count = 0;
}

/* Take the term of an id away; TERM_NONE if there is none. */
static int32_t sums_take(Sums *sums, int32_t id)
{
    const int32_t term = sums->term[id];
    if (term == TERM_NONE)
        return TERM_NONE;
    size_t i = 0;
    while (sums->met[i] != id)
        i++;
    memmove(sums->met + i, sums->met + i + 1, (sums->count - i - 1) * sizeof *sums->met);
    sums->count--;
    sums->term[id] = TERM_NONE;
    return term;
}

/* Row x with the nodes behind it eliminated, at the end of the entries.  False: memory is out. */
static bool reduce(Expander *e, int32_t x)
{
    Vanished *v = &e->vanished;
    Elimination *w = &v->work;
    Row *row = w->row;
    for (size_t i = row[x].first; i < row[x].first_passed; i++) {
        const Portion p = w->entry[i];
        if (v->result[p.id].ends >= 0)
            add_known(e, p.id, p.term);
        else
            sums_add(e, &w->states, p.id, p.term);
    }
    sums_add_all(e, &w->actions, w->entry + row[x].first_passed, row[x].end - row[x].first_passed,
                 ONE, ONE);
    for (int32_t y = (int32_t)w->node_count - 1; y > x; y--) {
        if (row[y].out == TERM_NONE)
            continue;
        const int32_t term = sums_take(&w->states, w->node[y]);
        if (term == TERM_NONE)
            continue;
        sums_add_all(e, &w->states, w->entry + row[y].first, row[y].first_passed - row[y].first,
                     term, row[y].out);
        sums_add_all(e, &w->actions, w->entry + row[y].first_passed,
                     row[y].end - row[y].first_passed, term, row[y].out);
    }
    (void)sums_take(&w->states, w->node[x]);
    row[x].first = w->entry_count;
    row[x].out = TERM_NONE;
    bool ok = true;
    for (size_t i = 0; i < w->states.count && ok; i++) {
        const int32_t id = w->states.met[i], term = w->states.term[id];
        row[x].out = row[x].out == TERM_NONE ? term : rates_sum(e->moves.rates, row[x].out, term);
        ok = add_entry(w, id, term);
    }
    row[x].first_passed = w->entry_count;
    for (size_t i = 0; i < w->actions.count && ok; i++)
        ok = add_entry(w, w->actions.met[i], w->actions.term[w->actions.met[i]]);
    row[x].end = w->entry_count;
    sums_clear(&w->states);
    sums_clear(&w->actions);
    return ok;
}

/* What node x leads to, given that of the nodes before it. */
static bool substitute(Expander *e, int32_t x)
{
    Vanished *v = &e->vanished;
    Elimination *w = &v->work;
    const Row row = w->row[x];
    for (size_t i = row.first; i < row.first_passed; i++) {
        const Portion p = w->entry[i];
        const int32_t share = rates_share(e->moves.rates, ONE, p.term, row.out);
        if (v->result[p.id].ends >= 0)
            add_known(e, p.id, share);
        else
            sums_add(e, &w->states, p.id, share);
    }
    sums_add_all(e, &w->actions, w->entry + row.first_passed, row.end - row.first_passed, ONE,
                 row.out);
    const size_t ends = w->states.count, passed = w->actions.count, first = v->portion_count;
    const bool ok = mem_grow(v->portion, v->portion_cap, first + ends + passed);
    for (size_t i = 0; i < ends && ok; i++)
        v->portion[v->portion_count++] =
            (Portion){w->states.met[i], w->states.term[w->states.met[i]]};
    for (size_t i = 0; i < passed && ok; i++)
        v->portion[v->portion_count++] =
            (Portion){w->actions.met[i], w->actions.term[w->actions.met[i]]};
    if (ok)
        v->result[w->node[x]] = (Vanishing){first, first + ends, (int32_t)ends, (int32_t)passed};
    sums_clear(&w->states);
    sums_clear(&w->actions);
    return ok;
}

static bool is_vanishing_node(const Vanished *v, size_t k)
{
    return v->result[v->work.node[k]].ends != STATE_TANGIBLE;
}

static Expansion eliminate(Expander *e)
{
    Vanished *v = &e->vanished;
    Elimination *w = &v->work;
    const size_t n = (size_t)v->states.count, before = w->states.cap;
    const MemColumn columns[] = {{&w->states.term, sizeof *w->states.term},
                                 {&w->states.met, sizeof *w->states.met}};
    if (!mem_reserve_columns(columns, 2, &w->states.cap, n))
        return EXPAND_MEMORY;
    for (size_t i = before; i < w->states.cap; i++)
        w->states.term[i] = TERM_NONE;
    for (size_t k = w->node_count; k-- > 0;) {
        if (!is_vanishing_node(v, k))
            continue;
        if (!reduce(e, (int32_t)k))
            return EXPAND_MEMORY;
        if (w->row[k].out == TERM_NONE) {
            memcpy(w->packed, table_state(&v->states, w->node[k]),
                   v->states.words * sizeof *w->packed);
            e->culprit = w->packed;
            e->trapped = true;
            return EXPAND_FAULTY;
        }
    }
    if (expansion_failed(e) != EXPANDED)
        return expansion_failed(e);
    for (size_t k = 0; k < w->node_count; k++)
        if (is_vanishing_node(v, k) && !substitute(e, (int32_t)k))
            return EXPAND_MEMORY;
    return expansion_failed(e);
}

Expansion eliminate_from(Expander *e, int32_t id)
{
    Vanished *v = &e->vanished;
    Elimination *w = &v->work;
    if (v->result[id].ends != STATE_UNKNOWN)
        return EXPANDED;
    Expansion how = find_rows(e, id);
    if (how == EXPANDED)
        how = eliminate(e);
    for (size_t k = 0; how != EXPANDED && k < w->node_count; k++)
        if (v->result[w->node[k]].ends == STATE_PENDING)
            v->result[w->node[k]].ends = STATE_UNKNOWN;
    return how;
}
