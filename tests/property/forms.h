/* One model by every way to explore it, every form of its matrix, every method and several threads:
 * what answers is right, what does not has a reason, and what should be the same bits is. */
#ifndef PEPA_TESTS_FORMS_H
#define PEPA_TESTS_FORMS_H

#include "property/engine_run.h"
#include "property/oracle.h"

/* How often each method has been asked, and has answered: [0] states one by one, [1] as sets. */
typedef struct {
    int chains, sets;
    int asked[2][PEPA_METHOD_COUNT], answers[2][PEPA_METHOD_COUNT];
} FormsTally;

/* set: aggregation, tolerance, and the iterations that methods by name have.
 * want: the referee's word, or NULL.  False: why says what is wrong, and in which form. */
bool forms_agree(const char *text, const PepaSettings *set, const OracleResult *want,
                 FormsTally *tally, Text *why);

#endif
