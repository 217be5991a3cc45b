/* Random models on MPI: the processes of the run share each chain, as sets and by rows, and have the answers
 * that each of them has by elimination; by rows also of chains that end in one of several components.  Bounds by rows, of all
 * these and of one model in BOUNDED, contain the throughputs by elimination, and are narrow.   mpirun -n P random FIRST-SEED MODELS */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/handles.h"
#include "base/mem.h"
#include "deriving.h"
#include "measure/shared.h"
#include "pepa_mpi.h"
#include "property/random_model.h"

enum { SMALL = 100, LARGE = 3000, LARGE_ONE_IN = 10, MOST = 400 };

enum { BOUNDED = 4 }; /* each is a solution of its own */

typedef struct {
    PepaStatus status;
    PepaError err;
    PepaChainInfo about;
    double throughput[MOST], share[MOST], population[MOST];
    int32_t bottoms;
    double likeliest; /* the probability of the most probable bottom component */
    int32_t bounds;   /* by rows: of so many actions ... */
    Interval within[MOST];
} Found;

static bool keep(Found *a, const PepaChain *chain)
{
    a->about = pepa_chain_info(chain);
    return a->about.actions <= MOST && a->about.local_states <= MOST && a->about.counts <= MOST;
}

static void find_ends(Found *a, const PepaChain *chain, const double *pi)
{
    double *sum = calloc((size_t)a->about.bottom_components, sizeof *sum);
    a->bottoms = a->about.bottom_components;
    for (int64_t s = 0; sum && s < a->about.states; s++)
        if (pepa_chain_bottom(chain, s) >= 0)
            sum[pepa_chain_bottom(chain, s)] += pi[s];
    for (int32_t k = 0; sum && k < a->bottoms; k++)
        a->likeliest = fmax(a->likeliest, sum[k]);
    free(sum);
}

/* By elimination of the chain that is kept by rows. */
static void solve_alone(Found *a, const PepaModel *model)
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
        find_ends(a, chain, pi);
    }
    free(pi);
    pepa_chain_free(chain);
}

static void solve_together(Found *a, const PepaModel *model, const PepaProcesses *processes)
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

/* Of each throughput. */
static void find_bounds(Found *a, Shared *shared, const Chain *chain, const PepaSettings *set)
{
    Encloser by;
    PepaInfo info;
    double *earns = calloc((size_t)chain->model->action_count, sizeof *earns);
    a->status = shared_encloser(shared, set, &by, &a->err);
    for (int32_t i = 0; i < chain->action_count && a->status == PEPA_OK && earns; i++) {
        earns[chain->actions[i]] = 1;
        a->status = enclose(&by, &chain->now, set, shared->pi, &(Reward){.by_action = earns}, 0,
                            &a->within[i], &info, &a->err);
        earns[chain->actions[i]] = 0;
        a->bounds = i + 1;
    }
    free(earns);
}

/* By rows, however few: of few states each process would have all. */
static void solve_rows(Found *a, const PepaModel *model, bool bounded, bool in_runs,
                       const PepaProcesses *p)
{
    Chain *chain = NULL;
    Shared shared = {0};
    DiagList diags = {0};
    PepaSettings set = {0}, all;
    set.derive.explore = PEPA_EXPLICIT;
    set.derive.max_states = 100000;
    set.solve.tolerance = 1e-13;
    a->status = settings_complete(&all, &set, &a->err);
    if (a->status == PEPA_OK)
        a->status = derive_parts(&chain, model->model, p, in_runs, &all, &diags, &a->err);
    if (a->status == PEPA_OK && chain->action_count > MOST)
        a->status = PEPA_ELIMIT;
    if (a->status == PEPA_OK)
        a->status = shared_solve(&shared, chain, p, &all, NULL, &a->err);
    if (a->status == PEPA_OK) {
        shared_action_flow(&shared, a->throughput);
        a->bottoms = shared.ends.count;
        for (int32_t k = 0; k < a->bottoms; k++)
            a->likeliest = fmax(a->likeliest, shared.ends.probability[k]);
        if (bounded)
            find_bounds(a, &shared, chain, &all);
    }
    shared_free(&shared);
    chain_free(chain);
    diag_free(&diags);
}

static double difference(const double *a, const double *b, int32_t n)
{
    double most = 0;
    for (int32_t i = 0; i < n; i++)
        most = fmax(most, fabs(a[i] - b[i]) / (1e-3 + fabs(b[i])));
    return most;
}

/* Do both have the same answer, or an answer in one and a good reason in the other? */
static bool agree(const Found *alone, const Found *together, int64_t *compared)
{
    if (together->status != PEPA_OK || alone->status != PEPA_OK)
        return together->status == PEPA_EARG || together->status == PEPA_ELIMIT ||
               together->status == PEPA_ENOCONV || together->status == alone->status;
    ++*compared;
    return difference(together->throughput, alone->throughput, alone->about.actions) < 1e-8 &&
           difference(together->share, alone->share, alone->about.local_states) < 1e-8 &&
           difference(together->population, alone->population, alone->about.counts) < 1e-8;
}

/* Elimination has some roundings, of which each bound knows none. */
static bool is_between(double x, Interval bounds)
{
    const double roundings = 1e-12 * fabs(x), narrow = 1e-9 * (1e-3 + fabs(x));
    return bounds.low <= x + roundings && x - roundings <= bounds.high &&
           bounds.high - bounds.low <= narrow;
}

static bool are_between(const Found *alone, const Found *rows, int64_t *compared)
{
    for (int32_t i = 0; i < rows->bounds; i++)
        if (!is_between(alone->throughput[i], rows->within[i]))
            return false;
    *compared += rows->bounds;
    return true;
}

static bool agree_by_rows(const Found *alone, const Found *rows, int64_t *compared)
{
    if (rows->status != PEPA_OK || alone->status != PEPA_OK)
        return rows->status == PEPA_ELIMIT || rows->status == PEPA_ENOCONV ||
               rows->status == alone->status || alone->status == PEPA_ELIMIT;
    ++*compared;
    return difference(rows->throughput, alone->throughput, alone->about.actions) < 1e-8 &&
           rows->bottoms == alone->bottoms && fabs(rows->likeliest - alone->likeliest) < 1e-9;
}

static RefModel model_of(uint64_t seed)
{
    RandomKnobs knobs = random_knobs_default();
    uint64_t state = ~seed;
    knobs.max_states = random_below(&state, LARGE_ONE_IN) == 0 ? LARGE : SMALL;
    knobs.careless = 0;
    knobs.stop = seed % 2 == 0 ? 0 : knobs.stop;
    return random_model(seed, &knobs);
}

/* How many were compared: as sets, by rows, and of the latter those with several components; and
 * bounds, and of these those of such chains. */
typedef struct {
    int64_t sets, rows, several, bounds, several_bounds;
} Compared;

static bool check(uint64_t seed, const PepaProcesses *processes, Compared *compared)
{
    static Found alone, together, rows;
    RefModel ref = model_of(seed);
    Text text = ref_model_print(&ref, (RefPrinting){0});
    PepaModel *model = NULL;
    memset(&alone, 0, sizeof alone);
    memset(&together, 0, sizeof together);
    memset(&rows, 0, sizeof rows);
    bool same = true;
    if (pepa_model_parse(&model, "random", text.text, text.length, NULL, NULL) == PEPA_OK) {
        solve_alone(&alone, model);
        solve_together(&together, model, processes);
        solve_rows(&rows, model, seed % BOUNDED == 0 || alone.bottoms > 1, seed % 2 == 0,
                   processes);
        const int64_t before = compared->rows;
        same = agree(&alone, &together, &compared->sets) &&
               agree_by_rows(&alone, &rows, &compared->rows) &&
               (compared->rows == before || are_between(&alone, &rows, &compared->bounds));
        compared->several += compared->rows > before && alone.bottoms > 1;
        compared->several_bounds += compared->rows > before && alone.bottoms > 1 ? rows.bounds : 0;
    }
    if (!same)
        (void)
            fprintf(stderr,
                    "process %d of %d, seed %llu: alone %d %s, together %d %s, by rows %d %s\n%s\n",
                    processes->rank, processes->count, (unsigned long long)seed, (int)alone.status,
                    alone.err.message, (int)together.status, together.err.message, (int)rows.status,
                    rows.err.message, text.text);
    pepa_model_free(model);
    text_free(&text);
    ref_model_free(&ref);
    return same;
}

int main(int argc, char **argv)
{
    Compared compared = {0};
    int64_t models = argc > 2 ? strtoll(argv[2], NULL, 10) : 0;
    uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : 0;
    bool same = true;
    MPI_Init(&argc, &argv);
    PepaProcesses *processes = pepa_mpi_processes(MPI_COMM_WORLD);
    if (!processes)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int64_t i = 0; i < models; i++)
        same = check(first + (uint64_t)i, processes, &compared) && same;
    if (processes->rank == 0)
        (void)printf(
            "mpi: %lld random models on %d processes, %lld of them with answers as sets, "
            "%lld by rows, "
            "of these %lld with several components; %lld bounds, %lld with several components\n",
            (long long)models, processes->count, (long long)compared.sets, (long long)compared.rows,
            (long long)compared.several, (long long)compared.bounds,
            (long long)compared.several_bounds);
    pepa_mpi_free(processes);
    MPI_Finalize();
    const bool enough = 8 * compared.sets > models && 2 * compared.rows > models &&
                        (models < 100 || (compared.several > 0 && compared.several_bounds > 0)) &&
                        2 * compared.bounds > models / BOUNDED;
    return same && enough ? 0 : 1;
}
