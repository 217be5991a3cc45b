/* bench_products TIME MODEL: what a transient solution costs beside its products.  Finds the
 * distribution of the model at that time by one thread, and times products of a vector with the
 * generator and nothing else, before and after.  Prints one line, members of a JSON object: states,
 * steps, CPU seconds of the solution, of one product, and how many times the one is of the other
 * times the steps. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "api/handles.h"
#include "ctmc/operator.h"
#include "pepa_transient.h"

static void must(PepaStatus status, const PepaError *err)
{
    if (status == PEPA_OK)
        return;
    (void)fprintf(stderr, "bench_products: %s\n", err->message);
    exit(1);
}

static double cpu_seconds(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* next = x Q: the least that a product can do with what flows in. */
static void store(void *user, int32_t part, int64_t first, int32_t count, const double *in,
                  const double *exit)
{
    double *next = user;
    (void)part;
    (void)exit;
    for (int32_t k = 0; k < count; k++)
        next[first + k] = in[k];
}

/* CPU seconds of a product: the best of three batches of at least 0.2 s. */
static double product_seconds(const Chain *chain, const double *x, double *next)
{
    PepaError err;
    Operator *op = NULL;
    double best = 1e9;
    must(operator_new(&op, chain, NULL, 1, NULL, &err), &err);
    for (int batch = 0; batch < 3; batch++) {
        const double start = cpu_seconds();
        int times = 0;
        do {
            operator_inflow(op, chain->now.term, x, store, next);
            times++;
        } while (cpu_seconds() - start < 0.2);
        const double each = (cpu_seconds() - start) / times;
        best = each < best ? each : best;
    }
    operator_free(op);
    return best;
}

int main(int argc, char **argv)
{
    PepaError err;
    PepaModel *model = NULL;
    PepaChain *chain = NULL;
    PepaTransientInfo info;
    const PepaSettings set = {.threads = 1};
    char *end = NULL;
    const double time = argc == 3 ? strtod(argv[1], &end) : 0;
    if (argc != 3 || *end) {
        (void)fputs("usage: bench_products TIME MODEL\n", stderr);
        return 2;
    }
    must(pepa_model_load(&model, argv[2], NULL, &err), &err);
    must(pepa_chain_derive(&chain, model, &set, &err), &err);
    const size_t n = (size_t)pepa_chain_info(chain).states;
    double *x = calloc(n, sizeof *x), *next = calloc(n, sizeof *next);
    if (!x || !next)
        must(error_memory(&err), &err);
    for (size_t i = 0; i < n; i++)
        x[i] = 1 / (double)n;
    const double before = product_seconds(chain->chain, x, next), start = cpu_seconds();
    must(pepa_transient_distribution(chain, time, &set, x, &info, &err), &err);
    const double solution = cpu_seconds() - start;
    const double after = product_seconds(chain->chain, x, next);
    const double product = after < before ? after : before;
    (void)printf("\"states\": %zu, \"steps\": %lld, \"solution_s\": %.6f, \"product_s\": %.9f, "
                 "\"ratio\": %.3f\n",
                 n, (long long)info.steps, solution, product,
                 solution / (product * (double)info.steps));
    free(x);
    free(next);
    pepa_chain_free(chain);
    pepa_model_free(model);
    return 0;
}
