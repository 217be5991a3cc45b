/* Which commands and options a page may use (request.h). */
#ifndef PEPA_SERVE_ALLOWED_H
#define PEPA_SERVE_ALLOWED_H

#include <stdbool.h>

typedef struct {
    const char *name, *program;
    unsigned bit;
    bool memory, progress; /* takes --memory, --progress */
} AllowedCommand;

typedef struct {
    const char *name;
    unsigned commands; /* bits of those that have it */
    bool value;        /* takes one */
} AllowedOption;

/* NULL: there is none. */
const AllowedCommand *allowed_command(const char *name);
const AllowedOption *allowed_option(const AllowedCommand *command, const char *name);

#endif
