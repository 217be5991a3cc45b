/* What ends a passage, or begins it. */
#ifndef PEPA_MEASURE_PASSAGE_END_H
#define PEPA_MEASURE_PASSAGE_END_H

#include <stdint.h>

typedef struct {
    const uint8_t *state;  /* per state: the passage ends there; or NULL */
    const uint8_t *action; /* per action of the model: it ends by one of these; or NULL */
} PassageEnd;

#endif
