/* In which states a chain begins: in one, or, after immediate activities, in one of several, with probabilities
 * that the formats of other tools do not have. */
#include "session.h"

#include <stdlib.h>

#include <pepa_transient.h>

void starts_warn(Session *s)
{
    enum { MOST_NAMED = 4 };
    Text text = {0};
    long long count = 0, named = 0;
    if (!s->start)
        return;
    for (int64_t i = 0; i < s->info.states; i++)
        count += s->start[i] > 0;
    text_add(
        &text,
        "immediate activities lead from the initial state to %lld states, and the chain begins in "
        "one of them; this format does not say how probable each is:",
        count);
    for (int64_t i = 0; i < s->info.states && named < MOST_NAMED; i++)
        if (s->start[i] > 0) {
            text_add(&text, named > 0 ? ", %.6g for %lld" : " %.6g for state %lld", s->start[i],
                     (long long)i + 1);
            named++;
        }
    text_add(&text, "%s of 'pepa states'", count > named ? ", ..." : "");
    session_warn(s, text.text && !text.failed ? text.text : "");
    text_free(&text);
}

int starts_find(Session *s)
{
    PepaError err;
    const PepaSettings set = session_settings(s);
    double *start = malloc(((size_t)s->info.states + 1) * sizeof *start);
    if (!start)
        return out_of_memory();
    PepaStatus status = pepa_transient_distribution(s->chain, 0, &set, start, NULL, &err);
    bool several = false;
    for (int64_t i = 1; i < s->info.states && status == PEPA_OK; i++)
        several = several || start[i] > 0;
    if (several)
        s->start = start;
    else
        free(start);
    return status == PEPA_OK ? EXIT_SOLVED : complain(s, status, &err);
}
