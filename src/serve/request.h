/* A request to run a command, as the page sends it: which command, the model, and its options.
 *
 * Only what is in a table can be run: commands that compute, and of their options those that name no
 * file.  The program and the order of its arguments are the table's; what the page says are values
 * of options, each joined to its name ("--until=10"), so that a value is never an option.
 *
 *   { "command": "transient", "text": "r = 1; ...", "options": [["until", "10"], ["json"]],
 *     "lines": ["1", "b"], "keep": true }
 *
 * lines: commands of `pepa walk`.  keep: the server keeps the output, to be read in parts. */
#ifndef PEPA_SERVE_REQUEST_H
#define PEPA_SERVE_REQUEST_H

#include "base/mem.h"

enum {
    REQUEST_MOST_BYTES = 4 << 20, /* of a request */
    REQUEST_MOST_OPTIONS = 64,
    REQUEST_MOST_VALUE = 4096, /* bytes of a value, and of a line */
    REQUEST_MOST_LINES = 20000,
    REQUEST_WORDS = REQUEST_MOST_OPTIONS + 8
};

typedef struct {
    Arena arena;                     /* has all of the following */
    const char *program;             /* "pepa" or "amoget" */
    const char *command;             /* "solve"; of amoget: "amoget" */
    const char *word[REQUEST_WORDS]; /* arguments, NULL behind the last; word[0] is the program */
    int words;
    const char *text; /* of the model or description */
    size_t length;
    const char *lines; /* each with a newline; NULL: the model is on standard input */
    size_t lines_length;
    bool keep;
    bool takes_memory, takes_progress; /* it has the options --memory, --progress */
} Request;

/* Read a request; request_free in any case.  False: *why says in words what is wrong with it. */
bool request_read(Request *request, const char *json, size_t length, const char **why);
void request_free(Request *request);

#endif
