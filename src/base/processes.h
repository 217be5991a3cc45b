/* Whether a caller's processes (pepa_shared.h) are complete. */
#ifndef PEPA_BASE_PROCESSES_H
#define PEPA_BASE_PROCESSES_H

#include <stdbool.h>

#include "pepa_shared.h"

/* All functions are there, the rank is one, and reserved words are 0. */
bool processes_talk(const PepaProcesses *processes);

#endif
