/* Processes on the machines of a description: where they are started, and what part of the work each
 * gets.
 *
 * On each machine as many are started as it has free cores.  What a process can do is what a core of
 * its machine can, less where they are more than the free cores; its part is in proportion.  The
 * slowest link of all that are in use stands for all of them. */
#include "hosts.h"

#include <amoget_machine.h>
#include <ctype.h>
#include <math.h>
#include <mpi.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "description_file.h"
#include "grid/launch/launch.h"

/* Warnings are about predictions. */
static int read_machine(const char *path, AmogetMachine **out)
{
    const bool quiet = true;
    if (strcmp(path, "-") == 0)
        return fail(EXIT_USAGE, "%s: --hosts takes a file", program);
    return description_machine(path, quiet, NULL, 0, (double)time(NULL), out);
}

/* ---- starting them ---------------------------------------------------------------------------- */

static int32_t places(const AmogetMachine *machine, int32_t host)
{
    const double cores = floor(amoget_cores(machine, host) * amoget_availability(machine, host));
    return cores >= 1 ? (int32_t)cores : 1;
}

/* mpirun says nothing of a process that is killed, so a shell around each does, unless the user ended all.  It outlasts
 * the process, which gets the signals that mpirun has for the shell; the shell's own words, which do not name it, are
 * dropped. */
static char watch[] =
    "exec 3>&2 2>/dev/null 4<&0; \"$0\" \"$@\" 2>&3 3>&- <&4 4<&- & p=$!; trap 'kill -TERM $p' TERM INT HUP USR1; "
    "while wait $p; s=$?; kill -0 $p; do :; done; "
    "case $s in 129|130|143) ;; *) [ $s -le 128 ] || echo \"pepa: process $OMPI_COMM_WORLD_RANK "
    "of $OMPI_COMM_WORLD_SIZE on $PEPA_HOST: killed by signal $((s - 128))\" >&3;; esac; exit $s";

/* What mpirun is to start on one machine: -host h:n -n n -x PEPA_HOST=h sh -c WATCH PROGRAM ARGUMENT... : */
enum { WORDS_OF_HOST = 11, WORD = 512 };

static void add_word(char ***at, char *word)
{
    *(*at)++ = word;
}

/* text: room for 3 x WORD */
static void add_host(char ***at, const AmogetMachine *machine, int32_t host, char *text,
                     char **arguments)
{
    static char host_option[] = "-host", count_option[] = "-n", export_option[] = "-x",
                next[] = ":", shell[] = "sh", shell_option[] = "-c";
    const char *name = amoget_processor_name(machine, host);
    const int count = places(machine, host);
    char *words[] = {text, text + WORD, text + (ptrdiff_t)2 * WORD};
    (void)snprintf(words[0], WORD, "%s:%d", amoget_processor_address(machine, host), count);
    (void)snprintf(words[1], WORD, "%d", count);
    (void)snprintf(words[2], WORD, "PEPA_HOST=%s", name);
    if (host > 0)
        add_word(at, next);
    add_word(at, host_option);
    add_word(at, words[0]);
    add_word(at, count_option);
    add_word(at, words[1]);
    add_word(at, export_option);
    add_word(at, words[2]);
    add_word(at, shell);
    add_word(at, shell_option);
    add_word(at, watch);
    for (char **word = arguments; *word; word++)
        add_word(at, *word);
}

static int start(const AmogetMachine *machine, char **argv)
{
    const int32_t hosts = amoget_processor_count(machine);
    size_t words = 0;
    char self[4096], *first = argv[0], **command = NULL, **name = NULL, *text = NULL;
    while (argv[words])
        words++;
    const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length > 0) {
        self[length] = '\0';
        first = self;
    }
    int status = EXIT_LIMIT;
    if (mem_new_zeroed(command, (words + WORDS_OF_HOST) * (size_t)hosts + 1) &&
        mem_new_zeroed(name, hosts + 1) && mem_new(text, 3 * (size_t)WORD * (size_t)hosts)) {
        char **at = command;
        argv[0] = first;
        for (int32_t h = 0; h < hosts; h++) {
            name[h] = (char *)(uintptr_t)amoget_processor_address(machine, h);
            add_host(&at, machine, h, text + (size_t)h * 3 * WORD, argv);
        }
        status = launch(&(Launch){
            .name = program, .mpirun = command, .hosts = name, .asks = SIGUSR1});
    } else {
        (void)out_of_memory();
    }
    mem_free_all(command, name, text);
    return status;
}

int hosts_start(const char *path, char **argv)
{
    AmogetMachine *machine = NULL;
    for (char **word = argv; *word; word++)
        if (strcmp(*word, ":") == 0)
            return fail(EXIT_USAGE, "%s: ':' means another program to mpirun; write './:'",
                        program);
    int status = read_machine(path, &machine);
    if (status == EXIT_SOLVED)
        status = start(machine, argv);
    amoget_machine_free(machine);
    return status;
}

/* ---- their parts ------------------------------------------------------------------------------ */

enum { NAME = 256 };

/* What the machine is called that this process is on. */
static void find_name(char name[NAME])
{
    char here[MPI_MAX_PROCESSOR_NAME] = "";
    const char *given = getenv("PEPA_HOST");
    int length;
    if (!given)
        MPI_Get_processor_name(here, &length);
    (void)snprintf(name, NAME, "%.*s", NAME - 1, given ? given : here);
}

/* Names of processors are identifiers: the host node-7.example.org is node_7. */
static int32_t find_processor(const AmogetMachine *machine, const char *name)
{
    char word[NAME];
    const int32_t found = amoget_find_processor(machine, name);
    if (found >= 0)
        return found;
    (void)snprintf(word, sizeof word, "%.*s", (int)strcspn(name, "."), name);
    for (char *c = word; *c; c++)
        *c = isalnum((unsigned char)*c) ? *c : '_';
    return amoget_find_processor(machine, word);
}

typedef struct {
    const AmogetMachine *machine;
    int32_t count;
    int32_t *host;  /* per process: its processor */
    double *part;   /* per process */
    double *memory; /* per process: bytes that its host has, 0: unknown; and how many share them */
    double network[2]; /* seconds until a message arrives, and for each byte */
} Parts;

static void find_parts(Parts *p)
{
    double sum = 0;
    for (int32_t k = 0; k < p->count; k++) {
        const int32_t host = p->host[k];
        const double cores = amoget_cores(p->machine, host) * amoget_availability(p->machine, host);
        int32_t beside = 0;
        for (int32_t other = 0; other < p->count; other++)
            beside += p->host[other] == host;
        p->part[k] = fmin(1, cores / beside) / amoget_time(p->machine, host);
        p->memory[2 * (size_t)k] = amoget_memory(p->machine, host);
        p->memory[2 * (size_t)k + 1] = beside;
        sum += p->part[k];
    }
    for (int32_t k = 0; k < p->count; k++)
        p->part[k] /= sum;
}

static void find_network(Parts *p)
{
    for (int32_t k = 0; k < p->count; k++)
        for (int32_t other = 0; other < k; other++) {
            const int32_t a = p->host[k], b = p->host[other];
            if (a == b)
                continue;
            p->network[0] = fmax(p->network[0], amoget_latency(p->machine, a, b));
            p->network[1] = fmax(p->network[1], 1 / amoget_bandwidth(p->machine, a, b));
        }
}

/* By the first process. */
static int read_parts(Parts *p, const char *path, const char *names)
{
    AmogetMachine *machine = NULL;
    int status = read_machine(path, &machine);
    p->machine = machine;
    for (int32_t k = 0; k < p->count && status == EXIT_SOLVED; k++) {
        const char *name = names + (size_t)k * NAME;
        p->host[k] = find_processor(machine, name);
        if (p->host[k] < 0)
            status = fail(EXIT_USAGE,
                          "%s: process %d is on %s, which is not among the processors of %s; name "
                          "it there, or say with PEPA_HOST which of them it is",
                          program, (int)k, name, path);
    }
    if (status == EXIT_SOLVED) {
        find_parts(p);
        find_network(p);
    }
    amoget_machine_free(machine);
    return status;
}

int hosts_deal(Together *together, const char *path)
{
    PepaProcesses *processes = together->processes;
    Parts p = {.count = processes->count};
    char name[NAME], *names = NULL;
    const bool first = processes->rank == 0;
    const size_t numbers = 2 * (size_t)p.count;
    double bad =
        !(mem_new(together->part, p.count) && mem_new(p.host, p.count) &&
          mem_new(p.memory, numbers) && (!first || mem_new(names, (size_t)p.count * NAME)));
    int status = bad != 0 ? out_of_memory() : EXIT_SOLVED;
    processes->largest(processes->user, &bad, 1);
    if (bad != 0)
        status = EXIT_LIMIT;
    p.part = together->part;
    find_name(name);
    if (status == EXIT_SOLVED) {
        MPI_Gather(name, NAME, MPI_CHAR, names, NAME, MPI_CHAR, 0, MPI_COMM_WORLD);
        if (first)
            status = read_parts(&p, path, names);
        MPI_Bcast(&status, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    if (status == EXIT_SOLVED) {
        MPI_Bcast(p.part, p.count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        MPI_Bcast(p.network, 2, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        MPI_Bcast(p.memory, (int)numbers, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        processes->part = p.part;
        if (p.network[0] > 0)
            processes->latency = p.network[0];
        processes->byte = p.network[1];
        together->memory = p.memory[2 * (size_t)processes->rank];
        together->sharing = (int32_t)p.memory[2 * (size_t)processes->rank + 1];
    }
    mem_free_all(p.host, p.memory, names);
    return status;
}
