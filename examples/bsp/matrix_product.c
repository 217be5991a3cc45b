/* The product of two square matrices by Cannon's algorithm, and by its 2.5D form: matrix_product [N].
 *
 * p = q q layers processes: the largest q with q q layers <= p for the given number of layers take
 * part, the others only sync.  A process has one block of each matrix.  In each layer blocks are first
 * moved so that process (i, j) has A(i, k) and B(k, j) for k = i + j + s, and then go round, q / layers
 * times; the layers begin at different s, and their sums are added.  One layer is Cannon's algorithm.
 * Check: every block against the sum that defines it.
 * Sources: Cannon, thesis (1969); Solomonik and Demmel, Euro-Par 2011. */
#include <bsp.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "argument.h"

typedef struct {
    int q, layers, size;            /* q x q blocks of size x size */
    int i, j, layer, in;            /* this process's place; `in`: it has one */
    double *a, *b, *c;              /* its blocks */
    double *next_a, *next_b, *sums; /* what others put there; sums: of all layers */
} Grid;

static double element_a(int i, int j)
{
    return (i * 3 + j * 5) % 11 - 5.0;
}

static double element_b(int i, int j)
{
    return (i * 7 + j * 2) % 13 - 6.0;
}

static int pid_of(const Grid *g, int i, int j, int layer)
{
    return (layer * g->q + (i + g->q) % g->q) * g->q + (j + g->q) % g->q;
}

static size_t block(const Grid *g)
{
    return (size_t)g->size * (size_t)g->size;
}

static void multiply(const Grid *g)
{
    int n = g->size;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n; j++)
                g->c[i * n + j] += g->a[i * n + k] * g->b[k * n + j];
}

/* Blocks go to other processes of the layer, and what came becomes this process's. */
static void move(Grid *g, int to_a, int to_b)
{
    int bytes = (int)(block(g) * sizeof *g->a);
    if (g->in) {
        bsp_put(to_a, g->a, g->next_a, 0, bytes);
        bsp_put(to_b, g->b, g->next_b, 0, bytes);
    }
    bsp_sync();
    memcpy(g->a, g->next_a, (size_t)bytes);
    memcpy(g->b, g->next_b, (size_t)bytes);
}

/* How many steps the layers before this one make: all make q in all. */
static int begin_of(const Grid *g, int layer)
{
    return layer * g->q / g->layers;
}

static void product(Grid *g)
{
    int start = begin_of(g, g->layer), steps = begin_of(g, g->layer + 1) - start;
    int most = (g->q + g->layers - 1) / g->layers;
    /* A(i, j) goes to (i, j - i - start), so that (i, j) gets A(i, i + j + start); B likewise. */
    move(g, pid_of(g, g->i, (g->j + 2 * g->q * g->q - g->i - start) % g->q, g->layer),
         pid_of(g, (g->i + 2 * g->q * g->q - g->j - start) % g->q, g->j, g->layer));
    for (int s = 0; s < most; s++) {
        if (g->in && s < steps)
            multiply(g);
        if (s + 1 < most)
            move(g, pid_of(g, g->i, g->j - 1, g->layer), pid_of(g, g->i - 1, g->j, g->layer));
    }
    if (g->in)
        bsp_put(pid_of(g, g->i, g->j, 0), g->c, g->sums, g->layer * (int)(block(g) * sizeof *g->c),
                (int)(block(g) * sizeof *g->c));
    bsp_sync();
    memset(g->c, 0, block(g) * sizeof *g->c);
    for (int layer = 0; layer < g->layers; layer++)
        for (size_t e = 0; e < block(g); e++)
            g->c[e] += g->sums[(size_t)layer * block(g) + e];
}

/* All numbers are whole and small, so that sums are exact in any order. */
static void check(const Grid *g)
{
    int n = g->size, all = g->q * g->size;
    for (int i = 0; i < n && g->in && g->layer == 0; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0;
            for (int k = 0; k < all; k++)
                sum += element_a(g->i * n + i, k) * element_b(k, g->j * n + j);
            if (sum != g->c[i * n + j])
                bsp_abort("matrix_product: (%d, %d) is %g instead of %g", g->i * n + i,
                          g->j * n + j, g->c[i * n + j], sum);
        }
}

static void run(int layers, int n)
{
    Grid g = {.q = 1, .layers = layers};
    while ((g.q + 1) * (g.q + 1) * layers <= bsp_nprocs())
        g.q++;
    g.size = (n + g.q - 1) / g.q;
    g.in = bsp_pid() < g.q * g.q * layers;
    g.layer = bsp_pid() / (g.q * g.q), g.i = bsp_pid() / g.q % g.q, g.j = bsp_pid() % g.q;
    double *memory = calloc((5 + (size_t)layers) * block(&g), sizeof *memory);
    if (!memory)
        bsp_abort("matrix_product: out of memory");
    g.a = memory, g.b = g.a + block(&g), g.c = g.b + block(&g), g.next_a = g.c + block(&g);
    g.next_b = g.next_a + block(&g), g.sums = g.next_b + block(&g);
    int bytes = (int)(block(&g) * sizeof *g.a);
    bsp_push_reg(g.next_a, bytes);
    bsp_push_reg(g.next_b, bytes);
    bsp_push_reg(g.sums, layers * bytes);
    bsp_sync();
    for (int i = 0; i < g.size; i++)
        for (int j = 0; j < g.size; j++) {
            g.a[i * g.size + j] = element_a(g.i * g.size + i, g.j * g.size + j);
            g.b[i * g.size + j] = element_b(g.i * g.size + i, g.j * g.size + j);
        }
    product(&g);
    check(&g);
    bsp_pop_reg(g.next_a);
    bsp_pop_reg(g.next_b);
    bsp_pop_reg(g.sums);
    bsp_sync();
    free(memory);
    if (bsp_pid() == 0)
        printf("matrix_product: %d x %d x %d on %d processes: right\n", g.q, g.q, layers,
               bsp_nprocs());
}

int main(int argc, char **argv)
{
    bsp_begin(bsp_nprocs());
    enum { MOST = 11585 }; /* the bytes of two matrices are an int */
    int n = argument(argc, argv, "matrix_product", "N", 1, MOST, 48);
    run(1, n);
    if (bsp_nprocs() >= 2)
        run(2, n);
    bsp_end();
    return 0;
}
