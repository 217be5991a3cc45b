/* Histogram of works. */
#include "grid/gum/policy/lengths.h"

#include <math.h>

#define LEAST      1e-7
#define PER_OCTAVE 4

static int bin_of(double work)
{
    if (!(work > LEAST))
        return 0;
    const double bin = PER_OCTAVE * log2(work / LEAST);
    return bin < LENGTH_BINS - 1 ? (int)bin : LENGTH_BINS - 1;
}

/* Where a bin begins. */
static double edge(int bin)
{
    return LEAST * exp2((double)bin / PER_OCTAVE);
}

void lengths_add(Lengths *lengths, double work)
{
    uint16_t *bin = &lengths->bin[bin_of(work)];
    if (*bin == UINT16_MAX)
        for (int b = 0; b < LENGTH_BINS; b++)
            lengths->bin[b] /= 2;
    ++*bin;
    if (lengths->tasks < INT32_MAX)
        lengths->tasks++;
}

double lengths_gain(const Lengths *lengths, double done, double guess, double here, double there,
                    double way)
{
    const double lost = done * here + way, won = here - there;
    double sum = fmax(0, (done + guess) * won - lost), longer = 1;
    for (int b = bin_of(done); b < LENGTH_BINS; b++) {
        if (lengths->bin[b] == 0)
            continue;
        const double low = edge(b), high = edge(b + 1), from = fmin(fmax(done, low), high);
        const double tasks = lengths->bin[b] * (high - from) / (high - low);
        longer += tasks;
        sum += tasks * fmax(0, (from + high) / 2 * won - lost);
    }
    return sum / longer;
}
