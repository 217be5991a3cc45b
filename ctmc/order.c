/* Chooses the order of states for Gauss-Seidel sweeps: the one with the least backward flow. */
#include "ctmc/chain.h"
#include "ctmc/tuning.h"

#include <string.h>

typedef struct {
    uint64_t key;
    int32_t state;
} Keyed;

/* Least significant digit first, bytes that do not vary are skipped; stable. */
static void radix_sort(Keyed *items, Keyed *scratch, int32_t count)
{
    for (unsigned shift = 0; shift < 64; shift += 8) {
        int32_t at[257] = {0};
        for (int32_t i = 0; i < count; i++)
            at[(items[i].key >> shift & 255) + 1]++;
        if (at[(items[0].key >> shift & 255) + 1] == count)
            continue;
        for (int i = 0; i < 256; i++)
            at[i + 1] += at[i];
        for (int32_t i = 0; i < count; i++)
            scratch[at[items[i].key >> shift & 255]++] = items[i];
        memcpy(items, scratch, (size_t)count * sizeof *items);
    }
}

/* A word with its fields in the opposite order. */
static uint64_t mirrored(const System *s, uint64_t word, int32_t first, int32_t end)
{
    uint64_t out = 0;
    for (int32_t cell = first; cell < end; cell++) {
        const Field *f = &s->fields[cell];
        if (f->mask) {
            unsigned bits = 64u - (unsigned)__builtin_clzll(f->mask);
            out = out << bits | (word >> f->shift & f->mask);
        }
    }
    return out;
}

/* The first cell of the word w, whose cells end at `end`. */
static int32_t first_cell(const System *s, size_t w, int32_t end)
{
    while (end > 0 && (!s->fields[end - 1].mask || s->fields[end - 1].word == w))
        end--;
    return end;
}

static void sort_packed(const System *s, const uint64_t *states, bool by_first, int32_t *order,
                        int32_t count, Keyed *items, Keyed *scratch)
{
    const size_t words = s->words;
    int32_t end = s->cell_count;
    for (size_t k = 0; k < words; k++) {
        size_t w = by_first ? words - 1 - k : k;
        int32_t first = by_first ? first_cell(s, w, end) : end;
        for (int32_t i = 0; i < count; i++) {
            uint64_t word = states[(size_t)order[i] * words + w];
            items[i] = (Keyed){by_first ? mirrored(s, word, first, end) : word, order[i]};
        }
        radix_sort(items, scratch, count);
        for (int32_t i = 0; i < count; i++)
            order[i] = items[i].state;
        end = first;
    }
}

bool states_sort(const System *system, const uint64_t *states, bool by_first, int32_t *order,
                 int32_t count)
{
    Keyed *items = mem_alloc((size_t)count, sizeof *items);
    Keyed *scratch = mem_alloc((size_t)count, sizeof *scratch);
    const bool ok = items && scratch;
    if (ok && count > 0)
        sort_packed(system, states, by_first, order, count, items, scratch);
    mem_free_all(items, scratch);
    return ok;
}

int states_compare(const System *s, bool by_first, const uint64_t *a, const uint64_t *b)
{
    int32_t cell = 0;
    for (size_t k = 0; k < s->words; k++) {
        const size_t w = by_first ? k : s->words - 1 - k;
        const int32_t first = cell;
        while (by_first && cell < s->cell_count &&
               (!s->fields[cell].mask || s->fields[cell].word == w))
            cell++;
        const uint64_t x = by_first ? mirrored(s, a[w], first, cell) : a[w];
        const uint64_t y = by_first ? mirrored(s, b[w], first, cell) : b[w];
        if (x != y)
            return x < y ? -1 : 1;
    }
    return 0;
}

/* The share of jumps that lead to an earlier state, averaged over states.
 *   place  per state: its place in the order, or -1 */
static double backward_flow(const Chain *c, const int32_t *order, int32_t count, int32_t *place)
{
    for (int32_t i = 0; i < count; i++)
        place[order[i]] = i;
    double sum = 0;
    for (int32_t i = 0; i < count; i++) {
        int32_t s = order[i];
        double out = 0, back = 0;
        for (int64_t k = c->row[s]; k < c->row[s + 1]; k++) {
            int32_t t = c->target[k];
            if (t == s)
                continue;
            double rate = chain_rate(c, c->now.term, k);
            out += rate;
            if (place[t] >= 0 && place[t] < i)
                back += rate;
        }
        sum += out > 0 ? back / out : 0;
    }
    return sum / count;
}

void order_reverse(int32_t *order, int32_t count)
{
    for (int32_t i = 0, k = count - 1; i < k; i++, k--) {
        int32_t moved = order[i];
        order[i] = order[k];
        order[k] = moved;
    }
}

/* Keep `tried`, which is `by`, or its reverse, in `order` if less flows backwards than in the one
 * chosen so far. */
static void keep_best(const Chain *c, int32_t *tried, PepaOrder by, int32_t count, int32_t *place,
                      ChosenOrder *chosen, int32_t *order)
{
    double back = backward_flow(c, tried, count, place);
    bool turned = back > 0.5; /* the reverse has the rest as backward flow */
    if ((turned ? 1 - back : back) >= chosen->backward)
        return;
    *chosen = (ChosenOrder){by, turned, turned ? 1 - back : back};
    memcpy(order, tried, (size_t)count * sizeof *order);
    if (turned)
        order_reverse(order, count);
}

ChosenOrder diagram_order(const Diagram *d)
{
    const bool up = diagram_goes_up(d), mirrored = d->split->sequence[0] > 0;
    return (ChosenOrder){mirrored ? PEPA_ORDER_LAST : PEPA_ORDER_FIRST, !up,
                         up ? d->backward : 1 - d->backward};
}

PepaStatus chain_order(const Chain *chain, const int32_t *member, int32_t count, int32_t *order,
                       ChosenOrder *chosen, PepaError *err)
{
    size_t bytes = (size_t)count * sizeof *order;
    *chosen =
        chain->diagram ? diagram_order(chain->diagram) : (ChosenOrder){.by = PEPA_ORDER_FOUND};
    memcpy(order, member, bytes);
    if (chain->diagram && !diagram_goes_up(chain->diagram))
        order_reverse(order, count);
    if (chain->diagram || count < FEWEST_TO_ORDER)
        return PEPA_OK;
    int32_t *tried = NULL, *place = NULL;
    Keyed *items = NULL, *scratch = NULL;
    bool ok = mem_new(tried, count) && mem_new(place, chain->state_count) &&
              mem_new(items, count) && mem_new(scratch, count);
    if (ok) {
        chosen->backward = 2; /* more than any */
        memset(place, -1, (size_t)chain->state_count * sizeof *place);
        memcpy(tried, member, bytes);
        keep_best(chain, tried, PEPA_ORDER_FOUND, count, place, chosen, order);
        for (int by_first = 0; by_first < 2; by_first++) {
            sort_packed(chain->system, chain->states.state, by_first, tried, count, items, scratch);
            keep_best(chain, tried, by_first ? PEPA_ORDER_FIRST : PEPA_ORDER_LAST, count, place,
                      chosen, order);
        }
    }
    mem_free_all(tried, place, items, scratch);
    return ok ? PEPA_OK : error_memory(err);
}
