/* Queries about trees and rings of groups. */
#include "amoget/program/kind.h"
#include "grid/taag/context.h"

static int is_kind(const char *call, int *flag, AmogetProgramKind kind)
{
    const Mapping *m;
    int status = taag_begin(call, flag, &m);
    if (!status)
        *flag = m->schema.kind == kind ? TAAG_TRUE : TAAG_FALSE;
    return status;
}

/* The mapping, if its schema is of this kind. */
static int begin_kind(const char *call, const void *result, AmogetProgramKind kind,
                      const Mapping **m)
{
    int status = taag_begin(call, result, m);
    if (!status && (*m)->schema.kind != kind)
        return taag_fail(call, TAAG_ERR_KIND, "the schema is `%s`, not `%s`",
                         kind_name((*m)->schema.kind), kind_name(kind));
    return status;
}

static int begin_tree(const char *call, int rank, const void *result, const Mapping **m)
{
    int status = begin_kind(call, result, AMOGET_TREE, m);
    return status ? status : taag_check_rank(call, rank);
}

static int level_of(const Mapping *m, int32_t group)
{
    int level = 0;
    for (; m->groups[group].parent >= 0; group = m->groups[group].parent)
        level++;
    return level;
}

/* ---- trees ---------------------------------------------------------------------------------- */

int TAAG_Tree_isTree(int *flag)
{
    return is_kind(__func__, flag, AMOGET_TREE);
}

int TAAG_Tree_isLeaf(int rank, int *flag)
{
    const Mapping *m;
    int status = begin_tree(__func__, rank, flag, &m);
    if (!status)
        *flag = level_of(m, m->group_of[rank]) == m->schema.levels - 1 ? TAAG_TRUE : TAAG_FALSE;
    return status;
}

int TAAG_Tree_root(int *rank)
{
    const Mapping *m;
    int status = begin_kind(__func__, rank, AMOGET_TREE, &m);
    if (!status)
        *rank = 0; /* the only process of group 0 */
    return status;
}

int TAAG_Tree_depth(int *depth)
{
    const Mapping *m;
    int status = begin_kind(__func__, depth, AMOGET_TREE, &m);
    if (!status)
        *depth = m->schema.levels;
    return status;
}

int TAAG_Tree_level(int rank, int *level)
{
    const Mapping *m;
    int status = begin_tree(__func__, rank, level, &m);
    if (!status)
        *level = level_of(m, m->group_of[rank]);
    return status;
}

/* A manager is the only process of its group. */
static int manager_of(const Mapping *m, int rank)
{
    int32_t parent = m->groups[m->group_of[rank]].parent;
    if (parent < 0)
        return MPI_PROC_NULL;
    for (rank = 0; m->group_of[rank] != parent; rank++)
        ;
    return rank;
}

int TAAG_Tree_parent(int rank, int *parent)
{
    const Mapping *m;
    int status = begin_tree(__func__, rank, parent, &m);
    if (!status)
        *parent = manager_of(m, rank);
    return status;
}

/* Is `rank` so many levels below `top`? */
static int is_below(const Mapping *m, int rank, int top, int level)
{
    int32_t group = m->group_of[rank];
    if (level == 0)
        return rank == top;
    for (; level > 0 && group >= 0; level--)
        group = m->groups[group].parent;
    return group >= 0 && group == m->group_of[top];
}

/* Processes so many levels below one: their number, and the first `most` of them. */
static int below(const Mapping *m, int top, int level, int most, int *ranks)
{
    int count = 0;
    for (int rank = 0; rank < m->process_count; rank++)
        if (is_below(m, rank, top, level)) {
            if (count < most)
                ranks[count] = rank;
            count++;
        }
    return count;
}

static int begin_level(const char *call, int rank, int level, const void *result, const Mapping **m)
{
    int status = begin_tree(call, rank, result, m);
    if (!status && (level < 0 || level >= (*m)->schema.levels))
        return taag_fail(call, TAAG_ERR_COUNT, "level %d is not in 0 .. %d", level,
                         (*m)->schema.levels - 1);
    return status;
}

int TAAG_Tree_width(int rank, int level, int *nr)
{
    const Mapping *m;
    int status = begin_level(__func__, rank, level, nr, &m);
    if (!status)
        *nr = below(m, rank, level, 0, NULL);
    return status;
}

int TAAG_Tree_children(int rank, int level, int nr, int *ranks)
{
    const Mapping *m;
    int status = begin_level(__func__, rank, level, "", &m);
    if (status || (status = taag_check_count(__func__, nr, below(m, rank, level, 0, NULL), ranks)))
        return status;
    (void)below(m, rank, level, nr, ranks);
    return TAAG_SUCCESS;
}

/* ---- rings ---------------------------------------------------------------------------------- */

int TAAG_Ring_isRing(int *flag)
{
    return is_kind(__func__, flag, AMOGET_RING);
}

int TAAG_Ring_left(int grpRank, int *left)
{
    const Mapping *m;
    int status = begin_kind(__func__, left, AMOGET_RING, &m), group = 0;
    if (status || (status = taag_check_group(__func__, grpRank)))
        return status;
    while (taag_context()->right_of[group] != grpRank)
        group++;
    *left = group;
    return TAAG_SUCCESS;
}

int TAAG_Ring_right(int grpRank, int *right)
{
    const Mapping *m;
    int status = begin_kind(__func__, right, AMOGET_RING, &m);
    if (status || (status = taag_check_group(__func__, grpRank)))
        return status;
    *right = taag_context()->right_of[grpRank];
    return TAAG_SUCCESS;
}
