/* How much tests of random or large inputs do. */
#ifndef PEPA_TESTS_SCALE_H
#define PEPA_TESTS_SCALE_H

#include <stdlib.h>

/* PEPA_TEST_SCALE times so many, at least one. */
static inline int scaled(int count)
{
    const char *scale = getenv("PEPA_TEST_SCALE");
    double factor = scale && *scale ? atof(scale) : 1;
    int result = (int)(count * factor);
    return result < 1 ? 1 : result;
}

#endif
