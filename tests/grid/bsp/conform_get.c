/* Checks of gets. */
#include <stdlib.h>
#include <string.h>

#include "conform.h"

typedef void Get(int, const void *, int, void *, int);

static void get_ring_by(Get *get)
{
    int x = bsp_pid(), got = -1;
    area(&x, sizeof x);
    get(right(), &x, 0, &got, sizeof x);
    EXPECT(got == -1);
    bsp_sync();
    EXPECT(got == right() && x == bsp_pid());
    done(&x);
}

static void get_ring(void)
{
    int x = bsp_pid(), got = -1;
    get_ring_by(bsp_get);
    area(&x, sizeof x);
    bsp_get(left(), &x, 0, &got, sizeof x);
    bsp_sync();
    EXPECT(got == left());
    done(&x);
}

static void hpget_ring(void)
{
    int x = bsp_pid(), got = -1;
    area(&x, sizeof x);
    bsp_hpget(right(), &x, 0, &got, sizeof x);
    bsp_sync();
    EXPECT(got == right());
    done(&x);
}

static void get_reads_at_sync(void)
{
    int x = 1, got = 0;
    area(&x, sizeof x);
    bsp_get(right(), &x, 0, &got, sizeof x);
    x = 2;
    bsp_sync();
    EXPECT(got == 2);
    done(&x);
}

static void get_from_self(void)
{
    int x = 4, got = 0;
    area(&x, sizeof x);
    bsp_get(bsp_pid(), &x, 0, &got, sizeof x);
    x = 5;
    EXPECT(got == 0);
    bsp_sync();
    EXPECT(got == 5);
    done(&x);
}

static void get_before_put(void)
{
    int x = bsp_pid(), got = -1, hundred = 100;
    area(&x, sizeof x);
    bsp_put(right(), &hundred, &x, 0, sizeof x);
    bsp_get(right(), &x, 0, &got, sizeof x);
    bsp_sync();
    EXPECT(got == right() && x == 100);
    done(&x);
}

/* A get writes where a put writes afterwards. */
static void get_then_put_same_place(void)
{
    int x = bsp_pid(), y = -1, hundred = 100;
    bsp_push_reg(&x, sizeof x);
    area(&y, sizeof y);
    bsp_get(right(), &x, 0, &y, sizeof y);
    bsp_put(right(), &hundred, &y, 0, sizeof y);
    bsp_sync();
    EXPECT(y == 100);
    bsp_pop_reg(&x);
    done(&y);
}

/* What is read is what was there before any get wrote. */
static void gets_swap(void)
{
    int x = bsp_pid(), p = bsp_nprocs();
    area(&x, sizeof x);
    bsp_get(p - 1 - bsp_pid(), &x, 0, &x, sizeof x);
    bsp_sync();
    EXPECT(x == p - 1 - bsp_pid());
    done(&x);
}

static void gets_rotate(void)
{
    int x[3] = {bsp_pid(), bsp_pid() + 100, bsp_pid() + 200};
    area(x, sizeof x);
    for (int i = 0; i < 3; i++)
        bsp_get(right(), x, i * (int)sizeof *x, &x[(i + 1) % 3], sizeof *x);
    bsp_sync();
    EXPECT(x[1] == right() && x[2] == right() + 100 && x[0] == right() + 200);
    done(x);
}

static void get_sizes(void)
{
    enum { MOST = 70 };
    unsigned char x[MOST], got[MOST + 2];
    for (int i = 0; i < MOST; i++)
        x[i] = (unsigned char)(3 * i + bsp_pid());
    area(x, sizeof x);
    for (int size = 1; size <= MOST; size++) {
        memset(got, 0xEE, sizeof got);
        bsp_get(right(), x, MOST - size, got + 1, size);
        bsp_sync();
        int same = got[0] == 0xEE && got[size + 1] == 0xEE;
        for (int i = 0; i < size; i++)
            same &= got[i + 1] == (unsigned char)(3 * (MOST - size + i) + right());
        EXPECT(same);
    }
    done(x);
}

static void get_long_by(Get *get)
{
    enum { SIZE = 1000003 };
    unsigned char *x = malloc(SIZE), *got = calloc(1, SIZE);
    int same = 1;
    for (int i = 0; i < SIZE; i++)
        x[i] = (unsigned char)(i * 5 + bsp_pid());
    area(x, SIZE);
    get(right(), x, 0, got, SIZE);
    bsp_sync();
    for (int i = 0; i < SIZE; i++)
        same &= got[i] == (unsigned char)(i * 5 + right());
    EXPECT(same);
    done(x);
    free(x);
    free(got);
}

static void get_long(void)
{
    get_long_by(bsp_get);
}

static void hpget_long(void)
{
    get_long_by(bsp_hpget);
}

static void gets_of_all_sizes_mixed(void)
{
    enum { EACH = 300 };
    unsigned char x[EACH], got[EACH];
    int p = bsp_nprocs(), at = 0, wrong = 0;
    for (int i = 0; i < EACH; i++)
        x[i] = (unsigned char)(i ^ bsp_pid());
    area(x, sizeof x);
    for (int size = 1; at + size <= EACH; at += size, size = size % 13 + 1)
        bsp_get((bsp_pid() + size) % p, x, at, got + at, size);
    bsp_sync();
    at = 0;
    for (int size = 1; at + size <= EACH; at += size, size = size % 13 + 1)
        for (int i = at; i < at + size; i++)
            wrong += got[i] != (unsigned char)(i ^ ((bsp_pid() + size) % p));
    EXPECT(wrong == 0);
    done(x);
}

static void all_get_from_one(void)
{
    int x = 42 + bsp_pid(), got = 0;
    area(&x, sizeof x);
    bsp_get(0, &x, 0, &got, sizeof x);
    bsp_sync();
    EXPECT(got == 42);
    done(&x);
}

static void one_gets_from_all(void)
{
    int p = bsp_nprocs(), x = bsp_pid() * bsp_pid(), *got = calloc((size_t)p, sizeof *got);
    area(&x, sizeof x);
    for (int q = 0; q < p && bsp_pid() == p - 1; q++)
        bsp_get(q, &x, 0, &got[q], sizeof x);
    bsp_sync();
    for (int q = 0; q < p && bsp_pid() == p - 1; q++)
        EXPECT(got[q] == q * q);
    done(&x);
    free(got);
}

static void get_in_every_other_superstep(void)
{
    int x = 0, got = -1;
    area(&x, sizeof x);
    for (int round = 0; round < 20; round++) {
        x = round;
        if ((round + bsp_pid()) % 2)
            bsp_get(right(), &x, 0, &got, sizeof x);
        bsp_sync();
        EXPECT(!((round + bsp_pid()) % 2) || got == round);
        bsp_sync();
    }
    done(&x);
}

const Check get_checks[] = {CHECK(get_ring),
                            CHECK(hpget_ring),
                            CHECK(get_reads_at_sync),
                            CHECK(get_from_self),
                            CHECK(get_before_put),
                            CHECK(get_then_put_same_place),
                            CHECK(gets_swap),
                            CHECK(gets_rotate),
                            CHECK(get_sizes),
                            CHECK(get_long),
                            CHECK(hpget_long),
                            CHECK(gets_of_all_sizes_mixed),
                            CHECK(all_get_from_one),
                            CHECK(one_gets_from_all),
                            CHECK(get_in_every_other_superstep),
                            {0}};
