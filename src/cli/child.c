/* Runs the program that draws. */
#include <errno.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "drawing.h"

extern char **environ;

/* Run a program from one file to another. */
static int run(const char *called, const Drawer *drawer, int from, int to)
{
    const char *name = drawer->arguments[0];
    posix_spawn_file_actions_t actions;
    pid_t child;
    int how = 0;
    if (posix_spawn_file_actions_init(&actions) != 0)
        return out_of_memory();
    int error = posix_spawn_file_actions_adddup2(&actions, from, STDIN_FILENO);
    if (error == 0)
        error = posix_spawn_file_actions_adddup2(&actions, to, STDOUT_FILENO);
    if (error == 0)
        error = posix_spawnp(&child, name, &actions, NULL, drawer->arguments, environ);
    (void)posix_spawn_file_actions_destroy(&actions);
    if (error == ENOENT)
        return fail(EXIT_INPUT,
                    "%s: there is no program '%s' to draw with: install the package "
                    "%s, or write the text for it by %s",
                    called, name, drawer->package, drawer->instead);
    if (error != 0)
        return fail(EXIT_INPUT, "%s: cannot run '%s': %s", called, name, strerror(error));
    while (waitpid(child, &how, 0) < 0)
        if (errno != EINTR)
            return fail(EXIT_INPUT, "%s: lost the program '%s': %s", called, name, strerror(errno));
    if (WIFSIGNALED(how))
        return fail(EXIT_INPUT, "%s: '%s' was ended by signal %d", called, name, WTERMSIG(how));
    if (WEXITSTATUS(how) == 127)
        return fail(EXIT_INPUT, "%s: cannot run '%s'", called, name);
    if (WEXITSTATUS(how) != 0)
        return fail(EXIT_INPUT, "%s: '%s' failed with status %d", called, name, WEXITSTATUS(how));
    return EXIT_SOLVED;
}

static int no_scratch(const char *called)
{
    return fail(EXIT_INPUT, "%s: cannot make a temporary file: %s", called, strerror(errno));
}

static int copy_text(const char *called, FILE *from, FILE *to)
{
    char buffer[1 << 14];
    rewind(from);
    for (size_t n; (n = fread(buffer, 1, sizeof buffer, from)) > 0;)
        (void)fwrite(buffer, 1, n, to); /* whoever closes `to` looks for errors */
    return ferror(from)
               ? fail(EXIT_INPUT, "%s: cannot read a temporary file: %s", called, strerror(errno))
               : EXIT_SOLVED;
}

int draw(const char *called, const Drawer *drawer, DrawTask *task, const void *user, FILE *to)
{
    const bool runs = drawer->arguments[0] != NULL;
    FILE *text = tmpfile(), *drawn = runs ? tmpfile() : NULL;
    int status = text && (!runs || drawn) ? task(user, text) : no_scratch(called);
    if (status == EXIT_SOLVED && (fflush(text) != 0 || ferror(text)))
        status = fail(EXIT_INPUT, "%s: cannot write a temporary file: %s", called, strerror(errno));
    if (status == EXIT_SOLVED && runs) {
        rewind(text);
        status = run(called, drawer, fileno(text), fileno(drawn));
    }
    if (status == EXIT_SOLVED)
        status = copy_text(called, runs ? drawn : text, to);
    if (text)
        (void)fclose(text);
    if (drawn)
        (void)fclose(drawn);
    return status;
}

int draw_file(const char *called, const Drawer *drawer, DrawTask *task, const void *user,
              const char *path)
{
    Output output;
    int status = output_open(&output, path);
    if (status == EXIT_SOLVED)
        status = draw(called, drawer, task, user, output.to);
    if (status == EXIT_SOLVED)
        status = output_close(&output);
    if (status == EXIT_SOLVED)
        status = output_keep(&output);
    output_free(&output);
    return status;
}
