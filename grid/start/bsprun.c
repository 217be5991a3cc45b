/* bsprun: starts the processes of a BSP program, waits for them, and ends as they do. */
#include "grid/start/start.h"

const char program[] = "bsprun";

int main(int argc, char **argv)
{
    static const char *const variables[] = {"BSP_TRACE", "BSP_TRACE_TIME", "BSP_TRANSPORT", NULL};
    const Starter its = {.name = program,
                         .kind = "BSP",
                         .compiler = "bspcc",
                         .variables = variables};
    StartOptions options = {.its = &its};
    return start_program(&options, argc, argv);
}
