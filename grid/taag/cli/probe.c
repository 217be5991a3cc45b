/* taag probe: starts taag-probe on the hosts of a description, which measures them.
 *
 * What it prints comes through mpirun to this process's standard output, which is --output's file
 * meanwhile.  The file gets its name when it is whole: a description may include the last one. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "drawing.h"
#include "grid/launch/launch.h"
#include "taag_cli.h"
#include "words.h"

typedef struct {
    const Options *options;
    AmogetMachine *machine;
    char program[PATH_MAX]; /* taag-probe */
    char reference[NUMBER_SIZE];
} Probe;

static int read_machine(Probe *p)
{
    const Options *o = p->options;
    return description_machine(o->path, o->quiet, o->defines, o->define_count, (double)o->now,
                               &p->machine);
}

/* taag-probe is in the folder of this program. */
static int find_program(Probe *p)
{
    static const char name[] = "taag-probe";
    ssize_t length = readlink("/proc/self/exe", p->program, sizeof p->program - sizeof name);
    char *slash = NULL;
    if (length > 0) {
        p->program[length] = '\0';
        slash = strrchr(p->program, '/');
    }
    if (!slash)
        return fail(EXIT_INPUT, "taag probe: where is this program? %s", strerror(errno));
    (void)strcpy(slash + 1, name);
    if (access(p->program, X_OK) != 0)
        return fail(EXIT_INPUT, "taag probe: %s: %s; where there is MPI, `make grid` builds it",
                    p->program, strerror(errno));
    return EXIT_SOLVED;
}

/* ---- the command ---------------------------------------------------------------------------- */

static void add_arguments(const Probe *p, Words *w)
{
    words_add(w, p->program);
    words_add(w, p->reference);
    for (int32_t j = 0; j < amoget_processor_count(p->machine); j++)
        words_add(w, amoget_processor_name(p->machine, j));
}

/* A process on each host; the first one alone is told the names. */
static void add_hosts(const Probe *p, Words *w)
{
    for (int32_t j = 0; j < amoget_processor_count(p->machine); j++) {
        if (j > 0)
            words_add(w, ":");
        words_add(w, "-np");
        words_add(w, "1");
        words_add(w, "--host");
        words_add(w, amoget_processor_address(p->machine, j));
        if (j == 0)
            add_arguments(p, w);
        else
            words_add(w, p->program);
    }
}

static int start(const Probe *p)
{
    const bool here = p->options->here;
    Words mpirun = {0}, its = {0}, hosts = {0};
    for (int32_t j = 0; j < amoget_processor_count(p->machine); j++)
        words_add(&hosts, amoget_processor_address(p->machine, j));
    words_add(&hosts, NULL);
    if (here) {
        words_add(&mpirun, "-n");
        words_add_number(&mpirun, "", amoget_processor_count(p->machine));
        add_arguments(p, &its);
        words_add(&its, NULL);
    } else {
        add_hosts(p, &mpirun);
    }
    words_add(&mpirun, NULL);
    const Launch what = {.name = "taag probe",
                         .mpirun = mpirun.word,
                         .program = here ? its.word : NULL,
                         .hosts = here ? NULL : hosts.word,
                         .show = p->options->show};
    int status = mpirun.failed || its.failed || hosts.failed ? out_of_memory() : launch(&what);
    if (status != 0 && status != LAUNCH_FAILED && !here && launch_fails(what.name, hosts.word))
        status = LAUNCH_FAILED;
    words_free(&hosts);
    words_free(&mpirun);
    words_free(&its);
    return status;
}

/* The hosts that do not start are named by now. */
static int explain(const Probe *p, int status)
{
    if (status == LAUNCH_FAILED)
        return EXIT_INPUT;
    return fail(EXIT_INPUT, "taag probe: nothing was measured%s: what is above says why",
                p->options->here ? "" : ", though each host alone starts a process");
}

/* ---- the file ------------------------------------------------------------------------------- */

/* Standard output goes to the file meanwhile. */
static int start_to(Probe *p, const Output *output)
{
    const int old = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    const bool good = old >= 0 && dup2(fileno(output->to), STDOUT_FILENO) >= 0;
    if (!good)
        (void)fail(EXIT_INPUT, "taag probe: cannot write %s: %s", p->options->output,
                   strerror(errno));
    int status = good ? start(p) : EXIT_INPUT;
    if (good && dup2(old, STDOUT_FILENO) >= 0 && status != 0)
        status = explain(p, status);
    if (old >= 0)
        (void)close(old);
    return status;
}

static int start_to_file(Probe *p)
{
    Output output;
    int status = output_open(&output, p->options->output);
    if (status == EXIT_SOLVED)
        status = start_to(p, &output);
    if (status == EXIT_SOLVED)
        status = output_close(&output);
    if (status == EXIT_SOLVED)
        status = output_keep(&output);
    output_free(&output);
    return status;
}

int probe(const Options *options)
{
    Probe p = {.options = options};
    int status = read_machine(&p);
    if (status == EXIT_SOLVED)
        status = find_program(&p);
    if (status == EXIT_SOLVED) {
        number_write(amoget_time(p.machine, 0), p.reference);
        if (options->output && !options->show)
            status = start_to_file(&p);
        else if ((status = start(&p)) != 0)
            status = explain(&p, status);
    }
    amoget_machine_free(p.machine);
    return status;
}
