/* Mistakes with registrations, puts and gets. */
#include "misuse.h"

#define PUT(name, ...)                                                                             \
    static void put_##name(void)                                                                   \
    {                                                                                              \
        if (is(1))                                                                                 \
            bsp_put(__VA_ARGS__);                                                                  \
    }                                                                                              \
    static void hpput_##name(void)                                                                 \
    {                                                                                              \
        if (is(1))                                                                                 \
            bsp_hpput(__VA_ARGS__);                                                                \
    }
#define GET(name, ...)                                                                             \
    static void get_##name(void)                                                                   \
    {                                                                                              \
        if (is(1))                                                                                 \
            bsp_get(__VA_ARGS__);                                                                  \
    }                                                                                              \
    static void hpget_##name(void)                                                                 \
    {                                                                                              \
        if (is(1))                                                                                 \
            bsp_hpget(__VA_ARGS__);                                                                \
    }
static int local[4];
PUT(offset, 0, y, x, -4, 4)
PUT(size, 0, y, x, 0, -4)
PUT(beyond, 0, y, x, 13, 4)
PUT(far, 0, y, x, 2147483647, 2147483647)
PUT(unregistered, 0, y, local, 0, 4)
PUT(null, 0, y, NULL, 0, 4)
PUT(source, 0, NULL, x, 0, 4)
PUT(pid, bsp_nprocs(), y, x, 0, 4)
PUT(negative_pid, -1, y, x, 0, 4)
PUT(inside, 0, y, x + 1, 0, 4)
GET(offset, 0, x, -4, y, 4)
GET(size, 0, x, 0, y, -4)
GET(beyond, 0, x, 13, y, 4)
GET(unregistered, 0, local, 0, y, 4)
GET(null, 0, NULL, 0, y, 4)
GET(destination, 0, x, 0, NULL, 4)
GET(pid, bsp_nprocs(), x, 0, y, 4)
GET(negative_pid, -1, x, 0, y, 4)

/* After a put to the same registration, which is remembered. */
static void put_word_beyond(void)
{
    if (is(1)) {
        bsp_put(0, y, x, 0, 8);
        bsp_put(0, y, x, 12, 8);
    }
}

/* Puts of numbers at equal distances, until one is wrong. */
static void put_run(int first, int distance)
{
    for (int i = 0; i < 9 && is(1); i++)
        bsp_put(0, y, x, first + i * distance, 8);
}

static void put_run_beyond(void)
{
    put_run(0, 2);
}

static void put_run_below(void)
{
    put_run(8, -3);
}

static void put_to_null(void)
{
    bsp_push_reg(is(0) ? NULL : local, is(0) ? 0 : sizeof local);
    bsp_sync();
    if (is(1))
        bsp_put(0, y, local, 0, 4);
}

static void get_from_null(void)
{
    bsp_push_reg(is(0) ? NULL : local, is(0) ? 0 : sizeof local);
    bsp_sync();
    if (is(1))
        bsp_get(0, local, 0, y, 4);
}

static void put_too_soon(void)
{
    bsp_push_reg(local, sizeof local);
    bsp_put(0, y, local, 0, 4);
}

static void put_after_pop(void)
{
    bsp_pop_reg(x);
    bsp_sync();
    bsp_put(0, y, x, 0, 4);
}

static void push_negative(void)
{
    if (is(1))
        bsp_push_reg(local, -1);
}

static void push_null(void)
{
    if (is(1))
        bsp_push_reg(NULL, 4);
}

static void push_on_some(void)
{
    if (is(1))
        bsp_push_reg(local, 4);
    bsp_sync();
}

static void push_twice_on_one(void)
{
    bsp_push_reg(local, 4);
    if (is(0))
        bsp_push_reg(local, 4);
    bsp_sync();
}

static void pop_on_some(void)
{
    if (is(0))
        bsp_pop_reg(x);
    bsp_sync();
}

static void pop_unregistered(void)
{
    if (is(1))
        bsp_pop_reg(local);
}

static void pop_twice(void)
{
    bsp_pop_reg(x);
    bsp_pop_reg(x);
}

static void pop_different(void)
{
    bsp_pop_reg(is(0) ? x : y);
    bsp_sync();
}

static void pop_in_different_orders(void)
{
    bsp_pop_reg(is(0) ? x : y);
    bsp_pop_reg(is(0) ? y : x);
    bsp_sync();
}

static void push_and_pop_in_different_orders(void)
{
    if (is(0)) {
        bsp_push_reg(local, 4);
        bsp_pop_reg(x);
    } else {
        bsp_pop_reg(x);
        bsp_push_reg(local, 4);
    }
    bsp_sync();
}

static void pop_null_never_registered(void)
{
    bsp_pop_reg(NULL);
    bsp_sync();
}

static void pop_null_of_others(void)
{
    bsp_push_reg(is(0) ? NULL : local, 0);
    bsp_push_reg(is(0) ? local : NULL, 0);
    bsp_pop_reg(NULL);
    bsp_sync();
}

static void pop_null_instead(void)
{
    bsp_pop_reg(is(0) ? x : NULL);
    bsp_sync();
}

const Misuse misuse_drma[] = {
    BOTH(put_offset),
    BOTH(put_size),
    BOTH(put_beyond),
    BOTH(put_far),
    BOTH(put_unregistered),
    BOTH(put_null),
    BOTH(put_source),
    BOTH(put_pid),
    BOTH(put_negative_pid),
    BOTH(put_inside),
    BOTH(get_offset),
    BOTH(get_size),
    BOTH(get_beyond),
    BOTH(get_unregistered),
    BOTH(get_null),
    BOTH(get_destination),
    BOTH(get_pid),
    BOTH(get_negative_pid),
    MISUSE(put_word_beyond),
    MISUSE(put_run_beyond),
    MISUSE(put_run_below),
    MISUSE(put_to_null),
    MISUSE(get_from_null),
    MISUSE(put_too_soon),
    MISUSE(put_after_pop),
    MISUSE(push_negative),
    MISUSE(push_null),
    MISUSE(push_on_some),
    MISUSE(push_twice_on_one),
    MISUSE(pop_on_some),
    MISUSE(pop_unregistered),
    MISUSE(pop_twice),
    MISUSE(pop_different),
    MISUSE(pop_in_different_orders),
    MISUSE(push_and_pop_in_different_orders),
    MISUSE(pop_null_never_registered),
    MISUSE(pop_null_of_others),
    MISUSE(pop_null_instead),
    {NULL, NULL},
};
