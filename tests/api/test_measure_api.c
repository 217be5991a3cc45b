/* pepa_measure.h as a client sees it: lists, predicates, findings, lifetimes, and arguments. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "parsing.h"
#include "pepa_measure.h"

static const char machine[] = "f = 1; r = 3; Up = (fail, f).Down; Down = (repair, r).Up; Up";

static PepaChain *derive(const PepaModel *model)
{
    PepaChain *chain = NULL;
    PepaError err = {0};
    cr_assert_eq(pepa_chain_derive(&chain, model, NULL, &err), PEPA_OK, "%s", err.message);
    return chain;
}

static PepaStatus add(PepaMeasures *measures, const char *text, PepaError *err)
{
    return pepa_measures_add(measures, "asked", text, strlen(text), NULL, NULL, err);
}

static void expect_names(const PepaMeasures *measures, const char *const *name, int32_t count)
{
    cr_assert_eq(pepa_measures_count(measures), count);
    for (int32_t i = 0; i < count; i++)
        cr_expect_str_eq(pepa_measures_name(measures, i), name[i]);
}

Test(measure_api, a_file_of_measures)
{
    static const char file[] = "# of the machine\nX = throughput:fail   # per hour\n\n"
                               "population:Down\nX / population:Down\r\n\"mean time\" = 1 / X";
    static const char *const names[] = {"X", "population:Down", "X / population:Down", "mean time"};
    const double wanted[] = {0.75, 0.25, 3, 4 / 3.0}, pi[] = {0.75, 0.25};
    double value[4];
    PepaModel *model = parse(machine);
    PepaChain *chain = derive(model);
    PepaMeasures *measures = NULL;
    PepaError err = {0};
    cr_assert_eq(pepa_measures_new(&measures, model, &err), PEPA_OK);
    expect_names(measures, names, 0);
    cr_assert_eq(pepa_measures_values(measures, chain, pi, value, &err), PEPA_OK);
    cr_assert_eq(add(measures, file, &err), PEPA_OK, "%s", err.message);
    expect_names(measures, names, 4);
    cr_assert_eq(pepa_measures_values(measures, chain, pi, value, &err), PEPA_OK);
    for (int i = 0; i < 4; i++)
        cr_expect_float_eq(value[i], wanted[i], 1e-15);
    pepa_measures_free(measures);
    pepa_chain_free(chain);
    pepa_model_free(model);
}

/* ---- findings ------------------------------------------------------------------------------ */

typedef struct {
    char text[1024];
    int count;
} Heard;

static void hear(void *user, const PepaDiagnostic *each)
{
    Heard *heard = user;
    size_t length = strlen(heard->text);
    cr_expect_eq(each->severity, PEPA_ERROR);
    (void)snprintf(heard->text + length, sizeof heard->text - length, "%s:%u:%u: %s\n%s",
                   each->file, each->line, each->column, each->message, each->excerpt);
    heard->count++;
}

/* Of which measures are the means; a ratio has none. */
Test(measure_api, rewards)
{
    static const char linear[] = "a = 3 * throughput:fail / rate:r - population:Down + 2\n"
                                 "-a * rate:f\nprobability:{deadlock} + 1 / 2\nutilisation:Up";
    const double want[] = {3 * 1 / 3.0 - 0 + 2, -3, 0.5, 1, 0 - 1 + 2, -1, 0.5, 0};
    static const char *const others[] = {"population:Up / throughput:fail",
                                         "response:Down",
                                         "throughput:fail * throughput:repair",
                                         "1 / population:Up",
                                         "max(population:Up, 0)",
                                         "min(population:Up, population:Down)"};
    double reward[8];
    PepaModel *model = parse(machine);
    PepaChain *chain = derive(model);
    PepaMeasures *measures = NULL;
    PepaError err = {0};
    cr_assert_eq(pepa_measures_new(&measures, model, &err), PEPA_OK);
    cr_assert_eq(add(measures, linear, &err), PEPA_OK, "%s", err.message);
    cr_expect_eq(pepa_measures_rewards(NULL, chain, reward, &err), PEPA_EARG);
    cr_expect_eq(pepa_measures_rewards(measures, NULL, reward, &err), PEPA_EARG);
    cr_expect_eq(pepa_measures_rewards(measures, chain, NULL, &err), PEPA_EARG);
    cr_assert_eq(pepa_measures_rewards(measures, chain, reward, &err), PEPA_OK, "%s", err.message);
    for (int i = 0; i < 8; i++)
        cr_expect_float_eq(reward[i], want[i], 1e-15, "%d: %g", i, reward[i]);
    pepa_measures_free(measures);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        cr_assert_eq(pepa_measures_new(&measures, model, &err), PEPA_OK);
        cr_assert_eq(add(measures, others[i], &err), PEPA_OK, "%s", err.message);
        cr_expect_eq(pepa_measures_rewards(measures, chain, reward, &err), PEPA_EARG, "%s",
                     others[i]);
        cr_expect(strstr(err.message, others[i]) != NULL, "%s", err.message);
        pepa_measures_free(measures);
    }
    pepa_chain_free(chain);
    pepa_model_free(model);
}

Test(measure_api, findings)
{
    static const char text[] = "x = 1\ny = population:Dwn + throughput:fial\nx = 2\nz = (3";
    static const char *const before[] = {"x0"};
    PepaModel *model = parse(machine);
    PepaMeasures *measures = NULL;
    PepaError err = {0};
    Heard heard = {0};
    cr_assert_eq(pepa_measures_new(&measures, model, &err), PEPA_OK);
    cr_assert_eq(add(measures, "x0 = 1", &err), PEPA_OK);
    cr_expect_eq(pepa_measures_add(measures, "asked", text, sizeof text - 1, hear, &heard, &err),
                 PEPA_EARG);
    cr_expect_str_eq(heard.text,
                     "asked:2:16: the model has no local state `Dwn`; did you mean `Down`?\n"
                     "y = population:Dwn + throughput:fial\n               ^~~\n"
                     "asked:2:33: the model has no action `fial`; did you mean `fail`?\n"
                     "y = population:Dwn + throughput:fial\n                                ^~~~\n"
                     "asked:3:1: the measure `x` is there already\nx = 2\n^\n"
                     "asked:4:7: unexpected end of the text; expected an operator or `)`\n"
                     "z = (3\n      ^\n");
    cr_expect(err.code == PEPA_EARG && err.line == 2 && err.column == 16);
    cr_expect_str_eq(err.message, "the model has no local state `Dwn`; did you mean `Down`?");
    expect_names(measures, before, 1);
    cr_expect_eq(add(measures, "1 +", NULL), PEPA_EARG);
    expect_names(measures, before, 1);
    cr_expect_eq(add(measures, "x = x0", &err), PEPA_OK);
    cr_expect_eq(pepa_measures_count(measures), 2);
    pepa_measures_free(measures);
    pepa_model_free(model);
}

Test(measure_api, findings_of_predicates)
{
    PepaModel *model = parse(machine);
    PepaPredicate *predicate = NULL;
    PepaError err = {0};
    Heard heard = {0};
    cr_expect_eq(pepa_predicate_new(&predicate, model, "asked", "Up > \n0 && down", 15, hear,
                                    &heard, &err),
                 PEPA_EARG);
    cr_expect_null(predicate);
    cr_expect_str_eq(heard.text, "asked:2:6: the model has no local state `down`; did you mean "
                                 "`Down`?\n0 && down\n     ^~~~\n");
    cr_expect(err.line == 2 && err.column == 6);
    pepa_model_free(model);
}

/* ---- predicates ---------------------------------------------------------------------------- */

static void expect_states(const PepaChain *chain, const PepaModel *model, const char *text,
                          const char *wanted)
{
    PepaPredicate *predicate = NULL;
    PepaError err = {0};
    uint8_t where[16];
    size_t states = (size_t)pepa_chain_info(chain).states;
    memset(where, 7, sizeof where);
    cr_assert_eq(pepa_predicate_new(&predicate, model, "p", text, strlen(text), NULL, NULL, &err),
                 PEPA_OK, "%s: %s", text, err.message);
    cr_assert_eq(pepa_predicate_states(predicate, chain, where, &err), PEPA_OK);
    cr_assert(strlen(wanted) == states && states < sizeof where);
    for (size_t s = 0; s < states; s++)
        cr_expect_eq(where[s], wanted[s] - '0', "%s: state %zu", text, s);
    cr_expect_eq(where[states], 7);
    pepa_predicate_free(predicate);
}

/* States by the number of copies that are down: 0, 1, 2, 3. */
Test(measure_api, predicates)
{
    PepaModel *model = parse("f = 1; r = 3; Up = (fail, f).Down; Down = (repair, r).Up; Up[3]");
    PepaChain *chain = derive(model);
    PepaError err = {0};
    expect_states(chain, model, "Down", "0111");
    expect_states(chain, model, "Down - 2", "1101");
    expect_states(chain, model, "Down >= 1 && enabled(fail)", "0110");
    expect_states(chain, model, "!Down || 1.Up == 0", "1001");
    expect_states(chain, model, "r * Down > 2 * f * Up", "0011");
    expect_states(chain, model, "true", "1111");
    expect_states(chain, model, "deadlock", "0000");
    cr_assert_eq(pepa_chain_set_rate(chain, "r", 0.5, &err), PEPA_OK);
    expect_states(chain, model, "r * Down > 2 * f * Up", "0001");
    pepa_chain_free(chain);
    pepa_model_free(model);
}

/* ---- lifetimes ----------------------------------------------------------------------------- */

/* Lists and predicates keep their model, whoever lets go of it first, and are good for any number of
 * chains of it. */
Test(measure_api, lifetimes)
{
    const double pi[] = {0.5, 0.5};
    PepaModel *model = parse(machine);
    PepaChain *chain = derive(model), *other = derive(model);
    PepaMeasures *measures = NULL;
    PepaPredicate *predicate = NULL;
    PepaError err = {0};
    double value = 0;
    uint8_t where[2];
    cr_assert_eq(pepa_measures_new(&measures, model, &err), PEPA_OK);
    cr_assert_eq(pepa_predicate_new(&predicate, model, "p", "Down", 4, NULL, NULL, &err), PEPA_OK);
    cr_assert_eq(pepa_chain_set_rate(other, "r", 5, &err), PEPA_OK);
    pepa_model_free(model);
    cr_assert_eq(add(measures, "rate:r * population:Down", &err), PEPA_OK);
    cr_assert_eq(pepa_measures_values(measures, chain, pi, &value, &err), PEPA_OK);
    cr_expect_float_eq(value, 1.5, 1e-15);
    cr_assert_eq(pepa_measures_values(measures, other, pi, &value, &err), PEPA_OK);
    cr_expect_float_eq(value, 2.5, 1e-15);
    pepa_chain_free(chain);
    cr_assert_eq(pepa_predicate_states(predicate, other, where, &err), PEPA_OK);
    pepa_chain_free(other);
    cr_assert_eq(add(measures, "throughput:fail", &err), PEPA_OK);
    cr_expect_str_eq(pepa_measures_name(measures, 1), "throughput:fail");
    pepa_measures_free(measures);
    pepa_predicate_free(predicate);
}

/* ---- arguments ----------------------------------------------------------------------------- */

#define expect_arg(call)                                                                           \
    do {                                                                                           \
        err = (PepaError){0};                                                                      \
        cr_expect_eq((call), PEPA_EARG, #call);                                                    \
        cr_expect(err.code == PEPA_EARG && err.message[0], #call);                                 \
    } while (0)

Test(measure_api, nulls)
{
    const double pi[] = {0.5, 0.5};
    double value = -1;
    uint8_t where[2];
    PepaModel *model = parse(machine);
    PepaChain *chain = derive(model);
    PepaMeasures *m = NULL;
    PepaPredicate *p = NULL;
    PepaError err;
    expect_arg(pepa_measures_new(NULL, model, &err));
    expect_arg(pepa_measures_new(&m, NULL, &err));
    cr_assert(!m && pepa_measures_new(&m, model, NULL) == PEPA_OK);
    expect_arg(pepa_measures_add(NULL, "a", "1", 1, NULL, NULL, &err));
    expect_arg(pepa_measures_add(m, NULL, "1", 1, NULL, NULL, &err));
    expect_arg(pepa_measures_add(m, "a", NULL, 1, NULL, NULL, &err));
    cr_expect_eq(pepa_measures_add(m, "a", NULL, 0, NULL, NULL, &err), PEPA_OK);
    cr_expect_eq(pepa_measures_count(m), 0);
    cr_assert_eq(add(m, "1", &err), PEPA_OK);
    expect_arg(pepa_measures_values(NULL, chain, pi, &value, &err));
    expect_arg(pepa_measures_values(m, NULL, pi, &value, &err));
    expect_arg(pepa_measures_values(m, chain, NULL, &value, &err));
    expect_arg(pepa_measures_values(m, chain, pi, NULL, &err));
    expect_arg(pepa_predicate_new(NULL, model, "p", "Up", 2, NULL, NULL, &err));
    expect_arg(pepa_predicate_new(&p, NULL, "p", "Up", 2, NULL, NULL, &err));
    expect_arg(pepa_predicate_new(&p, model, NULL, "Up", 2, NULL, NULL, &err));
    expect_arg(pepa_predicate_new(&p, model, "p", NULL, 2, NULL, NULL, &err));
    expect_arg(pepa_predicate_new(&p, model, "p", NULL, 0, NULL, NULL, &err));
    cr_assert(!p && pepa_predicate_new(&p, model, "p", "Up", 2, NULL, NULL, NULL) == PEPA_OK);
    expect_arg(pepa_predicate_states(NULL, chain, where, &err));
    expect_arg(pepa_predicate_states(p, NULL, where, &err));
    expect_arg(pepa_predicate_states(p, chain, NULL, &err));
    pepa_measures_free(NULL);
    pepa_predicate_free(NULL);
    pepa_measures_free(m);
    pepa_predicate_free(p);
    pepa_chain_free(chain);
    pepa_model_free(model);
}

Test(measure_api, chains_of_other_models)
{
    const double pi[] = {0.5, 0.5};
    double value = -1;
    uint8_t where[] = {7, 7};
    PepaModel *model = parse(machine), *other = parse(machine);
    PepaChain *chain = derive(other);
    PepaMeasures *m = NULL;
    PepaPredicate *p = NULL;
    PepaError err;
    cr_assert_eq(pepa_measures_new(&m, model, &err), PEPA_OK);
    cr_assert_eq(add(m, "population:Up", &err), PEPA_OK);
    cr_assert_eq(pepa_predicate_new(&p, model, "p", "Up", 2, NULL, NULL, &err), PEPA_OK);
    expect_arg(pepa_measures_values(m, chain, pi, &value, &err));
    cr_expect_str_eq(err.message, "the chain was derived from another model");
    expect_arg(pepa_predicate_states(p, chain, where, &err));
    cr_expect(value <= -1 && where[0] == 7);
    pepa_measures_free(m);
    pepa_predicate_free(p);
    pepa_chain_free(chain);
    pepa_model_free(model);
    pepa_model_free(other);
}

/* A length that no place in a text can have is refused without a look at the text. */
Test(measure_api, length)
{
    PepaModel *model = parse(machine);
    PepaMeasures *m = NULL;
    PepaPredicate *p = NULL;
    PepaError err;
    cr_assert_eq(pepa_measures_new(&m, model, &err), PEPA_OK);
    cr_expect_eq(pepa_measures_add(m, "a", "1", INT32_MAX - 1, NULL, NULL, &err), PEPA_ELIMIT);
    cr_expect_eq(pepa_predicate_new(&p, model, "p", "1", SIZE_MAX, NULL, NULL, &err), PEPA_ELIMIT);
    cr_expect(err.code == PEPA_ELIMIT && err.limit == PEPA_LIMIT_NONE && !p);
    pepa_measures_free(m);
    pepa_model_free(model);
}
