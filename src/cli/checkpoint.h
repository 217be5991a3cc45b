/* --checkpoint FILE [--every TIME] [--resume]: solutions that can be gone on with. */
#ifndef PEPA_CLI_CHECKPOINT_H
#define PEPA_CLI_CHECKPOINT_H

#include "together.h"

/* The head of a file; the probabilities follow, 8 bytes for each state, in the order of PepaKeeping.
 * All numbers are as the machine has them. */
typedef struct {
    char magic[8];
    uint64_t order; /* of bytes: 1 */
    char version[16];
    uint64_t chain; /* what it is a solution of: a checksum */
    int64_t states, iterations;
    double seconds, measure; /* of work until then, in all; the last change per flow */
    uint64_t sum;            /* of the rest of the head and the probabilities: a checksum */
    uint64_t reserved[6];
} CheckpointHead;

typedef struct {
    const char *path;
    char *part; /* the file that is being written */
    double every;
    const Together *together;
    CheckpointHead head, begun; /* of the next file; of the one that was gone on from, or all 0 */
    int fd;                     /* of a file that is read or written; -1 */
    int failed;                 /* errno of the first failure */
    bool said;                  /* that it failed */
    int64_t held;               /* iterations of the file that is there; -1: none */
    PepaKeeping keeping;        /* of it */
} Checkpoint;

/* A chain has been derived from the model.  resume: go on from what the file has; if there is none, from
 * the beginning.  Messages go to stderr.  An exit status; checkpoint_free in any case. */
int checkpoint_open(Checkpoint *checkpoint, const char *path, double every, bool resume,
                    const Together *together, const PepaModel *model, const PepaChain *chain);
void checkpoint_free(Checkpoint *checkpoint);

/* Whether SIGINT, SIGTERM and SIGUSR1 are noted, so that the solution is kept and ends: see ending.h. */
void checkpoint_listen(bool listens);
/* One was noted. */
bool checkpoint_ends(const Checkpoint *checkpoint);
/* Say what there is of a solution that was ended in this way.  An exit status. */
int checkpoint_ended(const Checkpoint *checkpoint);

/* The report is out: the file has done its duty, and is removed.  A message if it cannot be: that costs
 * nothing of the report. */
void checkpoint_done(const Checkpoint *checkpoint);

/* "10min", "90 s", "2h": seconds.  False: something else. */
bool duration(const char *text, double *seconds);

/* A sum of a model and the values of its rates.  False: memory is out. */
bool checkpoint_model(const PepaModel *model, uint64_t *sum);

#endif
