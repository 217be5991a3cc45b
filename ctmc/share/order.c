/* What chunk c of a sweep waits for: linked chunks before it of the same process, whichever flows into
 * which; and chunks of others that flow into it, as copies of this sweep or of the one before.  A
 * copy is received when its chunk is swept, and all that reads the copy before has read it. */
#include "ctmc/share/order.h"

#include <math.h>
#include <string.h>

#include "base/heap.h"
#include "ctmc/share/tuning.h"

const ShareCosts share_costs = {.copy = SHARE_COPY, .message = SHARE_MESSAGE};

ShareCosts share_costs_between(double latency, double byte)
{
    return (ShareCosts){.copy = SHARE_COPY + (double)sizeof(double) * byte / SHARE_ENTRY,
                        .message = SHARE_MESSAGE,
                        .latency = latency / SHARE_ENTRY};
}

/* A chunk that another process has a copy of. */
typedef struct {
    int32_t chunk, process;
    int32_t waits; /* per sweep: for the chunk, and for those that read the copy before */
} Copy;

typedef struct {
    int32_t sweep, left; /* the sweep that it is in; chunks that it has not swept */
    int32_t *own, count;
    int32_t *ready, ready_count; /* a heap of places in the queue */
    int32_t running;             /* a chunk; -1: it waits */
    double end;                  /* of what it does, or did */
} Process;

/* A copy on its way. */
typedef struct {
    double time;
    int32_t sweep, copy;
} Arrival;

typedef struct {
    const ShareGraph *g;
    const ShareCosts *costs;
    Arrival *
        coming; /* all have the same latency, so that they come in the order of being sent: a ring */
    int32_t coming_first, coming_count;
    const int32_t *process;
    int32_t copies;
    ShareParts parts;
    Copy *copy;
    int32_t *copy_row;      /* per chunk, as ShareGraph.row */
    double *time;           /* per chunk */
    int32_t *waits;         /* per sweep and chunk: for so much */
    int32_t *gate;          /* per sweep and copy */
    int32_t *wanted;        /* per chunk: by which of another process it is first, of two sweeps */
    int32_t *place, *queue; /* per chunk: its place in the queue; per place: the chunk */
    Process *all;
    int32_t *room; /* that processes' arrays are in */
    int32_t *turn, turns;
} Order;

static bool elsewhere(const Order *o, int32_t chunk, int32_t other)
{
    return o->process[chunk] != o->process[other];
}

static int32_t *waits(const Order *o, int32_t sweep, int32_t chunk)
{
    return &o->waits[(size_t)sweep * (size_t)o->g->count + (size_t)chunk];
}

static int32_t *gate(const Order *o, int32_t sweep, int32_t copy)
{
    return &o->gate[(size_t)sweep * (size_t)o->copies + (size_t)copy];
}

/* ---- before the first sweep ------------------------------------------------------------------ */

/* The copy of a chunk that a process has; -1: none. */
static int32_t find_copy(const Order *o, int32_t chunk, int32_t process)
{
    for (int32_t i = o->copy_row[chunk]; i < o->copy_row[chunk + 1]; i++)
        if (o->copy[i].process == process)
            return i;
    return -1;
}

static void list_copies(Order *o)
{
    const ShareGraph *g = o->g;
    for (int32_t c = 0; c < g->count; c++) {
        o->copy_row[c] = o->copy_row[c + 1] = o->copies;
        for (int32_t k = g->row[c]; k < g->row[c + 1]; k++) {
            const ShareLink *link = &g->link[k];
            if (!link->to || !elsewhere(o, c, link->chunk))
                continue;
            int32_t at = find_copy(o, c, o->process[link->chunk]);
            if (at < 0) {
                at = o->copies++;
                o->copy_row[c + 1] = o->copies;
                o->copy[at] = (Copy){c, o->process[link->chunk], 1};
            }
            o->copy[at].waits += link->chunk < c;
        }
    }
}

/* Chunks of one process that read a copy. */
static int32_t readers(const Order *o, const Copy *copy)
{
    const ShareGraph *g = o->g;
    int32_t count = 0;
    for (int32_t k = g->row[copy->chunk]; k < g->row[copy->chunk + 1]; k++)
        count += g->link[k].to && o->process[g->link[k].chunk] == copy->process;
    return count;
}

/* Sending and receiving takes time, too: that of receiving is shared by what reads the copy. */
static void time_all(Order *o)
{
    const ShareGraph *g = o->g;
    memcpy(o->time, g->work, (size_t)g->count * sizeof *o->time);
    for (int32_t i = 0; i < o->copies; i++) {
        const Copy *copy = &o->copy[i];
        const double each = o->costs->message + o->costs->copy * g->states[copy->chunk];
        const int32_t count = readers(o, copy);
        o->time[copy->chunk] += each;
        for (int32_t k = g->row[copy->chunk]; k < g->row[copy->chunk + 1]; k++)
            if (g->link[k].to && o->process[g->link[k].chunk] == copy->process)
                o->time[g->link[k].chunk] += each / count;
    }
    for (int32_t c = 0; c < g->count && o->parts.part; c++)
        o->time[c] /= share_part(o->parts, o->process[c]) * o->parts.count;
}

static void count_waits(Order *o)
{
    const ShareGraph *g = o->g;
    for (int32_t s = 0; s < SHARE_SWEEPS; s++) {
        for (int32_t c = 0; c < g->count; c++) {
            /* its copies of the sweep before have been received */
            *waits(o, s, c) = s > 0 ? o->copy_row[c + 1] - o->copy_row[c] : 0;
            for (int32_t k = g->row[c]; k < g->row[c + 1]; k++) {
                const ShareLink *link = &g->link[k];
                *waits(o, s, c) += !elsewhere(o, c, link->chunk)
                                       ? link->chunk < c
                                       : link->from && (link->chunk < c || s > 0);
            }
        }
        for (int32_t i = 0; i < o->copies; i++)
            *gate(o, s, i) = o->copy[i].waits;
    }
}

/* By which chunk of another process a chunk is wanted first, or one of its own process that comes after it: of this sweep, of
 * the next (count + chunk), or by none. */
static int32_t wanted_by(const Order *o, int32_t c)
{
    const ShareGraph *g = o->g;
    int32_t first = 2 * g->count;
    for (int32_t k = g->row[c]; k < g->row[c + 1]; k++) {
        const ShareLink *link = &g->link[k];
        const bool later = link->chunk > c;
        int32_t by = first;
        if (elsewhere(o, c, link->chunk))
            by = !link->to ? first : later ? link->chunk : g->count + link->chunk;
        else if (later)
            by = o->wanted[link->chunk];
        first = by < first ? by : first;
    }
    return first;
}

/* Those that are wanted first come first; then as in the sweep of one process. */
static void queue_all(Order *o)
{
    const int32_t count = o->g->count;
    int32_t *end = o->room; /* per chunk that wants some: of those it has in the queue */
    memset(end, 0, (2 * (size_t)count + 1) * sizeof *end);
    for (int32_t c = count - 1; c >= 0; c--)
        end[o->wanted[c] = wanted_by(o, c)]++;
    for (int32_t by = 1; by <= 2 * count; by++)
        end[by] += end[by - 1];
    for (int32_t c = count - 1; c >= 0; c--)
        o->queue[o->place[c] = --end[o->wanted[c]]] = c;
}

static void deal_rooms(Order *o)
{
    int32_t *next = o->room;
    for (int32_t c = 0; c < o->g->count; c++)
        o->all[o->process[c]].count++;
    for (int32_t p = 0; p < o->parts.count; p++) {
        o->all[p].own = next;
        o->all[p].ready = next + o->all[p].count;
        o->all[p].running = -1;
        next += 2 * o->all[p].count;
        o->all[p].count = 0;
    }
    for (int32_t c = 0; c < o->g->count; c++) {
        Process *p = &o->all[o->process[c]];
        p->own[p->count++] = c;
    }
}

/* ---- sweeps ---------------------------------------------------------------------------------- */

static void begin_sweep(Order *o, Process *p, int32_t sweep)
{
    p->sweep = sweep;
    p->left = p->count;
    for (int32_t i = 0; i < p->count && sweep < SHARE_SWEEPS; i++)
        if (*waits(o, sweep, p->own[i]) == 0)
            heap_push(p->ready, &p->ready_count, o->place[p->own[i]]);
}

/* The order of the last sweep but one is that which is kept: the first ones differ, and in the last
 * one processes come to their ends. */
static void take_next(Order *o, Process *p, double now)
{
    if (p->running >= 0 || p->ready_count == 0)
        return;
    p->running = o->queue[heap_pop(p->ready, &p->ready_count)];
    p->end = now + o->time[p->running];
    if (p->sweep == SHARE_SWEEPS - 2)
        o->turn[p->running] = o->turns++;
}

static void wait_less(Order *o, int32_t sweep, int32_t chunk, double now)
{
    Process *p = &o->all[o->process[chunk]];
    if (sweep == SHARE_SWEEPS || --*waits(o, sweep, chunk) > 0 || p->sweep != sweep)
        return;
    heap_push(p->ready, &p->ready_count, o->place[chunk]);
    take_next(o, p, now);
}

static void open_gate(Order *o, int32_t sweep, int32_t copy, double now)
{
    const ShareGraph *g = o->g;
    const int32_t chunk = o->copy[copy].chunk;
    if (--*gate(o, sweep, copy) > 0)
        return;
    for (int32_t k = g->row[chunk]; k < g->row[chunk + 1]; k++) {
        const int32_t reader = g->link[k].chunk;
        if (g->link[k].to && o->process[reader] == o->copy[copy].process)
            wait_less(o, reader > chunk ? sweep : sweep + 1, reader, now);
    }
    wait_less(o, sweep + 1, chunk, now);
}

static void send(Order *o, int32_t sweep, int32_t copy, double now)
{
    if (o->costs->latency <= 0) {
        open_gate(o, sweep, copy, now);
        return;
    }
    const int32_t at =
        (int32_t)(((int64_t)o->coming_first + o->coming_count++) % (2 * (int64_t)o->copies));
    o->coming[at] = (Arrival){now + o->costs->latency, sweep, copy};
}

static void arrive(Order *o)
{
    const Arrival a = o->coming[o->coming_first];
    o->coming_first = (o->coming_first + 1) % (2 * o->copies);
    o->coming_count--;
    open_gate(o, a.sweep, a.copy, a.time);
}

static void finish(Order *o, Process *p)
{
    const ShareGraph *g = o->g;
    const int32_t c = p->running, sweep = p->sweep;
    const double now = p->end;
    p->running = -1;
    if (--p->left == 0)
        begin_sweep(o, p, sweep + 1);
    for (int32_t k = g->row[c]; k < g->row[c + 1]; k++) {
        const int32_t other = g->link[k].chunk;
        if (!elsewhere(o, c, other) && other > c)
            wait_less(o, sweep, other, now);
        else if (elsewhere(o, c, other) && g->link[k].from && other > c)
            open_gate(o, sweep, find_copy(o, other, o->process[c]), now);
    }
    for (int32_t i = o->copy_row[c]; i < o->copy_row[c + 1]; i++)
        send(o, sweep, i, now);
    take_next(o, p, now);
}

/* The process that is done first; NULL: all are at their ends. */
static Process *first_done(const Order *o)
{
    Process *first = NULL;
    for (int32_t p = 0; p < o->parts.count; p++)
        if (o->all[p].running >= 0 && (!first || o->all[p].end < first->end))
            first = &o->all[p];
    return first;
}

static double simulate(Order *o)
{
    double time = 0;
    for (int32_t p = 0; p < o->parts.count; p++)
        begin_sweep(o, &o->all[p], 0);
    for (int32_t p = 0; p < o->parts.count; p++)
        take_next(o, &o->all[p], 0);
    for (Process *p = first_done(o); p || o->coming_count > 0; p = first_done(o)) {
        if (o->coming_count > 0 && (!p || o->coming[o->coming_first].time <= p->end)) {
            arrive(o);
            continue;
        }
        time = p->end;
        finish(o, p);
    }
    return time;
}

bool share_order(const ShareGraph *g, const int32_t *process, ShareParts parts,
                 const ShareCosts *costs, int32_t *turn, double *time)
{
    Order o = {.g = g, .costs = costs, .process = process, .parts = parts, .turn = turn};
    const size_t n = (size_t)g->count;
    bool ok = mem_new(o.copy, g->row[g->count]) && mem_new_zeroed(o.copy_row, n + 1);
    if (ok)
        list_copies(&o);
    ok = ok && mem_new(o.time, n) && mem_new(o.waits, n * SHARE_SWEEPS) &&
         mem_new(o.gate, (size_t)o.copies * SHARE_SWEEPS) && mem_new_zeroed(o.all, parts.count) &&
         mem_new(o.room, 2 * n + 1) && mem_new(o.coming, 2 * (size_t)o.copies) &&
         mem_new(o.wanted, n) && mem_new(o.place, n) && mem_new(o.queue, n);
    if (ok) {
        time_all(&o);
        count_waits(&o);
        queue_all(&o);
        deal_rooms(&o);
        *time = simulate(&o);
    }
    mem_free_all(o.coming, o.copy, o.copy_row, o.time, o.waits, o.gate, o.all, o.room);
    mem_free_all(o.wanted, o.place, o.queue);
    return ok;
}
