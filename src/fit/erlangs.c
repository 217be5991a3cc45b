/* EM for mixtures of Erlang distributions, and their form as chains. */
#include "fit/erlangs.h"

#include <math.h>
#include <string.h>

static double log_term(const Phases *p, int32_t i, double t)
{
    const int32_t k = p->shape[i];
    return log(p->share[i]) + k * log(p->rate[i]) + (k - 1) * log(t) - p->rate[i] * t - lgamma(k);
}

/* part[i]: the probability that t is of branch i. */
static double judge(const Phases *p, double t, double *part)
{
    double most = -INFINITY, all = 0;
    for (int32_t i = 0; i < p->branches; i++)
        most = fmax(most, part[i] = log_term(p, i, t));
    for (int32_t i = 0; i < p->branches; i++)
        all += part[i] = exp(part[i] - most);
    for (int32_t i = 0; i < p->branches; i++)
        part[i] /= all;
    return most + log(all);
}

double erlangs_log_density(const Phases *p, double t)
{
    double part[MOST];
    return judge(p, t, part);
}

double erlangs_step(const Sample *s, Phases *p)
{
    double count[MOST] = {0}, time[MOST] = {0}, part[MOST], sum = 0;
    for (size_t k = 0; k < s->count; k++) {
        sum += s->weight[k] * judge(p, s->time[k], part);
        for (int32_t i = 0; i < p->branches; i++) {
            count[i] += s->weight[k] * part[i];
            time[i] += s->weight[k] * part[i] * s->time[k];
        }
    }
    for (int32_t i = 0; i < p->branches; i++) {
        p->share[i] = count[i] / s->total;
        if (time[i] > 0)
            p->rate[i] = p->shape[i] * count[i] / time[i];
    }
    return sum;
}

void erlangs_by_parts(const Sample *s, const int32_t *shape, int32_t branches, Phases *p)
{
    double seen = 0;
    size_t k = 0;
    *p = (Phases){.family = PEPA_FIT_HYPER_ERLANG, .branches = branches};
    for (int32_t i = 0; i < branches; i++) {
        double weight = 0, time = 0;
        for (; k < s->count && (weight <= 0 || seen < (i + 1) * s->total / branches); k++) {
            weight += s->weight[k];
            time += s->weight[k] * s->time[k];
            seen += s->weight[k];
        }
        p->shape[i] = shape[i];
        p->phases += shape[i];
        p->share[i] = 1.0 / branches;
        p->rate[i] = weight > 0 ? shape[i] * weight / time : p->rate[i - 1] / 2;
    }
}

/* Descending sums in the order of the dictionary, from the largest first shape on: the last shape
 * that can be less becomes so, and those behind it as large as may be. */
bool erlangs_next(int32_t phases, int32_t *shape, int32_t *branches)
{
    if (*branches == 0) {
        shape[0] = phases; /* which is no mixture: go on from it */
        *branches = 1;
    }
    for (;;) {
        int32_t left = 0;
        while (*branches > 0 && shape[*branches - 1] == 1) {
            left++;
            --*branches;
        }
        if (*branches == 0)
            return false;
        shape[*branches - 1]--;
        for (left++; left > 0 && *branches < MOST; ++*branches) {
            const int32_t before = shape[*branches - 1];
            shape[*branches] = before < left ? before : left;
            left -= shape[*branches];
        }
        if (left == 0 && *branches <= ERLANGS_BRANCHES && shape[0] > 1)
            return true;
    }
}

/* Position i of the chain has the i-th rate in ascending order; a branch enters where nothing of it is left
 * of those behind.  left[j]: the probability that j of its phases are still to be found, from the end. */
static void enter(const Phases *p, int32_t branch, Phases *chain)
{
    const double rate = p->rate[branch];
    double left[MOST + 1] = {0};
    left[p->shape[branch]] = p->share[branch];
    for (int32_t i = chain->phases - 1; i >= 0; i--) {
        const double chance = rate < chain->rate[i] ? rate / chain->rate[i] : 1;
        chain->share[i] += chance * left[1];
        for (int32_t j = 1; j <= p->shape[branch]; j++)
            left[j] = (1 - chance) * left[j] + (j < p->shape[branch] ? chance * left[j + 1] : 0);
    }
}

void erlangs_chain(const Phases *p, Phases *chain)
{
    *chain = (Phases){.family = PEPA_FIT_COX};
    for (int32_t b = 0; b < p->branches; b++)
        for (int32_t k = 0; k < p->shape[b]; k++) {
            int32_t at = chain->phases++;
            for (; at > 0 && chain->rate[at - 1] > p->rate[b]; at--)
                chain->rate[at] = chain->rate[at - 1];
            chain->rate[at] = p->rate[b];
        }
    for (int32_t b = 0; b < p->branches; b++)
        enter(p, b, chain);
}
