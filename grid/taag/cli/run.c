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
 * which do not name the process, are dropped.  What Open MPI says within a process of a wrong call or of MPI_Abort
 * is not.  Its handlers of signals, and UCX's, allocate memory: a process whose heap is broken would wait for itself. */
static const char watch[] =
    "exec 3>&2 2>/dev/null; export OMPI_MCA_orte_execute_quiet=0 "
    "OMPI_MCA_orte_base_help_aggregate=0 OMPI_MCA_opal_signal= UCX_ERROR_SIGNALS=; (exec \"$0\" "
    "\"$@\" 2>&3 3>&-); s=$?; how=\"status $s\"; "
    "[ $s -le 128 ] || how=\"killed by signal $((s - 128))\"; [ $s -eq 0 ] || "
    "echo \"taag run: process $OMPI_COMM_WORLD_RANK on $(uname -n): $how\" >&3; exit $s";

/* mark: as of command_mark */
static void add_program(Words *w, const Options *o, const char *mapping, const char *mark)
{
    char **its = o->program;
    if (!o->show && o->prefix && !o->here) {
        words_add(w, "sh");
        words_add(w, "-c");
        words_add(w, command_padded);
    }
    if (!o->show) {
        words_add(w, "sh");
        words_add(w, "-c");
        words_add(w, watch);
    }
    if (mark) {
        words_add(w, "sh");
        words_add(w, "-c");
        words_add(w, command_colon);
    }
    words_add(w, its[0]);
    if (mark)
        words_add(w, mark);
    words_add(w, mapping);
    for (size_t i = 1; its[i]; i++)
        words_add(w, mark && strcmp(its[i], ":") == 0 ? mark : its[i]);
}

/* Ranks that follow each other on one host are started together: ranks count in that order. */
static void add_hosts(Words *w, const Mapping *m, const Options *o, const char *mapping,
                      const char *mark)
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
        add_program(w, o, mapping, mark);
    }
}

/* Hosts with processes, each once, in the order of ranks. */
static void add_names(Words *w, const Mapping *m)
{
    for (int32_t rank = 0; rank < m->process_count; rank++) {
        int32_t before = 0;
        while (m->host_of[before] != m->host_of[rank])
            before++;
        if (before == rank)
            words_add(w, m->hosts[m->host_of[rank]].name);
    }
    words_add(w, NULL);
}

static int start(const Session *s, const char *mapping)
{
    const Options *o = s->options;
    const Mapping *m = s->schedule.mapping;
    const int without_finalize = 1; /* mpirun's status, if no process has one of its own */
    Words mpirun = {0}, its = {0}, hosts = {0};
    char text[COMMAND_MARK];
    const char *mark = command_mark(o->program + 1, text);
    add_names(&hosts, m);
    if (o->here) {
        words_add(&mpirun, "-n");
        words_add_number(&mpirun, "", m->process_count);
        add_program(&its, o, mapping, mark);
        words_add(&its, NULL);
    } else {
        add_hosts(&mpirun, m, o, mapping, mark);
    }
    words_add(&mpirun, NULL);
    const Launch what = {.name = "taag run",
                         .mpirun = mpirun.word,
                         .program = o->here ? its.word : NULL,
                         .hosts = o->here ? NULL : hosts.word,
                         .processes = m->process_count,
                         .prefix = o->prefix,
                         .show = o->show};
    int status = mpirun.failed || its.failed || hosts.failed ? out_of_memory() : launch(&what);
    if (status == without_finalize)
        (void)fprintf(stderr,
                      "taag run: the program failed, or a process ended without MPI_Finalize\n");
    words_free(&hosts);
    words_free(&mpirun);
    words_free(&its);
    return status;
}

/* ---- the mapping on the hosts --------------------------------------------------------------- */

/* A shell's command on each of these hosts, with the mapping's path as its $0 and the host as its $1. */
static int on_each(char **hosts, const char *command, const char *path, const char *input,
                   const char *output)
{
    Words mpirun = {0};
    for (char **host = hosts; *host; host++) {
        const char *const one[] = {"-np", "1", "--host", *host, "sh", "-c", command, path, *host};
        if (host > hosts)
            words_add(&mpirun, ":");
        for (size_t i = 0; i < sizeof one / sizeof *one; i++)
            words_add(&mpirun, one[i]);
    }
    words_add(&mpirun, NULL);
    const Launch what = {.name = "taag run",
                         .mpirun = mpirun.word,
                         .hosts = hosts,
                         .input = input,
                         .output = output};
    int status = mpirun.failed ? out_of_memory() : launch(&what);
    words_free(&mpirun);
    return status;
}

/* A file of its own, empty.  Its name is in path, of PATH_MAX. */
static FILE *file_new(char *path)
{
    const char *folder = getenv("TMPDIR");
    (void)snprintf(path, PATH_MAX, "%s/taag-XXXXXX", folder && *folder ? folder : "/tmp");
    const int file = mkstemp(path);
    return file >= 0 ? fdopen(file, "w+b") : NULL;
}

/* Lines as words. */
static void read_hosts(FILE *from, Words *hosts, const Words *all)
{
    char line[NAME_MAX + 2];
    while (fgets(line, sizeof line, from)) {
        line[strcspn(line, "\n")] = '\0';
        for (char **each = all->word; *each; each++)
            if (strcmp(*each, line) == 0)
                words_add(hosts, *each);
    }
    words_add(hosts, NULL);
}

/* The hosts that do not see this machine's file: this one does, and where it is known by another name as well,
 * and those that share the folder. */
static int find_strangers(const Words *all, const char *path, Words *strangers)
{
    char answers[PATH_MAX];
    FILE *from = file_new(answers);
    if (!from)
        return fail(EXIT_INPUT, "taag run: cannot write %s: %s", answers, strerror(errno));
    int status = on_each(all->word, "[ -O \"$0\" ] && [ -s \"$0\" ] || echo \"$1\"", path,
                         "/dev/null", answers);
    if (status == EXIT_SOLVED)
        read_hosts(from, strangers, all);
    (void)fclose(from);
    (void)remove(answers);
    return strangers->failed ? out_of_memory() : status;
}

/* Each host that needs one gets a copy of the mapping, which is removed afterwards. */
static int start_on_hosts(const Session *s, const char *path)
{
    Words all = {0}, strangers = {0};
    add_names(&all, s->schedule.mapping);
    int status = all.failed ? out_of_memory() : find_strangers(&all, path, &strangers);
    const bool copies = status == EXIT_SOLVED && strangers.word[0];
    if (copies) {
        status = on_each(strangers.word, "umask 077; cat >\"$0\"", path, path, NULL);
        if (status != EXIT_SOLVED && status != EXIT_INPUT && status < 128) /* by no signal */
            status = fail(EXIT_INPUT, "taag run: a host cannot write %s", path);
    }
    if (status == EXIT_SOLVED)
        status = start(s, path);
    if (copies)
        (void)on_each(strangers.word, "rm -f \"$0\"", path, "/dev/null", NULL);
    words_free(&all);
    words_free(&strangers);
    return status;
}

/* The mapping in a file of its own, which is removed afterwards. */
static int start_with_file(Session *s)
{
    char path[PATH_MAX];
    FILE *to = file_new(path);
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
    char here[PATH_MAX], *name = launch_path(s->options->program[0], here);
    s->options->program[0] = name;
    if (s->options->here && !s->options->show && launch_missing("taag run", name))
        return EXIT_INPUT;
    if (!mem_new(m->program, strlen(name) + 1))
        return out_of_memory();
    (void)strcpy(m->program, name);
    int status = session_write(s);
    if (status != EXIT_SOLVED)
        return status;
    const char *output = s->options->output;
    return s->options->show ? start(s, output ? output : "MAPPING.xml") : start_with_file(s);
}
