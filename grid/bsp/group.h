/* Groups of processes: who takes part when a superstep ends. */
#ifndef GRID_BSP_GROUP_H
#define GRID_BSP_GROUP_H

enum { GROUP_DEPTHS = 8 }; /* groups within groups; the first one is of all processes */

typedef struct {
    int *members; /* pids, ascending */
    int count, depth;
} Group;

typedef struct {
    Group each[GROUP_DEPTHS];
    int count; /* >= 1 inside the program; the last one is the innermost */
} Groups;

static inline const Group *groups_innermost(const Groups *groups)
{
    return &groups->each[groups->count - 1];
}

#endif
