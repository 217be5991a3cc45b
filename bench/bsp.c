/* What a superstep costs: g and l of BSPlib against those of supersteps written by hand with MPI.
 *
 *   bsprun -n P bench_bsp [ROUNDS]
 *
 * Both run in one program in turn, so that they meet the same machine.  A superstep sends h words of
 * 8 bytes from each process, evenly to all others, in one of two ways:
 *
 *   words   each word by itself, to a place of its own (what bspbench of BSPedupack measures; by hand:
 *           index and word are packed, and put into their places by the receiver)
 *   blocks  one block for each process (by hand: sent from where it is to where it belongs)
 *
 * By hand a superstep is MPI_Alltoall of the counts, MPI_Alltoallv and MPI_Barrier; `fixed` is without
 * the counts, where the receiver knows them.  l is the time of h = 0, g the slope from there to H, both
 * medians of rounds; the ratio is the median of the rounds' ratios.  Nanoseconds. */
#include <bsp.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    uint64_t index;
    double value;
} Word;

typedef struct {
    int p, pid, h;
    double *from, *to; /* of h words each */
    Word *out, *in;
    int *counts, *places, *got_counts, *got_places; /* by process */
    MPI_Comm comm;
} Bench;

static double now(void)
{
    return MPI_Wtime();
}

/* ---- by hand ------------------------------------------------------------------------------- */

static void counts(Bench *b, int words, MPI_Datatype type, const void *from, void *to, int exchange)
{
    int share = b->p > 1 ? words / (b->p - 1) : 0, at = 0;
    for (int q = 0; q < b->p; q++) {
        b->counts[q] = q == b->pid ? 0 : share;
        b->places[q] = at;
        at += b->counts[q];
    }
    if (exchange)
        MPI_Alltoall(b->counts, 1, MPI_INT, b->got_counts, 1, MPI_INT, b->comm);
    else
        memcpy(b->got_counts, b->counts, (size_t)b->p * sizeof *b->counts);
    at = 0;
    for (int q = 0; q < b->p; q++) {
        b->got_places[q] = at;
        at += b->got_counts[q];
    }
    MPI_Alltoallv(from, b->counts, b->places, type, to, b->got_counts, b->got_places, type,
                  b->comm);
    MPI_Barrier(b->comm);
}

static MPI_Datatype word_type;

static void hand_words(Bench *b, int h)
{
    int share = b->p > 1 ? h / (b->p - 1) : 0, at = 0;
    for (int q = 0; q < b->p; q++)
        for (int i = 0; i < share && q != b->pid; i++) {
            b->out[at] = (Word){(uint64_t)(b->pid * share + i) % (uint64_t)b->h, b->from[at]};
            at++;
        }
    counts(b, h, word_type, b->out, b->in, 1);
    for (int i = 0; i < share * (b->p - 1); i++)
        b->to[b->in[i].index] = b->in[i].value;
}

static void hand_blocks(Bench *b, int h)
{
    counts(b, h, MPI_DOUBLE, b->from, b->to, 1);
}

static void hand_fixed(Bench *b, int h)
{
    counts(b, h, MPI_DOUBLE, b->from, b->to, 0);
}

/* ---- BSPlib -------------------------------------------------------------------------------- */

static void bsp_words(Bench *b, int h)
{
    int share = b->p > 1 ? h / (b->p - 1) : 0, at = 0;
    for (int q = 0; q < b->p; q++)
        for (int i = 0; i < share && q != b->pid; i++, at++)
            bsp_put(q, &b->from[at], b->to,
                    (b->pid * share + i) % b->h * (int)sizeof(double), sizeof(double));
    bsp_sync();
}

static void blocks(Bench *b, int h, void (*put)(int, const void *, void *, int, int))
{
    int share = b->p > 1 ? h / (b->p - 1) : 0, at = 0;
    for (int q = 0; q < b->p; q++)
        if (q != b->pid) {
            int place = (q < b->pid ? b->pid - 1 : b->pid) * share;
            put(q, b->from + at, b->to, place * (int)sizeof(double), share * (int)sizeof(double));
            at += share;
        }
    bsp_sync();
}

static void bsp_blocks(Bench *b, int h)
{
    blocks(b, h, bsp_put);
}

static void bsp_hpblocks(Bench *b, int h)
{
    blocks(b, h, bsp_hpput);
}

/* ---- measuring ----------------------------------------------------------------------------- */

typedef void Superstep(Bench *, int);

/* Seconds of a superstep. */
static double measure(Bench *b, Superstep *superstep, int h, int times)
{
    superstep(b, h); /* memory that is used for the first time */
    MPI_Barrier(b->comm);
    double before = now();
    for (int i = 0; i < times; i++)
        superstep(b, h);
    return (now() - before) / times;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, int count)
{
    qsort(values, (size_t)count, sizeof *values, by_value);
    return values[count / 2];
}

typedef struct {
    const char *name;
    Superstep *hand, *bsp;
} Pair;

static void compare(Bench *b, const Pair *pair, int h, int rounds)
{
    enum { MOST = 101, WORK = 4000000 };
    static double g[3][MOST], l[3][MOST];
    int empty = b->p <= 2 ? 1000 : 200, full = 1 + WORK / (h + 20000);
    for (int r = 0; r < rounds; r++) {
        Superstep *const each[2] = {pair->hand, pair->bsp};
        for (int k = 0; k < 2; k++) {
            int which = (k + r) % 2; /* either comes first as often */
            l[which][r] = measure(b, each[which], 0, empty);
            g[which][r] = (measure(b, each[which], h, full) - l[which][r]) / h;
        }
        l[2][r] = l[1][r] / l[0][r];
        g[2][r] = g[1][r] / g[0][r];
    }
    if (b->pid == 0)
        printf("%2d %-8s %8d  l %9.0f %9.0f %6.2f   g %8.3f %8.3f %6.2f\n", b->p, pair->name, h,
               1e9 * median(l[0], rounds), 1e9 * median(l[1], rounds), median(l[2], rounds),
               1e9 * median(g[0], rounds), 1e9 * median(g[1], rounds), median(g[2], rounds));
}

int main(int argc, char **argv)
{
    static const Pair pairs[] = {{"words", hand_words, bsp_words},
                                 {"blocks", hand_blocks, bsp_blocks},
                                 {"hpblocks", hand_blocks, bsp_hpblocks},
                                 {"fixed", hand_fixed, bsp_hpblocks}};
    static const int sizes[] = {1000, 10000, 100000, 1000000};
    Bench b = {.h = 1000000};
    int rounds = argc > 1 ? atoi(argv[1]) : 11;
    bsp_begin(bsp_nprocs());
    b.p = bsp_nprocs(), b.pid = bsp_pid();
    MPI_Comm_dup(MPI_COMM_WORLD, &b.comm);
    MPI_Type_contiguous(sizeof(Word), MPI_BYTE, &word_type);
    MPI_Type_commit(&word_type);
    b.from = calloc((size_t)b.h, sizeof *b.from), b.to = calloc((size_t)b.h, sizeof *b.to);
    b.out = calloc((size_t)b.h, sizeof *b.out), b.in = calloc((size_t)b.h, sizeof *b.in);
    int *four = calloc(4 * (size_t)b.p, sizeof *four);
    b.counts = four, b.places = four + b.p, b.got_counts = four + 2 * b.p;
    b.got_places = four + 3 * b.p;
    bsp_push_reg(b.to, b.h * (int)sizeof *b.to);
    bsp_sync();
    if (b.pid == 0)
        printf(" p              h    by hand    BSPlib  ratio    by hand   BSPlib  ratio\n");
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
            compare(&b, &pairs[i], sizes[k], rounds < 101 ? rounds : 101);
    MPI_Type_free(&word_type);
    MPI_Comm_free(&b.comm);
    bsp_end();
    free(b.from), free(b.to), free(b.out), free(b.in), free(four);
    return 0;
}
