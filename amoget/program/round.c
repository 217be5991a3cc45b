/* Reads what a round of a program costs. */
#include "amoget/program/round.h"

#include <string.h>

#include "base/number.h"

enum { ROUND_WORK, ROUND_DATA, ROUND_EXCHANGE, ROUND_PHASES };
static const Attribute attributes[ROUND_COSTS] = {ATTRIBUTE_WORK, ATTRIBUTE_DATA,
                                                  ATTRIBUTE_EXCHANGE, ATTRIBUTE_PHASES};

const char *round_cost_name(int cost)
{
    return attribute_name(attributes[cost]);
}

static bool is_number(const Word *word)
{
    return word->text[0] && strchr("0123456789+-.", word->text[0]);
}

/* The words of a statement as one value: a number, a number and its unit, or a name. */
static bool value_of(Check *check, const Say *say, const char *name, Value *out)
{
    const Word *word = &check->tree->words[say->first];
    const bool number = say->count > 0 && is_number(word);
    const bool edge = say->count > 2 && !word[2].text[0];
    if (say->count == 0 || say->count > (number ? 2u : 1u) || edge) {
        diag_error(check->diags, say->count ? word->span : say->span,
                   "`%s` takes one value: `%s VALUE;`", name, name);
        return false;
    }
    *out = (Value){.span = {word->span.begin, word[say->count - 1].span.end}};
    if (number)
        out->number = number_read(word->text);
    else
        out->name = *word;
    if (say->count == 2)
        out->unit = word[1];
    return true;
}

bool round_statement(Check *check, const Say *say, RoundCheck *round)
{
    Value value;
    int cost = 0;
    while (cost < ROUND_COSTS && strcmp(say->a.text, round_cost_name(cost)) != 0)
        cost++;
    if (cost == ROUND_COSTS)
        return false;
    if (round->first[cost])
        diag_error(check->diags, say->span, "a second `%s`; the first one is in line %u",
                   round_cost_name(cost), finding_line(check, round->first[cost]->span));
    else if (value_of(check, say, round_cost_name(cost), &value))
        (void)check_value(check, &value, attributes[cost], &round->value[cost]);
    if (!round->first[cost])
        round->first[cost] = say;
    return true;
}

void round_set(const RoundCheck *round, AmogetProgram *program)
{
    program->work = round->value[ROUND_WORK];
    program->data = round->value[ROUND_DATA];
    program->exchange = round->value[ROUND_EXCHANGE];
    program->phases = (int32_t)round->value[ROUND_PHASES];
}
