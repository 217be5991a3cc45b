#include "measure/spread_order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/processes.h"

/* Samples of states that processes take on average, for each process. */
enum { SAMPLES = 256 };

typedef struct {
    SpreadOrder *out;
    const Chain *chain;
    const PepaProcesses *processes;
    const double *value;
    PepaError *err;
    bool by_first;
    int32_t *order;   /* own states, sorted */
    int32_t *from;    /* per process: its run of own states begins here in order; and the end */
    uint64_t *packed; /* states of this process's run, as they came */
    int32_t come;
    size_t packed_cap, exit_cap, origin_cap;
    bool full; /* memory is out */
} Ordering;

static PepaStatus agree(const Ordering *o, bool ok)
{
    return processes_agree(o->processes, ok ? PEPA_OK : error_memory(o->err), o->err);
}

/* ---- the order ------------------------------------------------------------------------------- */

static double exit_of(const Ordering *o, int32_t s)
{
    const Chain *c = o->chain;
    double exit = 0;
    for (int64_t k = c->row[s]; k < c->row[s + 1]; k++)
        if (c->target[k] != chain_number(c, s))
            exit += chain_rate(c, o->value, k);
    return exit;
}

/* The share of jumps to earlier states among those from own states to own states: hashes choose these as if by chance, and
 * in runs they are most. */
static double backward_share(const Ordering *o, const int32_t *order, int32_t *place)
{
    const Chain *c = o->chain;
    const PepaProcesses *p = o->processes;
    double sum[2] = {0};
    for (int32_t i = 0; i < c->state_count; i++)
        place[order[i]] = i;
    for (int32_t s = 0; s < c->state_count; s++) {
        const double exit = exit_of(o, s);
        for (int64_t k = c->row[s]; k < c->row[s + 1]; k++) {
            const int32_t t = c->target[k] / p->count;
            if (c->target[k] % p->count != p->rank || t == s)
                continue;
            const double chance = chain_rate(c, o->value, k) / exit;
            sum[0] += place[t] < place[s] ? chance : 0;
            sum[1] += chance;
        }
    }
    p->sum(p->user, sum, 2);
    return sum[1] > 0 ? sum[0] / sum[1] : 0;
}

/* As chain_order, between the two lexicographic orders and their reverses. */
static PepaStatus choose(Ordering *o, const bool *given)
{
    const Chain *c = o->chain;
    const double half = 0.5;
    int32_t *tried = mem_alloc((size_t)c->state_count, sizeof *tried);
    int32_t *place = mem_alloc((size_t)c->state_count, sizeof *place);
    bool ok = tried && place && mem_new(o->order, c->state_count);
    o->out->chosen.backward = HUGE_VAL;
    PepaStatus status = PEPA_OK;
    for (int by_first = 0; by_first < 2 && status == PEPA_OK; by_first++) {
        if (given && by_first != *given)
            continue;
        for (int32_t s = 0; s < c->state_count && ok; s++)
            tried[s] = s;
        ok =
            ok && states_sort(c->system, c->states.state, by_first, tried, (int32_t)c->state_count);
        status = agree(o, ok);
        if (status != PEPA_OK)
            break;
        const double back = backward_share(o, tried, place), least = fmin(back, 1 - back);
        if (least >= o->out->chosen.backward)
            continue;
        o->out->chosen =
            (ChosenOrder){by_first ? PEPA_ORDER_FIRST : PEPA_ORDER_LAST, back > half, least};
        o->by_first = by_first;
        memcpy(o->order, tried, (size_t)c->state_count * sizeof *tried);
    }
    mem_free_all(tried, place);
    return status;
}

/* ---- the runs -------------------------------------------------------------------------------- */

/* Sorts the samples of all processes; every process has the same. */
static bool sort_samples(const Ordering *o, const Post *post, uint64_t **sorted, int32_t *count)
{
    const size_t words = o->chain->system->words;
    int32_t all = 0, *order = NULL;
    uint64_t *samples = NULL;
    for (int32_t p = 0; p < o->processes->count; p++)
        all += post_come(post, p);
    bool ok = mem_new(samples, (size_t)all * words) && mem_new(*sorted, (size_t)all * words) &&
              mem_new(order, all);
    for (int32_t p = 0, at = 0; p < o->processes->count && ok; p++) {
        const int32_t here = post_come(post, p);
        memcpy(samples + (size_t)at * words, post_items(post, p),
               (size_t)here * words * sizeof *samples);
        at += here;
    }
    for (int32_t i = 0; i < all && ok; i++)
        order[i] = i;
    ok = ok && states_sort(o->chain->system, samples, o->by_first, order, all);
    for (int32_t i = 0; i < all && ok; i++)
        memcpy(*sorted + (size_t)i * words, samples + (size_t)order[i] * words,
               words * sizeof *samples);
    mem_free_all(samples, order);
    *count = all;
    return ok;
}

/* How many own states come before this one. */
static int32_t states_before(const Ordering *o, const uint64_t *state)
{
    const Chain *c = o->chain;
    int32_t low = 0, high = (int32_t)c->state_count;
    while (low < high) {
        const int32_t middle = low + (high - low) / 2;
        const uint64_t *here = table_state(&c->states, o->order[middle]);
        if (states_compare(c->system, o->by_first, here, state) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Every process takes its states at equal distances, so that between two of all samples there are
 * about as many states everywhere. */
static PepaStatus cut(Ordering *o, const double *part)
{
    const Chain *c = o->chain;
    const PepaProcesses *p = o->processes;
    const size_t words = c->system->words;
    const int64_t n = c->state_count;
    const double all = (double)SAMPLES * p->count, share = (double)n / (double)c->spread->states;
    const int32_t most = (int32_t)fmin(ceil(all * share), (double)n);
    Post post = {0};
    uint64_t *sorted = NULL;
    int32_t count = 0;
    PepaStatus status =
        agree(o, mem_new(o->from, p->count + 1) &&
                     post_open(&post, p, words * sizeof(uint64_t), (int32_t)all + 1));
    if (status == PEPA_OK) {
        for (int32_t q = 0; q < p->count; q++)
            for (int64_t i = 0; i < most; i++)
                memcpy(post_add(&post, q),
                       table_state(&c->states, o->order[(2 * i + 1) * n / (2 * most)]), post.size);
        post_swap(&post);
        status = agree(o, sort_samples(o, &post, &sorted, &count));
    }
    double before = 0; /* of all samples */
    for (int32_t q = 0; q <= p->count && status == PEPA_OK; q++) {
        const int64_t even = (int64_t)q * count / p->count;
        const int32_t at = part ? (int32_t)fmin(before * count, count - 1) : (int32_t)even;
        o->from[q] = q == 0          ? 0
                     : q == p->count ? (int32_t)n
                                     : states_before(o, sorted + (size_t)at * words);
        before += part && q < p->count ? part[q] : 0;
    }
    post_free(&post);
    mem_free(sorted);
    return status;
}

/* ---- moving in ------------------------------------------------------------------------------- */

/* A state that moves in: its words follow. */
typedef struct {
    double exit;
    int32_t state, none;
} Mover;

static void take_in(void *user, int32_t process, const void *items, int32_t count)
{
    Ordering *o = user;
    SpreadOrder *out = o->out;
    const size_t words = o->chain->system->words, size = sizeof(Mover) + words * sizeof(uint64_t);
    const int32_t all = o->come + count;
    o->full = o->full ||
              !(mem_grow(o->packed, o->packed_cap, (size_t)all * words) &&
                mem_grow(out->exit, o->exit_cap, all) && mem_grow(out->origin, o->origin_cap, all));
    for (int32_t i = 0; i < count && !o->full; i++) {
        const char *item = (const char *)items + (size_t)i * size;
        Mover mover;
        memcpy(&mover, item, sizeof mover);
        memcpy(o->packed + (size_t)o->come * words, item + sizeof mover, words * sizeof(uint64_t));
        out->exit[o->come] = mover.exit;
        out->origin[o->come++] = (Berth){process, mover.state};
    }
}

/* Each process begins with the run after its own, so that not all write to one. */
static PepaStatus move_states(Ordering *o)
{
    const Chain *c = o->chain;
    const PepaProcesses *p = o->processes;
    const size_t words = c->system->words;
    Post post = {0};
    PepaStatus status =
        agree(o, post_open(&post, p, sizeof(Mover) + words * sizeof(uint64_t), post_items_for(p)));
    for (int32_t k = 0; k < p->count && status == PEPA_OK; k++) {
        const int32_t to = (p->rank + 1 + k) % p->count;
        for (int32_t i = o->from[to]; i < o->from[to + 1]; i++) {
            const int32_t s = o->order[i];
            const Mover mover = {exit_of(o, s), s, 0};
            if (post_is_full(&post, to))
                (void)post_deliver(&post, true, take_in, o);
            char *item = post_add(&post, to);
            memcpy(item, &mover, sizeof mover);
            memcpy(item + sizeof mover, table_state(&c->states, s), words * sizeof(uint64_t));
        }
    }
    while (status == PEPA_OK && post_deliver(&post, false, take_in, o))
        ;
    post_free(&post);
    return status == PEPA_OK ? agree(o, !o->full) : status;
}

/* Those that came, in order. */
static PepaStatus line_up(Ordering *o)
{
    SpreadOrder *out = o->out;
    const int32_t n = out->n = o->come;
    int32_t *order = NULL;
    double *exit = NULL;
    Berth *origin = NULL;
    bool ok = mem_new(order, n) && mem_new(exit, n) && mem_new(origin, n);
    for (int32_t i = 0; i < n && ok; i++)
        order[i] = i;
    ok = ok && states_sort(o->chain->system, o->packed, o->by_first, order, n);
    if (ok && out->chosen.reversed)
        order_reverse(order, n);
    for (int32_t i = 0; i < n && ok; i++) {
        exit[i] = out->exit[order[i]];
        origin[i] = out->origin[order[i]];
    }
    mem_free_all(order, out->exit, out->origin);
    out->exit = exit;
    out->origin = origin;
    return agree(o, ok);
}

/* ---- what has a place for what --------------------------------------------------------------- */

/* A number or a place for a state. */
typedef struct {
    int32_t state, place;
    double number;
} Notice;

typedef struct {
    Berth *berth; /* or */
    double *x;
} Noticing;

static void note(void *user, int32_t process, const void *items, int32_t count)
{
    const Noticing *to = user;
    const Notice *notice = items;
    for (int32_t i = 0; i < count; i++)
        if (to->x)
            to->x[notice[i].state] = notice[i].number;
        else
            to->berth[notice[i].state] = (Berth){process, notice[i].place};
}

/* From the states or places that `at` is of to those that it names.
 *   y  numbers, `stride` apart; or NULL */
static PepaStatus notify(const SpreadOrder *order, const Berth *at, int64_t count, const double *y,
                         size_t stride, Noticing *to, PepaError *err)
{
    const PepaProcesses *p = order->chain->spread->processes;
    Post post = {0};
    const bool ok = post_open(&post, p, sizeof(Notice), post_items_for(p));
    PepaStatus status = processes_agree(p, ok ? PEPA_OK : error_memory(err), err);
    for (int64_t i = 0; i < count && status == PEPA_OK; i++) {
        if (post_is_full(&post, at[i].process))
            (void)post_deliver(&post, true, note, to);
        *(Notice *)post_add(&post, at[i].process) =
            (Notice){at[i].place, (int32_t)i, y ? y[(size_t)i * stride] : 0};
    }
    while (status == PEPA_OK && post_deliver(&post, false, note, to))
        ;
    post_free(&post);
    return status;
}

PepaStatus spread_order_return(const SpreadOrder *order, const double *y, double *x, PepaError *err)
{
    return notify(order, order->origin, order->n, y, 1, &(Noticing){.x = x}, err);
}

PepaStatus spread_order_bring(const SpreadOrder *order, const double *x, size_t stride, double *y,
                              PepaError *err)
{
    return notify(order, order->berth, order->chain->state_count, x, stride, &(Noticing){.x = y},
                  err);
}

PepaStatus spread_order_start(const SpreadOrder *order, const double *value, double *y,
                              PepaError *err)
{
    const Chain *c = order->chain;
    const int32_t starts = c->spread->starts;
    double *probability = NULL;
    PepaStatus status = mem_new(probability, starts) ? PEPA_OK : error_memory(err);
    status = processes_agree(c->spread->processes, status, err);
    for (int32_t i = 0; i < starts && status == PEPA_OK; i++)
        probability[i] = c->start_term ? value[c->start_term[i]] : 1;
    memset(y, 0, (size_t)order->n * sizeof *y);
    if (status == PEPA_OK)
        status = notify(order, order->berth + c->spread->start, starts, probability, 1,
                        &(Noticing){.x = y}, err);
    mem_free(probability);
    return status;
}

Berth spread_order_begin(const SpreadOrder *order)
{
    const PepaProcesses *p = order->chain->spread->processes;
    const int64_t initial = order->chain->initial;
    double at[2] = {0};
    if (initial % p->count == p->rank) {
        const Berth berth = order->berth[initial / p->count];
        at[0] = berth.process;
        at[1] = berth.place;
    }
    p->sum(p->user, at, 2);
    return (Berth){(int32_t)at[0], (int32_t)at[1]};
}

/* Each process solves for what it has. */
static PepaStatus stay(Ordering *o)
{
    const Chain *c = o->chain;
    SpreadOrder *out = o->out;
    const int32_t n = out->n = (int32_t)c->state_count, rank = o->processes->rank;
    out->chosen = c->spread->order;
    out->in_place = true;
    const bool ok = mem_new(out->exit, n) && mem_new(out->origin, n);
    for (int32_t i = 0; i < n && ok; i++) {
        const int32_t s = out->chosen.reversed ? n - 1 - i : i;
        out->exit[i] = exit_of(o, s);
        out->origin[i] = (Berth){rank, s};
        out->berth[s] = (Berth){rank, i};
    }
    return agree(o, ok);
}

PepaStatus spread_order_new(SpreadOrder *out, const Chain *chain, const double *value, bool sorted,
                            const bool *by_first, const double *part, PepaError *err)
{
    Ordering o = {.out = out,
                  .chain = chain,
                  .processes = chain->spread->processes,
                  .value = value,
                  .err = err};
    *out = (SpreadOrder){.chain = chain};
    PepaStatus status = agree(&o, mem_new(out->berth, chain->state_count));
    if (status != PEPA_OK)
        return status;
    if (chain->spread->in_runs && !sorted)
        return stay(&o);
    if (status == PEPA_OK)
        status = choose(&o, by_first);
    if (status == PEPA_OK)
        status = cut(&o, part);
    if (status == PEPA_OK)
        status = move_states(&o);
    mem_free_all(o.order, o.from);
    if (status == PEPA_OK)
        status = line_up(&o);
    mem_free(o.packed);
    if (status == PEPA_OK)
        status = notify(out, out->origin, out->n, NULL, 0, &(Noticing){.berth = out->berth}, err);
    return status;
}

void spread_order_free(SpreadOrder *order)
{
    mem_free_all(order->berth, order->exit, order->origin);
    *order = (SpreadOrder){0};
}
