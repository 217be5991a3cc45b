/* Checks of registrations. */
#include <stdlib.h>
#include <string.h>

#include "conform.h"

static void different_addresses(void)
{
    int x[8] = {0}, *mine = &x[bsp_pid() % 8], value = 11;
    area(mine, sizeof *mine);
    bsp_put(right(), &value, mine, 0, sizeof value);
    bsp_sync();
    for (int i = 0; i < 8; i++)
        EXPECT(x[i] == (i == bsp_pid() % 8 ? 11 : 0));
    done(mine);
}

static void different_sizes(void)
{
    int p = bsp_nprocs(), *x = calloc((size_t)p + 1, sizeof *x), value = bsp_pid() + 1;
    area(x, (bsp_pid() + 1) * (int)sizeof *x);
    for (int q = 0; q < p; q++)
        bsp_put(q, &value, x, q * (int)sizeof *x, sizeof value); /* its last element */
    bsp_sync();
    EXPECT(x[bsp_pid()] >= 1 && x[bsp_pid()] <= p && x[bsp_pid() + 1] == 0);
    done(x);
    free(x);
}

static void newest_registration_counts(void)
{
    int x[2] = {0, 0}, value = 5;
    area(x, sizeof *x);
    area(x, sizeof x);
    bsp_put(right(), &value, x, sizeof *x, sizeof value); /* beyond the older one */
    bsp_sync();
    EXPECT(x[1] == 5);
    done(x);
    bsp_put(right(), &value, x, 0, sizeof value);
    bsp_sync();
    EXPECT(x[0] == 5);
    done(x);
}

static void newest_of_one_superstep_counts(void)
{
    int x[2] = {0, 0}, value = 5;
    bsp_push_reg(x, 0);
    bsp_push_reg(x, sizeof x);
    bsp_sync();
    bsp_put(right(), &value, x, sizeof *x, sizeof value);
    bsp_sync();
    EXPECT(x[1] == 5);
    bsp_pop_reg(x);
    done(x);
}

static void pop_holds_from_next_superstep(void)
{
    int x = 0, value = 5;
    area(&x, sizeof x);
    bsp_pop_reg(&x);
    bsp_put(right(), &value, &x, 0, sizeof x);
    bsp_sync();
    EXPECT(x == 5);
}

static void pop_and_push_again(void)
{
    int x[2] = {0, 0}, value = 5;
    area(x, sizeof *x);
    bsp_pop_reg(x);
    bsp_push_reg(x, sizeof x);
    bsp_sync();
    bsp_put(right(), &value, x, sizeof *x, sizeof value);
    bsp_sync();
    EXPECT(x[1] == 5);
    done(x);
}

static void push_and_pop_in_one_superstep(void)
{
    int x = 0, y = 0, value = 5;
    bsp_push_reg(&x, sizeof x);
    bsp_push_reg(&y, sizeof y);
    bsp_pop_reg(&x);
    bsp_sync();
    bsp_put(right(), &value, &y, 0, sizeof y);
    bsp_sync();
    EXPECT(y == 5);
    done(&y);
}

static void push_pop_push(void)
{
    int x[2] = {0, 0}, value = 5;
    bsp_push_reg(x, 0);
    bsp_pop_reg(x);
    bsp_push_reg(x, sizeof x);
    bsp_sync();
    bsp_put(right(), &value, x, sizeof *x, sizeof value);
    bsp_sync();
    EXPECT(x[1] == 5);
    done(x);
}

/* Pops need not be in the opposite order of pushes. */
static void pops_in_any_order(void)
{
    int x = 0, y = 0, z = 0, value = 5;
    bsp_push_reg(&x, sizeof x);
    bsp_push_reg(&y, sizeof y);
    area(&z, sizeof z);
    bsp_pop_reg(&y);
    bsp_sync();
    bsp_put(right(), &value, &x, 0, sizeof x);
    bsp_put(right(), &value, &z, 0, sizeof z);
    bsp_sync();
    EXPECT(x == 5 && y == 0 && z == 5);
    bsp_pop_reg(&x);
    done(&z);
}

static void two_pops_of_one_address(void)
{
    int x = 0, value = 5;
    area(&x, 0);
    area(&x, sizeof x);
    area(&x, 0);
    bsp_pop_reg(&x);
    bsp_sync();
    bsp_put(right(), &value, &x, 0, sizeof x);
    bsp_sync();
    EXPECT(x == 5);
    bsp_pop_reg(&x);
    bsp_pop_reg(&x);
    bsp_sync();
}

static void null_takes_no_part(void)
{
    int x = 0, value = 5, gives = bsp_pid() % 2 == 0;
    /* Odd processes give nothing, but reach the others' by an address of their own with size 0. */
    area(&x, gives ? (int)sizeof x : 0);
    if (right() % 2 == 0)
        bsp_put(right(), &value, &x, 0, sizeof x);
    bsp_sync();
    EXPECT(x == (gives && bsp_nprocs() > 0 ? 5 : 0));
    done(&x);
}

static void null_on_some(void)
{
    int x = 0, value = 5;
    void *mine = bsp_pid() == 0 ? &x : NULL;
    area(mine, bsp_pid() == 0 ? (int)sizeof x : 0);
    if (bsp_pid() == 0)
        bsp_put(0, &value, &x, 0, sizeof x);
    bsp_sync();
    EXPECT(x == (bsp_pid() == 0 ? 5 : 0));
    done(mine);
}

static void null_everywhere(void)
{
    bsp_push_reg(NULL, 0);
    bsp_sync();
    done(NULL);
    bsp_push_reg(NULL, 0);
    bsp_pop_reg(NULL);
    bsp_sync();
    EXPECT(1);
}

static void null_and_others(void)
{
    int x = 0;
    const void *mine = bsp_pid() ? &x : NULL;
    bsp_push_reg(NULL, 0);
    bsp_push_reg(mine, 0);
    bsp_sync();
    bsp_pop_reg(NULL); /* by all: the first one */
    bsp_sync();
    done(bsp_nprocs() > 1 ? mine : NULL);
    EXPECT(1);
}

static void null_in_turn(void)
{
    int x = 0, y = 0, value = 5, p = bsp_nprocs();
    void *first = bsp_pid() == 0 ? &x : NULL, *second = bsp_pid() == p - 1 ? &y : NULL;
    bsp_push_reg(first, first ? (int)sizeof x : 0);
    bsp_push_reg(second, second ? (int)sizeof y : 0);
    bsp_sync();
    if (first)
        bsp_put(0, &value, &x, 0, sizeof x);
    if (second)
        bsp_put(p - 1, &value, &y, 0, sizeof y);
    bsp_sync();
    EXPECT(x == (first ? 5 : 0) && y == (second ? 5 : 0));
    bsp_pop_reg(second);
    bsp_sync();
    done(first);
}

static void many_registrations(void)
{
    enum { COUNT = 500 };
    int x[COUNT] = {0}, wrong = 0;
    for (int i = 0; i < COUNT; i++)
        bsp_push_reg(&x[i], sizeof *x);
    bsp_sync();
    for (int i = 0; i < COUNT; i++) {
        int value = i + bsp_pid();
        bsp_put(right(), &value, &x[i], 0, sizeof *x);
    }
    bsp_sync();
    for (int i = 0; i < COUNT; i++)
        wrong += x[i] != i + left();
    EXPECT(wrong == 0);
    for (int i = 0; i < COUNT; i += 2)
        bsp_pop_reg(&x[i]);
    bsp_sync();
    for (int i = 1; i < COUNT; i += 2) {
        int value = -i;
        bsp_put(right(), &value, &x[i], 0, sizeof *x);
    }
    bsp_sync();
    for (int i = 0; i < COUNT; i++)
        wrong += x[i] != (i % 2 ? -i : i + left());
    EXPECT(wrong == 0);
    for (int i = 1; i < COUNT; i += 2)
        bsp_pop_reg(&x[i]);
    bsp_sync();
}

static void registration_again_and_again(void)
{
    for (int i = 0; i < 300; i++) {
        int x = -1;
        area(&x, sizeof x);
        bsp_put(right(), &i, &x, 0, sizeof x);
        bsp_pop_reg(&x);
        bsp_sync();
        EXPECT(x == i);
    }
}

/* An area need not be what lies at its start. */
static void area_within_another(void)
{
    char x[8] = "abcdefg", z = 'z', y = 'y';
    bsp_push_reg(x, sizeof x);
    area(x + 2, 2);
    bsp_put(right(), &z, x + 2, 1, 1);
    bsp_put(right(), &y, x, 4, 1);
    bsp_sync();
    EXPECT(strcmp(x, "abczyfg") == 0);
    bsp_pop_reg(x + 2);
    done(x);
}

static void reverse_of_the_paper(void)
{
    int x = bsp_pid(), p = bsp_nprocs();
    bsp_push_reg(&x, sizeof x);
    bsp_sync();
    bsp_put(p - bsp_pid() - 1, &x, &x, 0, sizeof x);
    bsp_pop_reg(&x);
    bsp_sync();
    EXPECT(x == p - 1 - bsp_pid());
}

static void prefix_sums(void)
{
    int p = bsp_nprocs(), before = 0, sum = bsp_pid() + 1;
    area(&before, sizeof before);
    for (int distance = 1; distance < p; distance *= 2) {
        before = 0;
        bsp_sync();
        if (bsp_pid() + distance < p)
            bsp_put(bsp_pid() + distance, &sum, &before, 0, sizeof sum);
        bsp_sync();
        sum += before;
    }
    EXPECT(sum == (bsp_pid() + 1) * (bsp_pid() + 2) / 2);
    done(&before);
}

const Check register_checks[] = {CHECK(different_addresses),
                                 CHECK(different_sizes),
                                 CHECK(newest_registration_counts),
                                 CHECK(newest_of_one_superstep_counts),
                                 CHECK(pop_holds_from_next_superstep),
                                 CHECK(pop_and_push_again),
                                 CHECK(push_and_pop_in_one_superstep),
                                 CHECK(push_pop_push),
                                 CHECK(pops_in_any_order),
                                 CHECK(two_pops_of_one_address),
                                 CHECK(null_takes_no_part),
                                 CHECK(null_on_some),
                                 CHECK(null_everywhere),
                                 CHECK(null_and_others),
                                 CHECK(null_in_turn),
                                 CHECK(many_registrations),
                                 CHECK(registration_again_and_again),
                                 CHECK(area_within_another),
                                 CHECK(reverse_of_the_paper),
                                 CHECK(prefix_sums),
                                 {0}};
