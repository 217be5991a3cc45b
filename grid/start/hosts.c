/* The hosts of a program: from the description to a file for mpirun. */
#include <amoget_machine.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "description_file.h"
#include "grid/start/hosts.h"
#include "tool.h"

/* A line for each process: two names of one machine with numbers of slots would be an error. */
static int write_file(const char *command, const Share *shares, int32_t count, Hosts *hosts)
{
    const char *folder = getenv("TMPDIR");
    (void)snprintf(hosts->path, sizeof hosts->path, "%s/%s.XXXXXX",
                   folder && *folder ? folder : "/tmp", command);
    int file = mkstemp(hosts->path);
    FILE *to = file >= 0 ? fdopen(file, "w") : NULL;
    bool good = to != NULL;
    for (int32_t i = 0; i < count && good; i++)
        for (int32_t k = 0; k < shares[i].processes && good; k++)
            good = fprintf(to, "%s\n", shares[i].name) > 0;
    if (to && fclose(to) == 0 && good)
        return EXIT_SOLVED;
    return fail(EXIT_INPUT, "%s: cannot write %s: %s", command, hosts->path, strerror(errno));
}

static bool write_list(const Share *shares, int32_t count, Text *list)
{
    for (int32_t i = 0; i < count; i++)
        for (int32_t k = 0; k < shares[i].processes; k++)
            text_add(list, "%s%s", list->length > 0 ? "," : "", shares[i].name);
    return !list->failed;
}

/* Names live as long as the machine. */
static bool keep_names(const Share *shares, int32_t count, Hosts *hosts)
{
    if (!mem_new_zeroed(hosts->name, (size_t)count + 1))
        return false;
    for (int32_t i = 0; i < count; i++)
        hosts->name[i] = (char *)(uintptr_t)shares[i].name;
    return true;
}

int hosts_find(const char *command, const char *description, int32_t processes, Hosts *hosts)
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
    status =
        count < 0 || !keep_names(shares, count, hosts) || !write_list(shares, count, &hosts->list)
            ? out_of_memory()
            : write_file(command, shares, count, hosts);
    mem_free(shares);
    return status;
}

void hosts_free(Hosts *hosts)
{
    if (hosts->path[0])
        (void)remove(hosts->path);
    mem_free(hosts->name);
    text_free(&hosts->list);
    amoget_machine_free(hosts->machine);
}
