/* Checks of registrations, puts and gets. */
#include <stdlib.h>
#include <string.h>

#include "conform.h"

static int right(void)
{
    return (bsp_pid() + 1) % bsp_nprocs();
}

static int left(void)
{
    return (bsp_pid() + bsp_nprocs() - 1) % bsp_nprocs();
}

/* Register one area of this process and let that take effect. */
static void area(void *address, int size)
{
    bsp_push_reg(address, size);
    bsp_sync();
}

static void done(const void *address)
{
    bsp_pop_reg(address);
    bsp_sync();
}

typedef void Put(int, const void *, void *, int, int);
typedef void Get(int, const void *, int, void *, int);

/* ---- puts ----------------------------------------------------------------------------------- */

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

/* ---- gets ----------------------------------------------------------------------------------- */

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

/* ---- registrations -------------------------------------------------------------------------- */

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

#define CHECK(name)                                                                                \
    {                                                                                              \
#name, name                                                                                \
    }
const Check drma_checks[] = {CHECK(put_ring),
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
                             CHECK(get_ring),
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
                             CHECK(different_addresses),
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
