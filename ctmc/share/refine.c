/* Moves chunks between processes so that fewer states are copied.
 *
 * The net of a chunk is the chunk with those that it flows into.  It is copied to each process that
 * has some of its net, but its own.  A process that has one chunk of a net only would save the copy
 * without that chunk; one that has none would need a copy more with it. */
#include "ctmc/share/refine.h"

#include "ctmc/share/partition.h"
#include "ctmc/share/tuning.h"

/* How many chunks of a net a process has. */
typedef struct {
    int32_t process, count;
} Part;

typedef struct {
    int32_t chunk, process; /* where it goes; -1: nowhere */
    double gain;            /* states that need not be copied any more, less those that must be */
} Move;

typedef struct {
    const ShareGraph *g;
    int32_t *process;
    Part *part;     /* of the net of chunk c: part[row[c] + c], ... */
    int32_t *parts; /* per chunk: so many */
    double *work;   /* per process */
    double *most;   /* per process: work that it may have */
    double *near;   /* per process: states of nets that it has some of; -1: none.  Scratch */
    int32_t *met;   /* processes of such nets */

    /* Of a pass that climbs. */
    Move *best;     /* per chunk; nowhere once it was moved */
    bool *moved;    /* per chunk */
    int32_t *seen;  /* per chunk: the last step after which its move was found again */
    int32_t *first; /* a tournament: first[k] is the better of first[2k] and first[2k + 1], and
                       first[count + c] is c */
    int32_t *changed, changes; /* nets in which the last move changed what others would gain */
    Move *step;                /* the moves, back to where chunks were */
    int32_t steps;
} Refining;

/* ---- moves ----------------------------------------------------------------------------------- */

static Part *net_of(const Refining *r, int32_t c)
{
    return r->part + r->g->row[c] + c;
}

static int32_t join(Refining *r, int32_t net, int32_t process)
{
    Part *part = net_of(r, net);
    int32_t k = 0;
    while (k < r->parts[net] && part[k].process != process)
        k++;
    if (k == r->parts[net])
        part[r->parts[net]++] = (Part){process, 0};
    return ++part[k].count;
}

static int32_t leave(Refining *r, int32_t net, int32_t process)
{
    Part *part = net_of(r, net);
    int32_t k = 0;
    while (part[k].process != process)
        k++;
    const int32_t left = --part[k].count;
    if (left == 0)
        part[k] = part[--r->parts[net]];
    return left;
}

static void shift_in(Refining *r, int32_t net, int32_t from, int32_t to)
{
    const int32_t left = leave(r, net, from), there = join(r, net, to);
    if (left <= 1 || there <= 2)
        r->changed[r->changes++] = net;
}

static void shift(Refining *r, int32_t c, int32_t to)
{
    const ShareGraph *g = r->g;
    const int32_t from = r->process[c];
    r->changes = 0;
    shift_in(r, c, from, to);
    for (int32_t k = g->row[c]; k < g->row[c + 1]; k++)
        if (g->link[k].from)
            shift_in(r, g->link[k].chunk, from, to);
    r->work[from] -= g->work[c];
    r->work[to] += g->work[c];
    r->process[c] = to;
}

static bool is_allowed(const Refining *r, int32_t c, int32_t to)
{
    const double then = r->work[to] + r->g->work[c];
    const int32_t from = r->process[c];
    return then <= r->most[to] || then * r->most[from] <= r->work[from] * r->most[to];
}

/* Work over what a process may have. */
static bool is_freer(const Refining *r, int32_t p, int32_t than)
{
    return r->work[p] * r->most[than] < r->work[than] * r->most[p];
}

static bool is_more_even(const Refining *r, int32_t c, int32_t to)
{
    const int32_t from = r->process[c];
    return (r->work[to] + r->g->work[c]) * r->most[from] < r->work[from] * r->most[to];
}

/* Adds what other processes have of a net of chunk c; returns what is saved if c leaves the net,
 * less what a process costs that has none of it. */
static double look_at(Refining *r, int32_t c, int32_t net, int32_t *met)
{
    const Part *part = net_of(r, net);
    const int32_t own = r->process[c];
    const double states = r->g->states[net];
    double saved = -states;
    for (int32_t k = 0; k < r->parts[net]; k++) {
        const int32_t p = part[k].process;
        if (p == own) {
            saved += part[k].count == 1 ? states : 0;
            continue;
        }
        if (r->near[p] < 0) {
            r->near[p] = 0;
            r->met[(*met)++] = p;
        }
        r->near[p] += states;
    }
    return saved;
}

/* The allowed move that gains most; of equal ones, to the process that has least to do. */
static Move find_best(Refining *r, int32_t c)
{
    const ShareGraph *g = r->g;
    int32_t met = 0;
    double saved = look_at(r, c, c, &met);
    for (int32_t k = g->row[c]; k < g->row[c + 1]; k++)
        if (g->link[k].from)
            saved += look_at(r, c, g->link[k].chunk, &met);
    Move best = {c, -1, 0};
    for (int32_t i = 0; i < met; i++) {
        const int32_t p = r->met[i];
        const double gain = saved + r->near[p];
        r->near[p] = -1;
        if (is_allowed(r, c, p) && (best.process < 0 || gain > best.gain ||
                                    (gain == best.gain && is_freer(r, p, best.process))))
            best = (Move){c, p, gain};
    }
    return best;
}

/* ---- descent --------------------------------------------------------------------------------- */

/* Each chunk in turn, where that gains, or makes work more even. */
static bool descend(Refining *r)
{
    bool moved = false;
    for (int32_t c = 0; c < r->g->count; c++) {
        const Move move = find_best(r, c);
        if (move.process < 0 || move.gain < 0 ||
            (move.gain == 0 && !is_more_even(r, c, move.process)))
            continue;
        shift(r, c, move.process);
        moved = true;
    }
    return moved;
}

/* ---- climbing -------------------------------------------------------------------------------- */

static int32_t better(const Refining *r, int32_t a, int32_t b)
{
    const Move *x = &r->best[a], *y = &r->best[b];
    return y->process < 0 || (x->process >= 0 && x->gain >= y->gain) ? a : b;
}

static void set_best(Refining *r, Move move)
{
    const int32_t c = move.chunk;
    r->best[c] = move;
    for (int32_t k = (r->g->count + c) / 2; k > 0; k /= 2) {
        const int32_t before = r->first[k];
        r->first[k] = better(r, r->first[2 * k], r->first[2 * k + 1]);
        if (before != c && r->first[k] == before)
            return;
    }
}

static void begin(Refining *r)
{
    const int32_t count = r->g->count;
    r->steps = 0;
    for (int32_t c = 0; c < count; c++) {
        r->best[c] = find_best(r, c);
        r->moved[c] = false;
        r->seen[c] = 0;
        r->first[count + c] = c;
    }
    for (int32_t k = count - 1; k > 0; k--)
        r->first[k] = better(r, r->first[2 * k], r->first[2 * k + 1]);
}

static void find_again(Refining *r, int32_t c)
{
    if (r->moved[c] || r->seen[c] == r->steps)
        return;
    r->seen[c] = r->steps;
    set_best(r, find_best(r, c));
}

static void take(Refining *r, Move move)
{
    const ShareGraph *g = r->g;
    const int32_t c = move.chunk;
    r->step[r->steps++] = (Move){c, r->process[c], -move.gain};
    shift(r, c, move.process);
    r->moved[c] = true;
    set_best(r, (Move){c, -1, 0});
    for (int32_t i = 0; i < r->changes; i++) {
        const int32_t net = r->changed[i];
        find_again(r, net);
        for (int32_t k = g->row[net]; k < g->row[net + 1]; k++)
            if (g->link[k].to)
                find_again(r, g->link[k].chunk);
    }
}

/* Always the move that gains most, each chunk at most once, also where it loses; returns what was
 * gained when most was, to where it goes back. */
static double climb(Refining *r)
{
    double gained = 0, most = 0;
    int32_t kept = 0;
    begin(r);
    while (r->steps < kept + SHARE_PATIENCE) {
        const Move move = r->best[r->first[1]];
        if (move.process < 0)
            break;
        if (!is_allowed(r, move.chunk, move.process)) { /* not any more */
            set_best(r, find_best(r, move.chunk));
            continue;
        }
        take(r, move);
        gained += move.gain;
        if (gained > most) {
            most = gained;
            kept = r->steps;
        }
    }
    while (r->steps > kept) {
        const Move *back = &r->step[--r->steps];
        shift(r, back->chunk, back->process);
    }
    return most;
}

/* ---------------------------------------------------------------------------------------------- */

static bool start(Refining *r, const ShareGraph *g, ShareParts parts, int32_t *process)
{
    const size_t n = (size_t)g->count;
    *r = (Refining){.g = g, .process = process};
    if (!mem_new(r->part, (size_t)g->row[n] + n) || !mem_new_zeroed(r->parts, n) ||
        !mem_new_zeroed(r->work, parts.count) || !mem_new(r->most, parts.count) ||
        !mem_new(r->near, parts.count) || !mem_new(r->met, parts.count) || !mem_new(r->changed, n))
        return false;
    double all = 0; /* that processes may have */
    for (int32_t c = 0; c < g->count; c++)
        all += g->work[c] * SHARE_UNEVEN;
    for (int32_t p = 0; p < parts.count; p++) {
        r->near[p] = -1;
        r->most[p] = all * share_part(parts, p);
    }
    for (int32_t c = 0; c < g->count; c++) {
        r->work[process[c]] += g->work[c];
        (void)join(r, c, process[c]);
        for (int32_t k = g->row[c]; k < g->row[c + 1]; k++)
            if (g->link[k].to)
                (void)join(r, c, process[g->link[k].chunk]);
    }
    return true;
}

static void end(Refining *r)
{
    mem_free_all(r->part, r->parts, r->work, r->most, r->near, r->met, r->changed);
    mem_free_all(r->best, r->moved, r->seen, r->first, r->step);
}

bool share_refine(const ShareGraph *g, ShareParts parts, int32_t *process)
{
    Refining r;
    const bool ok = start(&r, g, parts, process);
    for (int32_t k = 0; ok && k < SHARE_PASSES && descend(&r); k++)
        ;
    end(&r);
    return ok;
}

bool share_climb(const ShareGraph *g, ShareParts parts, int32_t *process)
{
    Refining r;
    const size_t n = (size_t)g->count;
    const bool ok = start(&r, g, parts, process) && mem_new(r.best, n) && mem_new(r.moved, n) &&
                    mem_new(r.seen, n) && mem_new(r.first, 2 * n) && mem_new(r.step, n);
    const double enough = ok ? SHARE_ENOUGH * share_copies(g, process) : 0;
    while (ok && climb(&r) > enough)
        ;
    end(&r);
    return ok;
}
