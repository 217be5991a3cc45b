/* Costs of steps and messages from a machine and a program. */
#include "grid/taag/predict/costs.h"

#include <math.h>

#include "base/error.h"
#include "base/mem.h"

double costs_step(const Costs *c, int32_t host, int32_t processes)
{
    return c->second[host] * fmax((double)processes / c->cores[host], 1);
}

/* One way; size / inf is 0. */
static double message(const AmogetMachine *m, int32_t a, int32_t b, double bytes)
{
    const double latency = amoget_latency(m, a, b);
    return (a == b && isnan(latency) ? 0 : latency) + bytes / amoget_bandwidth(m, a, b);
}

static double both_ways(const AmogetMachine *m, int32_t a, int32_t b, double bytes)
{
    return fmax(message(m, a, b, bytes), message(m, b, a, bytes));
}

static bool are_alike(const Costs *c, int32_t a, int32_t b)
{
    bool alike = c->hosts->places[a] == c->hosts->places[b] && c->cores[a] == c->cores[b] &&
                 c->second[a] == c->second[b] && costs_pass(c, a, a) == costs_pass(c, b, b) &&
                 costs_exchange(c, a, a) == costs_exchange(c, b, b);
    for (int32_t x = 0; x < c->count && alike; x++)
        alike = x == a || x == b ||
                (costs_pass(c, a, x) == costs_pass(c, b, x) &&
                 costs_exchange(c, a, x) == costs_exchange(c, b, x));
    return alike;
}

PepaStatus costs_make(Costs *out, const AmogetMachine *m, const AmogetProgram *p,
                      const Hosts *hosts, PepaError *err)
{
    const int32_t n = hosts->count;
    const size_t pairs = (size_t)n * (size_t)n;
    Costs c = {.hosts = hosts,
               .count = n,
               .least_pass = HUGE_VAL,
               .least_exchange = HUGE_VAL,
               .least_far = HUGE_VAL};
    if (!mem_new(c.second, n) || !mem_new(c.cores, n) || !mem_new(c.alike, n) ||
        !mem_new(c.pass, pairs) || !mem_new(c.exchange, pairs)) {
        costs_free(&c);
        return error_memory(err);
    }
    for (int32_t a = 0; a < n; a++) {
        c.second[a] = p->work * amoget_time(m, a) / amoget_availability(m, a);
        c.cores[a] = amoget_cores(m, a);
        for (int32_t b = 0; b < n; b++) {
            const size_t at = (size_t)a * (size_t)n + (size_t)b;
            c.pass[at] = both_ways(m, a, b, p->data);
            c.exchange[at] = both_ways(m, a, b, p->exchange);
            c.least_pass = fmin(c.least_pass, c.pass[at]);
            c.least_far = a == b ? c.least_far : fmin(c.least_far, c.pass[at]);
            c.least_exchange = fmin(c.least_exchange, c.exchange[at]);
        }
    }
    for (int32_t b = 0; b < n; b++) {
        c.alike[b] = b - 1;
        while (c.alike[b] >= 0 && !are_alike(&c, c.alike[b], b))
            c.alike[b]--;
    }
    *out = c;
    return PEPA_OK;
}

void costs_free(Costs *c)
{
    mem_free_all(c->second, c->cores, c->alike, c->pass, c->exchange);
    *c = (Costs){0};
}
