/* Random models on MPI: the processes of the run share each chain, and have the answers that each of
 * them has by elimination.   mpirun -n P random FIRST-SEED MODELS */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "pepa_mpi.h"
#include "property/random_model.h"

enum { SMALL = 100, LARGE = 3000, LARGE_ONE_IN = 10, MOST = 400 };

typedef struct {
    PepaStatus status;
    PepaError err;
    PepaChainInfo about;
    double throughput[MOST], share[MOST], population[MOST];
} Answer;

static bool keep(Answer *a, const PepaChain *chain)
{
    a->about = pepa_chain_info(chain);
    return a->about.actions <= MOST && a->about.local_states <= MOST && a->about.counts <= MOST;
}

/* By elimination of the chain that is kept by rows. */
static void solve_alone(Answer *a, const PepaModel *model)
{
    PepaChain *chain = NULL;
    PepaSettings set = {0};
    set.derive.explore = PEPA_EXPLICIT;
    set.solve.method = PEPA_GTH;
    a->status = pepa_chain_derive(&chain, model, &set, &a->err);
    if (a->status == PEPA_OK && !keep(a, chain))
        a->status = PEPA_ELIMIT;
    double *pi = a->status == PEPA_OK ? calloc((size_t)a->about.states, sizeof *pi) : NULL;
    if (pi)
        a->status = pepa_solve_steady(chain, &set, pi, NULL, &a->err);
    if (pi && a->status == PEPA_OK) {
        pepa_throughputs(chain, pi, a->throughput);
        (void)pepa_utilisations(chain, pi, a->share, NULL);
        (void)pepa_populations(chain, pi, a->population, NULL);
    }
    free(pi);
    pepa_chain_free(chain);
}

static void solve_together(Answer *a, const PepaModel *model, const PepaProcesses *processes)
{
    PepaChain *chain = NULL;
    PepaShared *shared = NULL;
    PepaSettings set = {0};
    set.derive.explore = PEPA_SYMBOLIC;
    set.solve.tolerance = 1e-13;
    a->status = pepa_chain_derive(&chain, model, &set, &a->err);
    if (a->status == PEPA_OK && !keep(a, chain))
        a->status = PEPA_ELIMIT;
    if (a->status == PEPA_OK)
        a->status = pepa_shared_solve(&shared, chain, processes, &set, NULL, &a->err);
    if (a->status == PEPA_OK &&
        (pepa_shared_throughputs(shared, a->throughput, &a->err) != PEPA_OK ||
         pepa_shared_utilisations(shared, a->share, &a->err) != PEPA_OK ||
         pepa_shared_populations(shared, a->population, &a->err) != PEPA_OK))
        a->status = PEPA_ENOMEM;
    pepa_shared_free(shared);
    pepa_chain_free(chain);
}

static double difference(const double *a, const double *b, int32_t n)
{
    double most = 0;
    for (int32_t i = 0; i < n; i++)
        most = fmax(most, fabs(a[i] - b[i]) / (1e-3 + fabs(b[i])));
    return most;
}

/* Do both have the same answer, or an answer in one and a good reason in the other? */
static bool agree(const Answer *alone, const Answer *together, int64_t *compared)
{
    if (together->status != PEPA_OK || alone->status != PEPA_OK)
        return together->status == PEPA_EARG || together->status == PEPA_ELIMIT ||
               together->status == PEPA_ENOCONV || together->status == alone->status;
    ++*compared;
    return difference(together->throughput, alone->throughput, alone->about.actions) < 1e-8 &&
           difference(together->share, alone->share, alone->about.local_states) < 1e-8 &&
           difference(together->population, alone->population, alone->about.counts) < 1e-8;
}

static RefModel model_of(uint64_t seed)
{
    RandomKnobs knobs = random_knobs_default();
    uint64_t state = ~seed;
    knobs.max_states = random_below(&state, LARGE_ONE_IN) == 0 ? LARGE : SMALL;
    knobs.careless = 0;
    knobs.stop = 0;
    return random_model(seed, &knobs);
}

static bool check(uint64_t seed, const PepaProcesses *processes, int64_t *compared)
{
    static Answer alone, together;
    RefModel ref = model_of(seed);
    Text text = ref_model_print(&ref, (RefPrinting){0});
    PepaModel *model = NULL;
    memset(&alone, 0, sizeof alone);
    memset(&together, 0, sizeof together);
    bool same = true;
    if (pepa_model_parse(&model, "random", text.text, text.length, NULL, NULL) == PEPA_OK) {
        solve_alone(&alone, model);
        solve_together(&together, model, processes);
        same = agree(&alone, &together, compared);
    }
    if (!same)
        (void)fprintf(stderr, "process %d of %d, seed %llu: alone %d %s, together %d %s\n%s\n",
                      processes->rank, processes->count, (unsigned long long)seed,
                      (int)alone.status, alone.err.message, (int)together.status,
                      together.err.message, text.text);
    pepa_model_free(model);
    text_free(&text);
    ref_model_free(&ref);
    return same;
}

int main(int argc, char **argv)
{
    int64_t compared = 0, models = argc > 2 ? strtoll(argv[2], NULL, 10) : 0;
    uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : 0;
    bool same = true;
    MPI_Init(&argc, &argv);
    PepaProcesses *processes = pepa_mpi_processes(MPI_COMM_WORLD);
    if (!processes)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int64_t i = 0; i < models; i++)
        same = check(first + (uint64_t)i, processes, &compared) && same;
    if (processes->rank == 0)
        (void)printf("mpi: %lld random models on %d processes, %lld of them with answers\n",
                     (long long)models, processes->count, (long long)compared);
    pepa_mpi_free(processes);
    MPI_Finalize();
    return same && 5 * compared > models ? 0 : 1;
}
