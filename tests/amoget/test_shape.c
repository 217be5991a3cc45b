/* Sizes of chains that are known before anything is derived. */
#include "amoget/model/shape.h"
#include "lattice.h"

#include <math.h>

/* Of stages with one phase each: 3^n states, of which a chain can have 2^31 - 2. */
Test(shape, pipelines_that_are_too_long)
{
    const int64_t limits[] = {1, 242, 243, 5000000, 4000000000, INT64_MAX};
    for (int stages = 3; stages <= 40; stages++) {
        AmogetDescription *desc = lattice(stages, 2);
        Shape shape = shape_free(desc, 0, stages);
        for (size_t k = 0; k < sizeof limits / sizeof *limits; k++) {
            double states = pow(3, stages), most = fmin((double)limits[k], pow(2, 31) - 2);
            PepaError err = {0};
            PepaStatus status = shape_check_size(&shape, limits[k], &err);
            cr_expect_eq(status, states <= most ? PEPA_OK : PEPA_ELIMIT, "%d stages, %lld", stages,
                         (long long)limits[k]);
            cr_expect_eq(strstr(err.message, "raise the limit") != NULL,
                         status != PEPA_OK && stages <= 19, "%d stages: %s", stages, err.message);
            cr_expect_eq(strstr(err.message, "the first stage alone has more") != NULL, k == 0,
                         "%d stages: %s", stages, err.message);
            cr_expect_null(strstr(err.message, "at most 0"));
        }
        amoget_free(desc);
    }
}
