/* Which hosts run a program: the lightest ones of a description.
 *
 * Process 0, the master, is on the lightest of all (BSP-G: Tong, Ding and Cai, 2003, 6.1). */
#include <amoget_machine.h>
#include <math.h>
#include <stdlib.h>

#include "grid/start/hosts.h"

static int lighter(const AmogetMachine *machine, int32_t a, int32_t b)
{
    double free_a = amoget_availability(machine, a), free_b = amoget_availability(machine, b);
    double time_a = amoget_time(machine, a), time_b = amoget_time(machine, b);
    if (free_a != free_b)
        return free_a > free_b;
    return time_a != time_b ? time_a < time_b : a < b;
}

static int32_t places(const AmogetMachine *machine, int32_t host)
{
    double free_cores = floor(amoget_cores(machine, host) * amoget_availability(machine, host));
    return free_cores >= 1 ? (int32_t)free_cores : 1;
}

/* Insertion: descriptions have tens of hosts. */
static void sort(const AmogetMachine *machine, int32_t *order, int32_t count)
{
    for (int32_t i = 0; i < count; i++) {
        int32_t k = i;
        for (; k > 0 && lighter(machine, i, order[k - 1]); k--)
            order[k] = order[k - 1];
        order[k] = i;
    }
}

int32_t hosts_choose(const AmogetMachine *machine, int32_t processes, Share *shares)
{
    int32_t count = amoget_processor_count(machine), used = 0;
    int32_t *order = calloc((size_t)count, sizeof *order);
    if (!order)
        return -1;
    sort(machine, order, count);
    for (int32_t left = processes, i = 0; left > 0; i = (i + 1) % count) {
        int32_t room = places(machine, order[i]), take = room < left ? room : left;
        if (i == used) {
            shares[used++] = (Share){amoget_processor_address(machine, order[i]), 0};
        }
        shares[i].processes += take;
        left -= take;
    }
    free(order);
    return used;
}
