/* TAAG: a program's view of the mapping that it was started with: groups, trees, rings, hosts and
 * latencies; and collective operations that know which links are far.
 *
 *   MPI_Init(&argc, &argv);
 *   TAAG_Init(argv[1]);
 *   TAAG_Tree_root(&root);
 *   ...
 *   TAAG_Free();
 *   MPI_Finalize();
 *
 * Every function returns TAAG_SUCCESS or an error code, and gives its results by pointer; after an
 * error they are as they were.  Ranks are those of MPI_COMM_WORLD, groups are numbered from 0.
 * Queries are local and need no MPI.  One thread at a time.
 *
 * Source: Bosa, Schreiner, A supercomputing API for the grid, section 5 and figure 3.  Where the
 * paper is silent, the comments say what is meant here. */
#ifndef TAAG_H
#define TAAG_H

#include <mpi.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define TAAG_API __attribute__((visibility("default")))
#else
#define TAAG_API
#endif

enum {
    TAAG_SUCCESS,
    TAAG_ERR_INIT,    /* TAAG_Init has not been called, or TAAG_Free has */
    TAAG_ERR_TWICE,   /* TAAG_Init has been called already */
    TAAG_ERR_NO_MPI,  /* MPI is not initialised, or has been finalised */
    TAAG_ERR_FILE,    /* the mapping file cannot be read */
    TAAG_ERR_MAPPING, /* the mapping file is wrong */
    TAAG_ERR_DIFFER,  /* mapping file or TAAG_COLLECTIVES differ between processes */
    TAAG_ERR_SIZE,    /* the mapping is for another number of processes */
    TAAG_ERR_ARG,     /* an argument: a NULL pointer, an unknown mode */
    TAAG_ERR_RANK,    /* there is no process with this rank */
    TAAG_ERR_GROUP,   /* there is no group with this number */
    TAAG_ERR_COUNT,   /* a number of entries, an order or a level is out of range */
    TAAG_ERR_KIND,    /* the schema is no tree, or no ring */
    TAAG_ERR_WAY,     /* no edges lead from the one group to the other */
    TAAG_ERR_COMM,    /* an intercommunicator, or processes that TAAG does not know */
    TAAG_ERR_MEMORY,
    TAAG_ERR_MPI /* MPI failed */
};
enum { TAAG_FALSE, TAAG_TRUE };
enum { TAAG_MAX_ADDRESS = 256 }; /* bytes of a host's address, the final NUL included */

/* ---- beginning and end ---------------------------------------------------------------------- */

/* Read the mapping file.  Collective over MPI_COMM_WORLD, between MPI_Init and MPI_Finalize; the
 * result is the same on all processes.  All must read the same file, each its own copy. */
TAAG_API int TAAG_Init(char *file);
TAAG_API int TAAG_Initialized(int *flag);
/* Collective over MPI_COMM_WORLD, before MPI_Finalize.  TAAG_Init may follow. */
TAAG_API int TAAG_Free(void);
#define TAAG_FREE() TAAG_Free()

/* What a code means; and the last error on this process in full, "" if there was none. */
TAAG_API const char *TAAG_Error_string(int code);
TAAG_API const char *TAAG_Error_message(void);

/* ---- groups --------------------------------------------------------------------------------- */

TAAG_API int TAAG_Group_number(int *nr);
/* The group of a process. */
TAAG_API int TAAG_Group_rank(int rank, int *grpRank);
TAAG_API int TAAG_Group_size(int grpRank, int *nr);
/* The first nr processes of a group, by rank: 0 <= nr <= its size. */
TAAG_API int TAAG_Group_members(int grpRank, int nr, int *members);
/* Process number `index` of a group, from 0. */
TAAG_API int TAAG_Group_element(int grpRank, int index, int *rank);
/* An MPI group of processes and of all processes of groups, in this order, each once.  Free it with
 * MPI_Group_free. */
TAAG_API int TAAG_Group_MPIGroup(int nrProcs, int *ranks, int nrGroups, int *grpRanks,
                                 MPI_Group *grp);
/* How many groups are at distance `order` >= 1 along the edges; and the first nr of these, by
 * number. */
TAAG_API int TAAG_Group_degree(int grpRank, int order, int *nr);
TAAG_API int TAAG_Group_neighbours(int grpRank, int order, int nr, int *grps);
/* Edges of a shortest way; -1: there is none. */
TAAG_API int TAAG_Group_distance(int grpRank1, int grpRank2, int *nr);
/* The first nr groups of a shortest way, without grpRank1 and with grpRank2, so that nr can be the
 * distance.  Of several ways the one with the smallest numbers, from the beginning on. */
TAAG_API int TAAG_Group_way(int grpRank1, int grpRank2, int nr, int *grps);

/* ---- trees; all but isTree: TAAG_ERR_KIND for other schemas --------------------------------- */

TAAG_API int TAAG_Tree_isTree(int *flag);
/* Is this process a leaf? */
TAAG_API int TAAG_Tree_isLeaf(int rank, int *flag);
TAAG_API int TAAG_Tree_root(int *rank);
/* The number of levels. */
TAAG_API int TAAG_Tree_depth(int *depth);
/* The level of a process: 0 for the root, depth - 1 for leaves. */
TAAG_API int TAAG_Tree_level(int rank, int *level);
/* The manager of a process; MPI_PROC_NULL for the root. */
TAAG_API int TAAG_Tree_parent(int rank, int *parent);
/* How many processes are `level` levels below this one: 1 of level 0, its children on level 1; and
 * the first nr of these, by rank. */
TAAG_API int TAAG_Tree_width(int rank, int level, int *nr);
TAAG_API int TAAG_Tree_children(int rank, int level, int nr, int *ranks);

/* ---- rings; left and right: TAAG_ERR_KIND for other schemas --------------------------------- */

TAAG_API int TAAG_Ring_isRing(int *flag);
/* The neighbours of a group.  Going right from group 0 one comes first to the other end of its
 * first edge in the mapping.  In a ring of one group it is its own neighbour. */
TAAG_API int TAAG_Ring_left(int grpRank, int *left);
TAAG_API int TAAG_Ring_right(int grpRank, int *right);

/* ---- hosts ---------------------------------------------------------------------------------- */

/* How many hosts have processes. */
TAAG_API int TAAG_Host_number(int *nr);
/* The host of a process: its name, at most TAAG_MAX_ADDRESS bytes; places and processes of the
 * program; the first nr of these, by rank. */
TAAG_API int TAAG_Host_address(int rank, char *address);
TAAG_API int TAAG_Host_properties(int rank, int *nrCPUs, int *nrProcs);
TAAG_API int TAAG_Host_processes(int rank, int nr, int *ranks);
/* One-way latency between the hosts of two processes, in milliseconds; 0 on the same host. */
TAAG_API int TAAG_Host_latency(int rank1, int rank2, double *latency);

/* ---- collective operations ------------------------------------------------------------------ */

/* Those of MPI, with the same arguments, MPI_IN_PLACE included, on any intracommunicator of
 * processes of MPI_COMM_WORLD.  Hosts that are near to each other form clusters; between two
 * clusters goes one message in each direction, and all these go at the same time.  Long ones go in
 * parts by many processes of a cluster; long blocks of TAAG_Gather and TAAG_Alltoall straight to
 * their process.  Waiting sleeps between looks at the network, up to half a millisecond.
 *
 * Operations that do not commute are applied in the order of ranks.  Those that do are applied
 * within each cluster first; TAAG_Allreduce gives all processes the same bits.
 *
 * The first call on a communicator duplicates it (collective).  All machines represent data in the
 * same way.  As in MPI, a wrong argument on one process alone lets the others wait. */
TAAG_API int TAAG_Bcast(void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm);
TAAG_API int TAAG_Reduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype type,
                         MPI_Op op, int root, MPI_Comm comm);
TAAG_API int TAAG_Allreduce(const void *sendbuf, void *recvbuf, int count, MPI_Datatype type,
                            MPI_Op op, MPI_Comm comm);
TAAG_API int TAAG_Gather(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                         int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm);
TAAG_API int TAAG_Barrier(MPI_Comm comm);
TAAG_API int TAAG_Alltoall(const void *sendbuf, int sendcount, MPI_Datatype sendtype, void *recvbuf,
                           int recvcount, MPI_Datatype recvtype, MPI_Comm comm);

/* How they work from now on; the same on all processes.  The environment variable
 * TAAG_COLLECTIVES=clusters (default) or mpi says how they begin. */
enum {
    TAAG_CLUSTERS, /* as above */
    TAAG_PLAIN     /* MPI's own functions, to compare with: these spin */
};
TAAG_API int TAAG_Collectives(int mode);
/* The cluster of near hosts that a process is in, from 0. */
TAAG_API int TAAG_Host_cluster(int rank, int *cluster);

#ifdef __cplusplus
}
#endif
#endif
