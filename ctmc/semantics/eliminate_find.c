/* Finds the vanishing states that one leads to, up to those whose ends are known: the nodes of a graph,
 * whose edges are the immediate activities. */
#include <string.h>

#include "ctmc/semantics/eliminate.h"

Expansion expansion_failed(const Expander *e)
{
    const PepaStatus rates = e->moves.rates->status;
    return e->no_memory || e->moves.no_memory || rates == PEPA_ELIMIT || rates == PEPA_ENOMEM
               ? EXPAND_MEMORY
           : e->missing || e->moves.rates->missing ? EXPAND_MISSING
                                                   : EXPANDED;
}

/* ---- keys ------------------------------------------------------------------------------------ */

int32_t vanished_id(Expander *e, const uint64_t *key, bool ready)
{
    Vanished *v = &e->vanished;
    const int32_t before = v->keys.count;
    const int32_t id = table_put(&v->keys, key, table_hash(&v->keys, key));
    if (id < before)
        return id;
    if (!mem_grow(v->result, v->result_cap, (size_t)id + 1))
        return -1;
    v->result[id] = (Vanishing){.ends = ready ? STATE_UNKNOWN : STATE_TANGIBLE};
    return id;
}

/* ---- search ---------------------------------------------------------------------------------- */

/* Add a node: a state of this key, whose edges are not known. */
static bool add_node(Vanished *v, int32_t id, const uint64_t *packed)
{
    Elimination *w = &v->work;
    const size_t bytes = v->system->words * sizeof *packed;
    const MemColumn columns[] = {{&w->node, sizeof *w->node}, {&w->packed, bytes}};
    if (!mem_reserve_columns(columns, 2, &w->node_cap, w->node_count + 1))
        return false;
    v->result[id] = (Vanishing){.ends = STATE_PENDING, .passed = (int32_t)w->node_count};
    memcpy(w->packed + w->node_count * v->system->words, packed, bytes);
    w->node[w->node_count++] = (VanishNode){.id = id};
    return true;
}

/* The moves found are the edges of a node; what they lead to becomes a node if it is not known. */
static bool add_edges(Expander *e, int32_t node)
{
    Vanished *v = &e->vanished;
    Elimination *w = &v->work;
    const size_t words = v->system->words, count = w->moves.moves;
    const MemColumn columns[] = {{&w->edge, sizeof *w->edge},
                                 {&w->change, words * sizeof *w->change},
                                 {&w->to, sizeof *w->to}};
    bool ok = mem_reserve_columns(columns, 3, &w->edge_cap, w->edge_count + count);
    for (size_t i = 0; i < count && ok; i++) {
        const uint64_t *target = w->moves.target + i * words, *from = vanished_node(v, node);
        int32_t singles;
        const bool ready = projection_key(&v->projection, target, v->key, &singles);
        const int32_t id = vanished_id(e, v->key, ready), kind = w->moves.kind[i];
        for (size_t k = 0; k < words; k++)
            w->change[w->edge_count * words + k] = target[k] - from[k];
        w->edge[w->edge_count++] =
            (VanishEdge){node, id, kind_action(e->kinds, kind), kind_term(e->kinds, kind)};
        ok = id >= 0 && (v->result[id].ends != STATE_UNKNOWN || add_node(v, id, target));
    }
    w->node[node].end = w->edge_count;
    return ok;
}

/* Mark the local states of a vanishing state that may be left: those of slots which its edges change. */
static void mark_passed(Expander *e, const uint64_t *packed, int32_t node)
{
    const System *s = e->moves.system;
    Vanished *v = &e->vanished;
    const Projection *p = &v->projection;
    const int32_t *cells = e->moves.cells;
    const VanishNode n = v->work.node[node];
    memset(v->mask, 0, p->words * sizeof *v->mask);
    for (size_t i = n.edge; i < n.end; i++)
        projection_differ(p, table_state(&v->keys, n.id), table_state(&v->keys, v->work.edge[i].id),
                          v->mask);
    system_unpack(s, packed, e->moves.cells);
    for (int32_t i = 0; i < s->slot_count; i++) {
        const Slot *slot = &s->slots[i];
        const Component *c = &s->components[slot->component];
        if (!projection_has(p, v->mask, i))
            continue;
        const int32_t first = slot->copies ? 0 : cells[slot->cell];
        const int32_t end = slot->copies ? c->local_count : first + 1;
        for (int32_t l = first; l < end; l++)
            if (p->relevant[s->slot_trigger[i] + l] && (!slot->copies || cells[slot->cell + l] > 0))
                v->passed[c->local[l]] = 1;
    }
}

/* Find the edges of a node, unless it is a tangible state. */
static Expansion visit(Expander *e, int32_t node)
{
    Vanished *v = &e->vanished;
    Elimination *w = &v->work;
    w->moves.moves = 0;
    w->node[node].edge = w->node[node].end = w->edge_count;
    memcpy(w->scratch, vanished_node(v, node), v->system->words * sizeof *w->scratch);
    const Expansion how = expand_urgent(e, w->scratch, &w->moves);
    if (how != EXPANDED || e->fault_count) {
        memcpy(w->culprit, w->scratch, v->system->words * sizeof *w->culprit);
        e->culprit = w->culprit;
        return how == EXPANDED ? EXPAND_FAULTY : how;
    }
    if (!e->vanishing) {
        v->result[w->node[node].id] = (Vanishing){.ends = STATE_TANGIBLE};
        return EXPANDED;
    }
    if (!add_edges(e, node))
        return EXPAND_MEMORY;
    mark_passed(e, w->scratch, node);
    return EXPANDED;
}

Expansion find_nodes(Expander *e, int32_t id, const uint64_t *packed)
{
    Vanished *v = &e->vanished;
    Elimination *w = &v->work;
    w->node_count = w->edge_count = 0;
    Expansion how = add_node(v, id, packed) ? EXPANDED : EXPAND_MEMORY;
    for (size_t k = 0; how == EXPANDED && k < w->node_count; k++)
        how = visit(e, (int32_t)k);
    return how;
}
