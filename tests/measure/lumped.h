/* Chains in tests, and their lumpings by what measures see. */
#ifndef TESTS_MEASURE_LUMPED_H
#define TESTS_MEASURE_LUMPED_H

#include "measure/lumping.h"
#include "support.h"

typedef struct {
    Derived d;
    Query query;
    Expressions *e;
    Lumping *lumping;
    PepaStatus status;
    PepaError err;
} Lumped;

/* Lump l->d: the status is for the caller to look at. */
static inline void lump_derived(Lumped *l, const char *measures)
{
    PepaSettings set = settings_for_tests();
    DiagList diags = {0};
    Source source = {"test", measures, strlen(measures)};
    cr_assert_eq(l->d.status, PEPA_OK);
    cr_assert_eq(query_read(&l->query, &source, QUERY_MEASURES, l->d.model, &diags), PEPA_OK, "%s",
                 diags.count ? diags.items[0].message : "");
    diag_free(&diags);
    cr_assert_eq(expressions_new(&l->e, &l->query, l->d.chain, NULL), PEPA_OK);
    l->status = lumping_new(&l->lumping, l->d.chain, &l->d.chain->now, l->e, &set, &l->err);
}

/* Derive and lump, without failure. */
static inline Lumped lump(const char *text, int aggregate, const char *measures)
{
    Lumped l = {.d = derive(text, aggregate)};
    lump_derived(&l, measures);
    cr_assert_eq(l.status, PEPA_OK, "%s", l.err.message);
    return l;
}

static inline void lumped_free(Lumped *l)
{
    lumping_free(l->lumping);
    expressions_free(l->e);
    query_free(&l->query);
    derived_free(&l->d);
}

#endif
