/* Differential equations of populations: by hand, by differences, and by what is invariant. */
#include <math.h>

#include "base/stream.h"
#include "dense_jacobian.h"
#include "fluids.h"

enum { MOST = 32, STATES = 50 };

static double rate_of_change(Fluid *f, const char *name)
{
    double change[MOST], x[MOST], forward[MOST];
    const double step = 1e-7;
    double z[MOST];
    cr_assert_leq(f->field.n, MOST);
    field_change(&f->field, change, NULL);
    for (int32_t i = 0; i < f->field.r; i++)
        z[i] = change[i] * step;
    /* x is linear in z */
    field_expand(&f->field, z, forward);
    for (int32_t i = 0; i < f->field.r; i++)
        z[i] = 0;
    field_expand(&f->field, z, x);
    return (forward[variable_named(f, name)] - x[variable_named(f, name)]) / step;
}

/* Coordinates of populations that are given per variable. */
static void place(const Fluid *f, const double *x, double *z)
{
    double back[MOST];
    for (int32_t i = 0; i < f->field.r; i++)
        z[i] = x[f->field.free[i]];
    field_expand(&f->field, z, back);
    for (int32_t i = 0; i < f->field.n; i++)
        cr_assert_float_eq(back[i], x[i], 1e-9 * f->p->total[i]);
}

static void put(const Fluid *f, double *x, const char *name, double value)
{
    x[variable_named(f, name)] = value;
}

/* ---- by hand ------------------------------------------------------------------------------------ */

static const char servers[] =
    "Client = (think, 0.5).Wait; Wait = (serve, 3).Client;\n"
    "Server = (serve, 2).Log + (fail, 0.25).Down; Log = (log, 8).Server;\n"
    "Down = (repair, 0.125).Server;\n"
    "Client[100] <serve> Server[20]";

Test(field, clients_and_servers)
{
    Fluid f = fluid_of(servers);
    double x[MOST] = {0}, z[MOST];
    cr_expect_eq(f.field.n, 5);
    cr_expect_eq(f.field.r, 3);
    put(&f, x, "Client", 80);
    put(&f, x, "Wait", 20);
    put(&f, x, "Server", 10);
    put(&f, x, "Log", 4);
    put(&f, x, "Down", 6);
    place(&f, x, z);
    field_evaluate(&f.field, z, NULL); /* serve: min(3 x 20, 2 x 10) */
    cr_expect_float_eq(rate_of_change(&f, "Client"), 20 - 0.5 * 80, 1e-4);
    cr_expect_float_eq(rate_of_change(&f, "Wait"), 0.5 * 80 - 20, 1e-4);
    cr_expect_float_eq(rate_of_change(&f, "Server"), 8 * 4 + 0.125 * 6 - 20 - 0.25 * 10, 1e-4);
    cr_expect_float_eq(rate_of_change(&f, "Down"), 0.25 * 10 - 0.125 * 6, 1e-4);
    fluid_free(&f);
}

/* Two kinds of clients share servers by their apparent rates: min(ra, rb) x share. */
Test(field, shares)
{
    Fluid f = fluid_of("A = (think, 1).B; B = (serve, 3).A; C = (rest, 1).D; D = (serve, 1).C;\n"
                       "S = (serve, 2).S1 + (serve, 1).S2; S1 = (log, 8).S; S2 = (flush, 1).S;\n"
                       "(A[50] || C[50]) <serve> S[10]");
    double x[MOST] = {0}, z[MOST];
    put(&f, x, "A", 20);
    put(&f, x, "B", 30);
    put(&f, x, "C", 40);
    put(&f, x, "D", 10);
    put(&f, x, "S", 6);
    put(&f, x, "S1", 4);
    place(&f, x, z);
    field_evaluate(&f.field, z, NULL); /* min(90 + 10, 18) = 18: of B 0.9, of D 0.1 */
    cr_expect_float_eq(rate_of_change(&f, "A"), 18 * 0.9 - 20, 1e-4);
    cr_expect_float_eq(rate_of_change(&f, "C"), 18 * 0.1 - 40, 1e-4);
    cr_expect_float_eq(rate_of_change(&f, "S1"), 12 - 8 * 4, 1e-4);
    cr_expect_float_eq(rate_of_change(&f, "S2"), 6, 1e-4);
    fluid_free(&f);
}

/* Passive clients of weights 1 and 3: they take what the servers give, until they run out. */
Test(field, passive)
{
    Fluid f =
        fluid_of("A = (think, 1).B; B = (serve, T).A; C = (rest, 1).D; D = (serve, 3 * T).C;\n"
                 "S = (serve, 2).S;\n"
                 "(A[50] || C[50]) <serve> S[10]");
    double x[MOST] = {0}, z[MOST];
    put(&f, x, "A", 20);
    put(&f, x, "B", 30);
    put(&f, x, "C", 40);
    put(&f, x, "D", 10);
    put(&f, x, "S", 10);
    place(&f, x, z);
    field_evaluate(&f.field, z, NULL); /* 20, shared 30 to 30 */
    cr_expect_float_eq(rate_of_change(&f, "A"), 10 - 20, 1e-4);
    cr_expect_float_eq(rate_of_change(&f, "C"), 10 - 40, 1e-4);
    put(&f, x, "A", 50);
    put(&f, x, "B", 0);
    put(&f, x, "C", 50);
    put(&f, x, "D", 0);
    place(&f, x, z);
    field_evaluate(&f.field, z, NULL);
    cr_expect_float_eq(rate_of_change(&f, "A"), -50, 1e-4);
    fluid_free(&f);
}

/* Conditions at whole counts are those of a chain, and linear between. */
static double conditional(const char *rate, double b)
{
    char text[256];
    double x[MOST] = {0}, z[MOST];
    (void)snprintf(text, sizeof text, "A = (a, %s).B; B = (b, 1).A; A[10]", rate);
    Fluid f = fluid_of(text);
    put(&f, x, "A", 10 - b);
    put(&f, x, "B", b);
    place(&f, x, z);
    field_evaluate(&f.field, z, NULL);
    const double change = rate_of_change(&f, "B");
    fluid_free(&f);
    return (change + b) / (10 - b);
}

Test(field, conditions)
{
    static const struct {
        const char *rate;
        double b, value;
    } cases[] = {
        {"if B > 2 then 3 else 0.5", 2, 0.5},
        {"if B > 2 then 3 else 0.5", 3, 3},
        {"if B > 2 then 3 else 0.5", 2.2, 1},
        {"if B >= 2 then 3 else 0.5", 2, 3},
        {"if B >= 2 then 3 else 0.5", 1, 0.5},
        {"if B >= 2 then 3 else 0.5", 1.2, 1},
        {"if B < 2 then 3 else 0.5", 2, 0.5},
        {"if B < 2 then 3 else 0.5", 1, 3},
        {"if B < 2 then 3 else 0.5", 1.8, 1},
        {"if B <= 2 then 3 else 0.5", 2, 3},
        {"if B <= 2 then 3 else 0.5", 2.8, 1},
        {"if B == 2 then 3 else 0.5", 2, 3},
        {"if B == 2 then 3 else 0.5", 2.8, 1},
        {"if B == 2 then 3 else 0.5", 1.2, 1},
        {"if B == 2 then 3 else 0.5", 4, 0.5},
        {"if B != 2 then 3 else 0.5", 1, 3},
        {"if B != 2 then 3 else 0.5", 2, 0.5},
        {"if B / 100 > 0.02 then 3 else 0.5", 2, 0.5},
        {"if B / 100 > 0.02 then 3 else 0.5", 2.2, 1},
        {"if B > A then 3 else 0.5", 5.1, 1}, /* one component changes both */
        {"if 2 > 1 then 3 else 0.5", 5, 3},
        {"if B > 2.5 then 3 else 0.5", 3, 3},
        {"if B > 2.5 then 3 else 0.5", 2, 0.5},
        {"if B > 2.5 then 3 else 0.5", 2.2, 1},
        {"if B >= 2.5 then 3 else 0.5", 2.2, 1},
        {"if 3 * B > 2 * A then 3 else 0.5", 4, 0.5},
        {"if 3 * B - 2 * A >= 0 then 3 else 0.5", 4, 3},
        {"if 3 * B - 2 * A > -1 then 3 else 0.5", 4, 3},
        {"if A / B >= 4 then 3 else 0.5", 2, 3},
        {"if A / B > 4 then 3 else 0.5", 2, 0.5},
        {"if A * B > 20 then 3 else 0.5", 3, 3},
        {"if A * B > 21 then 3 else 0.5", 3, 0.5},
        {"if B > 1 && A > 7 then 3 else 0.5", 2, 3},
        {"if B > 1 && A > 9 then 3 else 0.5", 2, 0.5},
        {"if B > 3 || A > 7 then 3 else 0.5", 2, 3},
        {"if !(B > 3) then 3 else 0.5", 2, 3},
        {"if B > 0 && 4 / B > 1 then 3 else 0.5", 0, 0.5},
        {"if B == 0 || 4 / B > 1 then 3 else 0.5", 0, 3},
        {"if B > 0 then 4 / B else 0.5", 0, 0.5},
        {"if B > 0 then 4 / B else 0.5", 2, 2},
        {"max(B, 3) - min(A, 2)", 4, 2},
        {"pow(B, 2) / 4 + sqrt(B) + exp(B - 4) + log(B / 4)", 4, 7},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        cr_expect_float_eq(conditional(cases[i].rate, cases[i].b), cases[i].value, 1e-5, "%s at %g",
                           cases[i].rate, cases[i].b);
}

/* Copies of composites: as many of their parts, and equations that do not grow with them. */
Test(field, copies_of_composites)
{
    Fluid one = fluid_of("A = (work, 1).A1; A1 = (go, 2).A; B = (go, 5).B1; B1 = (rest, 4).B;\n"
                         "A[300] <go> B[300]");
    Fluid many = fluid_of("A = (work, 1).A1; A1 = (go, 2).A; B = (go, 5).B1; B1 = (rest, 4).B;\n"
                          "(A <go> B)[300]");
    double x[MOST] = {0}, z[MOST], y[MOST] = {0};
    cr_expect(many.p->composite);
    cr_expect_not(one.p->composite);
    cr_expect_eq(many.field.r, one.field.r);
    const char *names[] = {"A", "A1", "B", "B1"};
    const double values[] = {100, 200, 40, 260};
    for (int i = 0; i < 4; i++) {
        put(&one, x, names[i], values[i]);
        put(&many, y, names[i], values[i]);
    }
    place(&one, x, z);
    field_evaluate(&one.field, z, NULL);
    place(&many, y, z);
    field_evaluate(&many.field, z, NULL);
    for (int i = 0; i < 4; i++)
        cr_expect_float_eq(rate_of_change(&many, names[i]), rate_of_change(&one, names[i]), 1e-4);
    fluid_free(&one);
    fluid_free(&many);
}

/* Copies of composites that cooperate with each other cannot be taken together. */
Test(field, copies_that_cooperate)
{
    Fluid f = fluid_of("A = (work, 1).A1; A1 = (go, 2).A; B = (go, 5).B1; B1 = (rest, 4).B;\n"
                       "(A <go> B)[3][rest]");
    cr_expect_not(f.p->composite);
    cr_expect_eq(f.field.n, 12);
    for (int32_t i = 0; i < f.field.n; i++)
        cr_expect_eq(f.p->total[i], 1);
    /* each of three works by itself: three ways */
    int32_t ways = 0;
    for (size_t i = 0; i < f.p->move_count; i++)
        ways += strcmp(f.c.model->actions[f.p->moves[i].action], "work") == 0;
    cr_expect_eq(ways, 3);
    fluid_free(&f);
}

/* ---- derivatives -------------------------------------------------------------------------------- */

/* A random state in which no population is empty. */
static void wander(const Fluid *f, Stream *stream, double *z)
{
    double x[MOST];
    const System *s = f->c.system;
    for (int32_t i = 0; i < s->slot_count; i++) {
        const int32_t locals = s->components[s->slots[i].component].local_count;
        double sum = 0;
        for (int32_t l = 0; l < locals; l++)
            sum += x[f->p->variable[i] + l] = 0.05 + stream_uniform(stream);
        for (int32_t l = 0; l < locals; l++)
            x[f->p->variable[i] + l] *= f->p->total[f->p->variable[i]] / sum;
    }
    place(f, x, z);
}

static void compare_jacobian(const char *text)
{
    Fluid f = fluid_of(text);
    const int32_t r = f.field.r;
    double z[MOST], jacobian[MOST * MOST], up[MOST], down[MOST];
    Stream stream;
    stream_start(&stream, 3, 0);
    for (int state = 0; state < STATES; state++) {
        wander(&f, &stream, z);
        field_evaluate(&f.field, z, NULL);
        dense_jacobian(&f.field, NULL, jacobian);
        for (int32_t k = 0; k < r; k++) {
            const double kept = z[k], step = 1e-6 * f.field.scale[k];
            z[k] = kept + step;
            field_evaluate(&f.field, z, NULL);
            field_change(&f.field, up, NULL);
            z[k] = kept - step;
            field_evaluate(&f.field, z, NULL);
            field_change(&f.field, down, NULL);
            z[k] = kept;
            for (int32_t i = 0; i < r; i++) {
                const double exact = (up[i] - down[i]) / (2 * step);
                cr_expect_float_eq(jacobian[i * r + k], exact, 1e-4 * (1 + fabs(exact)),
                                   "%s: d%d/d%d is %g, not %g", text, i, k, jacobian[i * r + k],
                                   exact);
            }
        }
    }
    fluid_free(&f);
}

Test(field, the_jacobian_is_that_of_differences)
{
    compare_jacobian(servers);
    compare_jacobian("A = (think, 1).B; B = (serve, 3).A; C = (rest, 1).D; D = (serve, 1).C;\n"
                     "S = (serve, 2).S1 + (serve, 1).S2; S1 = (log, 8).S; S2 = (flush, 1).S;\n"
                     "(A[50] || C[50]) <serve> S[10]");
    compare_jacobian("b = 3; S = (infect, b * S * I / 1000).I; I = (recover, 1).R;\n"
                     "R = (lose, if I > 200 then 2 else 0.5).S; S[1000]");
    compare_jacobian("A = (x, sqrt(1 + B)).B; B = (y, pow(A, 1.5) / (1 + A)).C;\n"
                     "C = (z, exp(-A / 50) + log(1 + B)).A; A[100]");
    compare_jacobian("A = (t, 1).B; B = (s, T).A + (s, 2 * T).C; C = (u, 3).A;\n"
                     "S = (s, 2).R; R = (v, 1).S; A[100] <s> S[20]");
}

/* ---- what has no fluid limit -------------------------------------------------------------------- */

static PepaStatus status_of(const char *text, const char *words)
{
    Compiled c = compiled_of(text, true);
    Population *p = NULL;
    PepaError err = {0};
    const PepaStatus status = population_new(&p, c.system, &c.rates, &err);
    cr_expect(strstr(err.message, words), "%s", err.message);
    population_free(p);
    compiled_free(&c);
    return status;
}

Test(field, what_has_no_fluid_limit)
{
    cr_expect_eq(status_of("W = (go, 1).V; V = (meet, 2).W; W[5]{meet}", "together"), PEPA_ELIMIT);
    cr_expect_eq(status_of("A = (a, T).B; B = (b, 1).A; A[5]", "nothing drives"), PEPA_EMODEL);
    cr_expect_eq(status_of("A = (a, T).B; B = (b, 1).A; C = (a, 1).C; C || A[5]", "nothing drives"),
                 PEPA_EMODEL);
    cr_expect_eq(status_of("A = (a, T).B; B = (a, 1).A; C = (a, 1).C; A[5] <a> C",
                           "active and passive"),
                 PEPA_EMODEL);
}

Test(field, too_many_ways_to_move)
{
    Text text = {0};
    for (int32_t i = 0; i < 1001; i++)
        text_add(&text, "A%d = (a, 1).A%d; ", i, (i + 1) % 1001);
    text_add(&text, "A0[2] <a> A0[3]");
    cr_expect_eq(status_of(text.text, "1002001 ways to move are too many"), PEPA_ELIMIT);
    text_free(&text);
    text_add(&text, "A = (b, 1).B; B = (a, 2).A; S = (a, 1).S; S <a> (A");
    for (int32_t i = 1; i < 60000; i++)
        text_add(&text, " || A");
    text_add(&text, ")");
    cr_expect_eq(status_of(text.text, "`a` is done in 60000 ways by 60001 components"),
                 PEPA_ELIMIT);
    text_free(&text);
}

/* Each population has two moves, of its own, however many there are. */
Test(field, thousands_of_populations)
{
    enum { POPULATIONS = 12000 };
    Text text = {0};
    uint8_t *seen = mem_calloc(2 * POPULATIONS, 1);
    text_add(&text, "A = (a, 1).B; B = (b, 2).A; C = (a, 3).D; D = (c, 4).C;\n");
    for (int32_t i = 0; i < POPULATIONS; i++)
        text_add(&text, "%s%s[%d]", i ? " || " : "", i % 3 ? "A" : "C", i % 7 + 1);
    Fluid f = fluid_of(text.text);
    cr_assert_eq(f.p->variables, 2 * POPULATIONS);
    cr_assert_eq(f.p->move_count, 2 * POPULATIONS);
    for (size_t i = 0; i < f.p->move_count; i++) {
        const PopulationMove *m = &f.p->moves[i];
        const PopulationStep *step = &f.p->steps[m->first];
        cr_assert(m->end == m->first + 1 && m->end_of_stays == m->end);
        cr_assert_eq(step->from ^ 1, step->to);
        cr_assert_not(seen[step->from]);
        seen[step->from] = 1;
        const char *action = f.c.model->actions[m->action];
        cr_assert_str_eq(action, step->from % 2 == 0 ? "a" : step->from / 2 % 3 ? "b" : "c");
    }
    fluid_free(&f);
    text_free(&text);
    mem_free(seen);
}
