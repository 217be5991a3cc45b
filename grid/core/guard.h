/* What the guard process (program.h, grid_guard) prints if this process is killed.  Without a guard
 * these functions do nothing. */
#ifndef GRID_CORE_GUARD_H
#define GRID_CORE_GUARD_H

/* Who this process is, such as "rank 1 on HOST, with task 7". */
void guard_note(const char *text);
/* Which other process is missing, for the case that the run is ended from outside before this run
 * notices.  NULL: none. */
void guard_missing(const char *text);

#endif
