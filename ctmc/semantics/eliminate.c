/* Finds what a vanishing state leads to: the tangible states in which its immediate activities end, with
 * their probabilities, and how often each action happens on the way.
 *
 * The vanishing states that one leads to are found.  What a state leads to follows from what its
 * successors do, with weights w and their sum W:
 *     P(x, z) = sum over y of w(x, y) / W(x) P(y, z)
 * States that lead to each other, a strongly connected component, are the rows of a matrix.  They are
 * eliminated without subtractions, the last one first, so that no digits are lost:
 *     w(x, z) += w(x, y) w(y, z) / W(y)       for y after x, then
 *     P(x, z)  = w(x, z) / W(x) + sum over y before x of w(x, y) / W(x) P(y, z)
 * W(x) leaves out the weight of x itself.  A component without a way out is a timeless trap.
 * All of it is done on terms (rates.h), so that rates and weights can have other values later.
 * Within a component states are sorted by keys: what is found does not depend on where the search began,
 * nor on what was known.
 * Source: Grassmann, Taksar, Heyman, Operations Research 33 (1985). */
#include "ctmc/semantics/eliminate.h"

#include <stdlib.h>
#include <string.h>

#include "base/scc.h"
#include "ctmc/semantics/footprint.h"

/* ---- ends ------------------------------------------------------------------------------------ */

/* The way to an edge's target and on, from node x: added to the sums of ends.
 *   on  a further change, or NULL */
static bool add_end(Expander *e, int32_t x, size_t edge, const uint64_t *on, int32_t term)
{
    Vanished *v = &e->vanished;
    Elimination *w = &v->work;
    const size_t words = v->system->words;
    const uint64_t *from = vanished_node(v, x), *via = vanished_node(v, w->edge[edge].node);
    for (size_t k = 0; k < words; k++)
        w->scratch[k] = via[k] - from[k] + w->change[edge * words + k] + (on ? on[k] : 0);
    const int32_t id = table_put(&v->changes, w->scratch, table_hash(&v->changes, w->scratch));
    if (id < 0 || !sums_reserve(&w->ends, (size_t)id + 1))
        return false;
    sums_add(e->moves.rates, &w->ends, id, term);
    return true;
}

/* What an edge's target, which is known, leads to, times a factor. */
static bool add_known(Expander *e, int32_t x, size_t edge, int32_t factor)
{
    Vanished *v = &e->vanished;
    RateTable *rates = e->moves.rates;
    const Vanishing r = v->result[v->work.edge[edge].id];
    if (r.ends == STATE_TANGIBLE)
        return add_end(e, x, edge, NULL, factor);
    bool ok = true;
    for (int32_t i = 0; i < r.ends && ok; i++) {
        const Portion p = v->portion[r.first_end + (size_t)i];
        ok = add_end(e, x, edge, table_state(&v->changes, p.id),
                     rates_share(rates, factor, p.term, ONE));
    }
    for (int32_t i = 0; i < r.passed; i++) {
        const Portion p = v->portion[r.first_passed + (size_t)i];
        sums_add(rates, &v->work.actions, p.id, rates_share(rates, factor, p.term, ONE));
    }
    return ok;
}

static void append(const Sums *sums, Portion *portion, size_t *count)
{
    for (size_t i = 0; i < sums->count; i++)
        if (sums->term[sums->met[i]] != TERM_NONE)
            portion[(*count)++] = (Portion){sums->met[i], sums->term[sums->met[i]]};
}

/* What a node leads to, given the probabilities of the edges by which its component is left, and how
 * often actions happen before: the sums of exits and actions, which are cleared. */
static bool conclude(Expander *e, int32_t x)
{
    Vanished *v = &e->vanished;
    Elimination *w = &v->work;
    bool ok = true;
    for (size_t i = 0; i < w->exits.count && ok; i++)
        ok = add_known(e, x, (size_t)w->exits.met[i], w->exits.term[w->exits.met[i]]);
    ok = ok &&
         mem_grow(v->portion, v->portion_cap, v->portion_count + w->ends.count + w->actions.count);
    if (ok) {
        Vanishing r = {.first_end = v->portion_count, .span = w->span};
        append(&w->ends, v->portion, &v->portion_count);
        r.first_passed = v->portion_count;
        append(&w->actions, v->portion, &v->portion_count);
        r.ends = (int32_t)(r.first_passed - r.first_end);
        r.passed = (int32_t)(v->portion_count - r.first_passed);
        v->result[w->node[x].id] = r;
    }
    sums_clear(&w->exits);
    sums_clear(&w->ends);
    sums_clear(&w->actions);
    return ok;
}

/* ---- one state ------------------------------------------------------------------------------- */

/* A component of one state; *trapped: it leads to itself only. */
static bool solve_one(Expander *e, int32_t x, bool *trapped)
{
    Elimination *w = &e->vanished.work;
    RateTable *rates = e->moves.rates;
    const VanishNode n = w->node[x];
    int32_t out = TERM_NONE;
    for (size_t i = n.edge; i < n.end; i++)
        if (w->edge[i].id != n.id)
            out = out == TERM_NONE ? w->edge[i].term : rates_sum(rates, out, w->edge[i].term);
    *trapped = out == TERM_NONE;
    if (*trapped || !sums_reserve(&w->exits, w->edge_count))
        return *trapped;
    for (size_t i = n.edge; i < n.end; i++) {
        const int32_t share = rates_share(rates, ONE, w->edge[i].term, out);
        sums_add(rates, &w->actions, w->edge[i].action, share);
        if (w->edge[i].id != n.id)
            sums_add(rates, &w->exits, (int32_t)i, share);
    }
    return conclude(e, x);
}

/* ---- states that lead to each other ---------------------------------------------------------- */

/* Portions times factor / divisor. */
static void add_all(Expander *e, Sums *sums, size_t first, size_t end, int32_t factor,
                    int32_t divisor)
{
    const Portion *entry = e->vanished.work.entry;
    for (size_t i = first; i < end; i++)
        sums_add(e->moves.rates, sums, entry[i].id,
                 rates_share(e->moves.rates, factor, entry[i].term, divisor));
}

static void add_row(Expander *e, const VanishRow *row, int32_t factor, int32_t divisor)
{
    Elimination *w = &e->vanished.work;
    add_all(e, &w->places, row->first, row->first_exit, factor, divisor);
    add_all(e, &w->exits, row->first_exit, row->first_passed, factor, divisor);
    add_all(e, &w->actions, row->first_passed, row->end, factor, divisor);
}

static int32_t take(Sums *sums, int32_t id)
{
    const int32_t term = sums->term[id];
    sums->term[id] = TERM_NONE;
    return term;
}

static int32_t add_up(Expander *e, const Sums *sums, int32_t sum)
{
    for (size_t i = 0; i < sums->count; i++) {
        const int32_t term = sums->term[sums->met[i]];
        if (term != TERM_NONE)
            sum = sum == TERM_NONE ? term : rates_sum(e->moves.rates, sum, term);
    }
    return sum;
}

/* Let the sums be a row of the matrix. */
static bool keep_row(Elimination *w, VanishRow *row)
{
    if (!mem_grow(w->entry, w->entry_cap,
                  w->entry_count + w->places.count + w->exits.count + w->actions.count))
        return false;
    row->first = w->entry_count;
    append(&w->places, w->entry, &w->entry_count);
    row->first_exit = w->entry_count;
    append(&w->exits, w->entry, &w->entry_count);
    row->first_passed = w->entry_count;
    append(&w->actions, w->entry, &w->entry_count);
    row->end = w->entry_count;
    sums_clear(&w->places);
    sums_clear(&w->exits);
    sums_clear(&w->actions);
    return true;
}

/* The row of the node at place x of a component, with the places behind it eliminated. */
static bool reduce(Expander *e, int32_t node, int32_t x, int32_t count)
{
    const Vanished *v = &e->vanished;
    Elimination *w = &e->vanished.work;
    const VanishNode n = w->node[node];
    for (size_t i = n.edge; i < n.end; i++) {
        const VanishEdge edge = w->edge[i];
        const Vanishing r = v->result[edge.id];
        if (r.ends == STATE_PENDING)
            sums_add(e->moves.rates, &w->places, w->node[r.passed].place, edge.term);
        else
            sums_add(e->moves.rates, &w->exits, (int32_t)i, edge.term);
        sums_add(e->moves.rates, &w->actions, edge.action, edge.term);
    }
    for (int32_t y = count - 1; y > x; y--) {
        const int32_t term = take(&w->places, y);
        if (term != TERM_NONE)
            add_row(e, &w->row[y], term, w->row[y].out);
    }
    (void)take(&w->places, x);
    w->row[x].out = add_up(e, &w->exits, add_up(e, &w->places, TERM_NONE));
    return expansion_failed(e) != EXPAND_MEMORY && keep_row(w, &w->row[x]);
}

/* The row of place x: by which edges the component is left, given those of the places before it. */
static bool substitute(Expander *e, int32_t x)
{
    Elimination *w = &e->vanished.work;
    VanishRow *row = w->row;
    const VanishRow r = row[x];
    add_all(e, &w->exits, r.first_exit, r.first_passed, ONE, r.out);
    add_all(e, &w->actions, r.first_passed, r.end, ONE, r.out);
    for (size_t i = r.first; i < r.first_exit; i++) {
        const Portion p = w->entry[i];
        add_row(e, &row[p.id], rates_share(e->moves.rates, ONE, p.term, r.out), ONE);
    }
    return expansion_failed(e) != EXPAND_MEMORY && keep_row(w, &row[x]);
}

/* A component of several states. */
static bool solve_several(Expander *e, const VanishPlace *nodes, int32_t count, bool *trapped)
{
    Elimination *w = &e->vanished.work;
    w->entry_count = 0;
    bool ok = sums_reserve(&w->places, (size_t)count) && sums_reserve(&w->exits, w->edge_count) &&
              mem_grow(w->row, w->row_cap, count);
    for (int32_t x = 0; x < count; x++)
        w->node[nodes[x].node].place = x;
    for (int32_t x = count; ok && !*trapped && x-- > 0;) {
        ok = reduce(e, nodes[x].node, x, count);
        *trapped = ok && w->row[x].out == TERM_NONE;
    }
    for (int32_t x = 0; ok && !*trapped && x < count; x++)
        ok = substitute(e, x);
    for (int32_t x = 0; ok && !*trapped && x < count; x++) {
        add_row(e, &w->row[x], ONE, ONE);
        ok = conclude(e, nodes[x].node);
    }
    return ok;
}

/* ---- components ------------------------------------------------------------------------------ */

static int compare_keyed(const void *a, const void *b)
{
    const VanishPlace *x = a, *y = b;
    if (x->component != y->component)
        return x->component < y->component ? -1 : 1;
    return memcmp(x->key, y->key, x->bytes);
}

/* The component of each node: what leads to others has a larger number than these. */
static bool find_components(Vanished *v)
{
    Elimination *w = &v->work;
    const MemColumn columns[] = {{&w->graph, sizeof *w->graph},
                                 {&w->component, sizeof *w->component},
                                 {&w->keyed, sizeof *w->keyed}};
    int64_t arcs = 0;
    int32_t count;
    if (!mem_reserve_columns(columns, 3, &w->graph_cap, w->node_count + 1))
        return false;
    for (size_t k = 0; k < w->node_count; k++) {
        w->graph[k] = arcs;
        for (size_t i = w->node[k].edge; i < w->node[k].end; i++)
            if (v->result[w->edge[i].id].ends == STATE_PENDING)
                w->to[arcs++] = v->result[w->edge[i].id].passed;
    }
    w->graph[w->node_count] = arcs;
    const Graph graph = {(int32_t)w->node_count, w->graph, w->to};
    if (scc_find(&graph, w->component, &count, NULL) != PEPA_OK)
        return false;
    for (size_t k = 0; k < w->node_count; k++)
        w->keyed[k] = (VanishPlace){table_state(&v->keys, w->node[k].id),
                                    v->keys.words * sizeof(uint64_t), w->component[k], (int32_t)k};
    qsort(w->keyed, w->node_count, sizeof *w->keyed, compare_keyed);
    return true;
}

/* What an edge changes and its target goes on to change, and what decides about that. */
static void add_span(Expander *e, size_t edge, uint64_t *span)
{
    Vanished *v = &e->vanished;
    Elimination *w = &v->work;
    const VanishEdge a = w->edge[edge];
    const Vanishing r = v->result[a.id];
    const size_t words = v->projection.words;
    memset(v->key, 0, words * sizeof *v->key);
    projection_differ(&v->projection, table_state(&v->keys, w->node[a.node].id),
                      table_state(&v->keys, a.id), v->key);
    for (size_t k = 0; k < words; k++)
        span[k] |= v->key[k] | (r.ends >= 0 ? table_state(&v->masks, r.span)[k] : 0);
    for (size_t k = 0; k < v->system->words; k++)
        w->scratch[k] = vanished_node(v, a.node)[k] + w->change[edge * v->system->words + k];
    footprint_read(e, w->scratch, v->key, span);
}

/* The span of a component. */
static bool find_span(Expander *e, const VanishPlace *nodes, int32_t count)
{
    Vanished *v = &e->vanished;
    Elimination *w = &v->work;
    memset(v->mask, 0, v->projection.words * sizeof *v->mask);
    for (int32_t x = 0; x < count; x++)
        for (size_t i = w->node[nodes[x].node].edge; i < w->node[nodes[x].node].end; i++)
            add_span(e, i, v->mask);
    w->span = vanished_mask(v, v->mask);
    return w->span >= 0;
}

/* The nodes of a component, by key. */
static Expansion solve(Expander *e, const VanishPlace *nodes, int32_t count)
{
    Vanished *v = &e->vanished;
    Elimination *w = &v->work;
    bool trapped = false;
    const bool ok =
        find_span(e, nodes, count) && (count == 1 ? solve_one(e, nodes->node, &trapped)
                                                  : solve_several(e, nodes, count, &trapped));
    if (!ok || expansion_failed(e) != EXPANDED)
        return ok ? expansion_failed(e) : EXPAND_MEMORY;
    if (!trapped)
        return EXPANDED;
    int32_t first = nodes->node;
    for (int32_t x = 1; x < count; x++)
        first = nodes[x].node < first ? nodes[x].node : first;
    memcpy(w->culprit, vanished_node(v, first), v->system->words * sizeof *w->culprit);
    e->culprit = w->culprit;
    e->trapped = true;
    return EXPAND_FAULTY;
}

static Expansion solve_all(Expander *e)
{
    Vanished *v = &e->vanished;
    Elimination *w = &v->work;
    Expansion how = EXPANDED;
    if (w->node_count == 1)
        return solve(e, &(VanishPlace){.node = 0}, 1);
    if (!find_components(v))
        return EXPAND_MEMORY;
    for (size_t k = 0, n; k < w->node_count && how == EXPANDED; k += n) {
        for (n = 1; k + n < w->node_count && w->keyed[k + n].component == w->keyed[k].component;)
            n++;
        if (v->result[w->node[w->keyed[k].node].id].ends == STATE_PENDING)
            how = solve(e, w->keyed + k, (int32_t)n);
    }
    return how;
}

Expansion eliminate_from(Expander *e, int32_t id, const uint64_t *packed)
{
    Vanished *v = &e->vanished;
    Elimination *w = &v->work;
    if (v->result[id].ends != STATE_UNKNOWN)
        return EXPANDED;
    Expansion how = find_nodes(e, id, packed);
    if (how == EXPANDED && v->result[id].ends == STATE_PENDING)
        how = solve_all(e);
    for (size_t k = 0; how != EXPANDED && k < w->node_count; k++)
        if (v->result[w->node[k].id].ends == STATE_PENDING)
            v->result[w->node[k].id].ends = STATE_UNKNOWN;
    return how;
}
