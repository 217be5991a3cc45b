/* Machines and measurements from text. */
#include <string.h>

#include "amoget/machine/check.h"
#include "amoget/machine/measurements.h"
#include "base/diag.h"

/* A file that was included, and what was found in it. */
typedef struct {
    Source source;
    DiagList diags;
} Included;

typedef struct {
    Check check;
    Arena arena; /* of names in the tree */
    Syntax tree;
    Included *included;
    size_t included_count;
    Measured measured;         /* by these */
    PepaStatus include_status; /* of the first one that failed */
} Reader;

static PepaStatus check_arguments(const void *a, const void *b, const char *text, size_t length,
                                  const AmogetReading *how, const char *function, PepaError *err)
{
    if (!a || !b || (!text && length))
        return error_null(err, function);
    for (size_t i = 0; i < how->define_count; i++)
        if (!how->defines || !how->defines[i].name || !how->defines[i].value)
            return error_set(err, PEPA_EARG, "%s: a define is NULL", function);
    for (size_t i = 0; i < sizeof how->reserved / sizeof *how->reserved; i++)
        if (how->reserved[i] != 0)
            return error_set(err, PEPA_EARG, "%s: reserved members must be zero", function);
    if (length > TEXT_MOST)
        return error_set(err, PEPA_ELIMIT, "the text is longer than 2 GB");
    return PEPA_OK;
}

/* ---- includes ----------------------------------------------------------------------------- */

static void cannot_include(Reader *reader, const Say *say, const PepaError *why)
{
    const char *words = why->message[0] ? why->message : "the file cannot be read";
    diag_error(reader->check.diags, say->span, "%s", words);
    reader->check.no_memory = reader->check.no_memory || why->code == PEPA_ENOMEM;
    if (reader->include_status == PEPA_OK)
        reader->include_status = PEPA_EIO;
}

static void include(Reader *reader, const Say *say, const AmogetReading *how)
{
    Check *check = &reader->check;
    double max_age = MEASURE_MAX_AGE;
    PepaError why = {.message = "files cannot be included here"};
    size_t length = 0;
    check_setting(check, say, ATTRIBUTE_MAX_AGE, &max_age);
    if (how->include)
        why.message[0] = '\0';
    const char *text = how->include ? how->include(how->user, say->a.text, &length, &why) : NULL;
    if (text && length > TEXT_MOST) {
        (void)error_set(&why, PEPA_ELIMIT, "%.100s is longer than 2 GB", say->a.text);
        text = NULL;
    }
    if (!text) {
        cannot_include(reader, say, &why);
        return;
    }
    Included *file = &reader->included[reader->included_count++];
    file->source = (Source){say->a.text, text, length};
    PepaStatus status = measure_apply(check->machine, &file->source, max_age, how->now,
                                      &reader->measured, &file->diags);
    check->no_memory = check->no_memory || status == PEPA_ENOMEM;
    if (reader->include_status == PEPA_OK)
        reader->include_status = status;
}

static void include_all(Reader *reader, const AmogetReading *how)
{
    Check *check = &reader->check;
    size_t count = 0;
    for (size_t i = 0; i < reader->tree.say_count; i++)
        count += reader->tree.says[i].kind == SAY_INCLUDE;
    reader->included = scratch_alloc(check, count, sizeof *reader->included);
    for (size_t i = 0; i < reader->tree.say_count && !check->no_memory; i++)
        if (reader->tree.says[i].kind == SAY_INCLUDE)
            include(reader, &reader->tree.says[i], how);
}

/* ---- machines ------------------------------------------------------------------------------- */

static void use(Check *check, const char *name)
{
    const Intern *names = &check->definition_names;
    int32_t id = name ? intern_find(names, name, strlen(name)) : -1;
    if (id >= 0)
        check->definitions[id].used = true;
}

/* An extension reads what it is about; the rest of the text is for others, and uses definitions. */
static void use_what_is_left_aside(Check *check)
{
    const Syntax *tree = check->tree;
    for (size_t i = 0; i < tree->setting_count; i++)
        use(check, tree->settings[i].value.name.text);
    for (size_t i = 0; i < tree->say_count; i++)
        for (size_t w = 0; tree->says[i].kind == SAY_PROGRAM && w < tree->says[i].count; w++)
            use(check, tree->words[tree->says[i].first + w].text);
}

/* What is missing, and what is there for nothing. */
static void check_complete(Check *check, const Extension *extension)
{
    Span nowhere = {SPAN_NOWHERE, SPAN_NOWHERE};
    const Say *latency = check->first[SAY_LATENCY];
    if (extension)
        extension->complete(check, extension->owner);
    if (check_default_within(check->machine, &check->machine->latency))
        diag_warning(check->diags, latency ? latency->span : nowhere,
                     "the default latency serves within processors as well; `latency local ...;` "
                     "gives moves within a processor their own");
    /* Without an extension, what was left aside may use definitions. */
    if (extension)
        use_what_is_left_aside(check);
    for (size_t i = 0; i < check->definition_names.count && extension; i++)
        if (!check->definitions[i].used)
            diag_warning(check->diags, check->definitions[i].say->span, "`%s` is never used",
                         check->definition_names.names[i]);
}

static void no_processors(Check *check)
{
    const Say *block = check->block[BLOCK_PROCESSORS];
    diag_error(check->diags, block ? block->span : check->tree->end,
               "no processors: they are declared in `processors { NAME time SECONDS; ... }`");
}

/* All passes over a tree that is whole.  Errors: PEPA_EARG, PEPA_ENOMEM (err is filled in),
 * PEPA_EIO, PEPA_ESYNTAX, PEPA_EMODEL, PEPA_ELIMIT (diags say what). */
static PepaStatus check_tree(Reader *reader, const Extension *extension, const AmogetReading *how,
                             PepaError *err)
{
    Check *check = &reader->check;
    if (!check_begin(check))
        return error_memory(err);
    PepaStatus status = check_definitions(check, how, err);
    if (status != PEPA_OK)
        return status;
    check_processors(check);
    if (!check->no_memory)
        check_network(check);
    if (!check->no_memory && extension)
        extension->check(check, extension->owner);
    if (check->machine->processors == 0)
        no_processors(check);
    bool wrong = check->diags->errors > 0;
    if (!check->no_memory)
        include_all(reader, how);
    if (!wrong && !check->no_memory && reader->include_status == PEPA_OK) {
        status = check_paths(check, extension, how, err);
        if (status == PEPA_OK)
            check_complete(check, extension);
    }
    if (check->no_memory || check->diags->no_memory)
        return error_memory(err);
    if (status == PEPA_OK && !wrong)
        status = reader->include_status;
    if (status == PEPA_OK && check->diags->errors > 0)
        status = check->limit ? PEPA_ELIMIT : PEPA_EMODEL;
    return status;
}

static bool is_told(PepaStatus status)
{
    return status != PEPA_EARG && status != PEPA_ENOMEM;
}

/* What was found, the description's own first. */
static PepaStatus tell(Reader *reader, const AmogetReading *how, PepaStatus status, PepaError *err)
{
    PepaError *first = err;
    for (size_t i = 0; i <= reader->included_count; i++) {
        Included *file = i > 0 ? &reader->included[i - 1] : NULL;
        DiagList *diags = file ? &file->diags : reader->check.diags;
        PepaStatus here = diags->errors ? status : PEPA_OK;
        if (diagnose_all(diags, file ? &file->source : reader->check.source, how->diagnose,
                         how->user, here, first) == PEPA_ENOMEM)
            return error_memory(err);
        if (here != PEPA_OK)
            first = NULL;
    }
    return status;
}

static void reader_free(Reader *reader)
{
    for (size_t i = 0; i < reader->included_count; i++)
        diag_free(&reader->included[i].diags);
    measured_free(&reader->measured);
    diag_free(reader->check.diags);
    check_free(&reader->check);
    syntax_free(&reader->tree);
    arena_free(&reader->arena);
}

PepaStatus machine_read(AmogetMachine *machine, const Extension *extension, const char *function,
                        const char *name, const char *text, size_t length, const AmogetReading *how,
                        PepaError *err)
{
    static const AmogetReading plain = {0};
    how = how ? how : &plain;
    PepaStatus status = check_arguments(machine, name, text, length, how, function, err);
    if (status != PEPA_OK)
        return status;
    Source source = {name, text ? text : "", length};
    DiagList diags = {0};
    Reader reader = {.check = {.source = &source, .diags = &diags, .machine = machine}};
    bool whole;
    reader.check.tree = &reader.tree;
    status = syntax_read(&source, &reader.arena, &reader.tree, &whole, &diags);
    if (status == PEPA_ENOMEM) {
        error_memory(err);
    } else if (whole) { /* findings about a whole tree stand beside those of the parser */
        PepaStatus meaning = check_tree(&reader, extension, how, err);
        status = status == PEPA_OK || !is_told(meaning) ? meaning : status;
    }
    if (is_told(status))
        status = tell(&reader, how, status, err);
    reader_free(&reader);
    return status;
}

PepaStatus amoget_machine_parse(AmogetMachine **out, const char *name, const char *text,
                                size_t length, const AmogetReading *how, PepaError *err)
{
    const char *function = "amoget_machine_parse";
    if (!out)
        return error_null(err, function);
    AmogetMachine *machine = machine_new();
    if (!machine)
        return error_memory(err);
    PepaStatus status = machine_read(machine, NULL, function, name, text, length, how, err);
    if (status == PEPA_OK)
        *out = machine;
    else
        amoget_machine_free(machine);
    return status;
}

PepaStatus amoget_measure(AmogetMachine *machine, const char *name, const char *text, size_t length,
                          const AmogetReading *how, PepaError *err)
{
    static const AmogetReading plain = {0};
    how = how ? how : &plain;
    PepaStatus status = check_arguments(machine, name, text, length, how, "amoget_measure", err);
    if (status != PEPA_OK)
        return status;
    AmogetMachine *copy = machine_copy(machine);
    if (!copy)
        return error_memory(err);
    Source source = {name, text ? text : "", length};
    DiagList diags = {0};
    Measured measured = {0};
    status = measure_apply(copy, &source, MEASURE_MAX_AGE, how->now, &measured, &diags);
    measured_free(&measured);
    if (status == PEPA_ENOMEM)
        error_memory(err);
    else
        status = diagnose_all(&diags, &source, how->diagnose, how->user, status, err);
    diag_free(&diags);
    if (status == PEPA_OK) { /* the names stay where they are: callers may have pointers to them */
        AmogetMachine before = *machine;
        *machine = *copy;
        machine->names = before.names;
        before.names = copy->names;
        *copy = before;
    }
    amoget_machine_free(copy);
    return status;
}
