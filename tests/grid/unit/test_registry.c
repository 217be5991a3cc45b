/* Registrations of BSPlib: several registries, one per process, against lists that are searched from
 * their end. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "grid/bsp/registry.h"

enum { MOST = 4 };

typedef struct {
    int nprocs;
    Registry each[MOST];
} World;

static World world_new(int nprocs)
{
    World w = {.nprocs = nprocs};
    for (int p = 0; p < nprocs; p++)
        cr_assert_eq(registry_new(&w.each[p], nprocs, p), 0);
    return w;
}

static void world_free(World *w)
{
    for (int p = 0; p < w->nprocs; p++)
        registry_free(&w->each[p]);
}

/* The end of a superstep; what the first process finds, the same as all find. */
static Mismatch sync_all(World *w)
{
    GridBuffer copies[MOST] = {{0}};
    const Change *changes[MOST];
    size_t counts[MOST];
    Mismatch first = {0};
    for (int p = 0; p < w->nprocs; p++) {
        buffer_swap(&copies[p], &w->each[p].changes);
        changes[p] = (const Change *)(const void *)copies[p].bytes;
        counts[p] = copies[p].size / sizeof(Change);
    }
    for (int p = 0; p < w->nprocs; p++) {
        Mismatch found = registry_apply(&w->each[p], changes, counts);
        if (p == 0)
            first = found;
        cr_assert_eq(found.what, first.what);
    }
    for (int p = 0; p < w->nprocs; p++)
        grid_buffer_free(&copies[p]);
    return first;
}

/* Addresses of process p are 1000 p + place. */
static uint64_t at(int process, uint64_t place)
{
    return 1000 * (uint64_t)(process + 1) + place;
}

static void push_all(World *w, uint64_t place, size_t size)
{
    for (int p = 0; p < w->nprocs; p++)
        cr_assert_eq(registry_push(&w->each[p], at(p, place), size), 0);
}

static void pop_all(World *w, uint64_t place)
{
    for (int p = 0; p < w->nprocs; p++)
        cr_assert_eq(registry_pop(&w->each[p], at(p, place)), 0);
}

Test(registry, knows_the_addresses_of_all)
{
    World w = world_new(3);
    push_all(&w, 8, 16);
    cr_assert_null(registry_find(&w.each[0], at(0, 8)));
    cr_assert_eq(sync_all(&w).what, MISMATCH_NONE);
    for (int p = 0; p < 3; p++) {
        const Area *areas = registry_find(&w.each[p], at(p, 8));
        cr_assert_not_null(areas);
        for (int q = 0; q < 3; q++)
            cr_expect(areas[q].address == at(q, 8) && areas[q].size == 16);
        cr_expect_eq(registry_find(&w.each[p], at(p, 8)), areas);
        cr_expect_null(registry_find(&w.each[p], at(p, 9)));
        cr_expect_null(registry_find(&w.each[p], 0));
    }
    world_free(&w);
}

/* Random pushes and pops of few addresses; a list of (place, size) in the order of the calls. */
Test(registry, newest_counts)
{
    enum { STEPS = 3000, PLACES = 150 };
    struct {
        uint64_t place;
        size_t size;
    } list[STEPS];
    World w = world_new(2);
    size_t count = 0;
    unsigned state = 1;
    for (int step = 1; step <= STEPS; step++) {
        state = state * 1103515245u + 12345u;
        uint64_t place = state / 65536 % PLACES;
        size_t i = count;
        while (i > 0 && list[i - 1].place != place)
            i--;
        if (state / 7 % 5 < 2 && i > 0) {
            pop_all(&w, place);
            for (count--; i <= count; i++)
                list[i - 1] = list[i];
        } else {
            push_all(&w, place, (size_t)step);
            list[count].place = place, list[count++].size = (size_t)step;
        }
        if (step % 3)
            continue;
        cr_assert_eq(sync_all(&w).what, MISMATCH_NONE);
        for (uint64_t k = 0; k < PLACES; k++) {
            for (i = count; i > 0 && list[i - 1].place != k;)
                i--;
            const Area *areas = registry_find(&w.each[1], at(1, k));
            cr_assert_eq(areas != NULL, i > 0, "step %d, place %d", step, (int)k);
            cr_assert(i == 0 ||
                      (areas[0].size == list[i - 1].size && areas[1].address == at(1, k)));
        }
    }
    world_free(&w);
}

Test(registry, pop_of_what_is_not_there)
{
    World w = world_new(1);
    cr_expect_eq(registry_pop(&w.each[0], 5), -2);
    push_all(&w, 5, 1);
    pop_all(&w, 5);
    cr_expect_eq(registry_pop(&w.each[0], at(0, 5)), -2);
    cr_expect_eq(sync_all(&w).what, MISMATCH_NONE);
    cr_expect_null(registry_find(&w.each[0], at(0, 5)));
    world_free(&w);
}

Test(registry, pop_of_one_superstep_takes_its_newest_push)
{
    World w = world_new(2);
    push_all(&w, 5, 1);
    push_all(&w, 5, 2);
    pop_all(&w, 5);
    cr_assert_eq(sync_all(&w).what, MISMATCH_NONE);
    cr_assert_eq(registry_find(&w.each[1], at(1, 5))[0].size, 1);
    world_free(&w);
}

/* Pushes and pops of few addresses in one superstep, against what is there when they are done one
 * after the other. */
Test(registry, changes_of_one_superstep_are_in_order)
{
    enum { PLACES = 3, CHANGES = 40, ROUNDS = 50 };
    srand(7);
    World w = world_new(2);
    for (int round = 0; round < ROUNDS; round++) {
        size_t sizes[PLACES][CHANGES], depth[PLACES] = {0};
        for (size_t i = 0; i < CHANGES; i++) {
            size_t place = (size_t)(rand() % PLACES);
            if (depth[place] > 0 && rand() % 2 == 0) {
                pop_all(&w, place + 1);
                depth[place]--;
            } else {
                push_all(&w, place + 1, i + 1);
                sizes[place][depth[place]++] = i + 1;
            }
            if (i == CHANGES / 2)
                cr_assert_eq(sync_all(&w).what, MISMATCH_NONE);
        }
        cr_assert_eq(sync_all(&w).what, MISMATCH_NONE);
        for (size_t place = 0; place < PLACES; place++) {
            while (depth[place] > 0) {
                const Area *areas = registry_find(&w.each[1], at(1, place + 1));
                cr_assert_eq(areas[0].size, sizes[place][--depth[place]]);
                pop_all(&w, place + 1);
                cr_assert_eq(sync_all(&w).what, MISMATCH_NONE);
            }
            cr_assert_null(registry_find(&w.each[1], at(1, place + 1)));
        }
    }
    world_free(&w);
}

Test(registry, mismatches)
{
    World w = world_new(2);
    cr_assert_eq(registry_push(&w.each[1], 8, 8), 0);
    Mismatch found = sync_all(&w);
    cr_expect(found.what == MISMATCH_COUNT && found.counts[0] == 0 && found.counts[1] == 1);
    cr_expect(!found.pops);
    push_all(&w, 1, 8);
    push_all(&w, 2, 8);
    cr_expect_eq(sync_all(&w).what, MISMATCH_NONE);
    cr_assert_eq(registry_pop(&w.each[0], at(0, 1)), 0);
    cr_assert_eq(registry_push(&w.each[1], at(1, 3), 8), 0);
    cr_expect_eq(sync_all(&w).what, MISMATCH_KIND);
    for (int one = 0; one < 2; one++) {
        push_all(&w, 4, 8);
        cr_assert_eq(registry_pop(&w.each[one], at(one, 4)), 0);
        found = sync_all(&w);
        cr_expect(found.what == MISMATCH_COUNT && found.counts[one] == 2 && found.pops);
    }
    world_free(&w);
}

Test(registry, different_registrations_popped)
{
    World w = world_new(3);
    push_all(&w, 1, 8);
    push_all(&w, 2, 8);
    cr_assert_eq(sync_all(&w).what, MISMATCH_NONE);
    for (int p = 0; p < 3; p++)
        cr_assert_eq(registry_pop(&w.each[p], at(p, p == 2 ? 2 : 1)), 0);
    Mismatch found = sync_all(&w);
    cr_expect(found.what == MISMATCH_SERIAL && found.first == 0 && found.other == 2);
    world_free(&w);
}

/* NULL on some: the others say which one; on all: the newest that is NULL on all. */
Test(registry, null)
{
    World w = world_new(2);
    cr_assert_eq(registry_push(&w.each[0], 0, 0), 0);
    cr_assert_eq(registry_push(&w.each[1], at(1, 1), 8), 0);
    for (int p = 0; p < 2; p++)
        cr_assert_eq(registry_push(&w.each[p], 0, 0), 0);
    cr_assert_eq(sync_all(&w).what, MISMATCH_NONE);
    for (int p = 0; p < 2; p++)
        cr_assert_eq(registry_pop(&w.each[p], 0), 0);
    cr_assert_eq(sync_all(&w).what, MISMATCH_NONE);
    cr_assert_not_null(registry_find(&w.each[1], at(1, 1)));
    cr_assert_eq(registry_pop(&w.each[0], 0), 0);
    cr_assert_eq(registry_pop(&w.each[1], at(1, 1)), 0);
    cr_assert_eq(sync_all(&w).what, MISMATCH_NONE);
    cr_assert_null(registry_find(&w.each[1], at(1, 1)));
    for (int p = 0; p < 2; p++)
        cr_assert_eq(registry_pop(&w.each[p], 0), 0);
    cr_expect_eq(sync_all(&w).what, MISMATCH_NULL);
    world_free(&w);
}
