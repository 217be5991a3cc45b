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

/* ---- lexicographic order --------------------------------------------------------------------- */

enum { AT_ONCE = 4096 };

static int64_t entry_of(const Keep *keep, int64_t k)
{
    const KeepOrder *order = keep->order;
    return order->place ? order->place[k] : order->reversed ? keep->states - 1 - k : k;
}

static bool keep_ordered(const Keep *keep, const double *x)
{
    const PepaKeeping *to = keep->keeping;
    const KeepOrder *order = keep->order;
    double some[AT_ONCE];
    bool ok = true;
    for (int64_t first = 0; first < keep->states && ok; first += AT_ONCE) {
        const int64_t left = keep->states - first, count = left < AT_ONCE ? left : AT_ONCE;
        for (int64_t k = 0; k < count; k++) {
            const int64_t i = entry_of(keep, first + k);
            some[k] = order->exit ? x[i] / order->exit[i] : x[i];
        }
        ok = to->piece(to->user, order->first + first, count, some) == 0;
    }
    some[0] = order->by_first;
    const bool first = !keep->processes || keep->processes->rank == 0;
    return ok && (!first || to->piece(to->user, order->all, 1, some) == 0);
}

static bool load_ordered(const Keep *keep, double *x)
{
    const PepaKeeping *from = keep->keeping;
    const KeepOrder *order = keep->order;
    double some[AT_ONCE];
    for (int64_t first = 0; first < keep->states; first += AT_ONCE) {
        const int64_t left = keep->states - first, count = left < AT_ONCE ? left : AT_ONCE;
        if (from->load(from->user, order->first + first, count, some) != 0)
            return false;
        for (int64_t k = 0; k < count; k++) {
            const int64_t i = entry_of(keep, first + k);
            x[i] = order->exit ? some[k] * order->exit[i] : some[k];
        }
    }
    return true;
}

static PepaStatus unreadable(PepaError *err)
{
    return error_set(err, PEPA_EIO, "what was kept of the solution cannot be read");
}

PepaStatus keep_find_order(const PepaKeeping *keeping, int64_t all, bool *by_first, PepaError *err)
{
    double which;
    if (!keeping || !keeping->load)
        return PEPA_OK;
    if (keeping->load(keeping->user, all, 1, &which) != 0 || !(which == 0 || which == 1))
        return unreadable(err);
    *by_first = which != 0;
    return PEPA_OK;
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
    if (ok && keep->order)
        ok = keep_ordered(keep, x);
    for (int32_t k = 0; ok && !keep->order && k < end_of(keep);) {
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

const Keeper *keep_init_ordered(Keep *keep, const PepaKeeping *keeping, int64_t states,
                                const KeepOrder *order, const PepaProcesses *processes)
{
    const Keeper *keeper = keep_init(keep, keeping, states);
    keep->order = order;
    keep->processes = processes;
    return keeper;
}

PepaStatus keep_load(const Keep *keep, double *pi, bool *loaded, PepaError *err)
{
    const PepaKeeping *from = keep->keeping;
    *loaded = from && from->load;
    if (*loaded && keep->order)
        return load_ordered(keep, pi) ? PEPA_OK : unreadable(err);
    for (int32_t k = 0; *loaded && k < end_of(keep);) {
        const Piece piece = next_piece(keep, &k);
        if (from->load(from->user, piece.first, piece.count, pi + piece.place) != 0)
            return unreadable(err);
    }
    return PEPA_OK;
}
