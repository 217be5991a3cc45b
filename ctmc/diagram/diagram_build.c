/* Makes a diagram from the reachable sets: numbers the states and connects them by edges. */
#include "ctmc/diagram/diagram.h"
#include "ctmc/diagram/diagram_search.h"

#include <stdlib.h>
#include <string.h>

static void build_free(DiagramBuild *b)
{
    for (int32_t i = 0; b->rank && i < b->d->set_count; i++)
        mem_free(b->rank[i]);
    memo_free(&b->matrices);
    memo_free(&b->content);
    mem_free_all(b->rank, b->place, b->old, b->dense, b->used, b->made, b->entries);
}

/* ---- order --------------------------------------------------------------------------------- */

/* Rows of cells to be sorted: the width, the upper state, its cells. */
enum { ROW_WIDTH, ROW_STATE, ROW_CELLS };

static int by_cells(const void *a, const void *b)
{
    const int32_t *x = a, *y = b;
    for (int32_t i = 0; i < x[ROW_WIDTH]; i++)
        if (x[ROW_CELLS + i] != y[ROW_CELLS + i])
            return x[ROW_CELLS + i] < y[ROW_CELLS + i] ? -1 : 1;
    return 0;
}

/* The upper slots that change, in sequence, as numbers that are to ascend: places of local states in
 * their order; of copies, many in the first local state come first. */
static int32_t put_row(const Split *split, const int32_t *cells, int32_t *row)
{
    const System *s = split->system;
    int32_t at = 0;
    for (int32_t k = split->constant; k < split->first; k++) {
        const Slot *slot = &s->slots[split->sequence[k]];
        const int32_t *order = split->order[slot->component], *cell = cells + slot->cell;
        for (int32_t l = 0; slot->copies && l < s->components[slot->component].local_count; l++)
            row[at++] = -cell[order[l]];
        if (!slot->copies)
            row[at++] = split->rank[slot->component][*cell];
    }
    return at;
}

/* Number the upper states lexicographically. */
static bool sort_upper(DiagramBuild *b)
{
    const Search *s = b->s;
    const System *system = s->split->system;
    size_t n = (size_t)s->upper.count, words = system->words;
    size_t width = (size_t)system->cell_count + ROW_CELLS;
    if (!search_within_budget(b->s, (double)n * (double)width * sizeof(int32_t)))
        return false;
    int32_t *rows = mem_alloc(n, width * sizeof *rows);
    int32_t *cells = mem_alloc((size_t)system->cell_count, sizeof *cells);
    bool ok = rows && cells;
    for (size_t i = 0; i < n && ok; i++) {
        int32_t *row = rows + i * width;
        system_unpack(system, s->upper.state + i * words, cells);
        row[ROW_WIDTH] = put_row(s->split, cells, row + ROW_CELLS);
        row[ROW_STATE] = (int32_t)i;
    }
    if (ok)
        qsort(rows, n, width * sizeof *rows, by_cells);
    for (size_t i = 0; i < n && ok; i++) {
        int32_t id = rows[i * width + ROW_STATE];
        b->old[i] = id;
        b->place[id] = (int32_t)i;
        memcpy(b->d->upper + i * words, s->upper.state + (size_t)id * words,
               words * sizeof *b->d->upper);
    }
    mem_free_all(rows, cells);
    return ok;
}

/* Bytes of what is kept per upper state and per set. */
static void weigh_lists(DiagramBuild *b)
{
    const Diagram *d = b->d;
    const Search *s = b->s;
    b->listed = (double)d->upper_count *
                ((double)s->split->system->words * sizeof *d->upper + sizeof *d->set +
                 sizeof *d->offset + sizeof *d->edge_row + sizeof *b->place + sizeof *b->old);
    b->listed += (double)d->set_count * (double)s->split->lower.count * sizeof **b->rank;
    for (int32_t i = 0; i < d->set_count; i++)
        b->listed += (double)s->sets.size[b->used[i]] * sizeof **d->members;
}

/* Whether that and what has been made are within the memory budget. */
static bool within_budget(const DiagramBuild *b)
{
    const Diagram *d = b->d;
    double bytes = b->listed + memo_bytes(&b->matrices) + memo_bytes(&b->content);
    bytes += (double)(b->made_count + (size_t)b->edge_count) * sizeof *b->made;
    bytes += (double)d->matrix_count * sizeof *d->matrices;
    bytes += (double)b->entry_count * (sizeof *d->entry_from + sizeof *d->entry_to);
    bytes += (double)b->term_count * sizeof *d->entry_term;
    return search_within_budget(b->s, bytes);
}

/* Number the sets in use, in order of first use; list their members; number the states. */
static bool number_sets(DiagramBuild *b)
{
    Diagram *d = b->d;
    const Search *s = b->s;
    memset(b->dense, -1, (size_t)s->sets.table.count * sizeof *b->dense);
    d->offset[0] = 0;
    for (int32_t i = 0; i < d->upper_count; i++) {
        int32_t set = s->set[b->old[i]];
        if (b->dense[set] < 0) {
            b->used[d->set_count] = set;
            b->dense[set] = d->set_count++;
        }
        d->set[i] = b->dense[set];
        d->offset[i + 1] = d->offset[i] + s->sets.size[set];
    }
    weigh_lists(b);
    if (!within_budget(b))
        return false;
    if (!(mem_new_zeroed(d->members, d->set_count) && mem_new_zeroed(d->set_size, d->set_count) &&
          mem_new_zeroed(b->rank, d->set_count)))
        return false;
    for (int32_t i = 0; i < d->set_count; i++) {
        const uint64_t *bits = sets_bits(&s->sets, b->used[i]);
        if (!(mem_new(d->members[i], s->sets.size[b->used[i]]) &&
              mem_new(b->rank[i], s->split->lower.count)))
            return false;
        for (size_t w = 0; w < s->sets.table.words; w++)
            for (uint64_t left = bits[w]; left; left &= left - 1) {
                int32_t lower = (int32_t)(64 * w) + __builtin_ctzll(left);
                b->rank[i][lower] = (uint16_t)d->set_size[i];
                d->members[i][d->set_size[i]++] = lower;
            }
    }
    return true;
}

/* ---- edges --------------------------------------------------------------------------------- */

/* An edge from b->from, if the move is a transition and the submatrix has an entry. */
static bool add_edge(void *user, const SearchMove *move)
{
    DiagramBuild *b = user;
    Diagram *d = b->d;
    Table *upper = &b->s->upper;
    if (move->label == LABEL_NONE)
        return true;
    int32_t to = b->place[table_find(upper, b->s->target, table_hash(upper, b->s->target))];
    const Edge *made = diagram_submatrix(b, move->context, move->tag, d->set[b->from], d->set[to]);
    if (!made || !mem_grow(d->edges, b->edge_cap, (size_t)b->edge_count + 1))
        return false;
    int32_t term = move->context == CONTEXT_SAME ? move->term : made->term;
    if (made->matrix >= 0)
        d->edges[b->edge_count++] = (Edge){to, made->matrix, term, move->label};
    return true;
}

/* So many entries that submatrices save nothing. */
static bool too_many(const DiagramBuild *b)
{
    return (double)b->entry_count >
           ENTRIES_SLACK + ENTRIES_WORTH * (double)b->d->offset[b->d->upper_count];
}

enum { LOOK = 64 }; /* upper states between looks at the memory */

static bool connect_all(DiagramBuild *b)
{
    Search *s = b->s;
    Diagram *d = b->d;
    const System *system = s->split->system;
    for (int32_t i = 0; i < d->upper_count && !too_many(b); i++) {
        int32_t set = s->set[b->old[i]];
        const uint64_t *packed = d->upper + (size_t)i * system->words;
        d->edge_row[i] = b->edge_count;
        b->from = i;
        if (i % LOOK == 0 && !within_budget(b))
            return false;
        search_load(s, packed);
        for (int32_t e = 0; e < system->event_count; e++)
            if (!search_event(s, packed, set, e, add_edge, b))
                return false;
    }
    d->edge_row[d->upper_count] = b->edge_count;
    return true;
}

static bool connect_local(DiagramBuild *b)
{
    Search *s = b->s;
    Diagram *d = b->d;
    for (int32_t set = 0, count = 0; set < d->set_count; set++) {
        d->local_row[set] = count;
        for (int32_t i = 0; i < s->lower_contexts; i++) {
            int32_t context = s->lower_context[i];
            int32_t label = s->split->system->events[s->contexts.contexts[context].event].label;
            const Edge *made = diagram_submatrix(b, context, 0, set, set);
            if (!made || !mem_grow(d->local, b->local_cap, (size_t)count + 1))
                return false;
            if (made->matrix >= 0 && label != LABEL_NONE)
                d->local[count++] = (Edge){0, made->matrix, made->term, label};
        }
        d->local_row[set + 1] = count;
    }
    return true;
}

/* ---- all together -------------------------------------------------------------------------- */

static bool reserve(DiagramBuild *b)
{
    Diagram *d = b->d;
    size_t n = (size_t)d->upper_count;
    const int32_t sets = b->s->sets.table.count;
    d->upper = mem_alloc(n, b->s->split->system->words * sizeof *d->upper);
    return d->upper && mem_new(b->place, n) && mem_new(b->old, n) && mem_new(b->dense, sets) &&
           mem_new(b->used, sets) && mem_new(d->set, n) && mem_new(d->offset, n + 1) &&
           mem_new_zeroed(d->edge_row, n + 1);
}

/* Upper state 0 as found is the initial one. */
static bool find_initial(DiagramBuild *b)
{
    int32_t lower = search_initial(b->s);
    b->d->initial_upper = b->place[0];
    if (lower >= 0)
        b->d->initial_lower = b->rank[b->d->set[b->place[0]]][lower];
    return lower >= 0;
}

PepaStatus diagram_build(Diagram *out, Search *search)
{
    DiagramBuild b = {.d = out, .s = search};
    out->system = search->split->system;
    out->upper_count = search->upper.count;
    out->own_count = out->upper_count;
    bool ok = reserve(&b) && sort_upper(&b) && number_sets(&b);
    ok = ok && mem_new_zeroed(out->local_row, out->set_count + 1) && connect_local(&b) &&
         connect_all(&b) && find_initial(&b);
    out->too_large = ok && too_many(&b);
    ok = ok && !search->contexts.moves.no_memory;
    build_free(&b);
    return ok || search->out_of_budget ? PEPA_OK : error_memory(search->err);
}
