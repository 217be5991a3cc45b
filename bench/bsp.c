/* What a superstep costs: g and l of BSPlib against those of supersteps written by hand with MPI.
 *
 *   bsprun -n P bench_bsp [ROUNDS]
 *
 * Both run in one program in turn, so that they meet the same machine.  A superstep sends h words of
 * 8 bytes from each process in one of these ways:
 *
 *   words     each word by itself, evenly to all others, to a place of its own, one after the other (by
 *             hand: place and word are packed, and put into their places by the receiver)
 *   apart     the same to places that are p words apart (what bspbench of BSPedupack measures)
 *   blocks    one block for each process, buffered: the program may change what it has put before the
 *             superstep ends (by hand: each block is copied into a buffer when it is given, and sent
 *             from there to where it belongs)
 *   in place  one block for each process, unbuffered (by hand: sent from where it is)
 *   mixed     buffered against in place: what the copy costs that bsp_put promises
 *
 * and blocks in one of these patterns: `total`, evenly to all others; `ring`, all to the next process;
 * `random`, to all others as much as chance says.
 *
 * By hand a superstep is MPI_Alltoall of the counts, MPI_Alltoallv and MPI_Barrier.  l is the time of
 * h = 0, g the slope from there to h, both medians of rounds; the ratio is the median of the rounds'
 * ratios.  Nanoseconds. */
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
    int *place;                                     /* of h words: where they go, in words */
    int *counts, *places, *got_counts, *got_places; /* by process */
    int *words;                                     /* [from * p + to]: of one superstep */
    MPI_Comm comm;
} Bench;

static double now(void)
{
    return MPI_Wtime();
}

/* ---- by hand ------------------------------------------------------------------------------- */

/* Who sends how many words to whom. */
typedef enum { TOTAL, RING, RANDOM } Pattern;

static void plan(Bench *b, Pattern pattern, int h)
{
    unsigned seed = 1;
    for (int from = 0; from < b->p; from++) {
        int left = b->p > 1 ? h : 0;
        for (int k = 1; k < b->p; k++) {
            int last = k == b->p - 1, share = pattern == RING ? left : h / (b->p - 1);
            seed = seed * 1103515245u + 12345u;
            if (pattern == RANDOM)
                share = last ? left : (int)((double)left * ((seed >> 16) % 1000) / 1000);
            b->words[from * b->p + (from + k) % b->p] = share;
            left -= share;
        }
        b->words[from * b->p + from] = 0;
    }
}

static int words_to(const Bench *b, int to)
{
    return b->words[b->pid * b->p + to];
}

/* Where in its area a process has what this one sends. */
static int place_at(const Bench *b, int to)
{
    int place = 0;
    for (int from = 0; from < b->pid; from++)
        place += b->words[from * b->p + to];
    return place;
}

static void exchange(Bench *b, MPI_Datatype type, const void *from, void *to)
{
    int at = 0;
    for (int q = 0; q < b->p; q++) {
        b->counts[q] = words_to(b, q);
        b->places[q] = at;
        at += b->counts[q];
    }
    MPI_Alltoall(b->counts, 1, MPI_INT, b->got_counts, 1, MPI_INT, b->comm);
    at = 0;
    for (int q = 0; q < b->p; q++) {
        b->got_places[q] = at;
        at += b->got_counts[q];
    }
    MPI_Alltoallv(from, b->counts, b->places, type, to, b->got_counts, b->got_places, type,
                  b->comm);
    MPI_Barrier(b->comm);
}

/* Where words go, of `h` from each process. */
static void place_words(Bench *b, int h, int apart)
{
    const int share = b->p > 1 ? h / (b->p - 1) : 0;
    for (int q = 0, at = 0; q < b->p; q++)
        for (int i = 0; i < share && q != b->pid; i++)
            b->place[at++] = apart ? i * b->p + b->pid : b->pid * share + i;
}

static MPI_Datatype word_type;

static void hand_words(Bench *b, int h)
{
    int share = b->p > 1 ? h / (b->p - 1) : 0, at = 0;
    for (int q = 0; q < b->p; q++)
        for (int i = 0; i < share && q != b->pid; i++) {
            b->out[at] = (Word){(uint64_t)b->place[at], b->from[at]};
            at++;
        }
    exchange(b, word_type, b->out, b->in);
    for (int i = 0; i < share * (b->p - 1); i++)
        b->to[b->in[i].index] = b->in[i].value;
}

static void hand_blocks(Bench *b, int h)
{
    double *packed = (double *)(void *)b->out;
    (void)h;
    for (int q = 0, at = 0; q < b->p; q++) {
        memcpy(packed + at, b->from + at, (size_t)words_to(b, q) * sizeof *packed);
        at += words_to(b, q);
    }
    exchange(b, MPI_DOUBLE, packed, b->to);
}

static void hand_in_place(Bench *b, int h)
{
    (void)h;
    exchange(b, MPI_DOUBLE, b->from, b->to);
}

/* ---- BSPlib -------------------------------------------------------------------------------- */

static void bsp_words(Bench *b, int h)
{
    int share = b->p > 1 ? h / (b->p - 1) : 0, at = 0;
    for (int q = 0; q < b->p; q++)
        for (int i = 0; i < share && q != b->pid; i++, at++)
            bsp_put(q, &b->from[at], b->to, b->place[at] * (int)sizeof(double), sizeof(double));
    bsp_sync();
}

static void blocks(Bench *b, void (*put)(int, const void *, void *, int, int))
{
    for (int q = 0, at = 0; q < b->p; q++) {
        if (words_to(b, q) > 0)
            put(q, b->from + at, b->to, place_at(b, q) * (int)sizeof(double),
                words_to(b, q) * (int)sizeof(double));
        at += words_to(b, q);
    }
    bsp_sync();
}

static void bsp_blocks(Bench *b, int h)
{
    (void)h;
    blocks(b, bsp_put);
}

static void bsp_in_place(Bench *b, int h)
{
    (void)h;
    blocks(b, bsp_hpput);
}

/* ---- measuring ----------------------------------------------------------------------------- */

typedef void Superstep(Bench *, int);

/* Seconds of a superstep. */
static double measure(Bench *b, Superstep *superstep, Pattern pattern, int h, int times)
{
    plan(b, pattern, h);
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
    Pattern pattern;
    int apart; /* words */
} Pair;

static void compare(Bench *b, const Pair *pair, int h, int rounds)
{
    enum { MOST = 101, WORK = 4000000 };
    static const char *const patterns[] = {"total", "ring", "random"};
    static double g[3][MOST], l[3][MOST];
    place_words(b, h, pair->apart);
    int empty = b->p <= 2 ? 1000 : 200, full = 1 + WORK / (h + 20000);
    for (int r = 0; r < rounds; r++) {
        Superstep *const each[2] = {pair->hand, pair->bsp};
        for (int k = 0; k < 2; k++) {
            int which = (k + r) % 2; /* either comes first as often */
            l[which][r] = measure(b, each[which], pair->pattern, 0, empty);
            g[which][r] = (measure(b, each[which], pair->pattern, h, full) - l[which][r]) / h;
        }
        l[2][r] = l[1][r] / l[0][r];
        g[2][r] = g[1][r] / g[0][r];
    }
    if (b->pid == 0)
        printf("%2d %-8s %-6s %8d  l %9.0f %9.0f %6.2f   g %8.3f %8.3f %6.2f\n", b->p, pair->name,
               patterns[pair->pattern], h, 1e9 * median(l[0], rounds), 1e9 * median(l[1], rounds),
               median(l[2], rounds), 1e9 * median(g[0], rounds), 1e9 * median(g[1], rounds),
               median(g[2], rounds));
}

int main(int argc, char **argv)
{
    static const Pair pairs[] = {{"words", hand_words, bsp_words, TOTAL, 0},
                                 {"apart", hand_words, bsp_words, TOTAL, 1},
                                 {"blocks", hand_blocks, bsp_blocks, TOTAL, 0},
                                 {"blocks", hand_blocks, bsp_blocks, RING, 0},
                                 {"blocks", hand_blocks, bsp_blocks, RANDOM, 0},
                                 {"in place", hand_in_place, bsp_in_place, TOTAL, 0},
                                 {"in place", hand_in_place, bsp_in_place, RING, 0},
                                 {"in place", hand_in_place, bsp_in_place, RANDOM, 0},
                                 {"mixed", hand_in_place, bsp_blocks, TOTAL, 0}};
    static const int sizes[] = {1000, 10000, 131072};
    enum { MOST_WORDS = 131072 };
    Bench b = {.h = MOST_WORDS};
    int rounds = argc > 1 ? atoi(argv[1]) : 11;
    bsp_begin(bsp_nprocs());
    b.p = bsp_nprocs(), b.pid = bsp_pid();
    MPI_Comm_dup(MPI_COMM_WORLD, &b.comm);
    MPI_Type_contiguous(sizeof(Word), MPI_BYTE, &word_type);
    MPI_Type_commit(&word_type);
    /* By chance one process may receive what all others send. */
    size_t most = (size_t)b.h * (size_t)b.p;
    b.from = calloc(most, sizeof *b.from), b.to = calloc(most, sizeof *b.to);
    b.place = calloc(most, sizeof *b.place);
    b.out = calloc(most, sizeof *b.out), b.in = calloc(most, sizeof *b.in);
    int *four = calloc(4 * (size_t)b.p, sizeof *four);
    b.words = calloc((size_t)b.p * (size_t)b.p, sizeof *b.words);
    b.counts = four, b.places = four + b.p, b.got_counts = four + 2 * b.p;
    b.got_places = four + 3 * b.p;
    bsp_push_reg(b.to, (int)most * (int)sizeof *b.to);
    bsp_sync();
    if (b.pid == 0)
        printf(" p                         h    by hand    BSPlib  ratio    by hand   BSPlib  "
               "ratio\n");
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
            compare(&b, &pairs[i], sizes[k], rounds < 101 ? rounds : 101);
    MPI_Type_free(&word_type);
    MPI_Comm_free(&b.comm);
    bsp_end();
    free(b.from), free(b.to), free(b.out), free(b.in), free(four), free(b.words), free(b.place);
    return 0;
}
