/* Solve a model held in memory and print two measures.
 *   cc solve.c $(pkg-config --cflags --libs pepa) */
#include <pepa.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char text[] = "// Jobs arrive at a machine with room for two.\n"
                           "arrive = 1.0; serve = 2.0;\n"
                           "Empty = (arrive, arrive).One;\n"
                           "One   = (arrive, arrive).Two + (serve, serve).Empty;\n"
                           "Two   = (serve, serve).One;\n"
                           "Empty\n";

static int fail(const char *what, const PepaError *err)
{
    fprintf(stderr, "%s: %u:%u: %s\n", what, err->line, err->column, err->message);
    return 1;
}

int main(void)
{
    PepaModel *model = NULL;
    PepaChain *chain = NULL;
    PepaError err;
    PepaInfo info;
    double *pi, done, population[3];
    int32_t k;

    if (pepa_model_parse(&model, "queue", text, strlen(text), NULL, &err) != PEPA_OK)
        return fail("parse", &err);
    if (pepa_chain_derive(&chain, model, NULL, &err) != PEPA_OK)
        return fail("derive", &err);
    pi = malloc((size_t)pepa_chain_info(chain).states * sizeof *pi);
    if (!pi || pepa_solve_steady(chain, NULL, pi, &info, &err) != PEPA_OK)
        return fail("solve", &err);

    if (pepa_throughput(chain, pi, "serve", &done, &err) != PEPA_OK ||
        pepa_populations(chain, pi, population, &err) != PEPA_OK)
        return fail("measure", &err);
    printf("%lld states, solved by %s\n", (long long)pepa_chain_info(chain).states, info.method);
    printf("jobs done per unit of time: %.10g\n", done);
    for (k = 0; k < 3; k++)
        printf("share of time in %-5s     %.10g\n", pepa_chain_local_name(chain, k), population[k]);

    free(pi);
    pepa_chain_free(chain);
    pepa_model_free(model);
    return 0;
}
