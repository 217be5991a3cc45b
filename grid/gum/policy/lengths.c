/* Histogram of works. */
#include "grid/gum/policy/lengths.h"

#include <math.h>

#define LEAST      1e-7
#define PER_OCTAVE 4
#define WIDTH      1.189207115002721 /* of a bin: a quarter of an octave */

static int bin_of(double work)
{
    if (!(work > LEAST))
        return 0;
    const double bin = PER_OCTAVE * log2(work / LEAST);
    return bin < LENGTH_BINS - 1 ? (int)bin : LENGTH_BINS - 1;
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
    const int first = bin_of(done);
    double low = LEAST * exp2((double)first / PER_OCTAVE), high;
    for (int b = first; b < LENGTH_BINS; b++, low = high) {
        high = WIDTH * low;
        if (lengths->bin[b] == 0)
            continue;
        const double from = fmin(fmax(done, low), high);
        const double tasks = lengths->bin[b] * (high - from) / (high - low);
        longer += tasks;
        sum += tasks * fmax(0, (from + high) / 2 * won - lost);
    }
    return sum / longer;
}
