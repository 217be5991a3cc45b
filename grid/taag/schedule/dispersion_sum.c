/* The least sum of latencies, no latency above a limit: branch and bound over the numbers of
 * groups on nodes.
 *
 * Bound: a group on a node has the latencies to the groups that are placed, and half of what it has
 * to the others, which are at least those to the nearest places left (Gilmore-Lawler).  The groups
 * left take at least the places where that is least. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "grid/taag/schedule/dispersion.h"

enum { MOST_LINKS = 4 /* of one latency, of which each is tried */ };

/* A node that can still take groups. */
typedef struct {
    double score, far; /* far: sum of the latencies to the groups that are placed */
    int32_t node, most;
} Candidate;

typedef struct {
    const Dispersion *d;
    Dispersed *out;
    Effort *effort;
    double ms;
    double cutoff;      /* sums from here on do not matter */
    int32_t *count;     /* groups on nodes */
    int32_t *left;      /* groups that nodes can still take, at the present depth */
    LinkGraph graph;    /* its vertices are the nodes */
    uint64_t *set;      /* 3 sets of them */
    int32_t *order;     /* nodes */
    Room *room;         /* of them */
    const bool *forced; /* nodes: those that have to be used */
    Candidate *each;    /* nodes for each depth */
    double unexplored;  /* the least bound of what was left out without a proof */
    bool no_memory;
} Search;

/* What is placed so far. */
typedef struct {
    int32_t depth, left; /* left: groups */
    Room wanted;
    double sum;
    bool odd; /* a node has another number than 0, 1 and most */
} Placed;

/* How many groups can be where `slots` groups and `places` processes can: from `from` on. */
static int32_t reach(const Dispersion *d, int32_t from, int32_t most, int64_t slots, int64_t places)
{
    while (from < most && from < slots && d->sum[from + 1] <= places)
        from++;
    return from;
}

/* The latencies of a group on a node to `others` others on the nearest places; INFINITY: too few
 * are near enough. */
static double star(const Search *s, int32_t a, int32_t others)
{
    const Dispersion *d = s->d;
    const int32_t *near = &d->near[(size_t)a * (size_t)d->nodes];
    int64_t slots = s->left[a] - 1, places = d->places[a] - d->sum[1];
    double own = dispersion_ms(d, a, a);
    int32_t held = own <= s->ms ? reach(d, 0, others, slots, places) : 0, i = 0;
    double sum = held * own;
    for (; i + 1 < d->nodes && held < others; i++) {
        double ms = dispersion_ms(d, a, near[i]);
        if (s->left[near[i]] == 0)
            continue;
        if (ms > s->ms)
            return INFINITY;
        slots += s->left[near[i]];
        places += d->places[near[i]];
        int32_t then = reach(d, held, others, slots, places);
        sum += ms * (then - held);
        held = then;
    }
    s->effort->work += i + 1;
    return held < others ? INFINITY : sum;
}

/* How many groups a node can hold. */
static int32_t most_on(const Search *s, int32_t a)
{
    int32_t most = s->d->most[a];
    return most > 1 && dispersion_ms(s->d, a, a) > s->ms ? 1 : most;
}

/* Can cliques of the candidates hold what is left? */
static bool has_room(Search *s, const Candidate *each, int32_t count, const Placed *p)
{
    uint64_t *set = s->set;
    memset(set, 0, (size_t)s->graph.words * sizeof *set);
    for (int32_t i = 0; i < count; i++)
        link_set_add(set, each[i].node);
    int32_t last = link_graph_colour(&s->graph, set, set + s->graph.words, s->order, s->room) - 1;
    s->effort->work += (int64_t)(count + 1) * s->graph.words;
    return last >= 0 && room_suffices(s->room[last], p->wanted);
}

static int by_score(const void *x, const void *y)
{
    const Candidate *a = x, *b = y;
    if (a->score < b->score || a->score > b->score)
        return a->score < b->score ? -1 : 1;
    return (a->node > b->node) - (a->node < b->node);
}

/* Scores; candidates that cannot be used are dropped.  Returns how many are left, sorted. */
static int32_t score(Search *s, Candidate *each, int32_t count, int32_t left)
{
    for (bool again = true; again;) {
        int32_t kept = 0;
        for (int32_t i = 0; i < count; i++) {
            each[i].score = each[i].far + 0.5 * star(s, each[i].node, left - 1);
            if (isfinite(each[i].score))
                each[kept++] = each[i];
            else
                s->left[each[i].node] = 0;
        }
        again = kept < count;
        count = kept;
    }
    qsort(each, (size_t)count, sizeof *each, by_score);
    return count;
}

/* What the groups left add at least; INFINITY: they have no room. */
static double least_rest(const Search *s, const Candidate *each, int32_t count, const Placed *p)
{
    const Dispersion *d = s->d;
    int64_t slots = 0, places = 0;
    int32_t held = 0;
    double sum = 0;
    for (int32_t i = 0; i < count; i++) {
        slots += each[i].most;
        places += d->places[each[i].node];
        int32_t then = reach(d, held, p->left, slots, places);
        sum += each[i].score * (then - held);
        held = then;
    }
    return held < p->left || places < p->wanted.of[ROOM_PLACES] ? INFINITY : sum;
}

/* The place among candidates of the one to decide: one that has to be used, or the one with the
 * lowest score; if another dominates it, the first that none dominates. */
static int32_t choose(const Search *s, const Candidate *each, int32_t count)
{
    const Dispersion *d = s->d;
    int32_t chosen = 0;
    for (int32_t i = count - 1; i > 0; i--)
        chosen = s->forced[each[i].node] ? i : chosen;
    for (int32_t i = 0; i < count; i++) {
        int32_t candidate = i == 0 ? chosen : i - 1, j = 0;
        const bool *by = &d->dominated[(size_t)each[candidate].node * (size_t)d->nodes];
        while (j < count && !by[each[j].node])
            j++;
        s->effort->work += j;
        if (j == count)
            return candidate;
    }
    return count - 1; /* the last one, as all others are dominated */
}

static void leave_out(Search *s, double bound)
{
    s->unexplored = fmin(s->unexplored, bound);
}

/* All groups are placed. */
static void arrive(Search *s, const Placed *p)
{
    const Dispersion *d = s->d;
    double most, sum;
    if (p->wanted.of[ROOM_PLACES] > 0)
        return;
    if (d->possible) {
        CliqueAnswer answer = d->possible(d->data, s->count, s->order);
        s->no_memory = s->no_memory || answer == CLIQUE_NO_MEMORY;
        s->effort->work += d->nodes + 10 * (int64_t)d->groups;
        if (answer == CLIQUE_UNKNOWN)
            leave_out(s, p->sum);
        if (answer != CLIQUE_FOUND)
            return;
    }
    dispersion_measure(d, s->count, &most, &sum);
    s->effort->work += (int64_t)d->nodes * d->groups;
    if (sum < s->cutoff) {
        s->cutoff = sum;
        s->out->found = true;
        s->out->most = most;
        s->out->sum = sum;
        memcpy(s->out->count, s->count, (size_t)d->nodes * sizeof *s->count);
    }
}

static void branch(Search *s, Placed p, int32_t count);

/* `held` groups on candidate `chosen` of those at a depth. */
static void place(Search *s, const Placed *p, int32_t count, int32_t chosen, int32_t held)
{
    const Dispersion *d = s->d;
    const Candidate *each = &s->each[(size_t)p->depth * (size_t)d->nodes];
    Candidate *next = &s->each[((size_t)p->depth + 1) * (size_t)d->nodes];
    int32_t a = each[chosen].node, nexts = 0;
    Placed then = {.depth = p->depth + 1, .left = p->left - held, .wanted = p->wanted};
    Room room = dispersion_room(d, a, held);
    for (int i = 0; i < ROOMS; i++)
        then.wanted.of[i] -= room.of[i];
    then.odd = p->odd || (held < most_on(s, a) && (held > 1 || d->processes == 0));
    then.sum =
        p->sum + held * each[chosen].far + 0.5 * held * (held - 1.0) * dispersion_ms(d, a, a);
    for (int32_t i = 0; i < count; i++) {
        double ms = dispersion_ms(d, a, each[i].node);
        if (i == chosen || ms > s->ms)
            continue;
        next[nexts] = each[i];
        next[nexts].far += held * ms;
        if (d->dominates[(size_t)a * (size_t)d->nodes + (size_t)each[i].node] &&
            next[nexts].most > held)
            next[nexts].most = held;
        nexts++;
    }
    s->effort->work += count;
    s->count[a] = held;
    branch(s, then, nexts);
    s->count[a] = 0;
}

/* Numbers of groups on a candidate, from the most on; each leads to what follows it. */
static void try_numbers(Search *s, const Placed *p, int32_t count, int32_t chosen)
{
    const Dispersion *d = s->d;
    const Candidate c = s->each[(size_t)p->depth * (size_t)d->nodes + (size_t)chosen];
    int32_t most = c.most < p->left ? c.most : p->left;
    for (int32_t held = most; held > 0 && !effort_ended(s->effort); held--) {
        bool full = held == most_on(s, c.node) || (held == 1 && d->processes > 0);
        if (!d->extreme || full || !p->odd)
            place(s, p, count, chosen, held);
    }
}

/* All that is possible with these candidates at this depth: one of them is used or not. */
static void branch(Search *s, Placed p, int32_t count)
{
    const Dispersion *d = s->d;
    Candidate *each = &s->each[(size_t)p.depth * (size_t)d->nodes];
    if (p.left == 0) {
        arrive(s, &p);
        return;
    }
    while (!s->no_memory) {
        memset(s->left, 0, (size_t)d->nodes * sizeof *s->left);
        for (int32_t i = 0; i < count; i++)
            s->left[each[i].node] = each[i].most;
        if (!has_room(s, each, count, &p))
            return;
        count = score(s, each, count, p.left);
        double bound = p.sum + least_rest(s, each, count, &p);
        s->effort->work += d->nodes / 8 + 10 * (int64_t)count;
        if (bound >= s->cutoff * (1 - 1e-13) || count == 0 || !isfinite(bound))
            return;
        int32_t chosen = choose(s, each, count), a = each[chosen].node, kept = 0;
        try_numbers(s, &p, count, chosen);
        if (effort_ended(s->effort)) {
            leave_out(s, bound);
            return;
        }
        if (s->forced[a])
            return;
        for (int32_t i = 0; i < count; i++)
            if (i != chosen && !d->dominates[(size_t)a * (size_t)d->nodes + (size_t)each[i].node])
                each[kept++] = each[i];
        count = kept;
    }
}

static bool make(Search *s)
{
    const Dispersion *d = s->d;
    size_t n = (size_t)d->nodes, depths = (size_t)(d->groups < d->nodes ? d->groups : d->nodes) + 2;
    if (!mem_new_zeroed(s->count, n) || !mem_new(s->each, depths * n) ||
        !link_graph_make(&s->graph, d->nodes) || !mem_new(s->set, 3 * (size_t)s->graph.words) ||
        !mem_new(s->order, n) || !mem_new(s->room, n) || !mem_new(s->left, n))
        return false;
    for (int32_t a = 0; a < d->nodes; a++) {
        s->graph.room[a] = dispersion_room(d, a, most_on(s, a));
        for (int32_t b = 0; b < d->nodes; b++)
            if (a != b && dispersion_ms(d, a, b) <= s->ms)
                link_set_add(link_graph_row(&s->graph, a), b);
    }
    return true;
}

/* Sums of solutions that use all nodes of `forced`. */
static void search(Search *s, const bool *forced)
{
    const Dispersion *d = s->d;
    int32_t count = 0;
    s->forced = forced;
    for (int32_t a = 0; a < d->nodes; a++) {
        bool far = false;
        for (int32_t b = 0; b < d->nodes && !far; b++)
            far = a != b && forced[b] && dispersion_ms(d, a, b) > s->ms;
        if (d->most[a] > 0 && !far)
            s->each[count++] = (Candidate){.node = a, .most = most_on(s, a)};
    }
    branch(s, (Placed){.left = d->groups, .wanted = dispersion_wanted(d)}, count);
}

/* Solutions have a link of exactly this latency: each in turn, if they are few. */
static void search_by_links(Search *s, bool *forced)
{
    const Dispersion *d = s->d;
    int32_t links = 0;
    for (int32_t a = 0; a < d->nodes; a++)
        for (int32_t b = 0; b <= a; b++)
            if (d->most[a] > 0 && d->most[b] > 0 && !(dispersion_ms(d, a, b) < s->ms) &&
                dispersion_ms(d, a, b) <= s->ms)
                links += a == b ? MOST_LINKS + 1 : 1;
    for (int32_t a = 0; a < d->nodes && links <= MOST_LINKS; a++)
        for (int32_t b = 0; b < a; b++)
            if (d->most[a] > 0 && d->most[b] > 0 && !(dispersion_ms(d, a, b) < s->ms) &&
                dispersion_ms(d, a, b) <= s->ms) {
                forced[a] = forced[b] = true;
                search(s, forced);
                forced[a] = forced[b] = false;
            }
    if (links > MOST_LINKS)
        search(s, forced);
}

bool dispersion_sum(Dispersed *out, const Dispersion *d, double ms, Effort *effort)
{
    Search s = {.d = d, .out = out, .effort = effort, .ms = ms, .unexplored = INFINITY};
    bool *forced = NULL;
    s.cutoff = out->found && out->most <= ms ? fmin(out->sum, out->cutoff_sum) : out->cutoff_sum;
    s.no_memory = !mem_new_zeroed(forced, d->nodes) || !make(&s);
    if (!s.no_memory)
        search_by_links(&s, forced);
    out->least_sum = fmin(s.cutoff, s.unexplored);
    link_graph_free(&s.graph);
    mem_free_all(s.count, s.each, s.set, s.order, s.room, s.left, forced);
    return !s.no_memory;
}
