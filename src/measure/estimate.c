/* Computes confidence intervals. */
#include "measure/estimate.h"

#include <gsl/gsl_cdf.h>
#include <math.h>
#include <string.h>

#include "measure/expression_private.h"

/* ---- plans ------------------------------------------------------------------------------------ */

/* The functionals below a node, ascending: used has an entry for each. */
static void mark_functionals(const Expressions *e, int32_t node, uint8_t *reached, uint8_t *used)
{
    memset(reached, 0, e->each_count);
    memset(used, 0, e->functional_count);
    reached[node] = 1;
    for (int32_t i = node; i >= 0; i--) {
        const Each *n = &e->each[i];
        if (reached[i] && n->kind == EACH_FUNCTIONAL)
            used[n->a] = 1;
        if (!reached[i] || n->kind != EACH_OPERATOR)
            continue;
        reached[n->a] = 1;
        if (n->b >= 0)
            reached[n->b] = 1;
    }
}

static int32_t body_of(const Expressions *e, size_t item)
{
    return e->node[e->query->items[item].body];
}

static bool list_functionals(EstimatePlan *p, uint8_t *reached, uint8_t *used)
{
    const Expressions *e = p->e;
    size_t count = 0, cap = 0;
    if (!mem_new(p->row, e->query->item_count + 1))
        return false;
    for (size_t i = 0; i < e->query->item_count; i++) {
        p->row[i] = (int32_t)count;
        mark_functionals(e, body_of(e, i), reached, used);
        for (size_t f = 0; f < e->functional_count; f++) {
            if (!used[f])
                continue;
            if (!mem_grow(p->functional, cap, count + 1))
                return false;
            p->functional[count++] = (int32_t)f;
        }
    }
    p->row[e->query->item_count] = (int32_t)count;
    return true;
}

/* Each pair of functionals that some item has, once. */
static bool list_pairs(EstimatePlan *p, uint8_t *with)
{
    const int32_t functionals = (int32_t)p->e->functional_count;
    const size_t items = p->e->query->item_count;
    size_t cap = 0;
    if (!mem_new(p->pair_of, functionals + 1))
        return false;
    for (int32_t a = 0; a < functionals; a++) {
        p->pair_of[a] = (int32_t)p->pairs;
        memset(with, 0, p->e->functional_count);
        for (size_t i = 0; i < items; i++) {
            bool has = false;
            for (int32_t k = p->row[i]; k < p->row[i + 1]; k++) {
                has = has || p->functional[k] == a;
                with[p->functional[k]] |= has;
            }
        }
        for (int32_t b = a; b < functionals; b++) {
            const MemColumn columns[] = {{&p->pair_a, sizeof *p->pair_a},
                                         {&p->pair_b, sizeof *p->pair_b}};
            if (!with[b])
                continue;
            if (p->pairs == cap && !mem_reserve_columns(columns, 2, &cap, p->pairs + 1))
                return false;
            p->pair_a[p->pairs] = a;
            p->pair_b[p->pairs++] = b;
        }
    }
    p->pair_of[functionals] = (int32_t)p->pairs;
    return true;
}

PepaStatus estimate_plan_new(EstimatePlan *out, const Expressions *e, const RateValues *at,
                             PepaError *err)
{
    uint8_t *reached = NULL, *used = NULL;
    *out = (EstimatePlan){.e = e, .at = at};
    const bool ok = mem_new(reached, e->each_count) && mem_new(used, e->functional_count) &&
                    list_functionals(out, reached, used) && list_pairs(out, used);
    mem_free_all(reached, used);
    if (ok)
        return PEPA_OK;
    estimate_plan_free(out);
    return error_memory(err);
}

void estimate_plan_free(EstimatePlan *p)
{
    mem_free_all(p->row, p->functional, p->pair_a, p->pair_b, p->pair_of);
    *p = (EstimatePlan){0};
}

/* ---- moments ---------------------------------------------------------------------------------- */

bool moments_new(Moments *out, const EstimatePlan *plan)
{
    *out = (Moments){0};
    if (mem_new_zeroed(out->mean, plan->e->functional_count) &&
        mem_new_zeroed(out->product, plan->pairs))
        return true;
    moments_free(out);
    return false;
}

void moments_free(Moments *m)
{
    mem_free_all(m->mean, m->product);
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
        const int32_t a = plan->pair_a[k], b = plan->pair_b[k];
        m->product[k] += before * (observed[a] - m->mean[a]) * (observed[b] - m->mean[b]);
    }
    for (size_t i = 0; i < plan->e->functional_count; i++)
        m->mean[i] += (observed[i] - m->mean[i]) / n;
}

static double product_of(const Moments *m, const EstimatePlan *p, int32_t a, int32_t b)
{
    int32_t k = p->pair_of[a < b ? a : b];
    while (p->pair_b[k] != (a < b ? b : a))
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

/* Whether all observations of an item say either `least` or least + 1.  Of a population in numbers of
 * components this can be told from the variance, which is larger if there are other numbers. */
static bool is_yes_or_no(const Moments *m, const EstimatePlan *p, size_t item, double value,
                         double *least)
{
    const Each *node = &p->e->each[body_of(p->e, item)];
    *least = 0;
    if (is_probability(p->e, item))
        return true;
    if (node->kind != EACH_FUNCTIONAL || p->e->functional[node->a].kind != FUNCTIONAL_COUNT)
        return false;
    *least = floor(value);
    const double share = value - *least, square = product_of(m, p, node->a, node->a);
    return square > 0 && square <= (share * (1 - share) + 1e-9) * (double)m->count;
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

/* The sum of the squares of the deviations of the item, linearised.
 *   slope  of the item's node by each node */
static double square_of(const Moments *m, const EstimatePlan *p, size_t item, const double *slope,
                        double *by_functional)
{
    const Expressions *e = p->e;
    double sum = 0;
    memset(by_functional, 0, e->functional_count * sizeof *by_functional);
    for (size_t i = 0; i < e->each_count; i++)
        if (e->each[i].kind == EACH_FUNCTIONAL)
            by_functional[e->each[i].a] += slope[i];
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
    double least;
    *out = (Estimate){each[node], each[node], each[node]};
    if (!isfinite(each[node])) {
        *out = (Estimate){NAN, NAN, NAN};
    } else if (yes_or_no && is_yes_or_no(m, p, item, each[node], &least)) {
        out->value -= least;
        wilson(out, n, confidence);
        *out = (Estimate){each[node], least + out->low, least + out->high};
    } else if (p->row[item + 1] > p->row[item]) {
        memset(slope, 0, e->each_count * sizeof *slope);
        slope[node] = 1;
        expressions_descend(e, each, slope);
        const double square = square_of(m, p, item, slope, slope + e->each_count);
        const double half =
            free < 1 ? HUGE_VAL
                     : gsl_cdf_tdist_Pinv((1 + confidence) / 2, free) * sqrt(square / free / n);
        out->low -= half;
        out->high += half;
        if (slack)
            widen(p, item, slope + e->each_count, slack, each[node], out);
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

double estimate_width(const Estimate *x)
{
    const double half = (x->high - x->low) / 2;
    return half > 0 ? half / fabs(x->value) : 0;
}
