/* bin/pepa, bin/amoget: one process, or what becomes one of bin/pepa-mpi or bin/amoget-mpi. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "together.h"
#include "tool.h"

/* Has mpirun started this very process?  Its environment is that of others that they start, too. */
static bool child_of_launcher(void)
{
    static const char *const launchers[] = {"mpirun",  "mpiexec", "orterun",         "orted",
                                            "prterun", "prted",   "hydra_pmi_proxy", "slurmstepd"};
    char path[64], name[64] = "";
    (void)snprintf(path, sizeof path, "/proc/%ld/comm", (long)getppid());
    FILE *from = fopen(path, "r");
    if (from && !fgets(name, sizeof name, from))
        name[0] = '\0';
    if (from)
        (void)fclose(from);
    name[strcspn(name, "\n")] = '\0';
    for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++)
        if (strcmp(name, launchers[i]) == 0)
            return true;
    return false;
}

static long started_together(void)
{
    static const char *const sizes[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_NTASKS"};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (getenv(sizes[i]))
            return strtol(getenv(sizes[i]), NULL, 10);
    return 1;
}

/* The program on MPI; an exit status, with a message that begins with `why`. */
static int become_other(char **argv, const char *why)
{
    char self[PATH_MAX], other[PATH_MAX + 8];
    const ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    self[length > 0 ? length : 0] = '\0';
    (void)snprintf(other, sizeof other, "%s-mpi", self);
    (void)execv(other, argv);
    return fail(EXIT_USAGE,
                "%s: %s, which share the work by %s, but: %s; it is built where mpicc is", program,
                why, other, strerror(errno));
}

int together_begin(Together *together, int argc, char **argv)
{
    char why[64];
    const long count = started_together();
    *together = (Together){.beside = 1};
    (void)argc;
    if (count < 2 || !child_of_launcher())
        return GO_ON;
    (void)snprintf(why, sizeof why, "this is one of %ld processes", count);
    return become_other(argv, why);
}

int together_hosts(Together *together, const char *path, char **argv)
{
    (void)together;
    if (child_of_launcher())
        return GO_ON; /* of one process */
    if (setenv(TOGETHER_HOSTS, path, 1) != 0)
        return out_of_memory();
    return become_other(argv, "--hosts is for several processes");
}

bool together_text(const Together *together, Text *text)
{
    (void)together;
    return !text->failed;
}

void together_meet(const Together *together)
{
    (void)together;
}

int together_end(Together *together, int status)
{
    (void)together;
    return status;
}
