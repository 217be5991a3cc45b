/* The structures of the handles of measures and predicates. */
#ifndef PEPA_API_QUERIES_H
#define PEPA_API_QUERIES_H

#include "api/handles.h"
#include "measure/expression.h"
#include "pepa_measure.h"

struct PepaMeasures {
    PepaModel *owner;
    Query query;
};
struct PepaPredicate {
    PepaModel *owner;
    Query query; /* of one item */
};

/* Append what a text says, as query_read; the errors are those of pepa_measures_add. */
PepaStatus measures_read(Query *query, const PepaModel *model, QueryForm form, Source source,
                         PepaDiagnose diagnose, void *user, PepaError *err);

/* A query joined to a chain.  Errors: PEPA_EARG (a chain of another model than the owner); those of
 * expressions_new. */
PepaStatus query_join(Expressions **out, const Query *query, const PepaModel *owner,
                      const PepaChain *chain, PepaError *err);

#endif
