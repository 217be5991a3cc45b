/* Signals that ask a long computation to end with what it has. */
#ifndef PEPA_CLI_ENDING_H
#define PEPA_CLI_ENDING_H

#include <stdbool.h>
#include <stddef.h>

/* Whether these signals are noted, those that the program was not started to ignore.  One that comes more than half a second after the first ends the program at
 * once; timeout(1) sends each twice.  Once one was noted, they are until the program ends. */
void ending_listen(const int *number, size_t count, bool listens);
/* One was noted. */
bool ending_told(void);

#endif
