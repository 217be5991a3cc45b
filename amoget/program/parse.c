/* Programs from text: the meaning of the words in the block `program`. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "amoget/machine/check.h"
#include "amoget/program/program.h"
#include "amoget/program/round.h"
#include "base/number.h"

/* What a word of a statement is about. */
typedef enum { PART_MIN, PART_DIVISOR, PART_SIZES, PART_EDGES, PART_LEVELS, PARTS } Part;
static const char *const part_names[PARTS] = {"min", "divisor", "sizes", "edges", "levels"};
/* Which parts each kind of program can have: bits. */
static const unsigned part_of[] = {
    [AMOGET_GROUPS] = 1u << PART_MIN | 1u << PART_DIVISOR,
    [AMOGET_GRAPH] = 1u << PART_SIZES | 1u << PART_EDGES,
    [AMOGET_TREE] = 1u << PART_LEVELS | 1u << PART_MIN,
    [AMOGET_RING] = 1u << PART_MIN | 1u << PART_DIVISOR,
    [AMOGET_SINGLETON] = 0,
};
enum { KINDS = AMOGET_SINGLETON + 1 };
static const char *const form_of[] = {
    [AMOGET_GROUPS] = "groups PROCESSES min LEAST divisor DIVISOR;",
    [AMOGET_GRAPH] = "graph GROUPS sizes SIZE SIZE ... edges (FROM,TO) ...;",
    [AMOGET_TREE] = "tree PROCESSES levels LEVELS min LEAST;",
    [AMOGET_RING] = "ring PROCESSES min LEAST divisor DIVISOR;",
    [AMOGET_SINGLETON] = "singleton PROCESSES;",
};

/* One statement on its way to a program. */
typedef struct {
    AmogetProgram *program; /* the result; NULL: none yet */
    const Say *first;       /* the statement that it came from */
    RoundCheck round;       /* what a round costs: statements before or behind that one */

    AmogetProgram now; /* arrays are in scratch memory */
    const Word *word;  /* the words of the statement */
    size_t count, at;
    Span span[PARTS]; /* where each part begins; begin == SPAN_NOWHERE: it is not there */
    Span *size_span, *edge_span;
    bool failed; /* an error was reported */
} ProgramCheck;

static void complain(Check *check, ProgramCheck *own, Span span, const char *message)
{
    if (!own->failed)
        diag_error(check->diags, span, "%s", message);
    own->failed = true;
}

static Span here(const ProgramCheck *own, const Say *say)
{
    return own->at < own->count ? own->word[own->at].span
           : own->count         ? own->word[own->count - 1].span
                                : say->span;
}

static bool is_number(const Word *word)
{
    return word->text[0] && strchr("0123456789+-.", word->text[0]);
}

static bool is_definition(const Check *check, const Word *word)
{
    const Intern *names = &check->definition_names;
    return word->text[0] && intern_find(names, word->text, strlen(word->text)) >= 0;
}

/* Is the next word a number, or the name of one?  Keywords come first. */
static bool number_follows(const Check *check, const ProgramCheck *own)
{
    const Word *word = &own->word[own->at];
    bool edge = own->at + 2 < own->count && !own->word[own->at + 2].text[0];
    if (own->at >= own->count || edge)
        return false;
    for (int part = 0; part < PARTS; part++)
        if (strcmp(word->text, part_names[part]) == 0)
            return false;
    return is_number(word) || is_definition(check, word);
}

/* The next word as a whole number; what: "the number of processes". */
static int32_t take(Check *check, ProgramCheck *own, const Say *say, const char *what)
{
    char message[PROGRAM_WHY], why[WHY_SIZE];
    Quantity quantity = {0};
    Span span = here(own, say);
    const Word *word = own->at < own->count ? &own->word[own->at] : NULL;
    if (!word || !word->text[0] || (!is_number(word) && !is_definition(check, word))) {
        (void)snprintf(message, sizeof message, "%s is missing: `%s`", what,
                       form_of[own->now.kind]);
        complain(check, own, word ? span : (Span){span.end, span.end}, message);
        return 1;
    }
    own->at++;
    Value value = {.span = span};
    if (is_number(word))
        value.number = number_read(word->text);
    else
        value.name = *word;
    bool good = check_quantity(check, &value, KIND_PLAIN, &quantity, why);
    double n = good ? quantity.number : NAN;
    if (good && !quantity.unit && floor(n) == n && fabs(n) <= INT32_MAX)
        return (int32_t)n;
    (void)snprintf(message, sizeof message, "%s must be a whole number, not `%.40s`", what,
                   word->text);
    complain(check, own, span, message);
    return 1;
}

static void take_sizes(Check *check, ProgramCheck *own, const Say *say)
{
    AmogetProgram *now = &own->now;
    int32_t declared = now->group_count;
    int64_t sum = 0;
    char message[PROGRAM_WHY];
    now->group_count = 0;
    while (number_follows(check, own) && !own->failed) {
        own->size_span[now->group_count] = own->word[own->at].span;
        now->sizes[now->group_count++] = take(check, own, say, "the size of a group");
    }
    /* Sizes below 1 are told later, each in its place. */
    for (int32_t i = 0; i < now->group_count; i++)
        sum += now->sizes[i] < 1 ? 1 : now->sizes[i];
    now->processes = sum > AMOGET_MOST_PROCESSES ? AMOGET_MOST_PROCESSES + 1 : (int32_t)sum;
    if (now->group_count != declared) {
        (void)snprintf(message, sizeof message, "the graph has %d group%s: there are %d sizes",
                       declared, declared == 1 ? "" : "s", now->group_count);
        complain(check, own, own->span[PART_SIZES], message);
    }
}

static void take_edges(Check *check, ProgramCheck *own, const Say *say)
{
    AmogetProgram *now = &own->now;
    while (own->at + 2 < own->count && !own->word[own->at + 2].text[0] && !own->failed) {
        own->edge_span[now->edge_count] = own->word[own->at + 2].span;
        int32_t a = take(check, own, say, "a group of an edge");
        int32_t b = own->failed ? 1 : take(check, own, say, "a group of an edge");
        int32_t least = a < b ? a : b;
        /* numbers below 1 stay below 0, so that they are found to be wrong */
        now->edges[now->edge_count++] =
            least < 1 ? (AmogetEdge){-1, -1} : (AmogetEdge){a - 1, b - 1};
        own->at++;
    }
}

static void take_part(Check *check, ProgramCheck *own, const Say *say)
{
    const Word *word = &own->word[own->at];
    AmogetProgramKind kind = own->now.kind;
    char message[PROGRAM_WHY];
    int part = 0;
    while (part < PARTS && strcmp(word->text, part_names[part]) != 0)
        part++;
    if (part == PARTS || !(part_of[kind] >> part & 1)) {
        (void)snprintf(message, sizeof message, "unexpected `%.40s`: it is `%s`",
                       word->text[0] ? word->text : "(", form_of[kind]);
        complain(check, own, word->span, message);
        return;
    }
    if (own->span[part].begin != SPAN_NOWHERE) {
        (void)snprintf(message, sizeof message, "`%s` is given twice", part_names[part]);
        complain(check, own, word->span, message);
        return;
    }
    own->span[part] = word->span;
    own->at++;
    if (part == PART_MIN)
        own->now.least = take(check, own, say, "the smallest size of a group");
    else if (part == PART_DIVISOR)
        own->now.divisor = take(check, own, say, "the divisor of the number of groups");
    else if (part == PART_LEVELS)
        own->now.levels = take(check, own, say, "the number of levels");
    else if (part == PART_SIZES)
        take_sizes(check, own, say);
    else
        take_edges(check, own, say);
}

/* The kind that a statement names; false: an error was reported. */
static bool find_kind(Check *check, ProgramCheck *own, const Say *say)
{
    const char *names[KINDS + ROUND_COSTS];
    for (int kind = 0; kind < KINDS; kind++) {
        names[kind] = amoget_program_kind((AmogetProgramKind)kind);
        if (strcmp(say->a.text, names[kind]) == 0) {
            own->now.kind = (AmogetProgramKind)kind;
            return true;
        }
    }
    for (int cost = 0; cost < ROUND_COSTS; cost++)
        names[KINDS + cost] = round_cost_name(cost);
    diag_error(check->diags, say->span,
               "`%.60s` is no kind of program: it is groups, graph, tree, ring or singleton%s",
               say->a.text, finding_hint(check, say->a.text, names, KINDS + ROUND_COSTS));
    return false;
}

/* Where the number that is wrong stands. */
static Span place_of(const ProgramCheck *own, const Say *say, ProgramFault fault, int32_t index)
{
    static const Part parts[] = {[PROGRAM_LEAST] = PART_MIN,
                                 [PROGRAM_DIVISOR] = PART_DIVISOR,
                                 [PROGRAM_LEVELS] = PART_LEVELS};
    if (fault == PROGRAM_SIZES && index < own->now.group_count)
        return own->size_span[index];
    if (fault == PROGRAM_EDGES)
        return own->edge_span[index];
    if (fault >= PROGRAM_LEAST && fault <= PROGRAM_LEVELS &&
        own->span[parts[fault]].begin != SPAN_NOWHERE)
        return own->span[parts[fault]];
    return own->count ? own->word[0].span : say->span;
}

/* The parts that a kind cannot be without. */
static void check_parts(Check *check, ProgramCheck *own, const Say *say)
{
    Span end = {here(own, say).end, here(own, say).end};
    if (own->now.kind == AMOGET_TREE && own->span[PART_LEVELS].begin == SPAN_NOWHERE)
        complain(check, own, end, "`levels` is missing: `tree PROCESSES levels LEVELS min LEAST;`");
    if (own->now.kind == AMOGET_GRAPH && own->span[PART_SIZES].begin == SPAN_NOWHERE)
        complain(check, own, end,
                 "`sizes` is missing: `graph GROUPS sizes SIZE SIZE ... edges (FROM,TO) ...;`");
}

static void read_shape(Check *check, const Say *say, void *owner)
{
    ProgramCheck *own = owner;
    char why[PROGRAM_WHY];
    int32_t index;
    if (round_statement(check, say, &own->round))
        return;
    if (own->first) {
        diag_error(check->diags, say->span, "a second program; the first one is in line %u",
                   finding_line(check, own->first->span));
        return;
    }
    own->first = say;
    own->now = (AmogetProgram){.least = 1, .divisor = 1};
    own->word = &check->tree->words[say->first];
    own->count = say->count;
    own->now.sizes = scratch_alloc(check, say->count, sizeof *own->now.sizes);
    own->now.edges = scratch_alloc(check, say->count, sizeof *own->now.edges);
    own->size_span = scratch_alloc(check, say->count, sizeof *own->size_span);
    own->edge_span = scratch_alloc(check, say->count, sizeof *own->edge_span);
    for (int part = 0; part < PARTS; part++)
        own->span[part] = (Span){SPAN_NOWHERE, SPAN_NOWHERE};
    if (check->no_memory || !find_kind(check, own, say))
        return;
    bool graph = own->now.kind == AMOGET_GRAPH;
    *(graph ? &own->now.group_count : &own->now.processes) =
        take(check, own, say, graph ? "the number of groups" : "the number of processes");
    while (own->at < own->count && !own->failed)
        take_part(check, own, say);
    if (!own->failed)
        check_parts(check, own, say);
    ProgramFault fault = own->failed ? PROGRAM_NONE : program_fault(&own->now, &index, why);
    check->no_memory = check->no_memory || fault == PROGRAM_MEMORY;
    if (fault != PROGRAM_NONE && fault != PROGRAM_MEMORY)
        complain(check, own, place_of(own, say, fault, index), why);
    if (!own->failed && !check->no_memory &&
        amoget_program_new(&own->program, &own->now, NULL) != PEPA_OK)
        check->no_memory = true;
}

static void program_check(Check *check, void *owner)
{
    const ProgramCheck *own = owner;
    const Say *block = check->block[BLOCK_PROGRAM];
    check_each(check, SAY_PROGRAM, owner, read_shape);
    if (own->program)
        round_set(&own->round, own->program);
    if (block && !own->first)
        diag_error(check->diags, block->span,
                   "an empty program: `program { groups PROCESSES min LEAST; }` or graph, tree, "
                   "ring or singleton");
}

static PepaStatus program_define(Check *check, void *owner, const AmogetDefine *define,
                                 const char *name, Attribute attribute, double value,
                                 PepaError *err)
{
    (void)check;
    (void)owner;
    (void)name;
    (void)attribute;
    (void)value;
    return error_set(err, PEPA_EARG, "`%.80s` is of a pipeline: here are a machine and a program",
                     define->name);
}

/* Every two processors need a latency; the first that lacks one, for each. */
static void program_complete(Check *check, void *owner)
{
    (void)owner;
    for (int32_t j = 1; j < check->machine->processors; j++) {
        int32_t a = 0;
        while (a < j && !isnan(amoget_latency(check->machine, a, j)))
            a++;
        if (a < j)
            check_missing(check, check->processor[j]->span, a, j);
    }
}

PepaStatus amoget_program_parse(AmogetMachine **out, AmogetProgram **program, const char *name,
                                const char *text, size_t length, const AmogetReading *how,
                                PepaError *err)
{
    const char *function = "amoget_program_parse";
    if (!out || !program)
        return error_null(err, function);
    AmogetMachine *machine = machine_new();
    if (!machine)
        return error_memory(err);
    ProgramCheck own = {0};
    const Extension extension = {&own, program_check, program_define, program_complete};
    PepaStatus status = machine_read(machine, &extension, function, name, text, length, how, err);
    if (status != PEPA_OK) {
        amoget_machine_free(machine);
        amoget_program_free(own.program);
        return status;
    }
    *out = machine;
    *program = own.program;
    return PEPA_OK;
}
