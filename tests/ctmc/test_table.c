#include <criterion/criterion.h>

#include "ctmc/system/table.h"

static int32_t put(Table *table, const uint64_t *state)
{
    return table_put(table, state, table_hash(table, state));
}

Test(table, ids_are_the_order_of_insertion)
{
    for (size_t words = 1; words <= 3; words++) {
        Table table;
        cr_assert(table_init(&table, words));
        for (int round = 0; round < 2; round++)
            for (uint64_t i = 0; i < 20000; i++) {
                uint64_t state[3] = {i * 3, i % 7, i << 40};
                cr_assert_eq(put(&table, state), (int32_t)i);
            }
        cr_assert_eq(table.count, 20000);
        for (uint64_t i = 0; i < 20000; i++)
            cr_assert_eq(table.state[i * words], i * 3);
        table_seal(&table);
        cr_assert_eq(table.state[words * 19999], 3 * 19999);
        table_free(&table);
    }
}

/* Equal hashes must not make different states one.  So many fill several buckets; the table does
 * not grow on their account, since then it would find out what their hashes really are. */
Test(table, collisions_are_told_apart)
{
    Table table;
    cr_assert(table_init(&table, 2));
    for (int round = 0; round < 2; round++)
        for (uint64_t i = 0; i < 150; i++) {
            uint64_t state[2] = {i, ~i};
            cr_assert_eq(table_find(&table, state, 12345), round ? (int32_t)i : -1);
            cr_assert_eq(table_put(&table, state, 12345), (int32_t)i);
        }
    cr_assert_eq(table.bucket_count, 16);
    table_free(&table);
}

/* The last bucket overflows into the first. */
Test(table, buckets_go_round)
{
    Table table;
    cr_assert(table_init(&table, 1));
    for (uint64_t i = 0; i < 40; i++)
        cr_assert_eq(table_put(&table, &i, UINT32_MAX), (int32_t)i);
    for (uint64_t i = 0; i < 40; i++)
        cr_assert_eq(table_find(&table, &i, UINT32_MAX), (int32_t)i);
    table_free(&table);
}

/* Many lookups at a time are those one after the other, also when the table grows on the way, and
 * when the same new state comes twice. */
Test(table, many_at_a_time)
{
    enum { COUNT = 30000 };
    static uint64_t states[COUNT * 2];
    static uint32_t hashes[COUNT];
    static int32_t ids[COUNT];
    for (size_t words = 0; words <= 2; words++) {
        Table together, single;
        cr_assert(table_init(&together, words) && table_init(&single, words));
        for (size_t i = 0; i < COUNT; i++) {
            for (size_t w = 0; w < words; w++)
                states[i * words + w] = (uint64_t)(i * i % 10007) << (w * 20);
            hashes[i] = table_hash(&together, states + i * words);
        }
        for (size_t i = 0, n; i < COUNT; i += n) {
            n = i % 61 < COUNT - i ? i % 61 + (i % 61 == 0) : COUNT - i;
            cr_assert(table_put_all(&together, states + i * words, hashes + i, n, ids + i));
        }
        for (size_t i = 0; i < COUNT; i++) {
            cr_assert_eq(ids[i], put(&single, states + i * words));
            cr_assert_eq(table_find(&together, states + i * words, hashes[i]), ids[i]);
        }
        cr_assert_eq(together.count, single.count);
        table_free(&together);
        table_free(&single);
    }
}

/* With other buckets the states are where they were. */
Test(table, made_again)
{
    Table table;
    cr_assert(table_init(&table, 1));
    for (uint64_t i = 0; i < 1000; i++)
        cr_assert_eq(put(&table, &i), (int32_t)i);
    static const size_t buckets[] = {3, 1, 0};
    for (size_t k = 0; buckets[k]; k++) {
        cr_assert(table_remake(&table, table.bucket_count * buckets[k]));
        for (uint64_t i = 0; i < 1000; i++)
            cr_assert_eq(table_find(&table, &i, table_hash(&table, &i)), (int32_t)i);
        cr_assert_eq(table_find(&table, &(uint64_t){1000}, 77), -1);
    }
    cr_assert(table_renew(&table, table.bucket_count));
    for (uint64_t i = 0; i < 1000; i++)
        cr_assert_eq(table_find(&table, &i, table_hash(&table, &i)), i ? -1 : 0);
    table_free(&table);
}

/* A model whose components cannot change has one state of no bits. */
Test(table, states_without_bits)
{
    Table table;
    uint64_t none = 0;
    cr_assert(table_init(&table, 0));
    cr_assert_eq(put(&table, &none), 0);
    cr_assert_eq(put(&table, &none), 0);
    cr_assert_eq(table.count, 1);
    table_seal(&table);
    table_free(&table);
}
