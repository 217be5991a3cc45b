/* Streams of samples, made up: noise, outliers, drifts and steps, the same for the same seed. */
#ifndef GRID_TESTS_STREAMS_H
#define GRID_TESTS_STREAMS_H

#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "amoget/description/description.h"
#include "grid/steer/monitor.h"

typedef struct {
    uint64_t state;
    double sigma;    /* of lognormal noise with mean 1; < 0: exponential */
    double outliers; /* share of values that are 20 times as large */
} Noise;

double uniform(Noise *noise); /* in (0, 1) */
double noisy(Noise *noise, double mean);

/* A description: stages of work 1, 2, ... and output 1e6, 2e6, ...; processors of time 0.1 and
 * availability 0.5; latency 0.01, local 0.001, bandwidth 1e8. */
AmogetDescription *make_description(int32_t stages, int32_t processors);

void see_service(GridMonitor *monitor, double time, int32_t stage, int32_t process, double seconds,
                 double bytes);
void see_move(GridMonitor *monitor, double time, int32_t a, int32_t b, double bytes,
              double seconds);
void see_probe(GridMonitor *monitor, double time, int32_t process, double seconds);
void update(GridMonitor *monitor, double time);

/* What the description says now. */
double pace_of(const AmogetDescription *desc, int32_t process); /* seconds per unit of work */
double latency_between(const AmogetDescription *desc, int32_t a, int32_t b);
double bandwidth_between(const AmogetDescription *desc, int32_t a, int32_t b);

#define expect_near(value, wanted, relative)                                                       \
    cr_expect(fabs((value) / (wanted)-1) <= (relative), "%s is %g, not %g within %g%%", #value,    \
              (double)(value), (double)(wanted), 100 * (double)(relative))

#endif
