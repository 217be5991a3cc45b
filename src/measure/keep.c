#include "measure/keep.h"

/* ---- pieces ---------------------------------------------------------------------------------- */

/* Consecutive states, as the chain numbers them, that are consecutive in vectors. */
typedef struct {
    int64_t first, place, count;
} Piece;

/* The piece that begins with the k-th own upper state; *k is then that after it. */
static Piece next_piece(const Diagram *d, int32_t *k)
{
    const int32_t first = diagram_own(d, *k);
    Piece piece = {d->offset[first], diagram_place(d, first), 0};
    int32_t upper = first;
    do {
        piece.count += d->offset[upper + 1] - d->offset[upper];
        ++*k;
        upper++;
    } while (*k < d->own_count && diagram_own(d, *k) == upper);
    return piece;
}

/* ---- keeping --------------------------------------------------------------------------------- */

static bool is_due(void *user, double seconds)
{
    const Keep *keep = user;
    const PepaProcesses *p = keep->processes;
    double due = keep->keeping->due(keep->keeping->user, seconds) != 0;
    if (p)
        p->largest(p->user, &due, 1);
    return due != 0;
}

static void keep_now(void *user, const double *x, const PepaProgress *now)
{
    const Keep *keep = user;
    const PepaKeeping *to = keep->keeping;
    const Diagram *d = keep->diagram;
    bool ok = to->begin(to->user, now) == 0;
    for (int32_t k = 0; ok && k < d->own_count;) {
        const Piece piece = next_piece(d, &k);
        ok = to->piece(to->user, piece.first, piece.count, x + piece.place) == 0;
    }
    (void)to->end(to->user, ok);
}

const Keeper *keep_init(Keep *keep, const PepaKeeping *keeping, const Diagram *diagram,
                        const PepaProcesses *processes)
{
    *keep = (Keep){keeping, diagram, processes, {keep, is_due, keep_now}};
    return keeping ? &keep->keeper : NULL;
}

PepaStatus keep_load(const Keep *keep, double *pi, bool *loaded, PepaError *err)
{
    const PepaKeeping *from = keep->keeping;
    const Diagram *d = keep->diagram;
    *loaded = from && from->load;
    for (int32_t k = 0; *loaded && k < d->own_count;) {
        const Piece piece = next_piece(d, &k);
        if (from->load(from->user, piece.first, piece.count, pi + piece.place) != 0)
            return error_set(err, PEPA_EIO, "what was kept of the solution cannot be read");
    }
    return PEPA_OK;
}
