/* Computes the shape of a mapping: which stages are together, and who takes turns. */
#include "amoget/model/shape.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

int32_t mapping_count(const int32_t *mapping, int32_t stages, int32_t j)
{
    int32_t count = 0;
    for (int32_t i = 0; i < stages; i++)
        count += mapping[i] == j;
    return count;
}

Shape shape_free(const AmogetDescription *desc, int32_t first, int32_t count)
{
    Shape shape;
    memset(&shape, 0, sizeof shape);
    shape.stages = count;
    shape.transfer = desc->transfer;
    memcpy(shape.phases, desc->phases + first, (size_t)count * sizeof *shape.phases);
    return shape;
}

Shape shape_of(const AmogetDescription *desc, const int32_t *mapping)
{
    Shape shape = shape_free(desc, 0, desc->stages);
    int32_t groups = 0;
    for (int32_t i = 0; i < desc->stages && desc->sharing == AMOGET_SERIAL; i++) {
        int32_t j = mapping[i];
        if (mapping_count(mapping, desc->stages, j) <= desc->machine->cores[j] ||
            shape.group[i] > 0)
            continue;
        shape.cores[++groups] = desc->machine->cores[j];
        for (int32_t k = i; k < desc->stages; k++)
            shape.group[k] = mapping[k] == j ? groups : shape.group[k];
    }
    return shape;
}

uint64_t shape_turns(const AmogetDescription *desc, const int32_t *mapping, int32_t depth)
{
    uint64_t turns = 0;
    bool possible = desc->sharing == AMOGET_SERIAL && desc->transfer == AMOGET_RENDEZVOUS;
    for (int32_t i = 0; i + 1 < depth && possible; i++)
        if (mapping[i] == mapping[i + 1] && desc->machine->cores[mapping[i]] == 1)
            turns |= (uint64_t)1 << i;
    return turns;
}

bool shape_turns_suffice(const AmogetDescription *desc, const int32_t *mapping)
{
    uint64_t turns = shape_turns(desc, mapping, desc->stages);
    for (int32_t i = 0; i < desc->stages && desc->sharing == AMOGET_SERIAL; i++) {
        int32_t there = mapping_count(mapping, desc->stages, mapping[i]);
        bool pair = there == 2 && ((turns >> i & 1) || (i > 0 && (turns >> (i - 1) & 1)));
        if (there > desc->machine->cores[mapping[i]] && !pair)
            return false;
    }
    return true;
}

bool shape_is_free(const Shape *shape)
{
    return shape->cores[1] == 0;
}

int32_t shape_activities(const Shape *shape)
{
    return 2 * shape->stages + 1 + (shape->transfer == AMOGET_BUFFERED ? shape->stages - 1 : 0);
}

enum { ADVICE_SIZE = 80 };

/* So many of the first stages fit; `can_raise`: all do if the limit is raised. */
static void advise(int32_t fit, bool can_raise, char advice[ADVICE_SIZE])
{
    const char *raise = can_raise ? ", or raise the limit" : "";
    if (fit > 1)
        (void)snprintf(advice, ADVICE_SIZE, "merge stages until at most %d are left%s", (int)fit,
                       raise);
    else if (fit == 1)
        (void)snprintf(advice, ADVICE_SIZE, "merge all stages into one%s", raise);
    else
        (void)snprintf(advice, ADVICE_SIZE, "the first stage alone has more: %s",
                       can_raise ? "raise the limit" : "merge stages, and take a larger limit");
}

/* The states of an event graph of n stages without turns or places are the product of each stage's:
 * it waits for an item, works in one of its phases, or waits to pass on.  Places add states; how
 * many turns and groups leave out is not known. */
PepaStatus shape_check_size(const Shape *shape, int64_t max_states, PepaError *err)
{
    const double ceiling = 2147483646, most = fmin((double)max_states, ceiling);
    double states = 1;
    int32_t fit = 0;
    for (int32_t i = 0; i < shape->stages; i++) {
        states *= 2 + shape->phases[i];
        fit += states <= most;
    }
    if (!shape_is_free(shape) || shape->turns || states <= most)
        return PEPA_OK;
    char advice[ADVICE_SIZE];
    advise(fit, states <= ceiling, advice);
    return error_set(err, PEPA_ELIMIT,
                     "a pipeline of %d stages has %s%.10g states, more than the limit of %lld; %s",
                     shape->stages, shape->transfer == AMOGET_BUFFERED ? "more than " : "", states,
                     (long long)most, advice);
}
