/* Explores the states one by one, breadth first: a state's number is its place in the table, which
 * is the queue.  States are expanded a block at a time, so that lookups in the table can overlap;
 * their targets are numbered in the order in which they would be found one by one. */
#include "base/clock.h"
#include "base/processes.h"
#include "ctmc/explore/explorer.h"

PepaStatus explore_fill(Explorer *x, Block *b, int32_t end)
{
    const Table *table = &x->chain->states;
    if (!block_begin(b, x->next, end - x->next))
        return error_memory(x->err);
    for (int32_t state = x->next; state < end; state++) {
        size_t begin = b->moves;
        Expansion how = expand_state(&x->expander, table_state(table, state), b);
        if (how == EXPAND_MEMORY)
            return explore_no_memory(x);
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
    PepaStatus status = explore_fill(x, b, explore_end(x, BLOCK_STATES));
    if (status == PEPA_OK)
        status = explore_number(x, b);
    if (status == PEPA_OK && !(explore_widen(x) && explore_store(x, b, NULL, &x->steps)))
        status = error_memory(x->err);
    x->next += b->count;
    if (status == PEPA_OK)
        status = explore_memory(x, x->block.moves);
    return status == PEPA_OK ? explore_tick(x) : status;
}

/* The states in which the chain begins: several if immediate activities happen first. */
static PepaStatus put_starts(Explorer *x, const uint64_t *packed)
{
    Chain *c = x->chain;
    Block *b = &x->block;
    Expansion how = expand_start(&x->expander, packed, b);
    if (how == EXPAND_FAULTY)
        return report_start(x, packed);
    if (how == EXPANDED && c->rates.status != PEPA_OK)
        return report_rate(x, packed);
    bool ok = how == EXPANDED && mem_new(c->start_term, b->moves);
    for (size_t i = 0; ok && i < b->moves; i++) {
        const uint64_t *state = b->target + i * c->states.words;
        c->start_term[i] = b->kind[i];
        ok = table_put(&c->states, state, table_hash(&c->states, state)) == (int32_t)i;
    }
    c->start_count = (int32_t)b->moves;
    return ok ? PEPA_OK : explore_no_memory(x);
}

PepaStatus explore_begin(Explorer *x)
{
    const System *s = x->chain->system;
    Table *table = &x->chain->states;
    uint64_t *packed = NULL;
    if (!mem_new(packed, s->words))
        return error_memory(x->err);
    system_initial(s, x->expander.moves.cells);
    system_pack(s, x->expander.moves.cells, packed);
    PepaStatus status = PEPA_OK;
    if (s->preempts)
        status = put_starts(x, packed);
    else if (table_put(table, packed, table_hash(table, packed)) != 0)
        status = error_memory(x->err);
    mem_free(packed);
    return status;
}

static PepaStatus expand_all(Explorer *x)
{
    if (x->chain->rates.status != PEPA_OK)
        return report_rate(x, NULL);
    Parallel *parallel = NULL;
    PepaStatus status = explore_begin(x);
    if (status == PEPA_OK && x->set->threads > 1)
        status = parallel_new(&parallel, x);
    while (status == PEPA_OK && explore_end(x, 1) > x->next)
        /* the first states alone: several threads go on from what there is */
        status = parallel && x->next > 0 && explore_end(x, x->many) - x->next >= x->many
                     ? parallel_explore(parallel)
                     : explore_block(x);
    parallel_free(parallel);
    if (status == PEPA_OK && x->faulty >= 0)
        status = error_set(x->err, PEPA_EMODEL, "some activities of the model have no meaning");
    return status;
}

/* Which actions occur: above 0.  There is one entry per action of the model. */
static void mark_actions(const Explorer *x, double *occurs)
{
    const Chain *c = x->chain;
    const Table *kinds = &x->kinds;
    if (c->system->preempts) /* and some kinds are those of moves that are no transitions */
        for (int64_t t = 0; t < c->transitions; t++)
            occurs[kind_action(kinds, chain_kind(c, t))] = 1;
    for (int32_t k = 0; k < kinds->count && !c->system->preempts; k++)
        occurs[kind_action(kinds, k)] = 1;
}

PepaStatus explore_kinds(Explorer *x)
{
    Chain *c = x->chain;
    const Table *kinds = &x->kinds;
    const int32_t actions = c->model->action_count;
    const PepaProcesses *p = c->spread ? c->spread->processes : NULL;
    int32_t *index = mem_calloc((size_t)actions, sizeof *index);
    double *occurs = mem_calloc((size_t)actions, sizeof *occurs);
    bool ok = index && occurs && mem_new(c->actions, actions) &&
              mem_new(c->kind_action, kinds->count) && mem_new(c->kind_term, kinds->count);
    PepaStatus status = processes_agree(p, ok ? PEPA_OK : error_memory(x->err), x->err);
    if (status == PEPA_OK) {
        chain_trim(c, c->states.count);
        mark_actions(x, occurs);
        if (p)
            p->largest(p->user, occurs, actions);
        for (int32_t a = 0; a < actions; a++)
            if (occurs[a] > 0) {
                index[a] = c->action_count;
                c->actions[c->action_count++] = a;
            }
        c->kind_count = kinds->count;
        for (int32_t k = 0; k < kinds->count; k++) {
            c->kind_action[k] = index[kind_action(kinds, k)];
            c->kind_term[k] = kind_term(kinds, k);
        }
    }
    mem_free_all(index, occurs);
    return status;
}

PepaStatus explore_open(Explorer *x, Chain *chain, const PepaSettings *set, DiagList *diags,
                        PepaError *err)
{
    const System *system = chain->system;
    *x = (Explorer){.chain = chain, .set = set, .diags = diags, .err = err, .faulty = -1};
    x->start = clock_seconds();
    chain->rates.most = (double)set->memory;
    PepaStatus status = plans_new(&x->plans, system, err);
    if (status == PEPA_OK)
        status = expander_init(&x->expander, system, &chain->rates, &x->plans, &x->kinds, err);
    if (status != PEPA_OK)
        return status;
    x->reported = mem_calloc((size_t)chain->model->action_count, 1);
    return x->reported && table_init(&chain->states, system->words) && table_init(&x->kinds, 1)
               ? PEPA_OK
               : error_memory(err);
}

void explore_close(Explorer *x)
{
    Chain *chain = x->chain;
    chain->rates.most = 0;
    chain->loops = x->plans.self_loops || chain->system->preempts;
    chain->passed = x->expander.vanished.passed;
    x->expander.vanished.passed = NULL;
    plans_free(&x->plans);
    expander_free(&x->expander);
    block_free(&x->block);
    mem_free_all(x->steps.items, x->reported);
    table_free(&x->kinds);
}

PepaStatus chain_explore(Chain *chain, const PepaSettings *set, int32_t many, DiagList *diags,
                         PepaError *err)
{
    Explorer x;
    PepaStatus status = explore_open(&x, chain, set, diags, err);
    x.many = many ? many : MANY_STATES;
    if (status == PEPA_OK)
        status = expand_all(&x);
    if (status == PEPA_OK)
        status = explore_kinds(&x);
    explore_close(&x);
    return status;
}
