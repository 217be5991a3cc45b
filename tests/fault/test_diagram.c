/* Every allocation of exploring as sets, of solving what was found and of its measures fails, alone
 * or with all that follow: it is said, or the answer is there; nothing leaks. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "fault/memory.h"
#include "pepa.h"

static void ignore(void *user, const PepaDiagnostic *each)
{
    *(size_t *)user += strlen(each->message);
}

static PepaStatus measure(const PepaChain *chain, const double *pi, double *sum, PepaError *err)
{
    PepaChainInfo info = pepa_chain_info(chain);
    double *each = calloc((size_t)(info.counts + info.actions), sizeof *each);
    int32_t *counts = calloc((size_t)info.counts, sizeof *counts);
    char *text = NULL;
    cr_assert(each && counts);
    PepaStatus status = pepa_utilisations(chain, pi, each, err);
    if (status == PEPA_OK)
        status = pepa_populations(chain, pi, each, err);
    if (status == PEPA_OK)
        status = pepa_chain_state_text(chain, info.states - 1, &text, err);
    pepa_text_free(text);
    if (status == PEPA_OK)
        status = pepa_chain_state_counts(chain, info.states - 1, counts, err);
    if (status == PEPA_OK)
        pepa_throughputs(chain, pi, each);
    for (int32_t a = 0; a < info.actions && status == PEPA_OK; a++)
        *sum += each[a];
    free(each);
    free(counts);
    return status;
}

/* The whole way; the status is that of the first step that fails.  sum: of all throughputs. */
static PepaStatus walk(const PepaModel *model, const PepaSettings *how, double *sum)
{
    size_t said = 0;
    PepaSettings set = *how;
    PepaChain *chain = NULL;
    PepaError err = {0};
    double *pi = NULL;
    set.derive.diagnose = ignore;
    set.user = &said;
    *sum = 0;
    PepaStatus status = pepa_chain_derive(&chain, model, &set, &err);
    cr_assert(status == PEPA_OK || chain == NULL);
    if (status == PEPA_OK && pepa_model_rate_count(model) > 0)
        status = pepa_chain_set_rate(chain, pepa_model_rate_name(model, 0), 2.5, &err);
    if (status == PEPA_OK) {
        pi = malloc((size_t)pepa_chain_info(chain).states * sizeof *pi);
        cr_assert(pi != NULL);
        status = pepa_solve_steady(chain, &set, pi, NULL, &err);
    }
    if (status == PEPA_OK)
        status = measure(chain, pi, sum, &err);
    free(pi);
    pepa_chain_free(chain);
    cr_assert(status == PEPA_OK || err.code == status, "%s, but %s: %s", pepa_status_text(status),
              pepa_status_text(err.code), err.message);
    return status;
}

static void replay(const char *text, const PepaSettings *set)
{
    PepaModel *model = NULL;
    PepaError err = {0};
    double want, got;
    mem_fail_at(0, false);
    cr_assert_eq(pepa_model_parse(&model, "m", text, strlen(text), NULL, &err), PEPA_OK, "%s",
                 err.message);
    PepaStatus expected = walk(model, set, &want);
    int64_t count = mem_allocations();
    cr_assert_gt(count, 10);
    for (int64_t k = 1; k <= count; k++) {
        mem_fail_at(k, k % 2 == 0);
        PepaStatus status = walk(model, set, &got);
        mem_fail_at(0, false);
        cr_assert(status == PEPA_ENOMEM || status == expected, "allocation %lld of %lld: %s",
                  (long long)k, (long long)count, pepa_status_text(status));
        cr_assert(status != PEPA_OK || fabs(got - want) <= 1e-7 * want,
                  "allocation %lld of %lld: %.12g, not %.12g", (long long)k, (long long)count, got,
                  want);
    }
    pepa_model_free(model);
}

static const char *const texts[] = {
    /* rates, passive weights, hiding, copies in both parts, self-loops */
    "r = 2.0; s = min(r, 3) * 2; P = (a, r).P + (a, s).Q; Q = (d, r + s).P;\n"
    "S = (a, T).S + (a, 2 * T).S1; S1 = (e, 1).S; R = (f, 1).R1; R1 = (g, 2).R;\n"
    "((P[3] <a> S) / {d}) || (R || R)[2]",
    "P = (a, 1).Q; Q = (b, 2).P; R = (c, 3).S; S = (a, T).R; P[2] || (P <a> R)[2]",
    "P = (a, 1).Q; Q = (b, 1).R; R = (c, 1).P; S = (a, T).T; T = (d, 1).S; P[4] <a> S[3]",
    "P = (a, Q + 1).Q; Q = (b, 1).P; P || P || P",
    /* copies that move together, and a component that never changes */
    "P = (a, 1).Q + (a, 2).P; Q = (b, 1).P; C = (b, 4).C; P[4]{a} <b> (C || P)",
    /* some states are left for ever, into several ends, a deadlock */
    "P = (a, 1).Q; Q = (b, 1).R; R = (c, 1).Q; P || P",
    "P = (a, 1).Q + (b, 2).Stop; Q = (c, 1).Q; P || P",
    /* what does not suit */
    "P = (b, 1).Q; Q = (a, T).P; P || P",
};
enum { TEXTS = sizeof texts / sizeof *texts, FIT = 3 };

Test(fault_diagram, every_text)
{
    for (int i = 0; i < TEXTS; i++)
        for (int aggregate = 0; aggregate < 2; aggregate++) {
            PepaSettings set = {0};
            set.derive.separate_copies = !aggregate;
            set.derive.explore = PEPA_SYMBOLIC;
            replay(texts[i], &set);
        }
}

Test(fault_diagram, methods)
{
    static const PepaMethod methods[] = {PEPA_GTH, PEPA_GAUSS_SEIDEL, PEPA_SOR, PEPA_BICGSTAB};
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++)
        for (int i = 0; i < FIT; i++) {
            PepaSettings set = {0};
            set.derive.explore = PEPA_SYMBOLIC;
            set.solve.method = methods[m];
            set.threads = 1 + i % 2;
            set.solve.max_iter = 100;
            replay(texts[i], &set);
        }
}

/* So many joint local states that sets are tried, and so few states, or none, that these are
 * explored one by one in the end. */
Test(fault_diagram, left_to_itself)
{
#define AND(x)  " <a, b> " x
#define FOUR(x) AND(x) AND(x) AND(x) AND(x)
    PepaSettings set = {0};
    set.derive.explore = PEPA_EXPLORE_AUTO;
    replay("P = (a, 1).Q; Q = (b, 1).P; P" FOUR("P") FOUR("P") FOUR("P") FOUR("P"), &set);
    replay("P = (a, 1).Q; Q = (b, T).P; P" FOUR("P") FOUR("P") FOUR("P") FOUR("P"), &set);
}

/* Explored one by one, and as sets after all, as these can be solved in so little memory. */
Test(fault_diagram, too_many_to_solve_one_by_one)
{
    PepaSettings set = {.memory = 30 * 1000};
    set.derive.explore = PEPA_EXPLORE_AUTO;
    set.derive.separate_copies = true;
    replay("P = (a, 1).Q; Q = (b, 2).R; R = (c, 3).P; S = (d, 1).T; T = (e, 2).U; U = (f, 4).S;\n"
           "P <a> (P || S || S || P)",
           &set);
}

/* States that take no time, with loops, several beginnings, a trap, and what is wrong with them. */
Test(fault_diagram, vanishing)
{
    static const char *const immediate[] =
        {"P = (a, 2 : immediate).Q + b.R; Q = (c, 1).S; R = (d, 2).S; S = e.P + (f[2], 1).T;\n"
         "T = (g, 3 : immediate).T + h.Q; P || P || (Q <c> Q)",
         "P = (a, 1).Q; Q = b.R; R = c.Q; P || P", "P = (a, 1).Q; Q = b.P + (c, T).P; P || P"};
    for (int i = 0; i < 3; i++) {
        PepaSettings set = {0};
        set.derive.explore = PEPA_EXPLICIT;
        replay(immediate[i], &set);
    }
}
