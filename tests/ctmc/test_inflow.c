/* The flow of components into local states.  Of systems whose slots hold one component each, every
 * slot is followed through every transition here.  Counted copies must have the flow of the same
 * copies kept apart, under the same distribution. */
#include "ctmc/inflow.h"

#include "diagrams.h"
#include "families.h"

/* The flow under x, at these values of the terms. */
typedef struct {
    const double *value, *x;
    double flow;
} Inflow;

static void add_inflow(void *user, const Transition *t, int32_t count)
{
    Inflow *in = user;
    cr_expect(count > 0);
    in->flow += in->x[t->from] * in->value[t->term] * count;
}

static PepaStatus chain_inflow(const Chain *chain, const double *value, const double *x,
                               const StatePlace *place, int32_t count, double *flow, PepaError *err)
{
    Inflow in = {value, x, 0};
    PepaStatus status = chain_each_inflow(chain, place, count, add_inflow, &in, err);
    if (status == PEPA_OK)
        *flow = in.flow;
    return status;
}

/* ---- by hand: one component to a slot ------------------------------------------------------ */

/* Every local state of a chain's slots, one cell for each slot. */
typedef struct {
    const Chain *chain;
    const double *x;
    const uint8_t *inside; /* per slot and local state, `width` to a slot */
    int32_t width;
    int32_t *cells; /* per state */
    double flow;
} Followed;

static void follow(void *user, const Transition *t)
{
    Followed *f = user;
    const System *s = f->chain->system;
    const int32_t *from = f->cells + t->from * s->cell_count;
    const int32_t *to = f->cells + t->to * s->cell_count;
    for (int32_t i = 0; i < s->slot_count; i++) {
        const uint8_t *inside = f->inside + i * f->width;
        int32_t cell = s->slots[i].cell;
        if (!slot_is_constant(s, i) && !inside[from[cell]] && inside[to[cell]])
            f->flow += f->x[t->from] * f->chain->now.term[t->term];
    }
}

static int32_t most_locals(const System *s)
{
    int32_t most = 0;
    for (int32_t i = 0; i < s->component_count; i++)
        most = s->components[i].local_count > most ? s->components[i].local_count : most;
    return most;
}

/* Places of the local states of which bit `local` of `chosen` is set, in all slots: how many. */
static int32_t choose(const System *s, uint32_t chosen, StatePlace *place)
{
    int32_t count = 0;
    for (int32_t i = 0; i < s->slot_count; i++)
        for (int32_t l = 0; l < s->components[s->slots[i].component].local_count; l++)
            if (chosen >> s->components[s->slots[i].component].local[l] & 1)
                place[count++] = (StatePlace){i, l};
    return count;
}

static double followed_flow(const Chain *c, const double *x, const StatePlace *place, int32_t count)
{
    const System *s = c->system;
    int32_t width = most_locals(s);
    uint8_t *inside = twice_room((size_t)(s->slot_count * width), 1);
    Followed f = {.chain = c,
                  .x = x,
                  .inside = inside,
                  .width = width,
                  .cells = twice_room((size_t)(c->state_count * s->cell_count), sizeof(int32_t))};
    for (int32_t i = 0; i < count; i++)
        inside[place[i].slot * width + place[i].local] = 1;
    for (int64_t i = 0; i < c->state_count; i++)
        cr_assert(chain_cells(c, i, f.cells + i * s->cell_count));
    cr_assert_eq(chain_each_transition(c, follow, &f, NULL), PEPA_OK);
    free(inside);
    free(f.cells);
    return f.flow;
}

/* Some distribution that is no steady state. */
static double *distribution(int64_t states)
{
    double *x = twice_room((size_t)states, sizeof *x), sum = 0;
    for (int64_t s = 0; s < states; s++)
        sum += x[s] = (double)(1 + s * s % 23 + s % 3);
    for (int64_t s = 0; s < states; s++)
        x[s] /= sum;
    return x;
}

/* For each set of local states, unless there are more than 64. */
static void expect_followed(const Chain *c)
{
    const System *s = c->system;
    double *x = distribution(c->state_count);
    StatePlace *place = twice_room((size_t)(s->slot_count * most_locals(s)), sizeof *place);
    uint32_t sets = UINT32_C(1) << c->model->local_count;
    for (uint32_t chosen = 0; chosen<sets; chosen += sets> 64 ? sets / 61 : 1) {
        int32_t count = choose(s, chosen, place);
        double got = -1, want = followed_flow(c, x, place, count);
        cr_assert_eq(chain_inflow(c, c->now.term, x, place, count, &got, NULL), PEPA_OK);
        cr_expect_float_eq(got, want, 1e-13 * fmax(1, want), "set %x: %g; it should be %g", chosen,
                           got, want);
    }
    free(x);
    free(place);
}

Test(inflow, separate_components)
{
    static const struct {
        const char *text;
        int32_t most_lower;
    } cases[] = {
        {"P = (a, 1).Q + (b, 2).P; Q = (c, 1).P; P", 1},
        {"P = (a, 1).Q; Q = (a, 2).P; P <a> P", 1},
        {"P = (a, 1).Q + (a, 2).R; Q = (b, 2).P; R = (c, 3).Q; P <a> P <b> Q", 2},
        {"P = (a, 1).Q; Q = (b, 1).R; R = (c, 1).P; S = (a, T).T; T = (d, 1).S; P[3] <a> S[2]", 4},
        {"P = (a, 1).Q; Q = (a, 1).P; P[4]{a}", 4},
        {"P = (a, 1).Q; Q = (b, 1).P; N = (a, T).N; (P[3] <a> N[2]) / {b}", 2},
        {"P = (a, 1).Q; Q = (b, 1).P; R = (b, T).S; S = (c, 1).R; (P <b> R)[2] || P", 4},
        {"P = (a, 1).Q + (z, 1).Stop; Q = (b, 1).P; P || P", 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Model *model = model_of(cases[i].text);
        Twice t;
        twice_new(&t, model, 0, cases[i].most_lower, 10000);
        cr_assert_eq(t.status, PEPA_OK, "%zu: %s", i, t.err.message);
        expect_followed(t.chain);
        if (t.diagram)
            expect_followed(&t.as_sets);
        twice_free(&t);
        model_free(model);
    }
}

/* Sets of more states than a block of chain_each_value has. */
Test(inflow, many_states)
{
    Model *model = model_of_family("polling 6");
    Twice t;
    twice_new(&t, model, 0, 100, 10000);
    cr_assert(t.status == PEPA_OK && t.diagram);
    expect_followed(t.chain);
    expect_followed(&t.as_sets);
    twice_free(&t);
    model_free(model);
}

/* ---- copies -------------------------------------------------------------------------------- */

typedef struct {
    const Chain *chain;
    const double *x;
    double *next;
    double rate; /* of the steps */
} Jump;

static void step_along(void *user, const Transition *t)
{
    Jump *j = user;
    double p = j->x[t->from] * j->chain->now.term[t->term] / j->rate;
    j->next[t->from] -= p;
    j->next[t->to] += p;
}

/* The mean of the first distributions of the uniformised chain, at so many jumps per unit of time:
 * copies are alike in it, and chains of one model agree on it, with copies counted or apart. */
static double *early_distribution(const Chain *c, int64_t initial, double rate)
{
    enum { STEPS = 12 };
    size_t n = (size_t)c->state_count;
    double *x = twice_room(n, sizeof *x), *next = twice_room(n, sizeof *next);
    double *mean = twice_room(n, sizeof *mean);
    x[initial] = 1;
    for (int step = 0; step < STEPS; step++) {
        Jump j = {c, x, next, rate};
        for (size_t s = 0; s < n; s++) {
            mean[s] += x[s] / STEPS;
            next[s] = x[s];
        }
        cr_assert_eq(chain_each_transition(c, step_along, &j, NULL), PEPA_OK);
        memcpy(x, next, n * sizeof *x);
    }
    free(x);
    free(next);
    return mean;
}

/* "P Q": the names of a set, in the order of their ids. */
static const char *set_name(const Model *model, uint32_t chosen, char *name, size_t size)
{
    size_t length = 0;
    *name = 0;
    for (int32_t l = 0; l < model->local_count; l++)
        if (chosen >> l & 1)
            length += (size_t)snprintf(name + length, size - length, "%s%s", length ? " " : "",
                                       model->locals[l].name);
    return name;
}

/* Whether one of "P Q; R; ..." is the name. */
static bool lists(const char *list, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = list; at; at = strchr(at, ';') ? strchr(at, ';') + 2 : NULL)
        if (strncmp(at, name, length) == 0 && (at[length] == ';' || at[length] == 0))
            return true;
    return false;
}

static void expect_counted(const Chain *c, int64_t initial, double rate, const double *want,
                           const char *refused)
{
    StatePlace place[256];
    double *x = early_distribution(c, initial, rate);
    for (uint32_t chosen = 0; chosen < UINT32_C(1) << c->model->local_count; chosen++) {
        char name[128];
        double got = -1;
        PepaError err = {0};
        int32_t count = choose(c->system, chosen, place);
        PepaStatus status = chain_inflow(c, c->now.term, x, place, count, &got, &err);
        (void)set_name(c->model, chosen, name, sizeof name);
        if (lists(refused, name)) {
            cr_expect(status == PEPA_ELIMIT && err.limit == PEPA_LIMIT_COPIES,
                      "{%s} is not refused", name);
            cr_expect(got <= -1 && got >= -1);
            continue;
        }
        cr_expect_eq(status, PEPA_OK, "{%s}: %s", name, err.message);
        cr_expect_float_eq(got, want[chosen], 1e-12 * fmax(1, got), "{%s}: %g; it should be %g",
                           name, got, want[chosen]);
    }
    free(x);
}

/* Without copies every set has a flow; with them, those that are not refused have the same, but for
 * the rounding errors of distributions that were computed by other sums. */
Test(inflow, copies)
{
    static const struct {
        const char *text;
        int32_t most_lower;
        const char *refused;
    } cases[] = {
        {"P = (a, 1).Q + (e, 1).P; Q = (b, 1).R; R = (c, 1).P; P[4]", 1, "-"},
        {"P = (a, 1).Q; Q = (b, 1).R; R = (c, 1).P; S = (a, T).T; T = (d, 1).S; P[4] <a> S[3]", 6,
         "-"},
        {"P = (a, 1).Q; Q = (a, 2).P; P[3] <a> P[2]", 4, "-"},
        {"P = (a, 1).Q; Q = (b, 1).P; N = (a, T).N; (P[3] <a> N[2]) / {b}", 2, "-"},
        /* several move at once, in one direction */
        {"P = (a, 1).Q; Q = (b, 1).P; P[4]{a}", 1, "-"},
        {"P = (a, 1).Q; Q = (b, 1).P; P[4]{a, b}", 1, "-"},
        /* ... and in both: P and Q change places */
        {"P = (a, 1).Q; Q = (a, 1).P; P[2]{a}", 1, "P; Q"},
        {"P = (a, 1).Q; Q = (a, 1).R; R = (c, 1).P; P[3]{a}", 1, "Q; P R"},
        {"P = (a, 1).Q + (a, 1).R; Q = (b, 1).P; R = (b, 1).P; P[3]{a}", 1, "-"},
        {"P = (a, 1).Q + (b, 1).R; Q = (a, 1).P + (b, 1).P; R = (c, 1).Q; P[3]{b}", 1, "P; Q R"},
        /* ... but for activities that never happen: nobody else does `a` */
        {"P = (a, 1).Q + (b, 1).Q; Q = (a, 2).P + (c, 1).P; S = (d, 1).S; P[2]{a} <a> S", 1, "-"},
        {"P = (a, 1).Q + (b, 1).Q; Q = (a, 2).P + (c, 1).P; R = (g, 1).O; O = (a, T).R;\n"
         "S = (d, 1).S; (P[2]{a} || (R <g> Stop)) <a> S",
         1, "-"},
        /* copies of composites */
        {"P = (a, 1).Q; Q = (b, 1).P; R = (b, T).S; S = (c, 1).R; (P <b> R)[3] || P", 3, "-"},
        {"P = (a, 1).Q; Q = (b, 1).P; R = (c, T).S; S = (e, 1).R;\n"
         "D = (c, 1).E; E = (d, 1).D; ((P || P)[2] || R)[2] <c> D",
         3, "-"},
        {"P = (a, 1).Q; Q = (a, 1).P; R = (b, 1).S; S = (d, 1).R; (P || R)[2]{a}", 1,
         "P; Q; P R; Q R; P S; Q S; P R S; Q R S"},
        {"P = (a, 1).Q; Q = (b, 1).P; R = (d, 1).S; S = (b, 1).R; (P <b> R)[2]{b}", 1, "-"},
        {"P = (a, 1).Q; Q = (a, 1).P; R = (d, 1).S; S = (b, 1).R; (P <a> P || R)[2]", 1, "-"},
        /* so many moves of one local state that copies of one component are sorted */
        {"P = (a, 1).Q + (a, 2).R + (a, 3).(b, 1).Q + (a, 4).(b, 2).Q + (a, 5).(b, 3).Q +\n"
         "    (a, 6).(b, 4).Q + (a, 7).(b, 5).Q + (a, 8).(b, 6).Q + (a, 9).(b, 7).Q;\n"
         "Q = (c, 1).P; R = (d, 1).P; P[2]{a}",
         1, "-"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const double rate = 100;
        Model *model = model_of(cases[i].text);
        Twice apart, counted;
        StatePlace place[256];
        double want[1 << 12];
        twice_new(&apart, model, 0, cases[i].most_lower, 10000);
        twice_new(&counted, model, 1, cases[i].most_lower, 10000);
        cr_assert(apart.status == PEPA_OK && counted.status == PEPA_OK && model->local_count <= 12,
                  "%zu: %s", i, counted.err.message);
        double *x = early_distribution(apart.chain, 0, rate);
        for (uint32_t chosen = 0; chosen < UINT32_C(1) << model->local_count; chosen++) {
            int32_t count = choose(apart.chain->system, chosen, place);
            want[chosen] = followed_flow(apart.chain, x, place, count);
        }
        expect_counted(apart.chain, 0, rate, want, "-");
        expect_counted(counted.chain, 0, rate, want, cases[i].refused);
        if (counted.diagram)
            expect_counted(&counted.as_sets,
                           counted.diagram->offset[counted.diagram->initial_upper] +
                               counted.diagram->initial_lower,
                           rate, want, cases[i].refused);
        free(x);
        twice_free(&apart);
        twice_free(&counted);
        model_free(model);
    }
}

/* The message names the component; the same places of another position have a flow. */
Test(inflow, refusal)
{
    Derived d = derive("P = (a, 1).Q; Q = (a, 1).P; P[2]{a} || P", 1);
    const StatePlace place[] = {{0, 1}, {1, 1}};
    double pi[16] = {1}, flow = -1;
    PepaError err = {0};
    cr_assert_eq(chain_inflow(d.chain, d.chain->now.term, pi, place, 2, &flow, &err), PEPA_ELIMIT);
    cr_expect_str_eq(err.message, "one activity can move one of the copies of `P` in and another "
                                  "one out, which their numbers do not tell");
    cr_expect(flow <= -1 && flow >= -1);
    cr_assert_eq(chain_inflow(d.chain, d.chain->now.term, pi, place + 1, 1, &flow, &err), PEPA_OK);
    cr_expect_float_eq(flow, 1, 1e-15);
    derived_free(&d);
}

/* The rates that are passed in count, not those of the chain. */
Test(inflow, values)
{
    Derived d = derive("P = (a, 1).Q; Q = (b, 4).P; P[2]", 1);
    const StatePlace place = {0, 1};
    double pi[3] = {1}, flow = -1, *value = twice_room((size_t)d.chain->rates.count, sizeof *value);
    for (int32_t i = 0; i < d.chain->rates.count; i++)
        value[i] = 10 * d.chain->now.term[i];
    cr_assert_eq(chain_inflow(d.chain, d.chain->now.term, pi, &place, 1, &flow, NULL), PEPA_OK);
    cr_expect_float_eq(flow, 2, 1e-15);
    cr_assert_eq(chain_inflow(d.chain, value, pi, &place, 1, &flow, NULL), PEPA_OK);
    cr_expect_float_eq(flow, 20, 1e-15);
    free(value);
    derived_free(&d);
}
