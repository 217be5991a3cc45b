/* Processes on the machines of a description (doc/amoget.1). */
#ifndef PEPA_MPI_HOSTS_H
#define PEPA_MPI_HOSTS_H

#include "together.h"

/* Start this program with these arguments on all machines, as often on each as it has free cores;
 * PEPA_HOST says there which one it is.  The exit status, with a message if it cannot be done. */
int hosts_start(const char *path, char **argv);
/* All processes call it: their parts of the work, by the speeds of their machines, the network between
 * these, and the memory of this one.  EXIT_SOLVED, or an exit status, with a message.  together->part is
 * what its processes then borrow, and is to be freed in any case. */
int hosts_deal(Together *together, const char *path);

#endif
