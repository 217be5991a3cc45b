/* Explores the states one by one by several processes.  A state belongs to the process that its hash
 * names.  In rounds, each process expands states of its own, and asks their owners for the numbers of the
 * targets; an owner puts a state that it has not seen into its table, which is its queue. */
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/processes.h"
#include "ctmc/explore/explorer.h"

/* States of others whose numbers were asked for lately, at the places of their hashes. */
typedef struct {
    uint64_t *state;
    int32_t *number; /* of the state; NOBODY: there is none; or -2 - question that is under way */
} Seen;
enum { NOBODY = -1, SEEN_PLACES = 1 << 16 };

typedef struct {
    Explorer x;
    const PepaProcesses *processes;
    double *end; /* per process: hashes below it, as shares of all, are its own; or NULL */
    Post asked, answered;
    int32_t *question;       /* per item that is asked */
    int32_t questions;       /* of the round */
    int32_t *answer, *place; /* per question; in `seen`, or NOBODY */
    Seen seen;
    int32_t state, move;     /* of the block: the next move of this state is to be numbered */
    int64_t target, settled; /* transitions whose targets are numbered or asked for; numbered */
    int32_t culprit;         /* a state that is at fault, or NOBODY */
} Spreading;

/* The table has other bits of the hash. */
static int32_t owner_of(const Spreading *s, uint32_t hash)
{
    const int32_t count = s->processes->count;
    const uint32_t mixed = (hash * 0x9e3779b1u ^ hash >> 15) * 0x85ebca6bu;
    if (!s->end)
        return (int32_t)((uint64_t)mixed * (uint64_t)count >> 32);
    const double at = ldexp(mixed, -32);
    int32_t low = 0, high = count - 1;
    while (low < high) {
        const int32_t middle = low + (high - low) / 2;
        if (at < s->end[middle])
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* ---- a round: asking ------------------------------------------------------------------------- */

static int32_t ask(Spreading *s, const uint64_t *state, int32_t owner, int32_t place)
{
    const int32_t q = s->questions++;
    s->question[owner * s->asked.most + post_waiting(&s->asked, owner)] = q;
    memcpy(post_add(&s->asked, owner), state, s->asked.size);
    s->place[q] = place;
    return q;
}

/* The target of a move: its number, or -1 - question.  False: too much is asked of its owner. */
static bool number_target(Spreading *s, const uint64_t *state, uint32_t hash, int32_t *target)
{
    const size_t words = s->x.chain->states.words;
    const int32_t owner = owner_of(s, hash), place = hash % SEEN_PLACES;
    Seen *seen = &s->seen;
    uint64_t *there = seen->state + (size_t)place * words;
    const bool own = owner == s->processes->rank;
    if (!own && seen->number[place] != NOBODY && table_equal(words, there, state)) {
        const int32_t known = seen->number[place];
        *target = known >= 0 ? known : known + 1;
        return true;
    }
    if (post_is_full(&s->asked, owner))
        return false;
    const int32_t q = ask(s, state, owner, own ? NOBODY : place);
    *target = -1 - q;
    if (!own) {
        memcpy(there, state, words * sizeof *state);
        seen->number[place] = -2 - q;
    }
    return true;
}

/* As far as there is room: false if some moves are left. */
static bool number_moves(Spreading *s)
{
    Chain *c = s->x.chain;
    const Block *b = &s->x.block;
    for (; s->state < b->count; s->state++, s->move = 0)
        for (; s->move < b->length[s->state]; s->move++, s->target++) {
            const size_t m = b->begin[s->state] + (size_t)s->move;
            const uint64_t *state = b->target + m * c->states.words;
            if (!number_target(s, state, b->hash[m], &c->target[s->target]))
                return false;
            if (c->narrow)
                c->narrow[s->target] = (uint16_t)b->kind[m];
            else
                c->wide[s->target] = b->kind[m];
        }
    return true;
}

/* The rates out of a state, one by one finite, must be so together. */
static double exit_rate(const Explorer *x, const Block *b, int32_t i)
{
    double exit = 0;
    for (int32_t k = 0; k < b->length[i]; k++)
        exit += x->chain->rates.value[kind_term(&x->kinds, b->kind[b->begin[i] + (size_t)k])];
    return exit;
}

/* Expand the next states, and give them their rows.  The first that is at fault is the culprit. */
static PepaStatus expand_block(Spreading *s)
{
    Explorer *x = &s->x;
    Block *b = &x->block;
    Chain *c = x->chain;
    PepaStatus status = explore_fill(x, b, explore_end(x, BLOCK_STATES));
    const bool ok = status == PEPA_OK && explore_widen(x) &&
                    explore_reserve(x, x->next + b->count, c->transitions + (int64_t)b->moves);
    if (!ok)
        return error_memory(x->err);
    s->state = s->move = 0;
    for (int32_t i = 0; i < b->count; i++) {
        if (b->length[i] < 0 || !isfinite(exit_rate(x, b, i))) {
            s->culprit = x->next;
            b->count = i;
            break;
        }
        c->transitions += b->length[i];
        c->deadlocks += b->length[i] == 0;
        c->row[++x->next] = c->transitions;
    }
    return PEPA_OK;
}

/* Until an owner is asked for much, or there are no states to be expanded. */
static PepaStatus ask_all(Spreading *s)
{
    PepaStatus status = PEPA_OK;
    while (status == PEPA_OK && number_moves(s) && s->culprit == NOBODY &&
           s->x.next < s->x.chain->states.count)
        status = expand_block(s);
    return status;
}

/* ---- a round: answering ---------------------------------------------------------------------- */

/* Numbers for the states that a process asks for; new ones are put into the table. */
static PepaStatus answer(Spreading *s, int32_t process, uint32_t *hash, int32_t *id)
{
    Table *table = &s->x.chain->states;
    const PepaProcesses *p = s->processes;
    const uint64_t *states = post_items(&s->asked, process);
    const int32_t count = post_come(&s->asked, process);
    for (int32_t i = 0; i < count; i++)
        hash[i] = table_hash(table, states + (size_t)i * table->words);
    if (!table_put_all(table, states, hash, (size_t)count, id))
        return error_memory(s->x.err);
    if ((int64_t)table->count * p->count > INT32_MAX)
        return error_by_processes(s->x.err);
    for (int32_t i = 0; i < count; i++) {
        const int32_t number = id[i] * p->count + p->rank;
        memcpy(post_add(&s->answered, process), &number, sizeof number);
    }
    return PEPA_OK;
}

static PepaStatus answer_all(Spreading *s)
{
    uint32_t *hash = mem_alloc((size_t)s->asked.most, sizeof *hash);
    int32_t *id = mem_alloc((size_t)s->asked.most, sizeof *id);
    PepaStatus status = hash && id ? PEPA_OK : error_memory(s->x.err);
    for (int32_t p = 0; p < s->processes->count && status == PEPA_OK; p++)
        status = answer(s, p, hash, id);
    mem_free_all(hash, id);
    return status;
}

/* The answers are there: into the rows, and among what was seen. */
static void settle(Spreading *s)
{
    int32_t *target = s->x.chain->target;
    for (int32_t p = 0; p < s->processes->count; p++) {
        const int32_t *number = post_items(&s->answered, p);
        for (int32_t i = 0; i < post_come(&s->answered, p); i++)
            s->answer[s->question[p * s->asked.most + i]] = number[i];
    }
    for (int32_t q = 0; q < s->questions; q++)
        if (s->place[q] != NOBODY && s->seen.number[s->place[q]] == -2 - q)
            s->seen.number[s->place[q]] = s->answer[q];
    for (; s->settled < s->target; s->settled++)
        if (target[s->settled] < 0)
            target[s->settled] = s->answer[-1 - target[s->settled]];
    s->questions = 0;
}

/* ---- all rounds ------------------------------------------------------------------------------ */

/* What all processes have to say after a round. */
typedef struct {
    double busy, failed, states;
} Account;

static PepaStatus run_round(Spreading *s, Account *all)
{
    const PepaProcesses *p = s->processes;
    Explorer *x = &s->x;
    PepaStatus status = ask_all(s);
    post_swap(&s->asked);
    PepaStatus answered = answer_all(s);
    post_swap(&s->answered);
    status = status == PEPA_OK ? answered : status;
    if (status == PEPA_OK)
        settle(s);
    if (status == PEPA_OK)
        status = explore_memory(x, 0);
    if (status == PEPA_OK)
        status = explore_tick(x);
    *all = (Account){x->next < x->chain->states.count || s->state < x->block.count,
                     status != PEPA_OK || s->culprit != NOBODY, x->chain->states.count};
    p->sum(p->user, &all->busy, 3);
    if (status == PEPA_OK && all->states > (double)x->set->derive.max_states)
        status = error_states(x->err, x->set->derive.max_states);
    return status;
}

/* Every process reports the state at fault of the first process that has one. */
static PepaStatus report(Spreading *s, PepaStatus status)
{
    Explorer *x = &s->x;
    const PepaProcesses *p = s->processes;
    const size_t words = x->chain->states.words;
    const double half = 4294967296.0;
    double first = s->culprit == NOBODY ? 0 : p->count - p->rank, *told = NULL;
    uint64_t *packed = NULL;
    p->largest(p->user, &first, 1);
    if (first == 0)
        return processes_agree(p, status, x->err);
    const bool ok = mem_new_zeroed(told, 2 * words) && mem_new(packed, words);
    status = processes_agree(p, ok ? PEPA_OK : error_memory(x->err), x->err);
    if (status == PEPA_OK) {
        for (size_t w = 0; w < words && first == p->count - p->rank; w++) {
            const uint64_t word = table_state(&x->chain->states, s->culprit)[w];
            told[2 * w] = (double)(word >> 32);
            told[2 * w + 1] = (double)(uint32_t)word;
        }
        p->sum(p->user, told, (int32_t)(2 * words));
        for (size_t w = 0; w < words; w++)
            packed[w] = (uint64_t)(told[2 * w] * half) + (uint64_t)told[2 * w + 1];
        status = explore_blame(x, packed);
    }
    mem_free_all(told, packed);
    return processes_agree(p, status, x->err);
}

/* Only own states in which the chain begins stay in the table, with their probabilities; the first of all is
 * `initial`. */
static PepaStatus begin(Spreading *s)
{
    Explorer *x = &s->x;
    Chain *c = x->chain;
    Table starts;
    PepaStatus status = c->rates.status != PEPA_OK ? report_rate(x, NULL) : explore_begin(x);
    c->start_count = c->states.count;
    if (status != PEPA_OK)
        return status;
    starts = c->states;
    bool ok = table_init(&c->states, starts.words) && explore_reserve(x, 0, 1);
    if (ok)
        c->row[0] = 0;
    for (int32_t i = 0; i < starts.count && ok; i++) {
        const uint64_t *state = table_state(&starts, i);
        const uint32_t hash = table_hash(&starts, state);
        const int32_t owner = owner_of(s, hash);
        const int32_t at =
            owner != s->processes->rank ? NOBODY : table_put(&c->states, state, hash);
        ok = owner != s->processes->rank || at >= 0;
        if (at >= 0 && c->start_term)
            c->start_term[at] = c->start_term[i];
        c->initial = i == 0 ? owner : c->initial; /* it is the first one there */
    }
    c->spread->starts = c->states.count;
    table_free(&starts);
    return ok ? PEPA_OK : error_memory(x->err);
}

static PepaStatus run_rounds(Spreading *s)
{
    Account all = {.busy = 1};
    PepaStatus status = processes_agree(s->processes, begin(s), s->x.err);
    bool failed = status != PEPA_OK;
    if (failed)
        return status;
    while (all.busy > 0 && all.failed == 0 && status == PEPA_OK)
        status = run_round(s, &all);
    return all.failed > 0 ? report(s, status) : status;
}

static bool open_spreading(Spreading *s)
{
    enum { QUESTIONS = 1 << 17, FEWEST = 256 };
    const PepaProcesses *p = s->processes;
    const size_t words = s->x.chain->states.words;
    const int32_t share = QUESTIONS / p->count, most = share > FEWEST ? share : FEWEST;
    const size_t all = (size_t)most * (size_t)p->count;
    const bool ok = post_open(&s->asked, p, words * sizeof(uint64_t), most) &&
                    post_open(&s->answered, p, sizeof(int32_t), most) &&
                    mem_new(s->question, all) && mem_new(s->answer, all) &&
                    mem_new(s->place, all) && mem_new(s->seen.state, SEEN_PLACES * words) &&
                    mem_new(s->seen.number, SEEN_PLACES);
    for (int32_t i = 0; i < SEEN_PLACES && ok; i++)
        s->seen.number[i] = NOBODY;
    s->x.aside = post_bytes(&s->asked) + post_bytes(&s->answered);
    return ok;
}

static void close_spreading(Spreading *s)
{
    explore_close(&s->x);
    post_free(&s->asked);
    post_free(&s->answered);
    mem_free_all(s->question, s->answer, s->place, s->seen.state, s->seen.number, s->end);
}

/* Each has its part, or what its memory takes, of as many states as there may be. */
static PepaStatus deal_hashes(Spreading *s, Spread *spread, const PepaSettings *set)
{
    const PepaProcesses *p = s->processes;
    const double each = 66; /* bytes of a state with six transitions */
    PepaStatus status = processes_parts(p, each * (double)set->derive.max_states, set->memory,
                                        &spread->part, s->x.err);
    const bool ok = status != PEPA_OK || !spread->part || mem_new(s->end, p->count);
    if (status == PEPA_OK)
        status = processes_agree(p, ok ? PEPA_OK : error_memory(s->x.err), s->x.err);
    for (int32_t k = 0; status == PEPA_OK && s->end && k < p->count; k++)
        s->end[k] = (k > 0 ? s->end[k - 1] : 0) + spread->part[k];
    return status;
}

PepaStatus chain_spread(Chain *chain, const PepaProcesses *p, const PepaSettings *set,
                        DiagList *diags, PepaError *err)
{
    Spreading s = {.processes = p, .culprit = NOBODY};
    PepaStatus status = explore_open(&s.x, chain, set, diags, err);
    if (status == PEPA_OK && !(open_spreading(&s) && mem_new_zeroed(chain->spread, 1)))
        status = error_memory(err);
    status = processes_agree(p, status, err);
    if (status == PEPA_OK) {
        chain->spread->processes = p;
        status = deal_hashes(&s, chain->spread, set);
    }
    if (status == PEPA_OK)
        status = run_rounds(&s);
    if (status == PEPA_OK)
        status = explore_kinds(&s.x);
    if (status == PEPA_OK) {
        double sum[] = {chain->states.count, (double)chain->transitions, chain->deadlocks,
                        s.x.plans.self_loops};
        p->sum(p->user, sum, 4);
        s.x.plans.self_loops = sum[3] > 0;
        chain->spread->states = (int64_t)sum[0];
        chain->spread->transitions = (int64_t)sum[1];
        chain->deadlocks = (int32_t)sum[2];
        chain->bottom_count = 1; /* no others are solved */
        chain->state_count = chain->states.count;
        table_seal(&chain->states);
    }
    close_spreading(&s);
    return status;
}
