#include "measure/keep.h"

#include "base/clock.h"

/* ---- pieces ---------------------------------------------------------------------------------- */

/* Consecutive states, as the chain numbers them, that are consecutive in vectors. */
typedef struct {
    int64_t first, place, count;
} Piece;

/* The piece that begins with the k-th own upper state; *k is then that after it.  All states are one. */
static Piece next_piece(const Keep *keep, int32_t *k)
{
    const Diagram *d = keep->part;
    if (!d) {
        ++*k;
        return (Piece){0, 0, keep->states};
    }
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

static int32_t end_of(const Keep *keep)
{
    return keep->part ? keep->part->own_count : 1;
}

/* ---- keeping --------------------------------------------------------------------------------- */

static bool is_due(void *user)
{
    const Keep *keep = user;
    const PepaProcesses *p = keep->processes;
    double due = keep->keeping->due(keep->keeping->user, clock_seconds() - keep->last) != 0;
    if (p)
        p->largest(p->user, &due, 1);
    return due != 0;
}

static void keep_now(void *user, const double *x, const PepaProgress *now)
{
    Keep *keep = user;
    const PepaKeeping *to = keep->keeping;
    PepaProgress progress = *now;
    progress.seconds = clock_seconds() - keep->began;
    bool ok = to->begin(to->user, &progress) == 0;
    for (int32_t k = 0; ok && k < end_of(keep);) {
        const Piece piece = next_piece(keep, &k);
        ok = to->piece(to->user, piece.first, piece.count, x + piece.place) == 0;
    }
    (void)to->end(to->user, ok);
    keep->last = clock_seconds();
}

const Keeper *keep_init(Keep *keep, const PepaKeeping *keeping, int64_t states)
{
    *keep = (Keep){.keeping = keeping,
                   .states = states,
                   .began = clock_seconds(),
                   .keeper = {keep, is_due, keep_now}};
    keep->last = keep->began;
    return keeping ? &keep->keeper : NULL;
}

const Keeper *keep_init_part(Keep *keep, const PepaKeeping *keeping, const Diagram *part,
                             const PepaProcesses *processes)
{
    const Keeper *keeper = keep_init(keep, keeping, 0);
    keep->part = part;
    keep->processes = processes;
    return keeper;
}

PepaStatus keep_load(const Keep *keep, double *pi, bool *loaded, PepaError *err)
{
    const PepaKeeping *from = keep->keeping;
    *loaded = from && from->load;
    for (int32_t k = 0; *loaded && k < end_of(keep);) {
        const Piece piece = next_piece(keep, &k);
        if (from->load(from->user, piece.first, piece.count, pi + piece.place) != 0)
            return error_set(err, PEPA_EIO, "what was kept of the solution cannot be read");
    }
    return PEPA_OK;
}
