/* Diagrams shared by processes: played step by step, with messages that come late.  Every upper state
 * reads what it reads in a sweep of one process, nothing is read while it is received or after its
 * places were given to others, and nobody waits for ever. */
#include "ctmc/share/share.h"

#include "ctmc/share/room.h"
#include "ctmc/share/tuning.h"
#include "diagrams.h"
#include "families.h"
#include "family_text.h"

enum { MOST = 9, SWEEPS = 3 };

/* Messages that take so little time need not be begun to be received long before they are read. */
static const ShareCosts quick = {.copy = 1, .message = 50};

typedef struct {
    DiagramShare share;
    int64_t *at;      /* per upper state: where its states begin in sweeps; -1: nowhere */
    int32_t *upper;   /* per place in sweeps: whose states these are; -1: nothing */
    int32_t *version; /* per place: of which sweep */
    int32_t *starts;  /* per step: how often its exchange was started */
    int32_t *ends;    /* and was finished */
    int32_t step, sweep;
} Party;

typedef struct {
    const Diagram *d;
    Party party[MOST];
    int32_t count;
    const double *part; /* per process; or NULL */
    int64_t *in_row;
    EdgeIn *in;
} Play;

/* The step of a party that has the exchange of this number. */
static int32_t step_of(const Party *p, int32_t number)
{
    for (int32_t i = 0; i < p->share.steps; i++)
        if (p->share.step[i].exchange.number == number)
            return i;
    return -1;
}

static const PepaPartner *partner_of(const PepaExchange *e, int32_t process)
{
    for (int32_t i = 0; i < e->partner_count; i++)
        if (e->partner[i].process == process)
            return &e->partner[i];
    return NULL;
}

static int64_t size_of(const Play *y, int32_t upper)
{
    return y->d->set_size[y->d->set[upper]];
}

static void put(const Play *y, Party *p, int64_t at, int32_t upper, int32_t version)
{
    for (int64_t i = at; i < at + size_of(y, upper); i++) {
        p->upper[i] = upper;
        p->version[i] = version;
    }
}

/* Has the party this version of an upper state where sweeps read it? */
static bool has(const Play *y, const Party *p, int32_t upper, int32_t version)
{
    const int64_t at = p->at[upper];
    cr_assert_geq(at, 0);
    for (int64_t i = at; i < at + size_of(y, upper); i++)
        if (p->upper[i] != upper || p->version[i] != version)
            return false;
    return true;
}

/* The own upper states whose states are in pieces; how many. */
static int32_t uppers_in(const Play *y, const Party *p, const PepaPiece *piece, int32_t count,
                         int32_t *out)
{
    int32_t found = 0;
    for (int32_t i = 0; i < count; i++)
        for (int64_t at = piece[i].first; at < piece[i].first + piece[i].count;) {
            const int32_t u = p->upper[at];
            cr_assert_geq(u, 0);
            out[found++] = u;
            at += size_of(y, u);
            cr_assert_leq(at, piece[i].first + piece[i].count);
        }
    return found;
}

/* Can it be finished?  A message is gone when its receiver has started to receive it. */
static bool is_done(const Play *y, int32_t process, int32_t step)
{
    const Party *p = &y->party[process];
    const PepaExchange *e = &p->share.step[step].exchange;
    for (int32_t i = 0; i < e->partner_count; i++) {
        const Party *other = &y->party[e->partner[i].process];
        const int32_t there = step_of(other, e->number);
        cr_assert_geq(there, 0);
        if (other->starts[there] < p->starts[step])
            return false;
    }
    return true;
}

static void finish(Play *y, int32_t process, int32_t step)
{
    Party *p = &y->party[process];
    const PepaExchange *e = &p->share.step[step].exchange;
    static int32_t sent[1 << 13];
    if (p->ends[step] == p->starts[step])
        return;
    p->ends[step] = p->starts[step];
    for (int32_t i = 0; i < e->partner_count; i++) {
        const PepaPartner *from = &e->partner[i];
        const Party *other = &y->party[from->process];
        const PepaPartner *to =
            partner_of(&other->share.step[step_of(other, e->number)].exchange, process);
        int32_t found = 0;
        cr_assert_not_null(to);
        const int32_t count = uppers_in(y, other, to->sent, to->sent_count, sent);
        for (int32_t k = 0; k < from->received_count; k++) {
            const int64_t end = from->received[k].first + from->received[k].count;
            for (int64_t at = from->received[k].first; at < end; at += size_of(y, sent[found++])) {
                cr_assert_lt(found, count);
                put(y, p, at, sent[found], p->ends[step]);
            }
        }
        cr_assert(from->received_count == 0 || found == count);
    }
}

/* What was there is gone. */
static void start(Play *y, int32_t process, int32_t step)
{
    Party *p = &y->party[process];
    const PepaExchange *e = &p->share.step[step].exchange;
    p->starts[step] = p->sweep;
    for (int32_t i = 0; i < e->partner_count; i++)
        for (int32_t k = 0; k < e->partner[i].received_count; k++) {
            const PepaPiece piece = e->partner[i].received[k];
            cr_assert_geq(piece.first, p->share.own);
            cr_assert_leq(piece.first + piece.count, p->share.swept);
            for (int64_t at = piece.first; at < piece.first + piece.count; at++)
                p->upper[at] = -1;
        }
}

static bool can_go_on(const Play *y, int32_t process)
{
    const Party *p = &y->party[process];
    const ShareStep *step = &p->share.step[p->step];
    for (int32_t k = 0; k < step->need_count; k++)
        if (!is_done(y, process, step->need[k]))
            return false;
    return is_done(y, process, p->step);
}

static void sweep_upper(Play *y, Party *p, int32_t u)
{
    const bool up = diagram_goes_up(y->d);
    for (int64_t k = y->in_row[u]; k < y->in_row[u + 1]; k++) {
        const int32_t from = y->in[k].from;
        if (from == u)
            continue;
        const bool before = up ? from < u : from > u;
        cr_assert(has(y, p, from, before ? p->sweep : p->sweep - 1), "%d of sweep %d reads %d",
                  (int)u, (int)p->sweep, (int)from);
    }
    cr_assert(has(y, p, u, p->sweep - 1));
    put(y, p, p->at[u], u, p->sweep);
}

static void take_step(Play *y, int32_t process)
{
    Party *p = &y->party[process];
    const ShareStep *step = &p->share.step[p->step];
    for (int32_t k = 0; k < step->need_count; k++)
        finish(y, process, step->need[k]);
    finish(y, process, p->step);
    for (int32_t k = 0; k < step->count; k++) {
        const int32_t at = diagram_goes_up(y->d) ? k : step->count - 1 - k;
        sweep_upper(y, p, p->share.part.own[step->first + at]);
    }
    start(y, process, p->step);
    if (++p->step == p->share.steps) {
        p->step = 0;
        p->sweep++;
    }
}

/* Whoever can takes a step, in an order that differs from round to round. */
static void play(Play *y, const char *name)
{
    for (int32_t round = 0, left = 1; left > 0; round++) {
        bool moved = false;
        left = 0;
        for (int32_t i = 0; i < y->count; i++) {
            const int32_t k = (i * (round % 2 ? 1 : y->count - 1) + round) % y->count;
            Party *p = &y->party[k];
            if (p->sweep > SWEEPS || p->share.steps == 0)
                continue;
            left++;
            for (int32_t n = 0; n <= round % 5 && p->sweep <= SWEEPS && can_go_on(y, k); n++) {
                take_step(y, k);
                moved = true;
            }
        }
        cr_assert(moved || left == 0, "%s: %d processes wait for each other", name, (int)y->count);
    }
}

static void join_in(Play *y, int32_t process)
{
    const Diagram *d = y->d;
    Party *p = &y->party[process];
    cr_assert(diagram_share_new(&p->share, d, process, (ShareParts){y->count, y->part},
                                y->count % 2 ? &quick : &share_costs));
    const DiagramShare *s = &p->share;
    p->at = twice_room((size_t)d->upper_count, sizeof *p->at);
    p->upper = twice_room((size_t)s->swept, sizeof *p->upper);
    p->version = twice_room((size_t)s->swept, sizeof *p->version);
    p->starts = twice_room((size_t)s->steps, sizeof *p->starts);
    p->ends = twice_room((size_t)s->steps, sizeof *p->ends);
    p->sweep = 1;
    for (int64_t i = 0; i < s->swept; i++)
        p->upper[i] = -1;
    for (int32_t u = 0; u < d->upper_count; u++)
        p->at[u] = -1;
    for (int32_t k = 0; k < s->part.own_count + s->copies; k++) {
        const bool own = k < s->part.own_count;
        const int32_t u = own ? s->part.own[k] : s->copy[k - s->part.own_count];
        p->at[u] = s->at[k];
        if (k < s->part.own_count + s->kept) {
            cr_assert_eq(s->at[k], s->part.place[u]);
            put(y, p, s->at[k], u, 0);
        }
    }
}

/* What is kept is sent to whom it is kept by, as far as it is received in sweeps; so are all copies. */
static void check_exchange(const Play *y, bool all)
{
    static int32_t sent[1 << 13];
    for (int32_t k = 0; k < y->count; k++) {
        const Party *p = &y->party[k];
        const PepaExchange *e = all ? &p->share.states : &p->share.kept_states;
        int32_t copies = 0;
        for (int32_t i = 0; i < e->partner_count; i++) {
            const PepaPartner *from = &e->partner[i];
            const Party *other = &y->party[from->process];
            const PepaPartner *to =
                partner_of(all ? &other->share.states : &other->share.kept_states, k);
            cr_assert_not_null(to);
            const int32_t count = uppers_in(y, other, to->sent, to->sent_count, sent);
            int32_t found = 0;
            for (int32_t j = 0; j < from->received_count; j++) {
                const int64_t end = from->received[j].first + from->received[j].count;
                for (int64_t at = from->received[j].first; at < end; found++) {
                    cr_assert_lt(found, count);
                    cr_assert_eq(p->share.part.place[sent[found]], at);
                    at += size_of(y, sent[found]);
                }
            }
            cr_assert_eq(found, count);
            copies += found;
        }
        cr_assert_eq(copies, all ? p->share.copies : p->share.kept);
    }
}

static bool something_passes(const Play *y)
{
    for (int32_t k = 0; k < y->count; k++)
        if (y->party[k].share.kept < y->party[k].share.copies)
            return true;
    return false;
}

/* Each upper state has one owner, and each process has about its part. */
static void check_shares(const Play *y, const char *name)
{
    const Diagram *d = y->d;
    const int64_t all = d->offset[d->upper_count];
    int64_t own = 0, largest = 0;
    int32_t *owners = twice_room((size_t)d->upper_count, sizeof *owners);
    for (int32_t k = 0; k < y->count; k++) {
        const DiagramShare *s = &y->party[k].share;
        own += s->own;
        for (int32_t i = 0; i < s->part.own_count; i++)
            owners[s->part.own[i]]++;
    }
    for (int32_t u = 0; u < d->upper_count; u++) {
        const int64_t size = d->set_size[d->set[u]];
        cr_assert_eq(owners[u], 1);
        largest = size > largest ? size : largest;
    }
    cr_assert_eq(own, all);
    for (int32_t k = 0; k < y->count; k++)
        cr_expect_leq((double)y->party[k].share.own,
                      1.5 * (double)all * share_part((ShareParts){y->count, y->part}, k) +
                          2 * (double)largest,
                      "%s: %d of %d", name, (int)k, (int)y->count);
    free(owners);
}

static void share_by(const Diagram *d, int32_t count, const double *part, const char *name)
{
    Play y = {.d = d, .count = count, .part = part};
    cr_assert(diagram_edges_in(d, NULL, &y.in_row, &y.in));
    for (int32_t k = 0; k < count; k++)
        join_in(&y, k);
    check_shares(&y, name);
    check_exchange(&y, true);
    check_exchange(&y, false);
    for (int32_t k = 0; k < count; k++)
        cr_expect_eq(y.party[k].share.passes, something_passes(&y));
    play(&y, name);
    for (int32_t k = 0; k < count; k++) {
        Party *p = &y.party[k];
        diagram_share_free(&p->share);
        free(p->at);
        free(p->upper);
        free(p->version);
        free(p->starts);
        free(p->ends);
    }
    mem_free_all(y.in_row, y.in);
}

static int share_model(const char *name, const Model *model)
{
    static const int32_t counts[] = {1, 2, 3, 5, MOST};
    Twice t;
    twice_new(&t, model, 1, 16, 20000);
    if (t.diagram)
        for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
            share_by(t.diagram, counts[i], NULL, name);
    if (t.diagram) {
        share_by(t.diagram, 2, (double[]){0.9, 0.1}, name);
        share_by(t.diagram, 4, (double[]){0.02, 0.3, 0.08, 0.6}, name);
    }
    const int suited = t.diagram != NULL;
    twice_free(&t);
    return suited;
}

Test(share, all_models_of_the_collection)
{
    cr_assert_gt(sum_over_collection(share_model), 20);
}

Test(share, families)
{
    static const char *const family[] = {"pipeline 7", "tandem 12", "kanban 2",
                                         "polling 6",  "cluster 8", "webserver 2"};
    for (size_t i = 0; i < sizeof family / sizeof *family; i++) {
        Model *model = model_of(family_text(family[i]));
        cr_expect_eq(share_model(family[i], model), 1, "%s", family[i]);
        model_free(model);
    }
}

/* A server that goes around: most copies are read soon after they were sent, and then no more. */
Test(share, copies_pass)
{
    Twice t;
    Model *model = model_of(family_text("polling 9"));
    int64_t copied = 0, swept = 0;
    int32_t copies = 0, kept = 0;
    twice_new(&t, model, 1, 16, 20000);
    cr_assert_not_null(t.diagram);
    for (int32_t k = 0; k < MOST; k++) {
        DiagramShare s;
        cr_assert(diagram_share_new(&s, t.diagram, k, (ShareParts){MOST, NULL}, &quick));
        copies += s.copies;
        kept += s.kept;
        copied += s.all - s.own;
        swept += s.swept - s.own;
        diagram_share_free(&s);
    }
    cr_expect_lt(kept, copies / 2, "%d of %d", (int)kept, (int)copies);
    cr_expect_lt(swept, copied * 2 / 3, "%lld of %lld", (long long)swept, (long long)copied);
    twice_free(&t);
    model_free(model);
}

/* ---- the order of chunks --------------------------------------------------------------------- */

enum { SIDE = 20, CELLS = SIDE * SIDE };

/* Chunks in a square, each of which flows into those around it: (row, column) is row * SIDE + column. */
static void new_square(ShareGraph *g)
{
    static const int32_t across[] = {-1, 0, 0, 1}, along[] = {0, -1, 1, 0};
    *g = (ShareGraph){.count = CELLS};
    cr_assert(mem_new(g->work, CELLS) && mem_new(g->states, CELLS) &&
              mem_new_zeroed(g->row, CELLS + 1) && mem_new(g->link, 4 * CELLS));
    for (int32_t c = 0; c < CELLS; c++) {
        g->work[c] = g->states[c] = 1;
        g->row[c + 1] = g->row[c];
        for (int k = 0; k < 4; k++) {
            const int32_t row = c / SIDE + across[k], column = c % SIDE + along[k];
            if (row >= 0 && row < SIDE && column >= 0 && column < SIDE)
                g->link[g->row[c + 1]++] = (ShareLink){row * SIDE + column, true, true};
        }
    }
}

/* In the order of one process the second would begin when the first is through with its half, and four sweeps would take the
 * time of five; column by column it begins at once. */
Test(share, what_others_want_comes_first)
{
    ShareGraph g;
    int32_t process[CELLS], turn[CELLS];
    double time, sweeps = SHARE_SWEEPS;
    new_square(&g);
    for (int32_t c = 0; c < CELLS; c++)
        process[c] = c / (CELLS / 2);
    cr_assert(share_order(&g, process, (ShareParts){2, NULL}, &(ShareCosts){0}, turn, &time));
    cr_expect_lt(time, 1.03 * sweeps * CELLS / 2, "%g", time);
    for (int32_t row = 0; row < SIDE; row++)
        for (int32_t column = 1; column < SIDE; column++)
            cr_expect_gt(turn[row * SIDE + column], turn[row * SIDE + column - 1]);
    share_graph_free(&g);
}

/* ---- places that are given again ------------------------------------------------------------ */

Test(share, room_is_given_again)
{
    Room room = {0};
    cr_expect_eq(room_take(&room, 10, 3), 0);
    cr_expect_eq(room_take(&room, 5, 1), 10);
    cr_expect_eq(room_take(&room, 7, 4), 15);
    room_clear(&room, 1); /* 1 is still read */
    cr_expect_eq(room_take(&room, 5, 2), 22);
    room_clear(&room, 2);
    cr_expect_eq(room_take(&room, 6, 2), 27); /* does not fit into 10 .. 14 */
    cr_expect_eq(room_take(&room, 5, 9), 10);
    room_clear(&room, 5);
    cr_expect_eq(room_take(&room, 10, 9), 0);
    cr_expect_eq(room_take(&room, 1, 9), 15);
    cr_expect_eq(room.most, 33);
    room_free(&room);
}
