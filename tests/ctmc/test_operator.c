/* The generator as an operator: every result against sums over the transitions of the chain
 * explored one by one, and over its states, taken here. */
#include "ctmc/operator.h"

#include "diagrams.h"
#include "families.h"
#include "measure/measures.h"

/* Self-loops within the sets and across them, copies counted in either part, rates that differ
 * within a submatrix, sets of different sizes, several events between the same states. */
static const struct {
    const char *text; /* or a family and its size */
    int aggregate;
    int32_t most_lower;
} cases[] = {
    {"U = (a, 1).U + (b, 1).V; V = (a, 1).U; L = (a, T).L + (c, 2).M; M = (d, 3).L; U <a> L", 0, 2},
    {"U = (a, 1).U + (b, 1).V; V = (a, 1).U; L = (a, T).L + (c, 2).M; M = (d, 3).L; L <a> U", 0, 2},
    {"U = (a, 1).U + (a, 2).V + (b, 1).V; V = (a, 1).V + (a, 2).U; M = (d, 3).L;\n"
     "L = (a, T).L + (a, 3 * T).M + (c, 2).M; U <a> (L || L)",
     0, 4},
    {"P = (a, 1).P + (b, 1).Q; Q = (a, 2).P + (a, 1).Q; P || P || P || P", 0, 4},
    {"P = (a, 1).P + (b, 1).Q; Q = (a, 2).P + (a, 1).Q; P || P || P || P", 1, 4},
    {"P = (a, 1).Q + (b, 2).Q + (c, 3).Q; Q = (d, 1).P; (P || P || P || P) / {a, b, c}", 0, 4},
    {"P = (a, 1).Q; Q = (b, 1).R; R = (c, 1).P; S = (a, T).T; T = (d, 1).S; P[5] <a> S[3]", 1, 6},
    {"P = (a, 1).Q; Q = (b, 1).R; R = (c, 1).P; S = (a, T).T; T = (d, 1).S; S[3] <a> P[5]", 1, 21},
    {"A = (a, 1).B; B = (b, 2).C; C = (c, 3).A;\n"
     "X = (b, T).Y + (x, 5).Z; Y = (y, 1).X; Z = (z, 4).X;\n"
     "W = (y, T).V; V = (v, 2).W + (v, 1).V; A <b> X <y> (W || A)",
     0, 9},
    {"clients 4", 0, 70},
    /* one lower state with A, two with each of the others */
    {"A = (go, 1).B; B = (on, 2).C; C = (back, 3).A; L = (go, T).M; M = (m, 2).N;\n"
     "N = (n, 3).M + (on, T).X; X = (x, 5).Y; Y = (y, 7).X + (back, T).L; A <go, on, back> L",
     0, 5},
};
enum { CASES = sizeof cases / sizeof *cases };

/* Entries of x Q and exit rates, numbered as in the chain. */
typedef struct {
    const int32_t *id; /* NULL: they are */
    double *in, *exit;
    int32_t *calls;
} Found;

static void store(void *user, int32_t part, int64_t first, int32_t count, const double *in,
                  const double *exit)
{
    const Found *f = user;
    cr_assert(part >= 0 && part < PRODUCT_PARTS);
    for (int64_t k = 0; k < count; k++) {
        int64_t s = f->id ? f->id[first + k] : first + k;
        f->in[s] = in[k];
        f->exit[s] = exit[k];
        f->calls[s]++;
    }
}

static void expect_product(const Chain *c, const Chain *form, const int32_t *id, const double *pi,
                           const double *x, int32_t threads)
{
    size_t n = (size_t)c->states.count;
    double *want = twice_room(2 * n, sizeof *want), *got = twice_room(2 * n, sizeof *got);
    Found found = {id, got, got + n, twice_room(n, sizeof *found.calls)};
    Operator *op = NULL;
    for (int32_t s = 0; s < (int32_t)n; s++)
        for (int64_t k = c->row[s]; k < c->row[s + 1]; k++) {
            double rate = c->target[k] == s ? 0 : chain_rate(c, c->now.term, k);
            want[c->target[k]] += pi[s] * rate;
            want[n + (size_t)s] += rate;
        }
    cr_assert_eq(operator_new(&op, form, NULL, threads, NULL, NULL), PEPA_OK);
    operator_product(op, form->now.term, x, store, &found);
    for (size_t s = 0; s < n; s++)
        cr_expect_eq(found.calls[s], 1);
    for (size_t i = 0; i < 2 * n; i++)
        cr_expect_float_eq(got[i], want[i], 1e-13, "%s of state %zu is %g; it should be %g",
                           i < n ? "flow into" : "exit rate", i % n, got[i], want[i]);
    operator_free(op);
    free(want);
    free(got);
    free(found.calls);
}

static void expect_flows(const Chain *c, const Chain *form, const double *pi, const double *x)
{
    double *want = twice_room((size_t)c->action_count, sizeof *want);
    double *got = twice_room((size_t)c->action_count, sizeof *got);
    for (int32_t s = 0; s < c->states.count; s++)
        for (int64_t k = c->row[s]; k < c->row[s + 1]; k++)
            want[chain_action(c, k)] += pi[s] * chain_rate(c, c->now.term, k);
    chain_action_flow(form, form->now.term, x, got);
    for (int32_t a = 0; a < c->action_count; a++) {
        cr_expect_float_eq(got[a], want[a], 1e-13);
        cr_expect_float_eq(chain_flow_of(form, form->now.term, x, a), want[a], 1e-13);
    }
    free(want);
    free(got);
}

/* Rates by source, action and target; what several events make adds up. */
typedef struct {
    const Chain *c, *form;
    const int32_t *id;
    double *rate;
    int64_t last;
} Met;

static double *met_rate(const Met *m, int64_t from, int32_t action, int64_t to)
{
    return m->rate + (from * m->c->model->action_count + action) * m->c->states.count + to;
}

static void meet(void *user, const Transition *t)
{
    Met *m = user;
    int64_t from = m->id ? m->id[t->from] : t->from, to = m->id ? m->id[t->to] : t->to;
    cr_expect(t->from >= m->last, "sources ascend");
    m->last = t->from;
    *met_rate(m, from, t->action, to) += m->form->now.term[t->term];
}

static void expect_transitions(const Chain *c, const Chain *form, const int32_t *id)
{
    size_t n = (size_t)c->states.count, all = n * n * (size_t)c->model->action_count;
    Met m = {c, form, id, twice_room(all, sizeof *m.rate), 0};
    cr_assert_eq(chain_each_transition(form, meet, &m, NULL), PEPA_OK);
    for (int32_t s = 0; s < c->states.count; s++)
        for (int64_t k = c->row[s]; k < c->row[s + 1]; k++)
            *met_rate(&m, s, c->actions[chain_action(c, k)], c->target[k]) -=
                chain_rate(c, c->now.term, k);
    for (size_t i = 0; i < all; i++)
        cr_expect_float_eq(m.rate[i], 0, 1e-13);
    free(m.rate);
}

/* Sums over positions: the mean number of components in each local state of the model. */
static void expect_counts(const Chain *c, const Chain *form, const double *pi, const double *x)
{
    const System *s = form->system;
    size_t locals = (size_t)c->model->local_count;
    int32_t *offset = twice_room((size_t)s->position_count + 1, sizeof *offset);
    int32_t *cells = twice_room((size_t)c->system->cell_count, sizeof *cells);
    int64_t *counts = twice_room(locals, sizeof *counts);
    double *want = twice_room(locals, sizeof *want), *got = twice_room(locals, sizeof *got);
    measure_offsets(s, offset);
    double *mean = twice_room((size_t)offset[s->position_count], sizeof *mean);
    for (int32_t i = 0; i < c->states.count; i++) {
        system_unpack(c->system, c->states.state + (size_t)i * c->states.words, cells);
        system_counts(c->system, cells, counts);
        for (size_t l = 0; l < locals; l++)
            want[l] += pi[i] * (double)counts[l];
    }
    cr_assert_eq(chain_mean_counts(form, offset, x, mean, NULL), PEPA_OK);
    for (int32_t p = 0; p < s->position_count; p++) {
        const Component *component = &s->components[s->position_component[p]];
        double copies = 0;
        for (int32_t l = 0; l < component->local_count; l++) {
            got[component->local[l]] += mean[offset[p] + l];
            copies += mean[offset[p] + l];
        }
        cr_expect_float_eq(copies, (double)s->position_copies[p], 1e-12);
    }
    for (size_t l = 0; l < locals; l++)
        cr_expect_float_eq(got[l], want[l], 1e-12);
    free(offset);
    free(cells);
    free(counts);
    free(want);
    free(got);
    free(mean);
}

Test(operator, sums_over_transitions_and_states)
{
    for (int i = 0; i < CASES; i++) {
        const char *text = cases[i].text;
        Model *model = strchr(text, '=') ? model_of(text) : model_of_family(text);
        Twice t;
        twice_new(&t, model, cases[i].aggregate, cases[i].most_lower, 1000);
        cr_assert(t.diagram && t.chain && twice_states(&t), "%d: %s", i, t.why);
        size_t n = (size_t)t.states;
        double *pi = twice_room(n, sizeof *pi), *x = twice_room(n, sizeof *x), sum = 0;
        for (size_t s = 0; s < n; s++)
            sum += pi[s] = (double)(1 + s * s % 23 + s % 3);
        for (size_t s = 0; s < n; s++)
            pi[s] /= sum;
        for (size_t s = 0; s < n; s++)
            x[s] = pi[t.id[s]];
        expect_product(t.chain, t.chain, NULL, pi, pi, 1);
        expect_product(t.chain, &t.as_sets, t.id, pi, x, 1 + i % 3);
        expect_flows(t.chain, t.chain, pi, pi);
        expect_flows(t.chain, &t.as_sets, pi, x);
        expect_transitions(t.chain, t.chain, NULL);
        expect_transitions(t.chain, &t.as_sets, t.id);
        expect_counts(t.chain, t.chain, pi, pi);
        expect_counts(t.chain, &t.as_sets, pi, x);
        free(pi);
        free(x);
        twice_free(&t);
        model_free(model);
    }
}
