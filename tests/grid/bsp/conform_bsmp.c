/* Checks of messages. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "conform.h"

/* Tags of this size from the next superstep on. */
static void tags(int size)
{
    bsp_set_tagsize(&size);
    bsp_sync();
}

static void expect_queue(int messages, int bytes)
{
    int m = -1, b = -1;
    bsp_qsize(&m, &b);
    EXPECT(m == messages);
    EXPECT(b == bytes);
}

static void queue_is_empty_at_first(void)
{
    int status = 7;
    char tag = 'x';
    expect_queue(0, 0);
    bsp_get_tag(&status, &tag);
    EXPECT(status == -1 && tag == 'x');
}

/* Two messages of each process to each: those of the last process first, each one's in its order. */
static void messages_of_higher_pids_come_first(void)
{
    const int p = bsp_nprocs();
    for (int q = 0; q < p; q++)
        for (int i = 0; i < 3; i++) {
            const int payload = 3 * bsp_pid() + i;
            bsp_send(q, NULL, &payload, sizeof payload);
        }
    bsp_sync();
    for (int q = p - 1; q >= 0; q--)
        for (int i = 0; i < 3; i++) {
            bsp_size_t payload = -1;
            bsp_move(&payload, sizeof payload);
            EXPECT(payload == 3 * q + i);
        }
    expect_queue(0, 0);
}

static void hpmove_of_nothing(void)
{
    void *tag, *payload;
    EXPECT(bsp_hpmove(&tag, &payload) == -1);
}

static void message_to_right(void)
{
    int value = bsp_pid(), got = -1, status = 0;
    bsp_send(right(), NULL, &value, sizeof value);
    expect_queue(0, 0);
    bsp_sync();
    expect_queue(1, sizeof value);
    bsp_get_tag(&status, NULL);
    EXPECT(status == (int)sizeof value);
    bsp_move(&got, sizeof got);
    EXPECT(got == left());
    expect_queue(0, 0);
}

static void send_copies_at_call(void)
{
    int value = 1, got = -1;
    bsp_send(right(), NULL, &value, sizeof value);
    value = 2;
    bsp_sync();
    bsp_move(&got, sizeof got);
    EXPECT(got == 1);
}

static void message_to_self(void)
{
    int value = 77, got = -1;
    bsp_send(bsp_pid(), NULL, &value, sizeof value);
    bsp_sync();
    expect_queue(1, sizeof value);
    bsp_move(&got, sizeof got);
    EXPECT(got == 77);
}

static void message_without_payload(void)
{
    int status = 7;
    bsp_send(right(), NULL, NULL, 0);
    bsp_sync();
    expect_queue(1, 0);
    bsp_get_tag(&status, NULL);
    EXPECT(status == 0);
    bsp_move(NULL, 0);
    expect_queue(0, 0);
}

static void tag_without_payload(void)
{
    int tag = 5 + bsp_pid(), got = 0, status = 7;
    tags(sizeof tag);
    bsp_send(right(), &tag, NULL, 0);
    bsp_sync();
    bsp_get_tag(&status, &got);
    EXPECT(status == 0 && got == 5 + left());
    bsp_move(NULL, 0);
    tags(0);
}

static void tag_and_payload(void)
{
    short tag = (short)(bsp_pid() * 3), got_tag = -1;
    double payload = bsp_pid() + 0.5, got = 0;
    int status;
    tags(sizeof tag);
    bsp_send(right(), &tag, &payload, sizeof payload);
    tag = -2;
    bsp_sync();
    bsp_get_tag(&status, &got_tag);
    EXPECT(status == (int)sizeof payload && got_tag == left() * 3);
    bsp_move(&got, sizeof got);
    EXPECT(got == left() + 0.5);
    tags(0);
}

static void get_tag_removes_nothing(void)
{
    int tag = 4, got = 0, status;
    tags(sizeof tag);
    bsp_send(right(), &tag, &tag, 2);
    bsp_sync();
    for (int i = 0; i < 3; i++) {
        bsp_get_tag(&status, &got);
        EXPECT(status == 2 && got == 4);
        expect_queue(1, 2);
    }
    tags(0);
}

static void move_truncates(void)
{
    char text[] = "abcdefgh", got[9] = "........";
    bsp_send(right(), NULL, text, 8);
    bsp_sync();
    bsp_move(got, 3);
    EXPECT(strcmp(got, "abc.....") == 0);
    expect_queue(0, 0);
}

static void move_to_more_room(void)
{
    char text[] = "abc", got[9] = "........";
    bsp_send(right(), NULL, text, 3);
    bsp_sync();
    bsp_move(got, 8);
    EXPECT(strcmp(got, "abc.....") == 0);
}

static void move_to_no_room(void)
{
    char text[] = "abc";
    bsp_send(right(), NULL, text, 3);
    bsp_sync();
    bsp_move(NULL, 0);
    expect_queue(0, 0);
}

static void hpmove_points(void)
{
    int tag = 9 + bsp_pid();
    double payload[3] = {1, 2, 3 + bsp_pid()};
    void *got_tag = NULL, *got = NULL;
    tags(sizeof tag);
    bsp_send(right(), &tag, payload, sizeof payload);
    bsp_sync();
    EXPECT(bsp_hpmove(&got_tag, &got) == (int)sizeof payload);
    EXPECT((uintptr_t)got % sizeof(double) == 0 && (uintptr_t)got_tag % sizeof(double) == 0);
    EXPECT(*(int *)got_tag == 9 + left() && ((double *)got)[2] == 3 + left());
    expect_queue(0, 0);
    tags(0);
}

/* Valid until the next superstep, whatever is sent meanwhile. */
static void hpmove_stays_while_sending(void)
{
    enum { COUNT = 200 };
    int value = 1000 + bsp_pid(), other = -1;
    void *tag, *first;
    bsp_send(right(), NULL, &value, sizeof value);
    bsp_send(bsp_pid(), NULL, &value, sizeof value);
    bsp_sync();
    void *pointers[2];
    for (int i = 0; i < 2; i++) {
        EXPECT(bsp_hpmove(&tag, &first) == (int)sizeof value);
        pointers[i] = first;
    }
    for (int i = 0; i < COUNT; i++)
        for (int q = 0; q < bsp_nprocs(); q++)
            bsp_send(q, NULL, &other, sizeof other);
    EXPECT(*(int *)pointers[0] + *(int *)pointers[1] == 2000 + left() + bsp_pid());
    bsp_sync();
    expect_queue(COUNT * bsp_nprocs(), COUNT * bsp_nprocs() * (int)sizeof other);
}

/* Both ways of taking messages, in turn. */
static void move_and_hpmove(void)
{
    int sum = 0;
    for (int i = 1; i <= 4; i++)
        bsp_send(right(), NULL, &i, sizeof i);
    bsp_sync();
    for (int k = 0; k < 4; k++) {
        int got = 0;
        void *tag, *payload;
        if (k % 2) {
            bsp_move(&got, sizeof got);
        } else {
            EXPECT(bsp_hpmove(&tag, &payload) == (int)sizeof got);
            memcpy(&got, payload, sizeof got);
        }
        sum += got;
        expect_queue(3 - k, (3 - k) * (int)sizeof got);
    }
    EXPECT(sum == 10);
}

static void all_to_all(void)
{
    int p = bsp_nprocs(), *seen = calloc((size_t)p, sizeof *seen), tag = bsp_pid(), status, from;
    tags(sizeof tag);
    for (int q = 0; q < p; q++) {
        int value = 1000 * bsp_pid() + q;
        bsp_send(q, &tag, &value, sizeof value);
    }
    bsp_sync();
    expect_queue(p, p * (int)sizeof(int));
    for (int i = 0; i < p; i++) {
        int value = -1;
        bsp_get_tag(&status, &from);
        bsp_move(&value, sizeof value);
        EXPECT(status == (int)sizeof value && from >= 0 && from < p);
        EXPECT(value == 1000 * from + bsp_pid());
        seen[from]++;
    }
    for (int q = 0; q < p; q++)
        EXPECT(seen[q] == 1);
    tags(0);
    free(seen);
}

static void many_messages(void)
{
    enum { COUNT = 3000 };
    char *seen = calloc(COUNT, 1);
    int wrong = 0;
    for (int i = 0; i < COUNT; i++)
        bsp_send(right(), NULL, &i, sizeof i);
    bsp_sync();
    expect_queue(COUNT, COUNT * (int)sizeof(int));
    for (int i = 0; i < COUNT; i++) {
        int got = -1;
        bsp_move(&got, sizeof got);
        wrong += got < 0 || got >= COUNT || seen[got]++;
    }
    EXPECT(wrong == 0);
    expect_queue(0, 0);
    free(seen);
}

static void payloads_of_all_sizes(void)
{
    enum { MOST = 130 };
    unsigned char payload[MOST], got[MOST], seen[MOST + 1] = {0};
    int tag = 0, status, size, wrong = 0;
    tags(sizeof tag);
    for (int s = 0; s <= MOST; s++) {
        memset(payload, s, sizeof payload);
        bsp_send(right(), &s, payload, s);
    }
    bsp_sync();
    for (int k = 0; k <= MOST; k++) {
        bsp_get_tag(&status, &size);
        wrong += status != size || size < 0 || size > MOST || seen[size]++;
        bsp_move(got, MOST);
        for (int i = 0; i < size; i++)
            wrong += got[i] != (unsigned char)size;
    }
    EXPECT(wrong == 0);
    tags(0);
}

static void tags_of_all_sizes(void)
{
    unsigned char tag[40], got[40], payload = 1;
    for (int size = 1; size <= 40; size += 3) {
        int status, wrong = 0;
        memset(tag, size, sizeof tag);
        memset(got, 0, sizeof got);
        tags(size);
        bsp_send(right(), tag, &payload, 1);
        bsp_sync();
        bsp_get_tag(&status, got);
        for (int i = 0; i < 40; i++)
            wrong += got[i] != (i < size ? size : 0);
        EXPECT(status == 1 && wrong == 0);
    }
    tags(0);
}

static void long_message(void)
{
    enum { SIZE = 2000003 };
    unsigned char *payload = malloc(SIZE);
    void *tag, *got;
    int wrong = 0;
    for (int i = 0; i < SIZE; i++)
        payload[i] = (unsigned char)(i * 11 + bsp_pid());
    bsp_send(right(), NULL, payload, SIZE);
    bsp_sync();
    EXPECT(bsp_hpmove(&tag, &got) == SIZE);
    for (int i = 0; i < SIZE; i++)
        wrong += ((unsigned char *)got)[i] != (unsigned char)(i * 11 + left());
    EXPECT(wrong == 0);
    free(payload);
}

static void messages_do_not_stay(void)
{
    int value = 1;
    bsp_send(right(), NULL, &value, sizeof value);
    bsp_sync();
    expect_queue(1, sizeof value);
    bsp_sync();
    expect_queue(0, 0);
}

static void unread_messages_make_way(void)
{
    int a = 1, b = 2, got = 0;
    bsp_send(right(), NULL, &a, sizeof a);
    bsp_sync();
    bsp_send(right(), NULL, &b, sizeof b);
    expect_queue(1, sizeof a);
    bsp_sync();
    expect_queue(1, sizeof b);
    bsp_move(&got, sizeof got);
    EXPECT(got == 2);
}

static void set_tagsize_returns_the_last(void)
{
    int size = 4;
    bsp_set_tagsize(&size);
    EXPECT(size == 0);
    size = 12;
    bsp_set_tagsize(&size);
    EXPECT(size == 4);
    bsp_sync();
    size = 0;
    bsp_set_tagsize(&size);
    EXPECT(size == 12);
    bsp_sync();
}

/* Messages of this superstep still have the old size. */
static void tagsize_holds_from_next_superstep(void)
{
    int size = sizeof(int), tag = 3, got = -1, status;
    bsp_set_tagsize(&size);
    bsp_send(right(), NULL, &tag, sizeof tag);
    bsp_sync();
    bsp_get_tag(&status, NULL); /* of size 0 */
    EXPECT(status == (int)sizeof tag);
    bsp_move(&got, sizeof got);
    EXPECT(got == 3);
    bsp_send(right(), &tag, NULL, 0);
    size = 0;
    bsp_set_tagsize(&size);
    EXPECT(size == (int)sizeof(int));
    bsp_sync();
    got = -1;
    bsp_get_tag(&status, &got);
    EXPECT(status == 0 && got == 3);
}

static void nobody_sends_to_odd(void)
{
    int value = 1;
    for (int q = 0; q < bsp_nprocs(); q += 2)
        bsp_send(q, NULL, &value, sizeof value);
    bsp_sync();
    if (bsp_pid() % 2)
        expect_queue(0, 0);
    else
        expect_queue(bsp_nprocs(), bsp_nprocs() * (int)sizeof value);
}

static void messages_and_puts(void)
{
    int x = 0, a = 1, b = 2, got = 0;
    bsp_push_reg(&x, sizeof x);
    bsp_sync();
    bsp_send(right(), NULL, &a, sizeof a);
    bsp_put(right(), &b, &x, 0, sizeof x);
    bsp_send(right(), NULL, &a, 1);
    bsp_put(right(), &b, &x, 1, 1);
    bsp_pop_reg(&x);
    bsp_sync();
    expect_queue(2, sizeof a + 1);
    bsp_move(&got, sizeof got);
    bsp_move(&got, sizeof got);
    EXPECT((x & 0xFF) == 2 || (x >> 24) == 2);
}

/* Put, get and message of one superstep, the get's value sent before. */
static void all_three(void)
{
    int x = bsp_pid(), got = -1, nine = 9, message = 0;
    bsp_push_reg(&x, sizeof x);
    bsp_sync();
    bsp_get(right(), &x, 0, &got, sizeof x);
    bsp_put(right(), &nine, &x, 0, sizeof x);
    bsp_send(left(), NULL, &x, sizeof x);
    bsp_pop_reg(&x);
    bsp_sync();
    bsp_move(&message, sizeof message);
    EXPECT(got == right() && x == 9 && message == right());
}

static void sparse_vector_of_the_paper(void)
{
    int p = bsp_nprocs(), n = 4, messages, bytes, status, sum = 0;
    tags(sizeof(int));
    for (int i = 0; i < n; i += 2)
        for (int q = 0; q < p; q++) {
            int index = n * bsp_pid() + i;
            float value = (float)index;
            bsp_send(q, &index, &value, sizeof value);
        }
    bsp_sync();
    bsp_qsize(&messages, &bytes);
    EXPECT(messages == p * n / 2 && bytes == messages * (int)sizeof(float));
    for (int i = 0; i < messages; i++) {
        int index;
        float value = -1;
        bsp_get_tag(&status, &index);
        bsp_move(&value, sizeof value);
        EXPECT(status == (int)sizeof value && value == (float)index);
        sum += index;
    }
    EXPECT(sum == p * (n * (p - 1) + 2)); /* of n q + 0 and n q + 2 over q */
    tags(0);
}

const Check bsmp_checks[] = {CHECK(queue_is_empty_at_first),
                             CHECK(messages_of_higher_pids_come_first),
                             CHECK(hpmove_of_nothing),
                             CHECK(message_to_right),
                             CHECK(send_copies_at_call),
                             CHECK(message_to_self),
                             CHECK(message_without_payload),
                             CHECK(tag_without_payload),
                             CHECK(tag_and_payload),
                             CHECK(get_tag_removes_nothing),
                             CHECK(move_truncates),
                             CHECK(move_to_more_room),
                             CHECK(move_to_no_room),
                             CHECK(hpmove_points),
                             CHECK(hpmove_stays_while_sending),
                             CHECK(move_and_hpmove),
                             CHECK(all_to_all),
                             CHECK(many_messages),
                             CHECK(payloads_of_all_sizes),
                             CHECK(tags_of_all_sizes),
                             CHECK(long_message),
                             CHECK(messages_do_not_stay),
                             CHECK(unread_messages_make_way),
                             CHECK(set_tagsize_returns_the_last),
                             CHECK(tagsize_holds_from_next_superstep),
                             CHECK(nobody_sends_to_odd),
                             CHECK(messages_and_puts),
                             CHECK(all_three),
                             CHECK(sparse_vector_of_the_paper),
                             {0}};
