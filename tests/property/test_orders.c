/* Whatever the order of the states in the matrix, methods find the same distribution, and compact
 * rows the same bits as explicit ones. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measure/flow_build.h"
#include "property/dense.h"
#include "property/engine_run.h"
#include "property/seeds.h"
#include "solvers/solver.h"
#include "support.h"

enum { MODELS = 1500, LARGE = 150 };

typedef enum { FOUND, PACKED, MIRRORED, SHUFFLED, ORDERS } Order;
static const char *const order_name[ORDERS] = {"found", "packed", "mirrored", "shuffled"};

typedef struct {
    Chain *chain;
    int32_t n, *order, *place, *cells; /* cells: n x cell_count */
    double *y, *kept;
    long double *rate, *pi, condition;
    Text *why;
} Orders;

static void *space(size_t count, size_t size)
{
    void *p = calloc(count + 1, size);
    cr_assert(p != NULL);
    return p;
}

/* ---- orders ---------------------------------------------------------------------------------- */

typedef struct {
    const int32_t *cells;
    int32_t count, state;
    bool mirrored; /* the first cell counts most */
} Keyed;

static int by_cells(const void *a, const void *b)
{
    const Keyed *x = a, *y = b;
    for (int32_t i = 0; i < x->count; i++) {
        int32_t at = x->mirrored ? i : x->count - 1 - i;
        if (x->cells[at] != y->cells[at])
            return x->cells[at] < y->cells[at] ? -1 : 1;
    }
    return 0;
}

static void sort_states(Orders *o, bool mirrored)
{
    int32_t width = o->chain->system->cell_count;
    Keyed *keyed = space((size_t)o->n, sizeof *keyed);
    for (int32_t s = 0; s < o->n; s++)
        keyed[s] = (Keyed){o->cells + (size_t)s * (size_t)width, width, s, mirrored};
    qsort(keyed, (size_t)o->n, sizeof *keyed, by_cells);
    for (int32_t i = 0; i < o->n; i++)
        o->order[i] = keyed[i].state;
    free(keyed);
}

static void set_order(Orders *o, Order which, bool reversed, uint64_t seed)
{
    for (int32_t i = 0; i < o->n; i++)
        o->order[i] = i;
    if (which == PACKED || which == MIRRORED)
        sort_states(o, which == MIRRORED);
    for (int32_t left = o->n; which == SHUFFLED && left > 1; left--) {
        int32_t chosen = (int32_t)random_below(&seed, (uint64_t)left), moved = o->order[left - 1];
        o->order[left - 1] = o->order[chosen];
        o->order[chosen] = moved;
    }
    for (int32_t i = 0, k = o->n - 1; reversed && i < k; i++, k--) {
        int32_t moved = o->order[i];
        o->order[i] = o->order[k];
        o->order[k] = moved;
    }
    for (int32_t i = 0; i < o->n; i++)
        o->place[o->order[i]] = i;
}

/* ---- solutions ------------------------------------------------------------------------------- */

/* As near to pi as |x Q|_1 allows. */
static bool is_near(Orders *o, const FlowOwner *f, PepaMethod method)
{
    size_t n = (size_t)o->n;
    long double *x = space(n, sizeof *x), sum = 0, residual = 0, off = 0;
    for (size_t i = 0; i < n; i++)
        sum += x[o->order[i]] = o->y[i] / f->exit[i];
    for (size_t j = 0; j < n; j++) {
        long double net = 0;
        for (size_t i = 0; i < n; i++)
            net += (x[i] * o->rate[i * n + j] - x[j] * o->rate[j * n + i]) / sum;
        residual += fabsl(net);
        off += fabsl(x[j] / sum - o->pi[j]);
    }
    free(x);
    if (off <= 1.001L * residual * o->condition + 1e-13L)
        return true;
    return engine_differs(o->why, "%s: off by %Lg, with residual %Lg and condition %Lg",
                          pepa_method_name(method), off, residual, o->condition);
}

static PepaStatus solve(Orders *o, const FlowOwner *f, PepaMethod method, double *y, PepaError *err)
{
    const Control control = {.tolerance = 1e-12, .max_iter = method == PEPA_AUTO ? 0 : 3000};
    const Flow view = flow_view(f, NULL);
    Outcome out;
    for (int32_t i = 0; i < o->n; i++)
        y[i] = 1;
    return solve_flow(method, &view, &control, y, &out, err);
}

static bool methods_agree(Orders *o, const FlowOwner *plain, const FlowOwner *compact)
{
    for (int m = PEPA_AUTO; m < PEPA_METHOD_COUNT; m++) {
        PepaError err = {0}, other = {0};
        PepaStatus status = solve(o, plain, (PepaMethod)m, o->y, &err);
        if (status != PEPA_OK && (m <= PEPA_GTH || status != PEPA_ENOCONV))
            return engine_differs(o->why, "%s", err.message);
        if (solve(o, compact, (PepaMethod)m, o->kept, &other) != status ||
            memcmp(o->y, o->kept, (size_t)o->n * sizeof *o->y) != 0 ||
            strcmp(err.message, other.message) != 0)
            return engine_differs(o->why, "%s: compact rows have other bits: %s, %s",
                                  pepa_method_name((PepaMethod)m), err.message, other.message);
        if (status == PEPA_OK && !is_near(o, plain, (PepaMethod)m))
            return false;
    }
    return true;
}

static bool order_agrees(Orders *o)
{
    FlowOwner plain = {0}, compact = {0};
    PepaError err = {0};
    bool made = flow_build(&plain, o->chain, o->order, o->n, o->place, &err) == PEPA_OK &&
                flow_build(&compact, o->chain, o->order, o->n, o->place, &err) == PEPA_OK &&
                flow_fill(&plain, PEPA_MATRIX_EXPLICIT, &(Control){0}, o->chain, o->chain->now.term,
                          o->order, o->place, &err) == PEPA_OK &&
                flow_fill(&compact, PEPA_MATRIX_COMPACT, &(Control){0}, o->chain,
                          o->chain->now.term, o->order, o->place, &err) == PEPA_OK;
    bool agree = made ? methods_agree(o, &plain, &compact)
                      : engine_differs(o->why, "no matrix: %s", err.message);
    flow_free(&plain);
    flow_free(&compact);
    return agree;
}

/* ---- over random models ---------------------------------------------------------------------- */

static void orders_new(Orders *o, Chain *chain, Text *why)
{
    size_t n = (size_t)chain->state_count, width = (size_t)chain->system->cell_count;
    *o = (Orders){.chain = chain, .n = (int)chain->state_count, .why = why};
    o->order = space(n, sizeof *o->order);
    o->place = space(n, sizeof *o->place);
    o->cells = space(n * width, sizeof *o->cells);
    o->y = space(n, sizeof *o->y);
    o->kept = space(n, sizeof *o->kept);
    o->rate = space(n * n, sizeof *o->rate);
    o->pi = space(n, sizeof *o->pi);
    for (size_t s = 0; s < n; s++) {
        cr_assert(chain_cells(chain, (int32_t)s, o->cells + s * width));
        for (int64_t k = chain->row[s]; k < chain->row[s + 1]; k++)
            if (chain->target[k] != (int32_t)s)
                o->rate[s * n + (size_t)chain->target[k]] += chain_rate(chain, chain->now.term, k);
    }
    dense_long_run(o->rate, n, 0, o->pi);
    o->condition = dense_condition(o->rate, n, o->pi);
}

static void orders_free(Orders *o)
{
    free(o->order);
    free(o->place);
    free(o->cells);
    free(o->y);
    free(o->kept);
    free(o->rate);
    free(o->pi);
}

/* Of an irreducible chain of several states; any other agrees. */
static bool orders_agree(Chain *chain, uint64_t seed, Text *why)
{
    Orders o;
    bool agree = true;
    if (chain->bottom || chain->state_count < 2)
        return true;
    orders_new(&o, chain, why);
    for (int which = 0; which < ORDERS && agree; which++)
        for (int reversed = 0; reversed < 2 && agree; reversed++) {
            set_order(&o, (Order)which, reversed, seed + (uint64_t)reversed);
            agree = order_agrees(&o);
            if (!agree)
                text_add(why, "\n(states as %s%s)", order_name[which],
                         reversed ? ", reversed" : "");
        }
    orders_free(&o);
    return agree;
}

SHARDED_TEST(orders, random_models)
{
    Seeds all = seeds(*shard, MODELS);
    int chains = 0, models = 0;
    for (uint64_t seed; seeds_next(&all, &seed); models++) {
        RefModel ref = seeds_model(seed, LARGE);
        Text text = ref_model_print(&ref, (RefPrinting){0}), why = {0};
        Derived d = derive(text.text, seed % 2 == 0);
        if (d.status == PEPA_OK) {
            chains += d.chain->bottom == NULL && d.chain->state_count > 1;
            if (!orders_agree(d.chain, seed, &why))
                seeds_fail(&all, seed, why.text, text.text);
        }
        derived_free(&d);
        text_free(&why);
        text_free(&text);
        ref_model_free(&ref);
    }
    cr_expect_eq(all.failures, 0);
    cr_expect(models < 40 || 4 * chains > models, "only %d of %d", chains, models);
}
