/* taag: where the processes of a parallel program run, from the command line. */
#include <gsl/gsl_errno.h>
#include <stdlib.h>
#include <string.h>

#include "taag_cli.h"

const char program[] = "taag";

static bool write_report(const void *what, FILE *to)
{
    const Session *s = what;
    return s->options->model  ? report_model(s, to)
           : s->options->json ? report_json(s, to)
                              : report_text(s, to);
}

static int map_or_run(const Options *options)
{
    Session s;
    int status = session_read(&s, options);
    if (status == EXIT_SOLVED)
        status = session_map(&s);
    if (status == EXIT_SOLVED)
        status = session_time(&s);
    if (status == EXIT_SOLVED && options->program)
        status = session_run(&s);
    else if (status == EXIT_SOLVED)
        status = session_write(&s);
    if (status == EXIT_SOLVED && !options->program)
        status = print_whole(write_report, &s);
    session_free(&s);
    return status;
}

static int do_command(int argc, char **argv)
{
    Options options;
    int status = options_read(&options, argc, argv);
    if (status == EXIT_SOLVED && options.path)
        status = strcmp(argv[0], "probe") == 0 ? probe(&options) : map_or_run(&options);
    options_free(&options);
    return status;
}

int main(int argc, char **argv)
{
    const char *command = argc > 1 ? argv[1] : "";
    (void)gsl_set_error_handler_off(); /* its functions return what went wrong */
    if (strcmp(command, "map") == 0 || strcmp(command, "run") == 0 || strcmp(command, "probe") == 0)
        return do_command(argc - 1, argv + 1);
    if (strcmp(command, "--version") == 0) {
        (void)printf("taag %s\n", pepa_version());
        return finish_output();
    }
    if (strcmp(command, "help") == 0 || strcmp(command, "--help") == 0 ||
        strcmp(command, "-h") == 0) {
        usage_of_taag(stdout);
        return finish_output();
    }
    if (argc < 2) {
        usage_of_taag(stderr);
        return EXIT_USAGE;
    }
    return fail(EXIT_USAGE,
                "taag: unknown command '%s'; there are map, run and probe; try 'taag --help'",
                command);
}
