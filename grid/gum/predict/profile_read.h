/* Reads profiles (profile.h). */
#ifndef GRID_GUM_PREDICT_PROFILE_READ_H
#define GRID_GUM_PREDICT_PROFILE_READ_H

#include <pepa.h>

#include "grid/gum/predict/profile.h"

/* `name` is what findings call the text; `diagnose` (or NULL) gets them.  All is copied.  Every name of a
 * line has to be there once, in any order; levels and processes are numbered from 0, one after another,
 * and there are as many processes as `run` says.  O(length).
 * Errors: PEPA_ESYNTAX, PEPA_EMODEL (numbers that contradict each other; a line is missing), in both
 * cases err is the first finding; PEPA_ELIMIT (a text of 4 GB), PEPA_ENOMEM. */
PepaStatus profile_read(Profile **out, const char *name, const char *text, size_t length,
                        PepaDiagnose diagnose, void *user, PepaError *err);
void profile_free(Profile *profile);

#endif
