/* Functions of states: every node in every state, by rows and on sets, against cells of single
 * states and against transitions. */
#include "ctmc/state_function.h"

#include "ctmc/operator.h"
#include "diagrams.h"
#include "families.h"

static const struct {
    const char *text; /* or a family and its size */
    int aggregate;
    int32_t most_lower;
} cases[] = {
    {"P = (a, 1).Q + (b, 2).P; Q = (c, 1).P; P", 0, 1},
    /* self-loops, hidden actions */
    {"U = (a, 1).U + (b, 1).V; V = (a, 1).U; L = (a, T).L + (c, 2).M; M = (d, 3).L; U <a> L", 0, 2},
    {"P = (a, 1).Q + (b, 2).Q + (c, 3).Q; Q = (d, 1).P; (P || P || P || P) / {a, b, c}", 0, 4},
    {"P = (a, 1).Q; Q = (b, 1).P; R = (a, T).S; S = (b, 2).R; (P / {b}) <a> R", 1, 2},
    /* counted slots, in either part; the last count is implicit */
    {"P = (a, 1).Q; Q = (b, 1).R; R = (c, 1).P; S = (a, T).T; T = (d, 1).S; P[5] <a> S[3]", 1, 6},
    {"P = (a, 1).Q; Q = (b, 1).R; R = (c, 1).P; S = (a, T).T; T = (d, 1).S; S[3] <a> P[5]", 1, 21},
    {"P = (a, 1).Q; Q = (b, 1).R; R = (c, 1).P; S = (a, T).T; T = (d, 1).S; S[3] <a> P[5]", 0, 21},
    /* components that never change, one and many */
    {"P = (a, 1).Q; Q = (b, 1).P; N = (a, T).N; K = (b, T).K; (P[3] <a> N[4]) <b> K", 1, 2},
    {"P = (a, 1).Q; Q = (b, 1).P; N = (a, 1).N; N[2] || P || N || P", 1, 2},
    /* copies of composites */
    {"P = (a, 1).Q; Q = (b, 1).P; R = (b, T).S; S = (c, 1).R; (P <b> R)[3] || P", 1, 2},
    {"P = (a, 1).Q; Q = (b, 1).P; R = (c, T).S; S = (d, 1).R; ((P || P)[2] || R)[2] <c> P", 1, 2},
    /* an action that is blocked, and states without one */
    {"P = (a, 1).Q; Q = (b, 1).P; R = (b, T).R2; R2 = (c, 1).R; P <b, c> R || P", 0, 2},
    {"P = (a, 1).Q + (z, 1).Stop; Q = (b, 1).P; P || P", 1, 2},
    {"P = (a, 1).P; Q = (a, T).Q2; Q2 = (b, 1).Q2; P <a> Q || Q2", 0, 2},
    /* more states than a block has, and sets that end within blocks */
    {"polling 6", 0, 100},
    {"kanban 2", 1, 70},
    {"cluster 3", 1, 1000},
    {"cluster 3", 0, 30},
};
enum { CASES = sizeof cases / sizeof *cases, OPERATORS = 60 };

/* A repeatable sequence of numbers (Knuth's MMIX). */
static int32_t below(int32_t most)
{
    static uint64_t state = 1;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (int32_t)((state >> 33) % (uint64_t)most);
}

/* ---- nodes --------------------------------------------------------------------------------- */

static void add_node(StateCode *code, StateOp op, int32_t a, int32_t b, double number)
{
    cr_assert_eq(state_node(code, (StateNode){op, a, b, number}), (int32_t)code->node_count - 1);
}

/* Counts of single places; and of some places of all slots, each at most once. */
static void add_counts(StateCode *code, const System *s)
{
    for (int several = 0; several < 4; several++) {
        int32_t first = (int32_t)code->place_count;
        for (int32_t i = 0; i < s->slot_count; i++)
            for (int32_t l = 0; l < s->components[s->slots[i].component].local_count; l++) {
                if (several && below(2))
                    continue;
                cr_assert(state_place(code, i, l));
                if (!several)
                    add_node(code, STATE_COUNT, first, first + 1, 0);
                first += !several;
            }
        if (several)
            add_node(code, STATE_COUNT, first, (int32_t)code->place_count, 0);
    }
}

/* Every kind of node, and operators on any of them. */
static void fill(StateCode *code, const Chain *c)
{
    add_counts(code, c->system);
    for (int32_t a = 0; a < c->model->action_count; a++)
        add_node(code, STATE_ENABLED, a, -1, 0);
    add_node(code, STATE_DEADLOCK, -1, -1, 0);
    add_node(code, STATE_NUMBER, -1, -1, 0.5);
    for (int32_t r = 0; r < c->model->rate_count; r++)
        add_node(code, STATE_RATE, r, -1, 0);
    for (int i = 0; i < OPERATORS; i++) {
        StateOp op = (StateOp)(STATE_ADD + i % (STATE_NOT - STATE_ADD + 1));
        int32_t nodes = (int32_t)code->node_count;
        add_node(code, op, below(nodes), op < STATE_NEG ? below(nodes) : -1, 0);
    }
}

/* ---- what they should be ------------------------------------------------------------------- */

typedef struct {
    const Chain *chain;
    const StateCode *code;
    uint8_t *can; /* per state and action of the model */
    double *want; /* per state and node */
    int64_t next; /* the state that the next block begins with */
    int32_t wrong, blocks;
} Wanted;

static void mark(void *user, const Transition *t)
{
    Wanted *w = user;
    w->can[t->from * w->chain->model->action_count + t->action] = 1;
}

static double count_of(const System *s, StatePlace place, const int32_t *cells)
{
    const Slot *slot = &s->slots[place.slot];
    if (s->components[slot->component].local_count == 1)
        return slot->copies ? (double)slot->copies : 1;
    return slot->copies ? cells[slot->cell + place.local] : cells[slot->cell] == place.local;
}

static double operate(StateOp op, double a, double b)
{
    switch (op) {
    case STATE_ADD:
        return a + b;
    case STATE_SUB:
        return a - b;
    case STATE_MUL:
        return a * b;
    case STATE_DIV:
        return a / b;
    case STATE_MIN:
        return a < b ? a : b;
    case STATE_MAX:
        return a > b ? a : b;
    case STATE_EQ:
        return a == b;
    case STATE_NE:
        return a != b;
    case STATE_LT:
        return a < b;
    case STATE_LE:
        return a <= b;
    case STATE_AND:
        return a != 0 && b != 0;
    case STATE_OR:
        return a != 0 || b != 0;
    case STATE_NEG:
        return -a;
    default:
        cr_assert_eq(op, STATE_NOT);
        return a == 0;
    }
}

static double value_of(const Wanted *w, const StateNode *n, const int32_t *cells, int64_t state)
{
    const int32_t actions = w->chain->model->action_count;
    const uint8_t *can = w->can + state * actions;
    const double *value = w->want + (size_t)state * w->code->node_count;
    double sum = 0;
    switch (n->op) {
    case STATE_NUMBER:
        return n->number;
    case STATE_RATE:
        return w->chain->now.rate[n->a].value;
    case STATE_COUNT:
        for (int32_t i = n->a; i < n->b; i++)
            sum += count_of(w->chain->system, w->code->place[i], cells);
        return sum;
    case STATE_ENABLED:
        return can[n->a];
    case STATE_DEADLOCK:
        return !memchr(can, 1, (size_t)actions);
    default:
        return operate(n->op, value[n->a], n->b < 0 ? 0 : value[n->b]);
    }
}

static void compare(void *user, int64_t first, int32_t count, const double *const *value)
{
    Wanted *w = user;
    cr_assert(first == w->next && count > 0 && count <= 512);
    w->next += count;
    w->blocks++;
    for (size_t i = 0; i < w->code->node_count; i++)
        for (int32_t k = 0; k < count; k++) {
            double got = value[i][k], want = w->want[(size_t)(first + k) * w->code->node_count + i];
            w->wrong += !(got == want || (isnan(got) && isnan(want)));
        }
}

/* How many blocks there were. */
static int32_t expect_values(const Chain *c)
{
    StateCode code = {0};
    size_t n = (size_t)c->state_count;
    fill(&code, c);
    int32_t *cells = twice_room((size_t)c->system->cell_count, sizeof *cells);
    Wanted w = {.chain = c,
                .code = &code,
                .can = twice_room(n * (size_t)c->model->action_count, 1),
                .want = twice_room(n * code.node_count, sizeof *w.want)};
    cr_assert_eq(chain_each_transition(c, mark, &w, NULL), PEPA_OK);
    for (size_t s = 0; s < n; s++) {
        cr_assert(chain_cells(c, (int64_t)s, cells));
        for (size_t i = 0; i < code.node_count; i++)
            w.want[s * code.node_count + i] = value_of(&w, &code.node[i], cells, (int64_t)s);
    }
    cr_assert_eq(chain_each_value(c, &code, c->now.rate, compare, &w, NULL), PEPA_OK);
    cr_expect_eq(w.next, c->state_count);
    cr_expect_eq(w.wrong, 0, "%d values", w.wrong);
    state_code_free(&code);
    free(cells);
    free(w.can);
    free(w.want);
    return w.blocks;
}

/* ---- the forms of chains ------------------------------------------------------------------- */

static Model *model_of_case(int i)
{
    return strchr(cases[i].text, '=') ? model_of(cases[i].text) : model_of_family(cases[i].text);
}

Test(state_function, rows_and_sets)
{
    int suited = 0, large = 0;
    for (int i = 0; i < CASES; i++) {
        Model *model = model_of_case(i);
        Twice t;
        twice_new(&t, model, cases[i].aggregate, cases[i].most_lower, 10000);
        cr_assert_eq(t.status, PEPA_OK, "%d: %s", i, t.err.message);
        large += expect_values(t.chain) > 2;
        if (t.diagram && !t.chain->bottom && t.chain->deadlocks == 0) {
            t.as_sets.state_count = t.states;
            large += expect_values(&t.as_sets) > 2;
            suited++;
        }
        twice_free(&t);
        model_free(model);
    }
    cr_expect(suited >= CASES - 5 && large >= 3, "%d suit as sets, %d are large", suited, large);
}

/* Chains as they are derived: those that leave states for ever have transitions by rows besides. */
Test(state_function, derived_as_sets)
{
    int with_rows = 0;
    for (int i = 0; i < CASES; i++) {
        Model *model = model_of_case(i);
        PepaSettings set = settings_for_tests();
        DiagList diags = {0};
        Chain *chain = NULL;
        set.derive.explore = PEPA_SYMBOLIC;
        set.derive.separate_copies = !cases[i].aggregate;
        if (chain_derive(&chain, model, &set, &diags, NULL) == PEPA_OK) {
            expect_values(chain);
            with_rows += chain->row != NULL;
        }
        chain_free(chain);
        diag_free(&diags);
        model_free(model);
    }
    cr_expect_gt(with_rows, 0);
}

/* ---- by hand ------------------------------------------------------------------------------- */

static void keep(void *user, int64_t first, int32_t count, const double *const *value)
{
    double *last = user;
    for (int32_t k = 0; k < count; k++)
        last[first + k] = value[2][k];
}

/* Rates are those that are passed in, not those of the chain; what is not a number is no truth
 * value of a comparison. */
Test(state_function, rates_and_nan)
{
    Derived d = derive("r = 2; P = (a, r).Q; Q = (b, r).P; P", 0);
    StateCode code = {0};
    double got[2];
    const Value rates[] = {{.value = 7}};
    add_node(&code, STATE_RATE, 0, -1, 0);
    add_node(&code, STATE_NUMBER, -1, -1, 3);
    add_node(&code, STATE_MUL, 0, 1, 0);
    cr_assert_eq(chain_each_value(d.chain, &code, rates, keep, got, NULL), PEPA_OK);
    cr_expect(got[0] == 21 && got[1] == 21);
    code.node[1].number = NAN;
    code.node[2] = (StateNode){STATE_LE, 0, 1, 0};
    cr_assert_eq(chain_each_value(d.chain, &code, rates, keep, got, NULL), PEPA_OK);
    cr_expect(got[0] == 0 && got[1] == 0);
    code.node[2].op = STATE_OR;
    cr_assert_eq(chain_each_value(d.chain, &code, rates, keep, got, NULL), PEPA_OK);
    cr_expect(got[0] == 1 && got[1] == 1);
    state_code_free(&code);
    derived_free(&d);
}

static void count_blocks(void *user, int64_t first, int32_t count, const double *const *value)
{
    int *blocks = user;
    (void)value;
    cr_expect(first == 512 * *blocks && count == (*blocks < 2 ? 512 : 1));
    (*blocks)++;
}

/* No nodes at all; and blocks that end with the last state but one: 2 x 512 + 1. */
Test(state_function, blocks)
{
    Derived d = derive("P = (up, 1).Q; Q = (down, 1).P; P[1024]", 1);
    StateCode code = {0};
    int blocks = 0;
    cr_assert_eq(d.chain->state_count, 1025);
    cr_assert_eq(chain_each_value(d.chain, &code, NULL, count_blocks, &blocks, NULL), PEPA_OK);
    cr_expect_eq(blocks, 3);
    state_code_free(&code);
    derived_free(&d);
}

/* One state, in which nothing is possible, explored as a set. */
Test(state_function, a_single_deadlock)
{
    static const char text[] = "P = (a, T).Q; Q = (b, 1).P; R = (c, 1).R2; R2 = (a, 1).R;\n"
                               "(P <a> Stop) <c> (R <c> Stop)";
    for (int form = PEPA_EXPLICIT; form <= PEPA_SYMBOLIC; form++) {
        PepaSettings set = settings_for_tests();
        DiagList diags = {0};
        Model *model = model_of(text);
        Chain *chain = NULL;
        set.derive.explore = (PepaExplore)form;
        cr_assert_eq(chain_derive(&chain, model, &set, &diags, NULL), PEPA_OK);
        cr_expect(chain->state_count == 1 && chain->deadlocks == 1);
        cr_expect_eq(chain->diagram != NULL, form == PEPA_SYMBOLIC);
        expect_values(chain);
        chain_free(chain);
        diag_free(&diags);
        model_free(model);
    }
}
