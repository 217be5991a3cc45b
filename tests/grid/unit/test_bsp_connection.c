/* Windows of connections: closed forms of slow start, and segments one by one. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "grid/bsp/predict/connection.h"
#include "grid/bsp/predict/timeline.h"

static void is(int line, double x, double y)
{
    cr_expect(fabs(x - y) <= 1e-12 * fabs(y) + 1e-15, "line %d: %.15g, not %.15g", line, x, y);
}
#define IS(x, y) is(__LINE__, x, y)

/* A byte takes nothing: w (2^k - 1) bytes take k - 1 round trips, and one byte more takes k. */
Test(bsp_connection, round_trips_of_slow_start)
{
    const Path path = {.round_trip = 2, .restart = 1000};
    for (int k = 1; k <= 20; k++) {
        const double bytes = 1000 * (exp2(k) - 1);
        Connection c = {.window = 1000};
        IS(connection_send(&c, &path, bytes, 0), 2 * (k - 1));
        IS(c.window, 1000 * exp2(k)); /* each byte that is acknowledged is one more */
        IS(c.used, 2 * (k - 1));
        c = (Connection){.window = 1000};
        IS(connection_send(&c, &path, bytes + 1, 5), 2 * k);
        IS(c.used, 5 + 2 * k);
    }
}

/* Once a window takes as long as a round trip, the link decides: of a window of 1000 bytes, 1 ms each and
 * 3 s for a round trip, 1000 and 2000 bytes wait for answers, 4000 do not. */
Test(bsp_connection, a_full_link)
{
    const Path path = {.byte = 1e-3, .round_trip = 3, .restart = 1000};
    const struct {
        double bytes, seconds;
    } cases[] = {{500, 0.5}, {1000, 1}, {1500, 3.5}, {3000, 5}, {3500, 6.5}, {1e6, 6 + 997}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Connection c = {.window = 1000};
        IS(connection_send(&c, &path, cases[i].bytes, 0), cases[i].seconds);
    }
    Connection c = {.window = 3000}; /* just full */
    IS(connection_send(&c, &path, 1e6, 0), 1000);
}

/* A timeout is the round trip and 0.2 s; the window is halved for each, down to the restart window. */
Test(bsp_connection, pauses)
{
    const Path path = {.round_trip = 0.1, .restart = 1000};
    const double pauses[] = {0, 0.29, 0.31, 0.59, 0.61, 0.91, 1.21, 30};
    const int halved[] = {0, 0, 1, 1, 2, 3, 3, 3};
    for (size_t i = 0; i < sizeof pauses / sizeof *pauses; i++) {
        const double window = 8000 / exp2(halved[i]);
        Connection c = {.window = 8000, .used = 7};
        IS(connection_send(&c, &path, window, 7 + pauses[i]), 0);
        c = (Connection){.window = 8000, .used = 7};
        IS(connection_send(&c, &path, window + 1, 7 + pauses[i]), 0.1);
    }
}

/* What takes at most half of the window does not count as use of it; what takes more makes it grow. */
Test(bsp_connection, use)
{
    const Path path = {.round_trip = 0.1, .restart = 1000};
    Connection c = {.window = 8000};
    (void)connection_send(&c, &path, 4000, 0.2);
    IS(c.window, 8000);
    IS(c.used, 0);
    (void)connection_send(&c, &path, 5000, 0.2);
    IS(c.window, 10000);
    IS(c.used, 0.2);
    (void)connection_send(&c, &path, 11000, 0.3);
    IS(c.window, 21000);
    IS(c.used, 0.4);
}

/* Segments one by one: each leaves when the link is free and fewer than a window are under way, and its
 * acknowledgement, a round trip after it has left, lets one more be under way than before. */
static double by_segments(int segments, int window, double segment, double round_trip)
{
    static double left[10000];
    int under_way = 0, answered = 0;
    double now = 0;
    for (int i = 0; i < segments; i++) {
        for (; answered < i && left[answered] + round_trip <= now; answered++, window++)
            under_way--;
        for (; under_way >= window; answered++, window++, under_way--)
            now = fmax(now, left[answered] + round_trip);
        now += segment;
        left[i] = now;
        under_way++;
    }
    return now;
}

/* Rounds begin with the answer to the first segment of the round before: a segment later each time. */
Test(bsp_connection, like_segments_one_by_one)
{
    const double size = 1460, rates[] = {1.25e6, 12.5e6, 125e6}, far[] = {5e-3, 40e-3, 160e-3};
    for (int i = 0; i < 9; i++) {
        const double segment = size / rates[i / 3], round_trip = far[i % 3];
        for (int n = 1; n <= 9000; n = n * 5 / 4 + 1) {
            const Path path = {segment / size, round_trip, 10 * size};
            Connection c = {.window = 10 * size};
            const double fluid = connection_send(&c, &path, n * size, 0);
            const double exact = by_segments(n, 10, segment, round_trip);
            cr_expect(fabs(fluid - exact) <= 11 * segment, "%d segments, case %d: %g, not %g", n, i,
                      fluid, exact);
        }
    }
}

/* ---- in a program ---------------------------------------------------------------------------- */

/* The supersteps of a trace on the processors of a network; `window`: of the platform. */
static double run(const char *network, const char *steps, double window, double *each)
{
    char text[1000], described[1000];
    AmogetMachine *machine = NULL;
    Trace *trace = NULL;
    PepaError err = {0};
    double sum = -1;
    const Platform platform = {.unit = 1, .window = window};
    Placement where;
    (void)snprintf(text, sizeof text, "bsp-trace 1\nprocesses 3\n%s", steps);
    (void)snprintf(described, sizeof described,
                   "processors { a time 1; b time 1; c time 1; }\nnetwork { %s }\n", network);
    cr_assert_eq(amoget_machine_parse(&machine, "m", described, strlen(described), NULL, &err),
                 PEPA_OK);
    cr_assert_eq(trace_read(&trace, "t", text, strlen(text), NULL, NULL, &err), PEPA_OK);
    cr_assert(placement_new(&where, machine, &platform, 3));
    for (int32_t p = 0; p < 3; p++)
        where.at[p] = p;
    placement_update(&where);
    cr_assert_eq(timeline_run(trace, &where, each, &sum, &err), PEPA_OK);
    placement_free(&where);
    trace_free(trace);
    amoget_machine_free(machine);
    return sum;
}

/* bsp_begin has opened a window of 1 MB.  40 seconds later it is 10 kB again: of 200 kB there go 10, 20,
 * 40, 80 and 50 kB.  Then it is open. */
Test(bsp_connection, after_long_work)
{
    static const char network[] = "latency default 0.1; bandwidth default 10 MB;",
                      steps[] = "step 1\nsend 0 1 200000\n"
                                "step 2\nwork 0 40\nwork 1 40\nwork 2 40\nsend 0 1 200000\n"
                                "step 3\nwork 0 0.2\nsend 0 1 200000\nstep 4\nsend 0 2 200000\n";
    double each[4];
    (void)run(network, steps, 10000, each);
    IS(each[0], 0.02 + 0.1);
    IS(each[1], 40 + 4 * 0.2 + 0.005 + 0.1 - 0.02); /* a and c began 20 ms before b */
    IS(each[3], 4 * 0.2 + 0.005 + 0.1);             /* another connection */
    (void)run(network, steps, 0, each);
    IS(each[1], 40 + 0.02 + 0.1 - 0.02);
}

/* Short links are not warmed up; the others to 1 MB. */
Test(bsp_connection, when_the_program_begins)
{
    double each[1];
    (void)run("latency default 0.9 ms; bandwidth default 40 MB;", "step 1\nsend 0 1 20000\n", 1000,
              each);
    IS(each[0], 4 * 1.8e-3 + 5000 / 40e6 + 0.9e-3);
    (void)run("latency default 1.1 ms; bandwidth default 40 MB;", "step 1\nsend 0 1 20000\n", 1000,
              each);
    IS(each[0], 20000 / 40e6 + 1.1e-3);
    (void)run("latency default 1; bandwidth default 10 MB;", "step 1\nsend 0 1 1048576\n", 1000,
              each);
    IS(each[0], 0.1048576 + 1);
    (void)run("latency default 1; bandwidth default 10 MB;", "step 1\nsend 0 1 1048577\n", 1000,
              each);
    IS(each[0], 2 + 1e-7 + 1);
}

/* While a's data for b waits for an answer, 10 s, that for c has the link: c goes on after 0.2 s. */
Test(bsp_connection, others_have_the_link)
{
    double each[2];
    (void)run("latency default 0.1; latency a b 5; bandwidth default 10 kB;",
              "step 1\nwork 0 1e4\nwork 1 1e4\nwork 2 1e4\nsend 0 1 3000\nsend 0 2 1000\n"
              "step 2\nwork 2 100\n",
              2000, each);
    IS(each[0], 1e4 + 10.1 + 5);
    IS(each[0] + each[1], 1e4 + 0.1 + 0.1 + 100 + 0.1);
}
