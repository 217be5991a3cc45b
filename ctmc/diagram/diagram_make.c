/* Makes a diagram: explores with the slots in their order and in the reverse one, and keeps the
 * better diagram. */
#include <math.h>

#include "base/budget.h"
#include "ctmc/diagram/diagram.h"
#include "ctmc/diagram/diagram_search.h"
#include "pepa_evidence.h"

/* What both searches share. */
typedef struct {
    const System *system;
    RateTable *rates;
    int32_t most_lower;
    DiagramWorth worth;
    DiagramFound found;
    bool out_of_budget; /* the memory budget is the reason why one of them has no diagram */
    PepaSettings set;
    PepaError *err;
} Making;

typedef struct {
    double patience, worth, sharing; /* see Search */
    double work, states;             /* out: done, and found */
    int64_t visits;                  /* out: of upper states */
    PepaSearchEnd end;               /* out: why there is no diagram */
} Effort;

static PepaSearchEnd why_abandoned(const Search *s, const RateTable *rates, const Diagram *diagram)
{
    return diagram                    ? PEPA_SEARCH_NOT_ABANDONED
           : search_alone(s)          ? PEPA_SEARCH_ALONE
           : rates->status != PEPA_OK ? PEPA_SEARCH_UNFIT
           : s->out_of_budget         ? PEPA_SEARCH_MEMORY
                                      : PEPA_SEARCH_COSTLY;
}

/* The search is over: its diagram, unless the chain has too few states. */
static PepaStatus build(Diagram **out, Making *m, Search *search)
{
    m->found.few = search->states < m->worth.fewest;
    if (m->found.few)
        return PEPA_OK;
    Diagram *d = *out = mem_calloc(1, sizeof *d);
    PepaStatus status = d ? diagram_build(d, search) : error_memory(m->err);
    if (status != PEPA_OK || search_unfit(search) || d->too_large)
        return status;
    d->split = search->split;
    return diagram_backward(d, m->rates->value, &d->backward, m->err);
}

static PepaStatus explore(Diagram **out, Making *m, bool mirrored, Effort *effort)
{
    Split *split = NULL;
    effort->end = PEPA_SEARCH_UNFIT;
    PepaStatus status = split_new(&split, m->system, m->most_lower, mirrored, m->err);
    if (status != PEPA_OK || !split)
        return status;
    Search search;
    Diagram *diagram = NULL;
    status = search_init(&search, split, m->rates, &m->set, m->err);
    search.most = m->worth.most;
    search.patience = effort->patience;
    search.worth = effort->worth;
    search.sharing = effort->sharing;
    if (status == PEPA_OK)
        status = search_run(&search);
    if (status == PEPA_OK && !search_unfit(&search))
        status = build(&diagram, m, &search);
    if (diagram && diagram->split)
        split = NULL;
    if (diagram && diagram->split && status == PEPA_OK) {
        *out = diagram;
    } else {
        diagram_free(diagram);
    }
    effort->work = search_work(&search);
    effort->states = (double)search.states;
    effort->visits = search.visits;
    effort->end = why_abandoned(&search, m->rates, *out);
    m->out_of_budget = m->out_of_budget || search.out_of_budget;
    search_free(&search);
    split_free(split);
    return status;
}

static PepaStatus report_budget(const PepaSettings *set, PepaError *err)
{
    char most[BUDGET_TEXT];
    return error_limit(err, PEPA_ELIMIT, PEPA_LIMIT_MEMORY,
                       "the sets of states need more than the %s of memory that may be used; raise "
                       "the limit, or explore one by one",
                       budget_bytes((double)set->memory, most));
}

/* The work that the reverse order may take: twice that of the first, and that of about a sweep, for
 * a better order can save many sweeps; more only if there is no first diagram, and states are found
 * cheaply. */
static Effort second_try(const Effort *first)
{
    return (Effort){.patience =
                        SECOND_TIMES * first->work + SECOND_SLACK + SECOND_SWEEPS * first->states,
                    .worth = first->end == PEPA_SEARCH_ALONE ? SECOND_WORTH : 0,
                    .sharing = first->sharing};
}

/* What became of the searches: `used` made the diagram; or NULL, and none did. */
static void note_searches(const PepaSettings *set, const Effort *used, const Effort *left)
{
    PepaDeriveEvidence *e = set->evidence ? &set->evidence->derive : NULL;
    if (e && used) {
        e->visits = used->visits;
        e->found = (int64_t)used->states;
    } else if (e) {
        e->abandoned = left->end;
        e->left_visits = left->visits;
        e->left_found = (int64_t)left->states;
    }
}

/* Whether there is memory for a solution as well: vectors, and blocks that take some times what the
 * diagram does. */
static bool is_modest(const Diagram *d, int64_t memory)
{
    const double states = (double)d->offset[d->upper_count];
    return budget_allows(memory, WITH_BLOCKS * diagram_bytes(d) + sizeof(double) * states);
}

/* Of two diagrams, whether the second is the better one.  With the same backward flow, fewer upper
 * states have longer rows.  Where one leaves no memory for a solution, the smaller one is. */
static bool better(const Diagram *one, const Diagram *other, int64_t memory)
{
    if (!is_modest(one, memory) || !is_modest(other, memory))
        return diagram_bytes(other) < diagram_bytes(one);
    const double back = fmin(one->backward, 1 - one->backward);
    const double its = fmin(other->backward, 1 - other->backward);
    return fabs(back - its) > ORDERS_ALIKE * back ? its < back
                                                  : other->upper_count < one->upper_count;
}

/* Whether all states of the chain reach each other, and so whether it is worth its diagram. */
static PepaStatus judge(Making *m, Diagram **d)
{
    PepaStatus status = diagram_irreducible(*d, &m->found.irreducible, m->err);
    m->found.leaving = status == PEPA_OK && !m->found.irreducible &&
                       (*d)->offset[(*d)->upper_count] <= m->worth.leaving;
    if (status != PEPA_OK || m->found.leaving) {
        diagram_free(*d);
        *d = NULL;
    }
    return status;
}

/* In both orders of the slots, unless the first search settles it. */
static PepaStatus make(Diagram **out, Making *m)
{
    const PepaSettings *set = &m->set;
    const bool forced = set->derive.explore == PEPA_SYMBOLIC;
    const int64_t memory = set->memory;
    const double back = split_work(m->system, m->most_lower, true);
    const bool mirrored =
        back <= TELLING_WORK && MUCH_LESS * back < split_work(m->system, m->most_lower, false);
    Diagram *one = NULL, *other = NULL;
    Effort first = {.patience = SEARCH_PATIENCE,
                    .worth = SEARCH_WORTH,
                    .sharing = forced ? 0 : SEARCH_SHARING};
    PepaStatus status = explore(&one, m, mirrored, &first);
    if (one && status == PEPA_OK)
        status = judge(m, &one);
    if (status != PEPA_OK || m->found.few || m->found.leaving) {
        note_searches(set, &first, NULL);
        return status;
    }
    Effort second = one || first.end == PEPA_SEARCH_ALONE ? second_try(&first) : first;
    m->set.memory = budget_left(memory, one ? diagram_bytes(one) : 0);
    status = explore(&other, m, !mirrored, &second);
    m->set.memory = memory;
    if (other && !one && status == PEPA_OK)
        status = judge(m, &other);
    if (status == PEPA_OK && !one && !other && m->out_of_budget && forced)
        status = report_budget(set, m->err);
    const bool second_is_used =
        other ? !one || better(one, other, memory) : m->found.few || m->found.leaving;
    note_searches(set, second_is_used ? &second : one ? &first : NULL, &first);
    *out = second_is_used ? other : one;
    diagram_free(second_is_used ? one : other);
    if (status != PEPA_OK) {
        diagram_free(*out);
        *out = NULL;
    }
    return status;
}

PepaStatus diagram_new(Diagram **out, DiagramFound *found, const System *system, RateTable *rates,
                       int32_t most_lower, DiagramWorth worth, const PepaSettings *set,
                       PepaError *err)
{
    Making m = {.system = system,
                .rates = rates,
                .most_lower = most_lower,
                .worth = worth,
                .set = *set,
                .err = err};
    *out = NULL;
    PepaStatus status = system->functional || system->preempts ? PEPA_OK : make(out, &m);
    *found = m.found;
    return status;
}
