/* Prints the names of mappings, resources, activities and places. */
#include "amoget_cli.h"

void print_mapping(FILE *to, const AmogetDescription *desc, const int32_t *mapping)
{
    for (int32_t i = 0; i < amoget_stage_count(desc); i++)
        (void)fprintf(to, "%c%s", i ? ',' : '(',
                      amoget_processor_name(amoget_machine(desc), mapping[i]));
    (void)fputc(')', to);
}

void print_resource(FILE *to, const AmogetDescription *desc, const AmogetResource *r)
{
    const AmogetMachine *machine = amoget_machine(desc);
    const char *a = amoget_processor_name(machine, r->a), *b = amoget_processor_name(machine, r->b);
    switch (r->kind) {
    case AMOGET_PROCESSOR:
        (void)fprintf(to, "processor %s", a);
        return;
    case AMOGET_LINK:
        (void)fprintf(to, "link %s-%s", a, b);
        return;
    case AMOGET_WITHIN:
        (void)fprintf(to, "moves within %s", a);
        return;
    }
}

void print_bottleneck(FILE *to, const Session *s, int64_t i, const char *unknown)
{
    if (s->why[i])
        print_resource(to, s->desc, &s->why[i]->resources[0]);
    else
        (void)fputs(unknown, to);
}

void print_activity(FILE *to, const AmogetDescription *desc, int32_t part)
{
    int32_t stages = amoget_stage_count(desc);
    if (part > 2 * stages)
        (void)fprintf(to, "take into %s", amoget_stage_name(desc, part - 2 * stages));
    else if (part == 2 * stages)
        (void)fprintf(to, "move out of %s", amoget_stage_name(desc, stages - 1));
    else
        (void)fprintf(to, part % 2 ? "process %s" : "move into %s",
                      amoget_stage_name(desc, part / 2));
}

void print_place(FILE *to, const AmogetDescription *desc, const int32_t *mapping,
                 const AmogetExplanation *why, int32_t part)
{
    const AmogetResource *used = &why->resources[why->resource[part]];
    const AmogetMachine *machine = amoget_machine(desc);
    const char *a = amoget_processor_name(machine, used->a);
    const char *b = amoget_processor_name(machine, used->b);
    int32_t stages = amoget_stage_count(desc), there = 0;
    int32_t stage = part > 2 * stages ? part - 2 * stages : part / 2;
    bool forth = stage < stages ? mapping[stage] == used->b : mapping[stages - 1] == used->a;
    switch (used->kind) {
    case AMOGET_PROCESSOR:
        for (int32_t i = 0; i < stages; i++)
            there += mapping[i] == used->a;
        (void)fprintf(to, there > 1 ? "%s (%d stages)" : "%s", a, there);
        return;
    case AMOGET_LINK:
        (void)fprintf(to, "%s-%s", forth ? a : b, forth ? b : a);
        return;
    case AMOGET_WITHIN:
        (void)fprintf(to, "within %s", a);
        return;
    }
}

const char *count_text(double count, char *text)
{
    if (count < 1e15)
        return number_grouped((int64_t)count, text);
    (void)snprintf(text, COUNT_SIZE, "%.3g", count);
    return text;
}
