/* Reference models that are small enough to be written and solved by hand, for the tests of the
 * referee. */
#ifndef PEPA_TESTS_BY_HAND_H
#define PEPA_TESTS_BY_HAND_H

#include "property/oracle.h"

/* Prefixes; the state after them is process p. */
const RefTerm *hand_timed(RefModel *m, const char *action, double rate, int p);
const RefTerm *hand_passive(RefModel *m, const char *action, double weight, int p);
const RefTerm *hand_immediate(RefModel *m, const char *action, double weight, int p);
/* The same prefix with a stated priority. */
const RefTerm *hand_prior(RefModel *m, int priority, const RefTerm *prefix);

const RefTerm *hand_either(RefModel *m, const RefTerm *a, const RefTerm *b);
const RefStatic *hand_leaf(RefModel *m, int process);
uint32_t hand_set(RefModel *m, const char *action);

/* Equal but for rounding, relative to numbers above 1; what: in the message. */
void hand_expect(double got, double want, const char *what);
void hand_expect_graph(OracleGraph got, size_t states, size_t transitions, size_t deadlocks,
                       int bottoms);

typedef struct {
    const char *name;
    double value;
} HandKnown;
void hand_expect_all(const OracleValues *got, const HandKnown *known, size_t count);
/* What happens how often, and that nothing else happens; frees the model. */
void hand_expect_throughputs(RefModel *m, const HandKnown *known, size_t count);
void hand_expect_status(const RefModel *m, OracleStatus want);

#endif
