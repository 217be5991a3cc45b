/* Blocks, processors and clusters. */
#include <string.h>

#include "amoget/machine/check.h"

/* ---- processors --------------------------------------------------------------------------- */

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

/* Where the processor is reached: at its address, or else by its name, which is then no other's address. */
static void settle(Check *check, const Say *say, const Setting *address, int32_t j)
{
    AmogetMachine *machine = check->machine;
    PepaError why;
    const PepaStatus status = address ? amoget_set_address(machine, j, address->name.text, &why)
                                      : check_address(machine, j, say->a.text, &why);
    if (status == PEPA_ENOMEM)
        check->no_memory = true;
    else if (status != PEPA_OK)
        diag_error(check->diags, address ? address->name.span : say->span, "%s", why.message);
}

static void add_processor(Check *check, const Say *say, void *unused)
{
    AmogetMachine *machine = check->machine;
    (void)unused;
    if (!check_is_new(check, say, &machine->names, check->processor, MOST_PROCESSORS, "processor"))
        return;
    if (is_reserved(say->a.text))
        diag_error(check->diags, say->span, "`%s` is reserved: it cannot name a processor",
                   say->a.text);
    int32_t j = machine->processors;
    if (!machine_add_processor(machine, say->a.text, 1)) {
        check->no_memory = true;
        return;
    }
    double cores = 1;
    check->processor[j] = say;
    if (!check_setting(check, say, ATTRIBUTE_TIME, &machine->time[j]))
        diag_error(check->diags, say->span,
                   "processor `%s` has no `time`: seconds per unit of work", say->a.text);
    check_setting(check, say, ATTRIBUTE_AVAILABILITY, &machine->availability[j]);
    check_setting(check, say, ATTRIBUTE_CORES, &cores);
    machine->cores[j] = (int32_t)cores;
    check_setting(check, say, ATTRIBUTE_MEMORY, &machine->memory[j]);
    settle(check, say, check_setting(check, say, ATTRIBUTE_ADDRESS, NULL), j);
    join_cluster(check, check_setting(check, say, ATTRIBUTE_CLUSTER, NULL), j);
}

/* ---- clusters ----------------------------------------------------------------------------- */

static void fill_clusters(Check *check)
{
    int32_t processors = check->machine->processors, at = 0;
    check->clusters = scratch_alloc(check, check->cluster_names.count, sizeof *check->clusters);
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
        int32_t j = amoget_find_processor(check->machine, name->text);
        if (j >= 0)
            diag_error(check->diags, name->span,
                       "`%s` cannot be a cluster: it is a processor, in line %u", name->text,
                       finding_line(check, check->processor[j]->span));
    }
}

/* ---- blocks ------------------------------------------------------------------------------- */

static void check_blocks(Check *check)
{
    static const char *const blocks[BLOCKS] = {"pipeline", "processors", "network", "mappings",
                                               "program"};
    const Syntax *tree = check->tree;
    for (size_t i = 0; i < tree->say_count; i++) {
        const Say *say = &tree->says[i];
        size_t b = 0;
        if (say->kind != SAY_BLOCK)
            continue;
        while (strcmp(blocks[b], say->a.text) != 0)
            b++;
        if (check->block[b])
            diag_error(check->diags, say->span, "a second block `%s`; the first one is in line %u",
                       say->a.text, finding_line(check, check->block[b]->span));
        else
            check->block[b] = say;
    }
}

void check_processors(Check *check)
{
    check_each(check, SAY_PROCESSOR, NULL, add_processor);
    fill_clusters(check);
    check_clusters(check);
    check_blocks(check);
}
