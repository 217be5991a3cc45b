/* Checks of puts. */
#include <stdlib.h>
#include <string.h>

#include "conform.h"

typedef void Put(int, const void *, void *, int, int);

static void ring_by(Put *put)
{
    int x = -1, pid = bsp_pid();
    area(&x, sizeof x);
    put(right(), &pid, &x, 0, sizeof x);
    EXPECT(x == -1);
    bsp_sync();
    EXPECT(x == left());
    done(&x);
}

static void put_ring(void)
{
    ring_by(bsp_put);
}

static void hpput_ring(void)
{
    ring_by(bsp_hpput);
}

static void put_to_self(void)
{
    int x = 1, two = 2;
    area(&x, sizeof x);
    bsp_put(bsp_pid(), &two, &x, 0, sizeof x);
    EXPECT(x == 1);
    bsp_sync();
    EXPECT(x == 2);
    done(&x);
}

static void put_reads_at_call(void)
{
    int x = 0, source = 5;
    area(&x, sizeof x);
    bsp_put(right(), &source, &x, 0, sizeof x);
    source = 6;
    bsp_sync();
    EXPECT(x == 5);
    done(&x);
}

static void put_from_its_own_area(void)
{
    int x[2] = {bsp_pid(), -1};
    area(x, sizeof x);
    bsp_put(right(), x, x, sizeof *x, sizeof *x);
    bsp_sync();
    EXPECT(x[0] == bsp_pid() && x[1] == left());
    done(x);
}

static void put_swaps(void)
{
    int x = bsp_pid(), p = bsp_nprocs();
    area(&x, sizeof x);
    bsp_put(p - 1 - bsp_pid(), &x, &x, 0, sizeof x);
    bsp_sync();
    EXPECT(x == p - 1 - bsp_pid());
    done(&x);
}

static void put_offsets(void)
{
    int p = bsp_nprocs(), *x = malloc((size_t)p * sizeof *x), value = 100 + bsp_pid();
    for (int q = 0; q < p; q++)
        x[q] = -1;
    area(x, p * (int)sizeof *x);
    for (int q = 0; q < p; q++)
        bsp_put(q, &value, x, bsp_pid() * (int)sizeof *x, sizeof *x);
    bsp_sync();
    for (int q = 0; q < p; q++)
        EXPECT(x[q] == 100 + q);
    done(x);
    free(x);
}

static void put_last_byte(void)
{
    char x[7] = "abcdef", z = 'z';
    area(x, sizeof x - 1);
    bsp_put(right(), &z, x, 5, 1);
    bsp_sync();
    EXPECT(strcmp(x, "abcdez") == 0);
    done(x);
}

static void put_sizes_by(Put *put)
{
    enum { MOST = 70 };
    unsigned char x[MOST + 2], source[MOST];
    area(x, sizeof x);
    for (int size = 1; size <= MOST; size++) {
        memset(x, 0xEE, sizeof x);
        for (int i = 0; i < size; i++)
            source[i] = (unsigned char)(i + size + bsp_pid());
        bsp_sync();
        put(right(), source, x, 1, size);
        bsp_sync();
        int same = x[0] == 0xEE && x[size + 1] == 0xEE;
        for (int i = 0; i < size; i++)
            same &= x[i + 1] == (unsigned char)(i + size + left());
        EXPECT(same);
    }
    done(x);
}

static void put_sizes(void)
{
    put_sizes_by(bsp_put);
}

static void hpput_sizes(void)
{
    put_sizes_by(bsp_hpput);
}

/* Around the sizes at which transports change what they do. */
static void put_long_by(Put *put)
{
    /* With what goes with them, some of these just fill a first message, or a part after it. */
    static const unsigned sizes[] = {3952,   4096,   63928,  63936,  63944,   63952,
                                     127912, 127920, 127928, 200000, 1000003, 3000000};
    unsigned char *x = calloc(3000000, 1), *source = calloc(3000000, 1);
    area(x, 3000000);
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        int same = 1;
        for (unsigned i = 0; i < sizes[k]; i++)
            source[i] = (unsigned char)(i * 7 + (unsigned)bsp_pid() + k);
        memset(x, 0, sizes[k]);
        bsp_sync();
        put(right(), source, x, 0, (int)sizes[k]);
        bsp_sync();
        for (unsigned i = 0; i < sizes[k]; i++)
            same &= x[i] == (unsigned char)(i * 7 + (unsigned)left() + k);
        EXPECT(same);
    }
    done(x);
    free(x);
    free(source);
}

static void put_long(void)
{
    put_long_by(bsp_put);
}

static void hpput_long(void)
{
    put_long_by(bsp_hpput);
}

static void put_nothing(void)
{
    int x = 3;
    bsp_put(right(), NULL, &x, 0, 0); /* not registered, and of no size */
    bsp_hpput(right(), &x, NULL, 0, 0);
    bsp_get(right(), &x, 0, NULL, 0);
    bsp_hpget(right(), NULL, 0, &x, 0);
    bsp_put(99, NULL, NULL, -3, 0);
    bsp_hpput(-1, NULL, NULL, -3, 0);
    bsp_get(99, NULL, -3, NULL, 0);
    bsp_hpget(-1, NULL, -3, NULL, 0);
    bsp_sync();
    EXPECT(x == 3);
}

static void puts_overlap(void)
{
    int x = -1, pid = bsp_pid(), p = bsp_nprocs();
    area(&x, sizeof x);
    bsp_put(0, &pid, &x, 0, sizeof x);
    bsp_sync();
    EXPECT(bsp_pid() == 0 ? x >= 0 && x < p : x == -1);
    done(&x);
}

/* Whole puts in some order: each byte is from one of the two, and no third. */
static void puts_overlap_in_part(void)
{
    char x[8] = "", mine[4];
    memset(mine, 'a' + bsp_pid() % 2, sizeof mine);
    area(x, sizeof x);
    bsp_put(0, mine, x, 2 * (bsp_pid() % 2), sizeof mine);
    bsp_sync();
    if (bsp_pid() == 0 && bsp_nprocs() > 1) {
        EXPECT(x[0] == 'a' && x[1] == 'a' && x[4] == 'b' && x[5] == 'b' && x[6] == 0);
        EXPECT(x[2] == x[3] && (x[2] == 'a' || x[2] == 'b'));
    }
    done(x);
}

static void many_puts(void)
{
    enum { EACH = 2000 };
    int p = bsp_nprocs(), *x = calloc((size_t)(p * EACH), sizeof *x), wrong = 0;
    area(x, p * EACH * (int)sizeof *x);
    for (int q = 0; q < p; q++)
        for (int i = 0; i < EACH; i++) {
            int value = bsp_pid() * EACH + i;
            bsp_put(q, &value, x, value * (int)sizeof *x, sizeof *x);
        }
    bsp_sync();
    for (int i = 0; i < p * EACH; i++)
        wrong += x[i] != i;
    EXPECT(wrong == 0);
    done(x);
    free(x);
}

static void put_twice_same_place(void)
{
    int x = 0, a = 1, b = 2;
    area(&x, sizeof x);
    bsp_put(right(), &a, &x, 0, sizeof x);
    bsp_put(right(), &b, &x, 0, sizeof x);
    bsp_sync();
    EXPECT(x == 1 || x == 2);
    done(&x);
}

static void put_is_once(void)
{
    int x = 0, one = 1;
    area(&x, sizeof x);
    bsp_put(right(), &one, &x, 0, sizeof x);
    bsp_sync();
    EXPECT(x == 1);
    x = 7;
    bsp_sync();
    bsp_sync();
    EXPECT(x == 7);
    done(&x);
}

static void put_beats_local_write(void)
{
    int x = 0, one = 1;
    area(&x, sizeof x);
    bsp_put(right(), &one, &x, 0, sizeof x);
    x = 9;
    bsp_sync();
    EXPECT(x == 1);
    done(&x);
}

const Check put_checks[] = {CHECK(put_ring),
                            CHECK(hpput_ring),
                            CHECK(put_to_self),
                            CHECK(put_reads_at_call),
                            CHECK(put_from_its_own_area),
                            CHECK(put_swaps),
                            CHECK(put_offsets),
                            CHECK(put_last_byte),
                            CHECK(put_sizes),
                            CHECK(hpput_sizes),
                            CHECK(put_long),
                            CHECK(hpput_long),
                            CHECK(put_nothing),
                            CHECK(puts_overlap),
                            CHECK(puts_overlap_in_part),
                            CHECK(many_puts),
                            CHECK(put_twice_same_place),
                            CHECK(put_is_once),
                            CHECK(put_beats_local_write),
                            {0}};
