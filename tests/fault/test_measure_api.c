/* Measures and predicates with each allocation failing, as the other functions of libpepa in
 * test_api.c. */
#include "fault/memory.h"
#include "fault/world.h"
#include "pepa_structure.h"

static PepaStatus call_new(World *w, PepaError *err)
{
    PepaMeasures *out = NULL;
    PepaStatus status = pepa_measures_new(&out, w->model, err);
    cr_assert_eq(status == PEPA_OK, out != NULL);
    if (out)
        text_add(&w->said, "%d", pepa_measures_count(out));
    pepa_measures_free(out);
    return status;
}

/* So many that every list grows, and the new ones refer to the old ones. */
static PepaStatus call_add(World *w, PepaError *err)
{
    static const char text[] =
        "# more\ny = X * 2 + min(N, \"N / X + 0 * response:Q\")\n"
        "z = reward:{2.S1 - (P + Q) * r / 3 + max(s, 1.Q)}\nutilisation:{R, S}\n"
        "a1 = 1\na2 = 2\na3 = 3\na4 = 4\na5 = a1 + a2 + a3 + a4 + a1 * a2 * a3 * a4\na6 = 6";
    int32_t before = pepa_measures_count(w->measures);
    PepaStatus status = pepa_measures_add(w->measures, "m", text, sizeof text - 1, NULL, NULL, err);
    cr_assert_eq(pepa_measures_count(w->measures), before + (status == PEPA_OK ? 9 : 0));
    return status;
}

/* Structures are of the model alone, so they are tried here, beside measures. */
static PepaStatus call_structure(World *w, PepaError *err)
{
    PepaStructure *s = NULL;
    PepaStatus status = pepa_structure_new(&s, w->model, err);
    cr_assert_eq(status == PEPA_OK, s != NULL);
    if (!s)
        return status;
    const PepaStructureInfo info = pepa_structure_info(s);
    for (int32_t i = 0; i < info.nodes; i++)
        text_add(&w->said, " %d", (int)pepa_structure_node(s, i).kind);
    for (int32_t l = 0; l < info.local_states; l++)
        text_add(&w->said, " %s", pepa_structure_local(s, l).name);
    for (int32_t k = 0; k < info.activities; k++) {
        const PepaActivity each = pepa_structure_activity(s, k);
        text_add(&w->said, " %s,%s", pepa_structure_action_name(s, each.action), each.rate);
    }
    pepa_structure_free(s);
    return status;
}

static void hear(void *user, const PepaDiagnostic *each)
{
    int *heard = user;
    (void)each;
    (*heard)++;
}

/* A wrong text is wrong, or memory is out; with memory all of its errors are found. */
static PepaStatus call_add_wrong(World *w, PepaError *err)
{
    static const char text[] = "y = 1 + \nz = population:Qq\nX = $\n\"a\tb\" = 1\nX = y\nfoo:1";
    int heard = 0;
    PepaStatus status =
        pepa_measures_add(w->measures, "m", text, sizeof text - 1, hear, &heard, err);
    cr_assert(status == PEPA_EARG || status == PEPA_ENOMEM);
    cr_assert(status == PEPA_ENOMEM || heard == 7, "%d errors", heard);
    return status == PEPA_EARG ? PEPA_OK : status;
}

static PepaStatus say_values(World *w, const PepaChain *chain, const double *pi, PepaError *err)
{
    double value[8] = {-7};
    PepaStatus status = pepa_measures_values(w->measures, chain, pi, value, err);
    cr_assert_eq(status == PEPA_OK, value[0] >= 0);
    if (status == PEPA_OK)
        say_numbers(w, value, pepa_measures_count(w->measures));
    return status;
}

static PepaStatus call_values(World *w, PepaError *err)
{
    return say_values(w, w->chain, w->pi, err);
}

/* The world's own measures have a ratio among them, which gives no rewards. */
static PepaStatus call_rewards(World *w, PepaError *err)
{
    static const char text[] = "population:Q - 2 * throughput:c\nprobability:{Q >= 1} / 3";
    double reward[2 * STATES] = {0};
    PepaMeasures *linear = NULL;
    PepaStatus status = pepa_measures_new(&linear, w->model, err);
    if (status == PEPA_OK)
        status = pepa_measures_add(linear, "m", text, sizeof text - 1, NULL, NULL, err);
    if (status == PEPA_OK)
        status = pepa_measures_rewards(linear, w->chain, reward, err);
    if (status == PEPA_OK)
        say_numbers(w, reward, 2 * pepa_chain_info(w->chain).states);
    pepa_measures_free(linear);
    return status;
}

static PepaStatus call_value(World *w, PepaError *err)
{
    static const char text[] = "max(r, s / 2) * -(1 - pow(r, 3))";
    double value = -7;
    PepaStatus status =
        pepa_model_value(w->model, "v", text, sizeof text - 1, NULL, NULL, &value, err);
    cr_assert_eq(status == PEPA_OK, value > 0);
    if (status == PEPA_OK)
        say_numbers(w, &value, 1);
    return status;
}

static PepaStatus call_value_wrong(World *w, PepaError *err)
{
    static const char text[] = "1 / (r - 2)";
    double value = -7;
    int heard = 0;
    PepaStatus status =
        pepa_model_value(w->model, "v", text, sizeof text - 1, hear, &heard, &value, err);
    cr_assert(status == PEPA_ENOMEM || (status == PEPA_EARG && heard == 1));
    cr_assert_eq(value, -7);
    return status == PEPA_EARG ? PEPA_OK : status;
}

static PepaStatus call_predicate(World *w, PepaError *err)
{
    static const char text[] = "1.P >= 1 ||\n enabled(\"g\") && !(R < 2) # when it is so\n";
    PepaPredicate *out = NULL;
    PepaStatus status =
        pepa_predicate_new(&out, w->model, "p", text, sizeof text - 1, NULL, NULL, err);
    cr_assert_eq(status == PEPA_OK, out != NULL);
    pepa_predicate_free(out);
    return status;
}

static PepaStatus call_states(World *w, PepaError *err)
{
    uint8_t where[STATES];
    memset(where, 7, sizeof where);
    PepaStatus status = pepa_predicate_states(w->predicate, w->chain, where, err);
    cr_assert_eq(status == PEPA_OK, where[0] != 7);
    for (int32_t s = 0; status == PEPA_OK && s < pepa_chain_info(w->chain).states; s++)
        text_add(&w->said, "%d", where[s]);
    return status;
}

/* A chain as sets, which has a model of its own. */
typedef struct {
    PepaMeasures *measures;
    PepaPredicate *predicate;
    PepaChain *chain;
    double *pi;
} Sets;
static Sets sets;

static void sets_new(void)
{
    static const char text[] = "P = (a, 1).Q; Q = (b, 2).P; R = (a, T).S; S = (c, 3).R;\n"
                               "P[3] <a> R[2]";
    static const char asked[] = "response:Q\nprobability:{Q > S && enabled(c)}\nthroughput:a\n"
                                "population:S";
    PepaSettings set = {.derive.explore = PEPA_SYMBOLIC};
    PepaModel *model = NULL;
    PepaError err = {0};
    sets = (Sets){0};
    mem_fail_at(0, false);
    cr_assert_eq(pepa_model_parse(&model, "m", text, sizeof text - 1, NULL, &err) ||
                     pepa_chain_derive(&sets.chain, model, &set, &err) ||
                     pepa_measures_new(&sets.measures, model, &err) ||
                     pepa_measures_add(sets.measures, "m", asked, sizeof asked - 1, NULL, NULL,
                                       &err) ||
                     pepa_predicate_new(&sets.predicate, model, "p", "Q > S", 5, NULL, NULL, &err),
                 PEPA_OK, "%s", err.message);
    size_t states = (size_t)pepa_chain_info(sets.chain).states;
    sets.pi = mem_calloc(states, sizeof *sets.pi);
    cr_assert(sets.pi != NULL && states <= STATES && pepa_chain_info(sets.chain).symbolic);
    for (size_t s = 0; s < states; s++)
        sets.pi[s] = 1 / (double)states;
    pepa_model_free(model);
}

static void sets_free(void)
{
    pepa_predicate_free(sets.predicate);
    pepa_measures_free(sets.measures);
    pepa_chain_free(sets.chain);
    mem_free(sets.pi);
}

static PepaStatus call_values_of_sets(World *w, PepaError *err)
{
    PepaMeasures *own = w->measures;
    w->measures = sets.measures;
    PepaStatus status = say_values(w, sets.chain, sets.pi, err);
    w->measures = own;
    return status;
}

static PepaStatus call_states_of_sets(World *w, PepaError *err)
{
    uint8_t where[STATES];
    PepaStatus status = pepa_predicate_states(sets.predicate, sets.chain, where, err);
    for (int32_t s = 0; status == PEPA_OK && s < pepa_chain_info(sets.chain).states; s++)
        text_add(&w->said, "%d", where[s]);
    return status;
}

Test(fault_measure_api, lists)
{
    replay("pepa_measures_new", call_new);
    replay("pepa_measures_add", call_add);
    replay("pepa_measures_add, wrong", call_add_wrong);
    replay("pepa_measures_values", call_values);
    replay("pepa_measures_rewards", call_rewards);
}

Test(fault_measure_api, expressions_over_rates)
{
    replay("pepa_model_value", call_value);
    replay("pepa_model_value, wrong", call_value_wrong);
}

Test(fault_measure_api, predicates)
{
    replay("pepa_predicate_new", call_predicate);
    replay("pepa_predicate_states", call_states);
}

Test(fault_measure_api, structure)
{
    replay("pepa_structure_new", call_structure);
}

Test(fault_measure_api, sets)
{
    sets_new();
    replay("pepa_measures_values, as sets", call_values_of_sets);
    replay("pepa_predicate_states, as sets", call_states_of_sets);
    sets_free();
}

/* These ask for no memory. */
Test(fault_measure_api, need_no_memory)
{
    World w;
    world_new(&w);
    mem_fail_at(1, true);
    cr_expect_eq(pepa_measures_count(w.measures), 4);
    cr_expect_str_eq(pepa_measures_name(w.measures, 1), "N");
    cr_expect_eq(mem_allocations(), 0);
    mem_fail_at(0, false);
    world_free(&w);
}
