/* What a decision remembers of those before it.  Without noise, so that the true description says
 * what each number is. */
#include <stdlib.h>

#include "virtual.h"

typedef struct {
    Virtual v;
    char *text; /* the log */
    size_t size;
    FILE *log;
} Scene;

static void begin(Scene *s, GridReschedulerSettings set)
{
    set.log = s->log = open_memstream(&s->text, &s->size);
    cr_assert_not_null(s->log);
    s->v = virtual_three(&set);
    s->v.noise = s->v.probe_noise = (Noise){1, 0, 0};
}

static void end(Scene *s)
{
    virtual_free(&s->v);
    cr_assert_eq(fclose(s->log), 0);
    free(s->text);
}

static void slow_down(Scene *s, int32_t process, double seconds_per_unit)
{
    (void)amoget_set_time(amoget_machine(s->v.truth), process, seconds_per_unit, NULL);
}

/* A decision after so many more items. */
static int decide_after(Scene *s, int items)
{
    s->v.period = (items + 0.5) / virtual_now(&s->v);
    s->v.done = floor(s->v.done);
    return virtual_period(&s->v);
}

static bool says(const Scene *s, const char *what)
{
    return strstr(s->text, what) != NULL;
}

/* Did the last alarm say that the present mapping gave `throughput` earlier? */
static void expect_earlier(const Scene *s, double throughput)
{
    char wanted[80];
    (void)snprintf(wanted, sizeof wanted, "moved at once, it gave %.3g\n", throughput);
    cr_expect(says(s, wanted), "no \"%s\" in\n%s", wanted, s->text);
}

/* least_samples services are enough to know the throughput, and an estimate after the fall does not
 * replace it, however many services that has. */
Test(earlier, four_services_are_enough)
{
    Scene s = {.text = NULL};
    begin(&s, grid_rescheduler_default());
    double before = virtual_now(&s.v);
    cr_expect_eq(decide_after(&s, 4), 0);
    slow_down(&s, 1, 1);
    cr_expect_eq(decide_after(&s, 30), 1);
    expect_earlier(&s, before);
    end(&s);
}

/* Four services say the throughput to 14%.  At five standard errors that explains a fall to 60%. */
Test(earlier, few_services_leave_it_open)
{
    Scene s = {.text = NULL};
    GridReschedulerSettings set = grid_rescheduler_default();
    set.certainty = 5;
    begin(&s, set);
    cr_expect_eq(decide_after(&s, 4), 0);
    double before = virtual_now(&s.v);
    slow_down(&s, 1, 0.28);
    double ratio = virtual_now(&s.v) / before;
    cr_assert(ratio < set.alarm - 0.05 && ratio > 0.5, "%g", ratio);
    cr_expect_eq(decide_after(&s, 40), 0);
    cr_expect(says(&s, "until the next decision confirms it"), "%s", s.text);
    end(&s);
}

/* Slower twice: the throughput that is known best is the first one. */
Test(earlier, the_smallest_error_counts)
{
    Scene s = {.text = NULL};
    begin(&s, grid_rescheduler_default());
    double before = virtual_now(&s.v);
    cr_expect_eq(decide_after(&s, 60), 0);
    slow_down(&s, 1, 0.18);
    double ratio = virtual_now(&s.v) / before;
    cr_assert(ratio > 0.7 && ratio < 0.9, "%g", ratio);
    cr_expect_eq(decide_after(&s, 20), 0);
    slow_down(&s, 1, 0.27);
    cr_assert_lt(virtual_now(&s.v) / before, 0.65);
    cr_expect_eq(decide_after(&s, 20), 1);
    expect_earlier(&s, before);
    end(&s);
}

/* Another mapping than expected is no fall of the one before. */
Test(earlier, is_of_the_present_mapping)
{
    Scene s = {.text = NULL};
    begin(&s, grid_rescheduler_default());
    cr_expect_eq(decide_after(&s, 40), 0);
    s.v.mapping[1] = s.v.mapping[2] = 0;
    cr_expect_eq(decide_after(&s, 40), 0);
    cr_expect(says(&s, "until the next decision confirms it"), "%s", s.text);
    end(&s);
}

/* Moved from one processor to three, one of which slows down at once. */
Test(earlier, is_what_was_predicted_after_a_move)
{
    Scene s = {.text = NULL};
    begin(&s, grid_rescheduler_default());
    s.v.mapping[1] = s.v.mapping[2] = 0;
    cr_expect_eq(decide_after(&s, 40), 0);
    cr_expect_eq(decide_after(&s, 40), 1);
    double predicted = virtual_now(&s.v);
    slow_down(&s, s.v.mapping[1], 1);
    cr_expect_eq(decide_after(&s, 20), 1);
    expect_earlier(&s, predicted);
    end(&s);
}

/* So many probes of a process, in a hundredth of a second. */
static void probe(Scene *s, int32_t process, int count)
{
    for (int k = 0; k < count; k++)
        see_probe(s->v.monitor, s->v.time + 1e-2 * k / count, process,
                  0.001 * pace_of(s->v.truth, process));
}

/* After a move, the next one is confirmed again: to a processor that becomes faster. */
Test(earlier, a_move_confirms_no_other)
{
    Scene s = {.text = NULL};
    begin(&s, grid_rescheduler_default());
    probe(&s, 3, 10);
    s.v.mapping[1] = s.v.mapping[2] = 0;
    cr_expect_eq(decide_after(&s, 40), 0);
    cr_expect_eq(decide_after(&s, 40), 1);
    cr_assert(s.v.mapping[0] != 3 && s.v.mapping[1] != 3 && s.v.mapping[2] != 3);
    (void)amoget_set_time(amoget_machine(s.v.truth), 3, 0.01, NULL);
    probe(&s, 3, 15);
    cr_expect_eq(decide_after(&s, 40), 0, "%s", s.text);
    cr_expect_eq(decide_after(&s, 40), 1, "%s", s.text);
    end(&s);
}

/* The number after the last `key` of the log. */
static double last_of(const Scene *s, const char *key)
{
    double value = NAN;
    for (const char *at = s->text; (at = strstr(at, key)) != NULL; at++)
        (void)sscanf(at + strlen(key), "\": %lf", &value);
    return value;
}

/* Items per second since the last decision; and those that are left, at the present throughput. */
Test(earlier, items_since_and_items_left)
{
    Scene s = {.text = NULL};
    GridReschedulerSettings set = grid_rescheduler_default();
    set.items = 1000;
    set.horizon = 0; /* not needed */
    set.json = 1;
    begin(&s, set);
    s.v.mapping[1] = s.v.mapping[2] = 0;
    (void)s.v.controller.decide(s.v.controller.user, 10, 300, s.v.mapping);
    cr_expect(isnan(last_of(&s, "seen")));
    expect_near(last_of(&s, "seconds_left"), (1000 - 300) / virtual_now(&s.v), 1e-6);
    (void)s.v.controller.decide(s.v.controller.user, 30, 400, s.v.mapping);
    expect_near(last_of(&s, "seen"), (400 - 300) / 20.0, 1e-12);
    end(&s);
}
