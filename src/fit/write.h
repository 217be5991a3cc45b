/* A distribution in the language of models. */
#ifndef PEPA_FIT_WRITE_H
#define PEPA_FIT_WRITE_H

#include "fit/phases.h"

/* "erlang", as the language calls it; "any"; NULL: there is no such family. */
const char *write_family(PepaFitFamily family);
/* Phase i as the language has it: of cox, the one with the number i of the Cox form. */
double write_rate(const Phases *p, int32_t i);
double write_probability(const Phases *p, int32_t i);
/* A name as models have it: letters, digits and _ after a letter, or anything in quotes. */
bool write_is_action(const char *name);
/* "(a, erlang(2, 3))" */
void write_activity(const Phases *p, const char *action, Text *out);
/* Components of plain PEPA. */
void write_states(const Phases *p, const char *action, Text *out);

#endif
