/* Numbers the targets of expanded states, and gives these their rows; says how far to explore. */
#include <math.h>

#include "base/clock.h"
#include "ctmc/explore/explorer.h"

enum { LOOK_ON = 1000 }; /* states explored after a faulty one, to find other faults */

/* The rates out of a state, one by one finite, must be so together. */
static PepaStatus check_exit(Explorer *x, const Block *b, int32_t i)
{
    const RateTable *rates = &x->chain->rates;
    double exit = 0;
    if (isfinite(rates->largest * b->length[i]))
        return PEPA_OK;
    for (int32_t k = 0; k < b->length[i]; k++)
        exit += rates->value[kind_term(&x->kinds, b->kind[b->begin[i] + (size_t)k])];
    return isfinite(exit) ? PEPA_OK
                          : report_exit(x, table_state(&x->chain->states, b->first + i), exit);
}

/* Is this the state whose targets are too many?  Asked for each state, so that the answer does not
 * depend on how many states are numbered at a time. */
static PepaStatus check_limit(const Explorer *x, const Block *b, int32_t i)
{
    const int32_t *id = b->id + b->begin[i];
    for (int32_t k = 0; k < b->length[i] && x->chain->states.count > x->set->derive.max_states; k++)
        if (id[k] >= x->set->derive.max_states)
            return error_states(x->err, x->set->derive.max_states);
    return PEPA_OK;
}

PepaStatus explore_check(Explorer *x, const Block *b, int32_t i)
{
    PepaStatus status = check_limit(x, b, i);
    return status == PEPA_OK ? check_exit(x, b, i) : status;
}

/* Rows for states i .. end - 1 of the block, whose targets are numbered. */
static PepaStatus add_rows(Explorer *x, const Block *b, int32_t i, int32_t end)
{
    Chain *c = x->chain;
    PepaStatus status = PEPA_OK;
    int64_t transitions = c->transitions;
    for (int32_t k = i; k < end; k++)
        transitions += b->length[k];
    if (!explore_reserve(x, b->first + end, transitions))
        return error_memory(x->err);
    c->row[0] = 0;
    for (; i < end && status == PEPA_OK; i++) {
        c->transitions += b->length[i];
        c->row[b->first + i + 1] = c->transitions;
        c->deadlocks += b->length[i] == 0;
        status = explore_check(x, b, i);
    }
    return status;
}

/* Number the targets of moves first .. end - 1. */
static PepaStatus number_moves(Explorer *x, Block *b, size_t first, size_t end)
{
    Table *table = &x->chain->states;
    if (first < end && !table_put_all(table, b->target + first * table->words, b->hash + first,
                                      end - first, b->id + first))
        return error_memory(x->err);
    return PEPA_OK;
}

/* Expand a state that was left out, and report what is wrong with it. */
static PepaStatus expand_left_out(Explorer *x, Block *b, int32_t i)
{
    const Table *table = &x->chain->states;
    int32_t state = b->first + i;
    const uint64_t *packed = table_state(table, state);
    PepaStatus status = PEPA_OK;
    b->begin[i] = b->moves;
    Expansion how = expand_state(&x->expander, packed, b);
    if (how == EXPAND_FAULTY) {
        how = expand_interpreted(&x->expander, packed, b);
        if (x->faulty < 0)
            x->faulty = state;
        status = report_faults(x, packed);
    }
    b->length[i] = (int32_t)(b->moves - b->begin[i]);
    if (how != EXPANDED)
        return explore_no_memory(x);
    if (status == PEPA_OK && x->chain->rates.status != PEPA_OK)
        status = report_rate(x, packed);
    block_hash(b, table, b->begin[i]);
    return status == PEPA_OK ? number_moves(x, b, b->begin[i], b->moves) : status;
}

/* The states of the block that are still of interest after a fault. */
static int32_t wanted(const Explorer *x, const Block *b)
{
    int64_t most = (int64_t)x->faulty + LOOK_ON + 1 - b->first;
    if (x->faulty < 0 || most >= b->count)
        return b->count;
    return most > 0 ? (int32_t)most : 0;
}

PepaStatus explore_number(Explorer *x, Block *b)
{
    PepaStatus status = PEPA_OK;
    while (b->numbered < wanted(x, b) && status == PEPA_OK) {
        int32_t begin = b->numbered, end = begin;
        size_t moves = b->begin[begin];
        while (end < wanted(x, b) && b->length[end] >= 0 && b->begin[end] == moves)
            moves += (size_t)b->length[end++];
        if (end > begin)
            status = number_moves(x, b, b->begin[begin], moves);
        else
            status = expand_left_out(x, b, end++);
        if (status == PEPA_OK)
            status = add_rows(x, b, begin, end);
        b->numbered = end;
    }
    b->count = wanted(x, b);
    return status;
}

PepaStatus explore_tick(Explorer *x)
{
    if (!x->set->progress)
        return PEPA_OK;
    double seconds = clock_seconds() - x->start;
    if (seconds - x->shown < 0.1)
        return PEPA_OK;
    x->shown = seconds;
    PepaProgress p = {.phase = "derive",
                      .count = x->chain->states.count,
                      .measure = (double)x->chain->transitions,
                      .seconds = seconds,
                      .left = -1};
    return x->set->progress(x->set->user, &p)
               ? error_set(x->err, PEPA_ECANCEL, "cancelled after %d states",
                           x->chain->states.count)
               : PEPA_OK;
}

int32_t explore_end(const Explorer *x, int32_t most)
{
    int64_t end = x->chain->states.count, last = (int64_t)x->faulty + LOOK_ON + 1;
    if (end - x->next > most)
        end = (int64_t)x->next + most;
    return (int32_t)(x->faulty >= 0 && end > last ? last : end);
}
