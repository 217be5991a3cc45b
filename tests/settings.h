/* Settings as the library's inner functions take them: complete. */
#ifndef PEPA_TESTS_SETTINGS_H
#define PEPA_TESTS_SETTINGS_H

#include "pepa.h"

static inline PepaSettings settings_for_tests(void)
{
    return (PepaSettings){.threads = 1, .solve.tolerance = 1e-10};
}

#endif
