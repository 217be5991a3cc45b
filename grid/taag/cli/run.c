/* taag run: starts a program as its mapping says, with the mapping's file as its first argument. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grid/launch/launch.h"
#include "taag_cli.h"
#include "words.h"

/* mpirun says nothing of a process that is killed, so a shell around each does; the shell's own words,
 * which do not name the process, are dropped. */
static const char watch[] =
    "exec 3>&2 2>/dev/null; (exec \"$0\" \"$@\" 2>&3 3>&-); s=$?; [ $s -le 128 ] || "
    "echo \"taag run: process $OMPI_COMM_WORLD_RANK on $(uname -n): killed by signal $((s - "
    "128))\" "
    ">&3; exit $s";

static void add_program(Words *w, const Options *o, const char *mapping)
{
    char **its = o->program;
    if (!o->show) {
        words_add(w, "sh");
        words_add(w, "-c");
        words_add(w, watch);
    }
    words_add(w, its[0]);
    words_add(w, mapping);
    for (size_t i = 1; its[i]; i++)
        words_add(w, its[i]);
}

/* Ranks that follow each other on one host are started together: ranks count in that order. */
static void add_hosts(Words *w, const Mapping *m, const Options *o, const char *mapping)
{
    for (int32_t rank = 0, next; rank < m->process_count; rank = next) {
        for (next = rank; next < m->process_count && m->host_of[next] == m->host_of[rank];)
            next++;
        if (rank > 0)
            words_add(w, ":");
        words_add(w, "-np");
        words_add_number(w, "", next - rank);
        words_add(w, "--host");
        words_add_number(w, m->hosts[m->host_of[rank]].name, next - rank);
        add_program(w, o, mapping);
    }
}

static void add_names(Words *w, const Mapping *m)
{
    for (int32_t h = 0; h < m->host_count; h++)
        words_add(w, m->hosts[h].name);
    words_add(w, NULL);
}

static int start(const Session *s, const char *mapping)
{
    const Options *o = s->options;
    const Mapping *m = s->schedule.mapping;
    Words mpirun = {0}, its = {0}, hosts = {0};
    add_names(&hosts, m);
    if (o->here) {
        words_add(&mpirun, "-n");
        words_add_number(&mpirun, "", m->process_count);
        add_program(&its, o, mapping);
        words_add(&its, NULL);
    } else {
        add_hosts(&mpirun, m, o, mapping);
    }
    words_add(&mpirun, NULL);
    const Launch what = {.name = "taag run",
                         .mpirun = mpirun.word,
                         .program = o->here ? its.word : NULL,
                         .hosts = o->here ? NULL : hosts.word,
                         .prefix = o->prefix,
                         .show = o->show};
    int status = mpirun.failed || its.failed || hosts.failed ? out_of_memory() : launch(&what);
    words_free(&hosts);
    words_free(&mpirun);
    words_free(&its);
    return status;
}

/* ---- the mapping on the hosts --------------------------------------------------------------- */

/* A shell's command on each host: what is in `input` (NULL: nothing) is its standard input, the path its
 * $0. */
static int on_each(const Mapping *m, const char *command, const char *path, const char *input)
{
    Words mpirun = {0}, hosts = {0}, its = {0};
    add_names(&hosts, m);
    for (int32_t h = 0; h < m->host_count; h++) {
        words_add(&mpirun, "--host");
        words_add(&mpirun, m->hosts[h].name);
    }
    words_add(&mpirun, "-npernode");
    words_add(&mpirun, "1");
    words_add(&mpirun, NULL);
    const char *const shell[] = {"sh", "-c", command, path, NULL};
    for (size_t i = 0; i < sizeof shell / sizeof *shell; i++)
        words_add(&its, shell[i]);
    const Launch what = {.name = "taag run",
                         .mpirun = mpirun.word,
                         .program = its.word,
                         .hosts = hosts.word,
                         .input = input};
    int status = mpirun.failed || its.failed || hosts.failed ? out_of_memory() : launch(&what);
    words_free(&hosts);
    words_free(&mpirun);
    words_free(&its);
    return status;
}

/* Hosts may share files, or have none in common: each writes a copy, beside the file. */
static int start_on_hosts(const Session *s, const char *file)
{
    const Mapping *m = s->schedule.mapping;
    char path[PATH_MAX + 8];
    (void)snprintf(path, sizeof path, "%s.xml", file);
    if (s->options->show)
        return start(s, path);
    int status = on_each(m, "umask 077; cat >\"$0\"", path, file);
    if (status != EXIT_SOLVED)
        return status == EXIT_INPUT ? status
                                    : fail(EXIT_INPUT, "taag run: a host cannot write %s", path);
    status = start(s, path);
    (void)on_each(m, "rm -f \"$0\"", path, "/dev/null");
    return status;
}

/* The mapping in a file of its own, which is removed afterwards. */
static int start_with_file(Session *s)
{
    const char *folder = getenv("TMPDIR");
    char path[PATH_MAX];
    (void)snprintf(path, sizeof path, "%s/taag-XXXXXX", folder && *folder ? folder : "/tmp");
    const int file = mkstemp(path);
    FILE *to = file >= 0 ? fdopen(file, "wb") : NULL;
    if (!to)
        return fail(EXIT_INPUT, "taag run: cannot write %s: %s", path, strerror(errno));
    int status = session_write_to(s, to, path);
    if (status == EXIT_SOLVED)
        status = s->options->here ? start(s, path) : start_on_hosts(s, path);
    (void)remove(path);
    return status;
}

int session_run(Session *s)
{
    Mapping *m = s->schedule.mapping;
    const char *name = s->options->program[0];
    if (s->options->here && !s->options->show && launch_missing("taag run", name))
        return EXIT_INPUT;
    if (!mem_new(m->program, strlen(name) + 1))
        return out_of_memory();
    (void)strcpy(m->program, name);
    int status = session_write(s);
    return status == EXIT_SOLVED ? start_with_file(s) : status;
}
