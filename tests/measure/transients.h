/* Transient measures in tests: what is asked of a chain, and the answer. */
#ifndef TESTS_MEASURE_TRANSIENTS_H
#define TESTS_MEASURE_TRANSIENTS_H

#include "measure/transient.h"
#include "support.h"

enum { MOST = 256 }; /* measures x times */

typedef struct {
    Expressions *e;
    Query query;
    TransientFound found;
    PepaStatus status;
    PepaError err;
    double value[MOST];
} Asked;

static inline void ask(Asked *a, const Chain *chain, const char *measures, const double *time,
                       size_t count, bool accumulated, const PepaSettings *set)
{
    DiagList diags = {0};
    Source source = {"test", measures, strlen(measures)};
    *a = (Asked){0};
    cr_assert_eq(query_read(&a->query, &source, QUERY_MEASURES, chain->model, &diags), PEPA_OK,
                 "%s", diags.count ? diags.items[0].message : "");
    diag_free(&diags);
    cr_assert_eq(expressions_new(&a->e, &a->query, chain, NULL), PEPA_OK);
    cr_assert_leq((size_t)expressions_items(a->e) * count, MOST);
    TransientJob job = {chain, &chain->now, set, time, count, set->solve.tolerance};
    a->status = transient_measures(&job, a->e, accumulated, a->value, &a->found, &a->err);
}

static inline void answer_free(Asked *a)
{
    expressions_free(a->e);
    query_free(&a->query);
}

#endif
