/* Keeps the placement with the shortest round. */
#include "grid/taag/predict/fastest.h"

#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"

bool fastest_make(Fastest *f, const Costs *costs, const AmogetProgram *p, PepaError *err)
{
    *f = (Fastest){.costs = costs, .seconds = HUGE_VAL, .status = PEPA_OK, .err = err};
    return mem_new(f->sizes, p->processes + 1) && mem_new(f->host_of, p->processes) &&
           means_make(&f->means, round_phases(p), p->processes) &&
           round_make(&f->round, p->processes);
}

void fastest_free(Fastest *f)
{
    mem_free_all(f->sizes, f->host_of);
    means_free(&f->means);
    round_free(&f->round);
    *f = (Fastest){0};
}

bool fastest_late(Fastest *f)
{
    enum { LOOK = 100000 }; /* work between looks at the clock: less than a millisecond */
    if (!f->late && f->deadline > 0 && f->work >= f->look) {
        f->late = clock_seconds() > f->deadline;
        f->look = f->work + LOOK;
    }
    return f->late;
}

bool fastest_beats(const Fastest *f, double seconds)
{
    return !(seconds < f->seconds * (1 - FASTEST_EQUAL));
}

bool fastest_offer(Fastest *f, const Shape *s, const int32_t *host_of)
{
    double seconds;
    if (f->status == PEPA_OK)
        f->status = round_fill(&f->round, f->costs, s, host_of, f->err);
    f->work += s->fixed + s->rest;
    if (f->status != PEPA_OK || fastest_beats(f, round_least(&f->round)))
        return false;
    f->status = means_of(&f->means, &f->round, &seconds, &f->work, f->err);
    const bool equal = f->parts > s->parts && seconds <= f->seconds * (1 + FASTEST_EQUAL);
    if (f->status != PEPA_OK || (fastest_beats(f, seconds) && !equal))
        return false;
    f->seconds = fmin(f->seconds, seconds);
    f->parts = s->parts;
    memcpy(f->sizes, s->size + s->fixed, (size_t)s->parts * sizeof *f->sizes);
    memcpy(f->host_of, host_of, (size_t)(s->fixed + s->rest) * sizeof *host_of);
    return true;
}
