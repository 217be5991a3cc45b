/* libpepa in several threads: texts, one model, one chain, chains of one model. */
#include <stdlib.h>
#include <string.h>

#include "team.h"

/* Rates of every kind, choice, hiding, copies, weights. */
static const char text[] = "r = 2.0; s = min(r, 3) * 2; w = 2 * infty; q = 1.5;\n"
                           "P = (a, r).P + (b, s).P + (c, r + s).Q; Q = (d, Q * r).P;\n"
                           "S = (a, T).S + (b, w).S1 + (b, T).S; S1 = (e, 1).S;\n"
                           "R = (f, q).R2; R2 = (g, 2).R;\n"
                           "((P[3] <a, b> S) / {a}) <f> ((R || R)[2])";
static const char wrong[] = "P = (a, r).Sever; Server = (b 1).Server; s = 1 / 0;\nP <c> Server";

static PepaModel *parse(Digest *digest)
{
    PepaModel *model = NULL;
    PepaError err;
    PepaReading how = {.diagnose = digest_finding, .user = digest};
    need(pepa_model_parse(&model, "m", text, strlen(text), &how, &err) == PEPA_OK, &err);
    return model;
}

static PepaChain *derive(const PepaModel *model)
{
    PepaChain *chain = NULL;
    PepaError err;
    need(pepa_chain_derive(&chain, model, NULL, &err) == PEPA_OK, &err);
    return chain;
}

static void *vector(int64_t count, size_t size)
{
    void *v = calloc((size_t)count + 1, size);
    need(v != NULL, NULL);
    return v;
}

/* ---- texts ---------------------------------------------------------------------------------- */

static void read_texts(void *shared, int member, Digest *digest)
{
    (void)shared;
    (void)member;
    for (int round = 0; round < 10; round++) {
        PepaModel *model = NULL;
        PepaMethod method;
        PepaError err;
        PepaReading how = {.diagnose = digest_finding, .user = digest};
        PepaStatus status = pepa_model_parse(&model, "m", wrong, strlen(wrong), &how, &err);
        need(status == PEPA_ESYNTAX && !model, &err);
        digest_text(digest, pepa_status_text(status));
        digest_text(digest, err.message);
        need(pepa_model_load(&model, "no such file", &how, &err) == PEPA_EIO, &err);
        need(pepa_method_find("gauss-sidel", &method, &err) == PEPA_EARG, &err);
        digest_text(digest, err.message);
        pepa_model_free(parse(digest));
    }
}

/* ---- one chain, read by all -------------------------------------------------------------------
 */

static void look_at_states(const PepaChain *chain, Digest *digest)
{
    PepaChainInfo info = pepa_chain_info(chain);
    int32_t *counts = vector(info.counts, sizeof *counts);
    for (int32_t s = 0; s < info.states; s++) {
        char *words = NULL;
        need(pepa_chain_state_text(chain, s, &words, NULL) == PEPA_OK, NULL);
        need(pepa_chain_state_counts(chain, s, counts, NULL) == PEPA_OK, NULL);
        digest_text(digest, words);
        digest_bytes(digest, counts, (size_t)info.counts * sizeof *counts);
        digest_number(digest, pepa_chain_bottom(chain, s));
        pepa_text_free(words);
    }
    free(counts);
}

static void look_at_names(const PepaChain *chain, Digest *digest)
{
    PepaChainInfo info = pepa_chain_info(chain);
    for (int32_t p = 0; p < info.positions; p++) {
        PepaPosition position = pepa_chain_position(chain, p);
        digest_text(digest, position.component);
        for (int32_t l = 0; l < position.local_count; l++)
            digest_text(digest, pepa_chain_local_name(chain, position.local[l]));
    }
    for (int32_t a = 0; a < info.actions; a++)
        digest_text(digest, pepa_chain_action_name(chain, a));
}

static void look_at_rates(const PepaChain *chain, Digest *digest)
{
    PepaChainInfo info = pepa_chain_info(chain);
    PepaTransitions t = {0};
    (void)pepa_chain_transitions(chain, &t, NULL);
    PepaMatrix q;
    for (int64_t k = 0; k < t.row[info.states]; k++) {
        digest_number(digest, pepa_transition_rate(&t, k));
        digest_number(digest, t.target[k]);
        digest_number(digest, pepa_transition_action(&t, k));
    }
    need(pepa_chain_generator(chain, &q, NULL) == PEPA_OK, NULL);
    digest_bytes(digest, q.val, (size_t)q.row[q.n] * sizeof *q.val);
    digest_bytes(digest, q.col, (size_t)q.row[q.n] * sizeof *q.col);
    pepa_matrix_free(&q);
}

static void measure(const PepaChain *chain, const double *pi, Digest *digest)
{
    PepaChainInfo info = pepa_chain_info(chain);
    double *each = vector(info.actions + info.counts + info.local_states, sizeof *each), one;
    pepa_throughputs(chain, pi, each);
    digest_bytes(digest, each, (size_t)info.actions * sizeof *each);
    need(pepa_throughput(chain, pi, "tau", &one, NULL) == PEPA_OK, NULL);
    digest_number(digest, one);
    need(pepa_utilisations(chain, pi, each, NULL) == PEPA_OK, NULL);
    digest_bytes(digest, each, (size_t)info.counts * sizeof *each);
    need(pepa_populations(chain, pi, each, NULL) == PEPA_OK, NULL);
    digest_bytes(digest, each, (size_t)info.local_states * sizeof *each);
    free(each);
}

/* Everything that a const chain can be asked, and its solution. */
static void use_chain(const PepaChain *chain, Digest *digest)
{
    double *pi = vector(pepa_chain_info(chain).states, sizeof *pi);
    PepaError err;
    look_at_names(chain, digest);
    look_at_states(chain, digest);
    look_at_rates(chain, digest);
    need(pepa_solve_steady(chain, NULL, pi, NULL, &err) == PEPA_OK, &err);
    measure(chain, pi, digest);
    free(pi);
}

static void read_chain(void *shared, int member, Digest *digest)
{
    (void)member;
    use_chain(shared, digest);
}

/* ---- one chain, solved by all -----------------------------------------------------------------
 */

/* Each begins with another method, so that different ones meet; what they see is put together in
 * the order of methods. */
static void solve_chain(void *shared, int member, Digest *digest)
{
    const PepaChain *chain = shared;
    PepaSteady *steady = NULL;
    PepaError err;
    double *pi = vector(pepa_chain_info(chain).states, sizeof *pi), slope[4];
    Digest by_method[PEPA_METHOD_COUNT];
    need(pepa_steady_new(&steady, chain, &err) == PEPA_OK, &err);
    for (int i = 0; i < PEPA_METHOD_COUNT; i++) {
        int method = (i + 2 * member) % PEPA_METHOD_COUNT;
        PepaSettings set = {0};
        PepaInfo info;
        Digest *seen = &by_method[method];
        *seen = DIGEST_START;
        set.solve.method = (PepaMethod)method;
        need(pepa_steady_solve(steady, &set, pi, &info, &err) == PEPA_OK, &err);
        digest_text(seen, info.method);
        digest_number(seen, (double)info.iterations);
        measure(chain, pi, seen);
        need(pepa_steady_sensitivities(steady, &set, pi, "c", NULL, slope, &info, &err) == PEPA_OK,
             &err);
        digest_bytes(seen, slope, sizeof slope);
    }
    digest_bytes(digest, by_method, sizeof by_method);
    pepa_steady_free(steady);
    free(pi);
}

/* ---- one model, chains of its own for each ------------------------------------------------------
 */

static void derive_chains(void *shared, int member, Digest *digest)
{
    const PepaModel *model = shared;
    char *printed = NULL;
    (void)member;
    for (int32_t r = 0; r < pepa_model_rate_count(model); r++) {
        digest_text(digest, pepa_model_rate_name(model, r));
        digest_number(digest, pepa_model_rate_value(model, r));
    }
    need(pepa_model_print(model, &printed, NULL) == PEPA_OK, NULL);
    digest_text(digest, printed);
    pepa_text_free(printed);
    for (int aggregate = 0; aggregate < 2; aggregate++) {
        PepaSettings set = {0};
        PepaChain *chain = NULL;
        PepaError err;
        set.derive.separate_copies = !aggregate;
        set.derive.diagnose = digest_finding;
        set.user = digest;
        need(pepa_chain_derive(&chain, model, &set, &err) == PEPA_OK, &err);
        look_at_states(chain, digest);
        pepa_chain_free(chain);
    }
}

/* Chains large enough for their own threads to join in, while others explore as well. */
static void explore_with_threads(void *shared, int member, Digest *digest)
{
    PepaSettings set = {0};
    PepaChain *chain = NULL;
    PepaError err;
    set.derive.separate_copies = 1;
    set.threads = 1 + member;
    need(pepa_chain_derive(&chain, shared, &set, &err) == PEPA_OK, &err);
    PepaChainInfo info = pepa_chain_info(chain);
    PepaTransitions t = {0};
    (void)pepa_chain_transitions(chain, &t, NULL);
    digest_bytes(digest, t.row, ((size_t)info.states + 1) * sizeof *t.row);
    digest_bytes(digest, t.target, (size_t)info.transitions * sizeof *t.target);
    digest_bytes(digest, t.narrow, (size_t)info.transitions * sizeof *t.narrow);
    pepa_chain_free(chain);
}

static void share_large(void)
{
    static const char large[] = "P = (a, 1).Q; Q = (b, 2).R + (c, 1).P; R = (d, 3).P;\n"
                                "S = (a, T).S1; S1 = (e, 1).S;\n"
                                "P[9] <a> S[2]";
    PepaModel *model = NULL;
    PepaError err;
    need(pepa_model_parse(&model, "m", large, sizeof large - 1, NULL, &err) == PEPA_OK, &err);
    team_run("one model is derived by all, each with threads of its own", explore_with_threads,
             model);
    pepa_model_free(model);
}

/* Exploration as sets, and sweeps over blocks by several threads. */
static void solve_sets(const PepaChain *chain, double tolerance, int threads, Digest *digest)
{
    PepaSettings set = {0};
    PepaInfo info;
    PepaError err;
    double *pi = vector(pepa_chain_info(chain).states, sizeof *pi);
    double *per_time = vector(pepa_chain_info(chain).actions, sizeof *per_time);
    set.solve.method = PEPA_SOR;
    set.threads = threads;
    set.solve.tolerance = tolerance;
    need(pepa_solve_steady(chain, &set, pi, &info, &err) == PEPA_OK, &err);
    pepa_throughputs(chain, pi, per_time);
    digest_number(digest, (double)info.iterations);
    digest_bytes(digest, pi, (size_t)pepa_chain_info(chain).states * sizeof *pi);
    digest_bytes(digest, per_time, (size_t)pepa_chain_info(chain).actions * sizeof *per_time);
    look_at_names(chain, digest);
    free(pi);
    free(per_time);
}

static void read_sets(void *shared, int member, Digest *digest)
{
    solve_sets(shared, 1e-10, 1 + member, digest);
    look_at_states(shared, digest);
}

static PepaChain *derive_sets(const PepaModel *model, int threads)
{
    PepaSettings set = {0};
    PepaChain *chain = NULL;
    PepaError err;
    set.derive.explore = PEPA_SYMBOLIC;
    set.threads = threads;
    need(pepa_chain_derive(&chain, model, &set, &err) == PEPA_OK, &err);
    need(pepa_chain_info(chain).symbolic, NULL);
    return chain;
}

static void explore_sets(void *shared, int member, Digest *digest)
{
    PepaChain *chain = derive_sets(shared, 1 + member);
    solve_sets(chain, 1e-10, 1 + member, digest);
    look_at_states(chain, digest);
    pepa_chain_free(chain);
}

/* Large enough for sweeps by threads: many blocks side by side, and a chain of them.  Their states
 * are not listed: that runs the same code as on small chains, and takes most of the time. */
static void sweep_sets(void *shared, int member, Digest *digest)
{
    solve_sets(shared, 1e-3, 1 + 3 * member, digest);
}

static void share_large_sets(void)
{
    static const char *const large[] =
        {"P = (a, 1).Q; Q = (b, 2).R; R = (c, 3).P;\n"
         "P || P || P || P || P || P || P || P || P || P",
         "P = (a, 1).Q; Q = (b, 2).P; R = (c, 1).S; S = (d, 3).R; P[120] || R[80]"};
    for (size_t i = 0; i < sizeof large / sizeof *large; i++) {
        PepaModel *model = NULL;
        PepaError err;
        need(pepa_model_parse(&model, "m", large[i], strlen(large[i]), NULL, &err) == PEPA_OK,
             &err);
        PepaChain *chain = derive_sets(model, 1);
        team_run("a large chain explored as sets is solved by all", sweep_sets, chain);
        pepa_chain_free(chain);
        pepa_model_free(model);
    }
}

/* A matrix by rows, by methods that go through it in their order and in any. */
static void sweep_rows(void *shared, int member, Digest *digest)
{
    static const PepaMethod methods[] = {PEPA_GAUSS_SEIDEL, PEPA_BICGSTAB};
    const PepaChain *chain = shared;
    double *pi = vector(pepa_chain_info(chain).states, sizeof *pi);
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
        PepaSettings set = {0};
        PepaInfo info;
        PepaError err;
        set.solve.method = methods[m];
        set.threads = 1 + member;
        set.solve.tolerance = 1e-3;
        need(pepa_solve_steady(chain, &set, pi, &info, &err) == PEPA_OK, &err);
        digest_number(digest, (double)info.iterations);
        digest_bytes(digest, pi, (size_t)pepa_chain_info(chain).states * sizeof *pi);
    }
    free(pi);
}

/* A chain of many dimensions, and one that is found in lines. */
static void share_large_rows(void)
{
    static const char *const large[] = {"P = (a, 1).Q; Q = (b, 2).R; R = (c, 3).P;\n"
                                        "P || P || P || P || P || P || P || P || P || P",
                                        "P = (a, 1).Q; Q = (b, 2).P; R = (c, 1).S;\n"
                                        "S = (d, 3).R; P[200] || R[200]"};
    for (size_t i = 0; i < sizeof large / sizeof *large; i++) {
        PepaModel *model = NULL;
        PepaChain *chain = NULL;
        PepaSettings set = {0};
        PepaError err;
        set.derive.explore = PEPA_EXPLICIT;
        need(pepa_model_parse(&model, "m", large[i], strlen(large[i]), NULL, &err) == PEPA_OK,
             &err);
        need(pepa_chain_derive(&chain, model, &set, &err) == PEPA_OK, &err);
        team_run("a large chain by rows is solved by all", sweep_rows, chain);
        pepa_chain_free(chain);
        pepa_model_free(model);
    }
}

static void share_sets(void)
{
    static const char many[] = "P = (a, 1).Q; Q = (b, 2).R + (c, 1).P; R = (d, 3).P;\n"
                               "S = (a, T).S1; S1 = (e, 1).S; U = (b, T).V; V = (f, 2).U;\n"
                               "(P[9] <a> S[2]) <b> (U || (U || V)[2])";
    PepaModel *model = NULL;
    PepaError err;
    need(pepa_model_parse(&model, "m", many, sizeof many - 1, NULL, &err) == PEPA_OK, &err);
    PepaChain *chain = derive_sets(model, 2);
    team_run("one model is explored as sets by all, and solved by threads", explore_sets, model);
    team_run("one chain explored as sets is solved by all", read_sets, chain);
    pepa_chain_free(chain);
    pepa_model_free(model);
}

static void change_rates(void *shared, int member, Digest *digest)
{
    PepaChain *chain = derive(shared);
    PepaSteady *steady = NULL;
    PepaSettings set = {0};
    PepaError err;
    double *pi = vector(pepa_chain_info(chain).states, sizeof *pi);
    (void)member;
    need(pepa_steady_new(&steady, chain, &err) == PEPA_OK, &err);
    for (int k = 1; k < 5; k++) {
        PepaDefine rates[] = {{"r", 0.5 * k}, {"q", 2.0 / k}};
        need(pepa_chain_set_rates(chain, rates, 2, &err) == PEPA_OK, &err);
        need(pepa_chain_set_rate(chain, "s", k, &err) == PEPA_OK, &err);
        need(pepa_steady_solve(steady, &set, pi, NULL, &err) == PEPA_OK, &err);
        measure(chain, pi, digest);
        set.solve.warm_start = 1;
    }
    pepa_steady_free(steady);
    pepa_chain_free(chain);
    free(pi);
}

/* The last chain takes the model with it, whichever that is. */
static void let_go(void *shared, int member, Digest *digest)
{
    PepaChain **chain = shared;
    (void)member;
    look_at_names(*chain, digest);
    pepa_chain_free(*chain);
}

static void let_go_all(PepaModel *model)
{
    PepaChain *chains[TEAM];
    for (int m = 0; m < TEAM; m++)
        chains[m] = derive(model);
    pepa_model_free(model);
    team_each("chains outlive their model and end at once", let_go, chains, sizeof *chains);
}

void share_models(void)
{
    Digest ignored = DIGEST_START;
    PepaModel *model = parse(&ignored);
    PepaChain *chain = derive(model);
    team_run("texts, right and wrong, are read at once", read_texts, NULL);
    team_run("one model is derived by all", derive_chains, model);
    team_run("one chain is read by all", read_chain, chain);
    team_run("one chain is solved by all, by every method", solve_chain, chain);
    team_run("chains of one model change their rates", change_rates, model);
    pepa_chain_free(chain);
    share_large();
    share_sets();
    share_large_sets();
    share_large_rows();
    let_go_all(model);
}
