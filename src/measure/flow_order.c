/* Puts the rows of a matrix in the order of a breadth-first search. */
#include "measure/flow_order.h"

#include <stdlib.h>

#include "base/bucket.h"
#include "base/budget.h"
#include "base/mem.h"

/* Of the backward flow in the order at hand, that of the search's order up to which it is better,
 * or as good.  CPU s with the order at hand and with one that is as good: where jumps are short,
 * fractal 4 800 of bench/structures 8.0 and 4.2, signals 40 0.8 and 0.4; where they are not, steps
 * on scattered states take longer: jobshop 8 2.8 and 4.6, polling 4 17 1.4 and 2.4. */
#define BETTER  0.9
#define AS_GOOD 1.05
/* Jumps are short: the mean number of binary digits of how far they lead, of that of entries. */
#define SHORT 0.8

/* Where each state jumps to: the columns of the matrix. */
typedef struct {
    int64_t *row;
    int32_t *target;
} Leaving;

static bool leaving_new(Leaving *out, const FlowOwner *flow)
{
    *out = (Leaving){0};
    if (!mem_new_zeroed(out->row, (size_t)flow->n + 2) || !mem_new(out->target, flow->row[flow->n]))
        return false;
    for (int64_t k = 0; k < flow->row[flow->n]; k++)
        bucket_count(out->row, flow->col[k]);
    bucket_starts(out->row, flow->n);
    for (int32_t i = 0; i < flow->n; i++)
        for (int64_t k = flow->row[i]; k < flow->row[i + 1]; k++)
            out->target[bucket_place(out->row, flow->col[k])] = i;
    return true;
}

/* order: the states as found; place: where each is.  How many are found. */
static int32_t search(const Leaving *leaving, int32_t n, int32_t first, int32_t *order,
                      int32_t *place)
{
    int32_t found = 1;
    for (int32_t i = 0; i < n; i++)
        place[i] = -1;
    order[0] = first;
    place[first] = 0;
    for (int32_t at = 0; at < found; at++)
        for (int64_t k = leaving->row[order[at]]; k < leaving->row[order[at] + 1]; k++) {
            const int32_t to = leaving->target[k];
            if (place[to] < 0) {
                place[to] = found;
                order[found++] = to;
            }
        }
    return found;
}

static double binary_digits(int64_t distance)
{
    return distance == 0 ? 0
                         : 64 - __builtin_clzll((uint64_t)(distance < 0 ? -distance : distance));
}

/* How the rows as they are suit a method, and how with each at its place. */
typedef struct {
    double now, then; /* share of the jumps that lead to an earlier state, averaged over states */
    bool short_jumps; /* as they are: likely jumps are much shorter than others */
} Comparison;

static Comparison compare(const FlowOwner *flow, const int32_t *place)
{
    Comparison c = {0};
    double digits = 0, weighted = 0;
    for (int32_t i = 0; i < flow->n; i++)
        for (int64_t k = flow->row[i]; k < flow->row[i + 1]; k++) {
            const int32_t j = flow->col[k];
            const double chance = flow_get(flow, k), length = binary_digits((int64_t)i - j);
            c.now += i < j ? chance : 0;
            c.then += place[i] < place[j] ? chance : 0;
            digits += length;
            weighted += chance * length;
        }
    c.now /= flow->n;
    c.then /= flow->n;
    c.short_jumps = weighted / flow->n <= SHORT * digits / (double)flow->row[flow->n];
    return c;
}

typedef struct {
    int32_t col;
    uint16_t code;
    double val;
} Entry;

static int by_column(const void *a, const void *b)
{
    const Entry *x = a, *y = b;
    return (x->col > y->col) - (x->col < y->col);
}

/* Columns ascending: rows are short, but for a few. */
static void sort_entries(Entry *entry, int64_t count)
{
    const int64_t few = 32;
    if (count > few) {
        qsort(entry, (size_t)count, sizeof *entry, by_column);
        return;
    }
    for (int64_t i = 1; i < count; i++) {
        const Entry e = entry[i];
        int64_t k = i;
        for (; k > 0 && entry[k - 1].col > e.col; k--)
            entry[k] = entry[k - 1];
        entry[k] = e;
    }
}

static int64_t longest_row(const FlowOwner *flow)
{
    int64_t most = 0;
    for (int32_t i = 0; i < flow->n; i++) {
        const int64_t length = flow->row[i + 1] - flow->row[i];
        most = length > most ? length : most;
    }
    return most;
}

/* Row i of `to` becomes row order[i] of `from`.  entry: scratch for one row. */
static void permute(FlowOwner *to, const FlowOwner *from, const int32_t *order,
                    const int32_t *place, Entry *entry)
{
    int64_t end = 0;
    for (int32_t i = 0; i < from->n; i++) {
        const int64_t first = from->row[order[i]], count = from->row[order[i] + 1] - first;
        for (int64_t k = 0; k < count; k++)
            entry[k] = (Entry){.col = place[from->col[first + k]],
                               .code = from->code ? from->code[first + k] : 0,
                               .val = from->val ? from->val[first + k] : 0};
        sort_entries(entry, count);
        to->row[i] = end;
        to->exit[i] = from->exit[order[i]];
        for (int64_t k = 0; k < count; k++, end++) {
            to->col[end] = entry[k].col;
            if (from->val)
                to->val[end] = entry[k].val;
            else
                to->code[end] = entry[k].code;
        }
    }
    to->row[from->n] = end;
}

/* The flow with its rows in that order, in place of *flow.  False: memory is out, *flow stays. */
static bool rearrange(FlowOwner *flow, const int32_t *order, int32_t *place)
{
    const int32_t n = flow->n;
    const int64_t entries = flow->row[n];
    FlowOwner to = {.n = n};
    Entry *entry = NULL;
    for (int32_t i = 0; i < n; i++)
        place[order[i]] = i;
    const bool ok = mem_new(entry, longest_row(flow)) && mem_new(to.row, (size_t)n + 1) &&
                    mem_new(to.exit, n) && mem_new(to.col, entries) &&
                    (flow->val ? mem_new(to.val, entries) : mem_new(to.code, entries));
    if (ok) {
        permute(&to, flow, order, place, entry);
        to.chances = flow->chances;
        flow->chances = (Chances){0};
        flow_free(flow);
        *flow = to;
    } else {
        flow_free(&to);
    }
    mem_free(entry);
    return ok;
}

PepaStatus flow_order_by_search(FlowOwner *flow, int32_t first, int64_t memory, int32_t **order,
                                ChosenOrder *chosen)
{
    const int32_t n = flow->n;
    const double entries = (double)flow->row[n];
    const PepaMatrixForm form = flow->val ? PEPA_MATRIX_EXPLICIT : PEPA_MATRIX_COMPACT;
    const double found_and_place = 2.0 * sizeof(int32_t);
    Leaving leaving = {0};
    int32_t *found = NULL, *place = NULL;
    *order = NULL;
    if (!budget_allows(memory,
                       flow_entry_bytes(form, entries) + (flow_row_bytes(1) + found_and_place) * n))
        return PEPA_OK;
    bool ok = mem_new(found, n) && mem_new(place, n) && leaving_new(&leaving, flow);
    const bool all = ok && search(&leaving, n, first, found, place) == n;
    mem_free_all(leaving.row, leaving.target);
    if (all) {
        const Comparison c = compare(flow, place);
        const bool turned = c.then > 1 - c.then;
        *chosen = (ChosenOrder){PEPA_ORDER_FOUND, turned, turned ? 1 - c.then : c.then};
        if (chosen->backward <= (c.short_jumps ? AS_GOOD : BETTER) * c.now) {
            if (turned)
                order_reverse(found, n);
            ok = rearrange(flow, found, place);
            *order = ok ? found : NULL;
        }
    }
    mem_free_all(*order ? NULL : found, place);
    return ok ? PEPA_OK : PEPA_ENOMEM;
}
