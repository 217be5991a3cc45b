/* What the commands share that start parallel programs: bsprun and gumrun. */
#ifndef GRID_START_H
#define GRID_START_H

#include "grid/start/hosts.h"

enum { NO_OPTION = -1, MOST_PROCESSES = 100000 };

typedef struct {
    const char *name, *kind, *compiler; /* "bsprun"; "BSP" programs, made with "bspcc" */
    const char *options;                /* of its own, as --help prints them */
    /* An option of its own; value: the word behind it, NULL at the end; *takes: the option has it as its
     * value (at first true).  NO_OPTION, or an exit status, with a message printed unless it is 0.
     * NULL: there is none. */
    int (*option)(const char *word, const char *value, int *takes);
    /* The hosts have been chosen: an exit status, as above.  NULL: nothing to do. */
    int (*settle)(const Hosts *hosts);
    /* What processes read of the environment, NULL at the end: they can be on another host. */
    const char *const *variables;
} Starter;

/* "-n N [--hosts DESCRIPTION] [OPTION...] PROGRAM [ARGUMENT...]": the exit status of the command. */
int start_program(const Starter *its, char **argv);

/* A whole number from `least` to MOST_PROCESSES; -1: it is none. */
int32_t start_count(const char *text, int32_t least);
/* Set a variable of the environment: 0, or an exit status. */
int start_set(const char *variable, const char *value);

#endif
