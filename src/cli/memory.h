/* How much memory there is, and was used. */
#ifndef PEPA_CLI_MEMORY_H
#define PEPA_CLI_MEMORY_H

#include "together.h"

/* Bytes of memory available to this process: what the machine or the control group has, less a
 * twentieth; 0 if that is not known. */
int64_t memory_free(void);
/* Bytes of memory at the process's largest. */
long long peak_bytes(void);
/* The same of each process that shares the command: one entry per process. */
void peaks_of_all(const Together *together, double *bytes);
/* "1.5GB", "800 MiB", "1e9": bytes, at least 1.  False: something else. */
bool memory_size(const char *text, int64_t *bytes);

#endif
