/* Cliques of hosts with enough places. */
#include "grid/taag/schedule/clique.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static const int64_t MOST_WORK = 5000000; /* at one latency, in pairs */

typedef struct {
    const Hosts *hosts;
    int64_t wanted;
    Effort *whole, effort;    /* effort: at the present latency */
    double ms;                /* the largest latency of a link */
    int32_t count;            /* vertices: hosts that stand for those with equal neighbours */
    int32_t *vertex, *stands; /* stands: of each host */
    int64_t *weight;          /* of each vertex */
    int32_t *chosen, chosen_count;
    bool found, ended, no_memory;
} Finder;

static bool linked(const Finder *f, int32_t a, int32_t b)
{
    return hosts_ms(f->hosts, a, b) <= f->ms;
}

static bool same_neighbours(Finder *f, int32_t a, int32_t b)
{
    bool same = linked(f, a, b);
    int32_t x = 0;
    for (; x < f->hosts->count && same; x++)
        same = f->hosts->places[x] == 0 || linked(f, a, x) == linked(f, b, x);
    f->effort.work += x;
    return same;
}

static void find_vertices(Finder *f)
{
    const Hosts *h = f->hosts;
    f->count = 0;
    for (int32_t b = 0; b < h->count && !effort_late(&f->effort); b++) {
        int32_t v = 0;
        f->stands[b] = -1;
        if (h->places[b] == 0)
            continue;
        while (v < f->count && !same_neighbours(f, f->vertex[v], b))
            v++;
        if (v == f->count) {
            f->vertex[f->count] = b;
            f->weight[f->count++] = 0;
        }
        f->weight[v] += h->places[b];
        f->stands[b] = v;
    }
}

/* Colour the vertices so that linked ones differ, into order; bound[i]: what order[0] .. order[i]
 * can weigh together, a vertex of each colour.  left: scratch. */
static void colour(Finder *f, const int32_t *from, int32_t count, int32_t *order, int64_t *bound,
                   int32_t *left)
{
    int64_t sum = 0;
    int32_t done = 0;
    memcpy(left, from, (size_t)count * sizeof *from);
    while (done < count) {
        int32_t begin = done, rest = 0, total = count - done;
        int64_t most = 0;
        for (int32_t i = 0; i < total; i++) {
            bool apart = true;
            for (int32_t j = begin; j < done && apart; j++)
                apart = !linked(f, f->vertex[left[i]], f->vertex[order[j]]);
            f->effort.work += done - begin + 1;
            if (!apart) {
                left[rest++] = left[i];
                continue;
            }
            most = f->weight[left[i]] > most ? f->weight[left[i]] : most;
            order[done] = left[i];
            bound[done++] = sum + most;
        }
        sum += most;
    }
}

/* Extend the chosen clique, of some weight, by those that are linked to all of it. */
static void expand(Finder *f, const int32_t *from, int32_t count, int64_t weight)
{
    int32_t *order = NULL, *next = NULL;
    int64_t *bound = NULL;
    if (weight >= f->wanted) {
        f->found = true;
        return;
    }
    if (!mem_new(order, count) || !mem_new(next, count) || !mem_new(bound, count))
        f->no_memory = true;
    else
        colour(f, from, count, order, bound, next);
    for (int32_t i = count - 1; i >= 0 && !f->no_memory && weight + bound[i] >= f->wanted; i--) {
        int32_t v = order[i], nexts = 0;
        for (int32_t j = 0; j < i; j++)
            if (linked(f, f->vertex[v], f->vertex[order[j]]))
                next[nexts++] = order[j];
        f->chosen[f->chosen_count++] = v;
        f->effort.work += i;
        expand(f, next, nexts, weight + f->weight[v]);
        if (f->found || (f->ended = effort_ended(&f->effort)))
            break;
        f->chosen_count--;
    }
    mem_free_all(order, next, bound);
}

/* Is there a clique at f->ms?  f->ended: not known.  out: NULL: its members do not matter. */
static bool exists(Finder *f, Clique *out)
{
    int32_t *all = NULL;
    f->chosen_count = 0;
    f->found = f->ended = false;
    f->effort = effort_of(f->whole, MOST_WORK);
    find_vertices(f);
    f->ended = f->effort.late;
    if (f->ended)
        return false;
    if (!mem_new(all, f->count)) {
        f->no_memory = true;
        return false;
    }
    for (int32_t v = 0; v < f->count; v++)
        all[v] = v;
    expand(f, all, f->count, 0);
    effort_add(f->whole, &f->effort);
    mem_free(all);
    if (!f->found)
        return false;
    if (!out)
        return true;
    out->found = true;
    for (int32_t h = 0; h < f->hosts->count; h++) {
        out->member[h] = false;
        for (int32_t i = 0; i < f->chosen_count; i++)
            out->member[h] = out->member[h] || f->stands[h] == f->chosen[i];
    }
    return true;
}

static int ascending(const void *x, const void *y)
{
    const double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

/* The distinct latencies above `allowed`, ascending, behind it. */
static int32_t list_latencies(const Hosts *h, double allowed, double *values)
{
    int32_t count = 0, distinct = 1;
    values[count++] = allowed;
    for (int32_t a = 0; a < h->count; a++)
        for (int32_t b = 0; b < a; b++)
            if (hosts_ms(h, a, b) > allowed)
                values[count++] = hosts_ms(h, a, b);
    qsort(values, (size_t)count, sizeof *values, ascending);
    for (int32_t i = 1; i < count; i++)
        if (values[i] > values[distinct - 1])
            values[distinct++] = values[i];
    return distinct;
}

static bool make(Finder *f)
{
    const size_t n = (size_t)f->hosts->count;
    return mem_new(f->vertex, n) && mem_new(f->stands, n) && mem_new(f->weight, n) &&
           mem_new(f->chosen, n);
}

bool clique_misses(bool *none, const Hosts *h, int32_t places, double ms, Effort *effort)
{
    Finder f = {.hosts = h, .wanted = places, .whole = effort, .ms = ms};
    f.no_memory = !make(&f);
    *none = !f.no_memory && !exists(&f, NULL) && !f.ended && !f.no_memory;
    mem_free_all(f.vertex, f.stands, f.weight, f.chosen);
    return !f.no_memory;
}

bool clique_level(int32_t *level, CliqueRoom *room, const Hosts *h, int32_t processes,
                  Effort *effort)
{
    bool good = true;
    for (; *level > 0 && *level < h->levels && good; ++*level) {
        CliqueRoom *held = &room[*level];
        bool none = held->none > 0 && processes >= held->none;
        if (!none && processes > held->some) {
            good = clique_misses(&none, h, processes, h->most[*level], effort);
            *(none ? &held->none : &held->some) = processes;
        }
        if (!none)
            break;
    }
    return good;
}

bool clique_find(Clique *out, const Hosts *h, int32_t places, double allowed, Effort *effort)
{
    Finder f = {.hosts = h, .wanted = places, .whole = effort};
    double *values = NULL;
    size_t n = (size_t)h->count;
    *out = (Clique){.looked_for = true};
    f.no_memory = !mem_new_zeroed(out->member, n) || !make(&f) || !mem_new(values, n * n / 2 + 2);
    int32_t low = 0, high = f.no_memory ? 0 : list_latencies(h, allowed, values) - 1;
    while (low < high && !f.no_memory &&
           !effort_ended(effort)) { /* none below low, by proof; at high there may be one */
        int32_t middle = low + (high - low) / 2;
        f.ms = values[middle];
        if (exists(&f, out) || f.ended)
            high = middle;
        else
            low = middle + 1;
    }
    if (low > 0)
        out->least = values[low];
    if (!out->found && !f.no_memory && !effort_ended(effort)) {
        f.ms = values[low];
        (void)exists(&f, out);
    }
    mem_free_all(f.vertex, f.stands, f.weight, f.chosen, values);
    if (f.no_memory)
        clique_free(out);
    return !f.no_memory;
}

void clique_free(Clique *c)
{
    mem_free(c->member);
    *c = (Clique){0};
}
