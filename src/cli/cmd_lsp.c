/* pepa lsp: a language server for editors, on standard input and output. */
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "options.h"
#include "lsp/lsp.h"

static int help(void)
{
    (void)printf("usage: pepa lsp [--stdio]\n\n"
                 "A language server for editors: the Language Server Protocol 3.17 on standard\n"
                 "input and output, for PEPA models and descriptions of amoget and taag.\n"
                 "Exit status: 0 after shutdown and exit, else 1; 2 usage.\n");
    return finish_output();
}

int cmd_lsp(int argc, char **argv)
{
    for (int i = 0; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            return help();
        if (strcmp(argv[i], "--stdio") != 0)
            return fail(EXIT_USAGE, "pepa lsp: unexpected '%s'; usage: pepa lsp [--stdio]",
                        argv[i]);
    }
    (void)signal(SIGPIPE, SIG_IGN); /* a client that is gone is seen when writing */
    return lsp_serve(STDIN_FILENO, STDOUT_FILENO);
}
