/* Reads activities (activity.h). */
#ifndef GRID_GUM_ACTIVITY_READ_H
#define GRID_GUM_ACTIVITY_READ_H

#include <pepa.h>

#include "grid/gum/activity/activity.h"

/* `name` is what the finding calls the text; `diagnose` (or NULL) gets it: the first mistake ends the
 * reading.  All is copied; memory grows with the rows that there are.  O(length).
 * Errors: PEPA_ESYNTAX, PEPA_EMODEL (rows are missing), PEPA_ELIMIT (a text of 4 GB), PEPA_ENOMEM. */
PepaStatus activity_read(Activity **out, const char *name, const char *text, size_t length,
                         PepaDiagnose diagnose, void *user, PepaError *err);
void activity_free(Activity *activity);

#endif
