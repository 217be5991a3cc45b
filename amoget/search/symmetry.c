/* Finds processors that are alike, and counts the mappings that one stands for. */
#include "amoget/search/symmetry.h"

#include <math.h>
#include <string.h>

static bool same(double a, double b)
{
    return !(a < b) && !(a > b) && isnan(a) == isnan(b); /* NaN: not known */
}

/* Would exchanging processors a and b change any number? */
static bool alike(const AmogetDescription *desc, int32_t a, int32_t b)
{
    const AmogetMachine *machine = desc->machine;
    size_t width = (size_t)machine->capacity, at = (size_t)a * width, bt = (size_t)b * width;
    const double *lat = machine->latency.value, *band = machine->bandwidth.value;
    if (!same(machine->time[a], machine->time[b]) || machine->cores[a] != machine->cores[b] ||
        !same(machine->availability[a], machine->availability[b]))
        return false;
    if (a == desc->input || b == desc->input || a == desc->output_to || b == desc->output_to)
        return false;
    if (!same(lat[at + (size_t)a], lat[bt + (size_t)b]) ||
        !same(band[at + (size_t)a], band[bt + (size_t)b]))
        return false;
    for (int32_t c = 0; c < machine->processors; c++)
        if (c != a && c != b &&
            (!same(lat[at + (size_t)c], lat[bt + (size_t)c]) ||
             !same(band[at + (size_t)c], band[bt + (size_t)c])))
            return false;
    return true;
}

static void find_classes(Symmetry *symmetry, const AmogetDescription *desc)
{
    for (int32_t j = 0; j < symmetry->processors; j++) {
        int32_t first = 0;
        while (first < j && !(symmetry->first[first] == first && alike(desc, first, j)))
            first++;
        symmetry->first[j] = first;
        symmetry->next[j] = -1;
        int32_t last = first;
        while (symmetry->next[last] >= 0)
            last = symmetry->next[last];
        if (first < j)
            symmetry->next[last] = j;
    }
    for (int32_t j = 0; j < symmetry->processors; j++) {
        symmetry->size[j] = 0;
        for (int32_t k = symmetry->first[j]; k >= 0; k = symmetry->next[k])
            symmetry->size[j]++;
    }
}

PepaStatus symmetry_new(Symmetry *symmetry, const AmogetDescription *desc, PepaError *err)
{
    size_t p = (size_t)desc->machine->processors;
    Symmetry made = {.processors = desc->machine->processors};
    made.first = mem_alloc(p, sizeof *made.first);
    made.next = mem_alloc(p, sizeof *made.next);
    made.size = mem_alloc(p, sizeof *made.size);
    if (!made.first || !made.next || !made.size) {
        symmetry_free(&made);
        return error_memory(err);
    }
    find_classes(&made, desc);
    *symmetry = made;
    return PEPA_OK;
}

void symmetry_free(Symmetry *symmetry)
{
    mem_free(symmetry->first);
    mem_free(symmetry->next);
    mem_free(symmetry->size);
    *symmetry = (Symmetry){0};
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
static int32_t used_before(const Symmetry *symmetry, const int32_t *mapping, int32_t i)
{
    int32_t used = 0;
    for (int32_t k = 0; k < i; k++)
        used += symmetry->first[mapping[k]] == symmetry->first[mapping[i]] &&
                first_stage(mapping, k) == k;
    return used;
}

void symmetry_representative(const Symmetry *symmetry, const int32_t *mapping, int32_t depth,
                             int32_t *standard)
{
    for (int32_t i = 0; i < depth; i++) {
        int32_t before = first_stage(mapping, i);
        standard[i] = before < i ? standard[before] : symmetry->first[mapping[i]];
        for (int32_t used = before < i ? 0 : used_before(symmetry, mapping, i); used > 0; used--)
            standard[i] = symmetry->next[standard[i]];
    }
}

double symmetry_class_size(const Symmetry *symmetry, const int32_t *mapping, int32_t depth)
{
    int32_t standard[MOST_STAGES];
    double ways = 1;
    symmetry_representative(symmetry, mapping, depth, standard);
    if (memcmp(standard, mapping, (size_t)depth * sizeof *mapping) != 0)
        return 0;
    for (int32_t i = 0; i < depth; i++)
        if (first_stage(mapping, i) == i)
            ways *= symmetry->size[mapping[i]] - used_before(symmetry, mapping, i);
    return ways;
}

int32_t mapping_processors(const int32_t *mapping, int32_t stages)
{
    int32_t count = 0;
    for (int32_t i = 0; i < stages; i++)
        count += first_stage(mapping, i) == i;
    return count;
}
