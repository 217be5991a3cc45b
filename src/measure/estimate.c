/* Computes confidence intervals. */
#include "measure/estimate.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <string.h>

#include "measure/expression_private.h"

enum { FEW = 30 }; /* observations: other numbers than theirs are likely */

/* ---- plans ------------------------------------------------------------------------------------ */

static int32_t body_of(const Expressions *e, size_t item)
{
    return e->node[e->query->items[item].body];
}

/* Work on plans. */
typedef struct {
    EstimatePlan *p;
    size_t node_cap, functional_cap;
    int32_t *reached; /* per node: the last item that has it, from 1 on */
} Planning;

static bool reach(Planning *g, int32_t node, int32_t item, size_t *nodes)
{
    if (node < 0 || g->reached[node] == item)
        return true;
    g->reached[node] = item;
    if (!mem_grow(g->p->node, g->node_cap, *nodes + 1))
        return false;
    g->p->node[(*nodes)++] = node;
    return true;
}

static int ascending(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* Sort what is from `begin` on, each once; how many there are then in all. */
static size_t sorted_once(int32_t *list, size_t begin, size_t count)
{
    size_t end = begin;
    qsort(list + begin, count - begin, sizeof *list, ascending);
    for (size_t k = begin; k < count; k++)
        if (end == begin || list[k] != list[end - 1])
            list[end++] = list[k];
    return end;
}

/* The nodes below that of an item, with it, and their functionals. */
static bool list_item(Planning *g, size_t item)
{
    EstimatePlan *p = g->p;
    const Expressions *e = p->e;
    const int32_t mark = (int32_t)item + 1;
    size_t nodes = (size_t)p->node_row[item], functionals = (size_t)p->row[item];
    bool ok = reach(g, body_of(e, item), mark, &nodes);
    for (size_t k = (size_t)p->node_row[item]; ok && k < nodes; k++) {
        const Each *n = &e->each[p->node[k]];
        if (n->kind == EACH_OPERATOR)
            ok = reach(g, n->a, mark, &nodes) && reach(g, n->b, mark, &nodes);
        if (n->kind != EACH_FUNCTIONAL)
            continue;
        ok = mem_grow(p->functional, g->functional_cap, functionals + 1);
        if (ok)
            p->functional[functionals++] = n->a;
    }
    if (!ok)
        return false;
    p->node_row[item + 1] = (int32_t)sorted_once(p->node, (size_t)p->node_row[item], nodes);
    p->row[item + 1] = (int32_t)sorted_once(p->functional, (size_t)p->row[item], functionals);
    return true;
}

static bool list_items(EstimatePlan *p)
{
    const size_t items = p->e->query->item_count;
    Planning g = {.p = p};
    bool ok = mem_new_zeroed(p->row, items + 1) && mem_new_zeroed(p->node_row, items + 1) &&
              mem_new_zeroed(g.reached, p->e->each_count);
    for (size_t i = 0; ok && i < items; i++)
        ok = list_item(&g, i);
    mem_free(g.reached);
    return ok;
}

static int by_a_then_b(const void *x, const void *y)
{
    const FunctionalPair *p = x, *q = y;
    if (p->a != q->a)
        return p->a < q->a ? -1 : 1;
    return (p->b > q->b) - (p->b < q->b);
}

/* Each pair of functionals that some item has, once. */
static bool list_pairs(EstimatePlan *p)
{
    const int32_t functionals = (int32_t)p->e->functional_count;
    size_t cap = 0, all = 0;
    for (size_t i = 0; i < p->e->query->item_count; i++)
        for (int32_t k = p->row[i]; k < p->row[i + 1]; k++)
            for (int32_t l = k; l < p->row[i + 1]; l++) {
                if (!mem_grow(p->pair, cap, all + 1))
                    return false;
                p->pair[all++] = (FunctionalPair){p->functional[k], p->functional[l]};
            }
    if (all)
        qsort(p->pair, all, sizeof *p->pair, by_a_then_b);
    for (size_t k = 0; k < all; k++)
        if (k == 0 || by_a_then_b(&p->pair[k], &p->pair[p->pairs - 1]) != 0)
            p->pair[p->pairs++] = p->pair[k];
    if (!mem_new(p->pair_of, functionals + 1))
        return false;
    for (int32_t a = 0, k = 0; a <= functionals; a++) {
        while ((size_t)k < p->pairs && p->pair[k].a < a)
            k++;
        p->pair_of[a] = k;
    }
    return true;
}

PepaStatus estimate_plan_new(EstimatePlan *out, const Expressions *e, const RateValues *at,
                             PepaError *err)
{
    *out = (EstimatePlan){.e = e, .at = at};
    const bool ok = list_items(out) && list_pairs(out);
    if (ok)
        return PEPA_OK;
    estimate_plan_free(out);
    return error_memory(err);
}

void estimate_plan_free(EstimatePlan *p)
{
    mem_free_all(p->row, p->functional, p->node_row, p->node, p->pair, p->pair_of);
    *p = (EstimatePlan){0};
}

/* ---- moments ---------------------------------------------------------------------------------- */

bool moments_new(Moments *out, const EstimatePlan *plan)
{
    *out = (Moments){0};
    const size_t n = plan->e->functional_count;
    if (mem_new_zeroed(out->mean, n) && mem_new_zeroed(out->least, n) &&
        mem_new_zeroed(out->most, n) && mem_new_zeroed(out->product, plan->pairs))
        return true;
    moments_free(out);
    return false;
}

void moments_free(Moments *m)
{
    mem_free_all(m->mean, m->least, m->most, m->product);
    *m = (Moments){0};
}

void moments_clear(Moments *m, const EstimatePlan *plan)
{
    m->count = 0;
    memset(m->mean, 0, plan->e->functional_count * sizeof *m->mean);
    memset(m->product, 0, plan->pairs * sizeof *m->product);
}

void moments_add(Moments *m, const EstimatePlan *plan, const double *observed)
{
    const double n = (double)++m->count, before = (n - 1) / n;
    for (size_t k = 0; k < plan->pairs; k++) {
        const int32_t a = plan->pair[k].a, b = plan->pair[k].b;
        m->product[k] += before * (observed[a] - m->mean[a]) * (observed[b] - m->mean[b]);
    }
    for (size_t i = 0; i < plan->e->functional_count; i++) {
        m->mean[i] += (observed[i] - m->mean[i]) / n;
        m->least[i] = m->count == 1 ? observed[i] : fmin(m->least[i], observed[i]);
        m->most[i] = m->count == 1 ? observed[i] : fmax(m->most[i], observed[i]);
    }
}

static double product_of(const Moments *m, const EstimatePlan *p, int32_t a, int32_t b)
{
    int32_t k = p->pair_of[a < b ? a : b];
    while (p->pair[k].b != (a < b ? b : a))
        k++;
    return m->product[k];
}

/* ---- intervals -------------------------------------------------------------------------------- */

/* Whether an item is one probability, or the population of one component in some of its local
 * states, which is one as well. */
static bool is_probability(const Expressions *e, size_t item)
{
    const Each *n = &e->each[body_of(e, item)];
    if (n->kind != EACH_FUNCTIONAL)
        return false;
    const Functional *f = &e->functional[n->a];
    if (f->kind == FUNCTIONAL_MEAN)
        return e->code.node[f->a].op == STATE_OR;
    bool one = f->kind == FUNCTIONAL_COUNT && f->end > f->first;
    for (int32_t i = f->first; i < f->end && one; i++) {
        const int32_t slot = e->code.place[i].slot;
        one = slot == e->code.place[f->first].slot && e->chain->system->slots[slot].copies == 0;
    }
    return one;
}

/* Throughputs, populations and probabilities. */
static bool is_never_negative(const Expressions *e, size_t item)
{
    const Each *n = &e->each[body_of(e, item)];
    return n->kind == EACH_FUNCTIONAL && expressions_never_negative(e, n->a);
}

/* Whether all observations of an item say either `least` or `most`: as the mean is a share of the way from one to the
 * other, the variance is the largest.  Of a few that agree nothing can be told. */
static bool is_yes_or_no(const Moments *m, const EstimatePlan *p, size_t item, double value,
                         double *least, double *most)
{
    const Each *node = &p->e->each[body_of(p->e, item)];
    *least = 0;
    *most = 1;
    if (is_probability(p->e, item))
        return true;
    if (m->count < FEW || !is_never_negative(p->e, item))
        return false;
    *least = m->least[node->a];
    *most = m->most[node->a];
    const double square = product_of(m, p, node->a, node->a), apart = *most - *least;
    const double largest = (value - *least) * (*most - value) * (double)m->count;
    return apart > 0 && fabs(square - largest) <= 1e-9 * apart * apart * (double)m->count;
}

/* *out: a share. */
static void wilson(Estimate *out, double n, double confidence)
{
    const double z = gsl_cdf_ugaussian_Pinv((1 + confidence) / 2), p = out->value;
    const double center = (p + z * z / (2 * n)) / (1 + z * z / n);
    const double half = z / (1 + z * z / n) * sqrt(p * (1 - p) / n + z * z / (4 * n * n));
    out->low = fmax(center - half, 0);
    out->high = fmin(center + half, 1);
}

/* The slope of the item's node by each node below it. */
static void descend(const EstimatePlan *p, size_t item, const double *each, double *slope)
{
    const int32_t first = p->node_row[item], end = p->node_row[item + 1];
    for (int32_t k = first; k < end; k++)
        slope[p->node[k]] = 0;
    slope[body_of(p->e, item)] = 1;
    for (int32_t k = end; k-- > first;)
        expressions_descend_from(p->e, p->node[k], each, slope);
}

/* The sum of the squares of the deviations of the item, linearised.
 *   slope  of the item's node by each node */
static double square_of(const Moments *m, const EstimatePlan *p, size_t item, const double *slope,
                        double *by_functional)
{
    double sum = 0;
    for (int32_t k = p->row[item]; k < p->row[item + 1]; k++)
        by_functional[p->functional[k]] = 0;
    for (int32_t k = p->node_row[item]; k < p->node_row[item + 1]; k++) {
        const Each *n = &p->e->each[p->node[k]];
        if (n->kind == EACH_FUNCTIONAL)
            by_functional[n->a] += slope[p->node[k]];
    }
    for (int32_t k = p->row[item]; k < p->row[item + 1]; k++)
        for (int32_t l = p->row[item]; l < p->row[item + 1]; l++) {
            const int32_t a = p->functional[k], b = p->functional[l];
            const double both = by_functional[a] * by_functional[b];
            sum += both != 0 ? both * product_of(m, p, a, b) : 0;
        }
    return fmax(sum, 0);
}

bool estimate_is_probability(const EstimatePlan *p, int32_t functional)
{
    const Functional *f = &p->e->functional[functional];
    return f->kind == FUNCTIONAL_MEAN && p->e->code.node[f->a].op == STATE_OR;
}

int32_t estimate_item_of(const EstimatePlan *p, int32_t functional)
{
    int32_t item = 0, k = 0;
    while (p->functional[k] != functional)
        k++;
    while (p->row[item + 1] <= k)
        item++;
    return item;
}

/* Not narrower than what is known of the functionals. */
static void widen(const EstimatePlan *p, size_t item, const double *by_functional,
                  const EstimateSlack *slack, double value, Estimate *out)
{
    double less = 0, more = 0;
    for (int32_t k = p->row[item]; k < p->row[item + 1]; k++) {
        const int32_t f = p->functional[k];
        const double by = by_functional[f], down = by > 0 ? slack[f].less : slack[f].more,
                     up = by > 0 ? slack[f].more : slack[f].less;
        less += by != 0 ? by * by * down * down : 0;
        more += by != 0 ? by * by * up * up : 0;
    }
    out->low = fmin(out->low, value - sqrt(less));
    out->high = fmax(out->high, value + sqrt(more));
}

static void estimate_item(const Moments *m, const EstimatePlan *p, double confidence,
                          bool yes_or_no, const EstimateSlack *slack, size_t item, double *scratch,
                          Estimate *out)
{
    const Expressions *e = p->e;
    const int32_t node = body_of(e, item);
    double *each = scratch, *slope = scratch + e->each_count;
    const double n = (double)m->count, free = n - 1;
    double least, most;
    *out = (Estimate){each[node], each[node], each[node]};
    if (!isfinite(each[node])) {
        *out = (Estimate){NAN, NAN, NAN};
    } else if (yes_or_no && is_yes_or_no(m, p, item, each[node], &least, &most)) {
        out->value = (each[node] - least) / (most - least);
        wilson(out, n, confidence); /* but for rounding, 0 and 1 are within */
        *out = (Estimate){each[node], fmin(least + out->low * (most - least), each[node]),
                          fmax(least + out->high * (most - least), each[node])};
    } else if (p->row[item + 1] > p->row[item]) {
        descend(p, item, each, slope);
        const double square = square_of(m, p, item, slope, slope + e->each_count);
        const double half =
            free < 1 ? HUGE_VAL
                     : gsl_cdf_tdist_Pinv((1 + confidence) / 2, free) * sqrt(square / free / n);
        out->low -= half;
        out->high += half;
        if (slack)
            widen(p, item, slope + e->each_count, slack, each[node], out);
        if (is_never_negative(e, item) && out->value >= 0)
            out->low = fmax(out->low, 0);
        if (slack && n > 1 && e->each[node].kind == EACH_FUNCTIONAL &&
            estimate_is_probability(p, e->each[node].a)) {
            out->value = fmin(fmax(out->value, 0), 1);
            out->low = fmin(fmax(out->low, 0), out->value);
            out->high = fmax(fmin(out->high, 1), out->value);
        }
    }
}

PepaStatus moments_estimate(const Moments *m, const EstimatePlan *p, double confidence,
                            bool yes_or_no, const EstimateSlack *slack, Estimate *out,
                            PepaError *err)
{
    const Expressions *e = p->e;
    double *scratch = mem_alloc(2 * e->each_count + e->functional_count, sizeof *scratch);
    if (!scratch)
        return error_memory(err);
    expressions_each(e, p->at, m->mean, scratch);
    for (size_t i = 0; i < e->query->item_count; i++)
        estimate_item(m, p, confidence, yes_or_no, slack, i, scratch, &out[i]);
    mem_free(scratch);
    return PEPA_OK;
}

/* Whether an action is hidden wherever it may happen, or never may. */
static bool is_no_event(const Functional *f, const System *system)
{
    for (int32_t k = 0; k < system->event_count && f->kind == FUNCTIONAL_FLOW; k++)
        if (system->events[k].label == f->a)
            return false;
    return f->kind == FUNCTIONAL_FLOW;
}

static bool is_unseen(const Moments *m, const Expressions *e, int32_t functional)
{
    return m->most[functional] == 0 && expressions_never_negative(e, functional) &&
           !is_no_event(&e->functional[functional], e->chain->system);
}

int32_t estimate_unseen(const Moments *m, const EstimatePlan *p, const Estimate *estimates)
{
    for (size_t i = 0; i < p->e->query->item_count; i++)
        for (int32_t k = p->row[i]; k < p->row[i + 1] && estimates[i].low == estimates[i].high; k++)
            if (is_unseen(m, p->e, p->functional[k]))
                return (int32_t)i;
    return -1;
}

double estimate_width(const Estimate *x)
{
    const double half = (x->high - x->low) / 2;
    return half > 0 ? half / fabs(x->value) : 0;
}
