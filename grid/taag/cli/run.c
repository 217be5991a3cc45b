/* taag run: starts a program as its mapping says, with the mapping's file as its first argument. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grid/launch/launch.h"
#include "taag_cli.h"
#include "words.h"

static void add_program(Words *w, char **its, const char *mapping)
{
    words_add(w, its[0]);
    words_add(w, mapping);
    for (size_t i = 1; its[i]; i++)
        words_add(w, its[i]);
}

/* Ranks that follow each other on one host are started together: ranks count in that order. */
static void add_hosts(Words *w, const Mapping *m, char **its, const char *mapping)
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
        add_program(w, its, mapping);
    }
}

/* The hosts alone. */
static void add_where(Words *w, const Mapping *m)
{
    for (int32_t h = 0; h < m->host_count; h++) {
        words_add(w, "--host");
        words_add(w, m->hosts[h].name);
    }
    words_add(w, NULL);
}

static int start(const Session *s, const char *mapping)
{
    const Options *o = s->options;
    const Mapping *m = s->schedule.mapping;
    Words mpirun = {0}, its = {0}, where = {0};
    add_where(&where, m);
    if (o->here) {
        words_add(&mpirun, "-n");
        words_add_number(&mpirun, "", m->process_count);
        add_program(&its, o->program, mapping);
        words_add(&its, NULL);
    } else {
        add_hosts(&mpirun, m, o->program, mapping);
    }
    words_add(&mpirun, NULL);
    const Launch what = {.name = "taag run",
                         .mpirun = mpirun.word,
                         .program = o->here ? its.word : NULL,
                         .where = o->here ? NULL : where.word,
                         .here = o->here,
                         .prefix = o->prefix,
                         .show = o->show};
    int status = mpirun.failed || its.failed || where.failed ? out_of_memory() : launch(&what);
    words_free(&where);
    words_free(&mpirun);
    words_free(&its);
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
        status = start(s, path);
    (void)remove(path);
    return status;
}

/* As seen from any folder. */
static int absolute(const char *path, char out[PATH_MAX])
{
    char here[PATH_MAX / 2] = "";
    if (path[0] != '/' && !getcwd(here, sizeof here))
        return fail(EXIT_INPUT, "taag run: where is this? %s", strerror(errno));
    if (snprintf(out, PATH_MAX, "%s%s%s", here, here[0] ? "/" : "", path) >= PATH_MAX)
        return fail(EXIT_INPUT, "taag run: %s: %s", path, strerror(ENAMETOOLONG));
    return EXIT_SOLVED;
}

int session_run(Session *s)
{
    char path[PATH_MAX];
    Mapping *m = s->schedule.mapping;
    const char *name = s->options->program[0];
    if (!mem_new(m->program, strlen(name) + 1))
        return out_of_memory();
    (void)strcpy(m->program, name);
    if (!s->options->output)
        return start_with_file(s);
    int status = session_write(s);
    if (status == EXIT_SOLVED)
        status = absolute(s->options->output, path);
    return status == EXIT_SOLVED ? start(s, path) : status;
}
