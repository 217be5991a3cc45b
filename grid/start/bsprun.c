/* bsprun: starts the processes of a BSP program, waits for them, and ends as they do. */
#include <stddef.h>

#include "grid/start/start.h"
#include "tool.h"

const char program[] = "bsprun";

static const char help[] =
    "usage: bsprun -n N [OPTION...] PROGRAM [ARGUMENT...]\n"
    "Runs a BSP program, made with bspcc, on N processes.\n"
    "\n"
    "  -n N, -p N, -np N    how many processes\n"
    "  --hosts DESCRIPTION  choose the lightest hosts of a description's `processors`\n"
    "  --prefix             begin each line of output with the process that printed it\n"
    "  --show               print hosts and command, and do not run it\n"
    "  -h, --help           print this\n"
    "  --version            print the version\n"
    "\n"
    "Exit status: that of the program; 1 a process failed or the description is wrong, 2 usage,\n"
    "5 the program cannot be started, 128 + S: a process was killed by signal S.\n";

int main(int argc, char **argv)
{
    static const char *const variables[] = {"BSP_TRACE", "BSP_TRACE_TIME", "BSP_TRANSPORT", NULL};
    const Starter its = {.name = program, .help = help, .variables = variables};
    (void)argc;
    return start_program(&its, argv);
}
