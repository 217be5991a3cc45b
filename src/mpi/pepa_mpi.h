/* The processes of an MPI communicator, for pepa_shared.h. */
#ifndef PEPA_MPI_H
#define PEPA_MPI_H

#include <mpi.h>

#include "pepa_shared.h"

#ifdef __cplusplus
extern "C" {
#endif

/* All processes of the communicator, which is duplicated: collective.  Those on several hosts measure whether these are
 * far from each other.  To be freed by pepa_mpi_free
 * by all of them, before MPI_Finalize.  NULL: memory is out. */
PepaProcesses *pepa_mpi_processes(MPI_Comm communicator);
void pepa_mpi_free(PepaProcesses *processes); /* NULL is legal */

#ifdef __cplusplus
}
#endif

#endif
