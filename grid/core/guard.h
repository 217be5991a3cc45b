/* What the guard process (program.h, grid_guard) prints if this process is killed or exits too soon.  Without a guard
 * these functions do nothing. */
#ifndef GRID_CORE_GUARD_H
#define GRID_CORE_GUARD_H

/* A variable of the environment: a command of ours has started this process of a parallel program. */
#define GUARD_STARTED "GRID_STARTED"
/* Another: what the description calls this process's host, which may call itself something else. */
#define GRID_HOST "GRID_HOST"

/* From a constructor of a library: if a command of ours started the program, the guard begins before main does, and
 * names the process by the library.  Whether it did. */
int guard_begin(const char *library);
/* Whether it did in this process. */
int guard_begun(void);
/* Whether this is the process that began, not one that it has forked. */
int guard_is_self(void);
/* Who this process is, such as "rank 1 on HOST, with task 7". */
void guard_note(const char *text);
/* The step that this process is in from now on, for the case that it is killed; step: "superstep", or NULL, and it is
 * in none. */
void guard_step(const char *step, int number);
/* Which other process is missing, for the case that the run is ended from outside before this run
 * notices.  NULL: none. */
void guard_missing(const char *text);
/* What is wrong if this process exits by itself from now on, without a further call.  NULL:
 * nothing. */
void guard_unfinished(const char *text);
/* The status with which the program ends instead of 0. */
void guard_status(int status);

#endif
