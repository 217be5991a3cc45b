/* Checks the pipeline part of a description: stages, ends, sharing and transfer. */
#include "amoget/description/check.h"

#include <string.h>

static void add_stage(Check *check, const Say *say, void *owner)
{
    PipelineCheck *own = owner;
    AmogetDescription *desc = own->desc;
    if (!check_is_new(check, say, &desc->stage_names, own->stage, MOST_STAGES, "stage"))
        return;
    int32_t i = desc->stages;
    if (!description_add_stage(desc, say->a.text)) {
        check->no_memory = true;
        return;
    }
    own->stage[i] = say;
    check_setting(check, say, ATTRIBUTE_WORK, &desc->work[i]);
    check_setting(check, say, ATTRIBUTE_OUTPUT, &desc->output[i + 1]);
    double phases = 1;
    check_setting(check, say, ATTRIBUTE_PHASES, &phases);
    desc->phases[i] = (int32_t)phases;
}

static void add_end(Check *check, const Say *say, void *owner)
{
    AmogetDescription *desc = ((PipelineCheck *)owner)->desc;
    const Say **first = &check->first[say->kind];
    bool input = say->kind == SAY_INPUT;
    int32_t j = check_processor(check, say->a);
    if (*first) {
        diag_error(check->diags, say->span, "a second `%s`; the first one is in line %u",
                   input ? "input" : "output", finding_line(check, (*first)->span));
        return;
    }
    *first = say;
    *(input ? &desc->input : &desc->output_to) = j;
    if (input)
        check_setting(check, say, ATTRIBUTE_SIZE, &desc->output[0]);
}

/* `sharing` and `transfer`: one of two words. */
static void add_manner(Check *check, const Say *say, void *owner)
{
    AmogetDescription *desc = ((PipelineCheck *)owner)->desc;
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
                   finding_hint(check, say->a.text, words, 2));
    if (*first)
        diag_error(check->diags, say->span, "a second `%s`; the first one is in line %u", what,
                   finding_line(check, (*first)->span));
    else if (share)
        desc->sharing = (AmogetSharing)chosen;
    else
        desc->transfer = (AmogetTransfer)chosen;
    *first = *first ? *first : say;
}

void pipeline_check(Check *check, void *owner)
{
    PipelineCheck *own = owner;
    const Say *block = check->block[BLOCK_PIPELINE];
    check_each(check, SAY_STAGE, own, add_stage);
    if (own->desc->stages == 0)
        diag_error(check->diags, block ? block->span : check->tree->end,
                   "no stages: they are declared in `pipeline { stage NAME; ... }`");
    check_each(check, SAY_INPUT, own, add_end);
    check_each(check, SAY_OUTPUT, own, add_end);
    check_each(check, SAY_SHARING, own, add_manner);
    check_each(check, SAY_TRANSFER, own, add_manner);
    if (!check->no_memory)
        check_mappings(check, own);
}
