/* The groups of the mapping, and a communicator for that of this process. */
#include <stdio.h>
#include <stdlib.h>
#include <taag.h>

#include "nbody.h"

static int ask_groups(Groups *g)
{
    for (int a = 0; a < g->galaxies; a++)
        if (TAAG_Group_size(a, &g->members[a]) || TAAG_Group_element(a, 0, &g->heads[a]))
            return -1;
    return 0;
}

static int make_group(Groups *g)
{
    MPI_Group members;
    if (TAAG_Group_MPIGroup(0, NULL, 1, &g->galaxy, &members))
        return -1;
    int status = MPI_Comm_create_group(MPI_COMM_WORLD, members, 0, &g->group);
    (void)MPI_Group_free(&members);
    return status == MPI_SUCCESS ? 0 : -1;
}

Groups *groups_new(char *mapping)
{
    Groups *g = calloc(1, sizeof *g);
    int good = g != NULL;
    if (good) {
        g->group = MPI_COMM_NULL;
        (void)MPI_Comm_rank(MPI_COMM_WORLD, &g->rank);
        (void)MPI_Comm_size(MPI_COMM_WORLD, &g->size);
    }
    good = good && !TAAG_Init(mapping) && !TAAG_Group_number(&g->galaxies) &&
           !TAAG_Group_rank(g->rank, &g->galaxy);
    if (good) {
        g->members = calloc((size_t)g->galaxies, sizeof *g->members);
        g->heads = calloc((size_t)g->galaxies, sizeof *g->heads);
        good = g->members && g->heads && !ask_groups(g) && !make_group(g);
    }
    if (good)
        return g;
    if (!g || g->rank == 0)
        (void)fprintf(stderr, "nbody: %s\n",
                      *TAAG_Error_message() ? TAAG_Error_message() : "out of memory");
    groups_free(g);
    return NULL;
}

void groups_free(Groups *g)
{
    if (!g)
        return;
    if (g->group != MPI_COMM_NULL)
        (void)MPI_Comm_free(&g->group);
    free(g->members);
    free(g->heads);
    free(g);
    (void)TAAG_Free();
}
