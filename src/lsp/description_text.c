/* Reads descriptions: those with a pipeline and no program as amoget does, others as taag does. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "amoget.h"
#include "amoget_program.h"
#include "base/error.h"
#include "base/intern.h"
#include "lsp/description_private.h"
#include "lsp/description_text.h"

typedef struct {
    Collecting collecting; /* first: it is what callbacks get */
    Arena arena;           /* of the texts of other files */
    char folder[4096];     /* of the description, with a slash; or empty */
} Describing;

/* Measurements of at most as many bytes as a document. */
static const char *include(void *user, const char *file, size_t *length, PepaError *err)
{
    Describing *of = user;
    char path[8192];
    (void)snprintf(path, sizeof path, "%s%s", *file == '/' ? "" : of->folder, file);
    struct stat found;
    FILE *from =
        stat(path, &found) == 0 && S_ISREG(found.st_mode) && found.st_size <= DOCUMENT_MOST_BYTES
            ? fopen(path, "rb")
            : NULL;
    Text text = {0};
    const char *copy = NULL;
    if (from)
        text_read(&text, from, DOCUMENT_MOST_BYTES);
    if (from && !text.failed && !ferror(from))
        copy = arena_copy(&of->arena, text.text ? text.text : "", text.length);
    *length = text.length;
    text_free(&text);
    if (from)
        (void)fclose(from);
    if (!copy)
        (void)error_set(err, PEPA_EIO, "cannot read %s", path);
    return copy;
}

/* Is it for taag: has it a program, or no pipeline? */
static bool is_for_taag(const Syntax *says)
{
    bool program = false, pipeline = false;
    for (size_t i = 0; i < says->say_count; i++) {
        const Say *say = &says->says[i];
        program = program || say->kind == SAY_PROGRAM;
        pipeline = pipeline || (say->kind == SAY_BLOCK && strcmp(say->a.text, "pipeline") == 0);
    }
    return program || !pipeline;
}

static PepaStatus check_description(const Reading *reading, const AmogetReading *how,
                                    PepaError *err)
{
    const Source *source = &reading->source;
    AmogetDescription *desc = NULL;
    AmogetMachine *machine = NULL;
    AmogetProgram *program = NULL;
    PepaStatus status =
        is_for_taag(&reading->description->says)
            ? amoget_program_parse(&machine, &program, source->name, source->text, source->length,
                                   how, err)
            : amoget_parse(&desc, source->name, source->text, source->length, how, err);
    amoget_program_free(program);
    if (is_for_taag(&reading->description->says))
        amoget_machine_free(machine);
    amoget_free(desc);
    return status;
}

bool description_text_read(Reading *reading)
{
    reading->description = mem_calloc(1, sizeof *reading->description);
    if (!reading->description)
        return false;
    DiagList again = {0};
    bool whole = false;
    PepaStatus status =
        syntax_read(&reading->source, &reading->arena, &reading->description->says, &whole, &again);
    reading->whole = status == PEPA_OK;
    diag_free(&again);
    if (status == PEPA_ENOMEM)
        return false;
    Describing of = {.collecting = {&reading->source, &reading->diags, {0, 0}}};
    const char *name = reading->source.name, *slash = strrchr(name, '/');
    if (slash && (size_t)(slash + 1 - name) < sizeof of.folder)
        memcpy(of.folder, name, (size_t)(slash + 1 - name));
    PepaError err = {0};
    const AmogetReading how = {.include = include, .diagnose = reading_collect, .user = &of};
    status = check_description(reading, &how, &err);
    whole_characters(err.message);
    if (status != PEPA_OK && status != PEPA_ENOMEM && reading->diags.errors == 0)
        diag_error(&reading->diags, ((Span){SPAN_NOWHERE, SPAN_NOWHERE}), "%s", err.message);
    arena_free(&of.arena);
    return status != PEPA_ENOMEM && !reading->diags.no_memory;
}

/* ---- names --------------------------------------------------------------------------------- */

/* def: the statement that defines it; -1: none */
static bool add(Mentions *mentions, NameKind kind, const Word *word, int32_t def)
{
    return !word->text || !*word->text ||
           mentions_add(mentions, (Mention){kind, word->text, word->span, def, false});
}

/* A processor says that it is in a cluster. */
static bool add_cluster(Mentions *mentions, const Word *word)
{
    return mentions_add(mentions, (Mention){NAME_CLUSTER, word->text, word->span, -1, true});
}

/* What a round of a program costs can be the name of a value; then it is the only word.
 * Source: amoget/program/round.c. */
static bool add_cost(const Syntax *says, Mentions *mentions, const Say *say)
{
    static const Attribute costs[] = {ATTRIBUTE_WORK, ATTRIBUTE_DATA, ATTRIBUTE_EXCHANGE,
                                      ATTRIBUTE_PHASES};
    const Word *word = &says->words[say->first];
    bool cost = false;
    for (size_t i = 0; i < sizeof costs / sizeof *costs; i++)
        cost = cost || strcmp(attribute_name(costs[i]), say->a.text) == 0;
    const bool named = cost && say->count == 1 && !strchr("0123456789+-.", word->text[0]);
    return !named || add(mentions, NAME_VALUE, word, -1);
}

/* The end of a link: a processor, or else a cluster. */
static bool add_end(const Intern *processors, Mentions *mentions, const Word *word)
{
    const bool known = word->text && intern_find(processors, word->text, strlen(word->text)) >= 0;
    return add(mentions, known ? NAME_PROCESSOR : NAME_CLUSTER, word, -1);
}

static bool add_settings(const Syntax *says, Mentions *mentions, const Say *say)
{
    bool ok = true;
    for (size_t i = say->first; ok && i < say->first + say->count; i++) {
        const Setting *setting = &says->settings[i];
        ok = setting->attribute == ATTRIBUTE_CLUSTER
                 ? add_cluster(mentions, &setting->name)
                 : add(mentions, NAME_VALUE, &setting->value.name, -1);
    }
    return ok;
}

static bool add_say(const Syntax *says, const Intern *processors, Mentions *mentions,
                    const Say *say, int32_t number)
{
    bool ok = true;
    switch (say->kind) {
    case SAY_DEFINITION:
        return add(mentions, NAME_VALUE, &say->a, number) &&
               add(mentions, NAME_VALUE, &say->value.name, -1);
    case SAY_STAGE:
        return add(mentions, NAME_STAGE, &say->a, number) && add_settings(says, mentions, say);
    case SAY_PROCESSOR:
        return add(mentions, NAME_PROCESSOR, &say->a, number) && add_settings(says, mentions, say);
    case SAY_LATENCY:
    case SAY_BANDWIDTH:
        return (!say->b.text ||
                (add_end(processors, mentions, &say->a) && /* of `local`, a is a keyword */
                 add_end(processors, mentions, &say->b))) &&
               add(mentions, NAME_VALUE, &say->value.name, -1);
    case SAY_MAPPING:
        for (size_t i = say->first; ok && i < say->first + say->count; i++)
            ok = add(mentions, NAME_PROCESSOR, &says->words[i], -1);
        return ok;
    case SAY_INPUT:
        return add(mentions, NAME_PROCESSOR, &say->a, -1) && add_settings(says, mentions, say);
    case SAY_OUTPUT:
        return add(mentions, NAME_PROCESSOR, &say->a, -1);
    case SAY_INCLUDE:
        return add_settings(says, mentions, say);
    case SAY_PROGRAM:
        return add_cost(says, mentions, say);
    case SAY_SHARING:
    case SAY_TRANSFER:
    case SAY_BLOCK:
        return true;
    }
    return true;
}

bool description_text_names(const DescriptionText *text, Mentions *mentions)
{
    const Syntax *says = &text->says;
    Intern processors = {0};
    bool ok = true;
    for (size_t i = 0; ok && i < says->say_count; i++)
        if (says->says[i].kind == SAY_PROCESSOR)
            ok = intern_put(&processors, says->says[i].a.text, strlen(says->says[i].a.text)) >= 0;
    for (size_t i = 0; ok && i < says->say_count; i++)
        ok = add_say(says, &processors, mentions, &says->says[i], (int32_t)i);
    intern_free(&processors);
    return ok;
}

bool description_text_equal(const DescriptionText *a, const DescriptionText *b)
{
    return syntax_equal(&a->says, &b->says);
}

void description_text_free(DescriptionText *text)
{
    if (!text)
        return;
    syntax_free(&text->says);
    mem_free(text);
}
