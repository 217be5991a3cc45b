/* Tables of cuts, and their weights. */
#include "grid/taag/schedule/partition_cuts.h"

#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "grid/taag/schedule/pack_lp.h"

/* Sites whose cuts are all looked at; of cuts for each set of joined sites. */
enum { FEW_SITES = 6, MOST_CUTS = 31 };
/* Weights are worked out in parts of a millisecond; links that are not allowed are so long. */
static const double PARTS = 1e5, BARRED = 1e9;

static void free_cut(Cut *cut)
{
    mem_free_all(cut->table[0].fewest, cut->table[1].fewest);
}

static void free_tables(PartitionCuts *c)
{
    for (int32_t i = 0; i < c->cuts; i++)
        free_cut(&c->cut[i]);
    mem_free(c->cut);
    c->cut = NULL;
    c->cuts = 0;
}

void partition_cuts_free(PartitionCuts *c)
{
    free_tables(c);
    mem_free_all(c->order, c->open, c->at, c->frontier, c->from, c->close, c->first);
    *c = (PartitionCuts){0};
}

/* ---- tables --------------------------------------------------------------------------------- */

static size_t table_at(const PartitionCuts *c, const CutTable *table, int32_t k, uint32_t sides)
{
    return (c->first[k] + (size_t)sides) * ((size_t)table->total + 1);
}

static size_t cells_of(const PartitionCuts *c, const CutTable *table)
{
    return c->rows * ((size_t)table->total + 1);
}

/* The sides of the frontier of k + 1 groups, from that of k, and the side of the next one. */
static uint32_t next_sides(const PartitionCuts *c, int32_t k, uint32_t sides, uint32_t side)
{
    uint32_t next = 0;
    for (int32_t i = c->at[k + 1]; i < c->at[k + 2]; i++)
        next |= (c->from[i] < 0 ? side : sides >> c->from[i] & 1) << (i - c->at[k + 1]);
    return next;
}

static int32_t ones(uint32_t bits)
{
    int32_t n = 0;
    for (; bits != 0; bits &= bits - 1)
        n++;
    return n;
}

/* A row of the table: the next group, of `size` processes, is on one side, which cuts so many, or the other. */
static void fill_row(uint8_t *row, const uint8_t *off, int32_t cut_off, const uint8_t *on,
                     int32_t cut_on, int32_t size, int32_t processes)
{
    for (int32_t u = 0; u <= processes; u++) {
        const int32_t here = off[u] + cut_off;
        row[u] = (uint8_t)(here < CUT_NO_WAY ? here : CUT_NO_WAY);
    }
    for (int32_t u = 0; u + size <= processes; u++) {
        const int32_t here = on[u + size] + cut_on;
        row[u] = here < row[u] ? (uint8_t)here : row[u];
    }
}

/* What a site, or all that `sides` has, can hold. */
static int64_t held_by(const PartitionCuts *c, const Sites *sites, const CutTable *table,
                       uint32_t side)
{
    int64_t sum = 0;
    for (int32_t a = 0; a < sites->count; a++)
        if (side >> a & 1)
            sum += table->z < 0
                       ? sites->places[a]
                       : c->units.units[(size_t)a * (size_t)c->units.sizes + (size_t)table->z];
    return sum;
}

static void measure_groups(const PartitionCuts *c, const Shape *s, CutTable *table, int32_t z)
{
    *table = (CutTable){.z = z, .width = z < 0 ? 1 : c->units.size[z]};
    for (int32_t k = 0; k < c->groups; k++)
        table->total += s->size[c->order[k]] / table->width;
}

/* False: out of memory. */
static bool fill_table(PartitionCuts *c, const Shape *s, CutTable *table, int64_t on, int64_t off)
{
    const int32_t n = table->total;
    if (!mem_new(table->fewest, cells_of(c, table)))
        return false;
    uint8_t *last = table->fewest + table_at(c, table, c->groups, 0);
    for (int32_t u = 0; u <= n; u++)
        last[u] = u <= on && n - u <= off ? 0 : CUT_NO_WAY;
    for (int32_t k = c->groups - 1; k >= 0; k--) {
        const uint32_t close = c->close[k];
        for (uint32_t sides = 0; sides < (uint32_t)1 << (c->at[k + 1] - c->at[k]); sides++)
            fill_row(table->fewest + table_at(c, table, k, sides),
                     table->fewest + table_at(c, table, k + 1, next_sides(c, k, sides, 0)),
                     ones(sides & close),
                     table->fewest + table_at(c, table, k + 1, next_sides(c, k, sides, 1)),
                     ones(~sides & close), s->size[c->order[k]] / table->width, n);
    }
    c->work += (int64_t)cells_of(c, table) / 8;
    return true;
}

/* At the beginning. */
static int32_t fewest_of(const Cut *cut)
{
    const int32_t fewest = cut->table[0].fewest[0];
    const uint8_t *other = cut->table[1].fewest;
    return other && other[0] > fewest ? other[0] : fewest;
}

/* The table by units that bounds most; of equal ones the one that leaves least room.  False: out of memory. */
static bool add_units(PartitionCuts *c, const Shape *s, const Sites *sites, Cut *cut)
{
    double fullest = 0;
    for (int32_t z = 0; z < c->units.sizes; z++) {
        CutTable next;
        measure_groups(c, s, &next, z);
        const int64_t on = held_by(c, sites, &next, cut->side);
        const int64_t off = held_by(c, sites, &next, cut->within & ~cut->side);
        const double full = (double)next.total / (double)(on + off + 1);
        if (next.width == 1 || (on >= next.total && off >= next.total))
            continue;
        if (!fill_table(c, s, &next, on, off))
            return false;
        uint8_t **best = &cut->table[1].fewest;
        if (!*best || next.fewest[0] > (*best)[0] ||
            (next.fewest[0] == (*best)[0] && full > fullest)) {
            mem_free(*best);
            cut->table[1] = next;
            fullest = full;
        } else {
            mem_free(next.fewest);
        }
    }
    return true;
}

/* ---- weights -------------------------------------------------------------------------------- */

/* A packing: a row for each pair of sites, a column for each cut.  Weights: the solution, but for rounding. */
static bool weigh(const Sites *sites, Cut *cut, int32_t cuts, double limit, const double *price,
                  double least)
{
    PackLp lp;
    PackEntry entry[MOST_SITES * MOST_SITES / 2];
    int32_t rows = 0, row[MOST_SITES][MOST_SITES];
    double apart[MOST_SITES][MOST_SITES];
    for (int32_t a = 0; a < sites->count; a++)
        for (int32_t b = 0; b < a; b++) {
            const bool both = cut[0].within >> a & 1 && cut[0].within >> b & 1;
            const bool barred = sites->ms[a][b] > limit;
            const double ms = price[(size_t)a * MOST_SITES + (size_t)b] - least;
            row[a][b] = both ? rows++ : -1;
            apart[a][b] = barred ? BARRED : fmin(BARRED, floor(fmax(0, ms) * PARTS));
        }
    if (!pack_lp_make(&lp, rows))
        return false;
    for (int32_t a = 0; a < sites->count; a++)
        for (int32_t b = 0; b < a; b++)
            if (row[a][b] >= 0)
                lp.right[row[a][b]] = (int32_t)apart[a][b];
    bool good = true;
    for (int32_t i = 0; i < cuts && good; i++) {
        int32_t n = 0;
        for (int32_t a = 0; a < sites->count; a++)
            for (int32_t b = 0; b < a; b++)
                if (row[a][b] >= 0 && (cut[i].side >> a & 1) != (cut[i].side >> b & 1))
                    entry[n++] = (PackEntry){row[a][b], 1};
        good = pack_lp_add(&lp, fewest_of(&cut[i]) + 1, entry, n); /* later it may be more */
    }
    if (good)
        (void)pack_lp_solve(&lp);
    double share = 1; /* of the weights, so that no pair has more than it may */
    for (int32_t a = 0; a < sites->count && good; a++)
        for (int32_t b = 0; b < a; b++) {
            double sum = 0;
            for (int32_t i = 0; i < cuts && row[a][b] >= 0; i++)
                if ((cut[i].side >> a & 1) != (cut[i].side >> b & 1))
                    sum += fmax(0, lp.x[i]);
            if (sum > apart[a][b])
                share = fmin(share, apart[a][b] / sum);
        }
    for (int32_t i = 0; i < cuts && good; i++)
        cut[i].weight = fmax(0, lp.x[i]) * share / PARTS;
    pack_lp_free(&lp);
    return good;
}

/* ---- all ------------------------------------------------------------------------------------ */

/* The i-th cut of sites that are joined: all subsets without the last site, or if they are many, single sites.
 * 0: there are no more. */
static uint32_t side_of(uint32_t joined, int32_t i)
{
    int32_t site[MOST_SITES], n = 0;
    uint32_t side = 0;
    for (int32_t a = 0; a < MOST_SITES; a++)
        if (joined >> a & 1)
            site[n++] = a;
    if (n > FEW_SITES)
        return i < n ? (uint32_t)1 << site[i] : 0;
    for (int32_t b = 0; b < n - 1; b++)
        side |= (uint32_t)((i + 1) >> b & 1) << site[b];
    return i + 1 < 1 << (n - 1) ? side : 0;
}

/* Cuts of the sites that links join with one another. */
static bool add_cuts(PartitionCuts *c, const Shape *s, const Sites *sites, uint32_t joined,
                     double limit, const double *price, double least, bool *bars)
{
    int32_t count = 0;
    const int32_t before = c->cuts;
    CutTable all;
    measure_groups(c, s, &all, -1);
    *bars = held_by(c, sites, &all, joined) < c->processes;
    for (uint32_t side = side_of(joined, 0); side != 0 && !*bars; side = side_of(joined, ++count)) {
        Cut *cut = &c->cut[c->cuts];
        if ((double)cells_of(c, &all) * (c->cuts + 1) > MOST_CUT_CELLS)
            break;
        *cut = (Cut){.side = side, .within = joined, .table = {all}};
        c->cuts++;
        if (!fill_table(c, s, &cut->table[0], held_by(c, sites, &all, side),
                        held_by(c, sites, &all, joined & ~side)) ||
            !add_units(c, s, sites, cut))
            return false;
        *bars = fewest_of(cut) == CUT_NO_WAY;
    }
    if (c->cuts > before && !*bars &&
        !weigh(sites, &c->cut[before], c->cuts - before, limit, price, least))
        return false;
    int32_t kept = before;
    for (int32_t i = before; i < c->cuts; i++)
        if (c->cut[i].weight > 0)
            c->cut[kept++] = c->cut[i];
        else
            free_cut(&c->cut[i]);
    c->cuts = kept;
    return true;
}

/* Sites that links within the limit join with site `a`. */
static uint32_t joined_with(const Sites *s, double limit, int32_t a)
{
    uint32_t sites = (uint32_t)1 << a, before = 0;
    while (sites != before) {
        before = sites;
        for (int32_t b = 0; b < s->count; b++)
            for (int32_t d = 0; d < s->count; d++)
                if (before >> b & 1 && s->ms[b][d] <= limit)
                    sites |= (uint32_t)1 << d;
    }
    return sites;
}

bool partition_cuts_set(PartitionCuts *c, const Shape *shape, const Sites *sites, double limit,
                        const double *price, CutUnits units)
{
    bool good = true;
    free_tables(c);
    c->units = units;
    if (c->groups == 0)
        return true;
    if (!mem_new(c->cut, (size_t)sites->count * (MOST_CUTS + 1)))
        return false;
    for (int32_t a = 0; a < sites->count && good; a++) {
        double least = INFINITY;
        bool bars = false;
        c->joined[a] = joined_with(sites, limit, a);
        if ((c->joined[a] & (((uint32_t)1 << a) - 1)) != 0)
            continue;
        for (int32_t b = 0; b < sites->count; b++)
            for (int32_t d = 0; d <= b; d++)
                if (c->joined[a] >> b & 1 && c->joined[a] >> d & 1 &&
                    (b == d || sites->ms[b][d] <= limit))
                    least = fmin(least, price[(size_t)b * MOST_SITES + (size_t)d]);
        good = add_cuts(c, shape, sites, c->joined[a], limit, price, least, &bars);
        for (int32_t b = 0; b < sites->count; b++)
            if (c->joined[a] >> b & 1) {
                c->within[b] = least;
                c->bars[b] = bars;
            }
    }
    return good;
}

double partition_cuts_least(const PartitionCuts *c, int32_t sites)
{
    double least = c->groups > 0 ? INFINITY : 0;
    for (int32_t a = 0; a < sites && c->groups > 0; a++) {
        double sum = c->bars[a] ? INFINITY : c->open[0] * c->within[a];
        for (int32_t i = 0; i < c->cuts; i++)
            sum += c->cut[i].within >> a & 1 ? fewest_of(&c->cut[i]) * c->cut[i].weight : 0;
        least = fmin(least, sum);
    }
    return least;
}

/* How much a side has. */
static int32_t amount_on(const PartitionCuts *c, const CutTable *table, uint32_t side,
                         const int32_t *used, const int32_t *taken)
{
    int32_t sum = 0;
    for (int32_t a = 0; side != 0; side >>= 1, a++)
        if (side & 1)
            sum += table->z < 0 ? used[a]
                                : taken[(size_t)a * (size_t)c->units.sizes + (size_t)table->z];
    return sum;
}

double partition_cuts_rest(const PartitionCuts *c, int32_t k, int32_t first, const int8_t *frontier,
                           const int32_t *used, const int32_t *taken)
{
    const int32_t count = c->at[k + 1] - c->at[k];
    double sum = c->open[k] * c->within[first];
    if (c->bars[first])
        return INFINITY;
    for (int32_t i = 0; i < c->cuts; i++) {
        const Cut *cut = &c->cut[i];
        uint32_t sides = 0;
        int32_t fewest = 0;
        if (!(cut->within >> first & 1))
            continue;
        for (int32_t j = 0; j < count; j++)
            sides |= (cut->side >> frontier[j] & 1) << j;
        for (int32_t t = 0; t < 2 && cut->table[t].fewest; t++) {
            const CutTable *table = &cut->table[t];
            const int32_t on = amount_on(c, table, cut->side, used, taken);
            const int32_t here = table->fewest[table_at(c, table, k, sides) + (size_t)on];
            fewest = here > fewest ? here : fewest;
        }
        if (fewest == CUT_NO_WAY)
            return INFINITY;
        sum += fewest * cut->weight;
    }
    return sum;
}
