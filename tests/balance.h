/* The certificate of a distribution worked out here, from the transitions of a chain explored
 * one by one and from nothing else of the library. */
#ifndef PEPA_TESTS_BALANCE_H
#define PEPA_TESTS_BALANCE_H

#include <math.h>
#include <stdlib.h>

#include "measure/certificate.h"

static inline Certificate certificate_by_hand(const Chain *c, const double *pi)
{
    size_t n = (size_t)c->states.count;
    double *in = calloc(2 * n, sizeof *in), *exit = in + n, flow = 0, off = 0;
    Certificate found = {0};
    if (!in)
        abort();
    for (size_t s = 0; s < n; s++)
        for (int64_t k = c->row[s]; k < c->row[s + 1]; k++) {
            int32_t kind = c->narrow ? c->narrow[k] : c->wide[k];
            double rate = c->now.term[c->kind_term[kind]];
            if (c->target[k] == (int32_t)s)
                continue;
            in[c->target[k]] += pi[s] * rate;
            exit[s] += rate;
        }
    for (size_t s = 0; s < n; s++) {
        double out = pi[s] * exit[s];
        off += fabs(in[s] - out);
        flow += out;
        found.by_time += exit[s] > 0 ? fabs(in[s] - out) / exit[s] : 0;
        found.sum += pi[s];
        found.least = fmin(found.least, pi[s]);
    }
    found.residual = off == 0 ? 0 : isfinite(off / flow) ? off / flow : HUGE_VAL;
    free(in);
    return found;
}

/* The same by the library, for a chain in whichever form. */
static inline Certificate certificate_by_library(const Chain *c, const double *pi, int32_t threads)
{
    Operator *op = NULL;
    Certificate found = {.residual = -1};
    if (operator_new(&op, c, NULL, threads, NULL, NULL) == PEPA_OK)
        found = certificate_of(op, c->now.term, pi, NULL);
    operator_free(op);
    return found;
}

#endif
