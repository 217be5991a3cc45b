/* The best mappings of all, and a proof. */
#ifndef AMOGET_SEARCH_H
#define AMOGET_SEARCH_H

#include "amoget/search/search_state.h"

/* Branch and bound.  Partial mappings are extended stage by stage, the one with the least
 * bound of the time per item first, and dropped when the bound exceeds the `top`-th best time
 * found by more than ties could.  Mappings that survive to the last stage are solved, in batches
 * whose size depends on the stages alone; each adds a cut that sharpens all later bounds
 * (bound.h).  Of mappings that differ by alike processors one is tried.  At the time limit the
 * answer is the best mapping found, with a bound.
 *   found  out, also when status is not PEPA_OK: solution_table_free(&found->solved) in any case
 * Errors: PEPA_ENOCONV, PEPA_ECANCEL, PEPA_ENOMEM, PEPA_ELIMIT (no mapping in the time given).
 * Source: Land and Doig, Econometrica 28 (1960); cuts: Kelley, J. SIAM 8 (1960). */
PepaStatus search_best(Run *run, const Symmetry *symmetry, int64_t top, Found *found,
                       PepaError *err);

#endif
