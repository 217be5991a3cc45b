#include "amoget/kinds.h"

#include <math.h>
#include <string.h>

static bool same(double a, double b)
{
    return !(a < b) && !(a > b) && isnan(a) == isnan(b); /* NaN: not known */
}

/* Would exchanging processors a and b change any number? */
static bool alike(const AmogetDescription *desc, int32_t a, int32_t b)
{
    size_t width = (size_t)desc->capacity, at = (size_t)a * width, bt = (size_t)b * width;
    const double *lat = desc->latency.value, *band = desc->bandwidth.value;
    if (!same(desc->time[a], desc->time[b]) || desc->cores[a] != desc->cores[b] ||
        !same(desc->availability[a], desc->availability[b]))
        return false;
    if (a == desc->input || b == desc->input || a == desc->output_to || b == desc->output_to)
        return false;
    if (!same(lat[at + (size_t)a], lat[bt + (size_t)b]) ||
        !same(band[at + (size_t)a], band[bt + (size_t)b]))
        return false;
    for (int32_t c = 0; c < desc->processors; c++)
        if (c != a && c != b &&
            (!same(lat[at + (size_t)c], lat[bt + (size_t)c]) ||
             !same(band[at + (size_t)c], band[bt + (size_t)c])))
            return false;
    return true;
}

static void find_kinds(Kinds *kinds, const AmogetDescription *desc)
{
    for (int32_t j = 0; j < kinds->processors; j++) {
        int32_t first = 0;
        while (first < j && !(kinds->first[first] == first && alike(desc, first, j)))
            first++;
        kinds->first[j] = first;
        kinds->next[j] = -1;
        int32_t last = first;
        while (kinds->next[last] >= 0)
            last = kinds->next[last];
        if (first < j)
            kinds->next[last] = j;
    }
    for (int32_t j = 0; j < kinds->processors; j++) {
        kinds->size[j] = 0;
        for (int32_t k = kinds->first[j]; k >= 0; k = kinds->next[k])
            kinds->size[j]++;
    }
}

PepaStatus kinds_new(Kinds *kinds, const AmogetDescription *desc, PepaError *err)
{
    size_t p = (size_t)desc->processors;
    Kinds made = {.processors = desc->processors};
    made.first = mem_alloc(p, sizeof *made.first);
    made.next = mem_alloc(p, sizeof *made.next);
    made.size = mem_alloc(p, sizeof *made.size);
    if (!made.first || !made.next || !made.size) {
        kinds_free(&made);
        return error_memory(err);
    }
    find_kinds(&made, desc);
    *kinds = made;
    return PEPA_OK;
}

void kinds_free(Kinds *kinds)
{
    mem_free(kinds->first);
    mem_free(kinds->next);
    mem_free(kinds->size);
    *kinds = (Kinds){0};
}

/* The first stage on the same processor as stage i. */
static int32_t first_stage(const int32_t *mapping, int32_t i)
{
    int32_t k = 0;
    while (mapping[k] != mapping[i])
        k++;
    return k;
}

/* How many processors of its kind come into use before stage i, which is the first on its own. */
static int32_t used_before(const Kinds *kinds, const int32_t *mapping, int32_t i)
{
    int32_t used = 0;
    for (int32_t k = 0; k < i; k++)
        used +=
            kinds->first[mapping[k]] == kinds->first[mapping[i]] && first_stage(mapping, k) == k;
    return used;
}

void kinds_standard(const Kinds *kinds, const int32_t *mapping, int32_t depth, int32_t *standard)
{
    for (int32_t i = 0; i < depth; i++) {
        int32_t before = first_stage(mapping, i);
        standard[i] = before < i ? standard[before] : kinds->first[mapping[i]];
        for (int32_t used = before < i ? 0 : used_before(kinds, mapping, i); used > 0; used--)
            standard[i] = kinds->next[standard[i]];
    }
}

double kinds_stands_for(const Kinds *kinds, const int32_t *mapping, int32_t depth)
{
    int32_t standard[MOST_STAGES];
    double ways = 1;
    kinds_standard(kinds, mapping, depth, standard);
    if (memcmp(standard, mapping, (size_t)depth * sizeof *mapping) != 0)
        return 0;
    for (int32_t i = 0; i < depth; i++)
        if (first_stage(mapping, i) == i)
            ways *= kinds->size[mapping[i]] - used_before(kinds, mapping, i);
    return ways;
}

int32_t mapping_processors(const int32_t *mapping, int32_t stages)
{
    int32_t count = 0;
    for (int32_t i = 0; i < stages; i++)
        count += first_stage(mapping, i) == i;
    return count;
}
