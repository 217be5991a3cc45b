/* Chains explored as diagrams are the chains explored one by one. */
#include "ctmc/diagram/diagram.h"

#include "ctmc/diagram/diagram_search.h"
#include "diagrams.h"
#include "families.h"
#include "settings.h"

static const int32_t all_sizes[] = {2, 4, 16, 64, DIAGRAM_LOWER};
enum { SIZES = sizeof all_sizes / sizeof *all_sizes };

/* How many of the ways to split the model suit it. */
static int expect_alike(const char *name, const Model *model)
{
    int suited = 0;
    for (int aggregate = 0; aggregate < 2; aggregate++)
        for (int i = 0; i < SIZES; i++) {
            Twice t;
            twice_new(&t, model, aggregate, all_sizes[i], 40000);
            suited += t.diagram != NULL;
            cr_expect(twice_alike(&t), "%s, aggregate %d, at most %d lower states: %s", name,
                      aggregate, all_sizes[i], t.why);
            twice_free(&t);
        }
    return suited;
}

static int expect_text_alike(const char *text)
{
    Model *model = model_of(text);
    int suited = expect_alike(text, model);
    model_free(model);
    return suited;
}

Test(diagram, all_models_of_the_collection)
{
    cr_assert_gt(sum_over_collection(expect_alike), 100);
}

/* The families of the benchmarks, small. */
Test(diagram, families)
{
    expect_of_families(expect_alike, 5);
}

Test(diagram, everything_that_goes_its_own_way)
{
    static const char *const texts[] = {
        /* copies of composites in either part, and in one of several levels */
        "P = (a, 1).Q; Q = (b, 2).P; R = (c, 3).S; S = (d, 4).R; (P || R)[4]",
        "P = (a, 1).Q; Q = (b, 2).P; R = (c, 3).S; S = (a, T).R; (P <a> R)[3] || P || P",
        "P = (a, 1).Q; Q = (b, 2).P; R = (c, 3).S; S = (a, T).R; P || P || (P <a> R)[3]",
        "P = (a, 1).Q; Q = (b, 2).P; R = (c, T).S; S = (d, 4).R; X = (c, 1).Y; Y = (a, T).X;\n"
        "((P || R)[2] || P)[2] <a, c> X",
        "P = (a, 1).Q; Q = (b, 2).P; X = (a, T).Y + (a, 2 * T).X; Y = (c, 1).X;\n"
        "X <a> (P || (P || P[2])[3])",
        /* the same move outwards and back to the same place; entries from states to themselves that
         * leave the upper part in one case and not in the other */
        "U = (a, 1).U + (b, 1).V; V = (a, 1).U; L = (a, T).L + (c, 2).M; M = (d, 3).L; U <a> L",
        "U = (a, 1).U + (b, 1).V; V = (a, 1).U; L = (a, T).L + (c, 2).M; M = (d, 3).L; L <a> U",
        /* several hidden events between the same states; self-loops */
        "P = (a, 1).Q + (b, 2).Q + (c, 1).P; Q = (d, 1).P; (P || P || P || P) / {a, b, c}",
        "P = (a, 1).Q; Q = (b, 1).P; (P <a> P) / {a} <b> (P || P / {b})",
        "P = (a, 1).P + (b, 1).Q; Q = (a, 2).P; P || P || P || P || P || P",
        /* minima of sums on both sides; passive weights; three parties; sums within cooperations */
        "P = (a, 1).Q + (a, 2).R; Q = (b, 1).P; R = (c, 1).P; S = (a, 3).T; T = (d, 1).S;\n"
        "P[3] <a> S[2]",
        "P = (a, 1).Q; Q = (b, 1).P; R = (a, T).S + (a, 2 * T).R; S = (c, 1).R;\n"
        "(P || P || P) <a> (R || R || R)",
        "P = (a, 1).Q; Q = (b, 1).P; R = (a, T).S + (a, 3 * T).R; S = (c, 1).R;\n"
        "C = (e, 1).D; D = (f, 2).C; (P || P) <a> (R || (C <f> C) || R)",
        "P = (a, 1).Q; Q = (c, 1).P; R = (a, T).S; S = (c, 1).R + (b, 7).S;\n"
        "X = (a, T).Y; Y = (c, 1).X; B = (b, T).C; C = (e, 1).B;\n"
        "(P <a> (R || R || R)) <b> (B || (P <a> X))",
        "P = (a, 2).Q + (a, 0.5).P; Q = (b, 1).P; ((P || P) <a> (P || P)) <a> ((P || P) <b> P)",
        /* states that are left for ever; deadlock; several ends */
        "P = (a, 1).Q; Q = (b, 1).R; R = (c, 1).Q; P || P",
        "P = (a, 1).Q; Q = (b, 1).P; R = (c, T).R; S = (c, 1).T; T = (d, 1).T; (P || R) <c> S",
        "P = (a, 1).Q + (b, 1).R; Q = (c, 1).Q; R = (d, 1).R; P || P || P",
        "P = (a, 1).Q; Q = (b, 1).P; X = (a, 1).Y; Y = (a, 1).X; (P <a, b> X) || P",
        /* many moves of one action, and many copies */
        "P = (a, 1).Q + (a, 2).R + (a, 3).S; Q = (b, 1).P; R = (b, 1).P; S = (b, 1).P;\n"
        "(P || P) <a> (P || P || P)",
        "P = (a, 1).Q; Q = (b, 1).R; R = (c, 1).P; S = (a, T).T; T = (d, 1).S; P[20] <a> S[9]",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        cr_expect_gt(expect_text_alike(texts[i]), 0, "%s", texts[i]);
}

/* What cannot be explored in this way, and what is wrong: nothing is found, and nothing said. */
Test(diagram, what_does_not_suit)
{
    static const char *const texts[] = {
        "P = (a, 1).Q; Q = (b, 1).P; P",
        "P = (a, 1).Q; Q = (b, 1).P; P[5]",
        "P = (a, Q + 1).Q; Q = (b, 1).P; P || P || P", /* rates by states */
        "P = (b, 1).Q; Q = (a, T).P; P || P || P",     /* passive with nothing to drive it */
        "P = (b, 1).Q; Q = (b, 1).R; R = (a, T).P; X = (c, 1).X; (P || X) || (P || X)",
        "P = (b, 1).Q; Q = (a, 1).P + (a, T).Q; P || P || P || P", /* rates of both kinds */
        "P = (b, 1).Q; Q = (a, T).P; R = (c, 1).S; S = (a, 1).R; (P || R || P || R) <a> P",
        "P = (b, 1).Q; Q = (a, 1e308).P + (a, 1e308).Q; P || P || P", /* no finite sum */
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        Model *model = model_of(texts[i]);
        for (int aggregate = 0; aggregate < 2; aggregate++)
            for (int k = 0; k < SIZES; k++) {
                Twice t;
                twice_new(&t, model, aggregate, all_sizes[k], 30000);
                /* written out, five copies are five components */
                bool may = i == 1 && !aggregate;
                cr_expect(t.sets == PEPA_OK && (may || !t.diagram), "%s: %s", texts[i],
                          t.err.message);
                twice_free(&t);
            }
        model_free(model);
    }
}

/* Two that do not meet have the same flow back in either order: the one with more states goes into
 * the lower part, so that rows are longer. */
Test(diagram, fewer_upper_states_of_two_orders)
{
    static const char *const texts[] = {"A || L", "L || A"};
    for (int i = 0; i < 2; i++) {
        Text text = {0};
        text_add(&text,
                 "A = (a, 1).B; B = (b, 1).A; L = (l, 1).M; M = (m, 1).N; N = (n, 1).O;\n"
                 "O = (o, 1).L; %s",
                 texts[i]);
        Model *model = model_of(text.text);
        Twice t;
        twice_new(&t, model, 0, 4, 100);
        cr_assert(t.diagram && twice_alike(&t), "%s", t.why);
        cr_expect_eq(t.diagram->upper_count, 2, "%s: %d", texts[i], t.diagram->upper_count);
        twice_free(&t);
        model_free(model);
        text_free(&text);
    }
}

/* Rates that lead to smaller numbers, of 9 in all: with U in the upper part b, 2 x 3; with L in the
 * upper part s as well.  The second order is further from as much back as forth. */
Test(diagram, the_order_with_more_of_one_direction)
{
    static const char *const texts[] = {"U <s> L", "L <s> U"};
    for (int i = 0; i < 2; i++) {
        Text text = {0};
        text_add(&text, "U = (s, 1).V; V = (b, 3).U; L = (f, 1).M; M = (s, T).L; %s", texts[i]);
        Model *model = model_of(text.text);
        Twice t;
        twice_new(&t, model, 0, 2, 100);
        cr_assert(t.diagram && twice_alike(&t), "%s", t.why);
        cr_expect_float_eq(t.diagram->backward, 7.0 / 9, 1e-15);
        twice_free(&t);
        model_free(model);
        text_free(&text);
    }
}

/* The limit is that on states: no more, and no fewer. */
Test(diagram, limit_on_states)
{
    Model *model = model_of("P = (a, 1).Q; Q = (b, 2).R; R = (c, 3).P; P || P || P");
    for (int64_t most = 1; most < 30; most++) {
        Twice t;
        twice_new(&t, model, 0, 3, most);
        cr_expect_eq(t.status, most < 27 ? PEPA_ELIMIT : PEPA_OK);
        cr_expect_eq(t.sets, t.status);
        cr_expect_eq(t.diagram != NULL, most >= 27);
        twice_free(&t);
    }
    model_free(model);
}

static int stop_at(void *user, const PepaProgress *now)
{
    cr_expect_str_eq(now->phase, "derive");
    return now->count >= *(int64_t *)user;
}

Test(diagram, cancelled)
{
    Model *model = model_of("P = (a, 1).Q; Q = (b, 2).R; R = (c, 3).P; P || P || P || P");
    PepaError err = {0};
    RateTable rates;
    System *system = NULL;
    Diagram *diagram = NULL;
    DiagramFound found;
    int64_t count = 0;
    PepaSettings set = settings_for_tests();
    set.progress = stop_at;
    set.user = &count;
    set.derive.separate_copies = 1;
    cr_assert_eq(rates_init(&rates, model, &err), PEPA_OK);
    cr_assert_eq(system_new(&system, model, &rates, 0, &err), PEPA_OK);
    PepaStatus status =
        diagram_new(&diagram, &found, system, &rates, 3, (DiagramWorth){0}, &set, &err);
    /* looked at every so often only, so that small ones may get through */
    cr_expect(status == PEPA_ECANCEL ? !diagram : status == PEPA_OK && diagram);
    diagram_free(diagram);
    system_free(system);
    rates_free(&rates);
    model_free(model);
}

/* ---- limits of the search ------------------------------------------------------------------ */

typedef struct {
    int64_t states; /* -1: it stopped */
    double work;
    double bytes; /* that it has of contexts */
    double table; /* bytes, if each context had a row for each lower state */
} Found;

/* With so much patience. */
static Found search(const Model *model, int32_t most_lower, double patience)
{
    PepaError err = {0};
    PepaSettings set = settings_for_tests();
    RateTable rates;
    System *system = NULL;
    Split *split = NULL;
    Search s;
    cr_assert_eq(rates_init(&rates, model, &err), PEPA_OK);
    cr_assert_eq(system_new(&system, model, &rates, 1, &err), PEPA_OK);
    cr_assert_eq(split_new(&split, system, most_lower, false, &err), PEPA_OK);
    cr_assert(split != NULL);
    cr_assert_eq(search_init(&s, split, &rates, &set, &err), PEPA_OK);
    s.patience = patience;
    cr_assert_eq(search_run(&s), PEPA_OK);
    const double rows = (double)s.contexts.count * split->lower.count;
    const Found found = {search_unfit(&s) ? -1 : s.states, search_work(&s),
                         contexts_bytes(&s.contexts), rows * sizeof(AnswerRange)};
    cr_expect(s.contexts.asked >= s.states);
    cr_expect_float_eq(found.work, (double)s.sets.work + 10 * (double)s.contexts.asked,
                       1e-9 * found.work);
    search_free(&s);
    split_free(split);
    system_free(system);
    rates_free(&rates);
    return found;
}

/* What a search remembers of events is less than a table of all their contexts in all lower states: of two clusters
 * of 20 workstations, a tenth. */
Test(diagram, contexts_take_little)
{
    Model *model = model_of_family("cluster 20");
    const Found found = search(model, DIAGRAM_LOWER, INFINITY);
    cr_assert_gt(found.states, 0);
    cr_expect_lt(found.bytes, found.table / 10, "%.0f of %.0f", found.bytes, found.table);
    model_free(model);
}

/* Many actions and few states, so that patience runs out in the midst of a set that then turns out
 * to be large enough after all: what is incomplete must not pass for complete. */
Test(diagram, stops_for_good)
{
    Text text = {0};
    for (int i = 0; i < 100; i++)
        text_add(&text, "L%d = %s(x%d, 1).L%d;\n", i, i == 70 ? "(a, T).L70 + " : "", i % 25,
                 (i + 1) % 100);
    text_add(&text, "U = (a, 1).V; V = (b, 1).U; U <a> L0");
    Model *model = model_of(text.text);
    int stopped = 0;
    const Found all = search(model, 100, INFINITY);
    cr_assert_eq(all.states, 200);
    for (double patience = 0; patience < all.work; patience += 13) {
        const int64_t states = search(model, 100, patience).states;
        cr_expect(states == 200 || states == -1, "patience %g of %g: %lld states", patience,
                  all.work, (long long)states);
        stopped += states == -1;
    }
    cr_expect_gt(stopped, 0);
    model_free(model);
    text_free(&text);
}

/* ---- ways back ------------------------------------------------------------------------------ */

/* Mark what entries lead from if they lead to what is marked; whether that is news. */
static bool mark_back(const Diagram *d, const Edge *edge, int32_t from, int32_t to, uint8_t *marked)
{
    const Submatrix *t = &d->matrices[edge->matrix];
    bool news = false;
    for (int64_t k = t->first; k < t->first + t->count; k++) {
        uint8_t *source = &marked[d->offset[from] + d->entry_from[k]];
        bool leads = marked[d->offset[to] + d->entry_to[k]] && !*source;
        news |= leads;
        *source |= leads;
    }
    return news;
}

/* The same by passes over all entries until nothing is left to mark. */
static bool leads_back(const Diagram *d, const uint8_t *edge, const uint8_t *local)
{
    size_t n = (size_t)d->offset[d->upper_count];
    uint8_t *marked = calloc(n, 1);
    marked[d->offset[d->initial_upper] + d->initial_lower] = 1;
    for (bool news = true; news;) {
        news = false;
        for (int32_t i = 0; i < d->upper_count; i++) {
            int32_t set = d->set[i];
            for (int64_t e = d->edge_row[i]; e < d->edge_row[i + 1]; e++)
                news |= edge[e] && mark_back(d, &d->edges[e], i, d->edges[e].to, marked);
            for (int32_t e = d->local_row[set]; e < d->local_row[set + 1]; e++)
                news |= local[e] && mark_back(d, &d->local[e], i, i, marked);
        }
    }
    bool all = memchr(marked, 0, n) == NULL;
    free(marked);
    return all;
}

/* By all edges but one, or but some. */
static int expect_ways_back(const char *name, const Model *model)
{
    int counts[2] = {0};
    Twice t;
    twice_new(&t, model, 1, 16, 5000);
    const Diagram *d = t.diagram;
    size_t edges = d ? (size_t)d->edge_row[d->upper_count] : 0;
    size_t locals = d ? (size_t)d->local_row[d->set_count] : 0;
    uint8_t *edge = twice_room(edges, 1), *local = twice_room(locals, 1);
    for (size_t round = 0; d && round < 40; round++) {
        bool got;
        for (size_t e = 0; e < edges; e++)
            edge[e] = (uint8_t)(round % 2 ? e != (round * 7919) % edges
                                          : (e * 31 + round) % (round + 2) != 0);
        for (size_t e = 0; e < locals; e++)
            local[e] = (uint8_t)(round % 3 ? 1 : (e + round) % (round + 2) != 0);
        cr_assert_eq(diagram_all_reach_initial(d, edge, local, &got, &t.err), PEPA_OK);
        cr_expect_eq(got, leads_back(d, edge, local), "%s, round %zu", name, round);
        counts[got]++;
    }
    free(edge);
    free(local);
    twice_free(&t);
    return counts[0] > counts[1] ? counts[1] : counts[0];
}

Test(diagram, ways_back_by_some_edges)
{
    cr_assert_gt(sum_over_collection(expect_ways_back), 50);
}
