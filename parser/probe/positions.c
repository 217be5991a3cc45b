/* Writes the repetitions of a probe out, and finds which position can follow which. */
#include "parser/probe/positions.h"

#include "base/bits.h"

/* The expression without counts. */
typedef enum { PART_ACTION, PART_SEQUENCE, PART_CHOICE, PART_OPTION, PART_REPEAT } PartKind;

typedef struct {
    PartKind kind;
    int32_t a, b;     /* parts, or -1 */
    int32_t begin;    /* its own parts: begin .. itself */
    int32_t node;     /* ACTION: in the probe */
    int32_t position; /* ACTION */
} Part;

enum { MOST_PARTS = 16 * POSITIONS_MOST };

typedef struct {
    const Probe *probe;
    DiagList *diags;
    Part *parts;
    size_t count, cap;
    int32_t *made; /* per node of the probe: its part */
    bool bad;      /* an error was reported */
} Writing;

/* ---- repetitions written out ----------------------------------------------------------------- */

static int32_t put(Writing *w, Part part)
{
    if (!mem_grow(w->parts, w->cap, w->count + 1))
        return -1;
    w->parts[w->count] = part;
    return (int32_t)w->count++;
}

static int32_t operate(Writing *w, PartKind kind, int32_t a, int32_t b)
{
    return a < 0 ? -1 : put(w, (Part){kind, a, b, w->parts[a].begin, -1, -1});
}

/* Another copy of parts begin .. end. */
static int32_t copy(Writing *w, int32_t begin, int32_t end)
{
    const int32_t shift = (int32_t)w->count - begin;
    int32_t last = -1;
    for (int32_t i = begin; i <= end; i++) {
        Part part = w->parts[i];
        part.a += part.a < 0 ? 0 : shift;
        part.b += part.b < 0 ? 0 : shift;
        part.begin += shift;
        last = put(w, part);
        if (last < 0)
            return -1;
    }
    return last;
}

/* a{least,most} with most >= 1: a, .., a, a?, .., a? */
static int32_t repeat_times(Writing *w, int32_t a, int32_t least, int32_t most)
{
    const int32_t begin = w->parts[a].begin;
    int32_t all = a;
    for (int32_t i = 2; i <= most && all >= 0; i++) {
        int32_t next = copy(w, begin, a);
        if (next >= 0 && i > least)
            next = operate(w, PART_OPTION, next, -1);
        all = next < 0 ? -1 : put(w, (Part){PART_SEQUENCE, all, next, begin, -1, -1});
    }
    return all >= 0 && least == 0 ? operate(w, PART_OPTION, all, -1) : all;
}

/* False: it was reported. */
static bool check_repeat(Writing *w, const ProbeNode *node)
{
    const int32_t a = w->made[node->a];
    if (node->most == 0)
        diag_error(w->diags, node->span, "a repetition of 0 times is nothing");
    else if (node->most < node->least)
        diag_error(w->diags, node->span, "from %d to %d times: the smaller number comes first",
                   node->least, node->most);
    else if ((double)(a - w->parts[a].begin + 1) * node->most <= MOST_PARTS)
        return true;
    else if (!w->bad)
        diag_error(w->diags, node->span,
                   "the probe is too long: more than %d actions when its repetitions are written "
                   "out",
                   POSITIONS_MOST);
    w->bad = true;
    return false;
}

static int32_t write_repeat(Writing *w, const ProbeNode *node)
{
    const int32_t a = w->made[node->a];
    if (node->most == PROBE_EVER) {
        int32_t repeated = operate(w, PART_REPEAT, a, -1);
        return node->least ? repeated : operate(w, PART_OPTION, repeated, -1);
    }
    return check_repeat(w, node) ? repeat_times(w, a, node->least, node->most) : a;
}

static bool write_out(Writing *w)
{
    for (size_t i = 0; i < w->probe->node_count; i++) {
        const ProbeNode *node = &w->probe->nodes[i];
        if (node->kind == PROBE_ACTION)
            w->made[i] = put(w, (Part){PART_ACTION, -1, -1, (int32_t)w->count, (int32_t)i, -1});
        else if (node->kind == PROBE_REPEAT)
            w->made[i] = write_repeat(w, node);
        else
            w->made[i] = operate(w, node->kind == PROBE_SEQUENCE ? PART_SEQUENCE : PART_CHOICE,
                                 w->made[node->a], w->made[node->b]);
        if (w->made[i] < 0)
            return false;
    }
    return true;
}

/* ---- which position follows which ------------------------------------------------------------ */

static void add_all(uint64_t *set, const uint64_t *more, size_t words)
{
    for (size_t i = 0; i < words; i++)
        set[i] |= more[i];
}

/* Each of `last` can be followed by each of `first`. */
static void join(Positions *p, const uint64_t *last, const uint64_t *first)
{
    for (int32_t i = 0; i < p->count; i++)
        if (bits_has(last, i))
            add_all(p->follow + (size_t)i * p->words, first, p->words);
}

/* Per part: with which positions it begins and ends, and whether it can be empty. */
typedef struct {
    uint64_t *first, *last;
    uint8_t *empty;
} Ends;

static void find_ends(Positions *p, const Part *parts, int32_t i, const Ends *ends)
{
    const size_t words = p->words;
    const Part *part = &parts[i];
    uint64_t *first = ends->first + (size_t)i * words, *last = ends->last + (size_t)i * words;
    if (part->kind == PART_ACTION) {
        bits_add(first, part->position);
        bits_add(last, part->position);
        return;
    }
    const size_t a = (size_t)part->a * words, b = part->b < 0 ? a : (size_t)part->b * words;
    const bool sequence = part->kind == PART_SEQUENCE;
    const bool a_empty = ends->empty[part->a], b_empty = part->b < 0 || ends->empty[part->b];
    add_all(first, ends->first + a, words);
    add_all(last, ends->last + b, words);
    if (!sequence || a_empty)
        add_all(first, ends->first + b, words);
    if (!sequence || b_empty)
        add_all(last, ends->last + a, words);
    if (sequence)
        join(p, ends->last + a, ends->first + b);
    if (part->kind == PART_REPEAT)
        join(p, last, first);
    ends->empty[i] = part->kind == PART_OPTION   ? true
                     : part->kind == PART_CHOICE ? a_empty || b_empty
                                                 : a_empty && b_empty;
}

static PepaStatus find_follow(Positions *p, const Part *parts, int32_t count)
{
    const int32_t root = count - 1;
    Ends ends = {0};
    bool ok = mem_new_zeroed(ends.first, (size_t)count * p->words) &&
              mem_new_zeroed(ends.last, (size_t)count * p->words) &&
              mem_new_zeroed(ends.empty, count) && mem_new_zeroed(p->first, p->words) &&
              mem_new_zeroed(p->follow, (size_t)p->count * p->words);
    for (int32_t i = 0; ok && i < count; i++)
        find_ends(p, parts, i, &ends);
    if (ok) {
        const uint64_t *first = ends.first + (size_t)root * p->words;
        add_all(p->first, first, p->words);
        join(p, ends.last + (size_t)root * p->words, first);
    }
    mem_free_all(ends.first, ends.last, ends.empty);
    return ok ? PEPA_OK : PEPA_ENOMEM;
}

static PepaStatus number_positions(Positions *p, Writing *w)
{
    for (size_t i = 0; i < w->count; i++)
        if (w->parts[i].kind == PART_ACTION)
            w->parts[i].position = p->count++;
    p->words = bits_words(p->count);
    if (p->count > POSITIONS_MOST && !w->bad)
        diag_error(w->diags, w->probe->nodes[w->probe->node_count - 1].span,
                   "the probe is too long: more than %d actions when its repetitions are written "
                   "out",
                   POSITIONS_MOST);
    if (p->count > POSITIONS_MOST)
        return PEPA_EARG;
    if (!mem_new(p->node, p->count))
        return PEPA_ENOMEM;
    for (size_t i = 0; i < w->count; i++)
        if (w->parts[i].kind == PART_ACTION)
            p->node[w->parts[i].position] = w->parts[i].node;
    return PEPA_OK;
}

PepaStatus positions_find(Positions *p, const Probe *probe, DiagList *diags)
{
    const size_t errors = diags->errors;
    Writing w = {.probe = probe, .diags = diags};
    PepaStatus status = mem_new(w.made, probe->node_count) && write_out(&w) ? PEPA_OK : PEPA_ENOMEM;
    if (status == PEPA_OK)
        status = number_positions(p, &w);
    if (status == PEPA_OK && diags->errors > errors)
        status = PEPA_EARG;
    if (status == PEPA_OK)
        status = find_follow(p, w.parts, (int32_t)w.count);
    mem_free_all(w.made, w.parts);
    return diags->no_memory ? PEPA_ENOMEM : status;
}

void positions_free(Positions *p)
{
    mem_free_all(p->node, p->first, p->follow);
    *p = (Positions){0};
}
