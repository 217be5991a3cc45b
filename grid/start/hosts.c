/* The hosts of a program: from the description to what mpirun is told. */
#include <amoget_machine.h>
#include <string.h>
#include <time.h>

#include "description_file.h"
#include "grid/core/guard.h"
#include "grid/start/hosts.h"
#include "tool.h"

/* Names live as long as the machine. */
static bool keep(const Share *shares, int32_t count, Hosts *hosts)
{
    bool good = mem_new_zeroed(hosts->name, (size_t)count + 1) &&
                mem_new_zeroed(hosts->place, 3 * (size_t)count + 1);
    for (int32_t i = 0; good && i < count; i++) {
        const size_t size = strlen(shares[i].name) + 32;
        char *number = arena_alloc(&hosts->arena, 32), *place = arena_alloc(&hosts->arena, size),
             *tells = arena_alloc(&hosts->arena, size);
        good = number && place && tells;
        if (!good)
            break;
        (void)snprintf(number, 32, "%d", (int)shares[i].processes);
        (void)snprintf(place, size, "%s:%d", shares[i].name, (int)shares[i].processes);
        hosts->name[i] = (char *)(uintptr_t)shares[i].name;
        (void)snprintf(tells, size, GRID_HOST "=%s", shares[i].name);
        hosts->place[3 * i] = number;
        hosts->place[3 * i + 1] = place;
        hosts->place[3 * i + 2] = tells;
    }
    return good;
}

int hosts_find(const char *description, int32_t processes, Hosts *hosts)
{
    const bool quiet = false; /* measurements may be stale */
    *hosts = (Hosts){0};
    int status =
        description_machine(description, quiet, NULL, 0, (double)time(NULL), &hosts->machine);
    if (status != EXIT_SOLVED)
        return status;
    Share *shares = NULL;
    int32_t count = mem_new_zeroed(shares, amoget_processor_count(hosts->machine))
                        ? hosts_choose(hosts->machine, processes, shares)
                        : -1;
    if (count < 0 || !keep(shares, count, hosts))
        status = out_of_memory();
    mem_free(shares);
    return status;
}

void hosts_free(Hosts *hosts)
{
    mem_free_all(hosts->name, hosts->place);
    arena_free(&hosts->arena);
    amoget_machine_free(hosts->machine);
}
