/* The number of ways to place n queens on a board of n x n so that none attacks another.
 *
 *   gumcc queens.c -o queens && gumrun -n 4 queens [n [rows]]
 *
 * Each of the first `rows` rows makes a spark for each square that is free. */
#include <gum.h>
#include <stdio.h>
#include <stdlib.h>

#include "argument.h"

enum { MOST = 16 };

/* Columns and diagonals that are attacked in this row, as bits. */
typedef struct {
    uint32_t columns, left, right;
    int32_t row;
} Board;

static GumType board_type;
static int32_t size, rows; /* the same on all processes: all have the same arguments */

static Board place(const Board *board, uint32_t bit)
{
    return (Board){board->columns | bit, (board->left | bit) << 1, (board->right | bit) >> 1,
                   board->row + 1};
}

static uint32_t free_squares(const Board *board)
{
    return ~(board->columns | board->left | board->right) & ((1u << size) - 1);
}

static int64_t count(const Board *board)
{
    int64_t sum = 0;
    if (board->row == size)
        return 1;
    for (uint32_t left = free_squares(board); left; left &= left - 1) {
        Board next = place(board, left & (0 - left));
        sum += count(&next);
    }
    return sum;
}

static void run(const void *argument, void *result)
{
    const Board *board = argument;
    GumFuture futures[MOST];
    int sparks = 0;
    int64_t sum = 0, part;
    if (board->row >= rows) {
        gum_poll();
        *(int64_t *)result = count(board);
        return;
    }
    for (uint32_t left = free_squares(board); left; left &= left - 1) {
        Board next = place(board, left & (0 - left));
        futures[sparks++] = gum_par(board_type, &next);
    }
    while (sparks > 0) {
        gum_take(futures[--sparks], &part); /* the newest first: others take the oldest */
        sum += part;
    }
    *(int64_t *)result = sum;
}

int main(int argc, char **argv)
{
    /* Sloane, A000170 */
    static const int64_t known[MOST + 1] = {1,     1,     0,      0,       2,       10,
                                            4,     40,    92,     352,     724,     2680,
                                            14200, 73712, 365596, 2279184, 14772512};
    Board board = {0};
    const Number number[] = {{"n", 1, MOST, 10}, {"rows", 0, MOST, 4}};
    int64_t given[2], result = 0;
    int right = 1;
    gum_init(&argc, &argv);
    arguments(argc, argv, "queens [n [rows]]", 2, number, 2, given);
    size = (int32_t)given[0];
    rows = given[1] < given[0] ? (int32_t)given[1] : size;
    board_type =
        gum_type(&(GumTask){"board", run, {.size = sizeof board}, {.size = sizeof result}});
    if (gum_run(board_type, &board, &result) == GUM_OK && gum_pid() == 0) {
        right = result == known[size];
        printf("%d queens in %lld ways: %s\n", (int)size, (long long)result,
               right ? "right" : "WRONG");
    }
    return gum_end() || !right;
}
