/* How much tests of random or large inputs do. */
#ifndef PEPA_TESTS_SCALE_H
#define PEPA_TESTS_SCALE_H

#include <stdbool.h>
#include <stdlib.h>

/* PEPA_TEST_SCALE times so many, at least one. */
static inline int scaled(int count)
{
    const char *scale = getenv("PEPA_TEST_SCALE");
    double factor = scale && *scale ? atof(scale) : 1;
    int result = (int)(count * factor);
    return result < 1 ? 1 : result;
}

/* LONG=1, as in `make soak`: may a test take a minute? */
static inline bool run_is_long(void)
{
    const char *asked = getenv("LONG");
    return asked && *asked == '1';
}

#endif
