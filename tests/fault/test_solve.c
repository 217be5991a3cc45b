/* Every allocation of the way from text to measures fails, alone or with all that follow: the
 * answer is PEPA_ENOMEM (or an answer, where a method can do without), handles are untouched, the
 * error says the same as the status, and nothing leaks (seen by the leak checker of `make asan`).
 */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "fault/memory.h"
#include "pepa.h"

/* everything at once: rates, choice, hiding, copies, cooperation, weights, functional rates */
static const char everything[] = "r = 2.0; s = min(r, 3) * 2; w = 2 * infty;\n"
                                 "P = (a, r).P + (b, s).P + (c, r + s).Q; Q = (d, Q * r).P;\n"
                                 "S = (a, T).S + (b, w).S1 + (b, T).S; S1 = (e, 1).S;\n"
                                 "R = (f, 1).(g, 2).R;\n"
                                 "((P[3] <a, b> S) / {a}) <f> ((R || R)[2])";
static const char bottoms[] =
    "P = (a, 1).Q + (b, 2).R + (c, 1).Stop; Q = (d, 1).Q2; Q2 = (d, 2).Q; R = (e, 1).R2;\n"
    "R2 = (f, 3).R; P";

static const char *const texts[] = {
    everything,
    bottoms,
    /* several activities of one action in the very first local state */
    "P = (a, 1).Q + (a, 2).P; Q = (b, 3).P; P",
    /* errors of every stage */
    "P = (a, r).Sever; Server = (b, 1).Server; P <c> Server",
    "P = (a, 1).P1; P1 = (b, 2).P2; P2 = (c, 0.5).P; P[20]",
    "P = (a, 1).P + ; Q = (b 1).Q; P || Q",
    "P = (a, T).P; P",
    "r = 1; % s = 2;\nQ = (a, 1/0).Q; Q[1.5]",
};
enum { TEXTS = sizeof texts / sizeof *texts };

static const PepaMethod methods[] = {PEPA_AUTO,  PEPA_GTH,        PEPA_DIRECT, PEPA_GAUSS_SEIDEL,
                                     PEPA_SOR,   PEPA_JACOBI,     PEPA_POWER,  PEPA_BICGSTAB,
                                     PEPA_GMRES, PEPA_MULTILEVEL, PEPA_IDR};
enum { METHODS = sizeof methods / sizeof *methods };

static void ignore(void *user, const PepaDiagnostic *each)
{
    *(size_t *)user += strlen(each->message);
}

static PepaStatus measure(const PepaChain *chain, const double *pi, PepaError *err)
{
    PepaChainInfo info = pepa_chain_info(chain);
    double *share = malloc(((size_t)info.counts + 1) * sizeof *share);
    char *text = NULL;
    PepaMatrix q;
    PepaStatus status = pepa_utilisations(chain, pi, share, err);
    if (status == PEPA_OK)
        status = pepa_populations(chain, pi, share, err);
    if (status == PEPA_OK)
        status = pepa_chain_state_text(chain, 0, &text, err);
    pepa_text_free(text);
    if (status == PEPA_OK) {
        status = pepa_chain_generator(chain, &q, err);
        if (status == PEPA_OK)
            pepa_matrix_free(&q);
    }
    free(share);
    return status;
}

/* By the rates of a throughput, where the chain has one bottom component. */
static PepaStatus differentiate(const PepaChain *chain, const PepaModel *model,
                                const PepaSettings *set, const double *pi, PepaError *err)
{
    const char *action = pepa_chain_action_name(chain, 0);
    double *slope = malloc(((size_t)pepa_model_rate_count(model) + 1) * sizeof *slope);
    PepaSteady *steady = NULL;
    PepaStatus status = pepa_steady_new(&steady, chain, err);
    for (int again = 0; again < 2 && status == PEPA_OK; again++) /* the second finds all built */
        if (pepa_chain_info(chain).bottom_components == 1)
            status = pepa_steady_sensitivities(steady, set, pi, action, NULL, slope, NULL, err);
    pepa_steady_free(steady);
    free(slope);
    return status;
}

/* What is kept of a solution. */
typedef struct {
    double *pi;
    int64_t states, kept;
} Shelf;

static int always(void *user, double seconds)
{
    (void)user;
    return seconds >= 0;
}

static int begin(void *user, const PepaProgress *now)
{
    ((Shelf *)user)->kept = 0;
    return now->count == 0;
}

static int piece(void *user, int64_t first, int64_t count, const double *pi)
{
    Shelf *s = user;
    cr_assert(first >= 0 && count > 0 && first + count <= s->states);
    memcpy(s->pi + first, pi, (size_t)count * sizeof *pi);
    s->kept += count;
    return 0;
}

/* Whatever fails, it is whole. */
static int end(void *user, int ok)
{
    const Shelf *s = user;
    cr_assert(ok && s->kept == s->states);
    for (int64_t i = 0; i < s->states; i++)
        cr_assert(s->pi[i] >= 0 && s->pi[i] <= 1);
    return 0;
}

static int load(void *user, int64_t first, int64_t count, double *pi)
{
    const Shelf *s = user;
    memcpy(pi, s->pi + first, (size_t)count * sizeof *pi);
    return 0;
}

/* Whether it is solved or not, it is then solved from what was kept, if that is anything. */
static PepaStatus solve(const PepaChain *chain, PepaSettings set, double *pi, PepaError *err)
{
    const int64_t numbers = pepa_chain_info(chain).states + 1; /* and the order */
    Shelf shelf = {calloc((size_t)numbers, sizeof *pi), numbers, 0};
    PepaKeeping keeping = {&shelf, always, begin, piece, end, NULL, 1, {0}};
    set.solve.keeping = &keeping;
    PepaStatus status = pepa_solve_steady(chain, &set, pi, NULL, err);
    if (shelf.kept > 0) {
        keeping.load = load;
        status = pepa_solve_steady(chain, &set, pi, NULL, err);
    }
    free(shelf.pi);
    return status;
}

/* The whole way; the status is that of the first step that fails. */
static PepaStatus walk(const char *text, PepaMethod method, PepaPrecondition precondition,
                       int aggregate, PepaMatrixForm matrix)
{
    size_t said = 0;
    PepaSettings set = {0};
    set.solve.method = method;
    set.derive.separate_copies = !aggregate;
    set.derive.max_states = 1000000; /* the limit is hit, early: texts[4] with separate copies */
    set.solve.matrix = matrix;
    set.solve.precondition = precondition;
    set.derive.diagnose = ignore;
    set.user = &said;
    PepaReading how = {.diagnose = ignore, .user = &said};
    PepaModel *model = NULL;
    PepaChain *chain = NULL;
    PepaError err = {0};
    char *printed = NULL;
    double *pi = NULL;
    PepaStatus status = pepa_model_parse(&model, "m", text, strlen(text), &how, &err);
    cr_assert(status == PEPA_OK || model == NULL);
    if (status == PEPA_OK)
        status = pepa_model_print(model, &printed, &err);
    pepa_text_free(printed);
    if (status == PEPA_OK)
        status = pepa_chain_derive(&chain, model, &set, &err);
    cr_assert(status == PEPA_OK || chain == NULL);
    if (status == PEPA_OK && pepa_model_rate_count(model) > 0)
        status = pepa_chain_set_rate(chain, pepa_model_rate_name(model, 0), 2.5, &err);
    if (status == PEPA_OK) {
        pi = malloc((size_t)pepa_chain_info(chain).states * sizeof *pi);
        status = solve(chain, set, pi, &err);
    }
    if (status == PEPA_OK)
        status = measure(chain, pi, &err);
    if (status == PEPA_OK)
        status = differentiate(chain, model, &set, pi, &err);
    free(pi);
    pepa_chain_free(chain);
    pepa_model_free(model);
    cr_assert(status == PEPA_OK || err.code == status, "%s, but %s: %s", pepa_status_text(status),
              pepa_status_text(err.code), err.message);
    return status;
}

static void replay_with(const char *text, PepaMethod method, PepaPrecondition precondition,
                        int aggregate, PepaMatrixForm matrix)
{
    mem_fail_at(0, false);
    PepaStatus expected = walk(text, method, precondition, aggregate, matrix);
    int64_t count = mem_allocations();
    cr_assert_gt(count, 10);
    for (int64_t k = 1; k <= count; k++) {
        mem_fail_at(k, k % 2 == 0);
        PepaStatus status = walk(text, method, precondition, aggregate, matrix);
        mem_fail_at(0, false);
        cr_assert(status == PEPA_ENOMEM || status == expected,
                  "allocation %lld of %lld, method %s: %s", (long long)k, (long long)count,
                  pepa_method_name(method), pepa_status_text(status));
    }
}

static void replay(const char *text, PepaMethod method, int aggregate, PepaMatrixForm matrix)
{
    replay_with(text, method, PEPA_PRECONDITION_AUTO, aggregate, matrix);
}

Test(fault, every_text_by_the_default_method, .init = mem_fail_in_klu)
{
    for (int i = 0; i < TEXTS; i++)
        for (int aggregate = 0; aggregate < 2; aggregate++)
            replay(texts[i], PEPA_AUTO, aggregate, PEPA_MATRIX_AUTO);
}

Test(fault, every_method, .init = mem_fail_in_klu)
{
    for (int m = 0; m < METHODS; m++)
        for (int i = 0; i < 2; i++)
            replay(texts[i], methods[m], 1, i ? PEPA_MATRIX_AUTO : PEPA_MATRIX_COMPACT);
}

/* Enough states for levels of groups. */
Test(fault, every_preconditioner, .init = mem_fail_in_klu)
{
    static const char many[] = "P = (a, 1).P1; P1 = (b, 2).P2; P2 = (c, 0.5).P; P[14]";
    static const PepaMethod krylov[] = {PEPA_BICGSTAB, PEPA_GMRES, PEPA_IDR};
    for (int kind = 0; kind < PEPA_PRECONDITION_COUNT; kind++)
        for (int m = 0; m < 3; m++)
            replay_with(many, krylov[m], (PepaPrecondition)kind, 1, PEPA_MATRIX_AUTO);
}
