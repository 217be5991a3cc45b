/* The files of durations that models name. */
#ifndef PEPA_API_TRACES_H
#define PEPA_API_TRACES_H

#include "base/diag.h"
#include "parser/model.h"

/* Read them: their names are relative to the folder of the file that the model was read from.  What
 * cannot be opened, or not be named as `how` says, goes to diags; what is wrong in a file to how->diagnose.
 * Errors: PEPA_EMODEL, PEPA_ESYNTAX, PEPA_ELIMIT (longer than 2 GB), PEPA_ENOMEM. */
PepaStatus traces_read(Model *model, const PepaReading *how, DiagList *diags, PepaError *err);

#endif
