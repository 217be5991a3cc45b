#include <criterion/criterion.h>

#include "ctmc/table.h"

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

/* Equal hashes must not make different states one. */
Test(table, collisions_are_told_apart)
{
    Table table;
    cr_assert(table_init(&table, 2));
    for (uint64_t i = 0; i < 500; i++) {
        uint64_t state[2] = {i, ~i};
        cr_assert_eq(table_put(&table, state, 12345), (int32_t)i);
    }
    for (uint64_t i = 0; i < 500; i++) {
        uint64_t state[2] = {i, ~i};
        cr_assert_eq(table_put(&table, state, 12345), (int32_t)i);
    }
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
