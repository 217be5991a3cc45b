/* What collectives on one communicator need to know: which of its processes are near to each other,
 * and a communicator of their own.  Made at the first call, kept as an attribute. */
#ifndef GRID_TAAG_PLAN_H
#define GRID_TAAG_PLAN_H

#include "grid/taag/context.h"

struct Plan {
    MPI_Comm user, comm; /* the user's; ours */
    int rank, size;
    int clusters;
    int *cluster_of; /* by rank in comm: 0 .. clusters-1, by their smallest ranks */
    int *member;     /* ranks by cluster, ascending in each */
    int *start;      /* member[start[c]] .. member[start[c + 1] - 1] */
    Plan *next;
};

/* Before the first and after the last plan.  plans_end frees all. */
int plans_begin(const char *call, Taag *taag);
int plans_end(const char *call, Taag *taag);
/* Collective where the communicator has no plan yet.  TAAG_SUCCESS, or the error. */
int plan_of(const char *call, MPI_Comm comm, Plan **out);

static inline int plan_cluster_size(const Plan *plan, int cluster)
{
    return plan->start[cluster + 1] - plan->start[cluster];
}

/* A tree of the processes: messages go along its edges.  With a root, the first edges of the root
 * lead to one process of each other cluster (its smallest rank), and these have the processes of
 * their clusters below them.  Without (root < 0), each cluster has a tree of its own. */
typedef struct {
    int parent; /* -1: none */
    int count, *child;
    int leader; /* of this cluster */
} Tree;

/* A process has up to `fan` children in its cluster.  -1: out of memory.  free(child). */
int tree_of(const Plan *plan, int root, int fan, int rank, Tree *out);
/* The ranks of the processes below and with `rank`, itself first and then child by child, so that
 * the list of each child is part of it.  `out` has room for all.  How many; -1: out of memory. */
int tree_list(const Plan *plan, int root, int fan, int rank, int *out);

#endif
