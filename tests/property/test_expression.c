/* Random measures and predicates on random models, explored one by one and as sets, against their
 * meaning state by state and transition by transition. */
#include <criterion/criterion.h>
#include <criterion/logging.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api/handles.h"
#include "diagram_measures.h"
#include "pepa_measure.h"
#include "property/asking.h"
#include "property/engine_run.h"
#include "property/room.h"
#include "property/seeds.h"

enum { MODELS = 5000, LARGE = 400, LISTS = 2, PREDICATES = 8 };

typedef struct {
    int chains, sets, values, none, open, predicates, mixed;
} Tally;

/* ---- states of both forms ------------------------------------------------------------------ */

typedef struct {
    char *text;
    int32_t state;
} Worded;

static int by_text(const void *a, const void *b)
{
    return strcmp(((const Worded *)a)->text, ((const Worded *)b)->text);
}

static Worded *sorted_states(const PepaChain *chain, int64_t n)
{
    Worded *all = room((size_t)n, sizeof *all);
    for (int32_t s = 0; s < n; s++) {
        all[s].state = s;
        if (pepa_chain_state_text(chain, s, &all[s].text, NULL) != PEPA_OK)
            abort();
    }
    qsort(all, (size_t)n, sizeof *all, by_text);
    return all;
}

static void states_free(Worded *all, int64_t n)
{
    for (int64_t s = 0; s < n; s++)
        pepa_text_free(all[s].text);
    mem_free(all);
}

/* The state of `chain` that each state of `sets` is: they have the same texts. */
static int32_t *matched(const PepaChain *chain, const PepaChain *sets)
{
    int64_t n = pepa_chain_info(chain).states;
    int32_t *place = room((size_t)n, sizeof *place);
    Worded *a = sorted_states(chain, n), *b = sorted_states(sets, n);
    for (int64_t i = 0; i < n; i++)
        place[b[i].state] = a[i].state;
    states_free(a, n);
    states_free(b, n);
    return place;
}

/* ---- one chain ----------------------------------------------------------------------------- */

/* A chain in some form, of which state s is state place[s] of the facts. */
typedef struct {
    const Facts *facts;
    const PepaChain *chain;
    const int32_t *place; /* NULL: they are the same */
    double *pi;
    Tally *tally;
    Text *why;
} Form;

static bool answers(const Form *f, const Ask *ask, const char *text, const PepaMeasures *measures,
                    const double *value)
{
    for (int i = 0; i < ask->items; i++) {
        const AskAnswer *want = &ask->item[i].answer;
        bool none = want->kind == ANSWER_NONE;
        f->tally->values += want->kind == ANSWER_VALUE;
        f->tally->none += none;
        f->tally->open += want->kind == ANSWER_OPEN;
        if (want->kind == ANSWER_OPEN ||
            (none ? isnan(value[i]) : value[i] >= want->low && value[i] <= want->high))
            continue;
        text_add(f->why, "%.17g, and not %s %.17g .. %.17g:\n%s\nof\n%s", value[i],
                 none ? "none," : "in", want->low, want->high, pepa_measures_name(measures, i),
                 text);
        return false;
    }
    return true;
}

static bool measures_agree(const Form *f, const Ask *ask, const Text *text)
{
    PepaMeasures *measures = NULL;
    PepaError err = {0};
    double value[ASK_ITEMS];
    PepaStatus status = pepa_measures_new(&measures, f->facts->model, &err);
    if (status == PEPA_OK)
        status = pepa_measures_add(measures, "m", text->text, text->length, NULL, NULL, &err);
    bool same = status == PEPA_OK && pepa_measures_count(measures) == ask->items;
    if (same)
        status = pepa_measures_values(measures, f->chain, f->pi, value, &err);
    if (status != PEPA_OK || !same)
        same = engine_differs(f->why, "%u:%u: %s", err.line, err.column, err.message);
    if (!same)
        text_add(f->why, "\n%s", text->text);
    same = same && answers(f, ask, text->text, measures, value);
    pepa_measures_free(measures);
    return same;
}

static bool predicate_agrees(const Form *f, const Ask *ask, const Text *text)
{
    PepaPredicate *predicate = NULL;
    PepaError err = {0};
    int64_t n = f->facts->info.states, holds = 0;
    uint8_t *where = room((size_t)n, 1);
    PepaStatus status = pepa_predicate_new(&predicate, f->facts->model, "p", text->text,
                                           text->length, NULL, NULL, &err);
    if (status == PEPA_OK)
        status = pepa_predicate_states(predicate, f->chain, where, &err);
    bool same = status == PEPA_OK;
    if (!same)
        text_add(f->why, "%s in %s", err.message, text->text);
    for (int64_t s = 0; s < n && same; s++) {
        int64_t there = f->place ? f->place[s] : s;
        same = where[s] == ask_true_in(ask, there);
        holds += where[s];
        if (!same)
            text_add(f->why, "it is %d in state %d that\n%s", where[s], (int)there, text->text);
    }
    f->tally->predicates++;
    f->tally->mixed += holds > 0 && holds < n;
    pepa_predicate_free(predicate);
    mem_free(where);
    return same;
}

/* The same texts for every form of a chain. */
static bool form_agrees(const Form *f, uint64_t seed)
{
    static Ask ask;
    bool same = true;
    for (uint64_t i = 0; i < LISTS && same; i++) {
        Text text = ask_measures(&ask, f->facts, seed * 100 + i);
        same = measures_agree(f, &ask, &text);
        text_free(&text);
        ask_free(&ask);
    }
    for (uint64_t i = 0; i < PREDICATES && same; i++) {
        Text text = ask_predicate(&ask, f->facts, seed * 100 + LISTS + i);
        same = predicate_agrees(f, &ask, &text);
        text_free(&text);
    }
    return same;
}

/* ---- models -------------------------------------------------------------------------------- */

/* Are there copies P[n]{a} below: several at one position that may move at once? */
static bool move_together(const RefModel *model, const RefStatic *part)
{
    if (part->kind == REF_LEAF)
        return false;
    if (part->kind == REF_NAMED)
        return move_together(model, model->process[part->process].system);
    return (part->kind == REF_COPIES && part->set != 0) || move_together(model, part->left) ||
           (part->kind == REF_COOP && move_together(model, part->right));
}

/* A chain explored as sets, of which state s is state place[s] of the facts. */
static bool sets_agree(const Form *rows, const PepaChain *chain, const int32_t *place,
                       uint64_t seed)
{
    Form f = *rows;
    f.chain = chain;
    f.place = place;
    f.pi = room((size_t)f.facts->info.states, sizeof *f.pi);
    for (int64_t s = 0; s < f.facts->info.states; s++)
        f.pi[s] = rows->pi[place[s]];
    bool same = form_agrees(&f, seed);
    f.tally->sets++;
    mem_free(f.pi);
    return same;
}

static bool derived_as_sets_agree(const Form *rows, const PepaSettings *how, uint64_t seed)
{
    PepaSettings set = *how;
    PepaChain *chain = NULL;
    set.derive.explore = PEPA_SYMBOLIC;
    if (pepa_chain_derive(&chain, rows->facts->model, &set, NULL) != PEPA_OK)
        return true;
    int32_t *place = matched(rows->chain, chain);
    bool same = sets_agree(rows, chain, place, seed);
    if (!same)
        text_add(rows->why, "\n(explored as sets)");
    mem_free(place);
    pepa_chain_free(chain);
    return same;
}

/* Sets of a few states each. */
static bool small_sets_agree(const Form *rows, bool separate, uint64_t seed)
{
    static const int32_t most_lower[] = {2, 4, 16, 64};
    PepaModel *model = (PepaModel *)rows->facts->model;
    Twice t;
    twice_new(&t, model->model, !separate, most_lower[seed % 4], 10000);
    bool same = true;
    if (twice_fits(&t) && twice_states(&t)) {
        const PepaChain chain = {.owner = model, .chain = &t.as_sets};
        same = sets_agree(rows, &chain, t.id, seed);
    }
    if (!same)
        text_add(rows->why, "\n(at most %d lower states)", most_lower[seed % 4]);
    twice_free(&t);
    return same;
}

static void compare(const RefModel *ref, const char *text, uint64_t seed, Tally *tally, Text *why)
{
    PepaModel *model = NULL;
    PepaChain *chain = NULL;
    PepaSettings set = {.derive.separate_copies = seed % 3 == 0};
    if (pepa_model_parse(&model, "random", text, strlen(text), NULL, NULL) == PEPA_OK &&
        pepa_chain_derive(&chain, model, &set, NULL) == PEPA_OK) {
        Facts facts;
        facts_new(&facts, model, chain, seed);
        facts.response = !move_together(ref, ref->system);
        Form f = {.facts = &facts, .chain = chain, .pi = facts.pi, .tally = tally, .why = why};
        tally->chains++;
        (void)(form_agrees(&f, seed) && derived_as_sets_agree(&f, &set, seed) &&
               small_sets_agree(&f, set.derive.separate_copies, seed));
        facts_free(&facts);
    }
    pepa_chain_free(chain);
    pepa_model_free(model);
}

SHARDED_TEST(expression, random_models)
{
    Seeds all = seeds(*shard, MODELS);
    Tally t = {0};
    for (uint64_t seed; seeds_next(&all, &seed);) {
        RefModel model = seeds_model(seed, LARGE);
        Text text = ref_model_print(&model, (RefPrinting){0}), why = {0};
        compare(&model, text.text, seed, &t, &why);
        if (why.text)
            seeds_fail(&all, seed, why.text, text.text);
        text_free(&why);
        text_free(&text);
        ref_model_free(&model);
    }
    cr_log_info("%d chains, %d times as sets; %d values, %d none, %d open; %d predicates, %d mixed",
                t.chains, t.sets, t.values, t.none, t.open, t.predicates, t.mixed);
    cr_expect_eq(all.failures, 0);
    /* most measures have a value, and many predicates tell states apart */
    if (t.chains >= 50) {
        cr_expect_gt(2 * t.sets, t.chains);
        cr_expect_gt(t.values, 2 * (t.none + t.open));
        cr_expect_gt(t.values, 10 * t.open);
        cr_expect_gt(5 * t.mixed, t.predicates);
    }
}
