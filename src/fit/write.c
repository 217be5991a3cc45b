/* Writes a fitted distribution so that it can be pasted into a model: as an activity with a
 * phase-type duration, or as components with exponential phases, which any PEPA tool reads. */
#include "fit/write.h"

#include <ctype.h>
#include <string.h>

#include "base/number.h"

const char *write_family(PepaFitFamily family)
{
    static const char *const names[] = {"any", "erlang", "hyper", "cox", "hyper-erlang"};
    return (int)family >= 0 && (size_t)family < sizeof names / sizeof *names ? names[family] : NULL;
}

double write_rate(const Phases *p, int32_t i)
{
    if (p->family == PEPA_FIT_ERLANG)
        return p->rate[0];
    return p->family == PEPA_FIT_COX ? p->rate[p->phases - 1 - i] : p->rate[i];
}

double write_probability(const Phases *p, int32_t i)
{
    if (p->family == PEPA_FIT_ERLANG)
        return 1;
    return p->family == PEPA_FIT_COX ? phases_goes_on(p, i) : p->share[i];
}

/* "an action" */
static bool is_quoted(const char *name)
{
    const size_t inside = *name == '"' ? strcspn(name + 1, "\"\r\n") : 0;
    return inside > 0 && strcmp(name + 1 + inside, "\"") == 0;
}

bool write_is_action(const char *name)
{
    if (is_quoted(name))
        return true;
    if (!isalpha((unsigned char)*name))
        return false;
    while (isalnum((unsigned char)*name) || *name == '_')
        name++;
    return *name == '\0';
}

static void number_add(Text *out, double value)
{
    char text[NUMBER_SIZE];
    number_write(value, text);
    text_add(out, "%s", text);
}

void write_activity(const Phases *p, const char *action, Text *out)
{
    text_add(out, "(%s, %s(", action, write_family(p->family));
    if (p->family == PEPA_FIT_ERLANG)
        text_add(out, "%d, ", (int)p->phases);
    for (int32_t i = 0; i < (p->family == PEPA_FIT_ERLANG ? 1 : p->phases); i++) {
        text_add(out, "%s", i ? ", " : "");
        if (p->family == PEPA_FIT_HYPER) {
            number_add(out, write_probability(p, i));
            text_add(out, ":");
        }
        number_add(out, write_rate(p, i));
        if (p->family == PEPA_FIT_COX && i + 1 < p->phases) {
            text_add(out, ", ");
            number_add(out, write_probability(p, i));
        }
    }
    text_add(out, "))");
}

/* A step to a component, with an internal action before the last phase of a path. */
static void step_add(Text *out, const char *action, double rate, int to)
{
    text_add(out, "(%s, ", action);
    number_add(out, rate);
    text_add(out, ").Time%d", to);
}

/* Of a chain: phase i is Time<i>; it ends with the action, or goes on with the internal one. */
static void chain_states(const Phases *p, const char *action, Text *out)
{
    for (int32_t i = 0; i < p->phases; i++) {
        const bool last = i + 1 == p->phases;
        const double on = last ? 0 : write_probability(p, i), rate = write_rate(p, i);
        text_add(out, "Time%d = ", (int)i);
        if (on > 0)
            step_add(out, "phase", rate * on, i + 1);
        if (on > 0 && on < 1)
            text_add(out, " + ");
        if (on < 1)
            step_add(out, action, rate * (1 - on), 0);
        text_add(out, ";\n");
    }
}

void write_states(const Phases *p, const char *action, Text *out)
{
    if (p->family != PEPA_FIT_HYPER) {
        chain_states(p, action, out);
        return;
    }
    /* Which phase comes next is chosen as one ends: there is no state between them. */
    for (int32_t i = 0; i < p->phases; i++) {
        text_add(out, "Time%d = ", (int)i);
        for (int32_t j = 0; j < p->phases; j++) {
            text_add(out, "%s", j ? " + " : "");
            step_add(out, action, p->rate[i] * p->share[j], j);
        }
        text_add(out, ";\n");
    }
}
