/* Simulated annealing over hosts of groups: runs by turns just below the largest latency, and at it. */
#include "grid/taag/schedule/exchange.h"

#include <math.h>

#include "grid/taag/schedule/exchange_inner.h"

/* Runs; between two placements that are offered in a run, steps. */
enum { RUNS = 8, STEPS = 1000 };
/* Temperatures in mean connections: two runs each begin so hot, by turns. */
static const double HOT[] = {10, 1}, COLD = 0.0005;

static double sum_of(Exchange *x)
{
    double twice = 0;
    for (int32_t i = 0; i < x->units; i++)
        twice += exchange_edges(x, x->unit[i], x->host[x->unit[i]], -1, 0);
    return 0.5 * twice;
}

static bool accepted(Exchange *x, double more, double temperature)
{
    return more <= 0 || exchange_random(x, 1 << 30) < exp(-more / temperature) * (1 << 30);
}

/* A group goes to another host.  Returns by how much the sum rises. */
static double move(Exchange *x, int32_t a, int32_t to, double temperature)
{
    const int32_t from = x->host[a];
    if (to == from || x->free[to] < x->size[a])
        return 0;
    const double more = exchange_edges(x, a, to, -1, 0) - exchange_edges(x, a, from, -1, 0);
    if (!accepted(x, more, temperature))
        return 0;
    exchange_put(x, a, to);
    return more;
}

/* Two groups exchange their hosts; a connection of them is the same before and after. */
static double swap(Exchange *x, int32_t a, int32_t b, double temperature)
{
    const int32_t from = x->host[a], to = x->host[b];
    if (a == b || !exchange_can_swap(x, a, b))
        return 0;
    const double now = exchange_edges(x, a, from, -1, 0) + exchange_edges(x, b, to, -1, 0);
    const double then = exchange_edges(x, a, to, b, from) + exchange_edges(x, b, from, a, to);
    if (!accepted(x, then - now, temperature))
        return 0;
    exchange_swap(x, a, b);
    return then - now;
}

/* One run with so much work; what is least at the end of some steps is offered. */
static void run(Exchange *x, double hot, int64_t work)
{
    const int64_t begin = x->effort->work;
    const double mean = sum_of(x) / (x->shape->edge_count > 0 ? x->shape->edge_count : 1);
    double sum = sum_of(x), least = sum, temperature = hot * mean;
    for (int32_t step = 0; !effort_ended(x->effort); step++) {
        const int32_t a = x->unit[exchange_random(x, x->units)];
        sum += step % 2 == 0 ? move(x, a, exchange_random(x, x->hosts->count), temperature)
                             : swap(x, a, x->unit[exchange_random(x, x->units)], temperature);
        x->effort->work += 4;
        if (step % STEPS > 0)
            continue;
        const double done = (double)(x->effort->work - begin) / (double)work;
        if (sum < least * (1 - 1e-12)) {
            exchange_offer(x);
            least = sum;
        }
        if (done >= 1)
            return;
        temperature = mean * hot * pow(COLD / hot, done);
    }
}

bool exchange_anneal(const Hosts *h, const Shape *s, Best *best, Effort *effort)
{
    Exchange x = {.hosts = h, .shape = s, .best = best, .effort = effort, .state = 1, .soft = true};
    const int64_t work = (effort->limit - effort->work) / RUNS;
    const bool good = exchange_prepare(&x);
    for (int32_t i = 0; i < RUNS && good && exchange_start(&x); i++) {
        x.limit = i % 2 == 0 ? best->cost.most * (1 - 1e-9) : best->cost.most;
        run(&x, HOT[i / 2 % 2], work);
    }
    exchange_release(&x);
    return good;
}
