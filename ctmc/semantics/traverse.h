/* The semantics of PEPA: the activities that a program of the compiled system has in a state.
 *
 * For every action type a and component P, Hillston's apparent rate ra(P) and the multiset of
 * derivatives are computed bottom-up over the cooperation tree (1996, section 3.3):
 *     P || Q on a:   the moves of either side;        ra = ra(P) + ra(Q)
 *     P <a> Q on a:  every pair of moves, at rate
 *                    r1/ra(P) x r2/ra(Q) x min(ra(P), ra(Q));   ra = min(ra(P), ra(Q))
 * Passive and immediate rates compare and divide by weight; every timed rate is below every
 * immediate one, and each of these is below every passive one.  A shared activity has the larger of
 * the priorities that both sides state.
 *
 * This file is a template: no other file knows these rules.  A source file that includes it gets
 * static functions over an algebra of rates and a source of results known before:
 *     moves.c     rates are terms; results are computed, or substituted by others
 *     compose.c   rates are terms; results of small programs are read from tables
 *     numbers.c   rates are numbers; results are computed
 * Before it includes this file it defines the types
 *     RateValue   a rate, or that there is none, or that rates met which do not add up (mixed)
 *     Count       a number of components
 *     Traversal   what the hooks below look at
 *     MoveList    with members
 *                   system      the compiled system
 *                   cells       of the state, Count each
 *                   rate, delta, count, cap, words, no_memory
 *                               the moves found: move i has rate[i], and adds the words
 *                               delta[i * words ..] to the packed state
 * and the algebra, functions over MoveList *m:
 *     rate_none(), rate_mixed()             what is no rate
 *     rate_exists(r), rate_is_mixed(r)
 *     rate_same(a, b)                       equal without doubt: false does no harm
 *     rate_alike(m, a, b)                   of one level and one priority: they add up
 *     rate_level(m, r), rate_is_off(m, r)   off: a functional rate that is 0
 *     rate_of_term(m, term)                 that of a term built when the system was compiled
 *     rate_functional(m, expr)              that of an expression which counts local states
 *     rate_sum(m, a, b), rate_scale(m, r, n), rate_min(m, a, b)   of operands of one level
 *     rate_prior(m, low, high)              low, of a lower level, with the larger priority
 *     rate_share(m, r, activity, apparent)  r x activity / apparent
 *
 * Real counts, as fluid limits have them, are an instance as well: Count and RateValue are
 * double; every slot is counted (TRAVERSE_CELLS is defined, with the four functions over cells
 * given below, of which slot_is_counted is always true and copies_are_equal never); and step_add
 * writes the number of the local move into a field of its slot in place of a change of the
 * packed state.  Sums, minima and shares are then those of population models (Hillston, QEST
 * 2005).  Copies that move together (together.h) have to be whole numbers. */
#include <string.h>

#include "ctmc/system/system.h"

/* The moves of a program. */
typedef struct {
    RateValue apparent; /* if it was not wanted: any rate of its level and priority */
    int32_t count;
    size_t first;
    bool listed;     /* they are entries of the list, else of what kept_moves tells */
    bool duplicates; /* two of them lead to the same state */
    bool self_loops; /* one of them leaves the state as it is */
} Found;

/* Hooks, to be defined after this file is included.  known: what is known before of a program, or
 * of the components of a counted slot in the able-th local state that can do the action (able -1:
 * of the program); false: nothing. */
static inline MoveList *list_of(Traversal *x);
static inline bool known(Traversal *x, int32_t prog, int32_t able, bool wanted, Found *found);
static inline bool known_ready(Traversal *x, int32_t prog, bool *is_ready);
static inline void kept_moves(const Traversal *x, const RateValue **rate, const uint64_t **delta);

static void run(Traversal *x, int32_t prog, bool wanted, Found *found);

/* ---- cells --------------------------------------------------------------------------------- */

#ifndef TRAVERSE_CELLS
static inline bool slot_is_counted(const Slot *slot)
{
    return slot->copies > 0;
}

/* The cell of width `width` from a on has the same values as the one that begins at b. */
static inline bool copies_are_equal(const Count *a, const Count *b, int32_t width)
{
    return memcmp(a, b, (size_t)width * sizeof *a) == 0;
}

/* Add to a cell of the packed state, modulo 2^64: the sum with a state is right. */
static inline void cell_add(const System *s, uint64_t *delta, int32_t cell, int32_t by)
{
    const Field *f = &s->fields[cell];
    if (f->mask)
        delta[f->word] += (uint64_t)(int64_t)by << f->shift;
}

/* One component of the slot moves from one local state to another. */
static inline void step_add(const System *s, uint64_t *delta, const Slot *slot, int32_t from,
                            int32_t to)
{
    if (from == to)
        return;
    if (!slot->copies) {
        cell_add(s, delta, slot->cell, to - from);
        return;
    }
    cell_add(s, delta, slot->cell + from, -1);
    cell_add(s, delta, slot->cell + to, 1);
}
#endif

/* ---- the list of moves --------------------------------------------------------------------- */

static inline bool list_reserve(MoveList *m, size_t more)
{
    if (more <= m->cap - m->count)
        return true;
    const MemColumn columns[] = {{&m->rate, sizeof *m->rate},
                                 {&m->delta, m->words * sizeof *m->delta}};
    if (more <= PTRDIFF_MAX && mem_reserve_columns(columns, 2, &m->cap, m->count + more))
        return true;
    m->no_memory = true;
    return false;
}

/* Append a move that changes nothing yet; NULL when memory is out. */
static inline uint64_t *list_push(MoveList *m, RateValue rate)
{
    if (m->count == m->cap && !list_reserve(m, 1))
        return NULL;
    uint64_t *delta = m->delta + m->count * m->words;
    m->rate[m->count++] = rate;
    for (size_t i = 0; i < m->words; i++)
        delta[i] = 0;
    return delta;
}

/* Append found->count moves that are kept elsewhere; they are then listed. */
static inline void list_append(MoveList *m, const RateValue *rate, const uint64_t *delta,
                               Found *found)
{
    const size_t words = m->words, count = (size_t)found->count;
    found->listed = true;
    if (!count || !list_reserve(m, count))
        return;
    memcpy(m->rate + m->count, rate, count * sizeof *rate);
    memcpy(m->delta + m->count * words, delta, count * words * sizeof *delta);
    found->first = m->count;
    m->count += count;
}

static inline void list_kept(Traversal *x, Found *found)
{
    const RateValue *rate;
    const uint64_t *delta;
    kept_moves(x, &rate, &delta);
    list_append(list_of(x), rate + found->first, delta + found->first * list_of(x)->words, found);
}

/* Let the moves from `begin` on take the place of those from `base` on. */
static void list_move_down(MoveList *m, size_t base, size_t begin)
{
    const size_t words = m->words, count = m->count - begin;
    if (base != begin && count) {
        memmove(m->rate + base, m->rate + begin, count * sizeof *m->rate);
        memmove(m->delta + base * words, m->delta + begin * words,
                count * words * sizeof *m->delta);
    }
    m->count = base + count;
}

/* ---- the rules of rates -------------------------------------------------------------------- */

/* The apparent rate of either of two; built only if it is wanted. */
static inline RateValue apparent_sum(MoveList *m, RateValue a, RateValue b, bool wanted)
{
    if (!rate_exists(a) || !rate_exists(b))
        return rate_is_mixed(a) || rate_is_mixed(b) ? rate_mixed() : rate_exists(a) ? a : b;
    if (!rate_alike(m, a, b))
        return rate_mixed();
    return wanted ? rate_sum(m, a, b) : a;
}

/* The apparent rate of a cooperation. */
static inline RateValue apparent_least(MoveList *m, RateValue a, RateValue b)
{
    const RateLevel la = rate_level(m, a), lb = rate_level(m, b);
    return la == lb ? rate_min(m, a, b) : la < lb ? rate_prior(m, a, b) : rate_prior(m, b, a);
}

/* The rate of a pair of moves, at rates r1 and r2 of apparent rates a and b, of which `least` is
 * the apparent rate together. */
static inline RateValue pair_rate(MoveList *m, RateValue least, RateValue r1, RateValue a,
                                  RateValue r2, RateValue b)
{
    if (rate_same(least, b)) /* min(a, b) / b cancels */
        return rate_share(m, rate_share(m, least, r2, b), r1, a);
    return rate_share(m, rate_share(m, least, r1, a), r2, b);
}

/* No moves, at the end of the list. */
static inline void find_none(const MoveList *m, Found *found)
{
    *found = (Found){.apparent = rate_none(), .first = m->count, .listed = true};
}

/* ---- slots --------------------------------------------------------------------------------- */

/* The moves of the components of a slot, `copies` of them, that are in local state `local`. */
static void run_local(Traversal *x, const Slot *slot, int32_t action, int32_t local, Count copies,
                      bool wanted, Found *found)
{
    MoveList *m = list_of(x);
    const Component *c = &m->system->components[slot->component];
    const LocalOffer *offer = component_offer(c, local, action);
    find_none(m, found);
    if (!offer)
        return;
    if (offer->apparent == TERM_MIXED) {
        found->apparent = rate_mixed();
        return;
    }
    const bool by_state = offer->apparent == TERM_BY_STATE;
    bool self_loops = false, duplicates = false;
    RateValue apparent = rate_none();
    if (!by_state)
        apparent = rate_of_term(m, offer->apparent);
    if (!by_state && wanted)
        apparent = rate_scale(m, apparent, copies);
    for (int32_t i = offer->first, before = -1; i < offer->end; i++) {
        const LocalMove move = c->moves[i];
        RateValue rate =
            move.term < 0 ? rate_functional(m, ~move.term) : rate_of_term(m, move.term);
        if (rate_is_off(m, rate))
            continue;
        rate = rate_scale(m, rate, copies);
        if (by_state)
            apparent = apparent_sum(m, apparent, rate, wanted);
        uint64_t *delta = list_push(m, rate);
        if (!delta)
            break;
        step_add(m->system, delta, slot, local, move.target);
        self_loops |= move.target == local;
        duplicates |= move.target == before;
        before = move.target;
    }
    found->apparent = apparent;
    found->count = (int32_t)(m->count - found->first);
    found->self_loops = self_loops;
    found->duplicates = duplicates;
}

/* Put the moves of an operand, which are new, with those of the operands before it. */
static inline void add_operand(Traversal *x, Found *all, Found *operand, bool wanted)
{
    if (!operand->listed)
        list_kept(x, operand);
    all->apparent = apparent_sum(list_of(x), all->apparent, operand->apparent, wanted);
    all->duplicates =
        all->duplicates || operand->duplicates || (all->self_loops && operand->self_loops);
    all->self_loops = all->self_loops || operand->self_loops;
    all->count += operand->count;
}

static void run_slot(Traversal *x, int32_t prog, bool wanted, Found *found)
{
    const MoveList *m = list_of(x);
    const Prog *p = &m->system->progs[prog];
    const Slot *slot = &m->system->slots[p->slot];
    const Count *cell = m->cells + slot->cell;
    if (!slot_is_counted(slot)) {
        run_local(x, slot, p->action, (int32_t)*cell, 1, wanted, found);
        return;
    }
    const Component *c = &m->system->components[slot->component];
    const int32_t first = c->able_row[p->action], end = c->able_row[p->action + 1];
    Found one;
    find_none(m, found);
    for (int32_t k = first; k < end; k++) {
        const int32_t local = c->able[k];
        if (!(cell[local] > 0))
            continue;
        if (!known(x, prog, k - first, wanted, &one))
            run_local(x, slot, p->action, local, cell[local], wanted, &one);
        add_operand(x, found, &one, wanted);
    }
}

/* ---- operators ----------------------------------------------------------------------------- */

static void run_sum(Traversal *x, const Prog *p, bool wanted, Found *found)
{
    const Prog *progs = list_of(x)->system->progs;
    Found one;
    find_none(list_of(x), found);
    for (int32_t child = p->first; child >= 0; child = progs[child].next) {
        run(x, child, wanted, &one);
        add_operand(x, found, &one, wanted);
    }
}

/* Equal copies are neighbours, since they are sorted: the moves of the first, times their
 * number. */
static void run_copies(Traversal *x, const Prog *p, bool wanted, Found *found)
{
    MoveList *m = list_of(x);
    const Prog *progs = m->system->progs;
    const Count *cells = m->cells + p->cell;
    Found one;
    find_none(m, found);
    for (int32_t child = p->first, next; child >= 0; child = next) {
        int32_t equal = 1;
        next = progs[child].next;
        for (; next >= 0 && copies_are_equal(cells, cells + (ptrdiff_t)equal * p->width, p->width);
             next = progs[next].next)
            equal++;
        const size_t begin = m->count;
        run(x, child, wanted, &one);
        if (!one.listed)
            list_kept(x, &one);
        for (size_t i = begin; i < m->count; i++)
            m->rate[i] = rate_scale(m, m->rate[i], equal);
        if (rate_exists(one.apparent) && wanted)
            one.apparent = rate_scale(m, one.apparent, equal);
        add_operand(x, found, &one, wanted);
        cells += (ptrdiff_t)equal * p->width;
    }
}

/* All pairs of the moves of *a, on one side, and b; they take the place of what the list has from
 * `base` on, and of *a. */
static void pair(Traversal *x, size_t base, Found *a, const Found *b)
{
    MoveList *m = list_of(x);
    const size_t words = m->words, begin = m->count, n = (size_t)a->count, k = (size_t)b->count;
    const RateValue least = apparent_least(m, a->apparent, b->apparent);
    if ((k && n > INT32_MAX / k) || !list_reserve(m, n * k)) {
        m->no_memory = true;
        find_none(m, a);
        return;
    }
    const RateValue *kept_rate;
    const uint64_t *kept_delta;
    kept_moves(x, &kept_rate, &kept_delta);
    const RateValue *rate1 = (a->listed ? m->rate : kept_rate) + a->first;
    const RateValue *rate2 = (b->listed ? m->rate : kept_rate) + b->first;
    const uint64_t *delta1 = (a->listed ? m->delta : kept_delta) + a->first * words;
    const uint64_t *delta2 = (b->listed ? m->delta : kept_delta) + b->first * words;
    RateValue r1 = rate_none(), r2 = r1, rate = r1; /* those of the pair before: often the same */
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < k; j++) {
            size_t to = m->count++;
            if (!rate_same(r1, rate1[i]) || !rate_same(r2, rate2[j])) {
                r1 = rate1[i];
                r2 = rate2[j];
                rate = pair_rate(m, least, r1, a->apparent, r2, b->apparent);
            }
            m->rate[to] = rate;
            for (size_t w = 0; w < words; w++)
                m->delta[to * words + w] = delta1[i * words + w] + delta2[j * words + w];
        }
    list_move_down(m, base, begin);
    *a = (Found){.apparent = least,
                 .first = base,
                 .count = (int32_t)(n * k),
                 .listed = true,
                 .duplicates = a->duplicates || b->duplicates,
                 .self_loops = a->self_loops && b->self_loops};
}

#include "ctmc/semantics/together.h"

/* Can the program move at all?  A functional rate that is off counts as ready: running it tells. */
static bool ready(Traversal *x, int32_t prog)
{
    const MoveList *m = list_of(x);
    const Prog *progs = m->system->progs, *p = &progs[prog];
    bool is_ready;
    if (known_ready(x, prog, &is_ready))
        return is_ready;
    if (p->kind != PROG_SLOT) {
        bool sum = p->kind != PROG_SYNC;
        int32_t child = p->first;
        while (child >= 0 && ready(x, child) != sum)
            child = progs[child].next;
        return (child >= 0) == sum;
    }
    const Slot *slot = &m->system->slots[p->slot];
    const Component *c = &m->system->components[slot->component];
    const Count *cell = m->cells + slot->cell;
    if (!slot_is_counted(slot))
        return component_offer(c, (int32_t)*cell, p->action) != NULL;
    if (p->together)
        return all_are_able(c, p->action, cell, (Count)slot->copies);
    for (int32_t k = c->able_row[p->action]; k < c->able_row[p->action + 1]; k++)
        if (cell[c->able[k]] > 0)
            return true;
    return false;
}

/* All operands are known to be ready before one is run: else a product might be built that the last
 * of them throws away. */
static void run_sync(Traversal *x, const Prog *p, Found *found)
{
    MoveList *m = list_of(x);
    const Prog *progs = m->system->progs;
    const size_t base = m->count;
    Found other;
    for (int32_t child = p->first; child >= 0; child = progs[child].next)
        if (!ready(x, child)) {
            find_none(m, found);
            return;
        }
    run(x, p->first, true, found);
    int32_t child = progs[p->first].next;
    for (; child >= 0 && rate_exists(found->apparent); child = progs[child].next) {
        run(x, child, true, &other);
        if (rate_exists(other.apparent))
            pair(x, base, found, &other);
        else
            found->apparent = other.apparent;
    }
    if (rate_exists(found->apparent))
        return;
    RateValue apparent = found->apparent;
    m->count = base;
    find_none(m, found);
    found->apparent = apparent;
}

/* The moves of a program in the state of the list's cells. */
static void run(Traversal *x, int32_t prog, bool wanted, Found *found)
{
    const Prog *p = &list_of(x)->system->progs[prog];
    if (known(x, prog, -1, wanted, found))
        return;
    switch (p->kind) {
    case PROG_SLOT:
        if (p->together)
            run_together(x, p, found);
        else
            run_slot(x, prog, wanted, found);
        break;
    case PROG_SUM:
        run_sum(x, p, wanted, found);
        break;
    case PROG_COPIES:
        run_copies(x, p, wanted, found);
        break;
    case PROG_SYNC:
        run_sync(x, p, found);
        break;
    }
}
