/* What a deadlock's warning says, against a search of the transitions made here. */
#include "../support.h"
#include "ctmc/chain.h"

static const char *message_of(const Derived *d)
{
    for (size_t i = 0; i < d->diags.count; i++)
        if (strncmp(d->diags.items[i].message, "deadlock: ", 10) == 0)
            return d->diags.items[i].message;
    return "";
}

static void expect_message(const char *text, const char *wanted)
{
    Derived d = derive(text, 1);
    cr_assert_eq(d.status, PEPA_OK);
    cr_expect_str_eq(message_of(&d), wanted, "in\n%s\nsaid\n%s\nwanted\n%s", text, message_of(&d),
                     wanted);
    derived_free(&d);
}

Test(deadlock, who_waits_for_whom)
{
    expect_message("Left = (take1, 1).(take2, 1).(put, 1).Left;\n"
                   "Right = (take2, 1).(take1, 1).(put, 1).Right;\n"
                   "F = (take1, T).G; G = (put, T).F; H = (take2, T).I; I = (put, T).H;\n"
                   "(Left || Right) <take1, take2, put> (F || H)",
                   "deadlock: nothing can happen in 3 states, the nearest is (Left_2, Right_2, G, "
                   "I)\n  a shortest path to it: `take1`, `take2`\n"
                   "  `Left_2` waits for `take2` (blocked by `I`)\n"
                   "  `Right_2` waits for `take1` (blocked by `G`)\n"
                   "  `G` waits for `put` (blocked by `Left_2`, `Right_2`)\n"
                   "  `I` waits for `put` (blocked by `Left_2`, `Right_2`)");
    expect_message("P = (a, 1).Q; Q = (b, 1).Q; R = (b, 1).(a, 1).R; P <a, b> R",
                   "deadlock: nothing can happen in state (P, R)\n  this is the initial state\n"
                   "  `P` waits for `a` (blocked by `R`)\n"
                   "  `R` waits for `b` (blocked by `P`)");
}

Test(deadlock, copies_and_lines_that_come_again)
{
    expect_message(
        "Phil = (get, 1).(get, 1).(put, 1).(put, 1).Phil; Fork = (get, T).(put, T).Fork;\n"
        "Phil[3] <get, put> (Fork[2] || Fork)",
        "deadlock: nothing can happen in state (Phil_2:3, Fork_2:2, Fork_2)\n"
        "  a shortest path to it: `get`, `get`, `get`\n"
        "  `Phil_2` waits for `get` (blocked by all copies of `Fork`, `Fork_2`), 3 "
        "times\n  `Fork_2` waits for `put` (blocked by all copies of `Phil`), 3 times");
}

/* Copies that have to move together block each other. */
Test(deadlock, copies_that_block_each_other)
{
    expect_message("P = (a, 1).P + (c, 1).Q; Q = (b, 1).P; S = (c, 1).Stop; P[3]{a, b} <c> S",
                   "deadlock: nothing can happen in state (P:2|Q:1, Stop)\n"
                   "  a shortest path to it: `c`\n"
                   "  `P` waits for `a` (blocked by `Q`) or `c` (blocked by `Stop`), 2 times\n"
                   "  `Q` waits for `b` (blocked by `P`)\n  `Stop` has no activity");
}

Test(deadlock, partners_that_never_come)
{
    expect_message("P = (a, 1).P; Q = (b, 1).Q; P <a, b> Q",
                   "deadlock: nothing can happen in state (P, Q)\n  this is the initial state\n"
                   "  `P` waits for `a` (its partner never does it)\n"
                   "  `Q` waits for `b` (its partner never does it)");
    expect_message("A = (a, 2 * B).A; B = (b, 1).(c, 1).Stop; A || B",
                   "deadlock: nothing can happen in state (A, Stop)\n"
                   "  a shortest path to it: `b`, `c`\n"
                   "  `A` waits for `a` (its rate is 0)\n  `Stop` has no activity");
}

/* Steps from the initial state to each state, by a search from every state found. */
static int32_t distance_to(const Chain *c, int32_t state)
{
    int32_t *steps = calloc((size_t)c->state_count, sizeof *steps), result;
    for (int32_t i = 1; i < c->state_count; i++)
        steps[i] = INT32_MAX - 1;
    for (bool better = true; better;) {
        better = false;
        for (int32_t s = 0; s < c->state_count; s++)
            for (int64_t k = c->row[s]; k < c->row[s + 1]; k++)
                if (steps[s] + 1 < steps[c->target[k]]) {
                    steps[c->target[k]] = steps[s] + 1;
                    better = true;
                }
    }
    result = steps[state];
    free(steps);
    return result;
}

/* Can the actions "`a`, `b`, ..." lead from state s to `state`? */
static bool leads_to(const Chain *c, int32_t s, const char *path, int32_t state, int32_t *length)
{
    const char *end = *path == '`' ? strchr(path + 1, '`') : NULL;
    if (!end)
        return s == state;
    ++*length;
    for (int64_t k = c->row[s]; k < c->row[s + 1]; k++) {
        const char *name = c->model->actions[c->actions[chain_action(c, k)]];
        int32_t more = 0;
        if (strlen(name) == (size_t)(end - path - 1) &&
            strncmp(name, path + 1, strlen(name)) == 0 &&
            leads_to(c, c->target[k], end[1] == ',' ? end + 3 : end + 1, state, &more)) {
            *length += more;
            return true;
        }
    }
    return false;
}

/* The path leads to the first deadlocked state, and none that is shorter does. */
Test(deadlock, path_is_a_shortest)
{
    static const char *const texts[] = {
        "P = (a, 1).P1 + (b, 1).P2; P1 = (c, 1).P; P2 = (a, 1).P3 + (b, 1).P; P3 = (d, 1).Stop;\n"
        "Q = (c, 1).Q + (d, 1).Q1; Q1 = (e, 1).Q2; Q2 = (a, 1).Stop; P <c> Q / {c}",
        "L = (x, 1).(y, 1).(put, 1).L; R = (y, 1).(x, 1).(put, 1).R; F = (x, T).(put, T).F;\n"
        "G = (y, T).(put, T).G; H = (z, 1).(z, 1).Stop; (L || R || H) <x, y, put> (F || G)",
        "P = (a, 1).(b, 1).(c, 1).Stop + (c, 1).(b, 1).Stop; P || P || P[2]",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        Derived d = derive(texts[i], 1);
        static const char before[] = "a shortest path to it: ";
        const char *path = strstr(message_of(&d), before);
        int32_t state = 0, length = 0;
        cr_assert(path, "%s", message_of(&d));
        while (d.chain->row[state] != d.chain->row[state + 1])
            state++;
        cr_expect(leads_to(d.chain, 0, path + strlen(before), state, &length), "%s", path);
        cr_expect_eq(length, distance_to(d.chain, state), "%s", path);
        for (int32_t s = 0; s < d.chain->state_count; s++)
            if (d.chain->row[s] == d.chain->row[s + 1])
                cr_expect_leq(length, distance_to(d.chain, s));
        derived_free(&d);
    }
}

/* Many components, long paths and long states are cut. */
Test(deadlock, bounded)
{
    Text text = {0};
    for (int i = 0; i < 60; i++)
        text_add(&text, "Component%d = (a%d, 1).(b%d, T).Component%d;\n", i, i, i, i);
    text_add(&text, "Other = (none, 1).Other;\n");
    for (int i = 0; i < 60; i++)
        text_add(&text, "%sComponent%d", i ? " <a0> " : "(", i);
    text_add(&text, ") <a0");
    for (int i = 0; i < 60; i++)
        text_add(&text, ", a%d, b%d", i, i);
    text_add(&text, ", none> Stop");
    Derived d = derive(text.text, 1);
    cr_assert_eq(d.status, PEPA_OK);
    cr_expect_lt(strlen(message_of(&d)), 1200, "%s", message_of(&d));
    cr_expect(strstr(message_of(&d), ", ...)\n"), "%s", message_of(&d));
    cr_expect(strstr(message_of(&d), "\n  ... and 53 more components"), "%s", message_of(&d));
    derived_free(&d);
    text_free(&text);
    expect_message("P = (a, 1).(b, 1).(c, 1).(d, 1).(e, 1).(f, 1).(g, 1).(h, 1).(i, 1).(j, 1).\n"
                   "(k, 1).(l, 1).(m, 1).(n, 1).(o, 1).(p, 1).(q, 1).(r, 1).(s, 1).Stop; P",
                   "deadlock: nothing can happen in state (Stop)\n  a shortest path to it: `a`, "
                   "`b`, `c`, `d`, `e`, `f`, `g`, `h`, `i`, `j`, `k`, `l`, ... 1 more ..., `n`, "
                   "`o`, `p`, `q`, `r`, `s`\n  `Stop` has no activity");
}

/* ---- the path, in chains made by hand -------------------------------------------------------- */

enum { STATES = 24, EDGES = 4, NETS = 3000 };

typedef struct {
    int64_t row[STATES + 1];
    int32_t target[STATES * EDGES], kind[STATES * EDGES], kind_action[3];
    int32_t distance[STATES]; /* from the initial state; STATES: not to be reached */
    Chain chain;
} Net;

static uint32_t next(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 16;
}

/* Some states have no transitions; the initial one is any. */
static void fill(Net *net, uint32_t *seed)
{
    *net = (Net){.kind_action = {2, 0, 1}};
    int64_t at = 0;
    for (int32_t s = 0; s < STATES; s++) {
        for (uint32_t e = next(seed) % (EDGES + 1); e > 0; e--, at++) {
            net->target[at] = (int32_t)(next(seed) % STATES);
            net->kind[at] = (int32_t)(next(seed) % 3);
        }
        net->row[s + 1] = at;
    }
    net->chain = (Chain){.state_count = STATES,
                         .initial = next(seed) % STATES,
                         .row = net->row,
                         .target = net->target,
                         .wide = net->kind,
                         .kind_action = net->kind_action};
    for (int32_t s = 0; s < STATES; s++)
        net->distance[s] = s == net->chain.initial ? 0 : STATES;
    for (int32_t round = 0; round < STATES; round++)
        for (int32_t s = 0; s < STATES; s++)
            for (int64_t k = net->row[s]; k < net->row[s + 1]; k++)
                if (net->distance[s] + 1 < net->distance[net->target[k]])
                    net->distance[net->target[k]] = net->distance[s] + 1;
}

/* The nearest deadlock with the smallest number; -1: none. */
static int32_t nearest(const Net *net)
{
    int32_t found = -1;
    for (int32_t s = 0; s < STATES; s++)
        if (net->row[s] == net->row[s + 1] && net->distance[s] < STATES &&
            (found < 0 || net->distance[s] < net->distance[found]))
            found = s;
    return found;
}

/* The transition into `to` from the smallest state that is one step nearer. */
static int64_t last_step(const Net *net, int32_t to, int32_t *from)
{
    for (int32_t s = 0; s < STATES; s++)
        for (int64_t k = net->row[s]; k < net->row[s + 1]; k++)
            if (net->target[k] == to && net->distance[s] == net->distance[to] - 1) {
                *from = s;
                return k;
            }
    cr_assert_fail("no way into state %d", to);
    return -1;
}

Test(deadlock, a_nearest_one_and_a_shortest_path)
{
    uint32_t seed = 12;
    int found = 0, longest = 0;
    for (int i = 0; i < NETS; i++) {
        Net net;
        DeadlockPath path;
        PepaError err;
        fill(&net, &seed);
        int32_t end = nearest(&net), state = end;
        if (end < 0)
            continue;
        cr_assert_eq(deadlock_find(&net.chain, &path, &err), PEPA_OK);
        cr_assert_eq(path.state, end);
        cr_assert_eq(path.length, net.distance[end]);
        for (int32_t k = path.length; k-- > 0;) {
            int64_t step = last_step(&net, state, &state);
            cr_assert_eq(path.action[k], net.kind_action[net.kind[step]]);
        }
        longest = path.length > longest ? path.length : longest;
        found++;
        mem_free(path.action);
    }
    cr_expect(found > NETS / 2 && longest > 4, "%d found, %d steps at most", found, longest);
}
