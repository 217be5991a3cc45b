/* Bottom components against a search that asks of each pair of states whether one leads to the
 * other; and of chains that are too large for that, but of a known kind. */
#include <criterion/criterion.h>
#include <string.h>

#include "ctmc/chain.h"

typedef struct {
    Chain chain;
    int64_t *row;
    int32_t *target;
} Net;

/* n states with room for `each` transitions from each; chain_free is not for this one. */
static Net net_new(int32_t n, int32_t each)
{
    Net net = {.row = mem_calloc((size_t)n + 1, sizeof *net.row),
               .target = mem_alloc((size_t)n * (size_t)each, sizeof *net.target)};
    cr_assert(net.row && net.target);
    net.chain = (Chain){.row = net.row, .target = net.target};
    net.chain.state_count = net.chain.states.count = n;
    return net;
}

static void net_free(Net *net)
{
    mem_free(net->row);
    mem_free(net->target);
    mem_free(net->chain.bottom);
}

static void expect_bottoms(Net *net, int32_t threads, int32_t count, const int32_t *bottom)
{
    PepaError err;
    Chain *c = &net->chain;
    mem_free(c->bottom);
    c->bottom = NULL;
    c->bottom_count = 0;
    cr_assert_eq(chain_find_bsccs(c, threads, &err), PEPA_OK);
    cr_assert_eq(c->bottom_count, count);
    for (int32_t s = 0; bottom && s < c->states.count; s++)
        cr_assert_eq(c->bottom ? c->bottom[s] : 0, bottom[s],
                     "state %d of %d: %d, not %d; %d, %d deadlocks", s, c->states.count,
                     c->bottom ? c->bottom[s] : 0, bottom[s], count, c->deadlocks);
}

/* ---- small ones ---------------------------------------------------------------------------- */

enum { FEW = 150 };

typedef struct {
    bool leads[FEW][FEW];
    int32_t bottom[FEW], count;
} Closure;

static void close_up(const Net *net, Closure *a)
{
    const int32_t n = net->chain.states.count;
    memset(a->leads, 0, sizeof a->leads);
    for (int32_t s = 0; s < n; s++)
        for (int64_t k = net->row[s]; k < net->row[s + 1]; k++)
            a->leads[s][net->target[k]] = true;
    for (int32_t via = 0; via < n; via++)
        for (int32_t s = 0; s < n; s++)
            for (int32_t t = 0; t < n && a->leads[s][via]; t++)
                a->leads[s][t] = a->leads[s][t] || a->leads[via][t];
}

static void name_bottoms(const Net *net, Closure *a)
{
    const int32_t n = net->chain.states.count;
    close_up(net, a);
    a->count = 0;
    for (int32_t s = 0; s < n; s++) {
        bool stays = true;
        int32_t least = s;
        for (int32_t t = 0; t < n; t++) {
            stays = stays && (!a->leads[s][t] || a->leads[t][s]);
            least = least == s && a->leads[s][t] && a->leads[t][s] && t < s ? t : least;
        }
        a->bottom[s] = !stays ? -1 : least < s ? a->bottom[least] : a->count++;
    }
}

static uint64_t next_random(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return *seed >> 33;
}

/* Each state but the first has a transition from one before it, since chains consist of what state
 * 0 leads to; and there are `more` others of 100 states, mostly back. */
static void join(Net *net, uint64_t more, uint64_t *seed)
{
    static bool leads[FEW][FEW];
    const int32_t n = net->chain.states.count;
    int64_t k = 0;
    memset(leads, 0, sizeof leads);
    for (int32_t s = 1; s < n; s++)
        leads[s - 1 - (int32_t)(next_random(seed) % (uint64_t)(s < 6 ? s : 6))][s] = true;
    for (int32_t s = 0; s < n; s++)
        if (next_random(seed) % 100 < more) {
            int32_t step = (int32_t)(next_random(seed) % 9) - (next_random(seed) % 3 ? 9 : 0);
            leads[s][s + step < 0 ? 0 : s + step < n ? s + step : n - 1] = true;
        }
    net->chain.deadlocks = 0;
    for (int32_t s = 0; s < n; s++) {
        for (int32_t t = 0; t < n; t++)
            if (leads[s][t])
                net->target[k++] = t;
        net->row[s + 1] = k;
        net->chain.deadlocks += net->row[s] == k;
    }
}

Test(bottoms, of_small_chains)
{
    static Closure a;
    uint64_t seed = 1;
    int alone = 0, several = 0;
    for (int round = 0; round < 900; round++) {
        int32_t n = 1 + (int32_t)(next_random(&seed) % FEW);
        Net net = net_new(n, n);
        join(&net, 70 + (uint64_t)(round % 31), &seed);
        name_bottoms(&net, &a);
        expect_bottoms(&net, 1 + round % 3, a.count, a.bottom);
        alone += a.count == 1 && net.chain.deadlocks == 0 && n > 1;
        several += a.count > 1;
        net_free(&net);
    }
    cr_assert(alone > 50 && several > 50, "%d %d", alone, several);
}

/* ---- large ones ---------------------------------------------------------------------------- */

/* State s leads to s + 1, the last one to `back`; every `other`-th state to s + 7 as well. */
static Net ring(int32_t n, int32_t back, int32_t other)
{
    Net net = net_new(n, 2);
    int64_t k = 0;
    for (int32_t s = 0; s < n; s++) {
        net.target[k++] = s + 1 < n ? s + 1 : back;
        if (s % other == other - 1 && s + 7 < n)
            net.target[k++] = s + 7;
        net.row[s + 1] = k;
    }
    return net;
}

Test(bottoms, of_large_chains)
{
    static const int32_t others[] = {2, 5, 1000000};
    const int32_t n = 30000;
    for (int32_t threads = 1; threads <= 4; threads++)
        for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
            Net whole = ring(n, 0, others[i]), part = ring(n, 20000, others[i]);
            expect_bottoms(&whole, threads, 1, NULL);
            cr_assert_null(whole.chain.bottom);
            expect_bottoms(&part, threads, 1, NULL);
            cr_assert_not_null(part.chain.bottom);
            for (int32_t s = 0; s < n; s++)
                cr_assert_eq(part.chain.bottom[s], s < 20000 ? -1 : 0);
            net_free(&whole);
            net_free(&part);
        }
}

/* A walk that prefers the last transition goes on and on, while the first leads back in two steps.
 */
Test(bottoms, of_a_chain_that_leads_astray)
{
    const int32_t n = 50000;
    for (int32_t threads = 1; threads <= 2; threads++) {
        Net net = net_new(n, 2);
        int64_t k = 0;
        for (int32_t s = 0; s < n; s++) {
            net.target[k++] = s % 2 || s + 1 == n ? s - (s > 1 ? 2 : s) : s + 1;
            net.target[k++] = s + 2 < n ? s + 2 : s;
            net.row[s + 1] = k;
        }
        expect_bottoms(&net, threads, 1, NULL);
        cr_assert_null(net.chain.bottom);
        net_free(&net);
    }
}
