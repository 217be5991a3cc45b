/* What the commands share that start parallel programs: bsprun and gumrun. */
#ifndef GRID_START_H
#define GRID_START_H

#include <stdbool.h>

#include "grid/start/hosts.h"
#include "tool.h"

typedef struct Starter Starter;

/* The first member of the options that a command has. */
typedef struct {
    const Starter *its;
    int32_t processes; /* 1 .. MOST_PROCESSES */
    const char *hosts; /* a description; NULL: this machine */
    bool prefix, show;
} StartOptions;

enum { MOST_PROCESSES = 100000, START_PROCESSES = OPT_OWN, START_OWN };

struct Starter {
    const char *name, *kind, *compiler; /* "bsprun"; "BSP" programs, made with "bspcc" */
    const OptionRow *row;               /* of its own; codes of its own are from START_OWN on */
    size_t rows;
    bool (*set)(void *options, int code, char *value); /* of these codes; or NULL */
    /* The hosts have been chosen: 0, or an exit status with a message printed.  hosts->machine is NULL on this machine.
     * NULL: nothing to do. */
    int (*settle)(const StartOptions *options, const Hosts *hosts);
    /* What processes read of the environment, NULL at the end: they can be on another host. */
    const char *const *variables;
};

/* "-n N [--hosts DESCRIPTION] [OPTION...] PROGRAM [ARGUMENT...]": the exit status of the command.
 * options: of the command, with `its`. */
int start_program(StartOptions *options, int argc, char **argv);

/* A whole number from `least` to MOST_PROCESSES; -1: it is none. */
int32_t start_count(const char *text, int32_t least);
/* Set a variable of the environment: 0, or an exit status. */
int start_set(const char *variable, const char *value);

#endif
