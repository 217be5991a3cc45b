/* Memory runs out while several threads explore: it is said, or the chain is the right one; nothing
 * hangs.  How many allocations there are depends on the threads' pace, so k goes up until one
 * exploration has not reached it. */
#include <criterion/criterion.h>

#include "exploring.h"
#include "fault/memory.h"
#include "parser/check.h"

static void explore_short_of_memory(const char *text, bool and_after)
{
    PepaError err;
    DiagList diags = {0};
    Model *model = NULL;
    Explored alone, e;
    cr_assert_eq(model_read(&model, "m", text, strlen(text), NULL, 0, &diags, &err), PEPA_OK);
    explored_new(&alone, model, 0, 1, 100000);
    cr_assert_eq(alone.status, PEPA_OK);
    bool reached = true;
    for (int64_t k = 1; reached; k++) {
        mem_fail_at(k, and_after);
        explored_new(&e, model, 0, 3, 100000);
        reached = mem_allocations() >= k;
        mem_fail_at(0, false);
        cr_assert(e.status == PEPA_OK || e.status == PEPA_ENOMEM, "allocation %d", (int)k);
        if (e.status == PEPA_OK)
            cr_assert_null(explored_difference(&alone, &e), "allocation %d", (int)k);
        explored_free(&e);
    }
    explored_free(&alone);
    model_free(model);
    diag_free(&diags);
}

Test(fault_parallel, short_of_memory)
{
    const char *text = "P = (a, 1).Q; Q = (b, 2).R; R = (c, 3).P; S = (a, T).S1; S1 = (d, 1).S;\n"
                       "F = (e, P + 1).G; G = (f, 1).F; P[3] <a> S || F";
    explore_short_of_memory(text, false);
    explore_short_of_memory(text, true);
}

Test(fault_parallel, short_of_memory_for_vanishing_states)
{
    const char *text =
        "P = (a, 1).Q; Q = (b, 3 : immediate).R + c.P; R = back.Q + (d, 2 : immediate).S;\n"
        "S = (e, 1).P; U = (go, 1).V; V = w.U; P[2] || P || U";
    explore_short_of_memory(text, false);
    explore_short_of_memory(text, true);
}
