/* How processes would share a chain: what each has, sends and receives in a sweep, which is exact; and
 * how long a sweep would take on some networks, by the simulation that chooses the shares, and by a
 * formula.
 *   bench_shares NAME MODEL NETWORKS PROCESSES...
 * NETWORKS: lines "name,message,latency,bandwidth": seconds for each message, at either end, and until
 * it arrives; bytes per second.  ENTRY: seconds that a process takes for one entry of the generator;
 * unless it is given, the sweeps of one process are timed.  KEEP: processes take their chunks in the
 * order that is planned, which is that for one machine, as pepa does; else in the best for a network. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "api/handles.h"
#include "ctmc/share/partition.h"
#include "ctmc/share/plan.h"
#include "ctmc/share/tuning.h"

typedef struct {
    char name[64];
    double message, latency, bandwidth;
} Network;

/* Of a process: states that it owns and copies; in a sweep, states that it sends, and messages that it
 * sends or receives. */
typedef struct {
    double work, own, copies, sent, messages;
} Part;

/* The part that has most of each; and of all. */
typedef struct {
    Part most;
    double own, data; /* states with copies; the larger of what is sent and what is received */
    double copies, messages;
} Counts;

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
            own->sent += g->states[c];
            own->messages++;
        }
    }
    free(last);
    return part;
}

static Counts count(const SharePlan *plan, int32_t processes)
{
    Counts c = {0};
    Part *part = parts_of(plan, processes);
    for (int32_t k = 0; k < processes; k++) {
        c.most.work = fmax(c.most.work, part[k].work);
        c.most.messages = fmax(c.most.messages, part[k].messages);
        c.own = fmax(c.own, part[k].own + part[k].copies);
        c.data = fmax(c.data, fmax(part[k].sent, part[k].copies));
        c.copies += part[k].copies;
        c.messages += part[k].messages / 2;
    }
    free(part);
    return c;
}

/* ---- sweeps in the order of a plan ----------------------------------------------------------- */

/* Sweeps in which processes take their chunks as planned, and wait for what each reads. */
typedef struct {
    const SharePlan *plan;
    const ShareCosts *costs;
    int32_t *queue; /* chunks by turn */
    int32_t *at;    /* per process: where in the queue its next chunk is; sweeps x count: none */
    double *free;   /* per process: when it is done so far */
    double *time;   /* per sweep and chunk: when it is done; -1: not known */
} Keeping;

static int32_t readers(const SharePlan *plan, int32_t c, int32_t process)
{
    const ShareGraph *g = &plan->graph;
    int32_t count = 0;
    for (int32_t k = g->row[c]; k < g->row[c + 1]; k++)
        count += g->link[k].to && plan->process[g->link[k].chunk] == process;
    return count;
}

/* When chunk c can begin; adds what it takes to receive and to send.  -1: not known yet. */
static double begin(const Keeping *p, int32_t c, int32_t sweep, double *cost)
{
    const ShareGraph *g = &p->plan->graph;
    const int32_t own = p->plan->process[c];
    double start = p->free[own];
    *cost = g->work[c];
    for (int32_t k = g->row[c]; k < g->row[c + 1]; k++) {
        const int32_t other = g->link[k].chunk, there = p->plan->process[other];
        const int32_t of = other < c ? sweep : sweep - 1;
        if (there == own)
            continue;
        if (g->link[k].to)
            *cost +=
                (p->costs->message + p->costs->copy * g->states[c]) / readers(p->plan, c, there);
        if (!g->link[k].from)
            continue;
        *cost +=
            (p->costs->message + p->costs->copy * g->states[other]) / readers(p->plan, other, own);
        if (of < 0)
            continue;
        const double done = p->time[(size_t)of * (size_t)g->count + (size_t)other];
        if (done < 0)
            return -1;
        start = fmax(start, done + p->costs->latency);
    }
    return start;
}

/* The place in the queue of the next chunk of a process, over all sweeps. */
static int32_t next_of(const Keeping *p, int32_t process, int32_t at)
{
    const int32_t count = p->plan->graph.count;
    while (at < SHARE_SWEEPS * count && p->plan->process[p->queue[at % count]] != process)
        at++;
    return at;
}

/* Sweeps what a process can; false: nothing. */
static bool go_on(Keeping *p, int32_t process)
{
    const int32_t count = p->plan->graph.count;
    bool moved = false;
    while (p->at[process] < SHARE_SWEEPS * count) {
        const int32_t at = p->at[process], c = p->queue[at % count];
        double cost;
        const double start = begin(p, c, at / count, &cost);
        if (start < 0)
            break;
        p->free[process] = start + cost;
        p->time[(size_t)(at / count) * (size_t)count + (size_t)c] = start + cost;
        p->at[process] = next_of(p, process, at + 1);
        moved = true;
    }
    return moved;
}

static double simulate_kept(const SharePlan *plan, int32_t processes, const ShareCosts *costs)
{
    const int32_t count = plan->graph.count;
    Keeping p = {.plan = plan, .costs = costs};
    double last = 0;
    p.queue = calloc((size_t)count, sizeof *p.queue);
    p.at = calloc((size_t)processes, sizeof *p.at);
    p.free = calloc((size_t)processes, sizeof *p.free);
    p.time = calloc(SHARE_SWEEPS * (size_t)count, sizeof *p.time);
    if (!p.queue || !p.at || !p.free || !p.time)
        exit(4);
    for (int32_t c = 0; c < count; c++)
        p.queue[plan->turn[c]] = c;
    for (int32_t i = 0; i < SHARE_SWEEPS * count; i++)
        p.time[i] = -1;
    for (int32_t k = 0; k < processes; k++)
        p.at[k] = next_of(&p, k, 0);
    for (bool moved = true; moved;) {
        moved = false;
        for (int32_t k = 0; k < processes; k++)
            moved |= go_on(&p, k);
    }
    for (int32_t k = 0; k < processes; k++)
        last = fmax(last, p.free[k]);
    free(p.queue);
    free(p.at);
    free(p.free);
    free(p.time);
    return last / SHARE_SWEEPS;
}

/* ---------------------------------------------------------------------------------------------- */

/* What a sweep takes, in entries; in the order that is best for these costs, unless it is kept. */
static double simulate(SharePlan *plan, int32_t processes, const ShareCosts *costs)
{
    double time;
    if (getenv("KEEP"))
        return simulate_kept(plan, processes, costs);
    if (!share_order(&plan->graph, plan->process, (ShareParts){processes, NULL}, costs, plan->turn,
                     &time))
        exit(4);
    return time / SHARE_SWEEPS;
}

/* The most that a sweep has to do one after the other: entries, states that are sent or received,
 * messages sent or received, and messages on their way.  A sweep takes at most what all of these
 * take in sum, and at least what the one takes that takes most. */
typedef struct {
    double work, copies, messages, hops;
} Path;

static Path longest(SharePlan *plan, int32_t processes, double work)
{
    const double far = 1e6 * work;
    const ShareCosts nothing = {0}, copy = {.copy = far}, message = {.message = far},
                     latency = {.latency = far};
    return (Path){simulate(plan, processes, &nothing),
                  round(simulate(plan, processes, &copy) / far),
                  round(simulate(plan, processes, &message) / far),
                  round(simulate(plan, processes, &latency) / far)};
}

typedef struct {
    const char *name;
    const Diagram *d;
    double states, work, entry; /* entries of the generator; seconds for one */
    const Network *network;
    int networks;
} Bench;

static void show(const Bench *b, int32_t processes)
{
    SharePlan plan;
    const double work = b->work;
    const clock_t start = clock();
    if (!share_plan_new(&plan, b->d, (ShareParts){processes, NULL}, &share_costs))
        exit(4);
    const double planning = (double)(clock() - start) / CLOCKS_PER_SEC;
    const Counts n = count(&plan, processes);
    const Path path = longest(&plan, processes, work);
    (void)printf("%s,%.0f,%.4g,%d,%.3f,%.3f,%.4f,%.0f,%.0f,%.0f,%.3f,%.0f,%.0f,%.0f,%.2f,%.4g",
                 b->name, b->states, b->entry * work, (int)processes,
                 n.most.work * processes / work, n.own * processes / b->states,
                 n.copies / b->states, n.messages, n.most.messages,
                 n.data * (double)sizeof(double) / 1e3, path.work * processes / work,
                 path.copies * (double)sizeof(double) / 1e3, path.messages, path.hops, planning,
                 work / simulate(&plan, processes, &share_costs));
    for (int i = 0; i < b->networks; i++) {
        const Network *net = &b->network[i];
        const ShareCosts costs = {sizeof(double) / net->bandwidth / b->entry,
                                  net->message / b->entry, net->latency / b->entry};
        const double formula = path.work + path.copies * costs.copy +
                               path.messages * costs.message + path.hops * costs.latency;
        (void)printf(",%.4g,%.4g", work / simulate(&plan, processes, &costs), work / formula);
    }
    (void)printf("\n");
    (void)fflush(stdout);
    share_plan_free(&plan);
}

static double work_of(const Diagram *d)
{
    ShareGraph graph;
    double work = 0;
    if (!share_graph_new(&graph, d))
        exit(4);
    for (int32_t c = 0; c < graph.count; c++)
        work += graph.work[c];
    share_graph_free(&graph);
    return work;
}

/* Of sweeps of one process. */
static double sweep_seconds(const PepaChain *chain)
{
    PepaInfo info = {0};
    const PepaSettings set = {.solve.method = PEPA_GAUSS_SEIDEL, .solve.max_iter = 25};
    double *pi = malloc((size_t)pepa_chain_info(chain).states * sizeof *pi);
    if (!pi)
        exit(4);
    const clock_t start = clock();
    (void)pepa_solve_steady(chain, &set, pi, &info, NULL);
    free(pi);
    return (double)(clock() - start) / CLOCKS_PER_SEC / ((double)info.iterations + 3);
}

static int read_networks(const char *path, Network *network, int most)
{
    FILE *file = fopen(path, "r");
    int n = 0;
    while (file && n < most &&
           fscanf(file, " %63[^,],%lf,%lf,%lf", network[n].name, &network[n].message,
                  &network[n].latency, &network[n].bandwidth) == 4)
        n++;
    if (file)
        (void)fclose(file);
    return n;
}

int main(int argc, char **argv)
{
    enum { MOST = 16 };
    PepaModel *model = NULL;
    PepaChain *chain = NULL;
    PepaError err;
    Network network[MOST];
    const PepaSettings set = {.derive.explore = PEPA_SYMBOLIC};
    if (argc < 5 || pepa_model_load(&model, argv[2], NULL, &err) != PEPA_OK ||
        pepa_chain_derive(&chain, model, &set, &err) != PEPA_OK || !chain->chain->diagram) {
        (void)fprintf(stderr, "usage: bench_shares NAME MODEL NETWORKS PROCESSES...\n");
        return 2;
    }
    const char *given = getenv("ENTRY");
    const double work = work_of(chain->chain->diagram);
    const Bench b = {argv[1],
                     chain->chain->diagram,
                     (double)pepa_chain_info(chain).states,
                     work,
                     given ? atof(given) : sweep_seconds(chain) / work,
                     network,
                     read_networks(argv[3], network, MOST)};
    (void)fprintf(stderr, "# %s: %.3g ns for an entry, %.4g s for a sweep\n", b.name, b.entry * 1e9,
                  b.entry * b.work);
    for (int i = 4; i < argc; i++)
        show(&b, atoi(argv[i]));
    pepa_chain_free(chain);
    pepa_model_free(model);
    return 0;
}
