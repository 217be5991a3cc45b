/* Published and exact answers, to every digit they are known to.  The pipelines are those of
 * Benoit, Cole, Gilmore and Hillston 2004 (network rate 1 / latency on every move; process rate 1 /
 * (0.1 x stages on that processor)); the key servers are finite-source queues. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#include "pepa.h"

static PepaChain *chain_of(const char *path)
{
    PepaModel *model = NULL;
    PepaChain *chain = NULL;
    PepaError err;
    cr_assert_eq(pepa_model_load(&model, path, NULL, &err), PEPA_OK, "%s: %s", path, err.message);
    cr_assert_eq(pepa_chain_derive(&chain, model, NULL, &err), PEPA_OK, "%s: %s", path,
                 err.message);
    pepa_model_free(model);
    return chain;
}

/* Throughput of `action` by the default settings. */
static double throughput(const PepaChain *chain, const char *action)
{
    double *pi = malloc((size_t)pepa_chain_info(chain).states * sizeof *pi), found = NAN;
    PepaError err;
    cr_assert_eq(pepa_solve_steady(chain, NULL, pi, NULL, &err), PEPA_OK, "%s", err.message);
    cr_assert_eq(pepa_throughput(chain, pi, action, &found, &err), PEPA_OK, "%s", err.message);
    free(pi);
    return found;
}

Test(known_answers, pipelines)
{
    static const struct {
        const char *path;
        int32_t states;
        int64_t transitions;
        double throughput; /* of process1, rounded to nine decimals */
    } known[] = {
        {"models/pipeline3.pepa", 27, 51, 5.634666690},
        {"models/pipeline3_112.pepa", 27, 51, 3.205490476},
        {"models/pipeline3_122.pepa", 27, 51, 3.205490476},
        {"models/pipeline3_121.pepa", 27, 51, 3.366715064},
        {"models/pipeline3_111.pepa", 27, 51, 1.879634939},
        {"models/pipeline6.pepa", 729, 2349, 4.662778712},
        {"models/pipeline8.pepa", 6561, 26973, 4.426778452}, /* the Workbench: 4.1520 */
        {"models/pipeline3_slow.pepa", 27, 51, 0.344189273}, /* the Workbench: NaN */
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        PepaChain *chain = chain_of(known[i].path);
        PepaChainInfo info = pepa_chain_info(chain);
        cr_expect_eq(info.states, known[i].states, "%s: %lld", known[i].path,
                     (long long)info.states);
        cr_expect_eq(info.transitions, known[i].transitions, "%s", known[i].path);
        double found = throughput(chain, "process1");
        cr_expect(fabs(found - known[i].throughput) <= 0.5e-9, "%s: %.12f", known[i].path, found);
        pepa_chain_free(chain);
    }
}

/* The server answers at rate 1 while any client waits: its throughput is its utilisation. */
Test(known_answers, key_servers)
{
    PepaChain *five = chain_of("models/kdc5.pepa"), *ten = chain_of("models/kdc10.pepa");
    double found = throughput(five, "response");
    cr_expect(fabs(found - 0.722553457) <= 0.5e-9, "%.12f", found);
    found = throughput(ten, "response");
    cr_expect(fabs(found - 0.983267817) <= 0.5e-9, "%.12f", found);
    pepa_chain_free(five);
    pepa_chain_free(ten);
}
