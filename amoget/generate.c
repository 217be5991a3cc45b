#include "amoget/generate.h"

#include "base/number.h"

static void rate_line(Text *out, const char *rate, int32_t number, double seconds,
                      const char *about)
{
    char digits[NUMBER_SIZE];
    number_write(1 / seconds, digits);
    text_add(out, "%s%d = %s;%s%s\n", rate, number, digits, about[0] ? "  // " : "", about);
}

/* "move1, move2, move3" */
static void action_list(Text *out, const char *action, int32_t count)
{
    for (int32_t i = 1; i <= count; i++)
        text_add(out, "%s%s%d", i > 1 ? ", " : "", action, i);
}

static void stages_text(Text *out, const AmogetDescription *desc, int32_t stages)
{
    for (int32_t i = 1; i <= stages; i++) {
        text_add(out, "Stage%d = (move%d, T).(process%d, T).(move%d, T).Stage%d;", i, i, i, i + 1,
                 i);
        text_add(out, desc ? "  // %s\n" : "\n", desc ? amoget_stage_name(desc, i - 1) : "");
    }
}

static void network_text(Text *out, int32_t stages)
{
    text_add(out, "Network = ");
    for (int32_t i = 1; i <= stages + 1; i++)
        text_add(out, "%s(move%d, lambda%d).Network", i > 1 ? "\n        + " : "", i, i);
    text_add(out, ";\n");
}

/* Processor1 for a number, Processor_fast for a name: no two names give the same. */
static void processor_name(Text *out, const AmogetDescription *desc, int32_t j)
{
    const char *name = desc ? amoget_processor_name(desc, j) : "";
    bool plain = !name[0] || (name[0] >= '0' && name[0] <= '9');
    text_add(out, "Processor%s%s", plain ? "" : "_", name);
}

/* The processors in use, in the order of their first stages; mapping NULL: one for all. */
static int32_t next_processor(const int32_t *mapping, int32_t stages, int32_t from)
{
    for (int32_t i = from; i < stages; i++) {
        int32_t k = 0;
        while (mapping[k] != mapping[i])
            k++;
        if (k == i)
            return i;
    }
    return stages;
}

static void processor_text(Text *out, const AmogetDescription *desc, const int32_t *mapping,
                           int32_t stages, int32_t j)
{
    const char *between = " = ";
    processor_name(out, desc, j);
    for (int32_t i = 0; i < stages; i++) {
        if (mapping && mapping[i] != j)
            continue;
        text_add(out, "%s(process%d, mu%d).", between, i + 1, i + 1);
        processor_name(out, desc, j);
        between = "\n    + ";
    }
    text_add(out, ";\n");
}

static void system_text(Text *out, const AmogetDescription *desc, const int32_t *mapping,
                        int32_t stages)
{
    text_add(out, "Network <");
    action_list(out, "move", stages + 1);
    text_add(out, ">\n    ((");
    for (int32_t i = 1; i <= stages; i++) {
        if (i > 1)
            text_add(out, " <move%d> ", i);
        text_add(out, "Stage%d", i);
    }
    text_add(out, ")\n     <");
    action_list(out, "process", stages);
    text_add(out, ">\n     (");
    if (!mapping)
        processor_name(out, desc, 0);
    for (int32_t i = 0; mapping && (i = next_processor(mapping, stages, i)) < stages; i++) {
        if (i > 0)
            text_add(out, " || ");
        processor_name(out, desc, mapping[i]);
    }
    text_add(out, "))\n");
}

static void body(Text *out, const AmogetDescription *desc, const int32_t *mapping, int32_t stages)
{
    text_add(out, "\n");
    stages_text(out, desc, stages);
    text_add(out, "\n");
    network_text(out, stages);
    text_add(out, "\n");
    if (!mapping)
        processor_text(out, desc, NULL, stages, 0);
    for (int32_t i = 0; mapping && (i = next_processor(mapping, stages, i)) < stages; i++)
        processor_text(out, desc, mapping, stages, mapping[i]);
    text_add(out, "\n");
    system_text(out, desc, mapping, stages);
}

void generate_line(Text *out, int32_t stages)
{
    for (int32_t i = 1; i <= stages + 1; i++)
        rate_line(out, "lambda", i, 1, "");
    for (int32_t i = 1; i <= stages; i++)
        rate_line(out, "mu", i, 1, "");
    body(out, NULL, NULL, stages);
}

/* ---- for a reader ------------------------------------------------------------------------ */

static void move_about(Text *about, const AmogetDescription *desc, const int32_t *mapping,
                       int32_t move)
{
    int32_t from = move > 0 ? mapping[move - 1] : desc->input;
    int32_t to = move < desc->stages ? mapping[move] : desc->output_to;
    if (from == AMOGET_NOWHERE || to == AMOGET_NOWHERE || from == to)
        text_add(about, "within %s",
                 amoget_processor_name(desc, from == AMOGET_NOWHERE ? to : from));
    else
        text_add(about, "from %s to %s", amoget_processor_name(desc, from),
                 amoget_processor_name(desc, to));
}

static void process_about(Text *about, const AmogetDescription *desc, const int32_t *mapping,
                          int32_t stage)
{
    int32_t there = 0;
    for (int32_t i = 0; i < desc->stages; i++)
        there += mapping[i] == mapping[stage];
    text_add(about, "on %s", amoget_processor_name(desc, mapping[stage]));
    if (there > 1)
        text_add(about, ", which runs %d stages", there);
}

static void rates_text(Text *out, const AmogetDescription *desc, const int32_t *mapping,
                       const double *seconds)
{
    for (int32_t i = 0; i <= desc->stages; i++) {
        Text about = {0};
        move_about(&about, desc, mapping, i);
        rate_line(out, "lambda", i + 1, seconds[2 * i], about.text ? about.text : "");
        out->failed = out->failed || about.failed;
        text_free(&about);
    }
    for (int32_t i = 0; i < desc->stages; i++) {
        Text about = {0};
        process_about(&about, desc, mapping, i);
        rate_line(out, "mu", i + 1, seconds[2 * i + 1], about.text ? about.text : "");
        out->failed = out->failed || about.failed;
        text_free(&about);
    }
}

PepaStatus generate_model(Text *out, const AmogetDescription *desc, const int32_t *mapping,
                          PepaError *err)
{
    double seconds[2 * MOST_STAGES + 1];
    PepaStatus status = amoget_durations(desc, mapping, seconds, err);
    if (status != PEPA_OK)
        return status;
    text_add(out, "// A pipeline of %d stage%s, mapped to (", desc->stages,
             desc->stages == 1 ? "" : "s");
    for (int32_t i = 0; i < desc->stages; i++)
        text_add(out, "%s%s", i > 0 ? ", " : "", amoget_processor_name(desc, mapping[i]));
    text_add(out, ").  Rates are per second.\n");
    rates_text(out, desc, mapping, seconds);
    body(out, desc, mapping, desc->stages);
    return out->failed ? error_memory(err) : PEPA_OK;
}

PepaStatus amoget_model(const AmogetDescription *desc, const int32_t *mapping, char **text,
                        PepaError *err)
{
    Text out = {0};
    if (!desc || !mapping || !text)
        return error_set(err, PEPA_EARG, "amoget_model: an argument is NULL");
    PepaStatus status = generate_model(&out, desc, mapping, err);
    if (status == PEPA_OK)
        *text = out.text;
    else
        text_free(&out);
    return status;
}

void amoget_text_free(char *text)
{
    mem_free(text);
}
