/* Processes that were started together, by mpirun, to share one command.  bin/pepa and bin/amoget are
 * always alone: where mpirun has started several of one, each becomes bin/pepa-mpi or bin/amoget-mpi
 * (src/mpi), which is the same program on MPI.  So nothing of MPI is loaded without need. */
#ifndef PEPA_CLI_TOGETHER_H
#define PEPA_CLI_TOGETHER_H

#include <pepa_shared.h>
#include <stdbool.h>

#include "base/mem.h"

typedef struct {
    PepaProcesses *processes; /* NULL: this one is alone */
    int32_t beside;           /* so many of them are on this host, this one included */
    double *part;             /* of the work: what the processes borrow; or NULL */
    double memory;   /* bytes that this host has, if a description says that; 0: it does not */
    int32_t sharing; /* so many of them share these */
    bool hurried;    /* mpirun kills them a second after Ctrl-C: too soon to write what has been found */
} Together;

/* Environment of the program on MPI that is to start others: the description. */
#define TOGETHER_HOSTS "PEPA_START_ON"

/* GO_ON, or an exit status with a message.  Of several processes all but the first are silent from then on. */
int together_begin(Together *together, int argc, char **argv);
/* Processes on the machines that a description in a file lists, with parts of the work by their speeds; one
 * that is alone starts them.  GO_ON, or an exit status. */
int together_hosts(Together *together, const char *path, char **argv);
/* Text that the first process has goes to all.  False: memory is out. */
bool together_text(const Together *together, Text *text);
/* Whether all have the same number: of the command, say: one with another would leave the rest waiting.  All call it;
 * one that is alone agrees with itself. */
static inline bool together_agree(const Together *together, double number)
{
    const PepaProcesses *p = together->processes;
    double ends[2] = {number, -number};
    if (p)
        p->largest(p->user, ends, 2);
    return ends[0] == -ends[1];
}
/* Sleeps until all are there. */
void together_meet(const Together *together);
/* The exit status of this process, whose command has come to `status`. */
int together_end(Together *together, int status);

#endif
