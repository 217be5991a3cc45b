/* The schedule of exchanges among processes, against its definition and a table by hand. */
#include <criterion/criterion.h>
#include <string.h>

#include "grid/bsp/schedule.h"

enum { MOST = 41 };

/* In each round partners are mutual, and nobody meets itself; in all each pair meets once. */
Test(schedule, is_a_1_factorisation)
{
    for (int n = 1; n <= MOST; n++) {
        int met[MOST][MOST] = {{0}}, idle[MOST] = {0};
        cr_assert_eq(schedule_rounds(n), n == 1 ? 0 : n % 2 ? n : n - 1);
        for (int round = 0; round < schedule_rounds(n); round++)
            for (int a = 0; a < n; a++) {
                int b = schedule_partner(n, round, a);
                cr_assert(b >= -1 && b < n && b != a);
                if (b < 0) {
                    idle[a]++;
                    continue;
                }
                cr_assert_eq(schedule_partner(n, round, b), a, "%d processes, round %d", n, round);
                met[a][b]++;
            }
        for (int a = 0; a < n; a++) {
            cr_assert_eq(idle[a], n > 1 && n % 2);
            for (int b = 0; b < n; b++)
                cr_assert_eq(met[a][b], a != b);
        }
    }
}

/* Pairs of four processes, who sends first before the other. */
Test(schedule, table_of_four)
{
    static const int first_to_second[3][2][2] = {{{0, 3}, {1, 2}},
                                                 {{2, 0}, {3, 1}},
                                                 {{0, 1}, {2, 3}}};
    for (int round = 0; round < 3; round++)
        for (int pair = 0; pair < 2; pair++) {
            int a = first_to_second[round][pair][0], b = first_to_second[round][pair][1];
            cr_expect_eq(schedule_partner(4, round, a), b);
            cr_expect_eq(schedule_first(a, b), a);
            cr_expect_eq(schedule_first(b, a), a);
        }
}

Test(schedule, one_idles_of_five)
{
    for (int round = 0; round < 5; round++) {
        int idle = 0;
        for (int a = 0; a < 5; a++)
            idle += schedule_partner(5, round, a) < 0;
        cr_expect_eq(idle, 1);
    }
}

Test(schedule, partners_are_all_others)
{
    for (int n = 1; n <= MOST; n++)
        for (int a = 0; a < n; a++) {
            int partners[MOST], seen[MOST] = {0};
            schedule_partners(n, a, partners);
            for (int i = 0; i < n - 1; i++)
                seen[partners[i]]++;
            for (int b = 0; b < n; b++)
                cr_assert_eq(seen[b], a != b);
        }
}

/* 0 to 1: 100; 0 to 2: 50; 1 to 3: 200; 2 to 0: 10; 3 to 0: 10; 2 to 3: 40. */
Test(h_relation, larger_of_sent_and_received)
{
    const uint64_t bytes[4][4] = {{7, 100, 50, 0}, {0, 9, 0, 200}, {10, 0, 0, 40}, {10, 0, 0, 5}};
    const uint64_t expected[4] = {150, 200, 50, 240};
    uint64_t h[4];
    schedule_h_relation(4, &bytes[0][0], h);
    cr_assert(memcmp(h, expected, sizeof h) == 0);
}

Test(h_relation, total_exchange)
{
    uint64_t bytes[MOST * MOST], h[MOST];
    for (int i = 0; i < MOST * MOST; i++)
        bytes[i] = 3;
    schedule_h_relation(MOST, bytes, h);
    for (int p = 0; p < MOST; p++)
        cr_assert_eq(h[p], 3 * (MOST - 1));
}
