/* The size that an example works on: its only argument, a whole number. */
#ifndef ARGUMENT_H
#define ARGUMENT_H

#include <bsp.h>
#include <stdio.h>
#include <stdlib.h>

/* From `least` to `most`; `otherwise` if it is not given.  If it is wrong, process 0 prints what is needed, and
 * all processes exit with status 2.  Call it after bsp_begin. */
static int argument(int argc, char **argv, const char *name, const char *what, int least, int most,
                    int otherwise)
{
    char *end = NULL;
    long value = argc > 1 ? strtol(argv[1], &end, 10) : otherwise;
    if (argc <= 2 && !(end && (end == argv[1] || *end)) && value >= least && value <= most)
        return (int)value;
    if (bsp_pid() == 0)
        fprintf(stderr, "usage: %s [%s], a whole number from %d to %d; without it %d\n", name, what,
                least, most, otherwise);
    bsp_end();
    exit(2);
}

#endif
