/* How processes would share a chain: what each has, sends and receives in a sweep, which is exact, and how
 * long a sweep would take on some clusters, by the simulation that chooses the shares.
 *   bench_shares MODEL PROCESSES... */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "api/handles.h"
#include "base/clock.h"
#include "ctmc/share/partition.h"
#include "ctmc/share/plan.h"
#include "ctmc/share/tuning.h"

/* Seconds for each message, at either end, and until it arrives; bytes per second. */
typedef struct {
    const char *name;
    double message, latency, bandwidth;
} Network;

static const Network networks[] = {{"10 Gbit/s, 20 us", 3e-6, 20e-6, 1.2e9},
                                   {"100 Gbit/s, 1.5 us", 5e-7, 1.5e-6, 12e9}};
enum { NETWORKS = sizeof networks / sizeof *networks };

/* Of a process: states that it owns, and copies; in a sweep, messages that it sends and receives. */
typedef struct {
    double work, own, copies, messages;
} Part;

static Part *parts_of(const SharePlan *plan, int32_t processes)
{
    const ShareGraph *g = &plan->graph;
    Part *part = calloc((size_t)processes, sizeof *part);
    int32_t *last = calloc((size_t)processes, sizeof *last);
    if (!part || !last)
        exit(4);
    for (int32_t c = 0; c < g->count; c++) {
        Part *own = &part[plan->process[c]];
        own->work += g->work[c];
        own->own += g->states[c];
        for (int32_t k = g->row[c]; k < g->row[c + 1]; k++) {
            const int32_t to = plan->process[g->link[k].chunk];
            if (!g->link[k].to || to == plan->process[c] || last[to] == c + 1)
                continue;
            last[to] = c + 1;
            part[to].copies += g->states[c];
            part[to].messages++;
            own->messages++;
        }
    }
    free(last);
    return part;
}

/* The part that has most of each. */
static Part largest(const Part *part, int32_t processes)
{
    Part most = {0};
    for (int32_t k = 0; k < processes; k++) {
        most.work = fmax(most.work, part[k].work);
        most.own = fmax(most.own, part[k].own + part[k].copies);
        most.copies = fmax(most.copies, part[k].copies);
        most.messages = fmax(most.messages, part[k].messages);
    }
    return most;
}

/* Sweeps of one process over those of all. */
static double speedup(SharePlan *plan, int32_t processes, const ShareCosts *costs, double work)
{
    double time;
    if (!share_order(&plan->graph, plan->process, processes, costs, plan->turn, &time))
        exit(4);
    return SHARE_SWEEPS * work / time;
}

static void show(const Diagram *d, int32_t processes, double seconds, double states)
{
    SharePlan plan;
    double work = 0;
    if (!share_plan_new(&plan, d, processes, &share_costs))
        exit(4);
    for (int32_t c = 0; c < plan.graph.count; c++)
        work += plan.graph.work[c];
    Part *part = parts_of(&plan, processes);
    const Part most = largest(part, processes);
    const double entry = seconds / work;
    (void)printf("%d,%.2f,%.2f,%.3f,%.0f,%.2f", (int)processes, most.work * processes / work,
                 most.own * processes / states, most.copies * sizeof(double) / 1e6, most.messages,
                 speedup(&plan, processes, &share_costs, work));
    for (int i = 0; i < NETWORKS; i++) {
        const Network *n = &networks[i];
        const ShareCosts costs = {sizeof(double) / n->bandwidth / entry, n->message / entry,
                                  n->latency / entry};
        (void)printf(",%.2f", speedup(&plan, processes, &costs, work));
    }
    (void)printf("\n");
    (void)fflush(stdout);
    share_plan_free(&plan);
    free(part);
}

/* Of one sweep of one process. */
static double sweep_seconds(const PepaChain *chain, double *pi)
{
    PepaInfo info = {0};
    PepaSettings set = {.solve.method = PEPA_GAUSS_SEIDEL, .solve.max_iter = 25};
    const double start = clock_seconds();
    (void)pepa_solve_steady(chain, &set, pi, &info, NULL);
    return (clock_seconds() - start) / ((double)info.iterations + 3);
}

int main(int argc, char **argv)
{
    PepaModel *model = NULL;
    PepaChain *chain = NULL;
    PepaError err;
    const PepaSettings set = {.derive.explore = PEPA_SYMBOLIC};
    if (argc < 3 || pepa_model_load(&model, argv[1], NULL, &err) != PEPA_OK ||
        pepa_chain_derive(&chain, model, &set, &err) != PEPA_OK || !chain->chain->diagram) {
        (void)fprintf(stderr, "usage: bench_shares MODEL PROCESSES...\n");
        return 2;
    }
    const double states = (double)pepa_chain_info(chain).states;
    double *pi = malloc((size_t)states * sizeof *pi);
    const double seconds = pi ? sweep_seconds(chain, pi) : 0;
    (void)printf("# %.0f states, %d upper states, a sweep of one process %.4f s\n", states,
                 (int)chain->chain->diagram->upper_count, seconds);
    (void)printf("processes,work,memory,megabytes,messages,speedup here");
    for (int i = 0; i < NETWORKS; i++)
        (void)printf(",\"%s\"", networks[i].name);
    (void)printf("\n");
    for (int i = 2; i < argc; i++)
        show(chain->chain->diagram, atoi(argv[i]), seconds, states);
    free(pi);
    pepa_chain_free(chain);
    pepa_model_free(model);
    return 0;
}
