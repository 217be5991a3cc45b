/* Which commands and options a page may use: none that names a file, a machine or a program. */
#include <stddef.h>
#include <string.h>

#include "serve/allowed.h"

enum {
    SOLVE = 1,
    CHECK = 2,
    STATES = 4,
    TRANSIENT = 8,
    SIMULATE = 16,
    FLUID = 32,
    PASSAGE = 64,
    SENSITIVITY = 128,
    EXPERIMENT = 256,
    GRAPH = 512,
    WALK = 1024,
    AMOGET = 2048,
    CHAINS = SOLVE | STATES | PASSAGE | SENSITIVITY | EXPERIMENT, /* are solved */
    LIMITED = CHAINS | CHECK | TRANSIENT,
    MODELS = LIMITED | SIMULATE | FLUID | GRAPH | WALK,
    TIMES = TRANSIENT | SIMULATE | FLUID | PASSAGE | EXPERIMENT,
    MEASURES = SOLVE | TRANSIENT | SIMULATE | FLUID | EXPERIMENT,
    SAMPLES = SIMULATE | PASSAGE | EXPERIMENT
};

static const AllowedCommand commands[] = {
    {"solve", "pepa", SOLVE, true, true},
    {"check", "pepa", CHECK, true, true},
    {"states", "pepa", STATES, true, true},
    {"transient", "pepa", TRANSIENT, true, true},
    {"simulate", "pepa", SIMULATE, false, true},
    {"fluid", "pepa", FLUID, false, true},
    {"passage", "pepa", PASSAGE, true, true},
    {"sensitivity", "pepa", SENSITIVITY, true, true},
    {"experiment", "pepa", EXPERIMENT, true, true},
    {"graph", "pepa", GRAPH, false, false},
    {"walk", "pepa", WALK, false, true},
    {"amoget", "amoget", AMOGET, false, true},
};

static const AllowedOption options[] = {
    {"json", (MODELS & ~(unsigned)GRAPH) | AMOGET, false},
    {"csv", (MODELS & ~(unsigned)(GRAPH | WALK)) | AMOGET, false},
    {"define", MODELS | AMOGET, true},
    {"no-aggregate", MODELS, false},
    {"max-states", LIMITED | GRAPH | WALK | AMOGET, true},
    {"method", CHAINS, true},
    {"tolerance", CHAINS | CHECK | TRANSIENT | FLUID, true},
    {"explore", LIMITED & ~(unsigned)STATES, true},
    {"measure", MEASURES, true},
    {"certify", SOLVE, false},
    {"explain", SOLVE | AMOGET, false},
    {"compare", SOLVE | TRANSIENT, true},
    {"csl", CHECK, true},
    {"solve", STATES, false},
    {"where", STATES, true},
    {"with", STATES, true},
    {"enables", STATES, true},
    {"probability", STATES, true},
    {"top", STATES | AMOGET, true},
    {"at", TIMES, true},
    {"until", TIMES, true},
    {"points", TIMES, true},
    {"steady", SIMULATE | FLUID | EXPERIMENT, false},
    {"accumulated", TRANSIENT, false},
    {"moments", FLUID, false},
    {"simulate", PASSAGE | EXPERIMENT, false},
    {"runs", SAMPLES, true},
    {"relative-width", SAMPLES, true},
    {"confidence", SAMPLES, true},
    {"seed", SAMPLES | WALK, true},
    {"from-action", PASSAGE, true},
    {"from", PASSAGE, true},
    {"from-start", PASSAGE, false},
    {"to-action", PASSAGE, true},
    {"to", PASSAGE, true},
    {"probe", PASSAGE, true},
    {"quantiles", PASSAGE, true},
    {"of", SENSITIVITY | GRAPH, true},
    {"vary", EXPERIMENT, true},
    {"format", GRAPH, true},
    {"max-steps", WALK, true},
    {"search", AMOGET, true},
    {"model", AMOGET, true},
};

const AllowedCommand *allowed_command(const char *name)
{
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        if (strcmp(name, commands[i].name) == 0)
            return &commands[i];
    return NULL;
}

const AllowedOption *allowed_option(const AllowedCommand *command, const char *name)
{
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (options[i].commands & command->bit && strcmp(name, options[i].name) == 0)
            return &options[i];
    return NULL;
}
