/* Finds a nearest deadlock and explains it.  Who blocks whom is read from the programs of the
 * events: a component waits for an action where a synchronisation above its part of the program has
 * another operand that is not ready. */
#include "ctmc/chain.h"

#include <string.h>

#include "ctmc/semantics/moves.h"

enum {
    FIRST_ACTIONS = 12, /* of a long path: those shown from its beginning, and from its end */
    LAST_ACTIONS = 6,
    MOST_LINES = 8,    /* about components */
    MOST_SLOTS = 4096, /* looked at */
    MOST_WAITS = 4,    /* actions that one component waits for */
    MOST_PARTNERS = 4, /* components named as those that cannot take part */
};

/* ---- the path ------------------------------------------------------------------------------ */

/* A breadth-first search. */
typedef struct {
    const Chain *chain;
    int32_t *from;     /* per state: its predecessor on a shortest path; -1: not found yet */
    int32_t *distance; /* per state found: from the initial state */
    int32_t *queue, count;
} Search;

static void visit(Search *s, int32_t state)
{
    const Chain *c = s->chain;
    for (int64_t k = c->row[state]; k < c->row[state + 1]; k++) {
        int32_t t = c->target[k];
        if (s->from[t] < 0) {
            s->queue[s->count++] = t;
            s->distance[t] = s->distance[state] + 1;
            s->from[t] = state;
        } else if (s->distance[t] == s->distance[state] + 1 && state < s->from[t]) {
            s->from[t] = state;
        }
    }
}

/* Of the deadlocks that are nearest, the one with the smallest number. */
static int32_t find_nearest(Search *s)
{
    const Chain *c = s->chain;
    const int32_t first = (int32_t)c->initial;
    int32_t found = -1;
    for (int32_t i = first; i == first || i < c->start_count; i++) {
        s->queue[s->count++] = i;
        s->from[i] = i;
        s->distance[i] = 0;
    }
    for (int32_t i = 0; i < s->count; i++) {
        int32_t state = s->queue[i];
        if (found >= 0 && s->distance[state] > s->distance[found])
            break;
        if (c->row[state] == c->row[state + 1])
            found = found < 0 || state < found ? state : found;
        else if (found < 0)
            visit(s, state);
    }
    return found;
}

static int32_t action_between(const Chain *c, int32_t from, int32_t to)
{
    int64_t k = c->row[from];
    while (c->target[k] != to)
        k++;
    return chain_action(c, k);
}

PepaStatus deadlock_find(const Chain *c, DeadlockPath *out, PepaError *err)
{
    Search s = {.chain = c};
    bool ok = mem_new(s.from, c->state_count) && mem_new(s.distance, c->state_count) &&
              mem_new(s.queue, c->state_count);
    *out = (DeadlockPath){0};
    if (ok) {
        memset(s.from, -1, (size_t)c->state_count * sizeof *s.from);
        out->state = find_nearest(&s);
        out->length = s.distance[out->state];
        ok = mem_new(out->action, out->length);
    }
    for (int32_t i = ok ? out->length : 0, to = out->state; i-- > 0; to = s.from[to])
        out->action[i] = action_between(c, s.from[to], to);
    mem_free_all(s.from, s.distance, s.queue);
    return ok ? PEPA_OK : error_memory(err);
}

static void add_path(const Chain *c, const DeadlockPath *path, Text *out)
{
    text_add(out, path->length ? "\n  a shortest path to it: " : "\n  this is the initial state");
    for (int32_t i = 0; i < path->length; i++) {
        if (i == FIRST_ACTIONS && path->length > FIRST_ACTIONS + LAST_ACTIONS) {
            i = path->length - LAST_ACTIONS;
            text_add(out, ", ... %d more ...", i - FIRST_ACTIONS);
        }
        text_add(out, "%s`%s`", i ? ", " : "", c->model->actions[c->actions[path->action[i]]]);
    }
}

/* ---- who waits for whom -------------------------------------------------------------------- */

typedef struct {
    Moves moves; /* cells only: for moves_ready */
    const System *system;
    int32_t *parent;         /* per program: the one that it is an operand of; -1: none */
    uint8_t *event;          /* per program: it is the whole of an event */
    int32_t *of_slot, *same; /* programs PROG_SLOT of a slot: the first, then the next; -1: none */
    Text line[MOST_LINES];
    int32_t times[MOST_LINES];
    int32_t lines;
} Waits;

static bool waits_init(Waits *w, const Chain *c, int32_t *cells)
{
    const System *s = c->system;
    *w = (Waits){.moves = {.system = s, .cells = cells}, .system = s};
    if (!(mem_new(w->parent, s->prog_count) && mem_new_zeroed(w->event, s->prog_count) &&
          mem_new(w->of_slot, s->slot_count) && mem_new(w->same, s->prog_count)))
        return false;
    memset(w->parent, -1, (size_t)s->prog_count * sizeof *w->parent);
    memset(w->of_slot, -1, (size_t)s->slot_count * sizeof *w->of_slot);
    for (int32_t p = 0; p < s->prog_count; p++) {
        const Prog *prog = &s->progs[p];
        for (int32_t i = prog->kind == PROG_SLOT ? -1 : prog->first; i >= 0; i = s->progs[i].next)
            w->parent[i] = p;
        if (prog->kind != PROG_SLOT)
            continue;
        w->same[p] = w->of_slot[prog->slot];
        w->of_slot[prog->slot] = p;
    }
    for (int32_t e = 0; e < s->event_count; e++)
        w->event[s->events[e].prog] |= s->events[e].label != LABEL_NONE;
    return true;
}

static void waits_free(Waits *w)
{
    mem_free_all(w->parent, w->event, w->of_slot, w->same);
    for (int32_t i = 0; i < w->lines; i++)
        text_free(&w->line[i]);
}

static const char *local_name(const System *s, const Slot *slot, int32_t local)
{
    return s->model->locals[s->components[slot->component].local[local]].name;
}

/* Append a name, unless it is the last one.
 *   count, last  how many are named so far, and the last name */
static void add_partner(const char *name, bool all_copies, int32_t *count, const char **last,
                        Text *out)
{
    if (name == *last || *count > MOST_PARTNERS)
        return;
    *last = name;
    text_add(out, "%s", *count ? ", " : " ");
    if (++*count > MOST_PARTNERS)
        text_add(out, "...");
    else
        text_add(out, "%s`%s`", all_copies ? "all copies of " : "", name);
}

/* Append the components of a program that are not ready.  count, last: as of add_partner. */
static void add_partners(Waits *w, int32_t prog, int32_t *count, const char **last, Text *out)
{
    const System *s = w->system;
    const Prog *p = &s->progs[prog];
    if (*count > MOST_PARTNERS || moves_ready(&w->moves, prog))
        return;
    if (p->kind != PROG_SLOT) {
        for (int32_t i = p->first; i >= 0; i = s->progs[i].next)
            add_partners(w, i, count, last, out);
        return;
    }
    const Slot *slot = &s->slots[p->slot];
    const Component *c = &s->components[slot->component];
    const int32_t *cell = w->moves.cells + slot->cell;
    if (!slot->copies || !p->together) {
        bool copies = slot->copies > 0;
        add_partner(local_name(s, slot, copies ? 0 : *cell), copies, count, last, out);
        return;
    }
    for (int32_t l = 0; l < c->local_count; l++)
        if (cell[l] && !component_offer(c, l, p->action))
            add_partner(local_name(s, slot, l), false, count, last, out);
}

/* Append why a component cannot move by its program although it can do the action. */
static void add_cause(Waits *w, int32_t prog, Text *out)
{
    const System *s = w->system;
    int32_t up = prog, root = prog;
    for (; up >= 0 && moves_ready(&w->moves, up); up = w->parent[up])
        root = up;
    if (up < 0) {
        text_add(out, w->event[root] ? " (its rate is 0)" : " (its partner never does it)");
        return;
    }
    int32_t count = 0;
    const char *last = NULL;
    text_add(out, " (blocked by");
    if (up == prog) /* by copies that have to move together with it */
        add_partners(w, up, &count, &last, out);
    for (int32_t i = up == prog ? -1 : s->progs[up].first; i >= 0; i = s->progs[i].next)
        add_partners(w, i, &count, &last, out);
    text_add(out, ")");
}

/* The program of a slot for an action of its component; -1: none was made, as it never happens. */
static int32_t prog_of(Waits *w, int32_t slot, int32_t action)
{
    int32_t p = w->of_slot[slot];
    while (p >= 0 && w->system->progs[p].action != action)
        p = w->same[p];
    return p;
}

/* "`Wait` waits for `get` (blocked by `Empty`)". */
static void add_local(Waits *w, int32_t slot, int32_t local, Text *out)
{
    const System *s = w->system;
    const Component *c = &s->components[s->slots[slot].component];
    int32_t first = c->row[local], end = c->row[local + 1];
    text_add(out, "`%s` %s", local_name(s, &s->slots[slot], local),
             first < end ? "waits for" : "has no activity");
    for (int32_t i = first; i < end; i++) {
        if (i == first + MOST_WAITS) {
            text_add(out, ", ... (%d more)", end - i);
            break;
        }
        int32_t action = c->offers[i].action, prog = prog_of(w, slot, action);
        text_add(out, "%s`%s`", i > first ? " or " : " ", s->model->actions[c->action[action]]);
        if (prog < 0)
            text_add(out, " (its partner never does it)");
        else
            add_cause(w, prog, out);
    }
}

/* Keep a line that says something new; count it otherwise.  False: no more lines fit. */
static bool keep_line(Waits *w, Text *line, int32_t times)
{
    for (int32_t i = 0; i < w->lines; i++)
        if (strcmp(w->line[i].text, line->text) == 0) {
            w->times[i] += times;
            text_free(line);
            return true;
        }
    if (w->lines == MOST_LINES) {
        text_free(line);
        return false;
    }
    w->times[w->lines] = times;
    w->line[w->lines++] = *line;
    return true;
}

/* Make the lines about the components; how many were left out.  -1: memory is out. */
static int32_t make_lines(Waits *w)
{
    const System *s = w->system;
    int32_t left = 0;
    for (int32_t i = 0; i < s->slot_count; i++) {
        const Slot *slot = &s->slots[i];
        const int32_t *cell = w->moves.cells + slot->cell;
        int32_t locals = slot->copies ? s->components[slot->component].local_count : 1;
        for (int32_t l = 0; l < locals; l++) {
            int32_t times = slot->copies ? cell[l] : 1;
            Text line = {0};
            if (!times)
                continue;
            if (i < MOST_SLOTS)
                add_local(w, i, slot->copies ? l : *cell, &line);
            if (line.failed) {
                text_free(&line);
                return -1;
            }
            if (i >= MOST_SLOTS || !keep_line(w, &line, times))
                left += times;
        }
    }
    return left;
}

PepaStatus deadlock_explain(const Chain *c, const DeadlockPath *path, int32_t *cells, Text *out,
                            PepaError *err)
{
    Waits w;
    add_path(c, path, out);
    bool ok = waits_init(&w, c, cells) && chain_cells(c, path->state, cells);
    int32_t left = ok ? make_lines(&w) : -1;
    for (int32_t i = 0; i < w.lines; i++) {
        text_add(out, "\n  %s", w.line[i].text);
        if (w.times[i] > 1)
            text_add(out, ", %d times", w.times[i]);
    }
    if (left > 0)
        text_add(out, "\n  ... and %d more component%s", left, left == 1 ? "" : "s");
    waits_free(&w);
    return left >= 0 ? PEPA_OK : error_memory(err);
}
