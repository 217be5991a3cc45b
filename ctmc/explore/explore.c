/* Explores the states one by one, breadth first: a state's number is its place in the table, which
 * is the queue.  States are expanded a block at a time, so that lookups in the table can overlap;
 * their targets are numbered in the order in which they would be found one by one. */
#include <math.h>

#include "ctmc/explore/explorer.h"

#include "base/clock.h"

enum { LOOK_ON = 1000 }; /* states explored after a faulty one, to find other faults */

/* ---- numbering ----------------------------------------------------------------------------- */

/* The rates out of a state, one by one finite, must be so together. */
static PepaStatus check_exit(Explorer *x, const Block *b, int32_t i)
{
    const RateTable *rates = &x->chain->rates;
    double exit = 0;
    if (isfinite(rates->largest * b->length[i]))
        return PEPA_OK;
    for (int32_t k = 0; k < b->length[i]; k++)
        exit += rates->value[kind_term(&x->kinds, b->kind[b->begin[i] + (size_t)k])];
    return isfinite(exit) ? PEPA_OK : report_exit(x, b->first + i, exit);
}

/* Is this the state whose targets are too many?  So told, it does not matter how many states are
 * numbered at a time. */
static PepaStatus check_limit(const Explorer *x, const Block *b, int32_t i)
{
    const int32_t *id = b->id + b->begin[i];
    for (int32_t k = 0; k < b->length[i] && x->chain->states.count > x->set->derive.max_states; k++)
        if (id[k] >= x->set->derive.max_states)
            return error_states(x->err, x->set->derive.max_states);
    return PEPA_OK;
}

PepaStatus explore_check(Explorer *x, const Block *b, int32_t i)
{
    PepaStatus status = check_limit(x, b, i);
    return status == PEPA_OK ? check_exit(x, b, i) : status;
}

/* Rows for states i .. end - 1 of the block, whose targets are numbered. */
static PepaStatus add_rows(Explorer *x, const Block *b, int32_t i, int32_t end)
{
    Chain *c = x->chain;
    PepaStatus status = PEPA_OK;
    int64_t transitions = c->transitions;
    for (int32_t k = i; k < end; k++)
        transitions += b->length[k];
    if (!explore_reserve(x, b->first + end, transitions))
        return error_memory(x->err);
    c->row[0] = 0;
    for (; i < end && status == PEPA_OK; i++) {
        c->transitions += b->length[i];
        c->row[b->first + i + 1] = c->transitions;
        c->deadlocks += b->length[i] == 0;
        status = explore_check(x, b, i);
    }
    return status;
}

/* Number the targets of moves first .. end - 1. */
static PepaStatus number_moves(Explorer *x, Block *b, size_t first, size_t end)
{
    Table *table = &x->chain->states;
    if (!table_put_all(table, b->target + first * table->words, b->hash + first, end - first,
                       b->id + first))
        return error_memory(x->err);
    return PEPA_OK;
}

/* Expand a state that was left out, and report what is wrong with it. */
static PepaStatus expand_left_out(Explorer *x, Block *b, int32_t i)
{
    const Table *table = &x->chain->states;
    int32_t state = b->first + i;
    const uint64_t *packed = table_state(table, state);
    PepaStatus status = PEPA_OK;
    b->begin[i] = b->moves;
    Expansion how = expand_state(&x->expander, packed, b);
    if (how == EXPAND_FAULTY) {
        how = expand_interpreted(&x->expander, packed, b);
        if (x->faulty < 0)
            x->faulty = state;
        status = report_faults(x, state);
    }
    b->length[i] = (int32_t)(b->moves - b->begin[i]);
    if (how != EXPANDED)
        return error_memory(x->err);
    if (status == PEPA_OK && x->chain->rates.status != PEPA_OK)
        status = report_rate(x, state);
    block_hash(b, table, b->begin[i]);
    return status == PEPA_OK ? number_moves(x, b, b->begin[i], b->moves) : status;
}

/* The states of the block that are still of interest after a fault. */
static int32_t wanted(const Explorer *x, const Block *b)
{
    int64_t most = (int64_t)x->faulty + LOOK_ON + 1 - b->first;
    if (x->faulty < 0 || most >= b->count)
        return b->count;
    return most > 0 ? (int32_t)most : 0;
}

PepaStatus explore_number(Explorer *x, Block *b)
{
    PepaStatus status = PEPA_OK;
    while (b->numbered < wanted(x, b) && status == PEPA_OK) {
        int32_t begin = b->numbered, end = begin;
        size_t moves = b->begin[begin];
        while (end < wanted(x, b) && b->length[end] >= 0 && b->begin[end] == moves)
            moves += (size_t)b->length[end++];
        if (end > begin)
            status = number_moves(x, b, b->begin[begin], moves);
        else
            status = expand_left_out(x, b, end++);
        if (status == PEPA_OK)
            status = add_rows(x, b, begin, end);
        b->numbered = end;
    }
    b->count = wanted(x, b);
    return status;
}

/* ---- the whole ----------------------------------------------------------------------------- */

PepaStatus explore_tick(Explorer *x)
{
    if (!x->set->progress)
        return PEPA_OK;
    double seconds = clock_seconds() - x->start;
    if (seconds - x->shown < 0.1)
        return PEPA_OK;
    x->shown = seconds;
    PepaProgress p = {.phase = "derive",
                      .count = x->chain->states.count,
                      .measure = (double)x->chain->transitions,
                      .seconds = seconds,
                      .left = -1};
    return x->set->progress(x->set->user, &p)
               ? error_set(x->err, PEPA_ECANCEL, "cancelled after %d states",
                           x->chain->states.count)
               : PEPA_OK;
}

int32_t explore_end(const Explorer *x, int32_t most)
{
    int64_t end = x->chain->states.count, last = (int64_t)x->faulty + LOOK_ON + 1;
    if (end - x->next > most)
        end = (int64_t)x->next + most;
    return (int32_t)(x->faulty >= 0 && end > last ? last : end);
}

/* Expand the next states into the block; the first that takes more than that is left out, and ends
 * it. */
static PepaStatus fill_block(Explorer *x, Block *b, int32_t end)
{
    const Table *table = &x->chain->states;
    if (!block_begin(b, x->next, end - x->next))
        return error_memory(x->err);
    for (int32_t state = x->next; state < end; state++) {
        size_t begin = b->moves;
        Expansion how = expand_state(&x->expander, table_state(table, state), b);
        if (how == EXPAND_MEMORY)
            return error_memory(x->err);
        bool expanded = how == EXPANDED && x->chain->rates.status == PEPA_OK;
        b->moves = expanded ? b->moves : begin;
        block_add(b, begin, expanded);
        end = expanded ? end : state;
    }
    block_hash(b, table, 0);
    return PEPA_OK;
}

static PepaStatus explore_block(Explorer *x)
{
    Block *b = &x->block;
    PepaStatus status = fill_block(x, b, explore_end(x, BLOCK_STATES));
    if (status == PEPA_OK)
        status = explore_number(x, b);
    if (status == PEPA_OK && !(explore_widen(x) && explore_store(x, b, NULL, &x->steps)))
        status = error_memory(x->err);
    x->next += b->count;
    if (status == PEPA_OK)
        status = explore_memory(x, x->block.moves);
    return status == PEPA_OK ? explore_tick(x) : status;
}

static PepaStatus put_initial(Explorer *x)
{
    const System *s = x->chain->system;
    Table *table = &x->chain->states;
    if (!block_reserve(&x->block, 1, s->words))
        return error_memory(x->err);
    uint64_t *packed = x->block.target; /* which has space for it */
    system_initial(s, x->expander.moves.cells);
    system_pack(s, x->expander.moves.cells, packed);
    return table_put(table, packed, table_hash(table, packed)) == 0 ? PEPA_OK
                                                                    : error_memory(x->err);
}

static PepaStatus expand_all(Explorer *x)
{
    if (x->chain->rates.status != PEPA_OK)
        return report_rate(x, -1);
    Parallel *parallel = NULL;
    PepaStatus status = put_initial(x);
    if (status == PEPA_OK && x->set->threads > 1)
        status = parallel_new(&parallel, x);
    while (status == PEPA_OK && explore_end(x, 1) > x->next)
        status = parallel && x->chain->states.count - x->next >= x->many
                     ? parallel_explore(parallel)
                     : explore_block(x);
    parallel_free(parallel);
    if (status == PEPA_OK && x->faulty >= 0)
        status = error_set(x->err, PEPA_EMODEL, "some activities of the model have no meaning");
    return status;
}

/* What the kinds are, with actions renumbered to those that occur. */
static PepaStatus list_kinds(Chain *c, const Table *kinds, PepaError *err)
{
    size_t n = (size_t)c->model->action_count, count = (size_t)kinds->count;
    int32_t *index = mem_calloc(n, sizeof *index);
    if (!index || !mem_new(c->actions, n) || !mem_new(c->kind_action, count) ||
        !mem_new(c->kind_term, count)) {
        mem_free(index);
        return error_memory(err);
    }
    c->kind_count = kinds->count;
    for (int32_t k = 0; k < kinds->count; k++)
        index[kind_action(kinds, k)] = 1;
    for (int32_t a = 0; a < c->model->action_count; a++)
        if (index[a]) {
            index[a] = c->action_count;
            c->actions[c->action_count++] = a;
        }
    for (int32_t k = 0; k < kinds->count; k++) {
        c->kind_action[k] = index[kind_action(kinds, k)];
        c->kind_term[k] = kind_term(kinds, k);
    }
    mem_free(index);
    return PEPA_OK;
}

static void trim(Chain *c)
{
    mem_trim(c->target, c->transitions);
    mem_trim(c->row, c->states.count + 1);
    if (c->wide)
        mem_trim(c->wide, c->transitions);
    else
        mem_trim(c->narrow, c->transitions);
}

PepaStatus chain_explore(Chain *chain, const PepaSettings *set, int32_t many, DiagList *diags,
                         PepaError *err)
{
    const System *system = chain->system;
    Explorer x = {.chain = chain,
                  .set = set,
                  .diags = diags,
                  .err = err,
                  .faulty = -1,
                  .many = many ? many : MANY_STATES};
    x.start = clock_seconds();
    PepaStatus status = plans_new(&x.plans, system, err);
    if (status == PEPA_OK)
        status = expander_init(&x.expander, system, &chain->rates, &x.plans, &x.kinds, err);
    if (status == PEPA_OK) {
        x.reported = mem_calloc((size_t)chain->model->action_count, 1);
        status = x.reported && table_init(&chain->states, system->words) && table_init(&x.kinds, 1)
                     ? expand_all(&x)
                     : error_memory(err);
    }
    chain->loops = x.plans.self_loops;
    plans_free(&x.plans);
    expander_free(&x.expander);
    block_free(&x.block);
    mem_free_all(x.steps.items, x.reported);
    if (status == PEPA_OK) {
        trim(chain);
        status = list_kinds(chain, &x.kinds, err);
    }
    table_free(&x.kinds);
    return status;
}
