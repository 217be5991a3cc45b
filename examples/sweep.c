/* Explore once, then solve for many values of a rate: nothing is parsed or explored again, and
 * each solution starts from the one before.
 *   cc sweep.c $(pkg-config --cflags --libs pepa) */
#include <pepa.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char text[] = "// Ten clients and a key server (a machine repair model).\n"
                           "think = 0.2; respond = 1.0;\n"
                           "Client = (request, think).Waiting;\n"
                           "Waiting = (response, T).Client;\n"
                           "Server = (response, respond).Server;\n"
                           "Client[10] <response> Server\n";

int main(void)
{
    PepaModel *model = NULL;
    PepaChain *chain = NULL;
    PepaSteady *steady = NULL;
    PepaError err;
    PepaSettings set = {0};
    double *pi = NULL, respond, throughput;
    PepaStatus status = pepa_model_parse(&model, "keys", text, strlen(text), NULL, &err);

    if (status == PEPA_OK)
        status = pepa_chain_derive(&chain, model, &set, &err);
    if (status == PEPA_OK)
        status = pepa_steady_new(&steady, chain, &err);
    if (status == PEPA_OK)
        pi = malloc((size_t)pepa_chain_info(chain).states * sizeof *pi);
    if (status == PEPA_OK && pi)
        printf("respond  throughput\n");
    for (respond = 0.5; status == PEPA_OK && pi && respond < 5; respond *= 2) {
        status = pepa_chain_set_rate(chain, "respond", respond, &err);
        if (status == PEPA_OK)
            status = pepa_steady_solve(steady, &set, pi, NULL, &err);
        if (status == PEPA_OK)
            status = pepa_throughput(chain, pi, "response", &throughput, &err);
        if (status == PEPA_OK)
            printf("%7.3g  %.8f\n", respond, throughput);
        set.solve.warm_start = 1;
    }
    if (status != PEPA_OK)
        fprintf(stderr, "sweep: %s\n", err.message);
    free(pi);
    pepa_steady_free(steady);
    pepa_chain_free(chain);
    pepa_model_free(model);
    return status == PEPA_OK && pi ? 0 : 1;
}
