/* The plan of a communicator, and trees of its processes. */
#include "grid/taag/plan.h"

#include "base/mem.h"
#include "grid/core/transport.h"

/* ---- plans ---------------------------------------------------------------------------------- */

static void plan_free(Plan *plan)
{
    if (plan->comm != MPI_COMM_NULL)
        (void)MPI_Comm_free(&plan->comm);
    mem_free_all(plan->cluster_of, plan->member, plan->start, plan);
}

/* MPI calls this when the user frees the communicator. */
static int drop(MPI_Comm comm, int keyval, void *value, void *extra)
{
    Plan *plan = value;
    Plan **at = &taag_context()->plans;
    (void)comm, (void)keyval, (void)extra;
    while (*at && *at != plan)
        at = &(*at)->next;
    if (*at)
        *at = plan->next;
    plan_free(plan);
    return MPI_SUCCESS;
}

int plans_begin(const char *call, Taag *taag)
{
    Plan *plan;
    int code = MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, drop, &taag->keyval, NULL);
    if (code != MPI_SUCCESS)
        return taag_mpi_failed(call, code);
    int status = plan_of(call, MPI_COMM_WORLD, &plan);
    if (status)
        (void)MPI_Comm_free_keyval(&taag->keyval);
    return status;
}

int plans_end(const char *call, Taag *taag)
{
    int code = MPI_SUCCESS;
    while (taag->plans && code == MPI_SUCCESS)
        code = MPI_Comm_delete_attr(taag->plans->user, taag->keyval);
    if (code == MPI_SUCCESS)
        code = MPI_Comm_free_keyval(&taag->keyval);
    return code == MPI_SUCCESS ? TAAG_SUCCESS : taag_mpi_failed(call, code);
}

/* The cluster of each process of the communicator, as numbered by taag->cluster_of; -1: a process
 * that is not in MPI_COMM_WORLD. */
static int find_clusters(const Taag *taag, const Plan *plan, int *cluster_of)
{
    MPI_Group world, mine;
    int *ranks = NULL, *there = NULL, code = MPI_ERR_NO_MEM;
    if (mem_new(ranks, plan->size) && mem_new(there, plan->size)) {
        for (int i = 0; i < plan->size; i++)
            ranks[i] = i;
        code = MPI_Comm_group(MPI_COMM_WORLD, &world);
        if (code == MPI_SUCCESS)
            code = MPI_Comm_group(plan->user, &mine);
        if (code == MPI_SUCCESS)
            code = MPI_Group_translate_ranks(mine, plan->size, ranks, world, there);
        (void)MPI_Group_free(&world);
        (void)MPI_Group_free(&mine);
    }
    for (int i = 0; i < plan->size && code == MPI_SUCCESS; i++)
        cluster_of[i] =
            there[i] == MPI_UNDEFINED ? -1 : taag->cluster_of[taag->mapping->host_of[there[i]]];
    mem_free_all(ranks, there);
    return code;
}

/* Number the clusters that occur by their smallest ranks, and list their members. */
static void sort_members(Plan *plan)
{
    int count = 0;
    plan->clusters = 0;
    for (int i = 0; i < plan->size; i++) {
        int wanted = plan->cluster_of[i];
        if (wanted < 0)
            continue; /* listed already */
        plan->start[plan->clusters] = count;
        for (int k = i; k < plan->size; k++)
            if (plan->cluster_of[k] == wanted) {
                plan->member[count++] = k;
                plan->cluster_of[k] = -1 - plan->clusters;
            }
        plan->clusters++;
    }
    plan->start[plan->clusters] = count;
    for (int i = 0; i < plan->size; i++)
        plan->cluster_of[i] = -1 - plan->cluster_of[i];
}

/* With all its arrays; NULL: out of memory. */
static Plan *plan_alloc(MPI_Comm comm)
{
    Plan *plan;
    if (!mem_new_zeroed(plan, 1))
        return NULL;
    plan->user = comm;
    plan->comm = MPI_COMM_NULL;
    (void)MPI_Comm_rank(comm, &plan->rank);
    (void)MPI_Comm_size(comm, &plan->size);
    if (mem_new(plan->cluster_of, plan->size) && mem_new(plan->member, plan->size) &&
        mem_new(plan->start, plan->size + 1))
        return plan;
    plan_free(plan);
    return NULL;
}

/* The same on all processes: one that has failed has told the others why it does not go on. */
static int agree(const char *call, MPI_Comm comm, int code)
{
    int mine = code != MPI_SUCCESS, some = 0;
    int sent = MPI_Allreduce(&mine, &some, 1, MPI_INT, MPI_MAX, comm);
    if (code != MPI_SUCCESS || sent != MPI_SUCCESS)
        return taag_mpi_failed(call, code != MPI_SUCCESS ? code : sent);
    return some ? taag_fail(call, TAAG_ERR_MEMORY, "another process is out of memory")
                : TAAG_SUCCESS;
}

static int plan_open(const char *call, const Taag *taag, Plan *plan)
{
    Transport transport = {.comm = MPI_COMM_NULL};
    int code = MPI_SUCCESS;
    for (int i = 0; i < plan->size; i++)
        if (plan->cluster_of[i] < 0)
            return taag_fail(call, TAAG_ERR_COMM,
                             "process %d of the communicator is not in MPI_COMM_WORLD", i);
    sort_members(plan);
    if (transport_open(&transport, plan->user)) /* a copy that reports errors */
        code = transport.mpi_code;
    plan->comm = transport.comm;
    if (code == MPI_SUCCESS)
        code = MPI_Comm_set_attr(plan->user, taag->keyval, plan);
    return code == MPI_SUCCESS ? TAAG_SUCCESS : taag_mpi_failed(call, code);
}

static int plan_new(const char *call, Taag *taag, MPI_Comm comm, Plan **out)
{
    Plan *plan = plan_alloc(comm);
    int status =
        agree(call, comm, plan ? find_clusters(taag, plan, plan->cluster_of) : MPI_ERR_NO_MEM);
    if (!status)
        status = plan_open(call, taag, plan);
    if (status) {
        if (plan)
            plan_free(plan);
        return status;
    }
    plan->next = taag->plans;
    taag->plans = *out = plan;
    return TAAG_SUCCESS;
}

int plan_of(const char *call, MPI_Comm comm, Plan **out)
{
    Taag *taag = taag_context();
    const Mapping *m;
    int found = 0, between = 0, over = 0, status = taag_begin(call, out, &m);
    if (status)
        return status;
    (void)MPI_Finalized(&over);
    if (over)
        return taag_fail(call, TAAG_ERR_NO_MPI, "MPI has been finalised");
    if (comm == MPI_COMM_NULL)
        return taag_fail(call, TAAG_ERR_COMM, "the communicator is MPI_COMM_NULL");
    int code = MPI_Comm_get_attr(comm, taag->keyval, (void *)out, &found);
    if (code == MPI_SUCCESS && !found)
        code = MPI_Comm_test_inter(comm, &between);
    if (code != MPI_SUCCESS)
        return taag_mpi_failed(call, code);
    if (between)
        return taag_fail(call, TAAG_ERR_COMM, "the communicator is an intercommunicator");
    return found ? TAAG_SUCCESS : plan_new(call, taag, comm, out);
}

/* ---- trees ---------------------------------------------------------------------------------- */

/* Place of a rank among the members of its cluster. */
static int place_of(const Plan *plan, int rank)
{
    int place = plan->start[plan->cluster_of[rank]];
    while (plan->member[place] != rank)
        place++;
    return place - plan->start[plan->cluster_of[rank]];
}

static int leader_of(const Plan *plan, int root, int cluster)
{
    return root >= 0 && plan->cluster_of[root] == cluster ? root
                                                          : plan->member[plan->start[cluster]];
}

int tree_of(const Plan *plan, int root, int fan, int rank, Tree *out)
{
    int cluster = plan->cluster_of[rank], size = plan_cluster_size(plan, cluster);
    const int *member = plan->member + plan->start[cluster];
    int leader = leader_of(plan, root, cluster), first = place_of(plan, leader);
    int at = (place_of(plan, rank) - first + size) % size; /* from the leader on */
    *out = (Tree){.parent = -1, .leader = leader};
    if (!mem_new(out->child, plan->clusters + fan))
        return -1;
    for (int c = 0; c < plan->clusters && rank == root; c++)
        if (c != cluster)
            out->child[out->count++] = leader_of(plan, root, c);
    for (int i = 1; i <= fan && (int64_t)fan * at + i < size; i++)
        out->child[out->count++] = member[(first + fan * at + i) % size];
    if (at > 0)
        out->parent = member[(first + (at - 1) / fan) % size];
    else if (root >= 0 && rank != root)
        out->parent = root;
    return 0;
}

int tree_list(const Plan *plan, int root, int fan, int rank, int *out)
{
    Tree tree;
    int count = 1, status = tree_of(plan, root, fan, rank, &tree);
    out[0] = rank;
    for (int i = 0; i < tree.count && status == 0; i++) {
        int below = tree_list(plan, root, fan, tree.child[i], out + count);
        if (below < 0)
            status = -1;
        count += below;
    }
    mem_free(tree.child);
    return status ? -1 : count;
}
