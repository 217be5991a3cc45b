/* Computes the measures of a report, and sorts them. */
#include "report.h"

#include <pepa_shared.h>

#include <stdlib.h>

static int larger(const void *a, const void *b)
{
    const Named *x = a, *y = b;
    if (x->shown != y->shown)
        return x->shown > y->shown ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

void sort_largest(Named *items, int32_t count)
{
    for (int32_t i = 0; i < count; i++) {
        char text[40];
        (void)snprintf(text, sizeof text, "%.10g", items[i].value);
        items[i].shown = strtod(text, NULL);
        items[i].place = i;
    }
    qsort(items, (size_t)count, sizeof *items, larger);
}

static int more_probable(const void *a, const void *b)
{
    const Bottom *x = a, *y = b;
    if (x->probability != y->probability)
        return x->probability > y->probability ? -1 : 1;
    return (x->first > y->first) - (x->first < y->first);
}

static void find_bottom_components(Measures *m, const Session *s)
{
    for (int32_t k = 0; s->shared && k < s->info.bottom_components; k++) {
        const PepaSharedBottom found = pepa_shared_bottom(s->shared, k);
        m->bottom[k] = (Bottom){found.probability, found.states, k};
    }
    for (int64_t state = s->info.states - 1; state >= 0 && !s->shared; state--) {
        int32_t bottom = pepa_chain_bottom(s->chain, state);
        if (bottom < 0)
            continue;
        m->bottom[bottom].probability += s->pi[state];
        m->bottom[bottom].states++;
        m->bottom[bottom].first = state;
    }
    qsort(m->bottom, (size_t)s->info.bottom_components, sizeof *m->bottom, more_probable);
}

char *bottom_text(const Session *s, const Bottom *bottom)
{
    char *text = NULL;
    if (s->shared)
        (void)pepa_shared_bottom_text(s->shared, (int32_t)bottom->first, &text, NULL);
    else
        (void)pepa_chain_state_text(s->chain, bottom->first, &text, NULL);
    return text;
}

static void name_rows(Measures *m, const Session *s)
{
    for (int32_t a = 0; a < s->info.actions; a++)
        m->throughput[a] = (Named){"throughput", "", .name = pepa_chain_action_name(s->chain, a)};
    for (int32_t p = 0, at = 0; p < s->info.positions; p++) {
        PepaPosition position = pepa_chain_position(s->chain, p);
        for (int32_t l = 0; l < position.local_count; l++)
            m->share[at++] = (Named){"utilisation", position.component, p + 1,
                                     .name = pepa_chain_local_name(s->chain, position.local[l])};
    }
    for (int32_t l = 0; l < s->info.local_states; l++)
        m->population[l] = (Named){"population", "", .name = pepa_chain_local_name(s->chain, l)};
}

/* Throughputs, utilisations and populations. */
static bool find_values(const Session *s, double *throughput, double *share, double *population)
{
    if (s->shared)
        return pepa_shared_throughputs(s->shared, throughput, NULL) == PEPA_OK &&
               pepa_shared_utilisations(s->shared, share, NULL) == PEPA_OK &&
               pepa_shared_populations(s->shared, population, NULL) == PEPA_OK;
    pepa_throughputs(s->chain, s->pi, throughput);
    return pepa_utilisations(s->chain, s->pi, share, NULL) == PEPA_OK &&
           pepa_populations(s->chain, s->pi, population, NULL) == PEPA_OK;
}

bool measures_new(Measures *m, const Session *s)
{
    const PepaChainInfo *info = &s->info;
    int32_t shares = info->actions, populations = shares + info->counts;
    *m = (Measures){.rows = populations + info->local_states};
    double *value = calloc((size_t)m->rows + 1, sizeof *value);
    m->row = calloc((size_t)m->rows + 1, sizeof *m->row);
    m->bottom = calloc((size_t)info->bottom_components + 1, sizeof *m->bottom);
    bool ok =
        value && m->row && m->bottom && find_values(s, value, value + shares, value + populations);
    if (ok) {
        m->throughput = m->row;
        m->share = m->row + shares;
        m->population = m->row + populations;
        name_rows(m, s);
        for (int32_t i = 0; i < m->rows; i++)
            m->row[i].value = value[i];
        for (int32_t a = 0; a < info->actions && s->certified; a++) {
            m->throughput[a].value = certified_throughput(s, a, value[a]);
            m->throughput[a].within = &s->certified[a];
        }
        find_bottom_components(m, s);
    }
    free(value);
    if (!ok) {
        measures_free(m);
        (void)out_of_memory();
    }
    return ok;
}

void measures_free(Measures *m)
{
    free(m->row);
    free(m->bottom);
    *m = (Measures){0};
}
