/* bsprun: starts the processes of a BSP program. */
#ifndef GRID_BSPRUN_H
#define GRID_BSPRUN_H

#include <stdint.h>

#include "grid/bsprun/hosts.h"

typedef struct {
    int32_t processes;
    const char *hosts; /* a description; NULL: this machine */
    int prefix, show;
    char **program; /* with its arguments, NULL at the end */
} Options;

#endif
