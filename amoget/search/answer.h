/* What is found out about one mapping: step by step, until a bound rules it out or its time is known. */
#ifndef AMOGET_ANSWER_H
#define AMOGET_ANSWER_H

#include "amoget/search/search_state.h"

/* Partial mappings with a larger bound need not be looked at. */
double search_cutoff(const Search *search);

/* Parts of the pipeline first, then the whole: cuts, each of which may rule the mapping out, and the time
 * per item.  inquiry: the mapping and its durations are there, the answer is OPEN.
 * Errors: PEPA_ENOCONV, PEPA_ECANCEL, PEPA_ELIMIT, PEPA_ENOMEM; the answer then has what was found. */
PepaStatus answer_find(Search *search, Inquiry *inquiry, int32_t worker, PepaError *err);

/* Forget what would not have been looked at with the cutoff of now, which is the one at which the answer
 * was found, or less: the answer is as if it were found now. */
void answer_judge(const Search *search, Answer *answer);

/* Chains of the whole pipeline that it took. */
int32_t answer_chains(const Search *search, const Answer *answer);

/* An answer as so many numbers, for the sum over all processes: all 0 where nothing was found. */
int32_t answer_size(const Search *search);
void answer_pack(const Search *search, const Answer *answer, double *x);
void answer_unpack(const Search *search, Answer *answer, const double *x);

#endif
