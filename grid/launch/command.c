/* The command line of mpirun. */
#include "grid/launch/command.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grid/launch/output.h"

static size_t count(char **words)
{
    size_t n = 0;
    while (words && words[n])
        n++;
    return n;
}

static void add(char **command, size_t *at, char **words)
{
    for (size_t i = 0; words && words[i]; i++)
        command[(*at)++] = words[i];
}

/* Lines go through sed, which is not a child of the program and lasts until it has all; on hosts without mkfifo they
 * are printed as they are. */
const char command_padded[] =
    "d=$(mktemp -d) && mkfifo \"$d/1\" \"$d/2\" && { "
    "(trap '' TERM; export LC_ALL=C; s='sed -u'; "
    "command -v stdbuf >/dev/null && s='stdbuf -oL sed'; "
    "$s 's/$/" OUTPUT_PAD "/' <\"$d/1\" & $s 's/$/" OUTPUT_PAD "/' <\"$d/2\" >&2 &); "
    "exec >\"$d/1\" 2>\"$d/2\"; rm -r \"$d\"; }; exec \"$0\" \"$@\"";

int command_is_here(const Launch *what)
{
    return !what->hosts && what->program;
}

char **command_make(const Launch *what, int output, char **text)
{
    enum { FIXED = 12, TEXT = 200 };
    const long here = (long)getpid();
    static const char *const fixed[] = {"mpirun", "-q", "--oversubscribe", "--bind-to", "none"};
    size_t at = 0;
    char **command = calloc(FIXED + count(what->mpirun) + count(what->program), sizeof *command);
    *text = malloc(TEXT);
    if (!command || !*text) {
        free(command);
        return NULL;
    }
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        command[at++] = (char *)(uintptr_t)fixed[i];
    if (what->prefix && !command_is_here(what))
        command[at++] = (char *)(uintptr_t) "--tag-output";
    if (what->input) {
        command[at++] = (char *)(uintptr_t) "--stdin";
        command[at++] = (char *)(uintptr_t) "all";
    }
    add(command, &at, what->mpirun);
    const char *shell = NULL;
    if (command_is_here(what)) {
        if (what->prefix)
            (void)snprintf(*text, TEXT,
                           "r=$((%d + 2 * $OMPI_COMM_WORLD_RANK)); "
                           "exec \"$0\" \"$@\" 9>&2 >/proc/%ld/fd/$r 2>/proc/%ld/fd/$((r + 1))",
                           output, here, here);
        else
            (void)snprintf(*text, TEXT, "exec \"$0\" \"$@\" >/proc/%ld/fd/%d", here, output);
        shell = *text;
    } else if (what->prefix && what->program) {
        shell = command_padded;
    }
    if (shell) {
        command[at++] = (char *)(uintptr_t) "sh";
        command[at++] = (char *)(uintptr_t) "-c";
        command[at++] = (char *)(uintptr_t)shell;
    }
    add(command, &at, what->program);
    return command;
}

void command_show(char **command)
{
    for (; *command; command++)
        (void)printf(strpbrk(*command, " \"$") ? "'%s'%c" : "%s%c", *command,
                     command[1] ? ' ' : '\n');
    (void)fflush(stdout);
}
