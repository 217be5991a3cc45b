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

/* Registrations that a process knows by their serial numbers only are not taken for addresses. */
Test(registry, serial_numbers_are_no_addresses)
{
    World w = world_new(2);
    for (int p = 0; p < 2; p++)
        cr_assert_eq(registry_push(&w.each[p], 1, 8), 0);
    cr_assert_eq(registry_push(&w.each[0], 0, 0), 0); /* has the serial number 1 */
    cr_assert_eq(registry_push(&w.each[1], 2, 8), 0);
    cr_assert_eq(sync_all(&w).what, MISMATCH_NONE);
    const Area *areas = registry_find(&w.each[0], 1);
    cr_expect(areas[0].address == 1 && areas[1].address == 1);
    world_free(&w);
}

/* One that gives NULL where it had registered an address is named. */
Test(registry, null_for_an_address)
{
    for (int liar = 0; liar < 2; liar++) {
        World w = world_new(2);
        push_all(&w, 1, 8);
        cr_assert_eq(sync_all(&w).what, MISMATCH_NONE);
        cr_assert_eq(registry_pop(&w.each[liar], 0), 0);
        cr_assert_eq(registry_pop(&w.each[1 - liar], at(1 - liar, 1)), 0);
        Mismatch found = sync_all(&w);
        cr_expect_eq(found.what, MISMATCH_SERIAL);
        cr_expect(found.first == 1 - liar && found.other == liar);
        world_free(&w);
    }
}

/* A registration as each process named it, in the reference model below. */
typedef struct {
    uint64_t place[2]; /* 0: NULL */
    size_t size;
} Named;

/* Index of the newest with these places, of each process if it is not NULL; -1: none.  That of all
 * that are not NULL has to be the same one. */
static int newest(const Named *list, int count, const uint64_t *place)
{
    int each[2] = {-1, -1};
    for (int p = 0; p < 2; p++)
        for (int i = 0; i < count; i++)
            if (place[p] != 0 && list[i].place[p] == place[p])
                each[p] = i;
    if (place[0] == 0 && place[1] == 0)
        for (int i = 0; i < count; i++)
            if (list[i].place[0] == 0 && list[i].place[1] == 0)
                each[0] = each[1] = i;
    return place[0] == 0 && each[1] >= 0 ? each[1] : each[0];
}

static void change_both(World *w, const uint64_t *place, size_t size)
{
    for (int p = 0; p < 2; p++) {
        uint64_t address = place[p] ? at(p, place[p]) : 0;
        size_t mine = place[p] ? size + (size_t)p : 0;
        cr_assert_eq(size ? registry_push(&w->each[p], address, mine)
                          : registry_pop(&w->each[p], address),
                     0);
    }
}

/* What both processes find for each of their places, against the list. */
static void compare_with(World *w, const Named *list, int count, uint64_t places)
{
    for (int p = 0; p < 2; p++)
        for (uint64_t k = 1; k < places; k++) {
            int i = count - 1;
            while (i >= 0 && list[i].place[p] != k)
                i--;
            const Area *areas = registry_find(&w->each[p], at(p, k));
            cr_assert_eq(areas != NULL, i >= 0);
            for (int q = 0; q < 2 && i >= 0; q++) {
                uint64_t place = list[i].place[q];
                cr_assert_eq(areas[q].address, place ? at(q, place) : 0);
                cr_assert_eq(areas[q].size, place ? list[i].size + (size_t)q : 0);
            }
        }
}

/* Stacks of one address that differ between processes, NULL on some and on all, pushes and pops in the
 * same superstep, deep and shallow: against a list that is searched from its end. */
Test(registry, stacks_of_different_addresses_with_null)
{
    enum { STEPS = 6000, PLACES = 4 };
    static Named list[STEPS];
    World w = world_new(2);
    int count = 0;
    srand(11);
    for (int step = 1; step <= STEPS; step++) {
        int popping = step / 1000 % 2 ? 7 : 4; /* deeper, then shallower */
        Named one = {{(uint64_t)(rand() % PLACES), (uint64_t)(rand() % PLACES)}, (size_t)step};
        if (count > 0 && rand() % 10 < popping) {
            Named old = list[rand() % count];
            int i = newest(list, count, old.place);
            /* Where both name it by an address, it has to be the newest of both. */
            int agreed = i >= 0;
            for (int j = i + 1; j < count && agreed; j++)
                for (int p = 0; p < 2; p++)
                    agreed &= old.place[p] == 0 || list[j].place[p] != old.place[p];
            for (int p = 0; p < 2 && agreed; p++)
                agreed = list[i].place[p] == old.place[p];
            if (agreed) {
                change_both(&w, old.place, 0);
                for (count--; i < count; i++)
                    list[i] = list[i + 1];
            }
        } else {
            change_both(&w, one.place, one.size);
            list[count++] = one;
        }
        if (rand() % 8 == 0) {
            cr_assert_eq(sync_all(&w).what, MISMATCH_NONE, "step %d", step);
            compare_with(&w, list, count, PLACES);
        }
    }
    world_free(&w);
}

/* Very many, of one address and of different ones: all are found again, and removed in any order. */
Test(registry, many)
{
    enum { MANY = 2000 };
    World w = world_new(2);
    for (size_t i = 1; i <= MANY; i++) {
        push_all(&w, 5000 + i, i);
        push_all(&w, 7, i);
    }
    cr_assert_eq(sync_all(&w).what, MISMATCH_NONE);
    for (size_t i = 1; i <= MANY; i++)
        cr_assert_eq(registry_find(&w.each[0], at(0, 5000 + i))[1].size, i);
    for (size_t i = MANY; i > 0; i--) {
        pop_all(&w, 7);
        pop_all(&w, 5000 + (i * 37) % MANY + 1);
        if (i % 100 != 1)
            continue;
        cr_assert_eq(sync_all(&w).what, MISMATCH_NONE);
        const Area *areas = registry_find(&w.each[1], at(1, 7));
        cr_assert_eq(areas != NULL, i > 1);
        cr_assert(i == 1 || areas[0].size == i - 1);
    }
    for (size_t i = 1; i <= MANY; i++)
        cr_assert_null(registry_find(&w.each[0], at(0, 5000 + i)));
    world_free(&w);
}
