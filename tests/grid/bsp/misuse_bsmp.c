/* Mistakes with messages. */
#include "misuse.h"

static int size;
static void *pointer;

static void tagsize_null(void)
{
    if (is(1))
        bsp_set_tagsize(NULL);
}

static void tagsize_negative(void)
{
    size = -1;
    if (is(1))
        bsp_set_tagsize(&size);
}

static void tagsize_differs(void)
{
    size = is(0) ? 4 : 8;
    bsp_set_tagsize(&size);
    bsp_sync();
}

static void tagsize_on_some(void)
{
    size = 4;
    if (is(1))
        bsp_set_tagsize(&size);
    bsp_sync();
}

static void tagsize_more_often_on_some(void)
{
    size = 0;
    if (is(1))
        bsp_set_tagsize(&size);
    bsp_sync();
}

static void tags_of(int bytes)
{
    size = bytes;
    bsp_set_tagsize(&size);
    bsp_sync();
}

static void tagsize_twice_on_one(void)
{
    tags_of(4);
    for (int i = is(0) ? 0 : 1; i < 2; i++) {
        size = 4;
        bsp_set_tagsize(&size);
    }
    bsp_sync();
}

static void send_pid(void)
{
    if (is(1))
        bsp_send(bsp_nprocs(), NULL, NULL, 0);
}

static void send_negative_pid(void)
{
    if (is(1))
        bsp_send(-1, NULL, NULL, 0);
}

static void send_negative(void)
{
    if (is(1))
        bsp_send(0, NULL, x, -1);
}

static void send_null(void)
{
    if (is(1))
        bsp_send(0, NULL, NULL, 4);
}

static void send_null_tag(void)
{
    tags_of(4);
    if (is(1))
        bsp_send(0, NULL, x, 4);
}

static void qsize_null(void)
{
    if (is(1))
        bsp_qsize(NULL, &size);
}

static void qsize_null_bytes(void)
{
    if (is(1))
        bsp_qsize(&size, NULL);
}

static void get_tag_null_status(void)
{
    if (is(1))
        bsp_get_tag(NULL, x);
}

static void get_tag_null(void)
{
    tags_of(4);
    bsp_send(1, x, NULL, 0);
    bsp_sync();
    if (is(1))
        bsp_get_tag(&size, NULL);
}

static void move_nothing(void)
{
    if (is(1))
        bsp_move(x, 4);
}

static void move_negative(void)
{
    bsp_send(bsp_pid(), NULL, x, 4);
    bsp_sync();
    if (is(1))
        bsp_move(x, -4);
}

static void move_null(void)
{
    bsp_send(bsp_pid(), NULL, x, 4);
    bsp_sync();
    if (is(1))
        bsp_move(NULL, 4);
}

static void hpmove_null_tag(void)
{
    if (is(1))
        (void)bsp_hpmove(NULL, &pointer);
}

static void hpmove_null_payload(void)
{
    if (is(1))
        (void)bsp_hpmove(&pointer, NULL);
}

const Misuse misuse_bsmp[] = {
    MISUSE(tagsize_null),
    MISUSE(tagsize_negative),
    MISUSE(tagsize_differs),
    MISUSE(tagsize_on_some),
    MISUSE(tagsize_more_often_on_some),
    MISUSE(tagsize_twice_on_one),
    MISUSE(send_pid),
    MISUSE(send_negative_pid),
    MISUSE(send_negative),
    MISUSE(send_null),
    MISUSE(send_null_tag),
    MISUSE(qsize_null),
    MISUSE(qsize_null_bytes),
    MISUSE(get_tag_null_status),
    MISUSE(get_tag_null),
    MISUSE(move_nothing),
    MISUSE(move_negative),
    MISUSE(move_null),
    MISUSE(hpmove_null_tag),
    MISUSE(hpmove_null_payload),
    {NULL, NULL},
};
