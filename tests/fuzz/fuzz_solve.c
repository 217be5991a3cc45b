/* Any bytes, from text to solution: an answer that is a distribution, or a reason. */
#include <math.h>
#include <stdlib.h>

#include "pepa.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void look(const PepaChain *chain, const double *pi, const PepaInfo *info)
{
    PepaChainInfo about = pepa_chain_info(chain);
    double sum = 0;
    for (int32_t s = 0; s < about.states; s++) {
        if (!(pi[s] >= 0))
            abort();
        sum += pi[s];
    }
    if (!(fabs(sum - 1) < 1e-6) || !(info->residual <= info->tolerance))
        abort();
    double *each = calloc((size_t)about.counts + (size_t)about.actions + 1, sizeof *each);
    if (!each)
        return;
    pepa_throughputs(chain, pi, each);
    for (int32_t a = 0; a < about.actions; a++)
        if (!isfinite(each[a]) || each[a] < 0)
            abort();
    if (pepa_utilisations(chain, pi, each, NULL) != PEPA_OK)
        abort();
    free(each);
    char *text;
    if (pepa_chain_state_text(chain, about.states - 1, &text, NULL) == PEPA_OK)
        pepa_text_free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    PepaSettings set = {0};
    PepaModel *model = NULL;
    PepaChain *chain = NULL;
    PepaError err;
    PepaInfo info;
    set.derive.max_states = 2000;
    set.solve.max_iter = 2000;
    if (pepa_model_parse(&model, "fuzz", (const char *)data, size, NULL, &err) == PEPA_OK &&
        pepa_chain_derive(&chain, model, &set, &err) == PEPA_OK) {
        double *pi = calloc((size_t)pepa_chain_info(chain).states, sizeof *pi);
        if (pi && pepa_solve_steady(chain, &set, pi, &info, &err) == PEPA_OK)
            look(chain, pi, &info);
        free(pi);
    }
    pepa_chain_free(chain);
    pepa_model_free(model);
    return 0;
}
