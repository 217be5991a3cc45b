/* Queries: figures of the paper, and every misuse. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cases.h"

static void good(int code)
{
    expect(code == TAAG_SUCCESS, "%s", TAAG_Error_message());
}

static void refused(int code, int wanted, const char *words)
{
    expect(code == wanted && strstr(TAAG_Error_message(), words), "code %d, not %d: %s", code,
           wanted, TAAG_Error_message());
    expect(TAAG_Error_string(code)[0] != '\0', "code %d has no text", code);
}

#define HOSTS                                                                                      \
    "<host name='a' places='12' speed='2500'/><host name='b' places='6' speed='1400'/>"            \
    "<latency from='a' to='b' seconds='0.005'/>"

/* Figure 1d: groups 1, 3, 2, 4 in a ring, here by edges that point in all directions; a process
 * each, and more in the first group. */
static void begin(const char *schema, int groups, const char *rest)
{
    char *text = NULL;
    size_t length = 0;
    FILE *to = open_memstream(&text, &length);
    if (!to)
        MPI_Abort(MPI_COMM_WORLD, 1);
    (void)fprintf(to, "<mapping><schema %s processes='%d'/>" HOSTS, schema, size);
    for (int g = 0, r = 0; g < groups; g++) {
        (void)fputs("<group>", to);
        for (int i = g == 0 ? size - groups + 1 : 1; i > 0; i--, r++)
            (void)fprintf(to, "<process rank='%d' host='%s'/>", r, g == 0 ? "a" : "b");
        (void)fputs("</group>", to);
    }
    (void)fprintf(to, "%s</mapping>", rest);
    (void)fclose(to);
    write_file(text);
    free(text);
    good(TAAG_Init(mapping_file));
}

/* Groups of a path 1 - 2 - 3 - 4. */
void queries(void)
{
    int nr = -1, list[8], cpus;
    double ms;
    char address[TAAG_MAX_ADDRESS];
    MPI_Group group;
    begin("kind='groups'", 4,
          "<edge from='1' to='2'/><edge from='3' to='2'/><edge from='3' to='4'/>");
    good(TAAG_Group_number(&nr));
    expect(nr == 4, "%d groups", nr);
    good(TAAG_Group_rank(size - 1, &nr));
    expect(nr == 3, "group %d", nr);
    good(TAAG_Group_size(0, &nr));
    expect(nr == size - 3, "size %d", nr);
    good(TAAG_Group_members(0, 2, list));
    expect(list[0] == 0 && list[1] == 1, "members %d %d", list[0], list[1]);
    good(TAAG_Group_element(2, 0, &nr));
    expect(nr == size - 2, "element %d", nr);
    good(TAAG_Group_degree(1, 1, &nr));
    expect(nr == 2, "degree %d", nr);
    good(TAAG_Group_neighbours(1, 1, 2, list));
    expect(list[0] == 0 && list[1] == 2, "neighbours %d %d", list[0], list[1]);
    good(TAAG_Group_neighbours(0, 3, 1, list));
    expect(list[0] == 3, "third-order neighbour %d", list[0]);
    good(TAAG_Group_distance(0, 3, &nr));
    expect(nr == 3, "distance %d", nr);
    good(TAAG_Group_way(0, 3, nr, list));
    expect(list[0] == 1 && list[1] == 2 && list[2] == 3, "the way");
    good(TAAG_Group_MPIGroup(2, (int[]){size - 1, size - 2}, 2, (int[]){3, 1}, &group));
    MPI_Group_size(group, &nr);
    expect(nr == 3, "MPI group of %d", nr);
    MPI_Group_free(&group);
    good(TAAG_Host_number(&nr));
    expect(nr == 2, "%d hosts", nr);
    good(TAAG_Host_address(size - 1, address));
    expect(strcmp(address, "b") == 0, "address %s", address);
    good(TAAG_Host_properties(size - 1, &cpus, &nr));
    expect(cpus == 6 && nr == 3, "%d places, %d processes", cpus, nr);
    good(TAAG_Host_processes(size - 1, 3, list));
    expect(list[0] == size - 3 && list[2] == size - 1, "processes of b");
    good(TAAG_Host_latency(0, size - 1, &ms));
    expect(ms == 5, "%g ms", ms);
    good(TAAG_Host_latency(0, 1, &ms));
    expect(ms == 0, "%g ms on one host", ms);
    good(TAAG_Free());
}

void ring_queries(void)
{
    int nr;
    static const int right[] = {2, 3, 1, 0};
    begin("kind='ring'", 4,
          "<edge from='1' to='3'/><edge from='2' to='3'/><edge from='4' to='1'/>"
          "<edge from='4' to='2'/>");
    good(TAAG_Ring_isRing(&nr));
    expect(nr == TAAG_TRUE, "a ring");
    for (int g = 0; g < 4; g++) {
        good(TAAG_Ring_right(g, &nr));
        expect(nr == right[g], "right of %d: %d", g, nr);
        good(TAAG_Ring_left(right[g], &nr));
        expect(nr == g, "left of %d: %d", right[g], nr);
    }
    refused(TAAG_Ring_left(4, &nr), TAAG_ERR_GROUP, "not in 0 .. 3");
    refused(TAAG_Tree_root(&nr), TAAG_ERR_KIND, "`ring`, not `tree`");
    good(TAAG_Free());
}

/* A root, two managers, a leaf group each: one leaf, and all other processes. */
void tree_queries(void)
{
    char text[2048];
    int n = snprintf(text, sizeof text,
                     "<mapping><schema kind='tree' processes='%d' levels='3'/>" HOSTS
                     "<group><process rank='0' host='a'/></group>"
                     "<group parent='1'><process rank='1' host='a'/></group>"
                     "<group parent='1'><process rank='2' host='a'/></group>"
                     "<group parent='2'><process rank='3' host='a'/></group><group parent='3'>",
                     size);
    int nr, list[8];
    for (int r = 4; r < size; r++)
        n += snprintf(text + n, sizeof text - (size_t)n, "<process rank='%d' host='b'/>", r);
    (void)snprintf(text + n, sizeof text - (size_t)n, "</group></mapping>");
    write_file(text);
    good(TAAG_Init(mapping_file));
    good(TAAG_Tree_isTree(&nr));
    expect(nr == TAAG_TRUE, "a tree");
    good(TAAG_Tree_root(&nr));
    expect(nr == 0, "root %d", nr);
    good(TAAG_Tree_depth(&nr));
    expect(nr == 3, "depth %d", nr);
    static const int parent[] = {MPI_PROC_NULL, 0, 0, 1, 2, 2}, level[] = {0, 1, 1, 2, 2, 2};
    for (int r = 0; r < size && r < 6; r++) {
        good(TAAG_Tree_parent(r, &nr));
        expect(nr == parent[r], "parent of %d: %d", r, nr);
        good(TAAG_Tree_level(r, &nr));
        expect(nr == level[r], "level of %d: %d", r, nr);
        good(TAAG_Tree_isLeaf(r, &nr));
        expect(nr == (r > 2 ? TAAG_TRUE : TAAG_FALSE), "leaf %d: %d", r, nr);
    }
    good(TAAG_Tree_width(0, 1, &nr));
    expect(nr == 2, "width %d", nr);
    good(TAAG_Tree_children(0, 1, 2, list));
    expect(list[0] == 1 && list[1] == 2, "children %d %d", list[0], list[1]);
    good(TAAG_Tree_width(0, 2, &nr));
    expect(nr == size - 3, "leaves %d", nr);
    good(TAAG_Tree_width(2, 1, &nr));
    expect(nr == size - 4, "leaves of 2: %d", nr);
    good(TAAG_Tree_width(3, 1, &nr));
    expect(nr == 0, "below a leaf: %d", nr);
    good(TAAG_Tree_width(3, 0, &nr));
    expect(nr == 1, "a leaf itself: %d", nr);
    good(TAAG_Tree_width(size - 1, 0, &nr));
    expect(nr == 1, "a leaf among others itself: %d", nr);
    good(TAAG_Group_distance(3, 4, &nr));
    expect(nr == 4, "from leaf group to leaf group: %d", nr);
    refused(TAAG_Tree_width(0, 3, &nr), TAAG_ERR_COUNT, "level 3");
    refused(TAAG_Ring_right(0, &nr), TAAG_ERR_KIND, "`tree`, not `ring`");
    good(TAAG_Free());
}

static void misused_collectives(void)
{
    int x = 0;
    double from = 0, to = 0;
    refused(TAAG_Bcast(&x, 1, MPI_INT, size, MPI_COMM_WORLD), TAAG_ERR_RANK, "root");
    refused(TAAG_Bcast(&x, -1, MPI_INT, 0, MPI_COMM_WORLD), TAAG_ERR_COUNT, "negative");
    refused(TAAG_Bcast(&x, 1, MPI_DATATYPE_NULL, 0, MPI_COMM_WORLD), TAAG_ERR_ARG, "datatype");
    refused(TAAG_Bcast(&x, 1, MPI_INT, 0, MPI_COMM_NULL), TAAG_ERR_COMM, "MPI_COMM_NULL");
    refused(TAAG_Allreduce(&from, &to, 1, MPI_DOUBLE, MPI_BAND, MPI_COMM_WORLD), TAAG_ERR_ARG,
            "not defined for the datatype");
    refused(TAAG_Reduce(&x, &x, 1, MPI_INT, MPI_OP_NULL, 0, MPI_COMM_WORLD), TAAG_ERR_ARG,
            "operation");
    const MPI_Op of_windows[] = {MPI_REPLACE, MPI_NO_OP};
    for (int k = 0; k < 2; k++) {
        refused(TAAG_Reduce(MPI_IN_PLACE, &x, 1, MPI_INT, of_windows[k], 0, MPI_COMM_WORLD),
                TAAG_ERR_ARG, "the operation is for windows only");
        refused(TAAG_Allreduce(MPI_IN_PLACE, &x, 1, MPI_INT, of_windows[k], MPI_COMM_WORLD),
                TAAG_ERR_ARG, "the operation is for windows only");
    }
    refused(TAAG_Alltoall(&x, -1, MPI_INT, &x, 1, MPI_INT, MPI_COMM_WORLD), TAAG_ERR_COUNT,
            "negative");
    refused(TAAG_Alltoall(&x, 1, MPI_DATATYPE_NULL, &x, 1, MPI_INT, MPI_COMM_WORLD), TAAG_ERR_ARG,
            "datatype");
    refused(TAAG_Collectives(7), TAAG_ERR_ARG, "mode 7");
}

/* On all processes; the calls after it go on. */
static void missing_buffers(void)
{
    int x = rank, sum = 0, first = -1;
    MPI_Aint place;
    MPI_Datatype at_place;
    refused(TAAG_Bcast(NULL, 1, MPI_INT, 0, MPI_COMM_WORLD), TAAG_ERR_ARG, "a buffer is NULL");
    refused(TAAG_Gather(NULL, 1, MPI_INT, &x, 1, MPI_INT, 0, MPI_COMM_WORLD), TAAG_ERR_ARG, "NULL");
    refused(TAAG_Reduce(NULL, &x, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD), TAAG_ERR_ARG, "NULL");
    refused(TAAG_Allreduce(NULL, &x, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD), TAAG_ERR_ARG, "NULL");
    refused(TAAG_Allreduce(&x, NULL, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD), TAAG_ERR_ARG, "NULL");
    refused(TAAG_Alltoall(NULL, 1, MPI_INT, &x, 1, MPI_INT, MPI_COMM_WORLD), TAAG_ERR_ARG, "NULL");
    refused(TAAG_Alltoall(&x, 1, MPI_INT, NULL, 1, MPI_INT, MPI_COMM_WORLD), TAAG_ERR_ARG, "NULL");
    refused(TAAG_Alltoall(&x, 1, MPI_INT, MPI_IN_PLACE, 1, MPI_INT, MPI_COMM_WORLD), TAAG_ERR_ARG,
            "MPI_IN_PLACE");
    good(TAAG_Bcast(NULL, 0, MPI_INT, 0, MPI_COMM_WORLD));
    good(TAAG_Reduce(&x, rank == 0 ? &sum : NULL, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD));
    expect(sum == (rank == 0 ? size * (size - 1) / 2 : 0), "sum %d", sum);
    /* MPI_BOTTOM, which is NULL in some MPIs, with an address in the type. */
    first = rank == 0 ? 17 : -1;
    MPI_Get_address(&first, &place);
    MPI_Type_create_hindexed_block(1, 1, &place, MPI_INT, &at_place);
    MPI_Type_commit(&at_place);
    good(TAAG_Bcast(MPI_BOTTOM, 1, at_place, 0, MPI_COMM_WORLD));
    MPI_Type_free(&at_place);
    expect(first == 17, "by an address: %d", first);
}

void misuse(void)
{
    int nr = 77, list[2];
    char none[] = "/nowhere/mapping.xml";
    MPI_Group group;
    refused(TAAG_Group_number(&nr), TAAG_ERR_INIT, "TAAG_Group_number: call TAAG_Init first");
    refused(TAAG_Barrier(MPI_COMM_WORLD), TAAG_ERR_INIT, "call TAAG_Init first");
    refused(TAAG_Free(), TAAG_ERR_INIT, "call TAAG_Init first");
    refused(TAAG_Init(NULL), TAAG_ERR_ARG, "no mapping file");
    refused(TAAG_Init(none), TAAG_ERR_FILE, "rank 0: /nowhere/mapping.xml: No such file");
    write_file("<mapping>\n<chema/></mapping>");
    refused(TAAG_Init(mapping_file), TAAG_ERR_MAPPING, "mapping.xml:2:1: ");
    refused(TAAG_Init(rank == size - 1 ? none : mapping_file), TAAG_ERR_MAPPING, "rank 0: ");
    begin("kind='groups'", 4, "<edge from='1' to='2'/>");
    refused(TAAG_Init(rank == 1 ? none : mapping_file), TAAG_ERR_TWICE, "initialised already");
    refused(TAAG_Group_rank(size, &nr), TAAG_ERR_RANK, "is not in 0");
    refused(TAAG_Group_rank(-1, &nr), TAAG_ERR_RANK, "rank -1");
    refused(TAAG_Group_rank(0, NULL), TAAG_ERR_ARG, "NULL");
    refused(TAAG_Group_size(4, &nr), TAAG_ERR_GROUP, "group 4");
    refused(TAAG_Group_members(1, 2, list), TAAG_ERR_COUNT, "there are 1");
    refused(TAAG_Group_members(1, 1, NULL), TAAG_ERR_ARG, "NULL");
    refused(TAAG_Group_element(1, 1, &nr), TAAG_ERR_COUNT, "index 1");
    refused(TAAG_Group_degree(0, 0, &nr), TAAG_ERR_COUNT, "order 0");
    refused(TAAG_Group_way(0, 3, 0, list), TAAG_ERR_WAY, "from group 0 to group 3");
    refused(TAAG_Group_MPIGroup(1, (int[]){-3}, 0, NULL, &group), TAAG_ERR_RANK, "rank -3");
    refused(TAAG_Host_latency(0, size, NULL), TAAG_ERR_ARG, "NULL");
    expect(nr == 77, "a result was written: %d", nr);
    expect(TAAG_Group_distance(0, 3, &nr) == TAAG_SUCCESS && nr == -1, "distance %d", nr);
    misused_collectives();
    missing_buffers();
    good(TAAG_Free());
    refused(TAAG_Free(), TAAG_ERR_INIT, "call TAAG_Init first");
    write_file("<mapping><schema kind='singleton' processes='1'/><host name='a' places='9' "
               "speed='1'/><group><process rank='0' host='a'/></group></mapping>");
    refused(TAAG_Init(mapping_file), TAAG_ERR_SIZE, "is for 1 processes");
}
