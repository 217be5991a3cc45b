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
    OPTIMISE = 4096,
    EXPORT = 8192,
    FIT = 16384,
    CHAINS = SOLVE | STATES | PASSAGE | SENSITIVITY | EXPERIMENT | OPTIMISE, /* are solved */
    LIMITED = CHAINS | CHECK | TRANSIENT | EXPORT,
    MODELS = LIMITED | SIMULATE | FLUID | GRAPH | WALK,
    TIMES = TRANSIENT | SIMULATE | FLUID | PASSAGE | EXPERIMENT,
    MEASURES = SOLVE | TRANSIENT | SIMULATE | FLUID | EXPERIMENT | OPTIMISE,
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
    {"optimise", "pepa", OPTIMISE, true, true},
    {"export", "pepa", EXPORT, true, true},
    {"fit", "pepa", FIT, false, false},
    {"graph", "pepa", GRAPH, false, false},
    {"walk", "pepa", WALK, false, true},
    {"amoget", "amoget", AMOGET, false, true},
};

static const AllowedOption options[] = {
    {"json", (MODELS & ~(unsigned)(GRAPH | EXPORT)) | AMOGET | FIT, false},
    {"csv", (MODELS & ~(unsigned)(GRAPH | WALK | EXPORT)) | AMOGET | FIT, false},
    {"define", MODELS | AMOGET, true},
    {"no-aggregate", MODELS, false},
    {"max-states", LIMITED | GRAPH | WALK | AMOGET, true},
    {"method", CHAINS, true},
    {"tolerance", CHAINS | CHECK | TRANSIENT | FLUID, true},
    {"explore", LIMITED & ~(unsigned)(STATES | EXPORT), true},
    {"measure", MEASURES, true},
    {"certify", SOLVE, false},
    {"quiet", SOLVE, false},
    {"explain", SOLVE | AMOGET, false},
    {"compare", SOLVE | TRANSIENT, true},
    {"csl", CHECK, true},
    {"maximise", OPTIMISE, true},
    {"minimise", OPTIMISE, true},
    {"within", OPTIMISE, true},
    {"subject", OPTIMISE, true},
    {"label", EXPORT, true},
    {"actions", EXPORT, false},
    {"family", FIT, true},
    {"phases", FIT, true},
    {"max-phases", FIT, true},
    {"criterion", FIT, true},
    {"action", FIT, true},
    {"column", FIT, true},
    {"states", FIT, false},
    {"bootstrap", FIT, true},
    {"no-test", FIT, false},
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
    {"seed", SAMPLES | WALK | FIT, true},
    {"from-action", PASSAGE, true},
    {"from", PASSAGE, true},
    {"from-start", PASSAGE, false},
    {"to-action", PASSAGE, true},
    {"to", PASSAGE, true},
    {"probe", PASSAGE, true},
    {"quantiles", PASSAGE, true},
    {"of", SENSITIVITY | GRAPH, true},
    {"vary", EXPERIMENT, true},
    {"format", GRAPH | EXPORT, true},
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
