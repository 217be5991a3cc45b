/* Puts the rows of a matrix in the order of a breadth-first search. */
#include "measure/flow_order.h"

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

/* The columns of the matrix: where each state jumps to, and how likely, by number or as a code. */
typedef struct {
    int64_t *row;
    int32_t *target;
    uint16_t *code;
    double *val;
} Leaving;

static bool leaving_new(Leaving *out, const FlowOwner *flow)
{
    const int64_t entries = flow->row[flow->n];
    *out = (Leaving){0};
    if (!mem_new_zeroed(out->row, (size_t)flow->n + 2) || !mem_new(out->target, entries) ||
        !(flow->val ? mem_new(out->val, entries) : mem_new(out->code, entries)))
        return false;
    for (int64_t k = 0; k < entries; k++)
        bucket_count(out->row, flow->col[k]);
    bucket_starts(out->row, flow->n);
    for (int32_t i = 0; i < flow->n; i++)
        for (int64_t k = flow->row[i]; k < flow->row[i + 1]; k++) {
            const int64_t at = bucket_place(out->row, flow->col[k]);
            out->target[at] = i;
            if (flow->val)
                out->val[at] = flow->val[k];
            else
                out->code[at] = flow->code[k];
        }
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

/* Exit rates and starts of rows in that order.  False: memory is out, *flow stays. */
static bool rearrange_rows(FlowOwner *flow, const int32_t *order)
{
    const int32_t n = flow->n;
    double *exit = NULL;
    int64_t *row = NULL;
    const bool ok = mem_new(exit, n) && mem_new(row, (size_t)n + 1);
    if (ok) {
        row[0] = 0;
        for (int32_t i = 0; i < n; i++) {
            exit[i] = flow->exit[order[i]];
            row[i + 1] = row[i] + flow->row[order[i] + 1] - flow->row[order[i]];
        }
        mem_free_all(flow->exit, flow->row);
        flow->exit = exit;
        flow->row = row;
    } else {
        mem_free_all(exit, row);
    }
    return ok;
}

/* The flow with its rows in that order.  Columns are taken in the new order, so that each row gets
 * its entries in it.  False: memory is out, *flow stays. */
static bool rearrange(FlowOwner *flow, const Leaving *leaving, const int32_t *order, int32_t *place)
{
    if (!rearrange_rows(flow, order))
        return false;
    for (int32_t i = 0; i < flow->n; i++)
        place[order[i]] = i;
    for (int32_t j = 0; j < flow->n; j++)
        for (int64_t k = leaving->row[order[j]]; k < leaving->row[order[j] + 1]; k++) {
            const int64_t at = flow->row[place[leaving->target[k]]]++;
            flow->col[at] = j;
            if (flow->val)
                flow->val[at] = leaving->val[k];
            else
                flow->code[at] = leaving->code[k];
        }
    for (int32_t i = flow->n; i > 0; i--) /* each start has moved to the end of its row */
        flow->row[i] = flow->row[i - 1];
    flow->row[0] = 0;
    return true;
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
    if (all) {
        const Comparison c = compare(flow, place);
        const bool turned = c.then > 1 - c.then;
        *chosen = (ChosenOrder){PEPA_ORDER_FOUND, turned, turned ? 1 - c.then : c.then};
        if (chosen->backward <= (c.short_jumps ? AS_GOOD : BETTER) * c.now) {
            if (turned)
                order_reverse(found, n);
            ok = rearrange(flow, &leaving, found, place);
            *order = ok ? found : NULL;
        }
    }
    mem_free_all(*order ? NULL : found, place, leaving.row, leaving.target, leaving.code,
                 leaving.val);
    return ok ? PEPA_OK : PEPA_ENOMEM;
}
