/* Computes lower bounds of the time per item, under all cuts at once. */
#include "amoget/search/bound.h"

#include <math.h>
#include <string.h>

enum { LANE = 8 }; /* loops over cuts go in steps that compilers turn into vector instructions */

static double *slope_row(const Bounds *b, int32_t activity)
{
    return b->slope + (size_t)activity * MOST_CUTS;
}

static int32_t activities(const Costs *p)
{
    return 2 * p->stages + 1 + (p->take ? p->stages - 1 : 0);
}

static double *ahead_row(const Bounds *b, int32_t stage, int32_t j)
{
    return b->ahead + ((size_t)stage * (size_t)b->costs->processors + (size_t)j) * MOST_CUTS;
}

/* Of taking an item from the place before stage i >= 1. */
static double *take_row(const Bounds *b, int32_t stage)
{
    return slope_row(b, 2 * b->costs->stages + stage);
}

static double take_cost(const Bounds *b, int32_t c, int32_t i, int32_t j)
{
    return i > 0 && b->costs->take ? take_row(b, i)[c] * b->costs->take[j] : 0;
}

/* y += a x, over all cuts. */
static void add_row(const Bounds *b, double *restrict y, const double *restrict x, double a)
{
    for (int32_t c = 0; c < b->count; c += LANE)
        for (int32_t l = 0; l < LANE; l++)
            y[c + l] += a * x[c + l];
}

static void set_row(const Bounds *b, double *restrict y, const double *restrict x)
{
    memcpy(y, x, (size_t)b->count * sizeof *y);
    for (int32_t c = b->count; c % LANE; c++)
        y[c] = 0;
}

/* ---- cuts --------------------------------------------------------------------------------- */

static double *moves_row(const Bounds *b, int32_t stage)
{
    return b->moves + (size_t)stage * MOST_CUTS;
}

static double *heavy_row(const Bounds *b, int32_t stage, int32_t k)
{
    return b->heavy + ((size_t)stage * (size_t)b->costs->stages + (size_t)k) * MOST_CUTS;
}

/* What slots go by under cut c: backwards, each stage takes its place among the later ones. */
static void weigh(Bounds *b, int32_t c)
{
    const Costs *p = b->costs;
    int32_t n = p->stages;
    double sorted[MOST_STAGES], moves = 0;
    for (int32_t i = n - 1; i >= 0; i--) {
        double weight = slope_row(b, 2 * i + 1)[c] * p->work[i];
        int32_t at = n - 1 - i;
        for (; at > 0 && sorted[at - 1] < weight; at--)
            sorted[at] = sorted[at - 1];
        sorted[at] = weight;
        for (int32_t k = 0; k < n - i; k++)
            heavy_row(b, i, k)[c] = sorted[k];
        double take = INFINITY;
        for (int32_t j = 0; j < p->processors; j++)
            take = fmin(take, take_cost(b, c, i, j));
        moves += slope_row(b, 2 * i + 2)[c] * p->least[i + 1] + take;
        moves_row(b, i)[c] = moves;
    }
}

/* The cheapest way on from stage i-1 on processor j to stage i on another one; from the last stage,
 * out of the pipeline. */
static double cheapest_leave(const Bounds *b, int32_t c, int32_t i, int32_t j)
{
    const Costs *p = b->costs;
    double slope = slope_row(b, 2 * i)[c], least = INFINITY;
    const double *start = b->start + (size_t)i * (size_t)p->processors;
    if (i == p->stages)
        return slope * costs_move(p, i, j, 0);
    for (int32_t q = 0; q < p->processors; q++) {
        double cost = slope * costs_move(p, i, j, q) + start[q];
        least = cost < least && q != j ? cost : least;
    }
    return least;
}

/* For each stage i >= from and processor q, the least cost under cut c of stages i .. n-1 if a run
 * of neighbours on q begins with i: (f(m + r) - f(m)) W + f(m + r) (work of the run) + moves within
 * q + the way on, least over the lengths r of the run.  m stages with work W are on q already:
 * there, work. */
static void find_starts(Bounds *b, int32_t c, int32_t from, const int32_t *there,
                        const double *work)
{
    const Costs *p = b->costs;
    int32_t n = p->stages;
    for (int32_t i = n - 1; i >= from; i--) {
        for (int32_t q = 0; q < p->processors; q++) {
            int32_t m = there ? there[q] : 0;
            double done = m > 0 ? work[q] : 0, before = m > 0 ? costs_stretch(p, q, m) : 1;
            double run = 0, within = 0, least = INFINITY;
            b->leave[(size_t)(i + 1) * (size_t)p->processors + (size_t)q] =
                cheapest_leave(b, c, i + 1, q);
            for (int32_t k = i; k < n; k++) {
                double stretch = costs_stretch(p, q, m + k - i + 1);
                run += slope_row(b, 2 * k + 1)[c] * costs_unit(p, k, q);
                within += take_cost(b, c, k, q);
                within += k > i ? slope_row(b, 2 * k)[c] * costs_move(p, k, q, q) : 0;
                double cost = (stretch - before) * done + stretch * run + within +
                              b->leave[(size_t)(k + 1) * (size_t)p->processors + (size_t)q];
                least = cost < least ? cost : least;
            }
            b->start[(size_t)i * (size_t)p->processors + (size_t)q] = least;
        }
    }
}

/* The shortest paths behind each place of each stage under cut c: of a run that begins there, what
 * is not the stage itself. */
static void look_ahead(Bounds *b, int32_t c)
{
    const Costs *p = b->costs;
    find_starts(b, c, 0, NULL, NULL);
    for (int32_t i = 0; i < p->stages; i++)
        for (int32_t j = 0; j < p->processors; j++)
            ahead_row(b, i, j)[c] = b->start[(size_t)i * (size_t)p->processors + (size_t)j] -
                                    slope_row(b, 2 * i + 1)[c] * costs_unit(p, i, j) -
                                    take_cost(b, c, i, j);
}

/* A column for a new cut. */
static int32_t make_room(Bounds *b)
{
    int32_t oldest = b->given;
    if (b->count < MOST_CUTS)
        return b->count++;
    for (int32_t c = oldest; c < b->count; c++)
        if (b->used[c] < b->used[oldest])
            oldest = c;
    return oldest;
}

int32_t bounds_keep(const Bounds *b, Cut *cuts)
{
    int32_t count = 0;
    for (int32_t c = b->given; c < b->count; c++, count++) {
        for (int32_t k = 0; k < activities(b->costs); k++)
            cuts[count].slope[k] = slope_row(b, k)[c];
        cuts[count].turns = b->turns[c];
    }
    return count;
}

void bounds_put(Bounds *b, const Cut *cut)
{
    int32_t c = make_room(b);
    b->used[c] = b->clock;
    b->turns[c] = cut->turns;
    for (int32_t k = 0; k < activities(b->costs); k++)
        slope_row(b, k)[c] = cut->slope[k];
    look_ahead(b, c);
    weigh(b, c);
}

void bounds_add(Bounds *b, int32_t first, int32_t count, uint64_t turns, const double *slope)
{
    Cut cut = {.turns = turns};
    for (int32_t k = 0; k < activities(b->costs); k++) {
        bool take = k > 2 * b->costs->stages; /* of the whole pipeline only */
        int32_t part = take ? k : k - 2 * first;
        bool inside = take || (part >= 0 && part <= 2 * count);
        cut.slope[k] = inside ? slope[part] : 0;
    }
    bounds_put(b, &cut);
}

PepaStatus bounds_new(Bounds *b, const Costs *costs, PepaError *err)
{
    size_t n = (size_t)costs->stages, p = (size_t)costs->processors;
    *b = (Bounds){.costs = costs};
    b->slope = mem_calloc((size_t)activities(costs) * MOST_CUTS, sizeof *b->slope);
    b->ahead = mem_calloc(n * p * MOST_CUTS, sizeof *b->ahead);
    b->start = mem_calloc(n * p, sizeof *b->start);
    b->leave = mem_calloc((n + 1) * p, sizeof *b->leave);
    b->moves = mem_calloc(n * MOST_CUTS, sizeof *b->moves);
    b->heavy = mem_calloc(n * n * MOST_CUTS, sizeof *b->heavy);
    if (!b->slope || !b->ahead || !b->start || !b->leave || !b->moves || !b->heavy) {
        bounds_free(b);
        return error_memory(err);
    }
    for (int32_t i = 0; i < costs->stages; i++) {
        Cut cut = {.turns = 0};
        cut.slope[2 * i + 1] = cut.slope[2 * i + 2] = 1;
        cut.slope[i > 0 && costs->take ? 2 * costs->stages + i : 2 * i] = 1;
        bounds_put(b, &cut);
        if (!costs->serial || costs->take || i + 1 == costs->stages)
            continue;
        cut.slope[2 * i + 3] = 1; /* one after the other, if they take turns */
        cut.turns = (uint64_t)1 << i;
        bounds_put(b, &cut);
    }
    b->given = b->count;
    return PEPA_OK;
}

void bounds_free(Bounds *b)
{
    mem_free(b->slope);
    mem_free(b->ahead);
    mem_free(b->start);
    mem_free(b->leave);
    mem_free(b->moves);
    mem_free(b->heavy);
    *b = (Bounds){0};
}

/* ---- partial mappings --------------------------------------------------------------------- */

void partial_mapping_at(PartialMapping *partial, const Bounds *b, const int32_t *mapping,
                        int32_t depth)
{
    const Costs *p = b->costs;
    partial->depth = depth;
    partial->mapping = mapping;
    memset(partial->cost, 0, (size_t)MOST_CUTS * sizeof *partial->cost);
    for (int32_t i = 0; i < depth; i++) {
        int32_t j = mapping[i];
        double stretch = costs_stretch(p, j, mapping_count(mapping, depth, j));
        add_row(b, partial->cost, slope_row(b, 2 * i),
                costs_move(p, i, i > 0 ? mapping[i - 1] : 0, j));
        add_row(b, partial->cost, slope_row(b, 2 * i + 1), costs_unit(p, i, j) * stretch);
        if (i > 0 && p->take)
            add_row(b, partial->cost, take_row(b, i), p->take[j]);
    }
}

/* The largest entry of a row over all cuts that hold where neighbours take these turns. */
static double largest(Bounds *b, const double *row, uint64_t turns, int32_t *cut)
{
    *cut = 0; /* holds everywhere */
    for (int32_t c = 1; c < b->count; c++)
        if (row[c] > row[*cut] && (b->turns[c] & ~turns) == 0)
            *cut = c;
    b->used[*cut] = ++b->clock;
    return row[*cut];
}

/* The path under cut c from what is placed: who joins stages already there is stretched by them,
 * and stretches them. */
static double joining_path(Bounds *b, const int32_t *mapping, int32_t depth, int32_t c)
{
    const Costs *p = b->costs;
    int32_t there[MOST_PROCESSORS];
    double work[MOST_PROCESSORS], least = INFINITY;
    memset(there, 0, (size_t)p->processors * sizeof *there);
    for (int32_t i = 0; i < depth; i++) {
        int32_t j = mapping[i];
        work[j] = (there[j]++ > 0 ? work[j] : 0) + slope_row(b, 2 * i + 1)[c] * costs_unit(p, i, j);
    }
    find_starts(b, c, depth, there, work);
    for (int32_t q = 0; q < p->processors; q++) {
        double cost = slope_row(b, 2 * depth)[c] * costs_move(p, depth, mapping[depth - 1], q) +
                      b->start[(size_t)depth * (size_t)p->processors + (size_t)q];
        least = cost < least ? cost : least;
    }
    return least;
}

/* Seconds per unit of work in the quickest slots for stages depth .. n-1, ascending. */
static void quickest_slots(const Costs *p, const int32_t *mapping, int32_t depth, double *slot)
{
    int32_t there[MOST_PROCESSORS];
    for (int32_t q = 0; q < p->processors; q++)
        there[q] = 0;
    for (int32_t i = 0; i < depth; i++)
        there[mapping[i]]++;
    for (int32_t k = 0; k < p->stages - depth; k++) {
        int32_t best = 0;
        slot[k] = INFINITY;
        for (int32_t q = 0; q < p->processors; q++) {
            double pace = p->pace[q] * costs_stretch(p, q, there[q] + 1);
            if (pace < slot[k]) {
                slot[k] = pace;
                best = q;
            }
        }
        there[best]++;
    }
}

/* AMOGET_SERIAL: a processor works for an item as long as its stages take, for at most `cores` of
 * them at a time.  With one core, the activities by which items come in to its m stages end only
 * while it is free, and never more often than the sum of their rates.  So it is free for
 * m / (sum of the rates) per item at least.  Stages yet to come add work and take away nothing: the
 * argument holds for any of its stages. */
static double capacity(const Costs *p, const int32_t *mapping, int32_t depth)
{
    double most = 0;
    for (int32_t i = 0; i < depth && p->serial; i++) {
        int32_t j = mapping[i], stages = 0;
        double work = 0, rates = 0;
        for (int32_t k = 0; k < depth; k++) {
            if (mapping[k] != j)
                continue;
            stages++;
            work += costs_unit(p, k, j);
            rates += 1 / (k > 0 && p->take ? p->take[j]
                                           : costs_move(p, k, k > 0 ? mapping[k - 1] : 0, j));
        }
        most = fmax(most, work / p->cores[j] + (p->cores[j] == 1 ? stages / rates : 0));
    }
    return most;
}

/* The bound of a partial mapping whose decided part costs `known` under each cut. */
static double bound_from(Bounds *b, const double *known, const int32_t *mapping, int32_t depth,
                         double enough)
{
    const Costs *p = b->costs;
    double row[MOST_CUTS], slot[MOST_STAGES], quickest = INFINITY;
    int32_t last = mapping[depth - 1], cut;
    set_row(b, row, known);
    add_row(b, row, ahead_row(b, depth - 1, last), 1);
    uint64_t turns = shape_turns(p->desc, mapping, depth);
    double bound = fmax(largest(b, row, turns, &cut), capacity(p, mapping, depth));
    if (depth == p->stages || bound > enough)
        return bound;

    set_row(b, row, known);
    for (int32_t q = 0; q < p->processors; q++)
        quickest = fmin(quickest, costs_move(p, depth, last, q));
    add_row(b, row, slope_row(b, 2 * depth), quickest);
    add_row(b, row, moves_row(b, depth), 1);
    quickest_slots(p, mapping, depth, slot);
    for (int32_t k = 0; k < p->stages - depth; k++)
        add_row(b, row, heavy_row(b, depth, k), slot[k]);
    int32_t other;
    bound = fmax(bound, largest(b, row, turns, &other));
    if (bound > enough)
        return bound;
    return fmax(bound, known[cut] + joining_path(b, mapping, depth, cut));
}

double bounds_of(Bounds *b, const PartialMapping *partial, double enough)
{
    return partial->depth > 0
               ? bound_from(b, partial->cost, partial->mapping, partial->depth, enough)
               : 0;
}

double bounds_child(Bounds *b, const PartialMapping *partial, int32_t j, double enough)
{
    const Costs *p = b->costs;
    int32_t depth = partial->depth, there = mapping_count(partial->mapping, depth, j);
    int32_t mapping[MOST_STAGES];
    double stretch = costs_stretch(p, j, there + 1), known[MOST_CUTS];
    double more = there > 0 ? stretch - costs_stretch(p, j, there) : 0;
    memcpy(mapping, partial->mapping, (size_t)depth * sizeof *mapping);
    mapping[depth] = j;
    set_row(b, known, partial->cost);
    for (int32_t i = 0; i < depth && more > 0; i++)
        if (mapping[i] == j)
            add_row(b, known, slope_row(b, 2 * i + 1), more * costs_unit(p, i, j));
    add_row(b, known, slope_row(b, 2 * depth),
            costs_move(p, depth, depth > 0 ? mapping[depth - 1] : 0, j));
    add_row(b, known, slope_row(b, 2 * depth + 1), stretch * costs_unit(p, depth, j));
    if (depth > 0 && p->take)
        add_row(b, known, take_row(b, depth), p->take[j]);
    return bound_from(b, known, mapping, depth + 1, enough);
}
