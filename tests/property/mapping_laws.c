#include "property/mapping_laws.h"

#include "property/seeds.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

bool mapping_wrong(Text *why, const char *format, ...)
{
    char said[512];
    va_list args;
    va_start(args, format);
    (void)vsnprintf(said, sizeof said, format, args);
    va_end(args);
    text_add(why, "%s ", said);
    return false;
}

bool mapping_same(double got, long double want, long double precision)
{
    return fabsl(got - want) <= precision * fabsl(want);
}

void mapping_change(MappingCase *each)
{
    random_mapping_change(&each->problem, &each->state);
    mapping_set_numbers(each->desc, &each->problem);
}

void mapping_law_holds(const MappingLaw *law, int shard)
{
    Seeds all = seeds(shard, law->samples);
    uint64_t seed;
    while (seeds_next(&all, &seed)) {
        MappingCase each = {.state = ~seed};
        Text why = {0}, text = {0};
        each.problem =
            random_mapping_problem(seed, law->least_stages, law->most_stages, law->most_mappings);
        each.desc = mapping_description(&each.problem, seed);
        text_add(&why, "%s: ", law->name);
        if (!law->holds(&each, &why)) {
            mapping_problem_print(&each.problem, &text);
            seeds_fail(&all, seed, why.text, text.text);
        }
        amoget_free(each.desc);
        text_free(&text);
        text_free(&why);
    }
    cr_assert(all.failures == 0);
}
