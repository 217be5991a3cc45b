/* The population models of models/, with some thousand components: differential equations against
 * simulation. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "pepa_fluid.h"
#include "pepa_simulate.h"
#include "pepa_structure.h"
#include "scale.h"

enum { MOST = 64 };

typedef struct {
    const char *name;
    PepaDefine define[2];
    double slack; /* of deviations; more where a min or a condition changes sides */
} Crowd;

static const Crowd crowds[] = {
    {"web_shop", {{"clients", 600}}, 0.05},
    {"sirs_epidemic", {{"people", 2400}}, 0.05},
    {"call_centre", {{"callers", 900}}, 0.05},
    {"file_swarm", {{"peers", 2000}}, 0.08},
    {"file_swarm", {{"peers", 2000}, {"down", 12}}, 0.05},
    {"sensor_field", {{"sensors", 4000}}, 0.05},
    {"cache_store", {{"clients", 2000}}, 0.05},
    {"replicated_store", {{"clients", 1200}}, 0.05},
    {"two_classes", {{"pairs", 1000}}, 0.05},
    {"circuit_breaker", {{"callers", 2000}}, 0.05},
    {"bicycles", {{"riders", 3000}}, 0.05},
};

/* For each local state its population and, as simulation has it, its variance. */
static int32_t add_measures(PepaMeasures *measures, const PepaModel *model)
{
    PepaStructure *structure = NULL;
    PepaError err;
    cr_assert_eq(pepa_structure_new(&structure, model, &err), PEPA_OK);
    const int32_t count = pepa_structure_info(structure).local_states;
    for (int32_t l = 0; l < count; l++) {
        const char *name = pepa_structure_local(structure, l).name;
        char text[256];
        (void)snprintf(text, sizeof text,
                       "population:%s\nreward:{%s * %s} - population:%s * population:%s", name,
                       name, name, name, name);
        cr_assert_eq(pepa_measures_add(measures, "m", text, strlen(text), NULL, NULL, &err),
                     PEPA_OK, "%s", err.message);
    }
    pepa_structure_free(structure);
    return count;
}

static void compare(const Crowd *crowd)
{
    char path[128];
    PepaError err = {0};
    const PepaReading how = {.defines = crowd->define,
                             .define_count = crowd->define[1].rate ? 2 : 1};
    PepaModel *model = NULL;
    PepaMeasures *measures = NULL;
    PepaMoment fluid[2 * MOST];
    PepaEstimate simulated[2 * MOST];
    (void)snprintf(path, sizeof path, "models/%s.pepa", crowd->name);
    cr_assert_eq(pepa_model_load(&model, path, &how, &err), PEPA_OK, "%s", err.message);
    cr_assert_eq(pepa_measures_new(&measures, model, &err), PEPA_OK);
    const int32_t count = add_measures(measures, model);
    cr_assert_leq(count, MOST);
    cr_assert_eq(pepa_fluid_moments(model, measures, &(PepaFluid){.steady = 1}, NULL, fluid, NULL,
                                    &err),
                 PEPA_OK, "%s", err.message);
    cr_assert_eq(pepa_simulate_measures(model, measures,
                                        &(PepaSimulation){.steady = 1,
                                                          .seed = 1,
                                                          .events = 20000000},
                                        NULL, simulated, NULL, &err),
                 PEPA_OK, "%s", err.message);
    for (int32_t i = 0; i < count; i++) {
        const PepaEstimate *mean = &simulated[2 * i], *variance = &simulated[2 * i + 1];
        const double deviation = fluid[2 * i].deviation, square = deviation * deviation;
        if (mean->value < 100)
            continue;
        cr_expect_float_eq(fluid[2 * i].mean, mean->value,
                           0.01 * mean->value + (mean->high - mean->low) / 2, "%s, %s: %g, not %g",
                           crowd->name, pepa_measures_name(measures, 2 * i), fluid[2 * i].mean,
                           mean->value);
        cr_expect_float_eq(square, variance->value,
                           2 * crowd->slack * variance->value +
                               (variance->high - variance->low) / 2,
                           "%s, %s: deviation %g, not %g", crowd->name,
                           pepa_measures_name(measures, 2 * i), deviation, sqrt(variance->value));
    }
    pepa_measures_free(measures);
    pepa_model_free(model);
}

Test(populations, differential_equations_agree_with_simulation)
{
    for (size_t i = 0; i < sizeof crowds / sizeof *crowds; i += run_is_long() ? 1 : 4)
        compare(&crowds[i]);
}
