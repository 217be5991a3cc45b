/* Cuts where neighbours have little to do with each other: where states are numbered like an
 * odometer, pieces then end with a turn of one of its wheels, and what comes next need not wait for
 * all that came before. */
#include "solvers/schedule/rows_pieces.h"

#include <string.h>

#include "base/mem.h"
#include "solvers/schedule/rows.h"

void rows_pieces_free(RowsPieces *pieces)
{
    mem_free(pieces->first);
    mem_free(pieces->begin);
    mem_free(pieces->link);
    *pieces = (RowsPieces){0};
}

/* ---- cuts ----------------------------------------------------------------------------------- */

/* Where cuts may be: before unit u, which begins at row at[u], or at row u if there is no `at`.
 * ties: how much they would cut through, looking at what is near. */
typedef struct {
    int32_t units;
    const int32_t *at, *ties;
} Cuts;

static int32_t row_of(const Cuts *cuts, int32_t unit)
{
    return cuts->at ? cuts->at[unit] : unit;
}

/* Of the cuts that leave a piece of half of `grain` rows to twice as many, the one with the fewest
 * ties, and of these the one that leaves most nearly `grain`. */
static int32_t next_cut(const Cuts *cuts, int32_t from, int32_t grain)
{
    const int32_t start = row_of(cuts, from);
    int32_t best = cuts->units, least_off = INT32_MAX;
    if (row_of(cuts, cuts->units) - start <= 2 * grain)
        return cuts->units;
    for (int32_t u = from + 1; u < cuts->units; u++) {
        int32_t rows = row_of(cuts, u) - start, off = rows > grain ? rows - grain : grain - rows;
        if (rows < grain / 2)
            continue;
        if (rows > 2 * grain)
            return best < cuts->units ? best : u;
        if (best == cuts->units || cuts->ties[u] < cuts->ties[best] ||
            (cuts->ties[u] == cuts->ties[best] && off < least_off)) {
            best = u;
            least_off = off;
        }
    }
    return best;
}

/* The units that pieces begin with; first has room for all. */
static int32_t cut(const Cuts *cuts, int32_t grain, int32_t *first)
{
    int32_t pieces = 0;
    for (first[0] = 0; first[pieces] < cuts->units; pieces++)
        first[pieces + 1] = next_cut(cuts, first[pieces], grain);
    return pieces;
}

/* ---- from the matrix ------------------------------------------------------------------------- */

/* An entry of a piece's rows in the columns of another one, or `ties` of them. */
typedef struct {
    int32_t piece, other, ties;
} Pair;

/* What is found in some of the pieces. */
typedef struct {
    Pair *item;
    size_t count, room;
    bool failed;
} Pairs;

enum { SHARES = 32, SPAN = 1 << 16 }; /* of pieces; rows */

typedef struct {
    const Flow *flow;
    RowsPieces *out;
    int32_t reach;
    int32_t *of_row; /* n + 1: ties across the cut before each row; then its piece */
    Pairs part[SHARES];
} Search;

/* of_row[i]: entries that tie rows no farther than `reach` apart across the cut before row i; what
 * ties from other spans, of few, does not count. */
static void count_ties(void *user, int32_t span, int32_t worker)
{
    const Search *s = user;
    const Flow *flow = s->flow;
    const int32_t first = span * SPAN, end = flow->n - first < SPAN ? flow->n : first + SPAN;
    int32_t *ties = s->of_row;
    (void)worker;
    memset(ties + first, 0, (size_t)(end - first) * sizeof *ties);
    for (int32_t i = first; i < end; i++)
        for (int64_t k = flow->row[i]; k < flow->row[i + 1]; k++) {
            int32_t j = flow->col[k], low = i < j ? i : j, high = i < j ? j : i;
            if (high - low > s->reach || low + 1 >= end)
                continue;
            ties[low + 1 > first ? low + 1 : first]++;
            if (high + 1 < end)
                ties[high + 1]--;
        }
    for (int32_t i = first + 1; i < end; i++)
        ties[i] += ties[i - 1];
}

/* count: per piece, 0 between calls; met: scratch per piece. */
static bool find_pairs(const Search *s, Pairs *to, int32_t piece, int32_t *count, int32_t *met)
{
    const Flow *flow = s->flow;
    const int32_t *first = s->out->first + piece;
    int32_t others = 0;
    for (int64_t k = flow->row[first[0]]; k < flow->row[first[1]]; k++) {
        int32_t other = s->of_row[flow->col[k]];
        if (count[other]++ == 0)
            met[others++] = other;
    }
    bool ok = mem_reserve(&to->item, &to->room, to->count + (size_t)others, sizeof *to->item);
    for (int32_t m = 0; m < others; m++) {
        if (ok && met[m] != piece)
            to->item[to->count++] = (Pair){piece, met[m], count[met[m]]};
        count[met[m]] = 0;
    }
    return ok;
}

static int32_t share_begin(const Search *s, int32_t share)
{
    return (int32_t)((int64_t)s->out->pieces * share / SHARES);
}

static void find_share(void *user, int32_t share, int32_t worker)
{
    Search *s = user;
    Pairs *to = &s->part[share];
    const size_t pieces = (size_t)s->out->pieces;
    int32_t *count = mem_calloc(pieces, sizeof *count), *met = mem_alloc(pieces, sizeof *met);
    (void)worker;
    to->failed = !count || !met;
    for (int32_t p = share_begin(s, share); p < share_begin(s, share + 1) && !to->failed; p++)
        to->failed = !find_pairs(s, to, p, count, met);
    mem_free(count);
    mem_free(met);
}

static void name_rows(void *user, int32_t share, int32_t worker)
{
    const Search *s = user;
    (void)worker;
    for (int32_t p = share_begin(s, share); p < share_begin(s, share + 1); p++)
        for (int32_t i = s->out->first[p]; i < s->out->first[p + 1]; i++)
            s->of_row[i] = p;
}

/* By the later piece. */
static bool sort_pairs(Search *s)
{
    RowsPieces *p = s->out;
    const size_t pieces = (size_t)p->pieces;
    for (int32_t part = 0; part < SHARES; part++)
        p->count += s->part[part].count;
    p->begin = mem_calloc(pieces + 2, sizeof *p->begin);
    p->link = mem_alloc(p->count, sizeof *p->link);
    if (!p->begin || !p->link || p->count > INT32_MAX)
        return false;
    for (int32_t part = 0; part < SHARES; part++)
        for (size_t e = 0; e < s->part[part].count; e++) {
            const Pair *pair = &s->part[part].item[e];
            p->begin[(pair->piece > pair->other ? pair->piece : pair->other) + 2]++;
        }
    for (size_t k = 0; k < pieces; k++)
        p->begin[k + 2] += p->begin[k + 1];
    for (int32_t part = 0; part < SHARES; part++)
        for (size_t e = 0; e < s->part[part].count; e++) {
            const Pair *pair = &s->part[part].item[e];
            bool down = pair->piece > pair->other;
            int32_t late = down ? pair->piece : pair->other;
            int32_t early = down ? pair->other : pair->piece;
            p->link[p->begin[late + 1]++] = (RowsLink){early, pair->ties};
        }
    return true;
}

/* The links of the pieces, whose first rows are known. */
static bool link_pieces(Search *s, Workers *workers)
{
    bool ok = true;
    workers_run(workers, SHARES, name_rows, s);
    workers_run(workers, SHARES, find_share, s);
    for (int32_t part = 0; part < SHARES; part++)
        ok = ok && !s->part[part].failed;
    ok = ok && sort_pairs(s);
    for (int32_t part = 0; part < SHARES; part++)
        mem_free(s->part[part].item);
    return ok;
}

static void each_span(const Search *s, Workers *workers, WorkTask *task, Search *user)
{
    workers_run(workers, (int32_t)(((int64_t)s->flow->n + SPAN - 1) / SPAN), task, user);
}

bool rows_pieces_new(RowsPieces *out, const Flow *flow, int32_t grain, Workers *workers)
{
    const size_t n = (size_t)flow->n, most = n / (((size_t)grain + 1) / 2) + 2;
    RowsPieces p = {.first = mem_alloc(most, sizeof *p.first)};
    Search s = {.flow = flow, .out = &p, .reach = grain / 2};
    s.of_row = mem_alloc(n, sizeof *s.of_row);
    bool ok = p.first && s.of_row;
    if (ok) {
        each_span(&s, workers, count_ties, &s);
        p.pieces = cut(&(Cuts){.units = flow->n, .ties = s.of_row}, grain, p.first);
        ok = link_pieces(&s, workers);
    }
    mem_free(s.of_row);
    if (!ok)
        rows_pieces_free(&p);
    *out = p;
    return ok;
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* of_row[i]: the last of the earlier rows that row i reads, but for those that are near. */
static void look_back(void *user, int32_t span, int32_t worker)
{
    const Search *s = user;
    const Flow *flow = s->flow;
    const int32_t first = span * SPAN, end = flow->n - first < SPAN ? flow->n : first + SPAN;
    (void)worker;
    for (int32_t i = first; i < end; i++) {
        s->of_row[i] = -1;
        for (int64_t k = flow->row[i]; k < flow->row[i + 1] && flow->col[k] < i - s->reach; k++)
            s->of_row[i] = flow->col[k];
    }
}

/* A line ends before the row that waits for one of its rows. */
static int32_t line_end(const Search *s, int32_t begin)
{
    int32_t i = begin + 1;
    while (i < s->flow->n && s->of_row[i] < begin)
        i++;
    return i;
}

/* Parts of about `grain` rows, so many that each thread has some, if lines are long enough. */
static void cut_line(RowsPieces *p, uint8_t *owner, int32_t begin, int32_t end, int32_t threads,
                     int32_t grain)
{
    const int32_t each = 4, rows = end - begin;
    int32_t parts = rows / grain < 1 ? 1 : rows / grain;
    parts = parts < each * threads ? parts : each * threads;
    for (int32_t k = 0; k < parts; k++) {
        int32_t first = begin + (int32_t)((int64_t)rows * k / parts);
        bool whole = k > 0 && rows / parts >= 2 * SUM_ROWS; /* no block of sums is cut */
        p->first[p->pieces] = whole ? first / SUM_ROWS * SUM_ROWS : first;
        owner[p->pieces++] = (uint8_t)((2 * k + 1) * threads / (2 * parts));
    }
}

bool rows_pieces_line_up(RowsPieces *out, uint8_t **owner, const Flow *flow, int32_t threads,
                         int32_t grain, Workers *workers)
{
    const size_t n = (size_t)flow->n;
    RowsPieces p = {0};
    Search s = {.flow = flow, .out = &p, .reach = grain / 2};
    s.of_row = mem_alloc(n, sizeof *s.of_row);
    *owner = NULL;
    bool ok = s.of_row != NULL;
    if (ok) {
        int32_t lines = 0;
        each_span(&s, workers, look_back, &s);
        for (int32_t i = 0; i < flow->n; i = line_end(&s, i))
            lines++;
        size_t most = (size_t)lines + n / (size_t)grain + 1;
        p.first = mem_alloc(most, sizeof *p.first);
        *owner = mem_alloc(most, sizeof **owner);
        ok = p.first && *owner;
    }
    if (ok) {
        for (int32_t i = 0, end; i < flow->n; i = end) {
            end = line_end(&s, i);
            cut_line(&p, *owner, i, end, threads, grain);
        }
        p.first[p.pieces] = flow->n;
        ok = link_pieces(&s, workers);
    }
    mem_free(s.of_row);
    if (!ok)
        rows_pieces_free(&p);
    *out = p;
    return ok;
}

/* ---- from smaller pieces --------------------------------------------------------------------- */

static void count_joints(const RowsPieces *fine, int32_t reach, int32_t *ties)
{
    memset(ties, 0, ((size_t)fine->pieces + 1) * sizeof *ties);
    for (int32_t late = 0; late < fine->pieces; late++)
        for (size_t e = fine->begin[late]; e < fine->begin[late + 1]; e++) {
            const RowsLink *link = &fine->link[e];
            if (fine->first[late] - fine->first[link->early] <= reach) {
                ties[link->early + 1] += link->ties;
                ties[late + 1] -= link->ties;
            }
        }
    for (int32_t p = 0; p < fine->pieces; p++)
        ties[p + 1] += ties[p];
}

/* The links of piece `late`, of the fine ones from .. end - 1.
 *   of    per fine piece: the piece that it is part of
 *   seen  per piece: 1 + the place of its last link */
static void join_links(RowsPieces *p, const RowsPieces *fine, const int32_t *of, size_t *seen,
                       int32_t late, int32_t from, int32_t end)
{
    p->begin[late] = p->count;
    for (size_t e = fine->begin[from]; e < fine->begin[end]; e++) {
        int32_t early = of[fine->link[e].early];
        if (early == late)
            continue;
        if (seen[early] > p->begin[late]) {
            p->link[seen[early] - 1].ties += fine->link[e].ties;
        } else {
            p->link[p->count++] = (RowsLink){early, fine->link[e].ties};
            seen[early] = p->count;
        }
    }
    p->begin[late + 1] = p->count;
}

bool rows_pieces_join(RowsPieces *out, const RowsPieces *fine, int32_t grain)
{
    const size_t most = (size_t)fine->pieces + 1;
    RowsPieces p = {.first = mem_alloc(most, sizeof *p.first),
                    .begin = mem_alloc(most, sizeof *p.begin),
                    .link = mem_alloc(fine->count, sizeof *p.link)};
    int32_t *ties = mem_alloc(most, sizeof *ties);
    size_t *seen = mem_calloc(most, sizeof *seen);
    bool ok = p.first && p.begin && p.link && ties && seen;
    if (ok) {
        int32_t *of = ties; /* which are used up by then */
        count_joints(fine, grain, ties);
        p.pieces = cut(&(Cuts){fine->pieces, fine->first, ties}, grain, p.first);
        for (int32_t late = 0; late < p.pieces; late++)
            for (int32_t k = p.first[late]; k < p.first[late + 1]; k++)
                of[k] = late;
        for (int32_t late = 0; late < p.pieces; late++)
            join_links(&p, fine, of, seen, late, p.first[late], p.first[late + 1]);
        for (int32_t late = 0; late <= p.pieces; late++)
            p.first[late] = fine->first[p.first[late]];
    }
    mem_free(ties);
    mem_free(seen);
    if (!ok)
        rows_pieces_free(&p);
    *out = p;
    return ok;
}
