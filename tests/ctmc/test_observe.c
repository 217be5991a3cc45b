/* What is observed of trajectories for control variates, against sums made state by state. */
#include "ctmc/simulate/observe.h"

#include <math.h>

#include "compiled.h"

enum { MOST = OBSERVE_CONTROLS };

typedef struct {
    Compiled c;
    ChoicePlan *choices;
    ObservePlan *plan;
    Choices now;
    Observer o;
    Observed observed[MOST];
    int32_t count;
} Watched;

static const StateCode nothing = {0};

static void watch(Watched *w, const char *text)
{
    *w = (Watched){.c = compiled_of(text, true)};
    cr_assert_eq(choice_plan_new(&w->choices, w->c.system, &w->c.rates, NULL), PEPA_OK);
    cr_assert_eq(choices_new(&w->now, w->choices, NULL), PEPA_OK);
    w->count = observe_add_controls(w->c.system, &nothing, w->observed, 0);
    cr_assert_leq(w->count, MOST);
    cr_assert_eq(observe_plan_new(&w->plan, w->c.system, &nothing, NULL, w->observed, w->count,
                                  NULL),
                 PEPA_OK);
    cr_assert_eq(observer_new(&w->o, w->plan, &w->now, NULL), PEPA_OK);
}

static void unwatch(Watched *w)
{
    observer_free(&w->o);
    observe_plan_free(w->plan);
    choices_free(&w->now);
    choice_plan_free(w->choices);
    compiled_free(&w->c);
}

static double value_of(const Watched *w, int32_t i)
{
    const Observed *what = &w->observed[i];
    const System *s = w->c.system;
    double rate = 0;
    if (what->kind == OBSERVE_PRODUCT)
        return value_of(w, what->a) * value_of(w, what->first);
    if (what->kind == OBSERVE_LOCAL) {
        const Slot *slot = &s->slots[what->a];
        const int64_t *cell = w->now.cells + slot->cell;
        return slot->copies ? (double)cell[what->first] : *cell == what->first;
    }
    for (int32_t e = 0; e < s->event_count; e++)
        rate += s->events[e].label == what->a ? choices_rate(&w->now, e) : 0;
    return rate;
}

/* What a completion of an event adds to the surplus of i. */
static double completed(const Watched *w, int32_t i, int32_t event)
{
    const Observed *what = &w->observed[i];
    if (what->kind == OBSERVE_PRODUCT)
        return completed(w, what->a, event) * value_of(w, what->first);
    return what->kind == OBSERVE_FLOW && w->c.system->events[event].label == what->a;
}

/* Over so many activities, integrals and surpluses are those of the sums, bin by bin; and surpluses
 * have the mean 0, as far as their squares tell. */
static void follow(const char *text, int32_t flows, int32_t products)
{
    enum { BINS = 400, EACH = 50 };
    Watched w;
    Stream stream;
    double time = 0, integral[MOST], surplus[MOST], mean[MOST] = {0}, square[MOST] = {0};
    int32_t found[2] = {0};
    watch(&w, text);
    for (int32_t i = 0; i < w.count; i++) {
        found[0] += w.observed[i].kind == OBSERVE_FLOW;
        found[1] += w.observed[i].kind == OBSERVE_PRODUCT;
    }
    cr_expect(found[0] == flows && found[1] == products, "%s: %d flows, %d products", text,
              found[0], found[1]);
    stream_start(&stream, 5, 0);
    observer_start(&w.o, 0);
    for (int b = 0; b < BINS; b++) {
        double sum[MOST] = {0}, number[MOST] = {0};
        for (int k = 0; k < EACH; k++) {
            double before[MOST] = {0};
            const double wait = -log(stream_uniform(&stream)) / choices_total(&w.now);
            for (int32_t i = 0; i < w.count; i++) {
                sum[i] += value_of(&w, i) * wait;
                before[i] =
                    w.observed[i].kind == OBSERVE_PRODUCT ? value_of(&w, w.observed[i].first) : 1;
            }
            time += wait;
            const int32_t event = choices_take(&w.now, &stream);
            for (int32_t i = 0; i < w.count; i++)
                if (w.observed[i].kind == OBSERVE_FLOW)
                    number[i] += completed(&w, i, event);
                else if (w.observed[i].kind == OBSERVE_PRODUCT)
                    number[i] += completed(&w, w.observed[i].a, event) * before[i];
            observer_follow(&w.o, event, time);
        }
        observer_cut(&w.o, time, integral, surplus);
        for (int32_t i = 0; i < w.count; i++) {
            const double more = w.observed[i].kind == OBSERVE_LOCAL ? 0 : number[i] - sum[i];
            const double size = 1 + fabs(sum[i]) + number[i];
            cr_assert_float_eq(integral[i], sum[i], 1e-10 * size, "%s: %d", text, i);
            cr_assert_float_eq(surplus[i], more, 1e-10 * size, "%s: %d", text, i);
            mean[i] += more / BINS;
            square[i] += more * more / BINS;
        }
    }
    for (int32_t i = 0; i < w.count; i++)
        cr_expect(mean[i] * mean[i] * BINS <= 25 * square[i], "%s: %d: %g, %g", text, i, mean[i],
                  square[i]);
    unwatch(&w);
}

/* A pipeline: to the moves between the stages go the neighbours' two later states; first and last moves
 * and work have one neighbour or two. */
Test(observe, neighbours_of_single_components)
{
    follow("A = (in, 3).A1; A1 = (work, 2).A2; A2 = (ab, T).A;\n"
           "B = (ab, 5).B1; B1 = (job, 1).B2; B2 = (bc, T).B;\n"
           "C = (bc, 4).C1; C1 = (do, 2).C2; C2 = (out, 6).C;\n"
           "A <ab> B <bc> C",
           7, 2 * (1 + 1 + 1 + 2 + 1 + 1 + 1));
}

/* Counted components are their own neighbours. */
Test(observe, copies)
{
    follow(
        "C = (think, 1).W; W = (serve, T).C; S = (serve, 3).L; L = (log, 9).S; C[40] <serve> S[3]",
        3, 6);
}

/* Hidden actions and sums of one name. */
Test(observe, hidden_and_several)
{
    follow("P = (a, 1).Q; Q = (b, 2).P + (a, 1).P; R = (b, 3).T1; T1 = (c, 1).R;\n"
           "(P <b> R) / {c} || P",
           3, 3);
}

/* Models with too many events have no controls at all, with too many components no products. */
Test(observe, many)
{
    char text[9000];
    size_t at = 0;
    for (int i = 0; i < 70; i++)
        at += (size_t)snprintf(text + at, sizeof text - at,
                               "P%d = (a%d, 1).Q%d; Q%d = (b, 1).P%d;\n", i, i, i, i, i);
    for (int i = 0; i < 70; i++)
        at += (size_t)snprintf(text + at, sizeof text - at, "%sP%d", i ? " || " : "", i);
    Watched w;
    watch(&w, text);
    cr_expect_eq(w.count, 0);
    unwatch(&w);
    at = 0;
    for (int i = 0; i < 70; i++)
        at += (size_t)snprintf(text + at, sizeof text - at, "P%d = (a, 1).Q%d; Q%d = (b, 1).P%d;\n",
                               i, i, i, i);
    for (int i = 0; i < 70; i++)
        at += (size_t)snprintf(text + at, sizeof text - at, "%sP%d", i ? " <a, b> " : "", i);
    watch(&w, text);
    cr_expect_eq(w.c.system->slot_count, 70);
    cr_expect_eq(w.count, 2);
    for (int32_t i = 0; i < w.count; i++)
        cr_expect_eq(w.observed[i].kind, OBSERVE_FLOW);
    unwatch(&w);
}
