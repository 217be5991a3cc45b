#include <criterion/criterion.h>

#include "parser/graph.h"

typedef struct {
    int count;
    int32_t length, first, last; /* of the cycle found last */
} Cycles;

static void count_cycle(void *user, const int32_t *vertices, int32_t count)
{
    Cycles *cycles = user;
    *cycles = (Cycles){cycles->count + 1, count, vertices[0], vertices[count - 1]};
}

Test(graph, orders_what_has_no_cycles)
{
    const int32_t row[] = {0, 2, 3, 4, 4}, to[] = {1, 2, 3, 3};
    Graph graph = {4, row, to};
    int32_t order[4];
    Cycles cycles = {0};
    cr_assert(graph_order(&graph, order, count_cycle, &cycles));
    const int32_t wanted[] = {3, 1, 2, 0};
    cr_expect_arr_eq(order, wanted, sizeof wanted);
    cr_expect_eq(cycles.count, 0);
}

Test(graph, finds_cycles)
{
    /* 0 -> 1 -> 2 -> 1, 3 -> 3 */
    const int32_t row[] = {0, 1, 2, 3, 4}, to[] = {1, 2, 1, 3};
    Graph graph = {4, row, to};
    int32_t order[4];
    Cycles cycles = {0};
    cr_assert(graph_order(&graph, order, count_cycle, &cycles));
    cr_expect_eq(cycles.count, 2);
    cr_expect_eq(cycles.length, 1);
    cr_expect_eq(cycles.first, 3);
    const int32_t wanted[] = {2, 1, 0, 3};
    cr_expect_arr_eq(order, wanted, sizeof wanted);
}

Test(graph, nothing)
{
    const int32_t row[] = {0};
    Graph graph = {0, row, NULL};
    int32_t order[1];
    cr_expect(graph_order(&graph, order, count_cycle, NULL));
}

Test(graph, long_paths_need_no_stack)
{
    enum { COUNT = 1000000 };
    static int32_t row[COUNT + 1], to[COUNT], order[COUNT];
    for (int32_t i = 0; i < COUNT; i++) {
        row[i] = i;
        to[i] = (i + 1) % COUNT;
    }
    row[COUNT] = COUNT;
    Graph graph = {COUNT, row, to};
    Cycles cycles = {0};
    cr_assert(graph_order(&graph, order, count_cycle, &cycles));
    cr_expect_eq(cycles.count, 1);
    cr_expect_eq(cycles.length, COUNT);
    cr_expect_eq(order[0], COUNT - 1);
}
