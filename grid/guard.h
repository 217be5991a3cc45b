/* What a guard (grid_guard) says of this process should it be killed. */
#ifndef GRID_GUARD_H
#define GRID_GUARD_H

/* "rank 1 on HOST, with stage 2"; nothing without a guard. */
void guard_note(const char *words);
/* And should somebody else end the run: which process it last was that was not heard of.  NULL: all
 * are. */
void guard_doubt(const char *words);

#endif
