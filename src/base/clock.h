/* Seconds on a clock that only goes forward. */
#ifndef PEPA_BASE_CLOCK_H
#define PEPA_BASE_CLOCK_H

double clock_seconds(void);

#endif
