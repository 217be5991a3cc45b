/* Groups: processes that end supersteps among themselves. */
#include <stdlib.h>

#include "grid/bsp/bsp.h"
#include "grid/bsp/latencies.h"
#include "grid/bsp/superstep.h"

void bsp_push_group(int colour)
{
    static const char call[] = "bsp_push_group";
    Bsp *bsp = context_inside(call);
    const Group *outer = groups_innermost(&bsp->groups);
    int *members = context_allocate(call, (size_t)outer->count, sizeof *members), count = 0;
    if (colour < 0 && colour != BSP_BY_HOST && colour != BSP_BY_CLUSTER)
        context_fail(
            call, "the colour %d is negative, and neither BSP_BY_HOST, %d, nor BSP_BY_CLUSTER, %d",
            colour, BSP_BY_HOST, BSP_BY_CLUSTER);
    if (bsp->groups.count == GROUP_DEPTHS)
        context_fail(call, "there are %d groups within each other already", GROUP_DEPTHS - 1);
    if (colour == BSP_BY_HOST)
        colour = bsp->transport.host;
    superstep_end(bsp, call, CALL_PUSH_GROUP, outer, colour);
    for (int i = 0; i < outer->count; i++)
        if (transport_got(&bsp->transport, outer->members[i])->colour == colour)
            members[count++] = outer->members[i];
    if (colour == BSP_BY_CLUSTER && latencies_cluster(&bsp->transport, members, &count))
        context_out_of_memory(call);
    bsp->groups.each[bsp->groups.count] =
        (Group){.members = members, .count = count, .depth = bsp->groups.count};
    bsp->groups.count++;
}

void bsp_pop_group(void)
{
    static const char call[] = "bsp_pop_group";
    Bsp *bsp = context_inside(call);
    if (bsp->groups.count == 1)
        context_fail(call, "there is no group");
    free(bsp->groups.each[--bsp->groups.count].members);
}

void bsp_sync_group(void)
{
    static const char call[] = "bsp_sync_group";
    Bsp *bsp = context_inside(call);
    superstep_end(bsp, call, CALL_SYNC_GROUP, groups_innermost(&bsp->groups), 0);
}
