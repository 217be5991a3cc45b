/* Compiles a probe: the subset construction over its positions, with the phase that the labels
 * say. */
#include "parser/probe/automaton.h"

#include <string.h>

#include "base/bits.h"
#include "base/memo.h"
#include "parser/probe/positions.h"

/* A state is the list of its phase and the positions that can come next. */
typedef struct {
    const Probe *probe;
    DiagList *diags;
    bool once;
    Positions positions;
    Lists states;
    int32_t *next;
    size_t next_cap;
    uint64_t *set;        /* scratch: a set of positions */
    int32_t *list;        /* scratch: a state */
    int32_t *here;        /* scratch: the state whose moves are looked for */
    int32_t *head, *link; /* per action, per position: the positions of each action, or -1 */
} Search;

static const ProbeNode *node_of(const Search *s, int32_t position)
{
    return &s->probe->nodes[s->positions.node[position]];
}

/* ---- labels ---------------------------------------------------------------------------------- */

/* Is there a node with that label? */
static bool labelled(const Probe *probe, ProbeLabel label)
{
    for (size_t i = 0; i < probe->node_count; i++)
        if (probe->nodes[i].kind == PROBE_ACTION && probe->nodes[i].label == label)
            return true;
    return false;
}

static bool check_labels(const Probe *probe, bool once, DiagList *diags)
{
    const Span all = probe->nodes[probe->node_count - 1].span;
    const bool start = labelled(probe, PROBE_START), stop = labelled(probe, PROBE_STOP);
    if (!stop)
        diag_error(diags, all,
                   "the probe never stops; mark the action that ends it, as in `response:stop`");
    if (!start && !once)
        diag_error(diags, all,
                   "the probe never starts; mark the action that begins it, as in "
                   "`request:start`");
    return stop && (start || once);
}

static const char *label_text(ProbeLabel label)
{
    static const char *const texts[] = {"has no label", "is labelled `:start`",
                                        "is labelled `:stop`"};
    return texts[label];
}

/* The phase after an action that fits the positions of a list linked from `first`.  False: the
 * labels do not say, which was reported. */
static bool move_phase(Search *s, ProbePhase phase, int32_t first, ProbePhase *after)
{
    const ProbeNode *node = node_of(s, first);
    for (int32_t p = s->link[first]; p >= 0; p = s->link[p]) {
        const ProbeNode *other = node_of(s, p);
        if (other->label == node->label)
            continue;
        const ProbeNode *later = other->span.begin > node->span.begin ? other : node;
        diag_error(s->diags, later->span, "this `%s` %s, but another that may come in its place %s",
                   node->name, label_text(later->label),
                   label_text(later == other ? node->label : other->label));
        return false;
    }
    *after = node->label == PROBE_UNLABELLED ? phase
             : node->label == PROBE_START    ? PHASE_RUNNING
             : s->once                       ? PHASE_DONE
                                             : PHASE_STOPPED;
    const bool running = phase == PHASE_RUNNING;
    if (node->label == PROBE_START && running)
        diag_error(s->diags, node->span,
                   "the probe may be running already: between two `:start` comes a `:stop`");
    if (node->label == PROBE_STOP && !running)
        diag_error(s->diags, node->span,
                   "the probe may not be running here: before a `:stop` comes a `:start`");
    return node->label == PROBE_UNLABELLED || (node->label == PROBE_STOP) == running;
}

/* ---- states ---------------------------------------------------------------------------------- */

/* The state of a phase and the positions in s->set; -1: memory is out. */
static int32_t put_state(Search *s, ProbePhase phase)
{
    size_t length = 0;
    s->list[length++] = (int32_t)phase;
    for (int32_t p = 0; p < s->positions.count && phase != PHASE_DONE; p++)
        if (bits_has(s->set, p))
            s->list[length++] = p;
    return lists_put(&s->states, s->list, length);
}

/* The positions of a state, linked by their actions. */
static void link_positions(Search *s, size_t length)
{
    memset(s->head, -1, s->probe->actions.count * sizeof *s->head);
    for (size_t i = length; i-- > 1;) {
        int32_t action = node_of(s, s->here[i])->action;
        s->link[s->here[i]] = s->head[action];
        s->head[action] = s->here[i];
    }
}

/* Where the action of the positions linked from `first` leads. */
static PepaStatus move(Search *s, int32_t first, int32_t *to)
{
    ProbePhase after;
    if (!move_phase(s, (ProbePhase)s->here[0], first, &after))
        return PEPA_EARG;
    memset(s->set, 0, s->positions.words * sizeof *s->set);
    for (int32_t p = first; p >= 0; p = s->link[p])
        for (size_t i = 0; i < s->positions.words; i++)
            s->set[i] |= positions_after(&s->positions, p)[i];
    *to = put_state(s, after);
    return *to < 0 ? PEPA_ENOMEM : PEPA_OK;
}

static PepaStatus expand(Search *s, int32_t state)
{
    const size_t actions = s->probe->actions.count;
    const size_t first = s->states.first[state], length = s->states.first[state + 1] - first;
    if (!mem_grow(s->next, s->next_cap, ((size_t)state + 1) * actions))
        return PEPA_ENOMEM;
    memcpy(s->here, s->states.items + first, length * sizeof *s->here);
    link_positions(s, length);
    PepaStatus status = PEPA_OK;
    for (size_t a = 0; a < actions && status == PEPA_OK; a++) {
        int32_t to = state;
        if (s->head[a] >= 0)
            status = move(s, s->head[a], &to);
        s->next[(size_t)state * actions + a] = to;
    }
    return status;
}

static bool reserve(Search *s)
{
    const size_t actions = s->probe->actions.count;
    return mem_new(s->set, s->positions.words) && mem_new(s->list, s->positions.count + 1) &&
           mem_new(s->here, s->positions.count + 1) && mem_new(s->head, actions) &&
           mem_new(s->link, s->positions.count);
}

static PepaStatus search(Search *s)
{
    const Span all = s->probe->nodes[s->probe->node_count - 1].span;
    PepaStatus status = positions_find(&s->positions, s->probe, s->diags);
    if (status == PEPA_OK && !reserve(s))
        status = PEPA_ENOMEM;
    if (status != PEPA_OK)
        return status;
    memcpy(s->set, s->positions.first, s->positions.words * sizeof *s->set);
    if (put_state(s, labelled(s->probe, PROBE_START) ? PHASE_STOPPED : PHASE_RUNNING) < 0)
        return PEPA_ENOMEM;
    for (int32_t i = 0; i < s->states.count && status == PEPA_OK; i++) {
        status = expand(s, i);
        if (s->states.count > AUTOMATON_MOST_STATES) {
            diag_error(s->diags, all, "the probe needs more than %d states", AUTOMATON_MOST_STATES);
            return PEPA_EARG;
        }
    }
    return status;
}

/* Hand the states that were found over. */
static PepaStatus take(Search *s, Automaton *out)
{
    if (!mem_new(out->phase, s->states.count))
        return PEPA_ENOMEM;
    for (int32_t i = 0; i < s->states.count; i++)
        out->phase[i] = (uint8_t)s->states.items[s->states.first[i]];
    out->state_count = s->states.count;
    out->action_count = (int32_t)s->probe->actions.count;
    out->next = s->next;
    s->next = NULL;
    return automaton_shrink(out) ? PEPA_OK : PEPA_ENOMEM;
}

PepaStatus automaton_find(Automaton *out, const Probe *probe, bool once, DiagList *diags)
{
    Search s = {.probe = probe, .diags = diags, .once = once};
    PepaStatus status = check_labels(probe, once, diags) ? search(&s) : PEPA_EARG;
    if (status == PEPA_OK)
        status = take(&s, out);
    positions_free(&s.positions);
    lists_free(&s.states);
    mem_free_all(s.next, s.set, s.list, s.here, s.head, s.link);
    return diags->no_memory ? PEPA_ENOMEM : status;
}

void automaton_free(Automaton *automaton)
{
    mem_free_all(automaton->next, automaton->phase);
    *automaton = (Automaton){0};
}
