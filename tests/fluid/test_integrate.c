/* The integrator against closed forms and against GSL's. */
#include "fluid/integrate.h"

#include <criterion/criterion.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>
#include <math.h>
#include <string.h>

#include "settings.h"

enum { MOST_STEPS = 1000000 };

/* The Jacobian of the test that runs, all of whose entries are there: rows first. */
enum { MOST_SIZE = 3 };
static double jacobian[MOST_SIZE * MOST_SIZE];

static Resolvent *resolvent_of(int32_t size)
{
    static int32_t row[MOST_SIZE + 1], col[MOST_SIZE * MOST_SIZE];
    const Sparse all = {.rows = size, .row = row, .col = col, .value = jacobian};
    Resolvent *resolvent = NULL;
    PepaError err = {0};
    for (int32_t i = 0; i <= size; i++)
        row[i] = i * size;
    for (int32_t k = 0; k < size * size; k++)
        col[k] = k % size;
    cr_assert_eq(resolvent_new(&resolvent, &all, size, &err), PEPA_OK);
    return resolvent;
}

static Ode *ode_of(const OdeSystem *system, const double *y, double tolerance)
{
    Ode *ode = NULL;
    PepaError err = {0};
    cr_assert_eq(ode_new(&ode, system, y, tolerance, &err), PEPA_OK);
    return ode;
}

static void go(Ode *ode, double time, double *y)
{
    const PepaSettings set = {0};
    PepaError err = {0};
    cr_assert_eq(ode_run(ode, time, MOST_STEPS, &set, y, &err), PEPA_OK, "%s", err.message);
}

/* ---- one equation, with a fast and a slow part: y' = -l (y - cos t) - sin t, t' = 1 ------------- */

static double stiffness = 1;

static void chase(void *user, const double *y, double *f)
{
    (void)user;
    f[0] = -stiffness * (y[0] - cos(y[1])) - sin(y[1]);
    f[1] = 1;
}
static void chase_jacobian(void *user, const double *y)
{
    double *j = jacobian;
    (void)user;
    j[0] = -stiffness;
    j[1] = -stiffness * sin(y[1]) - cos(y[1]);
    j[2] = j[3] = 0;
}
static OdeSystem chasing(void)
{
    return (OdeSystem){.size = 2,
                       .change = chase,
                       .jacobian = chase_jacobian,
                       .resolvent = resolvent_of(2)};
}

Test(integrate, a_stiff_equation_has_its_closed_form)
{
    const OdeSystem system = chasing();
    for (stiffness = 1; stiffness <= 1e8; stiffness *= 100) {
        double y[] = {1, 0};
        Ode *ode = ode_of(&system, y, 1e-8);
        for (double t = 0.3; t < 20; t += 0.7) {
            go(ode, t, y);
            cr_expect_float_eq(y[0], cos(t), 1e-7, "stiffness %g, time %g: %.3g off", stiffness, t,
                               fabs(y[0] - cos(t)));
            cr_expect_float_eq(y[1], t, 1e-9);
        }
        cr_expect_lt(ode_steps(ode), 20000); /* 15 seconds of 1 / stiffness would be 10^9 */
        ode_free(ode);
    }
    resolvent_free(system.resolvent);
}

/* Of order 4: ten thousand times more accurate steps are ten times as many. */
Test(integrate, order)
{
    const OdeSystem system = chasing();
    int64_t steps[2];
    stiffness = 1;
    for (int i = 0; i < 2; i++) {
        double y[] = {1, 0};
        Ode *ode = ode_of(&system, y, i ? 1e-10 : 1e-6);
        go(ode, 100, y);
        steps[i] = ode_steps(ode);
        ode_free(ode);
    }
    resolvent_free(system.resolvent);
    cr_expect_gt(steps[1], 7 * steps[0], "%d, %d steps", (int)steps[0], (int)steps[1]);
    cr_expect_lt(steps[1], 14 * steps[0], "%d, %d steps", (int)steps[0], (int)steps[1]);
}

/* ---- three reactions, of rates 0.04, 10^4 and 3 10^7 (Robertson) ------------------------------- */

static void react(void *user, const double *y, double *f)
{
    (void)user;
    f[0] = -0.04 * y[0] + 1e4 * y[1] * y[2];
    f[2] = 3e7 * y[1] * y[1];
    f[1] = -f[0] - f[2];
}
static void fill_reaction(const double *y, double *j)
{
    const double all[] = {-0.04,       1e4 * y[2], 1e4 * y[1], 0.04, -1e4 * y[2] - 6e7 * y[1],
                          -1e4 * y[1], 0,          6e7 * y[1], 0};
    memcpy(j, all, sizeof all);
}
static void react_jacobian(void *user, const double *y)
{
    (void)user;
    fill_reaction(y, jacobian);
}
static int gsl_react(double t, const double *y, double *f, void *user)
{
    (void)t;
    react(user, y, f);
    return GSL_SUCCESS;
}
static int gsl_react_jacobian(double t, const double *y, double *j, double *by_t, void *user)
{
    (void)t;
    (void)user;
    fill_reaction(y, j);
    by_t[0] = by_t[1] = by_t[2] = 0;
    return GSL_SUCCESS;
}

Test(integrate, agrees_with_another_integrator)
{
    const OdeSystem system = {.size = 3,
                              .change = react,
                              .jacobian = react_jacobian,
                              .resolvent = resolvent_of(3)};
    double y[] = {1, 0, 0}, other[] = {1, 0, 0}, t = 0;
    gsl_odeiv2_system s = {gsl_react, gsl_react_jacobian, 3, NULL};
    gsl_odeiv2_driver *d =
        gsl_odeiv2_driver_alloc_y_new(&s, gsl_odeiv2_step_msbdf, 1e-6, 1e-14, 1e-10);
    Ode *ode = ode_of(&system, y, 1e-10);
    for (double to = 0.4; to < 1e5; to *= 10) {
        cr_assert_eq(gsl_odeiv2_driver_apply(d, &t, to, other), GSL_SUCCESS);
        go(ode, to, y);
        for (int i = 0; i < 3; i++)
            cr_expect_float_eq(y[i], other[i], 1e-7 * fabs(other[i]) + 1e-12);
        cr_expect_float_eq(y[0] + y[1] + y[2], 1, 1e-12); /* it is linear */
    }
    gsl_odeiv2_driver_free(d);
    ode_free(ode);
    resolvent_free(system.resolvent);
}

/* ---- pieces: min(1, y) drains y, exactly from 3 in time 2, then exponentially ------------------- */

typedef struct {
    bool below;
    int turns;
} Drain;

static void drain(void *user, const double *y, double *f)
{
    const Drain *d = user;
    f[0] = d->below ? -y[0] : -1;
}
static void drain_jacobian(void *user, const double *y)
{
    const Drain *d = user;
    (void)y;
    jacobian[0] = d->below ? -1 : 0;
}
static bool drained(void *user, const double *y)
{
    const Drain *d = user;
    return d->below ? y[0] > 1 + 1e-9 : y[0] < 1 - 1e-9;
}
static bool drain_turn(void *user, const double *y)
{
    Drain *d = user;
    d->below = y[0] < 1;
    d->turns++;
    return true;
}

Test(integrate, a_piece_ends_where_it_does)
{
    Drain state = {0};
    const OdeSystem system = {1,       drain,      drain_jacobian, resolvent_of(1),
                              drained, drain_turn, NULL,           &state};
    double y = 3;
    Ode *ode = ode_of(&system, &y, 1e-10);
    for (double t = 0.5; t < 8; t += 0.5) {
        const double exact = t <= 2 ? 3 - t : exp(2 - t);
        go(ode, t, &y);
        cr_expect_float_eq(y, exact, 2e-8, "time %g: %.3g off", t, fabs(y - exact));
    }
    cr_expect_eq(state.turns, 1);
    cr_expect_eq(ode_turns(ode), 1);
    cr_expect_lt(ode_steps(ode), 600);
    ode_free(ode);
    resolvent_free(system.resolvent);
}

/* A step that is as long as a stiff equation allows ends where the piece does, too. */
static bool is_negative(void *user, const double *y)
{
    const double *ended = user;
    return *ended == 0 && y[0] < -1e-9;
}
static bool note_time(void *user, const double *y)
{
    *(double *)user = y[1];
    return true;
}

Test(integrate, a_stiff_piece_ends_where_it_does)
{
    for (stiffness = 1; stiffness <= 1e8; stiffness *= 100) {
        double ended = 0, y[] = {1, 0};
        OdeSystem system = chasing();
        system.beyond = is_negative;
        system.turn = note_time;
        system.user = &ended;
        Ode *ode = ode_of(&system, y, 1e-8);
        go(ode, 10, y);
        cr_expect_eq(ode_turns(ode), 1);
        cr_expect_float_eq(ended, 1.5707963267948966, 1e-6, "stiffness %g: %.10g", stiffness,
                           ended);
        cr_expect_float_eq(y[0], cos(10), 1e-6);
        ode_free(ode);
        resolvent_free(system.resolvent);
    }
}

/* ---- what fails --------------------------------------------------------------------------------- */

static void explode(void *user, const double *y, double *f)
{
    (void)user;
    f[0] = y[0] * y[0]; /* 1 / (1 - t) */
}
static void explode_jacobian(void *user, const double *y)
{
    (void)user;
    jacobian[0] = 2 * y[0];
}

Test(integrate, an_explosion_is_an_error)
{
    const OdeSystem system = {.size = 1,
                              .change = explode,
                              .jacobian = explode_jacobian,
                              .resolvent = resolvent_of(1)};
    const PepaSettings set = {0};
    PepaError err = {0};
    double y = 1;
    Ode *ode = ode_of(&system, &y, 1e-8);
    go(ode, 0.9, &y);
    cr_expect_float_eq(y, 10, 1e-5);
    cr_expect_eq(ode_run(ode, 2, MOST_STEPS, &set, &y, &err), PEPA_ENOCONV);
    cr_expect_float_eq(ode_reached(ode), 1, 1e-6);
    ode_free(ode);
    resolvent_free(system.resolvent);
}

static int stop(void *user, const PepaProgress *now)
{
    int *calls = user;
    cr_expect_str_eq(now->phase, "fluid");
    return ++*calls == 3;
}

Test(integrate, steps_are_limited_and_can_be_cancelled)
{
    double y[] = {1, 0};
    int calls = 0;
    const PepaSettings none = {0}, set = {.progress = stop, .user = &calls};
    PepaError err = {0};
    stiffness = 1;
    const OdeSystem system = chasing();
    Ode *ode = ode_of(&system, y, 1e-10);
    cr_expect_eq(ode_run(ode, 1e9, 50, &none, y, &err), PEPA_ENOCONV);
    cr_expect_eq(ode_steps(ode), 50);
    cr_expect_eq(ode_run(ode, 1e9, MOST_STEPS, &set, y, &err), PEPA_ECANCEL);
    cr_expect_eq(calls, 3);
    ode_free(ode);
    resolvent_free(system.resolvent);
}
