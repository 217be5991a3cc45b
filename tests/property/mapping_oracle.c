#include "property/mapping_oracle.h"

#include "property/dense.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the chain ---- */

typedef enum { IDLE, PROCESSING, SENDING, PHASES } Phase;
enum { MOST_STATES = 729 };

static int state_of(int stages, const Phase *phase)
{
    int state = 0;
    for (int i = 0; i < stages; i++)
        state = PHASES * state + (int)phase[i];
    return state;
}

static void phases_of(int stages, int state, Phase *phase)
{
    for (int i = stages - 1; i >= 0; i--, state /= PHASES)
        phase[i] = (Phase)(state % PHASES);
}

static int states_of(int stages)
{
    int states = 1;
    for (int i = 0; i < stages; i++)
        states *= PHASES;
    return states;
}

/* Let part `part` happen: false if it cannot.  Odd parts are processing; part 2k is move k, from
 * stage k - 1 to stage k, where the ends of the pipeline always can. */
static bool happen(int stages, Phase *phase, int part)
{
    int k = part / 2;
    if (part % 2 == 1) {
        if (phase[k] != PROCESSING)
            return false;
        phase[k] = SENDING;
        return true;
    }
    if ((k > 0 && phase[k - 1] != SENDING) || (k < stages && phase[k] != IDLE))
        return false;
    if (k > 0)
        phase[k - 1] = IDLE;
    if (k < stages)
        phase[k] = PROCESSING;
    return true;
}

/* The state that `part` leads to, or -1. */
static int successor(int stages, int state, int part)
{
    Phase phase[MOST_MAPPING_STAGES] = {IDLE};
    phases_of(stages, state, phase);
    return happen(stages, phase, part) ? state_of(stages, phase) : -1;
}

long double mapping_throughput(int stages, const long double *seconds)
{
    static long double rate[MOST_STATES * MOST_STATES], pi[MOST_STATES];
    int n = states_of(stages);
    memset(rate, 0, (size_t)n * (size_t)n * sizeof *rate);
    for (int state = 0; state < n; state++)
        for (int part = 0; part <= 2 * stages; part++) {
            int next = successor(stages, state, part);
            if (next >= 0)
                rate[state * n + next] += 1 / seconds[part];
        }
    dense_long_run(rate, (size_t)n, 0, pi);
    long double processing = 0;
    for (int state = 0; state < n; state++)
        if (successor(stages, state, 1) >= 0)
            processing += pi[state];
    return processing / seconds[1];
}

void mapping_chain_size(int stages, int *states, int *transitions)
{
    *states = states_of(stages);
    *transitions = 0;
    for (int state = 0; state < *states; state++)
        for (int part = 0; part <= 2 * stages; part++)
            *transitions += successor(stages, state, part) >= 0;
}

/* ---- what a mapping means ---- */

static double pair_value(const MappingPairs *pairs, int a, int b)
{
    if (!isnan(pairs->pair[a][b]))
        return pairs->pair[a][b];
    return a == b && !isnan(pairs->local) ? pairs->local : pairs->every;
}

MappingPairs mapping_pairs_missing(void)
{
    MappingPairs pairs = {.local = NAN, .every = NAN};
    for (int a = 0; a < MOST_MAPPING_PROCESSORS; a++)
        for (int b = 0; b < MOST_MAPPING_PROCESSORS; b++)
            pairs.pair[a][b] = NAN;
    return pairs;
}

void mapping_move_ends(const MappingProblem *problem, const int32_t *mapping, int k, int *from,
                       int *to)
{
    *from = k > 0 ? mapping[k - 1] : problem->input;
    *to = k < problem->stages ? mapping[k] : problem->output_to;
    if (*from < 0)
        *from = *to;
    if (*to < 0)
        *to = *from;
}

static long double move_time(const MappingProblem *problem, const int32_t *mapping, int k)
{
    int a, b;
    mapping_move_ends(problem, mapping, k, &a, &b);
    double bandwidth = pair_value(&problem->bandwidth, a, b);
    long double transfer = isnan(bandwidth) ? 0 : (long double)problem->output[k] / bandwidth;
    return pair_value(&problem->latency, a, b) + transfer;
}

static long double process_time(const MappingProblem *problem, const int32_t *mapping, int stage)
{
    int j = mapping[stage], there = 0;
    for (int i = 0; i < problem->stages; i++)
        there += mapping[i] == j;
    long double alone = (long double)problem->time[j] * problem->work[stage];
    long double sharing = there > problem->cores[j] ? (long double)there / problem->cores[j] : 1;
    return alone / problem->availability[j] * sharing;
}

void mapping_durations(const MappingProblem *problem, const int32_t *mapping, long double *seconds)
{
    for (int k = 0; k <= problem->stages; k++)
        seconds[2 * k] = move_time(problem, mapping, k);
    for (int i = 0; i < problem->stages; i++)
        seconds[2 * i + 1] = process_time(problem, mapping, i);
}

/* ---- processors that are alike ---- */

static bool same(double a, double b)
{
    return (isnan(a) && isnan(b)) || (a >= b && a <= b);
}

static int swapped(int c, int a, int b)
{
    return c == a ? b : c == b ? a : c;
}

static bool pairs_alike(const MappingProblem *problem, const MappingPairs *pairs, int a, int b)
{
    for (int c = 0; c < problem->processors; c++)
        for (int d = 0; d < problem->processors; d++)
            if (!same(pair_value(pairs, c, d),
                      pair_value(pairs, swapped(c, a, b), swapped(d, a, b))))
                return false;
    return true;
}

bool mapping_alike(const MappingProblem *problem, int a, int b)
{
    if (a == b)
        return true;
    if (a == problem->input || a == problem->output_to || b == problem->input ||
        b == problem->output_to)
        return false;
    return same(problem->time[a], problem->time[b]) &&
           same(problem->availability[a], problem->availability[b]) &&
           problem->cores[a] == problem->cores[b] &&
           pairs_alike(problem, &problem->latency, a, b) &&
           pairs_alike(problem, &problem->bandwidth, a, b);
}

/* One mapping turns into the other by an exchange of alike processors: a bijection of those used
 * can always be extended to all, since being alike is an equivalence. */
static bool exchangeable(const MappingProblem *problem, const int32_t *a, const int32_t *b)
{
    for (int i = 0; i < problem->stages; i++) {
        if (!mapping_alike(problem, a[i], b[i]))
            return false;
        for (int k = 0; k < i; k++)
            if ((a[i] == a[k]) != (b[i] == b[k]))
                return false;
    }
    return true;
}

/* ---- rankings ---- */

/* Throughputs are found to some 1e-17; rounding to 9 digits tells apart what differs by 1e-8, and
 * does not what differs by 1e-12. */
static const long double surely_same = 1e-12L, surely_different = 1e-8L;

static int better_first(const void *left, const void *right)
{
    long double a = ((const MappingEntry *)left)->throughput;
    long double b = ((const MappingEntry *)right)->throughput;
    return a > b ? -1 : a < b;
}

/* Of entries whose rank is the place where they came. */
static int fewest_first(const void *left, const void *right)
{
    const MappingEntry *a = left, *b = right;
    return a->processors != b->processors ? a->processors - b->processors : a->rank - b->rank;
}

/* Ranks and ties of entries that are in order, where rank is equal just for equal ones. */
static void mark(MappingRanking *ranking)
{
    MappingEntry *entry = ranking->entry;
    for (int first = 0, next; first < ranking->count; first = next) {
        int rank = entry[first].rank;
        for (next = first; next < ranking->count && entry[next].rank == rank; next++)
            entry[next].rank = first + 1;
        for (int i = first; i < next; i++)
            entry[i].tied = next - first > 1;
    }
}

static void order(MappingRanking *ranking)
{
    MappingEntry *entry = ranking->entry;
    for (int i = 0; i < ranking->count; i++)
        entry[i].rank = i;
    qsort(entry, (size_t)ranking->count, sizeof *entry, better_first);
    ranking->clear = true;
    for (int first = 0, next; first < ranking->count; first = next) {
        for (next = first + 1; next < ranking->count; next++) {
            long double gap = 1 - entry[next].throughput / entry[next - 1].throughput;
            ranking->clear = ranking->clear && (gap <= surely_same || gap >= surely_different);
            if (gap > surely_same)
                break;
        }
        qsort(entry + first, (size_t)(next - first), sizeof *entry, fewest_first);
        for (int i = first; i < next; i++)
            entry[i].rank = first + 1;
    }
    mark(ranking);
}

void mapping_cut(MappingRanking *ranking, int top)
{
    ranking->count = top < ranking->count ? top : ranking->count;
}

static MappingEntry value(const MappingProblem *problem, const int32_t *mapping)
{
    MappingEntry entry = {.stands_for = 1};
    long double seconds[MOST_PARTS];
    memcpy(entry.mapping, mapping, (size_t)problem->stages * sizeof *mapping);
    for (int j = 0; j < problem->processors; j++) {
        bool used = false;
        for (int i = 0; i < problem->stages; i++)
            used = used || mapping[i] == j;
        entry.processors += used;
    }
    mapping_durations(problem, mapping, seconds);
    entry.throughput = mapping_throughput(problem->stages, seconds);
    return entry;
}

void mapping_rank(const MappingProblem *problem, const int32_t *mappings, int count,
                  MappingRanking *out)
{
    out->count = count;
    for (int i = 0; i < count; i++)
        out->entry[i] = value(problem, mappings + i * problem->stages);
    order(out);
}

void mapping_rank_all(const MappingProblem *problem, MappingRanking *out)
{
    int32_t mapping[MOST_MAPPING_STAGES] = {0};
    int place;
    out->count = 0;
    do {
        out->entry[out->count++] = value(problem, mapping);
        for (place = problem->stages - 1; place >= 0; place--) {
            if (++mapping[place] < problem->processors)
                break;
            mapping[place] = 0;
        }
    } while (place >= 0);
    order(out);
}

void mapping_keep_classes(const MappingProblem *problem, MappingRanking *ranking)
{
    MappingEntry *entry = ranking->entry;
    int kept = 0;
    for (int i = 0; i < ranking->count; i++) {
        int k = 0;
        while (k < kept && !exchangeable(problem, entry[k].mapping, entry[i].mapping))
            k++;
        if (k < kept)
            entry[k].stands_for++;
        else
            entry[kept++] = entry[i];
    }
    ranking->count = kept;
    mark(ranking);
}

void mapping_rank_classes(const MappingProblem *problem, MappingRanking *out)
{
    mapping_rank_all(problem, out);
    mapping_keep_classes(problem, out);
}

/* ---- texts ---- */

void mapping_add(Text *out, const int32_t *mapping, int stages)
{
    for (int i = 0; i < stages; i++)
        text_add(out, "%s%d", i ? "," : "(", (int)mapping[i]);
    text_add(out, ")");
}

static void print_pairs(const MappingProblem *problem, const MappingPairs *pairs, const char *what,
                        Text *out)
{
    if (!isnan(pairs->every))
        text_add(out, "  %s default %.17g;\n", what, pairs->every);
    if (!isnan(pairs->local))
        text_add(out, "  %s local %.17g;\n", what, pairs->local);
    for (int a = 0; a < problem->processors; a++)
        for (int b = a; b < problem->processors; b++)
            if (!isnan(pairs->pair[a][b]))
                text_add(out, "  %s %d %d %.17g;\n", what, a, b, pairs->pair[a][b]);
}

void mapping_problem_print(const MappingProblem *problem, Text *out)
{
    text_add(out, "pipeline { # %.17g bytes come in\n", problem->output[0]);
    for (int i = 0; i < problem->stages; i++)
        text_add(out, "  stage %d work %.17g output %.17g;\n", i, problem->work[i],
                 problem->output[i + 1]);
    text_add(out, "}\nprocessors {\n");
    for (int j = 0; j < problem->processors; j++)
        text_add(out, "  %d time %.17g availability %.17g cores %d;\n", j, problem->time[j],
                 problem->availability[j], problem->cores[j]);
    text_add(out, "}\nnetwork {\n");
    print_pairs(problem, &problem->latency, "latency", out);
    print_pairs(problem, &problem->bandwidth, "bandwidth", out);
    text_add(out, "}\n");
    if (problem->input >= 0)
        text_add(out, "input %d;\n", problem->input);
    if (problem->output_to >= 0)
        text_add(out, "output %d;\n", problem->output_to);
}
