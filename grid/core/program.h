/* The first and the last call of a program whose runs use this library. */
#ifndef GRID_CORE_PROGRAM_H
#define GRID_CORE_PROGRAM_H

#include <mpi.h>

#include "grid/core/error.h"

/* Call this first in main, before MPI_Init.  It forks.  If this process is killed later, its parent
 * prints one line on stderr: which process of the run it was, and what that process did.  Returns
 * in the child only; the parent exits as the child does, and each ends when the other does.
 *
 * It also tells Open MPI not to yield the core whenever it finds no message (unless
 * OMPI_MCA_mpi_yield_when_idle is set in the environment).  Runs sleep between looks, and yielding
 * makes them far slower on busy machines.  Blocking MPI calls then spin: use none between runs. */
void grid_guard(void);

/* The end of a program: MPI_Finalize.  After GRID_ELOST MPI_Finalize would wait for ever: then the
 * speaker, which has printed the error, calls MPI_Abort, and the other processes wait for that.
 * Returns the exit status of the program. */
int grid_finish(MPI_Comm comm, const GridError *err);

#endif
