/* Passes the findings about a model to the caller. */
#ifndef PEPA_BASE_DIAGNOSE_H
#define PEPA_BASE_DIAGNOSE_H

#include "base/source.h"

/* Hand every finding to `diagnose` (may be NULL), in order of place, and fill in err from the first
 * error if `status` says that there is one.  Returns status, or PEPA_ENOMEM if findings were lost.
 */
PepaStatus diagnose_all(DiagList *list, const Source *source, PepaDiagnose diagnose, void *user,
                        PepaStatus status, PepaError *err);

#endif
