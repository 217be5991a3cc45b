/* Chains of sets may have more states than there are rows: what needs rows says so before it begins. */
#include <criterion/criterion.h>
#include <string.h>

#include "base/error.h"
#include "ctmc/chain.h"
#include "measure/longrun.h"
#include "measure/rate_rows.h"
#include "measure/recurrent.h"
#include "support.h"

static void expect_limit(PepaStatus status, const PepaError *err)
{
    cr_expect_eq(status, PEPA_ELIMIT);
    cr_expect(strstr(err->message, "takes at most 2147483646 states, and the chain has 2147483647"),
              "%s", err->message);
}

Test(many_states, rows_end_at_their_numbers)
{
    const PepaSettings set = {.derive = {.explore = PEPA_SYMBOLIC}};
    Model *model = model_of("P = (a, 1).Q; Q = (b, 2).P; P || P");
    Chain *chain = NULL;
    DiagList diags = {0};
    PepaError err;
    cr_assert_eq(chain_derive(&chain, model, &set, &diags, &err), PEPA_OK, "%s", err.message);
    cr_assert(chain->diagram != NULL);
    const int64_t states = chain->state_count;
    RateRows rows = {0};
    Recurrent jumps = {0};
    int64_t left;
    chain->state_count = INT64_C(2147483647);
    expect_limit(rate_rows_new(&rows, chain, chain->now.term, &set, "this", &left, &err), &err);
    expect_limit(recurrent_new(&jumps, chain, NULL, &err), &err);
    expect_limit(chain_write_rows(chain, &err), &err);
    cr_expect_eq(error_by_rows(&err, 2147483646, "this"), PEPA_OK);
    chain->state_count = states;
    rate_rows_free(&rows);
    recurrent_free(&jumps);
    chain_free(chain);
    diag_free(&diags);
    model_free(model);
}
