/* bin/pepa-mpi, bin/amoget-mpi: processes that MPI has started together. */
#include <limits.h>
#include <malloc.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hosts.h"
#include "meet.h"
#include "pepa_mpi.h"
#include "together.h"
#include "tool.h"

static bool is_first(const Together *together)
{
    return together->processes->rank == 0;
}

/* What is said is the same everywhere: once is enough. */
static bool be_silent(void)
{
    return freopen("/dev/null", "w", stdout) && freopen("/dev/null", "w", stderr);
}

/* Processes share the memory of a machine.  What one frees goes back, also in the middle of its heap: the
 * GNU library would otherwise keep ever larger arrays there once some were freed.  And hwloc's plugins, which
 * nothing here needs, load libraries of 3 MB into each process when Open MPI looks at the machine by itself. */
static void save_memory(void)
{
    (void)setenv("HWLOC_PLUGINS_PATH", "/none", 0);
#ifdef M_MMAP_THRESHOLD
    enum { MAPPED = 1 << 20 }; /* bytes */
    (void)mallopt(M_MMAP_THRESHOLD, MAPPED);
    (void)mallopt(M_TRIM_THRESHOLD, MAPPED);
#endif
}

/* Between processes of a machine Open MPI hands over 4 kB at once; what is longer waits until the other looks for
 * messages, and the sender with it.  Pieces of a vector are some 10 kB: two processes then take 0.8 of the time on kanban 5
 * of bench/families.awk, and as long on larger chains.  Room for 64 messages more at a time would be 2 MB.
 * With many processes the room for messages counts: half of it is 4% of the memory of eight on kanban 6, which take as
 * long.  Messages wait where it is full. */
static void room_for_messages(void)
{
    enum { FEW = 4 };
    const char *beside = getenv("OMPI_COMM_WORLD_LOCAL_SIZE");
    if (!beside)
        return;
    if (strtol(beside, NULL, 10) <= FEW) {
        (void)setenv("OMPI_MCA_btl_vader_eager_limit", "16384", 0);
        (void)setenv("OMPI_MCA_btl_vader_free_list_inc", "8", 0);
    } else {
        (void)setenv("OMPI_MCA_btl_vader_segment_size", "2097152", 0);
    }
}

int together_begin(Together *together, int argc, char **argv)
{
    int beside = 1, threads;
    char *hosts = getenv(TOGETHER_HOSTS);
    MPI_Comm host;
    *together = (Together){.beside = 1};
    if (hosts) {
        hosts = strdup(hosts);
        (void)unsetenv(TOGETHER_HOSTS);
        const int status = hosts ? hosts_start(hosts, argv) : out_of_memory();
        free(hosts);
        return status;
    }
    save_memory();
    room_for_messages();
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &threads);
    together->processes = pepa_mpi_processes(MPI_COMM_WORLD);
    together->hurried = getenv("OMPI_COMM_WORLD_SIZE") && !getenv("PEPA_HOST");
    if (!together->processes)
        return out_of_memory();
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &host);
    MPI_Comm_size(host, &beside);
    MPI_Comm_free(&host);
    together->beside = beside;
    return is_first(together) || be_silent() ? GO_ON : EXIT_INPUT;
}

int together_hosts(Together *together, const char *path, char **argv)
{
    (void)argv;
    if (!together->processes) /* they do not share this command */
        return GO_ON;
    const int status = hosts_deal(together, path);
    return status == EXIT_SOLVED ? GO_ON : status;
}

bool together_text(const Together *together, Text *text)
{
    if (!together->processes) /* this one works, and the others do not read */
        return !text->failed;
    unsigned long long length = text->failed ? ULLONG_MAX : text->length;
    const unsigned long long most = 1 << 30;
    MPI_Bcast(&length, 1, MPI_UNSIGNED_LONG_LONG, 0, MPI_COMM_WORLD);
    if (length >= most)
        return false;
    double fails = 0;
    if (!is_first(together))
        fails = !mem_grow(text->text, text->cap, (size_t)length + 1);
    together->processes->largest(together->processes->user, &fails, 1);
    if (fails != 0)
        return false;
    if (length > 0)
        MPI_Bcast(text->text, (int)length, MPI_CHAR, 0, MPI_COMM_WORLD);
    if (!is_first(together)) {
        text->length = (size_t)length;
        text->text[length] = '\0';
    }
    return true;
}

void together_meet(const Together *together)
{
    (void)together;
    meet(MPI_COMM_WORLD);
}

int together_end(Together *together, int status)
{
    int begun;
    MPI_Initialized(&begun);
    if (!begun) /* it has started others */
        return status;
    const bool first = !together->processes || is_first(together);
    together_meet(together);
    pepa_mpi_free(together->processes);
    mem_free(together->part);
    MPI_Finalize();
    return first ? status : EXIT_SOLVED;
}
