/* Grassmann, Taksar, Heyman: elimination without subtractions. */
#include "solvers/internal.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "solvers/direct/tuning.h"

/* With b the chain is closed by one more state, where it ends and starts anew: its flow is 1, so
 * that the other flows are the expected visits.
 *   x  2 (n + 1) entries; the first n get the answer */
static PepaStatus eliminate_in_order(Attempt *try, const int32_t *place, double *x)
{
    const Flow *flow = try->flow;
    size_t n = (size_t)flow->n;
    double *flows = x + n;
    Jumps jumps = {0};
    PepaStatus status = PEPA_ENOMEM;
    if (!flow->b || flow_ways_out(flow, x))
        status = jumps_new(&jumps, flow, place, flow->b ? 1 : 0, x, flow->b);
    if (status == PEPA_OK)
        status = gth_sparse(&jumps, &try->monitor, flows, NULL);
    double again = status == PEPA_OK && flow->b ? flows[n] : 1;
    for (size_t i = 0; status == PEPA_OK && i < n; i++)
        x[i] = flows[place[i]] / again;
    jumps_free(&jumps);
    return status;
}

static PepaStatus eliminate(Attempt *try, double *x)
{
    if (!attempt_affords(try, gth_order_bytes(try->flow)))
        return PEPA_ELIMIT;
    double work;
    int32_t *place = mem_alloc((size_t)try->flow->n, sizeof *place);
    PepaStatus status =
        place ? gth_order(try->flow, -1, gth_entries(try->control), place, &work) : PEPA_ENOMEM;
    if (status == PEPA_OK && !(work <= most_work(try->control)))
        status = PEPA_ELIMIT;
    if (status == PEPA_OK)
        status = eliminate_in_order(try, place, x);
    mem_free(place);
    return status;
}

static void run(Attempt *try, double *x)
{
    PepaStatus status = eliminate(try, x);
    try->every_digit = try->flow->leave != NULL;
    if (status == PEPA_OK)
        (void)attempt_answer(try, x);
    else if (status == PEPA_ENOCONV)
        try->why = "met chances too small for doubles";
    else
        try->status = status;
}

/* Steady state or visits by elimination.  Without b every
 * entry is right to almost full relative accuracy, however stiff the chain; with b as well, as far
 * as the chances to leave are (see ways_out).  Where they are given and visits are many, rounding
 * of these alone is out of balance by more than b, and the share of them that is counts.
 * PEPA_ELIMIT when the elimination would create more than GTH_ENTRIES entries or take hours.
 * Source: Grassmann, Taksar, Heyman, Operations Research 33 (1985); O'Cinneide, Numer. Math. 65
 * (1993) for the accuracy. */
const Method method_gth = {"gth", "steps", .passes = 1, .vectors = 3, .run = run};
