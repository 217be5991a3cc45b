/* How many processors the process may use. */
#ifndef PEPA_CLI_CORES_H
#define PEPA_CLI_CORES_H

#include <stdint.h>

/* At least 1: the processors of the affinity mask, or fewer if a quota of a control group (version 1
 * or 2, of the process's group or one above it) allows less time than they have.  Half a processor
 * more counts as one more.  Outside Linux, the processors that are online.
 *   root  the files /proc and /sys are looked for below it; "" but in tests */
int32_t cores_allowed(const char *root);

#endif
