/* pepa_measures_add_constraint: the two sides of constraints, and what is none. */
#include "optimising.h"

Test(optimise_api, constraints)
{
    PepaModel *model = parse(queue);
    PepaMeasures *measures = NULL;
    PepaConstraint c;
    PepaError err = {0};
    cr_assert_eq(pepa_measures_new(&measures, model, &err), PEPA_OK);
    static const struct {
        const char *text, *says;
    } wrong[] = {{"rate:mu", "a constraint is EXPR <= VALUE or EXPR >= VALUE"},
                 {"rate:mu < 1", "a constraint is EXPR <= VALUE or EXPR >= VALUE"},
                 {"rate:mu <= 1 && rate:mu >= 0", "a constraint is EXPR <= VALUE or EXPR >= VALUE"},
                 {"mu <= 1", "`mu` is a rate: write `rate:mu`"},
                 {"rate:mu <= nu", "no measure `nu` is defined before this one"},
                 {"rate:mu <=", "unexpected end of the text; expected an expression"},
                 {"", "unexpected end of the text; expected an expression"}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        cr_expect_eq(pepa_measures_add_constraint(measures, "c", wrong[i].text,
                                                  strlen(wrong[i].text), NULL, NULL, &c, &err),
                     PEPA_EARG);
        cr_expect_str_eq(err.message, wrong[i].says);
        cr_expect_eq(pepa_measures_count(measures), 0);
    }
    static const char first[] = "(2 * throughput:serve\n>= mu / lambda)", again[] = "rate:mu <= 2",
                      name[] = "mu = 3", later[] = "rate:lambda <= mu", twice[] = "mu + mu";
    cr_expect_eq(pepa_measures_add_constraint(measures, "c", first, sizeof first - 1, NULL, NULL,
                                              &c, &err),
                 PEPA_OK, "%s", err.message);
    cr_expect_eq(c.measure, 0);
    cr_expect_eq(c.bound, 1);
    cr_expect(c.at_least);
    cr_expect_str_eq(pepa_measures_name(measures, 1), "mu / lambda");
    cr_expect_eq(pepa_measures_add(measures, "m", name, sizeof name - 1, NULL, NULL, &err),
                 PEPA_OK);
    cr_expect_eq(pepa_measures_add_constraint(measures, "c", again, sizeof again - 1, NULL, NULL,
                                              &c, &err),
                 PEPA_OK);
    cr_expect_not(c.at_least);
    cr_expect_str_eq(pepa_measures_name(measures, c.measure), again);
    cr_expect_eq(pepa_measures_add_constraint(measures, "c", later, sizeof later - 1, NULL, NULL,
                                              &c, &err),
                 PEPA_OK, "%s", err.message);
    cr_expect_eq(pepa_measures_add(measures, "m", twice, sizeof twice - 1, NULL, NULL, &err),
                 PEPA_OK);
    PepaChain *chain = NULL;
    double pi[64], value[8];
    cr_assert_eq(pepa_chain_derive(&chain, model, NULL, &err) ||
                     pepa_solve_steady(chain, NULL, pi, NULL, &err) ||
                     pepa_measures_values(measures, chain, pi, value, &err),
                 PEPA_OK, "%s", err.message);
    cr_expect_eq(value[1], 2, "rates in a bound are rates");
    cr_expect_eq(value[c.bound], 2, "also where a measure has the name");
    cr_expect_eq(value[7], 6, "which is meant elsewhere");
    pepa_chain_free(chain);
    pepa_measures_free(measures);
    pepa_model_free(model);
}
