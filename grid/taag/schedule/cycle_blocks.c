/* Which blocks of a ring's groups hosts hold: a knapsack over groups, processes and blocks of mixed
 * sizes. */
#include <math.h>
#include <string.h>

#include "base/mem.h"
#include "grid/taag/schedule/cycle.h"

enum { MIXED = 2 /* blocks of the least size and others, at most */, WAYS = 3 };

bool block_choice_make(BlockChoice *out, const Shape *s, int32_t nodes)
{
    BlockChoice c = {.groups = s->parts, .least = s->least, .more = INT32_MAX, .mixed = MIXED};
    c.extra = s->rest - s->parts * s->least;
    c.cells = ((size_t)c.groups + 1) * ((size_t)c.extra + 1) * (MIXED + 1);
    bool good = mem_new(c.value, c.cells) && mem_new(c.before, c.cells) &&
                mem_new(c.option, (size_t)nodes * c.cells);
    if (!good)
        block_choice_free(&c);
    *out = c;
    return good;
}

void block_choice_free(BlockChoice *c)
{
    mem_free_all(c->value, c->before, c->option);
    *c = (BlockChoice){0};
}

/* WAYS ways for each number of groups: sizes that hardly differ, one of which is the least only if
 * all are; mixed ones; two blocks. */
bool block_option(const BlockChoice *c, int32_t places, int32_t i, Block *out)
{
    int32_t groups = i / WAYS + 1, way = i % WAYS;
    int64_t extra = places - (int64_t)groups * c->least;
    if (extra < 0 || groups > c->groups)
        return false;
    if (extra / groups >= c->more)
        extra = (int64_t)groups * c->more;
    *out = (Block){.groups = groups, .extra = extra < c->extra ? (int32_t)extra : c->extra};
    bool even = extra == 0 || extra >= groups;
    out->mixed = way == 1 && !even;
    out->split = way == 2 && !even;
    if (way == 0 && !even)
        out->extra = 0;
    return true;
}

/* Where visits have a negative cost there are as many as there can be. */
double block_cost(const Block *b, double w)
{
    return w < 0 ? b->groups * w : b->split ? 2 * w : w;
}

static void use(BlockChoice *c, uint16_t *option, const Block *b, double cost, uint16_t name)
{
    size_t row = (size_t)c->extra + 1, layer = ((size_t)c->groups + 1) * row;
    for (size_t m = b->mixed ? 1 : 0; m <= MIXED; m++)
        for (int32_t n = 0; n <= c->groups; n++) {
            size_t from = (m - (b->mixed ? 1 : 0)) * layer;
            const double *before =
                &c->before[from + (size_t)(n > b->groups ? n - b->groups : 0) * row];
            size_t at = m * layer + (size_t)n * row;
            for (int32_t x = 0; x <= c->extra; x++) {
                double with = before[x > b->extra ? x - b->extra : 0] + cost;
                if (with < c->value[at + (size_t)x]) {
                    c->value[at + (size_t)x] = with;
                    option[at + (size_t)x] = name;
                }
            }
        }
}

double block_choose(BlockChoice *c, const int32_t *places, const double *w, int32_t nodes,
                    Effort *effort)
{
    size_t row = (size_t)c->extra + 1, layer = ((size_t)c->groups + 1) * row;
    for (size_t i = 0; i < c->cells; i++)
        c->value[i] = i % layer == 0 ? 0 : INFINITY;
    for (int32_t i = 0; i < nodes; i++) {
        uint16_t *option = &c->option[(size_t)i * c->cells];
        Block b;
        memset(option, 0, c->cells * sizeof *option);
        memcpy(c->before, c->value, c->cells * sizeof *c->before);
        for (int32_t way = 0; isfinite(w[i]) && block_option(c, places[i], way, &b); way++) {
            if (way % WAYS > 0 && !b.mixed && !b.split)
                continue; /* the same as the first way */
            use(c, option, &b, block_cost(&b, w[i]), (uint16_t)(way + 1));
            effort->work += (int64_t)c->cells;
        }
    }
    return c->value[((size_t)c->mixed + 1) * layer - 1];
}

int32_t block_chosen(const BlockChoice *c, const int32_t *places, int32_t nodes, Block *out)
{
    size_t row = (size_t)c->extra + 1, layer = ((size_t)c->groups + 1) * row;
    int32_t count = 0, n = c->groups, x = c->extra, m = c->mixed;
    for (int32_t i = nodes - 1; i >= 0; i--) {
        size_t cell = (size_t)m * layer + (size_t)n * row + (size_t)x;
        int32_t name = c->option[(size_t)i * c->cells + cell];
        Block b;
        if (name == 0 || !block_option(c, places[i], name - 1, &b))
            continue;
        b.host = i;
        out[count++] = b;
        n = n > b.groups ? n - b.groups : 0;
        x = x > b.extra ? x - b.extra : 0;
        m -= b.mixed;
    }
    return count;
}

/* ---- rings ---------------------------------------------------------------------------------- */

bool ring_choice_make(RingChoice *out, const Shape *s, int32_t nodes, int32_t widest)
{
    RingChoice c = {.closed = false};
    const int32_t more = widest - 2 * s->least;
    const bool good = block_choice_make(&c.one, s, nodes) && block_choice_make(&c.two, s, nodes);
    c.one.mixed = 1;
    c.two.more = more > 0 ? more : 0;
    *out = c;
    if (!good)
        ring_choice_free(out);
    return good;
}

void ring_choice_free(RingChoice *c)
{
    block_choice_free(&c->one);
    block_choice_free(&c->two);
}

double ring_choose(RingChoice *c, const int32_t *places, const double *w, int32_t nodes,
                   Effort *effort)
{
    const double one = block_choose(&c->one, places, w, nodes, effort);
    c->closed = false;
    if (c->one.value[c->one.cells - 1] >= one && isfinite(one)) /* a second one does not help */
        return one;
    const double two = block_choose(&c->two, places, w, nodes, effort);
    c->closed = two < one;
    return fmin(one, two);
}

int32_t ring_chosen(const RingChoice *c, const int32_t *places, int32_t nodes, Block *out)
{
    return block_chosen(c->closed ? &c->two : &c->one, places, nodes, out);
}
