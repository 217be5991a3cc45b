/* Queries about groups and their edges. */
#include "base/mem.h"
#include "grid/taag/context.h"
#include "grid/taag/edges.h"

int TAAG_Group_number(int *nr)
{
    const Mapping *m;
    int status = taag_begin(__func__, nr, &m);
    if (!status)
        *nr = m->group_count;
    return status;
}

int TAAG_Group_rank(int rank, int *grpRank)
{
    const Mapping *m;
    int status = taag_begin(__func__, grpRank, &m);
    if (status || (status = taag_check_rank(__func__, rank)))
        return status;
    *grpRank = m->group_of[rank];
    return TAAG_SUCCESS;
}

int TAAG_Group_size(int grpRank, int *nr)
{
    const Mapping *m;
    int status = taag_begin(__func__, nr, &m);
    if (status || (status = taag_check_group(__func__, grpRank)))
        return status;
    *nr = m->groups[grpRank].size;
    return TAAG_SUCCESS;
}

/* The ranks of a group follow each other. */
static int first_of(const Mapping *m, int group)
{
    int first = 0;
    for (int g = 0; g < group; g++)
        first += m->groups[g].size;
    return first;
}

int TAAG_Group_members(int grpRank, int nr, int *members)
{
    const Mapping *m;
    int status = taag_begin(__func__, "", &m);
    if (status || (status = taag_check_group(__func__, grpRank)) ||
        (status = taag_check_count(__func__, nr, m->groups[grpRank].size, members)))
        return status;
    for (int i = 0, first = first_of(m, grpRank); i < nr; i++)
        members[i] = first + i;
    return TAAG_SUCCESS;
}

int TAAG_Group_element(int grpRank, int index, int *rank)
{
    const Mapping *m;
    int status = taag_begin(__func__, rank, &m);
    if (status || (status = taag_check_group(__func__, grpRank)))
        return status;
    if (index < 0 || index >= m->groups[grpRank].size)
        return taag_fail(__func__, TAAG_ERR_COUNT, "index %d is not in 0 .. %d", index,
                         m->groups[grpRank].size - 1);
    *rank = first_of(m, grpRank) + index;
    return TAAG_SUCCESS;
}

/* The chosen ranks, each once; `chosen` has a flag per process. */
static int collect(const Mapping *m, const int *ranks, int nrProcs, const int *groups, int nrGroups,
                   char *chosen, int *out)
{
    int count = 0;
    for (int i = 0; i < nrProcs; i++)
        if (!chosen[ranks[i]]) {
            chosen[ranks[i]] = 1;
            out[count++] = ranks[i];
        }
    for (int i = 0; i < nrGroups; i++)
        for (int k = 0, first = first_of(m, groups[i]); k < m->groups[groups[i]].size; k++)
            if (!chosen[first + k]) {
                chosen[first + k] = 1;
                out[count++] = first + k;
            }
    return count;
}

static int check_lists(const char *call, int nrProcs, const int *ranks, int nrGroups,
                       const int *groups)
{
    int status = TAAG_SUCCESS;
    if (nrProcs < 0 || nrGroups < 0)
        return taag_fail(call, TAAG_ERR_COUNT, "%d processes and %d groups", nrProcs, nrGroups);
    if ((nrProcs > 0 && !ranks) || (nrGroups > 0 && !groups))
        return taag_fail(call, TAAG_ERR_ARG, "a list that is not empty is NULL");
    for (int i = 0; i < nrProcs && !status; i++)
        status = taag_check_rank(call, ranks[i]);
    for (int i = 0; i < nrGroups && !status; i++)
        status = taag_check_group(call, groups[i]);
    return status;
}

int TAAG_Group_MPIGroup(int nrProcs, int *ranks, int nrGroups, int *grpRanks, MPI_Group *grp)
{
    const Mapping *m;
    int status = taag_begin(__func__, grp, &m), *list = NULL, code;
    char *chosen = NULL;
    MPI_Group world = MPI_GROUP_NULL;
    if (status || (status = check_lists(__func__, nrProcs, ranks, nrGroups, grpRanks)))
        return status;
    if (!mem_new(list, m->process_count) || !mem_new_zeroed(chosen, m->process_count))
        status = taag_memory(__func__);
    else {
        int count = collect(m, ranks, nrProcs, grpRanks, nrGroups, chosen, list);
        code = MPI_Comm_group(MPI_COMM_WORLD, &world);
        if (code == MPI_SUCCESS)
            code = MPI_Group_incl(world, count, list, grp);
        if (code != MPI_SUCCESS)
            status = taag_mpi_failed(__func__, code);
        if (world != MPI_GROUP_NULL)
            (void)MPI_Group_free(&world);
    }
    mem_free_all(list, chosen);
    return status;
}

/* ---- along the edges ------------------------------------------------------------------------ */

/* Distances from a group, which the caller frees. */
static int distances(const char *call, int group, int32_t **out)
{
    const Mapping *m;
    int status = taag_begin(call, out, &m);
    *out = NULL;
    if (status || (status = taag_check_group(call, group)))
        return status;
    if (!mem_new(*out, m->group_count))
        return taag_memory(call);
    edges_distances(m, group, *out);
    return TAAG_SUCCESS;
}

/* Groups at distance `order` from one: their number, and the first `most` of them. */
static int at_order(const char *call, int group, int order, int *nr, int most, int *grps)
{
    int32_t *distance;
    const Mapping *m;
    int count = 0, status = taag_begin(call, nr, &m);
    if (status || (status = distances(call, group, &distance)))
        return status;
    if (order < 1)
        status = taag_fail(call, TAAG_ERR_COUNT, "order %d is less than 1", order);
    for (int32_t g = 0; g < m->group_count && !status; g++)
        if (distance[g] == order) {
            if (count < most)
                grps[count] = g;
            count++;
        }
    mem_free(distance);
    if (!status)
        *nr = count;
    return status;
}

int TAAG_Group_degree(int grpRank, int order, int *nr)
{
    return at_order(__func__, grpRank, order, nr, 0, NULL);
}

int TAAG_Group_neighbours(int grpRank, int order, int nr, int *grps)
{
    int there, status = at_order(__func__, grpRank, order, &there, 0, NULL);
    if (status || (status = taag_check_count(__func__, nr, there, grps)))
        return status;
    return at_order(__func__, grpRank, order, &there, nr, grps);
}

int TAAG_Group_distance(int grpRank1, int grpRank2, int *nr)
{
    const Mapping *m;
    int32_t *distance;
    int status = taag_begin(__func__, nr, &m);
    if (status || (status = taag_check_group(__func__, grpRank2)) ||
        (status = distances(__func__, grpRank1, &distance)))
        return status;
    *nr = distance[grpRank2];
    mem_free(distance);
    return TAAG_SUCCESS;
}

int TAAG_Group_way(int grpRank1, int grpRank2, int nr, int *grps)
{
    const Mapping *m;
    int32_t *left = NULL; /* edges from each group to the last */
    int status = taag_begin(__func__, "", &m);
    if (status || (status = taag_check_group(__func__, grpRank1)) ||
        (status = distances(__func__, grpRank2, &left)))
        return status;
    if (left[grpRank1] < 0)
        status = taag_fail(__func__, TAAG_ERR_WAY, "no edges lead from group %d to group %d",
                           grpRank1, grpRank2);
    else
        status = taag_check_count(__func__, nr, left[grpRank1], grps);
    for (int i = 0, at = grpRank1; i < nr && !status; i++) {
        int next = 0;
        while (left[next] != left[at] - 1 || !edges_join(m, at, next))
            next++;
        grps[i] = at = next;
    }
    mem_free(left);
    return status;
}
