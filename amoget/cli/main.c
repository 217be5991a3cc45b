/* amoget: where to run the stages of a pipeline, from the command line. */
#include <stdlib.h>

#include "amoget_cli.h"

const char program[] = "amoget";

/* The report as a whole or not at all. */
static int report(const Session *s)
{
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    if (!to)
        return out_of_memory();
    bool ok = s->options->json  ? report_json(s, to)
              : s->options->csv ? report_csv(s, to)
                                : report_text(s, to);
    if (!close_text(to, &text) || !ok) {
        free(text);
        return out_of_memory();
    }
    (void)fwrite(text, 1, size, stdout);
    free(text);
    return finish_output();
}

static int run(const Options *options)
{
    Session s;
    int status = session_read(&s, options);
    if (status == EXIT_SOLVED && options->mapping) {
        status = session_model(&s);
    } else if (status == EXIT_SOLVED) {
        status = session_rank(&s);
        if (status == EXIT_SOLVED)
            status = session_explain(&s);
        if (status == EXIT_SOLVED)
            status = report(&s);
    }
    session_free(&s);
    return status;
}

int main(int argc, char **argv)
{
    Options options;
    int status = options_read(&options, argc, argv);
    if (status == EXIT_SOLVED && options.path)
        status = run(&options);
    options_free(&options);
    return status;
}
