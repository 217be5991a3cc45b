/* How many states and transitions the families of bench/families.awk have, where that can be
 * counted by hand; however they are explored. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>

#include "family_text.h"
#include "parsing.h"

typedef struct {
    double states, transitions; /* 0: not counted */
} Count;

static PepaModel *family(const char *name, int size)
{
    char what[64];
    (void)snprintf(what, sizeof what, "%s %d", name, size);
    return parse(family_text(what));
}

static void expect_count(const char *name, int size, Count want)
{
    PepaModel *model = family(name, size);
    for (int explore = PEPA_EXPLICIT; explore <= PEPA_SYMBOLIC; explore++) {
        PepaSettings set = {0};
        PepaChain *chain = NULL;
        PepaError err = {0};
        set.derive.separate_copies = 1;
        set.derive.explore = (PepaExplore)explore;
        cr_assert_eq(pepa_chain_derive(&chain, model, &set, &err), PEPA_OK, "%s", err.message);
        PepaChainInfo info = pepa_chain_info(chain);
        cr_expect_eq((double)info.states, want.states, "%s %d: %lld states", name, size,
                     (long long)info.states);
        cr_expect(want.transitions == 0 || (double)info.transitions == want.transitions,
                  "%s %d: %lld transitions", name, size, (long long)info.transitions);
        pepa_chain_free(chain);
    }
    pepa_model_free(model);
}

/* Each stage waits for an item, works, or waits to hand it on: n stages have n + 1 moves, of
 * which the first and the last depend on one stage each and the n - 1 others on two, and n
 * activities of one stage: (n + 2) 3^(n-1) + (n - 1) 3^(n-2) transitions. */
Test(families, pipeline)
{
    for (int n = 2; n <= 7; n++)
        expect_count("pipeline", n,
                     (Count){pow(3, n), (n + 2) * pow(3, n - 1) + (n - 1) * pow(3, n - 2)});
}

/* The server is at a station, looking or serving; where it serves, the station has something. */
Test(families, polling)
{
    for (int n = 2; n <= 8; n++)
        expect_count("polling", n, (Count){3 * n * pow(2, n - 1), 0});
}

Test(families, tandem)
{
    for (int n = 2; n <= 9; n++)
        expect_count("tandem", n, (Count){(2 * n + 1) * (n + 1), 0});
}

static double choose(int n, int k)
{
    double ways = 1;
    for (int i = 0; i < k; i++)
        ways = ways * (n - i) / (i + 1);
    return ways;
}

/* Readers who ask and who wait, servers that read, write and have failed; as many of these as come
 * in `ways` states of readers and servers. */
typedef struct {
    int n, ask, wait, read, write, failed;
    double ways;
} Busy;

/* All states of writers and their buffer with that. */
static void add_writers(Count *count, const Busy *b)
{
    int n = b->n, think = n - b->ask - b->wait, idle = n - b->read - b->write - b->failed;
    int asked = b->wait - b->read; /* requests in their buffer */
    if (idle < 0 || asked < 0 || asked > (n + 1) / 2)
        return;
    for (int posts = 0; posts <= n; posts++)
        for (int pages = 0; pages <= n + 1; pages++) {
            double ways = b->ways * choose(n, posts);
            int out = think + (n - posts) + b->write + idle /* fails */ + b->read * b->wait;
            out += asked < (n + 1) / 2 ? b->ask : 0;
            out += pages < n + 1 ? posts : 0;
            out += (asked > 0 ? idle : 0) + (pages > 0 ? idle : 0);
            out += b->failed < n ? b->failed : 1; /* repaired one by one, or started together */
            count->states += ways;
            count->transitions += ways * out;
        }
}

static void add_servers(Count *count, Busy b)
{
    double readers = b.ways;
    for (b.read = 0; b.read <= b.n; b.read++)
        for (b.write = 0; b.read + b.write <= b.n; b.write++)
            for (b.failed = 0; b.read + b.write + b.failed <= b.n; b.failed++) {
                int rest = b.n - b.read;
                b.ways = readers * choose(b.n, b.read) * choose(rest, b.write) *
                         choose(rest - b.write, b.failed);
                add_writers(count, &b);
            }
}

Test(families, webserver)
{
    for (int n = 1; n <= 3; n++) {
        Count count = {0, 0};
        for (int ask = 0; ask <= n; ask++)
            for (int wait = 0; ask + wait <= n; wait++)
                add_servers(&count, (Busy){.n = n,
                                           .ask = ask,
                                           .wait = wait,
                                           .ways = choose(n, ask) * choose(n - ask, wait)});
        expect_count("webserver", n, count);
    }
}
