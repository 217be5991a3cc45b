/* From the text of a PEPA model to how often an action happens: for models that a program writes. */
#ifndef GRID_PREDICT_THROUGHPUT_H
#define GRID_PREDICT_THROUGHPUT_H

#include <pepa.h>

/* *out: how often `action` happens per unit of time in the long run.  name: of the model, in
 * findings.  Errors: those of pepa_model_parse, pepa_chain_derive and pepa_solve_steady. */
PepaStatus text_throughput(const char *text, const char *name, const char *action,
                           const PepaSettings *set, double *out, PepaError *err);

#endif
