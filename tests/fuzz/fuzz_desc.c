/* Any bytes, as a description and as measurements: the readers answer, refuse nothing without a
 * word, and what they accept has durations that are numbers. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "amoget.h"
#include "amoget_program.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct {
    const char *text; /* what every include gives */
    size_t length, said;
} Given;

static void count(void *user, const PepaDiagnostic *each)
{
    Given *given = user;
    given->said += strlen(each->message) + strlen(each->excerpt);
}

static const char *give(void *user, const char *file, size_t *length, PepaError *err)
{
    const Given *given = user;
    (void)file;
    (void)err;
    *length = given->length;
    return given->text;
}

static void check_refusal(PepaStatus status, const PepaError *err, size_t said)
{
    if (status != PEPA_OK && (!err->message[0] || (status != PEPA_EARG && said == 0)))
        abort(); /* refused without a word */
}

static void check_durations(const AmogetDescription *desc)
{
    int32_t stages = amoget_stage_count(desc), mapping[40];
    double seconds[81];
    for (int32_t i = 0; i < stages; i++)
        mapping[i] = amoget_mapping_count(desc) > 0 ? amoget_mapping(desc, 0)[i] : 0;
    PepaError err;
    if (amoget_durations(desc, mapping, seconds, &err) != PEPA_OK)
        abort();
    for (int32_t i = 0; i <= 2 * stages; i++)
        if (!(seconds[i] > 0) || !isfinite(seconds[i]))
            abort();
}

static void read_description(const char *text, size_t length, const AmogetDefine *define)
{
    static const char csv[] = "1,latency,1,2,3ms\n900,availability,p1,,0.5\n";
    Given given = {csv, sizeof csv - 1, 0};
    AmogetReading how = {.defines = define,
                         .define_count = define ? 1 : 0,
                         .include = give,
                         .now = 2000,
                         .diagnose = count,
                         .user = &given};
    AmogetDescription *desc = NULL;
    PepaError err;
    PepaStatus status = amoget_parse(&desc, "fuzz", text, length, &how, &err);
    check_refusal(status, &err, given.said);
    if (status != PEPA_OK)
        return;
    check_durations(desc);
    given.said = 0;
    status = amoget_measure(amoget_machine(desc), "fuzz", text, length, &how, &err);
    check_refusal(status, &err, given.said);
    check_durations(desc);
    amoget_free(desc);
}

/* The machine and the program, if there is one. */
static void read_program(const char *text, size_t length)
{
    Given given = {"", 0, 0};
    AmogetReading how = {.include = give, .diagnose = count, .user = &given};
    AmogetMachine *machine = NULL;
    AmogetProgram *program = NULL;
    PepaError err;
    PepaStatus status = amoget_program_parse(&machine, &program, "fuzz", text, length, &how, &err);
    check_refusal(status, &err, given.said);
    if (program && (program->processes < 1 || program->processes > AMOGET_MOST_PROCESSES))
        abort();
    amoget_program_free(program);
    amoget_machine_free(machine);
}

/* The bytes as a file that a description includes. */
static void read_measurements(const char *text, size_t length)
{
    static const char grid[] =
        "pipeline { stage 1; stage 2; }\nprocessors { 1 time 1; 2 time 1; 3 time 1; }\n"
        "network { latency default 1; latency local 1; }\ninclude \"m.csv\";";
    Given given = {text, length, 0};
    AmogetReading how = {.include = give, .diagnose = count, .user = &given};
    AmogetDescription *desc = NULL;
    PepaError err;
    PepaStatus status = amoget_parse(&desc, "grid", grid, sizeof grid - 1, &how, &err);
    check_refusal(status, &err, given.said);
    if (status == PEPA_OK)
        check_durations(desc);
    amoget_free(desc);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data;
    char value[64] = {0};
    size_t length = size < sizeof value ? size : sizeof value - 1;
    AmogetDefine define = {"time.1", value};
    memcpy(value, text + size - length, length);
    read_description(text, size, NULL);
    read_description(text, size, &define);
    read_measurements(text, size);
    read_program(text, size);
    return 0;
}
