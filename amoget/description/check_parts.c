/* Blocks, stages, processors, clusters, and where the data comes from and goes to. */
#include <string.h>

#include "amoget/description/check.h"

/* ---- settings ----------------------------------------------------------------------------- */

const Setting *desc_setting(Check *check, const Say *say, Attribute attribute, double *value)
{
    const Setting *found = NULL;
    for (size_t i = say->first; i < say->first + say->count; i++) {
        const Setting *each = &check->tree->settings[i];
        if (each->attribute != attribute)
            continue;
        if (found)
            diag_error(check->diags, each->keyword, "`%s` is given twice",
                       attribute_name(attribute));
        else if (attribute != ATTRIBUTE_CLUSTER)
            desc_value(check, &each->value, attribute, value);
        found = found ? found : each;
    }
    return found;
}

/* ---- stages and processors ---------------------------------------------------------------- */

/* May one more be added?  `first`: the declarations so far. */
static bool is_new(Check *check, const Say *say, const Intern *names, const Say *const *first,
                   int32_t most, const char *what)
{
    int32_t id = intern_find(names, say->a.text, strlen(say->a.text));
    if (id >= 0) {
        diag_error(check->diags, say->span, "%s `%s` is declared twice; the first time in line %u",
                   what, say->a.text, desc_line(check, first[id]->span));
        return false;
    }
    if (names->count < (size_t)most)
        return true;
    if (names->count == (size_t)most && !check->limit)
        diag_error(check->diags, say->span, "more than %d %ss", most, what);
    check->limit = true;
    return false;
}

static void add_stage(Check *check, const Say *say)
{
    AmogetDescription *desc = check->desc;
    if (!is_new(check, say, &desc->stage_names, check->stage, MOST_STAGES, "stage"))
        return;
    int32_t i = desc->stages;
    if (!description_add_stage(desc, say->a.text)) {
        check->no_memory = true;
        return;
    }
    check->stage[i] = say;
    desc_setting(check, say, ATTRIBUTE_WORK, &desc->work[i]);
    desc_setting(check, say, ATTRIBUTE_OUTPUT, &desc->output[i + 1]);
    double phases = 1;
    desc_setting(check, say, ATTRIBUTE_PHASES, &phases);
    desc->phases[i] = (int32_t)phases;
}

static bool is_reserved(const char *name)
{
    return strcmp(name, "default") == 0 || strcmp(name, "local") == 0;
}

static void join_cluster(Check *check, const Setting *cluster, int32_t j)
{
    check->cluster_of[j] = -1;
    if (!cluster)
        return;
    const char *name = cluster->name.text;
    if (is_reserved(name))
        diag_error(check->diags, cluster->name.span, "`%s` is reserved: it cannot name a cluster",
                   name);
    check->cluster_of[j] = intern_put(&check->cluster_names, name, strlen(name));
    if (check->cluster_of[j] < 0)
        check->no_memory = true;
}

static void add_processor(Check *check, const Say *say)
{
    AmogetDescription *desc = check->desc;
    if (!is_new(check, say, &desc->processor_names, check->processor, MOST_PROCESSORS, "processor"))
        return;
    if (is_reserved(say->a.text))
        diag_error(check->diags, say->span, "`%s` is reserved: it cannot name a processor",
                   say->a.text);
    int32_t j = desc->processors;
    if (!description_add_processor(desc, say->a.text, 1)) {
        check->no_memory = true;
        return;
    }
    double cores = 1;
    check->processor[j] = say;
    if (!desc_setting(check, say, ATTRIBUTE_TIME, &desc->time[j]))
        diag_error(check->diags, say->span,
                   "processor `%s` has no `time`: seconds per unit of work", say->a.text);
    desc_setting(check, say, ATTRIBUTE_AVAILABILITY, &desc->availability[j]);
    desc_setting(check, say, ATTRIBUTE_CORES, &cores);
    desc->cores[j] = (int32_t)cores;
    join_cluster(check, desc_setting(check, say, ATTRIBUTE_CLUSTER, NULL), j);
}

/* ---- clusters ----------------------------------------------------------------------------- */

static void fill_clusters(Check *check)
{
    int32_t processors = check->desc->processors, at = 0;
    check->clusters = desc_alloc(check, check->cluster_names.count, sizeof *check->clusters);
    if (check->no_memory)
        return;
    for (int32_t j = 0; j < processors; j++)
        if (check->cluster_of[j] >= 0)
            check->clusters[check->cluster_of[j]].count++;
    for (size_t c = 0; c < check->cluster_names.count; c++) {
        check->clusters[c].first = at;
        at += check->clusters[c].count;
        check->clusters[c].count = 0;
    }
    for (int32_t j = 0; j < processors; j++)
        if (check->cluster_of[j] >= 0) {
            Cluster *cluster = &check->clusters[check->cluster_of[j]];
            check->members[cluster->first + cluster->count++] = j;
        }
}

/* A name in the network is a processor or a cluster, never both. */
static void check_clusters(Check *check)
{
    const Syntax *tree = check->tree;
    for (size_t i = 0; i < tree->setting_count; i++) {
        const Word *name = &tree->settings[i].name;
        if (tree->settings[i].attribute != ATTRIBUTE_CLUSTER)
            continue;
        int32_t j = amoget_find_processor(check->desc, name->text);
        if (j >= 0)
            diag_error(check->diags, name->span,
                       "`%s` cannot be a cluster: it is a processor, in line %u", name->text,
                       desc_line(check, check->processor[j]->span));
    }
}

/* ---- blocks and ends ---------------------------------------------------------------------- */

static void check_blocks(Check *check)
{
    static const char *const blocks[] = {"pipeline", "processors", "network", "mappings"};
    const Say *first[sizeof blocks / sizeof *blocks] = {0};
    const Syntax *tree = check->tree;
    for (size_t i = 0; i < tree->say_count; i++) {
        const Say *say = &tree->says[i];
        size_t b = 0;
        if (say->kind != SAY_BLOCK)
            continue;
        while (strcmp(blocks[b], say->a.text) != 0)
            b++;
        if (first[b])
            diag_error(check->diags, say->span, "a second block `%s`; the first one is in line %u",
                       say->a.text, desc_line(check, first[b]->span));
        else
            first[b] = say;
    }
    if (check->desc->stages == 0)
        diag_error(check->diags, first[0] ? first[0]->span : tree->end,
                   "no stages: they are declared in `pipeline { stage NAME; ... }`");
    if (check->desc->processors == 0)
        diag_error(check->diags, first[1] ? first[1]->span : tree->end,
                   "no processors: they are declared in `processors { NAME time SECONDS; ... }`");
}

static void add_end(Check *check, const Say *say)
{
    const Say **first = &check->first[say->kind];
    bool input = say->kind == SAY_INPUT;
    int32_t j = desc_processor(check, say->a);
    if (*first) {
        diag_error(check->diags, say->span, "a second `%s`; the first one is in line %u",
                   input ? "input" : "output", desc_line(check, (*first)->span));
        return;
    }
    *first = say;
    *(input ? &check->desc->input : &check->desc->output_to) = j;
    if (input)
        desc_setting(check, say, ATTRIBUTE_SIZE, &check->desc->output[0]);
}

/* `sharing` and `transfer`: one of two words. */
static void add_manner(Check *check, const Say *say)
{
    static const char *const sharing[] = {[AMOGET_STATIC] = "static", [AMOGET_SERIAL] = "serial"};
    static const char *const transfer[] =
        {[AMOGET_RENDEZVOUS] = "rendezvous", [AMOGET_BUFFERED] = "buffered"};
    bool share = say->kind == SAY_SHARING;
    const char *const *words = share ? sharing : transfer;
    const char *what = share ? "sharing" : "transfer";
    const Say **first = &check->first[say->kind];
    int chosen = strcmp(say->a.text, words[1]) == 0;
    if (!chosen && strcmp(say->a.text, words[0]) != 0)
        diag_error(check->diags, say->span, "`%s` is no way of %s: it is `%s` or `%s`%s",
                   say->a.text, what, words[0], words[1],
                   desc_suggestion(check, say->a.text, words, 2));
    if (*first)
        diag_error(check->diags, say->span, "a second `%s`; the first one is in line %u", what,
                   desc_line(check, (*first)->span));
    else if (share)
        check->desc->sharing = (AmogetSharing)chosen;
    else
        check->desc->transfer = (AmogetTransfer)chosen;
    *first = *first ? *first : say;
}

static void each(Check *check, SayKind kind, void (*visit)(Check *check, const Say *say))
{
    for (size_t i = 0; i < check->tree->say_count && !check->no_memory; i++)
        if (check->tree->says[i].kind == kind)
            visit(check, &check->tree->says[i]);
}

void desc_check_parts(Check *check)
{
    each(check, SAY_STAGE, add_stage);
    each(check, SAY_PROCESSOR, add_processor);
    fill_clusters(check);
    check_clusters(check);
    check_blocks(check);
    each(check, SAY_INPUT, add_end);
    each(check, SAY_OUTPUT, add_end);
    each(check, SAY_SHARING, add_manner);
    each(check, SAY_TRANSFER, add_manner);
}
