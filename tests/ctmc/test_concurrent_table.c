/* States that many threads look up at once get the numbers that they get one by one. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "base/workers.h"
#include "ctmc/explore/concurrent_table.h"

enum { VISITS = 12, MOST = 400, THREADS = 4, WORDS = 3 };

/* A batch of lookups, and who does them. */
typedef struct {
    Table table;
    Guests guests;
    Seats seats[THREADS];
    Visit visits[VISITS];
    uint64_t states[VISITS][MOST * WORDS];
    uint32_t hashes[VISITS][MOST];
    int32_t ids[VISITS][MOST], met[VISITS][MOST], count[VISITS], first[VISITS];
    bool done[VISITS], backwards;
    int32_t grown;
} Party;

static void visit(void *user, int32_t index, int32_t worker)
{
    Party *p = user;
    int32_t v = p->backwards ? VISITS - 1 - index : index;
    if (!p->done[v])
        p->done[v] = guests_meet(&p->guests, &p->seats[worker], p->visits, v, p->states[v],
                                 p->hashes[v], p->count[v], p->ids[v]);
}

static void refill(void *user, int32_t slice, int32_t worker)
{
    Party *p = user;
    int32_t all = p->guests.taken + p->table.count;
    (void)worker;
    guests_refill(&p->guests, all * slice / THREADS - p->guests.taken,
                  all * (slice + 1) / THREADS - p->guests.taken);
}

static void touch(void *user, int32_t slice, int32_t worker)
{
    (void)worker;
    guests_touch(&((Party *)user)->guests, slice, THREADS);
}

static void invite(Party *p, Workers *team, int32_t room)
{
    cr_assert(guests_reserve(&p->guests, room));
    while (p->table.count + room > p->table.most) {
        cr_assert(table_renew(&p->table, table_next(&p->table)));
        workers_run(team, THREADS, touch, p);
        workers_run(team, THREADS, refill, p);
        p->grown++;
    }
}

static bool all_done(const Party *p)
{
    int32_t v = 0;
    while (v < VISITS && p->done[v])
        v++;
    return v == VISITS;
}

static void number(void *user, int32_t v, int32_t worker)
{
    Party *p = user;
    (void)worker;
    guests_number(&p->guests, p->visits, v, p->ids[v], p->first[v]);
}

/* Look all up by so many threads, beginning with room for few; then number what is new. */
static void look_up(Party *p, Workers *team)
{
    int32_t room = 5;
    guests_clear(&p->guests);
    for (int32_t v = 0; v < VISITS; v++) {
        p->visits[v] = (Visit){.met = p->met[v]};
        p->done[v] = false;
    }
    memset(p->seats, 0, sizeof p->seats);
    for (; invite(p, team, room), workers_run(team, VISITS, visit, p), !all_done(p); room *= 2)
        ;
    int32_t all = p->table.count;
    for (int32_t v = 0; v < VISITS; all += guests_brought(&p->visits[v++]))
        p->first[v] = all;
    cr_assert(table_reserve(&p->table, (size_t)all));
    workers_run(team, VISITS, number, p);
    p->table.count = all;
}

static int32_t id_of(const Party *p, int32_t v, int32_t i)
{
    int32_t id = p->ids[v][i];
    return id < 0 ? p->guests.number[-1 - id] : id;
}

static uint64_t next_random(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return *seed >> 33;
}

/* States of which many come more than once; hash: of all of them, 0 for the right ones. */
static void invent(Party *p, size_t words, uint64_t kinds, uint32_t hash, uint64_t *seed)
{
    for (int32_t v = 0; v < VISITS; v++) {
        p->count[v] = (int32_t)(next_random(seed) % (MOST + 1)) * (v % 5 != 3);
        for (int32_t i = 0; i < p->count[v]; i++) {
            uint64_t *state = p->states[v] + (size_t)i * words, what = next_random(seed) % kinds;
            for (size_t w = 0; w < words; w++)
                state[w] = w % 2 ? ~what : what << 20;
            p->hashes[v][i] = hash ? hash : table_hash(&p->table, state);
        }
    }
}

static Party *party(size_t words)
{
    Party *p = calloc(1, sizeof *p);
    uint64_t first[WORDS] = {0};
    cr_assert(p && table_init(&p->table, words));
    guests_init(&p->guests, &p->table, 2);
    cr_assert_eq(table_put(&p->table, first, table_hash(&p->table, first)), 0);
    return p;
}

static void party_free(Party *p)
{
    guests_free(&p->guests);
    table_free(&p->table);
    free(p);
}

static void expect_same(const Party *p, Table *single)
{
    size_t words = p->table.words;
    for (int32_t v = 0; v < VISITS; v++)
        for (int32_t i = 0; i < p->count[v]; i++)
            cr_assert_eq(id_of(p, v, i),
                         table_put(single, p->states[v] + (size_t)i * words, p->hashes[v][i]));
    cr_assert_eq(p->table.count, single->count);
    cr_assert_arr_eq(p->table.state, single->state,
                     (size_t)single->count * words * sizeof *single->state);
}

static void play(int32_t threads, size_t words, bool backwards)
{
    Party *p = party(words);
    Workers *team = workers_new(threads);
    Table single;
    uint64_t first[WORDS] = {0}, seed = 7 * words + (uint64_t)threads;
    cr_assert(team && table_init(&single, words));
    cr_assert_eq(table_put(&single, first, table_hash(&single, first)), 0);
    p->backwards = backwards;
    for (int batch = 0; batch < 20; batch++) {
        invent(p, words, (uint64_t)500 << batch % 10, 0, &seed);
        look_up(p, team);
        expect_same(p, &single);
    }
    cr_assert_gt(p->grown, 5);
    for (int32_t id = 0; id < single.count; id++) { /* as a table they are as good as any */
        const uint64_t *state = single.state + (size_t)id * words;
        cr_assert_eq(table_find(&p->table, state, table_hash(&single, state)), id);
    }
    table_free(&single);
    workers_free(team);
    party_free(p);
}

Test(guests, get_the_numbers_of_one_thread)
{
    for (int32_t threads = 1; threads <= THREADS; threads++)
        for (size_t words = 1; words <= WORDS; words++)
            play(threads, words, false);
}

/* Whoever comes first by the clock. */
Test(guests, are_numbered_by_the_order_of_visits)
{
    for (int32_t threads = 1; threads <= THREADS; threads++)
        play(threads, 2, true);
}

/* All of one hash: buckets overflow, and the last one into the first. */
Test(guests, collisions_are_told_apart)
{
    for (int round = 0; round < 50; round++) {
        Party *p = party(1);
        Workers *team = workers_new(THREADS);
        uint64_t seed = 100 + (uint64_t)round;
        Table single;
        cr_assert(team && table_init(&single, 1));
        cr_assert_eq(table_put(&single, (uint64_t[]){0}, table_hash(&single, (uint64_t[]){0})), 0);
        invent(p, 1, 60, UINT32_MAX, &seed);
        for (int32_t v = 0; v < VISITS; v++)
            for (int32_t i = 0; i < p->count[v]; i++)
                p->states[v][i] += 1; /* state 0 has another hash */
        look_up(p, team);
        cr_assert_eq(p->grown, 0);
        expect_same(p, &single);
        table_free(&single);
        workers_free(team);
        party_free(p);
    }
}
