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

/* One more user of a model: what was read refers to it, so that it lives as long. */
PepaModel *query_share(const PepaModel *model);
/* query_read with the findings handed to the caller's callback.  Errors: as query_read, PEPA_ELIMIT
 * (more than 2 GB). */
PepaStatus query_read_text(Query *query, const PepaModel *model, QueryForm form, Source source,
                           PepaDiagnose diagnose, void *user, PepaError *err);

/* A query joined to a chain.  Errors: PEPA_EARG (a chain of another model than the owner); those of
 * expressions_new. */
PepaStatus query_join(Expressions **out, const Query *query, const PepaModel *owner,
                      const PepaChain *chain, PepaError *err);

#endif
