/* Any bytes, as the file of a mapping and as that of a program: nothing is refused without a word,
 * and what is accepted holds together. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grid/taag/files/mapping.h"
#include "grid/taag/files/program_xml.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void count(void *user, const PepaDiagnostic *each)
{
    *(size_t *)user += strlen(each->message) + strlen(each->excerpt);
}

static void expect(int good)
{
    if (!good)
        abort();
}

static void check_hosts(const Mapping *m)
{
    size_t n = (size_t)m->host_count;
    expect(n > 0);
    for (size_t a = 0; a < n; a++) {
        expect(m->hosts[a].places > 0 && m->hosts[a].speed > 0 && isfinite(m->hosts[a].speed));
        expect(strlen(m->hosts[a].name) <= MAPPING_NAME);
        for (size_t b = 0; b < n; b++)
            expect(m->latency[a * n + b] >= 0 && isfinite(m->latency[a * n + b]) &&
                   m->latency[a * n + b] == m->latency[b * n + a]);
    }
}

static void check_processes(const Mapping *m)
{
    int32_t sum = 0;
    for (int32_t rank = 0; rank < m->process_count; rank++) {
        expect(m->host_of[rank] >= 0 && m->host_of[rank] < m->host_count);
        expect(m->group_of[rank] >= 0 && m->group_of[rank] < m->group_count);
        expect(rank == 0 || m->group_of[rank] >= m->group_of[rank - 1]);
    }
    for (int32_t g = 0; g < m->group_count; g++) {
        sum += m->groups[g].size;
        expect(m->groups[g].size > 0 && m->groups[g].parent < m->group_count);
    }
    expect(sum == m->process_count && m->process_count > 0);
    for (int32_t e = 0; e < m->edge_count; e++)
        expect(m->edges[e].a >= 0 && m->edges[e].a < m->group_count && m->edges[e].b >= 0 &&
               m->edges[e].b < m->group_count);
}

/* What is written of a mapping is the same when it has been read once more. */
static void check_writing(const Mapping *m)
{
    char *text[2] = {NULL, NULL};
    size_t length[2];
    Mapping *again = NULL;
    for (int i = 0; i < 2; i++) {
        PepaError err = {0};
        FILE *to = open_memstream(&text[i], &length[i]);
        expect(to && mapping_write(i ? again : m, to, &err) == PEPA_OK && fclose(to) == 0);
        if (i == 0)
            expect(mapping_read(&again, "again", text[0], length[0], NULL, NULL, &err) == PEPA_OK);
    }
    expect(length[0] == length[1] && memcmp(text[0], text[1], length[0]) == 0);
    mapping_free(again);
    free(text[0]);
    free(text[1]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Mapping *mapping = NULL;
    AmogetProgram *program = NULL;
    PepaError err = {0};
    size_t said = 0;
    char *text = malloc(size + 1);
    expect(text != NULL);
    memcpy(text, data, size);
    text[size] = '\0';
    if (mapping_read(&mapping, "fuzz", text, size, count, &said, &err) == PEPA_OK) {
        check_hosts(mapping);
        check_processes(mapping);
        check_writing(mapping);
    } else
        expect(!mapping && err.message[0] && said > 0 && err.line > 0);
    said = 0;
    err = (PepaError){0};
    if (program_xml_read(&program, "fuzz", text, size, count, &said, &err) != PEPA_OK)
        expect(!program && err.message[0] && said > 0 && err.line > 0);
    mapping_free(mapping);
    amoget_program_free(program);
    free(text);
    return 0;
}
