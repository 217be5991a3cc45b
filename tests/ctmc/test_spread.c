/* Chains by rows that processes explore together: the states and transitions that one process
 * finds, each state in one process. */
#include "ctmc/chain.h"

#include "base/processes.h"
#include "exploring.h"
#include "families.h"
#include "family_text.h"
#include "run_together.h"
#include "support.h"

typedef struct {
    const Model *model;
    PepaSettings set;
    bool in_runs; /* where sets suit: else a part is NULL */
    Explored alone;
    Chain *part[MOST_TOGETHER];
    PepaStatus status[MOST_TOGETHER];
    PepaError err[MOST_TOGETHER];
    DiagList diags[MOST_TOGETHER];
    RateValues now; /* of the chain alone */
} Spreads;

static void explore_part(const PepaProcesses *p, void *user)
{
    Spreads *s = user;
    const int32_t k = p->rank;
    PepaError *err = &s->err[k];
    if (s->in_runs) {
        s->status[k] = chain_derive_runs(&s->part[k], s->model, p, 0, &s->set, &s->diags[k], err);
        return;
    }
    Chain *c = mem_calloc(1, sizeof *c);
    cr_assert_not_null(c);
    c->model = s->model;
    cr_assert_eq(rates_init(&c->rates, c->model, err), PEPA_OK);
    cr_assert_eq(system_new(&c->system, c->model, &c->rates, 1, err), PEPA_OK);
    s->status[k] = chain_spread(c, p, &s->set, &s->diags[k], err);
    if (s->status[k] == PEPA_OK)
        cr_assert_eq(rate_values_new(&c->now, &c->rates, err), PEPA_OK);
    s->part[k] = c;
}

typedef struct {
    int32_t action, target;
    double rate;
} Arrow;

static int by_action(const void *a, const void *b)
{
    const Arrow *x = a, *y = b;
    return x->action != y->action ? (x->action < y->action ? -1 : 1)
                                  : (x->target > y->target) - (x->target < y->target);
}

/* The state as the chain alone has it. */
static int32_t alone_id(const Spreads *s, const Chain *part, int32_t state)
{
    const Table *table = &s->alone.chain.states;
    const uint64_t *packed = table_state(&part->states, state);
    const int32_t id = table_find(table, packed, table_hash(table, packed));
    cr_assert_geq(id, 0, "a state that one process does not find");
    return id;
}

static void check_row(const Spreads *s, int32_t count, const Chain *part, int32_t state, int32_t id)
{
    static Arrow here[1 << 12], there[1 << 12];
    const Chain *alone = &s->alone.chain;
    const int64_t n = part->row[state + 1] - part->row[state];
    cr_assert(n <= 1 << 12 && n == alone->row[id + 1] - alone->row[id]);
    for (int64_t i = 0; i < n; i++) {
        const int64_t k = part->row[state] + i, j = alone->row[id] + i;
        const int32_t number = part->target[k];
        here[i] = (Arrow){part->actions[chain_action(part, k)],
                          alone_id(s, s->part[number % count], number / count),
                          chain_rate(part, part->now.term, k)};
        there[i] = (Arrow){alone->actions[chain_action(alone, j)], alone->target[j],
                           chain_rate(alone, s->now.term, j)};
    }
    qsort(here, (size_t)n, sizeof *here, by_action);
    qsort(there, (size_t)n, sizeof *there, by_action);
    for (int64_t i = 0; i < n; i++)
        cr_assert(here[i].action == there[i].action && here[i].target == there[i].target &&
                  here[i].rate == there[i].rate);
}

static void check_parts(const Spreads *s, int32_t count)
{
    const Chain *alone = &s->alone.chain;
    int64_t states = 0;
    for (int32_t p = 0; p < count; p++) {
        const Chain *part = s->part[p];
        states += part->state_count;
        cr_assert_eq(part->spread->states, alone->states.count);
        cr_assert_eq(part->spread->transitions, alone->transitions);
        cr_assert_eq(part->deadlocks, alone->deadlocks);
        cr_assert_eq(part->action_count, alone->action_count);
        cr_assert_eq(part->initial % count, s->part[0]->initial % count);
        for (int32_t i = 0; i < part->state_count; i++)
            check_row(s, count, part, i, alone_id(s, part, i));
        cr_assert_eq(alone_id(s, s->part[part->initial % count], (int32_t)part->initial / count),
                     0);
    }
    cr_assert_eq(states, alone->states.count, "some state has no owner, or two");
}

static void free_parts(Spreads *s, int32_t count)
{
    for (int32_t p = 0; p < count; p++) {
        chain_free(s->part[p]);
        diag_free(&s->diags[p]);
        s->part[p] = NULL;
        s->diags[p] = (DiagList){0};
    }
}

/* suits: as sets */
static void check_spread(const char *text, bool suits)
{
    Spreads s = {.model = model_of(text), .set = settings_for_tests()};
    s.set.derive.max_states = 1000000;
    explored_new(&s.alone, s.model, 1, 1, s.set.derive.max_states);
    s.now = s.alone.chain.now;
    for (int32_t count = 1; count <= 5; count++) {
        run_together(count, explore_part, &s);
        for (int32_t p = 0; p < count; p++)
            cr_assert_eq(s.status[p], s.alone.status, "%d of %d: %s", (int)p, (int)count,
                         s.err[p].message);
        for (int32_t p = 0; p < count && s.alone.status != PEPA_OK; p++)
            cr_assert_gt(s.diags[p].count, 0);
        if (s.alone.status == PEPA_OK)
            check_parts(&s, count);
        free_parts(&s, count);
        s.in_runs = true;
        run_together(count, explore_part, &s);
        for (int32_t p = 0; p < count; p++)
            cr_assert(s.status[p] == PEPA_OK && !s.part[p] == !suits, "%d of %d: %s", (int)p,
                      (int)count, s.err[p].message);
        if (suits)
            check_parts(&s, count);
        free_parts(&s, count);
        s.in_runs = false;
    }
    explored_free(&s.alone);
    model_free((Model *)s.model);
}

Test(spread, families)
{
    static const char *const families[] = {"pipeline 6", "kanban 2",   "tandem 7",  "polling 5",
                                           "cluster 6",  "clients 12", "pipeline 8"};
    for (size_t i = 0; i < sizeof families / sizeof *families; i++)
        check_spread(family_text(families[i]), true);
}

Test(spread, few_states_loops_and_deadlocks)
{
    check_spread("P = (a, 1).P; P", false);
    check_spread("P = (a, 1).Q; Q = (a, 2).Q + (b, 1).P; W = (b, T).W; P[3] <b> W", true);
    check_spread("P = (a, 1).Stop; Stop = (never, T).Stop; R = (b, 2).R2; R2 = (b, 1).R; P[2] || R",
                 false);
    check_spread("P = (a, 1).P1; P1 = (b, 2).P; R = (c, 1).R; P1 <b> P <a> P || R[2]", true);
    check_spread("P = (a, r).Q; r = 2; Q = (go, immediate).P + (b, 3).Q + (b, 1).P; P[4]", false);
}

/* More pairs of action and rate than 16 bits number: 225 activities of 1 to 300 copies. */
Test(spread, many_kinds)
{
    Text text = {0};
    text_add(&text, "Q = (back, 1).P; R = (c, 1).S; S = (d, 2).R;\nP = (a, 1).Q");
    for (int i = 1; i < 225; i++)
        text_add(&text, " + (a%d, %d).Q", i, i);
    text_add(&text, ";\nP[300] || R");
    cr_assert(!text.failed);
    check_spread(text.text, true);
    text_free(&text);
}

Test(spread, faults)
{
    check_spread("P = (a, 1).Q; Q = (b, T).P; P[3]", false);
    check_spread("P = (a, 1).Q; Q = (b, 1 / Q - 0.5).P; P[3]", false);
    check_spread(
        "P = (a, 1e308).Q + (b, 1e308).Q; Q = (c, 1).P; R = (d, 1).S; S = (e, 1).R; P || R", false);
}

Test(spread, too_many_states)
{
    Spreads s = {.model = model_of(family_text("pipeline 6")), .set = settings_for_tests()};
    s.set.derive.max_states = 500;
    for (int in_runs = 0; in_runs < 2; in_runs++) {
        s.in_runs = in_runs != 0;
        run_together(3, explore_part, &s);
        for (int32_t p = 0; p < 3; p++) {
            cr_assert_eq(s.status[p], PEPA_ELIMIT);
            cr_assert_eq(s.err[p].limit, PEPA_LIMIT_STATES);
            s.err[p] = (PepaError){0};
        }
        free_parts(&s, 3);
    }
    model_free((Model *)s.model);
}
