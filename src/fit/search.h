/* The candidates of a fit and the choice among them. */
#ifndef PEPA_FIT_SEARCH_H
#define PEPA_FIT_SEARCH_H

#include "fit/climb.h"
#include "fit/phases.h"

/* EM works on means of groups of consecutive values when there are more than so many. */
enum { SEARCH_VALUES = 512, SEARCH_CANDIDATES = 3 * MOST + 1 };

/* The values, ascending, of which equal ones are joined; at most `most` groups.  False: memory is
 * out.  sample_free in any case. */
bool sample_new(Sample *s, const double *ascending, size_t count, size_t most);
void sample_free(Sample *s);
double sample_variation(const Sample *s); /* variance / mean^2 */

/* The best of a family with so many phases, from several starts. */
bool search_family(const Sample *s, const Effort *effort, PepaFitFamily family, int32_t phases,
                   Phases *p, PepaFitCandidate *found);

typedef struct {
    Phases phases[SEARCH_CANDIDATES];
    PepaFitCandidate found[SEARCH_CANDIDATES];
    int32_t count, chosen;
} Search;
/* All that `set`, complete, lets in.  `grouped`: for EM; `whole`: for what is reported.  False: memory
 * is out, or the watch has stopped. */
bool search_all(const Sample *grouped, const Sample *whole, const PepaFitSettings *set,
                Watch *watch, Search *search);
/* Fill in likelihood, criteria and parameters from a sample. */
void search_judge(const Phases *p, const Sample *whole, PepaFitCandidate *found);

#endif
