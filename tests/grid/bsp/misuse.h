/* Programs that make one mistake each, as misuse.txt has them. */
#ifndef TESTS_GRID_BSP_MISUSE_H
#define TESTS_GRID_BSP_MISUSE_H

#include <bsp.h>
#include <stddef.h>

typedef struct {
    const char *name;
    void (*run)(void); /* after bsp_begin and one superstep in which x and y were registered */
} Misuse;

/* Lists that end with one without a name. */
extern const Misuse misuse_drma[], misuse_bsmp[], misuse_process[];

extern int x[4], y[4];

static inline int is(int pid)
{
    return bsp_pid() == pid;
}

#define MISUSE(name)                                                                               \
    {                                                                                              \
#name, name                                                                                \
    }
#define BOTH(name)                                                                                 \
    {#name, name},                                                                                 \
    {                                                                                              \
        "hp" #name, hp##name                                                                       \
    }

#endif
