/* States that many threads look up at once get the numbers that they get one by one. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "base/workers.h"
#include "ctmc/explore/concurrent_table.h"

enum { SEQUENCES = 12, MOST = 400, THREADS = 4, WORDS = 3 };

/* Sequences of lookups, and the slots of the threads that make them. */
typedef struct {
    Table table;
    ConcurrentTable ctable;
    SlotRange ranges[THREADS];
    Lookups lookups[SEQUENCES];
    uint64_t states[SEQUENCES][MOST * WORDS];
    uint32_t hashes[SEQUENCES][MOST];
    int32_t ids[SEQUENCES][MOST], firsts[SEQUENCES][MOST], count[SEQUENCES], first[SEQUENCES];
    bool done[SEQUENCES], backwards;
    int32_t grown;
} Fixture;

static void look_up_sequence(void *user, int32_t index, int32_t worker)
{
    Fixture *p = user;
    int32_t v = p->backwards ? SEQUENCES - 1 - index : index;
    if (!p->done[v])
        p->done[v] = ctable_look_up(&p->ctable, &p->ranges[worker], p->lookups, v, p->states[v],
                                    p->hashes[v], p->count[v], p->ids[v]);
}

static void refill(void *user, int32_t slice, int32_t worker)
{
    Fixture *p = user;
    int32_t all = p->ctable.taken + p->table.count;
    (void)worker;
    ctable_refill(&p->ctable, all * slice / THREADS - p->ctable.taken,
                  all * (slice + 1) / THREADS - p->ctable.taken);
}

static void touch(void *user, int32_t slice, int32_t worker)
{
    (void)worker;
    ctable_touch(&((Fixture *)user)->ctable, slice, THREADS);
}

static void reserve_slots(Fixture *p, Workers *team, int32_t slots)
{
    cr_assert(ctable_reserve(&p->ctable, slots));
    while (p->table.count + slots > p->table.most) {
        cr_assert(table_renew(&p->table, table_next(&p->table)));
        workers_run(team, THREADS, touch, p);
        workers_run(team, THREADS, refill, p);
        p->grown++;
    }
}

static bool all_done(const Fixture *p)
{
    int32_t v = 0;
    while (v < SEQUENCES && p->done[v])
        v++;
    return v == SEQUENCES;
}

static void number(void *user, int32_t v, int32_t worker)
{
    Fixture *p = user;
    (void)worker;
    ctable_number(&p->ctable, p->lookups, v, p->ids[v], p->first[v]);
}

/* Look all up by so many threads, beginning with few slots; then number what is new. */
static void look_up(Fixture *p, Workers *team)
{
    int32_t slots = 5;
    p->ctable.taken = 0;
    for (int32_t v = 0; v < SEQUENCES; v++) {
        p->lookups[v] = (Lookups){.firsts = p->firsts[v]};
        p->done[v] = false;
    }
    memset(p->ranges, 0, sizeof p->ranges);
    for (; reserve_slots(p, team, slots), workers_run(team, SEQUENCES, look_up_sequence, p),
           !all_done(p);
         slots *= 2)
        ;
    int32_t all = p->table.count;
    for (int32_t v = 0; v < SEQUENCES; all += ctable_added(&p->lookups[v++]))
        p->first[v] = all;
    cr_assert(table_reserve(&p->table, (size_t)all));
    workers_run(team, SEQUENCES, number, p);
    p->table.count = all;
}

static int32_t id_of(const Fixture *p, int32_t v, int32_t i)
{
    int32_t id = p->ids[v][i];
    return id < 0 ? p->ctable.number[-1 - id] : id;
}

static uint64_t next_random(uint64_t *seed)
{
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return *seed >> 33;
}

/* States of which many come more than once; hash: of all of them, 0 for the right ones. */
static void invent(Fixture *p, size_t words, uint64_t kinds, uint32_t hash, uint64_t *seed)
{
    for (int32_t v = 0; v < SEQUENCES; v++) {
        p->count[v] = (int32_t)(next_random(seed) % (MOST + 1)) * (v % 5 != 3);
        for (int32_t i = 0; i < p->count[v]; i++) {
            uint64_t *state = p->states[v] + (size_t)i * words, what = next_random(seed) % kinds;
            for (size_t w = 0; w < words; w++)
                state[w] = w % 2 ? ~what : what << 20;
            p->hashes[v][i] = hash ? hash : table_hash(&p->table, state);
        }
    }
}

static Fixture *fixture(size_t words)
{
    Fixture *p = calloc(1, sizeof *p);
    uint64_t first[WORDS] = {0};
    cr_assert(p && table_init(&p->table, words));
    p->ctable = (ConcurrentTable){.table = &p->table, .at_a_time = 2};
    cr_assert_eq(table_put(&p->table, first, table_hash(&p->table, first)), 0);
    return p;
}

static void fixture_free(Fixture *p)
{
    ctable_free(&p->ctable);
    table_free(&p->table);
    free(p);
}

static void expect_same(const Fixture *p, Table *single)
{
    size_t words = p->table.words;
    for (int32_t v = 0; v < SEQUENCES; v++)
        for (int32_t i = 0; i < p->count[v]; i++)
            cr_assert_eq(id_of(p, v, i),
                         table_put(single, p->states[v] + (size_t)i * words, p->hashes[v][i]));
    cr_assert_eq(p->table.count, single->count);
    cr_assert_arr_eq(p->table.state, single->state,
                     (size_t)single->count * words * sizeof *single->state);
}

static void expect_numbers_of_one_thread(int32_t threads, size_t words, bool backwards)
{
    Fixture *p = fixture(words);
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
    fixture_free(p);
}

Test(concurrent_table, gives_the_numbers_of_one_thread)
{
    for (int32_t threads = 1; threads <= THREADS; threads++)
        for (size_t words = 1; words <= WORDS; words++)
            expect_numbers_of_one_thread(threads, words, false);
}

/* Whichever thread comes first by the clock. */
Test(concurrent_table, numbers_by_the_order_of_sequences)
{
    for (int32_t threads = 1; threads <= THREADS; threads++)
        expect_numbers_of_one_thread(threads, 2, true);
}

/* All of one hash: buckets overflow, and the last one into the first. */
Test(concurrent_table, collisions_are_told_apart)
{
    for (int round = 0; round < 50; round++) {
        Fixture *p = fixture(1);
        Workers *team = workers_new(THREADS);
        uint64_t seed = 100 + (uint64_t)round;
        Table single;
        cr_assert(team && table_init(&single, 1));
        cr_assert_eq(table_put(&single, (uint64_t[]){0}, table_hash(&single, (uint64_t[]){0})), 0);
        invent(p, 1, 60, UINT32_MAX, &seed);
        for (int32_t v = 0; v < SEQUENCES; v++)
            for (int32_t i = 0; i < p->count[v]; i++)
                p->states[v][i] += 1; /* state 0 has another hash */
        look_up(p, team);
        cr_assert_eq(p->grown, 0);
        expect_same(p, &single);
        table_free(&single);
        workers_free(team);
        fixture_free(p);
    }
}
