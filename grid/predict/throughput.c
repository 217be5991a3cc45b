/* Solves a model by the engine. */
#include "grid/predict/throughput.h"

#include <string.h>

#include "base/error.h"
#include "base/mem.h"

PepaStatus text_throughput(const char *text, const char *name, const char *action,
                           const PepaSettings *set, double *out, PepaError *err)
{
    PepaModel *model = NULL;
    PepaChain *chain = NULL;
    double *pi = NULL;
    PepaInfo info;
    PepaStatus status = pepa_model_parse(&model, name, text, strlen(text), NULL, err);
    if (status == PEPA_OK)
        status = pepa_chain_derive(&chain, model, set, err);
    if (status == PEPA_OK && !mem_new(pi, pepa_chain_info(chain).states))
        status = error_memory(err);
    if (status == PEPA_OK)
        status = pepa_solve_steady(chain, set, pi, &info, err);
    if (status == PEPA_OK)
        status = pepa_throughput(chain, pi, action, out, err);
    mem_free(pi);
    pepa_chain_free(chain);
    pepa_model_free(model);
    return status;
}
