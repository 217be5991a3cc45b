/* Any bytes, as measures, as a predicate, as an expression over rates and as a formula: the reader
 * answers, refuses nothing without a word and without a change, and what it accepts has values on
 * chains of every form. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "pepa_csl.h"
#include "pepa_optimise.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Copies that move together, composites, a component that never changes, quoted names. */
static const char text[] =
    "r = 2; s = 1 + R; P = (a, r).Q; Q = (a, 1).P + (b, 3).R; R = (c, 1).P;\n"
    "S = (c, T).S1; S1 = (e, s).S; E1 = (d, 1).E3; E3 = (d, 2).E1;\n"
    "\"on hold\" = (\"call in\", 1).\"on hold\";\n"
    "(P[2]{a} <c> S) / {e} || (E1 || \"on hold\")[2]";
enum { STATES = 4096, FORMS = 3 };

static PepaModel *model[FORMS];
static PepaChain *chain[FORMS];
static double *pi[FORMS];

/* Explored one by one, with copies counted and apart; and as sets, without functional rates. */
static void prepare(int form)
{
    PepaSettings set = {.derive.separate_copies = form == 1,
                        .derive.explore = form == 2 ? PEPA_SYMBOLIC : PEPA_EXPLICIT};
    char copy[sizeof text];
    memcpy(copy, text, sizeof text);
    if (form == 2)
        memcpy(strstr(copy, "1 + R"), "1 + r", 5);
    if (pepa_model_parse(&model[form], "m", copy, sizeof text - 1, NULL, NULL) != PEPA_OK ||
        pepa_chain_derive(&chain[form], model[form], &set, NULL) != PEPA_OK)
        abort();
    int64_t states = pepa_chain_info(chain[form]).states;
    pi[form] = calloc((size_t)states, sizeof *pi[form]);
    if (!pi[form] || states > STATES)
        abort();
    for (int64_t i = 0; i < states; i++)
        pi[form][i] = 1 / (double)states;
}

static void count(void *user, const PepaDiagnostic *each)
{
    size_t *bytes = user;
    *bytes += strlen(each->message) + strlen(each->excerpt);
}

static void check_refusal(PepaStatus status, const PepaError *err, size_t said)
{
    if (status != PEPA_EARG || !err->message[0] || said == 0)
        abort(); /* refused without a word */
}

/* Values are numbers or none; copies that move together may have to be kept apart. */
static void evaluate(const PepaMeasures *measures, int form)
{
    double *value = calloc((size_t)pepa_measures_count(measures) + 1, sizeof *value);
    PepaError err;
    if (!value)
        abort();
    PepaStatus status = pepa_measures_values(measures, chain[form], pi[form], value, &err);
    if (status != PEPA_OK && (status != PEPA_ELIMIT || err.limit != PEPA_LIMIT_COPIES || form == 1))
        abort();
    for (int32_t i = 0; status == PEPA_OK && i < pepa_measures_count(measures); i++)
        if (isinf(value[i]) || !pepa_measures_name(measures, i)[0])
            abort();
    free(value);
}

static void read_measures(const char *query, size_t length, int form)
{
    PepaMeasures *measures = NULL;
    PepaError err;
    size_t said = 0;
    if (pepa_measures_new(&measures, model[form], &err) != PEPA_OK ||
        pepa_measures_add(measures, "m", "N0 = 1", 6, NULL, NULL, &err) != PEPA_OK)
        abort();
    PepaStatus status = pepa_measures_add(measures, "fuzz", query, length, count, &said, &err);
    if (status != PEPA_OK) {
        check_refusal(status, &err, said);
        if (pepa_measures_count(measures) != 1 ||
            pepa_measures_add(measures, "m", "M0 = N0", 7, NULL, NULL, &err) != PEPA_OK)
            abort(); /* the list is not as it was */
    }
    evaluate(measures, form);
    pepa_measures_free(measures);
}

static void read_predicate(const char *query, size_t length, int form)
{
    PepaPredicate *predicate = NULL;
    PepaError err;
    size_t said = 0;
    uint8_t where[STATES];
    PepaStatus status =
        pepa_predicate_new(&predicate, model[form], "fuzz", query, length, count, &said, &err);
    if (status != PEPA_OK) {
        check_refusal(status, &err, said);
        return;
    }
    memset(where, 7, sizeof where);
    if (pepa_predicate_states(predicate, chain[form], where, &err) != PEPA_OK)
        abort();
    for (int64_t s = 0; s < pepa_chain_info(chain[form]).states; s++)
        if (where[s] > 1)
            abort();
    pepa_predicate_free(predicate);
}

/* A number, or none. */
static void read_value(const char *query, size_t length, int form)
{
    PepaError err;
    size_t said = 0;
    double value = NAN;
    PepaStatus status =
        pepa_model_value(model[form], "fuzz", query, length, count, &said, &value, &err);
    if (status != PEPA_OK)
        check_refusal(status, &err, said);
    if (isfinite(value) != (status == PEPA_OK))
        abort();
}

/* Two measures, or none. */
static void read_constraint(const char *query, size_t length, int form)
{
    PepaError err;
    size_t said = 0;
    PepaConstraint c = {-1, -1, 0};
    PepaMeasures *measures = NULL;
    if (pepa_measures_new(&measures, model[form], &err) != PEPA_OK)
        abort();
    PepaStatus status =
        pepa_measures_add_constraint(measures, "fuzz", query, length, count, &said, &c, &err);
    if (status != PEPA_OK)
        check_refusal(status, &err, said);
    if (pepa_measures_count(measures) != (status == PEPA_OK ? 2 : 0) ||
        c.bound != (status == PEPA_OK ? 1 : -1))
        abort();
    pepa_measures_free(measures);
}

/* Called about every 0.1 s. */
static int stop(void *user, const PepaProgress *now)
{
    (void)user;
    (void)now;
    return 1;
}

/* A verdict, or a reason that there is none. */
static void read_formula(const char *query, size_t length, int form)
{
    PepaFormula *formula = NULL;
    PepaError err;
    size_t said = 0;
    PepaVerdict v = {.holds = 7};
    const PepaSettings set = {.progress = stop};
    PepaStatus status =
        pepa_formula_new(&formula, model[form], "fuzz", query, length, count, &said, &err);
    if (status != PEPA_OK) {
        check_refusal(status, &err, said);
        return;
    }
    status = pepa_formula_check(formula, chain[form], &set, &v, &err);
    if (status == PEPA_OK ? v.holds > 1 || v.holds < -1 || !(v.error_bound >= 0)
                          : v.holds != 7 || status == PEPA_ENOMEM || !err.message[0])
        abort();
    pepa_formula_free(formula);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *query = (const char *)data;
    for (int form = 0; form < FORMS; form++) {
        if (!chain[form])
            prepare(form);
        read_measures(query, size, form);
        read_predicate(query, size, form);
        read_value(query, size, form);
        read_constraint(query, size, form);
        read_formula(query, size, form);
    }
    return 0;
}
