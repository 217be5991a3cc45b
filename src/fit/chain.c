/* Uniformisation of a chain of phases: its distribution at many times in one pass.  Vectors are
 * scaled at each time, so that tails do not underflow. */
#include "fit/chain.h"

#include <assert.h>
#include <math.h>

#define NEGLIGIBLE 1e-18  /* a Poisson probability beyond the mean that ends a sum */
#define GONE       (-1e6) /* a logarithm of 1 - F(t) beyond which it stays */

void uniform_begin(Uniform *u, const Phases *p)
{
    u->n = p->phases;
    u->fastest = 0;
    for (int32_t i = 0; i < u->n; i++)
        u->fastest = fmax(u->fastest, p->rate[i]);
    for (int32_t i = 0; i < u->n; i++) {
        u->leave[i] = p->rate[i] / u->fastest;
        u->stay[i] = 1 - u->leave[i];
    }
}

/* At least n + 1 terms: the first that is not 0 decides the density at very short times. */
int uniform_weights(const Uniform *u, double t, double weight[CHAIN_TERMS])
{
    const double mean = u->fastest * t;
    int last = 0;
    weight[0] = exp(-mean);
    while (last + 1 < CHAIN_TERMS && (last < mean || last <= u->n || weight[last] > NEGLIGIBLE)) {
        weight[last + 1] = weight[last] * mean / (last + 1);
        last++;
    }
    return last;
}

void uniform_forward(const Uniform *u, double x[MOST])
{
    for (int32_t i = u->n - 1; i > 0; i--)
        x[i] = x[i] * u->stay[i] + x[i - 1] * u->leave[i - 1];
    x[0] *= u->stay[0];
}

void uniform_backward(const Uniform *u, double c[MOST])
{
    for (int32_t i = 0; i + 1 < u->n; i++)
        c[i] = c[i] * u->stay[i] + c[i + 1] * u->leave[i];
    c[u->n - 1] *= u->stay[u->n - 1];
}

void uniform_move(const Uniform *u, double t, double x[MOST])
{
    double weight[CHAIN_TERMS], sum[MOST] = {0};
    const int last = uniform_weights(u, t, weight);
    for (int l = 0; l <= last; l++) {
        for (int32_t i = 0; i < u->n; i++)
            sum[i] += weight[l] * x[i];
        uniform_forward(u, x);
    }
    for (int32_t i = 0; i < u->n; i++)
        x[i] = sum[i];
}

static double scale(int32_t n, double x[MOST])
{
    double sum = 0;
    for (int32_t i = 0; i < n; i++)
        sum += x[i];
    for (int32_t i = 0; i < n && sum > 0; i++)
        x[i] /= sum;
    return sum;
}

/* A vector that moves through time: x, of sum 1, times exp(size) is alpha exp(Q now). */
typedef struct {
    Uniform u;
    double x[MOST], now, size;
} Front;

static Front front_begin(const Phases *p)
{
    Front f = {.now = 0};
    uniform_begin(&f.u, p);
    for (int32_t i = 0; i < f.u.n; i++)
        f.x[i] = p->share[i];
    return f;
}

static void front_move(Front *f, double time)
{
    while (f->now < time && f->size > GONE) {
        const double step = fmin(time - f->now, CHAIN_JUMPS / f->u.fastest);
        uniform_move(&f->u, step, f->x);
        f->size += log(scale(f->u.n, f->x));
        f->now = step < time - f->now ? f->now + step : time;
    }
}

void chain_at(const Phases *p, const double *time, size_t count, double *survival, double *density)
{
    Front f = front_begin(p);
    for (size_t k = 0; k < count; k++) {
        front_move(&f, time[k]);
        survival[k] = fmin(exp(f.size), 1);
        if (density)
            density[k] = survival[k] * f.x[f.u.n - 1] * p->rate[f.u.n - 1];
    }
}

double chain_likelihood(const Phases *p, const Sample *s)
{
    Front f = front_begin(p);
    double sum = 0;
    for (size_t k = 0; k < s->count; k++) {
        front_move(&f, s->time[k]);
        sum += s->weight[k] * (f.size + log(f.x[f.u.n - 1] * p->rate[f.u.n - 1]));
    }
    return sum;
}

/* ---- EM -------------------------------------------------------------------------------------- */

bool chain_em_new(ChainEm *em, const Sample *s, double most)
{
    const double span = s->time[s->count - 1];
    *em = (ChainEm){.sample = s, .most = most};
    em->cap = 1 + 2 * s->count + (size_t)(span * most / CHAIN_JUMPS);
    return mem_new(em->time, em->cap) && mem_new(em->weight, em->cap) &&
           mem_new(em->forward, em->cap * MOST) && mem_new(em->shrink, em->cap);
}

void chain_em_free(ChainEm *em)
{
    mem_free_all(em->time, em->weight, em->forward, em->shrink);
}

/* Nodes such that no step between them expects more than CHAIN_JUMPS jumps. */
static size_t place_nodes(ChainEm *em, const Uniform *u)
{
    const Sample *s = em->sample;
    size_t nodes = 1;
    em->time[0] = em->weight[0] = 0;
    for (size_t k = 0; k < s->count; k++) {
        const double from = em->time[nodes - 1], gap = s->time[k] - from;
        const size_t parts = (size_t)fmax(1, ceil(gap * u->fastest / CHAIN_JUMPS));
        for (size_t i = 1; i < parts; i++) {
            em->time[nodes] = from + gap * (double)i / (double)parts;
            em->weight[nodes++] = 0;
        }
        assert(nodes < em->cap);
        em->time[nodes] = s->time[k];
        em->weight[nodes++] = s->weight[k];
    }
    return nodes;
}

/* The vectors at all nodes; returns the log-likelihood. */
static double go_forward(ChainEm *em, const Phases *p, const Uniform *u, size_t nodes)
{
    double x[MOST], size = 0, sum = 0;
    for (int32_t i = 0; i < u->n; i++)
        em->forward[i] = x[i] = p->share[i];
    em->shrink[0] = 1;
    for (size_t k = 1; k < nodes; k++) {
        uniform_move(u, em->time[k] - em->time[k - 1], x);
        em->shrink[k] = scale(u->n, x);
        size += log(em->shrink[k]);
        for (int32_t i = 0; i < u->n; i++)
            em->forward[k * MOST + (size_t)i] = x[i];
        if (em->weight[k] > 0)
            sum += em->weight[k] * (size + log(x[u->n - 1] * p->rate[u->n - 1]));
    }
    return sum;
}

/* Between two nodes: c -> exp(Q t) c, and to spent[i] the integral over the step of
 * (x exp(Q s))_i (exp(Q (t - s)) c)_i. */
static void go_back(const Uniform *u, double t, const double *x, double factor, double c[MOST],
                    double spent[MOST])
{
    double weight[CHAIN_TERMS], later[CHAIN_TERMS][MOST], at[MOST], next[MOST] = {0};
    const int last = uniform_weights(u, t, weight);
    for (int l = last - 1; l >= 0; l--) {
        uniform_backward(u, next);
        for (int32_t i = 0; i < u->n; i++)
            later[l][i] = next[i] += weight[l + 1] * c[i];
    }
    for (int32_t i = 0; i < u->n; i++)
        at[i] = x[i];
    for (int l = 0; l < last; l++) {
        for (int32_t i = 0; i < u->n; i++)
            spent[i] += factor * at[i] * later[l][i] / u->fastest;
        uniform_forward(u, at);
    }
    uniform_backward(u, next);
    for (int32_t i = 0; i < u->n; i++)
        c[i] = factor * (weight[0] * c[i] + next[i]);
}

/* Each path goes through all phases from its first on, so that the visits of phase i are the starts
 * up to it. */
static void maximise(Phases *p, const double starts[MOST], const double spent[MOST], double most)
{
    double visits = 0, all = 0;
    for (int32_t i = 0; i < p->phases; i++)
        all += starts[i];
    for (int32_t i = 0; i < p->phases; i++) {
        visits += starts[i];
        p->share[i] = starts[i] / all;
        if (visits > 0)
            p->rate[i] = visits < spent[i] * most ? visits / spent[i] : most;
    }
}

double chain_em_step(ChainEm *em, Phases *p)
{
    Uniform u;
    double c[MOST] = {0}, spent[MOST] = {0}, starts[MOST];
    uniform_begin(&u, p);
    const size_t nodes = place_nodes(em, &u);
    const double likelihood = go_forward(em, p, &u, nodes);
    for (size_t k = nodes - 1; k > 0; k--) {
        const double *x = em->forward + k * MOST;
        if (em->weight[k] > 0)
            c[u.n - 1] += em->weight[k] / x[u.n - 1];
        go_back(&u, em->time[k] - em->time[k - 1], x - MOST, 1 / em->shrink[k], c, spent);
    }
    for (int32_t i = 0; i < u.n; i++)
        starts[i] = p->share[i] * c[i];
    maximise(p, starts, spent, em->most);
    return likelihood;
}
