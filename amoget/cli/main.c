/* amoget: where to run the stages of a pipeline, from the command line. */
#include <stdlib.h>

#include "amoget_cli.h"

const char program[] = "amoget";

enum { EXIT_INTERRUPTED = 130 }; /* as shells have it: 128 + SIGINT */

static bool write_report(const void *what, FILE *to)
{
    const Session *s = what;
    return s->options->json  ? report_json(s, to)
           : s->options->csv ? report_csv(s, to)
                             : report_text(s, to);
}

static int run(const Options *options)
{
    Session s;
    int status = session_read(&s, options);
    if (status == EXIT_SOLVED && options->mapping) {
        status = session_reports(&s) ? session_model(&s) : EXIT_SOLVED;
    } else if (status == EXIT_SOLVED) {
        status = session_rank(&s);
        if (status == EXIT_SOLVED && session_reports(&s))
            status = session_explain(&s);
        if (status == EXIT_SOLVED && session_reports(&s))
            status = print_whole(write_report, &s);
    }
    if (s.interrupted)
        status = EXIT_INTERRUPTED;
    session_free(&s);
    return status;
}

static int read_and_run(const Together *together, int argc, char **argv)
{
    Options options;
    int status = options_read(&options, together, argc, argv);
    const bool same = together_agree(together, status == EXIT_SOLVED ? options.path != NULL : -1);
    if (!same && status == EXIT_SOLVED)
        status =
            fail(EXIT_USAGE, "amoget: the processes have different options; give all the same");
    if (status == EXIT_SOLVED && options.path)
        status = run(&options);
    options_free(&options);
    return status;
}

int main(int argc, char **argv)
{
    Together together;
    const int begun = together_begin(&together, argc, argv);
    return together_end(&together, begun == GO_ON ? read_and_run(&together, argc, argv) : begun);
}
