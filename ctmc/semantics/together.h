/* The moves of the copies of a counted slot that cooperate with each other on the action, so that all
 * of them move together: a part of traverse.h, which includes it.
 *
 * The apparent rate of n components that cooperate is the least of theirs, and a joint move takes
 * place at that rate times the share r/ra of each component's move.  Copies in one local state are
 * alike: it only matters how many of them make which move, and so many choices lead to one state. */
#ifndef PEPA_CTMC_SEMANTICS_TOGETHER_H
#define PEPA_CTMC_SEMANTICS_TOGETHER_H

/* Can all copies of a counted slot do the action? */
static inline bool all_are_able(const Component *c, int32_t action, const Count *cell, Count copies)
{
    Count able = 0;
    for (int32_t k = c->able_row[action]; k < c->able_row[action + 1]; k++)
        able += cell[c->able[k]];
    return !(able < copies);
}

/* How often the prime divides n factorial. */
static inline int32_t prime_in_factorial(int32_t n, int32_t prime)
{
    int32_t times = 0;
    while (n >= prime)
        times += n /= prime;
    return times;
}

static inline bool is_prime(int32_t p)
{
    for (int32_t d = 2; d * d <= p; d++)
        if (p % d == 0)
            return false;
    return p > 1;
}

/* rate x (n over k), the ways to choose, which may be a large number: in whole factors of it, as
 * large as fit. */
static RateValue scale_by_ways(MoveList *m, RateValue rate, int32_t n, int32_t k)
{
    int64_t factor = 1;
    for (int32_t p = 2; p <= n; p++) {
        int32_t times = 0;
        if (is_prime(p))
            times =
                prime_in_factorial(n, p) - prime_in_factorial(k, p) - prime_in_factorial(n - k, p);
        for (; times > 0; times--) {
            if (factor * p > INT32_MAX) {
                rate = rate_scale(m, rate, (Count)factor);
                factor = 1;
            }
            factor *= p;
        }
    }
    return rate_scale(m, rate, (Count)factor);
}

/* Append the joint move in which share[i] copies make move i of *one, all orders of the copies
 * together: at rate  ra x product of (ways to choose them) x (r_i / ra)^share[i]. */
static void push_joint(MoveList *m, const Found *one, const int32_t *share, int32_t copies)
{
    const size_t words = m->words;
    RateValue rate = one->apparent;
    uint64_t *delta = list_push(m, rate);
    for (int32_t i = 0; delta && i < one->count; i++) {
        const size_t move = one->first + (size_t)i;
        for (int32_t k = 0; k < share[i] && one->count > 1; k++)
            rate = rate_share(m, rate, m->rate[move], one->apparent);
        if (share[i] > 0 && share[i] < copies)
            rate = scale_by_ways(m, rate, copies, share[i]);
        copies -= share[i];
        for (size_t w = 0; w < words; w++)
            delta[w] += (uint64_t)share[i] * m->delta[move * words + w];
    }
    if (delta)
        m->rate[m->count - 1] = rate;
}

/* The next way to divide as many copies among `count` moves; false: there are no more. */
static bool next_shares(int32_t *share, int32_t count)
{
    int32_t from = count - 2, rest = share[count - 1];
    while (from >= 0 && share[from] == 0)
        from--;
    if (from < 0)
        return false;
    share[count - 1] = 0;
    share[from]--;
    share[from + 1] = rest + 1;
    return true;
}

/* *one, at the end of the list, has the moves of one component: make it those of so many copies of
 * it that move together. */
static void multiply_moves(MoveList *m, Found *one, int32_t copies)
{
    const size_t begin = m->count;
    int32_t share[MOST_CHOICES] = {copies};
    do {
        push_joint(m, one, share, copies);
    } while (!m->no_memory && next_shares(share, one->count));
    list_move_down(m, one->first, begin);
    one->count = (int32_t)(m->count - one->first);
}

static bool some_move_stays(const MoveList *m, size_t first)
{
    const size_t words = m->words;
    for (size_t i = first; i < m->count; i++) {
        size_t w = 0;
        while (w < words && m->delta[i * words + w] == 0)
            w++;
        if (w == words)
            return true;
    }
    return false;
}

/* All copies of a counted slot: those in one local state are alike, so that it only matters how
 * many of them make which move.  Moves of different local states may cancel each other. */
static void run_together(Traversal *x, const Prog *p, Found *found)
{
    MoveList *m = list_of(x);
    const Slot *slot = &m->system->slots[p->slot];
    const Component *c = &m->system->components[slot->component];
    const Count *cell = m->cells + slot->cell;
    const size_t base = m->count;
    bool any = false;
    Found one;
    find_none(m, found);
    if (!all_are_able(c, p->action, cell, (Count)slot->copies))
        return;
    for (int32_t k = c->able_row[p->action]; k < c->able_row[p->action + 1]; k++) {
        const int32_t local = c->able[k];
        if (!(cell[local] > 0))
            continue;
        run_local(x, slot, p->action, local, 1, true, &one);
        if (!rate_exists(one.apparent)) {
            m->count = base;
            find_none(m, found);
            found->apparent = one.apparent;
            return;
        }
        multiply_moves(m, &one, (int32_t)cell[local]);
        if (any)
            pair(x, base, found, &one);
        else
            *found = one;
        any = true;
    }
    found->duplicates = found->count > 1;
    found->self_loops = some_move_stays(m, base);
}

#endif
