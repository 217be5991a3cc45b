/* pepa_optimise where the k-th malloc fails, GSL's included, in a program that has told GSL not to end it: by
 * BFGS, by simplices and by Brent's method. */
#include <pepa_optimise.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern void gsl_set_error_handler_off(void); /* this need not be installed for programs */
extern void *__libc_malloc(size_t size);

static long count, fails;
void *malloc(size_t size)
{
    return fails && ++count == fails ? NULL : __libc_malloc(size);
}

static const char text[] = "lam = 1; mu = 2; C = (req, lam).W; W = (resp, infty).C;\n"
                           "S = (req, infty).B; B = (resp, mu).S; C[3] <req, resp> S[2]\n";

/* How many of the failures were told; -1: one was not PEPA_ENOMEM, or nothing was found. */
static long told(const char *measure, size_t rates)
{
    const PepaWithin within[] = {{"mu", 0.5, 5}, {"lam", 0.5, 2}};
    const PepaOptimise what = {.maximise = 1, .within = within, .within_count = rates};
    PepaModel *model = NULL;
    PepaMeasures *measures = NULL;
    long refused = 0;
    if (pepa_model_parse(&model, "m", text, strlen(text), NULL, NULL) ||
        pepa_measures_new(&measures, model, NULL) ||
        pepa_measures_add(measures, "o", measure, strlen(measure), NULL, NULL, NULL))
        return -1;
    for (fails = 1;; fails++) {
        double best[2];
        count = 0;
        const PepaStatus status =
            pepa_optimise(model, measures, &what, NULL, best, NULL, NULL, NULL, NULL);
        if (status != PEPA_OK && status != PEPA_ENOMEM)
            refused = -1;
        if (count < fails || refused < 0)
            break;
        refused += status != PEPA_OK;
    }
    fails = 0;
    pepa_measures_free(measures);
    pepa_model_free(model);
    return refused;
}

int main(void)
{
    gsl_set_error_handler_off();
    const long smooth = told("throughput:resp", 2), one = told("min(throughput:resp, 0.9)", 1),
               rough = told("min(throughput:resp, 0.9) - max(rate:mu, 1.5)", 2);
    (void)printf("told %ld, %ld, %ld\n", smooth, one, rough);
    return smooth > 100 && one > 100 && rough > 100 ? EXIT_SUCCESS : EXIT_FAILURE;
}
