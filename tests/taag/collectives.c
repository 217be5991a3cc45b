/* Collectives give what MPI's own give: random datatypes, counts, roots, operations,
 * communicators. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cases.h"

enum { TYPES = 6, MOST_EXTENT = 64 };
static MPI_Datatype types[TYPES];
static MPI_Op products, sums;

/* (a, b) then (c, d) is the map x -> c (a x + b) + d: associative, and does not commute. */
static void compose(void *in, void *inout, int *length, MPI_Datatype *type)
{
    const uint64_t *f = in;
    uint64_t *g = inout;
    int bytes;
    MPI_Type_size(*type, &bytes);
    int pairs = *length * (bytes / 16);
    for (int i = 0; i < pairs; i++, f += 2, g += 2) {
        uint64_t a = f[0] * g[0], b = f[1] * g[0] + g[1];
        g[0] = a;
        g[1] = b;
    }
}

static void add(void *in, void *inout, int *length, MPI_Datatype *type)
{
    const uint64_t *f = in;
    uint64_t *g = inout;
    (void)type;
    for (int i = 0; i < 2 * *length; i++)
        g[i] += f[i];
}

/* All have the signature of four int32, in types 0 to 4; type 5 is a pair of 64-bit integers. */
static void make_types(void)
{
    int backwards[] = {3, 2, 1, 0};
    int apart[] = {0, 2, 5, 7}, ones[] = {1, 1, 1, 1};
    MPI_Datatype gap;
    MPI_Type_contiguous(4, MPI_INT32_T, &types[0]);
    MPI_Type_vector(4, 1, 2, MPI_INT32_T, &types[1]);
    MPI_Type_indexed(4, ones, backwards, MPI_INT32_T, &types[2]);
    MPI_Type_indexed(4, ones, apart, MPI_INT32_T, &gap);
    MPI_Type_create_resized(gap, 0, 48, &types[3]);
    MPI_Type_free(&gap);
    MPI_Type_create_resized(types[0], 0, 20, &types[4]);
    MPI_Type_contiguous(2, MPI_UINT64_T, &types[5]);
    for (int i = 0; i < TYPES; i++)
        MPI_Type_commit(&types[i]);
    MPI_Op_create(compose, 0, &products);
    MPI_Op_create(add, 1, &sums);
}

static void free_types(void)
{
    for (int i = 0; i < TYPES; i++)
        MPI_Type_free(&types[i]);
    MPI_Op_free(&products);
    MPI_Op_free(&sums);
}

/* 0 often, sometimes so large that messages go in segments. */
static int random_count(int most)
{
    int kind = below(8);
    return kind == 0 ? 0 : kind < 6 ? 1 + below(20) : 1 + below(most);
}

/* Two buffers with the same bytes, different on each process. */
typedef struct {
    size_t size;
    unsigned char *mine, *theirs;
} Pair;

static Pair pair_of(int64_t elements)
{
    Pair pair = {(size_t)elements * MOST_EXTENT + MOST_EXTENT, NULL, NULL};
    uint64_t x = (uint64_t)(below(1 << 30)) * 64 + (uint64_t)rank;
    pair.mine = malloc(pair.size);
    pair.theirs = malloc(pair.size);
    if (!pair.mine || !pair.theirs)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (size_t i = 0; i < pair.size; i++) {
        x = x * 6364136223846793005u + 1442695040888963407u;
        pair.mine[i] = pair.theirs[i] = (unsigned char)(x >> 56);
    }
    return pair;
}

static void same(Pair *pair, int code, const char *what, int count)
{
    expect(code == TAAG_SUCCESS, "%s: %s", what, TAAG_Error_message());
    expect(memcmp(pair->mine, pair->theirs, pair->size) == 0, "%s differs, count %d", what, count);
    free(pair->mine);
    free(pair->theirs);
}

/* Each process by its own datatype of the same signature.  SimGrid 3.32 cannot compare these: its
 * own all-to-all fails when types differ, and takes wrong places for types that go backwards. */
static MPI_Datatype my_type(int seed)
{
#ifdef SMPI_H
    (void)seed;
    return types[3];
#else
    return types[(seed + rank) % 5];
#endif
}

static void check_bcast(MPI_Comm comm, int root, int seed)
{
    int count = random_count(20000);
    Pair pair = pair_of(count);
    MPI_Bcast(pair.theirs, count, my_type(seed), root, comm);
    same(&pair, TAAG_Bcast(pair.mine, count, my_type(seed), root, comm), "broadcast", count);
}

static void check_plain_bcast(MPI_Comm comm, int root)
{
    int count = random_count(300000);
    Pair pair = pair_of(count / 8 + 1);
    MPI_Bcast(pair.theirs, count, MPI_INT32_T, root, comm);
    same(&pair, TAAG_Bcast(pair.mine, count, MPI_INT32_T, root, comm), "plain broadcast", count);
}

static void check_gather(MPI_Comm comm, int root, int seed, int in_place)
{
    int count = random_count(500), at, processes;
    MPI_Comm_rank(comm, &at);
    MPI_Comm_size(comm, &processes);
    in_place = in_place && at == root;
    Pair from = pair_of(count), pair = pair_of((int64_t)count * processes);
    MPI_Gather(in_place ? MPI_IN_PLACE : from.mine, count, my_type(seed), pair.theirs, count,
               my_type(seed + 1), root, comm);
    int code = TAAG_Gather(in_place ? MPI_IN_PLACE : from.mine, count, my_type(seed), pair.mine,
                           count, my_type(seed + 1), root, comm);
    same(&pair, code, "gather", count);
    same(&from, TAAG_SUCCESS, "gather's input", count);
}

static void check_alltoall(MPI_Comm comm, int seed, int in_place)
{
    int count = random_count(200), processes;
    MPI_Comm_size(comm, &processes);
    Pair from = pair_of((int64_t)count * processes), pair = pair_of((int64_t)count * processes);
    MPI_Alltoall(in_place ? MPI_IN_PLACE : from.mine, count, my_type(seed), pair.theirs, count,
                 my_type(seed + 1), comm);
    int code = TAAG_Alltoall(in_place ? MPI_IN_PLACE : from.mine, count, my_type(seed), pair.mine,
                             count, my_type(seed + 1), comm);
    same(&pair, code, in_place ? "alltoall in place" : "alltoall", count);
    same(&from, TAAG_SUCCESS, "alltoall's input", count);
}

/* Operations whose results do not depend on the order, and one that must keep it. */
static MPI_Op random_op(MPI_Datatype *type)
{
    static MPI_Op const own[] = {MPI_SUM, MPI_BXOR, MPI_MAX, MPI_MIN, MPI_BOR};
    int which = below(8);
    *type = which < 5 ? MPI_UINT64_T : types[5];
    return which < 5 ? own[which] : which == 5 ? sums : products;
}

static void check_reduce(MPI_Comm comm, int root, int in_place)
{
    MPI_Datatype type;
    MPI_Op op = random_op(&type);
    int count = random_count(op == products ? 500 : 30000), at;
    MPI_Comm_rank(comm, &at);
    in_place = in_place && at == root;
    Pair from = pair_of(count / 2 + 1), pair = pair_of(count / 2 + 1);
    MPI_Reduce(in_place ? MPI_IN_PLACE : from.mine, pair.theirs, count, type, op, root, comm);
    int code =
        TAAG_Reduce(in_place ? MPI_IN_PLACE : from.mine, pair.mine, count, type, op, root, comm);
    same(&pair, code, "reduce", count);
    same(&from, TAAG_SUCCESS, "reduce's input", count);
}

static void check_allreduce(MPI_Comm comm, int in_place)
{
    MPI_Datatype type;
    MPI_Op op = random_op(&type);
    int count = random_count(op == products ? 500 : 30000);
    Pair from = pair_of(count / 2 + 1), pair = pair_of(count / 2 + 1);
    MPI_Allreduce(in_place ? MPI_IN_PLACE : from.mine, pair.theirs, count, type, op, comm);
    int code =
        TAAG_Allreduce(in_place ? MPI_IN_PLACE : from.mine, pair.mine, count, type, op, comm);
    same(&pair, code, "allreduce", count);
    same(&from, TAAG_SUCCESS, "allreduce's input", count);
}

/* Sums of doubles depend on the order; all processes must still get the same bits. */
static void check_same_bits(void)
{
    enum { COUNT = 100 };
    double mine[COUNT], all[COUNT], least[COUNT], most[COUNT];
    for (int i = 0; i < COUNT; i++)
        mine[i] = 1.0 / (1 + i + 7 * rank);
    expect(TAAG_Allreduce(mine, all, COUNT, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD) == TAAG_SUCCESS,
           "%s", TAAG_Error_message());
    MPI_Allreduce(all, least, COUNT, MPI_DOUBLE, MPI_MIN, MPI_COMM_WORLD);
    MPI_Allreduce(all, most, COUNT, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    expect(memcmp(least, most, sizeof least) == 0, "the sum has other bits elsewhere");
}

/* Nobody leaves a barrier before the last one has come: who has come is counted by a message each
 * to process 0 before, which it has received after. */
static void check_barrier(MPI_Comm comm)
{
    int at, processes, arrived = 0, flag = 1, byte = 0;
    MPI_Request request;
    MPI_Comm_rank(comm, &at);
    MPI_Comm_size(comm, &processes);
    MPI_Isend(&byte, 1, MPI_INT, 0, 5, comm, &request);
    expect(TAAG_Barrier(comm) == TAAG_SUCCESS, "%s", TAAG_Error_message());
    while (at == 0 && arrived < processes) {
        int got;
        MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 5, comm, MPI_STATUS_IGNORE);
        arrived++;
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    expect(flag, "barrier");
}

static void check_all(MPI_Comm comm)
{
    int processes, in_place = below(3) == 0, seed = below(5);
    MPI_Comm_size(comm, &processes);
    int root = below(size) % processes;
    check_bcast(comm, root, seed);
    check_plain_bcast(comm, root);
    check_gather(comm, root, seed, in_place);
    check_alltoall(comm, seed, in_place);
    check_reduce(comm, root, in_place);
    check_allreduce(comm, in_place);
    check_barrier(comm);
}

static void check_clusters(void)
{
    for (int i = 0; i < size; i++)
        for (int k = 0; k < size; k++) {
            int mine = -1, other = -1;
            TAAG_Host_cluster(i, &mine);
            TAAG_Host_cluster(k, &other);
            expect(size < 4 || shape == 1 || (mine == other) == (cluster_of(i) == cluster_of(k)),
                   "clusters of %d and %d: %d and %d", i, k, mine, other);
        }
}

/* With the clusters of one shape, on communicators with ranks in other orders. */
static void agree_in_shape(int rounds)
{
    MPI_Comm mixed, half;
    write_mapping();
    expect(TAAG_Init(mapping_file) == TAAG_SUCCESS, "%s", TAAG_Error_message());
    check_clusters();
    MPI_Comm_split(MPI_COMM_WORLD, 0, (rank * 7 + 3) % size, &mixed);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
    for (int i = 0; i < rounds; i++) {
        check_all((i + shape) % 2 ? mixed : MPI_COMM_WORLD);
        check_all(half);
    }
    expect(TAAG_Collectives(TAAG_PLAIN) == TAAG_SUCCESS, "%s", TAAG_Error_message());
    check_all(mixed);
    expect(TAAG_Collectives(TAAG_CLUSTERS) == TAAG_SUCCESS, "%s", TAAG_Error_message());
    check_same_bits();
    MPI_Comm_free(&half); /* before TAAG_Free; the other one after */
    expect(TAAG_Free() == TAAG_SUCCESS, "%s", TAAG_Error_message());
    MPI_Comm_free(&mixed);
}

void collectives_agree(void)
{
    const char *rounds = getenv("TAAG_ROUNDS");
    make_types();
#ifdef SMPI_H
    enum { TRIED = 1 }; /* those of the grid */
#else
    enum { TRIED = SHAPES };
#endif
    for (shape = 0; shape < TRIED; shape++)
        agree_in_shape(rounds ? atoi(rounds) : 20);
    shape = 0;
    free_types();
}
