/* Processes on the machines of a description (doc/amoget.1). */
#ifndef PEPA_MPI_HOSTS_H
#define PEPA_MPI_HOSTS_H

#include <pepa_shared.h>

/* Start this program with these arguments on all machines, as often on each as it has free cores;
 * PEPA_HOST says there which one it is.  The exit status, with a message if it cannot be done. */
int hosts_start(const char *path, char **argv);
/* All processes call it: their parts of the work, by the speeds of their machines, and the network
 * between these.  EXIT_SOLVED, or an exit status, with a message.
 *   part  out: what processes->part then borrows; the caller frees it in any case */
int hosts_deal(PepaProcesses *processes, const char *path, double **part);

#endif
