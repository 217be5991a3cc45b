/* The last call of a program. */
#include <stdio.h>
#include <unistd.h>

#include "grid/core/program.h"

int grid_finish(MPI_Comm comm, const GridError *err)
{
    enum { SECONDS = 30 };
    int rank = 0;
    (void)fflush(NULL); /* the first process that exits with an error ends the others */
    if (err->code != GRID_ELOST) {
        (void)MPI_Finalize();
        return err->code != GRID_OK;
    }
    (void)MPI_Comm_rank(comm, &rank);
    if (rank != err->speaker)
        (void)sleep(SECONDS);
    (void)MPI_Abort(comm, 1);
    return 1;
}
