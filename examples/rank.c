/* Rank the mappings of a pipeline onto processors, and again when the network changes: what a
 * monitor and a scheduler do while the pipeline runs.  Chains are explored once.
 *   cc rank.c $(pkg-config --cflags --libs amoget) */
#include <amoget.h>
#include <stdio.h>
#include <string.h>

static const char text[] = "# Three equal stages; the third processor is faster, but far away.\n"
                           "pipeline { stage read; stage filter; stage write; }\n"
                           "processors { near1 time 100ms; near2 time 100ms; far time 50ms; }\n"
                           "network {\n"
                           "  latency local 0.1ms;\n"
                           "  latency default 1ms;\n"
                           "  latency near1 far 10ms;\n"
                           "  latency near2 far 10ms;\n"
                           "}\n";

static PepaStatus show(AmogetRanker *ranker, const AmogetDescription *desc, const char *when,
                       PepaError *err)
{
    AmogetSettings set = {0};
    AmogetRanking *ranking = NULL;
    PepaStatus status;
    int64_t i;
    int32_t stage;

    set.search = AMOGET_ALL;
    set.top = 3;
    status = amoget_rank(ranker, &set, &ranking, err);
    if (status != PEPA_OK)
        return status;
    printf("%s: the best of %.0f mappings\n", when, ranking->candidates);
    for (i = 0; i < ranking->count; i++) {
        const AmogetEntry *entry = &ranking->entries[i];
        printf("  %d%c ", (int)entry->rank, entry->tied ? '=' : '.');
        for (stage = 0; stage < ranking->stages; stage++)
            printf(" %-5s", amoget_processor_name(amoget_machine(desc), entry->mapping[stage]));
        printf("  %.6f items per second\n", entry->throughput);
    }
    amoget_ranking_free(ranking);
    return PEPA_OK;
}

int main(void)
{
    AmogetDescription *desc = NULL;
    AmogetMachine *machine = NULL;
    AmogetRanker *ranker = NULL;
    int32_t far = AMOGET_NOWHERE;
    PepaError err;
    PepaStatus status = amoget_parse(&desc, "grid", text, strlen(text), NULL, &err);

    if (status == PEPA_OK)
        status = amoget_ranker_new(&ranker, desc, NULL, &err);
    if (status == PEPA_OK)
        status = show(ranker, desc, "at first", &err);
    if (status == PEPA_OK) { /* the wide area network is congested */
        machine = amoget_machine(desc);
        far = amoget_find_processor(machine, "far");
        status =
            amoget_set_latency(machine, amoget_find_processor(machine, "near1"), far, 0.5, &err);
    }
    if (status == PEPA_OK)
        status =
            amoget_set_latency(machine, amoget_find_processor(machine, "near2"), far, 0.5, &err);
    if (status == PEPA_OK)
        status = show(ranker, desc, "half a second to far", &err);
    if (status == PEPA_OK) /* and others work on far */
        status = amoget_set_availability(machine, far, 0.4, &err);
    if (status == PEPA_OK)
        status = show(ranker, desc, "two fifths of far", &err);
    if (status != PEPA_OK)
        fprintf(stderr, "rank: %s\n", err.message);
    amoget_ranker_free(ranker);
    amoget_free(desc);
    return status == PEPA_OK ? 0 : 1;
}
